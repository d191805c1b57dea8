"""A choice as a nested record of base units, for machines."""

from planner.catalogue.drive import Drive
from planner.catalogue.prices import price_record
from planner.catalogue.unverified import unverified
from planner.export.decision_text import decision_record
from planner.export.quote_text import quotes_record
from planner.export.tables import finite, range_record
from planner.graph.answer import Answer
from planner.scenario.array import Array
from planner.search.choose import Candidate, Choice, Met, Rejected
from planner.search.choose.filters import Excluded

_RANGES = {"total_price_usd": "price_usd"}  # ranges under the names of their numbers


def choice_record(choice: Choice) -> dict[str, object]:
    """Return a choice as a nested record of base units, for JSON."""
    return {
        "objective": str(choice.objective),
        "asked": {str(need): value for need, value in choice.requirements.needs.items()},
        "life_confidence": choice.requirements.life_confidence,
        "configurations": choice.configurations,
        "possible": choice.possible,
        "holding": choice.holding,
        "decision": decision_record(choice),
        "undecided": list(choice.undecided),
        "plans": [_plan_record(one, choice) for one in choice.candidates],
        "rejected": [_rejected_record(row) for row in choice.rejected],
        "closest": None if choice.closest is None else _rejected_record(choice.closest),
        "reach": [_met_record(each) for each in choice.reach],
        "rejected_by": {str(need): count for need, count in choice.rejected_by.items()},
        "savings": [
            {
                "need": str(row.need),
                "asked": row.needed,
                "relaxed": row.relaxed,
                "saving": row.saving,
            }
            for row in choice.savings
        ],
        "front": {
            "axes": [str(axis) for axis in choice.axes],
            "plans": [
                _place(point.drive.name, point.array, point.partition_fraction)
                | {"values": [finite(value) for value in point.values]}
                for point in choice.front
            ],
        },
        "notes": list(choice.notes),
        "rules": [rule._asdict() for rule in choice.rules],
        **quotes_record(choice),
        **_prices_record(choice),
        "excluded": [_excluded_record(row, choice) for row in choice.excluded],
    }


def _excluded_record(row: Excluded, choice: Choice) -> dict[str, object]:
    rules = {rule.input: str(rule) for rule in choice.rules}
    return {
        "drive": row.drive.name,
        "fails": [
            {
                "need": failed.input,
                "needed": failed.needed,
                "available": failed.has,
                "rule": rules.get(failed.input, "stated"),
            }
            for failed in row.fails
        ],
    }


def _plan_record(one: Candidate, choice: Choice) -> dict[str, object]:
    answers = {
        "price_usd": one.plan["total_price_usd"],
        "npv_usd": one.ownership["npv_usd"],
        "equivalent_usd_per_year": one.ownership["equivalent_usd_per_year"],
        "usable_bytes": one.plan["usable_bytes"],
        "iops": one.queue.iops,
        "worst_case_floor_iops": one.plan["worst_case_floor_iops"],
        "loss_probability": one.data_loss["array_loss_probability"],
    }
    place = _place(one.plan.drive.name, one.plan.array, one.plan.partition_fraction)
    return (
        place
        | {name: _number(answer) for name, answer in answers.items()}
        | {
            "objective": one.objective,
            "npv_parts_usd": {
                name: float(part.value) for name, part in one.ownership.parts.items()
            },
            "life_s": _number(one.plan["endurance_life_s"]),
            "wear_life_s": _number(one.plan["wear_life_s"]),
            "life_probability": one.life_probability,
            "warranted_until_s": _number(one.warranted_until_s),
            "rated_bytes_per_drive": _number(one.rated_bytes),
            "written_bytes_per_drive_over_horizon": _number(one.ownership["horizon_bytes"]),
            "rules": [str(rule) for rule in choice.rules],
            **_price_record(one.plan.drive, choice),
            "loss_is_lower_bound": one.nodes is not None,
            "nodes": None if one.nodes is None else one.nodes._asdict(),
            "met": [_met_record(met) for met in one.met],
            "assumed": [item.reason for item in one.assumed if item.is_range],
            "unverified": [str(each) for each in unverified(one.plan.drive)],
            "ranges": {
                _RANGES.get(key, key): range_record(each) for key, each in one.ranges.items()
            },
        }
    )


def _prices_record(choice: Choice) -> dict[str, object]:
    """Return the terms on which prices are compared, and their day."""
    terms = choice.prices
    if terms is None:
        return {}
    return {
        "today": terms.today.isoformat(),
        "price_age_s": terms.age_s,
        "price_kinds": list(terms.kinds),
        "usd_each": terms.usd_each,
    }


def _price_record(drive: Drive, choice: Choice) -> dict[str, object]:
    """Return the record of a price: its kind, date and supplier, and what is doubtful of it."""
    quote = drive.quote
    own = {} if quote is None else {
        "quoted_at": quote.where, "part_number": quote.part_number, "supplier": quote.supplier,
        "lead_time_s": quote.lead_time_s, "valid_until": quote.valid_until or None,
        "least_order": quote.least_order,
        "quote_reasons": [] if choice.quotes is None else list(choice.quotes.reasons_of(drive)),
    }  # fmt: skip
    return price_record(drive) | own


def _place(drive: str, array: Array, partition_fraction: float) -> dict[str, object]:
    return {
        "drive": drive,
        "members": array.members,
        "level": array.name,
        "sets": array.sets,
        "partition_fraction": partition_fraction,
    }


def _met_record(met: Met) -> dict[str, object]:
    return {
        "need": str(met.need),
        "needed": finite(met.needed),
        "available": finite(met.available),
        "margin": finite(met.margin),
    }


def _rejected_record(row: Rejected) -> dict[str, object]:
    place = (
        _place(row.drive.name, row.array, row.partition_fraction or 1.0)
        if row.array
        else {"drive": row.drive.name}
    )
    return place | {
        "objective": row.objective,
        "lacks": _met_record(row.lacks) if row.array else "a price",
        "configurations": row.configurations,
        "fails": [_met_record(met) for met in row.fails],
        "fails_are_whole": row.is_whole,
    }


def _number(answer: Answer) -> object:
    return None if not answer.is_known else finite(answer.value)

"""`cost`: the cost of ownership, by part and by year."""

from dataclasses import asdict
from typing import Any

import click
import numpy as np

from models.drive_price import QUARTER_S
from models.nomenclature import QUANTITIES
from planner.catalogue.price_curve import price_kind, waiting, waiting_text
from planner.catalogue.prices import price_record
from planner.catalogue.priors import narrowed_by, supply
from planner.cli.help_groups import GroupedCommand
from planner.cli.options import SUPPLIED_BY, one_drive, scenario
from planner.cli.parameters import ALL, AS_JSON, ONE_DRIVE, WITH_MATHS, examples, why_option
from planner.cli.printing import (
    print_answers,
    print_json,
    print_list,
    print_maths,
    print_priced,
    print_read_as,
    print_table,
    print_wrapped,
)
from planner.cli.terminal import echo
from planner.export.owning_text import parts_text
from planner.export.tables import range_record
from planner.graph.answer import Answer
from planner.quantity.inputs import OWNING, PRICED_BY
from planner.quantity.show import shown, text
from planner.scenario.terms import LEVELS
from planner.search.verdict.heading import each_text, typed_text
from planner.search.verdict.safe import power_text
from planner.search.verdict.sentences import priced_at
from planner.search.verdict.words import ends, two
from planner.sections.ownership import Ownership, owned_ranges, ownership, risk_of, terms_of
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range

_PER_YEAR = "cost_per_usable_byte_year"
EXAMPLES = (
    'ssd-planner cost --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5 --years 5',
    'ssd-planner cost --drive "845DC PRO 400" --writes 6TB/day --discount-rate 8% --shelf 1 --json',
    'ssd-planner cost --drive "DC P3600 400" --price 500 --years 4.5 --grid 20:56:100',
)


@click.command("cost", cls=GroupedCommand, epilog=examples(*EXAMPLES))
@ONE_DRIVE
@scenario(*OWNING, *PRICED_BY)
@why_option()
@ALL
@WITH_MATHS
@AS_JSON
def command(
    names: tuple[str, ...], asked: tuple[str, ...], is_all: bool, with_maths: bool, as_json: bool,
    **texts: Any,
) -> None:  # fmt: skip
    """Show the cost of owning a drive or an array: drives, energy, slots, labour, carbon."""
    plan = one_drive(names, texts)
    owned = ownership(plan, terms_of(texts), risk_of(texts))
    if asked:
        from planner.cli.why import print_why  # noqa: PLC0415 - few ask

        print_why(plan, owned.risk, asked, ranges=owned_ranges(plan, owned))
        return
    if as_json:
        print_json(_record(plan, owned))
        return
    print_read_as(plan.workload)
    if is_all:
        _print(plan, owned)
    else:
        _print_first(plan, owned)
    if with_maths:
        print_maths(owned.nodes)


def _print_first(plan: PlanReading, owned: Ownership) -> None:
    """Print the cost in total and by part, per usable TB, and its widest input."""
    terms, ranges = owned.terms, owned_ranges(plan, owned)
    total = ranges.get("npv_usd")
    span = text("horizon_s", terms.horizon_s, digits=3)
    usable = plan["usable_bytes"]
    room = f", {text(usable.key, usable.value, digits=3)} usable" if usable.is_known else ""
    cost = "cost unknown" if total is None else f"about {_money(total, terms.currency)}"
    print_wrapped(f"{each_text(plan)}{room}, {typed_text(plan)}, {span}: {cost}", bold=True)
    if plan.situation.drives > 1 and total is not None:
        low, typical, high = (end * plan.situation.drives for end in total[:3])
        fleet = total._replace(low=low, typical=typical, high=high)
        print_wrapped(f"All {plan.situation.drives:,}: about {_money(fleet, terms.currency)}.")
    if parts := parts_text(owned):
        print_wrapped(f"Present value of {parts} {terms.currency}.")
    per = ranges.get(_PER_YEAR)
    if per is not None:
        year, month = (_money(_scaled(per, part), terms.currency) for part in (1.0, 1 / 12))
        print_wrapped(f"Per usable TB {year} a year, {month} a month.")
    print_wrapped(f"{priced_at(plan)}. {waiting_text(plan.drive)}.")
    print_wrapped(power_text(plan))
    if owned.lacking:
        print_wrapped(f"Missing facts: {'; '.join(map(supply, owned.lacking))}")
    widest = next(iter(total.shares), "") if total is not None else ""
    named = ""
    if widest in QUANTITIES:
        named = f"Widest input: {QUANTITIES[widest].label} ({narrowed_by(widest)}). "
    print_wrapped(f"{named}More: --all (by year, carbon, energy, terms), --why NAME, --json")


def _scaled(part: Range, factor: float) -> Range:
    """Return a cost per usable TB over a part of a year, in the unit shown."""
    low, typical, high = (factor * shown(_PER_YEAR, end) for end in part[:3])
    return part._replace(low=low, typical=typical, high=high)


def _money(part: Range, currency: str) -> str:
    return f"{two(part.typical)} {currency}{ends(part)}"


def _print(plan: PlanReading, owned: Ownership) -> None:
    array, terms = plan.array, owned.terms
    head = f"{array.members} x {plan.drive.name}, {array.name}, {typed_text(plan)}, owned for "
    print_wrapped(head + text("horizon_s", terms.horizon_s), bold=True)
    if terms.currency != "USD":
        echo(f"Prices printed as USD are in {terms.currency}.")
    print_answers((*owned.answers, *owned.operations), ranges=owned_ranges(plan, owned))
    print_priced(plan)
    echo("\nBy year")
    print_table(_table(owned))
    print_list(
        "Missing facts would come from",
        [f"{supply(name)} ({SUPPLIED_BY.get(name, f'--fact {name}=...')})"
         for name in owned.lacking],
    )  # fmt: skip
    print_list("Assumed facts that widen the ranges", _wide(plan, owned))
    print_list("Notes", owned.notes)


def _wide(plan: PlanReading, owned: Ownership) -> list[str]:
    """List the assumptions behind the range of the cost of owning, and the facts to narrow them."""
    return [item.reason for item in plan.behind(*owned.answers) if item.is_range]


def _table(owned: Ownership) -> list[dict[str, str]]:
    """Return a row for each year: costs by part, and drives to replace."""
    columns = {**owned.course, "Drives to replace": owned["yearly_replacements"]}
    known = {name: node for name, node in columns.items() if node.is_known}
    return [
        {"Year": f"{year:g}"}
        | {name: text(node.key, np.ravel(node.value)[place]) for name, node in known.items()}
        for place, year in enumerate(owned.terms.years)
    ]


def _record(plan: PlanReading, owned: Ownership) -> dict[str, object]:
    """Return the cost of owning as a nested record of base units."""
    answers = (*owned.answers, owned["yearly_energy_j"])
    return {
        "drive": {"drive_id": plan.drive.drive_id, "name": plan.drive.name},
        "members": plan.array.members,
        "level": plan.array.name,
        "terms": asdict(owned.terms),
        "horizon_s": owned.terms.horizon_s,
        "by_year": {
            "year": owned.terms.years.tolist(),
            **{node.key: _value(node) for node in owned.course.values()},
            **{
                key: _value(owned[key])
                for key in ("yearly_replacements", "yearly_bought_drives", "array_power_w")
            },
        },
        **{part.key: _value(part) for part in (*owned.answers, *owned.operations)},
        **price_record(plan.drive),
        "price_after_a_quarter": waiting(price_kind(plan.drive).segment, QUARTER_S)._asdict(),
        "assumed": {
            term.quantity: {level: getattr(term, level) for level in LEVELS}
            | {"source_id": term.source_id, "note": term.note}
            for term in owned.terms.assumed
        },
        "assumed_of_drive": _wide(plan, owned),
        "ranges": {key: range_record(each) for key, each in owned_ranges(plan, owned).items()},
        "missing": {part.key: list(part.lacking) for part in answers if not part.is_known},
        "notes": list(owned.notes),
    }


def _value(part: Answer) -> object:
    value = np.asarray(part.value).tolist() if part.is_known else None
    return None if value == np.inf else value

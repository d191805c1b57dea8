"""A plan as plain rows, and as a nested record for machines."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from models.nomenclature import QUANTITIES
from planner.catalogue import Catalogue
from planner.catalogue.drive import Source
from planner.catalogue.prices import price_record
from planner.graph.answer import Answer
from planner.quantity.show import shown, text
from planner.search.verdict import Verdict
from planner.sections.answers import ARRAY
from planner.sections.array_queue import CURVE_DEPTHS, ArrayQueue
from planner.sections.calibration import fit_record
from planner.sections.data_loss import DataLoss, Remedy
from planner.sections.host_cache import Cached
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.recovery import Recovery
from planner.sections.replacements import replacement_dates
from planner.sections.speed import SHORT_TEST_S, Speed
from planner.sections.speed_ranges import SpeedRanges

if TYPE_CHECKING:
    from planner.sections.heat import Heat

# What a drive bears by wear and by rating; `plan` shows the smaller, machines get all.
LIMITS = ("wear_limit_bytes", "rated_limit_bytes", "host_limit_bytes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One number of a plan, ready to be read."""

    section: str
    quantity: str
    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    basis: str = ""
    unit: str
    formula: str
    inputs: str
    source: str
    note: str


def rows(plan: PlanReading, catalogue: Catalogue) -> list[Row]:
    """List inputs, answers by section, what they pass through, and the sources.

    Each number has its ends over what is assumed, and its basis; one that is missing has no value,
    and says in `note` what is lacking.
    """
    nodes = plan.nodes
    answered = {answer.key for answers in plan.sections.values() for answer in answers}
    inputs = [
        _row("Inputs", node, plan.range_of(node.key)) for node in nodes.values() if node.is_given
    ]
    answers = [
        _row(section, answer, plan.range_of(answer.key))
        for section, group in plan.sections.items()
        for answer in group
        if not answer.is_given
    ]
    steps = [
        _row("Steps", node, plan.range_of(node.key))
        for node in nodes.values()
        if node.is_computed and node.key not in answered
    ]
    apart = [
        _row("Placement", row, plan.range_of(row.key))
        for row in plan.placement
        if row.key not in answered
    ]
    sources = [_source_row(catalogue.sources[key]) for key in cited(plan, catalogue)]
    return inputs + answers + apart + steps + sources


def cited(answer: PlanReading | Speed, catalogue: Catalogue) -> list[str]:
    """List the ids of the sources that the numbers of an answer came from."""
    used = {node.source for node in answer.nodes.values() if node.is_given}
    return [source_id for source_id in catalogue.sources if source_id in used]


def record(plan: PlanReading, catalogue: Catalogue) -> dict[str, object]:
    """Return the plan as a nested record of base units, for JSON."""
    return {
        "drive": {"drive_id": plan.drive.drive_id, "name": plan.drive.name},
        "writes_read_as": plan.workload.writes_read_as,
        "life": {
            "years": finite(plan.lives.years),
            "limit": plan.lives.limit,
            "runner_up": plan.lives.runner_up,
            "years_by_limit": {
                limit: finite(shown("wear_life_s", node.value))
                for limit, node in plan.lives.known.items()
            },
            "years_by_flash_wear": {
                level: finite(shown(node.key, node.value))
                for level, node in plan.lives.known_wear.items()
            },
            "years_of_replacements": _years(replacement_dates(plan)),
        },
        "write_amplification": {
            answer.key: None if not answer.is_known else finite(answer.value)
            for answer in (*plan.wa_band, *plan.placements, plan.apart_wa)
        },
        "placement": {
            row.key: range_record(each)
            for row in plan.placement
            if (each := plan.range_of(row.key)) is not None
        },
        "binding": plan.binding,
        "answers": {
            answer.key: None if not answer.is_known else finite(answer.value)
            for group in plan.sections.values()
            for answer in group
        }
        | {key: _value(plan.reading[key]) for key in LIMITS},
        "ranges": {key: range_record(each) for key, each in plan.ranges.items()}
        | {
            key: range_record(each)
            for key in LIMITS
            if (each := plan.range_of(plan.reading[key].key)) is not None
        },
        **price_record(plan.drive),
        "assumed": list(plan.wide),
        "figures": {key: _node_record(node) for key, node in plan.nodes.items()},
        "missing": {answer.key: list(answer.lacking) for answer in plan.missing},
        "notes": list(plan.notes),
        "sources": {key: asdict(catalogue.sources[key]) for key in cited(plan, catalogue)},
        **({} if plan.drive.fit is None else {"fit": fit_record(plan.drive.fit)}),
    }


def verdict_record(statement: Verdict) -> dict[str, object]:
    """Return a verdict as JSON has it: sentences by question, and the change that is next."""
    named = {
        "lasts": statement.lasts,
        "worst": statement.worst,
        "safe": statement.safe,
        "cost": statement.cost,
    }
    sentences = {
        name: sentence._asdict()
        | {"numbers": {key: range_record(each) for key, each in sentence.numbers.items()}}
        for name, sentence in named.items()
    }
    return {**sentences, "next": asdict(statement.change)}


def range_record(each: Range) -> dict[str, object]:
    """Return a range as JSON has it, in base units; swings are natural logarithms."""
    ends = {name: finite(getattr(each, name)) for name in ("low", "typical", "high")}
    return {
        **ends, "level": each.level, "basis": each.basis, "model_half": each.model_half,
        "facts": {name: finite(swing) for name, swing in each.facts.items()},
        "families": each.families,
    }  # fmt: skip


def _years(dates: Answer) -> list[float]:
    values = () if not dates.is_known else np.atleast_1d(dates.value)
    return [shown(dates.key, float(date)) for date in values if math.isfinite(date)]


def speed_record(
    answer: Speed,
    catalogue: Catalogue,
    *,
    ranges: SpeedRanges | None = None,
    recovery: Recovery | None = None,
    host_cache: Cached | None = None,
) -> dict[str, object]:
    """Return a speed over time as a nested record of base units, for JSON.

    Read latency that grows without bound is None; `recovery` and `host_cache` are there if
    they were asked for.
    """
    asked = {"recovery": recovery, "host_cache": host_cache}
    statement = {} if ranges is None else {"ranges": _speed_ranges(answer, ranges)}
    return (
        _speed_record(answer, catalogue)
        | statement
        | {
            name: {item.key: _value(item) for item in part.answers}
            for name, part in asked.items()
            if part is not None
        }
    )


def heat_record(heat: "Heat") -> dict[str, object]:
    """Return energy, idle states and temperatures in base units, with ranges, for JSON.

    A time without end is None.
    """
    return {
        **{item.key: _value(item) for item in heat.answers},
        "ranges": {name: range_record(each) for name, each in heat.ranges.items()},
        "place": heat.sentence,
        "notes": list(heat.notes),
    }


def _speed_ranges(answer: Speed, ranges: SpeedRanges) -> dict[str, object]:
    """Return ranges under the keys that the numbers have."""

    def known(items: Mapping[str, Answer]) -> dict[str, object]:
        return {
            name: range_record(ranges.answers[item.key])
            for name, item in items.items()
            if item.key in ranges.answers
        }

    groups = {"max_latency_s_by_collection": answer.collection, "write_cache": answer.cache}
    percentiles = {
        "read_latency_s": ranges.reads,
        "closed_read_latency_s": ranges.closed_reads,
        "write_latency_s": ranges.writes,
        "commit_latency_s": ranges.commits,
    }
    return {
        **known(_speed_answers(answer) | {"steady_residual": answer.steady_residual}),
        **{name: known({item.key: item for item in group}) for name, group in groups.items()},
        **{
            name: {f"p{percent:.7g}": range_record(each) for percent, each in course.items()}
            for name, course in percentiles.items()
        },
    }


def _speed_answers(answer: Speed) -> dict[str, Answer]:
    """Name the numbers of a speed as JSON does."""
    return {
        "fresh_write_iops": answer.fresh_write_iops,
        "steady_write_iops": answer.steady_write_iops,
        "lowest_write_iops": answer.lowest_write_iops,
        "random_read_iops": answer.random_read_iops,
        "drive_iops": answer.iops,
        "cliff_s": answer.cliff_s,
        "settle_s": answer.settling_s,
        "max_latency_s": answer.max_latency_s,
        "worst_case_iops": answer.worst_case_iops,
        "worst_case_at_depth_iops": answer.worst_case_at_depth_iops,
    }


def _speed_record(answer: Speed, catalogue: Catalogue) -> dict[str, object]:
    return {
        "drive": {"drive_id": answer.drive.drive_id, "name": answer.drive.name},
        **{name: _value(item) for name, item in _speed_answers(answer).items()},
        "max_latency_s_by_collection": {item.key: _value(item) for item in answer.collection},
        "read_latency_s": _percentiles(answer.read_latency_s),
        "closed_read_latency_s": _percentiles(answer.closed_read_latency_s),
        "write_latency_s": _percentiles(answer.write_latency_s),
        "commit_latency_s": _percentiles(answer.commit_latency_s),
        "saturation_probability": _value(answer.saturation_probability),
        "per_second": {
            "mean": _value(answer.steady_write_iops),
            "min": _value(answer.worst_case_at_depth_iops),
            "sd": _value(answer.second_sd_iops),
        },
        "write_cache": {item.key: _value(item) for item in answer.cache},
        "steady_residual": _value(answer.steady_residual),
        "test_too_short": answer.is_too_short(SHORT_TEST_S),
        "binding": answer.binding,
        "figures": {key: _node_record(node) for key, node in answer.nodes.items()},
        "missing": list(answer.lacking),
        "notes": list(answer.notes),
        "sources": {key: asdict(catalogue.sources[key]) for key in cited(answer, catalogue)},
    }


def array_record(
    plan: PlanReading, queue: ArrayQueue, lost: DataLoss, mended: Iterable[Remedy]
) -> dict[str, object]:
    """Return an array as a nested record of base units, for JSON.

    `iops` is what the members' time allows in a deep queue.
    """
    parts = (*plan.sections[ARRAY], *queue.answers, *lost.answers)
    return {
        "drive": {"drive_id": plan.drive.drive_id, "name": plan.drive.name},
        "members": plan.array.members,
        "level": plan.array.name,
        "usable_bytes": _value(plan["usable_bytes"]),
        "iops": _value(plan["budget_iops"]),
        "worst_case_floor_iops": _value(plan["worst_case_floor_iops"]),
        "worst_case_probability": _value(plan["aligned_stall_probability"]),
        "any_stalled_probability": _value(plan["stall_probability"]),
        "member_quantile": _value(plan["member_quantile"]),
        "queue_depth": queue.queue_depth,
        "iops_at_queue_depth": _value(queue.iops),
        "read_latency_s": _value(queue.read_latency_s),
        "write_latency_s": _value(queue.write_latency_s),
        "iops_by_queue_depth": _by_depth(queue),
        "iops_under_stalls": {part.key: _value(part) for part in queue.stalled},
        "horizon_s": lost.risk.horizon_s,
        "loss_probability": {
            "total": _value(lost["array_loss_probability"]),
            "failures": _value(lost["array_failed_loss_probability"]),
            "unreadable": _value(lost["array_unreadable_loss_probability"]),
            "wear_out": _value(lost["array_wear_out_loss_probability"]),
        },
        "expected_lost_bytes": _value(lost["expected_lost_bytes"]),
        "replacements": {
            "mean": _value(lost["mean_replacements"]),
            "sd": _value(lost["replacements_sd"]),
            "p95": _value(lost["replacements_quantile"]),
        },
        "further": {part.key: _value(part) for part in (*queue.further, *lost.further)},
        "placement": {part.key: _value(part) for part in plan.placement},
        "assumed": list(plan.wide),
        "remedies": {
            remedy.name: _value(remedy.data_loss["array_loss_probability"]) for remedy in mended
        },
        "missing": {part.key: list(part.lacking) for part in parts if not part.is_known},
        "notes": [*plan.array_notes, *queue.notes, *lost.notes],
    }


def _by_depth(queue: ArrayQueue) -> dict[str, float]:
    if not queue.curve_iops.is_known:
        return {}
    rates = np.broadcast_to(np.asarray(queue.curve_iops.value), len(CURVE_DEPTHS))
    return {f"{depth:g}": float(rate) for depth, rate in zip(CURVE_DEPTHS, rates, strict=True)}


def _percentiles(latency_s: Mapping[float, float]) -> dict[str, object]:
    return {f"p{percent:.7g}": finite(seconds) for percent, seconds in latency_s.items()}


def _value(answer: Answer) -> object:
    return None if not answer.is_known else finite(answer.value)


def to_csv(table: Sequence[dict[str, object]]) -> bytes:
    r"""Write rows as CSV in which no text can become a formula.

    >>> to_csv([{"name": "=1+1", "value": 2.0}])
    b"name,value\r\n'=1+1,2.0\r\n"
    """
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, fieldnames=list(table[0]) if table else [])
    writer.writeheader()
    writer.writerows({key: _harmless(value) for key, value in row.items()} for row in table)
    return out.getvalue().encode()


def _harmless(value: object) -> object:
    risky = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r", "\0"))
    return f"'{value}" if risky else value


def _row(section: str, answer: Answer, each: Range | None = None) -> Row:
    quantity = QUANTITIES[answer.key]
    note = _lacking(answer) if not answer.is_known else answer.note
    return Row(
        section=section,
        quantity=answer.key,
        label=quantity.label,
        value=_scalar(answer),
        low=None if each is None else _end(answer.key, each.low),
        high=None if each is None else _end(answer.key, each.high),
        basis="" if each is None else each.basis,
        unit=quantity.shown_in,
        formula=answer.formula if answer.is_computed else "",
        inputs=_inputs(answer),
        source=answer.source if answer.is_given else "",
        note=note,
    )


def _scalar(answer: Answer) -> float | None:
    """Return the shown value of an answer; none for missing ones, endless ones and lists."""
    if not answer.is_known or np.ndim(answer.value):
        return None
    return _end(answer.key, answer.value)


def _end(key: str, value: float) -> float | None:
    """Return a shown value; none where it is without end, as tables have no number for that."""
    return None if math.isinf(value) else shown(key, value)


def _source_row(source: Source) -> Row:
    origin = (source.author, source.publisher, source.date, source.link)
    return Row(
        section="Sources",
        quantity="",
        label=source.title,
        value=None,
        unit="",
        formula="",
        inputs="",
        source=source.source_id,
        note=", ".join(part for part in origin if part),
    )


def _inputs(answer: Answer) -> str:
    if not answer.is_computed:
        return ""
    return ", ".join(
        f"{name} = {text(node.key, node.value)}" for name, node in answer.inputs.items()
    )


def _lacking(answer: Answer) -> str:
    return f"missing: {', '.join(QUANTITIES[name].label for name in answer.lacking)}"


def _node_record(node: Answer) -> dict[str, object]:
    unit = QUANTITIES[node.key].unit
    shared: dict[str, object] = {
        "value": finite(node.value),
        "unit": unit,
        "shown": text(node.key, node.value),
    }
    if node.is_given:
        return shared | {"source": node.source, "note": node.note}
    names = {name: part.key for name, part in node.inputs.items()}
    call = {"formula": node.formula, "part": node.part, "inputs": names}
    simulated = {"source": node.source} if node.source else {}
    return shared | call | simulated | {"note": node.note}


def finite(value: float | None) -> float | list[float | None] | None:
    """Return a value as JSON has it: lists stay lists, infinity becomes null."""
    if value is None:
        return None
    if np.ndim(value):
        return [None if math.isinf(part) else float(part) for part in np.ravel(value)]
    return None if math.isinf(value) else float(value)

"""Protocols as tables: phases of each drive, their order, and records for JSON."""

import math
from collections.abc import Sequence
from typing import Any

from models.nomenclature import QUANTITIES
from planner.quantity.show import text
from planner.quantity.writes.stated import size_text
from planner.sections.ranges import Range
from planner.simulation.protocol.answer import PhaseAnswer, ProtocolAnswer
from planner.simulation.protocol.measured import MeasuredPhase, MeasuredProtocol
from planner.simulation.protocol.phases import MOVES, WITHOUT_DATA, Action, Phase
from planner.simulation.protocol.presets import protocols
from planner.simulation.protocol.rank import RankPlace, ranking

SCATTER = ("phase_sd_iops", "phase_second_sd_iops", "phase_worst_iops")
HEADS = ("Phase", "Rate", "Lowest", "Mean latency", "p99", "Takes")
SMALL_BYTES = 16 * 1024  # operations up to this size are counted, larger ones are bytes
FITTED_TO_NONE = (
    "Protocols are fitted to no drive: the ranges hold for firmware that nobody measured."
)
LEVEL = 0.98  # of the mean, above which a course has no lowest second worth a word
LONGEST_NAME = 32  # characters of a phase in a table
_OF_MOVES = ("is_sequential", "read_fraction", "transfer_bytes", "queue_depth", "busy_fraction")
WIDE = 0.3  # share of a range from which its cause is named


def protocol_record(answer: ProtocolAnswer) -> dict[str, Any]:
    """Return the numbers of every measured phase, in base units, with their ranges."""
    return {
        "drive": answer.drive.name,
        "protocol": answer.protocol.name,
        "judged_by": answer.protocol.judged_text,
        "judged_bytes_per_s": _range_record(answer.judged_bytes_per_s),
        "total_s": answer.total_s,
        "phases": {each.phase.name: _phase_record(each) for each in answer.phases},
        "courses": {
            each.phase.name: {
                name: values.tolist() for name, values in each.course._asdict().items()
            }
            for each in answer.phases
        },
    }


def course_rows(answers: Sequence[ProtocolAnswer]) -> list[dict[str, object]]:
    """Return a row for each interval of the courses, in base units, with both its ends."""
    return [
        {
            "drive": answer.drive.name, "phase": each.phase.name, "from_s": course.seconds[at],
            "to_s": course.seconds[at + 1], "from_bytes": course.moved_bytes[at],
            "to_bytes": course.moved_bytes[at + 1], "bytes_per_s": rate,
            "low_bytes_per_s": course.low_bytes_per_s[at],
            "high_bytes_per_s": course.high_bytes_per_s[at],
        }
        for answer in answers
        for each in answer.phases
        for course in (each.course,)
        for at, rate in enumerate(course.bytes_per_s)
    ]  # fmt: skip


def _phase_record(each: PhaseAnswer) -> dict[str, Any]:
    return {key: _range_record(of) for key, of in each.ranges.items()}


def _range_record(of: Range) -> dict[str, Any]:
    return {"low": of.low, "typical": of.typical, "high": of.high, "shares": dict(of.shares)}


def protocols_record(
    answers: Sequence[ProtocolAnswer], runs: Sequence[MeasuredProtocol] = ()
) -> dict[str, Any]:
    """Return the numbers of several drives, their order, and a measured run."""
    record: dict[str, Any] = {
        "drives": list(map(protocol_record, answers)), "ranking": ranking_record(answers)
    }  # fmt: skip
    if runs:
        record["measured"] = [_measured_record(each) for run in runs for each in run.phases]
    return record


def _measured_record(each: MeasuredPhase) -> dict[str, Any]:
    return {
        "phase": each.name, "bytes_per_s": each.bytes_per_s, "iops": each.iops,
        "latency_s": each.latency_s, "p99_s": each.p99_s,
        "measured_over_predicted": each.ratio, "is_inside_range": each.is_inside,
    }  # fmt: skip


def measured_rows(answer: ProtocolAnswer, run: MeasuredProtocol) -> list[dict[str, str]]:
    """Return a row for each measured phase beside its prediction."""
    names = short_names(answer)
    return [
        {
            "Phase": names[each.name],
            "Measured": text("phase_bytes_per_s", each.bytes_per_s, digits=3),
            "Predicted": with_range("phase_bytes_per_s", each.answer.bytes_per_s),
            "Ratio": f"{each.ratio:.3g}",
            "Range": "holds it" if each.is_inside else "does not hold it",
        }
        for each in run.phases
    ]


def ranking_record(answers: Sequence[ProtocolAnswer]) -> list[dict[str, Any]]:
    """Return the order of the drives, with the probability that each beats the next."""
    return [
        {"place": each.place, "drive": each.answer.drive.name, "above_next": each.above_next}
        for each in ranking(answers)
    ]


def phase_rows(answer: ProtocolAnswer) -> list[dict[str, str]]:
    """Return a row for each measured phase: its name, and its numbers in words."""
    names = short_names(answer)
    rows = [dict(zip(HEADS, (names[each.phase.name], *_cells(each)), strict=True))
            for each in answer.phases]  # fmt: skip
    shown = [head for head in HEADS if any(row[head] for row in rows)]
    return [{head: row[head] for head in shown} for row in rows]


def short_names(answer: ProtocolAnswer) -> dict[str, str]:
    """Return short names of the phases: those of a person are cut, and numbered."""
    names = [each.phase.name for each in answer.phases]
    return {
        name: name if len(name) <= LONGEST_NAME else f"{at} {name[: LONGEST_NAME - 6]} ..."
        for at, name in enumerate(names, 1)
    }


def phase_numbers(answer: ProtocolAnswer) -> list[dict[str, str]]:
    """Return a row for every number of every measured phase."""
    return [
        {"Phase": each.phase.name, "Number": QUANTITIES[key].label, "Value": with_range(key, found)}
        for each in answer.phases
        for key, found in each.ranges.items()
    ]


def scatter_rows(answer: ProtocolAnswer) -> list[dict[str, str]]:
    """Return the scatter of each phase of random writes, where drives are judged by such a one."""
    if SCATTER[0] not in answer.judged[-1].ranges:
        return []
    names = short_names(answer)
    return [
        {"Phase": names[each.phase.name]}
        | {QUANTITIES[key].label: with_range(key, each.ranges.get(key)) for key in SCATTER}
        for each in answer.phases
        if SCATTER[0] in each.ranges
    ]


def _cells(each: PhaseAnswer) -> tuple[str, ...]:
    is_small = each.phase.transfer_bytes <= SMALL_BYTES and not each.phase.trace
    rate = "phase_iops" if is_small else "phase_bytes_per_s"
    return (
        with_range(rate, each.ranges.get(rate)),
        _lowest(each, is_small=is_small),
        with_range("phase_latency_s", each.ranges.get("phase_latency_s")),
        with_range("phase_p99_latency_s", each.ranges.get("phase_p99_latency_s")),
        _time(each),
    )


def _lowest(each: PhaseAnswer, *, is_small: bool) -> str:
    """Return the lowest rate of a course, where it is below the mean."""
    key = "phase_lowest_iops" if is_small else "phase_lowest_bytes_per_s"
    found = each.ranges["phase_lowest_bytes_per_s"]
    is_even = found.typical > LEVEL * each.bytes_per_s.typical
    return "" if is_even else with_range(key, each.ranges[key])


def _time(each: PhaseAnswer) -> str:
    found = each.ranges.get("phase_s")
    return time_text(found.typical) if found else ""


def time_text(seconds: float) -> str:
    """Write a time in the largest unit of which there are at least three.

    >>> time_text(93), time_text(1_400), time_text(86_400), time_text(4e7)
    ('93 s', '23.3 min', '24 h', '463 days')
    """
    for unit, size_s in (("days", 86_400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 3 * size_s:
            return f"{seconds / size_s:.3g} {unit}"
    return f"{seconds:.3g} s"


def with_range(key: str, found: Range | None) -> str:
    """Return a number with its range in brackets; nothing where it is unknown."""
    if found is None:
        return ""
    return f"{text(key, found.typical, digits=3)}{found.ends(key, digits=2)}"


def order_sentence(answers: Sequence[ProtocolAnswer]) -> str:
    """Write the order of the drives: > where it is decided, ~ at a tie."""
    places = ranking(answers)
    return "".join(_joined(each, is_last=each is places[-1]) for each in places)


def _joined(each: RankPlace, *, is_last: bool) -> str:
    if is_last:
        return each.answer.drive.name
    mark = ">" if each.is_decided else "~"
    return f"{each.answer.drive.name} {mark} "


def protocol_list() -> list[tuple[str, str]]:
    """Return the published protocols: name and title."""
    return [(each.name, each.title) for each in protocols().values()]


def stated_record() -> dict[str, Any]:
    """Return the published protocols: what each phase does, in base units.

    >>> phase = stated_record()["four-corners"]["phases"]["random-read"]
    >>> phase["queue_depth"], phase["span_bytes"], phase["lasts_s"]
    (3.0, 8000000000.0, 180.0)
    """
    return {
        each.name: {
            "title": each.title, "judged_by": each.judged_text, "source_id": each.source_id,
            "locator": each.locator, "note": each.note,
            "phases": {phase.name: _stated_phase(phase) for phase in each.phases},
        }
        for each in protocols().values()
    }  # fmt: skip


def _stated_phase(phase: Phase) -> dict[str, Any]:
    """Return the numbers of a phase, without those that have no end or do not apply."""
    beside, numbers = phase.beside, {"lasts_s": phase.lasts_s, "burst_bytes": phase.burst_bytes}
    if phase.action in MOVES:
        numbers |= {name: getattr(phase, name) for name in _OF_MOVES}
    for name, part in (("span", phase.span), ("moved", phase.moves)):
        if part is not None and phase.action not in {*WITHOUT_DATA, Action.REPLAY} - {Action.TRIM}:
            is_share = math.isnan(part.size_bytes)
            numbers[f"{name}_fraction"] = part.fraction if is_share else math.nan
            numbers[f"{name}_bytes"] = part.size_bytes
    if beside is not None:
        numbers |= {"other_burst_bytes": beside.burst_bytes, "cycle_s": beside.cycle_s}
    words = {"action": phase.action.value, "is_measured": phase.is_measured}
    if phase.trace:
        words["trace"] = phase.trace
    return words | {key: value for key, value in numbers.items() if math.isfinite(value)}


def notes(answers: Sequence[ProtocolAnswer]) -> list[str]:
    """Return notes on the answers: parts too large, rated life, what widens ranges, evidence."""
    found = [_widest(answer) for answer in answers]
    rated = [_rated(answer, each) for answer in answers for each in answer.phases]
    larger = [_larger(answer, phase) for answer in answers for phase in answer.protocol.phases]
    return [*filter(None, (*larger, *rated, *found)), FITTED_TO_NONE]


def _larger(answer: ProtocolAnswer, phase: Phase) -> str:
    """Say that a phase is to cover more than what is tested of a drive."""
    wanted, usable = phase.span.size_bytes, answer.usable_bytes
    if not wanted > usable:  # nor where the part is a share
        return ""
    own, size = size_text(usable), size_text(wanted)
    covered = f"{phase.name!r} covers the {own} under test, not {size}."
    return f"{answer.drive.name}: {covered}"


def _rated(answer: ProtocolAnswer, each: PhaseAnswer) -> str:
    """Write the time in which a phase uses up the rating of a drive, and its flash writes."""
    if each.phase.moves is None or not each.phase.moves.is_rating:
        return ""
    written, wa = each.ranges["phase_written_bytes"].typical, each.ranges["phase_wa"]
    lasts = each.ranges["phase_s"]
    return (
        f"{answer.drive.name}: {each.phase.name} writes its {text('rated_bytes', written)} in "
        f"{time_text(lasts.typical)} ({time_text(lasts.low)} to {time_text(lasts.high)}), write "
        f"amplification {with_range('phase_wa', wa)}."
    )


def _widest(answer: ProtocolAnswer) -> str:
    shares = answer.judged_bytes_per_s.shares
    shares = {name: share for name, share in shares.items() if name != "model"}
    if not shares or max(shares.values()) < WIDE:
        return ""
    name, share = max(shares.items(), key=lambda item: item[1])
    label = QUANTITIES[name].label
    return f"{answer.drive.name}: {label} makes {share:.0%} of the range."

"""Between what a drive's speed lies over what is assumed of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from planner.catalogue.drive import Drive
from planner.catalogue.priors import WORSE_BY_MORE, Assumption, accepted_assumptions, at_ends
from planner.graph.answer import Answer, walk
from planner.sections.calibration import at_curve_ends, curve_ranges
from planner.sections.plan import PlanReading, Range
from planner.sections.speed import Speed, by_percentile, speed_of

SPARE_AREA = "raw_bytes"


class SpeedRanges(NamedTuple):
    """Ranges of the answers by key, and of latencies by percentile."""

    answers: Mapping[str, Range]
    reads: Mapping[float, Range]
    closed_reads: Mapping[float, Range]
    writes: Mapping[float, Range]
    commits: Mapping[float, Range]


def speed_ranges_of(plan: PlanReading, typical: Speed, *, with_readers: bool = True) -> SpeedRanges:
    """Read between what this speed of a plan lies over what is assumed of the drive.

    Ends are those of a drive with all that is assumed slow, with all of it fast, and with the
    spare area at its other end: more of it puts the cliff off, where slow rates do so too. Readers
    at the queue depth take most of the time that this takes: they may be left out.
    """
    cases = [typical, *_ends_of(plan, typical, lambda is_extreme: is_extreme and with_readers)]
    left, accepted = (
        _left_by_fit(typical),
        {item.quantity for item in accepted_assumptions(typical.drive)},
    )
    return SpeedRanges(
        answers={
            answer.key: Range(*ends, _basis(answer, accepted, ends if not left else ()))
            for answer in typical.every
            if answer.is_known and not np.ndim(answer.value)
            for ends in (_ends(_values(cases, answer.key), answer.value),)
        },
        reads=_by_percentile([case.read_quantiles_s for case in cases], accepted),
        closed_reads=_by_percentile([case.closed_read_quantiles_s for case in cases], accepted),
        writes=_by_percentile([case.write_quantiles_s for case in cases], accepted),
        commits=_by_percentile([case.commit_quantiles_s for case in cases], accepted),
    )


def speed_cases_of(plan: PlanReading, *, with_readers: bool = True) -> list[Speed]:
    """Read the speed of one drive of the plan, and those at the ends of what is assumed."""
    typical = speed_of(plan, with_readers=with_readers)
    return [typical, *_ends_of(plan, typical, lambda _: with_readers)]


def _ends_of(plan: PlanReading, typical: Speed, is_read: Callable[[bool], bool]) -> Iterator[Speed]:
    """Yield the speeds at the ends of what is assumed; of all slow or all fast `is_read(True)`."""
    drive, left = typical.drive, _left_by_fit(typical)
    assumed = {item.quantity for item in (*accepted_assumptions(drive), *left)}
    if not assumed & walk(typical.every).keys():
        return
    ends: list[Drive] = []
    for is_fast, has_spare in ((False, False), (True, True), (False, True), (True, False)):
        end = _at(drive, left, is_fast, has_spare)
        if end not in ends:  # the spare area may be known
            ends.append(end)
            yield speed_of(plan, end, with_readers=is_read(is_fast == has_spare))


def assumed_behind(speed: Speed) -> tuple[Assumption, ...]:
    """Return the assumed ranges behind the answers of a speed."""
    keys = walk(speed.every)
    return tuple(
        item
        for item in (*accepted_assumptions(speed.drive), *_left_by_fit(speed))
        if item.quantity in keys and item.is_range
    )


def _left_by_fit(speed: Speed) -> tuple[Assumption, ...]:
    """Return the ranges that points measured on the drive leave for its curve."""
    if speed.drive.fit is None or not speed.op_ratio.is_known:
        return ()
    return curve_ranges(speed.drive.fit, speed.op_ratio.value)


def _at(drive: Drive, left: Iterable[Assumption], is_fast: bool, has_spare: bool) -> Drive:
    def is_high(quantity: str) -> bool:
        if quantity == SPARE_AREA:
            return has_spare
        return is_fast != (quantity in WORSE_BY_MORE)

    return at_curve_ends(at_ends(drive, is_high=is_high), left, is_high=is_high)


def _values(cases: Iterable[Speed], key: str) -> list[float]:
    answers = (answer for case in cases for answer in case.every)
    return [answer.value for answer in answers if answer.key == key and answer.is_known]


def _ends(values: Sequence[float], typical: float) -> tuple[float, float, float]:
    return min(values), typical, max(values)


def _basis(answer: Answer, accepted: set[str], ends: Sequence[float] = ()) -> str:
    """Say on what an answer rests: also where another limit binds at an end of what is assumed."""
    if accepted & walk([answer]).keys() or len(set(ends)) > 1:
        return "prior"
    return "fact" if answer.is_given else "derived"


def _by_percentile(cases: Sequence[Answer], accepted: set[str]) -> dict[float, Range]:
    """Return the range of each percentile; none where the typical ones are unknown."""
    typical = cases[0]
    known = [by_percentile(case) for case in cases if case.is_known]
    basis = _basis(typical, accepted)
    return {
        percent: Range(*_ends([case[percent] for case in known], seconds), basis)
        for percent, seconds in by_percentile(typical).items()
    }

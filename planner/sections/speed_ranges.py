"""Ranges of a drive's speed over its uncertain facts."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from models import latency_tail
from planner.catalogue.priors import Assumption, accepted_assumptions
from planner.graph.answer import Answer
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range, UncertainReading
from planner.sections.read_error import read_error
from planner.sections.read_tail import BELOW, CLOSED_READS, READS, UNLIKELY
from planner.sections.speed import Speed, SpeedReading, by_percentile, member_workload, nodes_of
from planner.sections.speed_case import QUANTILES, TEST_DEPTH
from planner.sections.uncertain import left_by_fit, uncertain_inputs

# Arguments of the range of saturated reads.
_OF_LIMIT = {
    "queue_depth": TEST_DEPTH.key, "limit_iops": "write_limit_iops", "limit_sd": "limit_sd",
}  # fmt: skip
_WRITES, _COMMITS = "write_quantiles_s", "commit_quantiles_s"


class SpeedRanges(NamedTuple):
    """Ranges of the answers by key, and of latencies by percentile."""

    answers: Mapping[str, Range]
    reads: Mapping[float, Range]
    closed_reads: Mapping[float, Range]
    writes: Mapping[float, Range]
    commits: Mapping[float, Range]

    @property
    def percentiles(self) -> dict[str, tuple[str, Range]]:
        """Quantity and range of each percentile by its name in scripts, such as `p99_9_read`."""
        sides = {"read": (READS, self.reads), "reader": (CLOSED_READS, self.closed_reads),
                 "write": (_WRITES, self.writes), "commit": (_COMMITS, self.commits)}  # fmt: skip
        return {
            f"p{percent:.7g}_{side}".replace(".", "_"): (key, each)
            for side, (key, course) in sides.items()
            for percent, each in course.items()
        }


def speed_ranges_of(plan: PlanReading, typical: Speed, *, with_readers: bool = True) -> SpeedRanges:
    """Read between what this speed of a plan lies.

    Readers at the queue depth take most of the time that this takes: they may be left out.
    """
    of = SpeedReading(typical.drive, typical.reading, typical.case)
    uncertain = uncertain_speed(plan, of)
    nodes = nodes_of(typical)
    by_key = {
        READS: typical.read_quantiles_s, CLOSED_READS: typical.closed_read_quantiles_s,
        _WRITES: typical.write_quantiles_s, _COMMITS: typical.commit_quantiles_s,
    }  # fmt: skip
    if not with_readers:
        by_key.pop(CLOSED_READS)
    reads, closed, writes, commits = (
        _by_percentile(uncertain, by_key[key]) if key in by_key else {}
        for key in (READS, CLOSED_READS, _WRITES, _COMMITS)
    )
    return SpeedRanges(
        {
            answer.key: uncertain.range(answer.key, answer.value, [nodes[answer.key]])
            for answer in typical.every
            if answer.is_known and not np.ndim(answer.value)
        },
        reads, closed, writes, commits,
    )  # fmt: skip


def uncertain_speed(plan: PlanReading, of: SpeedReading) -> UncertainReading:
    """Return the reading of a speed with what is uncertain at its ends, one at a time."""
    items = uncertain_inputs(of.drive, member_workload(plan), of.case.structure, of.reading)
    return UncertainReading(of.reading, (*items, read_error(of.drive, of.case)))


def assumed_behind(speed: Speed) -> tuple[Assumption, ...]:
    """Return the assumed ranges behind the answers of a speed."""
    items = (*accepted_assumptions(speed.drive), *left_by_fit(speed.drive, speed.op_ratio))
    behind = UncertainReading(speed.reading, items).behind(*speed.every)
    return tuple(item for item in behind if item.is_range)


def _by_percentile(uncertain: UncertainReading, quantiles: Answer) -> dict[float, Range]:
    """Return the range of each percentile; none where the typical ones are unknown."""
    if not quantiles.is_known:
        return {}
    reading = uncertain.reading
    is_read = quantiles.key in BELOW
    if is_read and reading["saturation_probability"].value >= UNLIKELY:
        ranges = _through_limit(uncertain, quantiles)
    else:
        node = reading.graph.answers[quantiles.key]
        ranges = uncertain.ranges(quantiles.key, quantiles.value, node)
    return dict(zip(by_percentile(quantiles), _rising(ranges), strict=True))


def _rising(ranges: Sequence[Range]) -> list[Range]:
    """Raise percentiles and their ends to those of lower ones, below which they cannot lie."""
    typical = [each.typical for each in ranges]
    raised = zip(*(np.maximum.accumulate(ends) for ends in (*_ends(ranges), typical)), strict=True)
    return [each._replace(low=float(low), high=float(high), typical=float(middle))
            for each, (low, high, middle) in zip(ranges, raised, strict=True)]  # fmt: skip


def _ends(ranges: Sequence[Range]) -> tuple[list[float], list[float]]:
    return [each.low for each in ranges], [each.high for each in ranges]


def _through_limit(uncertain: UncertainReading, quantiles: Answer) -> list[Range]:
    """Return ranges of reads of a drive that may be saturated: from one state to the other."""
    reading, key = uncertain.reading, BELOW[quantiles.key]
    below = uncertain.ranges(key, reading[key].value, reading.graph.answers[key])
    _, high = _ends(below)  # with its error already
    saturated = latency_tail.saturated_read_range_s(
        QUANTILES, unsaturated_s=np.array(high), read_band_ratio=1.0,  # type: ignore[arg-type]  # by percentile
        **{name: reading[leaf].value for name, leaf in _OF_LIMIT.items()},
    )  # fmt: skip
    typical = np.atleast_1d(quantiles.value)
    ends = zip(below, typical, np.atleast_1d(saturated.high), strict=True)
    return [_up_to(each, float(value), float(end)) for each, value, end in ends]


def _up_to(below: Range, typical: float, high: float) -> Range:
    """Return a range with a further high end: what is more in it is the error of the model."""
    half = math.log(high / below.low) / 2 if math.isfinite(high) else below.model_half
    facts = sum(swing**2 for swing in below.facts.values())
    model_half = math.sqrt(max(half**2 - facts, 0.0))
    return below._replace(typical=typical, high=high, model_half=model_half)

"""Between what a drive's speed lies over what is uncertain of it."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from planner.catalogue.priors import Assumption, accepted_assumptions
from planner.graph.answer import Answer
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range, UncertainReading
from planner.sections.speed import Speed, by_percentile, member_workload, nodes_of
from planner.sections.uncertain import left_by_fit, uncertain_inputs

_READS, _CLOSED = "read_quantiles_s", "closed_read_quantiles_s"
_WRITES, _COMMITS = "write_quantiles_s", "commit_quantiles_s"


class SpeedRanges(NamedTuple):
    """Ranges of the answers by key, and of latencies by percentile."""

    answers: Mapping[str, Range]
    reads: Mapping[float, Range]
    closed_reads: Mapping[float, Range]
    writes: Mapping[float, Range]
    commits: Mapping[float, Range]


def speed_ranges_of(plan: PlanReading, typical: Speed, *, with_readers: bool = True) -> SpeedRanges:
    """Read between what this speed of a plan lies.

    Readers at the queue depth take most of the time that this takes: they may be left out.
    """
    uncertain = uncertain_speed(plan, typical)
    nodes = nodes_of(typical)
    by_key = {
        _READS: typical.read_quantiles_s, _CLOSED: typical.closed_read_quantiles_s,
        _WRITES: typical.write_quantiles_s, _COMMITS: typical.commit_quantiles_s,
    }  # fmt: skip
    if not with_readers:
        by_key.pop(_CLOSED)
    reads, closed, writes, commits = (
        _by_percentile(uncertain, by_key[key]) if key in by_key else {}
        for key in (_READS, _CLOSED, _WRITES, _COMMITS)
    )
    return SpeedRanges(
        {
            answer.key: uncertain.range(answer.key, answer.value, [nodes[answer.key]])
            for answer in typical.every
            if answer.is_known and not np.ndim(answer.value)
        },
        reads, closed, writes, commits,
    )  # fmt: skip


def uncertain_speed(plan: PlanReading, speed: Speed) -> UncertainReading:
    """Return the reading of a speed with what is uncertain at its ends, one at a time."""
    structure = speed.case.structure
    items = uncertain_inputs(speed.drive, member_workload(plan), structure, speed.reading)
    return UncertainReading(speed.reading, items)


def assumed_behind(speed: Speed) -> tuple[Assumption, ...]:
    """Return the assumed ranges behind the answers of a speed."""
    items = (*accepted_assumptions(speed.drive), *left_by_fit(speed.drive, speed.op_ratio))
    behind = UncertainReading(speed.reading, items).behind(*speed.every)
    return tuple(item for item in behind if item.is_range)


def _by_percentile(uncertain: UncertainReading, quantiles: Answer) -> dict[float, Range]:
    """Return the range of each percentile; none where the typical ones are unknown."""
    if not quantiles.is_known:
        return {}
    node = uncertain.reading.graph.answers[quantiles.key]
    ranges = uncertain.ranges(quantiles.key, quantiles.value, node)
    return dict(zip(by_percentile(quantiles), ranges, strict=True))

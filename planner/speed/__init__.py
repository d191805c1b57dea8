"""How fast over time: fresh, at the cliff, in steady state, in the worst second, by percentile.

The test is the one that reviews run for hours: random writes of 4 KiB to a drive that was
filled in sequence, at the workload's queue depth, over the capacity in use.
"""

from planner.speed.answer import SHORT_TEST_S, Limit, Speed
from planner.speed.course import SpeedCurve, speed_curve
from planner.speed.question import NO_GEOMETRY, TESTED_DEPTH, read_tail, speed
from planner.speed.ranges import SpeedRanges, assumed_behind, speed_cases, speed_ranges
from planner.speed.reads import QUANTILES

__all__ = [
    "NO_GEOMETRY",
    "QUANTILES",
    "SHORT_TEST_S",
    "TESTED_DEPTH",
    "Limit",
    "Speed",
    "SpeedCurve",
    "SpeedRanges",
    "assumed_behind",
    "read_tail",
    "speed",
    "speed_cases",
    "speed_curve",
    "speed_ranges",
]

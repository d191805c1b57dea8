"""Formulas of speed against simulators: IOPS, the course of a test, latencies, caches, TRIM."""

from validation.speed.case import Curve, Finding, Row, Task, half_width
from validation.speed.grid import MEANS, TOPICS, compare_speed, speed_tasks

__all__ = [
    "MEANS",
    "TOPICS",
    "Curve",
    "Finding",
    "Row",
    "Task",
    "compare_speed",
    "half_width",
    "speed_tasks",
]

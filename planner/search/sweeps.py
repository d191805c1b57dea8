"""Curves around a plan: results over an input, and over the placement of data."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models import _check, spare_area
from planner.graph.nodes import Leaf
from planner.graph.read import read
from planner.sections.life import LIFE_OF, Limit
from planner.sections.plan import PlanReading
from planner.sections.structure import structure_of
from planner.sections.write_amplification import apart_wa, wa_band, workload_wa

Points = NDArray[np.float64]
_OP_RATIO = Leaf("effective_op_ratio")


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeCurve:
    """Seconds of life by each known limit, over host writes in bytes per second."""

    host_bytes_per_s: Points
    seconds_by_limit: dict[Limit, Points]


def wa_curve(plan: PlanReading, spare_fractions: Points) -> Points:
    """Return the write amplification of the workload over the share of spare flash."""
    node = workload_wa(_OP_RATIO, structure_of(plan.workload, plan.firmware, plan.drive))
    ratios = spare_area.op_ratio_from_spare_fraction(_check.plain(spare_fractions))
    (wa,) = read([node], plan.reading.values | {_OP_RATIO.key: ratios})
    return np.asarray(wa)


def life_range_s(plan: PlanReading) -> tuple[float, float] | None:
    """Return the shortest and longest life by endurance; None where that makes no difference."""
    life = plan.reading["endurance_life_s"]
    if not life.is_known or np.ndim(life.value):
        return None
    each = plan.range_over(life.key, life.value, [plan.reading.graph.answers["endurance_life_s"]])
    return (each.low, each.high) if each.is_wide else None


def life_curve(plan: PlanReading, host_bytes_per_s: Points) -> LifeCurve:
    """Return the life of the plan's drives over the writes of its workload."""
    lives = plan.reading.swept(*LIFE_OF.values(), host_bytes_per_s=host_bytes_per_s)
    return LifeCurve(
        host_bytes_per_s=host_bytes_per_s,
        seconds_by_limit={
            limit: np.broadcast_to(life, host_bytes_per_s.shape)
            for limit, life in zip(LIFE_OF, lives, strict=True)
            if not np.all(np.isnan(life))
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Write amplification over spare area where placement is unknown.

    Between a single write frontier and separate ones for host and GC writes; `apart` has a frontier
    for every temperature (streams, FDP).
    """

    op_ratio: Points
    low: Points
    typical: Points
    high: Points
    apart: Points


def band(plan: PlanReading, op_ratio: Points) -> Band:
    """Return the band of write amplification of the workload over spare area."""
    ratios = np.asarray(op_ratio, float)
    structure = structure_of(plan.workload, plan.firmware, plan.drive)
    nodes = [*wa_band(structure, _OP_RATIO).values(), apart_wa(structure, _OP_RATIO)]
    values = read(nodes, plan.reading.values | {_OP_RATIO.key: ratios})
    low, typical, high, apart = (np.broadcast_to(wa, ratios.shape) for wa in values)
    return Band(op_ratio=ratios, low=low, typical=typical, high=high, apart=apart)


def required_op_ratio(wa: float, values: Points, op_ratio: Points) -> float | None:
    """Return the spare area at which a falling curve reaches `wa`; None outside the curve.

    >>> required_op_ratio(2.0, np.array([4.0, 3.0, 1.0]), np.array([0.1, 0.2, 0.4]))
    0.3
    """
    if not values[-1] <= wa <= values[0]:
        return None
    return round(float(np.interp(-wa, -values, op_ratio)), 12)

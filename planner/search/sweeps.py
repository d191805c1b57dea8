"""Curves around a plan: what a slider would do if it were moved, and what placement could make."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models import _check, spare_area
from planner.catalogue.drive import Drive
from planner.catalogue.priors import corners
from planner.graph.nodes import Leaf
from planner.graph.number import ROUND_OFF
from planner.graph.read import read
from planner.sections.life import LIFE_OF, Limit
from planner.sections.plan import Plan
from planner.sections.structure import structure_of
from planner.sections.write_amplification import apart_wa, wa_band, workload_wa
from planner.speed import Speed, SpeedRanges, speed, speed_cases, speed_ranges

Points = NDArray[np.float64]
_OP_RATIO = Leaf("effective_op_ratio")


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeCurve:
    """Seconds of life by each known limit, over host writes in bytes per second."""

    host_bytes_per_s: Points
    seconds_by_limit: dict[Limit, Points]


def speed_of(answer: Plan, *, with_readers: bool = True) -> Speed:
    """Return the speed over time of one drive of the plan, beside its share of the writes."""
    return _speed_of(answer, answer.drive, with_readers=with_readers)


def speed_ranges_of(answer: Plan, typical: Speed, *, with_readers: bool = True) -> SpeedRanges:
    """Return between what this speed lies over what is assumed of the drive.

    Readers at the queue depth take most of the time that this takes: they may be left out.
    """
    return speed_ranges(
        typical,
        lambda drive, is_read: _speed_of(answer, drive, with_readers=is_read and with_readers),
    )


def speed_cases_of(answer: Plan, *, with_readers: bool = True) -> list[Speed]:
    """Return the speed of one drive of the plan, and those at the ends of what is assumed."""
    typical = _speed_of(answer, answer.drive, with_readers=with_readers)
    return speed_cases(
        typical, lambda drive, _: _speed_of(answer, drive, with_readers=with_readers)
    )


def _speed_of(answer: Plan, drive: Drive, *, with_readers: bool) -> Speed:
    writes = answer.reading["member_bytes_per_s"].value
    return speed(
        drive,
        replace(answer.workload, host_bytes_per_s=writes),
        partition_fraction=answer.partition_fraction,
        firmware=answer.firmware,
        with_readers=with_readers,
    )


def wa_curve(answer: Plan, spare_fractions: Points) -> Points:
    """Return the write amplification of the workload over the share of spare flash."""
    node = workload_wa(_OP_RATIO, structure_of(answer.workload, answer.firmware, answer.drive))
    ratios = spare_area.op_ratio_from_spare_fraction(_check.plain(spare_fractions))
    (wa,) = read([node], answer.reading.values | {_OP_RATIO.key: ratios})
    return np.asarray(wa)


def life_range_s(answer: Plan) -> tuple[float, float] | None:
    """Return the shortest and longest life by endurance over what is assumed.

    None where that makes no difference.
    """
    facts = corners(answer.assumed)
    if not facts:
        return None
    lives = np.fmin(*answer.reading.swept("wear_life_s", "rated_life_s", **facts))
    low, high = float(np.min(lives)), float(np.max(lives))
    return None if math.isclose(low, high, rel_tol=ROUND_OFF) else (low, high)


def life_curve(answer: Plan, host_bytes_per_s: Points) -> LifeCurve:
    """Return the life of the plan's drives over the writes of its workload."""
    lives = answer.reading.swept(*LIFE_OF.values(), host_bytes_per_s=host_bytes_per_s)
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

    Between one log and host writes and copies apart; `apart` keeps every temperature in a log of
    its own (streams, FDP).
    """

    op_ratio: Points
    low: Points
    typical: Points
    high: Points
    apart: Points


def band(answer: Plan, op_ratio: Points) -> Band:
    """Return the band of write amplification of the workload over spare area."""
    ratios = np.asarray(op_ratio, float)
    structure = structure_of(answer.workload, answer.firmware, answer.drive)
    nodes = [*wa_band(structure, _OP_RATIO).values(), apart_wa(structure, _OP_RATIO)]
    values = read(nodes, answer.reading.values | {_OP_RATIO.key: ratios})
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

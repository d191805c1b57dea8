"""Curves around a plan: what a slider would do if it were moved."""

import math
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from models import _check, spare_area
from planner.catalogue.drive import Drive, with_user_facts
from planner.catalogue.priors import assumptions, without_assumptions
from planner.graph.answer import figure, given
from planner.sections.array import member_bytes_per_s
from planner.sections.life import Limit
from planner.sections.plan import Plan, plan
from planner.sections.write_amplification import workload_wa
from planner.speed import Speed, speed

__all__ = ["LifeCurve", "life_curve", "life_range_s", "speed_of", "wa_curve"]

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeCurve:
    """Seconds of life by each known limit, over host writes in bytes per second."""

    host_bytes_per_s: Points
    seconds_by_limit: dict[Limit, Points]


def speed_of(answer: Plan) -> Speed:
    """Return the speed over time of one drive of the plan, beside its share of the writes."""
    share = member_bytes_per_s(answer.workload, answer.array)
    writes = answer.workload.host_bytes_per_s if not share.is_known else share.value
    return speed(
        answer.drive,
        replace(answer.workload, host_bytes_per_s=writes),
        partition_fraction=answer.partition_fraction,
        firmware=answer.firmware,
    )


def wa_curve(answer: Plan, spare_fractions: Points) -> Points:
    """Return the write amplification of the workload over the share of spare flash."""
    ratios = figure(
        "effective_op_ratio",
        spare_area.op_ratio_from_spare_fraction,
        spare_fraction=given("spare_fraction", spare_fractions, source="sweep"),
    )
    node = workload_wa(answer.drive, answer.workload, ratios, answer.firmware)
    return np.asarray(np.nan if not node.is_known else node.value)


def life_range_s(answer: Plan) -> tuple[float, float] | None:
    """Return the shortest and longest life by endurance over the accepted assumptions.

    None where the plan accepted none. Every corner of the ranges is planned, because a
    quantity may act in both directions: more raw flash wears less and lowers the rating's
    own write amplification.
    """
    plain = without_assumptions(answer.drive)
    accepted = [name for name in answer.drive.facts if name not in plain.facts]
    if not accepted:
        return None
    ranges = {item.quantity: (item.low, item.high) for item in assumptions(plain)}
    corners = product(*(ranges[name] for name in accepted))
    lives = [_life_s(answer, plain, dict(zip(accepted, corner, strict=True))) for corner in corners]
    return min(lives), max(lives)


def _life_s(answer: Plan, drive: Drive, facts: dict[str, float]) -> float:
    life = plan(
        with_user_facts(drive, **facts),
        answer.workload,
        array=answer.array,
        partition_fraction=answer.partition_fraction,
        rating_wa=answer.rating_wa,
        firmware=answer.firmware,
    ).lifetime
    return math.nan if life.endurance_limit is None else life.known[life.endurance_limit].value


def life_curve(answer: Plan, host_bytes_per_s: Points) -> LifeCurve:
    """Return the life of the plan's drives over the writes of its workload."""
    swept = plan(
        answer.drive,
        replace(answer.workload, host_bytes_per_s=_check.plain(host_bytes_per_s)),
        array=answer.array,
        partition_fraction=answer.partition_fraction,
        rating_wa=answer.rating_wa,
        firmware=answer.firmware,
    )
    lives = {
        limit: np.broadcast_to(np.asarray(life.value), host_bytes_per_s.shape)
        for limit, life in swept.lifetime.life_by_limit.items()
        if life.is_known
    }
    return LifeCurve(host_bytes_per_s=host_bytes_per_s, seconds_by_limit=lives)

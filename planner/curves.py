"""Curves around a plan: what a slider would do if it were moved."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models import _check, spare_area
from planner.amplification import random_wa
from planner.assumptions import with_assumptions, without_assumptions
from planner.drive import Drive
from planner.figures import Missing, figure, given
from planner.lifetime import Limit
from planner.plan import Plan, plan

__all__ = ["LifeCurve", "life_curve", "life_range_s", "wa_curve"]

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeCurve:
    """Seconds of life by each known limit, over host writes in bytes per second."""

    host_bytes_per_s: Points
    seconds_by_limit: dict[Limit, Points]


def wa_curve(answer: Plan, spare_fractions: Points) -> Points:
    """Return the write amplification of random writes over the share of spare flash."""
    ratios = figure(
        "effective_op_ratio",
        spare_area.op_ratio_from_spare_fraction,
        spare_fraction=given("spare_fraction", spare_fractions, source="sweep"),
    )
    node = random_wa("random_wa", answer.drive, ratios)
    return np.asarray(np.nan if isinstance(node, Missing) else node.value)


def life_range_s(answer: Plan) -> tuple[float, float] | None:
    """Return the life by endurance at both ends of the assumptions that the plan accepted.

    None where it accepted none. Every assumed quantity lengthens life, so that the low ends
    together give the shortest.
    """
    if not any(fact.kind == "assumption" for fact in answer.drive.facts.values()):
        return None
    low, high = (
        _again(answer, with_assumptions(without_assumptions(answer.drive), level=level))
        for level in ("low", "high")
    )
    return low, high


def _again(answer: Plan, drive: Drive) -> float:
    life = plan(
        drive,
        answer.workload,
        array=answer.array,
        partition_fraction=answer.partition_fraction,
        rating_wa=answer.rating_wa,
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
    )
    lives = {
        limit: np.broadcast_to(np.asarray(life.value), host_bytes_per_s.shape)
        for limit, life in swept.lifetime.life_by_limit.items()
        if not isinstance(life, Missing)
    }
    return LifeCurve(host_bytes_per_s=host_bytes_per_s, seconds_by_limit=lives)

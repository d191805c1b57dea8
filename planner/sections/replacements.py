"""Replacement of worn-out drives over time."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from models import _check, failures, growth
from models.units import YEAR_S
from planner.graph.answer import Answer, given, unknown
from planner.graph.nodes import Call, Graph, Leaf
from planner.sections.data_loss import DataLoss
from planner.sections.life import growth_inputs
from planner.sections.plan import PlanReading, plan_graph
from planner.sections.structure import Structure

Points = NDArray[np.float64]

HORIZON_S = 10 * YEAR_S
MOST_DATES = 100
ONE_AFTER_THE_OTHER = "Cumulative write limit of drives that replace each other."


def replacement_dates(plan: PlanReading, *, horizon_s: float = HORIZON_S) -> Answer:
    """Return the times at which drives that replace each other wear out, at least the first.

    A drive is replaced by one of its model when it reaches its write limit, the smaller of flash
    wear and rating. There is one time per generation, and at most `MOST_DATES`.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> busy = Workload(host_bytes_per_s=3e7, growth_per_year=0.3)
    >>> dates = replacement_dates(plan_drive(find(load(), "845DC PRO 400"), busy))
    >>> [f"{date / YEAR_S:.1f}" for date in dates.value]
    ['4.2', '6.2', '7.5', '8.4', '9.2', '9.8']
    """
    limit = plan.reading["new_limit_bytes"]
    if not limit.is_known:
        return unknown("replacement_times_s", limit.lacking)
    graph = _dates_graph(plan.structure)
    horizon = {"horizon_s": given("horizon_s", horizon_s, source="user")}
    written = plan.reading.extended(graph, horizon)["horizon_bytes"]
    most = (MOST_DATES + 1) * limit.value  # growth without end writes without end
    lives = np.arange(1, np.clip(np.minimum(written.value, most) // limit.value, 1, MOST_DATES) + 1)
    limits = given(
        "generations_limit_bytes", lives * limit.value, source="plan", note=ONE_AFTER_THE_OTHER
    )
    leaves = {**horizon, "generations_limit_bytes": limits}
    return plan.reading.extended(graph, leaves)["replacement_times_s"]


@cache
def _dates_graph(structure: Structure) -> Graph:
    of = plan_graph(structure).answers
    rate = {"host_bytes_per_s": of["member_bytes_per_s"], **growth_inputs(structure)}
    return Graph({
        **of,
        "horizon_bytes": Call(
            "horizon_bytes", growth.written_bytes, {"time_s": Leaf("horizon_s"), **rate}
        ),
        "replacement_times_s": Call(
            "replacement_times_s", growth.growing_lifetime_s,
            {"limit_bytes": Leaf("generations_limit_bytes"), **rate},
        ),
    })  # fmt: skip


def replacement_course(lost: DataLoss, ends_s: Points) -> Points | None:
    """Return the expected number of replacements until each time; None if unknown.

    All drives are new at the start; the value at the horizon is `mean_replacements`.
    """
    node = lost["mean_replacements"]
    if not node.is_computed:
        return None
    fleet = node.arguments
    counts = (
        failures.replacements_over(
            float(end_s), members=fleet["members"], quantile=fleet["quantile"],
            life=fleet["life"]._replace(mean_s=mean_s),
        )
        for end_s, mean_s in zip(ends_s, _mean_lives_s(lost, ends_s), strict=True)
    )  # fmt: skip
    return np.array([count.mean for count in counts])


def _mean_lives_s(lost: DataLoss, ends_s: Points) -> list[float]:
    """Return the mean life of the drives within each time."""
    life = lost["wear_out_life_s"]
    if not life.is_computed:
        return [np.inf] * len(ends_s)
    written = lost.nodes["horizon_bytes"].arguments
    means = growth.mean_life_s(
        _check.plain(ends_s),
        limit_bytes=life.arguments["limit_bytes"],
        written_bytes=growth.written_bytes(**{**written, "time_s": ends_s}),
    )
    return [float(mean_s) for mean_s in np.asarray(means)]

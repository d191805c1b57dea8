"""How much may be written a day, if the drives are to last?"""

import math
from collections.abc import Collection
from dataclasses import replace

from planner.graph.answer import unknown
from planner.search.size.answer import (
    ENDURANCE,
    HORIZON_S,
    Margin,
    Sizing,
    lacking,
    lives,
    searched,
    target,
)
from planner.search.size.roots import edge_by_ratio, reach
from planner.sections.life import LIFE_OF, Limit
from planner.sections.plan import PlanReading

SPEED = "speed at the mix"
STEP = 1 / 4


def most_writes(
    plan: PlanReading, horizon_s: float = HORIZON_S, *, limits: Collection[Limit] = ENDURANCE
) -> Sizing:
    """Return the highest rate of host writes today under which the drives last `horizon_s`.

    Writes are those of the applications to the whole array, and grow as the plan's workload
    does. The speed of the array at the mix of the workload is a limit too, where it is known.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> plan = plan_drive(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e6))
    >>> most = most_writes(plan)
    >>> print(f"{most.value * 86400 / 1e12:.2f} TB a day, by {most.limit}")
    4.00 TB a day, by rated TBW
    """
    needed = target(horizon_s=horizon_s)
    known = lives(plan, limits)
    if not known:
        facts = lacking(plan[LIFE_OF[limit]] for limit in limits)
        return Sizing(answer=unknown(key="host_bytes_per_s", lacking=facts), plan=plan)
    rates = {limit: _most(plan, limit, needed) for limit in known} | _fastest(plan)
    limit = min(rates, key=rates.__getitem__)
    at_answer = _at(plan, rates[limit])
    return Sizing(
        answer=searched("host_bytes_per_s", rates[limit]),
        limit=limit,
        by_limit={name: searched("host_bytes_per_s", rate) for name, rate in rates.items()},
        margins=tuple(
            Margin(limit=name, key="horizon_s", needed=needed, available=life)
            for name, life in lives(at_answer, limits).items()
        ),
        plan=at_answer,
    )


def _at(plan: PlanReading, host_bytes_per_s: float) -> PlanReading:
    return plan.again(workload=replace(plan.workload, host_bytes_per_s=host_bytes_per_s))


def _most(plan: PlanReading, limit: str, horizon_s: float) -> float:
    """Return the highest rate that one limit allows; unlimited where it is never met."""

    def excess(rate: float) -> float:
        life = lives(plan, tuple(Limit), host_bytes_per_s=rate)[limit]
        return Margin(limit=limit, key="horizon_s", needed=horizon_s, available=life).excess

    start = float(plan.workload.host_bytes_per_s)
    fits = reach(excess, start, factor=STEP)
    fails = reach(lambda rate: -excess(rate), start, factor=1 / STEP)
    if fits is None:
        return 0.0
    return math.inf if fails is None else edge_by_ratio(excess, fits=fits, fails=fails)


def _fastest(plan: PlanReading) -> dict[str, float]:
    """Return the host writes that the array has time for beside its reads."""
    budget, load = plan["budget_iops"], plan.workload
    share = 1 - float(load.read_fraction)
    if not budget.is_known or share == 0:
        return {}
    return {SPEED: float(budget.value) * share * float(load.transfer_bytes)}

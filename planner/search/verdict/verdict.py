"""The verdict on a plan."""

from models.units import YEAR_S
from planner.scenario.risk import Risk
from planner.search.verdict.answer import Verdict
from planner.search.verdict.changes import extra_price, mirror, next_change
from planner.search.verdict.sentences import cost, lasts, safe, worst
from planner.sections.data_loss import data_loss
from planner.sections.plan import PlanReading


def verdict(plan: PlanReading, horizon_s: float = 5 * YEAR_S) -> Verdict:
    """Say in words whether a plan holds for some time, 5 years unless given.

    >>> from planner.sections.request import plan_of
    >>> print(verdict(plan_of("980 PRO 1TB", writes="800 GB/day")).lasts.text)
    No. The rated 600 TB are written after 2.05 years; the warranty ends after 5 years. \
Flash worn in 2.1 to 6.6 years (modelled: the pattern of the writes and its program/erase \
cycles are not known), its most worn blocks from 1.7 years on.
    """
    risk = Risk(horizon_s=horizon_s)
    life = lasts(plan, horizon_s)
    loss = data_loss(plan, risk)
    mirrored, tried = None, {}
    if plan.array.members == 1 and loss["array_loss_probability"].is_known:
        array, left = mirror(plan, risk)
        tried[array] = left
        if left["array_loss_probability"].is_known:
            mirrored = left, extra_price(plan, array)
    safety = safe(plan, loss, mirrored)
    return Verdict(
        lasts=life,
        worst=worst(plan),
        safe=safety,
        cost=cost(plan),
        change=next_change(plan, loss, life, safety, tried),
    )

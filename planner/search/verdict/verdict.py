"""The verdict on a plan."""

from dataclasses import replace
from typing import TYPE_CHECKING

from models.units import YEAR_S
from planner.scenario.risk import Risk
from planner.search.verdict.answer import Verdict
from planner.search.verdict.changes import next_change
from planner.search.verdict.lasts import lasts
from planner.search.verdict.safe import safe
from planner.search.verdict.sentences import cost, worst
from planner.sections.data_loss import data_loss
from planner.sections.plan import PlanReading

if TYPE_CHECKING:
    from planner.application import Application


def verdict(
    plan: PlanReading, horizon_s: float = 5 * YEAR_S, risk: Risk | None = None, *,
    application: "Application | None" = None,
) -> Verdict:  # fmt: skip
    """Judge a plan over some time, 5 years unless given.

    `risk` holds the stated failure rates; `horizon_s` replaces its horizon. The commits of an
    `application` stand for the longest write.

    >>> from planner.sections.request import plan_of
    >>> print(verdict(plan_of("870 EVO 1TB", writes="30 GB/day")).safe.text)
    No. A single drive has no copy: data loss within 5 years about 1 in 35. Keep a backup. \
No power-loss protection: a power cut can lose acknowledged writes not yet flushed.
    """
    risk = replace(risk or Risk(), horizon_s=horizon_s)
    life, wait = lasts(plan, horizon_s), worst(plan, application)
    loss = data_loss(plan, risk)
    safety = safe(plan, loss)
    return Verdict(
        lasts=life,
        worst=wait,
        safe=safety,
        cost=cost(plan),
        change=next_change(plan, loss, life, wait, safety),
    )

"""Drives of an array to be replaced, year by year, in closed form."""

from dataclasses import dataclass

import numpy as np

from models import cost, endurance, failures
from planner.graph.answer import Answer, figure, given
from planner.ownership.horizon import Years
from planner.ownership.purchase import Purchase
from planner.ownership.terms import Terms
from planner.reliability.data_loss import NO_WEAR
from planner.reliability.failure_assumptions import SPREAD_GROUND, Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacements:
    """Drives to replace: for one slot and for the array, cumulative by year, and in each year.

    `life_cv` is the spread of life used, which is smaller under precautionary replacement.
    """

    lives: Answer
    expected_failures: Answer
    slot: Answer
    cumulative: Answer
    yearly: Answer
    total: Answer
    yearly_bought: Answer
    bought: Answer
    life_cv: Answer


def replacements_of(bought: Purchase, terms: Terms, risk: Risk, years: Years) -> Replacements:
    """Return the drives to replace because of failures and wear."""
    spread = given("life_cv", risk.life_cv, source="assumption", note=SPREAD_GROUND)
    lives = _lives(bought, risk, years.written_bytes, spread)
    failed = figure(
        "yearly_failures",
        failures.expected_failures,
        failures_per_s=bought.failures_per_s,
        time_s=years.end_s,
    )
    in_force = _spread(risk, spread)
    slot = figure(
        "slot_replacements", failures.closed_form_replacements,
        lives=lives, expected_failures=failed, life_cv=in_force,
    )  # fmt: skip
    fleet = figure(
        "cumulative_replacements", cost.fleet_replacements,
        slot_replacements=slot,
        members=bought.working_members,
    )  # fmt: skip
    more = figure(
        "cumulative_bought_drives",
        cost.bought_drives,
        mean_replacements=fleet,
        spare_drives=given("spare_drives", terms.spare_drives, source="user"),
    )
    yearly, yearly_bought = (
        figure(key, cost.by_year, cumulative=node)
        for key, node in (("yearly_replacements", fleet), ("yearly_bought_drives", more))
    )
    return Replacements(
        lives=lives,
        expected_failures=failed,
        slot=slot,
        cumulative=fleet,
        yearly=yearly,
        total=figure("horizon_replacements", cost.all_years, yearly=yearly),
        yearly_bought=yearly_bought,
        bought=figure("bought_drives", cost.all_years, yearly=yearly_bought),
        life_cv=in_force,
    )


def _lives(bought: Purchase, risk: Risk, written: Answer, spread: Answer) -> Answer:
    """Return the drive lives that a slot has used by the end of each year."""
    limit = bought.host_limit_bytes
    if not limit.is_known:
        none = np.zeros(np.shape(written.value)) if written.is_known else 0.0
        return given("yearly_lives", none, source="assumption", note=NO_WEAR)
    if risk.replaced_fraction is not None:
        limit = figure(
            "early_limit_bytes", failures.early_limit_bytes, limit_bytes=limit,
            early_life_ratio=figure(
                "early_life_ratio", failures.early_mean_life,
                replaced_fraction=_replaced_at(risk), life_cv=spread,
            ),
        )  # fmt: skip
    return figure("yearly_lives", endurance.used_fraction, host_bytes=written, limit_bytes=limit)


def _replaced_at(risk: Risk) -> Answer:
    return given("replaced_fraction", risk.replaced_fraction, source="user")


def _spread(risk: Risk, spread: Answer) -> Answer:
    """Return the spread of life, which is smaller under precautionary replacement."""
    if risk.replaced_fraction is None:
        return spread
    return figure(
        "early_life_cv",
        failures.early_life_cv,
        replaced_fraction=_replaced_at(risk),
        life_cv=spread,
    )

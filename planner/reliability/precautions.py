"""What keeps drives from failing together: scrubbing, early replacement, ages apart, spares."""

import math

import numpy as np

from models import failures
from models.units import DAY_S, YEAR_S
from planner.catalogue.priors_failures import SPREAD_GROUND
from planner.graph.answer import Answer, Argument, Record, figure, given, unknown
from planner.scenario.risk import Risk
from planner.sections.plan import Plan

NO_WEAK = "No drives are taken to fail early beside the constant rate."
FLEET_FAILURES, FLEET_S = 25.0, 934_441 * DAY_S
FLEET_GROUND = "25 failures in 934,441 drive-days of SSDs (Backblaze, 2022)."
SCRUB_S = 30 * DAY_S
LEAD_S = 30 * DAY_S
TARGET = 1e-3
TARGET_GROUND = "At most 1 in 1,000 arrays loses data as its drives wear out, over one generation."
SURE = 0.95
# Of drives with an unreadable sector in four years: 20 to 63 %, by model.
UNREADABLE_SHARE, UNREADABLE_S = 0.35, 4 * YEAR_S
UNREADABLE_GROUND = (
    "20 to 63 % of the drives of a fleet met an unreadable sector within four years (Schroeder et "
    "al., FAST 2016): 35 % is taken."
)
OLD = 0.9  # of the mean life, by when a drive is replaced at the latest
HALF_OLD = 0.5


def precautions(
    answer: Plan, risk: Risk, life: Answer, group: dict[str, Answer]
) -> tuple[Answer, ...]:
    """Return what scrubbing finds, when to replace drives or how far apart to buy them, and spares.

    `life` is the mean life until a drive is worn out, `group` its redundancy group.
    """
    return (
        _alive(risk, life, group),
        *_worn_by_law(risk, life),
        *_as_a_fleet(answer, risk),
        *_unreadable(answer, risk),
        *_apart(answer, life, group, risk),
        *_spares(answer, risk, life, group),
    )


def _alive(risk: Risk, life: Answer, group: dict[str, Answer]) -> Answer:
    """Return the share of the drives bought first that still works at the end of the horizon."""
    spread = given("life_cv", risk.life_cv, source="assumption", note=SPREAD_GROUND)
    horizon = given("horizon_s", risk.horizon_s, source="user")
    none = given("worn_out_fraction", 0.0, source="definition")
    worn = none
    if life.is_known and np.isfinite(life.value):
        worn = figure(
            "worn_out_fraction", failures.replaced_failed_fraction, age_s=horizon,
            failed_fraction=Record(failures.WearOutLaw, {"mean_s": life, "life_cv": spread}),
            replaced_s=given("replaced_s", np.inf, source="definition"),
        )  # fmt: skip
    return figure(
        "surviving_fraction", failures.surviving_fraction, NO_WEAK, age_s=horizon,
        weak_fraction=given("weak_fraction", 0.0, source="assumption", note=NO_WEAK),
        weak_scale_s=given("weak_scale_s", YEAR_S, source="assumption", note=NO_WEAK),
        weak_shape=given("weak_shape", 1.0, source="assumption", note=NO_WEAK),
        failures_per_s=group["failures_per_s"], worn_out_fraction=worn,
    )  # fmt: skip


def _worn_by_law(risk: Risk, life: Answer) -> tuple[Answer, ...]:
    """Return drives worn out within the horizon by laws with another lower tail."""
    laws = {
        "weibull_worn_fraction": failures.WeibullWearOutLaw,
        "lognormal_worn_fraction": failures.LognormalWearOutLaw,
    }
    if not life.is_known or np.isinf(life.value):
        return tuple(map(unknown, laws))
    spread = given("life_cv", risk.life_cv, source="assumption", note=SPREAD_GROUND)
    return tuple(
        figure(
            key,
            failures.replaced_failed_fraction,
            age_s=given("horizon_s", risk.horizon_s, source="user"),
            failed_fraction=Record(law, {"mean_s": life, "life_cv": spread}),
            replaced_s=given("replaced_s", np.inf, source="definition"),
        )
        for key, law in laws.items()
    )


def _as_a_fleet(answer: Plan, risk: Risk) -> tuple[Answer, ...]:
    """Return failures of the drives at the rate of a fleet, with what few failures leave open."""
    counted = {
        "failures": given("failures", FLEET_FAILURES, source="assumption", note=FLEET_GROUND),
        "drive_s": given("drive_s", FLEET_S, source="assumption", note=FLEET_GROUND),
    }
    late = given("replacements_level", SURE, source="definition")
    exposed = given("exposed_s", answer.array.working * risk.horizon_s, source="array")
    mean = figure("fleet_failures_per_s", failures.mean_failures_per_s, FLEET_GROUND, **counted)
    upper = figure(
        "upper_failures_per_s", failures.failures_per_s_quantile, FLEET_GROUND,
        quantile=late, **counted,
    )  # fmt: skip
    return (
        figure("fleet_failures", failures.expected_failures, failures_per_s=mean, time_s=exposed),
        figure("fleet_failures_sd", failures.predicted_failures_sd, exposed_s=exposed, **counted),
        figure(
            "fleet_failures_quantile", failures.predicted_failures_quantile,
            quantile=late, **counted, exposed_s=exposed,
        ),
        figure("upper_afr_fraction", failures.afr_fraction, failures_per_s=upper),
    )  # fmt: skip


def _unreadable(answer: Plan, risk: Risk) -> tuple[Answer, Answer]:
    """Return whether the drives hold an unreadable sector unseen, scrubbed monthly and never."""
    per_s = -math.log1p(-UNREADABLE_SHARE) / UNREADABLE_S
    drives = {
        "unreadable_per_s": given(
            "unreadable_per_s", per_s, source="assumption", note=UNREADABLE_GROUND
        ),
        "members": answer.reading["working_members"],
    }
    return (
        figure(
            "scrubbed_latent_probability", failures.scrubbed_latent_probability, UNREADABLE_GROUND,
            scrub_s=given("scrub_s", SCRUB_S, source="definition"), **drives,
        ),
        figure(
            "latent_probability", failures.latent_probability, UNREADABLE_GROUND,
            exposed_s=given("exposed_s", risk.horizon_s, source="user"), **drives,
        ),
    )  # fmt: skip


def _apart(answer: Plan, life: Answer, group: dict[str, Answer], risk: Risk) -> tuple[Answer, ...]:
    """Return the age of replacement and the time between purchases that keep wear-out harmless."""
    keys = ("safe_replacement_age_s", "safe_stagger_s", "half_old_loss_probability")
    if not answer.array.tolerated_failures or not life.is_known or np.isinf(life.value):
        return tuple(map(unknown, keys))
    spread = given("life_cv", risk.life_cv, source="assumption", note=SPREAD_GROUND)
    of_group: dict[str, Argument] = {
        "failed_fraction": Record(failures.WearOutLaw, {"mean_s": life, "life_cv": spread}),
        "group": Record(failures.Group, group),
    }
    target = {"target_probability": given("target_probability", TARGET, source="definition")}
    members = answer.array.group_members
    ages = np.where(np.arange(members) % 2, HALF_OLD * life.value, 0.0)
    age, stagger, half_old = keys
    return (
        figure(age, failures.replacement_age_s, TARGET_GROUND, **target, **of_group),
        figure(stagger, failures.stagger_s, TARGET_GROUND, **target, **of_group),
        figure(
            half_old, failures.staggered_loss_probability, **of_group,
            ages_s=given("ages_s", ages, source="definition"),
        ),
    )  # fmt: skip


def _spares(answer: Plan, risk: Risk, life: Answer, group: dict[str, Answer]) -> tuple[Answer, ...]:
    """Return the drives that fail while a spare is on its way, when all are as old as they get."""
    endless = given("mean_s", np.inf, source="definition")
    mean_s = life if life.is_known else endless
    spread = given("life_cv", risk.life_cv, source="assumption", note=SPREAD_GROUND)
    drive = {"failures_per_s": group["failures_per_s"], "mean_s": mean_s, "life_cv": spread}
    oldest = min(risk.horizon_s, OLD * mean_s.value)
    ages = given("ages_s", np.full(answer.array.working, oldest), source="definition")
    law: dict[str, Argument] = {
        "failed_fraction": Record(failures.DriveLife, drive),
        "ages_s": ages,
    }
    lead = given("lead_s", LEAD_S, source="definition")
    return (
        figure("lead_replacements", failures.mean_replacements, horizon_s=lead, **law),
        figure("lead_replacements_sd", failures.replacements_sd, horizon_s=lead, **law),
        figure(
            "stocked_spares", failures.replacements_quantile,
            quantile=given("replacements_level", SURE, source="definition"), horizon_s=lead, **law,
        ),
    )  # fmt: skip

"""Precautions against joint failures: scrubbing, early replacement, ages apart, spares."""

import math
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from models import failures, queueing
from models.units import DAY_S, YEAR_S
from planner.graph.answer import Answer, given
from planner.graph.nodes import (
    Argument,
    Call,
    Const,
    Fields,
    FirstKnown,
    Graph,
    Leaf,
    Node,
    When,
    none,
)
from planner.scenario.risk import Risk
from planner.sections.loss import HORIZON, LIFE_CV, LossCase, loss_graph, wear_life
from planner.sections.plan import PlanReading
from planner.sections.redundancy import group_nodes
from planner.sections.speed_case import ANY
from planner.sections.structure import Structure

NO_WEAK = "Assumed: no early failures beside the constant rate."
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
    "20 to 63 % of the drives of a fleet met an unreadable sector within four years (Schroeder "
    "et al., FAST 2016). Assumed: 35 %."
)
OLD = 0.9  # of the mean life, by when a drive is replaced at the latest
HALF_OLD = 0.5

_LEVEL = Const("replacements_level", SURE)


@cache
def precaution_graph(structure: Structure, case: LossCase) -> Graph:
    """Build the answers about data loss, and about what would keep drives from failing together."""
    of, life = loss_graph(structure, case).answers, wear_life(structure)
    # Of drives that wear out at all: one over a life without end is 0.
    rate = Call("failures_per_s:by wear", queueing.iops,
                {"queue_depth": Const("one", 1.0), "latency_s": life})  # fmt: skip
    group = group_nodes(case.array)

    def where_worn(node: Node) -> When:
        return When(rate, node, least=ANY)

    nodes: dict[str, Node] = {
        "surviving_fraction": _alive(life, group["failures_per_s"], where_worn),
        **{
            key: where_worn(_worn_by(key, law, life))
            for key, law in (
                ("weibull_worn_fraction", failures.WeibullWearOutLaw),
                ("lognormal_worn_fraction", failures.LognormalWearOutLaw),
            )
        },
        **_as_a_fleet(),
        **_unreadable(of["working_members"]),
    }
    apart = _apart(life, group)
    if not case.array.is_redundant:
        apart = {key: none(key) for key in apart}
    nodes |= {key: where_worn(node) for key, node in apart.items()}
    return Graph({**of, **nodes, **_spares(life, group)})


def precaution_leaves(plan: PlanReading, risk: Risk, life: Answer) -> dict[str, Answer]:
    """List the ages of the drives, which follow from their mean `life`, and their time in use."""
    mean_s = life.value if life.is_known else np.inf
    halves = np.arange(plan.array.group_members) % 2
    ages = np.where(halves, HALF_OLD * mean_s, 0.0) if np.isfinite(mean_s) else 0.0 * halves
    oldest = min(risk.horizon_s, OLD * mean_s)
    exposed = plan.array.working * risk.horizon_s
    return {
        "exposed_s": given("exposed_s", exposed, source="array"),
        "ages_s:half old": given("ages_s", ages, source="definition"),
        "ages_s:oldest": given("ages_s", np.full(plan.array.working, oldest), source="definition"),
    }


def _alive(life: Node, failures_per_s: Node, where_worn: Callable[[Node], When]) -> Node:
    """Build the share of the drives bought first that still works at the end of the horizon."""
    worn = FirstKnown(
        "worn_out_fraction:any",
        (
            where_worn(_worn_by("worn_out_fraction", failures.WearOutLaw, life)),
            Const("worn_out_fraction:none", 0.0),
        ),
    )
    weak = {"weak_fraction": 0.0, "weak_scale_s": YEAR_S, "weak_shape": 1.0}
    return Call(
        "surviving_fraction",
        failures.surviving_fraction,
        {
            "age_s": HORIZON,
            **{key: Const(key, value, "assumption", NO_WEAK) for key, value in weak.items()},
            "failures_per_s": failures_per_s, "worn_out_fraction": worn,
        },
        NO_WEAK,
    )  # fmt: skip


def _worn_by(key: str, law: type, life: Node) -> Node:
    """Build the drives worn out within the horizon by a law of lives."""
    return Call(
        key,
        failures.replaced_failed_fraction,
        {
            "age_s": HORIZON, "failed_fraction": Fields(law, {"mean_s": life, "life_cv": LIFE_CV}),
            "replaced_s": Const("replaced_s", np.inf),
        },
    )  # fmt: skip


def _as_a_fleet() -> dict[str, Node]:
    """Build failures of the drives at the rate of a fleet, with what few failures leave open."""
    counted: dict[str, Argument] = {
        "failures": Const("failures", FLEET_FAILURES, "assumption", FLEET_GROUND),
        "drive_s": Const("drive_s", FLEET_S, "assumption", FLEET_GROUND),
    }
    exposed = Leaf("exposed_s")
    mean = Call("fleet_failures_per_s", failures.mean_failures_per_s, counted, FLEET_GROUND)
    upper = Call(
        "upper_failures_per_s", failures.failures_per_s_quantile,
        {"quantile": _LEVEL, **counted}, FLEET_GROUND,
    )  # fmt: skip
    return {
        "fleet_failures": Call(
            "fleet_failures", failures.expected_failures,
            {"failures_per_s": mean, "time_s": exposed},
        ),
        "fleet_failures_sd": Call(
            "fleet_failures_sd", failures.predicted_failures_sd,
            {"exposed_s": exposed, **counted},
        ),
        "fleet_failures_quantile": Call(
            "fleet_failures_quantile", failures.predicted_failures_quantile,
            {"quantile": _LEVEL, **counted, "exposed_s": exposed},
        ),
        "upper_afr_fraction": Call(
            "upper_afr_fraction", failures.afr_fraction, {"failures_per_s": upper}
        ),
    }  # fmt: skip


def _unreadable(members: Node) -> dict[str, Node]:
    """Build whether the drives hold an unreadable sector unseen, scrubbed monthly and never."""
    per_s = -math.log1p(-UNREADABLE_SHARE) / UNREADABLE_S
    drives: dict[str, Argument] = {
        "unreadable_per_s": Const("unreadable_per_s", per_s, "assumption", UNREADABLE_GROUND),
        "members": members,
    }
    return {
        "scrubbed_latent_probability": Call(
            "scrubbed_latent_probability", failures.scrubbed_latent_probability,
            {"scrub_s": Const("scrub_s", SCRUB_S), **drives}, UNREADABLE_GROUND,
        ),
        "latent_probability": Call(
            "latent_probability", failures.latent_probability,
            {"exposed_s": HORIZON, **drives}, UNREADABLE_GROUND,
        ),
    }  # fmt: skip


def _apart(life: Node, group: Mapping[str, Node]) -> dict[str, Node]:
    """Build the age of replacement and the time between purchases that keep wear-out harmless."""
    of_group: dict[str, Argument] = {
        "failed_fraction": Fields(failures.WearOutLaw, {"mean_s": life, "life_cv": LIFE_CV}),
        "group": Fields(failures.Group, group),
    }
    target: dict[str, Argument] = {"target_probability": Const("target_probability", TARGET)}
    return {
        "safe_replacement_age_s": Call(
            "safe_replacement_age_s", failures.replacement_age_s, {**target, **of_group},
            TARGET_GROUND,
        ),
        "safe_stagger_s": Call(
            "safe_stagger_s", failures.stagger_s, {**target, **of_group}, TARGET_GROUND
        ),
        "half_old_loss_probability": Call(
            "half_old_loss_probability", failures.staggered_loss_probability,
            {**of_group, "ages_s": Leaf("ages_s:half old")},
        ),
    }  # fmt: skip


def _spares(life: Node, group: Mapping[str, Node]) -> dict[str, Node]:
    """Build the drives that fail while a spare is on its way, when all are as old as they get."""
    mean = FirstKnown("mean_s:or endless", (life, Const("mean_s:endless", np.inf)))
    drive: dict[str, Node] = {
        "failures_per_s": group["failures_per_s"],
        "mean_s": mean, "life_cv": LIFE_CV,
    }  # fmt: skip
    law: dict[str, Argument] = {
        "failed_fraction": Fields(failures.DriveLife, drive), "ages_s": Leaf("ages_s:oldest"),
        "horizon_s": Const("lead_s", LEAD_S),
    }  # fmt: skip
    return {
        "lead_replacements": Call("lead_replacements", failures.mean_replacements, law),
        "lead_replacements_sd": Call("lead_replacements_sd", failures.replacements_sd, law),
        "stocked_spares": Call(
            "stocked_spares", failures.replacements_quantile, {"quantile": _LEVEL, **law}
        ),
    }

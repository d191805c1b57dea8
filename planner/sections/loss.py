"""Loss of data by failures, unreadable sectors and wear-out, and drives to replace: as nodes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from models import failures, growth
from planner.catalogue.priors_failures import KNOWN_WEAR, NO_WEAR
from planner.graph.nodes import (
    Argument,
    Call,
    Const,
    Fields,
    FirstKnown,
    Graph,
    Leaf,
    Node,
    Part,
    When,
)
from planner.sections.array_case import ArrayCase
from planner.sections.life import growth_inputs
from planner.sections.plan import plan_graph
from planner.sections.redundancy import FAILURE_RATE, group_nodes
from planner.sections.structure import Structure

NO_ANSWER = (
    "The mean time to data loss is that of independent failures: firmware, power, fire and people "
    "lose data long before, so that probabilities are printed down to 1 in 1,000,000 and no "
    "further. Compare by the probability within the horizon."
)
LATE = 0.95  # quantile of the number of replacements: one array in twenty needs more
HORIZON, LIFE_CV = Leaf("horizon_s"), Leaf("life_cv")
_LEAST_LIFE = Leaf("wear_out_life_s:least")
_GROUPS = Leaf("groups")


@dataclass(frozen=True, slots=True)
class LossCase:
    """Properties that pick the formulas of data loss: the array, and its precautions."""

    array: ArrayCase
    is_replaced_early: bool
    is_staggered: bool


@cache
def loss_graph(structure: Structure, case: LossCase) -> Graph:
    """Build every answer of a plan and of the loss of data of its array."""
    of = plan_graph(structure).answers
    return Graph({**of, **loss_nodes(of, structure, case)})


@cache
def _written(structure: Structure) -> Node:
    return Call(
        "horizon_bytes",
        growth.written_bytes,
        {
            "time_s": HORIZON,
            "host_bytes_per_s": plan_graph(structure).answers["member_bytes_per_s"],
            **growth_inputs(structure),
        },
    )


@cache
def wear_life(structure: Structure) -> Node:
    """Build the mean time to wear-out of the drives within the horizon."""
    limit = plan_graph(structure).answers["new_limit_bytes"]
    return Call(
        "wear_out_life_s",
        growth.mean_life_s,
        {"horizon_s": HORIZON, "limit_bytes": limit, "written_bytes": _written(structure)},
        KNOWN_WEAR,
    )


def loss_nodes(of: Mapping[str, Node], structure: Structure, case: LossCase) -> dict[str, Node]:
    """Build the answers about the loss of data, from the answers of a plan."""
    group, life = group_nodes(case.array), wear_life(structure)
    within: dict[str, Argument] = {"horizon_s": HORIZON, **group}
    parts = Call("failed_loss_probability:parts", failures.loss_probability_parts, within)
    failed = Part("failed_loss_probability", parts, "failed")
    unreadable = Part("unreadable_loss_probability", parts, "unreadable")
    worn = _worn_out(life, group, case)
    one = Call(
        "group_loss_probability",
        failures.total_loss_probability,
        {
            "failed_loss_probability": failed, "unreadable_loss_probability": unreadable,
            "wear_out_loss_probability": worn,
        },
    )  # fmt: skip

    def of_any(key: str, part: Node) -> Node:
        inputs: dict[str, Argument] = {"loss_probability": part, "groups": _GROUPS}
        return Call(key, failures.any_loss_probability, inputs)

    return {
        "horizon_bytes": _written(structure),
        "wear_out_life_s": life,
        "afr_fraction": FAILURE_RATE,
        **{name: group[name] for name in ("failures_per_s", "rebuild_s", "unreadable_probability")},
        "array_loss_probability": of_any("array_loss_probability", one),
        "array_failed_loss_probability": of_any("array_failed_loss_probability", failed),
        "array_unreadable_loss_probability": of_any(
            "array_unreadable_loss_probability", unreadable
        ),
        "array_wear_out_loss_probability": of_any("array_wear_out_loss_probability", worn),
        "expected_lost_bytes": _lost_bytes(of, failed, unreadable, worn),
        **_replacements(of, life, group, case),
        "mttdl_s": Call("mttdl_s", failures.mttdl_s, group, NO_ANSWER),
        "unworn_loss_probability": Call(
            "unworn_loss_probability", failures.loss_probability, within
        ),
    }  # fmt: skip


def _worn_out(life: Node, group: Mapping[str, Node], case: LossCase) -> Node:
    """Build the loss with wear-out involved: none without endurance, unknown beyond 100 lives."""
    inputs: dict[str, Argument] = {
        "horizon_s": HORIZON, "mean_s": life, **_spread_and_age(case),
        **({"stagger_s": Leaf("stagger_s")} if case.is_staggered else {}),
        "group": Fields(failures.Group, group),
    }  # fmt: skip
    worn = Call(
        "wear_out_loss_probability", failures.generations_loss_probability, inputs,
        each=case.is_staggered,
    )  # fmt: skip
    known = FirstKnown("mean_s:if known", (life, Const("mean_s:unknown", 0.0)))
    none = Const("wear_out_loss_probability:none", 0.0, "assumption", NO_WEAR)
    return FirstKnown(
        "wear_out_loss_probability:any",
        (When(life, worn, least=_LEAST_LIFE), When(known, none, (0.0,))),
    )


def _spread_and_age(case: LossCase) -> dict[str, Argument]:
    """Build the spread of lives, and the age of precautionary replacement if there is one."""
    age: dict[str, Argument] = {"replaced_fraction": Leaf("replaced_fraction")}
    return {"life_cv": LIFE_CV, **(age if case.is_replaced_early else {})}


def _lost_bytes(of: Mapping[str, Node], failed: Node, unreadable: Node, worn: Node) -> Node:
    """Build the bytes expected to be lost: whole groups, and sectors unreadable in rebuilds."""
    whole = Call(
        "whole_group_loss_probability",
        failures.total_loss_probability,
        {
            "failed_loss_probability": failed,
            "unreadable_loss_probability": Const("no_loss", 0.0),
            "wear_out_loss_probability": worn,
        },
    )
    return Call(
        "expected_lost_bytes",
        failures.expected_lost_bytes,
        {
            "failed_loss_probability": whole, "unreadable_loss_probability": unreadable,
            "usable_bytes": of["usable_bytes"], "unreadable_bytes": Leaf("unreadable_bytes"),
        },
    )  # fmt: skip


def _replacements(
    of: Mapping[str, Node], life: Node, group: Mapping[str, Node], case: LossCase
) -> dict[str, Node]:
    """Build drives to replace within the horizon: mean, standard deviation, 95 % quantile."""
    mean = FirstKnown("mean_s:any", (life, Const("mean_s", np.inf, "assumption", NO_WEAR)))
    fields = {"failures_per_s": group["failures_per_s"], "mean_s": mean, **_spread_and_age(case)}
    counted = Call(
        "mean_replacements:counted",
        failures.replacements_over,
        {
            "horizon_s": HORIZON, "members": of["working_members"],
            "quantile": Const("replacements_level", LATE),
            "life": Fields(failures.DriveLife, fields),  # type: ignore[arg-type]
        },
        each=True,
    )  # fmt: skip
    keys = {"mean": "mean_replacements", "sd": "replacements_sd",
            "quantile": "replacements_quantile"}  # fmt: skip
    return {
        key: When(mean, Part(key, counted, part), least=_LEAST_LIFE) for part, key in keys.items()
    }

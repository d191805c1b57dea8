"""Failures of a drive, and what a rebuild of its redundancy group takes: as nodes."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from models import failures, rebuild, spare_area
from planner.catalogue.priors_failures import (
    AFR,
    AFR_GROUND,
    RATE_GROUND,
    REBUILD_GROUND,
    REBUILD_SHARE,
    WRITE_RATE,
)
from planner.graph.answer import Answer, given
from planner.graph.nodes import Call, Const, FirstKnown, Leaf, Node
from planner.scenario.array import Array
from planner.scenario.risk import Risk
from planner.sections.array_case import ArrayCase

NOTHING_TO_REBUILD = "Without redundancy the first failure loses data; nothing is rebuilt."

FAILURE_RATE = FirstKnown(
    "afr_fraction:any",
    (
        Leaf("afr_fraction", overrides=True),
        Call("afr_fraction:mtbf", failures.afr_from_mtbf, {"mtbf_s": Leaf("mtbf_s")}),
        Const("afr_fraction:assumed", AFR, "assumption", AFR_GROUND),
    ),
)
FAILURES_PER_S = Call("failures_per_s", failures.failures_per_s, {"afr_fraction": FAILURE_RATE})
_UBER = FirstKnown(
    "uber:any", (Leaf("uber:stated", overrides=True), Leaf("uber"), Leaf("uber:assumed"))
)
_GROUP, _READ = Leaf("group_members"), Leaf("data_members:read")
REBUILT_BYTES = Call(
    "rebuilt_bytes",
    spare_area.partition_bytes,
    {"user_bytes": Leaf("user_bytes"), "partition_fraction": Leaf("held_fraction")},
)
_FAST = Const("fast_bytes_per_s", np.inf)
_READ_RATE = FirstKnown("member_read_bytes_per_s:any", (Leaf("sequential_read_bytes_per_s"), _FAST))
_WRITE_RATE = FirstKnown(
    "member_write_bytes_per_s:any",
    (
        Leaf("folded_write_bytes_per_s"),
        Leaf("sequential_write_bytes_per_s"),
        Const("assumed_write_bytes_per_s", WRITE_RATE, "assumption", RATE_GROUND),
    ),
)
# What of a drive bears on failures and rebuilds.
FACTS = (
    "user_bytes", "mtbf_s", "uber", "uber:assumed", "sequential_read_bytes_per_s",
    "folded_write_bytes_per_s", "sequential_write_bytes_per_s",
)  # fmt: skip


@cache
def group_nodes(case: ArrayCase) -> Mapping[str, Node]:
    """Build the fields of a redundancy group, `models.failures.Group`."""
    return {
        "members": _GROUP,
        "parities": Leaf("tolerated_failures"),
        "failures_per_s": FAILURES_PER_S,
        "rebuild_s": _rebuild_s(case),
        "unreadable_probability": _unreadable(case),
    }


def _rebuild_s(case: ArrayCase) -> Node:
    """Build the time of a rebuild: stated, or at half of the drives' sequential rate."""
    if not case.is_redundant:
        return Const("rebuild_s:none", 1.0, "definition", NOTHING_TO_REBUILD)
    work: dict[str, Any] = {
        "rebuilt_bytes": REBUILT_BYTES, "data_members": _READ,
        "member_read_bytes_per_s": _READ_RATE,
        "rebuild_fraction": Const(
            "rebuild_fraction", REBUILD_SHARE, "assumption", REBUILD_GROUND
        ),
    }  # fmt: skip
    if case.has_spread_spares:
        formula: Any = rebuild.declustered_rebuild_s
        work |= {"members": _GROUP, "member_write_bytes_per_s": _WRITE_RATE}
    else:
        formula = rebuild.rebuild_s
        work |= {"spare_write_bytes_per_s": _WRITE_RATE, "uplink_bytes_per_s": _FAST}
    modelled = Call("rebuild_s:modelled", formula, work, REBUILD_GROUND)
    return FirstKnown("rebuild_s:any", (Leaf("rebuild_s", overrides=True), modelled))


def _unreadable(case: ArrayCase) -> Node:
    """Build the probability that a rebuild without remaining parity meets an unreadable sector."""
    if not case.is_redundant:
        return Const("unreadable_probability", 0.0, "definition", NOTHING_TO_REBUILD)
    read = Call(
        "rebuild_read_bytes",
        rebuild.rebuild_read_bytes,
        {"rebuilt_bytes": REBUILT_BYTES, "data_members": _READ},
    )
    return Call(
        "unreadable_probability",
        failures.unreadable_probability,
        {"read_bytes": read, "uber": _UBER},
    )


def group_leaves(array: Array, risk: Risk, held_fraction: float) -> dict[str, Answer]:
    """Return the leaves of failures, and of the layout of a group whose drives are so full."""
    spread = 1 - array.spread_spares / array.group_members
    read = max(1, array.stripe_members - array.parities) if array.parities else 1
    leaves = {
        "afr_fraction": given("afr_fraction", risk.afr_fraction, source="user"),
        "uber:stated": given("uber", risk.uber, source="user"),
        "rebuild_s": given("rebuild_s", risk.rebuild_s, source="user"),
        "held_fraction": given("held_fraction", held_fraction * spread, source="workload"),
        "group_members": given("group_members", array.group_members, source="array"),
        "tolerated_failures": given(
            "tolerated_failures", array.tolerated_failures, source="array"
        ),
        "data_members:read": given("data_members", read, source="array"),
    }  # fmt: skip
    return {key: leaf for key, leaf in leaves.items() if leaf.is_known}

"""Assumptions on failures: failure rates, rebuilds, unreadable sectors of a redundancy group."""

import numpy as np

from models import failures, rebuild, spare_area
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.catalogue.priors_failures import (
    AFR,
    AFR_GROUND,
    RATE_GROUND,
    REBUILD_GROUND,
    REBUILD_SHARE,
    UBER,
    UBER_GROUND,
    WRITE_RATE,
)
from planner.graph.answer import Answer, figure, first_known, given
from planner.scenario.array import Array
from planner.scenario.risk import Risk
from planner.sections.plan import Plan

NOTHING_TO_REBUILD = "Without redundancy the first failure loses data; nothing is rebuilt."


def afr(drive: Drive, risk: Risk) -> Answer:
    """Return the annual failure rate: stated, from MTBF, or assumed."""
    return first_known(
        given("afr_fraction", risk.afr_fraction, source="user"),
        figure("afr_fraction", failures.afr_from_mtbf, mtbf_s=stated(drive, "mtbf_s")),
        given("afr_fraction", AFR, source="assumption", note=AFR_GROUND),
    )


def failures_per_s(drive: Drive, risk: Risk) -> Answer:
    """Return the failure rate of one drive."""
    return figure("failures_per_s", failures.failures_per_s, afr_fraction=afr(drive, risk))


def redundancy_group(answer: Plan, risk: Risk) -> dict[str, Answer]:
    """Return the fields of a redundancy group, `models.failures.Group`."""
    array = answer.array
    return {
        "members": given("group_members", array.group_members, source="array"),
        "parities": given("tolerated_failures", array.tolerated_failures, source="array"),
        "failures_per_s": failures_per_s(answer.drive, risk),
        "rebuild_s": _rebuild_s(answer, risk),
        "unreadable_probability": _unreadable(answer, risk),
    }  # fmt: skip


def rebuilt_bytes(answer: Plan) -> Answer:
    """Return the bytes that a rebuild writes: the valid data of one drive."""
    array = answer.array
    spread = 1 - array.spread_spares / array.group_members
    share = answer.partition_fraction * answer.workload.fill_fraction * spread
    return figure(
        "rebuilt_bytes",
        spare_area.partition_bytes,
        user_bytes=stated(answer.drive, "user_bytes"),
        partition_fraction=given("held_fraction", share, source="workload"),
    )


def _rebuild_s(answer: Plan, risk: Risk) -> Answer:
    """Return the time of a rebuild: stated, or at half of the drives' sequential rate."""
    array = answer.array
    if not array.tolerated_failures:
        return given("rebuild_s", 1.0, source="definition", note=NOTHING_TO_REBUILD)
    fast = given("fast_bytes_per_s", np.inf, source="definition")
    reads = stated(answer.drive, "sequential_read_bytes_per_s")
    work = {
        "rebuilt_bytes": rebuilt_bytes(answer),
        "data_members": given("data_members", _read_members(array), source="array"),
        "member_read_bytes_per_s": first_known(reads, fast),
        "rebuild_fraction": given(
            "rebuild_fraction", REBUILD_SHARE, source="assumption", note=REBUILD_GROUND
        ),
    }
    if array.spread_spares:
        modelled = figure(
            "rebuild_s", rebuild.declustered_rebuild_s, REBUILD_GROUND, **work,
            members=given("group_members", array.group_members, source="array"),
            member_write_bytes_per_s=_write_rate(answer),
        )  # fmt: skip
    else:
        modelled = figure(
            "rebuild_s", rebuild.rebuild_s, REBUILD_GROUND, **work,
            spare_write_bytes_per_s=_write_rate(answer), uplink_bytes_per_s=fast,
        )  # fmt: skip
    return first_known(given("rebuild_s", risk.rebuild_s, source="user"), modelled)


def _read_members(array: Array) -> int:
    """Return the number of drives that a rebuild reads."""
    return max(1, array.stripe_members - array.parities) if array.parities else 1


def _write_rate(answer: Plan) -> Answer:
    return first_known(
        stated(answer.drive, "folded_write_bytes_per_s"),
        stated(answer.drive, "sequential_write_bytes_per_s"),
        given("assumed_write_bytes_per_s", WRITE_RATE, source="assumption", note=RATE_GROUND),
    )


def _unreadable(answer: Plan, risk: Risk) -> Answer:
    """Return the probability that a rebuild without remaining parity hits an unreadable sector."""
    array = answer.array
    if not array.tolerated_failures:
        return given("unreadable_probability", 0.0, source="definition", note=NOTHING_TO_REBUILD)
    read = figure(
        "rebuild_read_bytes",
        rebuild.rebuild_read_bytes,
        rebuilt_bytes=rebuilt_bytes(answer),
        data_members=given("data_members", _read_members(array), source="array"),
    )
    return figure(
        "unreadable_probability",
        failures.unreadable_probability,
        read_bytes=read,
        uber=first_known(
            given("uber", risk.uber, source="user"),
            stated(answer.drive, "uber"),
            given("uber", UBER, source="assumption", note=UBER_GROUND),
        ),
    )

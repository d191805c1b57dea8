"""Assumptions on failures: failure rates, rebuilds, unreadable sectors of a redundancy group."""

from dataclasses import dataclass

import numpy as np

from models import _check, failures, rebuild, spare_area
from models.units import YEAR_S
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, figure, first_known, given
from planner.scenario.array import Array
from planner.sections.plan import Plan

AFR = 0.01
AFR_GROUND = (
    "No MTBF is known: an annual failure rate of 1 % is assumed, about that of the SSDs of "
    "Backblaze in 2021 and 2022."
)
UBER = 1e-16
UBER_GROUND = "UBER is assumed at the JESD218 limit for enterprise drives; client drives 1e-15."
SPREAD = 0.05
MOST_SPREAD = 0.15
SPREAD_GROUND = (
    "Lives of drives of one batch are assumed to have a standard deviation of 5 % of their mean."
)
REBUILD_SHARE = 0.5
REBUILD_GROUND = "A rebuild is assumed to use half of a drive's sequential write rate."
WRITE_RATE = 400e6
RATE_GROUND = "No write rate is known: 400 MB/s is assumed for rebuilds."
ROOM_K = 298.15
NOTHING_TO_REBUILD = "Without redundancy the first failure loses data; nothing is rebuilt."


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """Inputs on failures; None means the value of the catalogue, or a labelled assumption.

    `afr_fraction` is the annual failure rate, `uber` the unreadable sectors per bit read, `life_cv`
    the coefficient of variation of the drives' life, `replaced_fraction` the share of the mean life
    at which drives are replaced as a precaution, `stagger_s` the time between putting one drive and
    the next into service, `temperature_k` that at which a drive lies without power.
    """

    horizon_s: float = 5 * YEAR_S
    afr_fraction: float | None = None
    uber: float | None = None
    rebuild_s: float | None = None
    life_cv: float = SPREAD
    replaced_fraction: float | None = None
    stagger_s: float = 0.0
    temperature_k: float = ROOM_K

    def __post_init__(self) -> None:
        """Refuse a field outside its range, by name."""
        _check.finite(horizon_s=self.horizon_s)
        _check.require(0 < self.life_cv <= MOST_SPREAD, "life_cv", f"in (0, {MOST_SPREAD}]",
                       self.life_cv)  # fmt: skip
        _check.non_negative(stagger_s=self.stagger_s)
        _check.finite(temperature_k=self.temperature_k)
        if self.afr_fraction is not None:
            _check.require(0 <= self.afr_fraction < 1, "afr_fraction", "in [0, 1)",
                           self.afr_fraction)  # fmt: skip
        if self.uber is not None:
            _check.fraction(uber=self.uber)
        if self.rebuild_s is not None:
            _check.finite(rebuild_s=self.rebuild_s)
        if self.replaced_fraction is not None:
            _check.finite(replaced_fraction=self.replaced_fraction)


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

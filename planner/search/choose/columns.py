"""Every configuration of a grid as numbers: along drives, spare areas and arrays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models import _check, array_tail, cost, declustered, redundancy
from models.errors import DomainError
from planner.catalogue.drive import Drive
from planner.graph.answer import Answer
from planner.scenario.array import Array, RaidLevel
from planner.scenario.firmware import Firmware
from planner.scenario.growth import written_bytes
from planner.scenario.workload import Workload
from planner.search.choose.question import Grid
from planner.sections.plan import Plan, plan

__all__ = ["Columns", "Floats", "columns"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Numbers of configurations, unknown ones NaN.

    Of drives by spare area: what is partitioned and what may be written to one drive. Of drives:
    rates and prices. Of arrays: what their layout makes of these. `shape` is (drives, spare areas,
    arrays), `plans` are those of one drive alone at every spare area together.
    """

    workload: Workload
    grid: Grid
    arrays: tuple[Array, ...]
    plans: tuple[Plan, ...]
    member_bytes: Floats
    limit_bytes: Floats
    price_usd: Floats
    power_w: Floats
    warranty_s: Floats
    worst_case_iops: Floats
    read_iops: Floats
    write_iops: Floats
    members: Floats
    working: Floats
    usable_share: Floats
    reads_per_write: Floats
    writes_per_write: Floats

    @property
    def shape(self) -> tuple[int, int, int]:
        """Drives, spare areas, arrays."""
        return (*self.limit_bytes.shape, len(self.arrays))

    @property
    def operations(self) -> dict[str, Floats]:
        """What single host operations ask of members, by array, as `array_queue` takes it."""
        stripe, copies, parities, groups = (
            _check.plain(_each(self.arrays, name))
            for name in ("stripe_members", "copies", "parities", "group_members")
        )
        spread = np.where(np.asarray(parities) > 0, groups, copies)
        return {
            "stripe_members": spread,
            "code_members": np.asarray(stripe),
            "reads_per_write": np.asarray(redundancy.reads_per_write(stripe, parities=parities)),
            "writes_per_write": np.asarray(redundancy.writes_per_write(copies, parities=parities)),
        }

    @property
    def usable_bytes(self) -> Floats:
        """Usable capacity by drive, spare area and array."""
        return self.member_bytes[:, :, None] * self.usable_share

    @property
    def budget_iops(self) -> Floats:
        """IOPS that the members' time allows, by drive and array: an upper bound of IOPS."""
        return _known(
            partial(
                redundancy.budget_iops,
                members=_check.plain(self.working),
                read_fraction=self.workload.read_fraction,
                reads_per_write=_check.plain(self.reads_per_write),
                writes_per_write=_check.plain(self.writes_per_write),
            ),
            read_iops=self.read_iops[:, None],
            write_iops=self.write_iops[:, None],
        )

    @property
    def worst_floor_iops(self) -> Floats:
        """IOPS with every member in its worst moment, by drive and array."""
        return _known(
            partial(array_tail.worst_case_iops, members=_check.plain(self.working)),
            member_worst_iops=self.worst_case_iops[:, None],
        )

    @property
    def total_price_usd(self) -> Floats:
        """Price of all drives, by drive and array."""
        return _known(
            partial(cost.total_usd, members=_check.plain(self.members)),
            price_usd=self.price_usd[:, None],
        )

    def written_bytes(self, elapsed_s: float) -> Floats:
        """Return what one member has been written by then, by array."""
        return np.asarray(
            written_bytes(self.workload, elapsed_s, host_bytes_per_s=self.member_bytes_per_s)
        )

    @property
    def member_bytes_per_s(self) -> Floats:
        """Host writes that one member receives, by array."""
        return np.asarray(
            redundancy.member_write_bytes_per_s(
                self.workload.host_bytes_per_s,
                members=_check.plain(self.working),
                writes_per_write=_check.plain(self.writes_per_write),
            )
        )


def columns(workload: Workload, grid: Grid, *, firmware: Firmware | None = None) -> Columns:
    """Plan every drive alone at every spare area, and every array for itself."""
    fractions = np.array(grid.partition_fractions)
    plans = tuple(
        plan(drive, workload, partition_fraction=_check.plain(fractions), firmware=firmware)
        for drive in grid.drives
    )
    arrays = grid.arrays()
    if not arrays:
        raise DomainError(
            "members must be enough for a level with its sets and hot spares, "
            f"got {max(grid.members):g}"
        )
    stripe, copies, parities = (
        _each(arrays, name) for name in ("stripe_members", "copies", "parities")
    )
    layout = {
        "parities": _check.plain(parities),
        "full_stripe_fraction": workload.sequential_fraction,
    }
    by_spare = partial(_by_drive, plans, len(fractions))
    return Columns(
        workload=workload,
        grid=grid,
        arrays=arrays,
        plans=plans,
        member_bytes=by_spare(lambda one: one.array_answer.usable_bytes),
        limit_bytes=by_spare(lambda one: one.lifetime.host_limit_bytes),
        price_usd=_facts(grid.drives, "price_usd"),
        power_w=_power_w(grid.drives),
        warranty_s=_facts(grid.drives, "warranty_s"),
        worst_case_iops=_facts(grid.drives, "worst_case_iops"),
        read_iops=_by_drive(plans, 1, lambda one: one.performance.read_iops)[:, 0],
        write_iops=_by_drive(plans, 1, lambda one: one.performance.write_iops)[:, 0],
        members=_each(arrays, "members"),
        working=_each(arrays, "working"),
        usable_share=_usable_share(arrays),
        reads_per_write=np.asarray(redundancy.mean_reads_per_write(_check.plain(stripe), **layout)),
        writes_per_write=np.asarray(
            redundancy.mean_writes_per_write(
                _check.plain(stripe), copies=_check.plain(copies), **layout
            )
        ),
    )


def _each(arrays: Sequence[Array], name: str) -> Floats:
    return np.array([getattr(array, name) for array in arrays], float)


def _facts(drives: Sequence[Drive], quantity: str) -> Floats:
    return np.array([drive.value(quantity) for drive in drives], float)  # None becomes NaN


def _power_w(drives: Sequence[Drive]) -> Floats:
    """Return the power of each drive at its most active, where writing or reading is known."""
    told = np.array([_facts(drives, name) for name in ("write_power_w", "read_power_w")])
    return np.asarray(np.fmax(*told))


def _by_drive(plans: Sequence[Plan], size: int, answer_of: Callable[[Plan], Answer]) -> Floats:
    """Return an answer of each plan along its spare areas; NaN where it is missing."""
    found = np.full((len(plans), size), np.nan)
    for row, one in zip(found, plans, strict=True):
        answer = answer_of(one)
        if answer.is_known:
            row[:] = answer.value
    return found


def _usable_share(arrays: Sequence[Array]) -> Floats:
    """Return usable bytes per byte of a member: codes are declustered, others are not."""
    found = np.empty(len(arrays))
    for coded in (False, True):
        chosen = [i for i, array in enumerate(arrays) if (array.level is RaidLevel.EC) is coded]
        if chosen:
            found[chosen] = _shares([arrays[i] for i in chosen], coded=coded)
    return found


def _shares(arrays: Sequence[Array], *, coded: bool) -> Floats:
    told: dict[str, Any] = {
        name: _check.plain(_each(arrays, name)) for name in ("members", "parities")
    }
    spares = _check.plain(_each(arrays, "hot_spares"))
    if coded:
        data = _check.plain(_each(arrays, "data_members"))
        return np.asarray(
            declustered.declustered_usable_bytes(1.0, **told, spares=spares, data_members=data)
        )
    return np.asarray(
        redundancy.usable_bytes(
            1.0,
            **told,
            spares=spares,
            copies=_check.plain(_each(arrays, "copies")),
            groups=_check.plain(_each(arrays, "sets")),
        )
    )


def _known(formula: Callable[..., float], **unknown: Floats) -> Floats:
    """Apply a formula of numbers that may be NaN; NaN where one is."""
    lacking = np.any([np.isnan(value) for value in unknown.values()], axis=0)
    told = {name: _check.plain(np.where(lacking, 1.0, value)) for name, value in unknown.items()}
    return np.where(lacking, np.nan, formula(**told))

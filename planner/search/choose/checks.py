"""What takes longer, of chosen configurations: IOPS at a depth, loss of data, read latency."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from models import _check, array_speed, failures, growth, pools, rebuild
from planner.graph.answer import Answer, given, walk
from planner.scenario.array import Array, RaidLevel
from planner.scenario.growth import course_of
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.search.choose.configurations import Configurations, Floats, Numbers, Places
from planner.search.choose.question import Requirements
from planner.sections.array_case import record_operations
from planner.sections.array_queue import member_times, single_speed
from planner.sections.redundancy import group_of
from planner.sections.speed import read_tail

_REBUILT = Array(members=2, level=RaidLevel.RAID1)  # the smallest that is rebuilt
_P999 = 99.9


def life_s(table: Configurations, at: Places, *, share: Floats | float = 1.0) -> Floats:
    """Return the time until the first limit of wear or rating; NaN where none is known.

    Each array takes its `share` of the workload's writes.
    """
    return _lasting_s(table, table.at("host_limit_bytes", at), at, share)


def rated_life_s(table: Configurations, requirements: Requirements, at: Places) -> Floats:
    """Return the time until rated writes are used up, as sure as required where they are credited.

    NaN where nothing is rated.
    """
    rated = np.broadcast_to(table.rated_bytes, table.shape)[at]
    is_rated = np.broadcast_to(table.is_rated, table.shape)[at]
    as_printed = _lasting_s(table, rated, at, 1.0)
    modelled = life_s(table, at) / requirements.life_spread
    if requirements.allows_unrated:
        unlimited = np.where(np.isnan(modelled), np.inf, modelled)
        as_printed = np.where(np.isnan(as_printed), unlimited, as_printed)
    else:
        as_printed = np.where(is_rated, as_printed, np.nan)
    is_credited = np.broadcast_to(table.is_credited, table.shape)[at]
    counts = is_credited & requirements.credits_spare_area
    return np.where(counts, np.fmax(as_printed, modelled), as_printed)


def _lasting_s(table: Configurations, limit: Floats, at: Places, share: Floats | float) -> Floats:
    """Return the time until writes reach a limit; NaN where none is known."""
    rate = table.at("member_bytes_per_s", at) * share
    found = np.where(np.isnan(limit), np.nan, np.inf)
    known = np.isfinite(limit) & (rate > 0)
    if known.any():
        found[known] = growth.growing_lifetime_s(
            _check.plain(limit[known]),
            host_bytes_per_s=_check.plain(rate[known]),
            **course_of(table.workload),
        )
    return found


def loss_probability(
    table: Configurations, risk: Risk, at: Places, *, share: Floats | float = 1.0
) -> Floats:
    """Return the probability that each array loses data within the horizon of the risk.

    Drives are bought at once. Each array takes its `share` of the workload's writes.
    """
    group = _groups(table, risk, at)
    failed, unreadable = failures.loss_probability_parts(risk.horizon_s, **group._asdict())
    worn = failures.generations_loss_probability(
        risk.horizon_s,
        mean_s=_check.plain(_mean_life_s(table, risk.horizon_s, at, share)),
        life_cv=risk.life_cv,
        replaced_fraction=risk.replaced_fraction or np.inf,
        group=group,
    )
    one = failures.total_loss_probability(
        failed, unreadable_loss_probability=unreadable, wear_out_loss_probability=worn
    )
    groups = _of_arrays(table, at, lambda array: array.groups)
    return np.asarray(failures.any_loss_probability(one, groups=_check.plain(groups)))


def _mean_life_s(
    table: Configurations, horizon_s: float, at: Places, share: Floats | float
) -> Floats:
    """Return the mean life of the drives of the horizon; without end where no limit is known."""
    limit = table.at("host_limit_bytes", at)
    written = np.broadcast_to(table.written_bytes(horizon_s), table.shape)[at] * share
    found = np.full(limit.shape, np.inf)
    known = np.isfinite(limit) & (written > 0)
    found[known] = growth.mean_life_s(
        horizon_s,
        limit_bytes=_check.plain(limit[known]),
        written_bytes=_check.plain(written[known]),
    )
    return found


def _groups(table: Configurations, risk: Risk, at: Places) -> failures.Group:
    """Return the redundancy groups of arrays, all together: formulas take them in one call."""
    tolerated = _of_arrays(table, at, lambda array: array.tolerated_failures)
    read = _of_arrays(table, at, _read_members)
    members = _of_arrays(table, at, lambda array: array.group_members)
    spread = _of_arrays(table, at, lambda array: array.spread_spares)
    held = 1 - spread / members
    failures_per_s, rebuilt_s, sectors = np.empty((3, at.drive.size))
    for drive in np.unique(at.drive):
        here = at.drive == drive
        known = group_of(table.grid.drives[drive], _REBUILT, risk, table.held_fraction)
        nodes = {name: node for name, node in known.items() if node.is_known}
        at_spare = partial(_at_spare, at.spare[here])
        failures_per_s[here] = nodes["failures_per_s"].value
        rebuilt_s[here] = _again(
            rebuild.rebuild_s, nodes["rebuild_s"], at_spare, data_members=read[here]
        )
        if spread[here].any():
            shared = _shared_rebuild_s(nodes["rebuild_s"], at_spare, read[here], members[here])
            rebuilt_s[here] = np.where(spread[here] > 0, shared * held[here], rebuilt_s[here])
        sectors[here] = _unreadable(
            nodes["unreadable_probability"], at_spare, read[here], held[here]
        )
    return failures.Group(
        members=_check.plain(members),
        parities=_check.plain(tolerated),
        failures_per_s=_check.plain(failures_per_s),
        rebuild_s=_check.plain(np.where(tolerated > 0, rebuilt_s, 1.0)),
        unreadable_probability=_check.plain(np.where(tolerated > 0, sectors, 0.0)),
    )


def _of_arrays(table: Configurations, at: Places, number_of: Callable[[Array], float]) -> Floats:
    places, back = np.unique(at.array, return_inverse=True)
    return np.array([number_of(table.arrays[place]) for place in places], float)[back]


def _read_members(array: Array) -> float:
    """Return the members that are read for each byte rebuilt; one for mirrors."""
    return max(1, array.stripe_members - array.parities) if array.parities else 1


def _at_spare(spare: Numbers, value: float) -> Floats:
    """Return a number that may differ by spare area at each configuration's own."""
    several = np.asarray(value)
    return several[spare] if several.ndim else np.broadcast_to(several, spare.shape)


def _again(
    formula: Callable[..., float],
    node: Answer,
    at_spare: Callable[[float], Floats],
    **changed: Floats,
) -> Floats:
    """Apply a formula again to what the node was given, some of it changed; as given, if given."""
    if not node.is_computed:
        return at_spare(node.value)
    arguments = {name: at_spare(value) for name, value in node.arguments.items()} | changed
    return np.asarray(formula(**{name: _check.plain(value) for name, value in arguments.items()}))


def _shared_rebuild_s(
    node: Answer, at_spare: Callable[[float], Floats], read: Floats, members: Floats
) -> Floats:
    """Return the time of a rebuild of a whole drive into spare space that all others share."""
    if not node.is_computed:
        return at_spare(node.value)
    drives = {name: _check.plain(at_spare(value)) for name, value in node.arguments.items()}
    return np.asarray(
        rebuild.declustered_rebuild_s(
            drives["rebuilt_bytes"],
            members=_check.plain(np.maximum(members, read + 1)),
            data_members=_check.plain(read),
            member_read_bytes_per_s=drives["member_read_bytes_per_s"],
            member_write_bytes_per_s=drives["spare_write_bytes_per_s"],
            rebuild_fraction=drives["rebuild_fraction"],
        )
    )


def _unreadable(
    node: Answer, at_spare: Callable[[float], Floats], read: Floats, held: Floats
) -> Floats:
    """Return the probability of an unreadable sector where drives hold a share of their data."""
    if not node.is_computed:
        return at_spare(node.value)
    whole = walk([node])["rebuild_read_bytes"]
    bytes_read = _again(rebuild.rebuild_read_bytes, whole, at_spare, data_members=read)
    return _again(failures.unreadable_probability, node, at_spare, read_bytes=bytes_read * held)


def read_p999_s(table: Configurations, at: Places) -> Floats:
    """Return the read latency of one member that one read in a thousand exceeds, by its load."""
    rates = table.at("member_bytes_per_s", at)
    return np.array(
        [
            _p999_s(
                table,
                drive,
                spare,
                replace(table.workload, host_bytes_per_s=rate, transfer_bytes=size),
            )
            for drive, spare, rate, size in zip(
                at.drive,
                at.spare,
                rates.tolist(),
                table.drive_bytes[at.array].tolist(),
                strict=True,
            )
        ]
    )


def idle_p999_s(table: Configurations, at: Places) -> Floats:
    """Return the read latency that one read in a thousand exceeds of drives that nobody writes.

    Writes only add to it, so that no configuration of a drive is read faster.
    """
    sizes = table.drive_bytes[at.array]
    return np.array(
        [
            _p999_s(table, drive, 0, replace(table.workload, host_bytes_per_s=1.0,
                                             transfer_bytes=size))
            for drive, size in zip(at.drive.tolist(), sizes.tolist(), strict=True)
        ]
    )  # fmt: skip


def _p999_s(table: Configurations, drive: int, spare: int, workload: Workload) -> float:
    tail = read_tail(
        table.grid.drives[drive],
        workload,
        partition_fraction=table.grid.partition_fractions[spare],
        firmware=table.firmware,
    )
    return tail.get(_P999, np.nan)


def queue_iops(table: Configurations, queue_depth: float | None, at: Places) -> Floats:
    """Return the IOPS of each array at the queue depth; NaN where the drive's rates are unknown."""
    times, depths = _loads(table, at)
    working = table.of_arrays("working")[at.array]
    depths = np.full(working.shape, queue_depth) if queue_depth else depths * working
    depths = np.maximum(1.0, np.round(depths))
    are_pools = np.array([table.arrays[place].is_pool for place in at.array.tolist()], bool)
    are_known, found = ~np.isnan(times).any(axis=0), np.full(working.shape, np.nan)
    for iops, here in ((_record_iops, are_pools), (_chunk_iops, ~are_pools)):
        these = here & are_known
        if these.any():
            found[these] = iops(table, at.array[these], depths[these], times[:, these])
    for place in np.flatnonzero(~are_pools & are_known & (working == 1)).tolist():
        one = _OfDrive(int(at.drive[place]), int(at.spare[place]))
        depth = given("array_queue_depth", float(depths[place]), source="workload")
        if speed := single_speed(table.plan_of(one.drive), depth):
            found[place] = one.part(speed["array_iops"].value)
    for_parity = ~are_pools & (table.operations["reads_per_write"][at.array] > 0)
    reads = np.broadcast_to(table["rated_read_iops"], table.shape)
    are_unknown = np.asarray(np.isnan(reads).all(axis=(1, 2)))[at.drive]
    return np.where(are_unknown & for_parity, np.nan, found)


class _OfDrive(NamedTuple):
    """A drive and a spare area, by their places in the grid."""

    drive: int
    spare: int

    def part(self, value: ArrayLike) -> float:
        """Return a number at the spare area; the same at any where it does not depend on it."""
        several = np.asarray(value)
        return float(several[self.spare] if several.ndim else several)


def _loads(table: Configurations, at: Places) -> tuple[Floats, Floats]:
    """Return the times of a member, NaN where one is unknown, and its queue depth."""
    times = np.full((len(array_speed.MemberTimes._fields), at.drive.size), np.nan)
    depths, sizes = np.full(at.drive.size, np.nan), table.drive_bytes[at.array]
    for drive, spare, size in np.unique(np.stack([at.drive, at.spare, sizes]), axis=1).T:
        one = _OfDrive(int(drive), int(spare))
        here = (at.drive == drive) & (at.spare == spare) & (sizes == size)
        answer = table.plan_of(one.drive, float(size))
        depths[here] = answer.reading.leaves["queue_depth"].value
        parts = member_times(answer)
        if all(part.is_known for part in parts.values()):
            of_drive = {name: one.part(part.value) for name, part in parts.items()}
            times[:, here] = np.array(array_speed.MemberTimes(*of_drive.values()))[:, None]
    return times, depths


def _record_iops(table: Configurations, arrays: Numbers, depths: Floats, times: Floats) -> Floats:
    """Return the IOPS of pools, whose operations are columns of records."""
    each = {place: record_operations(table.arrays[place], table.workload) for place in set(arrays)}
    columns = np.transpose([each[place] for place in arrays])
    speed = pools.record_array_speed(
        _check.plain(depths),
        members=_check.plain(table.of_arrays("working")[arrays]),
        read_fraction=table.workload.read_fraction,
        times=array_speed.MemberTimes(*map(_check.plain, times)),
        records=pools.RecordOperations(*map(_check.plain, columns)),
    )
    return np.asarray(speed.iops)


def _chunk_iops(table: Configurations, arrays: Numbers, depths: Floats, times: Floats) -> Floats:
    """Return the IOPS of arrays whose operations are chunks, each on one drive."""
    layout = {name: _check.plain(value[arrays]) for name, value in table.operations.items()}
    code_members = layout.pop("code_members")
    speed = array_speed.mixed_array_speed(
        _check.plain(depths),
        members=_check.plain(table.of_arrays("working")[arrays]),
        read_fraction=table.workload.read_fraction,
        times=array_speed.MemberTimes(*map(_check.plain, times)),
        host_operations=array_speed.HostOperations(**layout),
        full_stripes=array_speed.FullStripes(table.workload.sequential_fraction, code_members),
    )
    return np.asarray(speed.iops)

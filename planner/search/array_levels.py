"""What would another level, or another number of drives, hold and lose?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models import _check, failures, growth, rebuild
from models.errors import DomainError
from planner.scenario.array import Array, RaidLevel, parse_level
from planner.scenario.growth import written_bytes
from planner.scenario.risk import Risk
from planner.sections.data_loss import DataLoss, Remedy, data_loss, remedies
from planner.sections.plan import PlanReading
from planner.sections.structure import stacked_leaves

Points = NDArray[np.float64]

MOST_PARITIES = 3  # of a vdev of ZFS
_NO_CODE: Mapping[str, Any] = {
    "data_members": None, "parity_members": None, "spread_spares": 0, "vdev_members": None,
}  # fmt: skip
_REBUILT = Array(members=2, level=RaidLevel.RAID1)  # the smallest that is rebuilt


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelGrid:
    """Capacity and loss within the horizon of arrays that are possible, one after the other."""

    arrays: tuple[Array, ...]
    levels: tuple[str, ...]
    usable_bytes: Points
    loss_probability: Points


def further_parity(array: Array) -> Array | None:
    """Return the array with one more parity, or one more copy; None where there is no room.

    >>> further_parity(Array(members=8, level=RaidLevel.RAID5)).name
    'RAID 6'
    """
    try:
        return replace(array, **_further(array))
    except DomainError:
        return None


def _further(array: Array) -> dict[str, Any]:
    """Return the fields to change; a code without room for one more gives up a data member."""
    named = {
        RaidLevel.RAID0: RaidLevel.RAID5, RaidLevel.RAID5: RaidLevel.RAID6,
        RaidLevel.RAIDZ1: RaidLevel.RAIDZ2, RaidLevel.RAIDZ2: RaidLevel.RAIDZ3,
    }  # fmt: skip
    if array.level in named:
        return {"level": named[array.level]}
    if array.level is RaidLevel.RAID1:
        return {"members": array.members + array.sets}
    if array.is_pool and array.parities == MOST_PARITIES:
        raise DomainError(f"parity_members must be <= {MOST_PARITIES} for {array.name}")
    data = {RaidLevel.RAID10: 1, RaidLevel.RAID6: array.stripe_members - 3}.get(array.level)
    if data is None:
        room = array.group_members - array.spread_spares > array.stripe_members
        data = (array.data_members or 0) - (0 if room else 1)
    parities = array.tolerated_failures + 1
    level = array.level if array.is_pool else RaidLevel.EC
    return {"level": level, "data_members": data, "parity_members": parities}


def changes(plan: PlanReading, risk: Risk) -> tuple[Remedy, ...]:
    """Return the loss as it is, what each remedy leaves of it, and one more parity."""
    more = further_parity(plan.array)
    if more is None:
        return remedies(plan, risk)
    word = "copy" if plan.array.copies > 1 else "parity"
    name = f"One more {word}: {more.name}"
    return (
        *remedies(plan, risk),
        Remedy(name=name, data_loss=data_loss(plan.again(array=more), risk)),
    )


def level_grid(
    plan: PlanReading,
    risk: Risk,
    *,
    levels: Sequence[str],
    members: Sequence[int],
    lost: DataLoss | None = None,
) -> LevelGrid | None:
    """Return capacity and probability of loss for every possible level and number of drives.

    `levels` are as people write them; the plan's hot spares stand by in each. All drives are
    bought at once, whatever the risk says. `lost` is the plan's own loss if it is known already.
    None where a fact is missing.
    """
    counts = tuple(members)
    named = [(level, array) for level in levels for array in _possible(plan.array, level, counts)]
    arrays = tuple(array for _, array in named)
    if lost is None or not plan.array.tolerated_failures or plan.array.spread_spares:
        lost = data_loss(plan.again(array=_REBUILT), risk)
    known = lost.nodes
    rebuilt, uber = known.get("rebuilt_bytes"), known.get("uber")
    if not arrays or rebuilt is None or uber is None:
        return None
    tolerated = np.asarray(_each(arrays, "tolerated_failures"))
    unreadable = failures.unreadable_probability(
        rebuild.rebuild_read_bytes(rebuilt.value, data_members=_read_members(arrays)),
        uber=uber.value,
    )
    group = failures.Group(
        members=_each(arrays, "group_members"),
        parities=_check.plain(tolerated),
        failures_per_s=known["failures_per_s"].value,
        rebuild_s=_check.plain(np.where(tolerated > 0, known["rebuild_s"].value, 1.0)),
        unreadable_probability=_check.plain(np.where(tolerated > 0, unreadable, 0.0)),
    )
    usable, rate = _of_each(plan, arrays, "usable_bytes", "member_bytes_per_s")
    life_s = _life_s(plan, rate, risk.horizon_s)
    return LevelGrid(
        arrays=arrays,
        levels=tuple(level for level, _ in named),
        usable_bytes=usable,
        loss_probability=_loss_probability(arrays, life_s, risk, group),
    )


@lru_cache(maxsize=256)
def _possible(array: Array, level: str, members: tuple[int, ...]) -> tuple[Array, ...]:
    """List the arrays of a level that there are of so many drives."""
    possible = []
    layout = {**_NO_CODE, **parse_level("level", level)}
    for count in members:
        try:
            possible.append(replace(array, members=count, **layout))
        except DomainError:
            continue
    return tuple(possible)


def _each(arrays: Sequence[Array], name: str) -> float:
    return _check.plain([getattr(array, name) for array in arrays])


def _read_members(arrays: Sequence[Array]) -> float:
    """Return the members that are read for each byte rebuilt; one for mirrors."""
    parities = np.asarray(_each(arrays, "parities"))
    several = np.maximum(np.asarray(_each(arrays, "stripe_members")) - parities, 1)
    return _check.plain(np.where(parities > 0, several, 1))


def _of_each(plan: PlanReading, arrays: Sequence[Array], *names: str) -> list[Points]:
    """Return answers of the plan's drive and workload in each array."""
    leaves = stacked_leaves((*arrays, plan.array), plan.workload)
    values = plan.reading.swept(*names, **leaves)
    return [np.broadcast_to(each, len(arrays) + 1)[:-1] for each in values]


def _loss_probability(
    arrays: Sequence[Array], life_s: Points, risk: Risk, group: failures.Group
) -> Points:
    failed, unreadable = failures.loss_probability_parts(risk.horizon_s, **group._asdict())
    worn = failures.generations_loss_probability(
        risk.horizon_s,
        mean_s=_check.plain(life_s),
        life_cv=risk.life_cv,
        replaced_fraction=risk.replaced_fraction or np.inf,
        group=group,
    )
    one = failures.total_loss_probability(
        failed, unreadable_loss_probability=unreadable, wear_out_loss_probability=worn
    )
    return np.asarray(failures.any_loss_probability(one, groups=_each(arrays, "groups")))


def _life_s(plan: PlanReading, member_bytes_per_s: Points, horizon_s: float) -> Points:
    """Return the mean time until a drive of each array is worn out; inf where nothing limits it."""
    limit, rate = plan.lifetime.host_limit_bytes, _check.plain(member_bytes_per_s)
    if not limit.is_known:
        return np.full(len(member_bytes_per_s), np.inf)
    written = written_bytes(plan.workload, horizon_s, host_bytes_per_s=rate)
    return np.asarray(growth.mean_life_s(horizon_s, limit_bytes=limit.value, written_bytes=written))

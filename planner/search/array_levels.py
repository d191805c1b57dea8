"""What would another level, or another number of drives, hold and lose?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.errors import DomainError
from planner.scenario.array import Array, RaidLevel, parse_level
from planner.scenario.risk import Risk
from planner.sections.array_case import by_case
from planner.sections.data_loss import Remedy, data_loss, loss_case, loss_leaves, remedies
from planner.sections.loss import loss_graph
from planner.sections.plan import PlanReading
from planner.sections.structure import stacked, stacked_leaves

Points = NDArray[np.float64]

MOST_PARITIES = 3  # of a vdev of ZFS
_NO_CODE: Mapping[str, Any] = {
    "data_members": None, "parity_members": None, "spread_spares": 0, "vdev_members": None,
}  # fmt: skip


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
    plan: PlanReading, risk: Risk, *, levels: Sequence[str], members: Sequence[int]
) -> LevelGrid | None:
    """Return capacity and probability of loss for every possible level and number of drives.

    `levels` are as people write them; the plan's hot spares stand by in each. The plan's own array
    is among them, at the end if it is of no such level or number. All drives are bought at once,
    whatever the risk says. None where the capacity of a drive is unknown.
    """
    counts = tuple(members)
    named = [(level, array) for level in levels for array in _possible(plan.array, level, counts)]
    if all(array != plan.array for _, array in named):
        named.append((plan.array.written, plan.array))
    if not named or plan.drive.value("user_bytes") is None:
        return None
    arrays = tuple(array for _, array in named)
    usable, lost = np.full((2, len(arrays)), np.nan)
    for places in by_case(arrays):
        some = [arrays[place] for place in places]
        usable[places], lost[places] = _read(plan, replace(risk, stagger_s=0.0), some)
    return LevelGrid(
        arrays=arrays,
        levels=tuple(level for level, _ in named),
        usable_bytes=usable,
        loss_probability=lost,
    )


@lru_cache(maxsize=256)
def _possible(array: Array, level: str, members: tuple[int, ...]) -> tuple[Array, ...]:
    """List the arrays of a level with so many drives."""
    possible = []
    layout = {**_NO_CODE, **parse_level("level", level)}
    for count in members:
        try:
            possible.append(replace(array, members=count, **layout))
        except DomainError:
            continue
    return tuple(possible)


def _read(plan: PlanReading, risk: Risk, arrays: Sequence[Array]) -> tuple[Points, Points]:
    """Read what arrays that take the same formulas hold and lose."""
    held = plan.partition_fraction * plan.workload.fill_fraction
    leaves = stacked([loss_leaves(array, risk, held) for array in arrays])
    leaves["wear_out_life_s:least"] = np.zeros(len(arrays))  # however often drives wear out
    # What the plan's own array alone has is unknown of the others.
    layouts = stacked_leaves((*arrays, plan.array), plan.workload)
    reader = plan.reading.reader(**leaves, **{key: row[:-1] for key, row in layouts.items()})
    nodes = loss_graph(plan.structure, loss_case(arrays[0], risk)).answers
    usable, lost = reader.without_refused(
        [reader.value(nodes[key]) for key in ("usable_bytes", "array_loss_probability")]
    )
    return usable, lost

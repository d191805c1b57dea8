"""The front: plans that are best in something, whatever the others give up for more of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from planner.catalogue.drive import Drive
from planner.scenario.array import Array
from planner.search.choose import checks
from planner.search.choose.configurations import Configurations, Floats, Numbers
from planner.search.choose.search import Search, Slow, hold_to

_CHUNK = 2048

Flags = NDArray[np.bool_]


class Axis(StrEnum):
    """Quantity in which a plan may be best."""

    LEAST = "objective"
    USABLE = "usable capacity"
    IOPS = "IOPS the members allow"
    WORST = "IOPS in the worst second"
    LIFE = "life"
    POWER = "power"


LESS = (Axis.LEAST, Axis.POWER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One plan of the front, with its figure on each axis in base units."""

    drive: Drive
    array: Array
    partition_fraction: float
    values: tuple[float, ...]


def front(slow: Slow, results: Search, axes: Sequence[Axis]) -> tuple[Point, ...]:
    """Return the plans that meet every requirement and are Pareto-optimal on two or three axes.

    Exact over the grid; of plans alike on every axis the first is kept. What takes longer is
    computed of plans that would be of the front alone, until all of these hold it.
    """
    table = slow.table
    holds = np.flatnonzero((results.margin >= 1) & ~np.isnan(results.objective.ravel()))
    values = np.array([_values(slow.table, results, axis, holds) for axis in axes])
    known = ~np.isnan(values).any(axis=0)
    holds, values = holds[known], values[:, known]
    less = values * np.array([[1.0 if axis in LESS else -1.0] for axis in axes])
    while True:
        best = skyline(less)
        kept = hold_to(slow, results, holds[best])
        if kept.all():
            break
        stay = np.ones(holds.size, bool)
        stay[best[~kept]] = False
        holds, values, less = holds[stay], values[:, stay], less[:, stay]
    return tuple(_point(table, int(holds[place]), values[:, place]) for place in best)


def skyline(less: Floats) -> Numbers:
    """Return the places of Pareto-optimal points; less is better along each row.

    In order of the first row; of equal points the first.

    >>> skyline(np.array([[1.0, 2.0, 3.0, 3.0], [5.0, 4.0, 4.5, 1.0]])).tolist()
    [0, 1, 3]
    """
    order = np.lexsort((np.arange(less.shape[1]), *less[::-1]))
    if len(less) == 2 and order.size:  # in order of the first row each must be less in the second
        least = np.minimum.accumulate(less[1, order])
        return np.asarray(order[np.concatenate([[True], least[1:] < least[:-1]])])
    kept = np.empty(0, np.int64)
    for start in range(0, order.size, _CHUNK):
        chunk = order[start : start + _CHUNK]
        chunk = chunk[~_beaten(less[:, chunk], less[:, kept])]
        alone = chunk[~_beaten(less[:, chunk], less[:, chunk], earlier=True)]
        kept = np.concatenate([kept, alone])
    return kept


def _beaten(points: Floats, others: Floats, *, earlier: bool = False) -> Flags:
    """Find the points that another one equals or beats on every axis."""
    no_worse: Flags = np.all(others[:, None, :] <= points[:, :, None], axis=0)
    if earlier:
        no_worse &= np.tri(points.shape[1], k=-1, dtype=bool)
    return np.asarray(no_worse.any(axis=1))


def _values(table: Configurations, results: Search, axis: Axis, flat: Numbers) -> Floats:
    """Return the figures of configurations on one axis."""
    if axis is Axis.LIFE:
        return checks.life_s(table, table.places(flat))
    whole: Mapping[Axis, Callable[[], Floats]] = {
        Axis.LEAST: lambda: results.objective,
        Axis.USABLE: lambda: table["usable_bytes"],
        Axis.IOPS: lambda: table["budget_iops"],
        Axis.WORST: lambda: table["worst_case_floor_iops"],
        Axis.POWER: lambda: table.power_w,
    }
    return np.broadcast_to(whole[axis](), table.shape).ravel()[flat]


def _point(table: Configurations, place: int, values: Floats) -> Point:
    drive, spare, array = np.unravel_index(place, table.shape)
    return Point(
        drive=table.grid.drives[drive],
        array=table.arrays[array],
        partition_fraction=table.grid.partition_fractions[spare],
        values=tuple(float(value) for value in values),
    )

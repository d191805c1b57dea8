"""Fork and join at busy members: residual service on arrival, and the largest of several waits.

Private to `models.array_speed`, which says what the arrays are; all of them are of one shape, or
have the kinds of branches of a host operation along a first axis: reads of host reads, reads of
host writes, writes of host writes. Base units: seconds.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Chosen on half of the simulated arrays; the errors of the other half are no larger
TOGETHER, HALFWAY = 1.5, 2.0


class Residual(NamedTuple):
    """State of a member on arrival of a branch: see `residual_s`. Reads, prepared, written."""

    halves_s: Floats
    excess: Floats
    fresh_s: Floats


def residual_of(
    members: Floats, weights: Floats, branches: Floats, seconds: Floats, shared: Floats
) -> Residual:
    """Lay out what `residual_s` needs, which does not change with the queue.

    A branch comes just when others end on the members that its host operation has left: any of
    them for a new operation, some of those to be written for the second half of a
    read-modify-write. How many end together grows with what members share.
    """
    visits, parts = weights * branches, np.sum(weights, axis=0)
    total = np.sum(visits, axis=0)
    mean_s = np.sum(visits * seconds, axis=0) / total
    freed = branches ** np.minimum(1.0, TOGETHER * shared)
    new = np.minimum(1.0, np.sum(weights * freed, axis=0) / (parts * members))
    halfway = np.maximum(new, np.minimum(1.0, HALFWAY * branches[2] ** (shared - 1)))
    second = np.where(branches[1] == branches[2], visits[2] / total, 0.0)
    new_s = new * np.sum(weights * seconds, axis=0) / parts
    random = 1 - (1 - second) * new - second * halfway
    return Residual(
        halves_s=random * visits * seconds**2 / (2 * mean_s * total),
        excess=np.maximum(0.0, seconds / mean_s - 1) / 2,
        fresh_s=(1 - second) * new_s + second * halfway * mean_s,
    )


def residual_s(residual: Residual, busy: Floats, others: int) -> Floats:
    """Time left of the operation that a branch finds in service.

    Half of it at a random moment, weighted by its length, but no more often than there are others
    to find it, which matters for rare long ones; all of it on the member just left.
    """
    halves = residual.halves_s / (1 + busy * residual.excess / others)
    return np.asarray(halves.sum(0) + residual.fresh_s)


class Terms(NamedTuple):
    """Coefficients of the growth of joins, and their sum."""

    each: Floats
    total: Floats


def terms_of(branches: Floats) -> Terms:
    """Coefficients of the growth of joins: 1/i up to the number of branches, the last in part."""
    order = np.arange(1, int(np.max(np.ceil(branches))) + 1).reshape(-1, *[1] * branches.ndim)
    each = np.clip(branches - order + 1, 0, 1) / order
    return Terms(each, each.sum(0))


def growth_of(idle: Floats, terms: Terms, branches: Floats, harmonic: float) -> Floats:
    """Mean of the largest wait of several branches over the mean wait of one that must wait."""
    count, kinds = len(terms.each), (1,) * (branches.ndim - idle.ndim)
    powers = np.multiply.accumulate(np.full((count, *kinds, *idle.shape), idle), axis=0)
    growth = terms.total - (terms.each * powers).sum(0)
    if harmonic < count:
        growth = np.minimum(growth, harmonic * (1 - idle**branches))
    return np.asarray(growth)


def growth_of_one(
    idle: float, each: list[float], total: float, branches: float, harmonic: float
) -> float:
    """Give one element of `growth_of`, of one kind, in plain numbers."""
    power, none = 1.0, 0.0
    for term in each:
        power *= idle
        none += term * power
    growth = total - none
    return min(growth, harmonic * (1 - idle**branches)) if harmonic < len(each) else growth

"""A group of drives as a birth-death chain: its numbers checked, its rates, case by case."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from models import _check

Floats = NDArray[np.float64]

_MOST_PARITIES = 30
CERTAIN = 1 - 2.0**-53  # in place of 1, whose logarithm is not finite
_MANY = 1e12  # losses to be expected, from which on their survival is as good as its limit


def checked(
    members: float,
    parities: float,
    failures_per_s: float,
    rebuild_s: float,
    unreadable_probability: float,
) -> tuple[float, ...]:
    """Return the numbers of a group if they are inside their domains."""
    (members,) = _check.count(members=members)
    (parities,) = _check.non_negative(parities=parities)
    whole = (np.floor(parities) == parities) & (parities <= _MOST_PARITIES)
    _check.require(whole, "parities", f"a whole number in [0, {_MOST_PARITIES}]", parities)
    _check.require(np.subtract(members, parities) >= 1, "members", "> parities", members)
    (failures_per_s,) = _check.non_negative(failures_per_s=failures_per_s)
    _check.require(failures_per_s < np.inf, "failures_per_s", "finite", failures_per_s)
    (rebuild_s,) = _check.finite(rebuild_s=rebuild_s)
    (unreadable,) = _check.fraction(unreadable_probability=unreadable_probability)
    return members, parities, failures_per_s, rebuild_s, unreadable


def expected_unreadable(unreadable_probability: Floats) -> Floats:
    """Mean number of unreadable sectors met by one full rebuild."""
    return np.asarray(-np.log1p(-np.minimum(unreadable_probability, CERTAIN)))


def survival(order: float, losses: Floats) -> Floats:
    """Mean of exp(-losses x D), D the least of `order - 1` uniform times; of order 1 it is 1."""
    from scipy.special import hyp1f1  # noqa: PLC0415 - slow to import

    few = hyp1f1(1.0, order, -np.minimum(losses, _MANY))
    return np.where(losses < _MANY, few, (order - 1) / np.maximum(losses, _MANY))


def rates(
    parities: int, members: Floats, failures_per_s: Floats, rebuild_s: Floats, unreadable: Floats
) -> tuple[Floats, Floats, Floats]:
    """Rates of failures and of rebuilds, by failed members, and of unreadable sectors."""
    failed = np.arange(parities + 1.0)
    up = (members[..., None] - failed) * failures_per_s[..., None]
    down = failed[1:] / rebuild_s[..., None]
    aside = expected_unreadable(unreadable) / rebuild_s if parities else np.zeros(members.shape)
    losses = (up[..., -1] + aside) * rebuild_s
    for state in range(parities, 0, -1):
        back = survival(state, losses)
        down[..., state - 1] *= back / survival(state + 1, losses)
        losses = (1 - back) * up[..., state - 1] * rebuild_s
    return up, down, aside


def by_parities(
    solve: Callable[..., Floats], members: Floats, parities: Floats, *others: Floats
) -> Floats:
    """Apply a function of one number of parities to every one that occurs; adds a last axis."""
    if not parities.size or parities.min() == parities.max():
        return solve(int(parities.max(initial=0)), members, *others)
    parts = []
    for count in np.unique(parities):
        here = parities == count
        parts.append((here, solve(int(count), members[here], *(other[here] for other in others))))
    result = np.empty((*parities.shape, parts[0][1].shape[-1]))
    for here, part in parts:
        result[here] = part
    return result

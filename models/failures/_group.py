"""A group of drives as a birth-death chain: its numbers checked, its rates, case by case."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from models import _check

Floats = NDArray[np.float64]

_MOST_PARITIES = 30
CERTAIN = 1 - 2.0**-53  # in place of 1, whose logarithm is not finite
_ROUNDING = 2.0**-60
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


def survival(order: int, losses: Floats) -> Floats:
    """Mean of exp(-losses x D), D the least of `order - 1` uniform times; of order 1 it is 1.

    It is Kummer's M(1; order; -losses). The means m_n of all orders are chained,
    m_n = 1 - losses / n x m_(n+1), from which rounding vanishes downwards where there are fewer
    losses than the order, and upwards where there are more.

    >>> survival(2, np.array([0.0, 1.0])).round(6)
    array([1.      , 0.632121])
    """
    losses = np.asarray(losses, float)
    if np.all(losses <= order):
        return _chained_down(order, losses)
    few = np.minimum(losses, order)
    many = np.clip(losses, order, _MANY)
    below = np.where(losses <= order, _chained_down(order, few), _chained_up(order, many))
    return np.where(losses < _MANY, below, (order - 1) / np.maximum(losses, _MANY))


def _chained_down(order: int, losses: Floats) -> Floats:
    """Chain from an order so high that its own mean no longer matters."""
    most, left, highest = float(losses.max(initial=0.0)), 1.0, order
    while left > _ROUNDING:
        left *= most / highest
        highest += 1
    mean = np.ones(losses.shape)
    for each in range(highest - 1, order - 1, -1):
        mean = 1 - losses / each * mean
    return mean


def _chained_up(order: int, losses: Floats) -> Floats:
    """Chain from order 1, where the mean is exp(-losses)."""
    mean = np.exp(-losses)
    for each in range(1, order):
        mean = each / losses * (1 - mean)
    return mean


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
        next_order = survival(state + 1, losses)
        down[..., state - 1] *= survival(state, losses) / next_order
        lost = losses / state * next_order  # 1 - survival(state, losses), without its rounding
        losses = lost * up[..., state - 1] * rebuild_s
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

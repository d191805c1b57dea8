"""Roots of rising laws: a law takes many numbers in hardly more time than one.

A law is a function that does not fall, from 0 on. It is asked for numbers with one more axis than
it has itself, the first.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Law = Callable[[Any], Any]

_BITS = 60  # to which a number is found, of its upper bound
_POWERS = 32  # at a time
_MOST_PARTS = 64
_MOST_NUMBERS = 4096  # at a time


def powers_reaching(law: Law, shares: Floats, *, most: int) -> Floats:
    """Least powers of two, from 1 to 2^most, at which a law has come to shares; else infinite."""
    powers = np.arange(_POWERS).reshape(-1, *[1] * shares.ndim)
    count = np.zeros(shares.shape, int)
    while True:
        numbers = np.broadcast_to(2.0**powers, (_POWERS, *shares.shape))
        missed = np.asarray(law(numbers)) < shares
        count = count + missed.sum(0)
        if powers.flat[-1] >= most or not np.any(missed[-1]):
            return np.where(count > most, np.inf, 2.0**count)
        powers = powers + _POWERS


def least_reaching(law: Law, shares: Floats, upper: Floats) -> Floats:
    """Least numbers up to finite bounds at which a law has come to shares.

    An interval is cut into parts until it is two numbers next to each other.
    """
    wanted, places = np.ravel(shares), np.arange(shares.size)
    low, high = np.zeros(wanted.shape), np.ravel(np.broadcast_to(upper, shares.shape))
    parts = int(np.clip(_MOST_NUMBERS // max(shares.size, 1), 2, _MOST_PARTS))
    cuts = np.arange(1, parts)[:, None] / parts
    for _ in range(int(np.ceil(_BITS / np.log2(parts)))):
        if np.all(np.nextafter(low, high) == high):
            break
        inner = low + (high - low) * cuts
        found = np.asarray(law(inner.reshape(-1, *shares.shape))).reshape(inner.shape)
        missed = (found < wanted).sum(0)
        edges = np.vstack([low, inner, high])
        low, high = edges[missed, places], edges[missed + 1, places]
    return high.reshape(shares.shape)

"""The smallest sufficient count, element by element of arrays."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_DOUBLINGS = 50


def least_count(enough: Callable[[Floats], NDArray[np.bool_]], shape: tuple[int, ...]) -> Floats:
    """Smallest sufficient whole number; the largest tried if none is."""
    low, high = np.full(shape, -1.0), np.zeros(shape)
    for _ in range(_DOUBLINGS):
        short = ~enough(high)
        low, high = np.where(short, high, low), np.where(short, 2 * high + 1, high)
        if not np.any(short):
            break
    while np.any(high - low > 1):
        middle = np.maximum(np.floor((low + high) / 2), 0.0)
        fits = enough(middle)
        low, high = np.where(fits, low, middle), np.where(fits, middle, high)
    return high

"""Searches: the last choice that still meets a target, along a quantity that only gets worse."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

CLOSED = 4 * float(np.finfo(float).eps)


def edge(
    excess: Callable[[float], float], *, fits: float, fails: float, closed: float = CLOSED
) -> float:
    """Return the point nearest to `fails` at which `excess` is not negative.

    `excess` must not be negative at `fits` and be negative at `fails`. The bracket is closed to
    `closed` of its place, and the end of it that meets the target is returned.

    >>> point = edge(lambda x: 2 - x * x, fits=0.0, fails=2.0)
    >>> point <= 2**0.5 < point + 1e-15
    True
    """
    from scipy.optimize.elementwise import find_root  # noqa: PLC0415 - slow to import

    def at(points: Points) -> Points:
        flat = [excess(float(point)) for point in np.ravel(points)]
        return np.reshape(np.array(flat), np.shape(points))

    bracket = min(fits, fails), max(fits, fails)
    found = find_root(at, bracket, tolerances={"xrtol": closed})
    ends = ((found.x, found.f_x), *zip(found.bracket, found.f_bracket, strict=True))
    inside = [float(x) for x, met in ends if met >= 0]
    return min(inside, key=lambda x: abs(x - fails), default=fits)


def edge_by_ratio(excess: Callable[[float], float], *, fits: float, fails: float) -> float:
    """Find an edge like `edge`, but by logarithm: for rates and sizes.

    >>> print(f"{edge_by_ratio(lambda x: 7e12 - x, fits=1.0, fails=1e15):.6g}")
    7e+12
    """
    return math.exp(
        edge(lambda power: excess(math.exp(power)), fits=math.log(fits), fails=math.log(fails))
    )


def reach(excess: Callable[[float], float], start: float, *, factor: float) -> float | None:
    """Go from `start` in steps that grow until `excess` is not negative; None if it never is."""
    point, step = start, factor
    for _ in range(12):
        if excess(point) >= 0:
            return point
        point, step = point * step, step * step
        if not 0 < point < np.inf:
            break
    return None

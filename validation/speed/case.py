"""One comparison of a speed: formula, event simulator, and the uncertainty of the simulation."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

# Half of the 95 % interval of a mean over its standard error, by degrees of freedom.
STUDENT = (np.nan, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A figure by formula and by simulation.

    `noise` is half of the simulator's relative 95 % interval. `deviation` is set for a curve: the
    mean or the largest of its errors; the values are then the means of the curve, or those at the
    largest error. For an upper limit (`limit`) only a simulation above it is outside.
    """

    group: str
    case: str
    modelled: float
    simulated: float
    noise: float
    bound: float
    unit: str = ""
    note: str = ""
    deviation: float | None = None
    limit: bool = False

    @property
    def error(self) -> float:
        """Relative error of the formula."""
        if self.deviation is not None:
            return self.deviation
        if self.simulated == self.modelled:  # both may be zero or infinite
            return 0.0
        return self.modelled / self.simulated - 1 if self.simulated else float("inf")

    @property
    def inside(self) -> bool:
        """Whether the error is within its bound."""
        return (-self.error if self.limit else abs(self.error)) <= self.bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A curve by formula and by simulation, for a picture."""

    picture: str
    name: str
    x: tuple[float, ...]
    modelled: tuple[float, ...]
    simulated: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of a task."""

    rows: tuple[Row, ...]
    curves: tuple[Curve, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Runs that belong together: the quantities compare_case, and their approximate time [s]."""

    topic: str
    name: str
    measure: Callable[[], Finding]
    work_s: float = 1.0


def half_width(samples: ArrayLike) -> float:
    """Half of the relative 95 % interval of a mean, averaged over columns.

    >>> print(f"{half_width([1.0, 1.1, 0.9, 1.0]):.3f}")
    0.130
    """
    return float(np.mean(half_widths(samples)))


def half_widths(samples: ArrayLike) -> np.ndarray:
    """Half of the relative 95 % interval of the mean of each column."""
    values = np.asarray(samples, float)
    count = len(values)
    error = np.std(values, axis=0, ddof=1) / np.sqrt(count)
    factor = STUDENT[count - 1] if count <= len(STUDENT) else 1.96 + 2.4 / (count - 1)
    return np.asarray(factor * error / np.abs(np.mean(values, axis=0)))


def parts(values: ArrayLike, count: int = 10) -> np.ndarray:
    """Return the means of `count` consecutive parts, which are nearly independent."""
    return np.array([np.mean(part) for part in np.array_split(np.asarray(values, float), count)])

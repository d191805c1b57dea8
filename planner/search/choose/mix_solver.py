"""Whole numbers of arrays of many kinds that meet all needs for the least, in limited time."""

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

import numpy as np

from planner.search.choose.configurations import Floats, Numbers
from planner.search.choose.limits import AT_MOST
from planner.search.choose.question import Need

MOST_ARRAYS = 10_000  # of one kind
SOLVER_S = 30.0  # of searching mixes, unless stated
TOLERANCE = 2e-6  # the solver lets constraints be missed by half of it
ROUNDING = 1e-13
ENOUGH = 1 + 2 * TOLERANCE  # of a need, from one array alone
ENDED = (
    "The search of mixes ended after {:.3g} s. {}. --time {:.0f}s searches longer; fewer "
    "kinds (--like, --drives, --raid) are searched faster."
)
_TIME_IS_OVER = 1  # status of scipy.optimize.milp

Row = tuple[Floats, float, float]  # of shares, and the least and most of their sum over arrays


class SolverTime:
    """Time that is left for the solver, and the gap that it left when its time was over."""

    def __init__(self, most_s: float) -> None:
        self.most_s, self.is_over = most_s, False
        self.gap: float | None = 0.0
        self._until_s: float | None = None

    @property
    def left_s(self) -> float:
        """Time that the next run of the solver has; it begins to count with the first."""
        if self._until_s is None:
            self._until_s = monotonic() + self.most_s
        return max(self._until_s - monotonic(), 0.1)  # in which the solver looks at its input

    def take(self, found: Any) -> None:
        """Note the outcome of a run of the solver."""
        self.is_over = found.status == _TIME_IS_OVER
        self.gap = (None if found.x is None else float(found.mip_gap)) if self.is_over else 0.0

    def notes(self) -> tuple[str, ...]:
        """Describe the gap, and how to go on."""
        if not self.is_over:
            return ()
        open_part = "No mix was found until then"
        if self.gap is not None:
            open_part = f"Another mix may cost up to {100 * self.gap:.2g} % less"
        return (ENDED.format(self.most_s, open_part, np.ceil(4 * self.most_s)),)


def cheapest(price: Floats, shares: Mapping[Need, Floats], solver: SolverTime) -> Numbers | None:
    """Return the cheapest number of arrays of each kind; None where none suffice.

    `shares` are the parts of each need or limit that an array of each kind gives or takes. After
    its time the solver returns the best mix that it has found.
    """
    kept = _kept(price, shares)
    if not kept.size:
        return None
    counts = _counts(price[kept], {need: share[kept] for need, share in shares.items()}, solver)
    if counts is None:
        return None
    whole = np.zeros(price.size, np.int64)
    whole[kept] = counts
    return whole


def _kept(price: Floats, shares: Mapping[Need, Floats]) -> Numbers:
    """Return the kinds that a cheapest mix may hold."""
    fits = np.ones(price.size, bool)
    for need in shares.keys() & AT_MOST:
        fits &= shares[need] <= 1 + ROUNDING
    able = np.flatnonzero(fits)
    rows = [price, *(share if need in AT_MOST else -share for need, share in shares.items())]
    return able[_undominated(np.array(rows)[:, able])]


def _undominated(least: Floats) -> Numbers:
    """Return the columns that no other one beats or equals in every row, the first of equal ones.

    A mix has the same from these for no more.

    >>> _undominated(np.array([[1.0, 2.0, 2.0, 1.0], [-1.0, -1.0, -3.0, -1.0]]))
    array([0, 2])
    """
    left, kept = np.lexsort(least[::-1]), []
    while left.size:
        kept.append(left[0])
        left = left[(least[:, left] < least[:, left[:1]]).any(axis=0)]
    return np.sort(np.array(kept, np.int64))


def _counts(price: Floats, shares: Mapping[Need, Floats], solver: SolverTime) -> Numbers | None:
    """Return the cheapest numbers that meet every need, which the solver alone may miss."""
    tight: dict[Need, float] = {}
    while True:
        rows = [_row(need, share, tight) for need, share in shares.items()]
        counts = _least(price, rows, solver)
        missed = [need for need, share in shares.items() if _misses(need, counts, share)]
        if counts is None or solver.is_over or not set(missed) - set(tight):
            return None if missed else counts
        tight |= dict.fromkeys(missed, TOLERANCE)


def _least(price: Floats, rows: Sequence[Row], solver: SolverTime) -> Numbers | None:
    from scipy.optimize import Bounds, milp  # noqa: PLC0415 - slow to import

    some: Row = (np.ones((1, price.size)), 1.0, np.inf)
    found = milp(
        price / price.min(),
        constraints=[some, *rows],
        integrality=np.ones(price.size),
        bounds=Bounds(0, MOST_ARRAYS),
        options={"time_limit": solver.left_s},
    )
    solver.take(found)
    return None if found.x is None else np.round(found.x).astype(np.int64)


def _row(need: Need, share: Floats, tight: Mapping[Need, float]) -> Row:
    """Return one constraint, scaled so that what is needed is 1."""
    least = 1 + tight.get(need, 0.0)
    low, high = (-np.inf, 1 / least) if need in AT_MOST else (least, np.inf)
    return share[None, :], low, high


def _misses(need: Need, counts: Numbers | None, share: Floats) -> bool:
    """Whether a fleet falls short by as much as the solver lets pass."""
    if counts is None:
        return False
    there = float(counts @ share)
    return there > 1 + ROUNDING if need in AT_MOST else there < 1 - ROUNDING

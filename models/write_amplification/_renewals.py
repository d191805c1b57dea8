"""Block slots as renewal processes, many drives at once, for `skewed.two_temperature`.

Dimensionless. Drives stand on the last axis of every array.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.write_amplification._tables import root_between

if TYPE_CHECKING:
    from scipy.interpolate import PchipInterpolator

Floats = NDArray[np.float64]

_WAITS = 48
_APART = 1e-13  # alphas that count as different
_NEAR = 1e-13  # of the share of a wait
_CELLS = 2_000_000  # of a table over all drives that are solved together: 16 MB
_MOST = 256  # drives together
_LEVELS, _EACH, _FEW_WAITS = (
    24,
    4,
    10,
)  # of a curve; every fourth level with waits if there are many
_NO_SPARE = -40.0  # the logarithm of a spare area that is none
_PHASES = np.arange(0, 1, 0.125)
_FEW, _LARGE = 6, 64  # drives, and states of each, that cost less one by one


def renewals(alphas: Floats, rates: Floats, hot_writes: Floats, size: int, about: Floats) -> Floats:
    """Return write amplification of drives, of which it is about known.

    Drives that collect at like levels go down together.
    """
    starts = np.minimum(size - 2, (size * (1 - 1 / about)).astype(int) + 2)
    wa = np.ones(alphas.shape)
    pending, more = np.argsort(-starts, kind="stable"), 2
    together = _together(size)
    while pending.size:
        low = np.zeros(alphas.shape, bool)
        for first in range(0, pending.size, together):
            here = pending[first : first + together]
            slots = _Slots(rates[:, here], hot_writes[here], size)
            wa[here], low[here] = _down(slots, alphas[here], starts[here])
        pending = pending[low[pending]]
        starts, more = np.minimum(size - 2, starts + more), 2 * more
    return wa


def renewals_of_one(
    alphas: Floats, hot_writes: float, hot_pages: float, pages_per_block: float
) -> Floats:
    """Read write amplification between many waits at each level, of which alpha is explicit."""
    from scipy.interpolate import PchipInterpolator  # slow to import

    size = int(pages_per_block)
    rates = np.array([[hot_writes / hot_pages], [(1 - hot_writes) / (1 - hot_pages)]])
    slots = _Slots(rates, np.array([hot_writes]), size)
    slots.advance_to(size - 2)
    known = [np.array([[1.0], [1 / size]])]  # alpha, 1 / A
    while known[-1][0, -1] < alphas[-1]:
        level = slots.at_level(np.array([0]))
        waits = np.append(0.0, np.geomspace(1e-3 / rates.max(), level.never[0], _WAITS))
        ends = level.little(waits[[0, -1]])
        known.append(ends[:, :1])
        if ends[0, -1] >= alphas[0]:
            parts = np.array_split(waits[1:-1], 1 + waits.size // _together(size))
            known += [level.little(part) for part in parts if part.size]
        known.append(ends[:, 1:])
        if slots.level == 0:
            break
        slots.advance_to(slots.level - 1)
    places, parts = np.concatenate(known, axis=1)
    fresh = np.append(True, np.diff(np.maximum.accumulate(places)) > _APART * places[1:])
    curve = PchipInterpolator(places[fresh], parts[fresh])
    return np.asarray(1 / curve(np.minimum(alphas, places[fresh][-1])))


def curve(hot_writes: float, hot_pages: float, size: int) -> "PchipInterpolator":
    """Tabulate the logarithm of write amplification over that of the spare area, for one drive.

    Both are explicit in the level at which blocks are collected and the wait there. Some levels
    are computed: the spare area at a level, and its course within one, change slowly with it.
    """
    from scipy.interpolate import PchipInterpolator  # slow to import

    rates = np.array([[hot_writes / hot_pages], [(1 - hot_writes) / (1 - hot_pages)]])
    slots = _Slots(rates, np.array([hot_writes]), size)
    slots.advance_to(size - 2)
    top, top_parts = slots.at_level(np.array([0])).little(_waits(slots)[1:])
    odds = np.geomspace(2 / (size - 2), size - 1, _LEVELS)
    freed = np.unique(np.round(size * odds / (1 + odds)).astype(int))
    begins, courses, coursed = [], [], []
    for place, less in enumerate(freed):
        slots.advance_to(size - 1 - less)
        level = slots.at_level(np.array([0]))
        if place % _EACH and less < size - 1 and size > _LARGE:
            begins.append(level.little(np.zeros(1))[0, 0])
            continue
        spare, parts = level.little(_waits(slots))
        begins.append(spare[0])
        courses.append(_course(np.log(spare - 1), size * parts - less))
        coursed.append(less)
    every = np.arange(2, size)
    by_level = np.log(every / (size - every))
    begin = PchipInterpolator(by_level[freed - 2], np.log(np.subtract(begins, 1)))(by_level)
    course = PchipInterpolator(by_level[np.subtract(coursed, 2)], courses)(by_level)
    begin = np.append(begin, np.log(spare[-1] - 1))
    spares = np.append(begin[:-1, None] + np.diff(begin)[:, None] * course, begin[-1])
    parts = np.append((every[:, None] + _PHASES) / size, 1.0)
    spares = np.concatenate([[_NO_SPARE], np.log(np.maximum(top - 1, 1e-12)), spares])
    parts = np.concatenate([[1 / size], top_parts, parts])
    fresh = np.append(True, np.diff(np.maximum.accumulate(spares)) > _APART)
    return PchipInterpolator(spares[fresh], -np.log(parts[fresh]))


def _waits(slots: "_Slots") -> Floats:
    """Return no wait, some between those of a hot page and of a cold one, and the longest."""
    some = np.geomspace(0.1 / slots.rates.max(), 4 / slots.rates.min(), _FEW_WAITS)
    return np.concatenate([[0.0], some, [60 / slots.rates.min()]]) / (slots.level + 1)


def _course(spare: Floats, within: Floats) -> Floats:
    """Return the part of the way to the next level that the spare area has gone at each phase."""
    from scipy.interpolate import PchipInterpolator  # slow to import

    within, places = np.unique(np.clip(within, 0.0, 1.0), return_index=True)
    way = (spare[places] - spare[0]) / (spare[-1] - spare[0])
    return np.asarray(PchipInterpolator(within, way)(_PHASES))


def _together(size: int) -> int:
    """Count the drives that are solved at once, so that their tables fit into memory."""
    return max(1, min(_MOST, _CELLS // (size + 1) ** 2))


def _down(
    slots: "_Slots", alphas: Floats, starts: NDArray[np.intp]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return write amplification of drives, and which started below the level they collect at."""
    wa, low = np.ones(alphas.shape), np.zeros(alphas.shape, bool)
    pending = np.ones(alphas.shape, bool)
    for number in range(starts.max(), -1, -1):
        asked = np.flatnonzero(pending & (starts >= number))
        if not asked.size:
            continue
        slots.advance_to(number)
        level = slots.at_level(asked)
        if number < slots.size - 2:
            low[asked] = (starts[asked] == number) & (level.surplus(0.0, alphas[asked]) > 0)
        due = (level.surplus(level.never, alphas[asked]) > 0) & ~low[asked]
        if due.any():
            wa[asked[due]] = level.of(due).wa(alphas[asked[due]])
        pending[asked[due | low[asked]]] = False
        if not pending.any():
            break
    return wa, low


class _Slots:
    """Block slots on their way down: hot pages left, by hot pages at the start.

    `left[h0, h]` is the probability that h hot pages are valid when `level + 1` pages are,
    given h0 at the start; `elapsed[h0]` is the mean time that took.
    """

    def __init__(self, rates: Floats, hot_writes: Floats, size: int) -> None:
        self.rates, self.hot_writes, self.size = rates, hot_writes, size
        self.left = np.repeat(np.eye(size + 1)[..., None], hot_writes.size, axis=-1)
        self.elapsed = np.zeros((size + 1, hot_writes.size))
        self.level = size - 1

    def advance_to(self, level: int) -> None:
        """Let pages die until `level + 1` are left."""
        while self.level > level:
            rate, hot_share = _race(self.rates, self.level)
            self.elapsed += np.einsum("ijn,jn->in", self.left, 1 / rate)
            left = self.left[:, :-1] * (1 - hot_share[:-1])
            left += self.left[:, 1:] * hot_share[1:]
            self.left = left
            self.level -= 1

    def at_level(self, here: NDArray[np.intp]) -> "_Level":
        """Return the next round of some slots, from this level to it."""
        left, elapsed = self.left[..., here], self.elapsed[:, here]
        drawn = _binomial(self.size - self.level - 1, self.hot_writes[here])
        states = self.level + 2
        again, time = np.zeros((states, *left.shape[1:])), np.zeros((states, here.size))
        for more, chance in enumerate(drawn):
            again += chance * left[more : more + states]
            time += chance * elapsed[more : more + states]
        rates, hot_writes = self.rates[:, here], self.hot_writes[here]
        return _Level(self.level, self.size, rates, hot_writes, again, time)


class _Level(NamedTuple):
    """Block slots at a level: hot pages next time, and the time until then, by those now."""

    level: int
    size: int
    rates: Floats
    hot_writes: Floats
    again: Floats
    time: Floats

    def of(self, some: NDArray[np.bool_]) -> "_Level":
        """Return some of the slots."""
        return _Level(self.level, self.size, *(part[..., some] for part in self[2:]))

    @property
    def never(self) -> Floats:
        """A wait after which the next page has died."""
        return np.asarray(60 / (self.rates.min(0) * (self.level + 1)))

    def wa(self, alphas: Floats) -> Floats:
        """Return write amplification where the wait of Little's law is at this level."""
        usual = 1 / ((self.level + 1) * np.sqrt(self.rates.prod(0)))

        def surplus(share: Floats) -> Floats:
            return self.surplus(usual * share / (1 - share), alphas)

        most = self.never / (usual + self.never)
        share = root_between(surplus, np.zeros(most.shape), most, near=_NEAR)
        _, survivors = self.cycle(usual * share / (1 - share))
        return np.asarray(self.size / (self.size - survivors))

    def little(self, wait: Floats) -> Floats:
        """Return the alpha at which blocks are collected after a wait, and 1 / A there."""
        elapsed, survivors = self.cycle(wait)
        gained = 1 - survivors / self.size
        return np.stack([elapsed / gained, gained])

    def surplus(self, wait: float | Floats, alphas: Floats) -> Floats:
        """Return the surplus of time over Little's law."""
        elapsed, survivors = self.cycle(wait)
        return np.asarray(elapsed - alphas * (1 - survivors / self.size))

    def cycle(self, wait: float | Floats) -> tuple[Floats, Floats]:
        """Return the mean time of a round, and the mean survivors."""
        rate, hot_share = _race(self.rates, self.level)
        stay, leave = np.exp(-rate * wait), -np.expm1(-rate * wait)
        down = leave * hot_share * (1 - self.hot_writes)
        up = leave * (1 - hot_share) * self.hot_writes
        hot = _stationary(_step(self.again, down, up))
        elapsed = np.sum(hot * (_step(self.time, down, up) + leave / rate), axis=0)
        return elapsed, self.level + np.sum(hot * stay, axis=0)


def _race(rates: Floats, level: int) -> tuple[Floats, Floats]:
    """Return the rate of deaths and the share of hot ones, by hot pages valid."""
    hot = np.arange(level + 2.0)[:, None]
    hot_rate = rates[0] * hot
    rate = hot_rate + rates[1] * hot[::-1]
    return rate, hot_rate / rate


def _step(values: Floats, down: Floats, up: Floats) -> Floats:
    """Average values of the next start: a death while waiting, replaced by a host page."""
    stay = 1 - down - up
    if values.ndim > stay.ndim:
        stay, down, up = (part[:, None] for part in (stay, down, up))
    moved = values * stay
    moved[1:] += values[:-1] * down[1:]
    moved[:-1] += values[1:] * up[:-1]
    return np.asarray(moved)


def _binomial(trials: int, share: Floats) -> Floats:
    """Return the binomial probabilities of 0 to all successes."""
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, trials + 1)))])
    count = np.arange(trials + 1)
    logs = (log_factorial[trials] - log_factorial - log_factorial[::-1])[:, None]
    logs = logs + np.outer(count, np.log(share)) + np.outer(trials - count, np.log1p(-share))
    return np.asarray(np.exp(logs))


def _stationary(rows: Floats) -> Floats:
    """Return the distribution that a transition matrix keeps; the matrix is used up.

    States are eliminated without subtractions (Grassmann, Taksar, Heyman 1985): exact where
    classes hardly mix, and without threads, which stall on a busy machine.
    """
    states, drives = rows.shape[1:]
    if 1 < drives < _FEW and states > _LARGE:
        alone = (_stationary(rows[..., [drive]]) for drive in range(drives))
        return np.concatenate([*alone], axis=-1)
    for last in range(states - 1, 0, -1):
        rows[:last, last] /= rows[last, :last].sum(0)
        rows[:last, :last] += rows[:last, last, None] * rows[last, :last]
    kept = np.ones((states, drives))
    for last in range(1, states):
        kept[last] = np.sum(kept[:last] * rows[:last, last], axis=0)
    return np.asarray(kept / kept.sum(0))

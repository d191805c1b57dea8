"""Curves of flash writes over host writes, from the cliff to steady state, for `transient`."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check, write_amplification
from models._alike import alike

Floats = NDArray[np.float64]

_LEAST_SPARE = 0.005
_MOST_SPARE = 40.0  # WA is 1 to the last bit from there on
_MOST_PAGES = 2.0**22
_SOLVED = (512.0, 1024.0)  # pages per block; larger ones are extrapolated from these two
_SETTLED = 2e-3  # from there on the rest is taken to fall as the share of untouched addresses
_QUIET_FILLS = 0.25
_NEVER_QUIET = 50.0
_PASS_POINTS = 512
_OLDEST = np.inf  # pages per block whose emptiest block is the oldest
_TOGETHER = 32  # drives whose blocks fit into the cache of a core


class Curve(NamedTuple):
    """Host and flash writes, in user capacities, from the cliff to steady state."""

    cliff: float
    fills: Floats
    flash: Floats
    middles: Floats  # where wa is known
    wa: Floats
    steady: float

    def flash_at(self, fills: Floats) -> Floats:
        """Flash writes after a number of host writes."""
        late = np.maximum(fills - self.fills[-1], 0.0)
        tail = self.steady * (late + self.rest * np.expm1(-late))
        after = np.interp(fills, self.fills, self.flash) + tail
        return np.where(fills < self.cliff, fills, after)

    def wa_at(self, fills: Floats) -> Floats:
        """Write amplification after a number of host writes."""
        late = fills - self.middles[-1]
        tail = self.steady * (1 - self.rest * np.exp(-np.maximum(late, 0.0)))
        after = np.where(late > 0, tail, np.interp(fills, self.middles, self.wa))
        return np.where(fills < self.cliff, 1.0, after)

    def peak(self, at: Floats) -> Floats:
        """Highest write amplification of the whole curve."""
        return np.full(at.shape, max(self.steady, self.wa.max()))

    def settled_at(self, tolerance: Floats) -> Floats:
        """Host writes after which write amplification stays near its steady value."""
        distance = np.abs(self.wa / self.steady - 1)
        worst = np.maximum.accumulate(distance[::-1])[::-1]
        first = np.searchsorted(-worst, -tolerance)
        late = self.middles[-1] + np.log(np.maximum(worst[-1] / tolerance, 1.0))
        start = np.where(1 - 1 / self.steady <= tolerance, 0.0, self.cliff)
        inside = np.minimum(first, worst.size - 1)
        after = np.where(first == worst.size, late, self.middles[inside])
        return np.where(first == 0, start, after)

    @property
    def rest(self) -> float:
        """Relative distance to the steady value at the end."""
        return float(1 - self.wa[-1] / self.steady)


def read(
    reading: Callable[[Curve, Floats], Floats],
    op_ratio: float,
    at: float,
    prefilled_fraction: float,
    pages_per_block: float = _OLDEST,
) -> float:
    """Read from the curve of each drive, computed once, a few drives together."""
    (op_ratio,) = _check.positive(op_ratio=op_ratio)
    spare = np.asarray(op_ratio)
    _check.require(spare >= _LEAST_SPARE, "op_ratio", f">= {_LEAST_SPARE:g}", spare)
    (filled,) = _check.fraction(prefilled_fraction=prefilled_fraction)
    spare = np.minimum(spare, _MOST_SPARE)
    *columns, points = np.broadcast_arrays(pages_per_block, spare, filled, at)
    result = np.empty(points.shape)
    drives = alike(*columns)
    while several := list(islice(drives, _TOGETHER)):
        curves = _curves([_Drive(*drive) for drive, _ in several])
        for curve, (_, here) in zip(curves, several, strict=True):
            result.flat[here] = reading(curve, points.flat[here])
    return _check.plain(result)


def block_size(pages_per_block: float) -> float:
    """Check pages per block, a whole number that is not too large."""
    (pages,) = _check.count(pages_per_block=pages_per_block)
    _check.require(pages <= _MOST_PAGES, "pages_per_block", f"<= {_MOST_PAGES:g}", pages)
    return pages


class _Drive(NamedTuple):
    """Parameters of a curve; drives in order have those of equal blocks side by side."""

    pages: float
    spare: float
    filled: float


@dataclass
class _Kept:
    """A place for the curve of a drive."""

    curve: Curve | None = None


@lru_cache(maxsize=128)
def _kept(_: _Drive) -> _Kept:
    return _Kept()


def _curves(drives: list[_Drive]) -> list[Curve]:
    """Return the curves of drives, those not kept computed together by block size."""
    places = [_kept(drive) for drive in drives]
    new = [at for at, place in enumerate(places) if place.curve is None]
    for pages, group in groupby(new, key=lambda at: drives[at].pages):
        alike_blocks = [*group]
        computed = _computed(pages, [drives[at] for at in alike_blocks])
        for at, curve in zip(alike_blocks, computed, strict=True):
            places[at].curve = curve
    return [place.curve for place in places if place.curve is not None]


def _computed(pages: float, drives: list[_Drive]) -> list[Curve]:
    if pages == _OLDEST:
        return _oldest_first(drives)
    if pages <= _SOLVED[-1]:
        return _emptiest_first(drives, int(pages))
    parts = [
        _curves([drive._replace(pages=size) for drive in drives]) for size in (*_SOLVED, _OLDEST)
    ]
    return [_between(drive, *curves) for drive, *curves in zip(drives, *parts, strict=True)]


def _between(drive: _Drive, small: Curve, large: Curve, limit: Curve) -> Curve:
    """Extrapolate the curve of large blocks."""
    fills = np.union1d(large.fills, limit.fills)
    middles = np.union1d(large.middles, limit.middles)
    parts = (small, large, limit)
    flash = _extrapolated(drive.pages, *(part.flash_at(fills) for part in parts))
    wa = _extrapolated(drive.pages, *(part.wa_at(middles) for part in parts))
    steady = write_amplification.greedy(drive.spare, pages_per_block=drive.pages)
    return Curve(small.cliff, fills, flash, middles, wa, steady)


def _extrapolated(pages: float, small: Floats, large: Floats, limit: Floats) -> Floats:
    """Continue limit + a / sqrt(pages) + c / pages: spread at the cliff, steady value."""
    ratio = math.sqrt(_SOLVED[1] / _SOLVED[0])
    whole = (small - limit - ratio * (large - limit)) / (ratio * (ratio - 1))
    root = large - limit - whole
    shrunk = math.sqrt(_SOLVED[1] / pages)
    return np.asarray(limit + shrunk * (root + shrunk * whole))


def _emptiest_first(drives: list[_Drive], pages: int) -> list[Curve]:
    """Integrate the mean field of greedy garbage collection until every drive is steady."""
    tests = [_Test(drive, pages) for drive in drives]
    running = tests
    while running:
        _clean_until_steady(running, pages)
        running = [test for test in running if not test.over]
    return [test.curve() for test in tests]


class _Test:
    """A write saturation test of one drive from the cliff on."""

    def __init__(self, drive: _Drive, pages: int) -> None:
        self.steady = write_amplification.greedy(drive.spare, pages_per_block=pages)
        self.cliff, self.held = _at_cliff(drive.spare, drive.filled, pages)
        self.steps = _steps(drive.spare, pages)
        self.step = next(self.steps)
        self.widths: list[float] = []
        self.written: list[float] = []
        self.lowest = 0
        self.quiet = 0.0
        self.over = False

    def add(self, cleaned: float) -> None:
        """Record the flash pages collected in a step and go on to the next."""
        self.widths.append(self.step)
        self.written.append(cleaned)
        near = abs(cleaned / (self.step * self.steady) - 1) < _SETTLED
        self.quiet = self.quiet + self.step if near else 0.0
        self.step = next(self.steps, 0.0)
        self.over = self.quiet > _QUIET_FILLS or not self.step

    def curve(self) -> Curve:
        """Return the recorded curve."""
        widths, written = np.array(self.widths), np.array(self.written)
        fills = self.cliff + np.concatenate([[0.0], np.cumsum(widths)])
        total = self.cliff + np.concatenate([[0.0], np.cumsum(written)])
        middles = fills[1:] - widths / 2
        return Curve(self.cliff, fills, total, middles, written / widths, self.steady)


def _at_cliff(spare: float, filled: float, pages: int) -> tuple[float, Floats]:
    """Flash pages by valid pages of their block, per user page, when no free block is left.

    Prefilled blocks have binomial counts; those written since, one by one, a mixture over ages.
    """
    from scipy.special import bdtr  # noqa: PLC0415 - slow to import

    cliff = 1 - filled + spare
    below = np.concatenate([[0.0], bdtr(np.arange(0.0, pages), pages, np.exp(-cliff)), [1.0]])
    held = filled * np.diff(below)
    since = below[1:-1] / np.arange(1, pages + 1)
    held[1:] += since
    held[0] += max(0.0, cliff - since.sum())
    return cliff, held


def _clean_until_steady(tests: list[_Test], pages: int) -> None:
    """Go on with tests of equal blocks by midpoint steps until one of them is over.

    The midpoint is collected as well, so that blocks which are due lose no more pages; without
    that, steps would have to be ten times as short.
    """
    levels = np.arange(pages + 1.0)
    gains = (1 - levels / pages).tolist()
    held = np.stack([test.held for test in tests])
    flow, middle = np.empty_like(held), np.empty_like(held)
    rows = [*zip(tests, held, middle, strict=True)]
    while not any(test.over for test in tests):
        step = np.array([[test.step] for test in tests])
        np.multiply(held, levels, out=flow)
        flow *= step / 2
        np.subtract(held, flow, out=middle)
        middle[:, :-1] += flow[:, 1:]
        for test, _, half in rows:
            cleaned, _ = _clean(half, gains, test.step / 2, max(test.lowest - 1, 0))
            half[-1] += cleaned
        np.multiply(middle, levels, out=flow)
        flow *= step
        held -= flow
        held[:, :-1] += flow[:, 1:]
        for test, whole, _ in rows:
            cleaned, test.lowest = _clean(whole, gains, test.step, max(test.lowest - 1, 0))
            whole[-1] += cleaned
            test.add(cleaned)
    for test, whole, _ in rows:
        test.held = whole


def _steps(spare: float, pages: int) -> Iterator[float]:
    """Yield steps in user capacities: short at the cliff, then up to a page lost per block."""
    stages = ((0.02, 2e-4, min(0.05, 1 / pages)), (0.25, 4e-3, 0.3), (1.0, 1e-2, _NEVER_QUIET))
    for lost, longest, duration in stages:
        step = min(lost / pages, longest, spare / 8)
        yield from repeat(step, math.ceil(duration / step))


def _clean(held: Floats, gains: list[float], need: float, level: int) -> tuple[float, int]:
    """Take the emptiest blocks until `need` is free; return pages taken and the level reached."""
    taken = 0.0
    while True:
        here = float(held[level])
        free = here * gains[level]
        if free >= need:
            break
        need -= free
        taken += here
        held[level] = 0.0
        level += 1
    last = need / gains[level]
    held[level] = here - last
    return taken + last, level


def _oldest_first(drives: list[_Drive]) -> list[Curve]:
    """Solve y' = y - y(P - alpha) pass by pass over the flash, in closed form except for a sum.

    Drives are on the first axis; those that are steady leave the others alone.
    """
    _, spare, filled = np.array(drives).T[..., None]
    steady = np.asarray(write_amplification.fifo(spare))
    cliff = 1 - filled + spare
    even = np.linspace(0.0, 1 + spare[:, 0], _PASS_POINTS + 1, axis=-1)
    at = np.sort(np.concatenate([even, filled], axis=-1), axis=-1)
    first = _first_pass(at, filled, cliff)
    written, wa = first, -1 / np.expm1(np.maximum(at - filled, 0.0) - first)
    passes: list[list[tuple[Floats, Floats]]] = [[one] for one in zip(written, wa, strict=True)]
    growth, decay, half = np.exp(at), np.exp(-at), np.diff(at) / 2
    delayed, here = np.exp(written - written[:, -1:]), np.arange(len(drives))
    while True:
        far = np.max(np.abs(wa / steady[here] - 1), axis=-1) > _SETTLED
        going = far & (written[:, -1] < _NEVER_QUIET)
        if not going.any():
            break
        here = here[going]
        delayed, end = delayed[going], written[going, -1:]
        grown = _grown(growth[here], decay[here], half[here], delayed)
        written, wa = end + np.log(grown), grown / (grown - delayed)
        delayed = grown / grown[:, -1:]
        for drive, fills, factor in zip(here.tolist(), written[:, 1:], wa[:, 1:], strict=True):
            passes[drive].append((fills, factor))
    places = zip(at, cliff[:, 0].tolist(), steady[:, 0].tolist(), passes, strict=True)
    return [_joined(*place) for place in places]


def _joined(at: Floats, cliff: float, steady: float, passes: list[tuple[Floats, Floats]]) -> Curve:
    """Put the passes of one drive one after another, each of the points at flash writes once."""
    flash = cliff + at[-1] * np.arange(len(passes))[:, None] + at[1:]
    columns = [
        flash,
        *(np.array([one[-flash.shape[1] :] for one in part]) for part in zip(*passes, strict=True)),
    ]
    twice = np.flatnonzero(at[1:] == at[:-1])
    if twice.size:
        columns = [np.delete(column, twice, axis=1) for column in columns]
    begin = (cliff, passes[0][0][0], passes[0][1][0])
    flash, hosts, wa = (np.append(one, column) for one, column in zip(begin, columns, strict=True))
    return Curve(cliff, hosts, flash, hosts, wa, steady)


def _first_pass(at: Floats, filled: Floats, cliff: Floats) -> Floats:
    """Host writes while the flash is collected for the first time, in closed form.

    Prefilled pages were all written at time 0; the others one by one, up to the cliff.
    """
    through = np.log1p(np.expm1(cliff) * np.exp(np.minimum(at, filled)))
    since = np.maximum(at - filled, 0.0)
    return np.asarray(through + since + np.log1p(-since * np.exp(-through)))


def _grown(growth: Floats, decay: Floats, half: Floats, delayed: Floats) -> Floats:
    """Return exp(P) (1 - integral of exp(-P) y(P - alpha)), by the trapezoidal rule."""
    decayed = decay * delayed
    grown = growth.copy()
    grown[:, 1:] *= 1 - np.cumsum(half * (decayed[:, 1:] + decayed[:, :-1]), axis=-1)
    return np.asarray(grown)

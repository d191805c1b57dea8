"""Page writes in constant memory: all of them, or those of a hashed sample of pages.

A page is in the sample if a hash of its address is below a threshold; when the sample becomes too
large, the threshold is halved and pages are dropped [1]_. Every page of the sample keeps all of its
writes in order, so the sample is a smaller drive under the same workload [2]_.

References:
    .. [1] C. A. Waldspurger, N. Park, A. Garthwaite, I. Ahmad, "Efficient MRC Construction with
       SHARDS", USENIX FAST 2015 (spatially hashed sampling of fixed size).
    .. [2] C. Waldspurger, T. Saemundsson, I. Ahmad, N. Park, "Cache Modeling and Optimization using
       Miniature Simulations", USENIX ATC 2017.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.units import KIB
from planner.telemetry.traces.layouts import READ, TRIM
from planner.telemetry.traces.requests import Requests

Keys = NDArray[np.uint64]

PAGE_BYTES = int(4 * KIB)
ROOM = 1 << 21
_AT_ONCE = 1 << 20
_VOLUME_SHIFT = np.uint64(42)
_TRIMMED = np.uint64(1) << np.uint64(63)
_WHOLE = 1 << 32


class PageLives(NamedTuple):
    """Page and lifetime of each write in order, for a trace that is repeated.

    A lifetime is the number of page writes until the overwrite or trim of the page.
    """

    page: NDArray[np.int64]
    lifetime: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWrites:
    """Page writes and trims in order, of a sample of one page in `one_in`.

    Attributes:
        pages: Page numbers, 0 to `footprint_pages` - 1, in the order of the writes and trims.
        trims: Whether an entry is a trim instead of a write.
        written: All page writes of the trace, sampled or not.
    """

    pages: NDArray[np.uint32]
    trims: NDArray[np.bool_]
    one_in: float
    written: int
    page_bytes: float = PAGE_BYTES

    @property
    def footprint_pages(self) -> int:
        """Pages of the sample that are written at least once."""
        return int(self.pages.max()) + 1 if self.pages.size else 0

    @property
    def counts(self) -> NDArray[np.int64]:
        """Writes of each page."""
        return np.bincount(self.pages[~self.trims], minlength=self.footprint_pages)

    def lives(self) -> PageLives:
        """Return the lifetimes of the writes if the trace is repeated forever."""
        if not self.pages.size:
            return PageLives(np.empty(0, np.int64), np.empty(0, np.int64))
        clock = np.cumsum(~self.trims)
        order = np.argsort(self.pages, kind="stable")
        page, at = self.pages[order].astype(np.int64), clock[order]
        total = int(clock[-1])
        starts = np.flatnonzero(np.diff(page, prepend=-1))
        ends = np.append(starts[1:], page.size) - 1
        following = np.empty_like(at)
        following[:-1] = at[1:]
        following[ends] = at[starts] + total
        # A trim does not advance the clock of page writes.
        lifetime: NDArray[np.int64] = np.empty_like(at)
        lifetime[order] = np.maximum(following - at, 0)
        return PageLives(self.pages[~self.trims].astype(np.int64), lifetime[~self.trims])


class Sampler:
    """Collects page writes request by request."""

    def __init__(self, *, page_bytes: int = PAGE_BYTES, room: int = ROOM) -> None:
        self.page_bytes, self.room = page_bytes, room
        self.threshold = _WHOLE
        self.written = 0
        self._parts: list[Keys] = []
        self._held = 0

    def add(self, requests: Requests) -> None:
        """Add the writes and trims of a block of requests."""
        chosen = (requests.kind != READ) & (requests.size_bytes > 0)
        kind, volume = requests.kind[chosen], requests.volume[chosen]
        offset, size = requests.offset_bytes[chosen], requests.size_bytes[chosen]
        trim = kind == TRIM
        page = self.page_bytes
        first = np.where(trim, -(-offset // page), offset // page)  # a trim frees whole pages
        last = np.where(trim, (offset + size) // page - 1, (offset + size - 1) // page)
        count = np.maximum(last - first + 1, 0)
        self.written += int(count[~trim].sum())
        start = first.astype(np.uint64) | (volume.astype(np.uint64) << _VOLUME_SHIFT)
        start |= np.where(trim, _TRIMMED, np.uint64(0))
        large = np.flatnonzero(trim & (count > _AT_ONCE)).tolist()
        for begin, end in zip([0, *(at + 1 for at in large)], [*large, count.size], strict=True):
            for low, high in _slices(count[begin:end]):
                part = slice(begin + low, begin + high)
                self._keep(_expanded(start[part], count[part]))
            if end < count.size:
                self._trim_range(int(start[end]), int(count[end]))

    def _trim_range(self, start: int, count: int) -> None:
        """Add a trim of many pages at once, of which only those written before are kept."""
        self._compact()
        low = np.uint64(start & ~int(_TRIMMED))
        known = _distinct(self._parts[0][self._parts[0] < _TRIMMED]) if self._parts else _none()
        first, end = np.searchsorted(known, [low, low + np.uint64(count)])
        self._keep(known[first:end] | _TRIMMED)

    def _keep(self, keys: Keys) -> None:
        if self.threshold < _WHOLE:
            keys = keys[_hash(keys) < self.threshold]
        if keys.size:
            self._parts.append(keys)
            self._held += keys.size
        while self._held > self.room:
            self.threshold //= 2
            self._compact()

    def _compact(self) -> None:
        if not self._parts:
            return
        for i, part in enumerate(self._parts):
            if self.threshold < _WHOLE:
                self._parts[i] = part[_hash(part) < self.threshold]
        whole = np.concatenate(self._parts)
        self._parts, self._held = [whole], whole.size

    def result(self) -> PageWrites:
        """Return the page writes and trims, without trims of pages that are never written."""
        self._compact()
        keys = self._parts[0] if self._parts else _none()
        trims = keys >= _TRIMMED
        bare = keys & ~_TRIMMED
        order = np.argsort(bare, kind="stable")
        fresh = np.diff(bare[order], prepend=~bare[order[:1]]) != 0
        number = np.empty(keys.size, np.int64)
        number[order] = np.cumsum(fresh) - 1
        is_written = np.bincount(number[~trims], minlength=int(fresh.sum())) > 0
        kept = is_written[number]
        place = (np.cumsum(is_written) - 1)[number]
        return PageWrites(
            pages=place[kept].astype(np.uint32),
            trims=trims[kept],
            one_in=_WHOLE / self.threshold,
            written=self.written,
            page_bytes=self.page_bytes,
        )


class Distinct:
    """Counts distinct pages by their smallest hashes: exactly up to `size`, then to within 1 %."""

    def __init__(self, *, page_bytes: int = PAGE_BYTES, size: int = 1 << 16) -> None:
        self.page_bytes, self.size = page_bytes, size
        self.least: NDArray[np.uint64] = _none()
        self.bound = np.uint64(2**64 - 1)

    def add(self, requests: Requests) -> None:
        """Add the reads and writes of a block of requests."""
        chosen = requests.kind != TRIM
        offset, size = requests.offset_bytes[chosen], requests.size_bytes[chosen]
        volume = requests.volume[chosen].astype(np.uint64)
        first, last = offset // self.page_bytes, (offset + size - 1) // self.page_bytes
        start = first.astype(np.uint64) | (volume << _VOLUME_SHIFT)
        count = np.where(size > 0, last - first + 1, 0)
        for low, high in _slices(count):
            marks = _mix(_expanded(start[low:high], count[low:high]))
            fresh = marks[marks < self.bound]
            if fresh.size:
                self.least = _distinct(np.concatenate([self.least, fresh]))
            if self.least.size > self.size:
                self.least = self.least[: self.size]
                self.bound = self.least[-1]

    @property
    def count(self) -> float:
        """Distinct pages."""
        if self.least.size < self.size:
            return float(self.least.size)
        return (self.size - 1) / (float(self.bound) / 2**64)


def _none() -> Keys:
    return np.empty(0, np.uint64)


def _distinct(keys: Keys) -> Keys:
    """Return sorted distinct keys, four times as fast as `np.unique`, which hashes them."""
    ordered = np.sort(keys)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if keys.size else keys


def _slices(count: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Split requests into runs of at most about a million pages."""
    if not count.size:
        return []
    upto = np.cumsum(count)
    if upto[-1] <= _AT_ONCE:
        return [(0, count.size)]
    cuts = np.searchsorted(upto, np.arange(_AT_ONCE, upto[-1], _AT_ONCE), side="left") + 1
    edges = np.unique(np.concatenate([[0], cuts, [count.size]]))
    return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))


def _expanded(start: Keys, count: NDArray[np.int64]) -> Keys:
    """Return the keys of all pages in ranges of pages."""
    total = int(count.sum())
    if total == count.size and (count == 1).all():
        return start
    before = np.cumsum(count) - count
    within = np.arange(total, dtype=np.int64) - np.repeat(before, count)
    return np.repeat(start, count) + within.astype(np.uint64)


def _mix(keys: Keys) -> Keys:
    """Scatter keys over 64 bits (the finaliser of splitmix64)."""
    x = keys + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _hash(keys: Keys) -> Keys:
    return _mix(keys & ~_TRIMMED) >> np.uint64(32)

"""A write-back cache that evicts the page used least recently, request by request.

It shares no code with `models.dram_cache`: a dictionary from page to whether it is dirty, whose
order is that of use.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CHUNK = 1 << 18


@dataclass(frozen=True, slots=True)
class Counts:
    """Per request: hits, pages destaged; and mean dirty pages."""

    hit: float
    destaged: float
    dirty: float


def simulated_cache(
    weights: NDArray[np.float64],
    *,
    cache_pages: int,
    write_fraction: float,
    warmup: int,
    measured: int,
    windows: int,
    seed: int = 1,
) -> list[Counts]:
    """Run a cache of pages drawn by weight, and count it in windows of equal length."""
    rng = np.random.default_rng(seed)
    edges = np.cumsum(weights)
    held: dict[int, bool] = {}
    _requests(held, rng, edges, cache_pages, write_fraction, warmup)
    length = measured // windows
    return [
        _requests(held, rng, edges, cache_pages, write_fraction, length) for _ in range(windows)
    ]


def _requests(
    held: dict[int, bool],
    rng: np.random.Generator,
    edges: NDArray[np.float64],
    cache_pages: int,
    write_fraction: float,
    count: int,
) -> Counts:
    hits = destaged = area = 0
    dirty = sum(held.values())
    for first in range(0, count, CHUNK):
        some = min(CHUNK, count - first)
        pages = np.searchsorted(edges, rng.random(some) * edges[-1], side="right").tolist()
        writes = (rng.random(some) < write_fraction).tolist()
        for page, written in zip(pages, writes, strict=True):
            was = held.pop(page, None)
            if was is None:
                if len(held) >= cache_pages and held.pop(next(iter(held))):
                    destaged += 1
                    dirty -= 1
                was = False
            else:
                hits += 1
            held[page] = was or written
            dirty += written and not was
            area += dirty
    return Counts(hits / count, destaged / count, area / count)

"""A write-back cache that evicts the page used least recently, request by request.

Independent of the shipped approximation: an ordered dictionary from page to whether it is
dirty, oldest first. Requests are drawn independently, in chunks, from page probabilities.
"""

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Counts:
    """Per request: hits, pages destaged, reads that missed; and mean dirty pages."""

    hit: float
    destaged: float
    read_missed: float
    dirty: float


def requests(weights, count, rng, chunk=1 << 20):
    """Yield `count` page numbers."""
    edges = np.cumsum(weights, dtype=float)
    while count > 0:
        drawn = rng.random(min(count, chunk)) * edges[-1]
        yield from np.searchsorted(edges, drawn, side="right").tolist()
        count -= chunk


def simulate(weights, cache_pages, write_fraction, warmup, measured, seed=0):
    """Run a cache of `cache_pages` and count over the last `measured` requests."""
    rng = np.random.default_rng(seed)
    dice = np.random.default_rng(seed + 1)
    held: OrderedDict[int, bool] = OrderedDict()
    hits = destaged = read_missed = dirty_sum = dirty = 0
    for number, page in enumerate(requests(weights, warmup + measured, rng), -warmup):
        if number == 0:
            hits = destaged = read_missed = dirty_sum = 0
        writes = dice.random() < write_fraction
        was = held.pop(page, None)
        if was is None:
            read_missed += not writes
            if len(held) >= cache_pages:
                _, out = held.popitem(last=False)
                destaged += out
                dirty -= out
            held[page] = writes
            dirty += writes
        else:
            hits += 1
            held[page] = was or writes
            dirty += writes and not was
        dirty_sum += dirty
    return Counts(
        hits / measured, destaged / measured, read_missed / measured, dirty_sum / measured
    )


def flush(weights, write_fraction, mean_per_period, periods, seed=0):
    """Pages flushed per period, and mean dirty pages, of Poisson writes flushed periodically."""
    rng = np.random.default_rng(seed)
    share = np.asarray(weights, float) / np.sum(weights)
    flushed = dirty = 0.0
    for _ in range(periods):
        count = rng.poisson(mean_per_period * write_fraction)
        when = np.sort(rng.random(count))
        first: dict[int, float] = {}
        for page, moment in zip(rng.choice(share.size, count, p=share).tolist(), when, strict=True):
            first.setdefault(page, moment)
        flushed += len(first)
        dirty += sum(1 - moment for moment in first.values())
    return flushed / periods, dirty / periods

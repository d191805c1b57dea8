"""Cache in memory, least recently used page out first: hits, destaging, dirty pages."""

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from models import dram_cache
from validation.speed.case import Finding, Row, Task, half_width
from validation.speed.lru import simulated_cache

TOPIC = "cache in memory"
PAGES = 20_000
REQUESTS = 1_500_000
BOUND = 0.015


def memory_tasks(quick: bool) -> Iterator[Task]:
    """Yield popularities, cache sizes and shares of writes."""
    exponents = (0.99,) if quick else (0.0, 0.6, 0.99, 1.2)
    shares = (0.05,) if quick else (0.01, 0.05, 0.3)
    for exponent, share, writes in product(exponents, shares, (0.3,) if quick else (1.0, 0.3)):
        name = f"Zipf {exponent:g}, {share:.0%} cached, {writes:.0%} writes"
        yield Task(
            topic=TOPIC, name=name, work_s=3.0,
            measure=partial(_cached, name, exponent, round(share * PAGES), writes, quick),
        )  # fmt: skip


def _cached(name: str, exponent: float, cache: int, writes: float, quick: bool) -> Finding:
    weights = np.arange(1, PAGES + 1.0) ** -exponent
    classes = {"request_shares": weights, "class_pages": np.ones(PAGES)}
    age = float(dram_cache.characteristic_requests(cache, **classes))
    counted = simulated_cache(
        weights, cache_pages=cache, write_fraction=writes, warmup=int(4 * age + PAGES),
        measured=REQUESTS // 4 if quick else REQUESTS, windows=10,
    )  # fmt: skip
    models = {
        "hit": dram_cache.hit_ratio(cache, **classes),
        "destaged": dram_cache.destage_ratio(cache, write_fraction=writes, **classes),
        "dirty": dram_cache.dirty_pages(cache, write_fraction=writes, **classes),
    }
    labels = {"hit": ("cache hits", ""), "destaged": ("pages destaged per request", ""),
            "dirty": ("dirty pages", "pages")}  # fmt: skip
    rows = []
    for key, model in models.items():
        seen = [getattr(window, key) for window in counted]
        group, unit = labels[key]
        rows.append(
            Row(
                group=group, case=name, modelled=float(model), simulated=float(np.mean(seen)),
                noise=half_width(seen) if np.mean(seen) else 0.0, bound=BOUND, unit=unit,
            )
        )  # fmt: skip
    return Finding(rows=tuple(rows))

"""Bursts into a write cache of one bit per cell: one burst, and one after the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Literal

import numpy as np

from models import slc_cache
from models.simulator.events import Config, Result, SlcCache, run
from validation.speed.case import Finding, Row, Task

TOPIC = "write cache in single-level cells"
PROGRAM = 4  # pages
FAST_S, DENSE_S, READ_S, TRANSFER_S = 200e-6, 1.2e-3, 30e-6, 10e-6
IDLE_S = 1e-4
WRITERS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """A drive with a cache; sizes in pages."""

    dies: int
    static_pages: int
    when_full: Literal["direct", "fold"]
    free_pages: int = 0

    @property
    def name(self) -> str:
        """Name within its group."""
        free = f" and {self.free_pages} free dense pages" if self.free_pages else ""
        then = "past it" if self.when_full == "direct" else "folding"
        return f"{self.dies} dies, {self.static_pages} pages{free}, then {then}"

    @property
    def pages(self) -> float:
        """Size of the cache at the start."""
        return slc_cache.cache_bytes(self.static_pages, free_bytes=self.free_pages, bits_per_cell=3)

    @property
    def cached_iops(self) -> float:
        """Rate within the cache."""
        return self._rate(FAST_S + PROGRAM * TRANSFER_S)

    @property
    def fold_iops(self) -> float:
        """Rate at which folding empties the cache."""
        return self._rate(READ_S + DENSE_S + 2 * PROGRAM * TRANSFER_S)

    @property
    def full_iops(self) -> float:
        """Rate once the cache is full."""
        if self.when_full == "direct":
            return self._rate(DENSE_S + PROGRAM * TRANSFER_S)
        return slc_cache.forced_fold_bytes_per_s(self.cached_iops, fold_bytes_per_s=self.fold_iops)

    def _rate(self, program_s: float) -> float:
        return self.dies * PROGRAM / program_s


def slc_tasks(quick: bool) -> Iterator[Task]:
    """Yield single bursts and bursts at a steady pace."""
    fulls: tuple[Literal["direct", "fold"], ...] = ("direct", "fold")
    for dies, when_full in product((8,) if quick else (8, 16), fulls):
        cache = Cache(dies=dies, static_pages=20_000, when_full=when_full)
        sizes = (15_000, 60_000) if quick else (15_000, 25_000, 60_000, 150_000)
        yield _task("bursts", cache, partial(_bursts, cache, sizes))
    if not quick:
        cache = Cache(dies=8, static_pages=5000, free_pages=300_000, when_full="direct")
        yield _task("bursts", cache, partial(_bursts, cache, (50_000, 100_000, 150_000)))
    paces = (
        ((10_000, 0.3),)
        if quick
        else ((10_000, 0.3), (10_000, 0.45), (10_000, 0.55), (30_000, 0.8))
    )
    for (burst, cycle_s), held in product(paces, (50_000,) if quick else (50_000, 200_000)):
        cache = Cache(dies=8, static_pages=held, when_full="direct")
        yield _task(
            f"{burst} pages every {cycle_s} s", cache, partial(_paced, cache, burst, cycle_s)
        )


def _task(what: str, cache: Cache, measure: partial[Finding]) -> Task:
    return Task(topic=TOPIC, name=f"{what}, {cache.name}", measure=measure, work_s=1.0)


def _bursts(cache: Cache, sizes: tuple[int, ...]) -> Finding:
    rows = []
    for size in sizes:
        model = slc_cache.burst_s(
            size, slc_cache_bytes=cache.pages, cached_write_bytes_per_s=cache.cached_iops,
            folded_write_bytes_per_s=cache.full_iops,
        )  # fmt: skip
        result = run(_config(cache, burst=size, cycle_s=2 * model, length_s=2 * model))
        rows.append(
            Row(
                group="time of a burst", case=f"{size} pages, {cache.name}", modelled=model,
                simulated=float(result.bursts_s[0]), noise=0.0, bound=0.01, unit="s",
            )
        )  # fmt: skip
    return Finding(rows=tuple(rows))


def _paced(cache: Cache, burst: int, cycle_s: float) -> Finding:
    given = {
        "slc_cache_bytes": cache.pages, "cached_write_bytes_per_s": cache.cached_iops,
        "fold_bytes_per_s": cache.fold_iops,
    }  # fmt: skip
    # Folding begins when the last programs are done and the drive has waited for a while. What is
    # half folded when the next burst comes is finished; a burst that fits is as much later.
    folds_s = cycle_s - IDLE_S - PROGRAM * TRANSFER_S
    fold_s = READ_S + DENSE_S + 2 * PROGRAM * TRANSFER_S
    first = slc_cache.first_slow_burst(burst, cycle_s=folds_s - FAST_S, **given)
    steady = slc_cache.steady_burst_s(
        burst, cycle_s=folds_s - DENSE_S + fold_s / 2, folded_write_bytes_per_s=cache.full_iops,
        **given,
    )  # fmt: skip
    count = 60 if np.isinf(first) else int(first) + 60
    result = run(_config(cache, burst=burst, cycle_s=cycle_s, length_s=count * cycle_s))
    case = f"{burst} pages every {cycle_s:g} s, {cache.name}"
    last = result.bursts_s[-20:]
    rows = [
        Row(
            group="time of a burst in the long run", case=case, modelled=steady,
            simulated=float(np.mean(last)), noise=float(np.ptp(last) / np.mean(last) / 2),
            bound=0.01, unit="s",
        )
    ]  # fmt: skip
    seen = _first_slow(result, burst / cache.cached_iops)
    rows.append(
        Row(
            group="first slow burst", case=case, modelled=first, simulated=seen, noise=0.0,
            bound=1 / min(seen, 1e9) + 1e-9, unit="bursts",  # one burst more or less
        )
    )  # fmt: skip
    return Finding(rows=tuple(rows))


def _first_slow(result: Result, fast_s: float) -> float:
    slow = np.flatnonzero(result.bursts_s > 1.02 * fast_s)
    return float(slow[0] + 1) if slow.size else np.inf


def _config(cache: Cache, *, burst: int, cycle_s: float, length_s: float) -> Config:
    return Config(
        dies=cache.dies, channels=cache.dies, blocks_per_die=1000, pages_per_block=128,
        pages_per_program=PROGRAM, op_ratio=0.1, read_s=60e-6, program_s=DENSE_S, erase_s=4e-3,
        transfer_s=TRANSFER_S, buffer_pages=cache.dies * PROGRAM, writers=WRITERS,
        writes="sequential", burst_pages=burst, burst_period_s=cycle_s,
        slc=SlcCache(
            program_s=FAST_S, read_s=READ_S, static_pages=cache.static_pages,
            free_pages=cache.free_pages, when_full=cache.when_full, folding="idle", idle_s=IDLE_S,
        ),
        measured_s=length_s, window_s=length_s / 10,
    )  # fmt: skip

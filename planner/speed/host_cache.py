"""What does a write-back cache in the host's memory gain, and what does a crash lose?"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from models import _check, dram_cache, mixing, queueing
from models.units import DAY_S, YEAR_S
from planner.graph.answer import Answer, figure, first_known, given, unknown
from planner.scenario.workload import Workload
from planner.sections.flash import PAGE_BYTES
from planner.speed import Speed

PAGES = (
    "Pages of 4 KiB, each as popular as its class of the workload's skew, reads as writes; the "
    "cache evicts what was used least recently."
)
UNPROTECTED = (
    "What is dirty in the host's memory is lost in a crash, whatever capacitors the drive has."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCache:
    """A write-back cache in memory, such as RAPID mode.

    `memory_iops` is what memory and software serve, `flush_s` the time from flush to flush,
    `crash_interval_s` the mean time between crashes and power failures.
    """

    cache_bytes: float
    flush_s: float = 5.0
    crash_interval_s: float = 90 * DAY_S
    memory_iops: float = 1e6

    def __post_init__(self) -> None:
        """Refuse a field outside its range, by name."""
        _check.finite(
            cache_bytes=self.cache_bytes,
            flush_s=self.flush_s,
            crash_interval_s=self.crash_interval_s,
            memory_iops=self.memory_iops,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cached:
    """Throughput with the cache and without, and what is at risk."""

    cache: HostCache
    hit_ratio: Answer
    destage_ratio: Answer
    uncached_fresh_iops: Answer
    cached_fresh_iops: Answer
    uncached_iops: Answer
    cached_iops: Answer
    dirty_bytes: Answer
    exposed_bytes: Answer
    lost_bytes_per_s: Answer
    loss_probability: Answer
    flushes: tuple[Answer, ...]
    notes: tuple[str, ...] = (PAGES, UNPROTECTED)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order in which people read them."""
        return (
            self.hit_ratio,
            self.destage_ratio,
            self.uncached_fresh_iops,
            self.cached_fresh_iops,
            self.uncached_iops,
            self.cached_iops,
            self.dirty_bytes,
            self.exposed_bytes,
            self.lost_bytes_per_s,
            self.loss_probability,
            *self.flushes,
        )


def host_cache(answer: Speed, workload: Workload, cache: HostCache) -> Cached:
    """Return what `cache` before the drive gains under the workload, in steady state.

    >>> from planner.catalogue import find, load
    >>> from planner.speed import speed
    >>> load_ = Workload(host_bytes_per_s=1e6, read_fraction=0, fill_fraction=0.02)
    >>> drive = speed(find(load(), "840 EVO 250"), load_)
    >>> got = host_cache(drive, load_, HostCache(cache_bytes=1e9))
    >>> got.cached_iops.value > got.uncached_iops.value
    True
    """
    pages = given("cache_pages", cache.cache_bytes / PAGE_BYTES, source="user")
    write_fraction = given("write_fraction", 1 - workload.read_fraction, source="workload")
    popularity = _popularity(answer, workload)
    hit = figure("hit_ratio", dram_cache.hit_ratio, cache_pages=pages, **popularity)
    behind = {"cache_pages": pages, "write_fraction": write_fraction, **popularity}
    destage = figure("destage_ratio", dram_cache.destage_ratio, **behind)
    cached = partial(_cached_iops, cache, hit, destage, workload)
    fresh, steady = answer.fresh_write_iops, answer.steady_write_iops
    reads = given("read_fraction", workload.read_fraction, source="workload")
    dirty = _dirty_bytes(workload, figure("dirty_pages", dram_cache.dirty_pages, **behind))
    exposed = figure(
        "exposed_bytes",
        dram_cache.exposed_bytes,
        dirty_bytes=dirty,
        write_bytes_per_s=given("host_bytes_per_s", workload.host_bytes_per_s, source="workload"),
        flush_s=given("flush_s", cache.flush_s, source="user"),
    )
    crashes = given("crash_interval_s", cache.crash_interval_s, source="user")
    return Cached(
        cache=cache,
        hit_ratio=hit,
        destage_ratio=destage,
        uncached_fresh_iops=figure(
            "uncached_fresh_iops", mixing.mixed_iops, read_fraction=reads,
            **_rates(answer, workload, fresh),
        ),
        cached_fresh_iops=cached(
            _rates(answer, workload, answer.deep_fresh_write_iops), key="cached_fresh_iops"
        ),
        uncached_iops=figure(
            "uncached_iops", mixing.mixed_iops, read_fraction=reads,
            **_rates(answer, workload, steady),
        ),
        cached_iops=cached(_rates(answer, workload, answer.deep_steady_write_iops)),
        dirty_bytes=dirty,
        exposed_bytes=exposed,
        lost_bytes_per_s=figure(
            "lost_bytes_per_s",
            dram_cache.lost_bytes_per_s,
            exposed_bytes=exposed,
            crash_interval_s=crashes,
        ),
        loss_probability=figure(
            "crash_probability",
            dram_cache.loss_probability,
            horizon_s=given("horizon_s", YEAR_S, source="definition"),
            crash_interval_s=crashes,
        ),
        flushes=_flushes(workload, cache, popularity),
    )  # fmt: skip


def _flushes(
    workload: Workload, cache: HostCache, popularity: dict[str, Answer]
) -> tuple[Answer, ...]:
    """Return what regular flushes write at the workload's own rate, dirty pages, and the gain."""
    keys = "flushed_iops", "flushed_dirty_pages", "combining_ratio"
    rate = np.asarray(workload.host_bytes_per_s) / PAGE_BYTES
    if not np.all(rate > 0):
        return tuple(unknown(key, ()) for key in keys)
    writes = {
        "request_iops": given("page_write_iops", _check.plain(rate), source="workload"),
        "write_fraction": given("all_writes", 1.0, source="definition"),
        "flush_s": given("flush_s", cache.flush_s, source="user"),
        **popularity,
    }
    count = given("pages_per_flush", max(1.0, float(rate) * cache.flush_s), source="workload")
    return (
        figure(keys[0], dram_cache.flushed_iops, **writes),
        figure(keys[1], dram_cache.flushed_dirty_pages, **writes),
        figure(keys[2], dram_cache.combining_ratio, requests=count, **popularity),
    )


def _dirty_bytes(workload: Workload, pages: Answer) -> Answer:
    if workload.read_fraction == 1:
        return given("dirty_bytes", 0.0, source="workload")
    return figure(
        "dirty_bytes",
        queueing.throughput_bytes_per_s,
        iops=pages,
        transfer_bytes=given("transfer_bytes", float(PAGE_BYTES), source="definition"),
    )


def _popularity(answer: Speed, workload: Workload) -> dict[str, Answer]:
    """Return shares of requests and pages by class, over the data in use."""
    write_shares, page_shares = workload.classes
    used: NDArray[np.float64] = (
        np.array(page_shares) * answer.drive.capacity_bytes * workload.fill_fraction / PAGE_BYTES
    )
    return {
        "request_shares": given("request_shares", write_shares, source="workload"),
        "class_pages": given("class_pages", used, source="workload"),
    }


def _rates(answer: Speed, workload: Workload, writes: Answer) -> dict[str, Answer]:
    """Return the drive's own rates; a side of which there is none may be missing.

    The cache writes many pages at once, whatever the queue depth of the host.
    """
    reads = answer.random_read_iops
    return {
        "read_iops": first_known(reads, writes) if workload.read_fraction == 0 else reads,
        "write_iops": first_known(writes, reads) if workload.read_fraction == 1 else writes,
    }


def _cached_iops(
    cache: HostCache, hit: Answer, destage: Answer, workload: Workload, rates: dict[str, Answer],
    key: str = "cached_iops",
) -> Answer:  # fmt: skip
    reads = given("read_fraction", workload.read_fraction, source="workload")
    return figure(
        key,
        dram_cache.cached_iops,
        memory_iops=given("memory_iops", cache.memory_iops, source="user"),
        read_miss_ratio=figure(
            "read_miss_ratio", dram_cache.read_miss_ratio, hit_ratio=hit, read_fraction=reads
        ),
        destage_ratio=destage,
        **rates,
    )

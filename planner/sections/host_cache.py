"""Gain of a write-back cache in the host's memory, and the loss in a crash."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from models import _check, dram_cache, mixing, queueing
from models.units import DAY_S, YEAR_S
from planner.graph.answer import Answer, given
from planner.graph.nodes import Argument, Call, Const, FirstKnown, Graph, Leaf, Named, Node, When
from planner.scenario.workload import Workload
from planner.sections.flash import PAGE_BYTES
from planner.sections.service import READS
from planner.sections.speed import Speed, speed_graph
from planner.sections.speed_case import ANY, WRITE_FRACTION, SpeedCase

PAGES = (
    "Pages of 4 KiB, each as popular as its class of the workload's skew, reads as writes; the "
    "cache evicts what was used least recently."
)
UNPROTECTED = (
    "What is dirty in the host's memory is lost in a crash, whatever capacitors the drive has."
)
WAITS = (
    "The longest write is the drive's own where nothing is flushed before; a flush, or a full "
    "buffer, makes one write wait for what is written first: the data of one interval, or all "
    "that is dirty."
)
NO_LONGEST = "Longest write of the drive unknown: left out."
# In the order in which people read them.
ANSWERS = (
    "hit_ratio", "destage_ratio", "uncached_fresh_iops", "cached_fresh_iops", "uncached_iops",
    "cached_iops", "uncached_fresh_latency_s", "cached_fresh_latency_s", "uncached_latency_s",
    "cached_latency_s", "uncached_fresh_bytes_per_s", "cached_fresh_bytes_per_s",
    "uncached_bytes_per_s", "cached_bytes_per_s", "memory_bytes_per_s", "least_flush_wait_s",
    "flush_wait_s", "most_flush_wait_s", "dirty_bytes", "exposed_bytes", "lost_bytes_per_s",
    "crash_probability", "flushed_iops", "flushed_dirty_pages", "combining_ratio",
)  # fmt: skip
_WRITTEN, _PAGE_WRITES = Leaf("host_bytes_per_s:cached"), Leaf("page_write_iops")
_FLUSH_S, _CRASHES_S = Leaf("flush_s"), Leaf("crash_interval_s")
_DEPTH = Leaf("queue_depth:cached")
_POPULARITY: dict[str, Argument] = {
    "request_shares": Leaf("request_shares"), "class_pages": Leaf("class_pages"),
}  # fmt: skip
_BEHIND: dict[str, Argument] = {
    "cache_pages": Leaf("cache_pages"), "write_fraction": WRITE_FRACTION, **_POPULARITY,
}  # fmt: skip
_FLUSHED: dict[str, Argument] = {
    "request_iops": _PAGE_WRITES, "write_fraction": Const("all_writes", 1.0),
    "flush_s": _FLUSH_S, **_POPULARITY,
}  # fmt: skip


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
    """Throughput, latency and bandwidth with the cache and without, and what is at risk."""

    cache: HostCache
    answers: tuple[Answer, ...]
    notes: tuple[str, ...] = (PAGES, UNPROTECTED, WAITS)

    def __getitem__(self, key: str) -> Answer:
        """Return an answer by key."""
        return next(answer for answer in self.answers if answer.key == key)


@cache
def host_cache_graph(case: SpeedCase) -> Graph:
    """Return every answer of a speed and of a cache in the host's memory."""
    speed = speed_graph(case).answers
    return Graph(speed | host_cache_nodes(speed))


def host_cache_nodes(of: dict[str, Node]) -> dict[str, Node]:
    """Return throughput with the cache and without, the bytes at risk, and the writes of flushes.

    The cache writes many pages at once, whatever the queue depth of the host.
    """

    def by_class(key: str, inputs: dict[str, Argument]) -> Call:
        return Call(key, getattr(dram_cache, key), inputs, axis="class", folds=True)

    hit = by_class("hit_ratio", {"cache_pages": _BEHIND["cache_pages"], **_POPULARITY})
    destage = by_class("destage_ratio", _BEHIND)
    memory: dict[str, Argument] = {
        "memory_iops": Leaf("memory_iops"),
        "read_miss_ratio": Call("read_miss_ratio", dram_cache.read_miss_ratio,
                                {"hit_ratio": hit, "read_fraction": READS}),
        "destage_ratio": destage,
    }  # fmt: skip
    rates = {
        name: _rates(name, of["random_read_iops"], of[node])
        for name, node in (
            ("uncached_fresh_iops", "fresh_write_iops"),
            ("cached_fresh_iops", "deep_fresh_write_iops"),
            ("uncached_iops", "steady_write_iops"),
            ("cached_iops", "deep_steady_write_iops"),
        )
    }
    dirty = FirstKnown(
        "dirty_bytes:any",
        (
            When(READS, Const("dirty_bytes:none", 0.0, "workload"), (1.0,)),
            _bytes("dirty_bytes", by_class("dirty_pages", _BEHIND)),
        ),
    )  # fmt: skip
    exposed = Call(
        "exposed_bytes",
        dram_cache.exposed_bytes,
        {"dirty_bytes": dirty, "write_bytes_per_s": _WRITTEN, "flush_s": _FLUSH_S},
    )
    flushed = {
        "flushed_iops": by_class("flushed_iops", _FLUSHED),
        "flushed_dirty_pages": by_class("flushed_dirty_pages", _FLUSHED),
        "combining_ratio": by_class("combining_ratio", {"requests": Leaf("pages_per_flush"),
                                                        **_POPULARITY}),
    }  # fmt: skip
    served: dict[str, Node] = {
        name: Call(name, dram_cache.cached_iops, {**memory, **sides})
        if name.startswith("cached")
        else Call(name, mixing.mixed_iops, {"read_fraction": READS, **sides})
        for name, sides in rates.items()
    }
    return {
        "hit_ratio": hit,
        "destage_ratio": destage,
        **served,
        **_latencies(served),
        "memory_bytes_per_s": _bytes("memory_bytes_per_s", Leaf("memory_iops")),
        **_waits(of, dirty),
        "dirty_bytes": dirty,
        "exposed_bytes": exposed,
        "lost_bytes_per_s": Call("lost_bytes_per_s", dram_cache.lost_bytes_per_s,
                                 {"exposed_bytes": exposed, "crash_interval_s": _CRASHES_S}),
        "crash_probability": Call("crash_probability", dram_cache.loss_probability,
                                  {"horizon_s": Const("horizon_s:year", YEAR_S),
                                   "crash_interval_s": _CRASHES_S}),
        **{name: When(_WRITTEN, node, least=ANY) for name, node in flushed.items()},
    }  # fmt: skip


def _bytes(key: str, pages: Argument) -> Call:
    """Return pages of 4 KiB in bytes, a number or a rate of them."""
    size = Const("transfer_bytes:page", float(PAGE_BYTES))
    inputs: dict[str, Argument] = {"iops": pages, "transfer_bytes": size}
    return Call(key, queueing.throughput_bytes_per_s, inputs)


def _latencies(served: dict[str, Node]) -> dict[str, Node]:
    """Return mean latency by Little's law, and bandwidth, of each rate."""
    found: dict[str, Node] = {}
    for name, iops in served.items():
        latency, moved = (name.replace("iops", unit) for unit in ("latency_s", "bytes_per_s"))
        found[latency] = Call(latency, queueing.latency_s, {"queue_depth": _DEPTH, "iops": iops})
        found[moved] = _bytes(moved, iops)
    return found


def _waits(of: dict[str, Node], dirty: Node) -> dict[str, Node]:
    """Return the longest latency of a write: least, behind a regular flush, and most."""
    own = FirstKnown(
        "max_latency_s:own",
        (of["longest_write_s"], Const("max_latency_s:unknown", 0.0, "assumption", NO_LONGEST)),
    )
    drain = _bytes("drain_bytes_per_s", of["deep_steady_write_iops"])
    interval = Call(
        "flushed_bytes", dram_cache.flushed_bytes,
        {"dirty_bytes": dirty, "write_bytes_per_s": _WRITTEN, "flush_s": _FLUSH_S},
    )  # fmt: skip
    flushed: dict[str, Node] = {"flush_wait_s": interval, "most_flush_wait_s": dirty}
    least: dict[str, Node] = {"least_flush_wait_s": Named("least_flush_wait_s", own)}
    return least | {
        key: Call(key, dram_cache.flush_wait_s,
                  {"flushed_bytes": each, "drain_bytes_per_s": drain, "max_latency_s": own})
        for key, each in flushed.items()
    }  # fmt: skip


def _rates(key: str, reads: Node, writes: Node) -> dict[str, Node]:
    """Return the drive's own rates; a side of which there is none may be missing."""
    return {
        "read_iops": FirstKnown(f"{key}:reads", (reads, When(READS, writes, (0.0,)))),
        "write_iops": FirstKnown(f"{key}:writes", (writes, When(READS, reads, (1.0,)))),
    }


def host_cache(speed: Speed, workload: Workload, cache: HostCache) -> Cached:
    """Read what `cache` before the drive gains under the workload, in steady state.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.speed import speed
    >>> load_ = Workload(host_bytes_per_s=1e6, read_fraction=0, fill_fraction=0.02)
    >>> drive = speed(find(load(), "840 EVO 250"), load_)
    >>> got = host_cache(drive, load_, HostCache(cache_bytes=1e9))
    >>> got["cached_iops"].value > got["uncached_iops"].value
    True
    """
    leaves = _leaves(speed, workload, cache)
    reading = speed.reading.extended(host_cache_graph(speed.case), leaves)
    return Cached(cache=cache, answers=tuple(reading[name] for name in ANSWERS))


def _leaves(speed: Speed, workload: Workload, cache: HostCache) -> dict[str, Answer]:
    """Return the cache and what it holds: shares of requests and pages by class, in use."""
    write_shares, page_shares = workload.classes
    used = np.array(page_shares) * speed.drive.capacity_bytes * workload.fill_fraction
    pages_per_s = float(np.asarray(workload.host_bytes_per_s)) / PAGE_BYTES
    of_user: dict[str, ArrayLike] = {
        "cache_pages": cache.cache_bytes / PAGE_BYTES, "memory_iops": cache.memory_iops,
        _FLUSH_S.key: cache.flush_s,
        _DEPTH.key: speed.queue_depth, _CRASHES_S.key: cache.crash_interval_s,
    }  # fmt: skip
    of_workload: dict[str, ArrayLike] = {
        "request_shares": write_shares, "class_pages": used / PAGE_BYTES,
        _WRITTEN.key: workload.host_bytes_per_s, _PAGE_WRITES.key: pages_per_s,
        "pages_per_flush": max(1.0, pages_per_s * cache.flush_s),
    }  # fmt: skip
    return {
        key: given(key.partition(":")[0], value, source=source)
        for source, values in (("user", of_user), ("workload", of_workload))
        for key, value in values.items()
    }

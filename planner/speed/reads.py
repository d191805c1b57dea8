"""Random reads: how many at the queue depth, and how long each takes beside the writes."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from models import flash_reads, latency_tail, queueing
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, composed, figure, first_known, given, unknown
from planner.scenario.workload import Workload
from planner.sections.flash import PAGE_BYTES, Flash

__all__ = [
    "CLOSED",
    "CROWDED",
    "LOAD",
    "QUANTILES",
    "closed_quantiles_s",
    "open_quantiles_s",
    "read_iops",
]

QUANTILES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
FOREVER_S = 1e6
READERS_PER_DIE = 2  # at most, for readers one by one
LOAD = (
    "Read latency is at the workload's own rates, not at saturation; reads go before programs "
    "and erases in waiting, and nothing is suspended."
)
CROWDED = (
    "With more readers than dies, reads wait for each other more than is counted: against "
    "simulation the median comes out up to 18 % low, p99 up to 20 %, p99.9 and beyond 1 %."
)
CLOSED = (
    "Readers at the queue depth each wait for their last read, beside the workload's own writes; "
    "a read that an erase stops is one read late, so their percentiles are lower."
)


def link_s(link_iops: Answer) -> Answer:
    """Return the time of a read on the host link."""
    one = given("one", 1.0, source="definition")
    return figure("link_s", queueing.latency_s, queue_depth=one, iops=link_iops)


def read_iops(drive: Drive, flash: Flash, depth: Answer, link: Answer) -> Answer:
    """Return random reads at the queue depth; as printed where the dies are unknown."""
    modelled = figure(
        "modelled_read_iops",
        flash_reads.read_iops,
        queue_depth=_whole(depth),
        dies=flash.dies,
        channels=flash.channels,
        read_s=flash.read_s,
        transfer_s=flash.transfer_s,
        link_s=link_s(link),
    )
    return first_known(modelled, stated(drive, "random_read_iops"))


def _whole(depth: Answer) -> Answer:
    """Round a queue depth to operations outstanding."""
    if not depth.is_known:
        return depth
    return replace(depth, value=float(max(1, round(depth.value))))


def open_quantiles_s(flash: Flash, workload: Workload, wa: Answer) -> Answer:
    """Return quantiles of read latency at the workload's own rates, spread evenly over dies."""
    share = workload.read_fraction
    if share >= 1:
        return unknown(key="read_quantiles_s", lacking=())
    reads = workload.host_bytes_per_s / PAGE_BYTES * share / (1 - share)
    return composed(
        "read_quantiles_s",
        latency_tail.read_latency_s,
        _at_random,
        LOAD,
        read_iops=given("offered_read_iops", reads, source="workload"),
        **_beside(flash, workload, wa),
    )


def closed_quantiles_s(
    flash: Flash, workload: Workload, wa: Answer, depth: Answer, link: Answer
) -> Answer:
    """Return quantiles of the latency of readers at the queue depth, beside the writes."""
    return composed(
        "closed_read_quantiles_s",
        latency_tail.closed_read_latency_s,
        _at_depth,
        CLOSED,
        queue_depth=_whole(depth),
        link_s=link_s(link),
        **_beside(flash, workload, wa),
    )


def _beside(flash: Flash, workload: Workload, wa: Answer) -> dict[str, Answer]:
    """Return what a read meets: the flash and the writes on it."""
    writes = 0.0 if workload.read_fraction >= 1 else workload.host_bytes_per_s / PAGE_BYTES
    return {
        "dies": flash.dies,
        "channels": flash.channels,
        "wa": wa,
        "read_s": flash.read_s,
        "program_s": flash.program_s,
        "erase_s": flash.erase_s,
        "transfer_s": flash.transfer_s,
        "pages_per_program": flash.pages_per_program,
        "pages_per_block": flash.pages_per_block,
        "write_iops": given("offered_write_iops", writes, source="workload"),
    }


def _at_random(*, read_iops: float, **told: float) -> float:
    transfers, background = _load(told, read_iops)
    return latency_tail.read_latency_s(
        QUANTILES,
        die_read_iops=read_iops / told["dies"],
        die_read_s=told["read_s"] + told["transfer_s"],
        background=background,
        transfers=transfers,
    )


def _at_depth(*, queue_depth: float, link_s: float, **told: float) -> ArrayLike:
    """Take readers one by one while there are dies for them, else at random at their rate."""
    if queue_depth > READERS_PER_DIE * round(told["dies"]):
        return _crowded(queue_depth, link_s, told)
    readers = {
        "queue_depth": queue_depth,
        "dies": float(round(told["dies"])),
        "die_read_s": told["read_s"] + told["transfer_s"],
    }
    host_s, rate = link_s, 0.0
    for _ in range(2):
        _, background = _load(told, rate)
        alone = latency_tail.closed_read_iops(host_s=host_s, background=background, **readers)
        if alone == 0:
            return np.full(len(QUANTILES), math.inf)
        away_s = partial(_always, queue_depth / alone - host_s)
        rate, host_s = _through_link(queue_depth, link_s, away_s)
    transfers, background = _load(told, rate * (queue_depth - 1) / queue_depth)
    return latency_tail.closed_read_latency_s(
        QUANTILES, host_s=host_s + _channel_wait_s(transfers), background=background, **readers
    )


def _always(seconds: float, _: float) -> float:
    return seconds


def _crowded(queue_depth: float, link_s: float, told: Mapping[str, float]) -> ArrayLike:
    """Find the rate at which reads that arrive at random are `queue_depth` under way."""

    def away_s(rate: float) -> float:
        transfers, background = _load(told, rate)
        return latency_tail.mean_read_latency_s(
            rate / told["dies"],
            die_read_s=told["read_s"] + told["transfer_s"],
            background=background,
            transfers=transfers,
        )

    rate, host_s = _through_link(queue_depth, link_s, away_s)
    if not math.isfinite(host_s):
        return np.full(len(QUANTILES), math.inf)
    return host_s + np.asarray(_at_random(read_iops=rate, **told))


def _through_link(
    queue_depth: float, link_s: float, away_s: Callable[[float], float]
) -> tuple[float, float]:
    """Find the rate of a closed loop through the link and `away_s`; the link's wait grows with it.

    Infinite time where no rate fills the loop: readers then leave the writes no time.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - slow to import

    def on_link_s(rate: float) -> float:
        others = rate * link_s * (queue_depth - 1) / queue_depth
        return link_s * (1 - others / 2) / (1 - others)

    def excess(rate: float) -> float:
        return min(1.0, rate * (on_link_s(rate) + away_s(rate)) / queue_depth - 1)

    most = 1 / link_s
    if excess(most * 1e-9) > 0:
        return 0.0, math.inf
    if excess(most) < 0:
        return most, queue_depth * link_s - away_s(most)
    rate = brentq(excess, most * 1e-9, most, rtol=1e-6)
    if excess(rate * (1 - 1e-4)) < -0.01:
        return rate, math.inf
    return rate, on_link_s(rate)


def _channel_wait_s(transfers: latency_tail.Operations) -> float:
    """Return the mean wait for the channel; so long that nothing ever ends if it is saturated."""
    return min(FOREVER_S, latency_tail.mean_channel_wait_s(transfers))


def _load(
    told: Mapping[str, float], read_iops: float
) -> tuple[latency_tail.Operations, latency_tail.Operations]:
    """Return what a read meets on its channel and on its die."""
    timings = latency_tail.FlashTimings(
        read_s=told["read_s"],
        program_s=told["program_s"],
        erase_s=told["erase_s"],
        transfer_s=told["transfer_s"],
        pages_per_read=told["pages_per_program"],
        pages_per_program=told["pages_per_program"],
        pages_per_block=told["pages_per_block"],
    )
    die_write_iops = told["write_iops"] / told["dies"]
    transfers = latency_tail.channel_transfers(
        read_iops / told["dies"],
        die_write_iops=die_write_iops,
        wa=told["wa"],
        flash=timings,
        dies_per_channel=max(1.0, round(told["dies"] / told["channels"])),
    )
    background = latency_tail.background_operations(
        die_write_iops, wa=told["wa"], flash=timings, channel_wait_s=_channel_wait_s(transfers)
    )
    return transfers, background

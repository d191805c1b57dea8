"""Random reads: how many at the queue depth, and how long each takes beside the writes."""

from dataclasses import replace
from typing import NamedTuple

from models import latency_tail, queueing
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.catalogue.priors_flash import generation_of
from planner.catalogue.priors_kind import year_of
from planner.graph.answer import Answer, Argument, Record, figure, given, unknown
from planner.scenario.workload import Workload
from planner.sections.flash import PAGE_BYTES, Flash
from planner.speed.rates import modelled_load_iops
from planner.speed.units import offered_pages_per_s

SUSPENDING_SINCE = 2018  # year from which firmware is taken to let reads go first
QUANTILES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
LOAD = (
    "Read latency is at the workload's own rates, not at saturation; reads go before programs "
    "and erases in waiting, and nothing is suspended."
)
INTERRUPTED = (
    "Read latency is at the workload's own rates; reads interrupt programs and erases. On three "
    "measured data-center drives p99 and p99.9 lay within a factor of 1.5 at 90 % of the loads, "
    "within 2 at all; the median is rough above half of the steady write rate."
)
CLOSED_INTERRUPTED = (
    "Readers at the queue depth each wait for their last read, beside the workload's own writes, "
    "which they interrupt; they are taken to come at random, on the safe side where they are as "
    "many as the dies."
)
CROWDED = (
    "With more readers than dies, reads wait for each other more than is counted: against "
    "simulation the median comes out up to 23 % low, p99.9 and beyond within 4 %; percentiles on "
    "the step from reads that wait for a program to those that do not may be far off."
)
CLOSED = (
    "Readers at the queue depth each wait for their last read, beside the workload's own writes; "
    "a read that an erase stops is one read late, so their percentiles are lower."
)


class Beside(NamedTuple):
    """Writes beside the reads: what the dies have time for, how they amplify, the steady rate."""

    media: Answer
    wa: Answer
    steady: Answer


def link_s(link_iops: Answer) -> Answer:
    """Return the time of a read on the host link."""
    one = given("one", 1.0, source="definition")
    return figure("link_s", queueing.latency_s, queue_depth=one, iops=link_iops)


def _whole(depth: Answer) -> Answer:
    """Round a queue depth to operations outstanding."""
    if not depth.is_known:
        return depth
    return replace(depth, value=float(max(1, round(depth.value))))


def open_quantiles_s(drive: Drive, flash: Flash, workload: Workload, writes: Beside) -> Answer:
    """Return quantiles of read latency at the workload's own rates, spread evenly over dies."""
    share = workload.read_fraction
    if share >= 1:
        return unknown(key="read_quantiles_s", lacking=())
    reads = workload.host_bytes_per_s / PAGE_BYTES * share / (1 - share)
    offered = given("offered_read_iops", reads, source="workload")
    if (beside := _interrupted(drive, flash, workload, writes.steady)) is not None:
        load = {"read_iops": offered, "dies": flash.dies, "die_read_s": flash.read_s}
        return figure(
            "read_quantiles_s",
            latency_tail.typical_read_latency_s,
            INTERRUPTED,
            quantile=levels(),
            read_load=Record(latency_tail.ReadLoad, load),
            **beside,
        )
    return figure(
        "read_quantiles_s",
        latency_tail.loaded_read_latency_s,
        LOAD,
        quantile=levels(),
        read_iops=offered,
        **_beside(drive, flash, workload, writes),
    )


def closed_quantiles_s(
    drive: Drive, flash: Flash, workload: Workload, writes: Beside, depth: Answer, link: Answer
) -> Answer:
    """Return quantiles of the latency of readers at the queue depth, beside the writes."""
    if (beside := _interrupted(drive, flash, workload, writes.steady)) is not None:
        die = {"dies": flash.dies, "die_read_s": flash.read_s}
        return figure(
            "closed_read_quantiles_s",
            latency_tail.queued_typical_read_latency_s,
            CLOSED_INTERRUPTED,
            quantile=levels(),
            queue_depth=_whole(depth),
            read_load=Record(latency_tail.ReadLoad, die),
            **beside,
        )
    return figure(
        "closed_read_quantiles_s",
        latency_tail.queued_read_latency_s,
        CLOSED,
        quantile=levels(),
        queue_depth=_whole(depth),
        link_s=link_s(link),
        **_beside(drive, flash, workload, writes),
    )


def _interrupted(
    drive: Drive, flash: Flash, workload: Workload, steady: Answer
) -> dict[str, Argument] | None:
    """Return load, unloaded latency and times of the flash where reads interrupt the writes."""
    generation = generation_of(drive)
    if not generation.suspends or (year_of(drive) or 0) < SUSPENDING_SINCE:
        return None
    writes = offered_pages_per_s(drive, workload)
    printed = stated(drive, "read_latency_s")
    idle = {"read_s": flash.read_s} | ({"printed_s": printed} if printed.is_known else {})
    assumed = {"source": "assumption", "note": generation.ground}
    filled = given("programs_per_block", generation.programs_per_block, **assumed)
    times = {
        "program_s": given("one_shot_s", generation.one_shot_s[1], **assumed),
        "erase_s": flash.erase_s,
        "programs_per_block": filled,
    }
    return {
        "load_fraction": figure(
            "load_fraction",
            latency_tail.write_load_fraction,
            offered_iops=given("offered_write_iops", writes, source="workload"),
            steady_write_iops=steady,
        ),
        "unloaded_s": figure("unloaded_read_s", latency_tail.unloaded_read_s, **idle),
        "write_times": Record(latency_tail.WriteTimes, times),
    }


def levels() -> Answer:
    """Return the percentiles that are shown."""
    return given("read_levels", QUANTILES, source="definition")


def _beside(drive: Drive, flash: Flash, workload: Workload, writes: Beside) -> dict[str, Record]:
    """Return what a read meets: the flash and the writes on it."""
    offered = given("offered_write_iops", offered_pages_per_s(drive, workload), source="workload")
    timings = {
        "read_s": flash.read_s,
        "program_s": flash.program_s,
        "erase_s": flash.erase_s,
        "transfer_s": flash.transfer_s,
        "pages_per_read": flash.pages_per_program,
        "pages_per_program": flash.pages_per_program,
        "pages_per_block": flash.pages_per_block,
    }
    geometry = {"dies": flash.dies, "channels": flash.channels}
    load = {"write_iops": modelled_load_iops(offered, writes.media, writes.steady), "wa": writes.wa}
    return {
        "flash": Record(latency_tail.FlashTimings, timings),
        "geometry": Record(latency_tail.FlashGeometry, geometry),
        "write_load": Record(latency_tail.WriteLoad, load),
    }

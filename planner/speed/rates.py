"""Rates of a drive: what link, dies and firmware allow, fresh and in steady state."""

from dataclasses import replace
from typing import NamedTuple

from models import bottleneck, calibration, interface, queueing, write_budget
from planner.catalogue.drive import ASSUMPTION, Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, figure, first_known, given, unknown
from planner.sections.flash import PAGE_BYTES, Flash

_DEEP = {
    "burst_write_iops": "deep_burst_write_iops",
    "fresh_write_iops": "deep_burst_write_iops",
    "modelled_steady_write_iops": "deep_steady_write_iops",
    "steady_write_iops": "deep_steady_write_iops",
}


def page() -> Answer:
    """Return the size of a write of the test."""
    return given("rated_transfer_bytes", float(PAGE_BYTES), source="definition")


def link_iops(drive: Drive) -> Answer:
    """Return what the link carries: its data rate, less the time per command."""
    rate, reads = stated(drive, "sequential_read_bytes_per_s"), stated(drive, "random_read_iops")
    command = (
        figure(
            "command_s",
            calibration.command_s,
            iops=reads,
            transfer_bytes=page(),
            link_bytes_per_s=rate,
        )
        if _fits(reads, rate)
        else given("command_s", 0.0, source="definition")
    )
    return figure(
        "link_iops",
        interface.link_iops,
        transfer_bytes=page(),
        link_bytes_per_s=rate,
        command_s=command,
    )


def _fits(reads: Answer, rate: Answer) -> bool:
    """Whether printed random reads leave time for commands beside their data."""
    if not reads.is_known or not rate.is_known:
        return False
    return bool(reads.value * PAGE_BYTES <= rate.value)


def fresh_iops(fresh: Answer, rated: Answer) -> Answer:
    """Return the rate before collection; random writes may be printed as fast as any."""
    if rises(fresh, rated):
        return replace(rated, key="burst_write_iops")
    return replace(fresh, key="fresh_write_iops") if fresh.is_computed else fresh


def media_iops(key: str, flash: Flash, wa: Answer) -> Answer:
    """Return host writes per second that the dies have time for at this write amplification."""
    host_page_s = figure(
        f"{key}_page_s",
        write_budget.host_page_s,
        wa=wa,
        program_page_s=flash.program_page_s,
        copy_page_s=flash.copy_page_s(f"{key}_copy_s", wa),
        erase_s=flash.erase_s,
        pages_per_block=flash.pages_per_block,
    )
    return figure(key, write_budget.media_write_iops, dies=flash.dies, host_page_s=host_page_s)


def residual(as_rated: Answer, rated: Answer) -> Answer:
    """Return how far the dies' time is off the printed steady rate; of one assumed, nothing."""
    if rated.source == ASSUMPTION.source_id:
        return unknown("steady_residual")
    return figure(
        "steady_residual", calibration.residual_ratio, modelled_iops=as_rated, rated_iops=rated
    )


def steady_iops(media: Answer, rated: Answer, fresh: Answer) -> Answer:
    """Return the steady rate of the plan; where none is printed, what dies and link allow."""
    key = "modelled_steady_write_iops"
    by_dies = figure(key, bottleneck.write_iops, media_iops=media, link_iops=fresh)
    is_own = rated.key == "steady_write_iops"  # as printed, or as fitted to measured points
    return first_known(rated if is_own else replace(rated, key=key), by_dies)


def accepted_iops(accepted_s: Answer, depth: Answer, rated_depth: Answer) -> Answer:
    """Return the writes that the buffer takes at a queue depth, if it is below the printed one."""
    if rated_depth.is_known and depth.value >= rated_depth.value:
        return unknown("accepted_write_iops")
    return figure("accepted_write_iops", queueing.iops, queue_depth=depth, latency_s=accepted_s)


class AtDepth(NamedTuple):
    """A rate of writes where the queue is no limit, and what of it the queue depth reaches."""

    deep: Answer
    reached: Answer


def at_depth(rate: Answer, accepted: Answer) -> AtDepth:
    """Return a rate of writes, or what the buffer takes at the queue depth, if that is less.

    As plans have it: `planner.sections.service`.
    """
    if not accepted.is_known or not rate.is_known or accepted.value >= rate.value:
        return AtDepth(rate, rate)
    deep = replace(rate, key=_DEEP.get(rate.key, rate.key))
    reached = figure(rate.key, bottleneck.write_iops, media_iops=deep, queue_iops=accepted)
    return AtDepth(deep, reached)


def modelled_load_iops(offered: Answer, media: Answer, steady: Answer) -> Answer:
    """Return the writes that load the dies of the model as those offered load the drive's.

    Fewer where the drive writes more than the model has time for, so that none below its steady
    rate saturates them.
    """
    if offered.value <= 0 or not rises(media, steady):
        return offered
    return figure(
        "modelled_load_iops", calibration.followed_iops,
        rated_iops=offered, modelled_iops=media, reference_iops=steady,
    )  # fmt: skip


def rises(fresh: Answer, steady: Answer) -> bool:
    """Whether a steady rate is above another, as a printed family maximum may be."""
    if not fresh.is_known or not steady.is_known:
        return False
    return bool(steady.value > fresh.value)

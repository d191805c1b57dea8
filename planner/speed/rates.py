"""Rates of a drive: what link, dies and firmware allow, fresh and in steady state."""

from dataclasses import replace

import numpy as np

from models import bottleneck, calibration, interface, queueing, write_budget
from planner.catalogue.drive import ASSUMPTION, Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, figure, first_known, given, unknown
from planner.sections.flash import PAGE_BYTES, Flash

__all__ = [
    "accepted_iops",
    "at_depth",
    "fresh_iops",
    "in_deep_queue",
    "link_iops",
    "media_iops",
    "modelled_load_iops",
    "page",
    "residual",
    "rises",
    "steady_iops",
]

_DEEP = {
    "burst_write_iops": "deep_burst_write_iops",
    "fresh_write_iops": "deep_burst_write_iops",
    "modelled_steady_write_iops": "deep_steady_write_iops",
    "steady_write_iops": "deep_steady_write_iops",
    "fitted_write_iops": "deep_steady_write_iops",
}
MODEL_ERROR = 0.2  # by which the dies' time may exceed a printed rate before firmware is blamed


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


def fresh_iops(drive: Drive, link: Answer) -> Answer:
    """Return the rate before collection: printed, or what sequential writes and link allow."""
    sequential = figure(
        "sequential_page_iops",
        queueing.iops_at_throughput,
        throughput_bytes_per_s=stated(drive, "sequential_write_bytes_per_s"),
        transfer_bytes=page(),
    )
    both = figure("fresh_write_iops", bottleneck.write_iops, media_iops=sequential, link_iops=link)
    steady = stated(drive, "steady_write_iops")
    if rises(both, steady):  # random writes are printed as fast as any
        both = replace(steady, key="burst_write_iops")
    return first_known(stated(drive, "burst_write_iops"), both)


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


def steady_iops(media: Answer, as_rated: Answer, rated: Answer, fresh: Answer) -> Answer:
    """Return the steady rate: as printed of the full drive, elsewhere as the dies' time has it.

    Where the dies could do far more than is printed, firmware is the limit, whatever stays empty.
    Without a printed rate it is what dies and link allow; where the dies are unknown, as printed.
    """
    firmware = figure(
        "controller_iops",
        calibration.controller_iops,
        rated_iops=rated,
        modelled_iops=as_rated,
        tolerance_ratio=given("tolerance_ratio", MODEL_ERROR, source="definition"),
    )
    limits = {"media_iops": media, "link_iops": fresh}
    if firmware.is_known:
        limits["controller_iops"] = firmware
    if firmware.is_known and np.isinf(firmware.value):
        limits["media_iops"] = figure(
            "calibrated_write_iops",
            calibration.followed_iops,
            rated_iops=rated,
            modelled_iops=media,
            reference_iops=as_rated,
        )
    return first_known(figure("modelled_steady_write_iops", bottleneck.write_iops, **limits), rated)


def accepted_iops(accepted_s: Answer, depth: Answer, rated_depth: Answer) -> Answer:
    """Return the writes that the buffer takes at a queue depth, if it is below the printed one."""
    if rated_depth.is_known and depth.value >= rated_depth.value:
        return unknown("accepted_write_iops")
    return figure("accepted_write_iops", queueing.iops, queue_depth=depth, latency_s=accepted_s)


def at_depth(rate: Answer, accepted: Answer) -> Answer:
    """Return a rate of writes, or what the buffer takes at the queue depth, if that is less.

    As plans have it: `planner.sections.service`.
    """
    if not accepted.is_known or not rate.is_known or accepted.value >= rate.value:
        return rate
    deep = replace(rate, key=_DEEP.get(rate.key, rate.key))
    return figure(rate.key, bottleneck.write_iops, media_iops=deep, queue_iops=accepted)


def in_deep_queue(rate: Answer) -> Answer:
    """Return what a rate at a queue depth is where the queue is no limit."""
    return rate.inputs["media_iops"] if rate.is_computed and "queue_iops" in rate.inputs else rate


def modelled_load_iops(offered: Answer, steady: Answer) -> Answer:
    """Return the writes that load the dies of the model as those offered load the drive's.

    Fewer where more is printed than the model has time for, so that none below it saturates them.
    """
    media = steady.inputs.get("media_iops") if steady.is_computed else None
    if media is None or media.key != "calibrated_write_iops" or offered.value <= 0:
        return offered
    printed, modelled = media.inputs["rated_iops"], media.inputs["reference_iops"]
    if printed.value <= modelled.value:
        return offered
    return figure(
        "modelled_load_iops", calibration.followed_iops,
        rated_iops=offered, modelled_iops=modelled, reference_iops=printed,
    )  # fmt: skip


def rises(fresh: Answer, steady: Answer) -> bool:
    """Whether the steady rate is above the fresh one, as a printed family maximum may be."""
    if not fresh.is_known or not steady.is_known:
        return False
    return bool(steady.value > fresh.value)

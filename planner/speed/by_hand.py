"""What the parts of a drive have time for, each by itself: checks by hand of what speed says."""

import numpy as np

from models import (
    calibration,
    consistency,
    energy,
    flash_reads,
    latency_tail,
    parallelism,
    queueing,
    slc_cache,
    spare_area,
    transient,
    write_amplification,
    write_budget,
)
from models.units import KIB, YEAR_S
from planner.catalogue.facts import stated
from planner.catalogue.priors_kind import is_written_in_place
from planner.graph.answer import Answer, figure, given, unknown
from planner.scenario.workload import Workload
from planner.sections.flash import Flash, flash_of
from planner.speed.answer import SHORT_TEST_S, Speed
from planner.speed.caches import cache_size, fold_rate

PAGE_BYTES = 4.0 * KIB
MINUTE_S = 60.0
BESIDE = "Of this part alone: whatever else binds is left out."
ALL_CACHED = "If every write of the workload passes the cache, and all of it is folded."
OLDEST = "Collected by age after a fill in sequence; by fewest valid pages it is less."
BUFFERED = "The drive's buffer is taken to hold one in a thousand of its units."
IN_TURN = "If every byte has to wait until folding makes room for it."


def by_hand(answer: Speed, workload: Workload) -> tuple[Answer, ...]:
    """Return what dies, channels and cache have time for, and how much of a short test is steady.

    >>> from planner.catalogue import find, load
    >>> from planner.speed import speed
    >>> writes = Workload(host_bytes_per_s=1e6)
    >>> rows = by_hand(speed(find(load(), "845DC PRO 400"), writes), writes)
    >>> [row.key for row in rows if row.is_known][:3]
    ['settled_fraction', 'dies_read_iops', 'freed_dies_read_iops']
    """
    flash = flash_of(answer.drive)
    depth = given("queue_depth", max(1.0, round(answer.queue_depth)), source="workload")
    return (
        figure(
            "settled_fraction", consistency.settled_fraction,
            test_s=given("test_s", SHORT_TEST_S, source="definition"),
            settling_s=answer.settling_s,
        ),
        *_reads(flash, depth),
        *_writes(answer, flash, depth),
        *_cache(answer, workload),
        *_as_shipped(answer),
        *_of_test(answer),
        *_energy(answer),
        *_of_units(answer, workload),
        _band(answer, workload),
    )  # fmt: skip


def _reads(flash: Flash, depth: Answer) -> tuple[Answer, Answer]:
    """Return random reads of dies and channels, that hold their die and that free it."""
    parts = {
        "queue_depth": depth, "dies": flash.dies, "channels": flash.channels,
        "read_s": flash.read_s, "transfer_s": flash.transfer_s,
    }  # fmt: skip
    return (
        figure("dies_read_iops", flash_reads.read_iops, BESIDE, **parts),
        figure("freed_dies_read_iops", flash_reads.cache_read_iops, BESIDE, **parts),
    )


def _writes(answer: Speed, flash: Flash, depth: Answer) -> tuple[Answer, ...]:
    """Return steady writes of the channels, and of the dies at the depth, alike and at random."""
    printed = [
        rate.value
        for name in ("sequential_read_bytes_per_s", "sequential_write_bytes_per_s")
        if (rate := stated(answer.drive, name)).is_known
    ]
    fastest = given("printed_bytes_per_s", max(printed, default=None), source="catalogue")
    bus = figure(
        "bus_bytes_per_s", write_budget.flash_bytes_per_s, channels=flash.channels,
        channel_bytes_per_s=_channel(flash), printed_bytes_per_s=fastest,
    )  # fmt: skip
    wa = answer.wa if answer.wa.is_known and answer.wa.value >= 1 else unknown("wa")
    one = figure(
        "write_die_s", queueing.latency_s, queue_depth=flash.dies, iops=answer.dies_write_iops
    )
    dies = {"queue_depth": depth, "dies": flash.dies, "operation_s": one}
    return (
        figure(
            "channels_write_iops", write_budget.bus_write_iops, BESIDE, bus_bytes_per_s=bus, wa=wa,
            transfer_bytes=given("transfer_bytes", PAGE_BYTES, source="definition"),
        ),
        figure(
            "needed_bus_bytes_per_s", calibration.bus_bytes_per_s, BESIDE,
            iops=answer.deep_steady_write_iops, wa=wa,
            transfer_bytes=given("transfer_bytes", PAGE_BYTES, source="definition"),
        ),
        figure(
            "dies_program_bytes_per_s", slc_cache.program_bytes_per_s, BESIDE, dies=flash.dies,
            program_bytes=_program_bytes(flash), program_s=flash.program_s,
            link_bytes_per_s=stated(answer.drive, "sequential_read_bytes_per_s"),
        ),
        figure("dies_steady_write_iops", parallelism.dies_iops, BESIDE, **dies),
        figure("random_dies_write_iops", parallelism.exponential_dies_iops, BESIDE, **dies),
    )  # fmt: skip


def _band(answer: Speed, workload: Workload) -> Answer:
    """Return how far measured read percentiles lie from those that are predicted."""
    steady, written = answer.deep_steady_write_iops, float(np.mean(workload.host_bytes_per_s))
    if not steady.is_known:
        return unknown("read_band_ratio", steady.lacking)
    load = given("load_fraction", written / PAGE_BYTES / steady.value, source="workload")
    return figure("read_band_ratio", latency_tail.latency_band_ratio, load_fraction=load)


def _as_shipped(answer: Speed) -> tuple[Answer, Answer]:
    """Return over-provisioning as data sheets count it, and over the user capacity."""
    nominal = figure(
        "shipped_op_nominal", spare_area.op_nominal,
        raw_bytes=stated(answer.drive, "raw_bytes"), user_bytes=stated(answer.drive, "user_bytes"),
    )  # fmt: skip
    ratio = figure("shipped_op_ratio", spare_area.op_ratio_from_op_nominal, op_nominal=nominal)
    return nominal, ratio


def _of_test(answer: Speed) -> tuple[Answer, Answer]:
    """Return what two fills of random writes cost a drive that collects its oldest blocks.

    Memory that is written in place collects nothing.
    """
    if is_written_in_place(answer.drive):
        return unknown("second_fill_wa"), unknown("two_fills_flash")
    fills = {
        "op_ratio": answer.op_ratio,
        "drive_fills": given("drive_fills", 2.0, source="definition"),
    }
    return (
        figure("second_fill_wa", transient.fifo_wa, OLDEST, **fills),
        figure("two_fills_flash", transient.fifo_flash_fills, OLDEST, **fills),
    )


def _energy(answer: Speed) -> tuple[Answer, ...]:
    """Return the energy of a byte in sequence, and of one program of a random write."""
    drive = answer.drive
    power = {"active_power_w": stated(drive, "write_power_w"),
             "idle_power_w": stated(drive, "idle_power_w")}  # fmt: skip
    write = figure("write_j", energy.operation_j, **power, iops=answer.deep_steady_write_iops)
    return (
        figure(
            "written_j_per_byte", energy.transfer_j_per_byte, **power,
            throughput_bytes_per_s=stated(drive, "sequential_write_bytes_per_s"),
        ),
        figure("one_program_j", energy.program_j, write_j=write, wa=answer.wa),
    )  # fmt: skip


def _of_units(answer: Speed, workload: Workload) -> tuple[Answer, ...]:
    """Return what a write buffer spares a drive whose map has large units."""
    unit = stated(answer.drive, "unit_bytes")
    if not unit.is_known or unit.value <= workload.transfer_bytes:
        return ()
    writes, pages = workload.classes
    shares = {
        "write_shares": given("write_shares", list(writes), source="workload"),
        "page_shares": given("page_shares", list(pages), source="workload"),
    }
    return (
        figure(
            "buffered_unit_factor", write_amplification.buffered_indirection_factor, BUFFERED,
            transfer_bytes=given("transfer_bytes", workload.transfer_bytes, source="workload"),
            unit_bytes=unit,
            alignment_bytes=given("alignment_bytes", PAGE_BYTES, source="definition"),
            buffered_fraction=given("buffered_fraction", 1e-3, source="assumption", note=BUFFERED),
            **shares,
        ),
    )  # fmt: skip


def _program_bytes(flash: Flash) -> Answer:
    """Return the bytes of one program of a die."""
    page = given("transfer_bytes", PAGE_BYTES, source="definition")
    return figure("program_bytes", queueing.throughput_bytes_per_s,
                  iops=flash.pages_per_program, transfer_bytes=page)  # fmt: skip


def _channel(flash: Flash) -> Answer:
    """Return the rate of one channel, by which a page takes as long as it does."""
    page = given("transfer_bytes", PAGE_BYTES, source="definition")
    one = figure("channel_iops", queueing.iops, queue_depth=given("one", 1.0, source="definition"),
                 latency_s=flash.transfer_s)  # fmt: skip
    return figure("channel_bytes_per_s", queueing.throughput_bytes_per_s, iops=one,
                  transfer_bytes=page)  # fmt: skip


def _cache(answer: Speed, workload: Workload) -> tuple[Answer, ...]:
    """Return a minute of a burst, the rate of a full cache, and the wear of its blocks."""
    drive = answer.drive
    size, fold = cache_size(drive), fold_rate(drive)
    if not size.is_known:
        return ()
    fast = stated(drive, "sequential_write_bytes_per_s")
    slow = stated(drive, "folded_write_bytes_per_s")
    year = given(
        "yearly_host_bytes", float(np.mean(workload.host_bytes_per_s)) * YEAR_S, source="workload"
    )
    whole = given("cached_fraction", 1.0, source="definition")
    return (
        figure(
            "minute_bytes", slc_cache.written_bytes,
            elapsed_s=given("elapsed_s", MINUTE_S, source="definition"), slc_cache_bytes=size,
            cached_write_bytes_per_s=fast, folded_write_bytes_per_s=slow,
        ),
        figure(
            "full_cache_write_bytes_per_s", slc_cache.forced_fold_bytes_per_s, IN_TURN,
            write_bytes_per_s=fast, fold_bytes_per_s=fold,
        ),
        figure(
            "yearly_cache_cycles", slc_cache.cache_cycles, ALL_CACHED,
            host_bytes=year, slc_cache_bytes=size, cached_fraction=whole,
        ),
        figure(
            "stream_cached_wa", slc_cache.mixed_wa, ALL_CACHED,
            cached_wa=given("cached_wa", 2.0, source="definition"), direct_wa=answer.wa,
            cached_fraction=given(
                "cached_fraction", float(np.mean(workload.sequential_fraction)), source="workload"
            ),
        ),
        figure(
            "cached_counted_wa", slc_cache.counted_wa, ALL_CACHED,
            fold_wa=given("fold_wa", 1.0, source="definition"),
            absorbed_fraction=given("absorbed_fraction", 0.0, source="definition"),
        ),
    )  # fmt: skip

"""How fast over time: fresh, at the cliff, in steady state, in the worst second, by percentile.

The test is the one that reviews run for hours: random writes of 4 KiB to a drive that was
filled in sequence, at the workload's queue depth, over the capacity in use.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from models import (
    _check,
    bottleneck,
    calibration,
    consistency,
    flash_reads,
    interface,
    latency_tail,
    queueing,
    slc_cache,
    stalls,
    transient,
    write_budget,
)
from models.write_amplification import greedy
from planner.amplification import (
    cleaning_op_ratio,
    factory_op_ratio,
    less_reserve,
    spare_area_left,
    unchecked,
)
from planner.drive import Drive
from planner.facts import stated
from planner.figures import Answer, Figure, Given, Missing, Node, figure, first_known, given, walk
from planner.firmware import Firmware
from planner.flash import PAGE_BYTES, Flash, flash_of
from planner.workload import Workload

__all__ = ["QUANTILES", "Limit", "Speed", "SpeedCurve", "speed", "speed_curve"]

Points = NDArray[np.float64]

QUANTILES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
LARGE_BLOCK = 2.0**20  # pages, where the unit of collection is unknown: the limit of superblocks
MODEL_ERROR = 0.2  # by which the dies' time may exceed a printed rate before firmware is blamed
SHORT_TEST_S = 2000.0  # of the reviews

NO_GEOMETRY = (
    "Steady write IOPS are the printed ones: the dies of this kind of flash are unknown "
    "(die capacity, page, block and times)."
)
ALIGNED = (
    "Where no worst case is known, all dies are taken to erase together, as the drives of the "
    "reviews seem to; whole blocks collected at once would be far worse."
)
LOAD = (
    "Read latency is at the workload's own rates, not at saturation; reads go before programs "
    "and erases in waiting, and nothing is suspended."
)


class Limit(StrEnum):
    """What holds a rate down."""

    DIES = "dies"
    FIRMWARE = "firmware"
    LINK = "host link"
    QUEUE = "queue depth"
    PRINTED = "printed rate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """Rates of one drive over the time of a saturated write test, and reads beside its load."""

    drive: Drive
    queue_depth: float
    fresh_write_iops: Answer
    steady_write_iops: Answer
    steady_residual: Answer
    random_read_iops: Answer
    op_ratio: Answer
    wa: Answer
    peak_wa: Answer
    lowest_write_iops: Answer
    cliff_s: Answer
    settling_s: Answer
    max_latency_s: Answer
    worst_case_iops: Answer
    read_quantiles_s: Answer
    cache: tuple[Answer, ...]
    binding: Mapping[str, Limit]
    notes: tuple[str, ...]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order in which people read them."""
        return (
            self.fresh_write_iops,
            self.cliff_s,
            self.lowest_write_iops,
            self.settling_s,
            self.steady_write_iops,
            self.steady_residual,
            self.max_latency_s,
            self.worst_case_iops,
            self.random_read_iops,
        )

    @property
    def nodes(self) -> dict[str, Node]:
        """Every number by key: inputs first, then what they feed."""
        return walk((*self.answers, *self.cache, self.read_quantiles_s))

    @property
    def lacking(self) -> tuple[str, ...]:
        """Facts that would supply what is missing."""
        parts = (*self.answers, self.read_quantiles_s)
        found = [name for part in parts if isinstance(part, Missing) for name in part.lacking]
        return tuple(dict.fromkeys(found))

    @property
    def read_latency_s(self) -> dict[float, float]:
        """Read latency by percentile; empty where it cannot be had."""
        if isinstance(self.read_quantiles_s, Missing):
            return {}
        values = np.atleast_1d(self.read_quantiles_s.value)
        return {round(100 * level, 6): float(s) for level, s in zip(QUANTILES, values, strict=True)}

    def is_too_short(self, test_s: float) -> bool | None:
        """Whether a test of this length ends before the steady state; None if unknown."""
        if isinstance(self.settling_s, Missing):
            return None
        return bool(self.settling_s.value > test_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedCurve:
    """Write IOPS and write amplification over the seconds of the test."""

    seconds: Points
    iops: Points
    wa: Points


def speed(
    drive: Drive,
    workload: Workload,
    *,
    partition_fraction: float = 1.0,
    firmware: Firmware | None = None,
) -> Speed:
    """Return how fast the drive is over the time of a write test, and its reads under load.

    >>> from planner.catalogue import find, load
    >>> got = speed(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e6))
    >>> 47_500 < got.steady_write_iops.value < 52_500
    True
    """
    firmware = firmware or Firmware()
    flash = flash_of(drive)
    left = spare_area_left(drive, workload, partition_fraction=partition_fraction)
    op_ratio = cleaning_op_ratio(drive, left, firmware)
    block = first_known(
        stated(drive, "pages_per_block"),
        flash.pages_per_block,
        given("pages_per_block", LARGE_BLOCK, source="definition"),
    )
    wa = figure("speed_wa", greedy, op_ratio=op_ratio, pages_per_block=block)
    depth = given("queue_depth", workload.queue_depth, source="workload")
    page = given("transfer_bytes", float(PAGE_BYTES), source="definition")
    link = _link_iops(drive, page)
    fresh = _fresh(drive, page, link)
    media = _media_iops("modelled_write_iops", flash, wa)
    as_rated = _media_iops("rated_media_iops", flash, _rated_wa(drive, left, block, firmware))
    rated = stated(drive, "steady_write_iops")
    steady = _steady(media, as_rated, rated, fresh)
    peak, lowest, cliff, settling = _transition(
        drive, workload, block, op_ratio, wa, fresh, steady, partition_fraction
    )
    latency, worst = _worst_case(drive, flash, depth, steady)
    reads = _read_iops(drive, flash, depth, link)
    return Speed(
        drive=drive,
        queue_depth=float(workload.queue_depth),
        fresh_write_iops=fresh,
        steady_write_iops=steady,
        steady_residual=figure(
            "steady_residual", calibration.residual_ratio, modelled_iops=as_rated, rated_iops=rated
        ),
        random_read_iops=reads,
        op_ratio=op_ratio,
        wa=wa,
        peak_wa=peak,
        lowest_write_iops=lowest,
        cliff_s=cliff,
        settling_s=settling,
        max_latency_s=latency,
        worst_case_iops=worst,
        read_quantiles_s=_read_quantiles(flash, workload, wa),
        cache=_cache(drive),
        binding=_binding(fresh, link, media, steady, reads),
        notes=_notes(flash, media, drive, wa),
    )


def speed_curve(answer: Speed, *, fills: Points | None = None) -> SpeedCurve | None:
    """Return the course of the test that the answer is about; None where it is unknown.

    `fills` are host writes in user capacities; without them the curve runs to twice the
    settling.
    """
    settling, fresh, steady = answer.settling_s, answer.fresh_write_iops, answer.steady_write_iops
    if isinstance(fresh, Missing) or isinstance(steady, Missing):
        return None
    if not isinstance(settling, Figure):
        return None
    settled, pages = settling.inputs["drive_fills"], settling.inputs["user_pages"]
    if not isinstance(settled, Figure):
        return None
    drive = {name: node.value for name, node in settled.inputs.items()}
    if fills is None:
        fills = np.linspace(0, 2 * max(settled.value, drive["op_ratio"]), 600)
    levels = transient.greedy_wa(drive_fills=_check.plain(fills), **drive)
    flash = transient.greedy_flash_fills(drive_fills=_check.plain(fills), **drive)
    rates = {
        "burst_write_iops": fresh.value,
        "steady_write_iops": steady.value,
        "steady_wa": settling.inputs["steady_wa"].value,
    }
    seconds = consistency.written_s(
        _check.plain(fills), flash_fills=flash, user_pages=pages.value, **rates
    )
    return SpeedCurve(
        seconds=np.asarray(seconds),
        iops=np.asarray(consistency.transient_iops(levels, **rates)),
        wa=np.asarray(levels),
    )


def _link_iops(drive: Drive, page: Answer) -> Answer:
    """Return what the link carries: its data rate, less the time per command."""
    rate, reads = stated(drive, "sequential_read_bytes_per_s"), stated(drive, "random_read_iops")
    command = (
        figure(
            "command_s",
            calibration.command_s,
            iops=reads,
            transfer_bytes=page,
            link_bytes_per_s=rate,
        )
        if _fits(reads, rate)
        else given("command_s", 0.0, source="definition")
    )
    return figure(
        "link_iops",
        interface.link_iops,
        transfer_bytes=page,
        link_bytes_per_s=rate,
        command_s=command,
    )


def _fits(reads: Answer, rate: Answer) -> bool:
    """Whether printed random reads leave time for commands beside their data."""
    if isinstance(reads, Missing) or isinstance(rate, Missing):
        return False
    return bool(reads.value * PAGE_BYTES <= rate.value)


def _fresh(drive: Drive, page: Answer, link: Answer) -> Answer:
    """Return the rate before collection: printed, or what sequential writes and link allow."""
    sequential = figure(
        "sequential_page_iops",
        queueing.iops_at_throughput,
        throughput_bytes_per_s=stated(drive, "sequential_write_bytes_per_s"),
        transfer_bytes=page,
    )
    both = figure("fresh_write_iops", bottleneck.write_iops, media_iops=sequential, link_iops=link)
    return first_known(stated(drive, "burst_write_iops"), both)


def _rated_wa(drive: Drive, left: Answer, block: Answer, firmware: Firmware) -> Answer:
    """Return the write amplification of the full drive, as data sheets rate it."""
    ratio = less_reserve("rating_op_ratio", drive, factory_op_ratio(drive), left, firmware)
    return figure("rating_wa", greedy, op_ratio=ratio, pages_per_block=block)


def _media_iops(key: str, flash: Flash, wa: Answer) -> Answer:
    program_page = flash.program_page_s
    return figure(
        key,
        write_budget.media_write_iops,
        dies=flash.dies,
        host_page_s=figure(
            f"{key}_page_s",
            write_budget.host_page_s,
            wa=wa,
            program_page_s=program_page,
            copy_page_s=figure(
                f"{key}_copy_s",
                write_budget.copy_page_s,
                wa=wa,
                read_s=flash.read_s,
                transfer_s=flash.transfer_s,
                pages_per_read=flash.pages_per_program,
            ),
            erase_s=flash.erase_s,
            pages_per_block=flash.pages_per_block,
        ),
    )


def _steady(media: Answer, as_rated: Answer, rated: Answer, fresh: Answer) -> Answer:
    """Return what dies, firmware and link allow; as printed where the dies are unknown."""
    firmware = figure(
        "controller_iops",
        calibration.controller_iops,
        rated_iops=rated,
        modelled_iops=as_rated,
        tolerance_ratio=given("tolerance_ratio", MODEL_ERROR, source="definition"),
    )
    limits = {"media_iops": media, "link_iops": fresh}
    if not isinstance(firmware, Missing):
        limits["controller_iops"] = firmware
    return first_known(figure("modelled_steady_write_iops", bottleneck.write_iops, **limits), rated)


def _transition(
    drive: Drive,
    workload: Workload,
    block: Answer,
    op_ratio: Answer,
    wa: Answer,
    fresh: Answer,
    steady: Answer,
    partition_fraction: float,
) -> tuple[Answer, Answer, Answer, Answer]:
    """Return peak write amplification, lowest IOPS, cliff and settling time."""
    if isinstance(wa, Missing) or wa.value <= 1 or _rises(fresh, steady):
        nothing = Missing(key="cliff_s", lacking=() if not isinstance(wa, Missing) else wa.lacking)
        return (nothing,) * 4
    peak = figure("peak_wa", transient.greedy_peak_wa, op_ratio=op_ratio, pages_per_block=block)
    rates = {"burst_write_iops": fresh, "steady_write_iops": steady, "steady_wa": wa}
    used = workload.fill_fraction * partition_fraction
    size = given("used_bytes", drive.capacity_bytes * used, source="workload")
    settled = figure(
        "settling_fills", transient.greedy_settling_fills, op_ratio=op_ratio, pages_per_block=block
    )
    return (
        peak,
        figure("lowest_write_iops", consistency.transient_iops, wa=peak, **rates),
        figure(
            "cliff_s",
            consistency.cliff_s,
            op_ratio=op_ratio,
            user_bytes=size,
            host_bytes_per_s=figure(
                "fresh_bytes_per_s",
                queueing.throughput_bytes_per_s,
                iops=fresh,
                transfer_bytes=given("transfer_bytes", float(PAGE_BYTES), source="definition"),
            ),
        ),
        figure(
            "settling_s",
            consistency.written_s,
            drive_fills=settled,
            flash_fills=figure(
                "flash_fills",
                transient.greedy_flash_fills,
                op_ratio=op_ratio,
                drive_fills=settled,
                pages_per_block=block,
            ),
            user_pages=figure(
                "user_pages",
                queueing.iops_at_throughput,
                throughput_bytes_per_s=size,
                transfer_bytes=given("transfer_bytes", float(PAGE_BYTES), source="definition"),
            ),
            **rates,
        ),
    )


def _rises(fresh: Answer, steady: Answer) -> bool:
    """Whether the steady rate is above the fresh one, as a printed family maximum may be."""
    if isinstance(fresh, Missing) or isinstance(steady, Missing):
        return False
    return bool(steady.value > fresh.value)


def _worst_case(drive: Drive, flash: Flash, depth: Answer, steady: Answer) -> tuple[Answer, Answer]:
    """Return longest latency and worst IOPS: measured in a review, else with aligned erases."""
    measured, tested = stated(drive, "worst_case_iops"), stated(drive, "saturated_queue_depth")
    if not isinstance(measured, Missing):
        known = figure("max_latency_s", queueing.latency_s, queue_depth=tested, iops=measured)
        return known, measured
    modelled = figure(
        "aligned_latency_s",
        stalls.aligned_latency_s,
        queue_depth=depth,
        iops=steady,
        erase_s=flash.erase_s,
        program_s=flash.program_s,
    )
    return modelled, figure(
        "modelled_worst_case_iops",
        queueing.worst_case_iops,
        queue_depth=depth,
        max_latency_s=modelled,
    )


def _cache(drive: Drive) -> tuple[Answer, ...]:
    """Return how long a sequential burst stays in the write cache, and how long that drains.

    Nothing for drives without one.
    """
    size = stated(drive, "slc_cache_bytes")
    if isinstance(size, Missing):
        return ()
    lasts = figure(
        "cached_s",
        slc_cache.burst_s,
        burst_bytes=size,
        slc_cache_bytes=size,
        cached_write_bytes_per_s=stated(drive, "sequential_write_bytes_per_s"),
        folded_write_bytes_per_s=stated(drive, "folded_write_bytes_per_s"),
    )
    fold = figure(
        "fold_bytes_per_s",
        slc_cache.fold_bytes_per_s,
        native_write_bytes_per_s=stated(drive, "folded_write_bytes_per_s"),
        cache_read_bytes_per_s=stated(drive, "sequential_read_bytes_per_s"),
    )
    drains = figure("drain_s", slc_cache.drain_s, held_bytes=size, fold_bytes_per_s=fold)
    return lasts, drains


def _read_iops(drive: Drive, flash: Flash, depth: Answer, link: Answer) -> Answer:
    """Return random reads at the queue depth; as printed where the dies are unknown."""
    link_s = figure(
        "link_s", queueing.latency_s, queue_depth=given("one", 1.0, source="definition"), iops=link
    )
    modelled = figure(
        "modelled_read_iops",
        flash_reads.read_iops,
        queue_depth=_whole(depth),
        dies=flash.dies,
        channels=flash.channels,
        read_s=flash.read_s,
        transfer_s=flash.transfer_s,
        link_s=link_s,
    )
    return first_known(modelled, stated(drive, "random_read_iops"))


def _whole(depth: Answer) -> Answer:
    """Round a queue depth to operations outstanding."""
    if isinstance(depth, Missing):
        return depth
    return replace(depth, value=float(max(1, round(depth.value))))


def _read_quantiles(flash: Flash, workload: Workload, wa: Answer) -> Answer:
    """Return quantiles of read latency at the workload's own rates, spread evenly over dies."""
    parts = {
        "dies": flash.dies,
        "channels": flash.channels,
        "wa": wa,
        "read_s": flash.read_s,
        "program_s": flash.program_s,
        "erase_s": flash.erase_s,
        "transfer_s": flash.transfer_s,
        "pages_per_program": flash.pages_per_program,
        "pages_per_block": flash.pages_per_block,
    }
    missing = [part for part in parts.values() if isinstance(part, Missing)]
    lacking = {name for part in missing for name in part.lacking}
    share = workload.read_fraction
    if lacking or share >= 1:
        return Missing(key="read_quantiles_s", lacking=tuple(sorted(lacking)))
    known = {name: part for name, part in parts.items() if not isinstance(part, Missing)}
    value = {name: part.value for name, part in known.items()}
    writes = workload.host_bytes_per_s / PAGE_BYTES
    given_rates = {
        "write_iops": given("offered_write_iops", writes, source="workload"),
        "read_iops": given("offered_read_iops", writes * share / (1 - share), source="workload"),
    }
    timings = latency_tail.FlashTimings(
        read_s=value["read_s"],
        program_s=value["program_s"],
        erase_s=value["erase_s"],
        transfer_s=value["transfer_s"],
        pages_per_read=value["pages_per_program"],
        pages_per_program=value["pages_per_program"],
        pages_per_block=value["pages_per_block"],
    )
    dies = value["dies"]
    rates = {name: node.value / dies for name, node in given_rates.items()}  # type: ignore[union-attr]
    transfers = latency_tail.channel_transfers(
        rates["read_iops"],
        die_write_iops=rates["write_iops"],
        wa=value["wa"],
        flash=timings,
        dies_per_channel=max(1.0, round(dies / value["channels"])),
    )
    background = latency_tail.background_operations(
        rates["write_iops"],
        wa=value["wa"],
        flash=timings,
        channel_wait_s=latency_tail.mean_channel_wait_s(transfers),
    )
    latency = latency_tail.read_latency_s(
        QUANTILES,
        die_read_iops=rates["read_iops"],
        die_read_s=timings.read_s + timings.transfer_s,
        background=background,
        transfers=transfers,
    )
    return Figure(
        key="read_quantiles_s",
        value=latency,
        formula="models.latency_tail.open_reads.read_latency_s",
        inputs={**known, **given_rates},  # type: ignore[dict-item]
        note=LOAD,
    )


def _binding(
    fresh: Answer, link: Answer, media: Answer, steady: Answer, reads: Answer
) -> dict[str, Limit]:
    """Say what holds each rate down, where it is known."""
    binding = {}
    if isinstance(fresh, Figure):
        binding["fresh_write_iops"] = _nearest(
            fresh, {Limit.LINK: link, Limit.DIES: fresh.inputs["media_iops"]}
        )
    elif isinstance(fresh, Given):
        binding["fresh_write_iops"] = Limit.PRINTED
    if isinstance(steady, Figure):
        limits = {Limit.DIES: media, Limit.LINK: steady.inputs["link_iops"]}
        if "controller_iops" in steady.inputs:
            limits[Limit.FIRMWARE] = steady.inputs["controller_iops"]
        binding["steady_write_iops"] = _nearest(steady, limits)
    elif isinstance(steady, Given):
        binding["steady_write_iops"] = Limit.PRINTED
    if isinstance(reads, Figure):
        inputs = {name: node.value for name, node in reads.inputs.items()}
        shares = {
            Limit.LINK: reads.value * inputs["link_s"],
            Limit.DIES: reads.value * (inputs["read_s"] + inputs["transfer_s"]) / inputs["dies"],
        }
        most = max(shares, key=shares.__getitem__)
        binding["random_read_iops"] = most if shares[most] > 0.8 else Limit.QUEUE
    elif isinstance(reads, Given):
        binding["random_read_iops"] = Limit.PRINTED
    return binding


def _nearest(rate: Figure, limits: Mapping[Limit, Answer]) -> Limit:
    known = {name: node.value for name, node in limits.items() if not isinstance(node, Missing)}
    return min(known, key=lambda name: abs(known[name] - rate.value))


def _notes(flash: Flash, media: Answer, drive: Drive, wa: Answer) -> tuple[str, ...]:
    notes = {
        NO_GEOMETRY: isinstance(media, Missing),
        ALIGNED: drive.value("worst_case_iops") is None,
        LOAD: True,
    }
    said = tuple(note for note, applies in notes.items() if applies)
    return (*said, *unchecked(wa), *flash.assumed)

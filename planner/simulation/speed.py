"""Simulation of a drive's speed by the event simulator.

A drive of full size would take minutes, so a small one is simulated, with fewer blocks and, if
there are many dies, shorter blocks; everything else is as in the answer. The course of a test
scales with capacity, so times are multiplied by the ratio of the capacities; latencies are not.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.simulator.events import Config, Latency, run
from models.write_amplification import unfilled_blocks
from planner.graph.answer import Answer
from planner.sections.flash import PAGE_BYTES, Flash, flash_of
from planner.sections.speed import Speed

Points = NDArray[np.float64]

PAGES = 700_000  # approximate number of flash pages
BLOCKS = (48, 256)  # fewest and most blocks per die
READ_BLOCKS = (12, 48)  # the same for reads beside the workload
SETTLING_FILLS = 3.3  # the simulator needs three overwrites after the first collection
MEASURED_FILLS = 1.0
READS = 1_200_000
COMMANDS = 5_000_000  # most commands of a run of reads beside the workload
MOST_DIES = 1024
LONGEST_S = 10_000.0  # longest simulated time for which the simulator's sums are exact
STRETCHES = 125  # stretches up to 1.5 times the time to steady state
BUFFER_PAGES = 1024  # least write buffer; enough to keep all dies busy
TAIL = 10  # fewest reads beyond a percentile
NINES = np.linspace(0.2, 5, 97)  # percentiles 37 to 99.999

BELOW_DIES = (
    "The printed steady rate is far below what the dies have time for: firmware or slower flash, "
    "which is not simulated. The simulated drive is as fast as its dies."
)
CACHE = (
    "The SLC cache is not simulated: before the cliff the simulated drive is as fast as its dies."
)
SPREAD = (
    "Erase times are real but a simulated second is shorter than a real one: the slowest second is "
    "slower and the spread wider than in the drive; averages and latencies are not affected."
)
ERASED_SINGLY = (
    "In the simulation each die erases on its own. If all dies erase together, as the reviewed "
    "drives seem to do, the longest latency is the one predicted by formula."
)
FEW_WRITES = "Reads are not simulated: with so few writes the run would take too long."
INTERRUPTED = (
    "Reads are not simulated: reads of this drive suspend programs in slices whose length no data "
    "sheet states; the formula rests on measured drives."
)
NO_READS = "Reads are not simulated: the workload has none."
SATURATED = "Reads are not simulated: the drive may not sustain the workload's writes."


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Simulated drives under the write test and, if possible, under the workload.

    `scale` is seconds of the real drive per second of the simulated one.
    """

    writes: Config
    reads: Config | None
    scale: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """Results of the runs: one value per stretch of the test, then the steady state.

    `seconds` are the middles of the stretches in the time of the real drive; minimum and spread are
    over the scaled seconds of a stretch.
    """

    seconds: Points
    average_iops: Points
    minimum_iops: Points
    spread_iops: Points
    steady_iops: float
    steady_spread_iops: float
    steady_wa: float
    max_latency_s: float
    read_latency_s: dict[float, float]
    host_writes: int
    host_reads: int
    run_s: float
    warnings: tuple[str, ...]


def speed_replay(answer: Speed) -> Replay | None:
    """Return the simulated drives for an answer; None if its time to steady state is unknown.

    Also None for a drive with larger indirection units than pages, which the simulator lacks.
    """
    settling, op_ratio, wa = answer.settling_s, answer.op_ratio, answer.collection_wa
    if not settling.is_computed or not op_ratio.is_known or not wa.is_known:
        return None
    if (answer.drive.value("unit_bytes") or 0) > PAGE_BYTES:
        return None
    flash = flash_of(answer.reading)
    fresh_iops, dies_iops = _value(answer.fresh_write_iops), _value(answer.dies_write_iops)
    if not _is_complete(flash) or math.isnan(dies_iops) or _value(flash.dies) > MOST_DIES:
        return None
    small = replace(
        _small_drive(flash, float(op_ratio.value), float(wa.value)),
        scope="superblock" if _is_striped(answer, flash) else "die",
        link_s=1 / fresh_iops,
        queue_depth=max(1, round(answer.queue_depth)),
    )
    scale = float(answer.user_pages.value / small.pages)
    writes = _timed(small, answer, scale, min(dies_iops, fresh_iops))
    reads, why_not = _reads(answer, flash, float(op_ratio.value), float(wa.value))
    notes = _notes(answer, flash, writes, why_not)
    return Replay(writes=writes, reads=reads, scale=scale, notes=notes)


def _notes(answer: Speed, flash: Flash, small: Config, why_not: str) -> tuple[str, ...]:
    """Return notes on how the simulated drive differs."""
    burst_iops = _value(flash.dies) / _value(flash.program_page_s)
    notes = {
        SPREAD: True,
        ERASED_SINGLY: small.scope == "die",
        _shortened(flash, small): small.pages_per_block < _block_pages(flash),
        BELOW_DIES: answer.is_below_dies,
        CACHE: burst_iops < 0.9 * _value(answer.fresh_write_iops),
        why_not: bool(why_not),
    }
    return tuple(note for note, applies in notes.items() if applies)


def simulate(replay: Replay, progress: Callable[[float], object]) -> Simulated:
    """Run the simulated drives; `progress` gets the share done and may return False to stop.

    Raises Cancelled if it did, and DomainError if the simulated drive has too little spare area for
    garbage collection.
    """
    share = 1.0 if replay.reads is None else 0.5
    writes = run(replay.writes, lambda done: progress(share * done))
    reads = None
    if replay.reads is not None:
        reads = run(replay.reads, lambda done: progress(share + (1 - share) * done))
    windows, scale = writes.windows, replay.scale
    return Simulated(
        seconds=scale * (windows.start_s + replay.writes.window_s / 2),
        average_iops=windows.iops,
        minimum_iops=windows.part_min_iops,
        spread_iops=windows.part_std_iops,
        steady_iops=writes.iops,
        steady_spread_iops=writes.part_std_iops,
        steady_wa=writes.wa,
        max_latency_s=writes.writes.max_s,
        read_latency_s={} if reads is None else _percentiles(reads.reads),
        host_writes=writes.host_pages,
        host_reads=0 if reads is None else reads.reads.count,
        run_s=writes.seconds + (0.0 if reads is None else reads.seconds),
        warnings=(*writes.warnings, *(() if reads is None else reads.warnings)),
    )


def _is_striped(answer: Speed, flash: Flash) -> bool:
    """Whether the unit of garbage collection spans several dies (superblock)."""
    return bool(answer.pages_per_block.value >= 2 * _block_pages(flash))


def _is_complete(flash: Flash) -> bool:
    parts = (
        flash.dies, flash.channels, flash.pages_per_program, flash.pages_per_block, flash.read_s,
        flash.transfer_s, flash.program_s, flash.erase_s,
    )  # fmt: skip
    return not any(not part.is_known for part in parts)


def _small_drive(flash: Flash, op_ratio: float, wa: float) -> Config:
    """Return a small drive with all dies, each with garbage collection of its own."""
    dies, unit = max(1, round(_value(flash.dies))), _unit(flash)
    fewest, most = BLOCKS
    pages = min(_block_pages(flash), max(2, PAGES // (dies * fewest * unit)) * unit)
    blocks = max(fewest, min(most, PAGES // (dies * pages)))
    return Config(
        dies=dies,
        channels=min(dies, max(1, round(_value(flash.channels)))),
        blocks_per_die=blocks,
        pages_per_block=pages,
        pages_per_program=unit,
        op_ratio=_with_reserve(op_ratio, wa, blocks),
        read_s=_value(flash.read_s),
        program_s=_value(flash.program_s),
        erase_s=_value(flash.erase_s),
        transfer_s=_value(flash.transfer_s),
        buffer_pages=max(BUFFER_PAGES, 4 * dies * unit),
        queue_depth=1,
        read_fraction=0.0,
        measured_s=1.0,
    )


def _with_reserve(op_ratio: float, wa: float, blocks: int) -> float:
    """Return the spare area that leaves `op_ratio` besides the block that is being filled.

    That block is a larger part of a small drive than of a real one.
    """
    held = blocks - 1
    return float((1 + op_ratio) * held / (held - unfilled_blocks(wa)) - 1)


def _timed(small: Config, answer: Speed, scale: float, steady_iops: float) -> Config:
    """Set windows of whole scaled seconds, a warm-up to steady state, and a measurement."""
    pace = min(1.0, _value(answer.steady_write_iops) / steady_iops)
    parts = max(1, round(1.5 * _value(answer.settling_s) * pace / STRETCHES))
    parts = min(10_000, parts)
    fill_s = small.pages / steady_iops
    return replace(
        small,
        parts=parts,
        window_s=parts / scale,
        warmup_s=(SETTLING_FILLS + _value(answer.op_ratio)) * fill_s,
        measured_s=MEASURED_FILLS * fill_s,
    )


def _reads(answer: Speed, flash: Flash, op_ratio: float, wa: float) -> tuple[Config | None, str]:
    """Return one channel with its dies under its share of the workload, or the reason why not."""
    if not answer.read_quantiles_s.is_computed:
        return None, ""
    quantiles = answer.reading["unsaturated_read_quantiles_s"]
    if "write_times" in quantiles.arguments:
        return None, INTERRUPTED
    if answer.saturation or not np.all(np.isfinite(quantiles.value)):
        return None, SATURATED
    channels = max(1, round(_value(flash.channels)))
    dies = max(1, round(_value(flash.dies) / channels))
    share = dies / _value(flash.dies)
    write_iops = share * quantiles.arguments["write_load"].write_iops
    read_iops = share * quantiles.arguments["read_iops"]
    if read_iops == 0:
        return None, NO_READS
    overwrites = (SETTLING_FILLS + op_ratio) / (1 + op_ratio)
    block_s = overwrites * dies * _block_pages(flash) / write_iops  # warm-up per block of a die
    most_s = min((COMMANDS - READS) / (write_iops + read_iops), LONGEST_S / 2)
    blocks = min(READ_BLOCKS[1], int(most_s / block_s))
    if blocks < READ_BLOCKS[0]:
        return None, FEW_WRITES
    channel = replace(
        _small_drive(flash, op_ratio, wa),
        dies=dies,
        channels=1,
        blocks_per_die=blocks,
        pages_per_block=_block_pages(flash),
        op_ratio=_with_reserve(op_ratio, wa, blocks),
        queue_depth=0,
        read_fraction=1.0,
        read_iops=read_iops,
        write_iops=write_iops,
    )
    return _measured(channel, warmup_s=block_s * blocks), ""


def _measured(channel: Config, *, warmup_s: float) -> Config:
    """Set a warm-up, and a measurement of as many reads as the limits allow."""
    rate = channel.read_iops + channel.write_iops
    measured_s = min(READS / channel.read_iops, LONGEST_S / 2, COMMANDS / rate)
    window_s = max(warmup_s, measured_s) / 10
    return replace(
        channel, window_s=window_s, warmup_s=warmup_s, measured_s=max(window_s, measured_s)
    )


def _percentiles(reads: Latency) -> dict[float, float]:
    """Return latencies by percentile, as far as enough reads are beyond it."""
    known = NINES[reads.count * 10.0**-NINES >= TAIL]
    return {float(p): reads.percentile(float(p)) for p in 100 - 10.0 ** (2 - known)}


def _shortened(flash: Flash, small: Config) -> str:
    return (
        f"Blocks have {small.pages_per_block} pages of 4 KiB instead of "
        f"{_block_pages(flash)}, so that erases weigh more."
    )


def _block_pages(flash: Flash) -> int:
    """Return the pages of an erase block, rounded to whole programs."""
    unit = _unit(flash)
    return max(2, round(_value(flash.pages_per_block) / unit)) * unit


def _unit(flash: Flash) -> int:
    return max(1, round(_value(flash.pages_per_program)))


def _value(answer: Answer) -> float:
    return math.nan if not answer.is_known else float(answer.value)

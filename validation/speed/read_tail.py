"""Latency of reads beside writes: readers that come at random, and readers that wait."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Literal

import numpy as np

from models import latency_tail
from models.latency_tail import Operations
from models.simulator.events import Config, Result, run
from models.write_amplification import greedy
from validation.speed.case import Curve, Finding, Row, Task, half_width
from validation.speed.flash import ERASE_S, PROGRAM_S, READ_S, TIMES, TRANSFER_S, page_s, timings

TOPIC = "reads beside writes"
LEVELS = (0.5, 0.9, 0.99, 0.999, 0.9999)
CURVE = tuple(float(level) for level in 1 - np.geomspace(0.5, 1e-4, 40))
READS = 600_000
BLOCKS = 100
PICTURE = "Read latency beside writes"
AVOIDED = (
    "writes go to the least loaded die, and so avoid the readers: placed in turn, the rate is off "
    "by 2 to 3 %"
)
STEP = "the quantile lies on the step from programs to erases: a little more of one moves it far"
MEANS_ONLY = "copies of more or fewer pages, and waits for the channel, count with their means"


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """A drive, the load as a share of its write rate, and its reads.

    `readers` wait for their last read; without them reads come at random, `read_iops` to each die.
    """

    dies: int
    channels: int
    op_ratio: float
    block: int
    program: int
    writes: float = 0.0
    read_iops: float = 0.0
    readers: int = 0
    suspend_s: float | None = None
    slice_s: float | None = None
    slices: Literal["fixed", "exponential"] = "fixed"

    @property
    def name(self) -> str:
        """Name within its group."""
        reads = f"queue depth {self.readers}" if self.readers else f"{self.read_iops:g} reads/s/die"
        drive = f"{self.dies} dies on {self.channels} channels"
        if not self.writes:
            return f"{drive}, {reads}"
        return f"{drive}, p = {self.op_ratio:g}, {self.writes:.0%} of writes, {reads}{self.way}"

    @property
    def way(self) -> str:
        """Way in which reads interrupt operations, empty if they do not."""
        if self.slice_s is not None:
            return f", {self.slices} slices of {1e6 * self.slice_s:g} us"
        return "" if self.suspend_s is None else f", after {1e6 * self.suspend_s:g} us"


SMALL = Load(dies=8, channels=8, op_ratio=0.28, block=128, program=4)
FULL = Load(dies=16, channels=16, op_ratio=0.145, block=128, program=4)
SHARED = Load(dies=16, channels=8, op_ratio=0.374, block=128, program=2)
LARGE = Load(dies=32, channels=8, op_ratio=0.28, block=128, program=4)


def read_tail_tasks(quick: bool) -> Iterator[Task]:
    """Yield open reads beside writes, with suspension, without writes, and closed readers."""
    yield from _tasks(_quick() if quick else _loads(), quick)


def sliced_read_tasks(quick: bool) -> Iterator[Task]:
    """Yield open reads and closed readers beside operations that reads interrupt by slices."""
    yield from _tasks(_quick_slices() if quick else _slices(), quick)


def _tasks(loads: Iterable[Load], quick: bool) -> Iterator[Task]:
    for load in loads:
        kind = "readers" if load.readers else "reads"
        yield Task(
            topic=TOPIC, name=f"{kind}, {load.name}",
            measure=partial(_closed if load.readers else _open, load, quick), work_s=6.0,
        )  # fmt: skip


def _quick() -> Iterator[Load]:
    yield replace(SMALL, writes=0.6, read_iops=600.0)
    yield replace(SHARED, writes=0.6, read_iops=600.0, suspend_s=20e-6)
    yield replace(FULL, writes=0.6, readers=4)
    yield replace(LARGE, writes=0.0, read_iops=12_000.0)


def _loads() -> Iterator[Load]:
    for drive, writes in product((SMALL, FULL, SHARED, LARGE), (0.3, 0.6, 0.8)):
        yield replace(drive, writes=writes, read_iops=600.0)
    yield replace(FULL, writes=0.3, read_iops=3000.0)
    yield replace(SHARED, writes=0.3, read_iops=3000.0)
    yield replace(LARGE, writes=0.6, read_iops=300.0)
    for drive, writes in product((SMALL, FULL, SHARED, LARGE), (0.3, 0.6)):
        yield replace(drive, writes=writes, read_iops=600.0, suspend_s=20e-6)
    yield replace(FULL, writes=0.6, read_iops=600.0, suspend_s=200e-6)
    for drive, reads in product((SMALL, FULL, LARGE), (2000.0, 6000.0, 12_000.0)):
        if reads * TRANSFER_S * drive.dies / drive.channels < 0.5:
            yield replace(drive, writes=0.0, read_iops=reads)
    for drive, readers in product((FULL, SHARED, LARGE), (1, 2, 4, 8)):
        for writes in (0.3, 0.6):
            if readers <= drive.dies / 4:
                yield replace(drive, writes=writes, readers=readers)


def _quick_slices() -> Iterator[Load]:
    yield replace(SMALL, writes=0.6, read_iops=600.0, slice_s=70e-6, slices="exponential")
    yield replace(FULL, writes=0.3, readers=2, slice_s=120e-6)


def _slices() -> Iterator[Load]:
    """Yield slices of a tenth and of a third of a program; an erase has slices of a fifth."""
    for drive, writes in product((SMALL, FULL, SHARED, LARGE), (0.3, 0.6, 0.8)):
        yield replace(drive, writes=writes, read_iops=600.0, slice_s=70e-6, slices="exponential")
    for drive, writes in product((SMALL, LARGE), (0.3, 0.8)):
        yield replace(drive, writes=writes, read_iops=1500.0, slice_s=230e-6)
    for drive, readers in product((FULL, LARGE), (1, 2, 4, 8)):
        for writes in (0.3, 0.6):
            if readers <= drive.dies / 4:
                yield replace(drive, writes=writes, readers=readers, slice_s=120e-6)


def _open(load: Load, quick: bool) -> Finding:
    runs = _runs(load, quick)
    arrivals = load.read_iops
    transfers = _transfers(load, arrivals)
    wait = latency_tail.mean_channel_wait_s(transfers)
    background = _background(load, wait)

    def quantiles(levels: tuple[float, ...]) -> np.ndarray:
        return np.asarray(
            latency_tail.read_latency_s(
                levels, die_read_iops=arrivals, die_read_s=READ_S + TRANSFER_S,
                background=background, transfers=transfers,
            )
        )  # fmt: skip

    kind = "open reads" if load.writes else "open reads, no writes"
    rows = _rows(load, kind, quantiles(LEVELS), runs)
    curves: tuple[Curve, ...] = ()
    if load in {
        replace(FULL, writes=0.6, read_iops=600.0),
        replace(LARGE, writes=0.3, read_iops=600.0),
    }:
        curves = (_curve(load, quantiles(CURVE), runs),)
    return Finding(rows=tuple(rows), curves=curves)


def _closed(load: Load, quick: bool) -> Finding:
    runs = _runs(load, quick)
    rates = [result.reads.count / result.end_s * _measured_share(result) for result in runs]
    transfers = _transfers(load, float(np.mean(rates)) / load.dies)
    wait = latency_tail.mean_channel_wait_s(transfers)
    background = _background(load, wait)
    latency = latency_tail.closed_read_latency_s(
        LEVELS,
        queue_depth=load.readers,
        dies=load.dies,
        die_read_s=READ_S + TRANSFER_S,
        background=background,
        host_s=wait,
    )
    iops = latency_tail.closed_read_iops(
        load.readers, dies=load.dies, die_read_s=READ_S + TRANSFER_S, background=background,
        host_s=wait,
    )  # fmt: skip
    rows = _rows(load, "waiting readers", np.asarray(latency), runs)
    sliced = load.slice_s is not None
    rows.append(
        Row(
            group=f"rate of waiting readers{', slices' if sliced else ''}", case=load.name,
            modelled=iops, simulated=float(np.mean(rates)), noise=half_width(rates),
            bound=0.05 if sliced else 0.04, unit="IOPS", note=AVOIDED,
        )
    )  # fmt: skip
    return Finding(rows=tuple(rows))


def _measured_share(result: Result) -> float:
    """Whole of a run over its measured part."""
    windows = len(result.windows.start_s)
    return windows / (windows - result.warmup_windows)


def _rows(load: Load, kind: str, modelled: np.ndarray, runs: list[Result]) -> list[Row]:
    if load.suspend_s is not None:
        kind += ", suspended operations"
    if load.slice_s is not None:
        kind += ", slices"
    rows = []
    for level, formula in zip(LEVELS, modelled.tolist(), strict=True):
        seen = [result.reads.percentile(100 * level) for result in runs]
        median = level == LEVELS[0]
        rows.append(
            Row(
                group=f"{kind}, {'median' if median else 'p90 to p99.99'}",
                case=f"{load.name}, p{100 * level:g}", modelled=1e6 * formula,
                simulated=1e6 * float(np.mean(seen)), noise=half_width(seen),
                bound=0.1 if median or load.slice_s else 0.05, unit="us",
                note=_note(load, median),
            )
        )  # fmt: skip
    return rows


def _note(load: Load, median: bool) -> str:
    if load.readers:
        return AVOIDED if median else STEP
    return MEANS_ONLY if load.suspend_s is not None else ""


def _curve(load: Load, modelled: np.ndarray, runs: list[Result]) -> Curve:
    seen = [
        float(np.mean([result.reads.percentile(100 * level) for result in runs])) for level in CURVE
    ]
    return Curve(
        picture=PICTURE, name=load.name, x=tuple(1 - np.array(CURVE)),
        modelled=tuple((1e6 * modelled).tolist()), simulated=tuple(1e6 * value for value in seen),
    )  # fmt: skip


def _host_iops(load: Load) -> float:
    wa = greedy(load.op_ratio, pages_per_block=load.block)
    each = page_s(wa, pages_per_program=load.program, pages_per_block=load.block)
    return load.writes * load.dies / each


def _background(load: Load, wait: float) -> Operations:
    """Return the other operations of a die; reads may suspend programs, not their transfers."""
    if not load.writes:
        return Operations(np.zeros(1), np.full(1, PROGRAM_S))
    wa = greedy(load.op_ratio, pages_per_block=load.block)
    flash = timings(pages_per_program=load.program, pages_per_block=load.block)
    whole = latency_tail.background_operations(
        _host_iops(load) / load.dies, wa=wa, flash=flash, channel_wait_s=wait
    )
    programs, copies, erases = np.asarray(whole.rates_per_s).tolist()
    load_s = load.program * TRANSFER_S + wait
    copy_s = float(np.asarray(whole.durations_s)[1])
    if load.slice_s is not None:
        return latency_tail.sliced_operations(
            Operations([programs, copies, erases], [PROGRAM_S, copy_s, ERASE_S]),
            slicing=latency_tail.Slicing(
                slice_s=[load.slice_s, np.inf, ERASE_S / 5],
                varies=[load.slices == "exponential", False, False],
                lead_s=[load_s, 0.0, 0.0],
            ),
            die_read_iops=load.read_iops,
        )
    if load.suspend_s is None:
        return whole
    # A read that comes while a program loads waits for that, then for the suspension: about as
    # long as for the suspension, if that takes longer, else about as long as for the load.
    first, rest = (0.0, load_s) if load.suspend_s > load_s else (load_s, 0.0)
    letting_go = (np.inf, load.suspend_s, np.inf, load.suspend_s)
    return Operations(
        rates_per_s=[programs if first else 0.0, programs, copies, erases],
        durations_s=[first or load_s, PROGRAM_S + rest, copy_s, ERASE_S],
        suspend_s=letting_go,
        # While an operation lets go it makes no progress.
        resume_s=[0.0, load.suspend_s, 0.0, load.suspend_s],
    )


def _transfers(load: Load, die_read_iops: float) -> Operations:
    wa = greedy(load.op_ratio, pages_per_block=load.block)
    return latency_tail.channel_transfers(
        die_read_iops,
        die_write_iops=_host_iops(load) / load.dies,
        wa=wa,
        flash=timings(pages_per_program=load.program, pages_per_block=load.block),
        dies_per_channel=load.dies // load.channels,
    )


def _runs(load: Load, quick: bool) -> list[Result]:
    return [run(_config(load, quick, seed)) for seed in range(1, 4 if quick else 5)]


def _config(load: Load, quick: bool, seed: int) -> Config:
    writes = _host_iops(load)
    pages = (BLOCKS - 2) * load.dies * load.block / (1 + load.op_ratio)
    reads = load.read_iops * load.dies or load.readers / (4 * READ_S)
    length_s = (READS / 4 if quick else READS) / reads
    window_s = length_s / 10
    settle_s = (2.0 if quick else 4.0) * pages / writes if writes else window_s
    return Config(
        dies=load.dies, channels=load.channels, blocks_per_die=BLOCKS,
        pages_per_block=load.block, pages_per_program=load.program, op_ratio=load.op_ratio,
        reserve=2, buffer_pages=4 * load.dies * load.program, write_iops=writes,
        read_iops=load.read_iops * load.dies, readers=load.readers, suspend_s=load.suspend_s,
        slice_s=load.slice_s, erase_slice_s=ERASE_S / 5 if load.slice_s else None,
        slices=load.slices,
        window_s=window_s, warmup_s=window_s * np.ceil(settle_s / window_s),
        measured_s=length_s, seed=seed, **TIMES,
    )  # fmt: skip

"""Longest write latency by way of garbage collection, and how much of it a buffer hides."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Literal

import numpy as np

from models import stall_exposure, stalls
from models.simulator.events import Config, run
from models.write_amplification import greedy
from validation.speed.case import Finding, Row, Task, half_width, parts
from validation.speed.flash import ERASE_S, TIMES, copy_s, page_s, program_s

TOPIC = "stalls"
DEPTH = 32
BLOCKS = 64
SECONDS = 40.0
APART = "small steps, erases apart"
TOGETHER = "small steps, erases together"
BY_DIE = "whole blocks, die by die"
BY_SUPERBLOCK = "whole superblocks"
NOT_NORMAL = (
    "latencies are not normal: a write waits for whole programs, and for an erase with them"
)
IN_TURN = "placed in turn, writes wait for the die that erases, of which the spread says too little"
OTHERS = (
    "the other dies take the writes meanwhile, so that the stall is shorter than the collection"
)
UNEVEN = (
    "the last programs of a superblock are left to the dies that are behind, one after the other"
)


Placing = Literal["round-robin", "least-loaded"]
PLACINGS: tuple[Placing, ...] = ("round-robin", "least-loaded")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """A drive of the grid; `gain` blocks per die are gained by one collection."""

    dies: int
    op_ratio: float
    block: int
    policy: str = APART
    allocation: Placing = "round-robin"
    buffered: int = 4  # programs per die in the write buffer
    gain: int = 1
    program: int = 4

    @property
    def name(self) -> str:
        """Name within its group."""
        gained = "" if self.gain == 1 else f", {self.gain} blocks at once"
        return (
            f"{self.allocation}, {self.dies} dies, p = {self.op_ratio:g}, b = {self.block}, "
            f"buffer {self.buffer_pages}{gained}"
        )

    @property
    def buffer_pages(self) -> int:
        """Pages of the write buffer."""
        return self.dies * self.program * self.buffered

    @property
    def whole(self) -> bool:
        """Whether a collection blocks its dies until it is done."""
        return self.policy in {BY_DIE, BY_SUPERBLOCK}

    @property
    def striped(self) -> bool:
        """Whether all dies collect together."""
        return self.policy in {TOGETHER, BY_SUPERBLOCK}

    @property
    def wa(self) -> float:
        """Write amplification by formula."""
        return greedy(
            self.op_ratio, pages_per_block=self.block * (self.dies if self.striped else 1)
        )

    @property
    def iops(self) -> float:
        """Steady rate of the dies by formula."""
        each = page_s(self.wa, pages_per_program=self.program, pages_per_block=self.block)
        return self.dies / each

    @property
    def cleaned_blocks(self) -> int:
        """Blocks that one garbage collection must collect for its gain."""
        return round(1 + (self.gain - 1) * self.wa)

    @property
    def clean_s(self) -> float:
        """Time to collect a block by formula."""
        return stalls.clean_s(
            1 - 1 / self.wa,
            pages_per_block=self.block,
            program_page_s=program_s(self.program),
            copy_page_s=copy_s(self.wa, self.program),
            erase_s=ERASE_S,
        )


SIZES = (
    Drive(dies=16, op_ratio=0.145, block=512),
    Drive(dies=16, op_ratio=0.374, block=512),
    Drive(dies=32, op_ratio=0.28, block=256),
    Drive(dies=8, op_ratio=0.07, block=256),
)
BOUNDS = {APART: 0.25, TOGETHER: 0.15, BY_DIE: 0.06, BY_SUPERBLOCK: 0.15}


def stall_tasks(quick: bool) -> Iterator[Task]:
    """Yield saturated tests by policy, and steady writes below saturation."""
    for drive in _quick_drives() if quick else _saturated_drives():
        yield _task("saturated", drive, partial(_saturated, drive, quick))
    placings = product((BY_SUPERBLOCK, BY_DIE), PLACINGS[:1] if quick else PLACINGS)
    for policy, allocation in placings:
        held = (1, 4, 8, 16) if policy == BY_SUPERBLOCK else (1, 4)
        for load, buffered in ((0.6, 4),) if quick else product((0.3, 0.6), held):
            size = SIZES[3 if quick else 0]
            drive = replace(size, policy=policy, allocation=allocation, buffered=buffered)
            yield _task(f"{load:.0%} load", drive, partial(_exposed, drive, load, quick))


def _task(what: str, drive: Drive, measure: Callable[[], Finding]) -> Task:
    name = f"{what}, {drive.policy}, {drive.name}"
    return Task(topic=TOPIC, name=name, measure=measure, work_s=4.0)


def _quick_drives() -> Iterator[Drive]:
    """Yield each policy with the placement that its formula is for."""
    for policy in BOUNDS:
        allocation = PLACINGS[policy in {APART, TOGETHER}]
        yield replace(SIZES[3], policy=policy, allocation=allocation)


def _saturated_drives() -> Iterator[Drive]:
    for policy, allocation in product(BOUNDS, PLACINGS):
        for size in SIZES:
            drive = replace(size, policy=policy, allocation=allocation)
            yield from (replace(drive, buffered=held) for held in (1, 64))
            if drive.whole and size is SIZES[1]:
                yield from (replace(drive, gain=gain) for gain in (2, 3))


def _saturated(drive: Drive, quick: bool) -> Finding:
    """Compare the longest latency of a second, or of some collections if these are longer."""
    whole_s = drive.cleaned_blocks * drive.clean_s
    window_s = max(1.0, 10 * whole_s) if drive.gain > 1 else 1.0
    count = 20 if quick else SECONDS if drive.gain == 1 else 30
    result = run(_config(drive, window_s=window_s, measured_s=count * window_s, writers=DEPTH))
    longest = result.windows.write_max_s[result.warmup_windows :]
    spread = result.writes.std_s / result.writes.mean_s
    row = Row(
        group=f"longest write latency, {drive.policy}", case=drive.name,
        modelled=1e3 * _longest_s(drive, result.iops, spread),
        simulated=1e3 * float(np.mean(longest)), noise=half_width(parts(longest)),
        bound=BOUNDS[drive.policy], unit="ms", note=_note(drive),
    )  # fmt: skip
    if drive.policy == BY_DIE and drive.allocation == "least-loaded":
        return Finding(rows=(replace(row, group=f"{row.group}, at most", limit=True, note=OTHERS),))
    if drive.policy == APART:
        most = replace(
            row, group=f"{row.group}, at most", modelled=1e3 * _aligned_s(drive, result.iops)
        )
        return Finding(rows=(row, replace(most, limit=True, note="")))
    return Finding(rows=(row,))


def _longest_s(drive: Drive, iops: float, spread: float) -> float:
    """Longest latency at the rate and, if required, the spread, of the simulation."""
    if drive.whole:
        return stalls.blocking_latency_s(
            DEPTH, iops=iops, clean_s=drive.clean_s, cleaned_blocks=drive.cleaned_blocks,
            buffer_pages=0,
        )  # fmt: skip
    if drive.striped:
        return _aligned_s(drive, iops)
    return stalls.incremental_latency_s(DEPTH, iops=iops, latency_cv=spread)


def _aligned_s(drive: Drive, iops: float) -> float:
    """Longest latency if dies erase together; a host program comes with its copies."""
    return stalls.aligned_latency_s(
        DEPTH, iops=iops, erase_s=ERASE_S, program_s=drive.program * drive.dies / iops
    )


def _note(drive: Drive) -> str:
    in_turn = drive.allocation == "round-robin"
    return {
        APART: IN_TURN if in_turn else NOT_NORMAL,
        TOGETHER: "" if in_turn else UNEVEN,
        BY_DIE: "",
        BY_SUPERBLOCK: "" if in_turn else UNEVEN,
    }[drive.policy]


def _exposed(drive: Drive, load: float, quick: bool) -> Finding:
    """Compare the part of a stall that steady writes see; the error is relative to the stall."""
    offered = load * drive.iops
    if drive.policy == BY_DIE and drive.allocation == "round-robin":
        offered /= 5  # waiting for one die at a time it reaches a fifth of the rate
    result = run(
        _config(drive, window_s=1.0, measured_s=20 if quick else SECONDS, write_iops=offered)
    )
    longest = result.windows.write_max_s[result.warmup_windows :]
    simulated = float(np.mean(longest))
    # Where one die stalls, the others take the writes.
    shielded = drive.policy == BY_DIE
    modelled = 0.0 if shielded else stall_exposure.exposed_stall_s(
        drive.clean_s, iops=offered, buffer_pages=_free_pages(drive, offered)
    )  # fmt: skip
    scatter = half_width(parts(longest)) * simulated if simulated > 0 else 0.0
    in_turn = drive.allocation == "round-robin"
    row = Row(
        group=f"stall below saturation, {drive.policy}",
        case=f"{offered:.0f} writes/s, {drive.name}", modelled=1e3 * modelled,
        simulated=1e3 * simulated, noise=scatter / drive.clean_s,
        bound=0.01 if shielded else 0.03 if in_turn else 0.1, unit="ms",
        deviation=(modelled - simulated) / drive.clean_s,
        note="" if in_turn or shielded else UNEVEN,
    )  # fmt: skip
    return Finding(rows=(row,))


def _free_pages(drive: Drive, offered: float) -> float:
    """Pages of the buffer without what is on its way, by Little's law.

    A page waits for the rest of its program to come, then for the program and the copies that
    go before it.
    """
    each_s = drive.program * drive.dies / drive.iops
    return max(0.0, drive.buffer_pages - drive.program / 2 - offered * each_s)


def _config(
    drive: Drive, *, window_s: float, measured_s: float, writers: int = 0, write_iops: float = 0.0
) -> Config:
    rate = write_iops or drive.iops / (5 if drive.policy == BY_DIE else 1)
    reserve = 1 + drive.gain
    blocks = BLOCKS - 2 + reserve
    pages = (blocks - reserve) * drive.block * drive.dies / (1 + drive.op_ratio)
    return Config(
        dies=drive.dies, channels=drive.dies, blocks_per_die=blocks, pages_per_block=drive.block,
        pages_per_program=drive.program, op_ratio=drive.op_ratio, reserve=reserve,
        buffer_pages=drive.buffer_pages, allocation=drive.allocation,
        scope="superblock" if drive.striped else "die",
        collection="blocking" if drive.whole else "incremental", gain_blocks=drive.gain,
        writers=writers, write_iops=write_iops, window_s=window_s,
        warmup_s=window_s * np.ceil(3 * pages / rate / window_s), measured_s=measured_s, **TIMES,
    )  # fmt: skip

"""Speed of arrays and their loss by stalls: formulas against the array simulator.

Cases of even number serve to fit constants of formulas, those of odd number to report the error.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import ceil
from typing import Any

import numpy as np

from models.array_speed import ArraySpeed, HostOperations, MemberTimes, array_speed
from models.array_stalls import stalled_iops
from models.simulator.arrays import Config, Result, run

READ_S, WRITE_S = 100e-6, 30e-6
MEMBER_IOPS = 10_000.0  # of the stall cases; some have members five times as fast
STALL_SHARES = (0.02, 0.01, 0.08)

RAID_0, RAID_10 = {"members": 8}, {"members": 8, "copies": 2}
RAID_5, RAID_6 = {"members": 8, "parity": 1}, {"members": 8, "parity": 2}
RECONSTRUCT = {"members": 5, "parity": 1, "update": "reconstruct-write"}
WIDE = {"members": 14, "parity": 4}
LAYOUTS: dict[str, dict[str, Any]] = {
    "RAID 0": RAID_0, "RAID 10": RAID_10, "RAID 5": RAID_5, "RAID 6": RAID_6,
    "RAID 5, reconstruct-write": RECONSTRUCT, "10+4": WIDE,
}  # fmt: skip
# Other sizes, times and numbers of chunks, at fewer depths and shares of reads
VARIANTS: dict[str, dict[str, Any]] = {
    "RAID 0 of 24": {"members": 24},
    "RAID 10 of 4": {"members": 4, "copies": 2},
    "three copies of 9": {"members": 9, "copies": 3},
    "RAID 5 of 4": {"members": 4, "parity": 1},
    "RAID 5 of 12, 2 chunks": {"members": 12, "parity": 1, "write_chunks": 2},
    "RAID 50 of 3 x 8": {"members": 24, "groups": 3, "parity": 1},
    "RAID 6, slow writes": {**RAID_6, "write_s": 400e-6},
    "10+4, full stripes": {**WIDE, "read_chunks": 10, "write_chunks": 10},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayCase:
    """One point of a grid: a run, and the formula of it."""

    group: str
    label: str
    number: int
    config: Config
    formula: Callable[[Config], float]

    @property
    def chooses(self) -> bool:
        """Whether the case serves to fit constants, not to report the error."""
        return self.number % 2 == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayOutcome:
    """Results of formula and simulation."""

    case: ArrayCase
    formula_iops: float
    result: Result

    @property
    def error(self) -> float:
        """Relative error of the formula."""
        return self.formula_iops / self.result.iops - 1

    @property
    def noise(self) -> float:
        """Half width of the 95 % interval of the simulator, relative."""
        return (self.result.iops_high - self.result.iops) / self.result.iops


def formula_speed(config: Config) -> ArraySpeed:
    """Evaluate the formula for the array that a run simulates, without stalls."""
    width = config.copies if config.copies > 1 else config.members // config.groups
    return array_speed(
        config.queue_depth,
        members=config.members,
        read_fraction=config.read_fraction,
        times=MemberTimes(config.read_s, config.write_s, config.read_delay_s, config.write_delay_s),
        host_operations=HostOperations(
            stripe_members=width,
            reads_per_write=_reads_per_write(config),
            writes_per_write=_writes_per_write(config),
            chunks_per_read=config.read_chunks,
        ),
    )


def speed_cases(*, quick: bool = False) -> list[ArrayCase]:
    """Return the grid of layouts, shares of reads and queue depths; shorter runs if `quick`.

    Numbers go along the depths, back and forth with every share of reads, so that each half has all
    depths and all shares.
    """
    grids = [
        (LAYOUTS, (0.0, 0.3, 0.7, 1.0), (1, 4, 8, 32, 128, 512)),
        (VARIANTS, (0.0, 0.7), (2, 8, 32, 256)),
    ]
    found: list[ArrayCase] = []
    for layouts, shares, depths in grids:
        for row, ((name, layout), share) in enumerate(product(layouts.items(), shares)):
            first, turn = len(found), row % 2
            found += [
                ArrayCase(
                    group=name,
                    label=f"{share:.0%} reads, depth {depth}",
                    number=first + (i ^ turn),
                    config=_speed_config(layout, share, depth, 5e4 if quick else 1e6),
                    formula=speed_iops,
                )
                for i, depth in enumerate(depths)
            ]
    return sorted(found, key=lambda case: case.number)


def stall_cases(*, quick: bool = False) -> list[ArrayCase]:
    """Return the grid of members, depths and lengths of stalls; its short stalls if `quick`."""
    points = product((4, 8, 12, 24), (1, 4, 8, 32, 128), (5e-3, 20e-3, 100e-3))
    return [
        ArrayCase(
            group="stalls with operations",
            label=f"{members} members, depth {depth} each, {stall_s * 1e3:g} ms",
            number=i,
            config=_stall_config(i, members, depth, stall_s, 1e6 if quick else 1.2e8),
            formula=stalled_array_iops,
        )
        for i, (members, depth, stall_s) in enumerate(points)
        if not quick or stall_s < 10e-3
    ]


def speed_iops(config: Config) -> float:
    """Host IOPS of the formula."""
    return float(formula_speed(config).iops)


def stalled_array_iops(config: Config) -> float:
    """IOPS of the formula for reads of members that stall with operations."""
    return float(
        stalled_iops(
            config.queue_depth,
            members=config.members,
            operation_s=config.read_s,
            stall_s=config.stall_s,
            stalls_per_operation=config.stall_probability,
        )
    )


def compare_arrays(
    cases: Sequence[ArrayCase], *, advance: Callable[[float], object] = lambda _: None
) -> list[ArrayOutcome]:
    """Run every case both ways, in the order given; `advance` gets the share of each."""
    found = []
    for case in cases:
        iops = case.formula(case.config)
        found.append(ArrayOutcome(case=case, formula_iops=iops, result=run(case.config)))
        advance(1 / len(cases))
    return found


def error_summary(outcomes: Iterable[ArrayOutcome]) -> str:
    """Say the mean and the worst error, with the case that has it."""
    given = list(outcomes)
    worst = max(given, key=lambda outcome: abs(outcome.error))
    mean = np.mean([abs(outcome.error) for outcome in given])
    return (
        f"mean {mean:.2%}, worst {worst.error:+.2%} of {len(given)} "
        f"({worst.case.group}, {worst.case.label})"
    )


def report_rows(outcomes: Iterable[ArrayOutcome]) -> list[str]:
    """Rows of a table in Markdown: case, IOPS simulated, their interval, formula, error, use."""
    head = ["| Case | Simulated IOPS | 95 % | Formula | Error | Use |", "|---|---|---|---|---|---|"]
    return head + [
        f"| {outcome.case.group}, {outcome.case.label} | {outcome.result.iops:,.0f} "
        f"| ±{outcome.noise:.2%} | {outcome.formula_iops:,.0f} | {outcome.error:+.2%} "
        f"| {'choosing' if outcome.case.chooses else 'reporting'} |"
        for outcome in outcomes
    ]


def _speed_config(layout: dict[str, Any], share: float, depth: int, operations: float) -> Config:
    """Return a run of about so many host operations, after a warm-up of a fifth as many."""
    array = {"read_s": READ_S, "write_s": WRITE_S, **layout}
    draft = Config(**array, read_fraction=share, queue_depth=depth, measured_s=1.0)
    length_s = operations / _bound_iops(draft)
    return replace(
        draft, measured_s=length_s, window_s=length_s / 20, parts=1, warmup_s=length_s / 5
    )


def _bound_iops(config: Config) -> float:
    """Host IOPS that the queue depth and the work of the members allow at most."""
    share, reads = config.read_fraction, _reads_per_write(config)
    written_s = _writes_per_write(config) * config.write_s + reads * config.read_s
    work_s = share * config.read_chunks * config.read_s + (1 - share) * written_s
    bare_s = share * config.read_s + (1 - share) * (config.write_s + bool(reads) * config.read_s)
    return min(config.members / work_s, config.queue_depth / bare_s)


def _reads_per_write(config: Config) -> int:
    left = config.data_chunks - config.write_chunks
    if config.parity == 0 or left == 0:
        return 0
    rebuilt = config.update == "reconstruct-write"
    return left if rebuilt else config.write_chunks + config.parity


def _writes_per_write(config: Config) -> int:
    return config.write_chunks * config.copies + config.parity


def _stall_config(number: int, members: int, depth: int, stall_s: float, most: float) -> Config:
    """Return a run of 4,000 stalls, or of about so many operations if that is less.

    Stalls take a share of a member's work; a queue hides them as far as it lasts that long.
    """
    share = STALL_SHARES[(number + number // 3) % 3]
    fast = number % 4 == 3 and stall_s < 100e-3
    service_s = 1 / (MEMBER_IOPS * (5 if fast else 1))
    probability = share * service_s / stall_s
    shown = max(0.0, 1 - depth * service_s / stall_s)
    each_s = service_s * (1 + share) / members * (1 + 0.7 / depth) + shown * probability * stall_s
    length_s = ceil(min(4000 / probability, most) * each_s * 20) / 20
    return Config(
        members=members, read_s=service_s, write_s=service_s, queue_depth=depth * members,
        stall_s=stall_s, stall_probability=probability, measured_s=length_s,
        window_s=length_s / 20, parts=1, warmup_s=length_s / 10,
    )  # fmt: skip

"""Read latency by formula and by the naive simulations over a grid of loads.

`python -m tests.naive_read_grid open 1000000` prints the whole grid (or `channel`, `closed`), the
worst errors last; the tests take some of its cases with shorter runs. Where a quantile lies on the
step between two kinds of operation, a little more of one moves it far: such points are told apart
by the noise of the simulation.
"""

import sys
from math import inf
from typing import NamedTuple

import numpy as np

from models import latency_tail
from models.latency_tail import FlashTimings, Operations
from tests import naive_die, naive_drive

LEVELS = np.array([0.5, 0.9, 0.99, 0.999, 0.9999])
FLASH = FlashTimings(
    read_s=50e-6,
    program_s=700e-6,
    erase_s=4e-3,
    transfer_s=10e-6,
    pages_per_read=4,
    pages_per_program=4,
    pages_per_block=1024,
)
WA = 3.0
READ_S = FLASH.read_s + FLASH.transfer_s
# Suspension of programs, reads for collection and erases: time to let go, time lost.
KINDS = {
    "plain": ((inf, inf, inf), 0.0),
    "suspend": ((20e-6, inf, 100e-6), 10e-6),
    "slow suspend": ((100e-6, inf, 300e-6), 50e-6),
    "whole block": ((inf, inf), 0.0),
}


class Case(NamedTuple):
    """One load; `busy` is the share of time for background work, before suspensions."""

    kind: str
    busy: float
    die_read_iops: float = 0.0
    batch: int = 1
    readers: int = 0
    dies: int = 1
    transfer_s: float = FLASH.transfer_s


OPEN = [
    Case(kind, busy, rate)
    for kind in KINDS
    for busy in (0.1, 0.3, 0.5)
    for rate in (500.0, 3000.0, 6000.0)
] + [Case("plain", 0.3, 3000.0, batch=16), Case("whole block", 0.3, 3000.0, batch=16)]
CHANNEL = [
    Case("plain", busy, rate, dies=dies, transfer_s=transfer_s)
    for dies in (2, 4, 8)
    for transfer_s in (10e-6, 25e-6)
    for busy in (0.1, 0.3)
    for rate in (500.0, 1500.0, 3000.0)
    if dies * transfer_s * (rate + 7400 * busy) < 0.75
]
CLOSED = [  # whole blocks are out of range: a reader comes to every die many times meanwhile
    Case(kind, busy, readers=readers, dies=dies)
    for kind in ("plain", "suspend", "slow suspend")
    for busy in (0.1, 0.4, 0.7)
    for dies in (16, 32, 64)
    for readers in (1, 2, 4, 8)
    if readers <= dies / 4
]
HOST_S = 5e-6


def background(case: Case) -> Operations:
    """Operations of one die that make it busy as said."""
    flash = FLASH._replace(transfer_s=case.transfer_s)
    make = (
        latency_tail.whole_block_operations
        if case.kind == "whole block"
        else latency_tail.background_operations
    )
    rates, durations, *_ = make(1.0, wa=WA, flash=flash)
    suspend, resume = KINDS[case.kind]
    return Operations(rates * case.busy / np.dot(rates, durations), durations, suspend, resume)


def rows(operations: Operations, kind: str) -> list[tuple[float, float, float, float]]:
    """Operations one by one, for the simulations."""
    resume = [KINDS[kind][1] * (suspend < inf) for suspend in operations.suspend_s]
    return list(zip(*operations[:3], resume, strict=True))


def open_case(case: Case, reads: int) -> tuple[np.ndarray, np.ndarray]:
    """Quantiles by formula and latencies by simulation of one die."""
    operations = background(case)
    formula = latency_tail.read_latency_s(
        LEVELS, die_read_iops=case.die_read_iops, die_read_s=READ_S, background=operations
    )
    simulated = naive_die.read_latencies_s(
        reads,
        read_rate_per_s=case.die_read_iops,
        read_s=READ_S,
        background=rows(operations, case.kind),
        batch=case.batch,
    )
    return formula, simulated


def channel_case(case: Case, reads: int) -> tuple[np.ndarray, np.ndarray]:
    """Quantiles by formula and latencies by simulation of the dies of one channel."""
    operations = background(case)
    flash = FLASH._replace(transfer_s=case.transfer_s)
    writes = operations.rates_per_s[0] * flash.pages_per_program / WA
    transfers = latency_tail.channel_transfers(
        case.die_read_iops, die_write_iops=writes, wa=WA, flash=flash, dies_per_channel=case.dies
    )
    held = latency_tail.background_operations(
        writes, wa=WA, flash=flash, channel_wait_s=latency_tail.mean_channel_wait_s(transfers)
    )
    die_read_s = flash.read_s + case.transfer_s
    formula = latency_tail.read_latency_s(
        LEVELS,
        die_read_iops=case.die_read_iops,
        die_read_s=die_read_s,
        background=held,
        transfers=transfers,
    )
    _, program, read = transfers.durations_s
    sim = naive_drive.Open(
        read_rate_per_s=case.die_read_iops,
        dies=case.dies,
        channels=1,
        read=(flash.read_s, case.transfer_s),
        background=[
            (operations.rates_per_s[0], 0.0, program, flash.program_s, inf, 0.0),
            (operations.rates_per_s[1], flash.read_s, read, 0.0, inf, 0.0),
            (operations.rates_per_s[2], flash.erase_s, 0.0, 0.0, inf, 0.0),
        ],
    )
    return formula, sim.run(reads)[0]


def closed_case(case: Case, reads: int) -> tuple[np.ndarray, np.ndarray]:
    """Quantiles by formula and latencies by simulation of closed readers; rates come last."""
    operations = background(case)
    given = {"dies": case.dies, "die_read_s": READ_S, "background": operations, "host_s": HOST_S}
    formula = latency_tail.closed_read_latency_s(LEVELS, queue_depth=case.readers, **given)
    iops = latency_tail.closed_read_iops(case.readers, **given)
    sim = naive_drive.Closed(
        readers=case.readers,
        host_s=HOST_S,
        dies=case.dies,
        channels=1,
        read=(READ_S, 0.0),
        background=[
            (rate, duration, 0.0, 0.0, suspend, resume)
            for rate, duration, suspend, resume in rows(operations, case.kind)
        ],
    )
    latencies, _ = sim.run(reads)
    return np.append(formula, case.readers / iops), latencies


def errors(formula: np.ndarray, latencies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Relative errors of the formula; twice the standard error of the simulation."""
    latencies = latencies[len(latencies) // 20 :]

    def measured(part):
        found = np.quantile(part, LEVELS)
        return np.append(found, part.mean()) if formula.size > LEVELS.size else found

    whole = measured(latencies)
    parts = np.array([measured(part) for part in np.array_split(latencies, 10)])
    return formula / whole - 1, 2 * parts.std(axis=0) / np.sqrt(len(parts)) / whole


def main(which: str, reads: int) -> None:
    """Print the errors and the noise of every case in percent, then the worst."""
    cases, run = {
        "open": (OPEN, open_case),
        "channel": (CHANNEL, channel_case),
        "closed": (CLOSED, closed_case),
    }[which]
    found, noise = [], []
    for case in cases:
        one, its_noise = errors(*run(case, reads))
        found.append(np.abs(one))
        noise.append(its_noise)
        sys.stdout.write(f"{tuple(case)}: {100 * one.round(4)} +- {100 * its_noise.round(4)}\n")
        sys.stdout.flush()
    resolved = np.array(noise) <= 0.02
    worst = np.max(np.where(resolved, found, 0.0), axis=0)
    blurred = np.where(resolved, 0.0, np.array(found) / np.maximum(noise, 1e-9))
    sys.stdout.write(f"{resolved.sum(axis=0)} of {len(cases)} resolved, worst: {100 * worst}\n")
    sys.stdout.write(f"the others, worst, in units of the noise: {np.max(blurred, axis=0)}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

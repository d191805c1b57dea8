"""Fixed point of Q readers, their waits and the blocks of D dies: the law of `closed_reads`.

A block is a time for which an operation keeps reads from one die: the whole operation, or, where
it can be suspended, its last moments and every suspension, which a read begins.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from math import comb, factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.latency_tail._law import quantiles
from models.latency_tail.operations import Streams

Floats = NDArray[np.float64]

_ROUNDS = 200
_CLOSE = 1e-9
_MEMORY = 4
_LONGEST_STEP = 0.5
_LEAST_PACE = 0.02
_MOST_BLOCKED = 0.99
_MOST_BEHIND = 8


class Blocks(NamedTuple):
    """Kinds of blocks; `begun` is 1 if a read began it, then `early` and `resume` count.

    `early` is the time before the last `lengths` seconds of the operation, in which reads
    suspend it; `rates` are operations per second and die.
    """

    rates: Floats
    lengths: Floats
    begun: Floats
    early: Floats
    resume: Floats


class Drive(NamedTuple):
    """Readers, dies, the time of a read on its die and outside, what blocks a die."""

    readers: float
    dies: float
    die_read_s: float
    host_s: float
    blocks: Blocks


class State(NamedTuple):
    """Reads per second; how often a reader that is free comes to one die, per kind of block."""

    iops: float
    visits: Floats
    found: bool = True


def settled(
    readers: float, dies: float, die_read_s: float, host_s: float, die: Streams
) -> tuple[Drive, State]:
    """Find the state of one case; of late ones it is known."""
    return _settled(readers, dies, die_read_s, host_s, *(tuple(f.tolist()) for f in die))


@lru_cache(maxsize=256)
def _settled(
    readers: float, dies: float, die_read_s: float, host_s: float, *streams: tuple[float, ...]
) -> tuple[Drive, State]:
    die = Streams(*(np.array(field) for field in streams))
    drive = Drive(readers, dies, die_read_s, host_s, _blocks(die))
    times, weights = _quadrature(drive)
    sums = _sums(times, drive)
    idle = readers / (die_read_s + host_s)
    start = np.append(idle, np.full_like(drive.blocks.lengths, idle / dies / readers))

    def better(logs: Floats) -> Floats:
        iops, *visits = np.exp(logs)
        return np.log(_next(drive, State(iops, np.array(visits)), times, sums, weights))

    logs, found = _fixed_point(better, np.log(start))
    iops, *visits = np.exp(logs)
    return drive, State(float(iops), np.array(visits), found)


def keeps_up(drive: Drive, state: State) -> bool:
    """Whether reads and operations fit into the time of the dies."""
    reading = state.iops * drive.die_read_s / drive.dies
    blocking = _block_rates(drive, state) * drive.blocks.lengths
    working = np.sum(blocking + drive.blocks.rates * _exposed_s(drive, state))
    fits = working == 0 or reading + working < 1
    return bool(state.found and fits and np.all(_pace(drive, state) > _LEAST_PACE))


def wait_quantiles(drive: Drive, state: State, levels: Floats) -> Floats:
    """Quantiles of the wait of a read."""
    longest = np.max(drive.blocks.lengths, initial=0.0) + drive.readers * drive.die_read_s
    return quantiles(
        lambda waits: _tail(waits, _sums(waits, drive), drive, state)[0], levels, float(longest)
    )


def _next(drive: Drive, state: State, times: Floats, sums: Floats, weights: Floats) -> Floats:
    """Rate of reads and of visits that follow from those given."""
    base, lengths = drive.die_read_s + drive.host_s, drive.blocks.lengths[:, None]
    tail, met = _tail(times, sums, drive, state)
    blocked = _block_rates(drive, state) * (met @ weights) / drive.readers
    gap = drive.readers / state.iops * (1 - np.minimum(blocked, _MOST_BLOCKED))
    longer = 2 * (base + times) * tail * (times < lengths - base)
    squared = np.minimum(base, drive.blocks.lengths) ** 2 + longer @ weights
    spread = np.maximum(squared / (2 * gap**2) - 1, -0.5)
    return np.append(drive.readers / (base + tail @ weights), 1 / (gap * (drive.dies + spread)))


def _tail(times: Floats, sums: Floats, drive: Drive, state: State) -> tuple[Floats, Floats]:
    """Probability that a read waits longer than each of the times; reads per block that do."""
    met = _met(np.append(times, 0.0), drive, state)
    *blocked, at_all = drive.dies / state.iops * (_block_rates(drive, state) @ met)
    behind = _behind(sums, drive, state, 1 - min(1.0, at_all))
    return np.array(blocked) + behind, met[:, :-1]


def _behind(sums: Floats, drive: Drive, state: State, free: float) -> Floats:
    """Probability that other reads alone make a read wait longer than each of the times.

    As in a queue at random, the wait is a sum of residual times; each takes one more of the
    other readers. Reads behind those that were blocked are counted with the block.
    """
    busy = state.iops * drive.die_read_s / drive.dies * free
    at_least = np.cumprod(busy * _others(drive) / drive.readers)
    exactly = at_least - np.append(at_least[1:], 0.0)
    return np.asarray(exactly @ sums)


def _sums(times: Floats, drive: Drive) -> Floats:
    """Probability that 1, 2, ... residual times of reads are longer than each of the times."""
    reads, count = times / drive.die_read_s, _others(drive).size
    tails = [_uniform_sum_tail(reads, n) for n in range(1, count + 1)]
    return np.array(tails).reshape(count, times.size)


def _others(drive: Drive) -> Floats:
    """Count the readers that may own the next read ahead, read by read."""
    return np.arange(drive.readers - 1, 0, -1)[:_MOST_BEHIND]


def _uniform_sum_tail(x: Floats, count: int) -> Floats:
    """P(U_1 + ... + U_n > x) of times uniform up to 1 (Irwin-Hall)."""
    terms = np.arange(count + 1)
    signs = (-1.0) ** terms * [comb(count, k) for k in terms]
    above = np.maximum(count - x[..., None] - terms, 0.0) ** count
    return np.clip(above @ signs / factorial(count), 0.0, 1.0)


def _met(times: Floats, drive: Drive, state: State) -> Floats:
    """Count the reads per block that wait longer than each of the times, shape (blocks, times).

    Readers come to the die independently, so that the number there is binomial; the k-th
    waits for the rest of the block and for the k - 1 reads before it.
    """
    from scipy.special import betainc  # noqa: PLC0415 - slow to import

    place = np.arange(1, drive.readers + 1)[:, None]
    lengths, begun = drive.blocks.lengths[:, None, None], drive.blocks.begun[:, None, None]
    visits = state.visits[:, None, None]
    until = lengths + (place - 1) * drive.die_read_s - times
    needed, most = np.maximum(place - begun, 1), drive.readers - place + 1
    there = betainc(needed, most, -np.expm1(-visits * np.maximum(until, 0)))
    nobody = (1 - begun) * np.exp(-drive.readers * visits * lengths)
    late, before = np.zeros_like(there), until - lengths
    some = (before > 0) & (nobody > 0)  # few wait that long
    np.expm1(-visits * before, out=before, where=some)
    betainc(needed, most, -before, out=late, where=some)
    late_ones = np.where(place > begun, there - nobody * late, until > 0)
    return np.asarray(np.sum(late_ones, axis=1))


def _blocks(die: Streams) -> Blocks:
    lengths = np.minimum(die.suspend, die.durations)
    some = lengths < die.durations
    none = np.zeros_like(lengths)
    return Blocks(
        np.append(die.rates, die.rates[some]),
        np.append(lengths, lengths[some]),
        np.append(none, np.ones(np.count_nonzero(some))),
        np.append(none, (die.durations - lengths)[some]),
        np.append(none, die.resume[some]),
    )


def _block_rates(drive: Drive, state: State) -> Floats:
    """Blocks per second and die: operations, and how often reads suspend them."""
    suspensions = drive.readers * state.visits * _exposed_s(drive, state)
    return drive.blocks.rates * np.where(drive.blocks.begun > 0, suspensions, 1.0)


def _exposed_s(drive: Drive, state: State) -> Floats:
    """Time of an operation in which a read would suspend it; see `open_reads`."""
    return drive.blocks.early / np.maximum(_pace(drive, state), _LEAST_PACE)


def _pace(drive: Drive, state: State) -> Floats:
    """Progress rate of suspended operations: 0 if each suspension costs as much as it yields."""
    gain = drive.blocks.lengths - drive.blocks.resume
    return 1 + drive.blocks.begun * drive.readers * state.visits * gain


def _quadrature(drive: Drive) -> tuple[Floats, Floats]:
    """Nodes and weights for waits, between the times at which their law has corners."""
    lengths, queue = drive.blocks.lengths, (drive.readers - 1) * drive.die_read_s
    reads = np.arange(min(drive.readers, _MOST_BEHIND)) * drive.die_read_s
    corners = (
        reads,
        reads[-1:] + drive.die_read_s,
        lengths,
        lengths + queue,
        lengths - drive.die_read_s - drive.host_s,
    )
    edges = np.unique(np.maximum(np.concatenate(corners), 0.0))
    halves = np.diff(edges)[:, None] / 2
    nodes, weights = _legendre()
    return np.ravel(edges[:-1, None] + halves * (1 + nodes)), np.ravel(halves * weights)


@cache
def _legendre() -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss and Legendre."""
    return np.polynomial.legendre.leggauss(12)


def _fixed_point(better: Callable[[Floats], Floats], start: Floats) -> tuple[Floats, bool]:
    """Solve better(x) = x by Anderson's mixing of the last steps, or half steps where it fails."""
    point = start
    past: list[tuple[Floats, Floats]] = []
    for _ in range(_ROUNDS):
        miss = better(point) - point
        size = np.max(np.abs(miss))
        if size < _CLOSE:
            return point, True
        if past and size > np.max(np.abs(past[-1][1])):
            past = []
        past = [*past[1 - _MEMORY :], (point, miss)]
        points, misses = (np.diff(series, axis=0) for series in zip(*past, strict=True))
        mix = np.linalg.lstsq(misses.T, miss, rcond=None)[0]
        change = miss - mix @ (points + misses) if len(past) > 1 else miss / 2
        point = point + np.clip(change, -_LONGEST_STEP, _LONGEST_STEP)
    return point, False

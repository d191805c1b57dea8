"""Compiled: the tournament of next events, random draws, the counts of a window."""

import math

import numpy as np

from models.simulator._jit import jit, lowest_bit
from models.simulator.events import state as at
from models.simulator.events.config import TICKS_PER_S
from models.simulator.events.result import BUCKETS, HIGH, LOW
from models.simulator.events.state import Bits, Drive, Number, Words
from models.simulator.kernel import _below, _draw

U6, U11, U63 = np.uint64(6), np.uint64(11), np.uint64(63)
U0, U1, ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
CELL_BITS = 7
ONE = np.int64(1)  # a plain 1 would have functions compiled for it alone


@jit
def set_timer(times: Words, tree: Words, server: Number, time: Number) -> None:
    """Move the next event of a server; of equal times the lower number comes first."""
    times[server] = time
    k = (server + len(times)) >> 1
    while k > 0:
        left, right = tree[2 * k], tree[2 * k + 1]
        first = left if times[left] <= times[right] else right
        before = tree[k]
        tree[k] = first
        if first == before and first != server:
            break
        k >>= 1


@jit
def below(bits: Bits, stream: Number, bound: Number) -> Number:
    """Draw a whole number in [0, bound)."""
    return _below(_draw(bits, np.int64(stream)), np.uint64(bound))


@jit
def exponential(bits: Bits, stream: Number, mean: Number) -> Number:
    """Draw exponential ticks, at least 1."""
    u = np.float64(_draw(bits, np.int64(stream)) >> U11) * 2.0**-53
    return max(np.int64(1), np.int64(-math.log1p(-u) * mean + 0.5))


@jit
def kick(kicked: Bits, die: Number) -> None:
    """Have a die looked at, if it is idle, once the event is over."""
    kicked[die >> 6] |= U1 << np.uint64(die & 63)


@jit
def next_kicked(kicked: Bits, die: Number) -> Number:
    """First die from a number on that was kicked, or -1; its kick is taken back."""
    words = len(kicked)
    i = die >> 6
    while i < words:
        row = kicked[i]
        if i == die >> 6:
            row = (row >> np.uint64(die & 63)) << np.uint64(die & 63)
        if row != U0:
            bit = lowest_bit(row)
            kicked[i] &= ~(U1 << np.uint64(bit))
            return (i << 6) + bit
        i += 1
    return -1


@jit
def kick_all(kicked: Bits, sys: Words) -> None:
    """Kick every die."""
    for die in range(sys[at.DIES]):
        kick(kicked, die)


@jit
def kick_domain(kicked: Bits, sys: Words, domain: Number) -> None:
    """Kick every die of a domain."""
    for die in range(domain, domain + sys[at.DIES] // sys[at.DOMAINS]):
        kick(kicked, die)


@jit
def log2(value: Number) -> Number:
    """Return the position of the highest bit that is set."""
    x, n = value, 0
    for step in (32, 16, 8, 4, 2, 1):
        if x >> step:
            x >>= step
            n += step
    return n


@jit
def bucket(ticks: Number) -> Number:
    """Bucket of the histogram that holds a latency."""
    if ticks < 1 << LOW:
        return 0
    if ticks >= 1 << HIGH:
        return BUCKETS - 1
    octave = log2(ticks)
    cell = (ticks >> (octave - CELL_BITS)) - (1 << CELL_BITS)
    return 1 + ((octave - LOW) << CELL_BITS) + cell


@jit
def outstanding(sys: Words, tally: Words, change: Number) -> None:
    """Count a command that comes or goes, and the area under their number."""
    tally[at.AREA] += sys[at.OUTSTANDING] * (sys[at.NOW] - sys[at.SINCE_AREA])
    sys[at.SINCE_AREA] = sys[at.NOW]
    sys[at.OUTSTANDING] += change


@jit
def roll_parts(sys: Words, tally: Words) -> None:
    """Close the parts of the window that are over."""
    while sys[at.NOW] >= sys[at.PART_END]:
        count = sys[at.PART_COUNT]
        tally[at.PART_LEAST] = min(tally[at.PART_LEAST], count)
        tally[at.PART_SQUARES] += count * count
        sys[at.PART_COUNT] = 0
        sys[at.PART_END] += sys[at.PART_TICKS]


@jit
def record(s: Drive, command: Number) -> None:
    """Count a command that completes."""
    now = s.sys[at.NOW]
    kind = s.command[command, at.KIND] & 1
    latency = now - s.command[command, at.TIME]
    roll_parts(s.sys, s.tally)
    s.sys[at.PART_COUNT] += 1
    s.tally[at.COUNT + kind] += 1
    s.tally[at.SUM + kind] += latency
    s.tally[at.MOST + kind] = max(s.tally[at.MOST + kind], latency)
    s.tally[at.FEWEST + kind] = min(s.tally[at.FEWEST + kind], latency)
    s.squares[kind] += (latency / TICKS_PER_S) ** 2
    s.histogram[kind, bucket(latency)] += 1
    if s.sys[at.LOGGED] < len(s.log):
        s.log[s.sys[at.LOGGED], 0] = now
        s.log[s.sys[at.LOGGED], 1] = kind
        s.log[s.sys[at.LOGGED], 2] = latency
        s.sys[at.LOGGED] += 1

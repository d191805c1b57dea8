"""Compiled: host operations from their arrival to their completion, and what members they touch.

The chunks of a stripe have positions: its data chunks, each beside its copies, then its parity. A
stripe begins at the member `ROTATION` and wraps around in its group. What an operation gives out
together is a run of positions that may leave some out (`_Run`).
"""

from typing import NamedTuple

import numpy as np

from models.simulator._jit import jit
from models.simulator.arrays import members
from models.simulator.arrays import state as at
from models.simulator.arrays.state import Array, Number, Words
from models.simulator.events.clock import below, bucket, exponential, set_timer
from models.simulator.events.config import TICKS_PER_S
from models.simulator.kernel import _draw


class _Run(NamedTuple):
    """Positions from `start` to before `stop`, but not from `leave` to before `back`."""

    start: Number
    stop: Number
    leave: Number
    back: Number
    most: Number  # that many of the members that are left


@jit
def _member(sys: Words, rotation: Number, position: Number) -> Number:
    """Member that holds a position of a stripe."""
    group, end = sys[at.GROUP], sys[at.MEMBERS]
    if group < end:
        end = (rotation // group + 1) * group
    member = rotation + position
    return member - group if member >= end else member


@jit
def _lost(s: Array, rotation: Number, start: Number, stop: Number) -> Number:
    """Lost members among some positions."""
    lost = np.int64(0)
    if s.sys[at.ANY_LOST] == 0:
        return lost
    for position in range(start, stop):
        lost += s.member[_member(s.sys, rotation, position), at.LOST]
    return lost


@jit
def _copy(s: Array, rotation: Number, position: Number) -> Number:
    """Draw one of the copies that are left of the chunk at a position; return its place."""
    copies = s.sys[at.COPIES]
    left = copies - _lost(s, rotation, position, position + copies)
    skip = below(s.bits, at.PLACES, left) if left > 1 else np.int64(0)
    place = np.int64(0)
    while True:
        if s.member[_member(s.sys, rotation, position + place), at.LOST] == 0:
            if skip == 0:
                return place
            skip -= 1
        place += 1


@jit
def _reads(s: Array, rotation: Number, first: Number) -> _Run:
    """Chunks of a host read, or what recovers them if one is lost."""
    sys = s.sys
    copies, data, all_ = sys[at.COPIES], sys[at.DATA], np.int64(at.NEVER)
    start, stop = first * copies, (first + sys[at.READ_CHUNKS]) * copies
    if copies == 1 and _lost(s, rotation, start, stop) > 0:
        return _Run(np.int64(0), data + sys[at.PARITY], all_, all_, data)
    return _Run(start, stop, all_, all_, all_)


@jit
def _writes(sys: Words, first: Number) -> _Run:
    """Chunks that a host write changes, all copies or the parity included."""
    copies, data, all_ = sys[at.COPIES], sys[at.DATA], np.int64(at.NEVER)
    end = (first + sys[at.WRITE_CHUNKS]) * copies
    return _Run(first * copies, data * copies + sys[at.PARITY], end, data * copies, all_)


@jit
def _prepares(s: Array, rotation: Number, first: Number) -> _Run:
    """Chunks that are read before a host write, as far as members are lost in another way."""
    sys = s.sys
    data, all_, end = sys[at.DATA], np.int64(at.NEVER), first + sys[at.WRITE_CHUNKS]
    inside = _lost(s, rotation, first, end)
    outside = _lost(s, rotation, np.int64(0), data) - inside
    if inside and outside:
        return _Run(np.int64(0), data + sys[at.PARITY], all_, all_, data)
    if inside or (sys[at.RECONSTRUCT] and not outside):
        return _Run(np.int64(0), data, first, end, all_)
    return _writes(sys, first)


@jit
def _needs_reads(s: Array, rotation: Number) -> Number:
    """Whether a host write reads first: some parity changes, some data chunk does not."""
    parity, data = s.sys[at.PARITY], s.sys[at.DATA]
    if parity == 0 or s.sys[at.WRITE_CHUNKS] == data:
        return False
    return _lost(s, rotation, data, data + parity) < parity


@jit
def _place(s: Array, command: Number) -> None:
    """Draw a stripe and the first chunk in it."""
    sys, own = s.sys, s.command[command]
    copies = sys[at.COPIES]
    own[at.ROTATION] = below(s.bits, at.PLACES, sys[at.MEMBERS] // copies) * copies
    touched = sys[at.READ_CHUNKS] if own[at.STAGE] == at.READ else sys[at.WRITE_CHUNKS]
    own[at.FIRST] = below(s.bits, at.PLACES, sys[at.DATA] - touched + 1)


@jit
def _kind(s: Array) -> Number:
    """Draw whether a host operation reads."""
    if s.sys[at.MIXED] == 0:
        return s.sys[at.ONLY_WRITES] == 0
    return _draw(s.bits, np.int64(at.KINDS)) < s.bits[at.READ_CUT]


@jit
def issue(s: Array, command: Number) -> None:
    """Begin a host operation, up to what it gives out first."""
    own = s.command[command]
    own[at.TIME] = s.sys[at.NOW]
    own[at.STAGE] = at.READ if _kind(s) else at.WRITE
    _place(s, command)
    if own[at.STAGE] == at.WRITE and _needs_reads(s, own[at.ROTATION]):
        own[at.STAGE] = at.PREPARE


@jit
def give_out(s: Array, command: Number) -> None:
    """Queue at the members what an operation waits for next, and set its timer to the last end."""
    own = s.command[command]
    stage, rotation, first = own[at.STAGE], own[at.ROTATION], own[at.FIRST]
    if stage == at.READ:
        run = _reads(s, rotation, first)
    elif stage == at.PREPARE:
        run = _prepares(s, rotation, first)
    else:
        run = _writes(s.sys, first)
    writes = stage == at.WRITE
    time = s.sys[at.WRITE_TIME] if writes else s.sys[at.READ_TIME]
    delay = s.sys[at.WRITE_DELAY] if writes else s.sys[at.READ_DELAY]
    step = s.sys[at.COPIES] if stage == at.READ else np.int64(1)
    end, given, position = np.int64(0), np.int64(0), run.start
    while True:
        if position == run.leave:
            position = run.back
        if position >= run.stop or given == run.most:
            break
        place = _copy(s, rotation, position) if step > 1 else np.int64(0)
        member = _member(s.sys, rotation, position + place)
        if s.member[member, at.LOST] == 0:
            end = max(end, members.serve(s, member, time))
            given += 1
        position += step
    set_timer(s.at, s.tree, 1 + command, end + delay)


@jit
def outstanding(s: Array, change: Number) -> None:
    """Count an operation that comes or goes, and the area under their number."""
    s.tally[at.AREA] += s.sys[at.OUTSTANDING] * (s.sys[at.NOW] - s.sys[at.SINCE_AREA])
    s.sys[at.SINCE_AREA] = s.sys[at.NOW]
    s.sys[at.OUTSTANDING] += change


@jit
def complete(s: Array, command: Number) -> None:
    """Count a host operation that completes."""
    now, kind = s.sys[at.NOW], np.int64(s.command[command, at.STAGE] != at.READ)
    latency = now - s.command[command, at.TIME]
    s.tally[at.COUNT + kind] += 1
    s.tally[at.SUM + kind] += latency
    s.tally[at.MOST + kind] = max(s.tally[at.MOST + kind], latency)
    s.tally[at.FEWEST + kind] = min(s.tally[at.FEWEST + kind], latency)
    s.squares[kind] += (latency / TICKS_PER_S) ** 2
    s.histogram[kind, bucket(latency)] += 1
    s.parts[now // s.sys[at.PART_TICKS], kind] += 1
    if s.sys[at.LOGGED] < len(s.log):
        s.log[s.sys[at.LOGGED], 0] = now
        s.log[s.sys[at.LOGGED], 1] = kind
        s.log[s.sys[at.LOGGED], 2] = latency
        s.sys[at.LOGGED] += 1


@jit
def retire(s: Array, command: Number) -> None:
    """Return the place of an operation that arrived to the free ones."""
    outstanding(s, np.int64(-1))
    set_timer(s.at, s.tree, 1 + command, np.int64(at.NEVER))
    s.command[command, at.NEXT] = s.sys[at.SPARE_COMMAND]
    s.sys[at.SPARE_COMMAND] = command


@jit
def arrive(s: Array) -> Number:
    """Take a place for an operation that arrives, and wait for the next; -1 if there is none."""
    command = s.sys[at.SPARE_COMMAND]
    if command < 0:
        s.sys[at.OVERLOADED] = 1
        return command
    s.sys[at.SPARE_COMMAND] = s.command[command, at.NEXT]
    outstanding(s, np.int64(1))
    wait = exponential(s.bits, at.ARRIVALS, s.sys[at.ARRIVAL_GAP])
    set_timer(s.at, s.tree, np.int64(0), s.sys[at.NOW] + wait)
    return command

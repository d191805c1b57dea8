"""Compiled: when a member ends what it is given, stalls included."""

import numpy as np

from models.simulator._jit import jit
from models.simulator.arrays import state as at
from models.simulator.arrays.state import Array, Bits, Number, Words
from models.simulator.events.clock import below, exponential
from models.simulator.kernel import _draw


@jit
def gap(sys: Words, bits: Bits, stream: Number) -> Number:
    """Time from the start of a stall to the start of the next."""
    mean = sys[at.STALL_GAP]
    return mean if sys[at.FIXED_GAPS] else exponential(bits, stream, mean)


@jit
def start(s: Array) -> None:
    """Let the first stall of every member begin: at a random time of an interval if it is fixed."""
    gaps = s.sys[at.STALL_GAP]
    for member in range(s.sys[at.MEMBERS]):
        for turn in range(2):  # its stalls, and the same by the clock
            word = at.CLOCK_STALL if turn else at.NEXT_STALL
            stream = at.OWN + member * at.OWN_BITS + (at.CLOCK if turn else at.STALLS)
            if gaps == at.NEVER:
                s.member[member, word] = at.NEVER
            elif s.sys[at.FIXED_GAPS]:
                s.member[member, word] = below(s.bits, stream, gaps)
            else:
                s.member[member, word] = exponential(s.bits, stream, gaps)


@jit
def service(s: Array, member: Number, time: Number) -> Number:
    """Time of an operation and, with a probability, of the stall that it brings."""
    if s.sys[at.STALLS_REQUESTS]:
        stream = at.OWN + member * at.OWN_BITS + at.REQUESTS
        if _draw(s.bits, np.int64(stream)) < s.bits[at.STALL_CUT]:
            s.member[member, at.REQUEST_STALLS] += 1
            return time + s.sys[at.STALL_TIME]
    return time


@jit
def serve(s: Array, member: Number, time: Number) -> Number:
    """Queue an operation at a member; return the time when it ends.

    Stalls at a rate go before all operations: one that begins while an operation is served freezes
    it, one that begins in a stall follows it.
    """
    own, now = s.member[member], s.sys[at.NOW]
    stream = at.OWN + member * at.OWN_BITS + at.STALLS
    begin, stall = own[at.FREE], own[at.NEXT_STALL]
    while stall < now:
        begin = max(begin, stall) + s.sys[at.STALL_TIME]
        stall += gap(s.sys, s.bits, stream)
        own[at.STALLS_MET] += 1
    spent = service(s, member, time)
    end = max(begin, now) + spent
    while stall < end:
        end += s.sys[at.STALL_TIME]
        stall += gap(s.sys, s.bits, stream)
        own[at.STALLS_MET] += 1
    own[at.NEXT_STALL] = stall
    own[at.FREE] = end
    own[at.WORK] += spent
    own[at.OPERATIONS] += 1
    return end


@jit
def meet_stalls(s: Array) -> None:
    """Count, by a clock of their own, the stalls of all members that began before now."""
    for member in range(s.sys[at.MEMBERS]):
        own = s.member[member]
        stream = at.OWN + member * at.OWN_BITS + at.CLOCK
        while own[at.CLOCK_STALL] < s.sys[at.NOW]:
            own[at.CLOCK_FREE] = max(own[at.CLOCK_FREE], own[at.CLOCK_STALL])
            own[at.CLOCK_FREE] += s.sys[at.STALL_TIME]
            own[at.CLOCK_STALLS] += 1
            own[at.CLOCK_STALL] += gap(s.sys, s.bits, stream)

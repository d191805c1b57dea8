"""Compiled core: trials, one after the other, event by event.

The code cache of numba sees changes in this file only. A checksum of the sources of the parts
makes the entry a new function whenever one of them changes.
"""

import inspect
import math
import zlib
from collections.abc import Callable
from typing import Any

from models.simulator import _jit
from models.simulator import kernel as pages
from models.simulator._jit import entry, jit
from models.simulator.lifetimes import draws
from models.simulator.lifetimes import state as at
from models.simulator.lifetimes.state import Number, Trials

PARTS = (_jit, pages, draws, at)


@jit
def begin(s: Trials) -> None:
    """Begin a trial: members of their ages, spares in stock."""
    for i in range(s.sys[at.MEMBERS]):
        live(s, i, -s.member[i, at.AGE])
    s.lane.fill(-math.inf)
    s.order.fill(-math.inf)
    for word in (at.DOWN, at.FAILURES, at.PLANNED, at.WAITED):
        s.sys[word] = 0
    s.sys[at.LOST] = at.NOT
    s.real[at.LOST_AT] = math.inf
    s.real[at.WAIT] = 0.0


@jit
def live(s: Trials, i: Number, born: Number) -> None:
    """Begin a life of a member that was new at a time, and is alive now if that is past."""
    own = s.member[i]
    own[at.FAILS] = born + draws.life_beyond(s, max(0.0, -born))
    own[at.REPLACES] = born + s.real[at.REPLACED]
    own[at.ENDS] = own[at.MEETS] = math.inf


@jit
def next_event(s: Trials) -> tuple[Number, Number]:
    """Return the time of the next event, and the member that it concerns."""
    first, when = 0, math.inf
    for i in range(s.sys[at.MEMBERS]):
        own = s.member[i]
        time = min(own[at.FAILS], own[at.REPLACES], own[at.ENDS], own[at.MEETS])
        if time < when:
            first, when = i, time
    return when, first


@jit
def carry_out(s: Trials, i: Number, now: Number) -> None:
    """Carry out the next event."""
    own = s.member[i]
    if own[at.FAILS] == now:
        fail(s, i, now)
    elif own[at.REPLACES] == now:
        s.sys[at.PLANNED] += 1
        live(s, i, now)
    elif own[at.ENDS] == now:
        s.sys[at.DOWN] -= 1
        live(s, i, now)
    else:
        meet_unreadable(s, i, now)


@jit
def fail(s: Trials, i: Number, now: Number) -> None:
    """Take a member down; begin and end of its rebuild are known from now on."""
    own = s.member[i]
    begins = take_spare(s, now)
    lane = 0
    for k in range(1, s.sys[at.LANES]):
        if s.lane[k] < s.lane[lane]:
            lane = k
    begins = max(begins, s.lane[lane])
    takes = s.real[at.REBUILD]
    if s.sys[at.EXPONENTIAL]:
        takes = draws.exponential(s.bits, takes)
    own[at.FAILS] = own[at.REPLACES] = own[at.MEETS] = math.inf
    own[at.BEGINS], own[at.ENDS] = begins, begins + takes
    s.lane[lane] = own[at.ENDS]
    s.sys[at.DOWN] += 1
    s.sys[at.FAILURES] += 1
    if s.sys[at.DOWN] > s.sys[at.PARITIES]:
        lose(s, at.FAILED, now)
    elif s.real[at.UNREADABLE] > 0:
        next_unreadable(s, i, begins)


@jit
def take_spare(s: Trials, now: Number) -> Number:
    """Return the time when there is a spare for a failure: the order of an earlier one has come."""
    spares = s.sys[at.SPARES]
    if spares == at.ALWAYS:
        return now
    ordered = now
    if spares:
        place = s.sys[at.FAILURES] % spares
        ordered = s.order[place]
        s.order[place] = now
    there = max(now, ordered + s.real[at.LEAD])
    if there > now:
        s.sys[at.WAITED] += 1
        s.real[at.WAIT] += there - now
    return there


@jit
def next_unreadable(s: Trials, i: Number, now: Number) -> None:
    """Find the next unreadable sector of a rebuild, if there is one."""
    own = s.member[i]
    gap = draws.exponential(s.bits, 1.0) * (own[at.ENDS] - own[at.BEGINS])
    time = now + gap / s.real[at.UNREADABLE]
    own[at.MEETS] = time if time < own[at.ENDS] else math.inf


@jit
def meet_unreadable(s: Trials, i: Number, now: Number) -> None:
    """Lose a sector if every parity is gone, and no other rebuild has passed the place."""
    if s.sys[at.DOWN] == s.sys[at.PARITIES]:
        place = progress(s, i, now)
        ahead = False
        for j in range(s.sys[at.MEMBERS]):
            if j != i and progress(s, j, now) > place:
                ahead = True
        if not ahead:
            lose(s, at.UNREADABLE_SECTOR, now)
    next_unreadable(s, i, now)


@jit
def progress(s: Trials, i: Number, now: Number) -> Number:
    """Share of a member that is rebuilt; 0 if it is not being rebuilt."""
    own = s.member[i]
    if own[at.ENDS] == math.inf or now <= own[at.BEGINS]:
        return 0.0
    return (now - own[at.BEGINS]) / (own[at.ENDS] - own[at.BEGINS])


@jit
def lose(s: Trials, cause: Number, now: Number) -> None:
    """Note the first loss."""
    if s.sys[at.LOST] == at.NOT:
        s.sys[at.LOST] = cause
        s.real[at.LOST_AT] = now


@jit
def note(s: Trials) -> None:
    """Note what a trial gave."""
    trial = s.sys[at.TRIAL]
    s.cause[trial] = s.sys[at.LOST]
    s.loss_s[trial] = s.real[at.LOST_AT]
    s.failures[trial] = s.sys[at.FAILURES]
    s.planned[trial] = s.sys[at.PLANNED]
    s.waited[trial] = s.sys[at.WAITED]
    s.wait_s[trial] = s.real[at.WAIT]


def _sources() -> int:
    """Checksum of all source text that is compiled into the entry."""
    try:
        return zlib.crc32("".join(map(inspect.getsource, PARTS)).encode())
    except OSError:  # installed without sources
        return 0


def _bound_to(sources: int) -> Callable[[int, Any], None]:
    @entry
    def advance(until: Number, s: Trials) -> None:
        """Carry out trials up to a number, or until an age cannot be reached."""
        s.sys[at.CODE] = sources
        while s.sys[at.TRIAL] < until and not s.sys[at.STUCK]:
            begin(s)
            while not s.sys[at.STUCK]:
                now, i = next_event(s)
                if now > s.real[at.HORIZON]:
                    break
                carry_out(s, i, now)
            note(s)
            s.sys[at.TRIAL] += 1

    return advance


advance = _bound_to(_sources())

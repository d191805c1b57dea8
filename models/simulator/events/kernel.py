"""Compiled core: the loop over events.

The code cache of numba sees changes in this file only. A checksum of the sources of the parts
makes the entry a new function whenever one of them changes.
"""

import inspect
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from models.simulator import _jit
from models.simulator import kernel as pages
from models.simulator._jit import entry, jit
from models.simulator.events import cleaning, clock, config, dies, host, mapping, result
from models.simulator.events import state as at
from models.simulator.events.state import Drive, Number

PARTS = (_jit, pages, cleaning, clock, config, dies, host, mapping, result, at)


@jit
def _event(s: Drive, server: Number) -> Number:
    """Carry out the next event of a server; return the command that completes, or -1."""
    link = s.sys[at.DIES] + s.sys[at.CHANNELS]
    command, done = np.int64(at.NONE), np.int64(at.NONE)
    if server < s.sys[at.DIES]:
        state = dies.end_state(s, server)
        if state == at.TRANSFER:
            command = s.die[server, at.COMMAND]
        if state == at.COPY_TRANSFER and s.sys[at.MAPPED]:
            cleaning.copy_unit(s, server)
    elif server < link:
        command = dies.channel_event(s, server - s.sys[at.DIES])
    elif server == link:
        done = host.link_event(s)
    else:
        host.other_event(s, server - link)
    if command >= 0:
        host.to_link(s, command)
    return done


@jit
def _look(s: Drive, die: Number) -> Number:
    """Start the next operation of a die; return a program whose pages are to be placed, or -1."""
    if s.die[die, at.STATE] != at.IDLE:
        dies.suspend(s, die)
        return np.int64(at.NONE)
    if s.sys[at.MAPPED]:
        cleaning.proceed(s, s.die[die, at.DOMAIN])
    state = dies.choose(s, die)
    number = dies.begin(s, die, state) if state != at.IDLE else np.int64(at.NONE)
    return number if state == at.LOAD and dies.places_late(s.sys) else np.int64(at.NONE)


@jit
def _pause(s: Drive, until: Number) -> None:
    """Bring all counts of time up to a time between events."""
    s.sys[at.NOW] = until
    clock.roll_parts(s.sys, s.tally)
    clock.outstanding(s.sys, s.tally, clock.ONE - 1)
    for die in range(s.sys[at.DIES]):
        s.busy[die, s.die[die, at.STATE]] += until - s.die[die, at.SINCE]
        s.die[die, at.SINCE] = until


def _sources() -> int:
    """Checksum of all source text that is compiled into the entry."""
    try:
        return zlib.crc32("".join(map(inspect.getsource, PARTS)).encode())
    except OSError:  # installed without sources
        return 0


def _bound_to(sources: int) -> Callable[[int, int, Any], None]:  # noqa: C901 - holds the entry
    @entry
    def advance(until: Number, events: Number, s: Drive) -> None:  # noqa: C901 - see below
        """Carry out the events before a time, or so many of them; stop if stuck or overloaded.

        After each event, until nothing more happens at its time: writes are accepted, commands
        given out are sent, buffered pages are bound to dies, and kicked dies look for work in the
        order of their numbers. All in one loop that calls everything from one place: functions are
        compiled once more for every place and at every level that they are called from.
        """
        s.sys[at.CODE] = sources
        done, placing, number, turn = np.int64(-1), np.int64(-1), np.int64(0), np.int64(0)
        while True:
            if placing >= 0:
                mapping.place_unit(s, placing, number)
                placing = np.int64(-1)
            if done >= 0:
                host.complete(s, done)
                done = np.int64(-1)
            if s.sys[at.ARRIVED] >= 0 and s.sys[at.USED] < s.sys[at.BUFFER]:
                done = host.accept(s)
                continue
            if s.sys[at.TODO] >= 0:
                host.submit(s)
                continue
            die = host.taker(s) if turn == 0 else np.int64(-1)
            if die >= 0:
                number = host.bind(s, die)
                placing = die if s.sys[at.SUPERBLOCK] else np.int64(-1)
                continue
            die = clock.next_kicked(s.kicked, turn)
            if die >= 0:
                number = _look(s, die)
                placing = die if number >= 0 else np.int64(-1)
                turn = die + 1
                continue
            if turn > 0:
                turn = np.int64(0)
                continue
            host.await_idle(s)
            server = s.tree[1]
            if events == 0 or s.sys[at.STUCK] or s.sys[at.OVERLOADED]:
                return
            if s.at[server] >= until:
                break
            events -= 1
            s.sys[at.NOW] = s.at[server]
            done = _event(s, server)
        _pause(s, until)

    return advance


advance = _bound_to(_sources())

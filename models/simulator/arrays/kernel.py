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
from models.simulator.arrays import members, requests
from models.simulator.arrays import state as at
from models.simulator.arrays.state import Array, Number
from models.simulator.events import clock
from models.simulator.events import config as drive
from models.simulator.events import result as latencies
from models.simulator.events import state as dies

PARTS = (_jit, pages, clock, drive, dies, latencies, members, requests, at)


@jit
def _next(s: Array, server: Number) -> Number:
    """Carry out an event up to what is to be given out for its command; -1 if nothing is."""
    if server == 0:
        command = requests.arrive(s)
        fresh = command >= 0
    else:
        command = server - 1
        stage = s.command[command, at.STAGE]
        fresh = stage != at.PREPARE
        if stage == at.PREPARE:
            s.command[command, at.STAGE] = at.WRITE
        elif stage != at.START:
            requests.complete(s, command)
            if command >= s.sys[at.DEPTH]:
                requests.retire(s, command)
                return np.int64(at.NONE)
    if fresh:
        requests.issue(s, command)
    return command


def _sources() -> int:
    """Checksum of all source text that is compiled into the entry."""
    try:
        return zlib.crc32("".join(map(inspect.getsource, PARTS)).encode())
    except OSError:  # installed without sources
        return 0


def _bound_to(sources: int) -> Callable[[int, int, Any], None]:
    @entry
    def advance(until: Number, events: Number, s: Array) -> None:
        """Carry out the events before a time, or so many of them; stop if overloaded."""
        s.sys[at.CODE] = sources
        if s.sys[at.STARTED] == 0:
            s.sys[at.STARTED] = 1
            members.start(s)
        while True:
            server = s.tree[1]
            if events == 0 or s.sys[at.OVERLOADED]:
                return
            if s.at[server] >= until:
                break
            events -= 1
            s.sys[at.NOW] = s.at[server]
            command = _next(s, server)
            if command >= 0:
                requests.give_out(s, command)
        s.sys[at.NOW] = until
        requests.outstanding(s, np.int64(0))
        members.meet_stalls(s)

    return advance


advance = _bound_to(_sources())

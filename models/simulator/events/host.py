"""Compiled: commands from their arrival over the link to their completion."""

import numpy as np

from models.simulator._jit import jit, prefetch
from models.simulator.events import mapping
from models.simulator.events import state as at
from models.simulator.events.clock import (
    ONE,
    below,
    exponential,
    kick,
    kick_all,
    outstanding,
    record,
    set_timer,
)
from models.simulator.events.state import Drive, Number, Words
from models.simulator.kernel import _draw


@jit
def issue(sys: Words, command: Words, number: Number) -> None:
    """Queue a command that the host has just given out."""
    command[number, at.TIME] = sys[at.NOW]
    command[number, at.NEXT] = at.NONE
    if sys[at.TODO] < 0:
        sys[at.TODO] = number
    else:
        command[sys[at.TODO_LAST], at.NEXT] = number
    sys[at.TODO_LAST] = number


@jit
def spare_command(sys: Words, command: Words, kind: Number) -> Number:
    """Take an unused command; -1 if too many wait."""
    number = sys[at.SPARE_COMMAND]
    if number < 0:
        sys[at.OVERLOADED] = 1
        return number
    sys[at.SPARE_COMMAND] = command[number, at.NEXT]
    command[number, at.KIND] = kind
    return number


@jit
def submit(s: Drive) -> None:
    """Send the command that was given out first to the link or to its die."""
    command = s.sys[at.TODO]
    s.sys[at.TODO] = s.command[command, at.NEXT]
    outstanding(s.sys, s.tally, ONE)
    if s.sys[at.FOLD_IDLE]:
        s.sys[at.FOLDING] = 0
        set_timer(s.at, s.tree, len_servers(s.sys) - 1, at.NEVER)
    kind = s.command[command, at.KIND]
    if kind >> 1 == at.POOL_MIXED and s.sys[at.MIXED]:
        kind = 0 if _draw(s.bits, np.int64(at.KINDS)) < s.bits[at.READ_CUT] else 1
        s.command[command, at.KIND] = kind
    if kind & 1 or not queue_read(s, command):
        to_link(s, command)


@jit
def queue_read(s: Drive, command: Number) -> Number:
    """Queue a read at the die of a random page; False if that page has no data."""
    mapped = s.sys[at.MAPPED]
    die = below(s.bits, at.ADDRESSES, s.sys[at.PAGES if mapped else at.DIES])
    if mapped:
        code = np.int64(s.where[die])
        if code == at.NOWHERE:
            s.tally[at.UNMAPPED] += 1
            return False
        die = (code >> s.sys[at.SHIFT]) % s.sys[at.DIES]
    own = s.die[die]
    s.command[command, at.NEXT] = at.NONE
    if own[at.HEAD] < 0:
        own[at.HEAD] = command
    else:
        s.command[own[at.LAST], at.NEXT] = command
    own[at.LAST] = command
    kick(s.kicked, die)
    return True


@jit
def len_servers(sys: Words) -> Number:
    """Count the servers: dies, channels, link, two arrivals, bursts, idle folding."""
    return sys[at.DIES] + sys[at.CHANNELS] + 5


@jit
def to_link(s: Drive, command: Number) -> None:
    """Queue a command at the host link."""
    end = max(s.sys[at.NOW], s.sys[at.LINK_FREE]) + s.sys[at.LINK_TIME]
    s.sys[at.LINK_FREE] = end
    s.tally[at.LINKED] += 1
    s.command[command, at.END] = end
    s.command[command, at.NEXT] = at.NONE
    if s.sys[at.LINK_HEAD] < 0:
        s.sys[at.LINK_HEAD] = command
        set_timer(s.at, s.tree, s.sys[at.DIES] + s.sys[at.CHANNELS], end)
    else:
        s.command[s.sys[at.LINK_LAST], at.NEXT] = command
    s.sys[at.LINK_LAST] = command


@jit
def link_event(s: Drive) -> Number:
    """End the use of the link; return the read that completes, or -1 after queueing a write."""
    command = s.sys[at.LINK_HEAD]
    head = s.command[command, at.NEXT]
    s.sys[at.LINK_HEAD] = head
    end = s.command[head, at.END] if head >= 0 else np.int64(at.NEVER)
    set_timer(s.at, s.tree, s.sys[at.DIES] + s.sys[at.CHANNELS], end)
    if s.command[command, at.KIND] & 1 == 0:
        return command
    s.command[command, at.NEXT] = at.NONE
    if s.sys[at.ARRIVED] < 0:
        s.sys[at.ARRIVED] = command
    else:
        s.command[s.sys[at.ARRIVED_LAST], at.NEXT] = command
    s.sys[at.ARRIVED_LAST] = command
    return np.int64(-1)


@jit
def complete(s: Drive, command: Number) -> None:
    """Count a command that is done; its source may give out the next."""
    record(s, command)
    outstanding(s.sys, s.tally, -ONE)
    pool = s.command[command, at.KIND] >> 1
    again = pool < at.POOL_BURST
    if pool == at.POOL_BURST:
        _burst_write_done(s)
        again = s.sys[at.BURST_LEFT] > 0
        s.sys[at.BURST_LEFT] -= again
        s.sys[at.BURST_WRITERS] -= not again
    if again:
        issue(s.sys, s.command, command)
    else:
        s.command[command, at.NEXT] = s.sys[at.SPARE_COMMAND]
        s.sys[at.SPARE_COMMAND] = command


@jit
def _burst_write_done(s: Drive) -> None:
    s.sys[at.BURST_DONE] += 1
    size = s.sys[at.BURST_PAGES]
    if s.sys[at.BURST_DONE] % size == 0:
        now = s.sys[at.NOW]
        number = s.sys[at.BURST_DONE] // size
        began = max((number - 1) * s.sys[at.BURST_PERIOD], s.sys[at.BURST_START])
        s.sys[at.BURST_START] = now
        if number < len(s.bursts):
            s.bursts[number] = now - began
            s.bursts[0] = number


@jit
def accept(s: Drive) -> Number:
    """Let the write that has waited for longest into the buffer, where there is room."""
    command = s.sys[at.ARRIVED]
    s.sys[at.ARRIVED] = s.command[command, at.NEXT]
    place = s.sys[at.READY_AT] + s.sys[at.READY]
    if place >= s.sys[at.BUFFER]:
        place -= s.sys[at.BUFFER]
    page = _write_page(s)
    s.ready[place] = page
    prefetch(s.where, page)
    s.sys[at.USED] += 1
    s.sys[at.READY] += 1
    if s.sys[at.READY] >= s.sys[at.UNIT]:
        s.sys[at.TRY] = 1
    return command


@jit
def _write_page(s: Drive) -> Number:
    """Logical page of the next write."""
    if s.sys[at.MAPPED] and not s.sys[at.SEQUENTIAL]:
        return below(s.bits, at.ADDRESSES, s.sys[at.PAGES])
    page = s.sys[at.CURSOR]
    s.sys[at.CURSOR] = page + 1 if page + 1 < s.sys[at.PAGES] else 0
    return page


@jit
def taker(s: Drive) -> Number:
    """Die for the pages that have waited for longest, or -1; where all wait for room, dies fold."""
    die = np.int64(at.NONE)
    if s.sys[at.TRY] and s.sys[at.READY] >= s.sys[at.UNIT]:
        die = mapping.next_die(s, ONE - ONE)
    if die >= 0 and s.sys[at.SLC_WAITS] and not has_slc_room(s.sys):
        s.sys[at.FORCED] = 1
        kick_all(s.kicked, s.sys)
        die = np.int64(at.NONE)
    if die < 0:
        s.sys[at.TRY] = 0
    return die


@jit
def bind(s: Drive, die: Number) -> Number:
    """Queue a program at a die; return its number there."""
    now = s.sys[at.NOW]
    own = s.die[die]
    mapping.queue_pages(s, die)
    slc = s.sys[at.SLC] and has_slc_room(s.sys)
    if not s.sys[at.MAPPED]:
        count_unmapped(s, slc)
    s.stamp[die, own[at.BOUND] % s.sys[at.DIE_QUEUE]] = -1 - now if slc else now
    own[at.BOUND] += 1
    own[at.UNITS] += 1
    own[at.WAITING] += 1
    s.sys[at.READY] -= s.sys[at.UNIT]
    s.sys[at.HOST_UNITS] += 1
    mapping.advance_pointer(s.sys, die)
    kick(s.kicked, die)
    return own[at.BOUND] - 1


@jit
def has_slc_room(sys: Words) -> Number:
    """Whether the cache takes another program."""
    free = max(0, sys[at.SLC_FREE] - sys[at.STORED])
    room = sys[at.SLC_STATIC] + free // sys[at.SLC_BITS]
    return sys[at.CACHED] + sys[at.UNIT] <= room


@jit
def count_unmapped(s: Drive, slc: Number) -> None:
    """Count pages that go to the cache or past it, where pages have no places."""
    unit = s.sys[at.UNIT]
    s.sys[at.FORCED] = 0
    s.tally[at.HOST_PAGES] += unit
    if slc:
        s.sys[at.CACHED] += unit
    else:
        s.sys[at.STORED] += unit


@jit
def await_idle(s: Drive) -> None:
    """Begin to wait for idle folding when host commands and programs are done."""
    idle = s.sys[at.OUTSTANDING] == 0 and s.sys[at.HOST_UNITS] == 0
    server = len_servers(s.sys) - 1
    if s.sys[at.FOLD_IDLE] and idle and s.sys[at.FOLDING] == 0 and s.at[server] == at.NEVER:
        set_timer(s.at, s.tree, server, s.sys[at.NOW] + s.sys[at.IDLE_TIME])


@jit
def idle_event(s: Drive) -> None:
    """Begin to fold."""
    set_timer(s.at, s.tree, len_servers(s.sys) - 1, at.NEVER)
    s.sys[at.FOLDING] = 1
    kick_all(s.kicked, s.sys)


@jit
def arrive(s: Drive, write: Number) -> None:
    """Issue a batch of open commands and wait for the next."""
    gap = s.sys[at.WRITE_GAP] if write else s.sys[at.READ_GAP]
    batch = s.sys[at.WRITE_BATCH] if write else s.sys[at.READ_BATCH]
    for _ in range(batch):
        command = spare_command(s.sys, s.command, 2 * at.POOL_OPEN + write)
        if command < 0:
            break
        issue(s.sys, s.command, command)
    if not s.sys[at.FIXED_WRITES if write else at.FIXED_READS]:
        gap = exponential(s.bits, at.ARRIVALS, gap)
    set_timer(s.at, s.tree, s.sys[at.DIES] + s.sys[at.CHANNELS] + 1 + write, s.sys[at.NOW] + gap)


@jit
def burst_event(s: Drive) -> None:
    """Add a burst to what the writers have to write."""
    s.sys[at.BURST_LEFT] += s.sys[at.BURST_PAGES]
    while s.sys[at.BURST_LEFT] > 0 and s.sys[at.BURST_WRITERS] < s.sys[at.BURST_DEPTH]:
        s.sys[at.BURST_LEFT] -= 1
        s.sys[at.BURST_WRITERS] += 1
        issue(s.sys, s.command, spare_command(s.sys, s.command, 2 * at.POOL_BURST + 1))
    set_timer(s.at, s.tree, len_servers(s.sys) - 2, s.sys[at.NOW] + s.sys[at.BURST_PERIOD])


@jit
def other_event(s: Drive, kind: Number) -> None:
    """Carry out an event of the servers after the link."""
    if kind == 4:
        idle_event(s)
    elif kind == 3:
        burst_event(s)
    else:
        arrive(s, kind - 1)

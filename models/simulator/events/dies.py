"""Compiled: the next operation of a die, its duration, and the effects of its end."""

import numpy as np

from models.simulator._jit import jit
from models.simulator.events import cleaning, mapping
from models.simulator.events import state as at
from models.simulator.events.clock import ONE, exponential, kick, set_timer
from models.simulator.events.state import Drive, Number, Words


@jit
def enter(s: Drive, die: Number, state: Number) -> None:
    """Let a die begin a state, and count the time that it spent in the last."""
    now = s.sys[at.NOW]
    own = s.die[die]
    s.busy[die, own[at.STATE]] += now - own[at.SINCE]
    own[at.SINCE] = own[at.BEGUN] = now
    if state == at.IDLE:
        end = np.int64(at.NEVER)
    elif state in (at.TRANSFER, at.LOAD, at.SLC_LOAD, at.COPY_TRANSFER, at.COPY_LOAD):
        end = carry(s, die, pages_carried(s.sys, own, state))
    elif own[at.STATE] == at.RESUMING:
        end = now + own[at.REMAINING]
    elif state in (at.SUSPENDING, at.RESUMING):
        end = now + s.sys[at.SUSPEND if state == at.SUSPENDING else at.RESUME]
    else:
        mean = mean_time(s.sys, state)
        end = now + (exponential(s.bits, at.SERVICE, mean) if s.sys[at.EXPONENTIAL] else mean)
    own[at.STATE] = state
    set_timer(s.at, s.tree, die, end)


@jit
def pages_carried(sys: Words, own: Words, state: Number) -> Number:
    """Pages that a state of a die sends over its channel."""
    if state == at.TRANSFER:
        return ONE
    if state == at.COPY_TRANSFER and not sys[at.SLC]:
        return own[at.PAGES_TAKEN]
    return sys[at.UNIT]


@jit
def mean_time(sys: Words, state: Number) -> Number:
    """Mean time of an operation."""
    if state == at.SENSE:
        return sys[at.READ_TIME]
    if state == at.COPY_SENSE:
        return sys[at.SLC_READ_TIME if sys[at.SLC] else at.READ_TIME]
    if state == at.SLC_PROGRAM:
        return sys[at.SLC_PROGRAM_TIME]
    return sys[at.ERASE_TIME if state == at.ERASE else at.PROGRAM_TIME]


@jit
def carry(s: Drive, die: Number, pages: Number) -> Number:
    """Send pages over the channel of a die, behind all others; return the time of their arrival."""
    now = s.sys[at.NOW]
    channel = s.die[die, at.CHANNEL]
    begin = max(now, s.channel[channel, at.CHANNEL_FREE])
    end = begin + pages * s.sys[at.TRANSFER_TIME]
    s.channel[channel, at.CHANNEL_FREE] = end
    s.channel[channel, at.CHANNEL_BUSY] += end - begin
    if s.sys[at.CACHE_READ] == 0 or s.die[die, at.STATE] != at.SENSE:
        s.tally[at.CHANNEL_WAIT] += begin - now
    return end


@jit
def choose(s: Drive, die: Number) -> Number:
    """State that an idle die enters; idle if there is nothing to do."""
    own = s.die[die]
    if own[at.HEAD] >= 0 and not s.sys[at.FIFO] and not locked(s, die):
        return at.SENSE
    if own[at.SUSPENDED]:
        return at.RESUMING
    state = background(s, die)
    if own[at.HEAD] >= 0 and s.sys[at.FIFO] and not locked(s, die):
        return at.SENSE if read_came_first(s, die, state) else state
    return state


@jit
def begin(s: Drive, die: Number, state: Number) -> Number:
    """Begin an operation of an idle die; return the number of the host program that it may be."""
    own = s.die[die]
    if state == at.SENSE:
        command = own[at.HEAD]
        own[at.HEAD] = s.command[command, at.NEXT]
        own[at.COMMAND] = command
    elif state == at.ERASE:
        own[at.ERASES] -= 1
        s.tally[at.ERASED] += 1
    elif state == at.COPY_LOAD:
        own[at.COPIES_DUE] -= 1
    elif state == at.COPY_SENSE:
        s.tally[at.COPY_READS] += 1
        if s.sys[at.SLC]:
            own[at.FOLDABLE] -= 1
        else:
            cleaning.take_valid_unit(own, s.domain[own[at.DOMAIN]])
    elif state != at.RESUMING:
        own[at.WAITING] -= 1
    enter(s, die, state)
    return own[at.BOUND] - own[at.WAITING] - 1


@jit
def locked(s: Drive, die: Number) -> Number:
    """Whether a blocking collection keeps reads off a die."""
    if not (s.sys[at.MAPPED] and s.sys[at.BLOCKING]):
        return False
    own = s.die[die]
    collecting = s.domain[own[at.DOMAIN], at.COLLECTING] != 0
    return collecting or own[at.ERASES] > 0 or own[at.COPIES_DUE] > 0


@jit
def background(s: Drive, die: Number) -> Number:
    """State that an idle die would enter if no read waited; idle if there is nothing to do."""
    own = s.die[die]
    if own[at.ERASES]:
        return at.ERASE
    if own[at.COPIES_DUE]:
        return at.COPY_LOAD
    copies = s.sys[at.MAPPED] and cleaning.owes_copies(s.sys, s.domain[own[at.DOMAIN]])
    if copies and cleaning.find_valid_unit(s, die):
        return at.COPY_SENSE
    if own[at.WAITING] and (
        not places_late(s.sys) or mapping.is_open(s.sys, s.domain[own[at.DOMAIN]])
    ):
        return at.SLC_LOAD if oldest_stamp(s.stamp[die], s.die[die]) < 0 else at.LOAD
    if own[at.FOLDABLE] and (s.sys[at.FOLDING] or s.sys[at.FORCED]):
        return at.COPY_SENSE
    return at.IDLE


@jit
def places_late(sys: Words) -> Number:
    """Whether host pages find their place when their program begins."""
    return sys[at.MAPPED] and not sys[at.SUPERBLOCK]


@jit
def oldest_stamp(stamp: Words, own: Words) -> Number:
    """Time when the host program that has waited for longest was bound; -1 - time if to SLC."""
    first = own[at.BOUND] - own[at.WAITING]
    return stamp[first % len(stamp)]


@jit
def read_came_first(s: Drive, die: Number, state: Number) -> Number:
    """Whether the read that has waited for longest came before what else the die has to do."""
    if state not in (at.IDLE, at.LOAD, at.SLC_LOAD):
        return False
    stamp = oldest_stamp(s.stamp[die], s.die[die])
    bound = stamp if stamp >= 0 else -1 - stamp
    return state == at.IDLE or bound > s.command[s.die[die, at.HEAD], at.TIME]


@jit
def suspend(s: Drive, die: Number) -> None:
    """Suspend a program or erase if that gives a waiting read the die earlier."""
    own = s.die[die]
    state = own[at.STATE]
    suspendable = state in (at.PROGRAM, at.SLC_PROGRAM) and not locked(s, die)
    if state in (at.COPY_PROGRAM, at.ERASE):
        suspendable = not s.sys[at.BLOCKING]
    may = suspendable and own[at.PAUSES] < s.sys[at.MOST_PAUSES] and not own[at.RELEASED]
    if own[at.HEAD] < 0 or not may:
        return
    if s.sys[at.SLICE]:
        _release(s, die)
        return
    pause = s.sys[at.SUSPEND]
    left = s.at[die] - s.sys[at.NOW]
    if pause >= 0 and left > pause:
        _set_aside(s, die, left)
        enter(s, die, at.SUSPENDING)


@jit
def _release(s: Drive, die: Number) -> None:
    """Let an operation have the die until its slice ends, if it does not end before."""
    own, now = s.die[die], s.sys[at.NOW]
    is_erase = own[at.STATE] == at.ERASE
    length = s.sys[at.ERASE_SLICE if is_erase else at.SLICE]
    if s.sys[at.SLICES_VARY] and not is_erase:
        until = now + exponential(s.bits, at.SERVICE, length)
    else:
        until = own[at.BEGUN] + ((now - own[at.BEGUN]) // length + 1) * length
    own[at.RELEASED] = s.at[die]
    if until < s.at[die]:
        set_timer(s.at, s.tree, die, until)


@jit
def _set_aside(s: Drive, die: Number, left: Number) -> None:
    """Remember a suspended operation, and the time that it still needs."""
    own = s.die[die]
    own[at.SUSPENDED] = own[at.STATE]
    own[at.REMAINING] = left
    own[at.RELEASED] = 0
    own[at.PAUSES] += 1
    s.tally[at.SUSPENSIONS] += 1


@jit
def end_state(s: Drive, die: Number) -> Number:
    """End the state of a die, begin the one that follows; return the state that ended."""
    own = s.die[die]
    if own[at.RELEASED] > s.sys[at.NOW]:
        _set_aside(s, die, own[at.RELEASED] - s.sys[at.NOW])
        enter(s, die, at.IDLE)
        kick(s.kicked, die)
        return at.SUSPENDING
    state = own[at.STATE]
    follows = at.IDLE
    if state in (at.PROGRAM, at.SLC_PROGRAM, at.COPY_PROGRAM, at.ERASE):
        own[at.PAUSES] = own[at.RELEASED] = 0
    if state == at.SENSE and s.sys[at.CACHE_READ]:
        _send(s, die)
    elif state == at.RESUMING:
        follows = own[at.SUSPENDED]
        own[at.SUSPENDED] = 0
    elif state in (at.SENSE, at.LOAD, at.SLC_LOAD, at.COPY_SENSE, at.COPY_LOAD):
        follows = state + 1
    enter(s, die, follows)
    kick(s.kicked, die)
    _account(s, die, state)
    return state


@jit
def _send(s: Drive, die: Number) -> None:
    """Queue a read at the channel of a die that does not wait for it."""
    command = s.die[die, at.COMMAND]
    channel = s.channel[s.die[die, at.CHANNEL]]
    end = carry(s, die, ONE)
    s.command[command, at.END] = end
    s.command[command, at.NEXT] = at.NONE
    if channel[at.CHANNEL_HEAD] < 0:
        channel[at.CHANNEL_HEAD] = command
        set_timer(s.at, s.tree, s.sys[at.DIES] + s.die[die, at.CHANNEL], end)
    else:
        s.command[channel[at.CHANNEL_LAST], at.NEXT] = command
    channel[at.CHANNEL_LAST] = command


@jit
def _account(s: Drive, die: Number, state: Number) -> None:
    """Account for a program that is over, or a step of folding."""
    unit = s.sys[at.UNIT]
    if state in (at.PROGRAM, at.SLC_PROGRAM):
        s.sys[at.USED] -= unit
        s.sys[at.HOST_UNITS] -= 1
        s.die[die, at.UNITS] -= 1
        s.sys[at.TRY] = 1
        s.die[die, at.FOLDABLE] += state == at.SLC_PROGRAM
    elif s.sys[at.SLC] and state == at.COPY_TRANSFER:
        s.die[die, at.COPIES_DUE] += 1
    elif s.sys[at.SLC] and state == at.COPY_PROGRAM:
        s.sys[at.CACHED] -= unit
        s.sys[at.STORED] += unit
        s.tally[at.COPIES] += unit
        s.sys[at.TRY] = 1


@jit
def channel_event(s: Drive, channel: Number) -> Number:
    """Return the read whose page left a channel, where dies do not wait for it."""
    own = s.channel[channel]
    command = own[at.CHANNEL_HEAD]
    head = s.command[command, at.NEXT]
    own[at.CHANNEL_HEAD] = head
    end = s.command[head, at.END] if head >= 0 else np.int64(at.NEVER)
    set_timer(s.at, s.tree, s.sys[at.DIES] + channel, end)
    return command

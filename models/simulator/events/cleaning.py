"""Compiled: which node is collected, when its pages are copied, and where to."""

import numpy as np

from models.simulator._jit import jit
from models.simulator.events import state as at
from models.simulator.events.clock import ONE, kick, kick_domain
from models.simulator.events.mapping import (
    advance_pointer,
    clear,
    is_valid,
    next_die,
    node_of,
    nodes_pages,
    open_node,
    place,
    seal,
    sentinel,
    take_unit,
)
from models.simulator.events.state import Drive, Number, Words
from models.simulator.kernel import _unlink


@jit
def next_victim(s: Drive, domain: Number) -> None:
    """Take the node with fewest valid pages, the oldest of them, for collection."""
    own = s.domain[domain]
    pages = nodes_pages(s.sys)
    if s.sys[at.FIRST_COLLECTION] == at.NEVER:
        s.sys[at.FIRST_COLLECTION] = s.sys[at.NOW]
    head = sentinel(s.sys, domain, own[at.LEAST])
    while own[at.LEAST] < pages and s.node[head + 1] == head:
        own[at.LEAST] += 1
        head += 2
    if own[at.LEAST] >= pages:
        s.sys[at.STUCK] = 1
        return
    word = np.int64(s.node[head + 1])
    _unlink(s.node, word)
    valid = np.int64(s.node[word])
    s.node[word] = valid + at.OPEN
    own[at.VICTIM] = word >> 2
    own[at.LEFT] = valid
    own[at.LEFT_FIRST] = valid
    unit = s.sys[at.UNIT]
    units = (max(0, valid - own[at.COPY_LEFT]) + unit - 1) // unit
    own[at.HOST_FIRST] = max(0, own[at.ROOM] - units) * unit
    own[at.HOST_LEFT] = own[at.HOST_FIRST]
    for die in range(domain, domain + s.sys[at.DIES] // s.sys[at.DOMAINS]):
        s.die[die, at.SCAN] = 0
        kick(s.kicked, die)


@jit
def proceed(s: Drive, domain: Number) -> None:
    """Erase a victim that has nothing left to copy; open a node if the frontier is full.

    Opening one may call for a victim, which may have nothing to copy, and so on.
    """
    own = s.domain[domain]
    target = s.sys[at.RESERVE] + s.sys[at.GAIN] - 1
    while True:
        if own[at.VICTIM] >= 0:
            if own[at.LEFT] or own[at.IN_FLIGHT]:
                return
            _erase(s, domain)
            if own[at.COLLECTING] and own[at.FREE] < target:
                next_victim(s, domain)
            else:
                own[at.COLLECTING] = 0
        elif own[at.ROOM] == 0 and not s.sys[at.STUCK]:
            open_node(s, domain)
            s.sys[at.TRY] = 1
            if own[at.FREE] < s.sys[at.RESERVE]:
                own[at.COLLECTING] = s.sys[at.BLOCKING]
                next_victim(s, domain)
        else:
            return


@jit
def _erase(s: Drive, domain: Number) -> None:
    """Have the dies erase a victim; whatever they program into it comes later."""
    own = s.domain[domain]
    node = own[at.VICTIM]
    own[at.VICTIM] = at.NONE
    s.node[4 * node + 3] += 1
    if own[at.FREE] == 0:
        own[at.FREE_HEAD] = node
    else:
        s.node[4 * own[at.FREE_LAST]] = node
    own[at.FREE_LAST] = node
    own[at.FREE] += 1
    for die in range(domain, domain + s.sys[at.DIES] // s.sys[at.DOMAINS]):
        s.die[die, at.ERASES] += 1
        kick(s.kicked, die)
    s.sys[at.TRY] = 1


@jit
def owes_copies(sys: Words, own: Words) -> Number:
    """Whether copying lags behind the host writes that the frontier took, or holds them up."""
    if own[at.VICTIM] < 0 or own[at.LEFT] == 0:
        return False
    if sys[at.BLOCKING] or own[at.HOST_LEFT] == 0:
        return True
    return own[at.LEFT] * own[at.HOST_FIRST] > own[at.LEFT_FIRST] * own[at.HOST_LEFT]


@jit
def find_valid_unit(s: Drive, die: Number) -> Number:
    """Move on to the next unit of the victim on a die that holds a valid page, if there is one."""
    own = s.die[die]
    node = s.domain[own[at.DOMAIN], at.VICTIM]
    number = node // s.sys[at.DOMAINS] * s.sys[at.DIES] + die
    unit = s.sys[at.UNIT]
    while own[at.SCAN] < s.sys[at.ROWS]:
        code = (number << s.sys[at.SHIFT]) + own[at.SCAN] * unit
        count = 0
        for i in range(unit):
            if is_valid(s.valid, code + i):
                count += 1
        own[at.PAGES_TAKEN] = count
        own[at.TAKEN] = code
        if count:
            return True
        own[at.SCAN] += 1
    return False


@jit
def take_valid_unit(own: Words, domain: Words) -> None:
    """Begin to copy the unit that was found."""
    own[at.SCAN] += 1
    domain[at.LEFT] -= own[at.PAGES_TAKEN]
    domain[at.IN_FLIGHT] += 1


@jit
def copy_unit(s: Drive, die: Number) -> None:
    """Place the pages of a unit that was read, those that are still valid, anew."""
    code = s.die[die, at.TAKEN]
    domain = s.die[die, at.DOMAIN]
    size, shift = s.sys[at.SIZE], s.sys[at.SHIFT]
    number = code >> shift
    for i in range(s.sys[at.UNIT]):
        if is_valid(s.valid, code + i):
            clear(s.valid, code + i)
            page = np.int64(s.holds[number * size + (code + i - (number << shift))])
            _copy_page(s, domain, page)
    own = s.domain[domain]
    own[at.IN_FLIGHT] -= 1
    if own[at.IN_FLIGHT] == 0 and own[at.LEFT] == 0:
        kick_domain(s.kicked, s.sys, domain)


@jit
def _copy_page(s: Drive, domain: Number, page: Number) -> None:
    own = s.domain[domain]
    if own[at.COPY_LEFT] == 0:
        if own[at.ROOM] == 0:
            open_node(s, domain)
        die = next_die(s, ONE) if s.sys[at.SUPERBLOCK] else domain
        if s.sys[at.SUPERBLOCK]:
            advance_pointer(s.sys, die)
            s.sys[at.TRY] = 1
        own[at.COPY_CODE] = take_unit(s.sys, own, s.die[die], die)
        own[at.COPY_LEFT] = s.sys[at.UNIT]
    place(s, page, own[at.COPY_CODE])
    own[at.COPY_CODE] += 1
    own[at.COPY_LEFT] -= 1
    s.tally[at.COPIES] += 1
    if own[at.COPY_LEFT] == 0:
        last = own[at.COPY_CODE] - 1
        die = (last >> s.sys[at.SHIFT]) % s.sys[at.DIES]
        s.die[die, at.COPIES_DUE] += 1
        kick(s.kicked, die)
        node = node_of(s.sys, last)
        if node != own[at.FRONTIER] or own[at.ROOM] == 0:
            seal(s, domain, node)

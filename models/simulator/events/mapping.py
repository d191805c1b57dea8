"""Compiled: where pages go, and which die takes them. No time passes here."""

import numpy as np

from models.simulator._jit import jit
from models.simulator.events import state as at
from models.simulator.events.clock import ALL, U1, U6, U63, kick_domain
from models.simulator.events.state import Bits, Drive, Number, Words
from models.simulator.kernel import _link, _unlink


@jit
def node_of(sys: Words, code: Number) -> Number:
    """Node that a page belongs to."""
    number = code >> sys[at.SHIFT]
    return number // sys[at.DIES] if sys[at.SUPERBLOCK] else number


@jit
def nodes_pages(sys: Words) -> Number:
    """Pages of a node."""
    return sys[at.SIZE] * (sys[at.DIES] if sys[at.SUPERBLOCK] else 1)


@jit
def sentinel(sys: Words, domain: Number, valid: Number) -> Number:
    """Word of the list of a domain's nodes with a number of valid pages."""
    first = 4 * sys[at.BLOCKS] * sys[at.DOMAINS]
    return first + 2 * (domain * (nodes_pages(sys) + 1) + valid)


@jit
def open_node(s: Drive, domain: Number) -> None:
    """Make the node that has been free for longest the frontier."""
    own = s.domain[domain]
    node = own[at.FREE_HEAD]
    own[at.FREE_HEAD] = s.node[4 * node]
    own[at.FREE] -= 1
    own[at.FRONTIER] = node
    width = s.sys[at.DIES] // s.sys[at.DOMAINS]
    own[at.ROOM] = s.sys[at.ROWS] * width
    s.node[4 * node] = at.OPEN + nodes_pages(s.sys)
    place = node // s.sys[at.DOMAINS]
    for die in range(domain, domain + width):
        s.die[die, at.ROW] = 0
        _set_all_valid(s.valid, s.sys[at.SIZE], (place * s.sys[at.DIES] + die) << s.sys[at.SHIFT])


@jit
def _set_all_valid(valid: Bits, size: Number, code: Number) -> None:
    for first in range(0, size, 64):
        left = size - first
        ones = ALL if left >= 64 else (U1 << np.uint64(left)) - U1
        valid[(code + first) >> 6] |= ones << np.uint64(code & 63)


@jit
def take_unit(sys: Words, own: Words, queue: Words, die: Number) -> Number:
    """Code of the first page of the next unit of a die in its frontier."""
    number = own[at.FRONTIER] // sys[at.DOMAINS] * sys[at.DIES] + die
    code = (number << sys[at.SHIFT]) + queue[at.ROW] * sys[at.UNIT]
    queue[at.ROW] += 1
    own[at.ROOM] -= 1
    return code


@jit
def seal(s: Drive, domain: Number, node: Number) -> None:
    """Let a node whose pages are all placed be collected from now on."""
    own = s.domain[domain]
    valid = np.int64(s.node[4 * node]) - at.OPEN
    s.node[4 * node] = valid
    _link(s.node, 4 * node, sentinel(s.sys, domain, valid))
    own[at.LEAST] = min(own[at.LEAST], valid)


@jit
def place(s: Drive, page: Number, code: Number) -> None:
    """Map a logical page to a place."""
    number = code >> s.sys[at.SHIFT]
    s.where[page] = code
    s.holds[number * s.sys[at.SIZE] + (code - (number << s.sys[at.SHIFT]))] = page


@jit
def is_valid(valid: Bits, code: Number) -> Number:
    """Whether a page holds the data of a logical page."""
    return (valid[code >> 6] >> np.uint64(code & 63)) & U1 != np.uint64(0)


@jit
def clear(valid: Bits, code: Number) -> None:
    """Mark a page as invalid."""
    valid[np.uint64(code) >> U6] &= ~(U1 << (np.uint64(code) & U63))


@jit
def invalidate(s: Drive, code: Number) -> None:
    """Clear a page that was overwritten; its node moves one list down."""
    clear(s.valid, code)
    node = node_of(s.sys, code)
    domain = node % s.sys[at.DOMAINS]
    word = 4 * node
    valid = np.int64(s.node[word]) - 1
    s.node[word] = valid
    own = s.domain[domain]
    if valid < at.OPEN:
        _unlink(s.node, word)
        _link(s.node, word, sentinel(s.sys, domain, valid))
        own[at.LEAST] = min(own[at.LEAST], valid)
    elif node == own[at.VICTIM]:
        die = (code >> s.sys[at.SHIFT]) % s.sys[at.DIES]
        row = (code & ((1 << s.sys[at.SHIFT]) - 1)) // s.sys[at.UNIT]
        if row >= s.die[die, at.SCAN]:
            own[at.LEFT] -= 1
            if own[at.LEFT] == 0:
                kick_domain(s.kicked, s.sys, domain)


@jit
def is_open(sys: Words, own: Words) -> Number:
    """Whether host pages may be placed in a domain: its collection keeps up."""
    if own[at.ROOM] == 0:
        return False
    return own[at.VICTIM] < 0 or (sys[at.BLOCKING] == 0 and own[at.HOST_LEFT] > 0)


@jit
def takes_host_unit(s: Drive, die: Number) -> Number:
    """Whether a die takes a program of host pages into its queue.

    In turn, a die that collects its own blocks does so whatever it is doing; the pages find their
    place when the program begins. In superblocks they find it now.
    """
    if s.die[die, at.UNITS] >= s.sys[at.DIE_QUEUE]:
        return False
    if not s.sys[at.MAPPED] or (s.sys[at.ROUND_ROBIN] and not s.sys[at.SUPERBLOCK]):
        return True
    return is_open(s.sys, s.domain[s.die[die, at.DOMAIN]])


@jit
def full_column(s: Drive, die: Number) -> Number:
    """Whether a die has no room in a superblock that others have room in."""
    if not s.sys[at.SUPERBLOCK] or s.die[die, at.ROW] < s.sys[at.ROWS]:
        return False
    return s.domain[0, at.ROOM] > 0


@jit
def load_of(own: Words) -> Number:
    """Operations that a die has to do: waiting programs, copies and erases, and the running one."""
    busy = 0 if own[at.STATE] == at.IDLE else 1
    return own[at.WAITING] + own[at.COPIES_DUE] + own[at.ERASES] + busy


@jit
def next_die(s: Drive, copy: Number) -> Number:
    """Die for the next unit, of host pages or of copies in the superblock; -1 if none takes it."""
    dies = s.sys[at.DIES]
    die = s.sys[at.POINTER]
    best, least = np.int64(-1), np.int64(at.NEVER)
    for _ in range(dies):
        if not full_column(s, die):
            takes = copy or takes_host_unit(s, die)
            if s.sys[at.ROUND_ROBIN]:
                return die if takes else np.int64(-1)
            load = load_of(s.die[die])
            if takes and load < least:
                best, least = die, load
        die = die + 1 if die + 1 < dies else np.int64(0)
    return best


@jit
def advance_pointer(sys: Words, die: Number) -> None:
    """Begin the next choice behind a die."""
    sys[at.POINTER] = die + 1 if die + 1 < sys[at.DIES] else 0


@jit
def queue_pages(s: Drive, die: Number) -> None:
    """Move the pages that have waited for longest to the end of the queue of a die."""
    unit = s.sys[at.UNIT]
    head = s.sys[at.READY_AT]
    slot = s.die[die, at.BOUND] % s.sys[at.DIE_QUEUE] * unit
    for i in range(unit):
        s.queue[die, slot + i] = s.ready[head]
        head = head + 1 if head + 1 < s.sys[at.BUFFER] else 0
    s.sys[at.READY_AT] = head


@jit
def place_unit(s: Drive, die: Number, number: Number) -> None:
    """Place the pages of a program that was bound to a die."""
    domain = s.die[die, at.DOMAIN]
    own = s.domain[domain]
    frontier = own[at.FRONTIER]
    code = take_unit(s.sys, own, s.die[die], die)
    unit = s.sys[at.UNIT]
    slot = number % s.sys[at.DIE_QUEUE] * unit
    for i in range(unit):
        page = np.int64(s.queue[die, slot + i])
        old = np.int64(s.where[page])
        place(s, page, code + i)
        if old != at.NOWHERE:
            invalidate(s, old)
    s.tally[at.HOST_PAGES] += unit
    if own[at.VICTIM] >= 0:
        own[at.HOST_LEFT] -= unit
    if own[at.VICTIM] >= 0 or own[at.ROOM] == 0:
        kick_domain(s.kicked, s.sys, domain)
    if own[at.ROOM] == 0 and not _copies_open_in(s.sys, own, frontier):
        seal(s, domain, frontier)


@jit
def _copies_open_in(sys: Words, own: Words, node: Number) -> Number:
    return own[at.COPY_LEFT] > 0 and node_of(sys, own[at.COPY_CODE]) == node

"""Compiled core: one page-mapped drive, advanced by a number of host writes.

Everything that is compiled is in this file, because the code cache of numba does not see
changes in other files. Few functions on few arrays: numba's time to compile grows with both.

A physical page has the code ``block << shift | offset``, with the shift of the next power of two.
A block has four words in `node`: its valid pages (plus `OPEN` while pages are still being
programmed into it), two links, its erases. Greedy collection keeps one circular list per count of
valid pages, in order of arrival at that count, behind a sentinel node each; FIFO collection one
list in order of filling; sampling policies keep the sealed blocks in an array inside the link
words. A free block holds the next free one in its first word.

All bits of a block are set and all its pages counted valid when it is opened; overwriting clears
and counts down. So programming a page costs no bookkeeping.
"""
# ruff: noqa: PLR0917 - keyword arguments would be slower to compile, records slower to run

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.simulator._jit import entry, high_product, jit, lowest_bit, prefetch

Words = NDArray[np.int64]
Bits = NDArray[np.uint64]
Reals = NDArray[np.float64]
Pages = NDArray[np.uint32]
Marks = NDArray[np.uint8]
Number = Any  # numba infers the machine type

NOWHERE = 0xFFFFFFFF
OPEN = 1 << 30
TRIMMED = 1 << 31  # mark of an entry of a trace
BATCH = 256
AHEAD, NEAR, NEXT = 24, 8, 4  # requests ahead for which memory is prefetched
FAR = 1 << 18  # pages beyond which more is prefetched: words of blocks, the next victim
TRIM = 1 << 16  # and the class in which a random page is trimmed
TRIM_ANY = 1 << 17  # a random page of any class
TRIM_PAGE = 1 << 18
KIND = BATCH + AHEAD  # where the classes of the requests begin, after their pages
SURVIVORS = KIND + BATCH

GREEDY, FIFO, RANDOM, CHOICES, WINDOWED, COST_BENEFIT = range(6)
ONE, HOST_GC, STREAMS = range(3)
WITH_WRITES, TOGETHER, APART = range(3)
UNIFORM, CLASSES, ZIPF, SEQUENTIAL, MIXED, TRACE, FILL_SEQUENTIAL, FILL_RANDOM = range(8)

# Words of Drive.word: what the drive is, what state it is in, what was counted, where tables begin
(
    BLOCKS, SIZE, SHIFT, ROWS, RESERVE, POLICY, SAMPLE, FRONTIERS, WRITE_STREAMS, COPIES_TO,
    GROUPS,
    WORKLOAD, TRIMS, TRIM_KIND, CLASS_COUNT, PAGES, COARSE_SHIFT, SCRAMBLE_BITS, FILL_FROM,
    POSITION, CURSOR, FREE_HEAD, FREE_TAIL, FREE, SEALED, UNFILLED, IN_USE, BARREN, STUCK, CLOCK,
    WRITES, COPIES, ERASES, REQUESTS, IN_USE_SUM, UNFILLED_SUM, FULL_VICTIMS,
    FRONTIER, LEAST, OWNED, CLASS_START, COARSE, CLASS_ALIAS, BY_CLASS, CLASS_IN_USE,
    VICTIM_VALID, SEALED_AT, HEADER,
) = range(48)  # fmt: skip

# Words of Drive.bits
HOST_STREAM, VICTIM_STREAM, ROUTE_STREAM = np.int64(0), np.int64(4), np.int64(8)
SCRAMBLE, TRIM_CUT, CLASS_CUT = 12, 20, 21
# Words of Drive.real: exponent, areas and squeeze of Zipf, then quotas
ZIPF_WORDS = 4

ROUNDS = 4
ZERO = np.int64(0)  # a plain 0 would have its function compiled for it alone
U0, U1, U2, U6, U11, U17, U19 = (np.uint64(n) for n in (0, 1, 2, 6, 11, 17, 19))
U23, U41, U45, U63, U64 = (np.uint64(n) for n in (23, 41, 45, 63, 64))
UAHEAD, UNEAR, UNEXT, UOPEN = (np.uint64(n) for n in (AHEAD, NEAR, NEXT, OPEN))
ALL = np.uint64(2**64 - 1)


class Drive(NamedTuple):
    """Arrays of one simulated drive, in the order in which `advance` takes them."""

    word: Words
    bits: Bits
    real: Reals
    request: Pages
    where: Pages  # logical page -> code
    holds: Pages  # block * pages per block + offset -> logical page
    valid: Bits  # one bit per physical page
    node: Pages
    owner: Marks  # stream of a block, if there are streams
    trace: Pages


@jit
def _next(a: Number, b: Number, c: Number, d: Number) -> Number:
    """One step of xoshiro256++: its output and the next state."""
    s = a + d
    out = ((s << U23) | (s >> U41)) + a
    t = b << U17
    c ^= a
    d ^= b
    return out, a ^ d, b ^ c, c ^ t, (d << U45) | (d >> U19)


@jit
def _draw(bits: Bits, at: Number) -> Number:
    """Next 64 random bits of the stream whose state begins at a word."""
    out, bits[at], bits[at + 1], bits[at + 2], bits[at + 3] = _next(
        bits[at], bits[at + 1], bits[at + 2], bits[at + 3]
    )
    return out


@jit
def _below(draw: Number, bound: Number) -> Number:
    """Scale 64 random bits to [0, bound), by a multiplication."""
    return np.int64(high_product(draw, bound))


@jit
def _scrambled(page: Number, word: Words, bits: Bits) -> Number:
    """Place of a page in a fixed random order of all pages (a permutation; walks its cycles)."""
    width = word[SCRAMBLE_BITS]
    mask = (U1 << np.uint64(width)) - U1
    half = np.uint64((width + 1) // 2)
    pages = np.uint64(word[PAGES])
    x = np.uint64(page)
    while True:
        for i in range(ROUNDS):
            x = (x * bits[SCRAMBLE + 2 * i] + bits[SCRAMBLE + 2 * i + 1]) & mask
            x ^= x >> half
        if x < pages:
            return np.int64(x)


@jit
def _area(x: Number, exponent: Number) -> Number:
    """Integral of x**-exponent from 1 to x."""
    log = math.log(x)
    y = (1 - exponent) * log
    return log * (math.expm1(y) / y if abs(y) > 1e-8 else 1 + y * (0.5 + y / 6))


@jit
def _zipf_page(stream: Number, word: Words, bits: Bits, real: Reals) -> Number:
    """Page by rejection-inversion of Hoermann and Derflinger, its rank scattered over the pages."""
    exponent = real[0]
    while True:
        area = real[2] + np.float64(_draw(bits, stream) >> U11) * 2.0**-53 * (real[1] - real[2])
        y = max(-1.0, area * (1 - exponent))
        x = math.exp(area * (math.log1p(y) / y if abs(y) > 1e-8 else 1 - y * (0.5 - y / 3)))
        rank = min(max(int(x + 0.5), 1), word[PAGES])
        if rank - x <= real[3]:
            break
        if area >= _area(rank + 0.5, exponent) - math.exp(-exponent * math.log(rank)):
            break
    return _scrambled(rank - 1, word, bits)


@jit
def _class_of(page: Number, word: Words) -> Number:
    """Class of a logical page."""
    k = word[word[COARSE] + (page >> word[COARSE_SHIFT])]
    start = word[CLASS_START] + 1
    while page >= word[start + k]:
        k += 1
    return k


@jit
def _class_page(k: Number, stream: Number, word: Words, bits: Bits) -> Number:
    """Return a random page of a class."""
    at = word[CLASS_START] + k
    start = word[at]
    return start + _below(_draw(bits, stream), np.uint64(word[at + 1] - start))


@jit
def _turn(start: Number, end: Number, word: Words) -> Number:
    """Count around a circle of pages."""
    at = word[CURSOR]
    word[CURSOR] = at + 1 if at + 1 < end - start else 0
    return start + at


@jit
def _write(workload: Number, word: Words, bits: Bits, real: Reals, trace: Pages) -> Number:  # noqa: C901, PLR0911 - one branch per workload
    """Page of the next request, and its class or that it is a trim."""
    if workload == UNIFORM:
        return _class_page(ZERO, HOST_STREAM, word, bits), 0
    if workload == CLASSES:
        k = _mixed_class(workload, word, bits)
        return _class_page(k, HOST_STREAM, word, bits), k
    if workload == ZIPF:
        return _zipf_page(HOST_STREAM, word, bits, real), 0
    if workload == MIXED:
        k = _mixed_class(workload, word, bits)
        if k < word[CLASS_COUNT] - 1:
            return _class_page(k, HOST_STREAM, word, bits), k
        return _turn(word[word[CLASS_START] + k], word[PAGES], word), k
    if workload == TRACE:
        page = np.int64(trace[_turn(ZERO, trace.size, word)])
        return page & (TRIMMED - 1), TRIM_PAGE if page >= TRIMMED else 0
    page = _turn(ZERO, word[PAGES], word)
    if workload == SEQUENTIAL:
        return page, 0
    if workload == FILL_RANDOM:
        page = _scrambled(page, word, bits)
    else:
        page += word[FILL_FROM]
        page -= word[PAGES] if page >= word[PAGES] else 0
    return page, _class_of(page, word)


@jit
def _mixed_class(workload: Number, word: Words, bits: Bits) -> Number:
    """Class of a request, by the alias method."""
    if workload in (CLASSES, MIXED):
        draw = _draw(bits, HOST_STREAM)
        count = np.uint64(word[CLASS_COUNT])
        k = _below(draw, count)
        return k if draw * count < bits[CLASS_CUT + k] else word[word[CLASS_ALIAS] + k]
    return 0


@jit
def _draw_classes(word: Words, bits: Bits, request: Pages) -> None:
    """Draw requests as `_write` does, the state of the stream in registers."""
    a, b, c, d = bits[0], bits[1], bits[2], bits[3]
    count = np.uint64(word[CLASS_COUNT])
    start, alias = word[CLASS_START], word[CLASS_ALIAS]
    for i in range(BATCH):
        draw, a, b, c, d = _next(a, b, c, d)
        k = _below(draw, count)
        other = word[alias + k]
        k = k if draw * count < bits[CLASS_CUT + k] else other
        first = word[start + k]
        draw, a, b, c, d = _next(a, b, c, d)
        request[i] = first + _below(draw, np.uint64(word[start + k + 1] - first))
        request[KIND + i] = k
    bits[0], bits[1], bits[2], bits[3] = a, b, c, d


@jit
def _refill(
    word: Words, bits: Bits, real: Reals, request: Pages, where: Pages, trace: Pages
) -> None:
    """Draw the next requests, and ask for the table entries of the first."""
    workload = word[WORKLOAD]
    cut = bits[TRIM_CUT]
    if workload == UNIFORM and cut == U0:
        a, b, c, d = bits[0], bits[1], bits[2], bits[3]
        pages = np.uint64(word[word[CLASS_START] + 1])
        for i in range(BATCH):
            draw, a, b, c, d = _next(a, b, c, d)
            request[i] = _below(draw, pages)
        bits[0], bits[1], bits[2], bits[3] = a, b, c, d
    elif workload == CLASSES and cut == U0:
        _draw_classes(word, bits, request)
    else:
        for i in range(BATCH):
            if cut > U0 and _draw(bits, HOST_STREAM) < cut:
                request[i] = 0
                kind = word[TRIM_KIND]
                request[KIND + i] = kind + (
                    _mixed_class(workload, word, bits) if kind == TRIM else 0
                )
            else:
                page, k = _write(workload, word, bits, real, trace)
                request[i] = page
                request[KIND + i] = k
    for i in range(AHEAD):
        prefetch(where, np.int64(request[i]))
    word[POSITION] = 0


@jit
def _link(node: Pages, at: Number, sentinel: Number) -> None:
    """Append a node to the end of a circular list; a node is known by its first word."""
    last = np.int64(node[sentinel + 2])
    node[sentinel + 2] = at
    node[last + 1] = at
    node[at + 1] = sentinel
    node[at + 2] = last


@jit
def _unlink(node: Pages, at: Number) -> None:
    after = np.int64(node[at + 1])
    before = np.int64(node[at + 2])
    node[before + 1] = after
    node[after + 2] = before


@jit
def _list(group: Number, count: Number, word: Words) -> Number:
    """First word of the sentinel of a list of greedy cleaning."""
    return 4 * word[BLOCKS] + 2 * (group * (word[SIZE] + 1) + count)


@jit
def _group(block: Number, word: Words, owner: Marks) -> Number:
    """Group of blocks that share their lists: a stream under quotas, else all."""
    return np.int64(owner[block]) if word[GROUPS] > 1 else 0


@jit
def _open(stream: Number, word: Words, valid: Bits, node: Pages, owner: Marks) -> None:
    """Take the block that has been free for longest as the frontier of a stream."""
    size, rows = word[SIZE], word[ROWS]
    block = word[FREE_HEAD]
    word[FREE_HEAD] = node[4 * block]
    word[FREE] -= 1
    node[4 * block] = OPEN + size
    code = block << word[SHIFT]
    for i in range(rows):
        left = size - 64 * i
        ones = ALL if left >= 64 else (U1 << np.uint64(left)) - U1
        valid[(code >> 6) + i] |= ones << np.uint64(code & 63)
    at = word[FRONTIER] + 2 * stream
    word[at] = block
    word[at + 1] = 0
    word[UNFILLED] += size
    if word[FRONTIERS] == STREAMS:
        owner[block] = stream
    word[word[OWNED] + 2 * _group(block, word, owner)] += 1


@jit
def _programmed(stream: Number, pages: Number, word: Words, node: Pages, owner: Marks) -> None:
    """Count pages programmed into a frontier; a full block may be collected from now on."""
    at = word[FRONTIER] + 2 * stream
    word[at + 1] += pages
    word[UNFILLED] -= pages
    if word[at + 1] < word[SIZE]:
        return
    block, policy = word[at], word[POLICY]
    group = _group(block, word, owner)
    count = np.int64(node[4 * block]) - OPEN
    node[4 * block] = count
    word[word[OWNED] + 2 * group + 1] += 1
    if policy == GREEDY:
        _link(node, 4 * block, _list(group, count, word))
        word[word[LEAST] + group] = min(count, word[word[LEAST] + group])
    elif policy in (FIFO, WINDOWED):
        _link(node, 4 * block, 4 * word[BLOCKS] + 2 * group)
    else:
        node[4 * word[SEALED] + 1] = block
        node[4 * block + 2] = word[SEALED]
        if policy == COST_BENEFIT:
            word[word[SEALED_AT] + block] = word[CLOCK]
    word[SEALED] += 1


@jit
def _greedy_victim(group: Number, word: Words, node: Pages) -> Number:
    """First block of the lowest occupied list."""
    least = word[LEAST] + group
    sentinel = _list(group, word[least], word)
    while node[sentinel + 1] == sentinel:
        sentinel += 2
        word[least] += 1
    return np.int64(node[sentinel + 1]) >> 2


@jit
def _windowed_victim(group: Number, word: Words, node: Pages) -> Number:
    """Fewest valid pages among the blocks filled first; of equals the one filled first."""
    sentinel = 4 * word[BLOCKS] + 2 * group
    at = np.int64(node[sentinel + 1])
    best = at
    for _ in range(word[SAMPLE]):
        if at == sentinel:
            break
        if node[at] < node[best]:
            best = at
        at = np.int64(node[at + 1])
    return best >> 2


@jit
def _sampled_victim(group: Number, word: Words, bits: Bits, node: Pages, owner: Marks) -> Number:
    """Best of some random blocks; of equals the one drawn first.

    Random collection draws one; d-choices takes the one with the fewest valid pages, cost-benefit
    that of the largest product of age since sealing and space gained per page read and written.
    A sample of none stands for all blocks, of which each is looked at once.
    """
    policy, size, sealed = word[POLICY], word[SIZE], word[SEALED]
    best, merit = np.int64(-1), 0.0
    whole = policy != RANDOM and word[SAMPLE] == 0
    draws = 1 if policy == RANDOM else word[SAMPLE]
    place = ZERO - 1
    while (whole and place + 1 < sealed) or draws > 0:
        if whole:
            place += 1
        else:
            place = _below(_draw(bits, VICTIM_STREAM), np.uint64(sealed))
        block = np.int64(node[4 * place + 1])
        if _group(block, word, owner) != group:
            continue
        draws -= 1
        count = np.int64(node[4 * block])
        value = float(size - count)
        if policy == COST_BENEFIT:
            age = word[CLOCK] - word[word[SEALED_AT] + block] + 1
            value = age * (value / (size + count))
        if best < 0 or value > merit:
            best, merit = block, value
    return best


@jit
def _victim_group(word: Words, real: Reals, node: Pages) -> Number:
    """Stream that exceeds its quota by most, of those that have a block to gain from; or -1."""
    best, most = np.int64(-1), 0.0
    for group in range(word[GROUPS]):
        if word[word[OWNED] + 2 * group + 1] == 0:
            continue
        pure = word[POLICY] == GREEDY and word[GROUPS] > 1
        if pure and node[4 * _greedy_victim(group, word, node)] == word[SIZE]:
            continue
        excess = word[word[OWNED] + 2 * group] - real[ZIPF_WORDS + group]
        if best < 0 or excess > most:
            best, most = np.int64(group), excess
    return best


@jit
def _take_victim(word: Words, bits: Bits, real: Reals, node: Pages, owner: Marks) -> Number:
    """Choose a victim and take it off the sealed blocks; -1 if there is nothing to gain."""
    policy = word[POLICY]
    group = _victim_group(word, real, node)
    if group < 0 or word[BARREN] > 64 * word[BLOCKS]:
        return -1
    word[word[OWNED] + 2 * group + 1] -= 1
    if policy == GREEDY:
        block = _greedy_victim(group, word, node)
    elif policy == FIFO:
        block = np.int64(node[4 * word[BLOCKS] + 2 * group + 1]) >> 2
    elif policy == WINDOWED:
        block = _windowed_victim(group, word, node)
    else:
        block = _sampled_victim(group, word, bits, node, owner)
        last = np.int64(node[4 * (word[SEALED] - 1) + 1])
        place = np.int64(node[4 * block + 2])
        node[4 * place + 1] = last
        node[4 * last + 2] = place
    if policy in (GREEDY, FIFO, WINDOWED):
        _unlink(node, 4 * block)
    word[SEALED] -= 1
    word[word[OWNED] + 2 * _group(block, word, owner)] -= 1
    return block


@jit
def _count_copies(count: Number, word: Words, request: Pages) -> None:
    """Count gathered pages by their class."""
    copies = word[BY_CLASS] + word[CLASS_COUNT]
    if word[CLASS_COUNT] == 2:
        start = np.uint32(word[word[CLASS_START] + 1])
        cold = ZERO
        for i in range(SURVIVORS, SURVIVORS + count):
            cold += np.int64(request[i] >= start)
        word[copies] += count - cold
        word[copies + 1] += cold
    else:
        for i in range(SURVIVORS, SURVIVORS + count):
            word[copies + _class_of(np.int64(request[i]), word)] += 1


@jit
def _gather(
    block: Number, word: Words, request: Pages, where: Pages, holds: Pages, valid: Bits
) -> Number:
    """List the valid pages of a block, asking for their entries ahead; return their number."""
    rows = word[ROWS]
    code = block << word[SHIFT]
    first = np.uint64(block * word[SIZE])
    end = np.uint64(SURVIVORS)
    for i in range(rows):
        row = valid[(code >> 6) + i]
        if word[SIZE] < 64:  # the word has bits of other blocks
            row = (row >> np.uint64(code & 63)) & ((U1 << np.uint64(word[SIZE])) - U1)
            valid[code >> 6] &= ~(row << np.uint64(code & 63))
        while row != U0:
            page = holds[first + np.uint64(lowest_bit(row))]
            row &= row - U1
            prefetch(where, np.int64(page))
            request[end] = page
            end += U1
        first += U64
    count = np.int64(end) - SURVIVORS
    if word[CLASS_COUNT] > 1:
        _count_copies(count, word, request)
    return count


@jit
def _move(
    source: Number,
    count: Number,
    code: Number,
    first: Number,
    request: Pages,
    where: Pages,
    holds: Pages,
) -> None:
    """Program listed pages to consecutive places."""
    for i in range(count):
        page = request[np.uint64(source + i)]
        holds[np.uint64(first + i)] = page
        where[page] = code + i


@jit
def _copies_to(victim: Number, word: Words, owner: Marks) -> Number:
    """Frontier of the copies of a block."""
    if word[FRONTIERS] != STREAMS:
        return word[FRONTIERS]
    stream, written = np.int64(owner[victim]), word[WRITE_STREAMS]
    if word[COPIES_TO] == TOGETHER:
        return written
    return stream + written if word[COPIES_TO] == APART and stream < written else stream


@jit
def _collect(
    word: Words,
    bits: Bits,
    real: Reals,
    request: Pages,
    where: Pages,
    holds: Pages,
    valid: Bits,
    node: Pages,
    owner: Marks,
) -> bool:
    """Copy the valid pages of one victim and erase it; False if nothing can be gained."""
    size = word[SIZE]
    victim = _take_victim(word, bits, real, node, owner)
    if victim < 0:
        return False
    count = _gather(victim, word, request, where, holds, valid)
    stream = _copies_to(victim, word, owner)
    at = word[FRONTIER] + 2 * stream
    done = 0
    while done < count:
        if word[at + 1] == size:
            _open(stream, word, valid, node, owner)
        run = min(count - done, size - word[at + 1])
        code = (word[at] << word[SHIFT]) + word[at + 1]
        first = word[at] * size + word[at + 1]
        _move(SURVIVORS + done, run, code, first, request, where, holds)
        done += run
        _programmed(stream, run, word, node, owner)
    full = 1 if count == size else 0
    word[word[VICTIM_VALID] + count] += 1
    word[FULL_VICTIMS] += full
    word[BARREN] = full * (word[BARREN] + 1)
    word[COPIES] += count
    word[ERASES] += 1
    node[4 * victim + 3] += 1
    if word[FREE] == 0:
        word[FREE_HEAD] = victim
    else:
        node[4 * word[FREE_TAIL]] = victim
    word[FREE_TAIL] = victim
    word[FREE] += 1
    if word[POLICY] == GREEDY and word[GROUPS] == 1 and word[PAGES] > FAR:
        first = _greedy_victim(ZERO, word, node) * size
        for i in range(0, size, 16):
            prefetch(holds, first + i)
    return True


@jit
def _invalidate(
    code: Number, shift: Number, greedy: Number, word: Words, valid: Bits, node: Pages, owner: Marks
) -> None:
    """Clear a page; greedy collection moves its block one list down."""
    valid[np.uint64(code >> 6)] &= ~(U1 << np.uint64(code & 63))
    block = code >> shift
    at = 4 * block
    count = np.int64(node[np.uint64(at)]) - 1
    node[np.uint64(at)] = count
    if greedy and count < OPEN:
        group = _group(block, word, owner)
        _unlink(node, at)
        _link(node, at, _list(group, count, word))
        word[word[LEAST] + group] = min(count, word[word[LEAST] + group])


@jit
def _page_in_use(k: Number, word: Words, bits: Bits, real: Reals, where: Pages) -> Number:
    """Random page in use of a class that has one."""
    while True:
        if word[WORKLOAD] == ZIPF:
            page = _zipf_page(VICTIM_STREAM, word, bits, real)
        else:
            page = _class_page(k, VICTIM_STREAM, word, bits)
        if where[page] != NOWHERE:
            return page


@jit
def _any_page_in_use(word: Words, bits: Bits, where: Pages) -> Number:
    """Random page in use, whatever its class; there is one."""
    while True:
        page = _below(_draw(bits, VICTIM_STREAM), np.uint64(word[PAGES]))
        if where[page] != NOWHERE:
            return page


@jit
def _trim(
    kind: Number,
    page: Number,
    word: Words,
    bits: Bits,
    real: Reals,
    where: Pages,
    valid: Bits,
    node: Pages,
    owner: Marks,
) -> None:
    """Trim a page, or a random one of a class; nothing happens where none is in use."""
    k = kind & (TRIM - 1)
    if kind == TRIM_ANY:
        if word[IN_USE] == 0:
            return
        page = _any_page_in_use(word, bits, where)
        k = _class_of(page, word)
    if word[word[CLASS_IN_USE] + k] == 0:
        return
    if kind < TRIM_ANY:
        page = _page_in_use(k, word, bits, real, where)
    code = np.int64(where[page])
    if code == NOWHERE:
        return
    greedy = word[POLICY] == GREEDY
    _invalidate(code, word[SHIFT], greedy, word, valid, node, owner)
    where[page] = NOWHERE
    word[word[CLASS_IN_USE] + k] -= 1
    word[IN_USE] -= 1


@jit
def _route(k: Number, word: Words, bits: Bits) -> Number:
    """Stream of a write of a class."""
    last = word[WRITE_STREAMS] - 1
    cut = CLASS_CUT + word[CLASS_COUNT] + k * last
    draw = _draw(bits, ROUTE_STREAM)
    stream = 0
    while stream < last and draw >= bits[cut + stream]:
        stream += 1
    return stream


@jit
def _overwrite(
    start: Number,
    run: Number,
    code: Number,
    first: Number,
    word: Words,
    request: Pages,
    where: Pages,
    holds: Pages,
    valid: Bits,
    node: Pages,
) -> None:
    """Write requests for pages in use where greedy collection keeps one set of lists."""
    shift = np.uint64(word[SHIFT])
    lists = np.uint64(4 * word[BLOCKS])
    least = np.uint64(word[word[LEAST]])
    far = word[PAGES] > FAR
    for i in range(run):
        at = np.uint64(start + i)
        page = request[at]
        prefetch(where, np.int64(request[at + UAHEAD]))
        if far:
            soon = np.uint64(where[request[at + UNEAR]])
            prefetch(valid, np.int64(soon >> U6))
            prefetch(node, np.int64((soon >> shift) << U2))
            soon = (np.uint64(where[request[at + UNEXT]]) >> shift) << U2
            prefetch(node, np.int64(node[soon + U1]))
            prefetch(node, np.int64(node[soon + U2]))
        old = np.uint64(where[page])
        where[page] = code + i
        holds[np.uint64(first + i)] = page
        valid[old >> U6] &= ~(U1 << (old & U63))
        at = (old >> shift) << U2
        count = np.uint64(node[at]) - U1
        node[at] = count
        if count < UOPEN:
            after = np.uint64(node[at + U1])
            before = np.uint64(node[at + U2])
            node[before + U1] = after
            node[after + U2] = before
            sentinel = lists + (count << U1)
            last = np.uint64(node[sentinel + U2])
            node[sentinel + U2] = at
            node[last + U1] = at
            node[at + U1] = sentinel
            node[at + U2] = last
            least = min(least, count)
    word[word[LEAST]] = np.int64(least)


@jit
def _write_any(
    start: Number,
    run: Number,
    code: Number,
    first: Number,
    word: Words,
    request: Pages,
    where: Pages,
    holds: Pages,
    valid: Bits,
    node: Pages,
    owner: Marks,
) -> None:
    """Write requests of any kind, one by one."""
    shift, classes, greedy = word[SHIFT], word[CLASS_COUNT], word[POLICY] == GREEDY
    for i in range(run):
        page = np.int64(request[start + i])
        prefetch(where, np.int64(request[start + i + AHEAD]))
        old = np.int64(where[page])
        where[page] = code + i
        holds[first + i] = page
        k = np.int64(request[KIND + start + i])
        if old != NOWHERE:
            _invalidate(old, shift, greedy, word, valid, node, owner)
        else:
            word[word[CLASS_IN_USE] + k] += 1
            word[IN_USE] += 1
        word[IN_USE_SUM] += word[IN_USE]
        if classes > 1:
            word[word[BY_CLASS] + k] += 1


@jit
def _host_run(
    stream: Number,
    start: Number,
    run: Number,
    word: Words,
    request: Pages,
    where: Pages,
    holds: Pages,
    valid: Bits,
    node: Pages,
    owner: Marks,
) -> None:
    """Write consecutive requests into the room of one frontier."""
    at = word[FRONTIER] + 2 * stream
    code = (word[at] << word[SHIFT]) + word[at + 1]
    first = word[at] * word[SIZE] + word[at + 1]
    plain = word[POLICY] == GREEDY and word[GROUPS] == 1
    if plain and word[IN_USE] == word[PAGES]:
        _overwrite(start, run, code, first, word, request, where, holds, valid, node)
        word[IN_USE_SUM] += run * word[IN_USE]
        if word[CLASS_COUNT] > 1:
            for i in range(start, start + run):
                word[word[BY_CLASS] + np.int64(request[KIND + i])] += 1
    else:
        _write_any(start, run, code, first, word, request, where, holds, valid, node, owner)
    word[UNFILLED_SUM] += run * word[UNFILLED] - run * (run - 1) // 2
    word[WRITES] += run
    word[REQUESTS] += run
    word[CLOCK] += run
    _programmed(stream, run, word, node, owner)


@entry
def advance(  # noqa: C901 - one loop, so that few values cross calls
    writes: Number,
    word: Words,
    bits: Bits,
    real: Reals,
    request: Pages,
    where: Pages,
    holds: Pages,
    valid: Bits,
    node: Pages,
    owner: Marks,
    trace: Pages,
) -> None:
    """Carry out requests until so many host writes are done, or the drive is stuck."""
    size, reserve = word[SIZE], word[RESERVE]
    routed = word[FRONTIERS] == STREAMS
    single = routed or bits[TRIM_CUT] > U0 or word[TRIMS] > 0
    end = word[WRITES] + writes
    while word[WRITES] < end:
        if word[POSITION] == BATCH:
            _refill(word, bits, real, request, where, trace)
        start = word[POSITION]
        stream = 0
        if single:
            kind = np.int64(request[KIND + start])
            if kind >= TRIM:
                page = np.int64(request[start])
                _trim(kind, page, word, bits, real, where, valid, node, owner)
                word[REQUESTS] += 1
                word[IN_USE_SUM] += word[IN_USE]
                word[POSITION] += 1
                continue
            if routed:
                stream = _route(kind, word, bits)
        programmed = word[FRONTIER] + 2 * stream + 1
        while word[programmed] == size:
            _open(stream, word, valid, node, owner)
            while word[FREE] < reserve:
                if not _collect(word, bits, real, request, where, holds, valid, node, owner):
                    word[STUCK] = 1
                    return
        run = 1 if single else min(BATCH - start, end - word[WRITES])
        run = min(run, size - word[programmed])
        _host_run(stream, start, run, word, request, where, holds, valid, node, owner)
        word[POSITION] += run

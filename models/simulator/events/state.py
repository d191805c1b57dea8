"""Arrays of a simulated drive: what each word means. Times are in ticks of 0.1 ns.

Servers have a time of their next event each: the dies, then the channels, the host link, arrivals
of reads, arrivals of writes, bursts, and the wait for idle folding.

A block of one die has the number ``place * dies + die``; a page has the code
``number << shift | page``. What is collected together is a *node*: with the scope of a die a node
is such a block, with superblocks it is the blocks of all dies at one place. Nodes have four words,
as in the page simulator: valid pages (plus `OPEN` while pages are still being placed in it or
copied from it), two links of circular lists, erases. A *domain* owns nodes: a die, or all dies.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]
Bits = NDArray[np.uint64]
Pages = NDArray[np.uint32]
Number = Any  # numba infers the machine type

NEVER = 1 << 62
NOWHERE = 0xFFFFFFFF
OPEN = 1 << 30
NONE = -1

# What a die is doing; the time spent in each is counted
(
    IDLE, SENSE, TRANSFER, LOAD, PROGRAM, SLC_LOAD, SLC_PROGRAM,
    COPY_SENSE, COPY_TRANSFER, COPY_LOAD, COPY_PROGRAM, ERASE, SUSPENDING, RESUMING, STATES,
) = range(15)  # fmt: skip

# Words of Drive.sys: what the drive is ...
(
    CODE, DIES, CHANNELS, MAPPED, SUPERBLOCK, DOMAINS, SIZE, SHIFT, UNIT, ROWS, BLOCKS,
    RESERVE, GAIN, BLOCKING, ROUND_ROBIN, DIE_QUEUE, CACHE_READ, EXPONENTIAL, FIFO, SUSPEND, RESUME,
    SLICE, ERASE_SLICE, SLICES_VARY, MOST_PAUSES,
    READ_TIME, PROGRAM_TIME, ERASE_TIME, TRANSFER_TIME, LINK_TIME, BUFFER, PAGES, SEQUENTIAL,
    MIXED, FIXED_READS, FIXED_WRITES, READ_GAP, WRITE_GAP, READ_BATCH, WRITE_BATCH,
    BURST_PAGES, BURST_PERIOD, BURST_DEPTH,
    SLC, SLC_PROGRAM_TIME, SLC_READ_TIME, SLC_STATIC, SLC_FREE, SLC_BITS, SLC_WAITS, FOLD_ALWAYS,
    FOLD_IDLE, IDLE_TIME, PART_TICKS,
    # ... and what state it is in
    NOW, USED, READY, READY_AT, CURSOR, POINTER, TRY, TODO, TODO_LAST, ARRIVED, ARRIVED_LAST,
    LINK_HEAD, LINK_LAST, LINK_FREE, SPARE_COMMAND, OUTSTANDING, SINCE_AREA, HOST_UNITS,
    CACHED, STORED, FOLDING, FORCED, BURST_LEFT, BURST_WRITERS, BURST_DONE, BURST_START,
    PART_END, PART_COUNT, FIRST_COLLECTION, STUCK, OVERLOADED, LOGGED, SYS,
) = range(87)  # fmt: skip

# Columns of Drive.die
(
    STATE, SINCE, HEAD, LAST, COMMAND, CHANNEL, DOMAIN, ROW, SCAN, TAKEN, PAGES_TAKEN, ERASES,
    COPIES_DUE, WAITING, UNITS, BOUND, SUSPENDED, REMAINING, FOLDABLE, BEGUN, RELEASED, PAUSES, DIE,
) = range(23)  # fmt: skip

# Columns of Drive.domain
(
    FREE, FREE_HEAD, FREE_LAST, FRONTIER, ROOM, LEAST, VICTIM, LEFT, LEFT_FIRST, HOST_LEFT,
    HOST_FIRST, IN_FLIGHT, COPY_CODE, COPY_LEFT, COLLECTING, DOMAIN_WORDS,
) = range(16)  # fmt: skip

# Columns of Drive.channel
CHANNEL_FREE, CHANNEL_BUSY, CHANNEL_HEAD, CHANNEL_LAST, CHANNEL_WORDS = range(5)

# Columns of Drive.command, and what is in the last: 1 for a write, plus twice the population
TIME, END, NEXT, KIND, COMMAND_WORDS = range(5)
POOL_MIXED, POOL_READERS, POOL_WRITERS, POOL_BURST, POOL_OPEN = range(5)

# Words of Drive.tally, one window's counts; the first four come in pairs, of reads and of writes
COUNT, SUM, MOST, FEWEST = 0, 2, 4, 6
(
    HOST_PAGES, COPIES, COPY_READS, ERASED, UNMAPPED, SUSPENSIONS, AREA, CHANNEL_WAIT, LINKED,
    PART_LEAST, PART_SQUARES, TALLIES,
) = range(8, 20)  # fmt: skip

# Random streams, in words of Drive.bits, and the threshold of a read
ADDRESSES, KINDS, ARRIVALS, SERVICE, READ_CUT, BITS = 0, 4, 8, 12, 16, 17


class Drive(NamedTuple):
    """All state of a run."""

    sys: Words
    bits: Bits
    kicked: Bits  # one bit per die that may have something to start
    at: Words  # time of the next event of every server
    tree: Words  # tournament of the servers: the root has the earliest
    die: Words
    busy: Words  # die, state: time spent
    stamp: Words  # die, program in its queue: time when it was bound to the die; negative: to SLC
    queue: Pages  # die, its bound programs: logical pages
    domain: Words
    channel: Words
    command: Words
    ready: Pages  # ring of logical pages that wait for a program
    where: Pages  # logical page -> code
    holds: Pages  # block number * pages per block + page -> logical page
    valid: Bits  # one bit per code
    node: Pages
    tally: Words
    squares: NDArray[np.float64]  # sums of squared latencies of reads and of writes [s^2]
    histogram: Words  # read or write, bucket
    bursts: Words  # number, then durations
    log: Words  # time, kind, latency of the first completions, for comparisons

"""Arrays of a simulated array of members: what each word means. Times are in ticks of 0.1 ns.

A member serves in order of arrival, and when its stalls begin does not depend on the load: the end
of an operation is known when it joins the queue. So the events are only the ends of what a host
operation waits for (the last of the reads or of the writes that it gave out together), and the
arrivals. Server 0 is the arrivals; server ``1 + i`` is the command in place i.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]
Bits = NDArray[np.uint64]
Number = Any  # numba infers the machine type

NEVER = 1 << 62
NONE = -1

# Words of Array.sys: what the array is ...
(
    CODE, MEMBERS, GROUP, COPIES, DATA, PARITY, RECONSTRUCT, READ_CHUNKS, WRITE_CHUNKS, READ_TIME,
    WRITE_TIME, READ_DELAY, WRITE_DELAY, STALL_TIME, STALL_GAP, FIXED_GAPS, STALLS_REQUESTS, DEPTH,
    ARRIVAL_GAP, MIXED, ONLY_WRITES, ANY_LOST, PART_TICKS,
    # ... and what state it is in
    STARTED, NOW, SPARE_COMMAND, OUTSTANDING, SINCE_AREA, OVERLOADED, LOGGED, SYS,
) = range(31)  # fmt: skip

# Columns of Array.member: end of the work given to it, begin of the next stall that its work has
# not met, stalls met; the same for the stalls by the clock; work and operations given to it; stalls
# that came with operations
(
    FREE, NEXT_STALL, STALLS_MET, CLOCK_STALL, CLOCK_FREE, CLOCK_STALLS, WORK, OPERATIONS,
    REQUEST_STALLS, LOST, MEMBER,
) = range(11)  # fmt: skip

# Columns of Array.command
TIME, STAGE, ROTATION, FIRST, NEXT, COMMAND = range(6)

# Stages of a command: not given out yet, a read, reads before a write, a write
START, READ, PREPARE, WRITE = range(4)

# Words of Array.tally, the counts of the measurement; the first four come in pairs, of reads and of
# writes
COUNT, SUM, MOST, FEWEST, AREA, TALLIES = 0, 2, 4, 6, 8, 9

# Random streams, in words of Array.bits; then thresholds; then three streams for each member: of
# its stalls, of the same stalls by the clock, and of stalls with operations
KINDS, PLACES, ARRIVALS, READ_CUT, STALL_CUT, OWN = 0, 4, 8, 12, 13, 14
STALLS, CLOCK, REQUESTS, OWN_BITS = 0, 4, 8, 12


class Array(NamedTuple):
    """All state of a run."""

    sys: Words
    bits: Bits
    at: Words  # time of the next event of every server
    tree: Words  # tournament of the servers: the root has the earliest
    member: Words
    command: Words
    tally: Words
    squares: NDArray[np.float64]  # sums of squared latencies of reads and of writes [s^2]
    histogram: Words  # read or write, bucket
    parts: NDArray[np.int32]  # part of the run: reads and writes completed
    log: Words  # time, kind, latency of the first completions, for comparisons

"""Array simulator: speed and latency of members behind stripes, mirrors or parity.

Every member serves its operations in order of arrival, each in a constant time; a host operation
waits for the last of the operations that it gives out together. It is the independent reference for
formulas of arrays and their stalls, and shares no code with them.

Public are `Config` (array, load and length of a run), `run` and what it gives: `Result`, with one
`Latency` each for reads and writes. All times are in seconds, all rates per second.

The layouts
    A stripe has `data` chunks, with `copies` of each or `parity` more; it begins at a random member
    (mirrors: at the first of one) and takes the next ones, all of one of the `groups`. Stripes
    alone: ``Config(members=8)``. RAID 1 and 10: ``copies=2``. RAID 5, 6 and k+m: ``parity=1``,
    ``2``, ``m``; RAID 50 and 60: with ``groups``. A host operation touches neighbouring data chunks
    of one random stripe. A read of mirrors takes a random copy. A write writes all copies, or the
    data and the parity, once it has read the old ones of both ("read-modify-write") or the data
    chunks that it leaves ("reconstruct-write"); a write of all data chunks reads nothing.

Lost members
    A read of a lost chunk reads as many of the chunks that are left as there are data chunks. A
    write leaves lost members out; where the update needs a lost chunk it goes the other way, and
    where either way needs one it first reads as a read of a lost chunk does. Without any parity
    left it reads nothing.

Stalls
    A stalled member serves nothing; the operation in progress is frozen meanwhile. Those
    at a rate (`stall_rate`) begin whatever the load is, one that begins during another follows it,
    so that a member is stalled for a share ``stall_rate * stall_s`` of its time; they come on each
    member by itself or on all together. Those with a probability (`stall_probability`) come with an
    operation, before it is served: its service takes ``stall_s`` longer.

Load
    `queue_depth` operations kept outstanding on the whole array, and `arrival_iops` Poisson
    arrivals, of which `read_fraction` read.

>>> array = Config(members=8, parity=1, read_s=100e-6, write_s=30e-6, queue_depth=1,
...                read_fraction=0.0, measured_s=1.0)
>>> result = run(array)
>>> result.writes.mean_s
0.00013
>>> round(result.iops)
7692
"""

from models.errors import Cancelled
from models.simulator.arrays.config import Config
from models.simulator.arrays.driver import run
from models.simulator.arrays.result import Result
from models.simulator.events.result import Latency

__all__ = ["Cancelled", "Config", "Latency", "Result", "run"]

"""Event simulator: speed over time and latency of a drive, without any formula.

Dies behind channels behind one host link, a write buffer, a page-mapped translation layer with
greedy collection: every operation of every die is an event. It is the independent reference for
formulas of IOPS, latency percentiles and worst cases, and shares no code with them.

Public are `Config` (drive, load and length of a run), `SlcCache` (its part with one bit per cell),
`run` and what it gives: `Result`, with one `Latency` each for reads and writes and a table of
`Windows`. All times are in seconds, all rates per second, all sizes in pages: the mapping units,
usually 4 KiB, that a host command reads or writes one of.

The drive
    A read holds its die for `read_s`, then until its page has left through the channel
    (`transfer_s`, first come first served), unless `cache_read` frees the die after the sense;
    then the page crosses the host link (`link_s` per command, reads and writes alike, first come
    first served). A write crosses the link, then completes as soon as the buffer has room. Every
    `pages_per_program` buffered pages are bound to a die and programmed there: transfer, then
    `program_s`; then their places in the buffer are free again. Die d is on channel
    ``d % channels``.

Collection
    Runs when a block is opened and fewer than `reserve` erased blocks are left, as in the page
    simulator: victim is the block with fewest valid pages (the oldest among equals). A collection
    reads the programming units of the victim that hold a valid page (`read_s` each, then
    `transfer_s` per valid page), programs the copies in full units to the same frontier, and
    erases the victim. With ``scope="die"`` every die collects its own blocks; with
    ``scope="superblock"`` a block is a stripe over all dies, collected and erased together.
    Incremental collection spreads the copies evenly over the host writes that fill the frontier;
    blocking collection does nothing else, reads included, on the dies concerned until it is done.

Order
    Of its own work a die does erases first, then programs of copies that were read, then reads of
    copies that are due, then host programs. Host reads go before all of these (or in order of
    arrival), and wait for what is running, or suspend it: after a fixed time in which it comes no
    further, or when its current slice is done. With ``allocation="round-robin"`` a die
    that is behind holds up all others once `die_queue` programs wait for it.

Load
    Any sum of: `queue_depth` outstanding commands of which `read_fraction` read; `readers` and
    `writers` outstanding; open arrivals of `read_iops` and `write_iops`, Poisson or at fixed
    intervals, in batches; bursts of writes. Reads and writes are for uniformly random pages, unless
    `writes` is "sequential". Without writes there is no translation layer: a read goes to any die.

Left out
    A page that is overwritten in the buffer is programmed twice. A read of a page that waits in the
    buffer goes to its older place on flash. Copies that do not fill a program wait for the next
    collection, safe from power loss, while their old block is erased. A die of few blocks can fill
    up with valid pages by chance; such a run is refused where it gets stuck.

>>> drive = Config(dies=8, read_s=50e-6, queue_depth=8, measured_s=1.0)
>>> result = run(drive)
>>> result.iops == result.reads.count
True
>>> 95_000 < result.iops < 105_000
True
"""

from models.errors import Cancelled
from models.simulator.events.config import Config, SlcCache
from models.simulator.events.driver import run
from models.simulator.events.result import Latency, Result, Windows

__all__ = ["Cancelled", "Config", "Latency", "Result", "SlcCache", "Windows", "run"]

"""Configuration of a simulated drive: the drive, its load, the length of the run."""

import math
from dataclasses import dataclass
from typing import Literal

from models.errors import DomainError
from models.simulator.config import PAGE_CODES, _between, _choice, _whole

Scope = Literal["die", "superblock"]
Collection = Literal["incremental", "blocking"]
Allocation = Literal["round-robin", "least-loaded"]

TICKS_PER_S = 10**10
MOST_WAITING = 1 << 16  # open commands outstanding, beyond which a run ends as overloaded
MOST_TOGETHER = 1 << 29  # pages of a superblock
MOST_SUM_S = 9e8  # sums of latencies are counted in ticks, in 63 bits


@dataclass(frozen=True, kw_only=True)
class SlcCache:
    """Flash written with one bit per cell first, folded into denser cells later.

    Args:
        program_s: Time of one program of `pages_per_program` pages with one bit per cell. [s]
        read_s: Time to read such a unit when folding. [s]
        static_pages: Pages that the fixed part holds.
        free_pages: Dense pages without data at the start that lend themselves to the cache,
            `bits_per_cell` of them for one page; every page folded or written directly takes one of
            them for good.
        bits_per_cell: Bits in a dense cell.
        when_full: Writes that find no room go to dense cells ("direct"), or wait until folding has
            made room ("fold").
        folding: Beyond what waiting writes force: when the drive has been idle for `idle_s`
            ("idle"), whenever a die has nothing else to do ("always"), or not at all ("never").
        idle_s: Time without host commands and programs after which idle folding begins. [s]
    """

    program_s: float
    read_s: float
    static_pages: int = 0
    free_pages: int = 0
    bits_per_cell: int = 3
    when_full: Literal["direct", "fold"] = "direct"
    folding: Literal["idle", "always", "never"] = "idle"
    idle_s: float = 0.0

    def __post_init__(self) -> None:
        _seconds("program_s", self.program_s, zero=False)
        _seconds("read_s", self.read_s, zero=False)
        _seconds("idle_s", self.idle_s)
        _whole("static_pages", self.static_pages, 0, 2**40)
        _whole("free_pages", self.free_pages, 0, 2**40)
        _whole("bits_per_cell", self.bits_per_cell, 2, 8)
        _choice("when_full", self.when_full, ("direct", "fold"))
        _choice("folding", self.folding, ("idle", "always", "never"))


@dataclass(frozen=True, kw_only=True)
class Length:
    """Length of a run in windows of equal parts; `Config` describes the fields."""

    window_s: float = 1.0
    parts: int = 100
    warmup_s: float = 0.0
    measured_s: float
    seed: int = 1

    @property
    def measured_windows(self) -> int:
        """Windows of the measurement."""
        return round(self.measured_s / self.window_s)

    @property
    def warmup_windows(self) -> int:
        """Windows before the measurement."""
        return round(self.warmup_s / self.window_s)

    @property
    def part_ticks(self) -> int:
        """Length of a part of a window."""
        return max(1, round(self.window_s * TICKS_PER_S / self.parts))

    @property
    def window_ticks(self) -> int:
        """Length of a window: a whole number of parts."""
        return self.part_ticks * self.parts

    def check_length(self) -> None:
        """Refuse lengths out of range."""
        _between("window_s", self.window_s, 1e-6, 1e5)
        _whole("parts", self.parts, 1, 10_000)
        _whole("seed", self.seed, 0, 2**64 - 1)
        _between("warmup_s", self.warmup_s, 0, 1e6)
        _between("measured_s", self.measured_s, self.window_s, 1e6)


@dataclass(frozen=True, kw_only=True)
class Config(Length):
    """A drive, its load and the length of the run.

    Args:
        dies: Dies.
        channels: Channels that the dies share; die d is on channel ``d % channels``.
        blocks_per_die: Blocks of a die, reserve included. Of use with writes only.
        pages_per_block: Pages of a block on one die. Of use with writes only.
        pages_per_program: Pages of one program operation (all planes), of which a block is a whole
            number. Of use with writes only.
        op_ratio: Spare pages per logical page, reserve already deducted.
        reserve: Blocks per die kept erased, >= 1.
        read_s: Time of a page read. [s]
        program_s: Time of a program of `pages_per_program` pages. [s]
        erase_s: Time of a block erase. [s]
        transfer_s: Time of one page on its channel. [s]
        link_s: Time of one command on the host link. [s]
        cache_read: A die is free after the sense of a read, not only when its page has left it.
        service: "fixed" times of die operations, or "exponential" ones with the same means.
        buffer_pages: Places of the write buffer; a place is free again when its page is programmed.
        scope: What is collected together: a block of one "die" or a "superblock" of all dies.
        collection: "incremental" or "blocking".
        gain_blocks: Blocks per die that one blocking collection gains before it ends.
        allocation: Buffered pages go to the next die ("round-robin": wait for it if it is closed or
            has `die_queue` programs) or to the "least-loaded" die that takes them.
        die_queue: Programs of host pages that a die has at most, the running one included.
        start: "filled" once in sequence, or "fresh" (no logical page has data).
        priority: "read": waiting reads go before programs, copies and erases that wait; "fifo":
            operations in order of arrival, copies and erases right after the program that caused
            them.
        suspend_s: Time after which a running program or erase lets a read have the die; the default
            is to let it finish. [s]
        slice_s: Length of the slices of a program: at the end of one, waiting reads have the die,
            and the program has come so far. In place of `suspend_s`. [s]
        erase_slice_s: Length of the slices of an erase; that of programs if left out. [s]
        slices: Slices of programs: of "fixed" lengths, or "exponential" ones with the same mean.
            Those of erases are fixed.
        max_suspensions: Times that one operation is suspended at most; the default is as often as
            reads come.
        resume_s: Time that the operation takes to resume; then it runs for a slice at least. [s]
        queue_depth: Commands kept outstanding, each a read with probability `read_fraction`.
        read_fraction: Share of reads in those commands, in [0, 1].
        readers: Further reads kept outstanding.
        writers: Further writes kept outstanding.
        read_iops: Rate of reads that arrive whatever is outstanding. [1/s]
        write_iops: Rate of writes that arrive whatever is outstanding. [1/s]
        read_batch: Reads that arrive together.
        write_batch: Writes that arrive together.
        arrivals: Intervals between batches: "poisson" (exponential), "fixed", or "fixed writes"
            beside exponential intervals of reads.
        writes: Pages written: uniformly "random", or "sequential" over all logical pages.
        burst_pages: Pages of a burst; the `writers` then write in bursts only.
        burst_period_s: Time from the start of one burst to the start of the next. [s]
        slc: Cache of one bit per cell; needs sequential writes, and replaces the translation layer.
        window_s: Length of the windows in which IOPS are counted. [s]
        parts: Parts of a window in which IOPS are counted as well.
        warmup_s: Length of the run before the measurement, rounded to whole windows. [s]
        measured_s: Length of the measurement, rounded to whole windows. [s]
        seed: Seed of the random streams, in [0, 2**64).
    """

    dies: int
    channels: int = 1
    blocks_per_die: int = 64
    pages_per_block: int = 128
    pages_per_program: int = 4
    op_ratio: float = 0.28
    reserve: int = 1
    read_s: float
    program_s: float = 0.0
    erase_s: float = 0.0
    transfer_s: float = 0.0
    link_s: float = 0.0
    cache_read: bool = False
    service: Literal["fixed", "exponential"] = "fixed"
    buffer_pages: int = 1024
    scope: Scope = "die"
    collection: Collection = "incremental"
    gain_blocks: int = 1
    allocation: Allocation = "least-loaded"
    die_queue: int = 2
    start: Literal["filled", "fresh"] = "filled"
    priority: Literal["read", "fifo"] = "read"
    suspend_s: float | None = None
    slice_s: float | None = None
    erase_slice_s: float | None = None
    slices: Literal["fixed", "exponential"] = "fixed"
    max_suspensions: int | None = None
    resume_s: float = 0.0
    queue_depth: int = 0
    read_fraction: float = 1.0
    readers: int = 0
    writers: int = 0
    read_iops: float = 0.0
    write_iops: float = 0.0
    read_batch: int = 1
    write_batch: int = 1
    arrivals: Literal["poisson", "fixed", "fixed writes"] = "poisson"
    writes: Literal["random", "sequential"] = "random"
    burst_pages: int = 0
    burst_period_s: float = math.inf
    slc: SlcCache | None = None

    def __post_init__(self) -> None:
        _sizes(self)
        _times(self)
        _choices(self)
        _load(self)
        _length(self)
        if self.has_writes:
            _write_path(self)

    @property
    def has_writes(self) -> bool:
        """Whether anything writes."""
        mixed = self.queue_depth > 0 and self.read_fraction < 1
        return mixed or self.writers > 0 or self.write_iops > 0

    @property
    def has_reads(self) -> bool:
        """Whether anything reads."""
        mixed = self.queue_depth > 0 and self.read_fraction > 0
        return mixed or self.readers > 0 or self.read_iops > 0

    @property
    def mapped(self) -> bool:
        """Whether there is a translation layer."""
        return self.has_writes and self.slc is None

    @property
    def pages(self) -> int:
        """Logical pages: a whole number of programs."""
        unit = self.pages_per_program
        held = (self.blocks_per_die - self.reserve) * self.pages_per_block * self.dies
        return round(held / (1 + self.op_ratio) / unit) * unit

    @property
    def outstanding(self) -> int:
        """Closed commands."""
        return self.queue_depth + self.readers + self.writers


def _sizes(config: Config) -> None:
    _whole("dies", config.dies, 1, 1024)
    _whole("channels", config.channels, 1, config.dies)
    _whole("pages_per_program", config.pages_per_program, 1, 1024)
    _whole("pages_per_block", config.pages_per_block, 2, 2**20)
    if config.pages_per_block % config.pages_per_program:
        raise DomainError(
            f"pages_per_block must be a multiple of pages_per_program, "
            f"{config.pages_per_program}, got {config.pages_per_block}"
        )
    _whole("reserve", config.reserve, 1, 2**20)
    _whole("blocks_per_die", config.blocks_per_die, config.reserve + 2, 2**30)
    _whole("gain_blocks", config.gain_blocks, 1, config.blocks_per_die - config.reserve - 1)
    _between("op_ratio", config.op_ratio, 0, 1000, low_open=True)
    _whole("buffer_pages", config.buffer_pages, config.pages_per_program, 2**30)
    _whole("die_queue", config.die_queue, 1, 2**16)


def _times(config: Config) -> None:
    _seconds("read_s", config.read_s, zero=False)
    for name in ("program_s", "erase_s", "transfer_s", "link_s", "resume_s"):
        _seconds(name, getattr(config, name))
    if config.max_suspensions is not None:
        _whole("max_suspensions", config.max_suspensions, 0, 2**40)
    for name in ("suspend_s", "slice_s", "erase_slice_s"):
        if getattr(config, name) is not None:
            _seconds(name, getattr(config, name), zero=name == "suspend_s")
            if config.priority != "read":
                raise DomainError(f'{name} must be left out unless priority is "read"')
    if config.slice_s is not None and config.suspend_s is not None:
        raise DomainError("slice_s must be left out with suspend_s")
    if config.erase_slice_s is not None and config.slice_s is None:
        raise DomainError("erase_slice_s must be left out without slice_s")


def _choices(config: Config) -> None:
    accepted = {
        "service": ("fixed", "exponential"),
        "slices": ("fixed", "exponential"),
        "scope": ("die", "superblock"),
        "collection": ("incremental", "blocking"),
        "allocation": ("round-robin", "least-loaded"),
        "start": ("filled", "fresh"),
        "priority": ("read", "fifo"),
        "arrivals": ("poisson", "fixed", "fixed writes"),
        "writes": ("random", "sequential"),
    }
    for name, values in accepted.items():
        _choice(name, getattr(config, name), values)
    if not isinstance(config.cache_read, bool):
        raise DomainError(f"cache_read must be True or False, got {config.cache_read!r}")
    if not isinstance(config.slc, SlcCache | None):
        raise DomainError(f"slc must be an SlcCache, got {config.slc!r}")


def _load(config: Config) -> None:
    for name in ("queue_depth", "readers", "writers"):
        _whole(name, getattr(config, name), 0, 2**20)
    for name in ("read_batch", "write_batch"):
        _whole(name, getattr(config, name), 1, MOST_WAITING)
    for name in ("read_iops", "write_iops"):
        _between(name, getattr(config, name), 0, 1e9)
    _between("read_fraction", config.read_fraction, 0, 1)
    if not (config.has_reads or config.has_writes):
        raise DomainError("queue_depth must be > 0 if nothing else reads or writes, got 0")
    _whole("burst_pages", config.burst_pages, 0, 2**40)
    if not config.burst_period_s >= 1e-6:
        raise DomainError(f"burst_period_s must be >= 1e-06, got {config.burst_period_s!r}")
    if config.burst_pages and not config.writers:
        raise DomainError("writers must be > 0 to write in bursts, got 0")


def _length(config: Config) -> None:
    config.check_length()
    longest = MOST_SUM_S / (config.outstanding + MOST_WAITING)
    if config.warmup_s + config.measured_s > longest:
        raise DomainError(
            f"measured_s must be <= {longest:.4g} with the warm-up at this load, "
            f"got {config.warmup_s + config.measured_s!r}"
        )


def _write_path(config: Config) -> None:
    _seconds("program_s", config.program_s, zero=False)
    if config.slc is not None:
        if config.writes != "sequential":
            raise DomainError(f'writes must be "sequential" with slc, got {config.writes!r}')
        return
    _seconds("erase_s", config.erase_s, zero=False)
    stride = 1 << (config.pages_per_block - 1).bit_length()
    if config.blocks_per_die * config.dies * stride > PAGE_CODES:
        raise DomainError(
            f"blocks_per_die must be <= {PAGE_CODES // stride // config.dies} with "
            f"{config.dies} dies, got {config.blocks_per_die}"
        )
    if config.scope == "superblock" and config.pages_per_block * config.dies >= MOST_TOGETHER:
        raise DomainError(
            f"pages_per_block must be < {MOST_TOGETHER // config.dies} in superblocks of "
            f"{config.dies} dies, got {config.pages_per_block}"
        )
    held = (config.blocks_per_die - config.reserve) * config.pages_per_block * config.dies
    most = held - config.dies * config.pages_per_program
    if not 0 < config.pages <= most:
        raise DomainError(
            f"op_ratio must leave 1 to {most} logical pages of {held}, got {config.pages}"
        )
    if config.start == "fresh" and config.link_s == 0 and config.has_reads:
        raise DomainError("link_s must be > 0 for reads of a fresh drive, got 0")


def _seconds(name: str, value: object, *, zero: bool = True) -> None:
    _between(name, value, 0, 1e3, low_open=not zero)

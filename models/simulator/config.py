"""Configuration of a simulated drive, and the result of a run."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.errors import DomainError

Policy = Literal["greedy", "fifo", "random", "d-choices", "windowed-greedy", "cost-benefit"]
Frontiers = Literal["one", "host-gc", "streams"]
Copies = Literal["with-writes", "together", "apart"]
Cleaning = Literal["quota", "global"]
Fill = Literal["random", "sequential"]
Trims = Literal["as-written", "mapped"]

POLICIES = ("greedy", "fifo", "random", "d-choices", "windowed-greedy", "cost-benefit")
FRONTIERS = ("one", "host-gc", "streams")
COPIES = ("with-writes", "together", "apart")
CLEANING = ("quota", "global")
FILLS = ("random", "sequential")
TRIMS = ("as-written", "mapped")
MOST_STREAMS = 128
PAGE_CODES = 2**32 - 1  # one code is kept for "nowhere"
TRACE_PAGES = 2**31  # one bit is kept for "trim"


@dataclass(frozen=True)
class Uniform:
    """Every logical page is as likely to be written as any other."""


@dataclass(frozen=True, kw_only=True)
class Classes:
    """Pages in classes: class k holds `page_shares[k]` of the pages, gets `write_shares[k]`."""

    write_shares: tuple[float, ...]
    page_shares: tuple[float, ...]

    def __post_init__(self) -> None:
        _shares(self, "write_shares", positive=False)
        _shares(self, "page_shares", positive=True)
        if len(self.write_shares) != len(self.page_shares):
            raise DomainError(
                f"page_shares must be as many as write_shares, "
                f"got {len(self.page_shares)} and {len(self.write_shares)}"
            )


@dataclass(frozen=True)
class Zipf:
    """The page of rank k is written in proportion to 1 / k**exponent; ranks are scattered."""

    exponent: float

    def __post_init__(self) -> None:
        _between("exponent", self.exponent, 0, 10, low_open=True)


@dataclass(frozen=True)
class Sequential:
    """One circular stream over all logical pages."""


@dataclass(frozen=True, kw_only=True)
class Mixed:
    """Random writes over a share of the pages, a circular sequential stream over the rest.

    The random writes are uniform, or in `classes` of their pages.
    """

    random_writes: float
    random_pages: float
    classes: Classes | None = None

    def __post_init__(self) -> None:
        _between("random_writes", self.random_writes, 0, 1, low_open=True, high_open=True)
        _between("random_pages", self.random_pages, 0, 1, low_open=True, high_open=True)
        if not isinstance(self.classes, Classes | None):
            raise DomainError(f"classes must be a record of classes, got {self.classes!r}")


@dataclass(frozen=True, kw_only=True)
class Static:
    """Uniform random writes over a share of the pages; the rest is laid down once.

    `interleaved` puts static and dynamic pages into the same blocks, in random order; else the
    static pages are laid down first, in sequence.
    """

    dynamic_pages: float
    interleaved: bool = False

    def __post_init__(self) -> None:
        _between("dynamic_pages", self.dynamic_pages, 0, 1, low_open=True, high_open=True)


@dataclass(frozen=True, eq=False)
class Trace:
    """Logical page numbers in the order of their writes, repeated without end.

    Where `trims` is true a page is trimmed instead of written; nothing happens if it is not in use.
    """

    pages: NDArray[np.uint32]
    trims: NDArray[np.bool_] | None = None

    def __init__(self, pages: ArrayLike, trims: ArrayLike | None = None) -> None:
        array = np.asarray(pages)
        if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
            raise DomainError(f"pages must be a list of whole numbers >= 0, got {pages!r}")
        if array.min() < 0 or array.max() >= TRACE_PAGES:
            raise DomainError(
                f"pages must be in [0, {TRACE_PAGES}), got {array.min()} to {array.max()}"
            )
        object.__setattr__(self, "pages", _frozen(array.astype(np.uint32)))
        object.__setattr__(self, "trims", None if trims is None else _marks(trims, array.size))

    @property
    def writes(self) -> int:
        """Writes of one round."""
        return self.pages.size - (0 if self.trims is None else int(np.count_nonzero(self.trims)))


Workload = Uniform | Classes | Zipf | Sequential | Mixed | Static | Trace


@dataclass(frozen=True, kw_only=True)
class Config:
    """A page-mapped drive, its policy, its workload and the length of the run.

    Args:
        pages_per_block: Pages in one unit of garbage collection, >= 2.
        blocks: All physical blocks, reserve included.
        op_ratio: Spare pages per logical page, reserve already deducted: the drive holds
            ``round((blocks - reserve) * pages_per_block / (1 + op_ratio))`` logical pages.
        logical_pages: Logical pages; exactly one of `op_ratio` and `logical_pages` is given.
        reserve: Blocks kept erased; whenever a block is opened, collection runs until so many are
            free. At least 1 with one frontier, 2 with more.
        policy: Choice of the victim: "greedy" (fewest valid pages; among equals the one that has
            been at its count for longest), "fifo" (filled first), "random", "d-choices" (fewest
            valid of `choices` drawn with replacement), "windowed-greedy" (fewest valid of the
            `window` filled first), "cost-benefit" (of `choices` drawn, the largest product of age
            since filling and (1 - u)/(1 + u), where u is the share of valid pages).
        choices: Blocks drawn by "d-choices" and "cost-benefit"; 0 for all of them with
            "cost-benefit".
        window: Blocks looked at by "windowed-greedy".
        frontiers: "one" for host writes and copies together, "host-gc" for one each, "streams" for
            one per stream of `routing`.
        copies: With streams: where copies go, "with-writes" to the stream of their block,
            "together" to one more frontier, "apart" to one more for each stream; the last two with
            "global" cleaning only.
        routing: With streams: probability that a write of class k (row) goes to stream s (column).
        cleaning: With streams: "quota" collects from the stream that exceeds its own blocks by
            most, "global" looks for a victim among all blocks.
        spare_shares: With streams and quotas: share of the spare area per stream. Default: equal
            shares.
        workload: `Uniform`, `Classes`, `Zipf`, `Sequential`, `Mixed`, `Static` or `Trace`.
        trim_share: Share of the requests that trim a random page in use, < 0.5; the rest write over
            all pages, in use or not.
        trims: Which page is trimmed: "as-written" one of the class that a write would have gone to,
            "mapped" any page in use.
        fill: Order in which all logical pages are written once before the run: "random" or
            "sequential". A `Static` workload orders them by itself.
        warmup_overwrites: Length of the warm-up, in host writes per logical page.
        measured_overwrites: Length of the measurement, in host writes per logical page.
        windows: Windows of the measurement whose means give the interval, >= 5.
        seed: Seed of the random streams, in [0, 2**64).
    """

    pages_per_block: int
    blocks: int
    op_ratio: float | None = None
    logical_pages: int | None = None
    reserve: int = 1
    policy: Policy = "greedy"
    choices: int = 10
    window: int = 64
    frontiers: Frontiers = "one"
    routing: tuple[tuple[float, ...], ...] = ()
    copies: Copies = "with-writes"
    cleaning: Cleaning = "quota"
    spare_shares: tuple[float, ...] | None = None
    workload: Workload = field(default_factory=Uniform)
    trim_share: float = 0.0
    trims: Trims = "as-written"
    fill: Fill = "random"
    warmup_overwrites: float = 10.0
    measured_overwrites: float = 6.0
    windows: int = 8
    seed: int = 1

    def __post_init__(self) -> None:
        _choice("policy", self.policy, POLICIES)
        _choice("frontiers", self.frontiers, FRONTIERS)
        _choice("copies", self.copies, COPIES)
        _choice("cleaning", self.cleaning, CLEANING)
        _choice("fill", self.fill, FILLS)
        _choice("trims", self.trims, TRIMS)
        _sizes(self)
        if not isinstance(self.workload, Workload):
            raise DomainError(f"workload must be a workload record, got {self.workload!r}")
        _whole("choices", self.choices, 0 if self.policy == "cost-benefit" else 1, 2**31)
        _whole("window", self.window, 1, 2**31)
        _whole("windows", self.windows, 5, 10_000)
        _whole("seed", self.seed, 0, 2**64 - 1)
        _between("trim_share", self.trim_share, 0, 0.5, high_open=True)
        _between("warmup_overwrites", self.warmup_overwrites, 0, 1e9)
        _between("measured_overwrites", self.measured_overwrites, 0, 1e9, low_open=True)
        _streams(self)
        _room(self)

    @property
    def pages(self) -> int:
        """Logical pages."""
        if self.logical_pages is not None:
            return self.logical_pages
        assert self.op_ratio is not None  # noqa: S101 - one of the two is given
        return round((self.blocks - self.reserve) * self.pages_per_block / (1 + self.op_ratio))

    @property
    def streams(self) -> int:
        """Frontiers that are open at a time."""
        if self.frontiers != "streams":
            return 1 if self.frontiers == "one" else 2
        written = self.write_streams
        return written + {"with-writes": 0, "together": 1, "apart": written}[self.copies]

    @property
    def write_streams(self) -> int:
        """Frontiers that host writes go to."""
        return len(self.routing[0]) if self.frontiers == "streams" else 1


@dataclass(frozen=True, kw_only=True)
class Result:
    """Measurements of a run, after its warm-up.

    Attributes:
        wa: Flash page programs per host page write.
        wa_low: Lower end of its 95 % interval, from the windows' means.
        wa_high: Upper end of that interval.
        host_writes: Host page writes.
        copies: Pages copied by collection.
        erases: Blocks erased.
        wa_by_class: Programs (writes and copies) per host write by class of pages; infinite for a
            class that is copied and never written, nan for one that is neither.
        victim_valid: Number of collected blocks by their count of valid pages.
        erase_min: Least erases of a block.
        erase_mean: Mean erases over the blocks.
        erase_max: Greatest erases of a block.
        erase_sd: Spread (standard deviation) of the erases over the blocks.
        wa_over_time: One value per window, warm-up included; the last `windows` of them were
            measured.
        in_use_fraction: Time average of the share of the logical pages that hold data.
        frontier_free_pages: Time average of the unfilled pages of open blocks.
        warnings: Reasons to distrust the figures.
        seconds: Duration of the run.
    """

    wa: float
    wa_low: float
    wa_high: float
    host_writes: int
    copies: int
    erases: int
    wa_by_class: tuple[float, ...]
    victim_valid: NDArray[np.int64] = field(repr=False)
    erase_min: int
    erase_mean: float
    erase_max: int
    erase_sd: float
    wa_over_time: tuple[float, ...] = field(repr=False)
    in_use_fraction: float
    frontier_free_pages: float
    warnings: tuple[str, ...]
    seconds: float


def _sizes(config: Config) -> None:
    _whole("pages_per_block", config.pages_per_block, 2, 2**24)
    least = 1 if config.frontiers == "one" else 2
    _whole("reserve", config.reserve, least, 2**20)
    _whole("blocks", config.blocks, config.reserve + 2, 2**30)
    if (config.op_ratio is None) == (config.logical_pages is None):
        raise DomainError("op_ratio must be given if logical_pages is not, and only then")
    if config.op_ratio is not None:
        _between("op_ratio", config.op_ratio, 0, 1000, low_open=True)
    if config.logical_pages is not None:
        _whole("logical_pages", config.logical_pages, 1, PAGE_CODES)
    stride = 1 << (config.pages_per_block - 1).bit_length()
    if config.blocks * stride > PAGE_CODES:
        raise DomainError(
            f"blocks must be <= {PAGE_CODES // stride} at {config.pages_per_block} pages per "
            f"block, got {config.blocks}"
        )


def _streams(config: Config) -> None:
    if config.frontiers == "streams":
        _routing(config)
        if config.copies != "with-writes" and config.cleaning != "global":
            raise DomainError(f'copies must be "with-writes" with quotas, got {config.copies!r}')
        return
    given = {
        "routing": config.routing != (),
        "spare_shares": config.spare_shares is not None,
        "copies": config.copies != "with-writes",
    }
    for name in (name for name, is_given in given.items() if is_given):
        raise DomainError(f'{name} must be left out unless frontiers is "streams"')


def _routing(config: Config) -> None:
    if not config.routing:
        raise DomainError('routing must be a row of probabilities per class with "streams"')
    classes = class_count(config.workload)
    if len(config.routing) != classes:
        raise DomainError(f"routing must be {classes} rows, got {len(config.routing)}")
    width = len(config.routing[0])
    if not 1 <= width <= MOST_STREAMS or any(len(row) != width for row in config.routing):
        raise DomainError(f"routing must be rows of one length, in [1, {MOST_STREAMS}]")
    for row in config.routing:
        _distribution("routing", row, positive=False)
    spare = (1 / width,) * width if config.spare_shares is None else config.spare_shares
    _distribution("spare_shares", spare, positive=False)
    if len(spare) != width:
        raise DomainError(f"spare_shares must be {width} numbers, got {len(spare)}")


def _room(config: Config) -> None:
    """Check that the spare area keeps every frontier open and leaves a page to gain."""
    holds = (config.blocks - config.reserve) * config.pages_per_block
    most = holds - (config.streams - 1) * config.pages_per_block - 1
    given = "op_ratio" if config.logical_pages is None else "logical_pages"
    if config.pages < 1 or config.pages > most:
        raise DomainError(
            f"{given} must leave 1 to {most} logical pages of {holds}, got {config.pages}"
        )
    if isinstance(config.workload, Trace) and int(config.workload.pages.max()) >= config.pages:
        raise DomainError(
            f"workload must be a trace of pages < {config.pages}, "
            f"got {int(config.workload.pages.max())}"
        )
    if any(stop <= start for start, stop in zip(*class_bounds(config), strict=True)):
        raise DomainError(f"workload must be classes of at least one page of {config.pages}")


def class_count(workload: Workload) -> int:
    """Classes of pages that a workload distinguishes."""
    if isinstance(workload, Classes):
        return len(workload.page_shares)
    if isinstance(workload, Mixed):
        return 1 + (class_count(workload.classes) if workload.classes else 1)
    return 2 if isinstance(workload, Static) else 1


def class_shares(workload: Workload) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Shares of the writes and of the pages, by class; of a mix the sequential one is last."""
    if isinstance(workload, Classes):
        return workload.write_shares, workload.page_shares
    if isinstance(workload, Mixed):
        writes, pages = workload.random_writes, workload.random_pages
        written, held = class_shares(workload.classes) if workload.classes else ((1.0,), (1.0,))
        return (
            (*(writes * share for share in written), 1 - writes),
            (*(pages * share for share in held), 1 - pages),
        )
    if isinstance(workload, Static):
        return (1.0, 0.0), (workload.dynamic_pages, 1 - workload.dynamic_pages)
    return (1.0,), (1.0,)


def class_bounds(config: Config) -> tuple[list[int], list[int]]:
    """First page of every class and the page after its last; classes lie side by side."""
    pages = class_shares(config.workload)[1]
    ends = np.rint(np.cumsum(pages) / np.sum(pages) * config.pages).astype(int).tolist()
    return [0, *ends[:-1]], ends


def _marks(trims: ArrayLike, count: int) -> NDArray[np.bool_]:
    """Check the marks of trims, one per page, not all set."""
    marks = np.asarray(trims)
    if marks.dtype != np.bool_ or marks.shape != (count,):
        raise DomainError(f"trims must be {count} truth values, got {trims!r}")
    if marks.all():
        raise DomainError("trims must leave a write")
    return _frozen(marks.copy())


def _frozen(own: NDArray[Any]) -> NDArray[Any]:
    own.flags.writeable = False
    return own


def _whole(name: str, value: object, least: int, most: int) -> None:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or not least <= value <= most:  # type: ignore[operator]  # whole: a number
        raise DomainError(f"{name} must be a whole number in [{least}, {most}], got {value!r}")


def _between(
    name: str,
    value: object,
    low: float,
    high: float,
    *,
    low_open: bool = False,
    high_open: bool = False,
) -> None:
    ends = f"{'(' if low_open else '['}{low:g}, {high:g}{')' if high_open else ']'}"
    number = value if isinstance(value, int | float | np.number) else float("nan")
    above = number > low if low_open else number >= low
    below = number < high if high_open else number <= high
    if not (above and below):
        raise DomainError(f"{name} must be in {ends}, got {value!r}")


def _choice(name: str, value: object, accepted: tuple[str, ...]) -> None:
    if value not in accepted:
        raise DomainError(f"{name} must be one of {', '.join(accepted)}, got {value!r}")


def _shares(record: object, name: str, *, positive: bool) -> None:
    values = tuple(float(value) for value in getattr(record, name))
    _distribution(name, values, positive=positive)
    object.__setattr__(record, name, values)


def _distribution(name: str, values: tuple[float, ...], *, positive: bool) -> None:
    each = "> 0" if positive else ">= 0"
    fits = all((value > 0 if positive else value >= 0) for value in values)
    if not values or not fits or not abs(sum(values) - 1) < 1e-9:
        raise DomainError(f"{name} must be {each} and add up to 1, got {values}")

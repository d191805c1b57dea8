r"""Write amplification where no formula is known: run on a small drive, read between runs.

Dimensionless. Host writes and copies on separate frontiers under skew, data placed by class,
sequential writes beside random ones, TRIM beside them: a page simulator of some hundred blocks
settles in some hundredths of a second. Runs are made at steps of the spare area, kept, and read
between: linear in ln p and ln(A - 1). The same question has the same answer: the seed is fixed.
Runs of the named skews, and of uniform writes, are stored (`python -m tests.stored_runs` writes
them), beside sequential writes for every tenth of them, so that plans of them compile and run
nothing.

A run is warmed up for one and a half lifetimes of the coldest pages that are written, at least for
20 overwrites, beside sequential writes 100, and continued until it no longer changes. The spare
area of a run is what the reserve and the unfilled part of its open blocks leave, as counted in the
run, over all addresses, in use or trimmed; so are those of the formulas where nothing is trimmed.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models._waiting import found, tell
from models.errors import DomainError
from models.simulator.config import (
    Classes,
    Config,
    Fill,
    Mixed,
    Policy,
    Trims,
    Uniform,
    class_shares,
)
from models.simulator.driver import run_until_settled

Floats = NDArray[np.float64]
Workload = Uniform | Classes | Mixed

PAGES = 1 << 15
LEAST_BLOCKS = 192
LARGEST_BLOCK = 256
# Greedy collection with several frontiers costs the more the more blocks there are. With copies
# apart as 1/blocks: it is run on so many blocks, and twice as many. Classes of few blocks do not
# follow that: they are run on so many pages, between so many blocks. Everything else is within
# 0.5 %, greedy collection with several frontiers beside sequential writes within 2 %.
GROWING_BLOCKS = 264
CLASS_PAGES, CLASS_BLOCKS = 1 << 18, (1056, 4224)
HOST_GC_PLACEMENT = 2  # separate frontiers for host and GC writes
WEIGHED_BLOCKS = 512  # at most where each collection weighs all of them
FEWEST = 16  # pages of a class, of which chance would decide with fewer
HANDLES = 8  # classes that are placed apart at most, as drives offer
SMOOTH, MIXED_STEP, FINE = 20, 10, 8  # hundredths of ln p between runs: FINE where jumps may be
# Slopes of ln(A - 1) over ln p: within a state, where runs between two look for a jump, and in one.
USUAL, STEEP, JUMP = -1.2, -2.0, -4.0
SOME = 8
SHARES = 10  # steps of the sequential share where many are asked for
TRIM_SHARES = 20  # steps of the trim share, likewise; the last is 0.45
SHARE_DIGITS = 9  # of the sequential share, beyond which it is rounding
LEAST_RATIO, LARGEST_RATIO = 0.02, 4.0  # spare area per page that can be in use
STATES_APART = 0.05
NOTHING = 1e-5  # copies per write that count as none
WARMUP, MIXED_WARMUP, LONGEST_WARMUP = 20.0, 100.0, 1000.0  # overwrites
LIFETIMES = 1.5  # of the coldest pages, which the warm-up lasts
MEASURED, LONGEST_MEASURED = 8.0, 50.0  # overwrites; between them a quarter of that lifetime
WINDOWS = 8
# Rounds of a sequential stream with its own frontier meet the ends of its blocks at the same place
# for ever: two such places, in blocks, stand for all.
PLACES = (0.125, 0.625)


class Run(NamedTuple):
    """One run: its spare area, write amplification with 95 % interval and drift, and the size."""

    policy: Policy
    op_ratio: float
    wa: float
    low_wa: float
    high_wa: float
    drift: float
    is_settled: bool
    blocks: int
    pages_per_block: int
    fill: str

    def wa_at(self, op_ratio: ArrayLike) -> Any:
        """Return write amplification of the same state at a spare area close by."""
        return 1 + max(self.wa - 1, NOTHING) * (np.asarray(op_ratio) / self.op_ratio) ** USUAL


class Load(NamedTuple):
    """A small drive and its workload."""

    policy: Policy
    placement: int
    pages_per_block: int
    sequential_fraction: float
    write_shares: tuple[float, ...]
    page_shares: tuple[float, ...]
    trim_share: float
    trims: Trims

    @property
    def has_jumps(self) -> bool:
        """Whether write amplification may fall in jumps, which sequential writes cause.

        Victims drawn at random smooth them out unless there is one frontier.
        """
        is_smooth = self.policy == "d-choices" and self.placement > 1
        return self.sequential_fraction > 0 and not is_smooth

    @property
    def grows(self) -> bool:
        """Whether it costs more the more blocks a drive has, by more than 2 %."""
        has_frontiers = self.policy == "greedy" and self.placement > 1
        return has_frontiers and self.sequential_fraction == 0

    @property
    def is_in_step(self) -> bool:
        """Whether it matters where rounds of sequential writes end in a block, for ever the same.

        Victims drawn at random, or by age alone, do not care.
        """
        is_drawn = self.policy in ("d-choices", "fifo")
        return self.sequential_fraction > 0 and self.placement > 3 and not is_drawn


class _Of(NamedTuple):
    """Case of a small drive, without the numbers that may be arrays."""

    policy: Policy
    write_shares: ArrayLike
    page_shares: ArrayLike
    placement: float
    trims_as_written: float

    def load(self, pages_per_block: float, sequential_fraction: float, trim_share: float) -> Any:
        """Return the load of a run."""
        return load_of(
            self.policy, sequential_fraction, self.write_shares, self.page_shares,
            pages_per_block, self.placement, trim_share, self.trims_as_written,
        )  # fmt: skip


class _Part(NamedTuple):
    """One of the small drives that represent a load."""

    blocks: int
    weight: float
    place: float | None  # where the rounds of a sequential stream end, in blocks


def greedy_wa(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float,
    placement: float,
    sequential_fraction: float = 0.0,
    trim_share: float = 0.0,
    trims_as_written: float = 0.0,
) -> float:
    r"""Write amplification by simulation: collecting the block with the fewest valid pages.

    .. math:: A = 1 + \frac{\text{pages copied}}{\text{pages written}}

    Args:
        op_ratio: Spare bytes per byte of addresses, in use or not, p. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their pages by class, in use or not, f. [1]
        pages_per_block: Pages in one unit of collection, b; more than 256 are simulated as 256. [1]
        placement: 1 for one frontier, 2 for one each for host and GC writes, 3 for one for each
            class, 4 with one more for all copies, 5 with one more for the copies of each. [1]
        sequential_fraction: Share of host writes, and of pages, that is written around in
            sequence, s. [1]
        trim_share: Share of the requests that trim a page in use, q. [1]
        trims_as_written: 0 if trims hit all data in use alike, 1 if they follow the writes. [1]

    Returns:
        Flash bytes per host byte of a drive that was filled at random; of two states that last, the
            higher. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0, page_shares > 0, pages_per_block >= 2, placement is 1 to 5,
            trim_share in [0, 0.5) and trims_as_written 0 or 1.

    Notes:
        Valid from an op_ratio of 0.02 to 4, beyond which it is continued. It is read between runs
        20 % apart, beside sequential writes 8 to 10 %. There it falls in jumps, which are looked
        for to 1 %; between two runs with a jump it is the higher. Of more than 8 sequential shares
        it is read between runs at every tenth, of more than 8 trim shares at every twentieth.

        With several frontiers it rises with the number of blocks. In placement 2 it is continued as
        1/blocks from two drives to the many blocks of a large one: within 2 %, with hot classes of
        2 % of the pages or less within 10 %. In placements 3 to 5 it is that of 1,056 blocks of 256
        pages, up to 4,224 of fewer; where the hottest class has some ten, it still rises. Under
        Zipf from an exponent of 0.99 on, with two frontiers, it rises with the number of pages; one
        log is the upper bound. Of more than 8 classes, neighbours share a frontier. Beside
        sequential writes, in placements 4 and 5, it matters by up to half where rounds of the
        stream end in a block: the mean of two such places is given. Source: page simulation of at
        least 32,768 pages.

    Examples:
        >>> wa = greedy_wa(0.28, sequential_fraction=0.5, write_shares=[1], page_shares=[1],
        ...                pages_per_block=128, placement=1)
        >>> 2.0 < wa < 2.15
        True
    """
    of = _Of("greedy", write_shares, page_shares, placement, trims_as_written)
    return _read(of, op_ratio, pages_per_block, sequential_fraction, trim_share)


def fifo_wa(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float,
    placement: float,
    sequential_fraction: float = 0.0,
    trim_share: float = 0.0,
    trims_as_written: float = 0.0,
) -> float:
    r"""Write amplification by simulation: collecting the oldest block.

    .. math:: A = 1 + \frac{\text{pages copied}}{\text{pages written}}

    Args:
        op_ratio: Spare bytes per byte of addresses, in use or not, p. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their pages by class, in use or not, f. [1]
        pages_per_block: Pages in one unit of collection, b; more than 256 are simulated as 256. [1]
        placement: 1 for one frontier, 2 for one each for host and GC writes, 3 for one for each
            class, 4 with one more for all copies, 5 with one more for the copies of each. [1]
        sequential_fraction: Share of host writes, and of pages, that is written around in
            sequence, s. [1]
        trim_share: Share of the requests that trim a page in use, q. [1]
        trims_as_written: 0 if trims hit all data in use alike, 1 if they follow the writes. [1]

    Returns:
        Flash bytes per host byte of a drive that was filled at random; of two states that last, the
            higher. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0, page_shares > 0, pages_per_block >= 2, placement is 1 to 5,
            trim_share in [0, 0.5) and trims_as_written 0 or 1.

    Notes:
        Valid as `d_choices_wa`; without sequential writes `write_amplification.skewed` is exact,
        for any placement. Source: page simulation of at least 32,768 pages.

    Examples:
        >>> wa = fifo_wa(0.28, write_shares=[1], page_shares=[1],
        ...              pages_per_block=128, placement=2)
        >>> 2.4 < wa < 2.55
        True
    """
    of = _Of("fifo", write_shares, page_shares, placement, trims_as_written)
    return _read(of, op_ratio, pages_per_block, sequential_fraction, trim_share)


def d_choices_wa(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float,
    placement: float,
    sequential_fraction: float = 0.0,
    trim_share: float = 0.0,
    trims_as_written: float = 0.0,
) -> float:
    r"""Write amplification by simulation: collecting the emptiest of ten random blocks.

    .. math:: A = 1 + \frac{\text{pages copied}}{\text{pages written}}

    Args:
        op_ratio: Spare bytes per byte of addresses, in use or not, p. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their pages by class, in use or not, f. [1]
        pages_per_block: Pages in one unit of collection, b; more than 256 are simulated as 256. [1]
        placement: 1 for one frontier, 2 for one each for host and GC writes, 3 for one for each
            class, 4 with one more for all copies, 5 with one more for the copies of each. [1]
        sequential_fraction: Share of host writes, and of pages, that is written around in
            sequence, s. [1]
        trim_share: Share of the requests that trim a page in use, q. [1]
        trims_as_written: 0 if trims hit all data in use alike, 1 if they follow the writes. [1]

    Returns:
        Flash bytes per host byte of a drive that was filled at random; of two states that last, the
            higher. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0, page_shares > 0, pages_per_block >= 2, placement is 1 to 5,
            trim_share in [0, 0.5) and trims_as_written 0 or 1.

    Notes:
        Valid as `greedy_wa`, but for the number of blocks, on which it does not depend. Source:
        page simulation of at least 32,768 pages.

    Examples:
        >>> wa = d_choices_wa(0.28, write_shares=[0.9, 0.1],
        ...                   page_shares=[0.1, 0.9], pages_per_block=128, placement=2)
        >>> 2.05 < wa < 2.25
        True
    """
    of = _Of("d-choices", write_shares, page_shares, placement, trims_as_written)
    return _read(of, op_ratio, pages_per_block, sequential_fraction, trim_share)


def cost_benefit_wa(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float,
    placement: float,
    sequential_fraction: float = 0.0,
    trim_share: float = 0.0,
    trims_as_written: float = 0.0,
) -> float:
    r"""Write amplification by simulation: weighing age against copies.

    .. math:: A = 1 + \frac{\text{pages copied}}{\text{pages written}}

    Args:
        op_ratio: Spare bytes per byte of addresses, in use or not, p. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their pages by class, in use or not, f. [1]
        pages_per_block: Pages in one unit of collection, b; more than 256 are simulated as 256. [1]
        placement: 1 for one frontier, 2 for one each for host and GC writes, 3 for one for each
            class, 4 with one more for all copies, 5 with one more for the copies of each. [1]
        sequential_fraction: Share of host writes, and of pages, that is written around in
            sequence, s. [1]
        trim_share: Share of the requests that trim a page in use, q. [1]
        trims_as_written: 0 if trims hit all data in use alike, 1 if they follow the writes. [1]

    Returns:
        Flash bytes per host byte of a drive that was filled at random; of two states that last, the
            higher. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0, page_shares > 0, pages_per_block >= 2, placement is 1 to 5,
            trim_share in [0, 0.5) and trims_as_written 0 or 1.

    Notes:
        Valid as `d_choices_wa`. Of all blocks the one is collected of which age times
        (1 - u)/(1 + u) is largest, u the share of valid pages; with one frontier that is
        `write_amplification.skewed` within 3 %. Source: page simulation of at least 192 blocks.

    Examples:
        >>> wa = cost_benefit_wa(0.28, write_shares=[0.9, 0.1],
        ...                      page_shares=[0.1, 0.9], pages_per_block=128, placement=3)
        >>> wa < 2
        True
    """
    of = _Of("cost-benefit", write_shares, page_shares, placement, trims_as_written)
    return _read(of, op_ratio, pages_per_block, sequential_fraction, trim_share)


def runs(formula: Callable[..., float], **arguments: Any) -> tuple[Run, ...]:
    """Return the runs about one point of a function of this module: the nearest one first.

    Beside sequential writes, where jumps are, those at the spare areas below and above it.
    """
    policy: dict[Any, Policy] = {
        greedy_wa: "greedy", fifo_wa: "fifo", d_choices_wa: "d-choices",
        cost_benefit_wa: "cost-benefit",
    }  # fmt: skip
    op_ratio, share = arguments.pop("op_ratio"), arguments.pop("sequential_fraction", 0.0)
    load = load_of(policy[formula], share, **arguments)
    if load is None:
        return ()
    at = float(_at(_clipped(op_ratio)))
    known = places_about(load, [at])
    above = min(max(bisect_right(known, at), 1), len(known) - 1)
    places = sorted(known[above - 1 : above + 1], key=lambda place: abs(place - at))
    if not load.has_jumps:
        places = places[:1]
    return tuple(_run(load, place, fill) for place in places for fill in fills(load, place))


def states(formula: Callable[..., float], **arguments: Any) -> tuple[float, ...]:
    """Return write amplification of the states that last about one point: one, or low and high."""
    op_ratio = float(arguments["op_ratio"])
    seen = [float(run.wa_at(op_ratio)) for run in runs(formula, **arguments)] or [1.0]
    low, high = min(seen), max(seen)
    return (low, high) if high > (1 + STATES_APART) * low else (high,)


def _read(
    of: _Of,
    op_ratio: ArrayLike,
    pages_per_block: ArrayLike,
    sequential_fraction: ArrayLike,
    trim_share: ArrayLike,
) -> float:
    """Return the answer for every element, from as few runs as may be."""
    ratios, sizes, shares, trims = np.broadcast_arrays(
        _number("op_ratio", op_ratio, "> 0 and finite", lambda x: (x > 0) & (x < np.inf)),
        np.clip(_pages(pages_per_block), FEWEST, LARGEST_BLOCK),
        _number("sequential_fraction", sequential_fraction, "in [0, 1]",
                lambda x: (x >= 0) & (x <= 1)),
        _trims(trim_share),
    )  # fmt: skip
    result = np.ones(ratios.shape)
    for size in np.unique(sizes):
        here = sizes == size
        result[here] = _of_size(of, float(size), ratios[here], shares[here], trims[here])
    return float(result) if result.ndim == 0 else result  # type: ignore[return-value]  # an array where one was given


def _of_size(of: _Of, size: float, ratios: Floats, shares: Floats, trims: Floats) -> Floats:
    """Return write amplification for blocks of one size."""
    result = np.ones(ratios.shape)
    if np.unique(trims).size <= SOME:
        for trim in np.unique(trims):
            here = trims == trim
            result[here] = _of_trims(of, size, float(trim), ratios[here], shares[here])
        return result
    steps = np.minimum(np.floor(trims * TRIM_SHARES), 0.45 * TRIM_SHARES - 1)
    for place in np.unique(steps):
        here = steps == place
        part = trims[here] * TRIM_SHARES - place
        ends = [(place + more) / TRIM_SHARES for more in (0, 1)]
        low, high = (
            np.maximum(_of_trims(of, size, end, ratios[here], shares[here]) - 1, NOTHING)
            for end in ends
        )
        result[here] = 1 + low ** (1 - part) * high**part
    return result


def _of_trims(of: _Of, size: float, trim: float, ratios: Floats, shares: Floats) -> Floats:
    """Return write amplification for one share of trims."""
    result = np.ones(ratios.shape)
    if np.unique(shares).size <= SOME:
        for share in np.unique(shares):
            here = shares == share
            result[here] = _curve(of.load(size, float(share), trim), ratios[here])
    else:
        low = np.minimum(np.floor(shares * SHARES), SHARES - 1)
        for place in np.unique(low):
            here = low == place
            result[here] = _between(of, size, trim, place, ratios[here], shares[here])
    return result


def _between(
    of: _Of, size: float, trim: float, place: float, ratios: Floats, shares: Floats
) -> Floats:
    """Return write amplification between two steps of the sequential share.

    Along lines of the same p / sqrt(1 - s), near which jumps lie; beyond the last step copies
    vanish as sqrt(1 - s).
    """
    low, high = place / SHARES, (place + 1) / SHARES
    if high == 1:
        copies = _curve(of.load(size, low, trim), ratios) - 1
        return np.asarray(1 + copies * np.sqrt((1 - shares) / (1 - low)))
    part = shares * SHARES - place
    ends = (
        _curve(of.load(size, end, trim), ratios * np.sqrt((1 - end) / (1 - shares)))
        for end in (low, high)
    )
    return np.asarray((1 - part) * next(ends) + part * next(ends))


def _curve(load: Load | None, ratios: Floats) -> Floats:
    """Return write amplification at some spare areas, read between runs."""
    if load is None:
        return np.ones(ratios.shape)
    spare = _clipped(ratios)
    places = places_about(load, np.ravel(_at(spare)))
    cells = np.clip(np.searchsorted(places, _at(spare), side="right") - 1, 0, len(places) - 2)
    asked, of = np.unique(cells, return_inverse=True)
    lines = np.array([_line(load, places[cell], places[cell + 1]) for cell in asked])
    op_ratio, copies, slope = lines.T[:, of.reshape(ratios.shape)]
    read = copies * (spare / op_ratio) ** slope
    beyond = 1.0 if load.trim_share else np.minimum(ratios / LEAST_RATIO, 1.0) ** -1.0
    return np.asarray(1 + read * beyond)


def _line(load: Load, low_place: int, high_place: int) -> tuple[float, float, float]:
    """Return a spare area, the copies there, and their slope up to the next run.

    Where they fall in a jump, the run before it holds up to the next one.
    """
    low = _run(load, low_place, "random")
    slope = _slope(load, low_place, high_place)
    is_jump = load.has_jumps and slope < JUMP
    return low.op_ratio, max(low.wa - 1, NOTHING), USUAL if is_jump else slope


def _slope(load: Load, low_place: int, high_place: int) -> float:
    """Return the slope of ln(A - 1) over ln p between two runs."""
    low, high = (_run(load, place, "random") for place in (low_place, high_place))
    fewer, more = (max(run.wa - 1, NOTHING) for run in (high, low))
    return math.log(fewer / more) / math.log(high.op_ratio / low.op_ratio)


def _clipped(op_ratio: Any) -> Any:
    """Return the spare area within what is simulated."""
    return np.clip(np.asarray(op_ratio), LEAST_RATIO, LARGEST_RATIO)


def _at(spare: Any) -> Any:
    """Return the place of a spare area between runs."""
    return 100 * np.log(spare)


def places_about(load: Load, at: ArrayLike) -> list[int]:
    """Return the places of the runs about some places, in hundredths of ln p, in their order."""
    asked = np.asarray(at, float)
    step = (
        np.where(asked < 0, FINE, MIXED_STEP)
        if load.has_jumps
        else np.array(MIXED_STEP if load.sequential_fraction else SMOOTH)
    )
    lows = np.floor(asked / step) * step
    cells = {(int(low), int(high)) for low, high in zip(lows, lows + step, strict=True)}
    return sorted({place for cell in cells for place in _places_in(load, *cell)})


@lru_cache(maxsize=4096)
def _places_in(load: Load, low: int, high: int) -> tuple[int, ...]:
    """Return the places of two runs, and of those between them where jumps are looked for."""
    can_jump = load.has_jumps and high <= 0 and high - low > 1
    if not can_jump or _slope(load, low, high) > STEEP:
        return low, high
    middle = (low + high) // 2
    return _places_in(load, low, middle)[:-1] + _places_in(load, middle, high)


def fills(load: Load, place: int) -> tuple[Fill, ...]:
    """Return the fills on which the state may depend: rounds keep the order of their fill.

    Above a spare area of 1 they have not been seen to.
    """
    may_last = load.has_jumps and load.placement == 1 and place < 0
    return ("random", "sequential") if may_last else ("random",)


@lru_cache(maxsize=4096)
def _run(load: Load, place: int, fill: Fill) -> Run:
    """Return the run of a small drive of about the spare area exp(place / 100)."""
    row = stored().get(key_of(load, fill), {}).get(place)
    op_ratio, wa, low_wa, high_wa, drift, is_settled = (
        found(f"{load} {place} {fill}", lambda: numbers_of(fresh_run(load, place, fill)))
        if row is None
        else row.tolist()
    )
    blocks, size = _parts(load, place)[-1].blocks, load.pages_per_block
    return Run(
        load.policy, op_ratio, wa, low_wa, high_wa, drift, bool(is_settled), blocks, size, fill
    )


def numbers_of(run: Run) -> list[float]:
    """Return the numbers of a run that are stored: all but those that follow from its load."""
    return [float(number) for number in run[1:7]]


@cache
def stored() -> Mapping[str, Mapping[int, Floats]]:
    """Return the runs that are stored, by load and place: a row each.

    A row is op_ratio, wa, low_wa, high_wa, drift and whether the run has settled.
    """
    from importlib.resources import files  # noqa: PLC0415 - slow to import

    with (files("models.simulator") / "stored_runs.npz").open("rb") as file:
        table = np.load(file)
        keys, counts, places, rows = (table[name] for name in ("keys", "counts", "places", "runs"))
    ends = np.cumsum(counts)[:-1]
    each = zip(np.split(places, ends), np.split(rows, ends), strict=True)
    by_place = (dict(zip(at.tolist(), of, strict=True)) for at, of in each)
    return dict(zip(keys.tolist(), by_place, strict=True))


def key_of(load: Load, fill: Fill = "random") -> str:
    """Return the key of a stored run: a digest of the load, and how the drive was filled.

    Shares are rounded: processors differ in the last digits of the powers behind them.
    """
    name = sha256(repr([_rounded(part) for part in load]).encode()).hexdigest()[:16]
    return name if fill == "random" else f"{name} {fill}"


def _rounded(part: Any) -> Any:
    if isinstance(part, tuple):
        return [_rounded(each) for each in part]
    return f"{part:.9g}" if isinstance(part, float) else part


def fresh_run(load: Load, place: int, fill: Fill) -> Run:
    """Run a small drive of about the spare area exp(place / 100) per page that can be in use."""
    tell()
    parts = _parts(load, place)
    each = [_part_run(load, place, fill, part) for part in parts]
    last = each[-1]
    weights = [part.weight for part in parts]
    wa = math.fsum(
        weight * float(run.wa_at(last.op_ratio)) for weight, run in zip(weights, each, strict=True)
    )
    half = math.hypot(
        *(weight * (run.high_wa - run.wa) for weight, run in zip(weights, each, strict=True))
    )
    return last._replace(
        wa=max(1.0, wa),
        low_wa=max(1.0, wa - half),
        high_wa=max(1.0, wa) + half,
        drift=max((run.drift for run in each), key=abs),
        is_settled=all(run.is_settled for run in each),
    )


def _parts(load: Load, place: int) -> tuple[_Part, ...]:
    """Return the small drives that represent a load: their blocks, and their weights."""
    blocks = max(LEAST_BLOCKS, PAGES // load.pages_per_block)
    if load.policy == "cost-benefit":
        blocks = min(blocks, WEIGHED_BLOCKS)
    if load.placement > 2:
        spare = math.exp(place / 100)  # open blocks must leave some of it
        is_open = _frontiers(load, PAGES)
        blocks = max(blocks, math.ceil((is_open / 2 + 2) * (1 + spare) / spare))
    if load.is_in_step:
        return tuple(_Part(blocks, 1 / len(PLACES), at) for at in PLACES)
    if load.grows and load.placement == HOST_GC_PLACEMENT:
        blocks = max(blocks, GROWING_BLOCKS)
        return _Part(blocks, -1.0, None), _Part(2 * blocks, 2.0, None)
    if load.grows:
        fewest, most = CLASS_BLOCKS
        blocks = max(blocks, min(max(CLASS_PAGES // load.pages_per_block, fewest), most))
    return (_Part(blocks, 1.0, None),)


def _part_run(load: Load, place: int, fill: Fill, part: _Part) -> Run:
    """Run one drive."""
    spare, size, blocks = math.exp(place / 100), load.pages_per_block, part.blocks
    reserve = 1 if load.placement == 1 else 2
    about = round(blocks * size / (1 + spare))
    open_blocks = 0.5 / (0.5 / spare + 0.7) + 0.5 * (_frontiers(load, about) - 1)
    pages = round((blocks - reserve - open_blocks) * size / (1 + spare))
    workload = _workload(load, pages, part.place)
    lifetime = _coldest(workload)
    shortest = MIXED_WARMUP if load.sequential_fraction else WARMUP
    result, drift, is_settled = run_until_settled(
        Config(
            pages_per_block=size,
            blocks=blocks,
            logical_pages=pages,
            reserve=reserve,
            policy=load.policy,
            choices=0 if load.policy == "cost-benefit" else 10,
            **_placed(load, workload),
            workload=workload,
            trim_share=load.trim_share,
            trims=load.trims,
            fill=fill,
            warmup_overwrites=min(max(shortest, LIFETIMES * lifetime), LONGEST_WARMUP),
            measured_overwrites=min(max(MEASURED, lifetime / 4), LONGEST_MEASURED),
            windows=WINDOWS,
            seed=1 + place % 997,
        )
    )
    kept = (blocks - reserve) * size - result.frontier_free_pages
    return Run(
        policy=load.policy,
        op_ratio=kept / pages - 1,
        wa=result.wa,
        low_wa=result.wa_low,
        high_wa=result.wa_high,
        drift=drift,
        is_settled=is_settled,
        blocks=blocks,
        pages_per_block=size,
        fill=fill,
    )


def _frontiers(load: Load, pages: int) -> int:
    """Return the number of open blocks on a drive of about so many pages."""
    classes = max(handles_of(_workload(load, pages, None))) + 1
    return {1: 1, 2: 2, 3: classes, 4: classes + 1, 5: 2 * classes}[load.placement]


def _placed(load: Load, workload: Workload) -> dict[str, Any]:
    """Return the placement of writes; victims are selected across all frontiers."""
    if load.placement <= 2:
        return {"frontiers": "one" if load.placement == 1 else "host-gc"}
    streams = handles_of(workload)
    count = max(streams) + 1
    return {
        "frontiers": "streams",
        "cleaning": "global",
        "routing": tuple(tuple(float(own == n) for n in range(count)) for own in streams),
        "copies": {3: "with-writes", 4: "together", 5: "apart"}[load.placement],
    }


@lru_cache(maxsize=256)
def handles_of(workload: Workload) -> tuple[int, ...]:
    """Return the stream of each class; of more than a drive has handles for, like ones share one.

    Neighbours in temperature are joined whose parting is worth least: copies grow as the sum of
    sqrt(write share * page share) over the streams. A sequential class keeps its own.
    """
    written, held = class_shares(workload)
    count = len(written)
    groups = [[k] for k in range(count - isinstance(workload, Mixed))]

    def worth(group: Sequence[int]) -> float:
        return math.sqrt(math.fsum(written[k] for k in group) * math.fsum(held[k] for k in group))

    while len(groups) > HANDLES - isinstance(workload, Mixed):
        pairs = range(len(groups) - 1)
        losses = [
            worth(groups[i] + groups[i + 1]) - worth(groups[i]) - worth(groups[i + 1])
            for i in pairs
        ]
        least = losses.index(min(losses))
        groups[least] += groups.pop(least + 1)
    groups += [[count - 1]] if isinstance(workload, Mixed) else []
    return tuple(n for n, group in enumerate(groups) for _ in group)


def _coldest(workload: Workload) -> float:
    """Return the mean time between overwrites of the pages written least, in overwrites."""
    pairs = zip(*class_shares(workload), strict=True)
    return max(held / written for written, held in pairs if written > 0)


def _workload(load: Load, pages: int, place: float | None) -> Workload:
    """Return the workload of a drive of so many pages."""
    random = 1 - load.sequential_fraction
    held = max(FEWEST, round(random * pages))
    written, shares = _merged(load.write_shares, load.page_shares, FEWEST / held)
    classes = Classes(write_shares=written, page_shares=shares) if len(written) > 1 else None
    if random == 1:
        return classes or Uniform()
    if place is not None:  # the rounds end there
        size = load.pages_per_block
        held += round((pages - held - place * size) % size)
    return Mixed(random_writes=random, random_pages=held / pages, classes=classes)


def _merged(
    write_shares: Sequence[float], page_shares: Sequence[float], least: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Merge classes of like rates, the hottest first, until each holds a least share of pages."""
    pairs = sorted(
        zip(write_shares, page_shares, strict=True),
        key=lambda pair: pair[0] / pair[1],
        reverse=True,
    )
    merged: list[list[float]] = []
    for written, held in pairs:
        if merged and merged[-1][1] < least:
            merged[-1] = [merged[-1][0] + written, merged[-1][1] + held]
        else:
            merged.append([written, held])
    if len(merged) > 1 and merged[-1][1] < least:
        written, held = merged.pop()
        merged[-1] = [merged[-1][0] + written, merged[-1][1] + held]
    writes, pages = zip(*merged, strict=True)
    return tuple(x / math.fsum(writes) for x in writes), tuple(x / math.fsum(pages) for x in pages)


def load_of(
    policy: Policy,
    sequential_fraction: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float,
    placement: float,
    trim_share: float = 0.0,
    trims_as_written: float = 0.0,
) -> Load | None:
    """Return the load of a run, None where nothing is written at random."""
    writes = _number(
        "write_shares", write_shares, ">= 0 and finite", lambda x: (x >= 0) & (x < np.inf)
    )
    pages = _number("page_shares", page_shares, "> 0 and finite", lambda x: (x > 0) & (x < np.inf))
    if writes.ndim != 1 or writes.shape != pages.shape or writes.sum() <= 0:
        raise DomainError(
            f"page_shares must be as many as write_shares, positive in sum, got {pages.size} "
            f"and {writes.size}"
        )
    code = _number("placement", placement, "1, 2, 3, 4 or 5", lambda x: np.isin(x, range(1, 6)))
    follows = _number("trims_as_written", trims_as_written, "0 or 1", lambda x: np.isin(x, (0, 1)))
    trim = round(float(_trims(trim_share)), SHARE_DIGITS)
    share = round(float(sequential_fraction), SHARE_DIGITS)
    if share > 1 - 1e-3:
        return None
    return Load(
        policy=policy,
        placement=int(code),
        pages_per_block=min(max(int(_pages(pages_per_block)), FEWEST), LARGEST_BLOCK),
        sequential_fraction=share if share >= 1e-3 else 0.0,
        write_shares=tuple((writes / writes.sum()).tolist()),
        page_shares=tuple((pages / pages.sum()).tolist()),
        trim_share=trim,
        trims="as-written" if follows and trim else "mapped",
    )


def _trims(trim_share: ArrayLike) -> Floats:
    return _number("trim_share", trim_share, "in [0, 0.5)", lambda x: (x >= 0) & (x < 0.5))


def _pages(pages_per_block: ArrayLike) -> Floats:
    return _number(
        "pages_per_block", pages_per_block, "a whole number >= 2",
        lambda x: (x >= 2) & (x < np.inf) & (x % 1 == 0),
    )  # fmt: skip


def _number(name: str, value: ArrayLike, accepted: str, fits: Callable[[Floats], Any]) -> Floats:
    """Return numbers as an array, refused by name outside what is accepted."""
    numbers = np.asarray(value, float)
    inside = np.asarray(fits(numbers))
    if not inside.all():
        raise DomainError(f"{name} must be {accepted}, got {numbers[~inside].flat[0]:g}")
    return numbers

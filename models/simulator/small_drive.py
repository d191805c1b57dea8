r"""Write amplification where no formula is known: run on a small drive, read between runs.

Dimensionless. Host writes and copies on separate frontiers under skew, and sequential writes beside
random ones: a page simulator of some hundred blocks settles in some hundredths of a second. Runs
are made at steps of the spare area, kept, and read between: linear in ln p and ln(A - 1). The same
question has the same answer: the seed is fixed. Runs of the named skews, and of uniform writes, are
stored (`python -m tests.stored_runs` writes them), beside sequential writes for every tenth of
them, so that plans of them compile and run nothing.

The spare area of a run is what the reserve and the unfilled part of its open blocks leave, as
counted in the run; so are those of the formulas.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.errors import DomainError
from models.simulator.config import Classes, Config, Fill, Mixed, Policy, Uniform, class_count
from models.simulator.driver import run

Floats = NDArray[np.float64]

PAGES = 1 << 15
LEAST_BLOCKS = 192
LARGEST_BLOCK = 256
FEWEST = 16  # pages of a class, of which chance would decide with fewer
STEP = 0.1  # of ln p, between runs
MIXED_STEP = 0.04  # beside sequential writes, where write amplification falls in jumps
USUAL, JUMP = -1.2, -4.0  # slopes of ln(A - 1) over ln p: within a state, and between two
SOME = 8
SHARES = 10  # steps of the sequential share where many are asked for
SHARE_DIGITS = 9  # of the sequential share, beyond which it is rounding
LEAST_RATIO, LARGEST_RATIO = 0.02, 4.0
STATES_APART = 0.05
NOTHING = 1e-5  # copies per write that count as none
SETTLED = (20.0, 30.0)  # overwrites of warm-up, fewest and most
LIFETIMES = 1.0  # of the coldest pages, which the warm-up lasts
MEASURED = 8.0
WINDOWS = 8


class Run(NamedTuple):
    """One run: its spare area, write amplification with 95 % interval and drift, and the size."""

    policy: Policy
    op_ratio: float
    wa: float
    low_wa: float
    high_wa: float
    drift: float
    blocks: int
    pages_per_block: int
    fill: str

    def wa_at(self, op_ratio: ArrayLike) -> Any:
        """Return write amplification of the same state at a spare area close by."""
        return 1 + max(self.wa - 1, NOTHING) * (np.asarray(op_ratio) / self.op_ratio) ** USUAL


class Load(NamedTuple):
    """A small drive and its workload."""

    policy: Policy
    frontiers: int
    pages_per_block: int
    sequential_fraction: float
    write_shares: tuple[float, ...]
    page_shares: tuple[float, ...]


def greedy_wa(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float,
    frontiers: float,
    sequential_fraction: float = 0.0,
) -> float:
    r"""Write amplification by simulation: collecting the block with the fewest valid pages.

    .. math:: A = 1 + \frac{\text{pages copied}}{\text{pages written}}

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their valid pages by class, f. [1]
        pages_per_block: Pages in one unit of collection, b; more than 256 are simulated as 256. [1]
        frontiers: 1 for one log, 2 for host writes and copies apart, 0 for one for each class. [1]
        sequential_fraction: Share of host writes, and of valid pages, that is written around in
            sequence, s. [1]

    Returns:
        Flash bytes per host byte of a drive that was filled at random; of two states that last, the
            higher. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0, page_shares > 0, pages_per_block >= 2 and frontiers is 0, 1
            or 2.

    Notes:
        Valid from an op_ratio of 0.02 to 4, beyond which it is continued. It is read between runs
        10 % apart, beside sequential writes 4 %: there it falls in jumps, and between two runs with
        a jump it is the higher. Of more than 8 sequential shares it is read between runs at every
        tenth. Under Zipf from an exponent of 0.99 on, with two frontiers, it rises with the number
        of pages; one log is the upper bound. Source: page simulation of at least 32,768 pages.

    Examples:
        >>> wa = greedy_wa(0.28, sequential_fraction=0.5, write_shares=[1], page_shares=[1],
        ...                pages_per_block=128, frontiers=1)
        >>> 2.0 < wa < 2.15
        True
    """
    return _read(
        "greedy", op_ratio, sequential_fraction, write_shares, page_shares,
        pages_per_block, frontiers,
    )  # fmt: skip


def fifo_wa(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float,
    frontiers: float,
    sequential_fraction: float = 0.0,
) -> float:
    r"""Write amplification by simulation: collecting the oldest block.

    .. math:: A = 1 + \frac{\text{pages copied}}{\text{pages written}}

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their valid pages by class, f. [1]
        pages_per_block: Pages in one unit of collection, b; more than 256 are simulated as 256. [1]
        frontiers: 1 for one log, 2 for host writes and copies apart, 0 for one for each class. [1]
        sequential_fraction: Share of host writes, and of valid pages, that is written around in
            sequence, s. [1]

    Returns:
        Flash bytes per host byte of a drive that was filled at random; of two states that last, the
            higher. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0, page_shares > 0, pages_per_block >= 2 and frontiers is 0, 1
            or 2.

    Notes:
        Valid as `greedy_wa`; without sequential writes `write_amplification.skewed` is exact, for
        any frontiers. Source: page simulation of at least 32,768 pages.

    Examples:
        >>> wa = fifo_wa(0.28, write_shares=[1], page_shares=[1],
        ...              pages_per_block=128, frontiers=2)
        >>> 2.4 < wa < 2.55
        True
    """
    return _read(
        "fifo", op_ratio, sequential_fraction, write_shares, page_shares,
        pages_per_block, frontiers,
    )  # fmt: skip


def d_choices_wa(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float,
    frontiers: float,
    sequential_fraction: float = 0.0,
) -> float:
    r"""Write amplification by simulation: collecting the emptiest of ten random blocks.

    .. math:: A = 1 + \frac{\text{pages copied}}{\text{pages written}}

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their valid pages by class, f. [1]
        pages_per_block: Pages in one unit of collection, b; more than 256 are simulated as 256. [1]
        frontiers: 1 for one log, 2 for host writes and copies apart, 0 for one for each class. [1]
        sequential_fraction: Share of host writes, and of valid pages, that is written around in
            sequence, s. [1]

    Returns:
        Flash bytes per host byte of a drive that was filled at random; of two states that last, the
            higher. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0, page_shares > 0, pages_per_block >= 2 and frontiers is 0, 1
            or 2.

    Notes:
        Valid as `greedy_wa`. Source: page simulation of at least 32,768 pages.

    Examples:
        >>> wa = d_choices_wa(0.28, write_shares=[0.9, 0.1],
        ...                   page_shares=[0.1, 0.9], pages_per_block=128, frontiers=2)
        >>> 2.05 < wa < 2.25
        True
    """
    return _read(
        "d-choices", op_ratio, sequential_fraction, write_shares, page_shares,
        pages_per_block, frontiers,
    )  # fmt: skip


def cost_benefit_wa(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float,
    frontiers: float,
    sequential_fraction: float = 0.0,
) -> float:
    r"""Write amplification by simulation: weighing age against copies.

    .. math:: A = 1 + \frac{\text{pages copied}}{\text{pages written}}

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        write_shares (sequence of K): Shares of the random writes by class, r. [1]
        page_shares (sequence of K): Shares of their valid pages by class, f. [1]
        pages_per_block: Pages in one unit of collection, b; more than 256 are simulated as 256. [1]
        frontiers: 1 for one log, 2 for host writes and copies apart, 0 for one for each class. [1]
        sequential_fraction: Share of host writes, and of valid pages, that is written around in
            sequence, s. [1]

    Returns:
        Flash bytes per host byte of a drive that was filled at random; of two states that last, the
            higher. [1]

    Raises:
        DomainError: Unless op_ratio > 0, sequential_fraction is in [0, 1], the shares are K
            numbers, write_shares >= 0, page_shares > 0, pages_per_block >= 2 and frontiers is 0, 1
            or 2.

    Notes:
        Valid as `greedy_wa`. Of ten random blocks the one of the largest age times free over valid
        pages is collected; in one log that is `write_amplification.skewed` within 3 %. Source: page
        simulation of at least 32,768 pages.

    Examples:
        >>> wa = cost_benefit_wa(0.28, write_shares=[0.9, 0.1],
        ...                      page_shares=[0.1, 0.9], pages_per_block=128, frontiers=0)
        >>> wa < 2
        True
    """
    return _read(
        "cost-benefit", op_ratio, sequential_fraction, write_shares, page_shares,
        pages_per_block, frontiers,
    )  # fmt: skip


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
    place = math.log(_clipped(op_ratio)) / _step(load)
    about = (math.floor(place), math.ceil(place)) if load.sequential_fraction else ()
    places = dict.fromkeys((round(place), *about))
    return tuple(_run(load, at, fill) for at in places for fill in fills(load))


def states(formula: Callable[..., float], **arguments: Any) -> tuple[float, ...]:
    """Return write amplification of the states that last about one point: one, or low and high."""
    op_ratio = _clipped(arguments["op_ratio"])
    seen = [float(run.wa_at(op_ratio)) for run in runs(formula, **arguments)] or [1.0]
    low, high = min(seen), max(seen)
    return (low, high) if high > (1 + STATES_APART) * low else (high,)


def _read(
    policy: Policy,
    op_ratio: ArrayLike,
    sequential_fraction: ArrayLike,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: ArrayLike,
    frontiers: float,
) -> float:
    """Return the answer for every element, from as few runs as may be."""
    ratios, shares, sizes = np.broadcast_arrays(
        _number("op_ratio", op_ratio, "> 0 and finite", lambda x: (x > 0) & (x < np.inf)),
        _number("sequential_fraction", sequential_fraction, "in [0, 1]",
                lambda x: (x >= 0) & (x <= 1)),
        np.clip(_pages(pages_per_block), FEWEST, LARGEST_BLOCK),
    )  # fmt: skip
    result = np.ones(ratios.shape)
    for size in np.unique(sizes):
        here = sizes == size
        load = write_shares, page_shares, size, frontiers
        result[here] = _of_size(policy, ratios[here], shares[here], *load)
    return float(result) if result.ndim == 0 else result  # type: ignore[return-value]  # an array where one was given


def _of_size(policy: Policy, ratios: Floats, shares: Floats, *load: Any) -> Floats:
    """Return write amplification for blocks of one size."""
    result = np.ones(ratios.shape)
    if np.unique(shares).size <= SOME:
        for share in np.unique(shares):
            here = shares == share
            result[here] = _curve(load_of(policy, float(share), *load), ratios[here])
    else:
        low = np.minimum(np.floor(shares * SHARES), SHARES - 1)
        for place in np.unique(low):
            here = low == place
            result[here] = _between(policy, place, ratios[here], shares[here], *load)
    return result


def _between(policy: Policy, place: float, ratios: Floats, shares: Floats, *load: Any) -> Floats:
    """Return write amplification between two steps of the sequential share.

    Along lines of the same p / sqrt(1 - s), near which jumps lie; beyond the last step copies
    vanish as sqrt(1 - s).
    """
    low, high = place / SHARES, (place + 1) / SHARES
    if high == 1:
        copies = _curve(load_of(policy, low, *load), ratios) - 1
        return np.asarray(1 + copies * np.sqrt((1 - shares) / (1 - low)))
    part = shares * SHARES - place
    ends = (
        _curve(load_of(policy, end, *load), ratios * np.sqrt((1 - end) / (1 - shares)))
        for end in (low, high)
    )
    return np.asarray((1 - part) * next(ends) + part * next(ends))


def _curve(load: Load | None, ratios: Floats) -> Floats:
    """Return write amplification at some spare areas, read between runs."""
    if load is None:
        return np.ones(ratios.shape)
    inside = _clipped(ratios)
    steps, at = np.unique(np.floor(np.log(inside) / _step(load)).astype(int), return_inverse=True)
    lines = np.array([_line(load, int(step)) for step in steps])
    op_ratio, copies, slope = lines.T[:, at.reshape(ratios.shape)]
    read = copies * (inside / op_ratio) ** slope
    return np.asarray(1 + read * np.minimum(ratios / LEAST_RATIO, 1.0) ** -1.0)


def _line(load: Load, place: int) -> tuple[float, float, float]:
    """Return a spare area, the copies there, and their slope up to the next run.

    Where they fall in a jump, the run before it holds up to the next one.
    """
    low, high = (_run(load, place + more, "random") for more in (0, 1))
    fewer, more = (max(run.wa - 1, NOTHING) for run in (high, low))
    slope = math.log(fewer / more) / math.log(high.op_ratio / low.op_ratio)
    return low.op_ratio, more, USUAL if slope < JUMP else slope


def _clipped(ratios: Any) -> Any:
    return np.clip(ratios, LEAST_RATIO, LARGEST_RATIO)


def _step(load: Load) -> float:
    return MIXED_STEP if load.sequential_fraction else STEP


def fills(load: Load) -> tuple[Fill, ...]:
    """Return the fills of which the state may depend: rounds keep the order they were filled in."""
    is_mixed = load.sequential_fraction > 0 and load.frontiers == 1
    return ("random", "sequential") if is_mixed else ("random",)


@lru_cache(maxsize=4096)
def _run(load: Load, place: int, fill: Fill) -> Run:
    """Return the run of a small drive of about the spare area exp(place * step)."""
    first, runs_of = stored().get(key_of(load, fill), (place, ()))
    if not 0 <= place - first < len(runs_of):
        return fresh_run(load, place, fill)
    op_ratio, wa, low_wa, high_wa, drift = runs_of[place - first].tolist()
    return Run(
        load.policy, op_ratio, wa, low_wa, high_wa, drift, _blocks(load), load.pages_per_block, fill
    )


@cache
def stored() -> Mapping[str, tuple[int, Floats]]:
    """Return the runs that are stored, by load: the first step of the spare area, and a row each.

    A row is op_ratio, wa, low_wa, high_wa and drift.
    """
    with (files("models.simulator") / "stored_runs.npz").open("rb") as file:
        table = np.load(file)
        keys, first, steps, runs_of = (table[name] for name in ("keys", "first", "steps", "runs"))
    ends = np.split(runs_of, np.cumsum(steps)[:-1])
    return dict(zip(keys.tolist(), zip(first.tolist(), ends, strict=True), strict=True))


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


def _blocks(load: Load) -> int:
    is_slow = load.frontiers == 2 and load.policy == "greedy"  # to forget its size
    return max(LEAST_BLOCKS, PAGES // load.pages_per_block) * (2 if is_slow else 1)


def fresh_run(load: Load, place: int, fill: Fill) -> Run:
    """Run a small drive of about the spare area exp(place * step)."""
    wanted, size = math.exp(place * _step(load)), load.pages_per_block
    blocks = _blocks(load)
    least = round((blocks - 1) * size / (1 + wanted))
    frontiers = load.frontiers or class_count(_workload(load, least))
    open_blocks = 0.5 / (0.5 / wanted + 0.7) + 0.5 * (frontiers - 1)
    pages = round((blocks - frontiers - open_blocks) * size / (1 + wanted))
    workload = _workload(load, pages)
    result = run(
        Config(
            pages_per_block=size,
            blocks=blocks,
            logical_pages=pages,
            reserve=frontiers,
            policy=load.policy,
            **_placed(load, frontiers),
            workload=workload,
            fill=fill,
            warmup_overwrites=_warmup(workload),
            measured_overwrites=MEASURED,
            windows=WINDOWS,
            seed=1 + place % 997,
        )
    )
    kept = (blocks - frontiers) * size - result.frontier_free_pages
    means = np.asarray(result.wa_over_time[-WINDOWS:])
    return Run(
        policy=load.policy,
        op_ratio=kept / pages - 1,
        wa=result.wa,
        low_wa=result.wa_low,
        high_wa=result.wa_high,
        drift=float(means[WINDOWS // 2 :].mean() / means[: WINDOWS // 2].mean() - 1),
        blocks=blocks,
        pages_per_block=size,
        fill=fill,
    )


def _placed(load: Load, frontiers: int) -> dict[str, Any]:
    """Return the placement of writes; victims are selected across all frontiers."""
    if load.frontiers:
        return {"frontiers": "one" if load.frontiers == 1 else "host-gc"}
    own = tuple(tuple(float(k == n) for n in range(frontiers)) for k in range(frontiers))
    return {"frontiers": "streams", "cleaning": "global", "routing": own}


def _warmup(workload: Uniform | Classes | Mixed) -> float:
    classes = workload.classes if isinstance(workload, Mixed) else workload
    coldest = 1.0
    if isinstance(classes, Classes):
        pairs = zip(classes.write_shares, classes.page_shares, strict=True)
        coldest = max(held / written for written, held in pairs if written > 0)
    return min(max(SETTLED[0], LIFETIMES * coldest), SETTLED[1])


def _workload(load: Load, pages: int) -> Uniform | Classes | Mixed:
    """Return the workload of a drive of so many pages."""
    random = 1 - load.sequential_fraction
    held = max(FEWEST, round(random * pages))
    written, shares = _merged(load.write_shares, load.page_shares, FEWEST / held)
    classes = Classes(write_shares=written, page_shares=shares) if len(written) > 1 else None
    if random == 1:
        return classes or Uniform()
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
    frontiers: float,
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
    count = _number("frontiers", frontiers, "0, 1 or 2", lambda x: np.isin(x, (0, 1, 2)))
    share = round(float(sequential_fraction), SHARE_DIGITS)
    if share > 1 - 1e-3:
        return None
    return Load(
        policy=policy,
        frontiers=int(count),
        pages_per_block=min(max(int(_pages(pages_per_block)), FEWEST), LARGEST_BLOCK),
        sequential_fraction=share if share >= 1e-3 else 0.0,
        write_shares=tuple((writes / writes.sum()).tolist()),
        page_shares=tuple((pages / pages.sum()).tolist()),
    )


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

"""What write amplification does a traced workload have on a drive: by model and by replay?

Two models. By classes of update frequency, every class written at random: the mean field of
`write_amplification.skewed`. By order: what the trace's own lifetimes of pages make of it, by the
equation of `write_amplification.from_survival`, over what random lifetimes of the same classes
would make. A trace of random writes has an order credit near 1; sequential streams and files
rewritten in rounds have less. The replay runs the trace itself, over and over, through the page
simulator.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from models.errors import DomainError
from models.simulator import Config, Trace, run
from models.write_amplification import (
    mixed_apart,
    mixed_host_gc,
    reserved_op_ratio,
    skewed,
    unfilled_blocks,
)
from planner.telemetry.traces import PageWrites, TraceWorkload
from planner.telemetry.traces.classes import classes_as_counted

__all__ = ["Predicted", "Replayed", "TraceWa", "predicted", "replayed", "trace_wa"]

Policy = Literal["greedy", "fifo"]

LARGE_BLOCK = 256
MOST_PAGES = 1 << 20
LEAST_BLOCKS = 120
APART = 0.05  # two levels that lie closer are one
AGREES = 0.05
_BINS_PER_E = 200
_GRID = 1000
_LOOK_BACK = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """Write amplification by model: flash pages programmed per page that the host writes.

    Attributes
    ----------
    wa, low_wa, high_wa : float
        The prediction, and the range of levels at which such a drive may stay. [1]
    class_wa : float
        If every page were written at random times, at its own rate. [1]
    order_credit : float
        Share of that which the order of the rewrites leaves, as far as is known. [1]
    levels : tuple of float
        Every level that solves the equation, stable ones and those between them in turn. [1]
    """

    wa: float
    low_wa: float
    high_wa: float
    class_wa: float
    order_credit: float
    levels: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """Write amplification by replay in a simulated drive, with the model of that very drive."""

    wa: float
    wa_low: float
    wa_high: float
    model: Predicted
    pages: int
    blocks: int
    pages_per_block: int
    warnings: tuple[str, ...]

    @property
    def error(self) -> float:
        """How far the model is above the replay."""
        return self.model.wa / self.wa - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceWa:
    """The answer: on this drive as the trace goes, in the long run, and by placement.

    `lasting_wa` takes the trace for a sample of a workload that goes on at random: chance is
    removed from the classes, and pages that happened not to be written count. `apart_wa` and
    `host_gc_wa` are the same under better placement. `mapping_factor` is what writes of parts
    of a page cost on top.
    """

    op_ratio: float
    pages_per_block: int | None
    predicted: Predicted
    lasting_wa: float
    host_gc_wa: float
    apart_wa: float
    mapping_factor: float
    replayed: Replayed | None
    notes: tuple[str, ...]


def trace_wa(
    workload: TraceWorkload,
    writes: PageWrites,
    *,
    op_ratio: float,
    pages_per_block: int | None = None,
    policy: Policy = "greedy",
    simulate: bool = False,
    progress: Callable[[float], object] | None = None,
) -> TraceWa:
    """Return the write amplification of a trace on a drive of some spare area.

    The data of the drive are taken to be written as the traced pages are: `op_ratio` is spare
    over valid pages, whatever the footprint of the trace.

    Raises
    ------
    DomainError
        If the trace holds no write.
    """
    if not writes.pages.size:
        raise DomainError("trace must hold a write")
    model = predicted(
        writes, op_ratio=op_ratio, pages_per_block=pages_per_block if policy == "greedy" else None
    )
    classes: Any = {"write_shares": workload.write_shares, "page_shares": workload.page_shares}
    lasting = skewed(op_ratio, pages_per_block=pages_per_block, **classes)
    placed = {
        formula: formula(
            op_ratio,
            sequential_fraction=min(workload.sequential_fraction, 0.99),
            pages_per_block=pages_per_block,
            **classes,
        )
        for formula in (mixed_host_gc, mixed_apart)
    }
    replay = None
    if simulate:
        replay = replayed(
            writes,
            op_ratio=op_ratio,
            pages_per_block=pages_per_block,
            policy=policy,
            progress=progress,
        )
    return TraceWa(
        op_ratio=op_ratio,
        pages_per_block=pages_per_block,
        predicted=model,
        lasting_wa=float(lasting),
        host_gc_wa=min(float(placed[mixed_host_gc]), float(lasting)),
        apart_wa=float(placed[mixed_apart]),
        mapping_factor=workload.mapping_factor,
        replayed=replay,
        notes=tuple(_notes(workload, writes, model, float(lasting), replay)),
    )


def predicted(
    writes: PageWrites, *, op_ratio: float, pages_per_block: int | None = None
) -> Predicted:
    """Return what the models make of page writes that are repeated without end.

    Without `pages_per_block` the oldest block is cleaned, which is also greedy cleaning of large
    blocks; with it greedy cleaning as in `skewed`.
    """
    lifetime = writes.lives().lifetime
    mean = float(lifetime.mean())  # pages in use at a time, by Little's law
    ratio = (1 + op_ratio) * writes.footprint_pages / mean - 1
    classes = classes_as_counted(writes.counts)
    shares: Any = {"write_shares": classes.write_shares, "page_shares": classes.page_shares}
    class_wa = float(skewed(ratio, pages_per_block=pages_per_block, **shares))
    greedy = 1 if pages_per_block is None else 1 + 0.5 / pages_per_block
    longer = greedy * (1 + ratio) - 1
    random_wa = float(skewed(longer, **shares))
    levels = _levels(longer, lifetime / mean)
    scale = class_wa / random_wa
    found = tuple(max(1.0, level * scale) for level in levels)
    if not found:
        return Predicted(
            wa=class_wa, low_wa=class_wa, high_wa=class_wa, class_wa=class_wa, order_credit=1.0,
            levels=(),
        )  # fmt: skip
    wa = _likely(found, _random_share(writes))
    return Predicted(
        wa=wa,
        low_wa=found[0],
        high_wa=found[-1],
        class_wa=class_wa,
        order_credit=min(1.0, wa / class_wa),
        levels=found,
    )


def replayed(
    writes: PageWrites,
    *,
    op_ratio: float,
    pages_per_block: int | None = None,
    policy: Policy = "greedy",
    progress: Callable[[float], object] | None = None,
) -> Replayed:
    """Replay page writes, over and over, on a simulated drive that holds just their pages.

    Large traces are replayed for a sample of their pages; blocks are made smaller where there
    would be too few of them. Trims are left out.
    """
    pages = _replayed_pages(writes)
    used = int(pages.max()) + 1
    size = min(pages_per_block or LARGE_BLOCK, 4096)
    while size > 16 and used * (1 + op_ratio) / size < LEAST_BLOCKS:
        size //= 2
    blocks = max(3, round(used * (1 + op_ratio) / size) + 1)
    overwrites = pages.size / used
    result = run(
        Config(
            pages_per_block=size,
            blocks=max(blocks, -(-(used + 1) // size) + 2),
            logical_pages=used,
            policy=policy,
            workload=Trace(pages),
            fill="sequential",
            warmup_overwrites=max(10.0, min(3 * overwrites, 200.0)),
            measured_overwrites=max(6.0, min(2 * overwrites, 100.0)),
        ),
        progress,
    )
    real = blocks * size / used - 1
    least = reserved_op_ratio(
        real, blocks=blocks, reserve=1, unfilled_blocks=unfilled_blocks(max(1.0, result.wa))
    )
    small = PageWrites(
        pages=pages, trims=np.zeros(pages.size, bool), one_in=1.0, written=pages.size
    )
    return Replayed(
        wa=result.wa,
        wa_low=result.wa_low,
        wa_high=result.wa_high,
        model=predicted(
            small, op_ratio=least, pages_per_block=size if policy == "greedy" else None
        ),
        pages=used,
        blocks=blocks,
        pages_per_block=size,
        warnings=tuple(w for w in result.warnings if not w.startswith("warm-up")),
    )


def _replayed_pages(writes: PageWrites) -> NDArray[np.uint32]:
    """Return page numbers of the writes, of at most about a million pages."""
    pages = writes.pages[~writes.trims]
    step = -(-writes.footprint_pages // MOST_PAGES)
    if step > 1:  # numbers follow addresses: runs of 64 pages stay whole, one run in `step`
        pages = pages[(pages // 64) % step == 0]
    numbers = np.unique(pages, return_inverse=True)[1]
    return np.asarray(numbers, np.uint32)


def _levels(op_ratio: float, lifetimes: NDArray[np.float64]) -> tuple[float, ...]:
    """Return every level A = alpha / tau where tau E[ceil(L / tau)] = alpha, jumps included.

    A page of lifetime L is programmed once by the host and copied once for each age tau of
    cleaning that it survives; by Little's law tau is alpha / A in units of the mean lifetime.
    """
    values, weights = _histogram(lifetimes)
    alpha = 1 + op_ratio

    def surplus(age: float) -> float:
        return age * float(weights @ np.maximum(np.ceil(values / age - 1e-9), 1.0)) - alpha

    ages = np.geomspace(op_ratio * (1 - 1e-6), alpha * (1 + 1e-6), _GRID)
    signs = np.array([surplus(age) for age in ages]) < 0
    found = []
    for at in np.flatnonzero(signs[:-1] != signs[1:]).tolist():
        low, high = ages[at], ages[at + 1]
        while high / low > 1 + 1e-9:
            middle = np.sqrt(low * high)
            low, high = (middle, high) if (surplus(middle) < 0) == signs[at] else (low, middle)
        found.append(alpha / low)
    return tuple(sorted(map(float, found)))


def _histogram(lifetimes: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return lifetimes in bins of half a percent, each at its mean, and their shares."""
    place = np.floor(np.log(np.maximum(lifetimes, 1e-12)) * _BINS_PER_E).astype(np.int64)
    place -= place.min()
    count = np.bincount(place)
    met = count > 0
    values = np.bincount(place, lifetimes)[met] / count[met]
    return np.maximum(values, 1e-12), count[met] / lifetimes.size


def _likely(levels: tuple[float, ...], random_share: float) -> float:
    """Return the lowest level that a drive holds.

    Levels alternate: one to stay at, then one that only parts it from the next. Random writes
    blur the rounds of the others, so that a level is lost where the parting one is close by; how
    close is a rule fitted to simulations of sequential streams beside random writes.
    """
    for at in range(0, len(levels) - 2, 2):
        stay, parting, following = levels[at : at + 3]
        if parting - stay > (0.02 + 0.22 * random_share) * (following - stay):
            return stay
    return levels[-1] if len(levels) % 2 else levels[-2]


def _random_share(writes: PageWrites) -> float:
    """Return the share of page writes that do not go on where one of the last few ended."""
    pages = writes.pages[~writes.trims].astype(np.int64)
    goes_on = np.zeros(pages.size, bool)
    for back in range(1, min(_LOOK_BACK, pages.size - 1) + 1):
        goes_on[back:] |= pages[back:] == pages[:-back] + 1
    return 1 - float(goes_on.mean())


def _notes(
    workload: TraceWorkload,
    writes: PageWrites,
    model: Predicted,
    lasting: float,
    replay: Replayed | None,
) -> list[str]:
    notes = list(workload.notes)
    if model.high_wa > (1 + APART) * model.low_wa:
        notes.append(
            f"Rounds of rewriting let such a drive stay at several levels, from {model.low_wa:.3g} "
            f"to {model.high_wa:.3g}; the lowest that greedy cleaning holds is given."
        )
    if not model.levels:
        notes.append(
            "The lifetimes of the pages are too unlike for the model of their order: by classes."
        )
    if lasting > 1.1 * model.wa or lasting < 0.9 * model.wa:
        notes.append(
            f"Repeated exactly, the trace gives {model.wa:.3g}; as a sample of a workload whose "
            f"writes keep their frequencies but come at random, {lasting:.3g}."
        )
    if writes.trims.any() and replay is not None:
        notes.append("The replay leaves trims out: it reads high.")
    if replay is not None and abs(replay.error) > AGREES:
        notes.append(_why(replay))
    return notes


def _why(replay: Replayed) -> str:
    """Say why model and replay differ by more than 5 %."""
    told = f"Model and replay differ by {100 * replay.error:+.1f} %: "
    levels = replay.model.levels
    if len(levels) > 1 and levels[0] * 0.95 <= replay.wa <= levels[-1] * 1.05:
        return told + (
            f"of {(len(levels) + 1) // 2} levels that the drive could stay at, from "
            f"{levels[0]:.3g} to {levels[-1]:.3g}, the replay found another, or moved among them."
        )
    if replay.model.order_credit < 0.95:
        return told + (
            "pages are rewritten in rounds, and greedy cleaning waits for a round to pass by; the "
            "model, made for cleaning by age, does not know."
        )
    if replay.blocks < 4 * LEAST_BLOCKS:
        return told + f"a drive of {replay.blocks} blocks is too small for a model of many."
    return told + "the frequencies of the writes change in the course of the trace."

"""Write amplification of a traced workload on a drive, by model and by replay."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.errors import DomainError
from models.write_amplification import mixed_apart, mixed_host_gc, skewed
from planner.simulation.trace import LEAST_BLOCKS, Policy, Replayed, replayed
from planner.simulation.trace_model import Predicted, in_use, predicted
from planner.telemetry.traces import PageWrites, TraceWorkload

__all__ = ["Predicted", "Replayed", "TraceWa", "predicted", "replayed", "trace_wa"]

APART = 0.05  # two levels that lie closer are one
AGREES = 0.05
BURSTS = 0.05  # shared fates beyond which the model is a rough one


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceWa:
    """The answer: on this drive for the trace as it is, in the long run, and by placement.

    `lasting_wa` takes the trace as a sample of a workload that continues at random: random scatter
    is removed from the classes, and pages that happened not to be written count. `apart_wa` and
    `host_gc_wa` are the same under better placement. `mapping_factor` is the additional cost of
    writes of parts of a page.
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

    The data of the drive are assumed to be written as the traced pages are: `op_ratio` is spare
    over the pages that the trace writes, in use or trimmed, whatever its footprint.

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
    used, page_shares = _in_use(workload, writes)
    ratio = (1 + op_ratio) / used - 1
    classes: Any = {"write_shares": workload.write_shares, "page_shares": page_shares}
    lasting = skewed(ratio, pages_per_block=pages_per_block, **classes)
    placed = {
        formula: formula(
            ratio,
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
        notes=tuple(_notes(workload, model, float(lasting), replay)),
    )


def _in_use(workload: TraceWorkload, writes: PageWrites) -> tuple[float, tuple[float, ...]]:
    """Return the share of the pages that hold data at a time, and shares of these by class.

    The share in use of pages of a write count is that of the class of that rate.
    """
    if not writes.trims.any():
        return 1.0, workload.page_shares
    counts, place = np.unique(writes.counts, return_inverse=True)
    held = np.bincount(place, in_use(writes)) / np.bincount(place)
    pages = np.array(workload.page_shares)
    rates = np.array(workload.write_shares) / pages
    rates *= workload.overwrites / workload.pages_per_seen
    held_pages = pages * np.maximum(np.interp(np.log(rates), np.log(counts), held), 1e-3)
    used = float(held_pages.sum())
    return used, tuple((held_pages / used).tolist())


def _notes(
    workload: TraceWorkload, model: Predicted, lasting: float, replay: Replayed | None
) -> list[str]:
    notes = list(workload.notes)
    if model.high_wa > (1 + APART) * model.low_wa:
        notes.append(
            f"Rounds of rewriting let such a drive stay at several levels, from {model.low_wa:.3g} "
            f"to {model.high_wa:.3g}; the lowest that greedy garbage collection holds is given."
        )
    if not model.levels:
        notes.append(
            "The lifetimes of the pages differ too much for the model of their order: by classes."
        )
    if lasting > 1.1 * model.wa or lasting < 0.9 * model.wa:
        notes.append(
            f"Repeated exactly, the trace gives {model.wa:.3g}; as a sample of a workload whose "
            f"writes keep their frequencies but come at random, {lasting:.3g}."
        )
    if model.shared_fate > BURSTS:
        notes.append(
            "Pages that are written together become invalid together, so garbage collection "
            "finds empty blocks: the model estimates that roughly; run a replay to check."
        )
    if replay is not None and abs(replay.error) > AGREES:
        notes.append(_why(replay))
    return notes


def _why(replay: Replayed) -> str:
    """Say why model and replay differ by more than 5 %."""
    sentence = f"Model and replay differ by {100 * replay.error:+.1f} %: "
    levels = replay.model.levels
    if len(levels) > 1 and levels[0] * 0.95 <= replay.wa <= levels[-1] * 1.05:
        return sentence + (
            f"of {(len(levels) + 1) // 2} steady states of the drive, from "
            f"{levels[0]:.3g} to {levels[-1]:.3g}, the replay found another, or moved among them."
        )
    if replay.model.shared_fate > BURSTS:
        return sentence + (
            "pages that are written together become invalid together, and the model "
            "estimates the collected blocks by the mean correlation alone."
        )
    if replay.model.order_credit < 0.95:
        return sentence + (
            "pages are rewritten in rounds, and greedy garbage collection waits for a round "
            "to finish; the model assumes collection by age."
        )
    if replay.blocks < 4 * LEAST_BLOCKS:
        return sentence + f"a drive of {replay.blocks} blocks is too small for a model of many."
    return sentence + "the frequencies of the writes change in the course of the trace."

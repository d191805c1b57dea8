"""Write amplification of a traced workload on a drive, by model and by replay."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from models.errors import DomainError
from models.units import KIB
from models.write_amplification import mixed_apart, mixed_host_gc, skewed, units_per_block
from planner.graph.answer import Answer
from planner.quantity.bounds import ABOVE_0
from planner.quantity.input import Input, InputError, size
from planner.quantity.inputs import INPUTS
from planner.sections.plan import PlanReading
from planner.simulation.trace import LEAST_BLOCKS, Policy, ReplayedWa, replay_trace
from planner.simulation.trace_model import ModelledWa, in_use, predict_wa
from planner.telemetry.traces import PageWrites, TraceWorkload

SECTOR_BYTES = 512
MAPPING_UNIT = Input(
    "mapping_unit", "unit_bytes", size, None, ABOVE_0,
    "Indirection unit; by default that of the drive, else 4KiB.", title="Indirection unit",
)  # fmt: skip
REPLAYED: tuple[Policy, ...] = ("greedy", "fifo")
SEVERAL_LEVELS = 0.05  # relative width of the range of levels from which there are several
AGREES = 0.05  # relative error of a model that agrees with the replay
BURSTS = 0.05  # correlation of the validity of pages from which the model is rough


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceWa:
    """Write amplification of a trace: repeated exactly, as a random workload, and by placement.

    `lasting_wa` takes the trace as a sample of a workload with the same write rates in random
    order: sampling noise is removed from the classes, and pages that happened not to be written are
    included. `host_gc_wa` and `apart_wa` are the same with host writes and copies separated, and
    with every class of update frequency separated. `mapping_factor` is the cost of partial-page
    writes.
    """

    op_ratio: float
    pages_per_block: int | None
    predicted: ModelledWa
    lasting_wa: float
    host_gc_wa: float
    apart_wa: float
    mapping_factor: float
    replayed: ReplayedWa | None
    notes: tuple[str, ...]


def spare_of(plan: PlanReading) -> Answer:
    """Return the spare area that a plan leaves to garbage collection."""
    return plan.nodes.get("cleaning_op_ratio", plan["cleaning_op_ratio"])


class TraceDrive(NamedTuple):
    """The drive on which the writes of a trace are looked at."""

    unit_bytes: int
    op_ratio: float
    pages_per_block: int | None
    policy: Policy


def trace_drive(plan: PlanReading, unit_bytes: float | None = None) -> TraceDrive:
    """Return the drive of a plan for a trace, in its own mapping units unless they are stated.

    Raises:
        DomainError: If the plan lacks the spare area, or collects neither greedily nor in order.
    """
    unit = unit_bytes or plan.drive.value("unit_bytes") or 4 * KIB
    if unit < SECTOR_BYTES or unit % SECTOR_BYTES:
        raise InputError(MAPPING_UNIT, f"must be a multiple of {SECTOR_BYTES} bytes")
    for policy in REPLAYED:
        if policy == plan.firmware.assumed_policy:
            break
    else:
        raise InputError(INPUTS["collection"], f"must be {' or '.join(REPLAYED)} for a trace")
    spare, pages = spare_of(plan), plan.drive.value("pages_per_block")
    if not spare.is_known:
        raise InputError(INPUTS["raw"], f"must be stated: that of {plan.drive.name} is not known")
    held = None if pages is None else int(units_per_block(pages, unit_bytes=unit))
    return TraceDrive(int(unit), float(spare.value), held, policy)


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
    """Return the write amplification of a trace on a drive with a given spare area.

    All data of the drive is assumed to be written like the traced pages: `op_ratio` is spare pages
    over the pages that the trace writes, in use or trimmed, whatever its footprint.

    Raises:
        DomainError: If the trace contains no write.
    """
    if not writes.pages.size:
        raise DomainError("trace must contain a write")
    model = predict_wa(
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
        replay = replay_trace(
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
    """Return the mean share of the pages that hold data, and the shares of these by class.

    The share of a class is interpolated from the pages with its number of writes.
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
    workload: TraceWorkload, model: ModelledWa, lasting: float, replay: ReplayedWa | None
) -> list[str]:
    notes = list(workload.notes)
    if model.high_wa > (1 + SEVERAL_LEVELS) * model.low_wa:
        notes.append(
            f"Because pages are rewritten in rounds, several levels are stable, from "
            f"{model.low_wa:.3g} to {model.high_wa:.3g}; the lowest that greedy garbage collection "
            "keeps is given."
        )
    if not model.levels:
        notes.append(
            "The lifetimes of the pages vary too much for the model of their order; the figure is "
            "that of classes of update frequency."
        )
    if lasting > 1.1 * model.wa or lasting < 0.9 * model.wa:
        notes.append(
            f"Repeated exactly, the trace gives {model.wa:.3g}; a workload with the same write "
            f"rates in random order gives {lasting:.3g}."
        )
    if model.shared_fate > BURSTS:
        notes.append(
            "Pages that are written together become invalid together, so garbage collection finds "
            "empty blocks; the model of this is rough, run a replay to check."
        )
    if replay is not None and abs(replay.error) > AGREES:
        notes.append(_why(replay))
    return notes


def _why(replay: ReplayedWa) -> str:
    """Explain a difference of more than 5 % between model and replay."""
    sentence = f"Model and replay differ by {100 * replay.error:+.1f} %: "
    levels = replay.model.levels
    if len(levels) > 1 and levels[0] * 0.95 <= replay.wa <= levels[-1] * 1.05:
        return sentence + (
            f"the drive has {(len(levels) + 1) // 2} stable levels, from {levels[0]:.3g} to "
            f"{levels[-1]:.3g}, and the replay reached another one, or moved among them."
        )
    if replay.model.shared_fate > BURSTS:
        return sentence + (
            "pages that are written together become invalid together, which the model describes "
            "by a mean correlation only."
        )
    if replay.model.order_credit < 0.95:
        return sentence + (
            "pages are rewritten in rounds, and greedy garbage collection in effect waits for the "
            "end of a round; the model collects the oldest block."
        )
    if replay.blocks < 4 * LEAST_BLOCKS:
        return sentence + f"the model needs more than {replay.blocks} blocks to be accurate."
    return sentence + "the write rates of pages change during the trace."

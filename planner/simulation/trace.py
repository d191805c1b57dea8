"""Repeated replay of a trace in the page simulator, beside the model of the same drive."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from models.simulator import Config, Trace, run
from models.write_amplification import reserved_op_ratio, unfilled_blocks
from planner.catalogue.facts import LARGE_BLOCK
from planner.simulation.trace_model import ModelledWa, predict_wa
from planner.telemetry.traces import PageWrites

Policy = Literal["greedy", "fifo"]

MOST_PAGES = 1 << 20
LEAST_BLOCKS = 120
RUN_PAGES = 64  # a sample keeps or drops runs of this many pages, which preserves their order


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedWa:
    """Write amplification by replay, and by the model of the same simulated drive."""

    wa: float
    wa_low: float
    wa_high: float
    model: ModelledWa
    pages: int
    blocks: int
    pages_per_block: int
    warnings: tuple[str, ...]

    @property
    def error(self) -> float:
        """Relative error of the model."""
        return self.model.wa / self.wa - 1


def replay_trace(
    writes: PageWrites,
    *,
    op_ratio: float,
    pages_per_block: int | None = None,
    policy: Policy = "greedy",
    progress: Callable[[float], object] | None = None,
) -> ReplayedWa:
    """Replay page writes repeatedly on a simulated drive that holds only their pages.

    Of large traces a sample of the pages is replayed. Blocks are made smaller if there would be too
    few of them.
    """
    small = _sample(writes)
    used = small.footprint_pages
    size = min(pages_per_block or int(LARGE_BLOCK), 4096)
    while size > 16 and used * (1 + op_ratio) / size < LEAST_BLOCKS:
        size //= 2
    blocks = max(3, round(used * (1 + op_ratio) / size) + 1)
    overwrites = small.written / used
    result = run(
        Config(
            pages_per_block=size,
            blocks=max(blocks, -(-(used + 1) // size) + 2),
            logical_pages=used,
            policy=policy,
            workload=Trace(small.pages, small.trims if small.trims.any() else None),
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
    return ReplayedWa(
        wa=result.wa,
        wa_low=result.wa_low,
        wa_high=result.wa_high,
        model=predict_wa(
            small, op_ratio=least, pages_per_block=size if policy == "greedy" else None
        ),
        pages=used,
        blocks=blocks,
        pages_per_block=size,
        warnings=tuple(w for w in result.warnings if not w.startswith("warm-up")),
    )


def _sample(writes: PageWrites) -> PageWrites:
    """Return the writes and trims of at most about a million pages."""
    step = -(-writes.footprint_pages // MOST_PAGES)
    kept = (writes.pages // RUN_PAGES) % step == 0  # numbers follow addresses
    pages, trims = writes.pages[kept], writes.trims[kept]
    numbers = np.unique(pages, return_inverse=True)[1].astype(np.uint32)
    return PageWrites(pages=numbers, trims=trims, one_in=1.0, written=int(np.count_nonzero(~trims)))

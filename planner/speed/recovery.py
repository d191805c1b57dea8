"""How long must the drive be idle after a TRIM until it is as good as its spare area?"""

from dataclasses import dataclass

import numpy as np

from models import _check, trim_recovery
from planner.graph.answer import Answer, composed, figure, given, unknown
from planner.sections.flash import flash_of
from planner.speed import Speed

__all__ = ["Recovery", "recovery"]

DEFERRED = (
    "All pages that hold no data any more are made writable, the emptiest blocks first. Firmware "
    "may defer this: one drive of a review had regained half of its speed."
)
LARGEST = 4096.0  # pages per block that the law of idle collection is solved for


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """Work of idle garbage collection after a TRIM, and the time that it takes."""

    trimmed_fraction: float
    moved_pages: Answer
    erased_blocks: Answer
    restore_s: Answer
    note: str = DEFERRED

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order in which people read them."""
        return self.restore_s, self.moved_pages, self.erased_blocks


def recovery(answer: Speed, *, trimmed_fraction: float) -> Recovery:
    """Return what idle time makes of a TRIM of part of the data, after long random writing.

    >>> from planner.catalogue import find, load
    >>> from planner.speed import speed
    >>> from planner.scenario.workload import Workload
    >>> drive = find(load(), "845DC PRO 400")
    >>> formatted = recovery(speed(drive, Workload(host_bytes_per_s=1e6)), trimmed_fraction=1)
    >>> formatted.moved_pages.value
    0.0
    """
    (trimmed,) = _check.fraction(trimmed_fraction=trimmed_fraction)
    flash = flash_of(answer.drive)
    settled = answer.settling_s
    pages = settled.inputs["user_pages"] if settled.is_computed else None
    state = {
        "op_ratio": answer.op_ratio,
        "pages_per_block": flash.pages_per_block,
        "user_pages": pages or unknown(key="user_pages", lacking=answer.lacking),
        "trimmed_fraction": given("trimmed_fraction", trimmed, source="user"),
    }
    moved, erased = (
        composed(key, trim_recovery.idle_collection, work, **state)
        for key, work in (("moved_pages", _moved_pages), ("erased_blocks", _erased_blocks))
    )
    return Recovery(
        trimmed_fraction=float(trimmed),
        moved_pages=moved,
        erased_blocks=erased,
        restore_s=figure(
            "restore_s",
            trim_recovery.restore_s,
            DEFERRED,
            moved_pages=moved,
            program_page_s=flash.program_page_s,
            copy_page_s=flash.copy_page_s("modelled_write_iops_copy_s", answer.wa),
            erased_blocks=erased,
            erase_s=flash.erase_s,
            dies=flash.dies,
        ),
    )


def _moved_pages(**state: float) -> float:
    return _collected(**state)[0]


def _erased_blocks(**state: float) -> float:
    return _collected(**state)[1]


def _collected(
    *, op_ratio: float, pages_per_block: float, user_pages: float, trimmed_fraction: float
) -> tuple[float, float]:
    """Collect everything that is not valid; blocks that are all valid stay."""
    block = min(LARGEST, pages_per_block)
    shares = trim_recovery.trimmed_block_shares(
        trim_recovery.greedy_block_shares(op_ratio, pages_per_block=block),
        trimmed_fraction=trimmed_fraction,
    )
    blocks = user_pages * (1 + op_ratio) / block
    invalid = blocks * float(shares @ (block - np.arange(shares.size)))
    return trim_recovery.idle_collection(shares, blocks=blocks, freed_pages=invalid)

"""How long must the drive be idle after a TRIM until it is as good as its spare area?"""

from dataclasses import dataclass

from models import _check, trim_recovery
from planner.graph.answer import Answer, figure, figures, given, unknown
from planner.sections.flash import flash_of
from planner.speed import Speed

DEFERRED = (
    "All pages that hold no data any more are made writable, the emptiest blocks first. Firmware "
    "may defer this: one drive of a review had regained half of its speed."
)


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
    settles = answer.settling_s.is_known
    state = {
        "op_ratio": answer.op_ratio,
        "pages_per_block": flash.pages_per_block,
        "user_pages": answer.user_pages if settles else unknown("user_pages", answer.lacking),
        "trimmed_fraction": given("trimmed_fraction", trimmed, source="user"),
    }
    moved, erased = figures(
        {"moved_pages": "moved_pages", "erased_blocks": "erased_blocks"},
        trim_recovery.idle_work,
        **state,
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

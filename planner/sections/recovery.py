"""How long must the drive be idle after a TRIM until it is as good as its spare area?"""

from dataclasses import dataclass
from functools import cache

from models import _check, trim_recovery
from planner.graph.answer import Answer, given
from planner.graph.nodes import Call, Graph, Leaf, Node, Part, When
from planner.sections.flash import BLOCK_PAGES, ERASE_S, PROGRAM_PAGE_S
from planner.sections.service import DIES
from planner.sections.speed import Speed, speed_graph
from planner.sections.speed_case import SpeedCase

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


@cache
def recovery_graph(case: SpeedCase) -> Graph:
    """Return every answer of a speed and of the recovery after a TRIM."""
    speed = speed_graph(case).answers
    return Graph(speed | recovery_nodes(speed))


def recovery_nodes(of: dict[str, Node]) -> dict[str, Node]:
    """Return pages that are moved, blocks that are erased, and the time until all are writable."""
    work = Call(
        "moved_pages:work",
        trim_recovery.idle_work,
        {
            "op_ratio": of["op_ratio"], "pages_per_block": BLOCK_PAGES,
            "user_pages": When(of["settling_s"], of["user_pages"]),
            "trimmed_fraction": Leaf("trimmed_fraction"),
        },
        each=True,
    )  # fmt: skip
    moved, erased = (Part(name, work, name) for name in ("moved_pages", "erased_blocks"))
    restore = Call(
        "restore_s",
        trim_recovery.restore_s,
        {
            "moved_pages": moved, "program_page_s": PROGRAM_PAGE_S,
            "copy_page_s": of["copy_page_s"], "erased_blocks": erased, "erase_s": ERASE_S,
            "dies": DIES,
        },
        DEFERRED,
    )  # fmt: skip
    return {"moved_pages": moved, "erased_blocks": erased, "restore_s": restore}


def recovery(speed: Speed, *, trimmed_fraction: float) -> Recovery:
    """Read what idle time makes of a TRIM of part of the data, after long random writing.

    >>> from planner.catalogue import find, load
    >>> from planner.scenario.workload import Workload
    >>> from planner.sections.speed import speed
    >>> drive = find(load(), "845DC PRO 400")
    >>> formatted = recovery(speed(drive, Workload(host_bytes_per_s=1e6)), trimmed_fraction=1)
    >>> formatted.moved_pages.value
    0.0
    """
    (trimmed,) = _check.fraction(trimmed_fraction=trimmed_fraction)
    leaf = given("trimmed_fraction", trimmed, source="user")
    reading = speed.reading.extended(recovery_graph(speed.case), {leaf.key: leaf})
    return Recovery(
        trimmed_fraction=float(trimmed),
        moved_pages=reading["moved_pages"],
        erased_blocks=reading["erased_blocks"],
        restore_s=reading["restore_s"],
    )

"""Dies, pages and times inside a drive: stated, or assumed by kind of flash."""

from dataclasses import dataclass, fields

from models import calibration, flash_geometry, write_budget
from models.units import KIB
from planner.graph.answer import Answer
from planner.graph.nodes import Call, Const, FirstKnown, Leaf, Node
from planner.graph.reading import Reading
from planner.sections.service import DIES, TRANSFER_S

PAGE_BYTES = 4 * KIB  # of a host write and of the drive's map

_PAGE = Const("unit_bytes:page", float(PAGE_BYTES))
READ_S, ERASE_S, CHANNELS = Leaf("read_s"), Leaf("erase_s"), Leaf("channels")


def _pages(key: str, size: str) -> Node:
    return Call(key, flash_geometry.host_pages, {"flash_bytes": Leaf(size), "unit_bytes": _PAGE})


PROGRAM_PAGES = _pages("flash_page_pages", "page_bytes")
BLOCK_PAGES = _pages("erase_block_pages", "block_bytes")
# Where it is not stated, the time by which the dies give the printed sequential write rate.
PROGRAM_S = FirstKnown(
    "program_s:any",
    (
        Leaf("program_s", overrides=True),
        Call(
            "program_s:effective",
            calibration.effective_program_s,
            {
                "write_bytes_per_s": FirstKnown(
                    "sequential_write_bytes_per_s:behind cache",
                    (Leaf("folded_write_bytes_per_s"), Leaf("sequential_write_bytes_per_s")),
                ),
                "dies": DIES, "pages_per_program": PROGRAM_PAGES, "transfer_s": TRANSFER_S,
                "transfer_bytes": _PAGE,
            },
        ),
    ),
)  # fmt: skip
# Die time to program one page of the host.
PROGRAM_PAGE_S = Call(
    "program_page_s",
    write_budget.program_page_s,
    {"program_s": PROGRAM_S, "transfer_s": TRANSFER_S, "pages_per_program": PROGRAM_PAGES},
)


def copy_page_s(key: str, wa: Node) -> Node:
    """Return die time to read one valid page of a block that is collected."""
    return Call(
        key,
        write_budget.copy_page_s,
        {"wa": wa, "read_s": READ_S, "transfer_s": TRANSFER_S, "pages_per_read": PROGRAM_PAGES},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Flash:
    """The flash behind a drive's speed; each number may be missing."""

    dies: Answer
    channels: Answer
    pages_per_program: Answer
    pages_per_block: Answer
    read_s: Answer
    transfer_s: Answer
    program_s: Answer
    program_page_s: Answer
    erase_s: Answer


FLASH_NODES: dict[str, Node] = {
    "dies": DIES, "channels": CHANNELS, "pages_per_program": PROGRAM_PAGES,
    "pages_per_block": BLOCK_PAGES, "read_s": READ_S, "transfer_s": TRANSFER_S,
    "program_s": PROGRAM_S, "program_page_s": PROGRAM_PAGE_S, "erase_s": ERASE_S,
}  # fmt: skip


def flash_of(reading: Reading) -> Flash:
    """Read the flash behind a speed."""
    return Flash(**{part.name: reading.answer(FLASH_NODES[part.name]) for part in fields(Flash)})

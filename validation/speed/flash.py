"""The flash of the simulated drives, and its figures by formula."""

from typing import TypedDict

from models import latency_tail, write_budget

READ_S, PROGRAM_S, ERASE_S, TRANSFER_S = 50e-6, 700e-6, 4e-3, 10e-6


class Times(TypedDict):
    """Times of one die and of a page on its channel."""

    read_s: float
    program_s: float
    erase_s: float
    transfer_s: float


TIMES = Times(read_s=READ_S, program_s=PROGRAM_S, erase_s=ERASE_S, transfer_s=TRANSFER_S)


def program_s(pages_per_program: int) -> float:
    """Die time to program one page."""
    return write_budget.program_page_s(
        PROGRAM_S, transfer_s=TRANSFER_S, pages_per_program=pages_per_program
    )


def copy_s(wa: float, pages_per_program: int) -> float:
    """Die time to read one valid page."""
    return write_budget.copy_page_s(
        wa, read_s=READ_S, transfer_s=TRANSFER_S, pages_per_read=pages_per_program
    )


def page_s(wa: float, *, pages_per_program: int, pages_per_block: int) -> float:
    """Die time that a host page costs at a write amplification."""
    return write_budget.host_page_s(
        wa,
        program_page_s=program_s(pages_per_program),
        copy_page_s=copy_s(wa, pages_per_program),
        erase_s=ERASE_S,
        pages_per_block=pages_per_block,
    )


def timings(*, pages_per_program: int, pages_per_block: int) -> latency_tail.FlashTimings:
    """Return the flash as an argument of the latency formulas."""
    return latency_tail.FlashTimings(
        **TIMES,
        pages_per_read=pages_per_program,
        pages_per_program=pages_per_program,
        pages_per_block=pages_per_block,
    )

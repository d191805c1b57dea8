"""Steady writes that the dies of a drive have time for, and how long one waits at worst."""

from collections.abc import Callable

from models import calibration, flash_geometry, queueing, spare_area, stalls, write_budget
from models.errors import DomainError
from models.units import KIB
from models.write_amplification import greedy, indirection_factor, units_per_block

PAGE_BYTES = 4.0 * KIB


def dies_write_iops(value: Callable[[str], float | None]) -> float | None:
    """Return random writes per second of 4 KiB to the full drive; `value` gives facts by name.

    None where what it takes is unknown, or where the flash leaves no spare area.
    """
    try:
        return _by_dies(value)
    except (KeyError, DomainError):
        return None


def erasing_wait_s(
    value: Callable[[str], float | None], *, queue_depth: float, steady_iops: float,
    media_iops: float,
) -> float | None:  # fmt: skip
    """Return the wait of a 4 KiB write in a full queue while all dies erase together.

    It writes `steady_iops`; the copies between two programs of a die are those for which the dies
    have time, which write `media_iops`. None where what it takes is unknown.
    """
    try:
        known = _known(value)
        pages = flash_geometry.host_pages(known("page_bytes"), unit_bytes=PAGE_BYTES)
        writes = _dies(known, value) * pages / _rewritten(value)  # in programs under way
        program_s = queueing.latency_s(writes, iops=media_iops)
        return stalls.aligned_latency_s(
            queue_depth, iops=steady_iops, erase_s=known("erase_s"), program_s=program_s
        )
    except (KeyError, DomainError):
        return None


def _known(value: Callable[[str], float | None]) -> Callable[..., float]:
    """Return a function that gives the first known of several facts, and refuses where none is."""

    def first(*names: str) -> float:
        numbers = [number for name in names if (number := value(name)) is not None]
        if not numbers:
            raise KeyError(*names)
        return numbers[0]

    return first


def _dies(known: Callable[..., float], value: Callable[[str], float | None]) -> float:
    return value("dies") or flash_geometry.dies(known("raw_bytes"), die_bytes=known("die_bytes"))


def _rewritten(value: Callable[[str], float | None]) -> float:
    """Return the bytes of units that a write of 4 KiB rewrites, over its own."""
    unit = value("unit_bytes") or PAGE_BYTES
    return indirection_factor(
        PAGE_BYTES, unit_bytes=unit, alignment_bytes=value("alignment_bytes") or unit
    )


def _by_dies(value: Callable[[str], float | None]) -> float:
    known = _known(value)
    raw_bytes, dies = known("raw_bytes"), _dies(known, value)
    pages, block = (
        flash_geometry.host_pages(known(name), unit_bytes=PAGE_BYTES)
        for name in ("page_bytes", "block_bytes")
    )
    transfer_s = queueing.transfer_s(
        PAGE_BYTES, throughput_bytes_per_s=known("channel_bytes_per_s")
    )
    program_s = value("program_s") or calibration.effective_program_s(
        known("folded_write_bytes_per_s", "sequential_write_bytes_per_s"),
        dies=dies, pages_per_program=pages, transfer_s=transfer_s, transfer_bytes=PAGE_BYTES,
    )  # fmt: skip
    spare = spare_area.op_ratio(raw_bytes, user_bytes=known("user_bytes"))
    unit = value("unit_bytes") or PAGE_BYTES
    collected = greedy(spare, pages_per_block=units_per_block(block, unit_bytes=unit))
    wa = collected * _rewritten(value) * (value("base_factor") or 1.0)
    page_s = write_budget.host_page_s(
        wa,
        program_page_s=write_budget.program_page_s(
            program_s, transfer_s=transfer_s, pages_per_program=pages
        ),
        copy_page_s=write_budget.copy_page_s(
            wa, read_s=known("read_s"), transfer_s=transfer_s, pages_per_read=pages
        ),
        erase_s=known("erase_s"), pages_per_block=block,
    )  # fmt: skip
    return write_budget.media_write_iops(dies, host_page_s=page_s)

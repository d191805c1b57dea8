"""Background operations of a die and its channel: streams of operations that delay reads.

Base units: seconds, operations per second; counts in pages of one host operation (4 KiB). Writes
are spread evenly over the dies. Rates are those of one die.

References:
    .. [1] G. Wu, X. He, "Reducing SSD Read Latency via NAND Flash Program and Erase Suspension",
       FAST 2012.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.stalls import clean_s
from models.write_budget import copy_page_s, harvested_pages, program_page_s

Floats = NDArray[np.float64]


class Operations(NamedTuple):
    """Streams of operations on one resource, as parallel arrays of shape (..., K).

    `suspend_s` is the time from the arrival of a read until the operation lets go of the die,
    infinite if it cannot be suspended; `resume_s` is the die time that one suspension adds [1]_.
    """

    rates_per_s: ArrayLike
    durations_s: ArrayLike
    suspend_s: ArrayLike = np.inf
    resume_s: ArrayLike = 0.0


class FlashTimings(NamedTuple):
    """Times of one die, without transfers, and its geometry in pages of one host operation."""

    read_s: float
    program_s: float
    erase_s: float
    transfer_s: float
    pages_per_read: float
    pages_per_program: float
    pages_per_block: float


NOTHING = Operations(np.empty(0), np.empty(0))


class Streams(NamedTuple):
    """Checked operations as float arrays of one shape."""

    rates: Floats
    durations: Floats
    suspend: Floats
    resume: Floats


def background_operations(
    die_write_iops: float, *, wa: float, flash: FlashTimings, channel_wait_s: float = 0.0
) -> Operations:
    r"""Programs, reads for garbage collection and erases that host writes cause on one die.

    .. math:: \lambda_P = \frac{wA}{n},\; \lambda_R = \frac{w(A-1)}{h},\;
              \lambda_E = \frac{wA}{b}

    with durations t_P + n t_x + c, t_R + h t_x + c and t_E; h is
    `models.write_budget.harvested_pages`.

    Args:
        die_write_iops: Pages that the host writes to one die per second, w. [1/s]
        wa: Write amplification, A; >= 1. [1]
        flash: Times t_R, t_P, t_E, t_x; pages per read, per program n and per block b. [1]
        channel_wait_s: Mean wait of a transfer for the channel, c: `mean_channel_wait_s`. [s]

    Returns:
        Operations, shape (..., 3): Rates and durations of programs, reads and erases. [1/s, s]

    Raises:
        DomainError: Unless die_write_iops is >= 0 and finite, wa >= 1 and finite, the times are > 0
            and finite, the counts whole numbers >= 1 and channel_wait_s >= 0 and finite.

    Notes:
        Valid for collection in small steps and valid pages scattered at random over a block.
        Source: count of operations.

    Examples:
        >>> flash = FlashTimings(read_s=50e-6, program_s=700e-6, erase_s=4e-3, transfer_s=10e-6,
        ...                      pages_per_read=4, pages_per_program=4, pages_per_block=1024)
        >>> operations = background_operations(300.0, wa=2.0, flash=flash)
        >>> print(operations.rates_per_s.round(2), operations.durations_s.round(6))
        [150.   140.62   0.59] [7.4e-04 7.1e-05 4.0e-03]
    """
    rate, wa = _rate_and_wa(die_write_iops, wa)
    (wait,) = _check.from_zero(channel_wait_s=channel_wait_s)
    _check_flash(flash)
    harvest = harvested_pages(wa, pages_per_read=flash.pages_per_read)
    return _stacked(
        (rate * wa / flash.pages_per_program, _program_s(flash) + wait),
        (rate * (wa - 1) / harvest, flash.read_s + harvest * flash.transfer_s + wait),
        (rate * wa / flash.pages_per_block, flash.erase_s),
    )


def whole_block_operations(die_write_iops: float, *, wa: float, flash: FlashTimings) -> Operations:
    r"""Host programs, and collections that hold their die for a whole block at a time.

    .. math:: \lambda_P = \frac{w}{n},\; \lambda_C = \frac{wA}{b}

    with durations t_P + n t_x and that of `models.stalls.clean_s`.

    Args:
        die_write_iops: Pages that the host writes to one die per second, w. [1/s]
        wa: Write amplification, A; >= 1. [1]
        flash: Times of the die; pages per read, per program n and per block b. [1]

    Returns:
        Operations, shape (..., 2): Rates and durations of host programs and collections. [1/s, s]

    Raises:
        DomainError: As `background_operations`.

    Notes:
        Valid for firmware that collects a block without a break. The die is busy for the same share
        of time as with `background_operations`. Source: count of operations.

    Examples:
        >>> flash = FlashTimings(read_s=50e-6, program_s=700e-6, erase_s=4e-3, transfer_s=10e-6,
        ...                      pages_per_read=4, pages_per_program=4, pages_per_block=1024)
        >>> whole_block_operations(300.0, wa=2.0, flash=flash).durations_s.round(4)
        array([0.0007, 0.1158])
    """
    rate, wa = _rate_and_wa(die_write_iops, wa)
    _check_flash(flash)
    clean = clean_s(
        _check.plain(1 - 1 / np.asarray(wa)),
        pages_per_block=flash.pages_per_block,
        program_page_s=program_page_s(
            flash.program_s, transfer_s=flash.transfer_s, pages_per_program=flash.pages_per_program
        ),
        copy_page_s=copy_page_s(
            wa,
            read_s=flash.read_s,
            transfer_s=flash.transfer_s,
            pages_per_read=flash.pages_per_read,
        ),
        erase_s=flash.erase_s,
    )
    return _stacked(
        (rate / flash.pages_per_program, _program_s(flash)),
        (rate * wa / flash.pages_per_block, clean),
    )


def _streams(name: str, operations: Operations) -> Streams:
    """Check operations given as the argument `name`; return float arrays of one shape (..., K)."""
    given = {f"{name}.{field}": value for field, value in operations._asdict().items()}
    rates, durations, suspend, resume = given
    checked = (
        *_check.non_negative(**{rates: given[rates]}),
        *_check.finite(**{durations: given[durations]}),
        *_check.non_negative(**{suspend: given[suspend]}),
        *_check.non_negative(**{resume: given[resume]}),
    )
    for field, values in ((rates, checked[0]), (resume, checked[3])):
        _check.require(np.isfinite(values), field, "finite", values)
    return Streams(*np.broadcast_arrays(*map(np.atleast_1d, checked)))


def _stacked(*kinds: tuple[float, float]) -> Operations:
    """Stack rates and durations of each kind along the last axis."""
    arrays = np.broadcast_arrays(*(value for kind in kinds for value in kind))
    return Operations(np.stack(arrays[::2], axis=-1), np.stack(arrays[1::2], axis=-1))


def _program_s(flash: FlashTimings) -> float:
    return flash.program_s + flash.pages_per_program * flash.transfer_s


def _rate_and_wa(die_write_iops: float, wa: float) -> tuple[float, float]:
    """Check the load of host writes."""
    (rate,) = _check.from_zero(die_write_iops=die_write_iops)
    (wa,) = _check.finite(wa=wa)
    _check.require(np.asarray(wa) >= 1, "wa", ">= 1", wa)
    return rate, wa


def _check_flash(flash: FlashTimings) -> None:
    """Raise `DomainError` unless every time and count is inside its domain."""
    for name in ("read_s", "program_s", "erase_s", "transfer_s"):
        _check.finite(**{f"flash.{name}": getattr(flash, name)})
    for name in ("pages_per_read", "pages_per_program", "pages_per_block"):
        _check.count(**{f"flash.{name}": getattr(flash, name)})

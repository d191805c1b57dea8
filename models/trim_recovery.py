"""Recovery after TRIM: valid pages left in blocks, and the time to free space again.

Pages have the size of host writes. A dirty drive has blocks with few valid pages; TRIM leaves
fewer; the work of idle garbage collection decides when the drive is fast again.
`write_amplification.trimmed_op_ratio` is for drives that are trimmed while they are written,
`spare_area.effective_op_ratio` for a part that stays trimmed.

References:
    .. [1] K. Vatto, "Samsung SSD 840 EVO mSATA review", AnandTech, 2014, "TRIM Validation": clean
       180.4 MB/s, dirty 69.3 MB/s, after TRIM 126.2 MB/s (120 GB, Iometer sequential write).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.write_amplification import greedy

Floats = NDArray[np.float64]

_MOST_PAGES = 4096


class IdleWork(NamedTuple):
    """Work of garbage collection while the host is idle."""

    moved_pages: float
    erased_blocks: float


def greedy_block_shares(op_ratio: float, *, pages_per_block: float) -> Floats:
    r"""Shares of blocks by their valid pages, on a drive dirtied by random writes.

    .. math:: s_j = \frac{A}{\alpha j} \; (j > x), \quad s_x = 1 - \sum_{j > x} s_j, \quad
              x = \lceil b (1 - 1/A) \rceil

    Args:
        op_ratio (float): Spare bytes per user byte, alpha - 1. [1]
        pages_per_block (float): Pages in one unit of collection, b. [1]

    Returns:
        array of b + 1: Share of the blocks that hold 0 to b valid pages. [1]

    Raises:
        DomainError: Unless op_ratio > 0 and finite and pages_per_block is a whole number from 1 to
            4,096.

    Notes:
        Valid for uniform random writes and greedy garbage collection in steady state, many blocks.
        Source: as many blocks leave each number of valid pages as arrive; those at x and those that
        fall below are collected.

    Examples:
        >>> print(*greedy_block_shares(0.5, pages_per_block=4).round(3))
        0.0 0.058 0.435 0.29 0.217
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    pages = _whole(pages_per_block)
    wa = greedy(op_ratio, pages_per_block=pages)
    held = np.zeros(pages + 1)
    lowest = math.ceil(pages * (1 - 1 / wa) - 1e-9)
    held[lowest + 1 :] = wa / np.arange(lowest + 1, pages + 1)
    held[lowest] += max(0.0, 1 + op_ratio - held.sum())
    return np.asarray(held / held.sum())


def trimmed_block_shares(block_shares: ArrayLike, *, trimmed_fraction: float) -> Floats:
    r"""Shares of blocks by their valid pages after a TRIM of random addresses.

    .. math:: s'_j = \sum_{v \ge j} s_v \binom{v}{j} (1 - f)^j f^{v - j}

    Args:
        block_shares (sequence of b + 1): Share of the blocks that hold 0 to b valid pages. [1]
        trimmed_fraction (float): Share of the data that is trimmed, f. [1]

    Returns:
        array of b + 1: Shares after the TRIM. [1]

    Raises:
        DomainError: Unless the shares are 2 to 4,097 numbers >= 0, positive in sum, and
            trimmed_fraction is in [0, 1].

    Notes:
        Valid for deleted data that is scattered over the flash, as after random writes; sequential
        files free whole blocks instead, which is faster. Source: binomial thinning.

    Examples:
        >>> print(*trimmed_block_shares([0, 0, 1], trimmed_fraction=0.25).round(4))
        0.0625 0.375 0.5625
    """
    shares = _shares(block_shares)
    (trimmed,) = _check.fraction(trimmed_fraction=trimmed_fraction)
    # Horner's rule for sum s_v (f + (1 - f) z)^v: no cancellation, and no binomial is computed.
    left = np.zeros(shares.size)
    for degree, share in enumerate(shares[::-1]):
        part = left[: degree + 1]
        kept = (1 - trimmed) * part[:-1]
        part *= trimmed
        part[1:] += kept
        part[0] += share
    return left


def idle_collection(
    block_shares: ArrayLike, *, blocks: float, freed_pages: float
) -> tuple[float, float]:
    r"""Pages moved and blocks erased to free a number of pages, the emptiest blocks first.

    .. math:: F = \sum_j x_j (b - j), \quad M = \sum_j x_j\,j, \quad E = \sum_j x_j

    Args:
        block_shares (sequence of b + 1): Share of the blocks that hold 0 to b valid pages. [1]
        blocks (float): Full blocks of the drive. [1]
        freed_pages (float): Free pages required, F. [1]

    Returns:
        Pages moved, M, and blocks erased, E. [1]

    Raises:
        DomainError: Unless the shares are 2 to 4,097 numbers >= 0, positive in sum, blocks is > 0
            and finite, and freed_pages is >= 0 and no more than the invalid pages there are.

    Notes:
        Valid for collection while the host is idle; moved pages fill other blocks, so that of the E
        blocks E - M/b are free afterwards. Source: greedy choice.

    Examples:
        >>> idle_collection([0.25, 0.25, 0.5], blocks=100, freed_pages=60)
        (10.0, 35.0)
    """
    shares = _shares(block_shares)
    (blocks,) = _check.finite(blocks=blocks)
    (freed,) = _check.non_negative(freed_pages=freed_pages)
    valid = np.arange(shares.size)
    there = np.cumsum(blocks * shares * (shares.size - 1 - valid))
    most = f"<= {there[-1]:g}, the invalid pages"
    _check.require(freed <= there[-1] * (1 + 1e-12), "freed_pages", most, freed)
    gained = np.diff(np.minimum(there, freed), prepend=0.0)
    taken = gained[:-1] / (shares.size - 1 - valid[:-1])
    return float(taken @ valid[:-1]), float(taken.sum())


def idle_work(
    op_ratio: float, *, pages_per_block: float, user_pages: float, trimmed_fraction: float
) -> IdleWork:
    r"""Pages moved and blocks erased until all space without data is writable, after a TRIM.

    .. math:: M = \frac{U \alpha}{b} \sum_{j < b} j\,s'_j, \quad
              E = \frac{U \alpha}{b} \sum_{j < b} s'_j

    with the shares s' of blocks by valid pages after the TRIM: `trimmed_block_shares` of
    `greedy_block_shares`.

    Args:
        op_ratio (float): Spare bytes per user byte, alpha - 1. [1]
        pages_per_block (float): Pages in one unit of collection, b. [1]
        user_pages (float): Pages that hold data before the TRIM, U. [1]
        trimmed_fraction (float): Share of the data that is trimmed. [1]

    Returns:
        IdleWork of float: Pages moved, M, and blocks erased, E. [1]

    Raises:
        DomainError: Unless op_ratio and user_pages are > 0 and finite, pages_per_block is a whole
            number and trimmed_fraction is in [0, 1].

    Notes:
        Valid for a TRIM of random addresses after long random writing with greedy garbage
        collection; full blocks stay as they are. Shares of larger units are those of units of 4,096
        pages, from where on they depend little on the size. Source: `idle_collection` of all
        invalid pages.

    Examples:
        A drive of 400 GB, half of it trimmed, in millions of pages and in blocks:

        >>> work = idle_work(0.28, pages_per_block=512, user_pages=97.7e6, trimmed_fraction=0.5)
        >>> print(f"{work.moved_pages / 1e6:.2f} M pages, {work.erased_blocks:.0f} blocks")
        48.85 M pages, 244250 blocks
    """
    (pages,) = _check.count(pages_per_block=pages_per_block)
    (held,) = _check.finite(user_pages=user_pages)
    block = min(float(_MOST_PAGES), pages)
    shares = trimmed_block_shares(
        greedy_block_shares(op_ratio, pages_per_block=block), trimmed_fraction=trimmed_fraction
    )
    blocks = held * (1 + op_ratio) / block
    invalid = blocks * float(shares @ (block - np.arange(shares.size)))
    moved, erased = idle_collection(shares, blocks=blocks, freed_pages=invalid)
    return IdleWork(moved, erased * (block / pages))


def restore_s(
    moved_pages: float,
    *,
    program_page_s: float,
    copy_page_s: float,
    erased_blocks: float,
    erase_s: float,
    dies: float,
) -> float:
    r"""Idle time of a drive to free the space.

    .. math:: t = \left[M\,(t_p + t_c) + E\,t_E\right] / D

    Args:
        moved_pages: Pages moved, M. [1]
        program_page_s: Die time to program one page, its share of a program operation, t_p. [s]
        copy_page_s: Die time to read one valid page, t_c. [s]
        erased_blocks: Blocks erased, E. [1]
        erase_s: One erase, t_E. [s]
        dies: Dies that work at the same time, D. [1]

    Returns:
        Duration with every die at work. [s]

    Raises:
        DomainError: Unless moved_pages and erased_blocks are >= 0, the times are > 0 and dies is a
            whole number >= 1.

    Notes:
        Valid as a lower bound: drives idle for seconds first and collect at reduced power. Source:
        die time over dies.

    Examples:
        All of a 1 TB drive trimmed: 256,000 blocks of 4 MiB, 64 dies, nothing to move:

        >>> round(restore_s(0, program_page_s=3e-4, copy_page_s=3e-5, erased_blocks=256e3,
        ...                 erase_s=4e-3, dies=64))
        16
    """
    moved, erased = _check.non_negative(moved_pages=moved_pages, erased_blocks=erased_blocks)
    program_page_s, copy_page_s, erase_s = _check.positive(
        program_page_s=program_page_s, copy_page_s=copy_page_s, erase_s=erase_s
    )
    (dies,) = _check.count(dies=dies)
    return (moved * (program_page_s + copy_page_s) + erased * erase_s) / dies


def recovery_index(
    recovered_bytes_per_s: float, *, dirty_bytes_per_s: float, clean_bytes_per_s: float
) -> float:
    r"""Share of the lost write performance that TRIM restores.

    .. math:: r = \frac{B - B_d}{B_c - B_d}

    Args:
        recovered_bytes_per_s: Throughput after TRIM, B. [bytes/s]
        dirty_bytes_per_s: Throughput after random writing, B_d. [bytes/s]
        clean_bytes_per_s: Throughput of the drive when new, B_c. [bytes/s]

    Returns:
        1 is full recovery, 0 none; below 0 the drive got slower. [1]

    Raises:
        DomainError: Unless every argument is > 0 and clean_bytes_per_s > dirty_bytes_per_s.

    Notes:
        Valid for three runs of one sequential test. After a TRIM of everything 1 is expected; less
        says that the firmware puts off erasing. Source: definition.

    Examples:
        840 EVO mSATA 120 GB [1]_:

        >>> rates = {"dirty_bytes_per_s": 69.3e6, "clean_bytes_per_s": 180.4e6}
        >>> print(f"{recovery_index(126.2e6, **rates):.0%}")
        51%
    """
    after, dirty, clean = _check.positive(
        recovered_bytes_per_s=recovered_bytes_per_s,
        dirty_bytes_per_s=dirty_bytes_per_s,
        clean_bytes_per_s=clean_bytes_per_s,
    )
    _check.require(np.asarray(clean) > dirty, "clean_bytes_per_s", "> dirty_bytes_per_s", clean)
    return (after - dirty) / (clean - dirty)


def _whole(pages_per_block: float) -> int:
    (pages,) = _check.count(pages_per_block=pages_per_block)
    inside = (np.ndim(pages) == 0) & (np.asarray(pages) <= _MOST_PAGES)
    _check.require(inside, "pages_per_block", f"one number <= {_MOST_PAGES}", pages)
    return int(pages)


def _shares(block_shares: ArrayLike) -> Floats:
    (given,) = _check.non_negative(block_shares=block_shares)  # type: ignore[arg-type]  # a sequence
    shares = np.asarray(given)
    _check.require(shares.ndim == 1, "block_shares", "a sequence of numbers", shares.ndim)
    size = shares.size
    _check.require(2 <= size <= _MOST_PAGES + 1, "block_shares", "2 to 4097 numbers", size)
    _check.require(0 < shares.sum() < np.inf, "block_shares", "positive in sum", shares.sum())
    return np.asarray(shares / shares.sum())

r"""Sequential writes over data that random writes left scattered: a drive that recovers.

Random writes leave blocks that are partly valid. A sequential pass invalidates their pages evenly,
collection takes the emptiest blocks first, and write amplification falls from its steady value to 1
within the pass if copies go to blocks of their own. Where they share blocks with what the host
writes, the pass scatters anew: amplification stays, and falls from pass to pass.

References:
    .. [1] K. Vatto, "Samsung SSD 840 EVO mSATA review", AnandTech, 2014, "TRIM Validation":
       sequential writes restore the speed slowly, and a whole pass does not restore all of it.
    .. [2] B. Van Houdt, "A Mean Field Model for a Class of Garbage Collection Algorithms in
       Flash-based Solid State Drives", SIGMETRICS 2013 (valid pages of blocks in steady state).
"""

from collections import deque
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check, transient

Floats = NDArray[np.float64]

_CHUNKS = 400  # of the blocks at the start
_MOST_POINTS = 20_000
_NO_COPIES = 1e-9
_MOST_WA = 1000.0
BESIDE_RANDOM = 0.5  # of the copies of random writes, those of sequential ones beside them
_LEFT_OF_A_PASS = 0.5  # copies of the next pass where both share blocks: simulated 0.4 to 0.57


def sequential_wa(
    steady_wa: float, *, rewritten_passes: float, shared_fraction: float = 0.0
) -> float:
    r"""Write amplification of sequential writes to a drive in random steady state.

    .. math:: A = \frac{1}{1 - v}, \quad v = k + y (1 - x), \quad dx = (1 - v)\,dn

    with v the valid share of the block that is collected, k its pages written in this pass, y those
    of before, and n the blocks collected, per block of the span. The first have y from 1 - 1/A_s to
    1 and k = 0. A block written with copies alone has y = 1/(1 - x) of that moment; where the host
    writes into the same block, k grows by what was freed. Of copies in such blocks half is left in
    each further pass.

    Args:
        steady_wa: Write amplification of the random writes before, A_s. [1]
        rewritten_passes: Written in sequence since, in capacities of the span, x. [1]
        shared_fraction: Share of the copies that go to the blocks of host writes: 0 for blocks of
            their own, 1 for a single frontier. [1]

    Returns:
        Flash bytes per host byte at this moment. [1]

    Raises:
        DomainError: Unless steady_wa is in [1, 1000], rewritten_passes is >= 0 and finite and
            shared_fraction is in [0, 1].

    Notes:
        Valid for greedy collection, uniform random writes before, and passes from the first address
        to the last. In simulations with blocks of 64 pages the mean of the first pass is within 2 %
        from 7 to 50 % of spare area, with separate write frontiers and with a single one. Source:
        the valid pages of blocks in steady state [2]_, each thinned by the share that was
        rewritten, and blocks collected in turn.

    Examples:
        A drive that copied three pages for each write starts there and ends with none:

        >>> sequential_wa(4.0, rewritten_passes=[0, 0.5, 1]).round(2).tolist()
        [4.0, 2.67, 1.0]
    """
    (steady,) = _check.finite(steady_wa=steady_wa)
    inside = (np.asarray(steady) >= 1) & (np.asarray(steady) <= _MOST_WA)
    _check.require(inside, "steady_wa", "in [1, 1000]", steady)
    (written,) = _check.from_zero(rewritten_passes=rewritten_passes)
    (shared,) = _check.fraction(shared_fraction=shared_fraction)
    before, passed, together_share = np.broadcast_arrays(steady, written, shared)
    passes = np.floor(passed)
    apart, together = np.zeros(before.shape), np.empty(before.shape)
    for wa in np.unique(before):
        here = before == wa
        within = (passed - passes)[here]
        apart[here] = np.interp(within, *_course(float(wa), is_shared=False))
        together[here] = np.interp(within, *_course(float(wa), is_shared=True))
    left = together_share * together * _LEFT_OF_A_PASS**passes
    left += (1 - together_share) * apart * (passes == 0)
    return _check.plain(1 + (before - 1) * left)


@lru_cache(maxsize=256)
def _course(steady_wa: float, *, is_shared: bool) -> tuple[Floats, Floats]:
    """Return written shares of a pass, and the copies per write there over those in steady state.

    Blocks are collected in turn. A block that was collected goes to the end of the turn: with its
    valid pages alone, or with what the host wrote meanwhile in place of the others.
    """
    if steady_wa - 1 < _NO_COPIES:
        return np.array([0.0, 1.0]), np.array([1.0, 0.0])
    step = 1 / (steady_wa * _CHUNKS)
    scattered = 1 - 1 / steady_wa + step * (np.arange(_CHUNKS) + 0.5)
    # Pages of the chunk, and the shares of them that this pass leaves valid and invalidates.
    turn = deque((steady_wa * step / y, 0.0, y) for y in scattered)
    written, points = 0.0, [(0.0, 1.0)]
    while turn and written < 1 and len(points) < _MOST_POINTS:
        pages, kept, old = turn.popleft()
        valid = min(kept + old * (1 - written), 1.0)
        freed = pages * (1 - valid)
        if is_shared:
            turn.append((pages, kept + 1 - valid, old))
        elif valid:
            turn.append((pages * valid, 0.0, 1 / max(1 - written - freed, freed, _NO_COPIES)))
        if freed:
            points.append((written + freed / 2, valid / (1 - valid) / (steady_wa - 1)))
            written += freed
    written_shares, copies = np.array(points).T
    return written_shares, copies


def copy_s(burst_write_iops: float, *, steady_write_iops: float, steady_wa: float) -> float:
    r"""Time that each copied page adds to the writes of a drive.

    .. math:: c = \frac{1/X_s - 1/X_b}{A_s - 1}

    Args:
        burst_write_iops: Random writes of one page per second without collection, X_b. [1/s]
        steady_write_iops: The same in steady state, X_s. [1/s]
        steady_wa: Write amplification in steady state, A_s. [1]

    Returns:
        Seconds per copied page, all dies at work. [s]

    Raises:
        DomainError: Unless 0 < steady_write_iops <= burst_write_iops and steady_wa > 1.

    Notes:
        Valid as `consistency.transient_iops`, of which it is the slope. Source: time per write
        linear in copies per write.

    Examples:
        90K fresh and 50K steady at 2.03:

        >>> print(f"{copy_s(90e3, steady_write_iops=50e3, steady_wa=2.03) * 1e6:.2f} us")
        8.63 us
    """
    burst, steady = _check.finite(
        burst_write_iops=burst_write_iops, steady_write_iops=steady_write_iops
    )
    (wa,) = _check.above(1, steady_wa=steady_wa)
    _check.require(np.asarray(steady) <= burst, "steady_write_iops", "<= burst_write_iops", steady)
    return _check.plain((1 / np.asarray(steady) - 1 / np.asarray(burst)) / (np.asarray(wa) - 1))


def collected_bytes_per_s(
    clean_bytes_per_s: float, *, wa: float, copy_s: float, page_bytes: float = 4096.0
) -> float:
    r"""Rate of writes to which copies of collection add their time.

    .. math:: r = \frac{1}{1/r_0 + (A - 1)\,c/s}

    Args:
        clean_bytes_per_s: Rate without collection, r_0. [bytes/s]
        wa: Write amplification of the moment, A. [1]
        copy_s: Time that a copied page adds, c. [s]
        page_bytes: Size of such a page, s. [bytes]

    Returns:
        Host bytes per second. [bytes/s]

    Raises:
        DomainError: Unless the rate and the size are > 0 and finite, wa >= 1 and copy_s >= 0 and
            finite.

    Notes:
        Valid where one resource does both. Source: as `copy_s`.

    Examples:
        A drive that writes 180 MB/s when clean, each copy of 4 KiB 12 us, at three copies a page:

        >>> round(collected_bytes_per_s(180e6, wa=4, copy_s=12e-6) / 1e6, 1)
        69.7
    """
    clean, size = _check.finite(clean_bytes_per_s=clean_bytes_per_s, page_bytes=page_bytes)
    (wa,) = _check.finite(wa=wa)
    _check.require(np.asarray(wa) >= 1, "wa", ">= 1", wa)
    (each,) = _check.from_zero(copy_s=copy_s)
    return _check.plain(1 / (1 / np.asarray(clean) + (np.asarray(wa) - 1) * each / size))


def span_op_ratio(op_ratio: float, *, span_fraction: float, filled_fraction: float) -> float:
    r"""Spare area of the part of a drive that is written, over that part.

    .. math:: p_s = \frac{1 + p - \max(f, s)}{s}

    Args:
        op_ratio: Spare bytes per user byte, p. [1]
        span_fraction: Share of the user capacity that is written, s. [1]
        filled_fraction: Share of the user capacity that holds data, the span's own included, f.
            [1]

    Returns:
        Spare bytes per byte of the span. [1]

    Raises:
        DomainError: Unless op_ratio > 0 and finite, span_fraction is in (0, 1] and filled_fraction
            in [0, 1].

    Notes:
        Valid where the rest of the data stays in blocks of its own, which no write to the span
        touches. Source: what flash holds beyond valid data is spare.

    Examples:
        Random writes over 8 GB of a full drive of 250 GB, and over three quarters of an empty one:

        >>> round(span_op_ratio(0.0995, span_fraction=0.032, filled_fraction=1), 2)
        3.11
        >>> round(span_op_ratio(0.0995, span_fraction=0.75, filled_fraction=0.75), 3)
        0.466
    """
    (spare,) = _check.finite(op_ratio=op_ratio)
    (span,) = _check.share(span_fraction=span_fraction)
    (filled,) = _check.fraction(filled_fraction=filled_fraction)
    return _check.plain((1 + np.asarray(spare) - np.maximum(filled, span)) / np.asarray(span))


def filling_wa(
    op_ratio: float,
    *,
    written_fills: float,
    sequential_fraction: float,
    filled_fraction: float,
    drive_fills: float,
    pages_per_block: float,
) -> float:
    r"""Mean write amplification of random writes among sequential ones that fill the drive.

    .. math:: A = \frac{G(w + r) - G(w)}{r}, \quad r = (1 - s) T, \quad
              G(x) = \min(x, r_c) + \int_0^{\max(x - r_c, 0)} A_p(1 + p - g + u)\,du

    with A_p the write amplification of uniform random writes to a drive whose share g was written
    before, in sequence. Nothing is collected before r_c = 1 + p - f', when the flash is full; by
    then f' = min(1, f + s (1 + p - f)) was written in sequence, and g will be half way from there
    to the end: f + s (r_c / (1 - s) + T) / 2, from f' to 1.

    Args:
        op_ratio: Spare bytes per user byte, p. [1]
        written_fills: Host writes of both kinds, in user capacities, T. [1]
        sequential_fraction: Share of these bytes that is sequential, s in [0, 1). [1]
        filled_fraction: Share of the user capacity that holds data at first, f. [1]
        drive_fills: Random host writes before, in user capacities, w. [1]
        pages_per_block: Pages in one unit of collection. [1]

    Returns:
        Flash bytes per host byte of the random writes. [1]

    Raises:
        DomainError: Unless op_ratio >= 0.005, written_fills is > 0 and finite, sequential_fraction
            is in [0, 1), filled_fraction is in [0, 1], drive_fills is >= 0 and pages_per_block is a
            whole number from 1 to 2**22.

    Notes:
        Valid for uniform random writes over the whole drive and sequential ones that go on around
        it. Sequential writes beside them are copied too: `BESIDE_RANDOM` of these copies. Then all
        flash writes together are within 16 % of simulations from 7 to 28 % of spare area, of empty,
        half full and full drives, for up to 67 % of sequential writes. Source: `greedy_wa`, and
        what flash holds when it is full.

    Examples:
        Three quarters of a fill leave an empty drive with free blocks; three fills do not:

        >>> mix = {"sequential_fraction": 0.5, "filled_fraction": 0, "drive_fills": 0}
        >>> [round(filling_wa(0.1, written_fills=written, pages_per_block=64, **mix), 2)
        ...  for written in (0.75, 3)]
        [1.0, 3.72]
    """
    (spare,) = _check.finite(op_ratio=op_ratio)
    (written,) = _check.finite(written_fills=written_fills)
    filled, ordered = _check.fraction(
        filled_fraction=filled_fraction, sequential_fraction=sequential_fraction
    )
    _check.require(np.asarray(ordered) < 1, "sequential_fraction", "< 1", ordered)
    (before,) = _check.non_negative(drive_fills=drive_fills)
    random = (1 - np.asarray(ordered)) * written
    at_cliff = np.minimum(filled + ordered * (1 + spare - filled), 1.0)
    cliff = 1 + spare - at_cliff
    half_way = filled + ordered * (cliff / (1 - np.asarray(ordered)) + written) / 2
    known = np.clip(half_way, at_cliff, 1.0)

    def flash(fills: Any) -> float:
        return transient.greedy_flash_fills(
            op_ratio, drive_fills=fills, pages_per_block=pages_per_block, prefilled_fraction=known
        )

    def so_far(fills: ArrayLike) -> Floats:
        past = np.maximum(fills - cliff, 0.0)
        starts = 1 + spare - known
        return np.asarray(np.minimum(fills, cliff) + flash(starts + past) - flash(starts))

    return _check.plain((so_far(before + random) - so_far(before)) / random)

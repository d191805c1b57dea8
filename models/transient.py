"""Write amplification over host writes: from a fresh drive past the cliff to steady state.

Dimensionless. Host and flash writes count in user capacities ("drive fills" [3]_), from the first
random write on. Before that the drive was filled sequentially, completely (`prefilled_fraction` 1)
or not at all (0, fresh out of the box). Writes are uniform random single pages over all addresses.
Until the spare area is used up, at the cliff, no garbage is collected; from a filled drive write
amplification then jumps above its steady value and approaches steady state.

References:
    .. [1] B. Van Houdt, "A Mean Field Model for a Class of Garbage Collection Algorithms in
       Flash-based Solid State Drives", SIGMETRICS 2013.
    .. [2] L. Xiang, B. M. Kurkoski, "An Improved Analytic Expression for Write Amplification in
       NAND Flash", ICNC 2012, arXiv:1110.4245.
    .. [3] SNIA, "SSS Performance Test Specification", Write Saturation test: performance over time,
       terabytes written or drive fills, from fresh out of the box to steady state.
"""

from models import _check, _fluid


def cliff_fills(op_ratio: float, *, prefilled_fraction: float = 1.0) -> float:
    r"""Host writes until garbage collection starts.

    .. math:: w_c = 1 + p - f

    Args:
        op_ratio: Spare bytes per user byte, p. [1]
        prefilled_fraction: Share of the addresses written before, in sequence, f: 0 is fresh out of
            the box. [1]

    Returns:
        Host writes in user capacities. [1]

    Raises:
        DomainError: Unless op_ratio > 0 and prefilled_fraction is in [0, 1].

    Notes:
        Valid for every policy that collects garbage only when it must. Source: free space is used
        up page by page; a drive that was filled in sequence has its spare area left.

    Examples:
        >>> round(cliff_fills(0.28, prefilled_fraction=0.0), 2)
        1.28
    """
    (op_ratio,) = _check.positive(op_ratio=op_ratio)
    (filled,) = _check.fraction(prefilled_fraction=prefilled_fraction)
    return 1 - filled + op_ratio


def greedy_wa(
    op_ratio: float, *, drive_fills: float, pages_per_block: float, prefilled_fraction: float = 1.0
) -> float:
    r"""Write amplification of greedy garbage collection during a write saturation test.

    .. math:: \dot m_j = (j+1)\,m_{j+1} - j\,m_j - c_j + A\,[j = b], \quad
              \sum_j (1 - j/b)\,c_j = 1, \quad A = \sum_j c_j

    with m the flash pages in blocks of j valid pages, per user page, and c_j those collected:
    of the lowest j that occur.

    Args:
        op_ratio: Spare bytes per user byte, p. [1]
        drive_fills: Random host writes so far, in user capacities, w. [1]
        pages_per_block: Pages in one unit of collection, b. [1]
        prefilled_fraction: Share of the addresses written before, in sequence: 0 is fresh out of
            the box. [1]

    Returns:
        Flash bytes per host byte at this moment; 1 before `cliff_fills`. [1]

    Raises:
        DomainError: Unless op_ratio >= 0.005, drive_fills >= 0, pages_per_block is a whole number
            from 1 to 2**22 and prefilled_fraction is in [0, 1].

    Notes:
        Valid for uniform random page writes, one frontier, many blocks. Mean field of [1]_ for
        unlimited choices, integrated from the distribution at the cliff, which is known (binomial),
        in steps in which a full block loses a page or less. Beyond 1,024 pages per block
        extrapolated from 512 and 1,024 pages and `fifo_wa`, the limit. Ends at
        `write_amplification.greedy`, the last 0.2 % as exp(-w). A drive costs some 10 ms at 256
        pages per block, less among many of equal blocks; 128 of them are kept, whatever the number
        of elements. Source: [1]_.

    Examples:
        Right after the cliff 36 % above the steady value of 4.07:

        >>> print(f"{greedy_wa(0.145, drive_fills=0.16, pages_per_block=256):.2f}")
        5.52
    """
    (drive_fills,) = _check.non_negative(drive_fills=drive_fills)
    pages = _fluid.block_size(pages_per_block)
    return _fluid.read(_fluid.Curve.wa_at, op_ratio, drive_fills, prefilled_fraction, pages)


def greedy_flash_fills(
    op_ratio: float, *, drive_fills: float, pages_per_block: float, prefilled_fraction: float = 1.0
) -> float:
    r"""Flash writes so far under greedy garbage collection.

    .. math:: W(w) = \int_0^w A(u)\,du

    Args:
        op_ratio: Spare bytes per user byte, p. [1]
        drive_fills: Random host writes so far, in user capacities, w. [1]
        pages_per_block: Pages in one unit of collection, b. [1]
        prefilled_fraction: Share of the addresses written before, in sequence: 0 is fresh out of
            the box. [1]

    Returns:
        Flash writes in user capacities, without those of the first fill. [1]

    Raises:
        DomainError: As `greedy_wa`.

    Notes:
        Valid where `greedy_wa` is. Differences of this over differences of `drive_fills` are mean
        write amplification, without an error of sampling at the cliff. Source: as `greedy_wa`.

    Examples:
        Mean write amplification of the first tenth of a fill after the cliff:

        >>> end = greedy_flash_fills(0.145, drive_fills=0.245, pages_per_block=256)
        >>> print(f"{(end - 0.145) / 0.1:.2f}")
        5.07
    """
    (drive_fills,) = _check.non_negative(drive_fills=drive_fills)
    pages = _fluid.block_size(pages_per_block)
    return _fluid.read(_fluid.Curve.flash_at, op_ratio, drive_fills, prefilled_fraction, pages)


def fifo_wa(op_ratio: float, *, drive_fills: float, prefilled_fraction: float = 1.0) -> float:
    r"""Write amplification of oldest-first garbage collection during the same test.

    .. math:: A = \frac{1}{1 - e^{-(w - w_0)}}, \quad
              \frac{dy}{dP} = y(P) - y(P - \alpha), \quad y = e^w

    with P the flash pages written per user page, first fill included, and w_0 the host writes
    when the victim was written. Through the prefilled pages, the first pass, this is
    P = alpha + ln((e^w - 1) / (e^{p + 1 - f} - 1)).

    Args:
        op_ratio: Spare bytes per user byte, p = alpha - 1. [1]
        drive_fills: Random host writes so far, in user capacities, w. [1]
        prefilled_fraction: Share of the addresses written before, in sequence, f: 0 is fresh out of
            the box. [1]

    Returns:
        Flash bytes per host byte at this moment; 1 before `cliff_fills`. [1]

    Raises:
        DomainError: Unless op_ratio >= 0.005, drive_fills >= 0 and prefilled_fraction is in [0, 1].

    Notes:
        Valid for uniform random page writes, one frontier, blocks of any size, many of them.
        Solved pass by pass, flash writes to about 1e-6 of a fill. Also greedy garbage collection of
        very large superblocks. Ends at `write_amplification.fifo`. Source: [2]_ for the victim's
        age; linear in y by substitution.

    Examples:
        The oldest block right after the cliff, 1/(1 - exp(-0.2)):

        >>> print(f"{fifo_wa(0.2, drive_fills=0.2):.2f}")
        5.52
    """
    (drive_fills,) = _check.non_negative(drive_fills=drive_fills)
    return _fluid.read(_fluid.Curve.wa_at, op_ratio, drive_fills, prefilled_fraction)


def fifo_flash_fills(
    op_ratio: float, *, drive_fills: float, prefilled_fraction: float = 1.0
) -> float:
    r"""Flash writes so far under oldest-first garbage collection.

    .. math:: W(w) = \int_0^w A(u)\,du

    Args:
        op_ratio: Spare bytes per user byte, p. [1]
        drive_fills: Random host writes so far, in user capacities, w. [1]
        prefilled_fraction: Share of the addresses written before, in sequence: 0 is fresh out of
            the box. [1]

    Returns:
        Flash writes in user capacities, without those of the first fill. [1]

    Raises:
        DomainError: As `fifo_wa`.

    Notes:
        Valid where `fifo_wa` is. Source: as `fifo_wa`.

    Examples:
        >>> round(fifo_flash_fills(0.28, drive_fills=0.25), 3)
        0.25
    """
    (drive_fills,) = _check.non_negative(drive_fills=drive_fills)
    return _fluid.read(_fluid.Curve.flash_at, op_ratio, drive_fills, prefilled_fraction)


def greedy_peak_wa(
    op_ratio: float, *, pages_per_block: float, prefilled_fraction: float = 1.0
) -> float:
    r"""Highest write amplification of a write saturation test, shortly after the cliff.

    .. math:: A_\mathrm{peak} = \max_w A(w)

    Args:
        op_ratio: Spare bytes per user byte, p. [1]
        pages_per_block: Pages in one unit of collection, b. [1]
        prefilled_fraction: Share of the addresses written before, in sequence: 0 is fresh out of
            the box. [1]

    Returns:
        Flash bytes per host byte; the steady value where there is no overshoot. [1]

    Raises:
        DomainError: As `greedy_wa`.

    Notes:
        Valid where `greedy_wa` is. From a sequential fill the peak is above the steady value, by a
        third at 256 pages per block, by up to twice for large superblocks: a test is slowest before
        it settles. Out of the box there is no peak. Source: as `greedy_wa`.

    Examples:
        >>> print(f"{greedy_peak_wa(0.145, pages_per_block=256):.2f}")
        5.52
    """
    pages = _fluid.block_size(pages_per_block)
    return _fluid.read(_fluid.Curve.peak, op_ratio, 0.0, prefilled_fraction, pages)


def greedy_settling_fills(
    op_ratio: float,
    *,
    tolerance: float = 0.05,
    pages_per_block: float,
    prefilled_fraction: float = 1.0,
) -> float:
    r"""Host writes after which write amplification stays close to its steady value.

    .. math:: w_s = \min \{ w : |A(u)/A_\infty - 1| \le \epsilon \; \forall u \ge w \}

    Args:
        op_ratio: Spare bytes per user byte, p. [1]
        tolerance: Relative distance from the steady value within which steady state is reached. [1]
        pages_per_block: Pages in one unit of collection, b. [1]
        prefilled_fraction: Share of the addresses written before, in sequence: 0 is fresh out of
            the box. [1]

    Returns:
        Host writes in user capacities; 0 where the fresh drive is within the tolerance. [1]

    Raises:
        DomainError: As `greedy_wa`, and unless tolerance > 0.

    Notes:
        Valid where `greedy_wa` is. Fresh out of the box it takes four to five fills, because
        addresses never written, exp(-w) of all, serve as spare area. Source: as `greedy_wa`.

    Examples:
        >>> print(f"{greedy_settling_fills(0.145, pages_per_block=256):.2f}")
        0.39
        >>> print(f"{greedy_settling_fills(0.145, pages_per_block=256, prefilled_fraction=0):.1f}")
        4.9
    """
    (tolerance,) = _check.positive(tolerance=tolerance)
    pages = _fluid.block_size(pages_per_block)
    return _fluid.read(_fluid.Curve.settled_at, op_ratio, tolerance, prefilled_fraction, pages)

"""Pauses of host writes by garbage collection: the longest latency, by policy.

Base units: seconds, operations per second, pages of one host operation. The schedule of garbage
collection is not on data sheets; the four policies here are scenarios:

- in small steps, dies erasing at different times: `incremental_latency_s`
- in small steps, all dies erasing at once: `aligned_latency_s`
- a block at a time, its die blocked: `blocking_latency_s` of one block
- a superblock at a time, every die blocked: `blocking_latency_s` of its blocks

All are for a saturated queue; the effect on a lower load is in `models.stall_exposure`.

References:
    .. [1] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, "Performance
       Consistency - Worst-Case IOPS": about 5K IOPS, 6.4 ms, at queue depth 32.
"""

import numpy as np

from models import _check
from models.stall_exposure import exposed_stall_s

MOST_SPREAD = 0.2  # between 0.1 and 0.3 in simulated drives


def latency_cv(queue_depth: float, *, pages_per_program: float) -> float:
    r"""Relative spread of write latency where dies collect garbage in small steps.

    .. math:: c = \min\left(0.2, \sqrt{n / Q}\right)

    Args:
        queue_depth: Writes kept outstanding, Q. [1]
        pages_per_program: Host-sized pages of one program, n. [1]

    Returns:
        Standard deviation of the latency over its mean. [1]

    Raises:
        DomainError: Unless queue_depth is > 0 and finite and pages_per_program a whole number.

    Notes:
        Valid as an estimate: the spread was between 0.1 and 0.3 in simulated drives, less in deep
        queues. Source: simulated drives (`models.simulator`).

    Examples:
        >>> latency_cv(1600, pages_per_program=16)
        0.1
    """
    (depth,) = _check.finite(queue_depth=queue_depth)
    (pages,) = _check.count(pages_per_program=pages_per_program)
    return _check.plain(np.minimum(MOST_SPREAD, np.sqrt(np.divide(pages, depth))))


def clean_s(
    valid_fraction: float,
    *,
    pages_per_block: float,
    program_page_s: float,
    copy_page_s: float,
    erase_s: float,
) -> float:
    r"""Die time to collect one block: read and program its valid pages, erase it.

    .. math:: T = v\,b\,(t_p + t_c) + t_E

    Args:
        valid_fraction: Share of the block's pages that are valid, v = 1 - 1/A in steady state. [1]
        pages_per_block: Host-sized pages in the block of one die, b. [1]
        program_page_s: Die time to program one page, its share of a program operation, t_p. [s]
        copy_page_s: Die time to read one valid page, t_c. [s]
        erase_s: Time of one block erase, t_E. [s]

    Returns:
        Duration of the collection. [s]

    Raises:
        DomainError: Unless valid_fraction is in [0, 1], pages_per_block is a whole number and the
            times are > 0.

    Notes:
        Valid where one die does all of it; `write_budget.program_page_s` and `copy_page_s` give the
        times per page. Source: count of operations.

    Examples:
        1,024 pages of 4 KiB, half of them valid:

        >>> t = clean_s(0.5, pages_per_block=1024, program_page_s=285e-6, copy_page_s=33e-6,
        ...             erase_s=4e-3)
        >>> print(f"{t * 1e3:.0f} ms")
        167 ms
    """
    (valid,) = _check.fraction(valid_fraction=valid_fraction)
    (pages,) = _check.count(pages_per_block=pages_per_block)
    program_page_s, copy_page_s, erase_s = _check.positive(
        program_page_s=program_page_s, copy_page_s=copy_page_s, erase_s=erase_s
    )
    return valid * pages * (program_page_s + copy_page_s) + erase_s


def incremental_latency_s(queue_depth: float, *, iops: float, latency_cv: float) -> float:
    r"""Longest write latency in a second when garbage collection runs in small steps.

    .. math:: L = \frac{Q}{X}\,(1 + z\,c), \quad z = \Phi^{-1}(1 - 1/X)

    Args:
        queue_depth: Operations outstanding, Q. [1]
        iops: Write IOPS in steady state, X. [1/s]
        latency_cv: Standard deviation of latency over its mean, c. [1]

    Returns:
        Longest latency of a second. [s]

    Raises:
        DomainError: Unless queue_depth and iops are > 0 and finite and latency_cv is >= 0.

    Notes:
        Valid for dies that erase at different times and writes that go to those with the lowest
        load, so that a write waits for many small steps and its latency is about normal: c is 0.1
        to 0.3, at most sqrt(n / Q) for n pages per program. Against simulation, with its own c,
        mostly within 25 %, low by half where erases of several dies happen to meet.
        `aligned_latency_s` is an upper limit. Source: upper 1/X quantile of a normal distribution,
        X operations in a second.

    Examples:
        >>> worst = incremental_latency_s(32, iops=50e3, latency_cv=0.2)
        >>> print(f"{worst * 1e3:.2f} ms")
        1.17 ms
    """
    from scipy.special import ndtri  # noqa: PLC0415 - slow to import

    queue_depth, iops = _check.finite(queue_depth=queue_depth, iops=iops)
    (spread,) = _check.non_negative(latency_cv=latency_cv)
    deviations = np.maximum(0.0, -ndtri(np.minimum(1.0, 1 / np.asarray(iops))))
    return _check.plain(queue_depth / iops * (1 + deviations * spread))


def aligned_latency_s(
    queue_depth: float, *, iops: float, erase_s: float, program_s: float
) -> float:
    r"""Longest write latency when all dies erase at about the same time.

    .. math:: L = Q/X + t_E + t_P

    Args:
        queue_depth: Operations outstanding, Q. [1]
        iops: Write IOPS in steady state, X. [1/s]
        erase_s: One erase, t_E. [s]
        program_s: Die time of one host program with its transfer and the copies that go before it,
            t_P: n D / X for n pages per program and D dies that are never idle. [s]

    Returns:
        Longest latency. [s]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for collection in small steps over superblocks, whose blocks are erased together, and
        erases that nothing suspends. Within 16 % of the longest latency in a second of simulation,
        6 % on average; with the program alone, where copies go on between host programs, as much as
        45 % low. An upper limit where dies erase at different times. Source: a write that arrives
        with the erase waits for it, for the work that is ahead of the next host program of its die
        and for its turn.

    Examples:
        The 845DC PRO [1]_, 50K IOPS, with a 5 ms erase and a 0.76 ms program before which nothing
        is copied: 6.4 ms, 5K IOPS.

        >>> latency = aligned_latency_s(32, iops=50e3, erase_s=5e-3, program_s=0.76e-3)
        >>> print(f"{latency * 1e3:.1f} ms")
        6.4 ms
    """
    queue_depth, iops, erase_s, program_s = _check.positive(
        queue_depth=queue_depth, iops=iops, erase_s=erase_s, program_s=program_s
    )
    return queue_depth / iops + erase_s + program_s


def blocking_latency_s(
    queue_depth: float, *, iops: float, clean_s: float, cleaned_blocks: float, buffer_pages: float
) -> float:
    r"""Longest write latency when whole blocks are collected while their die is blocked.

    .. math:: L = \max(Q/X,\; n_b T - B/X)

    Args:
        queue_depth: Operations outstanding, Q. [1]
        iops: Write IOPS in steady state, X. [1/s]
        clean_s: Time to collect one block on its die, T. [s]
        cleaned_blocks: Blocks collected one after the other before the host gets its turn, n_b: 1
            for die by die, the blocks per die of the unit for superblocks. [1]
        buffer_pages: Pages that the write buffer has free when the collection begins, B; 0 in a
            saturated test, which keeps it full however large it is. [1]

    Returns:
        Longest latency. [s]

    Raises:
        DomainError: Unless queue_depth, iops and clean_s are > 0, cleaned_blocks is a whole
            number >= 1 and buffer_pages is >= 0.

    Notes:
        Valid for a saturated queue; round-robin placement, which waits for the blocked die, even if
        others are idle, or superblocks. To gain g blocks in one piece takes about 1 + (g - 1) A of
        them. Against the longest latency in a second of simulation within 6 % die by die, within 14
        % for superblocks, whatever the size of the buffer. An upper limit where writes go to the
        least loaded die, which need not wait for one that collects. Source: `exposed_stall_s` at
        rate X, but not below Little's law.

    Examples:
        >>> worst = blocking_latency_s(32, iops=12e3, clean_s=0.1, cleaned_blocks=4, buffer_pages=0)
        >>> print(f"{worst * 1e3:.0f} ms")
        400 ms
    """
    (queue_depth,) = _check.positive(queue_depth=queue_depth)
    (clean_s,) = _check.positive(clean_s=clean_s)
    (blocks,) = _check.count(cleaned_blocks=cleaned_blocks)
    left = exposed_stall_s(_check.plain(clean_s * blocks), iops=iops, buffer_pages=buffer_pages)
    return _check.plain(np.maximum(queue_depth / np.asarray(iops), left))


def implied_clean_s(max_latency_s: float, *, iops: float, buffer_pages: float) -> float:
    r"""Time of one uninterrupted garbage collection, from a saturated test.

    .. math:: n_b T = L + B/X

    Args:
        max_latency_s: Longest latency of a saturated test, L, well above the mean. [s]
        iops: Average IOPS of the test, X. [1/s]
        buffer_pages: Pages that the write buffer has free when the collection begins, B; 0 in a
            saturated test. [1]

    Returns:
        Duration of one collection that blocks the host. [s]

    Raises:
        DomainError: Unless max_latency_s and iops are > 0 and buffer_pages is >= 0.

    Notes:
        Valid where `blocking_latency_s` is and its stall exceeds Q/X; its inverse. Source: as
        `blocking_latency_s`.

    Examples:
        >>> print(f"{implied_clean_s(89e-3, iops=12e3, buffer_pages=128) * 1e3:.0f} ms")
        100 ms
    """
    max_latency_s, iops = _check.positive(max_latency_s=max_latency_s, iops=iops)
    (buffer_pages,) = _check.non_negative(buffer_pages=buffer_pages)
    return max_latency_s + buffer_pages / iops


def implied_pause_s(max_latency_s: float, *, queue_depth: float, iops: float) -> float:
    r"""Pause of the whole drive behind a measured longest latency.

    .. math:: T = L - Q/X

    Args:
        max_latency_s: Longest latency of a saturated test, L. [s]
        queue_depth: Operations outstanding in the test, Q. [1]
        iops: Average IOPS of the test, X. [1/s]

    Returns:
        Time for which no write was finished. [s]

    Raises:
        DomainError: Unless every argument is > 0 and max_latency_s is at least the mean latency,
            Q/X.

    Notes:
        Valid where `aligned_latency_s` is; its inverse. An erase and a program, 4 to 7 ms, say that
        the drive collects in small steps; more, that it works in longer pieces that nothing
        interrupts. Source: as `aligned_latency_s`.

    Examples:
        845DC PRO [1]_: an erase of 5 ms and a program.

        >>> print(f"{implied_pause_s(6.4e-3, queue_depth=32, iops=50e3) * 1e3:.2f} ms")
        5.76 ms
    """
    max_latency_s, queue_depth, iops = _check.positive(
        max_latency_s=max_latency_s, queue_depth=queue_depth, iops=iops
    )
    mean_s = queue_depth / iops
    _check.require(
        np.asarray(max_latency_s) >= mean_s, "max_latency_s", ">= queue_depth / iops", max_latency_s
    )
    return max_latency_s - mean_s

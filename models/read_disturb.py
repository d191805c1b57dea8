"""Read disturb: blocks that are read too often must be rewritten.

Reading a page disturbs the others of its block a little. Firmware counts the reads of each
block since its last erase and rewrites the block before a limit; rates are per second.

References:
    .. [1] QNX, "System Architecture", "Read degradation monitoring with automatic refresh": blocks
       are refreshed before 100,000 reads.
    .. [2] Micron TN-29-17, "NAND Flash Design and Use Considerations", 2010, as cited by Wikipedia,
       "Flash memory": generally hundreds of thousands of reads between erases.
    .. [3] Y. Cai et al., "Read Disturb Errors in MLC NAND Flash Memory: Characterization,
       Mitigation, and Recovery", DSN 2015: a worn block bears fewer reads.
    .. [4] J. Meza, Q. Wu, S. Kumar, O. Mutlu, "A Large-Scale Study of Flash Memory Failures in the
       Field", SIGMETRICS 2015: read disturbance was no prevalent cause of errors.
"""

import numpy as np

from models import _check


def writes_per_read(pages_per_block: float, *, read_limit: float) -> float:
    r"""Pages rewritten per page read.

    .. math:: \omega = b / R

    Args:
        pages_per_block: Pages of a block, all valid, b. [1]
        read_limit: Reads of a block between two erases, R. [1]

    Returns:
        Page writes per page read. [1]

    Raises:
        DomainError: Unless pages_per_block is a whole number and read_limit > 0.

    Notes:
        Valid for data that are read only, however unevenly: every R reads of a block cost b writes.
        An upper bound where the host's own writes erase blocks before the limit. Limits in use:
        100,000 [1]_, hundreds of thousands [2]_, fewer for worn blocks [3]_; rarely felt [4]_.
        Source: definition.

    Examples:
        256 pages at 100,000 reads:

        >>> writes_per_read(256, read_limit=100_000)
        0.00256
    """
    (pages_per_block,) = _check.count(pages_per_block=pages_per_block)
    (read_limit,) = _check.positive(read_limit=read_limit)
    return pages_per_block / read_limit


def block_read_iops(read_iops: float, *, read_share: float, read_blocks: float) -> float:
    r"""Rate of reads of each of the blocks on which reads are concentrated.

    .. math:: x = r X / n

    Args:
        read_iops: Page reads of the drive, X. [1/s]
        read_share: Share of them that goes to these blocks, r. [1]
        read_blocks: Blocks that share them, n. [1]

    Returns:
        Reads of one such block. [1/s]

    Raises:
        DomainError: Unless read_iops > 0, read_share is in (0, 1] and read_blocks > 0.

    Notes:
        Valid for reads spread evenly over these blocks; the busiest block, not the mean one, meets
        the limit first. Source: definition.

    Examples:
        Half of 90,000 reads per second on 100 blocks:

        >>> block_read_iops(90_000, read_share=0.5, read_blocks=100)
        450.0
    """
    (read_share,) = _check.share(read_share=read_share)
    read_iops, read_blocks = _check.positive(read_iops=read_iops, read_blocks=read_blocks)
    return read_iops * read_share / read_blocks


def rewrite_interval_s(read_limit: float, *, block_iops: float) -> float:
    r"""Time after which a block that is only read must be rewritten.

    .. math:: t = R / x

    Args:
        read_limit: Reads of a block between two erases, R. [1]
        block_iops: Reads of the block, x. [1/s]

    Returns:
        Time from one rewriting to the next. [s]

    Raises:
        DomainError: Unless both are > 0.

    Notes:
        Valid for a steady rate. Source: definition.

    Examples:
        450 reads per second meet a limit of 100,000 every four minutes:

        >>> round(rewrite_interval_s(100_000, block_iops=450))
        222
    """
    read_limit, block_iops = _check.positive(read_limit=read_limit, block_iops=block_iops)
    return read_limit / block_iops


def added_wa(read_fraction: float, *, pages_per_block: float, read_limit: float) -> float:
    r"""Additional flash bytes per host byte, for rewriting blocks because of reads.

    .. math:: \Delta A = \frac{f}{1 - f} \frac{b}{R}

    Args:
        read_fraction: Share of operations of one size that are reads, f. [1]
        pages_per_block: Pages of a block, all valid, b. [1]
        read_limit: Reads of a block between two erases, R. [1]

    Returns:
        To be added to write amplification; inf where nothing is written. [1]

    Raises:
        DomainError: Unless read_fraction is in [0, 1], pages_per_block is a whole number and
            read_limit > 0.

    Notes:
        Valid as `writes_per_read`: an upper bound. Source: reads per write times `writes_per_read`.

    Examples:
        Nine reads per write:

        >>> print(f"{added_wa(0.9, pages_per_block=1536, read_limit=10_000):.2f}")
        1.38
    """
    (reads,) = _check.fraction(read_fraction=read_fraction)
    share = np.asarray(reads)
    with np.errstate(divide="ignore"):
        reads_per_write = share / (1 - share)
    return _check.plain(reads_per_write * writes_per_read(pages_per_block, read_limit=read_limit))

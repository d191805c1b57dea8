r"""Logs that are flushed: the last block is written again, and what growth costs.

References:
    .. [1] "Write-Ahead Logging", SQLite documentation; "WAL Configuration", PostgreSQL 15, chapter
       30 (a flush writes all blocks of the log that changed, the last one in part).
    .. [2] "Journal (jbd2)", Linux kernel documentation, ext4.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from models import _check

BLOCK_BYTES = 4096.0


class Growth(NamedTuple):
    """Blocks of the journal per flush: in any case, and for each block of data, at most one."""

    flush_blocks: float
    data_blocks: float


# What ext4 (data=ordered) writes to its journal for a file that is written in place, that has room
# which was never written, and that grows; counted on Linux 6.18.
GROWTH: Mapping[str, Growth] = MappingProxyType(
    {"reused": Growth(0.0, 0.0), "unwritten": Growth(0.0, 3.0), "grown": Growth(3.0, 2.0)}
)


def appended_blocks(append_bytes: float, *, file_block_bytes: float, granule_bytes: float) -> float:
    r"""Blocks that an append touches, for any start within a block.

    .. math:: n = 1 + (c - g)/B

    Args:
        append_bytes: Bytes appended at a time, c. [bytes]
        file_block_bytes: Block that is written whole, B: 4,096 bytes for files. [bytes]
        granule_bytes: Unit in which the log grows, g: its offset is a random multiple of it.
            [bytes]

    Returns:
        Mean number of blocks. [1]

    Raises:
        DomainError: Unless all are > 0 and finite, and granule_bytes at most append_bytes and
            file_block_bytes.

    Notes:
        Valid for lengths that are multiples of g and offsets that are multiples of it, each as
        likely; exact there. Source: count of the borders that an interval crosses.

    Examples:
        A page of 4,096 bytes with its header of 24 in a log of SQLite:

        >>> print(appended_blocks(4120, file_block_bytes=4096, granule_bytes=8).__round__(4))
        2.0039
    """
    length, block, granule = _check.finite(
        append_bytes=append_bytes, file_block_bytes=file_block_bytes, granule_bytes=granule_bytes
    )
    _check.require(granule <= length, "granule_bytes", "<= append_bytes", granule)
    _check.require(granule <= block, "granule_bytes", "<= file_block_bytes", granule)
    return 1 + (length - granule) / block


def flushed_log_bytes(
    log_bytes: float, *, flushes: float, file_block_bytes: float, granule_bytes: float
) -> float:
    r"""Bytes that reach the drive from a log that is flushed a number of times.

    .. math:: W = w + F (B - g)

    Args:
        log_bytes: Bytes of the log, w. [bytes]
        flushes: Flushes of the log, F. [1]
        file_block_bytes: Block that is written whole, B: 4,096 bytes for files, 8,192 for
            PostgreSQL. [bytes]
        granule_bytes: Unit in which the log grows, g: 8 bytes. [bytes]

    Returns:
        Bytes at the drive, W. [bytes]

    Raises:
        DomainError: Unless log_bytes and flushes are >= 0 and finite and the others > 0 and finite,
            and granule_bytes at most file_block_bytes.

    Notes:
        Valid for blocks that exist already (a log that is used again); within 0.7 % of the bytes
        counted of PostgreSQL with commits that wait, and 0.5 % of SQLite. Source: every flush but
        the first writes the block again in which the one before it ended [1]_.

    Examples:
        9.69 MB of log of PostgreSQL in 2,000 commits; 26.08 MB were counted:

        >>> round(flushed_log_bytes(9.69e6, flushes=2000, file_block_bytes=8192,
        ...                         granule_bytes=8) / 1e6, 2)
        26.06
    """
    written, times = _check.from_zero(log_bytes=log_bytes, flushes=flushes)
    block, granule = _check.finite(file_block_bytes=file_block_bytes, granule_bytes=granule_bytes)
    _check.require(granule <= block, "granule_bytes", "<= file_block_bytes", granule)
    return written + times * (block - granule)


def growth_blocks(append_bytes: float, *, flush_blocks: float, data_blocks: float) -> float:
    r"""Blocks of its journal that a file system writes for a flush of a log.

    .. math:: m = m_0 + m_1 \min(1, c/B)

    Args:
        append_bytes: Bytes appended between two flushes, c. [bytes]
        flush_blocks: Blocks of 4 KiB with every flush, m_0: 3 where the file grows, else 0. [1]
        data_blocks: Blocks of 4 KiB with each new block of the log, one a flush at most, m_1: 2
            where the file grows, 3 where its room was never written, 0 where it is written in
            place. [1]

    Returns:
        Blocks of 4 KiB per flush, m. [1]

    Raises:
        DomainError: Unless all are >= 0 and finite.

    Notes:
        Valid for ext4 with ordered data; with the log itself within 4 % of the bytes counted in ten
        ways to append, see `GROWTH`. Source: size and allocation are metadata that a commit of the
        journal holds [2]_; counted.

    Examples:
        200 bytes and a flush: 17,121 bytes were counted, of which 4,289 are the log:

        >>> grown = GROWTH["grown"]
        >>> blocks = growth_blocks(200, flush_blocks=grown.flush_blocks,
        ...                        data_blocks=grown.data_blocks)
        >>> round(200 + 4088 + 4096 * blocks)
        16976
    """
    appended, always, each = _check.from_zero(
        append_bytes=append_bytes, flush_blocks=flush_blocks, data_blocks=data_blocks
    )
    return _check.plain(always + each * np.minimum(np.asarray(appended) / BLOCK_BYTES, 1.0))

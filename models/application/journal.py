r"""Journals of file systems: blocks beside the data.

References:
    .. [1] "Journal (jbd2)", Linux kernel documentation, ext4 (descriptor, metadata and commit
       blocks).
    .. [2] O. Rodeh, J. Bacik, C. Mason, "BTRFS: The Linux B-Tree Filesystem", ACM Transactions on
       Storage 9(3), 2013 (log tree written at fsync).
"""

from collections.abc import Mapping
from types import MappingProxyType

from models import _check

BLOCK_BYTES = 4096

# Blocks of 4 KiB at the device per operation, data included, counted on Linux 6.18: file system,
# operation, low and high (btrfs with metadata twice).
SYNC_BLOCKS: Mapping[tuple[str, str], tuple[float, float]] = MappingProxyType(
    {
        ("ext4", "overwrite, not synced"): (0.97, 0.97),
        ("ext4", "overwrite and fdatasync"): (1.0, 1.0),
        ("ext4", "overwrite and fsync"): (3.6, 4.0),
        ("ext4", "append 4 KiB and fdatasync"): (7.0, 7.0),
        ("ext4", "create, fsync and rename"): (11.0, 11.0),
        ("ext4 data=journal", "overwrite, not synced"): (1.94, 1.94),
        ("ext4 data=journal", "overwrite and fdatasync"): (4.1, 4.1),
        ("ext4 data=journal", "overwrite and fsync"): (4.1, 4.1),
        ("ext4 data=journal", "append 4 KiB and fdatasync"): (9.0, 9.0),
        ("ext4 data=journal", "create, fsync and rename"): (12.1, 12.1),
        ("xfs", "overwrite, not synced"): (0.97, 0.97),
        ("xfs", "overwrite and fdatasync"): (1.0, 1.0),
        ("xfs", "overwrite and fsync"): (1.25, 1.25),
        ("xfs", "append 4 KiB and fdatasync"): (2.25, 2.25),
        ("xfs", "create, fsync and rename"): (4.8, 4.8),
        ("btrfs", "overwrite, not synced"): (1.6, 1.6),
        ("btrfs", "overwrite and fdatasync"): (31.0, 36.0),
        ("btrfs", "overwrite and fsync"): (36.0, 36.0),
        ("btrfs", "append 4 KiB and fdatasync"): (32.0, 36.0),
        ("btrfs", "create, fsync and rename"): (29.5, 29.5),
    }
)


def journalled_bytes(data_bytes: float, *, flushes: float, metadata_blocks: float) -> float:
    r"""Bytes at the drive of data and of the journal of a file system.

    .. math:: W = w + F m B

    Args:
        data_bytes: Bytes of data that reach the drive, w. [bytes]
        flushes: Commits of the journal, F: syncs that changed metadata. [1]
        metadata_blocks: Blocks of 4 KiB that a commit writes, m: on ext4 3 for a time or size, 6
            with an allocation, 10 to create and rename; on xfs 0.25 to 1.25. [1]

    Returns:
        Bytes at the drive, W. [bytes]

    Raises:
        DomainError: Unless all are >= 0 and finite.

    Notes:
        Valid for ordered data (data=ordered) and journals that are not full. Source: [1]_; m as
        counted, see `SYNC_BLOCKS`.

    Examples:
        75 writes of 4 KiB a second, half of them synced, on ext4:

        >>> journalled_bytes(75 * 4096, flushes=37.5, metadata_blocks=3)
        768000.0
    """
    data, commits, blocks = _check.from_zero(
        data_bytes=data_bytes, flushes=flushes, metadata_blocks=metadata_blocks
    )
    return data + commits * blocks * BLOCK_BYTES


def btrfs_sync_blocks(data_blocks: float, *, nodes: float, copies: float) -> float:
    r"""Blocks of 4 KiB that btrfs writes for a synced write.

    .. math:: n = d + 4 k c + 1

    Args:
        data_blocks: Blocks of data, d. [1]
        nodes: Nodes of 16 KiB written per sync, k: 2.9 to 4.3 were counted. [1]
        copies: Copies of the metadata, c: 2 by default on one drive. [1]

    Returns:
        Blocks at the drive. [1]

    Raises:
        DomainError: Unless data_blocks and nodes are > 0 and finite and copies is a whole number >=
            1.

    Notes:
        Valid for a sync after each write; k is fitted to 31 to 36 blocks counted per block. Source:
        the log tree is written with every sync, and a superblock [2]_.

    Examples:
        >>> round(btrfs_sync_blocks(1, nodes=3.6, copies=2), 1)
        30.8
    """
    data, nodes = _check.finite(data_blocks=data_blocks, nodes=nodes)
    (copies,) = _check.count(copies=copies)
    return data + 4 * nodes * copies + 1

r"""etcd: bytes at the drive per key put.

References:
    .. [1] "Hardware recommendations" and "Tuning", etcd documentation (a log that is synced, and a
       store that is committed every 0.1 s).
"""

import numpy as np

from models import _check

BLOCK_BYTES = 4096
RECORD_BYTES = 110
STORED_BYTES = 100
COMMIT_S = 0.1
COMMIT_BLOCKS = 6


def put_bytes(
    value_bytes: float, *, puts_per_s: float, flushes: float, metadata_blocks: float
) -> float:
    r"""Bytes at the drive per put of a member of etcd.

    .. math:: W = (v + 110) + F B + \min\left(1, \frac{v + 110}{B}\right) J B + (v + 100)
              + \frac{6 B}{0.1\, x}

    Args:
        value_bytes: Value of a key, v. [bytes]
        puts_per_s: Puts per second, x. [1/s]
        flushes: Flushes of the log per put, F: 1 for a single client, fewer where commits share.
            [1]
        metadata_blocks: Blocks of the journal of the file system per new block of the log, J: 3.5
            on ext4. [1]

    Returns:
        Bytes at the drive per put. [bytes]

    Raises:
        DomainError: Unless value_bytes and puts_per_s are > 0 and finite and the others >= 0 and
            finite.

    Notes:
        Valid for values below 1 MB, without compaction of the history, which rewrites the store;
        from -20 to +13 % of the bytes counted in five loads, two of which set J and the 6 blocks.
        Source: log record, block written again, journal, store and its tree [1]_.

    Examples:
        426 puts of 1 KiB a second; 11,106 bytes were counted:

        >>> round(put_bytes(1024, puts_per_s=426, flushes=1, metadata_blocks=3.5))
        10900
    """
    value, rate = _check.finite(value_bytes=value_bytes, puts_per_s=puts_per_s)
    synced, journal = _check.from_zero(flushes=flushes, metadata_blocks=metadata_blocks)
    record = np.asarray(value) + RECORD_BYTES
    blocks = synced + np.minimum(record / BLOCK_BYTES, 1.0) * journal
    # Below one put in 0.1 s each has a commit of its own.
    commit = COMMIT_BLOCKS / np.maximum(COMMIT_S * np.asarray(rate), 1.0)
    return _check.plain(record + value + STORED_BYTES + (blocks + commit) * BLOCK_BYTES)

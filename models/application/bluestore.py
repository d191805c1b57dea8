r"""BlueStore of Ceph: bytes at the drives of a write. Not counted with a cluster.

References:
    .. [1] "Tuning BlueStore", IBM Storage Ceph documentation (an allocation unit of 4 KiB; metadata
       in RocksDB).
    .. [2] D.-Y. Lee et al., "Understanding Write Behaviors of Storage Backends in Ceph Object
       Store", MSST 2017 (more than 13 bytes at the drives a byte written, with three copies).
"""

import numpy as np

from models import _check

CHUNK_BYTES = 4096


def bluestore_bytes(
    write_bytes: float, *, data_members: float, parities: float, metadata_bytes: float
) -> float:
    r"""Bytes at the drives of all nodes for a write to Ceph.

    .. math:: W = (d + t\,m)\,B + (\min(d, k) + m)\,M, \quad d = \lceil s/B \rceil, \quad
              t = \lceil d/k \rceil

    Args:
        write_bytes: Size of the write, s. [bytes]
        data_members: Data chunks of a stripe, k; 1 with copies. [1]
        parities: Parity chunks of a stripe, m; further copies where k is 1. [1]
        metadata_bytes: What the metadata of a write to one drive costs there, with log and
            compaction, M: unknown, 6 to 14 kB. [bytes]

    Returns:
        Bytes at all drives, W. [bytes]

    Raises:
        DomainError: Unless write_bytes is > 0 and finite, metadata_bytes >= 0 and finite,
            data_members a whole number >= 1 and parities one >= 0.

    Notes:
        Valid for drives of flash, where no write is deferred, chunks of B = 4 KiB, and writes that
        begin with a stripe; not counted here. What a part of a stripe must read is not included.
        Source: blocks of the allocation unit, and metadata in a log-structured tree [1]_; M is
        assumed, so that three copies of 4 KiB reach the more than 13 times of [2]_ with its largest
        value.

    Examples:
        Three copies of 4 KiB; 64 KiB in stripes of 4 and 2:

        >>> bluestore_bytes(4096, data_members=1, parities=2, metadata_bytes=14336) / 4096
        13.5
        >>> bluestore_bytes(65536, data_members=4, parities=2, metadata_bytes=10240) / 65536
        2.4375
    """
    (size,) = _check.finite(write_bytes=write_bytes)
    (width,) = _check.count(data_members=data_members)
    (parity,) = _check.whole(parities=parities)
    (metadata,) = _check.from_zero(metadata_bytes=metadata_bytes)
    chunks = np.ceil(np.asarray(size) / CHUNK_BYTES)
    stripes = np.ceil(chunks / width)
    written = (chunks + stripes * parity) * CHUNK_BYTES
    return _check.plain(written + (np.minimum(chunks, width) + parity) * metadata)

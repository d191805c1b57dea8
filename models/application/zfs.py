r"""ZFS: records, indirect blocks and the intent log, per second. Not counted with a pool.

References:
    .. [1] openzfs/zfs issue 17677 (5 GiB of random synced writes: 2.07 times on a volume of 16 KiB,
       3.07 times with copies=2).
"""

import numpy as np

from models import _check
from models.application._distinct import distinct

INDIRECT_BYTES = 131_072
POINTERS = 1024
HEADER_BYTES = 192
BLOCK_BYTES = 4096


def record_bytes_per_s(
    writes_per_s: float, *, record_bytes: float, span_bytes: float, flush_s: float
) -> float:
    r"""Bytes of records that transaction groups write for writes at random.

    .. math:: W = U(S/R,\ w \tau)\, R/\tau

    Args:
        writes_per_s: Writes per second, each within a record, w. [1/s]
        record_bytes: recordsize or volblocksize, R. [bytes]
        span_bytes: Data that is written at random, S. [bytes]
        flush_s: Time between transaction groups, tau: zfs_txg_timeout, 5 s. [s]

    Returns:
        Bytes per second, before RAID-Z, copies and compression. [bytes/s]

    Raises:
        DomainError: Unless all are > 0 and finite and span_bytes is at least record_bytes.

    Notes:
        Valid for groups that end by time. With the intent log, 3.5 % below one published run [1]_
        on a volume of 16 KiB; not counted here. Source: a record is written whole, once a group.

    Examples:
        75 writes of 4 KiB a second to 64 GiB in records of 16 KiB:

        >>> round(record_bytes_per_s(75, record_bytes=16384, span_bytes=2**36, flush_s=5))
        1228745
    """
    rate, record, span, period = _check.finite(
        writes_per_s=writes_per_s, record_bytes=record_bytes, span_bytes=span_bytes, flush_s=flush_s
    )
    _check.require(np.asarray(span) >= record, "span_bytes", ">= record_bytes", span)
    return _check.plain(distinct(span / record, rate * period) * record / period)


def zfs_metadata_bytes_per_s(
    writes_per_s: float,
    *,
    record_bytes: float,
    span_bytes: float,
    flush_s: float,
    stored_fraction: float,
) -> float:
    r"""Bytes of indirect blocks that transaction groups write for writes at random.

    .. math:: W = \frac{2 c\, I}{\tau} \sum_{k \ge 1} U(S/(1024^k R),\ w \tau)

    Args:
        writes_per_s: Writes per second, each within a record, w. [1/s]
        record_bytes: recordsize or volblocksize, R. [bytes]
        span_bytes: Data that is written at random, S. [bytes]
        flush_s: Time between transaction groups, tau. [s]
        stored_fraction: Size of indirect blocks after compression, c: unknown, 0.05 to 0.5. [1]

    Returns:
        Bytes per second. [bytes/s]

    Raises:
        DomainError: Unless stored_fraction is in (0, 1], the others are > 0 and finite, and
            span_bytes is at least record_bytes.

    Notes:
        Valid for indirect blocks of 128 KiB, each written twice, three levels of them; without what
        a group writes in any case. A range of four, by c; not counted here. Source: layout of the
        tree.

    Examples:
        >>> [round(zfs_metadata_bytes_per_s(75, record_bytes=16384, span_bytes=2**36, flush_s=5,
        ...        stored_fraction=c) / 1e6, 2) for c in (0.05, 0.15, 0.5)]
        [0.95, 2.86, 9.53]
    """
    rate, record, span, period = _check.finite(
        writes_per_s=writes_per_s, record_bytes=record_bytes, span_bytes=span_bytes, flush_s=flush_s
    )
    _check.require(np.asarray(span) >= record, "span_bytes", ">= record_bytes", span)
    (stored,) = _check.share(stored_fraction=stored_fraction)
    blocks = sum(distinct(span / record / POINTERS**level, rate * period) for level in (1, 2, 3))
    return _check.plain(2 * stored * INDIRECT_BYTES * np.asarray(blocks) / period)


def intent_log_bytes_per_s(writes_per_s: float, *, write_bytes: float) -> float:
    r"""Bytes of the intent log for writes that are synced.

    .. math:: W = w B \lceil (s + 192)/B \rceil

    Args:
        writes_per_s: Synced writes per second, w. [1/s]
        write_bytes: Size of a write, s. [bytes]

    Returns:
        Bytes per second; a separate log device receives these and no more. [bytes/s]

    Raises:
        DomainError: Unless writes_per_s is >= 0 and finite and write_bytes > 0 and finite.

    Notes:
        Valid for writes smaller than a record, each synced alone; an upper bound where several
        share a block of the log. Source: log blocks are whole blocks of 4 KiB, with a header.

    Examples:
        >>> intent_log_bytes_per_s(37.5, write_bytes=4096)
        307200.0
    """
    (rate,) = _check.from_zero(writes_per_s=writes_per_s)
    (size,) = _check.finite(write_bytes=write_bytes)
    return _check.plain(rate * BLOCK_BYTES * np.ceil((size + HEADER_BYTES) / BLOCK_BYTES))

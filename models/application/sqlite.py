r"""SQLite: pages of a transaction, and the bytes of its log, its journal and its checkpoints.

References:
    .. [1] "Database File Format", SQLite documentation, sections 1.6 (pages of trees), 2.1
       (records) and 4 (frames of the write-ahead log: 24 bytes before each page).
    .. [2] "Atomic Commit In SQLite", SQLite documentation (rollback journals: 8 bytes a page).
"""

from typing import NamedTuple

import numpy as np

from models import _check

FRAME_BYTES = 24
BLOCK_BYTES = 4096
GRANULE_BYTES = 8


class SqliteBytes(NamedTuple):
    """Bytes per transaction, as numbers or arrays: passed to the file system, and at the drive."""

    file_bytes: float
    device_bytes: float


def table_pages(rows: float, *, row_bytes: float, db_page_bytes: float) -> float:
    r"""Leaf pages of a table that was filled in the order of its row ids.

    .. math:: N = \frac{n}{\lfloor (P - 8)/c \rfloor}, \quad c = s + 4 + v(s + 4) + v(n) + 2

    Args:
        rows: Rows, n. [1]
        row_bytes: Bytes of the values of a row, s. [bytes]
        db_page_bytes: Page of the database, P. [bytes]

    Returns:
        Leaf pages, at least 1. [1]

    Raises:
        DomainError: Unless rows is >= 1 and finite, db_page_bytes a whole number and row_bytes > 0
            and at most db_page_bytes - 39.

    Notes:
        Valid for rows of one text or blob, the row id as key, that fit on a page; within 0.5 % of
        the pages counted. A record has a header of 4 bytes, its length and row id are v bytes each,
        and a page a header of 8 and 2 bytes a record. Source: format of the file [1]_.

    Examples:
        100,000 rows of 107 bytes; SQLite 3.40 took 2,928 leaves:

        >>> round(table_pages(100_000, row_bytes=107, db_page_bytes=4096))
        2941
    """
    (count,) = _check.finite(rows=rows)
    _check.require(np.asarray(count) >= 1, "rows", ">= 1", count)
    (size,) = _check.finite(row_bytes=row_bytes)
    (page,) = _check.count(db_page_bytes=db_page_bytes)
    _check.require(np.asarray(size) <= page - 39, "row_bytes", "<= db_page_bytes - 39", size)
    record = _check.plain(np.asarray(size) + 4)
    cell = record + _varint_bytes(record) + _varint_bytes(count) + 2
    return _check.plain(np.maximum(count / np.floor((page - 8) / cell), 1.0))


def appended_pages(rows: float, *, rows_per_page: float) -> float:
    r"""Pages of a table that a transaction changes which appends rows.

    .. math:: d = 1 + g + 2 \min(1, g), \quad g = b/k

    Args:
        rows: Rows of the transaction, b. [1]
        rows_per_page: Rows of a full page, k. [1]

    Returns:
        Pages changed. [1]

    Raises:
        DomainError: Unless both are > 0 and finite.

    Notes:
        Valid for row ids in ascending order; within 5 % of the bytes counted. Where b divides k, or
        k divides b, and pages end with transactions, one page less is changed for each page of
        growth. Source: old and new leaves, and the page above and the first page of the file where
        a leaf is added.

    Examples:
        >>> appended_pages([10, 100], rows_per_page=40).tolist()
        [1.75, 5.5]
    """
    count, held = _check.finite(rows=rows, rows_per_page=rows_per_page)
    growth = np.asarray(count / held)
    return _check.plain(1 + growth + 2 * np.minimum(growth, 1.0))


def ring_pages(rows: float, *, rows_per_page: float) -> float:
    r"""Pages of a table that a transaction changes which appends rows and deletes the oldest ones.

    .. math:: d = 2 + g + \min(7.6\,g,\ 4.4), \quad g = b/k

    Args:
        rows: Rows of the transaction, b. [1]
        rows_per_page: Rows of a full page, k. [1]

    Returns:
        Pages changed. [1]

    Raises:
        DomainError: Unless both are > 0 and finite.

    Notes:
        Valid for row ids in ascending order and pages of 4 KiB or more; within 8 % of the pages
        counted in nine tables of more than 500 pages, to which 7.6 and 4.4 are fitted, and within
        17 % in twelve of fewer, which have one page above all others. Source: both ends of the
        table, and the pages that fill; each that empties changes the list of free pages, its
        neighbours and those above, which are the same for all that empty in a transaction.

    Examples:
        3.86, 6.64 and 8.32 pages were counted:

        >>> ring_pages([5, 20, 10], rows_per_page=[23, 38, 8]).round(2).tolist()
        [3.87, 6.53, 7.65]
    """
    count, held = _check.finite(rows=rows, rows_per_page=rows_per_page)
    growth = np.asarray(count / held)
    return _check.plain(2 + growth + np.minimum(7.6 * growth, 4.4))


def indexed_pages(rows: float, *, rows_per_page: float) -> float:
    r"""Pages of an index that a transaction changes which appends entries in ascending order.

    .. math:: d = 1 + g + 1.8 \left(1 - e^{-14.7 g}\right), \quad g = b/k

    Args:
        rows: Rows of the transaction, b. [1]
        rows_per_page: Entries on a full page of the index, k. [1]

    Returns:
        Pages changed. [1]

    Raises:
        DomainError: Unless both are > 0 and finite.

    Notes:
        Valid for entries of some 17 bytes on pages of 4,096 and 1 to 25 rows a transaction, where
        1.8 and 14.7 are fitted to counted pages, within 8 %. Source: a full last leaf is balanced
        with its neighbours, which leaves it nearly full, so that it is balanced several times
        before the tree has grown by a page.

    Examples:
        1.11, 2.0 and 2.45 pages were counted for 1, 10 and 25 rows:

        >>> indexed_pages([1, 10, 25], rows_per_page=227).round(2).tolist()
        [1.12, 1.9, 2.55]
    """
    count, held = _check.finite(rows=rows, rows_per_page=rows_per_page)
    growth = np.asarray(count / held)
    return _check.plain(1 + growth - 1.8 * np.expm1(-14.7 * growth))


def checkpoint_transactions(changed_pages: float, *, checkpoint_pages: float) -> float:
    r"""Transactions from one checkpoint of the write-ahead log to the next.

    .. math:: t = \lceil C/d \rceil

    Args:
        changed_pages: Pages that a transaction changes, d. [1]
        checkpoint_pages: Pages in the log at which it is copied back, C: 1,000 by default. [1]

    Returns:
        Transactions, a whole number. [1]

    Raises:
        DomainError: Unless both are > 0 and finite.

    Notes:
        Valid for one writer and checkpoints that no reader holds back; exact for transactions of
        one size. Source: the commit that brings the log to C pages copies it back [1]_.

    Examples:
        >>> checkpoint_transactions(20, checkpoint_pages=1010)
        51.0
    """
    changed, limit = _check.finite(changed_pages=changed_pages, checkpoint_pages=checkpoint_pages)
    return _check.plain(np.ceil(limit / changed))


def wal_bytes(
    changed_pages: float,
    *,
    db_page_bytes: float,
    checkpoint_pages: float,
    copied_pages: float,
    synced_fraction: float,
) -> SqliteBytes:
    r"""Bytes of a transaction with a write-ahead log, its share of a checkpoint included.

    .. math:: W = d (P + 24) + f (B - 8) + U P/t, \quad t = \lceil C/d \rceil

    Args:
        changed_pages: Pages that a transaction changes, d. [1]
        db_page_bytes: Page of the database, P. [bytes]
        checkpoint_pages: Pages in the log at which it is copied back, C. [1]
        copied_pages: Distinct pages of the t transactions between two checkpoints, U. [1]
        synced_fraction: Share of the transactions that are flushed, f: 1 with synchronous=FULL, 0
            with NORMAL. [1]

    Returns:
        Bytes passed to the file system, without the term of B; bytes at the drive. [bytes]

    Raises:
        DomainError: Unless changed_pages, checkpoint_pages and copied_pages are > 0 and finite,
            db_page_bytes is a whole number and synced_fraction in [0, 1].

    Notes:
        Valid for one writer, checkpoints that no reader holds back and a log at its full length;
        within 0.5 % of the bytes counted for updates, 8 % for inserts. The journal of the file
        system is not included: none on ext4 and xfs, 30 blocks a commit on btrfs. Source: format of
        the log [1]_; the last block of a flushed log is written again.

    Examples:
        One row of 2,941 pages at a time; 7,585 and 11,702 bytes were counted:

        >>> from models.dram_cache import unique_pages
        >>> copied = unique_pages(1000, request_shares=[1], class_pages=[2941])
        >>> got = wal_bytes(1, db_page_bytes=4096, checkpoint_pages=1000, copied_pages=copied,
        ...                 synced_fraction=1)
        >>> [round(value) for value in got]
        [7593, 11681]
    """
    (page,) = _check.count(db_page_bytes=db_page_bytes)
    (copied,) = _check.finite(copied_pages=copied_pages)
    (synced,) = _check.fraction(synced_fraction=synced_fraction)
    transactions = checkpoint_transactions(changed_pages, checkpoint_pages=checkpoint_pages)
    changed = np.asarray(changed_pages, float)
    files = changed * (page + FRAME_BYTES) + copied * page / transactions
    return SqliteBytes(
        _check.plain(files + 0 * synced),
        _check.plain(files + synced * (BLOCK_BYTES - GRANULE_BYTES)),
    )


def rollback_bytes(
    changed_pages: float, *, db_page_bytes: float, metadata_blocks: float
) -> SqliteBytes:
    r"""Bytes of a transaction with a rollback journal.

    .. math:: W = B \left\lceil \frac{512 + D (P + 8)}{B} \right\rceil + B + D P + m B, \quad
              D = d + 1

    Args:
        changed_pages: Pages that a transaction changes, d, without the first of the file. [1]
        db_page_bytes: Page of the database, P. [bytes]
        metadata_blocks: Blocks that the file system writes for it, m: 8 (DELETE), 11 (TRUNCATE) or
            4 (PERSIST) on ext4, 0.8 (DELETE) on xfs. [1]

    Returns:
        Bytes passed to the file system, 512 + D (P + 8) + 12 + D P; bytes at the drive. [bytes]

    Raises:
        DomainError: Unless changed_pages is > 0 and finite, db_page_bytes a whole number and
            metadata_blocks >= 0 and finite.

    Notes:
        Valid for synchronous=FULL and one writer; within 0.2 % of the bytes counted once m is
        known. Source: [2]_; the first page holds the counter of changes, and the header of the
        journal is written twice.

    Examples:
        16,924 and 57,477 bytes were counted:

        >>> [round(value) for value in rollback_bytes(1, db_page_bytes=4096, metadata_blocks=8)]
        [16924, 57344]
    """
    (changed,) = _check.finite(changed_pages=changed_pages)
    (page,) = _check.count(db_page_bytes=db_page_bytes)
    (metadata,) = _check.from_zero(metadata_blocks=metadata_blocks)
    pages = np.asarray(changed) + 1
    journal = 512 + pages * (page + 8)
    blocks = np.ceil(journal / BLOCK_BYTES) + 1 + metadata
    return SqliteBytes(
        _check.plain(journal + 12 + pages * page + 0 * metadata),
        _check.plain(blocks * BLOCK_BYTES + pages * page),
    )


def _varint_bytes(value: float) -> float:
    """Return the bytes that a number takes in a record, for numbers below 2^35."""
    number = np.asarray(value)
    return _check.plain(sum(1.0 * (number >= 2.0 ** (7 * more)) for more in range(5)))

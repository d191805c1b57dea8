r"""PostgreSQL: log, images of pages and checkpoints of a cycle from checkpoint to checkpoint.

References:
    .. [1] "Reliability and the Write-Ahead Log", PostgreSQL 15, chapter 30: full_page_writes,
       checkpoint_timeout, max_wal_size, checkpoint_completion_target.
"""

import numpy as np

from models import _check
from models.application._distinct import distinct


def image_wal_bytes(
    row_changes: float, *, change_bytes: float, image_pages: float, image_bytes: float
) -> float:
    r"""Bytes of the write-ahead log in a cycle, images of pages included.

    .. math:: W = M r + U h

    Args:
        row_changes: Rows changed in the cycle, M. [1]
        change_bytes: Log of one change, its share of the commit included, r: 140 bytes and what was
            changed for an update that touches no index. [bytes]
        image_pages: Distinct pages changed in the cycle, U. [1]
        image_bytes: Used part of a page, h; 0 without full_page_writes. [bytes]

    Returns:
        Bytes of log, W. [bytes]

    Raises:
        DomainError: Unless row_changes, image_pages and image_bytes are >= 0 and finite, and
            change_bytes > 0 and finite.

    Notes:
        Valid without replication slots, autovacuum and hint bits; within 1.4 % of the bytes counted
        in nine cycles, of which two set r and h. Source: the first change of a page after a
        checkpoint logs the whole page [1]_.

    Examples:
        20,000 updates of 4,304 pages, 70 % full; 29.45 MB were counted:

        >>> image_wal_bytes(20_000, change_bytes=224, image_pages=4304, image_bytes=5764) / 1e6
        29.288256
    """
    changes, pages, image = _check.from_zero(
        row_changes=row_changes, image_pages=image_pages, image_bytes=image_bytes
    )
    (record,) = _check.finite(change_bytes=change_bytes)
    return changes * record + pages * image


def checkpoint_bytes(image_pages: float, *, db_page_bytes: float, fixed_bytes: float) -> float:
    r"""Bytes of data that a checkpoint writes.

    .. math:: W = U P + w_0

    Args:
        image_pages: Distinct pages changed in the cycle, or evicted ones if more, U. [1]
        db_page_bytes: Page of the database, P: 8,192 bytes. [bytes]
        fixed_bytes: Commit log, control file and metadata of the file system, w_0: 0.2 to 0.4 MB.
            [bytes]

    Returns:
        Bytes at the drive, W. [bytes]

    Raises:
        DomainError: Unless image_pages and fixed_bytes are >= 0 and finite and db_page_bytes a
            whole number.

    Notes:
        Valid for buffers that hold the working set; within 7 % of the bytes counted. Source: each
        changed page is written once a cycle [1]_.

    Examples:
        >>> checkpoint_bytes(4304, db_page_bytes=8192, fixed_bytes=3e5) / 1e6
        35.558368
    """
    pages, fixed = _check.from_zero(image_pages=image_pages, fixed_bytes=fixed_bytes)
    (page,) = _check.count(db_page_bytes=db_page_bytes)
    return pages * page + fixed


def evicted_pages(row_changes: float, *, hit_ratio: float) -> float:
    r"""Pages written before the checkpoint because the buffers are too small.

    .. math:: E = M (1 - h)

    Args:
        row_changes: Rows changed, each on a page of its own, M. [1]
        hit_ratio: Share of the changes that find their page in the buffers, h. [1]

    Returns:
        Pages written; where it is above the distinct pages, it takes their place. [1]

    Raises:
        DomainError: Unless row_changes is >= 0 and finite and hit_ratio in [0, 1].

    Notes:
        Valid where every change makes its page dirty, and no background writer cleans it before;
        4.4 % above the pages counted. Source: a page that comes in pushes out one that was changed.

    Examples:
        40,000 updates of 4,348 pages, 1,400 of which are in memory; 26,009 were counted:

        >>> round(evicted_pages(40_000, hit_ratio=1400 / 4348))
        27121
    """
    (changes,) = _check.from_zero(row_changes=row_changes)
    (hits,) = _check.fraction(hit_ratio=hit_ratio)
    return changes * (1 - hits)


def cycle_s(
    changes_per_s: float,
    *,
    change_bytes: float,
    image_pages: float,
    image_bytes: float,
    wal_limit_bytes: float,
    checkpoint_timeout_s: float,
) -> float:
    r"""Time from checkpoint to checkpoint.

    .. math:: \tau = \min\left(\tau_0,\ \tau: x \tau r + N \left(1 - (1 - 1/N)^{x \tau}\right) h
              = W_0\right)

    Args:
        changes_per_s: Rows changed per second, x. [1/s]
        change_bytes: Log of one change, r. [bytes]
        image_pages: Pages that are changed at random, N. [1]
        image_bytes: Used part of a page, h; 0 without full_page_writes. [bytes]
        wal_limit_bytes: Log at which a checkpoint begins, W_0: max_wal_size over 1 +
            checkpoint_completion_target. [bytes]
        checkpoint_timeout_s: checkpoint_timeout, tau_0: 300 s by default. [s]

    Returns:
        Length of a cycle. [s]

    Raises:
        DomainError: Unless image_pages is >= 1 and finite, image_bytes >= 0 and finite and the
            others > 0 and finite.

    Notes:
        Valid for a steady load of equally likely pages. Source: [1]_; the log grows with time, so
        that the time is the only root, by bisection to 1e-12.

    Examples:
        2,000 updates a second of 280,000 pages, 90 % full, with 1 GB and with 32 GB of log:

        >>> cycle = cycle_s(2000, change_bytes=340, image_pages=280e3, image_bytes=7290,
        ...                 wal_limit_bytes=[1e9 / 1.9, 32e9 / 1.9], checkpoint_timeout_s=300)
        >>> cycle.round(1).tolist()
        [39.3, 300.0]
    """
    rate, record, limit, timeout = _check.finite(
        changes_per_s=changes_per_s,
        change_bytes=change_bytes,
        wal_limit_bytes=wal_limit_bytes,
        checkpoint_timeout_s=checkpoint_timeout_s,
    )
    (pages,) = _check.finite(image_pages=image_pages)
    _check.require(np.asarray(pages) >= 1, "image_pages", ">= 1", pages)
    (image,) = _check.from_zero(image_bytes=image_bytes)
    high = np.minimum(np.asarray(timeout), limit / (rate * record)) + 0.0 * (pages + image)
    low = np.zeros_like(high)
    for _ in range(60):
        middle = (low + high) / 2
        log = rate * middle * record + distinct(pages, rate * middle) * image
        low, high = np.where(log < limit, middle, low), np.where(log < limit, high, middle)
    whole = rate * timeout * record + distinct(pages, rate * timeout) * image <= limit
    return _check.plain(np.where(whole, timeout, high))

r"""Stores of pages with a log: records, images, flushes, pages and checkpoints.

References:
    .. [1] "Reliability and the Write-Ahead Log", PostgreSQL 15, chapter 30.
    .. [2] "InnoDB Checkpoints" and "Doublewrite Buffer", MySQL 8.0 Reference Manual.
    .. [3] "Snapshots and Checkpoints", WiredTiger documentation of MongoDB.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.application.access import Access, leaving_fraction, uniform, unique_pages
from models.application.access import aged_pages as _aged_pages
from models.application.log import GROWTH, Growth, flushed_log_bytes, growth_blocks

Floats = NDArray[np.float64]

BLOCK_BYTES = 4096.0
STEPS = 40
CLOSE = 1e-9


class Relation(NamedTuple):
    """A table or an index: pages at random, pages in order, or both; numbers or arrays.

    Attributes:
        access: Pages that are changed at random.
        touches: Changes of such pages per change of a row.
        ordered_pages: Pages per change of a row that are filled, or emptied, one after the other.
        image_bytes: Bytes of a page that go to the log with its first change since a checkpoint.
        page_bytes: A page as it is written, after compression.
        copies: Writes of a page that exists, 2 with doublewrite.
        new_copies: Writes of a page of `ordered_pages`.
        hit_ratio: Share of the changes that find their page in memory.
        alike: Number of such tables or indexes.
    """

    access: Access = uniform(1.0)
    touches: float = 0.0
    ordered_pages: float = 0.0
    image_bytes: float = 0.0
    page_bytes: float = 8192.0
    copies: float = 1.0
    new_copies: float = 1.0
    hit_ratio: float = 1.0
    alike: float = 1.0


class Log(NamedTuple):
    """The log: bytes of a change of a row, what a flush writes whole, and how the file grows."""

    record_bytes: float
    block_bytes: float = BLOCK_BYTES
    granule_bytes: float = 8.0
    growth: Growth = GROWTH["reused"]


class Checkpoint(NamedTuple):
    """Control of the writes of changed pages: a time, bytes of log, or an age in bytes of log."""

    timeout_s: float = np.inf
    log_bytes: float = np.inf
    age_bytes: float | None = None
    fixed_bytes: float = 0.0


class PageStoreRates(NamedTuple):
    """Rates per second at a drive, and the time of a cycle, as numbers or arrays."""

    log_bytes_per_s: float
    images_per_s: float
    pages_per_s: float
    log_device_bytes_per_s: float
    page_bytes_per_s: float
    doublewrite_bytes_per_s: float
    cycle_s: float

    @property
    def device_bytes_per_s(self) -> float:
        """Bytes per second at the drive."""
        return self.log_device_bytes_per_s + self.page_bytes_per_s + self.doublewrite_bytes_per_s


def page_store(
    changes_per_s: float,
    *,
    flushes_per_s: float,
    relations: Sequence[Relation],
    log: Log,
    checkpoint: Checkpoint,
) -> PageStoreRates:
    r"""Bytes at the drive of a store of pages with a log, per second.

    .. math:: W = \frac{1}{T}\left[w + F (B - g + m\,B_f) + \sum_i P_i (c_i v_i + c'_i g_i)
              + w_0\right], \quad w = k r + \sum_i h_i (U_i(k) + g_i), \quad k = x T

    with :math:`v_i = \max(U_i(t_i k),\ t_i k (1 - q_i))` by checkpoints, where T is the time-out or
    the time in which w reaches its limit, and :math:`v_i = t_i k \sum_j m_j/(1 + t_i k m_j/n_j)` by
    age, where k = age/r.

    Args:
        changes_per_s: Rows changed per second, x. [1/s]
        flushes_per_s: Flushes of the log per second, F/T. [1/s]
        relations (sequence of Relation): Tables and indexes: their pages, and how often a change of
            a row touches them. [1]
        log: Bytes of a change, r, block B, its granule g, and what growth of the file costs. [1]
        checkpoint: When pages are written, and the bytes w_0 beside them. [1]

    Returns:
        Bytes of log, images, pages and bytes at the drive per second; the time of a cycle, T. [1]

    Raises:
        DomainError: Unless changes_per_s is > 0 and finite, flushes_per_s >= 0 and finite and the
            checkpoints come by a time-out, a log or an age that is > 0 and finite.

    Notes:
        Valid for a steady load and independent changes. Within 8 % of the bytes counted in 27 loads
        of PostgreSQL, 2.2 % in the mean; the errors of each engine are in the tests. Without
        vacuum, splits of wide leaves and replication. Source: [1]_, [2]_, [3]_; counted.

    Examples:
        300 updates a second of 200,000 rows of 200 bytes in PostgreSQL, a checkpoint a minute;
        2,878 bytes of log, 0.344 images and 13,419 bytes at the drive were counted:

        >>> table = Relation(uniform(200_000 / 31), touches=1, image_bytes=7340)
        >>> rates = page_store(301, flushes_per_s=284, relations=[table],
        ...                    log=Log(340, block_bytes=8192),
        ...                    checkpoint=Checkpoint(timeout_s=60, fixed_bytes=3e5))
        >>> [round(value / 301, 3) for value in (rates.log_bytes_per_s, rates.images_per_s)]
        [2802.558, 0.335]
        >>> round(rates.device_bytes_per_s / 301)
        13289
    """
    (rate,) = _check.finite(changes_per_s=changes_per_s)
    (flushes,) = _check.from_zero(flushes_per_s=flushes_per_s)
    (record,) = _check.finite(record_bytes=log.record_bytes)
    if checkpoint.age_bytes is None:
        cycle = _cycle_s(np.asarray(rate), relations, log, checkpoint)
        random = [_checkpointed(rate * cycle, relation) for relation in relations]
    else:
        (age,) = _check.finite(age_bytes=checkpoint.age_bytes)
        cycle = np.asarray(age / record / rate)
        random = [_aged(rate * cycle, relation) for relation in relations]
    changes = rate * cycle
    ordered = [_ordered(changes, relation) for relation in relations]
    images: Floats = np.zeros_like(cycle)
    logged, pages, copied = changes * record, 0.0 * cycle, 0.0 * cycle
    data = 0.0 * cycle + checkpoint.fixed_bytes
    for relation, at_random, in_order in zip(relations, random, ordered, strict=True):
        imaged = _imaged(changes, relation)
        images = images + np.where(np.asarray(relation.image_bytes) > 0, imaged, 0.0)
        logged = logged + imaged * relation.image_bytes
        written = at_random + relation.new_copies * in_order
        pages = pages + written
        data = data + written * relation.page_bytes
        copied = copied + (relation.copies - 1) * at_random * relation.page_bytes
    log_rate = logged / cycle
    log_device = _log_device_bytes_per_s(log_rate, flushes, log)
    per_cycle = (part / cycle for part in (images, pages, data, copied))
    images_rate, pages_rate, data_rate, copied_rate = map(_check.plain, per_cycle)
    return PageStoreRates(
        log_bytes_per_s=_check.plain(log_rate),
        images_per_s=images_rate,
        pages_per_s=pages_rate,
        log_device_bytes_per_s=_check.plain(log_device),
        page_bytes_per_s=data_rate,
        doublewrite_bytes_per_s=copied_rate,
        cycle_s=_check.plain(cycle),
    )


def new_table_hot_fraction(row_changes: float, *, access: Access) -> float:
    r"""Share of updates that find room on their page, in a table that was filled whole.

    .. math:: H = 1 - U(M)/M

    Args:
        row_changes: Updates since the table was loaded, M. [1]
        access: Classes of its pages. [1]

    Returns:
        Share of the updates that are heap-only (HOT) in PostgreSQL, H. [1]

    Raises:
        DomainError: Unless row_changes is > 0 and finite.

    Notes:
        Valid for fillfactor 100 and a table that was loaded lately; 0.700 and 0.311 were counted
        where this gives 0.699 and 0.314. Old tables have more room. Source: the first update of a
        page finds no room, later ones what it left.

    Examples:
        >>> round(new_table_hot_fraction(20_000, access=uniform(6250)), 2)
        0.7
    """
    (changes,) = _check.finite(row_changes=row_changes)
    return _check.plain(1 - np.asarray(unique_pages(changes, access=access)) / changes)


def _log_device_bytes_per_s(log_rate: Floats, flushes: float, log: Log) -> Floats:
    often = np.maximum(np.asarray(flushes, float), 1e-12)
    appended = log_rate / often
    blocks = growth_blocks(_check.plain(appended), **log.growth._asdict())
    written = flushed_log_bytes(
        _check.plain(log_rate),
        flushes=flushes,
        file_block_bytes=log.block_bytes,
        granule_bytes=log.granule_bytes,
    )
    return np.asarray(written + flushes * blocks * BLOCK_BYTES)


def _touched(changes: Floats, relation: Relation) -> Floats:
    return np.asarray(
        unique_pages(_check.plain(changes * relation.touches), access=relation.access)
    )


def _imaged(changes: Floats, relation: Relation) -> Floats:
    return np.asarray(
        relation.alike * (_touched(changes, relation) + changes * relation.ordered_pages)
    )


def _checkpointed(changes: Floats, relation: Relation) -> Floats:
    evicted = changes * relation.touches * (1 - np.asarray(relation.hit_ratio))
    return np.asarray(relation.alike * np.maximum(_touched(changes, relation), evicted))


def _aged(changes: Floats, relation: Relation) -> Floats:
    touches = np.asarray(changes * relation.touches)
    written = np.asarray(_aged_pages(_check.plain(touches), access=relation.access))
    pages = np.maximum(written, 1 - np.asarray(relation.hit_ratio))
    return np.asarray(relation.alike * touches * pages)


def _ordered(changes: Floats, relation: Relation) -> Floats:
    """Return the pages filled in order, and the one on which the checkpoint finds them."""
    passed = np.asarray(changes * relation.ordered_pages)
    return np.asarray(relation.alike * (passed + (passed > 0)))


def _cycle_s(
    rate: Floats, relations: Sequence[Relation], log: Log, checkpoint: Checkpoint
) -> Floats:
    """Return the time-out, or the time in which the log is full, by Newton from below.

    The log grows ever slower, so that its tangent never passes the root.
    """
    timeout, limit = np.asarray(checkpoint.timeout_s), np.asarray(checkpoint.log_bytes)
    has_end = (timeout > 0) & (limit > 0) & (np.isfinite(timeout) | np.isfinite(limit))
    _check.require(has_end, "checkpoint", "by a time or a log that is > 0 and finite", timeout)
    imaged = [each for each in relations if np.any(each.image_bytes)]
    steady = log.record_bytes + sum(
        np.asarray(each.alike * each.image_bytes) * each.ordered_pages for each in imaged
    )
    changes: Floats = np.zeros(np.broadcast(rate, limit, steady).shape)
    for _ in range(STEPS):
        logged, slope = changes * steady, 0.0 * changes + steady
        for each in imaged:
            touches = _check.plain(changes * each.touches)
            image = np.asarray(each.alike * each.image_bytes)
            logged = logged + image * unique_pages(touches, access=each.access)
            leaving = leaving_fraction(touches, access=each.access)
            slope = slope + image * each.touches * leaving
        missing = np.where(np.isfinite(limit), limit - logged, 0.0)
        changes = changes + missing / slope
        if np.all(np.abs(missing) <= CLOSE * np.where(np.isfinite(limit), limit, 1.0)):
            break
    full = np.where(np.isfinite(limit), changes / rate, np.inf)
    return np.asarray(np.minimum(timeout, full))

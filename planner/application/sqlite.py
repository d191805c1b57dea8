"""SQLite, and Home Assistant on it: logs, journals and checkpoints as streams."""

from typing import Any

import numpy as np

from models.application import (
    Access,
    appended_pages,
    checkpoint_transactions,
    indexed_pages,
    ring_pages,
    rollback_bytes,
    table_pages,
    uniform,
    unique_pages,
    wal_bytes,
)
from models.errors import DomainError
from models.units import DAY_S
from planner.application.load import CommitLoad, DeviceLoad, Stream, corrected, flushed, journalled
from planner.application.presets import Values, number

SEGMENT_BYTES = 131_072.0  # of a log that the page cache writes back by itself
TREE_BYTES = 20.0  # header of a page, and what its records leave free
UPDATED_PAGES = 2.05  # pages of an index that an update changes: old and new place, counted
INSERTED_PAGES = 1.2  # the same of an insert, with its share of balancing
CHECKPOINT_FLUSHES = 4.0
# Of a recorder: pages of an index by entity that split for each one filled, in a commit and, as
# they meet, in a checkpoint; entries of an index that the last states of all entities are among.
SPLITS, MET_SPLITS, RECENT = 3.0, 1.2, 2.0
ATTRIBUTE_BYTES = 190.0
BANDS = 32  # of entities by their activity
RING_PAGES = 6.0  # of a checkpoint beside those that are freed and filled again, counted
ROLLBACK_FLUSHES = 4.0


def sqlite_wal(values: Values) -> DeviceLoad:
    """Return the load of updates by random row id with a write-ahead log."""
    batch, rate = _batch(values), number(values, "transactions_per_s")
    pages, index = _table_pages(values), _index_pages(values, number(values, "rows"))
    indexes = number(values, "random_indexes")

    def distinct(count: Any) -> Any:
        return _distinct(count, pages) + indexes * _distinct(UPDATED_PAGES * count, index)

    changed = distinct(batch)
    transactions = checkpoint_transactions(
        changed, checkpoint_pages=number(values, "checkpoint_pages")
    )
    application = rate * batch * number(values, "row_bytes")
    return _logged(
        values, application, rate, changed, distinct(batch * transactions), pages + indexes * index
    )


def home_assistant(values: Values) -> DeviceLoad:
    """Return the load of a recorder: rows appended, and indexes by time, entity and at random."""
    commit_s, page = number(values, "commit_s"), number(values, "page_bytes")
    batch = number(values, "rows_per_s") * commit_s
    rows = np.maximum(number(values, "rows_per_s") * number(values, "kept_days") * DAY_S, 1.0)
    held = np.maximum(rows / _table_pages(values, rows), 1.0)
    entries = (page - TREE_BYTES) / number(values, "index_entry_bytes")
    ordered, random = number(values, "ordered_indexes"), number(values, "random_indexes")
    index, by_entity = _index_pages(values, rows), number(values, "entity_indexes")
    active, pages_of_entities = _active(number(values, "entities")), index
    recent = np.maximum(RECENT * number(values, "entities") / entries, 1.0)
    new = number(values, "new_attributes")
    attributes = (page - TREE_BYTES) / ATTRIBUTE_BYTES
    of_attributes = np.maximum(new * index, 1.0)

    def touched(count: Any, splits: float) -> Any:
        ends = np.minimum(unique_pages(count, access=active), _distinct(count, pages_of_entities))
        return (
            random * _distinct(INSERTED_PAGES * count, index)
            + by_entity * (ends + splits * count / entries)
            + (by_entity > 0) * np.minimum(_distinct(count, recent) + 2 * count / entries, count)
            + np.minimum(1 + 3 * new * count / attributes, 1.5 * new * count)
            + _distinct(INSERTED_PAGES * new * count, of_attributes)
        )

    changed = appended_pages(batch, rows_per_page=held) + touched(batch, SPLITS)
    changed = changed + ordered * indexed_pages(batch, rows_per_page=entries)
    transactions = checkpoint_transactions(
        changed, checkpoint_pages=number(values, "checkpoint_pages")
    )
    passed = transactions * batch
    growth = passed * (1 / held + ordered / entries)
    copied = growth + CHECKPOINT_FLUSHES + touched(passed, MET_SPLITS)
    purged = 1 + number(values, "purge_fraction")
    application = number(values, "rows_per_s") * number(values, "row_bytes")
    pages = rows / held + (ordered + by_entity) * rows / entries + random * index
    return _logged(values, application, 1 / commit_s, changed * purged, copied * purged, pages)


def _active(entities: Any) -> Access:
    """Return the places of entities in an index, the most active ones e times every quarter."""
    bands = (np.arange(BANDS) + 0.5) / BANDS
    shares = np.exp(-4 * bands)
    sizes = np.asarray(entities, float)[..., None] / BANDS * np.ones(BANDS)
    return Access(np.broadcast_to(shares / shares.sum(), sizes.shape), sizes)


def _logged(
    values: Values, application: Any, rate: Any, changed: Any, copied: Any, pages: Any
) -> DeviceLoad:
    """Return the load of transactions with a write-ahead log, from the pages that they change."""
    page, limit = number(values, "page_bytes"), number(values, "checkpoint_pages")
    is_synced = values["synchronous"] == "full"
    ratio = number(values, "correction")
    transactions = checkpoint_transactions(changed, checkpoint_pages=limit)
    files = (
        rate
        * wal_bytes(
            changed,
            db_page_bytes=page,
            checkpoint_pages=limit,
            copied_pages=copied,
            synced_fraction=float(is_synced),
        ).file_bytes
    )
    checkpoint = rate * copied * page / transactions
    log = Stream(
        name="log",
        bytes_per_s=files - checkpoint,
        request_bytes=(files - checkpoint) / rate if is_synced else SEGMENT_BYTES,
        is_sequential=True,
        flushes_per_s=rate * is_synced,
    )
    copy = Stream(
        name="checkpoint",
        bytes_per_s=checkpoint,
        request_bytes=page,
        flushes_per_s=CHECKPOINT_FLUSHES * rate / transactions,
    )
    streams = corrected(
        journalled(
            [*flushed([log]), copy],
            commits_per_s=log.flushes_per_s + copy.flushes_per_s,
            metadata_blocks=number(values, "metadata_blocks"),
        ),
        ratio=ratio,
    )
    return DeviceLoad(
        application_bytes_per_s=application,
        file_bytes_per_s=ratio * files,
        streams=tuple(streams),
        span_bytes=(pages + limit) * page,
        commits=CommitLoad(rate) if is_synced else None,
    )


def sqlite_ring(values: Values) -> DeviceLoad:
    """Return the load of rows that are added while the oldest ones are deleted."""
    batch, rate = _batch(values), number(values, "transactions_per_s")
    rows, pages = number(values, "rows"), _table_pages(values)
    held, index = rows / pages, _index_pages(values, rows)
    indexes, page = number(values, "random_indexes"), number(values, "page_bytes")

    def touched(count: Any) -> Any:
        return indexes * _distinct(UPDATED_PAGES * count, index)

    splits = indexes * batch * number(values, "index_entry_bytes") / (page - TREE_BYTES)
    changed = ring_pages(batch, rows_per_page=held) + touched(batch) + splits
    transactions = checkpoint_transactions(
        changed, checkpoint_pages=number(values, "checkpoint_pages")
    )
    passed = batch * transactions
    copied = passed / held + RING_PAGES + touched(passed)
    application = rate * batch * number(values, "row_bytes")
    return _logged(values, application, rate, changed, copied, pages + indexes * index)


def pmxcfs(values: Values) -> DeviceLoad:
    """Return the load of the configuration that every node of a Proxmox cluster stores whole."""
    rate = number(values, "nodes") * number(values, "writes_per_node")
    return sqlite_wal({**values, "transactions_per_s": rate, "random_indexes": 0.0})


def sqlite_rollback(values: Values) -> DeviceLoad:
    """Return the load of updates by random row id with a rollback journal and flushes."""
    batch, rate = _batch(values), number(values, "transactions_per_s")
    page, pages = number(values, "page_bytes"), _table_pages(values)
    changed, ratio = _distinct(batch, pages), number(values, "correction")
    metadata = number(values, "metadata_blocks")
    whole = rollback_bytes(changed, db_page_bytes=page, metadata_blocks=metadata)
    bare = rollback_bytes(changed, db_page_bytes=page, metadata_blocks=0)
    data = rate * (changed + 1) * page
    journal = Stream(
        name="journal of the database",
        bytes_per_s=rate * bare.device_bytes - data,
        request_bytes=bare.device_bytes - (changed + 1) * page,
        is_sequential=True,
        flushes_per_s=ROLLBACK_FLUSHES * rate,
    )
    table = Stream(name="database", bytes_per_s=data, request_bytes=page)
    streams = journalled([journal, table], commits_per_s=rate, metadata_blocks=metadata)
    return DeviceLoad(
        application_bytes_per_s=rate * batch * number(values, "row_bytes"),
        file_bytes_per_s=ratio * rate * whole.file_bytes,
        streams=tuple(corrected(streams, ratio=ratio)),
        span_bytes=(pages + changed) * page,
        commits=CommitLoad(rate, flushes=ROLLBACK_FLUSHES),
    )


def _batch(values: Values) -> Any:
    batch, rows = number(values, "rows_per_transaction"), number(values, "rows")
    if batch > rows:
        raise DomainError(
            f"rows_per_transaction must be at most rows = {rows:g}, got {batch:g}: each row once"
        )
    return batch


def _distinct(count: Any, pages: Any) -> Any:
    """Return the distinct pages of writes at random to some pages."""
    return unique_pages(count, access=uniform(pages))


def _table_pages(values: Values, rows: Any = None) -> Any:
    size, page = number(values, "row_bytes"), number(values, "page_bytes")
    if size > page - 39:
        raise DomainError(
            f"row_bytes must be at most page_bytes - 39 = {page - 39:g}, got {size:g}"
        )
    count = number(values, "rows") if rows is None else rows
    return table_pages(count, row_bytes=size, db_page_bytes=page)


def _index_pages(values: Values, rows: Any) -> Any:
    held = (number(values, "page_bytes") - TREE_BYTES) * number(values, "index_fill")
    return np.maximum(rows * number(values, "index_entry_bytes") / held, 1.0)

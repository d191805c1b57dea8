"""SQLite and PostgreSQL: their logs, journals and checkpoints as streams."""

from models.application import (
    appended_pages,
    checkpoint_bytes,
    checkpoint_transactions,
    cycle_s,
    evicted_pages,
    image_wal_bytes,
    indexed_pages,
    rollback_bytes,
    table_pages,
    wal_bytes,
)
from models.dram_cache import unique_pages
from models.errors import DomainError
from models.units import DAY_S
from planner.application.load import CommitLoad, DeviceLoad, Stream, corrected, flushed, journalled
from planner.application.presets import Values, number

SEGMENT_BYTES = 131_072.0  # of a log that the page cache writes back by itself
TREE_BYTES = 20.0  # header of a page, and what its records leave free
UPDATED_PAGES = 2.05  # pages of an index that an update changes: old and new place, counted
INSERTED_PAGES = 1.2  # the same of an insert, with its share of balancing
CHECKPOINT_FLUSHES = 4.0
ROLLBACK_FLUSHES = 4.0
POSTGRES_PAGE_BYTES = 8192.0
TUPLE_BYTES = 28.0  # header and pointer of a row
CHANGE_BYTES = 140.0  # log of an update without what changed
FULL_IMAGE_BYTES = 8100.0


def sqlite_wal(values: Values) -> DeviceLoad:
    """Return the load of updates by random row id with a write-ahead log."""
    batch, rate = _batch(values), number(values, "transactions_per_s")
    pages, index = _table_pages(values), _index_pages(values, number(values, "rows"))
    indexes = number(values, "random_indexes")

    def distinct(count: float) -> float:
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
    """Return the load of rows appended with a write-ahead log and indexes."""
    commit_s, page = number(values, "commit_s"), number(values, "page_bytes")
    batch = number(values, "rows_per_s") * commit_s
    rows = max(number(values, "rows_per_s") * number(values, "kept_days") * DAY_S, 1.0)
    held = max(rows / _table_pages(values, rows), 1.0)
    entries = (page - TREE_BYTES) / number(values, "index_entry_bytes")
    ordered, random = number(values, "ordered_indexes"), number(values, "random_indexes")
    index = _index_pages(values, rows)

    def touched(count: float) -> float:
        return random * _distinct(INSERTED_PAGES * count, index)

    changed = appended_pages(batch, rows_per_page=held) + touched(batch)
    changed += ordered * indexed_pages(batch, rows_per_page=entries)
    transactions = checkpoint_transactions(
        changed, checkpoint_pages=number(values, "checkpoint_pages")
    )
    growth = transactions * batch * (1 / held + ordered / entries)
    copied = growth + CHECKPOINT_FLUSHES + touched(batch * transactions)
    application = number(values, "rows_per_s") * number(values, "row_bytes")
    pages = rows / held + ordered * rows / entries + random * index
    return _logged(values, application, 1 / commit_s, changed, copied, pages)


def _logged(
    values: Values, application: float, rate: float, changed: float, copied: float, pages: float
) -> DeviceLoad:
    """Return the load of transactions with a write-ahead log, from the pages that they change."""
    page, limit = number(values, "page_bytes"), number(values, "checkpoint_pages")
    is_synced = values["synchronous"] == "full"
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
        ratio=number(values, "correction"),
    )
    return DeviceLoad(
        application_bytes_per_s=application,
        file_bytes_per_s=files,
        streams=tuple(streams),
        span_bytes=(pages + limit) * page,
        commits=CommitLoad(rate) if is_synced else None,
    )


def sqlite_rollback(values: Values) -> DeviceLoad:
    """Return the load of updates by random row id with a rollback journal and flushes."""
    batch, rate = _batch(values), number(values, "transactions_per_s")
    page, pages = number(values, "page_bytes"), _table_pages(values)
    changed = _distinct(batch, pages)
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
        file_bytes_per_s=rate * whole.file_bytes,
        streams=tuple(corrected(streams, ratio=number(values, "correction"))),
        span_bytes=(pages + changed) * page,
        commits=CommitLoad(rate, flushes=ROLLBACK_FLUSHES),
    )


def postgres_oltp(values: Values) -> DeviceLoad:
    """Return the load of updates at random that change no indexed column, with images."""
    transactions, size = number(values, "transactions_per_s"), number(values, "row_bytes")
    rate, fill = transactions * number(values, "rows_per_transaction"), values["fillfactor"]
    filled = POSTGRES_PAGE_BYTES * float(fill)
    held = max(filled // (size + TUPLE_BYTES), 1.0)
    pages = max(number(values, "rows") / held, 1.0)
    log = {
        "change_bytes": CHANGE_BYTES + size,
        "image_bytes": min(max(filled, held * (size + TUPLE_BYTES)), FULL_IMAGE_BYTES),
    }
    limit = number(values, "max_wal_bytes") / (1 + number(values, "completion_target"))
    cycle = cycle_s(
        rate,
        image_pages=pages,
        wal_limit_bytes=limit,
        checkpoint_timeout_s=number(values, "checkpoint_timeout_s"),
        **log,
    )
    changed = _distinct(rate * cycle, pages)
    written = image_wal_bytes(rate * cycle, image_pages=changed, **log) / cycle
    commits = transactions / number(values, "commits_per_flush")
    fixed = number(values, "checkpoint_fixed_bytes")
    held = min(number(values, "buffers_bytes") / (pages * POSTGRES_PAGE_BYTES), 1.0)
    dirty = max(changed, evicted_pages(rate * cycle, hit_ratio=held))
    copied = checkpoint_bytes(dirty, db_page_bytes=POSTGRES_PAGE_BYTES, fixed_bytes=fixed) / cycle
    request = max(written / commits, POSTGRES_PAGE_BYTES)
    records = Stream(
        name="log",
        bytes_per_s=written,
        request_bytes=request,
        is_sequential=True,
        flushes_per_s=commits,
    )
    (records,) = flushed([records], block_bytes=POSTGRES_PAGE_BYTES)
    data = Stream(name="checkpoint", bytes_per_s=copied, request_bytes=POSTGRES_PAGE_BYTES)
    streams = corrected([records, data], ratio=number(values, "correction"))
    return DeviceLoad(
        application_bytes_per_s=rate * size,
        file_bytes_per_s=records.bytes_per_s + copied,
        streams=tuple(streams),
        span_bytes=pages * POSTGRES_PAGE_BYTES + number(values, "max_wal_bytes"),
        commits=CommitLoad(transactions),
    )


def _batch(values: Values) -> float:
    batch, rows = number(values, "rows_per_transaction"), number(values, "rows")
    if batch > rows:
        raise DomainError(
            f"rows_per_transaction must be at most rows = {rows:g}, got {batch:g}: each row once"
        )
    return batch


def _distinct(count: float, pages: float) -> float:
    """Return the distinct pages of writes at random to some pages."""
    return unique_pages(count, request_shares=[1], class_pages=[max(pages, 1.0)])


def _table_pages(values: Values, rows: float | None = None) -> float:
    size, page = number(values, "row_bytes"), number(values, "page_bytes")
    if size > page - 39:
        raise DomainError(
            f"row_bytes must be at most page_bytes - 39 = {page - 39:g}, got {size:g}"
        )
    count = number(values, "rows") if rows is None else rows
    return table_pages(count, row_bytes=size, db_page_bytes=page)


def _index_pages(values: Values, rows: float) -> float:
    held = (number(values, "page_bytes") - TREE_BYTES) * number(values, "index_fill")
    return max(rows * number(values, "index_entry_bytes") / held, 1.0)

"""PostgreSQL, InnoDB and MongoDB: their logs and checkpoints as streams, by the page store."""

from typing import Any

import numpy as np

from models.application import Checkpoint, Log, PageStoreRates, page_store
from planner.application.engines import (
    DatabaseTable,
    engines,
    hot_share,
    log_of,
    relations_of,
    rows_per_page,
)
from planner.application.files import grown_file
from planner.application.load import BLOCK_BYTES, CommitLoad, DeviceLoad, Stream, corrected
from planner.application.presets import Values, number
from planner.application.sharing import commits_sharing

LARGE_BYTES = 2.0**20
KEY_BYTES, RANDOM_KEY_BYTES = 8.0, 16.0
WAL_SEGMENT_BYTES = 2.0**24  # at whose ends PostgreSQL begins a checkpoint
JOURNAL_S = 0.1  # of MongoDB between flushes of its journal (recalled)
JOURNAL_BYTES = 2e9  # of it at which MongoDB begins a checkpoint
EVENT_ROWS = 3.0  # both images of a row in the binary log, and the statement


def _segments_of_cycle(values: Values) -> Any:
    """Return the segments of the log from one checkpoint to the next, where its size decides."""
    most = number(values, "max_wal_bytes") / (1 + number(values, "completion_target"))
    return np.maximum(np.floor(most / WAL_SEGMENT_BYTES), 1.0)


def postgres_oltp(values: Values) -> DeviceLoad:
    """Return the load of updates, inserts or a ring of rows, with images of pages in the log."""
    engine = engines()["postgresql"]
    transactions, rate = _rates(values)
    table = _table(
        values,
        fill=number(values, "fillfactor"),
        hot_fraction=number(values, "hot_fraction"),
        image_fraction=number(values, "image_fraction"),
        few_pages_fraction=number(values, "few_pages_fraction"),
        other_pages=number(values, "other_pages"),
        new_pages=number(values, "new_pages"),
        hot_share=values["hot_share"],
    )
    records = log_of(engine, table)
    segments = _segments_of_cycle(values)
    shared = commits_sharing(values, transactions)
    flushes = transactions / shared
    rates = page_store(
        rate,
        flushes_per_s=flushes,
        relations=relations_of(engine, table),
        log=records,
        checkpoint=Checkpoint(
            timeout_s=number(values, "checkpoint_timeout_s"),
            log_bytes=segments * WAL_SEGMENT_BYTES,
            fixed_bytes=number(values, "checkpoint_fixed_bytes"),
        ),
    )
    log = Stream(
        name="log",
        bytes_per_s=rates.log_device_bytes_per_s,
        request_bytes=np.maximum(rates.log_device_bytes_per_s / flushes, engine.log_block_bytes),
        is_sequential=True,
        flushes_per_s=flushes,
    )
    data = Stream(
        name="checkpoint", bytes_per_s=rates.page_bytes_per_s, request_bytes=engine.page_bytes
    )
    ratio = number(values, "correction")
    pages = number(values, "rows") / rows_per_page(engine, table)
    return DeviceLoad(
        application_bytes_per_s=rate * number(values, "row_bytes"),
        file_bytes_per_s=ratio * rates.device_bytes_per_s,
        streams=tuple(corrected([log, data], ratio=ratio)),
        span_bytes=pages * engine.page_bytes + number(values, "max_wal_bytes"),
        commits=CommitLoad(transactions),
        followed={"commits_per_flush": shared, "hot_share": hot_share(engine, table)},
        counters={
            **_counters(values, rates, flushes, records),
            "images": rates.images_per_s,
            "hot_updates": rate * (table.kind == "update") * hot_share(engine, table),
        },
    )


def innodb(values: Values) -> DeviceLoad:
    """Return the load of updates, inserts or a ring with redo log, doublewrite and binary log."""
    engine, mysql = engines()["mariadb"], engines()["mysql"]
    transactions, rate = _rates(values)
    is_random = values["key"] == "random"
    table = _table(values, fill=engine.random_fill if is_random else number(values, "fill"))
    row = number(values, "row_bytes")
    log = log_of(engine._replace(update_bytes=number(values, "change_bytes")), table)
    is_mysql = np.asarray(values["server"]) == "mysql"
    block: Any = np.where(is_mysql, mysql.log_block_bytes, engine.log_block_bytes)
    in_series = 1.0 + (values["binlog"] == "yes")
    shared = commits_sharing(values, transactions, in_series)
    flushes = transactions / shared
    rates = page_store(
        rate,
        flushes_per_s=flushes,
        relations=relations_of(engine, table),
        log=log._replace(block_bytes=block),
        checkpoint=Checkpoint(
            age_bytes=number(values, "age_fraction") * number(values, "redo_bytes")
        ),
    )
    events = rate * (EVENT_ROWS * row + number(values, "event_bytes"))
    events = events * (values["binlog"] == "yes")
    copies = rates.doublewrite_bytes_per_s * (values["doublewrite"] == "yes")
    redo = rates.log_device_bytes_per_s
    ratio = number(values, "correction")
    streams = [
        Stream(name="redo log", bytes_per_s=redo, is_sequential=True, flushes_per_s=flushes,
               request_bytes=np.maximum(redo / flushes, BLOCK_BYTES)),
        *grown_file("binary log", events, flushes, "grown"),
        Stream(name="doublewrite", bytes_per_s=copies, request_bytes=LARGE_BYTES,
               is_sequential=True),
        Stream(name="pages", bytes_per_s=rates.page_bytes_per_s, request_bytes=engine.page_bytes),
    ]  # fmt: skip
    pages = number(values, "rows") / rows_per_page(engine, table)
    return DeviceLoad(
        application_bytes_per_s=rate * row,
        file_bytes_per_s=ratio * (rates.log_bytes_per_s + events + copies + rates.page_bytes_per_s),
        streams=tuple(part for part in corrected(streams, ratio=ratio) if np.any(part.bytes_per_s)),
        span_bytes=pages * engine.page_bytes + number(values, "redo_bytes"),
        commits=CommitLoad(transactions, flushes=in_series),
        followed={"commits_per_flush": shared},
        counters={
            **_counters(values, rates, flushes, log),
            "copies": copies / engine.page_bytes,
            "age_bytes": number(values, "age_fraction") * number(values, "redo_bytes"),
        },
    )


def mongodb(values: Values) -> DeviceLoad:
    """Return the load of WiredTiger: a journal, and pages written whole to a new place."""
    stored, page = number(values, "stored_fraction"), number(values, "page_bytes")
    engine = engines()["mongodb"]._replace(page_bytes=page, stored_fraction=stored)
    transactions, rate = _rates(values)
    table = _table(values)
    records = log_of(engine, table)
    is_each = values["journal"] == "commit"
    interval = np.maximum(transactions * JOURNAL_S, 1.0)
    shared = commits_sharing(values, transactions) if is_each else interval
    flushes = transactions / shared
    rates = page_store(
        rate,
        flushes_per_s=flushes,
        relations=relations_of(engine, table),
        log=records,
        checkpoint=Checkpoint(
            timeout_s=number(values, "checkpoint_s"),
            log_bytes=JOURNAL_BYTES,
            fixed_bytes=engine.checkpoint_fixed_bytes,
        ),
    )
    ratio = number(values, "correction")
    journal = rates.log_device_bytes_per_s
    streams = [
        Stream(name="journal", bytes_per_s=journal, is_sequential=True, flushes_per_s=flushes,
               request_bytes=np.maximum(journal / flushes, BLOCK_BYTES)),
        Stream(name="checkpoint", bytes_per_s=rates.page_bytes_per_s, request_bytes=page * stored),
    ]  # fmt: skip
    return DeviceLoad(
        application_bytes_per_s=rate * number(values, "row_bytes"),
        file_bytes_per_s=ratio * (rates.log_bytes_per_s + rates.page_bytes_per_s),
        streams=tuple(corrected(streams, ratio=ratio)),
        commits=CommitLoad(transactions) if is_each else None,
        followed={"commits_per_flush": shared, "record_bytes": log_of(engine, table).record_bytes},
        counters={
            **_counters(values, rates, flushes, records),
            "page_bytes": rates.page_bytes_per_s,
        },
    )


def _counters(values: Values, rates: PageStoreRates, flushes: Any, log: Log) -> dict[str, Any]:
    """Return the counters of a store of pages, per second."""
    transactions, changes = _rates(values)
    return {
        "transactions": transactions,
        "row_changes": changes,
        "updates": changes * (values["kind"] == "update"),
        "record_bytes": changes * log.record_bytes,
        "log_bytes": rates.log_bytes_per_s,
        "flushes": flushes,
        "flush_time_s": flushes * number(values, "flush_s"),
        "pages": rates.pages_per_s,
        "cycle_s": rates.cycle_s,
    }


def _rates(values: Values) -> tuple[Any, Any]:
    """Return transactions per second, and rows changed."""
    transactions = number(values, "transactions_per_s")
    return transactions, transactions * number(values, "rows_per_transaction")


def _table(values: Values, **further: Any) -> DatabaseTable:
    """Return the table of a load with its indexes and the skew of its rows."""
    is_skewed, is_random = np.asarray(values["skew"]) != "none", values["key"] == "random"
    return DatabaseTable(
        rows=number(values, "rows"),
        row_bytes=number(values, "row_bytes"),
        kind=values["kind"],
        random_key=float(is_random),
        key_bytes=RANDOM_KEY_BYTES if is_random else KEY_BYTES,
        changed_indexes=number(values, "indexes"),
        exponent=is_skewed * number(values, "exponent"),
        is_scattered=1.0 * (np.asarray(values["skew"]) == "scattered"),
        buffers_bytes=values.get("buffers_bytes", np.inf),
        record_ratio=number(values, "record_ratio"),
        **further,
    )

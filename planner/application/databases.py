"""Databases on pages: their logs and checkpoints as streams, by the page store."""

from typing import Any

import numpy as np

from models.application import GROWTH, Checkpoint, Log, PageStoreRates, page_store
from planner.application.engines import (
    DatabaseTable,
    Engine,
    engines,
    hot_share,
    log_of,
    relations_of,
    rows_per_page,
)
from planner.application.files import grown_file
from planner.application.load import (
    BLOCK_BYTES,
    GRANULE_BYTES,
    CommitLoad,
    DeviceLoad,
    Stream,
    corrected,
)
from planner.application.presets import Values, number
from planner.application.sharing import commits_sharing

LARGE_BYTES = 2.0**20
KEY_BYTES, RANDOM_KEY_BYTES = 8.0, 16.0
WAL_SEGMENT_BYTES = 2.0**24  # at whose ends PostgreSQL begins a checkpoint
JOURNAL_S = 0.1  # of MongoDB between flushes of its journal (recalled)
JOURNAL_BYTES = 2e9  # of it at which MongoDB begins a checkpoint
REDO_GROUPS = 3.0  # logs of Oracle that are used in turn, by default (recalled)
EVENT_ROWS = 3.0  # both images of a row in the binary log, and the statement


def _segments_of_cycle(values: Values) -> Any:
    """Return the segments of the log from one checkpoint to the next, where its size decides."""
    most = number(values, "max_wal_bytes") / (1 + number(values, "completion_target"))
    return np.maximum(np.floor(most / WAL_SEGMENT_BYTES), 1.0)


def postgres_oltp(values: Values) -> DeviceLoad:
    """Return the load of updates, inserts or a ring of rows, with images of pages in the log."""
    table = _table(
        values,
        fill=number(values, "fillfactor"),
        hot_fraction=values.get("hot_fraction", 1.0),
        image_fraction=number(values, "image_fraction"),
        few_pages_fraction=values.get("few_pages_fraction", 0.0),
        other_pages=values.get("other_pages", 0.0),
        new_pages=values.get("new_pages", 0.0),
        hot_share=values.get("hot_share"),
    )
    checkpoint = Checkpoint(
        timeout_s=number(values, "checkpoint_timeout_s"),
        log_bytes=_segments_of_cycle(values) * WAL_SEGMENT_BYTES,
        fixed_bytes=number(values, "checkpoint_fixed_bytes"),
    )
    kept = number(values, "max_wal_bytes")
    return _logged(values, engines()["postgresql"], table, checkpoint, kept)


def sql_server(values: Values) -> DeviceLoad:
    """Return the load of a log and of pages that are written in the background, by their time."""
    engine = _of_changed(values, engines()["sql-server"])
    checkpoint = Checkpoint(
        timeout_s=number(values, "checkpoint_s"), fixed_bytes=engine.checkpoint_fixed_bytes
    )
    return _logged(values, engine, _table(values), checkpoint, number(values, "log_kept_bytes"))


def oracle(values: Values) -> DeviceLoad:
    """Return the load of redo and of pages that are written by age: of a redo log, or a time."""
    engine, table = _of_changed(values, engines()["oracle"]), _table(values)
    _, rate = _rates(values)
    of_time = rate * log_of(engine, table).record_bytes * number(values, "checkpoint_timeout_s")
    age = np.minimum(engine.age_share * number(values, "redo_bytes"), of_time)
    kept = REDO_GROUPS * number(values, "redo_bytes")
    return _logged(values, engine, table, Checkpoint(age_bytes=age), kept)


def page_store_of(values: Values) -> DeviceLoad:
    """Return the load of any store of pages with a log, all of whose settings are inputs."""
    own = {name: values[name] for name in Engine._fields if name in values}
    engine = engines()["sql-server"]._replace(
        **own,
        clustered=float(values["rows_in"] == "tree"),
        index_image_bytes=number(values, "full_image_bytes"),
        index_page_bytes=number(values, "page_bytes"),
        new_copies=1.0,
        log_granule_bytes=GRANULE_BYTES,
        log_flush_blocks=GROWTH[values["log_file"]].flush_blocks,
        log_data_blocks=GROWTH[values["log_file"]].data_blocks,
    )
    checkpoint = Checkpoint(
        timeout_s=number(values, "checkpoint_s"), log_bytes=number(values, "log_limit_bytes")
    )
    kept = number(values, "log_kept_bytes")
    return _logged(values, engine, _table(values), checkpoint, kept)


def _of_changed(values: Values, engine: Engine) -> Engine:
    """Return an engine whose log has the changed columns of a row, before and after."""
    return engine._replace(
        update_bytes=number(values, "change_bytes"),
        update_row_share=2 * number(values, "changed_fraction"),
    )


def _logged(
    values: Values, engine: Engine, table: DatabaseTable, checkpoint: Checkpoint, kept_bytes: Any
) -> DeviceLoad:
    """Return the load of a log that is flushed with commits, and of the pages that change."""
    transactions, rate = _rates(values)
    records = log_of(engine, table)
    shared = commits_sharing(values, transactions)
    flushes = transactions / shared
    rates = page_store(
        rate,
        flushes_per_s=flushes,
        relations=relations_of(engine, table),
        log=records,
        checkpoint=checkpoint,
    )
    log = Stream(
        name="log",
        bytes_per_s=rates.log_device_bytes_per_s,
        request_bytes=np.maximum(rates.log_device_bytes_per_s / flushes, engine.log_block_bytes),
        is_sequential=True,
        flushes_per_s=flushes,
    )
    data = Stream(
        name="checkpoint",
        bytes_per_s=rates.page_bytes_per_s + rates.doublewrite_bytes_per_s,
        request_bytes=engine.page_bytes,
    )
    ratio = number(values, "correction")
    pages = number(values, "rows") / rows_per_page(engine, table)
    return DeviceLoad(
        application_bytes_per_s=rate * number(values, "row_bytes"),
        file_bytes_per_s=ratio * rates.device_bytes_per_s,
        streams=tuple(corrected([log, data], ratio=ratio)),
        span_bytes=pages * engine.page_bytes + kept_bytes,
        commits=CommitLoad(transactions),
        followed={"commits_per_flush": shared, "hot_share": hot_share(engine, table)},
        counters={
            **_counters(values, rates, flushes, records),
            "images": rates.images_per_s,
            "hot_updates": rate * (table.kind == "update") * hot_share(engine, table),
        },
    )


def mysql_8(values: Values) -> DeviceLoad:
    """Return the load of InnoDB as MySQL 8 has it."""
    return innodb({**values, "server": "mysql"})


def mariadb(values: Values) -> DeviceLoad:
    """Return the load of InnoDB as MariaDB has it."""
    return innodb({**values, "server": "mariadb"})


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
    skew, is_random = np.asarray(values.get("skew", "none")), values["key"] == "random"
    return DatabaseTable(
        rows=number(values, "rows"),
        row_bytes=number(values, "row_bytes"),
        kind=values["kind"],
        random_key=float(is_random),
        key_bytes=RANDOM_KEY_BYTES if is_random else KEY_BYTES,
        changed_indexes=number(values, "indexes"),
        exponent=(skew != "none") * values.get("exponent", 0.0),
        is_scattered=1.0 * (skew == "scattered"),
        buffers_bytes=values.get("buffers_bytes", np.inf),
        record_ratio=values.get("record_ratio", 1.0),
        **further,
    )

"""Counted loads, and what the formulas say of each: log, images, pages, flushes and device bytes.

A load is a row of `tests/data/counted.csv` (`rows`), or one that was counted just now.
"""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from models import application
from models.application import (
    GROWTH,
    Checkpoint,
    closed_commits_per_flush,
    commits_per_flush,
    page_store,
    unique_pages,
)
from planner.application.engines import DatabaseTable, engines, log_of, relations_of, rows_per_page

PATH = Path(__file__).parent / "data" / "counted.csv"
STORES = {"PostgreSQL 15": "postgresql", "MariaDB 10.11": "mariadb", "WiredTiger 3.2.1": "mongodb"}
OF_TABLE = {
    "rows", "row_bytes", "kind", "changed_indexes", "fill", "random_key", "key_bytes", "exponent",
    "is_scattered", "buffers_bytes", "image_fraction",
}  # fmt: skip


class Counted(NamedTuple):
    """A row: its engine and words, settings, counts, and the error in per cent written down."""

    engine: str
    load: str
    settings: dict[str, float | str]
    counts: dict[str, float]
    stated_error: float | None

    def number(self, name, default=None):
        return float(self.settings.get(name, default))


class Formula(NamedTuple):
    """What the formulas say of a row, per transaction: nan where they say nothing."""

    device: float
    log: float = np.nan
    images: float = np.nan
    pages: float = np.nan
    shared: float = np.nan
    log_device: float = np.nan
    page_bytes: float = np.nan


def value(text):
    try:
        return float(text)
    except ValueError:
        return text


def rows():
    with PATH.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            settings = dict(word.split("=") for word in row["settings"].split())
            names = ("transactions_per_s", "clients", "flush_s", "commits_per_flush", "log_bytes",
                     "images", "pages", "device_bytes")  # fmt: skip
            yield Counted(
                row["engine"],
                row["load"],
                {name: value(text) for name, text in settings.items()},
                {name: float(row[name]) for name in names if row[name]},
                float(row["stated_error"]) if row["stated_error"] else None,
            )


def shared_commits(row):
    """Commits per flush: stated, or by rate or clients and flush time, or all of an interval."""
    if "commits_per_flush" in row.settings:
        return row.number("commits_per_flush")
    rate, clients = row.counts["transactions_per_s"], row.counts["clients"]
    if "flush_interval_s" in row.settings:
        return rate * row.number("flush_interval_s")
    flush_s = row.counts["flush_s"]
    if "think_s" in row.settings:
        return closed_commits_per_flush(clients, flush_s=flush_s, think_s=row.number("think_s"))
    return commits_per_flush(rate, flush_s=flush_s, clients=clients)


def tables(row, engine):
    """The tables of a load; TPC-B has four, and a fresh one has the room of its updates so far."""
    rate = row.counts["transactions_per_s"] * row.number("changes", 1)
    if "tpcb" in row.settings:
        branches = row.number("tpcb")
        accounts = DatabaseTable(rows=1e5 * branches, row_bytes=96)
        fresh = hot_share_of_new(accounts, engine, rate * row.number("loaded"))
        small = [DatabaseTable(rows=count * branches, row_bytes=96) for count in (1, 10)]
        history = DatabaseTable(rows=1e5, row_bytes=42, kind="insert")
        return [replaced(accounts, hot_fraction=fresh), *small, history]
    words = {name: each for name, each in row.settings.items() if name in OF_TABLE}
    table = DatabaseTable(**words)
    if "loaded" in row.settings:
        fresh = hot_share_of_new(table, engine, rate * row.number("loaded"))
        return [replaced(table, hot_fraction=fresh)]
    return [table]


def replaced(table, **changes):
    own = {name: getattr(table, name) for name in table.__dataclass_fields__}
    return DatabaseTable(**(own | changes))


def hot_share_of_new(table, engine, updates):
    pages = application.uniform(table.rows / rows_per_page(engine, table))
    return application.new_table_hot_fraction(updates, access=pages)


def store(row):
    """A database by its engine's settings."""
    engine = engines()[STORES[row.engine]]
    rate, of_each = row.counts["transactions_per_s"], row.number("changes", 1)
    shared = shared_commits(row)
    parts = tables(row, engine)
    logs = [log_of(engine, table) for table in parts]
    log = logs[0]._replace(
        record_bytes=sum(each.record_bytes for each in logs),
        block_bytes=row.number("log_block_bytes", logs[0].block_bytes),
    )
    if engine.age_share:
        age = engine.age_share * row.number("redo_bytes", np.nan)
        checkpoint = Checkpoint(age_bytes=row.number("age_bytes", age))
    else:
        fixed = engine.checkpoint_fixed_bytes
        checkpoint = Checkpoint(timeout_s=row.number("cycle_s"), fixed_bytes=fixed)
    rates = page_store(
        rate * of_each,
        flushes_per_s=rate / shared,
        relations=[relation for table in parts for relation in relations_of(engine, table)],
        log=log,
        checkpoint=checkpoint,
    )
    binary = binary_log(row, shared) if "binlog" in row.settings else 0.0
    per = (rates.log_bytes_per_s / rate, rates.images_per_s / rate, rates.pages_per_s / rate)
    return Formula(
        rates.device_bytes_per_s / rate + binary,
        *per,
        shared,
        log_device=rates.log_device_bytes_per_s / rate,
        page_bytes=rates.page_bytes_per_s / rate,
    )


def binary_log(row, shared):
    event = 3 * row.number("row_bytes") + 200
    return appended_bytes(event, "grown", shared)


def appended_bytes(size, file, every=1.0):
    """Bytes of an append that is flushed every so many times."""
    if file == "none":
        return size
    growth = GROWTH[file]._asdict()
    journal = application.growth_blocks(size * every, **growth) * 4096
    flushed = application.flushed_log_bytes(
        size * every, flushes=1, file_block_bytes=4096, granule_bytes=8
    )
    return (flushed + journal) / every


def plain_file(row):
    """Appended files, and what Redis and etcd make of them."""
    if row.engine == "etcd 3.4":
        return Formula(
            application.put_bytes(
                row.number("value_bytes"), puts_per_s=row.counts["transactions_per_s"], flushes=1,
                metadata_blocks=3.5,
            )
        )  # fmt: skip
    written = appended_bytes(
        row.number("append_bytes"), row.settings["file"], row.number("every", 1)
    )
    again = 100 / row.number("rewrite_percent") if "rewrite_percent" in row.settings else 0.0
    return Formula(written * (1 + again))


PAGE = 4096
CELL_BYTES = 14  # of a row in SQLite with its id, beside its values and three numbers of 16 bytes


def sqlite(row):
    """SQLite with a write-ahead log: pages of a commit, and of a checkpoint, as file bytes."""
    batch, count = row.number("changes"), row.number("rows")
    held = np.floor((PAGE - 8) / (row.number("row_bytes") + 16 + CELL_BYTES))
    held *= row.number("fill", 1)
    kind = row.settings.get("kind", "update")
    random = row.number("random_indexes", 0)
    entries = row.number("entity_indexes", 0)
    index = application.uniform(count * 19 / ((PAGE - 20) * 0.72))
    ends = application.points(
        row.number("entities", 1), pages=count * 13 / ((PAGE - 20) * 0.75), exponent=0
    )
    per_entry = (PAGE - 20) * 0.75 / 13
    table = application.zipf(
        count, exponent=row.number("exponent", 0), rows_per_page=held,
        is_scattered=row.number("is_scattered", 1),
    )  # fmt: skip

    def touched(changes, *, is_commit):
        if kind == "update":
            return row.number("split_ratio", 1) * unique_pages(changes, access=table)
        if is_commit:
            of = application.ring_pages if kind == "ring" else application.appended_pages
            own = of(changes, rows_per_page=held)
        else:
            own = changes / held + (6 if kind == "ring" else 3)
        own += random * unique_pages((2.05 if kind == "ring" else 1.2) * changes, access=index)
        own += random * is_commit * changes * 19 / (PAGE - 20)
        at_ends = unique_pages(1.05 * changes, access=ends)
        split = (3 if is_commit else 1) * changes / per_entry
        return own + entries * (at_ends + split)

    changed = touched(batch, is_commit=True)
    cycle = application.checkpoint_transactions(
        changed, checkpoint_pages=row.number("checkpoint_pages")
    )
    written = application.wal_bytes(
        changed, db_page_bytes=PAGE, checkpoint_pages=row.number("checkpoint_pages"),
        copied_pages=touched(batch * cycle, is_commit=False), synced_fraction=0,
    )  # fmt: skip
    return Formula(written.file_bytes)


def tree(row):
    """RocksDB, leveled: bytes per byte put, log included."""
    size = row.number("row_bytes")
    live, log = size * row.number("rows"), 1 + 12 / size
    if row.settings.get("load") == "ordered":
        return Formula(log + 1)
    levels = {
        "trigger_bytes": 4 * row.number("memtable_bytes"), "base_bytes": row.number("base_bytes"),
        "level_ratio": row.number("level_ratio", 10),
    }  # fmt: skip
    if row.settings.get("load") == "random":
        return Formula(log + application.loaded_wa(live, **levels))
    rows_of = application.zipf(
        row.number("rows"), exponent=row.number("exponent", 0), rows_per_page=1, is_scattered=0
    )
    stored = row.number("stored_fraction", 1)
    return Formula(
        log + application.skewed_wa(live, access=rows_of, stored_fraction=stored, **levels)
    )


FORMULAS = dict.fromkeys(STORES, store) | {
    "ext4": plain_file, "Redis 7.0": plain_file, "etcd 3.4": plain_file, "SQLite 3.40": sqlite,
    "RocksDB": tree,
}  # fmt: skip


def error(row):
    """Formula over count of the bytes at the device, less 1, in per cent."""
    return 100 * (FORMULAS[row.engine](row).device / row.counts["device_bytes"] - 1)

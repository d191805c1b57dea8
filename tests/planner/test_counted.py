"""Every load that was counted beside its formula: `tests/data/counted.csv`, with the error of each.

Counted with the real component on an ext4 image on a block device of its own, bytes and flushes
from the statistics of the device, from checkpoint to checkpoint. Flush times were set by a library
that delays `fsync`. Nothing is fitted to most rows; a row whose formula misses by more than it did
when it was written down fails.
"""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from models import application
from models.application import (
    GROWTH,
    Checkpoint,
    closed_commits_per_flush,
    commits_per_flush,
    page_store,
    unique_pages,
)
from planner.application import answer_of
from planner.application.engines import DatabaseTable, engines, log_of, relations_of, rows_per_page

PATH = Path(__file__).parents[1] / "data" / "counted.csv"
POINTS = 2.0  # beyond the error that was written down
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


ROWS = list(rows())
HELD = [row for row in ROWS if row.stated_error is not None]


def named(row):
    return f"{row.engine}: {row.load}"


def shared_commits(row):
    """Commits per flush, from rate or clients and the flush time; at an interval, all within it."""
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
    log = logs[0]._replace(record_bytes=sum(each.record_bytes for each in logs))
    if engine.age_share:
        checkpoint = Checkpoint(age_bytes=engine.age_share * row.number("redo_bytes"))
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
    return Formula(rates.device_bytes_per_s / rate + binary, *per, shared)


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
            own = changes / held * (2 if kind == "ring" else 1) + (5 if kind == "ring" else 3)
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


@pytest.mark.parametrize("row", HELD, ids=named)
def test_a_counted_load_is_met_as_closely_as_was_written_down(row):
    limit = OF_TREES if row.engine == "RocksDB" else abs(row.stated_error) + POINTS
    assert abs(error(row)) <= limit


OF_TREES = 8.0  # bytes of trees, in per cent; their factor under skew is fitted to four rows
POSTGRES = [row for row in HELD if row.engine == "PostgreSQL 15"]


def test_postgres_is_within_8_per_cent_everywhere_and_3_in_the_mean():
    errors = [abs(error(row)) for row in POSTGRES]
    assert len(errors) == 27
    assert max(errors) <= 8
    assert np.mean(errors) <= 3


@pytest.mark.parametrize("row", POSTGRES, ids=named)
def test_commits_share_flushes_as_counted(row):
    """Within 4 % in open loads, but one at 7; two closed clients share more than they should."""
    counted = row.counts["commits_per_flush"]
    limit = 0.07 if "3 (one of" in row.load else 0.09 if "2 clients" in row.load else 0.04
    assert store(row).shared == pytest.approx(counted, rel=limit)


@pytest.mark.parametrize("row", [row for row in POSTGRES if "kind" not in row.settings], ids=named)
def test_images_and_pages_of_updates_are_those_counted(row):
    got = store(row)
    if row.counts["images"]:
        assert got.images == pytest.approx(row.counts["images"], rel=0.05)
    assert got.log == pytest.approx(row.counts["log_bytes"], rel=0.07)
    assert got.pages == pytest.approx(row.counts["pages"], rel=0.105)


def test_rows_that_no_formula_answers_are_kept_with_their_words():
    """Eviction of a small cache, files made and renamed, and a load whose compaction lags."""
    assert len(ROWS) - len(HELD) == 7


# The same loads by the presets, with what an operator knows alone: rate, rows, row size, settings.

UNKNOWN = ("lz4", "buffers", "synchronous_commit", "full_page", "TPC-B", "ring (2 commits)")


def known_inputs(row):
    """Inputs of the preset of a row that its owner can read off; nothing of indexes or skew."""
    count, kind = row.counts["transactions_per_s"], row.settings.get("kind", "update")
    known = {"transactions_per_s": count, "kind": kind}
    known["key"] = "random" if "random_key" in row.settings else "serial"
    known |= {name: row.number(name) for name in ("rows", "row_bytes")}
    if row.engine == "PostgreSQL 15":
        known |= {"rows_per_transaction": row.number("changes", 1), "max_wal_bytes": 1e9}
        known |= {"fillfactor": row.number("fill", 1)}
        known |= {"checkpoint_timeout_s": row.number("cycle_s")}
    elif row.engine == "WiredTiger 3.2.1":
        is_each = "flush_interval_s" not in row.settings
        known |= {"journal": "commit" if is_each else "interval", "stored_fraction": 1.0}
        known["checkpoint_s"] = row.number("cycle_s")
    else:
        known |= {"redo_bytes": row.number("redo_bytes"), "server": "mariadb"}
        known["binlog"] = "yes" if "binlog" in row.settings else "no"
    return {name: str(value) for name, value in known.items()}


def test_counted_loads_lie_in_the_range_where_no_more_is_stated_than_rate_rows_and_settings():
    """All but MariaDB's ring, whose deletes log less than was assumed."""
    presets = {"PostgreSQL 15": "postgres-oltp", "MariaDB 10.11": "innodb",
               "WiredTiger 3.2.1": "mongodb"}  # fmt: skip
    missed, widths = [], []
    for row in HELD:
        if row.engine not in presets or any(word in row.load for word in UNKNOWN):
            continue
        load = answer_of(presets[row.engine], known_inputs(row))
        low, _, high = load.figures["device_bytes_per_s"]
        counted = row.counts["device_bytes"] * row.counts["transactions_per_s"]
        missed += [] if low <= counted <= high else [named(row)]
        widths.append(high / low)
    assert missed == ["MariaDB 10.11: ring"]
    assert len(widths) == 34
    assert np.median(widths) <= 2.0


# Presets with everything stated, beside what was counted: inputs, bytes at the drive (of SQLite:
# passed to the file system) a transaction, and the error of the row.
WHOLE = {"correction": "1"}
TREE = {"skew": "none", "indexes": "0", "stored_fraction": "1", "page_bytes": "114000"}
LEVELS = {"bytes_per_s": "1e6", "row_bytes": "200", "memtable_bytes": "1048576",
          "base_bytes": "4194304", "skew": "zipf"}  # fmt: skip
RING = {"synchronous": "normal", "index_fill": "0.72"}
PRESETS = [
    ("redis-aof", {"sets_per_s": "987", "value_bytes": "100", "rewrite_percent": "1e6"}, 182, 7),
    ("redis-aof", {"sets_per_s": "308", "fsync": "always", "value_bytes": "100", "clients": "4",
                   "flush_s": "1e-4", "rewrite_percent": "1e6"}, 16_697, 1),
    ("redis-aof", {"sets_per_s": "1496", "value_bytes": "1000"}, 2_124, 2),
    ("appended-file", {"append_bytes": "200"}, 17_121, 1),
    ("appended-file", {"append_bytes": "5000", "file": "unwritten"}, 21_381, 1),
    ("appended-file", {"append_bytes": "5000", "file": "reused"}, 9_114, 1),
    ("appended-file", {"append_bytes": "700", "appends_per_flush": "20"}, 1_933, 1),
    ("small-files", {"sync": "file"}, 39_444, 1),
    ("small-files", {"sync": "directory"}, 74_199, 1),
    ("small-files", {"sync": "none"}, 5_179, 1),
    ("sqlite-ring", RING | {"rows": "20000", "row_bytes": "166", "rows_per_transaction": "5"},
     17_014, 3),
    ("sqlite-ring", RING | {"rows": "5000", "row_bytes": "616", "checkpoint_pages": "500"},
     15_348, 2),
    ("sqlite-ring", RING | {"rows": "50000", "row_bytes": "96", "rows_per_transaction": "20"},
     29_980, 1),
    ("sqlite-ring", RING | {"rows": "20000", "row_bytes": "166", "rows_per_transaction": "5",
                            "random_indexes": "1"}, 61_258, 7),
    ("rocksdb-leveled", LEVELS | {"live_bytes": "4e7", "exponent": "0.99"}, 4.783, OF_TREES),
    ("rocksdb-leveled", LEVELS | {"live_bytes": "4e7", "exponent": "1.2"}, 3.047, OF_TREES),
    ("rocksdb-leveled", LEVELS | {"live_bytes": "5e7", "skew": "none", "stored_fraction": "0.66"},
     5.205, OF_TREES),
    ("mongodb", TREE | {"transactions_per_s": "303.2", "rows": "200000", "journal": "commit",
                        "clients": "8", "flush_s": "1.15e-3", "checkpoint_s": "20"}, 11_032, 4.5),
    ("mongodb", TREE | {"transactions_per_s": "404.2", "rows": "400000", "checkpoint_s": "20"},
     10_985, 2.9),
]  # fmt: skip


@pytest.mark.parametrize(("name", "stated", "counted", "stated_error"), PRESETS)
def test_a_preset_answers_as_the_formula_of_its_row(name, stated, counted, stated_error):
    load = answer_of(name, stated | WHOLE)
    rate = next(value for key, value in load.values.items() if key.endswith("_per_s"))
    quantity = "file_bytes_per_s" if name == "sqlite-ring" else "device_bytes_per_s"
    got = load.figures[quantity].typical / rate
    assert 100 * abs(got / counted - 1) <= stated_error + POINTS

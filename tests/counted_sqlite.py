"""SQLite while it runs: bytes that it passes to the file system, beside the formula."""

import random
import sqlite3

from models import application
from models.dram_cache import unique_pages
from tests import engines
from tests.engines.sqlite import counted_cycles

ACCOUNTS = engines.accounts("self")
ROWS = 20_000  # in a table to which rows are appended
EIGHTY = [(0.8, 0.2), (0.2, 0.8)]
NINETY = [(0.9, 0.1), (0.1, 0.9)]
HALF = [(0.5, 0.05), (0.5, 0.95)]

# Updates by row id: rows, bytes of a row, page, rows of a transaction, checkpoint; skew.
UPDATES = [
    ((20_000, 100, 4096, 8, 400), None),
    ((20_000, 100, 4096, 1, 400), None),
    ((40_000, 60, 4096, 20, 500), None),
    ((2_000, 100, 4096, 1, 500), None),
    ((20_000, 100, 8192, 4, 300), None),
    ((20_000, 200, 16_384, 4, 300), None),
    ((10_000, 300, 4096, 3, 1000), None),
    ((30_000, 100, 4096, 5, 600), EIGHTY),
    ((20_000, 300, 4096, 3, 600), NINETY),
    ((20_000, 200, 8192, 8, 300), HALF),
]
# Rows appended: bytes of a row, rows of a transaction, checkpoint.
INSERTS = [(100, 8, 400), (100, 10, 300), (200, 25, 400), (60, 5, 200)]


def distinct(writes, pages, skew=None):
    """Distinct pages of writes, all alike or with shares of writes to shares of the pages."""
    shares = skew or [(1, 1)]
    return unique_pages(
        writes,
        request_shares=[share for share, _ in shares],
        class_pages=[part * pages for _, part in shares],
    )


def updated(rows, size, page, batch, checkpoint, synced=0, skew=None):
    """Bytes per transaction of updates, by formula."""
    pages = application.table_pages(rows, row_bytes=size, db_page_bytes=page)
    changed = distinct(batch, pages, skew)
    transactions = application.checkpoint_transactions(changed, checkpoint_pages=checkpoint)
    return application.wal_bytes(
        changed,
        db_page_bytes=page,
        checkpoint_pages=checkpoint,
        copied_pages=distinct(batch * transactions, pages, skew),
        synced_fraction=synced,
    )


def inserted(
    rows_per_page, batch, checkpoint=1000, *, ordered=(), shuffled=(), page=4096, synced=0
):
    """Bytes per transaction that appends rows: to a table, ordered and shuffled indexes."""
    indexed = sum(application.indexed_pages(batch, rows_per_page=held) for held in ordered)
    growth = batch / rows_per_page + sum(batch / held for held in ordered)
    touched = [distinct(1.2 * batch, pages) for pages in shuffled]
    changed = application.appended_pages(batch, rows_per_page=rows_per_page)
    changed += indexed + sum(touched)
    count = application.checkpoint_transactions(changed, checkpoint_pages=checkpoint)
    copied = growth * count + 4 + sum(distinct(1.2 * batch * count, pages) for pages in shuffled)
    return application.wal_bytes(
        changed,
        db_page_bytes=page,
        checkpoint_pages=checkpoint,
        copied_pages=copied,
        synced_fraction=synced,
    )


def counted_updates(path, setting, skew):
    """Bytes per transaction that SQLite passes for updates of rows at random."""
    rows, size, page, batch, checkpoint = setting
    shares = skew or [(1, 1)]
    parts = [part for _, part in shares]
    chance = random.Random(7)  # noqa: S311 - rows at random, no secrets

    def row():
        (place,) = chance.choices(range(len(shares)), [share for share, _ in shares])
        begin = sum(parts[:place])
        return 1 + int(rows * (begin + parts[place] * chance.random()))

    def transaction(base):
        for _ in range(batch):
            base.execute("update t set b = ?1 where id = ?2", (chance.randbytes(size), row()))

    return _counted(path, rows, size, page, checkpoint, transaction)


def appended(size, batch, checkpoint):
    """Bytes per transaction of rows that are appended to a table, by formula."""
    held = ROWS / application.table_pages(ROWS, row_bytes=size, db_page_bytes=4096)
    return inserted(held, batch, checkpoint)


def counted_inserts(path, size, batch, checkpoint):
    """Bytes per transaction that SQLite passes for rows that are appended."""
    chance = random.Random(7)  # noqa: S311 - rows at random, no secrets

    def transaction(base):
        for _ in range(batch):
            base.execute("insert into t(b) values (?1)", (chance.randbytes(size),))

    return _counted(path, ROWS, size, 4096, checkpoint, transaction)


def _counted(path, rows, size, page, checkpoint, transaction):
    """Bytes per transaction of a table of rows of zeros."""
    base = sqlite3.connect(path, isolation_level=None)
    base.executescript(f"""
        pragma page_size = {page}; pragma journal_mode = wal; pragma synchronous = off;
        create table t (id integer primary key, b blob)""")
    base.execute("begin")
    base.executemany("insert into t(b) values (zeroblob(?))", [(size,)] * rows)
    base.execute("commit")
    base.execute("pragma wal_checkpoint(truncate)")
    base.execute(f"pragma wal_autocheckpoint = {checkpoint}")

    def whole_transaction():
        base.execute("begin")
        transaction(base)
        base.execute("commit")

    try:
        return counted_cycles(path, whole_transaction)
    finally:
        base.close()

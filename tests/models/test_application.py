"""What applications write against bytes that were counted, and SQLite while the test runs.

Counted on Linux: bytes passed to the file system by `wchar` of /proc/self/io, bytes at the drive by
the statistics of a block device of its own (SQLite 3.40, PostgreSQL 15.18, RocksDB, etcd 3.4). Rows
named "fit" set a constant.
"""

import numpy as np
import pytest

from models import application
from models.application.journal import SYNC_BLOCKS
from tests.counted_sqlite import (
    ACCOUNTS,
    EIGHTY,
    HALF,
    INSERTS,
    NINETY,
    UPDATES,
    appended,
    counted_inserts,
    counted_updates,
    distinct,
    inserted,
    updated,
)

# --- SQLite


@pytest.mark.parametrize(
    ("setting", "counted"),
    [
        ((100_000, 107, 4096, 1, 1000, 1), (7_585, 11_702)),
        ((100_000, 107, 4096, 20, 1000, 1), (151_252, 155_419)),
        ((100_000, 107, 4096, 1, 1000, 0), (7_589, 7_608)),
        ((100_000, 107, 8192, 1, 1000, 1), (14_151, 18_270)),
        ((100_000, 107, 16384, 4, 500, 1), (113_077, 117_248)),
        ((2_000, 107, 4096, 1, 1000, 1), (4_358, 8_475)),
        ((400_000, 107, 4096, 10, 4000, 0), (75_829, 75_873)),
        ((50_000, 300, 4096, 3, 2000, 1, NINETY), (15_877, 19_976)),
        ((80_000, 200, 8192, 8, 500, 1, HALF), (108_044, 112_248)),
    ],
)
def test_updates_of_sqlite_are_those_counted(setting, counted):
    assert updated(*setting) == pytest.approx(counted, rel=0.01)


def test_updates_of_which_most_hit_few_rows_are_those_counted():
    """Bytes passed to the file system, mean over ten cycles, 34,793 to 35,432 by two cycles."""
    got = updated(150_000, 107, 4096, 5, 1000, 1, EIGHTY)
    assert got.file_bytes == pytest.approx(35_166, rel=0.01)


@pytest.mark.parametrize(
    ("pages", "page", "metadata", "counted"),
    [
        (1, 4096, 8, (16_924, 57_477)),  # fit
        (9.99, 4096, 8, (90_662, 131_154)),
        (1, 8192, 8, (33_308, 73_861)),
        (1, 4096, 11, (16_924, 69_683)),  # fit
        (1, 4096, 4, (16_952, 41_001)),  # fit
    ],
)
def test_rollback_journals_are_those_counted(pages, page, metadata, counted):
    got = application.rollback_bytes(pages, db_page_bytes=page, metadata_blocks=metadata)
    assert got == pytest.approx(counted, rel=0.005)


@pytest.mark.parametrize(
    ("setting", "counted"),
    [
        ({"rows_per_page": 34.15, "batch": 10}, 8_611),
        ({"rows_per_page": 34.3, "batch": 10}, 8_839),
        ({"rows_per_page": 34, "batch": 10, "shuffled": [220]}, 67_699),
        ({"rows_per_page": 25, "batch": 25, "shuffled": [219]}, 155_404),
        ({"rows_per_page": 25, "batch": 5, "shuffled": [219]}, 36_716),
        ({"rows_per_page": 25, "batch": 1, "shuffled": [219]}, 11_450),
        ({"rows_per_page": 24.3, "batch": 25, "ordered": [227] * 3}, 53_382),
        ({"rows_per_page": 24.3, "batch": 1, "ordered": [227] * 3}, 18_774),
        ({"rows_per_page": 24, "batch": 25, "ordered": [227] * 3, "shuffled": [220]}, 206_856),
        ({"rows_per_page": 24, "batch": 5, "ordered": [227] * 3, "shuffled": [220]}, 60_320),
    ],
)
def test_inserts_of_sqlite_are_those_counted(setting, counted):
    assert inserted(**setting).file_bytes == pytest.approx(counted, rel=0.08)


@pytest.mark.skipif(not ACCOUNTS.exists(), reason="the kernel keeps no accounts in /proc/self/io")
@pytest.mark.parametrize(("setting", "skew"), UPDATES)
def test_sqlite_updates_as_the_formula_says(setting, skew, tmp_path):
    counted = counted_updates(tmp_path / "t.db", setting, skew)
    assert updated(*setting, skew=skew).file_bytes == pytest.approx(counted, rel=0.01)


@pytest.mark.skipif(not ACCOUNTS.exists(), reason="the kernel keeps no accounts in /proc/self/io")
@pytest.mark.parametrize("setting", INSERTS)
def test_sqlite_inserts_as_the_formula_says(setting, tmp_path):
    counted = counted_inserts(tmp_path / "t.db", *setting)
    assert appended(*setting).file_bytes == pytest.approx(counted, rel=0.08)


# --- PostgreSQL: rows of 200,000 on pages of 8,192 bytes

HEAP, FULL_HEAP, INDEX = 4348, 3077, 551


CYCLE_S = 60.0


def postgres(changes, relations, change_bytes, flushes=0.0):
    """Log, images, pages and bytes at the drive of a cycle, by the page store."""
    rates = application.page_store(
        changes / CYCLE_S,
        flushes_per_s=flushes / CYCLE_S,
        relations=relations,
        log=application.Log(change_bytes, block_bytes=8192),
        checkpoint=application.Checkpoint(timeout_s=CYCLE_S, fixed_bytes=3e5),
    )
    return type(rates)._make(CYCLE_S * rate for rate in rates)


def heap(pages, image_bytes, skew=None, **further):
    access = application.uniform(pages)
    if skew:
        shares, parts = np.transpose(skew)
        access = application.Access(shares, parts * pages)
    return application.Relation(access, touches=1, image_bytes=image_bytes, **further)


@pytest.mark.parametrize(
    ("changes", "skew", "images", "wal", "change_bytes", "image_bytes", "flushes", "device"),
    [
        (2_000, None, 1_605, 9.65, 224, 5764, 2_000, 26.08),  # fit
        (20_000, None, 4_303, 29.45, 224, 5764, 20_000, 193.45),
        (20_000, None, 4_309, 29.48, 224, 5764, 5_063, 71.25),
        (10_000, EIGHTY, 2_355, 15.89, 224, 5764, 10_000, 97.85),
        (10_000, None, 3_907, 13.11, 224, 0.48 * 5764, 10_000, 95.06),  # fit
        (10_000, None, 3_913, 24.78, 224, 5764, 0, 24.11),
        (20_000, None, 4_314, 28.97, 208, 5764, 2_000, 45.56),  # fit
    ],
)
def test_the_log_of_postgres_is_that_counted(
    changes, skew, images, wal, change_bytes, image_bytes, flushes, device
):
    got = postgres(changes, [heap(HEAP, image_bytes, skew)], change_bytes, flushes)
    assert got.images_per_s == pytest.approx(images, rel=0.02)
    assert got.log_bytes_per_s == pytest.approx(wal * 1e6, rel=0.02)
    assert got.log_device_bytes_per_s == pytest.approx(device * 1e6, rel=0.03)


@pytest.mark.parametrize(
    ("changes", "images", "wal"), [(5_000, 3_570, 29.97), (20_000, 4_178, 41.09)]
)
def test_updates_of_indexed_columns_log_every_index(changes, images, wal):
    got = postgres(changes, [heap(FULL_HEAP, 8100), heap(INDEX, 7300, alike=2)], 380)
    assert got.images_per_s == pytest.approx(images, rel=0.02)
    assert got.log_bytes_per_s == pytest.approx(wal * 1e6, rel=0.02)


# Bytes of the device, from their printed excess over 8,192 bytes a page.
@pytest.mark.parametrize(
    ("changes", "excess"), [(2_000, 0.022), (20_000, 0.01), (20_000, 0.013), (10_000, 0.001)]
)
def test_a_checkpoint_writes_the_pages_that_changed(changes, excess):
    pages = distinct(changes, HEAP)
    got = postgres(changes, [heap(HEAP, 5764)], 224).page_bytes_per_s
    assert got == pytest.approx(8192 * pages / (1 - excess), rel=0.07)


def test_small_buffers_write_a_page_for_each_change():
    got = postgres(40_000, [heap(HEAP, 5764, hit_ratio=(2048 - 650) / HEAP)], 224)
    assert got.pages_per_s == pytest.approx(26_009, rel=0.05)


# --- rings of SQLite 3.40: pages of a commit and of a checkpoint over five whole cycles


# Rows of a transaction, rows of a page, pages of the table; pages of 4 to 16 KiB.
RINGS = [
    (5, 23, 870, 3.86), (20, 38, 1316, 6.64), (1, 6, 833, 3.48), (2, 13, 770, 3.45),
    (1, 8, 1250, 3.05), (3, 8, 1250, 4.98), (10, 8, 1250, 8.32), (5, 38, 526, 3.14),
    (30, 38, 526, 6.80), (1, 25, 400, 2.33), (2, 25, 400, 2.68), (5, 25, 400, 3.40),
    (10, 25, 400, 4.80), (20, 25, 400, 6.20), (50, 25, 400, 7.91), (100, 25, 400, 9.93),
    (5, 58, 345, 2.76), (20, 58, 345, 4.85), (60, 58, 345, 7.18), (100, 77, 260, 7.03),
    (1, 77, 260, 2.11),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "held", "pages", "counted"), RINGS)
def test_rings_change_the_pages_that_were_counted(rows, held, pages, counted):
    got = application.ring_pages(rows, rows_per_page=held)
    assert got == pytest.approx(counted, rel=0.085 if pages > 500 else 0.17)


# --- trees: rows of 400 bytes, 418 stored; live data, memtable, first level, ratio


@pytest.mark.parametrize(
    ("rows", "memtable", "base", "ratio", "counted"),
    [
        (100_000, 1e6, 2**22, 4, 6.56),  # fit
        (250_000, 1e6, 2**22, 5, 8.48),  # fit
        (250_000, 1e6, 2**22, 10, 9.34),  # fit
        (250_000, 2e6, 2**23, 8, 7.41),  # fit
        (1_000_000, 1e6, 2**22, 10, 13.53),  # fit
        (1_000_000, 2e6, 2**23, 6, 10.24),  # fit
        (250_000, 1e6, 2**24, 8, 9.79),  # fit
        (25_000, 0.25e6, 2**20, 6, 6.708),  # fit
        (50_000, 0.5e6, 2**21, 6, 6.635),  # fit
    ],
)
def test_leveled_trees_write_what_was_counted(rows, memtable, base, ratio, counted):
    got = application.leveled_wa(
        418 * rows,
        trigger_bytes=4 * memtable,
        base_bytes=base,
        level_ratio=ratio,
        updated_fraction=1,
        log_factor=1.03,
    )
    assert got == pytest.approx(counted, rel=0.07)


@pytest.mark.parametrize(
    ("rows", "memtable", "runs", "counted"),
    [(100_000, 1e6, 4, 6.58), (250_000, 1e6, 4, 14.99), (250_000, 1e6, 8, 3.91),
     (250_000, 4e6, 4, 5.90)],
)  # fmt: skip
def test_universal_trees_write_what_was_counted(rows, memtable, runs, counted):
    got = application.universal_wa(
        418 * rows, flush_bytes=memtable, trigger_runs=runs, log_factor=0
    )
    assert got == pytest.approx(counted, rel=0.04)


# --- etcd, file systems


@pytest.mark.parametrize(
    ("value", "rate", "flushes", "counted"),
    [
        (1024, 426, 1, 11_106),  # fit
        (8192, 762, 1, 35_873),  # fit
        (100, 50, 1, 10_465),
        (1024, 50, 1, 19_149),
        (1024, 2630, 0.3, 6_682),
    ],
)
def test_etcd_writes_what_was_counted(value, rate, flushes, counted):
    got = application.put_bytes(value, puts_per_s=rate, flushes=flushes, metadata_blocks=3.5)
    assert got == pytest.approx(counted, rel=0.25)


def test_a_sync_writes_the_blocks_that_were_counted():
    synced, appended = "overwrite and fsync", "append 4 KiB and fdatasync"
    for operation, metadata in ((synced, 3), (appended, 6)):
        got = application.journalled_bytes(4096, flushes=1, metadata_blocks=metadata) / 4096
        assert got == pytest.approx(SYNC_BLOCKS["ext4", operation][1])
    low, high = SYNC_BLOCKS["btrfs", "overwrite and fdatasync"]
    got = [application.btrfs_sync_blocks(1, nodes=nodes, copies=2) for nodes in (2.9, 3.6, 4.3)]
    assert got[0] < low <= high < got[2]
    assert got[1] == pytest.approx(low, rel=0.01)


def test_pools_write_records_whole_and_a_published_run():
    """openzfs/zfs issue 17677: 5 GiB of synced blocks of 16 KiB, log included: 2.07 times."""
    writes = {"record_bytes": 16384, "span_bytes": 5 * 2**30, "flush_s": 1e-3}
    data = application.record_bytes_per_s(1000, **writes)
    assert 2 * data / (1000 * 16384) == pytest.approx(2.07, rel=0.04)
    metadata = [
        application.zfs_metadata_bytes_per_s(75, **(writes | {"flush_s": 5}), stored_fraction=part)
        for part in (0.05, 0.5)
    ]
    assert metadata[1] == pytest.approx(10 * metadata[0])
    assert application.intent_log_bytes_per_s(10, write_bytes=4096) == 10 * 8192
    assert application.intent_log_bytes_per_s(10, write_bytes=100) == 10 * 4096


def test_properties():
    """A longer log between checkpoints and larger batches never write more per row."""
    by_checkpoint = [updated(1e5, 107, 4096, 4, count, 1)[1] for count in (100, 1000, 10_000)]
    assert by_checkpoint == sorted(by_checkpoint, reverse=True)
    by_batch = [updated(1e5, 107, 4096, batch, 1000, 1)[1] / batch for batch in (1, 4, 40)]
    assert by_batch == sorted(by_batch, reverse=True)
    tree = {"level_ratio": 10, "updated_fraction": 1, "log_factor": 1}
    sizes = [
        application.leveled_wa(live, trigger_bytes=trigger, base_bytes=base, **tree)
        for live, trigger, base in (
            (5e11, 2.5e8, 2.5e8),
            (5e10, 2.5e7, 2.5e7),
            (5e12, 2.5e8, 2.5e8),
        )
    ]
    assert sizes[0] == pytest.approx(sizes[1])
    assert sizes[2] > sizes[0]
    endless = application.universal_wa(1e8, flush_bytes=1e6, trigger_runs=500, log_factor=1)
    assert 2 < endless < 2.6

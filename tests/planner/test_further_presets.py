"""Presets that were not counted: by hand, and beside the presets that were."""

import pytest

from models.units import DAY_S
from planner.application import answer_of

KIB = 1024


def bytes_per_s(name, **stated):
    return answer_of(name, _texts(stated)).figures["device_bytes_per_s"].typical


@pytest.mark.parametrize(("name", "server"), [("mysql-8", "mysql"), ("mariadb", "mariadb")])
def test_a_server_is_innodb_with_its_name(name, server):
    stated = {"binlog": "yes", "redo_bytes": "2e8", "age_fraction": "0.5"}
    figures = answer_of(name, stated).figures
    assert figures == answer_of("innodb", stated | {"server": server}).figures


def test_inserts_are_those_of_the_other_preset_of_postgres():
    """8,650 bytes an insert were counted with a serial key, 9,483 with keys at random."""
    common = {"transactions_per_s": 500, "rows": 2e5, "indexes": 0, "max_wal_bytes": 1e12,
              "checkpoint_timeout_s": 60, "flush_s": 1.2e-3, "clients": 8}  # fmt: skip
    for key, counted in (("serial", 8_650), ("random", 9_483)):
        inserts = bytes_per_s("postgres-insert", key=key, correction=1, **common)
        same = bytes_per_s("postgres-oltp", kind="insert", skew="none", key=key, correction=1,
                           fillfactor=1, **common)  # fmt: skip
        assert inserts == pytest.approx(same)
        assert inserts / 500 == pytest.approx(counted, rel=0.1)


AS_POSTGRES = {
    "page_bytes": 8192, "fill": 0.9, "update_bytes": 140, "update_row_share": 1,
    "full_image_bytes": 7340, "log_block_bytes": 8192, "rows_in": "heap", "checkpoint_s": 60,
}  # fmt: skip


def test_a_store_with_the_settings_of_postgres_writes_what_was_counted_of_it():
    """13,419 bytes a transaction, at 301 a second of 200,000 rows of 200 bytes."""
    load = {"transactions_per_s": 301, "rows": 200_000, "indexes": 0, "skew": "none",
            "clients": 8, "flush_s": 1.21e-3, "correction": 1, "log_limit_bytes": 1e12}  # fmt: skip
    assert bytes_per_s("page-store", **AS_POSTGRES, **load) / 301 == pytest.approx(13_419, rel=0.15)


@pytest.mark.parametrize(
    ("log_file", "blocks"), [("reused", 0), ("unwritten", 3 * 740 / 4096), ("grown", 3 + 0.36)]
)
def test_a_log_that_grows_costs_blocks_of_the_journal(log_file, blocks):
    """One row of 300 bytes a flush, logged twice with 140 beside; nothing changes in its page."""
    load = {"transactions_per_s": 10, "rows": 1, "indexes": 0, "skew": "none", "clients": 1,
            "flush_s": 1e-5, "correction": 1, "row_bytes": 300, "update_bytes": 140,
            "update_row_share": 2, "log_limit_bytes": 1e12, "checkpoint_s": 86_400}  # fmt: skip
    grown, plain = (
        bytes_per_s("page-store", log_file=file, **load) for file in (log_file, "reused")
    )
    assert (grown - plain) / 10 == pytest.approx(blocks * 4096, rel=0.01)


def test_pages_of_sql_server_and_oracle_by_hand():
    """Few pages, each of which every cycle writes once; and blocks when they reach their age."""
    table = {"transactions_per_s": 1000, "rows": 3_500, "row_bytes": 200, "indexes": 0,
             "skew": "none", "changed_fraction": 0, "correction": 1, "clients": 1,
             "flush_s": 1e-5}  # fmt: skip
    server = answer_of("sql-server", _texts(table | {"checkpoint_s": 60, "change_bytes": 100}))
    pages = 3_500 / 38  # of 8,096 bytes for 209 each
    written = (pages + 0.01 * 60_000) * 8192 + 1e5  # with the pages of allocation
    assert server.by_layer["checkpoint"].typical == pytest.approx(written / 60, rel=0.01)
    log = 1000 * (100 + 512 - 256)
    assert server.by_layer["log"].typical == pytest.approx(log, rel=0.01)
    redo = {"redo_bytes": 1e8, "change_bytes": 300, "checkpoint_timeout_s": 86_400}
    oracle = answer_of("oracle", _texts(table | redo))
    changes = 0.9 * 1e8 / 300
    blocks = 1 / (1 + changes / (3_500 / 35)) + 0.05  # of 8,082 x 0.9 bytes for 205 each, and undo
    assert oracle.by_layer["checkpoint"].typical == pytest.approx(1000 * blocks * 8192, rel=0.01)
    sooner = answer_of("oracle", _texts(table | redo | {"checkpoint_timeout_s": 1}))
    assert sooner.typical.device_bytes_per_s > 1.2 * oracle.typical.device_bytes_per_s


def _texts(stated):
    return {name: str(value) for name, value in stated.items()}


def test_merges_by_hand():
    """Parts of 1 MB merged eight at a time up to 512 MB: three times; tables likewise, by fours."""
    parts = {"bytes_per_s": 1e7, "stored_fraction": 0.1, "inserts_per_s": 1, "merged_at": 8,
             "part_bytes": 512e6, "files_of_part": 10}  # fmt: skip
    assert bytes_per_s("clickhouse", **parts) == pytest.approx(4e6 + 10 * 4 * KIB)
    tables = {"bytes_per_s": 1e6, "live_bytes": 64e9, "memtable_bytes": 1e9, "merged_at": 4,
              "stored_fraction": 0.5, "row_bytes": 1200, "correction": 1}  # fmt: skip
    assert bytes_per_s("cassandra", **tables) == pytest.approx(1.01e6 + 0.5e6 * 4)


def test_points_snapshots_and_backups_by_hand():
    points = {"points_per_s": 1000, "batches_per_s": 1, "logged_bytes": 4096, "point_bytes": 3,
              "rewrites": 2, "correction": 1}  # fmt: skip
    flushed = 1000 * 4096 + 4088 + (3 + 2) * 4 * KIB  # the last block again, and the journal
    assert bytes_per_s("influxdb", **points) == pytest.approx(flushed + 9_000)
    validator = {"accounts_bytes_per_s": 1e6, "moved_fraction": 0.5, "ledger_bytes_per_s": 2e6,
                 "ledger_writes": 3, "snapshot_bytes": 4e10, "snapshot_slots": 25_000,
                 "increment_bytes": 4e7, "increment_slots": 100}  # fmt: skip
    assert bytes_per_s("solana", **validator) == pytest.approx(1.5e6 + 6e6 + 4e6 + 1e6)
    packs = {"new_bytes_per_day": 1e11, "stored_fraction": 0.5, "file_bytes": 1e7,
             "index_bytes_per_day": 0, "correction": 1}  # fmt: skip
    moved = 5e10 * 1.2
    files = moved / 1e7 * (9.6 - 1) * 4 * KIB
    restic = bytes_per_s("restic", repacked_fraction=0.2, **packs)
    assert restic * DAY_S == pytest.approx(moved + files)
    marks = 1e12 / 1e7 * 2 * 4 * KIB
    pbs = bytes_per_s("pbs", held_bytes=1e12, marks_per_day=1, inode_blocks=2, **packs)
    assert pbs * DAY_S == pytest.approx(5e10 + 5e3 * 0.26 * 4 * KIB + marks)


def test_entries_of_a_journal_touch_the_pages_that_they_share_once_per_write_back():
    few = {"text_bytes": 100, "entry_bytes": 1000, "links": 20, "linked_pages": 1e9,
           "writeback_s": 30, "correction": 1, "file": "reused"}  # fmt: skip
    slow, busy = (
        answer_of("systemd-journal", _texts(few | {"entries_per_s": rate})).by_layer["links"]
        for rate in (0.001, 10)
    )
    assert slow.typical == pytest.approx(0.001 * 20 * 4 * KIB)
    assert busy.typical == pytest.approx(10 * 20 * 4 * KIB, rel=1e-4)  # few meet
    shared = answer_of("systemd-journal", _texts(few | {"entries_per_s": 10, "linked_pages": 50}))
    assert shared.by_layer["links"].typical == pytest.approx(50 * 4 * KIB / 30, rel=0.01)


def test_each_node_of_a_cluster_writes_the_changes_of_all():
    one, five = (bytes_per_s("pmxcfs", nodes=nodes, writes_per_node=0.5) for nodes in (1, 5))
    assert five == pytest.approx(5 * one, rel=0.01)
    alone = bytes_per_s("sqlite-wal", transactions_per_s=2.5, rows=100, row_bytes=400,
                        rows_per_transaction=2, synchronous="normal")  # fmt: skip
    assert five == pytest.approx(alone, rel=0.05)


def test_state_of_a_chain_goes_through_a_tree():
    """Twice the changes, twice the writes of the tree, which are those of its like in RocksDB."""
    alike = {"skew": "none", "stored_fraction": 1, "memtable_bytes": 2.5e8, "correction": 1}
    chain = alike | {"block_bytes": 1, "live_bytes": 3e11}
    one, two = (bytes_per_s("geth", changed_per_day=share, **chain) for share in (0.01, 0.02))
    assert two == pytest.approx(2 * one, rel=1e-3)
    put = 0.01 * 3e11 / DAY_S
    tree = bytes_per_s("rocksdb-leveled", bytes_per_s=put, live_bytes=3e11, row_bytes=1e9,
                       base_bytes=67108864, **alike)  # fmt: skip
    assert one == pytest.approx(tree, rel=1e-3)

"""What a system counts of an application, beside the model: readers, ratios, refusals."""

import json

import pytest

from planner.application import answer_of, beside
from planner.cli import main
from planner.telemetry.application_counters import read_counters
from planner.telemetry.record import Refused

PROC = """\
rchar: 10
wchar: {}
syscr: 1
syscw: 9
read_bytes: 0
write_bytes: {}
cancelled_write_bytes: 4096
"""
WAL = """\
 wal_records | wal_fpi | wal_bytes | wal_buffers_full | wal_write | wal_sync
-------------+---------+-----------+------------------+-----------+----------
       {} |    4303 |  {} |                0 |     {} |    {}
(1 row)
"""
IO = """\
backend_type|object|context|writes|op_bytes
checkpointer|relation|normal|{}|8192
client backend|temp relation|normal|50|8192
"""
ROCKSDB = """\
** DB Stats **
Cumulative writes: 250K writes, 250K keys, ingest: 0.10 GB, 1.70 MB/s
Cumulative WAL: 250K writes, 0 syncs, 250000.00 writes per sync, written: 0.11 GB, 1.70 MB/s
Interval writes: 0 writes, ingest: 0.00 GB
Cumulative compaction: 0.84 GB write, 14.00 MB/s write, 0.80 GB read
"""
ZPOOL = """\
              capacity     operations     bandwidth
pool        alloc   free   read  write   read  write
----------  -----  -----  -----  -----  -----  -----
tank        1000   2000      1      2    100    900
  sda        500   1000      1      2    100    900
tank        1000   2000      1      2    100   4000
tank        1000   2000      1      2    100   6000
"""

TICKERS = """\
rocksdb.bytes.written COUNT : 1000
rocksdb.flush.write.bytes COUNT : 900
rocksdb.compact.write.bytes COUNT : 5000
rocksdb.wal.bytes COUNT : 1100
rocksdb.db.get.micros P50 : 1.0 P95 : 2.0 COUNT : 7 SUM : 9
"""
EXPANDED = """\
-[ RECORD 1 ]----+------
wal_records      | 66
wal_bytes        | 9000
wal_sync         | 20
"""
REPORTS = json.dumps({"sysstat": {"hosts": [{"statistics": [
    {"disk": [{"disk_device": "nvme0n1", "w/s": 1.0, "wkB/s": 1.0}]},
    {"disk": [{"disk_device": "nvme0n1", "w/s": 5.0, "wkB/s": 300.0},
              {"disk_device": "nvme0n1p1", "w/s": 5.0, "wkB/s": 300.0}]},
]}]}})  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        (PROC.format(7000, 12288), "/proc/PID/io", {"file_bytes": 7000, "data_bytes": 8192}),
        (
            "259:0 rbytes=1 wbytes=500 rios=1 wios=2 dbytes=0 dios=0\n8:0 rbytes=0 wbytes=20\n",
            "io.stat", {"data_bytes": 520},
        ),
        (WAL.format(9, 1000, 8, 7), "pg_stat_wal", {"log_bytes": 1000, "flushes": 7}),
        ("wal_records,wal_bytes\n9,1000\n", "pg_stat_wal", {"log_bytes": 1000}),
        (IO.format(100), "pg_stat_io", {"checkpoint_bytes": 819_200}),
        (
            ROCKSDB, "RocksDB",
            {"application_bytes": 1e8, "log_bytes": 1.1e8, "device_bytes": 9.5e8},
        ),
        (
            TICKERS, "RocksDB",
            {"application_bytes": 1000, "log_bytes": 1100, "device_bytes": 7000},
        ),
        (EXPANDED, "pg_stat_wal", {"log_bytes": 9000, "flushes": 20}),
        (ZPOOL, "zpool iostat", {"device_bytes": 5000}),
        (
            "tank\t9\t9\t1\t2\t3\t40\ntank\t9\t9\t1\t2\t3\t60\ntank\t9\t9\t-\t2\t3\t80\n",
            "zpool iostat", {"device_bytes": 70},
        ),
        (REPORTS, "iostat", {"device_bytes": 307_200}),
    ],
)  # fmt: skip
def test_counters_are_read_by_content(text, kind, values):
    counted = read_counters(text.encode())
    assert counted.kind == kind
    assert counted.values == pytest.approx(values)


def files(folder, *texts):
    paths = [folder / f"{number}.txt" for number, _ in enumerate(texts)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return [word for path in paths for word in ("--measured", str(path))]


def run(capsys, *words):
    code = main(["app", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_two_readings_stand_beside_the_model(tmp_path, capsys):
    """SQLite as counted: 7,589 bytes passed and 7,608 at the drive a transaction, unsynced."""
    first, second = PROC.format(0, 4096), PROC.format(75_890_000, 76_084_096)
    words = ("sqlite-wal", "--in", "transactions_per_s=100", "--in", "synchronous=normal", "--in",
             "row_bytes=107", *files(tmp_path, first, second), "--over", "100s")  # fmt: skip
    code, answer = run(capsys, *words)
    assert code == 0
    rows = {row["quantity"]: row for row in answer["measured"]}
    assert set(rows) == {"data_bytes / file_bytes", "file_bytes_per_s", "data_bytes_per_s"}
    assert rows["file_bytes_per_s"]["counted"] == pytest.approx(758_900)
    for row in rows.values():
        assert row["ratio"] == pytest.approx(1, abs=0.01)
        assert set(row["model"]) == {"low", "typical", "high"}


def test_one_reading_of_a_tree_gives_its_amplification(tmp_path, capsys):
    _, answer = run(capsys, "rocksdb-leveled", *files(tmp_path, ROCKSDB))
    rows = {row["quantity"]: row["counted"] for row in answer["measured"]}
    assert rows["device_bytes / application_bytes"] == pytest.approx(9.5)


def test_log_per_flush_and_ratios_follow_from_the_streams():
    alike = {"indexes": "0", "skew": "none", "commits_per_flush": "2", "correction": "1"}
    answer = answer_of("postgres-oltp", alike | {"checkpoint_fixed_bytes": "3e5"})
    load = answer.typical
    (log,) = (part for part in load.streams if part.name == "log")
    (row,) = beside(answer, {"log_bytes": 1e6, "flushes": 50.0}, None)
    assert row.counted == 20_000
    assert row.model.typical == pytest.approx(log.bytes_per_s / load.flushes_per_s)


@pytest.mark.parametrize(
    ("texts", "further", "sentence"),
    [
        (["nothing of the kind"], (), "--measured: file: must be one of /proc/PID/io"),
        ([PROC.format(5, 9)], (), "--measured must be two readings of /proc/PID/io"),
        ([PROC.format(5, 9), ROCKSDB], (), "second file: is RocksDB, and the first is /proc"),
        ([PROC.format(5, 9), PROC.format(4, 9)], (), "counts less than the first: file_bytes"),
        (["8:0 rbytes=0 wbytes=1", "8:0 rbytes=0 wbytes=3"], (), "over must be the time"),
        ([WAL.format(1, "x", 1, 1), WAL.format(1, 2, 1, 1)], (), "wal_bytes: must be a count"),
        ([], ("--over", "5s"), "--over applies to the two readings of --measured"),
    ],
)
def test_what_cannot_be_compared_is_refused(texts, further, sentence, tmp_path, capsys):
    code, answer = run(capsys, "postgres-oltp", *files(tmp_path, *texts), *further)
    assert code == 2
    assert sentence in answer["error"]["message"]


def test_a_file_beyond_the_limit_is_refused():
    with pytest.raises(Refused, match="larger than 16 MiB"):
        read_counters(b"x" * (16 * 2**20 + 1))

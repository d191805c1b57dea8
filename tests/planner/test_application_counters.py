"""Counters of an application as databases and systems print them: every form reads alike."""

import json

import pytest

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
IO = """\
backend_type|object|context|writes|extends|op_bytes|fsyncs|fsync_time
checkpointer|relation|normal|{}|0|8192|3|1.0
client backend|relation|normal|{}|{}|8192||
client backend|temp relation|normal|50|1|8192||
walwriter|wal|normal|1||8192|{}|{}
"""
ROCKSDB = """\
** DB Stats **
Uptime(secs): 60.0 total, 0.0 interval
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
REPORTS = json.dumps({"sysstat": {"hosts": [{"statistics": [
    {"disk": [{"disk_device": "nvme0n1", "w/s": 1.0, "wkB/s": 1.0}]},
    {"disk": [{"disk_device": "nvme0n1", "w/s": 5.0, "wkB/s": 300.0},
              {"disk_device": "nvme0n1p1", "w/s": 5.0, "wkB/s": 300.0}]},
]}]}})  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        (
            ROCKSDB, "RocksDB",
            {"application_bytes": 1e8, "log_bytes": 1.1e8, "device_bytes": 9.5e8},
        ),
        (
            TICKERS, "RocksDB",
            {"application_bytes": 1000, "log_bytes": 1100, "device_bytes": 7000},
        ),
        (ZPOOL, "zpool iostat", {"device_bytes": 5000}),
        (
            "tank\t9\t9\t1\t2\t3\t40\ntank\t9\t9\t1\t2\t3\t60\ntank\t9\t9\t-\t2\t3\t80\n",
            "zpool iostat", {"device_bytes": 70},
        ),
        (REPORTS, "iostat", {"device_bytes": 307_200}),
    ],
)  # fmt: skip
def test_a_whole_reading_needs_no_second(text, kind, values):
    counted = read_counters([text.encode()])
    assert counted.kinds == (kind,)
    assert counted.values == pytest.approx(values)
    assert counted.over_s == {ROCKSDB: 60.0, TICKERS: None}.get(text, 1.0)


# One row of pg_stat_wal after 30 seconds, in every form in which psql prints it.

WAL = ("now", "wal_records", "wal_fpi", "wal_bytes", "wal_sync", "wal_sync_time", "stats_reset")
RESET = "2026-11-01 00:00:00+00"
FIRST = ("2026-11-28 04:50:00.25+00", "66", "4000", "1000000", "70", "35.5", RESET)
LAST = ("2026-11-28 04:50:30.25+00", "99", "4303", "1900000", "90", "55.5", RESET)
COUNTED = {"log_bytes": 900_000, "images": 303, "flushes": 20, "flush_time_s": 0.02}


def aligned(row):
    widths = [max(map(len, pair)) for pair in zip(WAL, row, strict=True)]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
             for cells in (WAL, row)]  # fmt: skip
    rule = "-+-".join("-" * width for width in widths)
    return f" {lines[0]}\n-{rule}-\n {lines[1]}\n(1 row)\n\n"


def expanded(row):
    lines = (f"{name:<14}| {cell}" for name, cell in zip(WAL, row, strict=True))
    return "\n".join(["-[ RECORD 1 ]-+-----------", *lines, "", ""])


def by(mark):
    return lambda row: f"{mark.join(WAL)}\n{mark.join(row)}\n"


def as_json(row):
    return json.dumps(dict(zip(WAL, row, strict=True))) + "\n"


def json_in_a_table(row):
    return f" row_to_json \n-------------\n {as_json(row)}(1 row)\n\n"


def json_list(row):
    return json.dumps([dict(zip(WAL, row, strict=True))], indent=2) + "\n"


FORMS = {
    "aligned": aligned, "expanded": expanded, "unaligned": by("|"), "csv": by(","),
    "tabs": by("\t"), "json": as_json, "json in a table": json_in_a_table, "list": json_list,
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("files", [1, 2])
def test_every_form_of_a_view_reads_alike(form, files):
    texts = [FORMS[form](row).encode() for row in (FIRST, LAST)]
    counted = read_counters([b"".join(texts)] if files == 1 else texts)
    assert counted.kinds == ("pg_stat_wal",)
    assert counted.values == pytest.approx(COUNTED)
    assert counted.over_s == 30


def test_rows_of_one_table_are_readings_and_the_outer_ones_count():
    middle = ("2026-11-28 04:50:10+00", *LAST[1:])
    rows = "\n".join("|".join(row) for row in (WAL, FIRST, middle, LAST))
    assert read_counters([rows.encode()]).values == pytest.approx(COUNTED)


def test_views_in_any_order_are_each_paired_with_their_own():
    writer = "checkpoints_timed,checkpoints_req,buffers_checkpoint,buffers_clean,buffers_backend\n"
    first, last = (f"{writer}{numbers}\n" for numbers in ("1,0,100,5,7", "3,1,300,6,9"))
    for order in ((FIRST, first, LAST, last), (FIRST, LAST, first, last)):
        text = "\n".join(part if isinstance(part, str) else by(",")(part) for part in order)
        counted = read_counters([text.encode()])
        assert counted.kinds == ("pg_stat_wal", "pg_stat_bgwriter")
        assert counted.values["pages"] == 203
        assert counted.values["requested_checkpoints"] == 1
        assert counted.values["log_bytes"] == 900_000


def test_io_by_process_counts_pages_of_all_and_flushes_of_the_log():
    """PostgreSQL 16 to 18; what extends a table is written too, temporary tables are not asked."""
    later = "buffers_written,num_timed,num_requested\n{},0,1\n\n"
    first = IO.format(100, 5, 1, 10, 5.0) + "\n" + later.format(90)
    last = IO.format(200, 6, 11, 60, 55.0) + "\n" + later.format(190)
    counted = read_counters([first.encode(), last.encode()], over_s=60)
    assert counted.values["pages"] == 111
    assert counted.values["checkpoint_pages"] == 100
    assert counted.values["flushes"] == 50
    assert counted.values["flush_time_s"] == pytest.approx(0.05)


def test_tables_are_told_apart_and_added_up():
    head = "schemaname|relname|n_tup_ins|n_tup_upd|n_tup_del|n_tup_hot_upd|n_live_tup\n"
    text = head + "public|a|{0}|0|0|0|50\npublic|b|0|{1}|0|{2}|1000\n"
    first, last = (text.format(*each).encode() for each in ((1, 10, 2), (4, 40, 17)))
    counted = read_counters([first + b"\n" + last], over_s=3)
    assert counted.values["row_changes"] == 33
    assert counted.values["hot_updates"] == 15
    assert [table["rows"] for table in counted.tables] == [50, 1000]
    assert [table["updates"] for table in counted.tables] == [0, 30]


# SHOW GLOBAL STATUS, in every form in which its clients print it.

STATUS = ("Innodb_buffer_pool_dump_status", "Innodb_checkpoint_age", "Innodb_data_fsyncs",
          "Innodb_log_writes", "Innodb_lsn_current", "Innodb_pages_written", "Com_commit",
          "Com_update", "Max_memory_used", "Ssl_cipher", "Uptime")  # fmt: skip
BEFORE = ("NOT STARTED", "500", "100", "90", "1000", "70", "0", "1000", "NULL", "", "100")
AFTER = ("OFF", "700", "160", "140", "61000", "370", "0", "7000", "NULL", "", "160")


def framed(row):
    pairs = [("Variable_name", "Value"), *zip(STATUS, row, strict=True)]
    rule = "+--------------------------------+-------------+\n"
    lines = [f"| {name:<30} | {value:<11} |\n" for name, value in pairs]
    return f"{rule}{lines[0]}{rule}{''.join(lines[1:])}{rule}11 rows in set (0.001 sec)\n\n"


def vertical(row):
    return "".join(
        f"{'*' * 27} {number}. row {'*' * 27}\nVariable_name: {name}\n        Value: {value}\n"
        for number, (name, value) in enumerate(zip(STATUS, row, strict=True), 1)
    )


def batch(row):
    lines = (f"{name}\t{value}\n" for name, value in zip(STATUS, row, strict=True))
    return "Variable_name\tValue\n" + "".join(lines)


def no_names(row):
    return batch(row).partition("\n")[2]  # -N


@pytest.mark.parametrize("form", [framed, vertical, batch, no_names])
@pytest.mark.parametrize("files", [1, 2])
def test_every_form_of_a_status_reads_alike(form, files):
    texts = [form(row).encode() for row in (BEFORE, AFTER)]
    counted = read_counters([b"".join(texts)] if files == 1 else texts)
    assert counted.over_s == 60
    assert counted.levels == {"age_bytes": 600}
    names = ("log_bytes", "flushes", "pages", "transactions")
    assert [counted.values[name] for name in names] == [60_000, 50, 300, 6000]


def test_commits_are_those_of_the_binary_log_or_explicit_ones():
    head = (
        "Variable_name\tValue\nInnodb_pages_written\t{0}\nCom_update\t{0}000\nCom_commit\t{0}00\n"
    )
    first, last = (head.format(each).encode() for each in (1, 2))
    assert read_counters([first, last], over_s=1).values["transactions"] == 100
    first, last = (f"{each.decode()}Binlog_commits\t{n}\n".encode()
                   for each, n in ((first, 5), (last, 45)))  # fmt: skip
    assert read_counters([first, last], over_s=1).values["transactions"] == 40


SERVER = """{{
  host: 'db.example:27017',
  version: "6.0.5",
  uptimeMillis: Long('{uptime}'),
  localTime: ISODate('2026-11-28T04:50:{second}.000Z'),
  opcounters: {{ insert: Long('7'), update: Long('{updates}'), delete: Long("0") }},
  wiredTiger: {{
    log: {{ 'log bytes written': Long('{log}'), 'log sync operations': {syncs},
           'log sync time duration (usecs)': Long('{waited}') }},
    'block-manager': {{ 'blocks written': {blocks}, 'bytes written': Long('{size}') }},
    uri: [ 'a', {{ b: [Object] }} ], flags: [ true, null ]
  }},
  ok: 1
}}
"""
READINGS = (
    {"uptime": 50_000, "second": "00", "updates": 10, "log": 1000, "syncs": 5, "waited": 100,
     "blocks": 7, "size": 70_000},
    {"uptime": 70_000, "second": "20", "updates": 60, "log": 13_800, "syncs": 45, "waited": 80_100,
     "blocks": 17, "size": 370_000},
)  # fmt: skip
OF_SERVER = {"log_bytes": 12_800, "flushes": 40, "flush_time_s": 0.08, "pages": 10,
             "page_bytes": 300_000, "transactions": 50, "row_changes": 50}  # fmt: skip


def server_json(reading):
    return json.dumps({
        "localTime": {"$date": f"2026-11-28T04:50:{reading['second']}.000Z"},
        "opcounters": {"update": {"$numberLong": str(reading["updates"])}},
        "wiredTiger": {
            "log": {"log bytes written": reading["log"], "log sync operations": reading["syncs"],
                    "log sync time duration (usecs)": reading["waited"]},
            "block-manager": {"blocks written": reading["blocks"],
                              "bytes written": reading["size"]},
        },
    })  # fmt: skip


@pytest.mark.parametrize("form", [lambda each: SERVER.format(**each), server_json])
def test_a_server_status_reads_alike_from_the_shell_and_as_json(form):
    counted = read_counters(["\n".join(map(form, READINGS)).encode()])
    assert counted.over_s == 20
    assert {name: counted.values[name] for name in OF_SERVER} == pytest.approx(OF_SERVER)


def test_metrics_of_etcd_and_info_of_redis():
    metrics = (
        "# HELP etcd_mvcc_put_total puts\n# TYPE etcd_mvcc_put_total counter\n"
        'etcd_mvcc_put_total {}\netcd_disk_wal_fsync_duration_seconds_bucket{{le="0.1"}} 4\n'
        'etcd_disk_wal_fsync_duration_seconds_bucket{{le="+Inf"}} 4\ngo_memstats_frees 1.9e+05\n'
        "# TYPE x counter\netcd_disk_wal_fsync_duration_seconds_sum {}\n"
        "etcd_disk_wal_fsync_duration_seconds_count {}\nprocess_start_time_seconds 1.79584e+09\n"
    )
    first, last = (metrics.format(*each).encode() for each in ((5, 0.5, 9), (105, 1.5, 99)))
    counted = read_counters([first, last], over_s=10)
    assert counted.values == {"transactions": 100, "flushes": 90, "flush_time_s": 1.0}
    info = (
        "# Server\r\nredis_version:7.0.15\r\nos:Linux 6.18 x86_64\r\n"
        "run_id:ab\r\nuptime_in_seconds:{}\r\n\r\n"
        "# Commandstats\r\ncmdstat_set:calls={},usec=2\r\ncmdstat_get:calls=9,usec=2\r\n"
    )
    text = "".join(info.format(*each) for each in ((5, 10), (25, 110)))
    counted = read_counters([text.encode()])
    assert (counted.values, counted.over_s) == ({"transactions": 100}, 20)


def test_accounts_of_processes_are_told_apart_by_their_files():
    first, last = PROC.format(700, 4096), PROC.format(900, 12_288)
    counted = read_counters([f"2026-11-28T04:50:00\n{first}2026-11-28T04:50:20\n{last}".encode()])
    assert (counted.values, counted.over_s) == ({"file_bytes": 200, "data_bytes": 8192}, 20)
    two = "==> /proc/7/io <==\n{}\n==> /proc/8/io <==\n{}\n"
    texts = [two.format(each, PROC.format(1, 4096)).encode() for each in (first, last)]
    assert read_counters(texts, over_s=1).values == {"file_bytes": 200, "data_bytes": 8192}


DISKS = """{}
   8       0 sda 1 2 3 4 5 6 {} 8 9 10 11 0 0 0 0 {} 7
   8       1 sda1 1 2 3 4 5 6 {} 8 9 10 11 0 0 0 0 5 7
   8      16 sdb 1 2 3 4 5 6 7 8 9 10 11 0 0 0 0 5 7
   7       0 loop0 1 2 3 4 5 6 {} 8 9 10 11
"""


def test_of_disks_the_only_drive_that_changed_counts_or_the_one_named():
    first, last = (
        DISKS.format("100.25 7.00", 10, 1, 10, 4),
        DISKS.format("110.25 9.00", 60, 41, 60, 9),
    )
    counted = read_counters([first.encode(), last.encode()])
    assert counted.values["device_bytes"] == 50 * 512
    assert counted.values["device_flushes"] == 40
    assert counted.over_s == 10
    named = read_counters([(first + last).encode()], device="loop0")
    assert named.values["device_bytes"] == 5 * 512
    both = last.replace("5 6 7 8", "5 6 99 8").encode()
    with pytest.raises(Refused, match="sda, sdb were written to: name one"):
        read_counters([first.encode(), both])
    with pytest.raises(Refused, match="device: must be one of sda, sda1, sdb, loop0, got 'sdc'"):
        read_counters([first.encode(), both], device="sdc")


def test_two_logs_of_smart_give_what_the_host_wrote():
    log = {
        "json_format_version": [1, 0], "smartctl": {"version": [7, 3]},
        "device": {"name": "/dev/nvme0", "protocol": "NVMe", "type": "nvme"},
        "model_name": "SAMSUNG MZQL21T9HCJR-00A07", "serial_number": "S1",
    }  # fmt: skip
    texts = [
        json.dumps(log | {
            "local_time": {"time_t": 1_795_800_000 + 3600 * hour},
            "nvme_smart_health_information_log": {"data_units_written": 1000 + 50 * hour},
        }).encode()
        for hour in (0, 2)
    ]  # fmt: skip
    counted = read_counters(texts)
    assert counted.values == {"device_bytes": 100 * 512_000}
    assert counted.over_s == 7200


def changed(row, **cells):
    return tuple(cells.get(name, cell) for name, cell in zip(WAL, row, strict=True))


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["nothing of the kind"], "file: must be one of pg_stat_wal"),
        ([aligned(FIRST)], "pg_stat_wal: must be two readings, one after the other, got 1"),
        ([aligned(FIRST), PROC.format(1, 2)], "pg_stat_wal and /proc/PID/io: must be two readings"),
        ([aligned(LAST), aligned(FIRST)], "line 3: is no later reading of pg_stat_wal"),
        ([aligned(FIRST), ROCKSDB], "second file: RocksDB needs one file"),
        (
            [aligned(FIRST), aligned(changed(LAST, stats_reset="2026-11-28 04:50:20+00"))],
            "counters of pg_stat_wal were reset between the readings: stats_reset changed",
        ),
        (
            [aligned(FIRST), aligned(changed(LAST, wal_bytes="999999"))],
            "line 3: pg_stat_wal counts less than the first: log_bytes; it was reset",
        ),
        ([batch(AFTER), batch(BEFORE)], "the server restarted, or the files are in the wrong"),
        ([aligned(FIRST), aligned(changed(LAST, wal_bytes="x"))], "wal_bytes: must be a count"),
        (["{ wiredTiger: { log: {", ""], "line 1: begins a document that is cut off"),
        (["{ a: }"], "line 1: is no part of a document: '}'"),
        (["{a:" * 70 + "1"], "is nested more than 60 deep"),
    ],
)
def test_what_cannot_be_read_is_refused(texts, sentence):
    with pytest.raises(Refused) as refused:
        read_counters([text.encode() for text in texts])
    assert sentence in str(refused.value)


def test_a_file_beyond_the_limit_is_refused():
    with pytest.raises(Refused, match="larger than 16 MiB"):
        read_counters([b"x" * (16 * 2**20 + 1)])

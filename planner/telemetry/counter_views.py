"""Counters of databases and systems by the columns that hold them, under names of our own.

Each view is recognised by a column that no other has. PostgreSQL's views are those of versions 14
to 18, whose columns moved; MySQL's and MariaDB's status variables differ as commented.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from planner.telemetry.block_devices import SECTOR_BYTES
from planner.telemetry.counter_rows import CounterRow
from planner.telemetry.record import Refused

SHOWN = 60
WAL_PAGE_BYTES = 8192.0
MS, US = 1e-3, 1e-6
MOST_TWICE = 2.02  # of the rows added, which ANALYZE estimates
Row = Mapping[str, str]


class View(NamedTuple):
    """A table of counters: the column that it is known by, its rows' identity, and its counters."""

    kind: str
    known_by: tuple[str, ...]
    counters: Callable[[Row], dict[str, float]]
    identity: tuple[str, ...] = ()
    marks: tuple[str, ...] = ("stats_reset",)  # that change where counters begin anew
    uptime: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()  # counters that rise and fall


def number(row: Row, *names: str) -> float | None:
    """Return the first of some columns that is there and not empty, as a number.

    >>> number({"a": "", "b": "7"}, "a", "b")
    7.0
    """
    for name in names:
        written = row.get(name, "").strip().replace(",", "")
        if written in ("", "NULL", "null", "-"):
            continue
        try:
            value = float(written)
        except ValueError:
            value = math.nan
        if not 0 <= value < math.inf:
            raise Refused(name, f"must be a count, got {row[name][:SHOWN]!r}")
        return value
    return None


def _known(**found: float | None) -> dict[str, float]:
    return {name: value for name, value in found.items() if value is not None}


def _sum(*parts: float | None) -> float | None:
    known = [part for part in parts if part is not None]
    return sum(known) if known else None


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def _wal(row: Row) -> dict[str, float]:
    return _known(
        log_bytes=number(row, "wal_bytes"), images=number(row, "wal_fpi"),
        flushes=number(row, "wal_sync"), flush_time_s=_scaled(number(row, "wal_sync_time"), MS),
    )  # fmt: skip


def _io(row: Row) -> dict[str, float]:
    kind = row.get("object", "relation")
    if kind == "wal":
        waited = _scaled(number(row, "fsync_time"), MS)
        return _known(flushes=number(row, "fsyncs"), flush_time_s=waited)
    if kind != "relation":
        return {}
    whole, size = number(row, "write_bytes"), number(row, "op_bytes") or WAL_PAGE_BYTES
    added = number(row, "extends")
    written = number(row, "writes") if whole is None else whole / size
    return _known(all_pages=_sum(written, added))


def _checkpointer(row: Row) -> dict[str, float]:
    return _known(
        pages=number(row, "buffers_written"),
        checkpoint_pages=number(row, "buffers_written"),
        timed_checkpoints=number(row, "num_timed"),
        requested_checkpoints=number(row, "num_requested"),
    )


def _bgwriter(row: Row) -> dict[str, float]:
    parts = (number(row, name) for name in
             ("buffers_checkpoint", "buffers_clean", "buffers_backend"))  # fmt: skip
    return _known(
        pages=_sum(*parts), checkpoint_pages=number(row, "buffers_checkpoint"),
        timed_checkpoints=number(row, "checkpoints_timed"),
        requested_checkpoints=number(row, "checkpoints_req"),
    )  # fmt: skip


def _database(row: Row) -> dict[str, float]:
    return _known(transactions=number(row, "xact_commit"))


def _tables(row: Row) -> dict[str, float]:
    inserts, deletes = number(row, "n_tup_ins"), number(row, "n_tup_del")
    return _known(
        updates=number(row, "n_tup_upd"), inserts=inserts, deletes=deletes,
        hot_updates=number(row, "n_tup_hot_upd"),
        rows=_rows(number(row, "n_live_tup"), (inserts or 0.0) - (deletes or 0.0)),
    )  # fmt: skip


def _rows(live: float | None, added: float) -> float | None:
    """Return the rows of a table of PostgreSQL, whose count of live ones is an estimate.

    Rows that ANALYZE meets before the session that inserted them reports them are counted twice.
    Where more than twice those added live, the statistics began later than the table.

    >>> _rows(200_000.0, 100_000.0), _rows(99_000.0, 100_000.0), _rows(1e9, 1e3)
    (100000.0, 99000.0, 1000000000.0)
    """
    is_twice = live is not None and added < live <= MOST_TWICE * added
    return added if is_twice else live


def _mysql(row: Row) -> dict[str, float]:
    """Return the counters of MySQL or MariaDB.

    MariaDB counts bytes of its log by sequence numbers alone, MySQL with what fills its blocks; and
    MariaDB flushes its log no more often than it writes it, or than it flushes any file.
    """
    flushes = number(row, "Innodb_os_log_fsyncs")
    if flushes is None:
        bounds = [number(row, name) for name in ("Innodb_log_writes", "Innodb_data_fsyncs")]
        flushes = min((each for each in bounds if each is not None), default=None)
    statements = {
        kind: number(row, f"Innodb_rows_{changed}", f"Handler_{handler}")
        for kind, changed, handler in (
            ("updates", "updated", "update"), ("inserts", "inserted", "write"),
            ("deletes", "deleted", "delete"),
        )
    }  # fmt: skip
    return _known(
        log_bytes=number(row, "Innodb_lsn_current", "Innodb_redo_log_current_lsn",
                         "Innodb_os_log_written"),
        flushes=flushes,
        pages=number(row, "Innodb_buffer_pool_pages_flushed", "Innodb_pages_written"),
        copies=number(row, "Innodb_dblwr_pages_written"),
        age_bytes=number(row, "Innodb_checkpoint_age"),
        explicit_commits=number(row, "Com_commit"), logged_commits=number(row, "Binlog_commits"),
        statements=_sum(*(number(row, f"Com_{kind}")
                          for kind in ("update", "insert", "delete", "replace"))),
        **statements,
    )  # fmt: skip


def _mongodb(row: Row) -> dict[str, float]:
    log, blocks = "wiredTiger.log.", "wiredTiger.block-manager."
    documents, operations = "metrics.document.", "opcounters."
    return _known(
        updates=number(row, f"{documents}updated", f"{operations}update"),
        inserts=number(row, f"{documents}inserted", f"{operations}insert"),
        deletes=number(row, f"{documents}deleted", f"{operations}delete"),
        statements=_sum(*(number(row, f"{operations}{kind}")
                          for kind in ("update", "insert", "delete"))),
        log_bytes=number(row, f"{log}log bytes written"),
        flushes=number(row, f"{log}log sync operations"),
        flush_time_s=_scaled(number(row, f"{log}log sync time duration (usecs)"), US),
        pages=number(row, f"{blocks}blocks written"),
        page_bytes=number(row, f"{blocks}bytes written"),
    )  # fmt: skip


def _etcd(row: Row) -> dict[str, float]:
    timed = "etcd_disk_wal_fsync_duration_seconds"
    return _known(
        transactions=number(row, "etcd_mvcc_put_total", "etcd_debugging_mvcc_put_total"),
        flushes=number(row, f"{timed}_count"), flush_time_s=number(row, f"{timed}_sum"),
    )  # fmt: skip


_WRITES = (
    "set", "setex", "psetex", "mset", "append", "incr", "incrby", "decr", "hset", "hincrby",
    "hdel", "lpush", "rpush", "lpop", "rpop", "sadd", "srem", "zadd", "zrem", "xadd", "del",
    "unlink", "expire", "getset",
)  # fmt: skip


def _redis(row: Row) -> dict[str, float]:
    calls = (row.get(f"cmdstat_{name}", "").partition("calls=")[2].partition(",")[0]
             for name in _WRITES)  # fmt: skip
    return _known(transactions=_sum(*(float(each) for each in calls if each.isdigit())))


def _proc(row: Row) -> dict[str, float]:
    written, cancelled = number(row, "write_bytes"), number(row, "cancelled_write_bytes") or 0.0
    reached = None if written is None else max(written - cancelled, 0.0)
    return _known(file_bytes=number(row, "wchar"), data_bytes=reached)


def _disk(row: Row) -> dict[str, float]:
    sectors = _scaled(number(row, "sectors_written"), SECTOR_BYTES)
    return _known(
        device_bytes=sectors, device_writes=number(row, "disk_writes"),
        device_flushes=number(row, "disk_flushes"),
    )  # fmt: skip


VIEWS = (
    View("pg_stat_wal", ("wal_bytes",), _wal),
    View("pg_stat_io", ("backend_type", "context"), _io, ("backend_type", "object", "context")),
    View("pg_stat_checkpointer", ("buffers_written",), _checkpointer),
    View("pg_stat_bgwriter", ("buffers_clean",), _bgwriter),
    View("pg_stat_database", ("xact_commit",), _database, ("datid", "datname")),
    View("pg_stat_user_tables", ("n_tup_upd",), _tables, ("relid", "schemaname", "relname"),
         levels=("rows",)),
    View("SHOW GLOBAL STATUS", ("Innodb_pages_written",), _mysql, uptime=("Uptime",),
         levels=("age_bytes",)),
    View("db.serverStatus()", ("wiredTiger.block-manager.blocks written",), _mongodb,
         uptime=("uptimeMillis", "uptime")),
    View("etcd's metrics", ("etcd_disk_wal_fsync_duration_seconds_count",), _etcd,
         marks=("process_start_time_seconds",)),
    View("INFO of Redis", ("redis_version",), _redis, marks=("run_id",),
         uptime=("uptime_in_seconds",)),
    View("/proc/PID/io", ("wchar", "write_bytes"), _proc),
    View("io.stat", ("wbytes",), lambda row: _known(data_bytes=number(row, "wbytes")),
         ("cgroup_device",)),
    View("/proc/diskstats", ("sectors_written",), _disk, ("device",)),
    View("SMART", ("host_bytes",), lambda row: _known(device_bytes=number(row, "host_bytes")),
         ("device",)),
)  # fmt: skip


def viewed(rows: Iterator[CounterRow]) -> Iterator[tuple[View, CounterRow]]:
    """Yield the rows that a view is known by; status variables of one table as one row."""
    status: dict[str, str] = {}
    first: CounterRow | None = None
    for row in rows:
        if {"Variable_name", "Value"} <= row.values.keys():
            name = row.values["Variable_name"]
            if name in status and first is not None:
                yield from _view_of(first._replace(values=status))
                status, first = {}, None
            status[name], first = row.values["Value"], first or row
            continue
        yield from _view_of(row)
    if first is not None:
        yield from _view_of(first._replace(values=status))


def _view_of(row: CounterRow) -> Iterator[tuple[View, CounterRow]]:
    for view in VIEWS:
        if row.values.keys() >= set(view.known_by):
            yield view, row
            return

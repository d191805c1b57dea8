"""Counters of the writes of an application, by databases and by systems.

Two readings, in one file or in two, give the writes between them; of each counter the first and
the last one count. Statistics of RocksDB, zpool iostat and iostat -o JSON are whole by themselves.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import NamedTuple

from models.units import GB
from planner.telemetry import iostat
from planner.telemetry.block_devices import is_drive
from planner.telemetry.counter_rows import CounterRow, counter_rows, time_of
from planner.telemetry.counter_views import SHOWN, View, number, viewed
from planner.telemetry.documents import head_text
from planner.telemetry.limits import MOST_BYTES
from planner.telemetry.record import Refused

KINDS = (
    "pg_stat_wal and other views by psql, SHOW GLOBAL STATUS, db.serverStatus(); metrics of etcd, "
    "INFO of Redis, /proc/PID/io, io.stat, /proc/diskstats, SMART logs, RocksDB, zpool iostat -p, "
    "iostat -o JSON"
)
TIMES = ("now", "current_timestamp", "clock_timestamp", "statement_timestamp", "localTime")
EARLIEST_S = 946_684_800.0  # the year 2000: a clock that shows less was not set
DEVICES = ("/proc/diskstats", "SMART")
_INGEST = re.compile(r"^Cumulative writes: .*?ingest: (\d{1,20}(?:\.\d{1,20})?) GB", re.MULTILINE)
_WAL = re.compile(r"^Cumulative WAL: .*?written: (\d{1,20}(?:\.\d{1,20})?) GB", re.MULTILINE)
_COMPACTION = re.compile(
    r"^Cumulative compaction: (\d{1,20}(?:\.\d{1,20})?) GB write", re.MULTILINE
)
_UP = re.compile(r"^Uptime\(secs\): (\d{1,20}(?:\.\d{1,20})?) total", re.MULTILINE)
_TICKER = re.compile(r"^rocksdb\.([a-z.]+) COUNT : (\d+)", re.MULTILINE)
_SCRIPTED = re.compile(r"^\S+(\t(\d+|-)){6,}$", re.MULTILINE)  # zpool iostat -Hp
_POOL_FIELDS = 7  # name, allocated, free, operations and bytes per second read and written


class ApplicationCounters(NamedTuple):
    """Counters between two readings, by names of our own, and the time between them.

    `application_bytes` are the bytes put, `file_bytes` those passed to write calls. `data_bytes`
    reached the drive without the journal of the file system, `device_bytes` are all of them.
    `log_bytes` are records and images before blocks are written again. `levels` are not counted but
    read off: means of the two. `tables` are the counters of each table. The time is None where the
    readings do not say it.
    """

    kinds: tuple[str, ...]
    values: Mapping[str, float]
    over_s: float | None = None
    levels: Mapping[str, float] = {}
    tables: tuple[Mapping[str, float], ...] = ()


class _CounterReading(NamedTuple):
    """One row of a view: its counters, its marks, and its time by one of three clocks."""

    place: str
    counters: Mapping[str, float]
    marks: tuple[str, ...]
    clocks: Mapping[str, float]


def read_counters(
    files: Sequence[bytes], *, names: Sequence[str] = (), over_s: float | None = None,
    device: str | None = None,
) -> ApplicationCounters:  # fmt: skip
    r"""Read what was counted between the first and the last reading of some files.

    Formats follow from the content. `over_s` is the time between the readings, for those that do
    not say it; `device` the block device or drive, where several changed; `names` those of the
    files, for what is refused.

    >>> first, last = (f"wchar: {n}\nwrite_bytes: 4096\n".encode() for n in (700, 900))
    >>> read_counters([first, last], over_s=10).values
    {'file_bytes': 200.0, 'data_bytes': 0.0}
    """
    called = [*names] or ["file"] * len(files)
    for name, content in zip(called, files, strict=True):
        if len(content) > MOST_BYTES:
            raise Refused(name, f"is larger than {MOST_BYTES >> 20} MiB")
    if (whole := next(filter(None, map(_whole, files)), None)) is not None:
        if len(files) > 1:
            raise Refused("second file", f"{whole.kinds[0]} needs one file")
        return whole._replace(over_s=whole.over_s or over_s)
    readings: dict[tuple[str, str], list[_CounterReading]] = {}
    views: dict[str, View] = {}
    for name, content in zip(called, files, strict=True):
        for view, row in _views(name, content):
            views[view.kind] = view
            readings.setdefault((view.kind, _identity(view, row)), []).append(_reading(view, row))
    return _counted(views, _of_device(readings, device), over_s)


def _views(name: str, content: bytes) -> list[tuple[View, CounterRow]]:
    """Return the rows of a file that are counters, each with its view."""
    try:
        found = list(viewed(_rows(content)))
    except Refused as error:
        raise Refused(f"{name}: {error.position}", error.reason) from None
    if not found:
        raise Refused(name, f"must be one of {KINDS}")
    return found


def _rows(content: bytes) -> Iterator[CounterRow]:
    if (smart := _smart(content)) is not None:
        return smart
    return counter_rows(content.decode("utf-8", errors="replace"))


def _smart(content: bytes) -> Iterator[CounterRow] | None:
    """Return a row for each drive of a log of SMART or a wear history; None for other files."""
    if re.search(rb"smart|nvme|SMART|host_bytes|Device|percent", content[:65_536]) is None:
        return None
    from planner.telemetry import formats  # noqa: PLC0415 - readers of drives are many

    try:
        kind = formats.detect(content[: formats.HEAD_BYTES]).name
    except Refused:
        return None
    if kind.partition(" ")[0] not in ("smartctl", "nvme-cli", "OCP", "Intel", "wear",
                                      "smartctl_exporter"):  # fmt: skip
        return None
    reading = formats.read("log", content)
    if reading.refused is not None:
        raise Refused(*reading.refused.removeprefix("log: ").split(": ", 1))
    return iter([
        CounterRow("log", {
            "host_bytes": repr(drive.host_bytes.value),
            "device": drive.device or drive.identity or drive.model,
            "now": "" if drive.read_at_s is None else f"{drive.read_at_s:.0f}",
        })
        for drive in reading.drives if drive.host_bytes is not None
    ])  # fmt: skip


def _identity(view: View, row: CounterRow) -> str:
    return " ".join([row.source, *(row.values.get(name, "") for name in view.identity)]).strip()


def _reading(view: View, row: CounterRow) -> _CounterReading:
    values = row.values
    clocks: dict[str, float] = {}
    for written in (*(values[name] for name in TIMES if name in values), row.time):
        moment = time_of(written)
        if moment is not None and (moment[1] or moment[0] >= EARLIEST_S):
            clocks.setdefault("uptime" if moment[1] else "date", moment[0])
    up = number(values, *view.uptime) if view.uptime else None
    if up is not None:
        is_ms = "uptimeMillis" in values and view.uptime[0] == "uptimeMillis"
        clocks["server"] = up * 1e-3 if is_ms else up
    marks = tuple(values.get(name, "") for name in view.marks)
    return _CounterReading(row.place, view.counters(values), marks, clocks)


def _of_device(
    readings: dict[tuple[str, str], list[_CounterReading]], device: str | None
) -> dict[tuple[str, str], list[_CounterReading]]:
    """Leave the drive that is named of several, or the only one that changed."""
    names = [name for kind, name in readings if kind in DEVICES]
    if device is not None:
        chosen = [name for name in names if name.split()[-1:] == [device]]
        if not chosen:
            raise Refused("device", f"must be one of {', '.join(names) or 'a file of drives'}, got "
                                    f"{device[:SHOWN]!r}")  # fmt: skip
    else:
        drives = [name.split()[-1] if name else "" for name in names]
        whole = [name for name, drive in zip(names, drives, strict=True)
                 if not drive or is_drive(drive, drives)]  # fmt: skip
        chosen = [
            name for name in whole
            if any(_changed(rows) for (kind, of), rows in readings.items()
                   if of == name and kind in DEVICES)
        ] or whole[:1]  # fmt: skip
        if len(chosen) > 1:
            raise Refused("device", f"{', '.join(chosen)} were written to: name one")
    return {key: rows for key, rows in readings.items()
            if key[0] not in DEVICES or key[1] in chosen}  # fmt: skip


def _changed(rows: Sequence[_CounterReading]) -> bool:
    return rows[0].counters.get("device_bytes") != rows[-1].counters.get("device_bytes")


def _counted(
    views: Mapping[str, View], readings: Mapping[tuple[str, str], list[_CounterReading]],
    over_s: float | None,
) -> ApplicationCounters:  # fmt: skip
    """Return the last reading of each counter less the first, all over one time."""
    twice = {key: rows for key, rows in readings.items() if len(rows) > 1}
    if not twice:
        kinds = " and ".join(dict.fromkeys(kind for kind, _ in readings))
        raise Refused(kinds, "must be two readings, one after the other, got 1")
    spans = {key: _span_s(key[0], rows[0], rows[-1]) for key, rows in twice.items()}
    common = over_s or max((span for span in spans.values() if span), default=None)
    values: dict[str, float] = {}
    levels: dict[str, float] = {}
    tables = []
    for (kind, _), rows in twice.items():
        found = _differences(views[kind], rows[0], rows[-1])
        own_s = spans[kind, _] or common
        scale = 1.0 if over_s or not own_s or not common else common / own_s
        first, last = rows[0].counters, rows[-1].counters
        level = {name: (first[name] + last[name]) / 2 for name in views[kind].levels
                 if name in first and name in last}  # fmt: skip
        if kind == "pg_stat_user_tables":
            tables.append({name: value * scale for name, value in found.items()} | level)
        else:
            levels |= level
        for name, value in found.items():
            values[name] = values.get(name, 0.0) + scale * value
    named = tuple(dict.fromkeys(kind for kind, _ in twice))
    return ApplicationCounters(named, _combined(values), common, levels, tuple(tables))


def _span_s(kind: str, first: _CounterReading, last: _CounterReading) -> float | None:
    """Return the time between two readings by a clock that both have."""
    for clock in ("date", "uptime", "server"):
        if clock in first.clocks and clock in last.clocks:
            span = last.clocks[clock] - first.clocks[clock]
            if span <= 0:
                why = "the server restarted, or " if clock != "date" else ""
                raise Refused(last.place, f"is no later reading of {kind}: {why}the files are in "
                                          "the wrong order")  # fmt: skip
            if last.clocks.get("server", math.inf) < first.clocks.get("server", 0.0):
                raise Refused(last.place, f"{kind} was restarted between the readings")
            return span
    return None


def _differences(view: View, first: _CounterReading, last: _CounterReading) -> dict[str, float]:
    if first.marks != last.marks:
        raise Refused(last.place, f"counters of {view.kind} were reset between the readings: "
                                  f"{view.marks[0]} changed")  # fmt: skip
    found = {}
    for name, value in last.counters.items():
        if name in view.levels or name not in first.counters:
            continue
        found[name] = value - first.counters[name]
        if found[name] < 0:
            why = "it was reset, or the files are in the wrong order"
            raise Refused(last.place, f"{view.kind} counts less than the first: {name}; {why}")
    return found


def _combined(values: dict[str, float]) -> dict[str, float]:
    """Return counters that have one meaning in all engines."""
    found = dict(values)
    if (pages := found.pop("all_pages", None)) is not None:
        found["pages"] = pages  # by all processes, which are more than checkpoints
    if not found.get("flush_time_s"):
        found.pop("flush_time_s", None)  # it was not timed
    explicit, logged = found.pop("explicit_commits", 0.0), found.pop("logged_commits", 0.0)
    statements = found.pop("statements", None)
    if statements is not None and "transactions" not in found:
        grouped = min(explicit, statements) if explicit else statements
        found["transactions"] = logged or grouped
    kinds = [found.get(name) for name in ("updates", "inserts", "deletes")]
    if any(each is not None for each in kinds):
        updates, inserts, deletes = (each or 0.0 for each in kinds)
        found["row_changes"] = updates + max(inserts, deletes)
    return found


def _whole(content: bytes) -> ApplicationCounters | None:
    """Return the counters of a file that needs no second reading; None for other files."""
    text = content.decode("utf-8", errors="replace")
    for reader in (_iostat, _rocksdb, _zpool):
        if (counted := reader(text)) is not None:
            return counted
    return None


def _rocksdb(text: str) -> ApplicationCounters | None:
    tickers = {name: float(count) for name, count in _TICKER.findall(text)}
    if {"bytes.written", "flush.write.bytes", "compact.write.bytes"} <= tickers.keys():
        log = tickers.get("wal.bytes", 0.0)
        tables = tickers["flush.write.bytes"] + tickers["compact.write.bytes"]
        return _of_rocksdb(tickers["bytes.written"], log, log + tables, None)
    found = [pattern.search(text) for pattern in (_INGEST, _WAL, _COMPACTION)]
    if found[0] is None or found[2] is None:
        return None
    put, log, compacted = (GB * float(match[1]) if match else 0.0 for match in found)
    up = _UP.search(text)
    return _of_rocksdb(put, log, log + compacted, float(up[1]) if up else None)


def _of_rocksdb(put: float, log: float, written: float, up_s: float | None) -> ApplicationCounters:
    if put <= 0:
        raise Refused("Cumulative writes", "nothing was put")
    values = {"application_bytes": put, "log_bytes": log, "device_bytes": written}
    return ApplicationCounters(("RocksDB",), values, up_s)


def _zpool(text: str) -> ApplicationCounters | None:
    if "bandwidth" not in text and not _SCRIPTED.search(text):
        return None
    rates = [
        float(words[6])
        for line in text.splitlines()
        if line[:1].strip() and len(words := line.split()) >= _POOL_FIELDS and words[6].isdigit()
    ]
    if not rates:
        raise Refused("zpool iostat", "has no line of a pool in bytes; it needs -p")
    later = rates[1:] or rates  # the first is the mean since the system started
    return _per_second("zpool iostat", later)


def _iostat(text: str) -> ApplicationCounters | None:
    head = text.encode()
    if not iostat.looks_like(head_text(head).encode()):
        return None
    drives = [drive.activity for drive in iostat.read("iostat", BytesIO(head)).drives]
    rates = [each.host_bytes.value for each in drives if each and each.host_bytes]
    return _per_second("iostat", [sum(rates)])


def _per_second(kind: str, rates: Iterable[float]) -> ApplicationCounters:
    """Return bytes per second at a device, as counted in one second."""
    known = list(rates)
    return ApplicationCounters((kind,), {"device_bytes": sum(known) / len(known)}, 1.0)

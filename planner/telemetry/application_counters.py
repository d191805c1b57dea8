"""Counters of an application's writes in /proc, cgroup, databases and pools.

Two readings of one kind give what was written between them; RocksDB, zpool iostat and iostat need
one.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import NamedTuple

from models.units import GB
from planner.telemetry import iostat
from planner.telemetry.limits import MOST_BYTES
from planner.telemetry.record import Refused

KINDS = (
    "/proc/PID/io, io.stat of a cgroup, pg_stat_wal or pg_stat_io as psql prints them, statistics "
    "of RocksDB, zpool iostat -p, or iostat -o JSON"
)
_PROC = re.compile(r"^(wchar|write_bytes|cancelled_write_bytes): (\d+)$", re.MULTILINE)
_CGROUP = re.compile(r"^\d+:\d+ .*?\bwbytes=(\d+)", re.MULTILINE)
_INGEST = re.compile(r"^Cumulative writes: .*?ingest: ([\d.]+) GB", re.MULTILINE)
_WAL = re.compile(r"^Cumulative WAL: .*?written: ([\d.]+) GB", re.MULTILINE)
_COMPACTION = re.compile(r"^Cumulative compaction: ([\d.]+) GB write", re.MULTILINE)
_TICKER = re.compile(r"^rocksdb\.([a-z.]+) COUNT : (\d+)", re.MULTILINE)
_SCRIPTED = re.compile(r"^\S+(\t(\d+|-)){6,}$", re.MULTILINE)  # zpool iostat -Hp
_RECORD = "-[ RECORD"  # of psql -x
_POOL_FIELDS = 7  # name, allocated, free, operations and bytes per second read and written


class ApplicationCounters(NamedTuple):
    """Bytes and flushes that were counted, or, of some, their rates per second.

    `application_bytes` are the bytes put, `file_bytes` those passed to write calls, `data_bytes`
    those that reached the drive without the journal of the file system, `device_bytes` all of them.
    """

    kind: str
    values: Mapping[str, float]
    is_rate: bool = False
    is_whole: bool = False  # counted from the start, so that one reading says enough

    def since(self, before: "ApplicationCounters") -> "ApplicationCounters":
        """Return the counts between two snapshots.

        >>> before, now = (ApplicationCounters("a", {"file_bytes": read}) for read in (2.0, 5.0))
        >>> now.since(before).values
        {'file_bytes': 3.0}
        """
        if self.kind != before.kind or self.values.keys() != before.values.keys():
            raise Refused("second file", f"is {self.kind}, and the first is {before.kind}")
        if self.is_rate:
            raise Refused("second file", f"{self.kind} needs one file")
        counted = {name: value - before.values[name] for name, value in self.values.items()}
        for name, value in counted.items():
            if value < 0:
                raise Refused("second file", f"counts less than the first: {name}")
        return self._replace(values=counted, is_whole=True)


def read_counters(content: bytes) -> ApplicationCounters:
    r"""Parse the counters of a file, whose format follows from its content.

    >>> read_counters(b"wchar: 700\nwrite_bytes: 4096\ncancelled_write_bytes: 0\n").values
    {'file_bytes': 700.0, 'data_bytes': 4096.0}
    """
    if len(content) > MOST_BYTES:
        raise Refused("file", f"is larger than {MOST_BYTES >> 20} MiB")
    text = content.decode("utf-8", errors="replace")
    for reader in READERS:
        if (counted := reader(text)) is not None:
            return counted
    raise Refused("file", f"must be one of {KINDS}")


def _proc(text: str) -> ApplicationCounters | None:
    found = {name: float(value) for name, value in _PROC.findall(text)}
    if not {"wchar", "write_bytes"} <= found.keys():
        return None
    written = found["write_bytes"] - found.get("cancelled_write_bytes", 0.0)
    return ApplicationCounters(
        "/proc/PID/io", {"file_bytes": found["wchar"], "data_bytes": written}
    )


def _cgroup(text: str) -> ApplicationCounters | None:
    found = _CGROUP.findall(text)
    return ApplicationCounters("io.stat", {"data_bytes": sum(map(float, found))}) if found else None


def _rocksdb(text: str) -> ApplicationCounters | None:
    tickers = {name: float(count) for name, count in _TICKER.findall(text)}
    if {"bytes.written", "flush.write.bytes", "compact.write.bytes"} <= tickers.keys():
        log = tickers.get("wal.bytes", 0.0)
        tables = tickers["flush.write.bytes"] + tickers["compact.write.bytes"]
        return _of_rocksdb(tickers["bytes.written"], log, log + tables)
    found = [pattern.search(text) for pattern in (_INGEST, _WAL, _COMPACTION)]
    if found[0] is None or found[2] is None:
        return None
    put, log, compacted = (GB * float(match[1]) if match else 0.0 for match in found)
    return _of_rocksdb(put, log, log + compacted)


def _of_rocksdb(put: float, log: float, written: float) -> ApplicationCounters:
    if put <= 0:
        raise Refused("Cumulative writes", "nothing was put")
    values = {"application_bytes": put, "log_bytes": log, "device_bytes": written}
    return ApplicationCounters("RocksDB", values, is_whole=True)


def _postgres(text: str) -> ApplicationCounters | None:
    rows = [row for row in _table(text) if row]
    if not rows or not rows[0].keys() & {"wal_bytes", "op_bytes", "write_bytes"}:
        return None
    if "wal_bytes" in rows[0]:
        values = {"log_bytes": _number(rows[0], "wal_bytes")}
        if "wal_sync" in rows[0]:
            values["flushes"] = _number(rows[0], "wal_sync")
        return ApplicationCounters("pg_stat_wal", values)
    written = sum(
        _number(row, "write_bytes")
        if "write_bytes" in row
        else _number(row, "writes") * _number(row, "op_bytes")
        for row in rows
        if row.get("object", "relation") == "relation"
    )
    return ApplicationCounters("pg_stat_io", {"checkpoint_bytes": written})


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
    return ApplicationCounters(
        "zpool iostat", {"device_bytes": sum(later) / len(later)}, is_rate=True
    )


def _iostat(text: str) -> ApplicationCounters | None:
    head = text.encode()
    if not iostat.looks_like(head):
        return None
    drives = [drive.activity for drive in iostat.read("iostat", BytesIO(head)).drives]
    rates = [each.host_bytes.value for each in drives if each and each.host_bytes]
    return ApplicationCounters("iostat", {"device_bytes": sum(rates)}, is_rate=True)


def _table(text: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table with a header as psql prints it, aligned or not, or as CSV."""
    lines = [line for line in text.splitlines() if line.strip() and set(line) - set("-+ ")]
    if _RECORD in text:
        pairs = (line.partition("|") for line in lines if "|" in line)
        yield {name.strip(): value.strip() for name, _, value in pairs}
        return
    if not lines:
        return
    mark = "|" if "|" in lines[0] else ","
    head = [word.strip() for word in lines[0].split(mark)]
    for line in lines[1:]:
        words = [word.strip() for word in line.split(mark)]
        if len(words) == len(head) and not line.startswith("("):
            yield dict(zip(head, words, strict=True))


def _number(row: Mapping[str, str], name: str) -> float:
    written = row.get(name, "") or "0"
    if not re.fullmatch(r"\d{1,30}(\.\d{1,30})?", written):
        raise Refused(name, f"must be a count, got {written[:60]!r}")
    return float(written)


READERS: tuple[Callable[[str], ApplicationCounters | None], ...] = (
    _proc, _cgroup, _iostat, _rocksdb, _postgres, _zpool,
)  # fmt: skip

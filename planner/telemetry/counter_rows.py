r"""Rows of counters as databases and systems print them: tables, records, lines and documents.

A file may contain several of them, one after the other, and lines that say when:

    select now(), * from pg_stat_wal;      psql: aligned, unaligned, expanded (\x), CSV, JSON
    show global status;                    mariadb, mysql: with a frame, by tabs, or with \G
    date -Is; cat /proc/1234/io            names and numbers, of redis-cli INFO too
    db.serverStatus()                      a document as mongosh prints it, or JSON
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple

from planner.quantity.door import DoorError
from planner.quantity.door.texts import csv_rows
from planner.telemetry.limits import MOST_LINES, within
from planner.telemetry.shell_documents import Document, document_at

_NAME = re.compile(r"[A-Za-z_][\w. -]{0,80}")
_RECORD = re.compile(r"-\[ RECORD \d+ \][-+]*|\*{5,} \d+\. row \*{5,}")
_PAIR = re.compile(r"\s*([A-Za-z_][\w .-]{0,80}?)(?:\s*\|\s?|:\s?)(.*)")
_STRICT_PAIR = re.compile(r"\s*[A-Za-z_][\w.]*:(?: ?[^|\t\s]*|[^|\t\s][^|\t]*)")
_DISK = re.compile(r"\s*\d{1,5}\s+\d{1,8}\s+(\S{1,60})((?:\s+\d{1,20}){11,20})\s*")
_CGROUP = re.compile(r"(\d+:\d+)((?: [a-z]+=\d{1,20})+)")
_SAMPLE = re.compile(
    r"([a-z_:][a-z0-9_:]*\w(?:\{[^\n]*\})?) ([-+]?[\d.][\w.+-]*|NaN|[+-]Inf)(?: \d+)?"
)
_DOCUMENT = re.compile(r"\s*(?:\{|\[\s*(?:\{|$))")
_SOURCE = re.compile(r"==> (.{1,300}) <==")
_UPTIME = re.compile(r"(\d{1,12}\.\d{2}) \d{1,15}\.\d{2}")
_EPOCH = re.compile(r"\d{9,11}(?:\.\d{1,9})?")
_EVERY = re.compile(r"\(every [\d.]{1,30}s\)$")
_DATES = ("%a %b %d %H:%M:%S %Y", "%a %b %d %H:%M:%S %Z %Y", "%a %d %b %Y %I:%M:%S %p %Z")
OF_SECTIONS = "redis_version"  # of a record with empty lines between its parts
_STATUS = ["Variable_name", "Value"]
_OF_MYSQL = re.compile(r"(?:Innodb|Com|Handler|Binlog|Uptime)\w*")
_DISK_FIELDS = {"disk_writes": 4, "sectors_written": 6, "disk_flushes": 15}


class CounterRow(NamedTuple):
    """A row of a table or a record, its line, and the time and the file that were said before."""

    place: str
    values: Mapping[str, str]
    time: str = ""
    source: str = ""


def time_of(text: str) -> tuple[float, bool] | None:
    """Return a time in seconds, and whether it counts from the start of the system.

    >>> time_of("2026-11-28 04:50:28.5+00"), time_of("1039.25 2000.10"), time_of("4,303")
    ((1795841428.5, False), (1039.25, True), None)
    """
    written = _EVERY.sub("", text.strip()).rstrip()[:80]
    if found := _UPTIME.fullmatch(written):
        return float(found[1]), True
    if _EPOCH.fullmatch(written):
        return float(written), False
    if not re.search(r"\d{4}", written) or ":" not in written:
        return None
    with suppress(ValueError):
        return _seconds(datetime.fromisoformat(written)), False
    for form in _DATES:
        with suppress(ValueError):
            return _seconds(datetime.strptime(written, form)), False
    return None


def _seconds(moment: datetime) -> float:
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def counter_rows(text: str) -> Iterator[CounterRow]:
    r"""Yield the rows of a file, whatever lies between them.

    >>> [dict(row.values) for row in counter_rows(" a | b \n---+---\n 1 | 2\n(1 row)\n")]
    [{'a': '1', 'b': '2'}]
    >>> [dict(row.values) for row in counter_rows("wchar: 7\nwrite_bytes: 5\n")]
    [{'wchar': '7', 'write_bytes': '5'}]
    """
    return _Rows(text).read()


class _Rows:
    """Reading of a text line by line: the head of a table, or the record that is being filled."""

    def __init__(self, text: str) -> None:
        self.text, self.position, self.line = text, 0, 0
        self.head: list[str] | None = None
        self.record: dict[str, str] = {}
        self.begun = self.line
        self.is_open = False  # whether a line has begun a record
        self.time = self.source = ""

    def read(self) -> Iterator[CounterRow]:
        while self.position < len(self.text):
            end = self.text.find("\n", self.position)
            end = len(self.text) if end < 0 else end
            line = self.text[self.position : end].rstrip("\r")
            if _DOCUMENT.match(line):
                yield from self._document()
                continue
            self.position, self.line = end + 1, self.line + 1
            within(self.line, MOST_LINES, f"line {self.line}", "lines")
            yield from self._line(line)
        yield from self._ended()

    def _document(self) -> Iterator[CounterRow]:
        yield from self._ended()
        self.head = None
        place, begun = f"line {self.line + 1}", self.position
        value, self.position = document_at(self.text, begun, place)
        self.line += self.text.count("\n", begun, self.position)
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                yield self._row(place, dict(_flat(one)))

    def _line(self, line: str) -> Iterator[CounterRow]:
        stripped = line.strip()
        if stripped.startswith("#"):
            return
        if not stripped or stripped.startswith("("):
            if OF_SECTIONS not in self.record:
                yield from self._ended()
            self.head = None
        elif _RECORD.fullmatch(stripped):
            yield from self._ended()
            self.head, self.is_open = None, True
        elif found := _SOURCE.fullmatch(stripped):
            yield from self._ended()
            self.source = found[1]
        elif self._is_time(stripped):
            yield from self._ended()
            self.time = stripped
        else:
            yield from self._of_values(line, stripped)

    def _is_time(self, stripped: str) -> bool:
        """Whether a line says when; a number alone may be a counter below the head of a table."""
        return time_of(stripped) is not None and (self.head is None or not stripped.isdigit())

    def _of_values(self, line: str, stripped: str) -> Iterator[CounterRow]:
        place = f"line {self.line}"
        if found := _DISK.fullmatch(line):
            numbers = found[2].split()
            fields = {name: numbers[at] for name, at in _DISK_FIELDS.items() if at < len(numbers)}
            yield self._row(place, {"device": found[1], **fields})
        elif found := _CGROUP.fullmatch(stripped):
            yield self._row(place, {"cgroup_device": found[1], **_parts(found[2])})
        elif found := _SAMPLE.fullmatch(stripped):
            yield from self._put(found[1], found[2])
        elif found := self._pair(line):
            yield from self._put(found[1].strip(), found[2].strip())
        elif set(stripped) - set("-+"):
            yield from self._ended()
            yield from self._of_table(place, _cells(line))

    def _pair(self, line: str) -> re.Match[str] | None:
        """Return the name and the value of a line of a record, if it is one."""
        found = _PAIR.fullmatch(line)
        return found if self.is_open or _STRICT_PAIR.fullmatch(line) else None

    def _of_table(self, place: str, cells: list[str]) -> Iterator[CounterRow]:
        is_names = all(_NAME.fullmatch(cell) or cell == "?column?" for cell in cells)
        if len(cells) == len(_STATUS) and _OF_MYSQL.fullmatch(cells[0]):
            self.head = _STATUS
        if cells == _STATUS or (is_names and self.head != _STATUS):
            self.head = cells
        elif self.head is not None and len(cells) == len(self.head):
            yield self._row(place, dict(zip(self.head, cells, strict=True)))

    def _put(self, name: str, value: str) -> Iterator[CounterRow]:
        """Add a line to the record; a name that is there already begins the next one."""
        if name in self.record:
            is_open = self.is_open
            yield from self._ended()
            self.is_open = is_open
        if not self.record:
            self.begun = self.line
        self.record[name] = value

    def _ended(self) -> Iterator[CounterRow]:
        if self.record:
            yield self._row(f"line {self.begun}", self.record)
        self.record, self.is_open = {}, False

    def _row(self, place: str, values: Mapping[str, str]) -> CounterRow:
        return CounterRow(place, values, self.time, self.source)


def _cells(line: str) -> list[str]:
    if "|" in line:
        cells = [cell.strip() for cell in line.split("|")]
        framed = line.lstrip().startswith("|")
        return cells[1:-1] if framed and len(cells) > 2 else cells
    if "\t" in line:
        return [cell.strip() for cell in line.split("\t")]
    with suppress(DoorError):
        return [cell.strip() for _, cells in csv_rows([line]) for cell in cells]
    return [cell.strip() for cell in line.split(",")]


def _parts(text: str) -> dict[str, str]:
    return dict(part.split("=") for part in text.split())


def _flat(value: Mapping[str, Document], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield the leaves of a document by their path, `wiredTiger.log.log bytes written`."""
    for key, part in value.items():
        if isinstance(part, dict):
            yield from _flat(part, f"{before}{key}.")
        elif not isinstance(part, list) and part is not None:
            yield f"{before}{key}", str(part)

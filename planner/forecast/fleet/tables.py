"""Tables of many drives over time, batch by batch: a tidy table, or that of Backblaze.

A tidy table has a row for each drive and time; `docs/reference/fleet.md` lists its columns. Rows
that cannot be used are counted by reason.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from models.units import HOUR_S
from planner.forecast.fleet.columns import KnownColumn, called, is_backblaze
from planner.forecast.fleet.readings import COUNTERS, FileRefusal, Floats, counters_of
from planner.quantity.door.batches import TableHead
from planner.telemetry import smart_units
from planner.telemetry.attributes import Attribute
from planner.telemetry.drive_record import LATEST_S, drive_reading
from planner.telemetry.evidence import LONGEST_S, Evidence
from planner.telemetry.record import DriveReading
from planner.telemetry.sata import take_logs

_NUMBERS = ("host_bytes", "flash_bytes", "percent_used", "power_on_hours")
_FIRST_EPOCH = 1e8  # numbers from here on count since 1970; 20260101 is a date
_THOUSANDS = (1e11, 1e14, 1e17)  # from which they count milliseconds, microseconds, nanoseconds
_DOTTED = r"\s*\d{1,2}\.\d{1,2}\.\d{4}\b"
_ABSENT = ("", "-", "na", "n/a", "nan", "none", "null")
_NUMBER = r"^\s*\d+(\.\d+)?([eE][+-]?\d+)?\s*%?\s*$"
_SECTOR_BYTES = 512.0
_NOT_A_DATE = (
    "is not ISO (2026-11-23), day.month.year, or seconds or milliseconds since 1970, or is after "
    "2100"
)
_UNKNOWN_UNITS = "hard disks, or SSDs whose SMART attributes have no known unit"


@dataclass(slots=True)
class _Fault:
    """Rows of one fault: their number, and the first of them."""

    first_row: int
    cell: str
    rows: int = 0


@dataclass(slots=True)
class TableRows:
    """Turns the batches of a table into rows of readings, and counts what it leaves out."""

    file: str
    head: TableHead
    _rows: int = 0
    _faults: dict[str, _Fault] = field(default_factory=dict)
    _unknown: set[str] = field(default_factory=set)  # models

    def of(self, batch: pa.Table) -> pa.Table:
        """Return the rows of a batch that can be used: names of drives, times and counters."""
        known = called(self.head.columns)
        table = batch.append_column("\0row", pa.array(self._rows + np.arange(batch.num_rows)))
        self._rows += batch.num_rows
        if self.head.kind == "csv" and self.head.delimiter != ",":
            table = _with_points(table, known)
        dates = known["date"].name
        table = table.append_column("\0time", pa.array(_times(table[dates])))
        good = table["\0time"].to_numpy() < LATEST_S
        table = self._kept(table, good, "date", dates)
        if is_backblaze(self.head.columns):
            table, counters = self._backblaze(table)
        else:
            counters = _counters(table, known)
        none = np.full(table.num_rows, np.nan)
        usable = np.isfinite(counters.get("host_bytes", none))
        usable |= np.isfinite(counters.get("points", none))
        kept = self._kept(table, usable, "counted", dates)
        if not is_backblaze(self.head.columns):
            self._name_cells(kept, known)
        names = {name: _texts(kept, known.get(name)) for name in ("serial", "model", "site")}
        numbers = {name: column[usable] for name, column in counters.items()}
        if "capacity_bytes" in known:
            numbers["user_bytes"] = _scaled(kept, known["capacity_bytes"])
        return pa.table(names | {"time_s": kept["\0time"]} | numbers)

    def refusals(self) -> Iterator[FileRefusal]:
        """Yield what was left out, by reason."""
        for name, fault in self._faults.items():
            where = f"row {fault.first_row + 1}" + (
                f" and {fault.rows - 1} more" if fault.rows > 1 else ""
            )
            reason = {
                "date": f"{where}: {self._date} {fault.cell} {_NOT_A_DATE}",
                "counted": f"{where}: neither host_bytes nor percent_used is a number",
                "units": f"{where}: {self._models}",
            }.get(name, f"{name} {fault.cell}: no number >= 0, left out of the rows")
            yield FileRefusal(self.file, reason, fault.rows)

    @property
    def _date(self) -> str:
        return called(self.head.columns)["date"].name

    @property
    def _models(self) -> str:
        models = sorted(self._unknown)
        such = " and ".join(map(repr, models[:2]))
        return f"of {len(models)} models such as {such}: {_UNKNOWN_UNITS}"

    def _kept(self, table: pa.Table, good: NDArray[np.bool_], kind: str, column: str) -> pa.Table:
        """Keep some rows, and count the others."""
        if good.all():
            return table
        self._count(table, ~good, kind, column)
        return table.filter(pa.array(good))

    def _count(self, table: pa.Table, bad: NDArray[np.bool_], kind: str, column: str) -> None:
        at = int(np.argmax(bad))
        first = table["\0row"][at].as_py(), repr(_cell(table[column][at].as_py()))
        self._faults.setdefault(kind, _Fault(*first)).rows += int(bad.sum())

    def _name_cells(self, table: pa.Table, known: Mapping[str, KnownColumn]) -> None:
        """Count cells of rows in use that are no number, and so are left out."""
        for name in (one for one in _NUMBERS if one in known):
            cells = table[known[name].name]
            if not pa.types.is_string(cells.type):
                continue
            wrong = np.isnan(_numbers(cells))
            if int(wrong.sum()) == cells.null_count:
                continue
            plain = pc.utf8_lower(pc.utf8_trim_whitespace(pc.fill_null(cells, "")))
            wrong &= ~pc.is_in(plain, pa.array(_ABSENT)).to_numpy().astype(bool)
            if wrong.any():
                self._count(table, wrong, known[name].name, known[name].name)

    def _backblaze(self, table: pa.Table) -> tuple[pa.Table, dict[str, Floats]]:
        """Interpret SMART attributes of the rows whose models have known units."""
        units = smart_units.load()
        models = pc.fill_null(table["model"].cast(pa.string()), "")
        every = pc.unique(models).to_pylist()
        known = [model for model in every if units.family(model, "")]
        self._unknown |= set(every) - set(known)
        good = pc.is_in(models, pa.array(known, pa.string())).to_numpy().astype(bool)
        table = self._kept(table, good, "units", "model")
        numbers = sorted({
            int(name.split("_")[1]) for name in table.column_names if name.startswith("smart_")
        })  # fmt: skip
        rows = [counters_of(_drive(row, numbers)) for row in table.to_pylist()]
        counters = np.array(rows, float).reshape(-1, len(COUNTERS)).T
        return table, dict(zip(COUNTERS, counters, strict=True))


def _cell(value: object) -> str:
    return str(value)[:40]


def _with_points(table: pa.Table, known: Mapping[str, KnownColumn]) -> pa.Table:
    """Return the table with decimal points, where its numbers have commas."""
    for name in (known[one].name for one in (*_NUMBERS, "capacity_bytes", "date") if one in known):
        at = table.column_names.index(name)
        table = table.set_column(at, name, pc.replace_substring(table[name], ",", "."))
    return table


def _times(column: pa.ChunkedArray) -> Floats:
    """Return seconds since 1970, NaN where a date cannot be read."""
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return _seconds(_numbers(column))
    if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
        column = column.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        return _numbers(column) / 1e6
    coded = column.combine_chunks().dictionary_encode()
    seconds = np.append(_written_times(coded.dictionary.to_pylist()), np.nan)
    index = np.nan_to_num(coded.indices.to_numpy(zero_copy_only=False), nan=-1)
    return np.asarray(seconds[index.astype(np.intp)])


def _written_times(texts: Sequence[str]) -> Floats:
    """Return seconds since 1970 of dates as they are written."""
    import pandas as pd  # noqa: PLC0415 - slow to import

    written = pd.Series(texts, dtype="object")
    stamps = pd.to_datetime(written, errors="coerce", utc=True, format="ISO8601")
    rest = np.flatnonzero(stamps.isna().to_numpy())
    dotted = [at for at in rest.tolist() if re.match(_DOTTED, texts[at])]
    if dotted:
        stamps[dotted] = pd.to_datetime(
            written[dotted], dayfirst=True, errors="coerce", utc=True, format="mixed"
        )
    start = pd.Timestamp(0, tz="UTC")
    seconds = np.array((stamps - start) / pd.Timedelta(seconds=1), float)
    numbers = np.asarray(pd.to_numeric(written, errors="coerce"), float)
    counted = numbers >= _FIRST_EPOCH
    seconds[counted] = _seconds(numbers[counted])
    return seconds


def _seconds(time: Floats) -> Floats:
    """Return seconds of times that may count thousandths of them."""
    thousands = np.searchsorted(_THOUSANDS, time, side="right")
    return np.asarray(time / 1000.0**thousands)


def _numbers(column: pa.ChunkedArray) -> Floats:
    """Return numbers >= 0, NaN where there is none."""
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        try:
            column = column.cast(pa.float64())
        except pa.ArrowInvalid:
            written = pc.match_substring_regex(column, _NUMBER)
            bare = pc.replace_substring_regex(column, r"[\s%]", "")
            column = pc.if_else(written, bare, None).cast(pa.float64())
    elif not pa.types.is_floating(column.type):
        column = column.cast(pa.float64(), safe=False)
    numbers = np.asarray(column.to_numpy().astype(float))
    with np.errstate(invalid="ignore"):
        return np.where((numbers >= 0) & np.isfinite(numbers), numbers, np.nan)


def _scaled(table: pa.Table, column: KnownColumn) -> Floats:
    numbers = _numbers(table[column.name])
    return numbers if column.scale == 1 else np.asarray(numbers * column.scale)


def _counters(table: pa.Table, known: Mapping[str, KnownColumn]) -> dict[str, Floats]:
    found = {name: _scaled(table, known[name]) for name in _NUMBERS if name in known}
    if "power_on_hours" in found:
        on = found.pop("power_on_hours") * HOUR_S
        found["power_on_s"] = np.where(on <= LONGEST_S, on, np.nan)
    if "percent_used" in found:
        found["points"] = found.pop("percent_used")
    return found


def _texts(table: pa.Table, column: KnownColumn | None) -> pa.ChunkedArray | pa.Array:
    if column is None:
        return pa.nulls(table.num_rows, pa.string())
    return table[column.name].cast(pa.string())


def _drive(row: Mapping[str, object], numbers: Sequence[int]) -> DriveReading:
    table = [
        Attribute(
            number=number, name="",
            value=_whole(row.get(f"smart_{number}_normalized")),
            raw=_whole(row.get(f"smart_{number}_raw")),
        )
        for number in numbers
        if row.get(f"smart_{number}_raw") not in (None, "")
    ]  # fmt: skip
    evidence = Evidence(model=str(row.get("model") or "")[:200], protocol="ATA")
    capacity = _whole(row.get("capacity_bytes"))
    evidence.user_bytes = evidence.exact(capacity, "capacity_bytes")
    take_logs(evidence, table, (), sector_bytes=_SECTOR_BYTES)
    return drive_reading(evidence)


def _whole(value: object) -> object:
    """Return 5 for 5.0 and "5.0", as the tables of some quarters are written."""
    if isinstance(value, str):
        value = value.removesuffix(".0")
    return int(value) if isinstance(value, float) and value.is_integer() else value

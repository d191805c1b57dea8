"""Tables of many drives over time: a tidy table, or the daily table of Backblaze.

A tidy table has a row for each drive and time; `docs/reference/fleet.md` lists its columns.
Columns of other names are ignored, rows that cannot be used are counted by reason.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from models.units import HOUR_S
from planner.forecast.fleet.readings import (
    COUNTERS,
    Collection,
    Columns,
    DriveName,
    Floats,
    counters_of,
)
from planner.telemetry import smart_units
from planner.telemetry.attributes import Attribute
from planner.telemetry.drive_record import LATEST_S, digest, drive_reading
from planner.telemetry.evidence import LONGEST_S, Evidence
from planner.telemetry.record import DriveReading
from planner.telemetry.sata import take_logs

# The columns of a tidy table, each with its other names.
NAMES: Mapping[str, tuple[str, ...]] = {
    "date": ("date", "time", "timestamp"),
    "serial": ("serial", "serial_number"),
    "model": ("model", "model_name"),
    "site": ("site", "datacenter"),
    "capacity_bytes": ("capacity_bytes", "user_bytes"),
    "host_bytes": ("host_bytes",),
    "flash_bytes": ("flash_bytes",),
    "percent_used": ("percent_used", "percentage_used"),
    "power_on_hours": ("power_on_hours",),
}
_COUNTED = ("host_bytes", "percent_used")
_NUMBERS = ("host_bytes", "flash_bytes", "percent_used", "power_on_hours")
MILLISECONDS = 1e11  # dates from here on count milliseconds, as no second before 5138 does
_DOTTED = re.compile(r"\s*\d{1,2}\.\d{1,2}\.\d{4}\b")
_ABSENT = ("", "-", "na", "n/a", "nan", "none", "null")
_MISSING = "the column date, or both of host_bytes and percent_used, are missing; it has"
_NUMBER = r"^\s*\d+(\.\d+)?([eE][+-]?\d+)?\s*%?\s*$"
_SECTOR_BYTES = 512.0


def is_table(columns: Sequence[str]) -> bool:
    """Whether columns are those of a table of drives, or would be but for those that count."""
    names = set(_called(columns))
    named = {"date", "serial"} <= names or {"date", "model"} <= names
    return named or len(names & {"date", *_COUNTED}) >= 2 or _is_backblaze(columns)


def is_tidy(columns: Sequence[str]) -> bool:
    """Whether columns are those of a tidy table with serial numbers."""
    called = _called(columns)
    complete = {"date", "serial"} <= set(called) and bool(set(called) & set(_COUNTED))
    return complete and not _is_backblaze(columns)


def wanted_columns(columns: Sequence[str]) -> list[str]:
    """Return the columns of a file that are read."""
    called = _called(columns)
    known = [called[name] for name in called]
    smart = [name for name in columns if name == "failure" or name.startswith("smart_")]
    return known + (smart if _is_backblaze(columns) else [])


def add_table(collection: Collection, file: str, table: pa.Table) -> None:
    """Take the rows of a table; refuse a table without the columns that it needs."""
    called = checked_columns(collection, file, table.column_names)
    if called is not None:
        _add(collection, file, table, called)


def checked_columns(
    collection: Collection, file: str, columns: Sequence[str]
) -> dict[str, str] | None:
    """Return the name in the file of each known column, or refuse a file that lacks columns."""
    called = _called(columns)
    if "date" in called and (_is_backblaze(columns) or set(called) & set(_COUNTED)):
        return called
    listed = ", ".join(repr(column[:40]) for column in columns[:8])
    more = ", ..." if len(columns) > 8 else ""
    collection.refuse(file, f"{_MISSING} {listed}{more}")
    return None


def add_rows(collection: Collection, file: str, table: pa.Table) -> None:
    """Take rows that are known to be of use."""
    called = _called(table.column_names)
    numbers = _numbered(collection, file, table, called)
    time = _times(table[called["date"]])
    collection.add(Columns(numbers, time, _counters(table, called)))


def key_of(serial: str, file: str) -> str:
    """Return the key of a drive: a digest of its serial number, else its file."""
    return digest(serial) or (f"serial {serial}" if serial else f"file {file}")


def _add(collection: Collection, file: str, table: pa.Table, called: Mapping[str, str]) -> None:
    is_backblaze = _is_backblaze(table.column_names)
    table = table.append_column("\0row", pa.array(np.arange(table.num_rows)))
    time = _times(table[called["date"]])
    good = time < LATEST_S
    reason = (
        f"{called['date']} {_first(table[called['date']], ~good)} is not ISO (2026-11-23), "
        "day.month.year, or seconds or milliseconds since 1970, or is after 2100"
    )
    table, time = _kept(collection, file, table, time, good, reason)
    if is_backblaze:
        table, time, counters = _backblaze(collection, file, table, time)
    else:
        counters = _counters(table, called)
    usable = np.isfinite(counters["host_bytes"]) | np.isfinite(counters["points"])
    reason = "neither host_bytes nor percent_used is a number"
    kept, kept_time = _kept(collection, file, table, time, usable, reason)
    counters = {name: column[usable] for name, column in counters.items()}
    if not is_backblaze:
        _name_cells(collection, file, kept, called)
    numbers = _numbered(collection, file, kept, called)
    collection.add(Columns(numbers, kept_time, counters))


def _name_cells(
    collection: Collection, file: str, table: pa.Table, called: Mapping[str, str]
) -> None:
    """Name cells of rows in use that are no number, and so are left out."""
    for name in called.keys() & set(_NUMBERS):
        column = table[called[name]]
        if not pa.types.is_string(column.type):
            continue
        plain = pc.utf8_lower(pc.utf8_trim_whitespace(pc.fill_null(column, "")))
        stated = ~pc.is_in(plain, pa.array(_ABSENT)).to_numpy().astype(bool)
        bad = stated & np.isnan(_numbers(column))
        if bad.any():
            collection.refuse(
                file, f"{called[name]} {_first(column, bad)}: no number >= 0, left out of "
                "the rows", int(bad.sum()),
            )  # fmt: skip


def _first(column: pa.ChunkedArray, rows: NDArray[np.bool_]) -> str:
    """Return the first of some cells in quotes; a dash for none."""
    return repr(str(column[int(np.argmax(rows))].as_py())[:40]) if rows.any() else "-"


def with_points(table: pa.Table) -> pa.Table:
    """Return the table with decimal points, where its numbers have commas."""
    for at, name in enumerate(table.column_names):
        if _known(name) in {*_NUMBERS, "capacity_bytes"}:
            table = table.set_column(at, name, pc.replace_substring(table[name], ",", "."))
    return table


def _known(column: str) -> str | None:
    """Return the name under which a column is known."""
    plain = _plain(column)
    return next((name for name, other in NAMES.items() if plain in other), None)


def _plain(column: str) -> str:
    """Return a name of a column in small letters, with underscores for its spaces."""
    return "_".join(column.casefold().split())


def _called(columns: Sequence[str]) -> dict[str, str]:
    """Return the name in the file of each known column."""
    plain = {_plain(column): column for column in reversed(columns)}
    found = {name: next((plain[one] for one in other if one in plain), None)
             for name, other in NAMES.items()}  # fmt: skip
    return {name: column for name, column in found.items() if column is not None}


def _is_backblaze(columns: Sequence[str]) -> bool:
    return {"date", "serial_number", "model", "failure"} <= set(columns) and any(
        column.startswith("smart_") for column in columns
    )


def _kept(
    collection: Collection, file: str, table: pa.Table, time: Floats, good: NDArray[np.bool_],
    reason: str,
) -> tuple[pa.Table, Floats]:  # fmt: skip
    """Keep some rows, and count the others under a reason that names the first of them."""
    bad = int(np.sum(~good))
    if not bad:
        return table, time
    first = table["\0row"][int(np.argmax(~good))].as_py() + 1
    collection.refuse(file, f"row {first} and {bad - 1} more: {reason}" if bad > 1
                      else f"row {first}: {reason}", bad)  # fmt: skip
    return table.filter(pa.array(good)), time[good]


def _times(column: pa.ChunkedArray) -> Floats:
    """Return seconds since 1970, NaN where a date cannot be read."""
    import pandas as pd  # noqa: PLC0415 - slow to import

    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return _seconds(_numbers(column))
    if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
        column = column.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        return _numbers(column) / 1e6
    coded = column.combine_chunks().dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.combine_chunks()
    texts = coded.dictionary.to_pylist()
    written = pd.Series(texts, dtype="object")
    stamps = pd.to_datetime(written, errors="coerce", utc=True, format="ISO8601")
    dotted = np.array([_DOTTED.match(text) is not None for text in texts], bool)
    if dotted.any():
        stamps[dotted] = pd.to_datetime(
            written[dotted], dayfirst=True, errors="coerce", utc=True, format="mixed"
        )
    known = stamps.notna().to_numpy()
    seconds = np.full(len(texts) + 1, np.nan)
    seconds[:-1][known] = stamps[known].map(lambda moment: moment.timestamp()).to_numpy(float)
    for at, text in enumerate(texts):
        if text.strip().isdecimal() and len(text.strip()) > 8:
            seconds[at] = _seconds(np.float64(text[:20]))
    index = np.nan_to_num(coded.indices.to_numpy(zero_copy_only=False), nan=-1)
    return np.asarray(seconds[index.astype(np.intp)])


def _seconds(time: Floats | np.float64) -> Floats:
    """Return seconds of times that may count milliseconds."""
    return np.asarray(np.where(time >= MILLISECONDS, time / 1000, time))


def _numbers(column: pa.ChunkedArray) -> Floats:
    """Return numbers >= 0, NaN where there is none."""
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        written = pc.match_substring_regex(column, _NUMBER)
        bare = pc.replace_substring_regex(column, r"[\s%]", "")
        column = pc.if_else(written, bare, None).cast(pa.float64())
    elif not pa.types.is_floating(column.type):
        column = column.cast(pa.float64(), safe=False)
    numbers = np.asarray(column.to_numpy().astype(float))
    with np.errstate(invalid="ignore"):
        return np.where((numbers >= 0) & np.isfinite(numbers), numbers, np.nan)


def _counters(table: pa.Table, called: Mapping[str, str]) -> dict[str, Floats]:
    known = {name: _numbers(table[called[name]]) for name in called if name in
             {"host_bytes", "flash_bytes", "percent_used", "power_on_hours"}}  # fmt: skip
    none = np.full(table.num_rows, np.nan)
    points = known.get("percent_used", none)
    hours = known.get("power_on_hours", none)
    whole = np.where(points == np.floor(points), 1.0, 0.5)  # counted in whole points, or finer
    return {
        "host_bytes": known.get("host_bytes", none),
        "flash_bytes": known.get("flash_bytes", none),
        "points": points,
        "points_low": np.maximum(points - whole, 0.0),
        "points_high": points + whole,
        "power_on_s": np.where(hours * HOUR_S <= LONGEST_S, hours * HOUR_S, np.nan),
        **dict.fromkeys(("erase_cycles", "erase_cycles_low", "erase_cycles_high"), none),
        "readings": np.ones(table.num_rows),
    }


def _numbered(
    collection: Collection, file: str, table: pa.Table, called: Mapping[str, str]
) -> NDArray[np.int64]:
    """Give the drives of the rows their numbers: by serial and model; without them, by file."""
    if not table.num_rows:
        return np.zeros(0, np.int64)
    texts = [_texts(table, called.get(name)) for name in ("serial", "model", "site")]
    keys = pa.table({"serial": texts[0], "model": texts[1]})
    keys = keys.append_column("row", pa.array(np.arange(table.num_rows)))
    firsts = keys.group_by(["serial", "model"]).aggregate([("row", "min")]).sort_by("row_min")
    capacity = (
        _numbers(table[called["capacity_bytes"]]) if "capacity_bytes" in called
        else np.full(table.num_rows, np.nan)
    )  # fmt: skip
    sites = texts[2].take(firsts["row_min"]).to_pylist()
    numbers = []
    for serial, model, row, site in zip(
        firsts["serial"].to_pylist(), firsts["model"].to_pylist(), firsts["row_min"].to_pylist(),
        sites, strict=True,
    ):  # fmt: skip
        name = DriveName(
            name=serial or file, model=model, site=site, user_bytes=float(capacity[row])
        )
        numbers.append(collection.number(key_of(serial, file), name))
    joined = keys.join(
        firsts.select(["serial", "model"]).append_column("number", pa.array(numbers, pa.int64())),
        keys=["serial", "model"],
    ).sort_by("row")
    return np.asarray(joined["number"].to_numpy())


def _texts(table: pa.Table, column: str | None) -> pa.ChunkedArray:
    if column is None:
        return pa.chunked_array([pa.array([""] * table.num_rows, pa.string())])
    words = pc.fill_null(table[column].cast(pa.string()), "")
    return pc.utf8_slice_codeunits(pc.utf8_trim_whitespace(words), 0, 200)


def _backblaze(
    collection: Collection, file: str, table: pa.Table, time: Floats
) -> tuple[pa.Table, Floats, dict[str, Floats]]:
    """Interpret SMART attributes of the rows whose models have known units."""
    units = smart_units.load()
    models = pc.fill_null(table["model"].cast(pa.string()), "")
    every = pc.unique(models).to_pylist()
    known = [model for model in every if units.family(model, "")]
    good = pc.is_in(models, pa.array(known, pa.string())).to_numpy().astype(bool)
    others = sorted(set(every) - set(known))
    reason = (
        f"of {len(others)} models such as {' and '.join(map(repr, others[:2]))}: hard disks, or "
        "SSDs whose SMART attributes have no known unit"
    )
    table, time = _kept(collection, file, table, time, good, reason)
    numbers = sorted({int(name.split("_")[1]) for name in table.column_names
                      if name.startswith("smart_")})  # fmt: skip
    rows = table.to_pylist()
    columns = [counters_of(_drive(row, numbers)) for row in rows]
    counters = np.array(columns, float).reshape(-1, len(COUNTERS)).T
    return table, time, dict(zip(COUNTERS, counters, strict=True))


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

"""Readings from files of any kind: SMART logs, exporters' pages, tables."""

import csv
import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from glob import glob, has_magic
from pathlib import Path
from typing import BinaryIO, TypeVar

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from planner.forecast.fleet.engine import take_large
from planner.forecast.fleet.readings import Collection
from planner.forecast.fleet.tables import (
    add_table,
    checked_columns,
    is_table,
    is_tidy,
    wanted_columns,
    with_points,
)
from planner.quantity.door import NAMED, SHORT_BYTES, DoorError, aside, is_short, opened
from planner.telemetry import FileReading, read
from planner.telemetry.documents import encoding_of, head_text

Result = TypeVar("Result")
FEWEST_ROWS = 500_000  # of all tables, from which the engine reduces them

_HEAD_BYTES = 1 << 16
_TIMES = 16  # memory of a forecast over that of its table as text; measured: 9.2 GB of 0.6 GB
_MAGIC = b"PAR1"
_GZIP = b"\x1f\x8b"
_DELIMITERS = (",", ";", "\t")  # with the others, decimals may have a comma
_CONTAINS_NONE = "contains no drive"


def files_of(paths: Iterable[str]) -> Iterator[Path]:
    """Yield the files of folders, patterns and names, each once."""
    seen: set[Path] = set()
    for path in paths:
        # Path.glob takes no absolute patterns
        matches = sorted(glob(path, recursive=True)) if has_magic(path) else [path]  # noqa: PTH207
        for one in map(Path, matches or [path]):
            inside = sorted(one.rglob("*")) if _is_folder(one) else [one]
            for file in inside:
                if file not in seen and not _is_folder(file) and not file.name.startswith("."):
                    seen.add(file)
                    yield file


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long is none; reading it says why
        return False


def collected(paths: Iterable[Path], executor: Executor | None = None) -> Collection:
    """Read files; one that cannot be read is refused and stops nothing.

    Tables of many rows are reduced by the engine, on an executor if there is one.
    """
    collection, every = Collection(), list(paths)
    large = _large(every)
    take_large(collection, sorted(large), executor)
    for path in every:
        if path in large:
            continue
        before = len(collection.refused)
        try:
            _add(collection, path)
        except OSError as error:
            collection.refuse(str(path), f"cannot be read: {error.strerror or error}")
        except DoorError as error:
            collection.refuse(str(path), str(error))
        whole = [one for one in collection.refused[before:] if one.rows is None]
        collection.read += not whole
    collection.add_systems()
    return collection


def _large(paths: Iterable[Path]) -> set[Path]:
    """Return the tables with a serial number, where they have many rows together."""
    rows: dict[Path, int] = {}
    for path in paths:
        with suppress(OSError, DoorError, pa.ArrowException):
            if path.suffix != ".json" and _is_parquet(path):
                names, count = _within(_footer, path)
                if is_tidy(names):
                    rows[path] = count
    return set(rows) if sum(rows.values()) >= FEWEST_ROWS else set()


def _is_parquet(path: Path) -> bool:
    with opened(path) as stream:
        return stream.read(len(_MAGIC)) == _MAGIC


def _footer(path: Path) -> tuple[list[str], int]:
    """Return the columns of a Parquet file, and its number of rows."""
    with opened(path) as stream:
        file = pyarrow.parquet.ParquetFile(stream)
        return file.schema_arrow.names, file.metadata.num_rows


def _add(collection: Collection, path: Path) -> None:
    with opened(path) as stream:
        head = stream.read(_HEAD_BYTES)
    if head.startswith(_MAGIC):
        _add_parquet(collection, path)
        return
    is_packed = head.startswith(_GZIP)
    if is_packed:
        with suppress(EOFError, OSError, zlib.error), opened(path) as stream:
            head = gzip.GzipFile(fileobj=stream).read(_HEAD_BYTES)
    for delimiter in _DELIMITERS:
        if is_table(columns := _first_row(head, delimiter)):
            _add_csv(collection, path, columns, delimiter)
            return
    _add_log(collection, path)


def _first_row(head: bytes, delimiter: str) -> list[str]:
    line = head_text(head).lstrip().partition("\n")[0]
    try:
        return next(csv.reader([line.rstrip("\r")], delimiter=delimiter), [])
    except csv.Error:
        return []


def _add_parquet(collection: Collection, path: Path) -> None:
    try:
        names, _ = _within(_footer, path)
        if checked_columns(collection, str(path), names) is not None:
            add_table(collection, str(path), _within(_parquet, path, wanted_columns(names)))
    except (pa.ArrowException, OSError) as error:
        collection.refuse(str(path), f"is not whole as Parquet: {_line(error)}")


def _parquet(path: Path, columns: list[str]) -> pa.Table:
    """Return some columns of a Parquet file."""
    with opened(path) as stream:
        return pyarrow.parquet.ParquetFile(stream).read(columns=columns)


def _add_csv(collection: Collection, path: Path, columns: list[str], delimiter: str) -> None:
    if checked_columns(collection, str(path), columns) is None:
        return
    table, wrong = _within(_csv, path, wanted_columns(columns), delimiter)
    if wrong:
        reason = f"{wrong} rows have more or fewer cells than the first"
        collection.refuse(str(path), reason, wrong)
    add_table(collection, str(path), table if delimiter == "," else with_points(table))


def _csv(path: Path, columns: list[str], delimiter: str) -> tuple[pa.Table, int]:
    """Return some columns of a CSV table, and its number of rows of another width."""
    wrong: list[int] = []

    def skipped(row: object) -> str:
        wrong.append(getattr(row, "number", None) or 0)
        return "skip"

    try:
        with opened(path) as stream, _unpacked(stream) as rows:
            mark, encoding = encoding_of(rows.read(4))
            rows.seek(mark)
            table = pyarrow.csv.read_csv(
                rows,
                read_options=pyarrow.csv.ReadOptions(encoding=encoding),
                parse_options=pyarrow.csv.ParseOptions(
                    delimiter=delimiter, invalid_row_handler=skipped
                ),
                convert_options=pyarrow.csv.ConvertOptions(
                    include_columns=columns, column_types=dict.fromkeys(columns, pa.string())
                ),
            )
    except MemoryError:
        raise
    except (pa.ArrowException, OSError, EOFError, zlib.error, UnicodeError) as error:
        raise DoorError(f"cannot be read as CSV: {_line(error)}") from None
    if table.nbytes * _TIMES > NAMED.memory_bytes:
        raise DoorError(
            f"has {table.num_rows:,} rows, which take more than {NAMED.memory_bytes >> 20} MiB of "
            "memory; save it as Parquet, whose rows are summed in parts"
        )
    return table, len(wrong)


def _within(function: Callable[..., Result], path: Path, *arguments: object) -> Result:
    """Call a function that reads a file: here if it is short, else in the reader process."""
    with opened(path) as stream:
        if is_short(stream.read(SHORT_BYTES + 1)):
            return function(path, *arguments)
    return aside(function, path, *arguments, size_bytes=path.stat().st_size)


def _unpacked(stream: BinaryIO) -> BinaryIO:
    packed = stream.read(2) == _GZIP
    stream.seek(0)
    return gzip.GzipFile(fileobj=stream) if packed else stream  # type: ignore[return-value]  # read alike


def _add_log(collection: Collection, path: Path) -> None:
    reading = _within(_reading, path)
    if reading.refused is not None:
        collection.refuse(str(path), reading.refused.removeprefix(f"{path.name}: "))
    elif not reading.drives:
        collection.refuse(str(path), f"{reading.kind}: {_CONTAINS_NONE}")
    else:
        collection.add_readings(str(path), reading.drives)
        for note in reading.notes:
            collection.refuse(str(path), note, 1)


def _reading(path: Path) -> FileReading:
    """Read a log."""
    with opened(path) as stream:
        return read(path.name, stream)


def _line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:200]

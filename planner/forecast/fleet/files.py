"""Readings from files of any kind: SMART logs, exporters' pages, tables."""

import csv
import gzip
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from glob import glob, has_magic
from io import BufferedIOBase
from pathlib import Path

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
from planner.telemetry import read
from planner.telemetry.documents import encoding_of, head_text

FEWEST_ROWS = 500_000  # of all tables, from which the engine reduces them

_HEAD_BYTES = 1 << 16
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
        whole = [one for one in collection.refused[before:] if one.rows is None]
        collection.read += not whole
    collection.add_systems()
    return collection


def _large(paths: Iterable[Path]) -> set[Path]:
    """Return the tables with a serial number, where they have many rows together."""
    rows: dict[Path, int] = {}
    for path in paths:
        with suppress(OSError, pa.ArrowException):
            if path.suffix != ".json" and _is_parquet(path):
                file = pyarrow.parquet.ParquetFile(path)
                if is_tidy(file.schema_arrow.names):
                    rows[path] = file.metadata.num_rows
    return set(rows) if sum(rows.values()) >= FEWEST_ROWS else set()


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(_MAGIC)) == _MAGIC


def _add(collection: Collection, path: Path) -> None:
    with path.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
    if head.startswith(_MAGIC):
        _add_parquet(collection, path)
        return
    is_packed = head.startswith(_GZIP)
    if is_packed:
        with suppress(EOFError, OSError, zlib.error), gzip.open(path) as packed:
            head = packed.read(_HEAD_BYTES)
    for delimiter in _DELIMITERS:
        if is_table(columns := _first_row(head, delimiter)):
            with gzip.open(path) if is_packed else path.open("rb") as rows:
                _add_csv(collection, path, rows, columns, delimiter)
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
        file = pyarrow.parquet.ParquetFile(path)
        columns = file.schema_arrow.names
        if checked_columns(collection, str(path), columns) is not None:
            add_table(collection, str(path), file.read(columns=wanted_columns(columns)))
    except (pa.ArrowException, OSError) as error:
        collection.refuse(str(path), f"is not whole as Parquet: {_line(error)}")


def _add_csv(
    collection: Collection, path: Path, rows: BufferedIOBase, columns: list[str], delimiter: str
) -> None:
    if checked_columns(collection, str(path), columns) is None:
        return
    wrong: list[int] = []

    def skipped(row: object) -> str:
        wrong.append(getattr(row, "number", None) or 0)
        return "skip"

    wanted = wanted_columns(columns)
    try:
        mark, encoding = encoding_of(rows.read(4))
        rows.seek(mark)
        table = pyarrow.csv.read_csv(
            rows,
            read_options=pyarrow.csv.ReadOptions(encoding=encoding),
            parse_options=pyarrow.csv.ParseOptions(
                delimiter=delimiter, invalid_row_handler=skipped
            ),
            convert_options=pyarrow.csv.ConvertOptions(
                include_columns=wanted, column_types=dict.fromkeys(wanted, pa.string())
            ),
        )
    except (pa.ArrowException, OSError, EOFError, zlib.error, UnicodeError) as error:
        collection.refuse(str(path), f"cannot be read as CSV: {_line(error)}")
        return
    if wrong:
        reason = f"{len(wrong)} rows have more or fewer cells than the first"
        collection.refuse(str(path), reason, len(wrong))
    add_table(collection, str(path), table if delimiter == "," else with_points(table))


def _add_log(collection: Collection, path: Path) -> None:
    with path.open("rb") as stream:
        reading = read(path.name, stream)
    if reading.refused is not None:
        collection.refuse(str(path), reading.refused.removeprefix(f"{path.name}: "))
    elif not reading.drives:
        collection.refuse(str(path), f"{reading.kind}: {_CONTAINS_NONE}")
    else:
        collection.add_readings(str(path), reading.drives)
        for note in reading.notes:
            collection.refuse(str(path), note, 1)


def _line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:200]

"""FleetRows of readings from files of any kind: SMART logs, exporters' pages, tables."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from planner.forecast.fleet.buckets import (
    NO_SERIAL,
    BucketFile,
    BucketRange,
    BucketWriter,
    number_of_buckets,
    parts_of,
    spread,
)
from planner.forecast.fleet.cluster import done_by
from planner.forecast.fleet.columns import is_table, lacking, unread
from planner.forecast.fleet.readings import FileRefusal, LogRows
from planner.quantity.door import SHORT_BYTES, DoorError, aside, is_short, opened
from planner.quantity.door.batches import TableHead, table_head
from planner.telemetry import FileReading, read

Result = TypeVar("Result")

_CONTAINS_NONE = "contains no drive"
_PACKED = 10  # bytes of rows in a byte of a packed table
_MOST_LOG_ROWS = 50_000  # in memory


@dataclass(frozen=True, slots=True)
class FleetRows:
    """The rows of all files in buckets, and what was not used."""

    sources: tuple[BucketFile, ...]
    parts: tuple[BucketRange, ...]
    read: int
    refused: tuple[FileRefusal, ...]


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


def collected(paths: Iterable[Path], folder: Path, executor: Executor | None = None) -> FleetRows:
    """Read files into buckets; one that cannot be read is refused and stops nothing.

    `folder` takes the rows; workers of an executor, if there is one, read the tables into it.
    """
    every = list(paths)
    refused: list[FileRefusal] = []
    heads = {path: head for path in every for head in _tried(refused, path, _head, path)}
    tables = {path: head for path, head in heads.items() if head is not None}
    size = sum(
        path.stat().st_size * (_PACKED if head is not None and head.is_packed else 1)
        for path, head in heads.items()
    )
    buckets = number_of_buckets(size, SHORT_BYTES)
    logs, sources = LogRows(refused=refused), list[BucketFile]()
    usable = [path for path in tables if _is_usable(refused, path, tables[path])]
    given = [
        (path, tables[path], folder / f"table{number}", buckets)
        for number, path in enumerate(usable)
    ]
    for path, found in zip(usable, done_by(executor, _spread, given), strict=True):
        if isinstance(found, BucketFile):
            sources.append(found)
            refused.extend(found.refused)
        else:
            refused.append(FileRefusal(str(path), found))
    with BucketWriter(folder / "logs", buckets) as writer:
        for path in (path for path, head in heads.items() if head is None):
            for reading in _tried(refused, path, _within, _reading, path):
                _add(logs, path, reading)
            if len(logs.rows) > _MOST_LOG_ROWS:
                _write(logs, writer)
        logs.add_systems()
        _write(logs, writer)
    sources.append(BucketFile(folder / "logs", writer.rows))
    whole = {one.file for one in refused if one.rows is None}
    return FleetRows(
        tuple(sources), tuple(parts_of(sources, buckets)),
        sum(str(path) not in whole for path in every), tuple(refused),
    )  # fmt: skip


def _tried(
    refused: list[FileRefusal], path: Path, function: Callable[..., Result], *arguments: object
) -> Iterator[Result]:
    """Yield the result of a function that reads a file, unless it refuses the file."""
    try:
        yield function(*arguments)
    except (OSError, DoorError) as error:
        refused.append(FileRefusal(str(path), _reason(error)))


def _reason(error: OSError | DoorError) -> str:
    is_door = isinstance(error, DoorError)
    return str(error) if is_door else f"cannot be read: {getattr(error, 'strerror', '') or error}"


def _head(path: Path) -> TableHead | None:
    """Return the head of a table; an object of JSON that is no row of one is a log."""
    head = _within(table_head, path, is_table)
    return None if head is not None and head.kind == "json" and lacking(head.columns) else head


def _is_usable(refused: list[FileRefusal], path: Path, head: TableHead) -> bool:
    """Whether a table has the columns that it needs; those nearly named as known are told."""
    if reason := lacking(head.columns):
        refused.append(FileRefusal(str(path), reason))
        return False
    refused.extend(FileRefusal(str(path), remark, 0) for remark in unread(head.columns))
    return True


def _spread(path: Path, head: TableHead, rows_path: Path, buckets: int) -> BucketFile | str:
    """Write the rows of a table in buckets; return the reason if it is refused."""
    try:
        return _within(spread, path, head, rows_path, buckets)
    except DoorError as error:
        return _reason(error)
    except OSError as error:
        if not rows_path.parent.is_dir():
            raise  # the folder is not seen here
        return _reason(error)


def _within(function: Callable[..., Result], path: Path, *arguments: object) -> Result:
    """Call a function that reads a file: here if it is short, else in the reader process."""
    with opened(path) as stream:
        if is_short(stream.read(SHORT_BYTES + 1)):
            return function(path, *arguments)
    return aside(function, path, *arguments, size_bytes=path.stat().st_size)


def _reading(path: Path) -> FileReading:
    """Read a log."""
    with opened(path) as stream:
        return read(path.name, stream)


def _add(logs: LogRows, path: Path, reading: FileReading) -> None:
    if reading.refused is not None:
        logs.refuse(str(path), reading.refused.removeprefix(f"{path.name}: "))
    elif not reading.drives:
        logs.refuse(str(path), f"{reading.kind}: {_CONTAINS_NONE}")
    else:
        logs.add(str(path), reading)
        for note in reading.notes:
            logs.refuse(str(path), note, 1)


def _write(logs: LogRows, writer: BucketWriter) -> None:
    """Write the rows of logs; the name of one without a serial number replaces it."""
    if logs.rows:
        columns = logs.columns()
        columns["serial"] = [
            serial or NO_SERIAL + name
            for serial, name in zip(columns["serial"], columns["name"], strict=True)
        ]
        writer.add(pa.table(columns))

"""Tables from outside, read in batches: CSV, lines of JSON, each packed or not, and Parquet.

No more than a batch of rows is in memory at a time, whatever the number of rows. The columns of CSV
and of JSON are texts, those of Parquet have the types of the file.
"""

import csv
import io
import json
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from planner.quantity.door import DoorError, opened
from planner.quantity.door.packing import BROKEN, unpacked_forward

BATCH_ROWS = 250_000
_HEAD_BYTES = 1 << 16
_BLOCK_BYTES = 4 << 20  # of CSV, parsed together
_LONGEST_LINE = 1 << 20
_LINES = 20_000  # of JSON, in a batch
_PARQUET = b"PAR1"
_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_DELIMITERS = (",", ";", "\t")
_BROKEN = (pa.ArrowException, OSError, *BROKEN, UnicodeError)

Path = str | os.PathLike[str]


class TableHead(NamedTuple):
    """The format of a table, the names of its columns, and what separates cells of CSV.

    A packed table has many more bytes of rows than its file.
    """

    kind: str
    columns: tuple[str, ...]
    delimiter: str = ","
    is_packed: bool = False


def table_head(path: Path, is_table: Callable[[Sequence[str]], bool]) -> TableHead | None:
    """Return the head of a file whose columns are those of a table; None of any other file.

    >>> table_head("data/drives.csv", lambda columns: "vendor" in columns).columns[:2]
    ('drive_id', 'vendor')
    >>> table_head("pyproject.toml", lambda columns: "vendor" in columns)
    """
    with opened(path) as stream:
        if stream.read(len(_PARQUET)) == _PARQUET:
            stream.seek(0)
            names = _parquet(stream).schema_arrow.names
            return TableHead("parquet", tuple(names), is_packed=True)
        stream.seek(0)
        try:
            whole = unpacked_forward(stream)
            head = whole.read(_HEAD_BYTES)
        except _BROKEN:
            return None
    encoding, mark = _encoding(head)
    line, is_whole, _ = head[mark:].decode(encoding, "replace").lstrip().partition("\n")
    if line.startswith("{"):
        row = _object(line) or {}
        of_json = TableHead("json", tuple(row), is_packed=whole is not stream)
        return of_json if is_table(of_json.columns) else None
    for delimiter in _DELIMITERS:
        columns = _cells(line, delimiter)
        if is_table(columns):
            if not is_whole and len(head) == _HEAD_BYTES:
                raise DoorError(f"the names of its columns take more than {_HEAD_BYTES >> 10} KiB")
            return TableHead("csv", columns, delimiter, whole is not stream)
    return None


def _cells(line: str, delimiter: str) -> tuple[str, ...]:
    try:
        return tuple(next(csv.reader([line.rstrip("\r")], delimiter=delimiter), ()))
    except csv.Error:
        return ()


class TableReader:
    """The rows of some columns of a table in batches; counts the lines that are no row of it."""

    def __init__(self, path: Path, head: TableHead, columns: Sequence[str]) -> None:
        self._path, self._head, self._columns = path, head, list(dict.fromkeys(columns))
        self.wrong_rows = 0

    def __iter__(self) -> Iterator[pa.Table]:
        read = {"csv": self._csv, "json": self._json, "parquet": self._parquet}[self._head.kind]
        called = {"csv": "cannot be read as CSV", "json": "cannot be read as lines of JSON",
                  "parquet": "is not whole as Parquet"}[self._head.kind]  # fmt: skip
        with opened(self._path) as stream:
            try:
                yield from map(_table, read(stream))
            except DoorError:
                raise
            except _BROKEN as error:
                raise DoorError(f"{called}: {_line(error)}") from None

    def _csv(self, stream: BinaryIO) -> Iterator[pa.RecordBatch]:
        rows = unpacked_forward(stream)
        encoding, mark = _encoding(rows.peek(4))
        rows.read(mark)
        yield from pyarrow.csv.open_csv(
            rows,
            read_options=pyarrow.csv.ReadOptions(
                encoding=encoding, block_size=_BLOCK_BYTES, use_threads=False
            ),
            parse_options=pyarrow.csv.ParseOptions(
                delimiter=self._head.delimiter, invalid_row_handler=self._skipped
            ),
            convert_options=pyarrow.csv.ConvertOptions(
                include_columns=self._columns,
                column_types=dict.fromkeys(self._columns, pa.string()),
                null_values=[""], strings_can_be_null=True,
            ),
        )  # fmt: skip

    def _skipped(self, _: object) -> str:
        self.wrong_rows += 1
        return "skip"

    def _parquet(self, stream: BinaryIO) -> Iterator[pa.RecordBatch]:
        return iter(_parquet(stream).iter_batches(BATCH_ROWS, columns=self._columns))

    def _json(self, stream: BinaryIO) -> Iterator[pa.RecordBatch]:
        packed = unpacked_forward(stream)
        encoding, mark = _encoding(packed.peek(4))
        packed.read(mark)
        rows: list[dict[str, Any]] = []
        with io.TextIOWrapper(packed, encoding, errors="replace") as lines:
            while line := lines.readline(_LONGEST_LINE):
                row = _object(line)
                if row is not None:
                    rows.append(row)
                elif line.strip():
                    self.wrong_rows += 1
                if len(rows) >= _LINES:
                    yield self._of_objects(rows)
                    rows = []
        yield self._of_objects(rows)

    def _of_objects(self, rows: Sequence[dict[str, Any]]) -> pa.RecordBatch:
        cells = ([_text(row.get(name)) for row in rows] for name in self._columns)
        return pa.RecordBatch.from_arrays(
            [pa.array(column, pa.string()) for column in cells], names=self._columns
        )


def _table(batch: pa.RecordBatch) -> pa.Table:
    return pa.Table.from_batches([batch])


def _parquet(stream: BinaryIO) -> pyarrow.parquet.ParquetFile:
    try:
        return pyarrow.parquet.ParquetFile(stream, buffer_size=1 << 20, pre_buffer=False)
    except (pa.ArrowException, OSError) as error:
        raise DoorError(f"is not whole as Parquet: {_line(error)}") from None


def _object(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _text(value: object) -> str | None:
    """Return a value of JSON as a cell of CSV; None for what is no text or number."""
    is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value) if is_plain and value != "" else None


def _encoding(start: bytes) -> tuple[str, int]:
    """Return the encoding of a text and the length of its byte order mark."""
    return next(
        ((name, len(mark)) for mark, name in _MARKS.items() if start.startswith(mark)), ("utf-8", 0)
    )


def _line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:200]

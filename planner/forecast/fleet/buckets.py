"""Rows of readings in buckets of the serial number, so that the rows of one bucket fit in memory.

Each source is written to a file of its own: its rows in groups, and in each group one batch for
each bucket. All rows of a drive are in one bucket, whichever files they come from.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from planner.forecast.fleet.columns import wanted
from planner.forecast.fleet.readings import COUNTERS, DriveName, FileRefusal, Floats, Readings
from planner.forecast.fleet.tables import TableRows
from planner.quantity.door.batches import BATCH_ROWS, TableHead, TableReader
from planner.telemetry.drive_record import bare_serial

NO_SERIAL = "\x1d"  # begins the name of the file in place of a serial number
_MOST_BUCKETS = 1024
_BUCKETS = 64  # at least, as a packed table may have any number of rows
_BUCKET_BYTES = 8 << 20  # of tables, in a bucket
_TOGETHER = 150_000  # rows of buckets that are read together
_BLANKS = "-. *xX0\t\r\n"  # around serial numbers


@dataclass(frozen=True, slots=True)
class BucketFile:
    """The rows of one source: their file, their number in each bucket, and what was left out."""

    rows_path: Path
    rows: NDArray[np.int64]
    refused: tuple[FileRefusal, ...] = ()


class BucketRange(NamedTuple):
    """Some buckets of a number of them."""

    first: int
    end: int
    buckets: int


def number_of_buckets(size_bytes: float, most_short_bytes: float) -> int:
    """Return the number of buckets for files of a size: one where all are short.

    >>> number_of_buckets(5e4, 65_536), number_of_buckets(1e8, 65_536), number_of_buckets(1e9, 1)
    (1, 64, 120)
    """
    if size_bytes <= most_short_bytes:
        return 1
    return min(max(_BUCKETS, int(size_bytes / _BUCKET_BYTES) + 1), _MOST_BUCKETS)


def spread(path: Path, head: TableHead, rows_path: Path, buckets: int) -> BucketFile:
    """Write the rows of a table in buckets."""
    reader, table = TableReader(path, head, wanted(head.columns)), TableRows(str(path), head)
    with BucketWriter(rows_path, buckets, NO_SERIAL + str(path)) as writer:
        for batch in reader:
            writer.add(table.of(batch))
    refused = tuple(table.refusals())
    if reader.wrong_rows:
        reason = (
            f"{reader.wrong_rows} lines are no object of JSON" if head.kind == "json"
            else f"{reader.wrong_rows} rows have more or fewer cells than the first"
        )  # fmt: skip
        refused = (FileRefusal(str(path), reason, reader.wrong_rows), *refused)
    return BucketFile(rows_path, writer.rows, refused)


class BucketWriter:
    """Writes rows in groups, each of them in the order of buckets.

    Rows with a blank serial number belong to the drive `nameless`.
    """

    def __init__(self, path: Path, buckets: int, nameless: str = "") -> None:
        self._path, self._buckets, self._nameless = path, buckets, nameless
        self._kept: list[pa.Table] = []
        self._writer: pa.RecordBatchFileWriter | None = None
        self.rows = np.zeros(buckets, np.int64)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write()
        if self._writer is not None:
            self._writer.close()

    def add(self, rows: pa.Table) -> None:
        """Add rows, whose first column is the serial number."""
        self._kept.append(rows)
        if sum(table.num_rows for table in self._kept) >= BATCH_ROWS:
            self._write()

    def _write(self) -> None:
        rows = pa.concat_tables(self._kept) if self._kept else None
        self._kept = []
        if rows is None or not rows.num_rows:
            return
        serial = pc.fill_null(rows["serial"], "").combine_chunks().dictionary_encode()
        plain = pc.utf8_trim_whitespace(serial.dictionary)
        plain = pc.if_else(pc.equal(plain, ""), self._nameless, plain)
        index = serial.indices.to_numpy()
        bucket = _buckets_of(plain, self._buckets)[index]
        order = np.argsort(bucket, kind="stable")
        ordered = rows.drop_columns(["serial"]).take(pa.array(order))
        ordered = ordered.add_column(0, "serial", plain.take(pa.array(index[order])))
        counts = np.bincount(bucket, minlength=self._buckets)
        self.rows += counts
        if self._writer is None:
            self._writer = pa.ipc.new_file(str(self._path), ordered.schema)
        (batch,) = ordered.combine_chunks().to_batches()
        for first, count in zip(np.cumsum(counts) - counts, counts, strict=True):
            self._writer.write_batch(batch.slice(int(first), int(count)))


def _buckets_of(serials: pa.Array, buckets: int) -> NDArray[np.uint16]:
    """Return the bucket of each serial number, by what tells drives apart."""
    if buckets == 1:
        return np.zeros(len(serials), np.uint16)
    from pandas.util import hash_array  # noqa: PLC0415 - slow to import

    bare = pc.utf8_upper(pc.utf8_trim(serials, _BLANKS))
    hashed = hash_array(bare.to_numpy(zero_copy_only=False).astype(object), categorize=False)
    return (hashed % buckets).astype(np.uint16)


def parts_of(sources: Sequence[BucketFile], buckets: int) -> Iterator[BucketRange]:
    """Group buckets that are read together."""
    rows = sum((source.rows for source in sources), np.zeros(buckets, np.int64))
    first = 0
    for at in range(buckets):
        if at > first and rows[first : at + 1].sum() > _TOGETHER:
            yield BucketRange(first, at, buckets)
            first = at
    yield BucketRange(first, buckets, buckets)


def readings_of(sources: Sequence[BucketFile], part: BucketRange) -> Readings:
    """Return the readings of the drives of some buckets."""
    tables = [table for source in sources for table in _tables(source, part)]
    rows = pa.concat_tables(tables, promote_options="default") if tables else None
    if rows is None or not rows.num_rows:
        none = np.zeros(0)
        return Readings(
            drives=(), drive=none.astype(np.int64), time_s=none,
            counters=dict.fromkeys(COUNTERS, none),
        )  # fmt: skip
    drives, number = _numbered(rows)
    return Readings(
        drives=drives, drive=number, time_s=_floats(rows, "time_s"), counters=_counters(rows)
    )


def _tables(source: BucketFile, part: BucketRange) -> Iterator[pa.Table]:
    if not source.rows[part.first : part.end].any():
        return
    with pa.OSFile(os.fspath(source.rows_path)) as file, pa.ipc.open_file(file) as batches:
        yield pa.Table.from_batches([
            batches.get_batch(at)
            for at in range(batches.num_record_batches)
            if part.first <= at % part.buckets < part.end
        ])  # fmt: skip


def _numbered(rows: pa.Table) -> tuple[tuple[DriveName, ...], NDArray[np.int64]]:
    """Return the drives by serial number and model, and the number of that of each row."""
    keys = pc.binary_join_element_wise(rows["serial"], pc.fill_null(_text(rows, "model"), ""), "\n")
    coded = keys.combine_chunks().dictionary_encode()
    index = coded.indices.to_numpy()
    firsts = np.unique(index, return_index=True)[1]
    named = rows.take(pa.array(firsts))
    names, model, site = (_text(named, one).to_pylist() for one in ("name", "model", "site"))
    user_bytes, system = _floats(named, "user_bytes"), _floats(named, "of_system") == 1
    numbers: dict[tuple[str, str], int] = {}
    drives: list[DriveName] = []
    of_key = np.zeros(firsts.size, np.int64)
    for at, serial in enumerate(named["serial"].to_pylist()):
        shown = (model[at] or "").strip()[:200]
        number = numbers.setdefault((_key(serial), shown), len(drives))
        if number == len(drives):
            drives.append(DriveName(
                name=names[at] or serial.removeprefix(NO_SERIAL)[:4096], model=shown,
                site=(site[at] or "").strip()[:200], user_bytes=float(user_bytes[at]),
                counts_life=not system[at],
            ))  # fmt: skip
        of_key[at] = number
    return tuple(drives), of_key[index]


def _key(serial: str) -> str:
    """Return the key of a drive: its serial number without padding, else what replaces one."""
    return serial if serial.startswith(NO_SERIAL) else bare_serial(serial) or f"serial {serial}"


def _text(rows: pa.Table, name: str) -> pa.ChunkedArray:
    if name in rows.column_names:
        return rows[name].cast(pa.string())
    return pa.chunked_array([pa.nulls(rows.num_rows, pa.string())])


def _floats(rows: pa.Table, name: str) -> Floats:
    """Return a column of numbers, NaN where there are none."""
    if name not in rows.column_names:
        return np.full(rows.num_rows, np.nan)
    return np.asarray(rows[name].cast(pa.float64()).to_numpy(), float)


def _counters(rows: pa.Table) -> Mapping[str, Floats]:
    counters = {name: _floats(rows, name) for name in COUNTERS}
    points = counters["points"]
    step = np.where(points == np.floor(points), 1.0, 0.5)  # counted in whole points, or finer
    for name, end in (
        ("points_low", np.maximum(points - step, 0.0)),
        ("points_high", points + step),
    ):
        counters[name] = np.where(np.isnan(counters[name]), end, counters[name])
    counters["readings"] = np.where(np.isnan(counters["readings"]), 1.0, counters["readings"])
    return counters

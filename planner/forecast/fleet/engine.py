"""Large Parquet tables, thinned to weeks by partial sums.

A shard, some files, is reduced to one row for each drive and week by one query. Rows merge in any
order and any grouping (`planner.forecast.fleet.weeks`), so that shards run one after the other, on
processes or on a cluster alike. Drives whose counters did not only rise, or that miss days, are
read again with all their rows, so that what is wrong is mended as in a small table.

Shards run on any `concurrent.futures` executor. Where a worker dies, its shard is done here.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet
from numpy.typing import NDArray

from models.units import DAY_S
from planner.forecast.fleet.readings import Collection, DriveName
from planner.forecast.fleet.tables import MILLISECONDS, add_rows, checked_columns, key_of
from planner.forecast.fleet.weeks import NUMBERS, Shards, Weeks, irregular
from planner.telemetry.drive_record import LATEST_S

_SHARD_ROWS = 8_000_000
_MEMORY = "2GB"
_STEP_S = 7 * DAY_S
_Reduced = tuple[pa.Table | None, dict[str, str]]  # the weeks of a shard, and what is refused
_NAMES = ("serial", "model", "site")
_UNREADABLE = "date, or both of host_bytes and percent_used, are not numbers"


@dataclass(frozen=True, slots=True)
class Shard:
    """Files of one set of columns, and the time from which weeks count back.

    `columns` are known names with the name in the file. Where one file is too large, it is read
    `parts` times, each time for another part of the drives.
    """

    files: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    is_date: bool
    newest_s: float
    part: int = 0
    parts: int = 1


@dataclass(frozen=True, slots=True)
class _Table:
    """One Parquet file, as its footer describes it."""

    path: str
    rows: int
    columns: tuple[tuple[str, str], ...]
    is_date: bool
    newest_s: float


@dataclass(slots=True)
class _Drives:
    """Numbers the drives of the shards, in the order in which they come."""

    collection: Collection
    keys: pa.Array = field(default_factory=lambda: pa.array([], pa.string()))
    numbers: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))

    def of(self, table: pa.Table) -> NDArray[np.int32]:
        """Return the numbers of the drives of a table."""
        key = _keys(table)
        at = pc.index_in(key, value_set=self.keys)
        new = table.filter(pc.is_null(at))
        if new.num_rows:
            self._add(new)
            at = pc.index_in(key, value_set=self.keys)
        return np.asarray(self.numbers[at.to_numpy()])

    def _add(self, table: pa.Table) -> None:
        firsts = (
            table.append_column("key", _keys(table))
            .group_by("key", use_threads=False)
            .aggregate([(name, "first") for name in (*_NAMES, "capacity_bytes")])
            .sort_by("key")  # queries return rows in any order
        )
        columns = (firsts[f"{name}_first"].to_pylist() for name in (*_NAMES, "capacity_bytes"))
        numbers = [
            self.collection.number(
                key_of(serial, "tables"),
                DriveName(
                    name=serial or "tables", model=model, site=site,
                    user_bytes=np.nan if capacity is None else capacity,
                ),
            )
            for serial, model, site, capacity in zip(*columns, strict=True)
        ]  # fmt: skip
        self.keys = pa.concat_arrays([self.keys, firsts["key"].combine_chunks()])
        self.numbers = np.append(self.numbers, np.array(numbers, np.int32))


def take_large(
    collection: Collection, paths: Sequence[Path], executor: Executor | None = None
) -> None:
    """Add the readings of large tables to a collection."""
    tables = [table for path in paths if (table := _footer(collection, path)) is not None]
    if not tables:
        return
    shards, drives = list(_shards_of(tables)), _Drives(collection)
    parts, refused = _weeks_of(shards, drives, executor)
    for file, reason in refused.items():
        collection.refuse(file, reason)
    whole = [table for table in tables if table.path not in refused]
    collection.read += len(whole)
    if not parts:
        return
    lost = sum(table.rows for table in whole) - sum(int(part.readings.sum()) for part in parts)
    if lost:
        collection.refuse(f"{len(whole)} tables", f"{lost} rows: {_UNREADABLE}", lost)
    again = irregular(Shards(parts, np.zeros(collection.drives, bool)), collection.drives)
    collection.add(Shards(parts, again))
    names = drives.keys.filter(pa.array(again[drives.numbers]))
    for shard in shards if len(names) else ():
        files = tuple(file for file in shard.files if file not in refused)
        if files and shard.part == 0:
            add_rows(collection, "tables", _rows_again(replace(shard, files=files), names))


def _weeks_of(
    shards: Sequence[Shard], drives: _Drives, executor: Executor | None
) -> tuple[list[Weeks], dict[str, str]]:
    """Return the weeks of each shard, and the files that cannot be read."""
    parts, refused = list[Weeks](), dict[str, str]()
    for table, wrong in _reduced(shards, executor):
        refused |= wrong
        if table is not None and table.num_rows:
            parts.append(_compact(table, drives.of(table)))
        del table  # before the next is made
    return parts, refused


def _shards_of(tables: Sequence[_Table]) -> Iterator[Shard]:
    """Group files of the same columns by week, so that weeks of most drives are in one shard."""
    newest = max(table.newest_s for table in tables)
    group: list[_Table] = []
    for table in sorted(tables, key=lambda one: (one.columns, -one.newest_s)):
        if group and not _belongs(table, group, newest):
            yield from _shards(group, newest)
            group = []
        group.append(table)
    yield from _shards(group, newest)


def _belongs(table: _Table, group: Sequence[_Table], newest_s: float) -> bool:
    same_week = (newest_s - table.newest_s) // _STEP_S == (newest_s - group[0].newest_s) // _STEP_S
    rows = sum(one.rows for one in group)
    alike = (table.columns, table.is_date) == (group[0].columns, group[0].is_date)
    return alike and rows + table.rows <= 2 * _SHARD_ROWS and (same_week or rows < _SHARD_ROWS // 2)


def _shards(group: Sequence[_Table], newest_s: float) -> Iterator[Shard]:
    parts = -(-sum(table.rows for table in group) // (3 * _SHARD_ROWS))
    files = tuple(table.path for table in group)
    for part in range(parts):
        yield Shard(files, group[0].columns, group[0].is_date, newest_s, part, parts)


def _reduced(shards: Sequence[Shard], executor: Executor | None) -> Iterator[_Reduced]:
    """Reduce every shard; what a worker does not finish is done here."""
    if executor is None:
        with ThreadPoolExecutor(1) as thread:
            yield from _one_ahead(thread, shards)
        return
    futures: deque[Future[_Reduced]] = deque()
    with suppress(RuntimeError):  # no worker lives that could take more
        futures += (executor.submit(partial, shard) for shard in shards)
    for shard in shards:  # results are dropped one by one
        yield _outcome(shard, futures.popleft()) if futures else partial(shard)


def _one_ahead(thread: Executor, shards: Sequence[Shard]) -> Iterator[_Reduced]:
    """Reduce the next shard while the last one is put in order."""
    futures: deque[Future[_Reduced]] = deque()
    for shard in shards:
        futures.append(thread.submit(partial, shard))
        if len(futures) > 1:
            yield futures.popleft().result()
    yield from (future.result() for future in futures)


def _outcome(shard: Shard, future: Future[_Reduced]) -> _Reduced:
    try:
        return future.result()
    except Exception:  # noqa: BLE001 - of a lost worker; what the task raises, it raises again
        return partial(shard)


def partial(shard: Shard) -> _Reduced:
    """Reduce a shard to weeks; a file that cannot be read is named, and the others are read."""
    import duckdb  # noqa: PLC0415 - only large tables need it

    try:
        return _weeks(shard), {}
    except duckdb.Error as error:
        if len(shard.files) == 1:
            reason = f"is not whole as Parquet: {str(error).splitlines()[0][:200]}"
            return None, {shard.files[0]: reason}
    alone = [partial(replace(shard, files=(file,))) for file in shard.files]
    refused = {file: reason for _, wrong in alone for file, reason in wrong.items()}
    whole = [table for table, _ in alone if table is not None]
    return pa.concat_tables(whole) if whole else None, refused


def _weeks(shard: Shard) -> pa.Table:
    ends = ", ".join(f"min({name}) AS {name}_first, max({name}) AS {name}_last" for name in NUMBERS)
    day = f"floor(({shard.newest_s!r} - time_s) / {DAY_S!r})::INTEGER"
    bare = ", ".join(f"trim({name}) AS {name}" for name in _NAMES)  # a row each week, not each day
    return _query(
        f"""
        SELECT * REPLACE ({bare}) FROM (
            SELECT serial, model, ({day} // 7)::INTEGER AS week, count(*)::INTEGER AS readings,
            bit_or((1 << ({day} % 7))::UTINYINT) AS days, bool_and(time_s % {DAY_S!r} = 0) AS dated,
            arg_min(host_bytes, time_s) IS NOT DISTINCT FROM min(host_bytes)
                AND arg_max(host_bytes, time_s) IS NOT DISTINCT FROM max(host_bytes) AS rose,
            min(time_s) AS first_s, max(time_s) AS last_s, min(site) AS site,
            min(capacity_bytes) AS capacity_bytes, {ends}
        FROM ({_rows(shard)}) GROUP BY serial, model, week)
        """,  # noqa: S608 - names of columns are quoted
        shard.files,
    )


def _rows(shard: Shard) -> str:
    """Return the query of the rows of a shard that can be used."""
    known = {name: f'"{column.replace(chr(34), 2 * chr(34))}"' for name, column in shard.columns}
    parts = [
        f"coalesce({known[name]}::VARCHAR, '') AS {name}" if name in known else f"'' AS {name}"
        for name in _NAMES
    ]
    for name in ("capacity_bytes", *NUMBERS):
        number = f"try_cast({known[name]} AS DOUBLE)" if name in known else "NULL::DOUBLE"
        parts.append(f"CASE WHEN {number} >= 0 AND isfinite({number}) THEN {number} END AS {name}")
    date = known["date"]
    number = f"try_cast({date} AS DOUBLE)"
    time = (
        f"epoch(try_cast({date} AS TIMESTAMP))::DOUBLE"
        if shard.is_date
        else f"{number} / CASE WHEN {number} >= {MILLISECONDS!r} THEN 1000 ELSE 1 END"
    )
    where = f"time_s < {LATEST_S!r} AND (host_bytes IS NOT NULL OR percent_used IS NOT NULL)"
    if shard.parts > 1:
        where += f" AND hash(serial, model) % {shard.parts} = {shard.part}"
    source = "read_parquet($files, union_by_name = true)"
    return (
        f"SELECT * FROM (SELECT {time} AS time_s, {', '.join(parts)} FROM {source}) WHERE {where}"  # noqa: S608
    )


def _rows_again(shard: Shard, keys: pa.Array) -> pa.Table:
    """Return all readings of some drives."""
    return _query(
        f"SELECT readings.*, time_s AS date FROM ({_rows(replace(shard, parts=1))}) AS readings "  # noqa: S608
        "WHERE trim(serial) || chr(31) || trim(model) IN (SELECT key FROM drives)",
        shard.files, drives=pa.table({"key": keys}),
    )  # fmt: skip


def _query(query: str, files: Sequence[str], **tables: pa.Table) -> pa.Table:
    import duckdb  # noqa: PLC0415 - only large tables need it

    with duckdb.connect(config={"memory_limit": _MEMORY}) as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute("SET preserve_insertion_order = false")
        for name, table in tables.items():
            connection.register(name, table)
        return connection.sql(query, params={"files": list(files)}).to_arrow_table()


def _compact(table: pa.Table, drives: NDArray[np.int32]) -> Weeks:
    """Return the rows of a shard by drive, in as little memory as their numbers need."""
    order = np.argsort(drives, kind="stable")

    def column(name: str, kind: type) -> NDArray[Any]:
        return np.asarray(table[name].to_numpy(), kind)[order]

    def ends(end: str) -> dict[str, NDArray[np.floating]]:
        kinds = dict(zip(NUMBERS, (float, float, np.float32, np.float32), strict=True))
        return {name: column(f"{name}_{end}", kind) for name, kind in kinds.items()}

    return Weeks(
        drives[order],
        column("week", np.int32), column("readings", np.int32), column("days", np.uint8),
        column("dated", bool), column("rose", bool), column("first_s", float),
        column("last_s", float), ends("first"), ends("last"),
    )  # fmt: skip


def _keys(table: pa.Table) -> pa.Array:
    key = pc.binary_join_element_wise(table["serial"], table["model"], "\x1f")
    return key.combine_chunks() if isinstance(key, pa.ChunkedArray) else key


def _footer(collection: Collection, path: Path) -> _Table | None:
    """Read the footer of a file; refuse one that cannot be read or lacks columns."""
    try:
        file = pyarrow.parquet.ParquetFile(path)
        schema = file.schema_arrow
        called = checked_columns(collection, str(path), schema.names)
        if called is None:
            return None
        kind = schema.field(called["date"]).type
        is_date = not (pa.types.is_integer(kind) or pa.types.is_floating(kind))
        newest = _newest_s(file.metadata, schema.names.index(called["date"]))
    except (pa.ArrowException, OSError) as error:
        reason = f"is not whole as Parquet: {str(error).splitlines()[0][:200]}"
        collection.refuse(str(path), reason)
        return None
    return _Table(str(path), file.metadata.num_rows, tuple(sorted(called.items())), is_date, newest)


def _newest_s(footer: pyarrow.parquet.FileMetaData, column: int) -> float:
    """Return the latest date of a file by its statistics."""
    ends = [
        footer.row_group(group).column(column).statistics for group in range(footer.num_row_groups)
    ]
    if not all(end is not None and end.has_min_max for end in ends):
        return LATEST_S
    return max((_seconds(end.max) for end in ends), default=0.0)


def _seconds(value: object) -> float:
    if isinstance(value, int | float):
        return float(value) / (1000 if value >= MILLISECONDS else 1)
    moment = datetime.fromisoformat(str(value))
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()

"""Tables of columns: Parquet by pyarrow, lines of fields by pandas."""

import csv
import io
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from planner.quantity.door.reader import opened

if TYPE_CHECKING:
    import pandas as pd


class JoinedTable(NamedTuple):
    """A table in Parquet, its number of rows, and how many of them state each column."""

    data: bytes
    rows: int
    stated: Mapping[str, int]


def parquet(
    columns: Mapping[str, Sequence[Any]], kinds: Mapping[str, type] | None = None,
    *, compression: str = "snappy",
) -> bytes:  # fmt: skip
    """Write columns in Parquet; the kind of a column may be stated.

    >>> parquet({"a": [1, None], "b": ["x", "y"]}, {"a": float})[:4]
    b'PAR1'
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    types = {int: pa.int64(), float: pa.float64(), str: pa.string()}
    known = {name: types[kind] for name, kind in (kinds or {}).items()}
    table = {name: pa.array(values, known.get(name)) for name, values in columns.items()}
    return _written(pa.table(table), compression)


def joined(parts: Sequence[str | PathLike[str]], *, compression: str) -> JoinedTable:
    """Join files in Parquet, one below the other; columns that one lacks are unknown there."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import
    import pyarrow.parquet as pq  # noqa: PLC0415

    tables = []
    for part in parts:
        with opened(part) as stream:
            tables.append(pq.read_table(stream, partitioning=None))
    whole = pa.concat_tables(tables, promote_options="default").combine_chunks()
    stated = {name: whole.num_rows - whole[name].null_count for name in whole.column_names}
    return JoinedTable(_written(whole, compression), whole.num_rows, stated)


def _written(table: Any, compression: str) -> bytes:
    import pyarrow.parquet as pq  # noqa: PLC0415 - slow to import

    stream = io.BytesIO()
    pq.write_table(table, stream, compression=compression)
    return stream.getvalue()


def fields(
    data: bytes, kinds: Mapping[int, Any], *, delimiter: str, width: int, is_ragged: bool,
    chosen: bool,
) -> "pd.DataFrame":  # fmt: skip
    r"""Return columns of lines of fields by place; lines that are wider are refused.

    Args:
        data: Lines of text.
        kinds: Places of the columns, and the types of their values.
        delimiter: Separator of fields.
        width: Most fields of a line.
        is_ragged: Whether lines may have fewer fields.
        chosen: Whether columns without a type are left out.

    Raises:
        ValueError: If a line is wider, or a value has another type.

    >>> fields(b"1 a\n2 b\n", {0: int}, delimiter=" ", width=2, is_ragged=False, chosen=True)["0"]
    0    1
    1    2
    Name: 0, dtype: int64
    """
    import pandas as pd  # noqa: PLC0415 - slow to import

    return pd.read_csv(
        io.BytesIO(delimiter.join(["-"] * width).encode() + b"\n" + data),
        sep=delimiter,
        header=0,
        names=[str(place) for place in range(width)],
        usecols=[str(place) for place in kinds] if chosen else None,
        dtype={str(place): kind for place, kind in kinds.items()},
        na_filter=is_ragged,
        keep_default_na=False,
        na_values=[""],
        quoting=csv.QUOTE_NONE,
        encoding_errors="replace",
        low_memory=False,
    )

"""Sheets of an XLSX, read by openpyxl within limits of bytes, rows and columns."""

import io
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

from planner.quantity.door.reader import DoorError
from planner.quantity.door.workbook_parts import check_parts
from planner.quantity.parse import quoted

ZIP = b"PK\x03\x04"  # its first bytes
# What a file that is damaged, encrypted or no workbook raises as it is read.
_UNREADABLE = (
    BadZipFile, zlib.error, ParseError, OSError, ValueError, LookupError, TypeError,
    AttributeError, ArithmeticError, EOFError, NotImplementedError, RuntimeError,
)  # fmt: skip
Row = tuple[int, tuple[object, ...]]  # line and values


class WorkbookLimits(NamedTuple):
    """Rows of all sheets together, and columns of each; those of the parts are `check_parts`'s."""

    rows: int
    columns: int


class WorkbookSheet(NamedTuple):
    """Rows of a tab, read as they are asked for; of one that is hidden, none."""

    title: str
    rows: Iterator[Row]
    is_hidden: bool = False


def workbook_sheets(content: bytes, limits: WorkbookLimits) -> Iterator[WorkbookSheet]:
    """Yield the sheets of a workbook in the order of their tabs, the rows of each before the next.

    >>> limits = WorkbookLimits(100, 9)
    >>> next(workbook_sheets(b"PK", limits))
    Traceback (most recent call last):
    planner.quantity.door.reader.DoorError: cannot be read: 'File is not a zip file'
    """
    from openpyxl import load_workbook  # noqa: PLC0415 - slow to import

    with _named_damage(), warnings.catch_warnings(action="ignore"):  # of styles, which are not read
        with ZipFile(io.BytesIO(content)) as archive:
            check_parts(archive)
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        if not book.worksheets:
            raise DoorError("has no sheet")
        left, paths = limits.rows, set()
        for sheet in book.worksheets:
            if sheet._worksheet_path in paths:
                raise DoorError(f"sheet {quoted(sheet.title)} must have a part of its own")
            paths.add(sheet._worksheet_path)
            if sheet.sheet_state != "visible":
                yield WorkbookSheet(sheet.title, iter(()), is_hidden=True)
                continue
            sheet.reset_dimensions()  # as a file states them they may be wrong
            rows = _SheetRows(sheet.iter_rows(values_only=True), left, limits)
            yield WorkbookSheet(sheet.title, iter(rows))
            left -= rows.line


class _SheetRows:
    """Rows of a sheet, at most so many, and the line of the last that was read."""

    def __init__(
        self, values: Iterable[tuple[object, ...]], most: int, limits: WorkbookLimits
    ) -> None:
        self.line = 0
        self._values, self._most, self._limits = values, most, limits

    def __iter__(self) -> Iterator[Row]:
        with _named_damage():
            for line, values in enumerate(self._values, start=1):
                if line > self._most:
                    raise DoorError(f"must have at most {self._limits.rows:,} rows")
                if len(values) > self._limits.columns:
                    raise DoorError(f"{line}: must have at most {self._limits.columns} columns")
                self.line = line
                yield line, values


@contextmanager
def _named_damage() -> Iterator[None]:
    """Refuse a workbook with the reason why it cannot be read."""
    try:
        yield
    except DoorError:
        raise
    except _UNREADABLE as error:
        why = quoted(" ".join(str(error).split()))
        raise DoorError(f"cannot be read: {why}") from None

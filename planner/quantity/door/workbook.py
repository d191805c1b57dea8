"""Sheets of an XLSX, read by openpyxl within limits of bytes, rows and columns."""

import io
import re
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

from planner.quantity.door.reader import DoorError
from planner.quantity.parse import quoted, shortened

ZIP = b"PK\x03\x04"  # its first bytes
_DECLARED = re.compile(rb"<!(?:DOCTYPE|ENTITY)")
_BLANK = b"\xef\xbb\xbf\xff\xfe \t\r\n"  # before the first mark of XML
# What a file that is damaged, encrypted or no workbook raises as it is read.
_UNREADABLE = (
    BadZipFile, zlib.error, ParseError, OSError, ValueError, LookupError, TypeError,
    AttributeError, ArithmeticError, EOFError, NotImplementedError, RuntimeError,
)  # fmt: skip
Row = tuple[int, tuple[object, ...]]  # line and values


class WorkbookLimits(NamedTuple):
    """Bytes of a part of a workbook and of all of them, unpacked; rows of all sheets; columns."""

    part_bytes: int
    unpacked_bytes: int
    rows: int
    columns: int


class WorkbookSheet(NamedTuple):
    """Rows of a tab, read as they are asked for; of one that is hidden, none."""

    title: str
    rows: Iterator[Row]
    is_hidden: bool = False


def workbook_sheets(content: bytes, limits: WorkbookLimits) -> Iterator[WorkbookSheet]:
    """Yield the sheets of a workbook in the order of their tabs, the rows of each before the next.

    >>> limits = WorkbookLimits(1 << 20, 1 << 22, 100, 9)
    >>> next(workbook_sheets(b"PK", limits))
    Traceback (most recent call last):
    planner.quantity.door.reader.DoorError: cannot be read: 'File is not a zip file'
    """
    from openpyxl import load_workbook  # noqa: PLC0415 - slow to import

    with _named_damage(), warnings.catch_warnings(action="ignore"):  # of styles, which are not read
        _check_parts(content, limits)
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        if not book.worksheets:
            raise DoorError("has no sheet")
        left = limits.rows
        for sheet in book.worksheets:
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


def _check_parts(content: bytes, limits: WorkbookLimits) -> None:
    """Refuse parts that are large once unpacked, and XML that declares entities."""
    with ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        for part in parts:
            if part.file_size > limits.part_bytes:
                raise DoorError(
                    f"{shortened(part.filename)} must be at most {limits.part_bytes >> 20} MiB"
                )
        if sum(part.file_size for part in parts) > limits.unpacked_bytes:
            raise DoorError(
                f"must be at most {limits.unpacked_bytes >> 20} MiB when it is unpacked"
            )
        for part in parts:
            text = archive.read(part).replace(b"\0", b"")  # of UTF-16
            is_xml = text.lstrip(_BLANK).startswith(b"<")  # whatever its name
            if is_xml and _DECLARED.search(text):
                raise DoorError(
                    f"{shortened(part.filename)} declares a document type, as no workbook does"
                )

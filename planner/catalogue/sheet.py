"""Rows of a table that people send: CSV, or the first sheet of an XLSX workbook, as text."""

import csv
import io
import warnings
import zlib
from collections.abc import Iterator
from datetime import datetime, time
from itertools import islice
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

MOST_BYTES = 16 << 20  # of a file, and of each part of a workbook
MOST_ROWS = 20_000
MOST_COLUMNS = 256
_ZIP = b"PK\x03\x04"
# What a file that is damaged, encrypted or no workbook raises as it is read.
_UNREADABLE = (
    csv.Error, BadZipFile, zlib.error, ParseError, OSError, ValueError, LookupError, TypeError,
    AttributeError, ArithmeticError, EOFError, NotImplementedError, RuntimeError,
)  # fmt: skip


class SheetError(ValueError):
    """A file that is no table."""


def rows_of(content: bytes) -> list[tuple[int, list[str]]]:
    r"""Return the rows of a table that are not blank, each with its line.

    >>> rows_of(b"model;price\n\n980 PRO;120\n")
    [(1, ['model', 'price']), (3, ['980 PRO', '120'])]
    """
    if len(content) > MOST_BYTES:
        raise SheetError(f"must be at most {MOST_BYTES >> 20} MiB, got {len(content) >> 20}")
    rows = _of_workbook(content) if content.startswith(_ZIP) else _of_text(content)
    try:
        lines = list(islice(rows, MOST_ROWS + 1))
    except SheetError:
        raise
    except _UNREADABLE as error:
        raise SheetError(f"cannot be read: {error}") from None
    if len(lines) > MOST_ROWS:
        raise SheetError(f"must have at most {MOST_ROWS:,} rows")
    return [(line, cells) for line, cells in lines if any(cells)]


def is_read_as_western(content: bytes) -> bool:
    r"""Whether a table is not UTF-8 and is read as Windows-1252.

    >>> is_read_as_western("model,supplier\nPM893,Müller".encode("cp1252"))
    True
    """
    return not content.startswith(_ZIP) and not is_utf8(content)


def _of_text(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield rows apart by commas, semicolons or tabs, whichever the first line has most of."""
    text = _decoded(content)
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
    line = 1
    for cells in reader:
        yield line, [cell.strip() for cell in cells]
        line = reader.line_num + 1


def _decoded(content: bytes) -> str:
    """Return text in UTF-8, or as spreadsheets in Western Europe write it."""
    try:
        return content.decode("utf-8-sig" if is_utf8(content) else "cp1252")
    except UnicodeDecodeError:
        raise SheetError("is not UTF-8 or Windows-1252") from None


def is_utf8(content: bytes) -> bool:
    """Whether bytes are text in UTF-8."""
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return True


def _of_workbook(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of the first sheet, as it is ordered in the workbook."""
    from openpyxl import load_workbook  # noqa: PLC0415 - slow to import

    _refuse_large_parts(content)
    with warnings.catch_warnings(action="ignore"):  # of styles and extensions, which are not read
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        if not book.worksheets:
            raise SheetError("has no sheet")
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # as a file states them they may be wrong
        for line, values in enumerate(sheet.iter_rows(values_only=True), start=1):
            if len(values) > MOST_COLUMNS:
                raise SheetError(f"{line}: must have at most {MOST_COLUMNS} columns")
            yield line, [_text(value) for value in values]


def _refuse_large_parts(content: bytes) -> None:
    with ZipFile(io.BytesIO(content)) as archive:
        for part in archive.infolist():
            if part.file_size > MOST_BYTES:
                raise SheetError(f"{part.filename} must be at most {MOST_BYTES >> 20} MiB")


def _text(value: object) -> str:
    """Write a cell as people would: whole numbers without a point, days as 2026-09-30."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.15g}"  # as many digits as spreadsheets have
        case datetime() if value.time() == time():
            return str(value.date())
    return str(value).strip()

"""Rows of tables that people send, as text: CSV in its usual encodings, or the sheets of an XLSX.

A file is limited in bytes, rows and columns before it is read; one that is no table is refused with
the formats that are read. Workbooks and long texts are parsed by the reader process of the door.
"""

import io
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime, time
from itertools import islice
from typing import BinaryIO, NamedTuple

from planner.quantity.door import NAMED, DoorError, FileLimits, parsed
from planner.quantity.door.texts import csv_rows
from planner.quantity.door.workbook import ZIP, WorkbookLimits, workbook_sheets
from planner.quantity.parse import quoted

MOST_BYTES = 16 << 20
MOST_ROWS = 20_000  # of all sheets together
MOST_COLUMNS = 256
TOO_WIDE = f"must have at most {MOST_COLUMNS} columns"
MOST_CELL = 32_767  # characters of a cell of a workbook, as many as Excel has
MOST_TEXT = 32_000_000  # of all cells of a workbook
FIRST_ROWS = 60  # among which a table has its header
ACCEPTED = "accepted are CSV (UTF-8, UTF-16 or Windows-1252) and XLSX"
_NO_TABLES = {
    b"\xd0\xcf\x11\xe0": "is an old or encrypted Excel file: save it as XLSX without a password",
    b"%PDF": "is a PDF: copy its table into a sheet",
}
_OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis"
_MARKS = {  # byte order marks, the longer ones first
    b"\xff\xfe\x00\x00": "utf-32", b"\x00\x00\xfe\xff": "utf-32", b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig",
}  # fmt: skip
Row = tuple[int, list[str]]


class SheetError(ValueError):
    """A file that is no table."""


class Sheet(NamedTuple):
    """Rows of a sheet that are not blank, each with its line; a text file is one sheet.

    The first tab has no name, and a hidden one no rows: they are not read.
    """

    name: str
    rows: list[Row]
    is_hidden: bool = False


def sheets_of(
    content: bytes, known: Callable[[list[str]], int] = len, limits: FileLimits = NAMED
) -> list[Sheet]:
    r"""Return the sheets of a file; the first tab and a text file have no name.

    `known` counts the headings among some cells: of the separators of a text file that one counts
    by which its first rows have most.

    >>> sheets_of(b"model;price\n\n980 PRO;120,50\n")[0].rows
    [(1, ['model', 'price']), (3, ['980 PRO', '120,50'])]
    >>> sheets_of("model\tprice\r\nPM893\t900\r\n".encode("utf-16"))[0].rows[1]
    (2, ['PM893', '900'])
    """
    if len(content) > MOST_BYTES:
        raise SheetError(f"must be at most {MOST_BYTES >> 20} MiB, got {len(content) >> 20}")
    for start, why in _NO_TABLES.items():
        if content.startswith(start):
            raise SheetError(f"{why}; {ACCEPTED}")
    if _OPEN_DOCUMENT in content[:99]:
        raise SheetError(f"is an OpenDocument sheet: save it as XLSX; {ACCEPTED}")
    try:
        return parsed(_sheets, content, known, limits=limits)
    except DoorError as error:
        raise SheetError(f"{error}; {ACCEPTED}") from None


def _sheets(stream: BinaryIO, known: Callable[[list[str]], int]) -> list[Sheet]:
    content = stream.read()
    if content.startswith(ZIP):
        return list(_of_workbook(content))
    return [Sheet("", _listed(_of_text(content, known)))]


def encoding_of(content: bytes) -> str:
    r"""Return the encoding of a text: by its byte order mark, its zero bytes, or as UTF-8 reads.

    >>> encoding_of("model,supplier\nPM893,Müller".encode("cp1252"))
    'cp1252'
    >>> encoding_of("model,price".encode("utf-16-le"))
    'utf-16-le'
    """
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            return encoding
    even, odd = content[::2].count(0), content[1::2].count(0)
    if even + odd > len(content) // 4:
        return "utf-16-le" if odd > even else "utf-16-be"
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def is_read_as_western(content: bytes) -> bool:
    r"""Whether a table is not UTF-8 or UTF-16 and is read as Windows-1252.

    >>> is_read_as_western("model,supplier\nPM893,Müller".encode("cp1252"))
    True
    """
    return not content.startswith(ZIP) and encoding_of(content) == "cp1252"


def _of_text(content: bytes, known: Callable[[list[str]], int]) -> Iterator[Row]:
    """Yield rows apart by commas, semicolons, tabs or bars, whichever their header has most of."""
    try:
        text = content.decode(encoding_of(content))
    except UnicodeDecodeError:
        raise SheetError(f"is in no encoding that is read; {ACCEPTED}") from None
    if "\0" in text:
        raise SheetError(f"contains zero bytes, as no text does; {ACCEPTED}")
    first = text.partition("\n")[0]

    def headings(mark: str) -> tuple[int, int]:
        rows = islice(csv_rows(io.StringIO(text, newline=""), delimiter=mark), FIRST_ROWS)
        most = 0
        with suppress(DoorError):  # of a mark that splits the text into no cells
            most = max((known(row[:MOST_COLUMNS]) for _, row in rows), default=0)
        return most, first.count(mark)

    rows = csv_rows(io.StringIO(text, newline=""), delimiter=max(",;\t|", key=headings))
    for number, (line, cells) in enumerate(rows):
        if number == MOST_ROWS:
            raise SheetError(f"must have at most {MOST_ROWS:,} rows")
        yield line, _narrow(line, [cell.strip() for cell in cells])


def _narrow(line: int, cells: list[str]) -> list[str]:
    """Return a row of at most so many columns; those behind them may only be empty."""
    if any(cells[MOST_COLUMNS:]):
        raise SheetError(f"{line}: {TOO_WIDE}")
    return cells[:MOST_COLUMNS]


def _listed(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that are not blank."""
    return [(line, cells) for line, cells in rows if any(cells)]


def _of_workbook(content: bytes) -> Iterator[Sheet]:
    """Yield the sheets of a workbook in the order of their tabs."""
    limits, room = WorkbookLimits(MOST_ROWS, MOST_COLUMNS), _Room()
    for number, sheet in enumerate(workbook_sheets(content, limits)):
        name = sheet.title if number else ""
        if sheet.is_hidden:
            yield Sheet(sheet.title, [], is_hidden=True)
            continue
        try:
            rows = _listed(
                (line, [room.text(line, value) for value in values]) for line, values in sheet.rows
            )
        except DoorError as error:
            raise SheetError(f"sheet {quoted(name)}: {error}" if name else str(error)) from None
        yield Sheet(name, rows)


class _Room:
    """Room for the texts of all cells; many cells may have one long text."""

    def __init__(self) -> None:
        self._left = MOST_TEXT

    def text(self, line: int, value: object) -> str:
        """Return the text of a cell; refuse a long one, and one more than there is room for."""
        if isinstance(value, str) and len(value) > MOST_CELL:
            raise SheetError(f"{line}: a cell must have at most {MOST_CELL:,} characters")
        written = _text(value)
        self._left -= len(written)
        if self._left < 0:
            raise SheetError(f"{line}: cells must have at most {MOST_TEXT:,} characters together")
        return written


def _text(value: object) -> str:
    """Write a cell as people would: whole numbers without a point, days as 2026-09-30.

    Three decimals get a fourth, so that 612.125 is not taken for a number with thousands.
    """
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            text = f"{value:.15g}"  # as many digits as spreadsheets have
            return f"{text}0" if re.fullmatch(r"-?\d+\.\d{3}", text) else text
        case datetime() if value.time() == time():
            return str(value.date())
    return str(value).strip()

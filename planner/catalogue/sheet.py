"""Rows of a table that people send: CSV, or the first sheet of an XLSX workbook, as text."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

__all__ = ["SheetError", "is_read_as_western", "rows_of"]

MOST_BYTES = 16 << 20  # of a file, and of each part of a workbook
MOST_ROWS = 20_000
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_ZIP = b"PK\x03\x04"


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
        found = list(islice(rows, MOST_ROWS + 1))
    except SheetError:
        raise
    except (BadZipFile, ElementTree.ParseError, KeyError, ValueError, csv.Error) as error:
        raise SheetError(f"cannot be read: {error}") from None
    if len(found) > MOST_ROWS:
        raise SheetError(f"must have at most {MOST_ROWS:,} rows")
    return [(line, cells) for line, cells in found if any(cells)]


def is_read_as_western(content: bytes) -> bool:
    r"""Whether a table is no UTF-8 and is read as Windows-1252, which it does not say.

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
        raise SheetError("is neither UTF-8 nor Windows-1252") from None


def is_utf8(content: bytes) -> bool:
    """Whether bytes are text in UTF-8."""
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return True


def _of_workbook(content: bytes) -> Iterator[tuple[int, list[str]]]:
    with ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]
        if not names:
            raise SheetError("has no sheet")
        shared = _shared(archive)
        first = min(names, key=lambda name: (len(name), name))
        for row in ElementTree.fromstring(_part(archive, first)).iter(f"{_MAIN}row"):  # noqa: S314 - expat limits the expansion of entities
            cells: list[str] = []
            for cell in row.iter(f"{_MAIN}c"):
                place = _column(cell.get("r", ""), len(cells))
                cells.extend("" for _ in range(place - len(cells)))
                cells.append(_text(cell, shared))
            yield int(row.get("r", "0")), cells


def _part(archive: ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > MOST_BYTES:
        raise SheetError(f"{name} must be at most {MOST_BYTES >> 20} MiB")
    return archive.read(name)


def _shared(archive: ZipFile) -> list[str]:
    name = "xl/sharedStrings.xml"
    if name not in archive.namelist():
        return []
    root = ElementTree.fromstring(_part(archive, name))  # noqa: S314 - as above
    return ["".join(each.text or "" for each in item.iter(f"{_MAIN}t")) for item in root]


def _column(reference: str, following: int) -> int:
    """Return the number of a column from the reference of a cell, such as C7."""
    letters = re.match(r"[A-Z]{1,3}", reference)
    if letters is None:
        return following
    number = 0
    for letter in letters[0]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return max(number - 1, following)


def _text(cell: ElementTree.Element, shared: list[str]) -> str:
    if cell.get("t") == "inlineStr":
        return "".join(each.text or "" for each in cell.iter(f"{_MAIN}t")).strip()
    value = cell.findtext(f"{_MAIN}v") or ""
    return (shared[int(value)] if cell.get("t") == "s" else value).strip()

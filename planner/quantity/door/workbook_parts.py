"""Limits of a workbook's parts, held against their bytes before any of them is parsed.

Parsing takes time and memory by elements, attributes and names rather than by bytes: a workbook of
25 KB may hold millions of them. Each limit is above what a table of quotes has.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from zipfile import ZipFile, ZipInfo

from planner.quantity.door.reader import DoorError
from planner.quantity.parse import shortened

MOST_PART_BYTES = 16 << 20  # of each part, unpacked
MOST_UNPACKED = 64 << 20  # of all parts
MOST_PARTS = 2_000
_TAG_BYTES = 8 << 10  # of one tag or comment
_LONG_TAG = re.compile(rb"<[^<>]{%d}" % _TAG_BYTES)
_LONG_ASIDES = ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"))
_OF_CELLS = re.compile(rb"<(?:\w+:)?(?:row|c|v|f|is|t|r|si)[\s/>]")
_SHEET = re.compile(rb"<(?:\w+:)?sheet\s")
_BLANK = b"\xef\xbb\xbf\xff\xfe \t\r\n"  # before the first mark of XML
_DECLARED = re.compile(rb"<!(?:DOCTYPE|ENTITY)")


# Most of each that the parts of a workbook may have together.
_MOST = {
    "elements of rows and cells": 400_000, "other elements": 50_000, "attributes": 1_000_000,
    "namespaces": 1_000, "sheets": 100, "line ends": 1_000_000,
}  # fmt: skip


def check_parts(archive: ZipFile) -> None:
    """Refuse a workbook whose parts are too large or too many, or declare entities.

    >>> from io import BytesIO
    >>> made = BytesIO()
    >>> with ZipFile(made, "w") as archive:
    ...     archive.writestr("xl/workbook.xml", "<a>" + "<sheet />" * 101 + "</a>")
    ...     check_parts(archive)
    Traceback (most recent call last):
    planner.quantity.door.reader.DoorError: must have at most 100 sheets
    """
    parts = archive.infolist()
    _check_sizes(parts)
    counted: Counter[str] = Counter()
    for part in parts:
        text = archive.read(part).replace(b"\0", b"")  # of UTF-16
        if not text.lstrip(_BLANK).startswith(b"<"):  # XML, whatever its name
            continue
        _check_tags(shortened(part.filename), text)
        counted.update(_counts(text))
        for what, most in _MOST.items():
            if counted[what] > most:
                raise DoorError(f"must have at most {most:,} {what}")


def _check_sizes(parts: Sequence[ZipInfo]) -> None:
    if len(parts) > MOST_PARTS:
        raise DoorError(f"must have at most {MOST_PARTS:,} parts")
    for part in parts:
        if part.file_size > MOST_PART_BYTES:
            name = shortened(part.filename)
            raise DoorError(f"{name} must be at most {MOST_PART_BYTES >> 20} MiB")
    if sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise DoorError(f"must be at most {MOST_UNPACKED >> 20} MiB when it is unpacked")


def _counts(text: bytes) -> dict[str, int]:
    """Count what takes time and memory in a part; of cells no more than tell that it is refused."""
    most = _MOST["elements of rows and cells"] + 1
    cells = sum(1 for _ in islice(_OF_CELLS.finditer(text), most))
    return {
        "elements of rows and cells": cells,
        "other elements": 0 if cells == most else text.count(b"<") - text.count(b"</") - cells,
        "attributes": text.count(b"="),
        "namespaces": text.count(b"xmlns"),
        "line ends": text.count(b"\n") + text.count(b"\r"),
        "sheets": sum(1 for _ in islice(_SHEET.finditer(text), _MOST["sheets"] + 1)),
    }


def _check_tags(name: str, text: bytes) -> None:
    if _DECLARED.search(text):
        raise DoorError(f"{name} declares a document type, as no workbook does")
    if _LONG_TAG.search(text) or any(_has_long(text, *marks) for marks in _LONG_ASIDES):
        raise DoorError(f"{name} must have no tag or comment above {_TAG_BYTES >> 10} KiB")


def _has_long(text: bytes, start: bytes, end: bytes) -> bool:
    """Whether something between two marks is longer than a tag may be."""
    at = text.find(start)
    while at >= 0:
        close = text.find(end, at, at + _TAG_BYTES)
        if close < 0:
            return True
        at = text.find(start, close)
    return False

"""Recalculate workbooks with LibreOffice, without a screen and without its caches."""

import io
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import openpyxl
import pytest
from openpyxl.styles.numbers import is_date_format
from openpyxl.utils.datetime import from_excel, to_excel

Changes = dict[str, float]
Dates = set[tuple[str, int, int]]  # title, row and column
Recalculate = Callable[[Sequence[tuple[bytes, Changes]], Path], list[openpyxl.Workbook]]

# LibreOffice trusts cached values of files that it did not write; 0 is "always recalculate".
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
 <item oor:path="/org.openoffice.Office.Calc/Formula/Load">
  <prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop>
 </item>
</oor:items>
"""
LONGEST_START_S = 60

# Every sheet in a file of its own, text in quotes, numbers with all their digits: a third of the
# time of a workbook. Dates would lose the part of a second, so they are written as numbers.
ALL_SHEETS = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false,false,false,-1"
PAGE = re.compile(rb"/Type\s*/Page(?!s)")  # of a printed file
DATE_AS_NUMBER = "0.0000000000"
FIELD = re.compile(r'("(?:[^"]|"")*"|[^",\n]*)(,|\n)')


def program() -> str:
    """Return the program; skip without it, except where the build promises it."""
    path = shutil.which("soffice")
    if path is None and os.environ.get("CI"):
        pytest.fail("LibreOffice is not installed, and this build installs it")
    if path is None:
        pytest.skip("LibreOffice is not installed (Debian package libreoffice-calc)")
    return path


@contextmanager
def running_office(folder: Path) -> Iterator[Recalculate]:
    """Keep one LibreOffice running; give what sets named cells and recalculates workbooks.

    Started again with the same profile, the program hands its work to the one that runs, and
    waits for it. A blank workbook stays open, because the last one to close ends the program.
    """
    user = folder / "profile" / "user"
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(ALWAYS_RECALCULATE)
    office = [program(), f"-env:UserInstallation=file://{user.parent}", "--headless", "--norestore"]
    openpyxl.Workbook().save(folder / "blank.xlsx")
    with subprocess.Popen(
        [*office, folder / "blank.xlsx"], start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            _wait_for(folder / ".~lock.blank.xlsx#")
            yield lambda books, place: _recalculated(office, books, place)
        finally:
            os.killpg(process.pid, signal.SIGTERM)


def _wait_for(lock: Path) -> None:
    """Wait until the blank workbook is open: only then does the program take work."""
    end = time.monotonic() + LONGEST_START_S
    while not lock.exists():
        if time.monotonic() > end:
            pytest.fail(f"LibreOffice does not start within {LONGEST_START_S} s")
        time.sleep(0.05)


def _recalculated(
    office: Sequence[str], books: Sequence[tuple[bytes, Changes]], place: Path
) -> list[openpyxl.Workbook]:
    before, after = [], place / "after"
    opened: dict[bytes, tuple[openpyxl.Workbook, Dates]] = {}
    for number, (book, changes) in enumerate(books):
        if book not in opened:
            read = openpyxl.load_workbook(io.BytesIO(book))
            opened[book] = read, _dates_as_numbers(read)
        edited, _ = opened[book]
        exported = {name: cell(edited, name).value for name in changes}
        for name, value in changes.items():
            cell(edited, name).value = value
        before.append(place / f"before-{number}.xlsx")
        edited.save(before[-1])
        for name, value in exported.items():
            cell(edited, name).value = value
    shutil.rmtree(after, ignore_errors=True)
    subprocess.run(
        [*office, "--convert-to", ALL_SHEETS, "--outdir", after, *before],
        check=True, capture_output=True, timeout=240,
    )  # fmt: skip
    return [
        _values(after / path.stem, *opened[book])
        for path, (book, _) in zip(before, books, strict=True)
    ]


def _dates_as_numbers(book: openpyxl.Workbook) -> Dates:
    """Format the dates of a workbook as numbers, and return where they are."""
    dates = {
        (sheet.title, each.row, each.column)
        for sheet in book
        for row in sheet.iter_rows()
        for each in row
        if each.has_style and is_date_format(each.number_format)
    }
    for title, row, column in dates:
        date = book[title].cell(row, column)
        if isinstance(date.value, datetime):
            date.value = to_excel(date.value)
        date.number_format = DATE_AS_NUMBER
    return dates


def _values(stem: Path, exported: openpyxl.Workbook, dates: Dates) -> openpyxl.Workbook:
    """Return the values of all sheets, in a workbook with the names and extent of the exported."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for sheet in exported:
        values = book.create_sheet(sheet.title)
        for row in _rows(stem.with_name(f"{stem.name}-{sheet.title}.csv").read_text()):
            values.append(row)
        values.cell(sheet.max_row, sheet.max_column)
    for title, row, column in dates:
        date = book[title].cell(row, column)
        if isinstance(date.value, float | int):
            date.value = from_excel(date.value)
    book.defined_names.update(exported.defined_names)
    return book


def _rows(text: str) -> Iterator[list[object]]:
    row: list[object] = []
    fields = FIELD.findall(text)
    assert sum(len(field) + len(end) for field, end in fields) == len(text)
    for field, end in fields:
        row.append(_value(field))
        if end == "\n":
            yield row
            row = []


def _value(field: str) -> object:
    """Return text, a truth, an error as its text, a number, or None of nothing."""
    if field.startswith('"'):
        return field[1:-1].replace('""', '"') or None
    if not field or field.startswith(("#", "Err:")):
        return field or None
    if field in ("TRUE", "FALSE"):
        return field == "TRUE"
    return int(field) if re.fullmatch(r"-?\d+", field) else float(field)


def printed_pages(books: Sequence[bytes], folder: Path) -> list[int]:
    """Return how many pages each of some workbooks prints."""
    paths = [folder / f"{number}.xlsx" for number in range(len(books))]
    for path, book in zip(paths, books, strict=True):
        path.write_bytes(book)
    profile = f"-env:UserInstallation=file://{folder / 'profile'}"
    subprocess.run(
        [program(), profile, "--headless", "--convert-to", "pdf", "--outdir", folder, *paths],
        check=True, capture_output=True, timeout=240,
    )  # fmt: skip
    return [len(PAGE.findall(path.with_suffix(".pdf").read_bytes())) for path in paths]


def cell(book, name: str):
    """Return the cell that a defined name stands for."""
    sheet, _, address = book.defined_names[name].attr_text.partition("!")
    return book[sheet.strip("'")][address.replace("$", "")]

"""Recalculate workbooks with LibreOffice, without a screen and without its caches."""

import io
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import openpyxl
import pytest

Changes = dict[str, float]
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
    opened: dict[bytes, openpyxl.Workbook] = {}
    for number, (book, changes) in enumerate(books):
        if book not in opened:
            opened[book] = openpyxl.load_workbook(io.BytesIO(book))
        edited = opened[book]
        exported = {name: cell(edited, name).value for name in changes}
        for name, value in changes.items():
            cell(edited, name).value = value
        before.append(place / f"before-{number}.xlsx")
        edited.save(before[-1])
        for name, value in exported.items():
            cell(edited, name).value = value
    shutil.rmtree(after, ignore_errors=True)
    subprocess.run(
        [*office, "--convert-to", "xlsx", "--outdir", after, *before],
        check=True, capture_output=True, timeout=240,
    )  # fmt: skip
    return [openpyxl.load_workbook(after / path.name, data_only=True) for path in before]


def cell(book, name: str):
    """Return the cell that a defined name stands for."""
    sheet, _, address = book.defined_names[name].attr_text.partition("!")
    return book[sheet.strip("'")][address.replace("$", "")]

"""Recalculate workbooks with LibreOffice, without a screen and without its caches."""

import io
import os
import shutil
import subprocess
from pathlib import Path

import openpyxl
import pytest

# LibreOffice trusts cached values of files that it did not write; 0 is "always recalculate".
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
 <item oor:path="/org.openoffice.Office.Calc/Formula/Load">
  <prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop>
 </item>
</oor:items>
"""


def office() -> str:
    """Return the program; skip without it, except where the build promises it."""
    found = shutil.which("soffice")
    if found is None and os.environ.get("CI"):
        pytest.fail("LibreOffice is not installed, and this build installs it")
    if found is None:
        pytest.skip("LibreOffice is not installed (Debian package libreoffice-calc)")
    return found


def recalculated(book: bytes, folder: Path, changes: dict[str, float] | None = None):
    """Set named cells, recalculate every formula, and return the workbook's values."""
    return recalculated_all([(book, changes or {})], folder)[0]


def recalculated_all(books, folder: Path):
    """Do the same with several workbooks, each with its changes, in one start of the program."""
    program, before = office(), []
    for number, (book, changes) in enumerate(books):
        edited = openpyxl.load_workbook(io.BytesIO(book))
        for name, value in changes.items():
            cell(edited, name).value = value
        before.append(folder / f"before-{number}.xlsx")
        edited.save(before[-1])
    profile = folder / "profile"
    (profile / "user").mkdir(parents=True, exist_ok=True)
    (profile / "user" / "registrymodifications.xcu").write_text(ALWAYS_RECALCULATE)
    after = folder / "after"
    subprocess.run(
        [program, f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to", "xlsx",
         "--outdir", str(after), *map(str, before)],
        check=True, capture_output=True, timeout=240,
    )  # fmt: skip
    return [openpyxl.load_workbook(after / path.name, data_only=True) for path in before]


def cell(book, name: str):
    """Return the cell that a defined name stands for."""
    sheet, _, address = book.defined_names[name].attr_text.partition("!")
    return book[sheet.strip("'")][address.replace("$", "")]

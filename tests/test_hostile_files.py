"""Files made to hang, to fill memory or to break a reader: each command names and refuses them."""

import io
import os
import time
import zipfile

import pytest

from planner.catalogue.sheet import SheetError, sheets_of
from planner.cli.commands import main
from planner.script.files import read
from tests import synthetic_drives as drives
from tests.test_door import book

LOG = drives.smart_log_text()
MOST_S = 60  # the least time that the door grants to a file
ROWS = b"<row><c/></row>" * 1_000_000  # 15 MB, within the limit of a part of a workbook


def filled(data):
    """Return a sheet with a million rows."""
    head, _, _ = data.partition(b"<sheetData>")
    return head + b"<sheetData>" + ROWS + b"</sheetData></worksheet>"


def declaring(data):
    """Return a sheet that declares an entity."""
    head, _, rest = data.rpartition(b"?>")
    return b'%s<!DOCTYPE a [<!ENTITY b "bbbbbbbb">]>%s' % (head and head + b"?>", rest)


HOSTILE = {
    "line.txt": f"{LOG}data_units_written : {'1,' * 500_000}x\n".encode(),
    "deep.json": b'{"smartctl": ' + b"[" * 100_000,
    "wide.csv": b"model,price,date,host_bytes" + b",a" * 200_000 + b"\n1" + b",1" * 200_003,
    "digits.txt": LOG.replace("\n", f"\ndata_units_written : {'1' * 5001}\n", 1).encode(),
    "bomb.xlsx": book(filled),
    "entities.xlsx": book(declaring),
    "pipe.json": None,  # without a writer
    "\N{OPTICAL DISC}" * 120: None,  # longer than a name may be
}
COMMANDS = {
    "read": ["read", "{}"],
    "forecast": ["forecast", "{}"],
    "wa": ["wa", "845DC PRO 400", "--trace", "{}"],
    "app": ["app", "postgres-oltp", "--measured", "{}"],
    "speed": ["speed", "845DC PRO 400", "--measured", "{}"],
    "catalogue": ["catalogue", "check", "{}"],
    "choose": ["choose", "--usable", "2TB", "--catalogue", "{}"],
    "plan": ["plan", "845DC PRO 400", "--scenario", "{}"],
    "sweep": ["sweep", "--out", "table.parquet", "--grid", "{}"],
}
# What is no attack on a command: it leaves out a counter, and answers from the others.
ANSWERED = {
    ("read", "line.txt"), ("read", "digits.txt"), ("forecast", "line.txt"),
    ("forecast", "digits.txt"),
}  # fmt: skip
# What is read, and refused for what it lacks: a second reading.
LACKS = {("app", "line.txt")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder of a good log and of each hostile file."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "good.txt").write_text(LOG)
    os.mkfifo(folder / "pipe.json")
    for name, data in HOSTILE.items():
        if data is not None:
            (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: name[:20])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_hostile_file_is_refused_by_name_in_its_time(folder, command, name, capsys):
    began = time.monotonic()
    code = main([part.format(folder / name) for part in COMMANDS[command]])
    assert time.monotonic() - began < MOST_S
    told = capsys.readouterr().err.strip()
    if (command, name) in ANSWERED:
        assert (code, told) == (0, "")
        return
    assert code == 2
    assert len(told.splitlines()) == 1
    assert len(told) < 1200
    assert (name[:10] in told) != ((command, name) in LACKS)


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: name[:20])
def test_a_hostile_file_leaves_the_others_of_its_batch(folder, name, capsys):
    good, bad = str(folder / "good.txt"), str(folder / name)
    code = main(["read", good, bad, good])
    told = capsys.readouterr()
    assert told.out.count("good.txt") == 2
    assert code == (0 if ("read", name) in ANSWERED else 2)
    assert len(read(good).drives) == 1


def test_a_number_of_five_thousand_digits_is_not_used(folder):
    found = read(folder / "digits.txt")
    assert any("data_units_written" in note for note in found.notes)
    assert "host_writes" not in found.drives[0]


def test_entities_are_found_in_a_part_of_any_name():
    """A sheet is whatever the relations of a workbook call so."""
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book(declaring))) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            data = old.read(name).replace(b"sheet1.xml", b"sheet1.bin")
            new.writestr(name.replace("sheet1.xml", "sheet1.bin"), data)
    with pytest.raises(SheetError, match=r"sheet1\.bin declares a document type"):
        sheets_of(changed.getvalue())

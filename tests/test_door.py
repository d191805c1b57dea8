"""The door for files from outside: what waits, what is large, and what is ended."""

import gzip
import io
import os
import zipfile

import pytest
from openpyxl import Workbook

from planner.catalogue.sheet import SheetError, sheets_of
from planner.cli.commands import main
from planner.quantity import door
from planner.script.files import fleet, read
from tests import synthetic_drives as drives

LOG = drives.smart_log_text().encode()
MB = 1 << 20


def slept(seconds):
    """Sleep in the reader process."""
    import time

    time.sleep(seconds)
    return os.getpid()


HELD = []


def held(size):
    """Fill memory of the reader process, and keep it."""
    HELD.append(bytearray(b"1") * size)
    return os.getpid()


def filled(size):
    """Fill the memory of the reader process."""
    return len(bytearray(size) + bytearray(size))


def test_one_process_reads_a_batch():
    first, second = (door.aside(slept, 0, size_bytes=0) for _ in range(2))
    assert first == second != os.getpid()


def test_a_reading_beyond_its_time_is_ended_and_the_next_goes_on():
    short = door.NAMED._replace(seconds=1.0, seconds_per_mb=0.0)
    with pytest.raises(door.DoorError, match="takes more than 1 s, the limit for its size"):
        door.aside(slept, 60, size_bytes=0, limits=short)
    assert door.aside(slept, 0, size_bytes=0) != os.getpid()


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system limits none")  # noqa: PTH110
def test_a_reading_beyond_its_memory_is_ended_and_the_next_goes_on():
    small = door.NAMED._replace(memory_bytes=512 * MB)
    with pytest.raises(door.DoorError, match="takes more than 512 MiB of memory"):
        door.aside(filled, 400 * MB, size_bytes=0, limits=small)
    assert door.aside(filled, 1000, size_bytes=0) == 2000


def test_a_process_that_holds_much_reads_nothing_more():
    small = door.NAMED._replace(memory_bytes=1024 * MB)
    first = door.aside(slept, 0, size_bytes=0, limits=small)
    assert door.aside(slept, 0, size_bytes=0, limits=small) == first
    assert door.aside(held, 400 * MB, size_bytes=0, limits=small) == first
    assert door.aside(slept, 0, size_bytes=0, limits=small) != first


def test_a_process_that_dies_is_no_lack_of_memory():
    with pytest.raises(door.DoorError, match="its process ended with code 7"):
        door.aside(os._exit, 7, size_bytes=0)


def test_a_refusal_comes_through():
    with pytest.raises(SheetError, match=r"1: must have at most 256 columns; accepted|1: must"):
        sheets_of(b"model," * 20_000 + b"far")


@pytest.fixture
def folder(tmp_path):
    """Return a folder of a good log, a pipe and a link to a device."""
    (tmp_path / "good.txt").write_bytes(LOG)
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    return tmp_path


def test_what_is_no_regular_file_is_refused_by_name(folder):
    found = fleet(folder)
    assert len(found) == 1
    refused = {row.file: row.reason for row in found.refused.itertuples()}
    assert refused == {
        str(folder / name): "is not a regular file" for name in ("pipe.json", "zero.json")
    }


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["read", "{}"], "{}: is not a regular file"),
        (["speed", "845DC PRO 400", "--measured", "{}"], "'{}' is not a regular file"),
        (["wa", "845DC PRO 400", "--trace", "{}"], "'{}' is not a regular file"),
        (["plan", "845DC PRO 400", "--scenario", "{}"], "'{}' is not a regular file"),
        (["catalogue", "check", "{}"], "pipe.json: is not a regular file"),
        (["choose", "--catalogue", "{}"], "pipe.json: is not a regular file"),
        (["forecast", "{}"], "{}: is not a regular file"),
    ],
    ids=lambda part: part[0] if isinstance(part, list) else "",
)
def test_no_command_waits_for_a_pipe(folder, arguments, told, capsys):
    pipe = str(folder / "pipe.json")
    assert main([part.format(pipe) for part in arguments]) == 2
    assert told.format(pipe) in capsys.readouterr().err


def test_one_bad_file_leaves_the_others(folder, capsys):
    good, bad = str(folder / "good.txt"), str(folder / "pipe.json")
    assert main(["read", good, bad, good]) == 2
    told = capsys.readouterr()
    assert told.out.count("good.txt") == 2
    assert bad in told.err
    assert len(read(good).drives) == 1


def test_a_packed_table_of_many_rows_is_read_in_little_memory(folder, monkeypatch):
    """A table of a few hundred kilobytes whose rows would take gigabytes at once."""
    monkeypatch.setattr(door, "NAMED", door.NAMED._replace(memory_bytes=640 * MB))
    monkeypatch.setattr(door.aside, "__kwdefaults__", {"limits": door.NAMED})
    row = b"2026-01-01,S%07d,1\n"
    rows = b"".join(row % n for n in range(3000)) * 1000
    (folder / "many.csv.gz").write_bytes(gzip.compress(b"date,serial,host_bytes\n" + rows, 9))
    found = fleet(folder / "many.csv.gz", folder / "good.txt")
    assert found.refused.empty
    assert len(found) == 3001
    assert sorted(found.record.histories.readings.tolist()) == [1] * 3001


def book(change):
    """Return a workbook with a changed sheet."""
    made, changed = io.BytesIO(), io.BytesIO()
    sheets = Workbook()
    sheets.active.append(["model", "price"])
    sheets.save(made)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, change(data) if name.endswith("sheet1.xml") else data)
    return changed.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_of_a_workbook_are_not_expanded(encoding):
    declared = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbb">]><a>&b;</a>'
    with pytest.raises(SheetError, match=r"sheet1\.xml declares a document type"):
        sheets_of(book(lambda _: declared.encode(encoding)))


def test_a_workbook_is_bounded_as_it_is_unpacked():
    data = book(lambda text: text)
    with zipfile.ZipFile(changed := io.BytesIO(data), "a", zipfile.ZIP_DEFLATED) as parts:
        for number in range(5):
            parts.writestr(f"xl/more{number}.xml", b" " * (15 << 20))
    assert len(changed.getvalue()) < MB
    with pytest.raises(SheetError, match="must be at most 64 MiB when it is unpacked"):
        sheets_of(changed.getvalue())

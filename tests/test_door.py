"""The door for files from outside: what waits, what is large, and what is ended."""

import gzip
import io
import os
import pickle
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest
from openpyxl import Workbook

from planner.catalogue.sheet import SheetError, sheets_of
from planner.cli.commands import main
from planner.quantity import door
from planner.quantity.door import reader
from planner.script.files import fleet, read
from planner.telemetry import read_file
from planner.telemetry.traces import trace_file
from tests import synthetic_drives as drives

LOG = drives.smart_log_text().encode()
MB = 1 << 20


def slept(seconds):
    """Sleep in the reader process."""
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


def started(function, *arguments, **more):
    """Return a reading, and the thread that waits for its answer or error."""
    reading = door.ReaderCall(function, *arguments, size_bytes=0, limits=door.NAMED, **more)
    answers = ThreadPoolExecutor(1)
    future = answers.submit(reading.run)
    answers.shutdown(wait=False)
    return reading, future


def waited(is_so):
    until = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


def until_left(path):
    """Wait in the reader process until a file is gone."""
    while Path(path).exists():
        time.sleep(0.02)
    return os.getpid(), time.monotonic()


@pytest.fixture
def held_readers(tmp_path):
    """Occupy every reader process until `let_go` is called; all that waits later has a place."""
    file = tmp_path / "held"
    file.touch()
    held = [started(until_left, str(file)) for _ in range(door.MOST_READERS)]
    waited(lambda: all(reading.readings_before is None for reading, _ in held))
    yield SimpleNamespace(let_go=file.unlink, futures=[future for _, future in held])
    file.unlink(missing_ok=True)
    for _, future in held:
        future.result(30)


def test_so_many_files_are_read_at_once_and_others_wait_in_order(held_readers):
    later = []
    for place in range(3):
        later.append(started(until_left, "no such file"))
        waited(lambda place=place: later[-1][0].readings_before == place)
    held_readers.let_go()
    done = [pickle.loads(future.result(30)) for _, future in later]  # noqa: S301 - of the test
    processes = {pickle.loads(future.result(30))[0] for future in held_readers.futures}  # noqa: S301
    assert len(processes) == door.MOST_READERS
    assert {process for process, _ in done} <= processes
    assert done[0][1] == min(at for _, at in done)
    assert all(reading.readings_before is None for reading, _ in later)


def test_a_reading_that_waits_or_runs_can_be_ended(held_readers):
    waiting, refused = started(slept, 0)
    waited(lambda: waiting.readings_before == 0)
    waiting.end()
    with pytest.raises(door.DoorError, match=r"^reading was cancelled$"):
        refused.result(5)
    held_readers.let_go()
    running, refused = started(slept, 600)
    waited(lambda: running.readings_before is None)
    running.end()
    with pytest.raises(door.DoorError, match=r"^reading was cancelled$"):
        refused.result(5)


def test_a_reading_ends_where_nobody_wants_it(held_readers):
    wanted = Event()
    wanted.set()
    waiting, refused = started(slept, 0, is_wanted=wanted.is_set)
    waited(lambda: waiting.readings_before == 0)
    wanted.clear()
    with pytest.raises(door.DoorError, match=r"^reading was left$"):
        refused.result(5)


def test_beyond_so_many_that_wait_a_file_is_refused(held_readers, monkeypatch):
    monkeypatch.setattr(reader, "MOST_WAITING", 1)
    waiting, future = started(slept, 0)
    waited(lambda: waiting.readings_before == 0)
    with pytest.raises(door.DoorError, match="1 others wait; give it again in a few minutes"):
        started(slept, 0)[1].result(5)
    held_readers.let_go()
    assert pickle.loads(future.result(30))  # noqa: S301 - of the test


def test_a_reading_says_how_far_it_is(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(bytes(1 << 20))
    reading = door.ReaderCall(half_read, str(file), size_bytes=1 << 20, limits=door.NAMED)
    assert reading.read_fraction == 0
    reading.run()
    assert reading.read_fraction == 0.5


def half_read(path):
    """Read half of a file in the reader process, in pieces, and the first piece again."""
    with door.opened(path) as stream:
        for _ in range(2):
            for place in range(0, 1 << 19, 1 << 17):
                stream.seek(place)
                stream.read(1 << 17)
                time.sleep(0.12)


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
        (["speed", "845DC PRO 400", "--measured", "{}"], "{}: is not a regular file"),
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


# Each request writes a quarter of a million pages.
SLOW = b"time_s,op,offset,size\n" + b"1,W,0,1073741824\n" * 200_000


def limited(monkeypatch, function, **changes):
    """Change the limits of a function that reads files."""
    limits = door.NAMED._replace(**changes)
    monkeypatch.setattr(function, "__kwdefaults__", function.__kwdefaults__ | {"limits": limits})


def test_a_slow_file_is_ended_and_the_others_of_its_batch_are_read(folder, monkeypatch, capsys):
    limited(monkeypatch, read_file, seconds=1.0, seconds_per_mb=0.0)
    (folder / "slow.csv").write_bytes(SLOW)
    good, slow = str(folder / "good.txt"), str(folder / "slow.csv")
    assert main(["read", good, slow, good]) == 2
    told = capsys.readouterr()
    assert told.out.count("good.txt") == 2
    assert told.err.strip().endswith(
        "slow.csv: reading takes more than 1 s, the limit for its size"
    )


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system limits none")  # noqa: PTH110
def test_a_file_that_takes_too_much_memory_is_ended_by_name(folder, monkeypatch, capsys):
    limited(monkeypatch, read_file, memory_bytes=100 * MB)
    data = b'{"smartctl":[' + b'{"a":0},' * 333_000 + b"1]}"
    (folder / "large.json").write_bytes(data)
    assert main(["forecast", str(folder / "large.json")]) == 2
    told = capsys.readouterr().err.strip()
    assert told.endswith(
        "large.json: reading takes more than 100 MiB of memory, which is the limit"
    )


def test_a_file_that_is_named_may_have_any_bytes_and_rows(folder):
    rows = b"date,host_bytes,power_on_hours\n" + b"".join(
        b"2026-01-01T00:00:00,%d,%d\n" % (one, one) for one in range(1, 50_003)
    )
    (folder / "rows.csv").write_bytes(rows)
    assert len(read_file(folder / "rows.csv").drives) == 50_002
    given = read_file(folder / "rows.csv", limits=door.UPLOADED)
    assert given.refused.endswith("line 50002: the file contains more than 50,000 readings")
    log = drives.encoded(drives.nvme_json() | {"padding": "a" * (17 * MB)})
    for name, data in (("large.json", log), ("large.json.gz", gzip.compress(log, 1))):
        (folder / name).write_bytes(data)
        assert read_file(folder / name).drive.host_bytes is not None
        given = read_file(folder / name, limits=door.UPLOADED)
        assert given.refused.endswith("the file is longer than 16 MiB")


def test_json_of_many_parts_is_as_deep_as_any(folder):
    many = b'{"smartctl":[' + b"[]," * 600_000
    (folder / "deep.json").write_bytes(many + b"[" * 100_000)
    assert read_file(folder / "deep.json").refused.endswith("is nested more than 60 deep")
    given = read_file(folder / "deep.json", limits=door.UPLOADED)
    assert "1,000,000 brackets and texts" in given.refused


def test_a_slow_trace_is_ended(folder, monkeypatch, capsys):
    limited(monkeypatch, door.parsed, seconds=1.0, seconds_per_mb=0.0)
    (folder / "slow.csv").write_bytes(SLOW)
    assert main(["wa", "845DC PRO 400", "--trace", str(folder / "slow.csv")]) == 2
    assert "slow.csv' reading takes more than 1 s" in capsys.readouterr().err


def test_a_long_trace_says_how_far_it_is(folder):
    header, rows = SLOW[:22], SLOW[22:]
    (folder / "trace.csv").write_bytes(header + rows * 9)  # for a reader that is warm, too
    reached = []
    found = trace_file(
        folder / "trace.csv", layout=None, page_bytes=1 << 30,
        progress=reached.append,
    )  # fmt: skip
    assert len(reached) > 1
    assert reached == sorted(reached)
    assert 1 << 20 < reached[-1] <= 9 * len(rows) + 22
    assert found.workload.writes == 1_800_000


def test_a_file_is_found_where_the_asking_process_is(folder, monkeypatch):
    """The reader process was started in another folder."""
    door.aside(slept, 0, size_bytes=0)
    monkeypatch.chdir(folder)
    (folder / "long.txt").write_bytes(LOG + b"\n" * door.SHORT_BYTES)
    assert read("long.txt").drives[0].keys() == read("good.txt").drives[0].keys()


def test_standard_input_is_parsed_within_limits(folder, monkeypatch, capsys):
    limited(monkeypatch, read_file, seconds=1.0, seconds_per_mb=0.0)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SLOW)))
    assert main(["read", "-"]) == 2
    assert "standard input: reading takes more than 1 s" in capsys.readouterr().err


@pytest.mark.parametrize("size", [0, 70_000])
def test_short_and_long_scenarios_are_read_alike(folder, size, capsys):
    text = '{"ssd_planner_scenario": 1, "options": {"writes": "1.37 TB/day"}}' + " " * size
    (folder / "scenario.json").write_text(text)
    assert main(["plan", "845DC PRO 400", "--scenario", str(folder / "scenario.json")]) == 0
    assert "1.37 TB a day" in capsys.readouterr().out


def test_a_packed_table_of_many_rows_is_read_in_little_memory(folder, monkeypatch):
    """A table of a few hundred kilobytes whose rows would take gigabytes at once."""
    monkeypatch.setattr(door, "NAMED", door.NAMED._replace(memory_bytes=640 * MB))
    defaults = door.aside.__kwdefaults__ | {"limits": door.NAMED}
    monkeypatch.setattr(door.aside, "__kwdefaults__", defaults)
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

"""Files given to the app: read by reader processes, within limits, and by whole content."""

import os
import re
import sys
import time
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from planner.quantity import door
from planner.quantity.door import UPLOADED, DoorError
from planner.telemetry.drive_or_trace import read_path
from planner.telemetry.record import FileReading, Refused
from planner.ui import job as jobs_of_tabs
from planner.ui import reading
from planner.ui.job import CANCELLED, Job
from tests import synthetic_drives as made
from tests.planner.telemetry.traces.samples import csv_of

SMART = made.encoded(made.nvme_json())
# Each request writes a quarter of a million pages.
SLOW = b"time_s,op,offset,size\n" + b"1,W,0,1073741824\n" * 200_000
OF_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="as Linux tells it")


@pytest.fixture
def job(tmp_path):
    """Return a function that starts to read a file."""

    def started(name, data, limits=UPLOADED):
        path = tmp_path / f"{len([*tmp_path.iterdir()])}"
        path.write_bytes(data)
        return Job(name, read_path, name, str(path), size_bytes=len(data), limits=limits)

    return started


def waited(is_so):
    until = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)


def readers():
    """Return the numbers of the reader processes of this process."""
    tasks = Path("/proc/self/task").iterdir()
    children = [child for task in tasks for child in (task / "children").read_text().split()]
    return {int(child) for child in children if is_reader(child)}


def is_reader(process):
    try:  # a process that has ended has no command
        return b"reader_process" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def test_a_reading_in_a_process_of_its_own_is_that_of_the_reader(job):
    found = job("a.json", SMART).answer(60)
    assert isinstance(found, FileReading)
    assert found.file == "a.json"
    assert found.drive.host_bytes is not None
    refused = job("a\x00b.csv", b"time_us,op,offset,size\nx,W,0,4096\n").answer(60)
    assert isinstance(refused, Refused)
    assert refused.position == "line 2"
    unknown = job("a\x00b.csv", b"hello\n").answer(60)
    assert unknown.refused.startswith("a\x00b.csv: byte 0: unknown format")


def test_a_reading_that_takes_too_long_ends(job):
    refused = job("slow.csv", SLOW, UPLOADED._replace(seconds=2)).answer(60)
    assert str(refused) == "reading takes more than 2 s, the limit for its size"


@OF_LINUX
def test_a_reading_that_takes_too_much_memory_ends(job):
    data = b'{"smartctl":[' + b'{"a":0},' * 333_000 + b"1]}"
    refused = job("large.json", data, UPLOADED._replace(memory_bytes=100 << 20)).answer(60)
    assert str(refused) == "reading takes more than 100 MiB of memory, which is the limit"


def test_a_reading_that_fails_is_not_called_too_large():
    refused = Job("a.json", os._exit, 3, size_bytes=1).answer(60)
    assert str(refused) == "reading failed: its process ended with code 3"


def test_a_long_reading_shows_how_far_it_is_holds_up_no_other_and_can_be_ended(job):
    slow = job("slow.csv", SLOW)
    if door.MOST_READERS > 1:
        assert isinstance(job("a.json", SMART).answer(30), FileReading)
    waited(lambda: slow.read_fraction > 0)
    assert 0 < slow.read_fraction <= 1
    if sys.platform == "linux":
        for process in readers():
            status = Path(f"/proc/{process}/status").read_text()
            # one thread that computes, and one of pyarrow that waits
            assert int(re.search(r"Threads:\s+(\d+)", status)[1]) <= 2
    began = time.monotonic()
    slow.end()
    refused = slow.answer(5)
    assert isinstance(refused, DoorError)
    assert str(refused) == f"reading {CANCELLED}"
    assert time.monotonic() - began < 5


@OF_LINUX
def test_a_reading_ends_with_its_job(job):
    jobs = [job("slow.csv", SLOW)]
    waited(lambda: jobs[0].read_fraction > 0)
    during = readers()
    jobs.clear()
    waited(lambda: readers() < during)


@OF_LINUX
def test_a_reading_ends_with_its_tab_and_begins_again_where_that_comes_back(job, monkeypatch):
    closed = Event()
    monkeypatch.setattr(jobs_of_tabs, "_is_open", lambda session: not closed.is_set())
    slow = job("slow.csv", SLOW)
    waited(lambda: slow.read_fraction > 0)
    during = readers()
    closed.set()
    waited(lambda: slow.was_left)
    waited(lambda: readers() < during)
    closed.clear()
    monkeypatch.setattr(reading.st, "session_state", {"place": ("a file", slow)})
    found = reading.one_reading("place", "a file", lambda: job("a.json", SMART))
    assert isinstance(found, FileReading)


@OF_LINUX
def test_a_changed_file_ends_the_reading_of_the_former(job, monkeypatch):
    slow = job("slow.csv", SLOW)
    waited(lambda: slow.read_fraction > 0)
    monkeypatch.setattr(reading.st, "session_state", {"place": ("a file", slow)})
    found = reading.one_reading("place", "another", lambda: job("a.json", SMART))
    assert isinstance(found, FileReading)
    assert isinstance(slow.answer(5), DoorError)


def test_a_second_file_of_the_same_name_size_and_beginning_is_read_anew(app):
    page = app.switch_page("planner/ui/measure.py").run()
    first = csv_of(np.random.default_rng(1).integers(1000, 2000, 8_000))
    lines = first.splitlines(keepends=True)
    half = len(lines) // 2
    second = b"".join([*lines[:half], *(line.replace(b",W,", b",R,") for line in lines[half:])])
    assert (len(first), first[: 1 << 16]) == (len(second), second[: 1 << 16])
    assert first != second
    shown = []
    for data in (first, second):
        page.file_uploader(key="files").upload("trace.csv", data).run()
        assert not page.exception
        shown.append({metric.label: metric.value for metric in page.metric}["Reads"])
    assert shown == ["0 %", "50 %"]

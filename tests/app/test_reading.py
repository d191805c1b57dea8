"""Files given to the app: read by a process of its own, within limits, and by whole content."""

import re
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from planner.telemetry import limits
from planner.telemetry.record import FileReading, Refused
from planner.ui import reading
from planner.ui.reading import Job
from tests import synthetic_drives as made
from tests.planner.telemetry.traces.samples import csv_of

SMART = made.encoded(made.nvme_json())
# Each request writes a quarter of a million pages.
SLOW = b"time_s,op,offset,size\n" + b"1,W,0,1073741824\n" * 200_000
LIMITED = """
import io, sys
from planner.telemetry import limited_process
limited_process.MOST_SECONDS, limited_process.MOST_TAKEN_BYTES = {}, {}
limited_process.main(sys.argv[1:], io.FileIO(0), sys.stdout.buffer)
"""


def limited(monkeypatch, seconds, size):
    command = (sys.executable, "-c", LIMITED.format(seconds, size))
    monkeypatch.setattr(reading, "COMMAND", command)


def test_a_reading_in_a_process_of_its_own_is_that_of_the_reader():
    found = Job("a.json", SMART).answer(60)
    assert isinstance(found, FileReading)
    assert found.file == "a.json"
    assert found.drive.host_bytes is not None
    refused = Job("a\x00b.csv", b"time_us,op,offset,size\nx,W,0,4096\n").answer(60)
    assert isinstance(refused, Refused)
    assert refused.position == "line 2"
    unknown = Job("a\x00b.csv", b"hello\n").answer(60)
    assert unknown.refused.startswith("a\\u0000b.csv: byte 0: unknown format")


def test_a_reading_that_takes_too_long_ends(monkeypatch):
    limited(monkeypatch, 2, limits.MOST_TAKEN_BYTES)
    assert Job("slow.csv", SLOW).answer(60) is reading.TOO_SLOW
    assert f"{limits.MOST_SECONDS} s" in str(reading.TOO_SLOW)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is that of Linux")
def test_a_reading_that_takes_too_much_memory_ends(monkeypatch):
    limited(monkeypatch, 60, 100 << 20)
    data = b'{"smartctl":[' + b'{"a":0},' * 333_000 + b"1]}"
    assert Job("large.json", data).answer(60) is reading.TOO_LARGE
    assert "1024 MiB" in str(reading.TOO_LARGE)


def test_a_reading_that_fails_is_not_called_too_large(monkeypatch):
    monkeypatch.setattr(reading, "COMMAND", (sys.executable, "-c", "raise SystemExit(3)"))
    refused = Job("a.json", SMART).answer(60)
    assert str(refused) == "reading: failed: its process ended with code 3"


def test_a_long_reading_shows_how_far_it_is_holds_up_no_other_and_can_be_ended():
    slow = Job("slow.csv", SLOW)
    other = Job("a.json", SMART)
    assert isinstance(other.answer(30), FileReading)
    for _ in range(300):
        if slow.read_fraction > 0:
            break
        assert slow.answer(0.1) is None
    assert 0 < slow.read_fraction <= 1
    status = Path(f"/proc/{slow._process.pid}/status")
    if status.exists():  # one thread that computes, and one of pyarrow that waits
        assert int(re.search(r"Threads:\s+(\d+)", status.read_text())[1]) <= 2
    began = time.monotonic()
    slow.end()
    assert slow.answer(5) is reading.CANCELLED
    assert time.monotonic() - began < 5


def test_a_reading_ends_with_its_job():
    job = Job("slow.csv", SLOW)
    process = job._process
    del job
    assert process.poll() is not None


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

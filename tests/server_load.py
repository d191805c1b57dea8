"""The worst files in many tabs of one server, while another visitor changes an input.

`python -m tests.server_load --record FILE` gives twenty tabs such files, measures how soon the
other visitor is answered and the memory of the server with its processes, closes the tabs, and
measures how soon nothing is read any more. It ends with code 1 beyond a limit; `--record` appends
the result to a file.
"""

import argparse
import gzip
import io
import json
import lzma
import os
import random
import sys
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import psutil
from openpyxl import Workbook

from planner.quantity.door import MOST_READERS
from tests.app.test_served import serving, wait_for
from tests.fuzz.guided import commit
from tests.visitors import visitor

MOST_ANSWER_S = 3.0
MOST_MEMORY_BYTES = 1.5e9
MOST_ENDING_S = 5.0  # from closed tabs until no reader takes processor time
STEP_S = 0.25
MB = 1 << 20


class GivenFile(NamedTuple):
    """A file that somebody gives: its place, its box, its name, and its content by size factor."""

    page: str
    query: str
    box: str
    name: str
    content: Callable[[float], bytes]


def _book(size: float) -> bytes:
    """Return a workbook of few bytes that unpacks to sheets of 15 MiB."""
    made, packed = io.BytesIO(), io.BytesIO()
    book = Workbook()
    book.active.append(["model", "price"])
    for _ in range(3):
        book.create_sheet().append(["model", "price"])
    book.save(made)
    row = b"<row>" + b"<c><v>1</v></c>" * 250 + b"</row>"
    rows = row * int(size * 15 * MB / len(row))
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name.startswith("xl/worksheets/sheet"):
                data = data.replace(b"</sheetData>", rows + b"</sheetData>")
            new.writestr(name, data)
    return packed.getvalue()


def _noise(size: float) -> bytes:
    letters = bytes(10 if one % 61 == 0 else 97 + one % 26 for one in range(256))
    block = random.Random(1).randbytes(MB).translate(letters)  # noqa: S311 - no secret
    return block * int(190 * size)


def _trace(size: float) -> bytes:
    """Return a trace whose requests write a quarter of a million pages each."""
    return b"time_s,op,offset,size\n" + b"1,W,0,1073741824\n" * int(size * 5_000_000)


def _packed_trace(size: float) -> bytes:
    rows = b"".join(b"1,W,%d,4096\n" % (4096 * one) for one in range(100_000))
    parts = [b"time_s,op,offset,size\n", *[rows] * max(1, int(size * 200))]
    return b"".join(gzip.compress(part, 6) for part in parts)


def _packed_fleet(size: float) -> bytes:
    rows = b"".join(b"2026-01-01,S%07d,1\n" % one for one in range(3000))
    parts = [b"date,serial,host_bytes\n", *[rows] * max(1, int(size * 7000))]
    return b"".join(gzip.compress(part, 6) for part in parts)


def _history(size: float) -> bytes:
    rows = [
        b"2024-%02d-%02dT%02d:00,%d,%d\n" % (1 + one % 12, 1 + one % 28, one % 24, one * 10**9, 1)
        for one in range(int(size * 49_000))
    ]
    return b"date,host_bytes,percentage_used\n" + b"".join(rows)


MEASURE, FLEET, CHOOSE = ("measure", ""), ("measure", "what=A+fleet"), ("choose", "")
WORST = [
    GivenFile(*CHOOSE, "quotes", "bomb.xlsx", _book),
    GivenFile(*CHOOSE, "quotes", "wide.csv", lambda size: b"model," * int(size * 200_000) + b"1"),
    GivenFile(*MEASURE, "files", "noise.txt", _noise),
    GivenFile(*MEASURE, "files", "slow.csv", _trace),
    GivenFile(*MEASURE, "files", "trace.csv.gz", _packed_trace),
    GivenFile(*FLEET, "fleet_files", "fleet.csv.gz", _packed_fleet),
    GivenFile(*FLEET, "fleet_files", "wide.csv",
              lambda size: b"date," * int(size * 200_000) + b"serial\n1\n"),
    GivenFile(*MEASURE, "files", "deep.json",
              lambda size: b'{"smartctl":' + b'{"a":' * int(size * 3_000_000)),
    GivenFile(*MEASURE, "files", "many.json",
              lambda size: b'{"smartctl":[' + b'{"a":0},' * int(size * 333_000) + b"1]}"),
    GivenFile(*MEASURE, "files", "spaces.json.xz",
              lambda size: lzma.compress(b'{"smartctl":' + b" " * int(size * 500 * MB))),
    GivenFile(*MEASURE, "files", "nvme.txt",
              lambda size: b"Smart Log for NVME device\n" + b"a_" * int(size * 4 * MB)),
    GivenFile(*MEASURE, "files", "history.csv", _history),
    GivenFile(*FLEET, "fleet_files", "noise.txt", _noise),
]  # fmt: skip


class Load(NamedTuple):
    """Result of a load."""

    tabs: int
    seconds: float
    answers: int
    slowest_s: float
    most_bytes: int
    ending_s: float

    def faults(self) -> list[str]:
        """Return the limits that it exceeds."""
        found = {
            f"an answer took {self.slowest_s:.1f} s": self.slowest_s > MOST_ANSWER_S,
            f"the server took {self.most_bytes / 1e9:.2f} GB": self.most_bytes > MOST_MEMORY_BYTES,
            f"readings ended {self.ending_s:.1f} s after tabs": self.ending_s > MOST_ENDING_S,
            "nothing was answered": not self.answers,
        }
        return [sentence for sentence, is_beyond in found.items() if is_beyond]


def load(tabs: int, seconds: float, size: float) -> Load:
    """Give files to so many tabs, of a share of their full size, and measure the server."""
    files = [(one, one.content(size)) for one in WORST]
    with serving() as (port, process), ThreadPoolExecutor(tabs) as pool:
        wait_for(port, process)
        server, is_over, memory = psutil.Process(process.pid), Event(), [0]
        Thread(target=_watch, args=(server, is_over, memory), daemon=True).start()
        given = [pool.submit(_give, port, *files[tab % len(files)], is_over) for tab in range(tabs)]
        try:
            answered = _answers(port, seconds)
        finally:
            is_over.set()
        for one in given:
            one.result()
        ending_s = _ending_s(server)
    return Load(tabs, seconds, len(answered), max(answered, default=0.0), memory[0], ending_s)


def _give(port: int, file: GivenFile, data: bytes, is_over: Event) -> None:
    """Give a file in a tab, look at what is drawn, and close the tab."""
    with visitor(port) as tab:
        tab.open(file.page, file.query)
        tab.give(file.box, file.name, data)
        while not is_over.is_set():
            tab.receive(STEP_S)


def _answers(port: int, seconds: float) -> list[float]:
    """Change an input again and again; return the time of each answer."""
    answered = []
    with visitor(port) as tab:
        tab.open()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            number = 100 + len(answered)
            tab.put("writes", f"{number} GB/day")
            answered.append(tab.wait())
            assert any(f"{number} GB" in text for text in tab.shown)
            time.sleep(0.2)
    return answered


def _watch(server: psutil.Process, is_over: Event, memory: list[int]) -> None:
    """Note the most memory of a server with its processes; what they share counts once."""
    while not is_over.wait(STEP_S):
        memory[0] = max(memory[0], held_bytes(server))


def held_bytes(server: psutil.Process) -> int:
    """Return the memory of a server with its processes; what they share counts once."""
    return sum(map(_bytes, [server, *server.children(recursive=True)]))


def _bytes(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0


def _ending_s(server: psutil.Process) -> float:
    """Return the time until the readers of a server do nothing for a second."""
    began = time.monotonic()
    quiet_s = began
    before = _reader_times(server)
    while time.monotonic() < quiet_s + 1.0 and time.monotonic() < began + 60:
        time.sleep(STEP_S)
        now = _reader_times(server)
        if any(spent > before.get(process, 0.0) for process, spent in now.items()):
            quiet_s = time.monotonic()
        before = now
    return quiet_s - began


def _reader_times(server: psutil.Process) -> dict[int, float]:
    found = {}
    for process in server.children(recursive=True):
        try:
            found[process.pid] = process.cpu_times().user
        except psutil.Error:
            continue
    return found


def main() -> None:
    """Run the full load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tabs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--size", type=float, default=1.0)
    parser.add_argument("--record", type=Path)
    stated = parser.parse_args()
    result = load(stated.tabs, stated.seconds, stated.size)
    record = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}", "commit": commit(), "readers": MOST_READERS,
        "processors": os.cpu_count(), **result._asdict(),
    }  # fmt: skip
    print(json.dumps(record))
    if stated.record:
        with stated.record.open("a") as file:
            file.write(f"{json.dumps(record)}\n")
    for fault in result.faults():
        print(fault, file=sys.stderr)
    sys.exit(bool(result.faults()))


if __name__ == "__main__":
    main()

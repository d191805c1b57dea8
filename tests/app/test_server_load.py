"""Files of many tabs: they wait in one queue, hold up nobody else, and end with their tab."""

import time
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from planner.quantity.door import MOST_READERS
from tests import synthetic_drives as made
from tests.app.test_served import serving, wait_for
from tests.server_load import MOST_ENDING_S, WORST, Load, load
from tests.visitors import visitor

# Each request writes a quarter of a million pages.
SLOW = b"time_s,op,offset,size\n" + b"1,W,0,1073741824\n" * 200_000
SMART = made.encoded(made.nvme_json())
OF_LINUX = pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="as Linux says")


@pytest.fixture(scope="module")
def server():
    with serving() as (port, process):
        wait_for(port, process)
        yield port, psutil.Process(process.pid)


def shows(tab, words, timeout_s=60):
    """Wait until a tab shows some words."""
    until = time.monotonic() + timeout_s
    while not any(words in text for text in tab.shown):
        assert time.monotonic() < until, words
        tab.receive(1)


def given(tabs, port, name, data):
    """Open a tab that stays, and give a file in it."""
    tab = tabs.enter_context(visitor(port))
    tab.open("measure")
    tab.give("files", name, data)
    return tab


def readers(process):
    return {child.pid for child in process.children(recursive=True)}


def end(process, ended):
    """Wait until readers of a server have ended."""
    until = time.monotonic() + MOST_ENDING_S
    while ended & readers(process):
        assert time.monotonic() < until
        time.sleep(0.1)


def test_files_wait_in_a_queue_and_begin_where_a_tab_before_them_is_closed(server):
    port, process = server
    with ExitStack() as first, ExitStack() as later:
        for _ in range(MOST_READERS):
            shows(given(first, port, "slow.csv", SLOW), "Reading slow.csv")
        waiting = [given(later, port, f"{place}.csv", SLOW) for place in (1, 2)]
        for place, tab in enumerate(waiting, start=1):
            shows(tab, f"Waiting to read {place}.csv: place {place} in the queue")
        short = given(later, port, "smart.json", SMART)
        shows(short, "Plan this drive")  # a short text waits for nobody
        before = readers(process)
        first.close()
        shows(waiting[0], "Reading 1.csv")
        end(process, before)
        during = readers(process)
        assert during
    end(process, during)


def test_a_file_stays_on_the_disk_until_its_tab_is_gone(server):
    port, process = server
    with ExitStack() as tabs:
        shows(given(tabs, port, "noise.bin", b"\0" * (50 << 20)), "Refused")
        before = process.memory_full_info().uss
        for _ in range(4):
            shows(given(tabs, port, "noise.bin", b"\1" * (50 << 20)), "Refused")
        assert process.memory_full_info().uss - before < 50 << 20


@OF_LINUX
def test_another_visitor_is_answered_while_the_worst_files_are_read():
    assert load(tabs=len(WORST), seconds=15, size=0.02).faults() == []


def test_a_load_beyond_its_limits_is_told():
    within = Load(20, 60.0, 40, 2.9, 1_400_000_000, 1.0)
    assert within.faults() == []
    beyond = within._replace(slowest_s=3.1, most_bytes=1_600_000_000, ending_s=6.0, answers=0)
    assert beyond.faults() == [
        "an answer took 3.1 s", "the server took 1.60 GB", "readings ended 6.0 s after tabs",
        "nothing was answered",
    ]  # fmt: skip

"""The time of every reader grows at most as its input does."""

import io
import re
from urllib.parse import parse_qs

import pytest

from planner.catalogue.quote_header import headings_in
from planner.catalogue.sheet import sheets_of
from planner.export.scenario_reader import from_json
from planner.quantity.inputs import INPUTS
from planner.quantity.link import from_query
from planner.search.points.grid import from_json as grid_of
from planner.telemetry import FORMATS, read
from planner.telemetry.application_counters import read_counters
from planner.telemetry.formats import TRACE
from planner.telemetry.traces import trace
from tests import growth
from tests.fuzz.targets import TARGETS

QUOTES = b"model,capacity,price,quantity,notes\nPM893,960 GB,120.50,4,as seen\n"
COUNTERS = {
    "proc": b"rchar: 12\nwchar: 34\nread_bytes: 5\nwrite_bytes: 6\ncancelled_write_bytes: 0\n",
    "cgroup": b"8:16 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n",
    "rocksdb": b"Cumulative writes: 9 writes, 9 keys, ingest: 1.50 GB, 3.0 MB/s\n"
    b"Cumulative WAL: 9 writes, 0 syncs, written: 1.60 GB, 3.0 MB/s\n"
    b"Cumulative compaction: 7.50 GB write, 9.0 MB/s write\n",
    "tickers": b"rocksdb.bytes.written COUNT : 5\nrocksdb.wal.bytes COUNT : 6\n",
    "postgres": b" wal_records | wal_bytes \n-------------+-----------\n 5 | 6\n(1 row)\n",
    "zpool": b"tank\t1\t2\t3\t4\t5\t6\n",
}


def of_format(kind):
    return lambda data: read("a_lat.1.log", data, kind=kind)


def of_counters(data):
    return read_counters([data, data], over_s=60.0)


READERS = {
    **{one.name: (of_format(one.name), TARGETS[one.name].seeds[0])
       for one in FORMATS if one.name != TRACE},
    "scenario": (lambda data: from_json(data.decode("utf-8", "replace")),
                 TARGETS["scenario"].seeds[0]),
    "grid": (lambda data: grid_of(data.decode("utf-8", "replace")), b'{"writes": ["1 TB/day"]}'),
    "link": (lambda data: from_query(parse_qs(data.decode("utf-8", "replace"))),
             TARGETS["link"].seeds[0]),
    **{f"input {name}": (lambda data, row=row: row.value(data.decode("utf-8", "replace")),
                         (row.default or row.example or "1").encode())
       for name, row in INPUTS.items() if name in ("writes", "keep", "skew", "step", "spare")},
}  # fmt: skip


@pytest.mark.parametrize("name", READERS)
def test_twice_the_input_takes_at_most_two_and_a_half_times(name):
    assert next(growth.faster_than_the_input(*READERS[name]), None) is None


# Readings that take longer: texts are put in at fewer places.
SLOWER = {
    **{f"counters, {name}": (of_counters, data) for name, data in COUNTERS.items()},
    "any file": (lambda data: read("a_lat.1.log", data), b"begins 1\nas nothing does\n"),
    "quotes": (lambda data: sheets_of(data, headings_in), QUOTES),
    **{name: (lambda data: trace(io.BytesIO(data)), TARGETS[name].seeds[0])
       for name in ("trace, Alibaba", "trace, blkparse text", "trace, CSV with named columns")},
}  # fmt: skip


@pytest.mark.parametrize("name", SLOWER)
def test_so_it_does_where_a_reading_takes_longer(name):
    assert next(growth.faster_than_the_input(*SLOWER[name], step=5), None) is None


@pytest.mark.parametrize(
    "pattern", [r"(?:\w*(?:[ _]\w+)*):", r"[a-z]+="], ids=["exponential", "quadratic"]
)
def test_an_expression_that_grows_faster_is_noticed(pattern, monkeypatch):
    monkeypatch.setattr(growth, "PLACES", 1)
    monkeypatch.setattr(growth, "REPEATED", ("_a", "a"))
    search = re.compile(pattern.encode()).search
    assert [*growth.faster_than_the_input(search, b"seed")]

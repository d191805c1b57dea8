"""Limits of one reading: what goes beyond them is refused, and what is below them stays small."""

import gzip
import json
import time
import tomllib
from pathlib import Path

import pytest

from planner.quantity.door import UPLOADED, aside
from planner.telemetry import fio_log, limits, read
from planner.telemetry.drive_or_trace import read_path

ROOT = Path(__file__).parents[3]
SIZE = 15 << 20
PAIRS = b"smartctl 7.3\n=== START OF INFORMATION SECTION ===\n"
LOG = b'{"data_units_written":1,"percent_used":1},'
# Beyond a limit: the files, and the words by which they are refused.
BEYOND = {
    "documents": (b'{"smartctl":1}' * 10_001, "10,000 documents"),
    "15 MB of documents": (b'{"smartctl":1}' * (SIZE // 14), "1,000,000 brackets and texts"),
    "lists": (b'{"smartctl":[' + b"[]," * (SIZE // 3) + b"1]}", "1,000,000 brackets and texts"),
    "logs in a list": (b"[" + LOG * 10_002 + b"1]", "10,000 drives"),
    "drives by serial": (
        b'{"0":{"smart_nand_bytes_written_raw":1}'
        + b"".join(b',"%d":{"percentage_used":1}' % one for one in range(1, 10_002)) + b"}",
        "10,000 drives",
    ),
    "texts of drives": (b"=== START OF \n" + b"smartctl 7\n" * 10_001, "10,000 drives"),
    "empty lines": (b"smartctl 7\n=== START OF \n" + b"\n" * 1_000_001, "1,000,000 lines"),
    "sections": (
        b"- a -\nPercentage Used : 1\n"
        + b"".join(b"SerialNumber : %d\nPercentageUsed : 1\n" % one for one in range(10_002)),
        "10,000 drives",
    ),
    "rows": (
        b"date,host_bytes,percentage_used\n" + b"2024-05-01,10,1\n" * 50_001, "50,000 readings",
    ),
    "17 MiB": (b'{"smartctl": "' + b"a" * (17 << 20) + b'"}', "16 MiB"),
}  # fmt: skip
# Below every limit, and made to take as much as may be.
BELOW = {
    "objects": b'{"smartctl":[' + b'{"a":0},' * 333_000 + b"1]}",
    "deep": b'{"smartctl":[' + (b'{"":' * 50 + b"1" + b"}" * 50 + b",") * 6_600 + b"1]}",
    "numbers": b'{"smartctl":[' + b"1.5," * (SIZE // 8) + b"1]}",
    "lines": PAIRS + b"".join(b"a%06d: 1\n" % one for one in range(SIZE // 60)),
    "attributes": json.dumps({"smartctl": 1, "ata_smart_attributes": {"table": [
        {"id": one % 256, "name": f"a{one}", "value": 1, "raw": {"value": 5}}
        for one in range(70_000)
    ]}}).encode(),
    "drives": b"[" + b",".join([LOG[:-1]] * 9_999) + b"]",
}  # fmt: skip


@pytest.mark.parametrize("name", BEYOND)
def test_a_file_beyond_a_limit_is_refused_by_its_name_at_once(name):
    data, words = BEYOND[name]
    began = time.process_time()
    assert words in read("a file", data).refused
    assert time.process_time() - began < 20


def test_seconds_of_a_log_count_over_its_directions(monkeypatch):
    monkeypatch.setattr(fio_log, "MOST_PERIODS", 1000)
    lines = [b"%d, 5, %d, 0, 0\n" % (1000 * (one + 1), one % 3) for one in range(1001)]
    assert read("a_iops.1.log", b"".join(lines[:1000])).refused is None
    refused = read("a_iops.1.log", b"".join(lines)).refused
    assert refused == (
        "a_iops.1.log: line 1001: the file contains more than 1,000 seconds with values"
    )


def test_a_packed_file_is_measured_as_it_is_unpacked():
    data, words = BEYOND["17 MiB"]
    packed = gzip.compress(data, 1)
    assert len(packed) < 1 << 18
    assert words in read("a file", packed).refused


@pytest.mark.parametrize("name", BELOW)
def test_a_reading_stays_below_the_memory_that_is_promised(name, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(BELOW[name])
    half = UPLOADED._replace(memory_bytes=UPLOADED.memory_bytes // 2)
    assert aside(read_path, name, str(path), size_bytes=len(BELOW[name]), limits=half).file == name


def test_the_app_takes_no_larger_file_than_is_said():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["server"]["maxUploadSize"] << 20 == limits.MOST_UPLOADED_BYTES

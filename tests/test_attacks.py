"""Attacks on the doors of the program: each ends soon, in little memory, with a sentence."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from planner.catalogue.sheet import SheetError, sheets_of
from planner.cli.commands import main
from planner.forecast.fleet import Fleet
from planner.ui.fleet_reading import fleet_of_files
from tests import hostile_workbooks as hostile
from tests import synthetic_drives as made

MOST_S, MOST_MB = 20.0, 200
# Reads one workbook in a process of its own, as the reader process does, and measures it.
_ALONE = """
import sys, time
from planner.catalogue import sheet
try:
    from planner.quantity.door import enter_reader
    enter_reader()
except ImportError:
    pass
data, start = sys.stdin.buffer.read(), time.perf_counter()
try:
    told = f"{sum(len(one.rows) for one in sheet.sheets_of(data))} rows"
except ValueError as error:
    told = str(error)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]
print(time.perf_counter() - start, peak, told, sep="\\t")
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system tells no peak")
@pytest.mark.parametrize("name", hostile.WORKBOOKS)
def test_a_hostile_workbook_is_read_or_refused_soon_and_in_little_memory(name):
    make, told = hostile.WORKBOOKS[name]
    data = make()
    assert len(data) < 6e6
    done = subprocess.run(
        [sys.executable, "-c", _ALONE], input=data, capture_output=True, timeout=60, check=True
    )
    seconds, peak, said = done.stdout.decode().strip().split("\t")
    assert told in said
    assert float(seconds) < MOST_S
    assert int(peak) < MOST_MB << 10


def test_a_table_of_quotes_as_large_as_people_send_is_within_the_limits():
    """5,000 rows of 12 cells with attributes, a style of each cell, and a lying dimension."""
    (one,) = sheets_of(hostile.table(rows=5_000, columns=12))
    assert len(one.rows) == 5_000
    assert one.rows[-1] == (5_000, [f"{5_000 * column}" for column in range(1, 13)])


def test_a_table_of_200_000_columns_is_refused_soon():
    data = b"model,price\n" + b"PM893," * 200_000 + b"\n" + b"a,b\n" * 1_000
    start = time.perf_counter()
    with pytest.raises(SheetError, match="must have at most 256 columns"):
        sheets_of(data)
    assert time.perf_counter() - start < MOST_S


def test_a_file_name_of_120_emoji_leaves_the_other_files_of_a_fleet(tmp_path):
    (tmp_path / "kept").write_text(made.smart_log_text())
    kept = str(tmp_path / "kept")
    answer = fleet_of_files([("\U0001f600" * 120, kept), ("a.txt", kept)])
    assert isinstance(answer, Fleet)
    assert not answer.refused


def test_reads_of_1e308_make_no_share_that_is_infinite(tmp_path, capsys):
    (tmp_path / "node.prom").write_text(made.node_text(("sda", 1e12, 1e12, 1e308, 1e308, {})))
    path, saved = str(tmp_path / "node.prom"), tmp_path / "saved.json"
    main(["read", path, "--save", str(saved)])
    told = capsys.readouterr()
    assert "inf" not in told.out
    assert not saved.exists() or "inf" not in saved.read_text()


@pytest.mark.parametrize("spare", ["99.9999999%", "0.99999999999"])
def test_a_spare_area_of_nearly_the_whole_drive_is_refused_at_the_input(spare, capsys):
    assert main(["plan", "870 EVO 1TB", "--writes", "1 TB/day", "--spare", spare]) == 2
    told = capsys.readouterr()
    assert "--spare" in told.err
    assert "must be at most" in told.err
    assert told.out == ""

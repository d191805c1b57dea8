"""Many rows: buckets of the serial number, whoever fills and reads them and whatever breaks."""

import os
import signal
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from models.units import DAY_S, GB
from planner.export.fleet_tables import fleet_record
from planner.forecast.fleet import buckets, files, fleet
from planner.forecast.fleet.cluster import cluster
from tests import loopback_cluster
from tests import synthetic_fleet as made

DAYS, DRIVES = 92, 24


def faulty(columns):
    """Break some drives, each in its own way, and say which rows remain."""
    row = {name: column.reshape(DRIVES, DAYS) for name, column in columns.items()}
    row["host_bytes"][1, 50:] -= row["host_bytes"][1, 49] - GB  # a reset
    row["host_bytes"][2, 30:] += 9e18  # a jump
    swap = row["host_bytes"][3, 44]
    row["host_bytes"][3, 44:] -= swap
    row["power_on_hours"][3, 44:] -= row["power_on_hours"][3, 44] - 1
    row["percent_used"][3, 44:] = 0
    row["date"][4, 70:] -= 12.5 * DAY_S  # a clock that goes back
    row["serial"][6] = row["serial"][5]  # two drives with one serial number
    for name in ("model", "capacity_bytes", "site"):
        row[name][6] = row[name][5]
    kept = np.ones((DRIVES, DAYS), bool)
    kept[7, 20:29] = False  # missing days
    every = {name: column.ravel()[kept.ravel()] for name, column in row.items()}
    again = 8 * DAYS + 33 - 9  # a day twice
    return {name: np.append(column, column[again]) for name, column in every.items()}


@pytest.fixture(scope="module")
def days(tmp_path_factory):
    """Tables of five days each of a fleet; the first in another order."""
    folder = tmp_path_factory.mktemp("days")
    columns = faulty(made.columns(made.made(DRIVES, DAYS, seed=9, truth=False)))
    day = (columns["date"] - made.START_S) // (5 * DAY_S)
    for number in range(int(day.min()), int(day.max()) + 1):
        rows = np.flatnonzero(day == number)
        table = {name: column[rows if number else rows[::-1]] for name, column in columns.items()}
        pyarrow.parquet.write_table(pa.table(table), folder / f"day{number:03}.parquet")
    return folder


def record(folder, executor=None):
    answer = fleet(
        sorted(folder.glob("*.parquet")), lead_s=56 * DAY_S, now_s=0.0, executor=executor
    )
    return fleet_record(answer)


@pytest.fixture(scope="module")
def small(days):
    return record(days)


@pytest.fixture
def large(monkeypatch):
    as_large(monkeypatch)


def as_large(patch):
    """Read as a large fleet is: in many buckets, few of them together, a few rows at a time."""
    patch.setattr(files, "number_of_buckets", lambda *_: 7)
    patch.setattr(buckets, "_TOGETHER", 2)
    patch.setattr(buckets, "BATCH_ROWS", 100)


@pytest.fixture(scope="module")
def whole(days):
    """The answer of the same tables as large ones, by this process alone."""
    with pytest.MonkeyPatch.context() as patch:
        as_large(patch)
        return record(days)


def assert_same(one, other, rel=1e-6):
    assert one["drives"] == other["drives"]
    assert one["read"] == other["read"]
    rows = ({row["drive"]: row for row in each["by_drive"]} for each in (one, other))
    first, second = rows
    assert set(first) == set(second)
    for name, row in first.items():
        assert row["anomalies"] == second[name]["anomalies"], name
        assert row["label"] == second[name]["label"]
        for key, value in row.items():
            if isinstance(value, float):
                assert value == pytest.approx(second[name][key], rel=rel), (name, key)
        for key in ("early", "middle", "late"):
            ends = [each[key] and date.fromisoformat(each[key]) for each in (row, second[name])]
            assert ends[0] == ends[1] or abs((ends[0] - ends[1]).days) <= 1, (name, key)


def test_partial_sums_answer_as_all_rows_do_and_mend_as_much(small, whole):
    kinds = {anomaly["kind"] for row in small["by_drive"] for anomaly in row["anomalies"]}
    assert kinds == {
        "counter reset", "jump", "swapped drive", "clock going back", "missing days",
        "two drives with one serial number", "duplicate day",
    }  # fmt: skip
    assert small["drives"] == DRIVES
    assert_same(whole, small)


class AtOnce:
    """An executor that runs each task as it is submitted, and loses the second."""

    def __init__(self):
        self.submitted = 0

    def submit(self, task, *arguments):
        self.submitted += 1
        future = Future()
        if self.submitted == 2:
            future.set_exception(RuntimeError("the worker died"))
        else:
            future.set_result(task(*arguments))
        return future


@pytest.mark.parametrize("executor", [AtOnce, lambda: ThreadPoolExecutor(2)])
def test_any_executor_gives_the_identical_answer(days, large, whole, executor):
    assert record(days, executor()) == whole


def test_a_process_that_is_killed_loses_nothing(days, large, whole):
    with ProcessPoolExecutor(1) as pool:
        pool.submit(os.getpid).result()
        (worker,) = pool._processes
        os.kill(worker, signal.SIGKILL)
        time.sleep(0.1)
        assert record(days, pool) == whole


def test_corrupt_parts_and_missing_columns_are_named_and_the_others_read(days, tmp_path, large):
    for path in days.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    whole = record(tmp_path)
    page = bytearray((days / "day010.parquet").read_bytes())
    page[4:800] = bytes(796)  # pages destroyed, footer whole
    (tmp_path / "day010.parquet").write_bytes(page)
    (tmp_path / "day011.parquet").write_bytes(b"PAR1 cut")
    table = pyarrow.parquet.read_table(days / "day012.parquet")
    pyarrow.parquet.write_table(table.drop(["date"]), tmp_path / "day012.parquet")
    pyarrow.parquet.write_table(
        pyarrow.parquet.read_table(days / "day013.parquet").drop(["flash_bytes"]),
        tmp_path / "day013.parquet",
    )
    broken = record(tmp_path)
    assert {Path(one["file"]).name for one in broken["refused"]} == {
        "day010.parquet", "day011.parquet", "day012.parquet",
    }  # fmt: skip
    assert broken["read"] == whole["read"] - 3
    assert {row["drive"].partition(" ")[0] for row in broken["by_drive"]} == {
        row["drive"].partition(" ")[0] for row in whole["by_drive"]
    }
    for one in broken["refused"]:
        Path(one["file"]).unlink()
    assert record(tmp_path) == broken | {"refused": []}


def test_all_rows_of_a_drive_are_in_one_bucket_however_its_serial_number_is_written(tmp_path):
    """And a file is read in batches, of which each has every bucket."""
    serials = [f"{before}{name}{after}" for name in ("abCD12", "EFgh34", "IJ5678")
               for before, after in (("", ""), ("  ", ""), ("00", " "), ("", "--"))]  # fmt: skip
    serials += [serial.upper() for serial in serials]
    with buckets.BucketWriter(tmp_path / "rows", 50) as writer:
        for first in range(0, len(serials), 5):
            some = serials[first : first + 5]
            writer.add(pa.table({"serial": some, "time_s": [1.0] * len(some)}))
    assert writer.rows.sum() == len(serials)
    assert sorted(writer.rows[writer.rows > 0].tolist()) == [8, 8, 8]
    source = buckets.BucketFile(tmp_path / "rows", writer.rows)
    parts = [buckets.BucketRange(at, at + 1, 50) for at in range(50)]
    drives = [drive.name for part in parts for drive in buckets.readings_of([source], part).drives]
    assert sorted(drives) == ["EFgh34", "IJ5678", "abCD12"]


def test_readings_without_a_number_are_counted(tmp_path, large):
    columns = made.one_drive()
    columns["host_bytes"][5] = np.nan
    columns["percent_used"][5] = np.nan
    columns["host_bytes"][6], columns["percent_used"][6] = -1, -1
    pyarrow.parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    answer = record(tmp_path)
    assert [one["rows"] for one in answer["refused"]] == [2]
    assert answer["by_drive"][0]["readings"] == 118


def test_dates_of_every_type_are_the_same(tmp_path, large):
    columns = made.one_drive()
    stamps = (columns["date"] * 1e6).astype("datetime64[us]")
    answers = []
    for number, moment in enumerate((
        columns["date"], stamps, stamps.astype("datetime64[D]"), np.datetime_as_string(stamps),
        columns["date"].astype(np.int64), 1000 * columns["date"].astype(np.int64),
    )):  # fmt: skip
        folder = tmp_path / str(number)
        folder.mkdir()
        pyarrow.parquet.write_table(pa.table(columns | {"date": moment}), folder / "a.parquet")
        answers.append(record(folder)["by_drive"])
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize(("settings", "lost"), [({}, 0), (loopback_cluster.GIVES_UP, 1)])
def test_a_cluster_whose_worker_is_killed_gives_the_identical_answer(
    days, large, whole, tmp_path, settings, lost
):
    """A scheduler runs again what a killed worker had, or gives it up, and it is done here."""
    with loopback_cluster.running(tmp_path, settings) as address, cluster(address) as found:
        assert found.workers == 2
        killing = loopback_cluster.Killing(found.executor, tmp_path)
        assert record(days, killing) == whole
        assert killing.killed
        assert len(killing.futures) > 3
        assert (killing.lost > 0) == lost


def test_blanks_around_names_make_no_other_drive(tmp_path, large):
    """Of one week and of different weeks, also where readings are read again."""
    columns = made.one_drive()
    columns["host_bytes"][90:] -= columns["host_bytes"][89]  # a reset
    bare, padded = tmp_path / "bare", tmp_path / "padded"
    for folder in (bare, padded):
        folder.mkdir()
        pyarrow.parquet.write_table(pa.table(columns), folder / "a.parquet")
        for name in columns.keys() & {"serial", "model"}:
            columns[name] = [f" {word}" if row % 2 else f"{word}  " for row, word in
                             enumerate(columns[name])]  # fmt: skip
    assert record(padded)["by_drive"] == record(bare)["by_drive"]
    assert record(padded)["drives"] == 1
    (anomaly,) = record(padded)["by_drive"][0]["anomalies"]
    assert anomaly["kind"] == "counter reset"

"""One fleet by every source, and folders with files that are no drive."""

import gzip
import json
import lzma
import os
import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from models.units import DAY_S
from planner.cli import main
from planner.export.fleet_tables import drive_columns, fleet_record
from planner.forecast.fleet import fleet
from planner.telemetry import read
from tests import synthetic_drives as logs

BEGIN_S = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
DRIVES, DAYS = 5, 70
CAPACITY = 400_088_457_216
UNIT = 512_000
TIMES = ("date", "early", "middle", "late", "state")


def document(drive, day):
    """Return the log of smartctl of a drive on a day; each wears at its own rate."""
    units = 10_000_000 * (1 + drive) + 100_000 * (1 + drive) * day + 7919 * ((day + drive) % 3)
    log = logs.nvme_log(units=units, used=5 + drive + day // (9 + drive), hours=24 * day)
    return logs.nvme_json(
        "Any NVMe", log=log, serial_number=f"SOURCE-{drive:04}",
        local_time={"time_t": int(BEGIN_S + DAY_S * day)},
    )  # fmt: skip


def row(drive, day):
    """Return the same as a row of a table."""
    log = document(drive, day)["nvme_smart_health_information_log"]
    return {
        "date": datetime.fromtimestamp(BEGIN_S + DAY_S * day, UTC).strftime("%Y-%m-%d"),
        "serial": f"SOURCE-{drive:04}", "model": "Any NVMe", "capacity_bytes": CAPACITY,
        "host_bytes": UNIT * log["data_units_written"], "percent_used": log["percentage_used"],
        "power_on_hours": 24 * day,
    }  # fmt: skip


def every(made):
    """Return what is made of each drive and day, and begin where power-on time is above 0."""
    return [made(drive, day) for day in range(1, DAYS) for drive in range(DRIVES)]


ROWS = every(row)
CSV = "\n".join([",".join(ROWS[0]), *(",".join(map(str, one.values())) for one in ROWS)]).encode()
PLACES = {"date": "Timestamp", "host_bytes": "data_units_written", "power_on_hours":
          "power_on_seconds", "percent_used": "Percentage Used", "serial": "serial_no"}  # fmt: skip


def by_exporter():
    """Return the rows under the names, and in the units, of exporters; dates with fractions."""
    lines = [";".join(PLACES.get(name, name) for name in ROWS[0])]
    for one in ROWS:
        seconds = datetime.fromisoformat(one["date"]).replace(tzinfo=UTC).timestamp()
        given = one | {
            "date": f"{seconds:.3f}", "host_bytes": one["host_bytes"] // UNIT,
            "power_on_hours": 3600 * one["power_on_hours"],
        }  # fmt: skip
        lines.append(";".join(map(str, given.values())))
    return "\n".join(lines).encode()


def parquet(folder):
    table = pa.table({name: [one[name] for one in ROWS] for name in ROWS[0]})
    pyarrow.parquet.write_table(table, folder / "a.parquet")


def zstd(folder):
    with pa.CompressedOutputStream(pa.OSFile(str(folder / "a.csv.zst"), "wb"), "zstd") as packed:
        packed.write(CSV)


def pages(folder):
    for day in range(1, DAYS):
        page = logs.exporter_text(*(document(drive, day) for drive in range(DRIVES)))
        (folder / f"{day:03}.prom").write_text(page)


def lines(objects):
    return "\n".join(map(json.dumps, objects)).encode()


SOURCES = {
    "csv": lambda folder: (folder / "a.csv").write_bytes(CSV),
    "exporter's csv": lambda folder: (folder / "a.csv").write_bytes(by_exporter()),
    "gzip": lambda folder: (folder / "a.csv.gz").write_bytes(gzip.compress(CSV)),
    "gzip twice": lambda folder: (folder / "a").write_bytes(gzip.compress(gzip.compress(CSV))),
    "gzip of xz": lambda folder: (folder / "a").write_bytes(gzip.compress(lzma.compress(CSV))),
    "xz of gzip": lambda folder: (folder / "a").write_bytes(lzma.compress(gzip.compress(CSV))),
    "xz": lambda folder: (folder / "a").write_bytes(lzma.compress(CSV)),
    "zstd": zstd,
    "parquet": parquet,
    "lines of rows": lambda folder: (folder / "a.json").write_bytes(lines(ROWS)),
    "lines of smartctl": lambda folder: (folder / "a.jsonl").write_bytes(lines(every(document))),
    "pages of smartctl_exporter": pages,
}


def answer_of(*paths):
    """Forecast; the last day is now where no reading has a date."""
    return fleet(paths, lead_s=56 * DAY_S, now_s=BEGIN_S + DAY_S * (DAYS - 1))


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return fleet_record(answer_of(*made(tmp_path_factory.mktemp("plain"), "csv")))


def made(folder, name):
    SOURCES[name](folder)
    return sorted(folder.iterdir())


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_of_a_fleet_gives_the_same_answer(tmp_path, plain, name):
    """Pages have no date: their clock is power-on time, which here passes as the calendar does."""
    record = fleet_record(answer_of(*made(tmp_path, name)))
    assert record["refused"] == []
    assert [one["drive"] for one in record["by_drive"]] == [f"SOURCE-{n:04}" for n in range(DRIVES)]
    for one, other in zip(record["by_drive"], plain["by_drive"], strict=True):
        assert one["readings"] == DAYS - 1
        assert one["label"] == "rough, from 9 weeks"
        assert one["state"] == ("no clock" if name.startswith("pages") else "dated")
        for key in other.keys() - TIMES:
            assert one[key] == (pytest.approx(other[key]) if isinstance(other[key], float)
                                else other[key]), key  # fmt: skip
    assert record["host_bytes"] == plain["host_bytes"]
    spares, others = record["spares"][0], plain["spares"][0]
    assert spares["spares"] == others["spares"]
    assert spares["expected"] == pytest.approx(others["expected"])


def test_what_is_no_drive_is_named_and_the_others_are_answered(tmp_path, capsys):
    """A pipe, an empty file, a hard disk, names that are long or of emoji, a drive of 0 hours."""
    names = ["🛢" * 60 + ".csv", "a" * 251 + ".csv", "[1]*?.csv"]
    for name in names:
        (tmp_path / name).write_bytes(CSV.replace(b"SOURCE", f"NAME{names.index(name)}".encode()))
    new = logs.nvme_json(
        "New NVMe", log=logs.nvme_log(units=5, used=0, hours=0), serial_number="NEW-0001"
    )
    (tmp_path / "new.json").write_text(json.dumps(new))
    disk = logs.sata_json("ST4000DM000", rotation_rate=5900, serial_number="DISK-0001")
    (tmp_path / "disk.json").write_text(json.dumps(disk))
    (tmp_path / "empty.csv").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe.csv")
    assert main(["fleet", str(tmp_path), "--json"]) == 0
    record = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    refused = {one["file"].rpartition("/")[2]: one["reason"] for one in record["refused"]}
    assert refused == {
        "disk.json": "line 1: is a hard disk, not an SSD", "empty.csv": "byte 0: the file is empty",
        "pipe.csv": "is not a regular file",
    }  # fmt: skip
    assert record["read"] == 4
    assert record["drives"] == 3 * DRIVES + 1
    rates = {one["drive"]: one["host_bytes_per_s"] for one in record["by_drive"]}
    assert rates.pop(str(tmp_path / "new.json")) is None
    assert record["host_bytes_per_s"] == pytest.approx(sum(rates.values()))
    assert main(["fleet", str(tmp_path)]) == 0
    assert "unlimited" not in capsys.readouterr().out


@pytest.mark.parametrize("scale", [1, 1e3, 1e6, 1e9])
@pytest.mark.parametrize("kind", ["{:.0f}", "{:.1f}", "{:.17g}"])
def test_dates_count_since_1970_in_any_unit(tmp_path, scale, kind):
    rows = [f"{kind.format(scale * (BEGIN_S + DAY_S * day))},A1234,{day}e12" for day in (1, 2)]
    (tmp_path / "a.csv").write_text("\n".join(["date,serial,host_bytes", *rows]))
    histories = answer_of(tmp_path / "a.csv").histories
    assert histories.last_s.tolist() == [BEGIN_S + 2 * DAY_S]
    assert histories.span_s.tolist() == [DAY_S]


def test_a_column_that_is_nearly_known_is_told_and_nothing_else(tmp_path):
    (tmp_path / "a.csv").write_text("date,serial,host_bytes,percent_usd,room\n2026-01-01,A,5,1,b\n")
    (refusal,) = answer_of(tmp_path / "a.csv").refused
    reason = "the column 'percent_usd' is not read (did you mean percent_used?)"
    assert (refusal.reason, refusal.rows) == (reason, 0)


def test_an_undated_reading_beside_dated_ones_ends_no_series(tmp_path):
    logs_ = [document(0, day) for day in range(1, 40)]
    del logs_[7]["local_time"]
    (tmp_path / "a.jsonl").write_bytes(lines(logs_))
    columns = drive_columns(answer_of(tmp_path / "a.jsonl"))
    assert columns["readings"] == [38]
    assert np.isfinite(columns["middle_s"][0])


def test_rows_beyond_a_bucket_take_no_more_memory(tmp_path):
    """Twice the rows: the process that reads them and the one that forecasts hold the same."""
    peaks = []
    for days in (40, 80):
        path = tmp_path / f"{days}.csv"
        with path.open("w") as file:
            file.write("date,serial,host_bytes,percent_used\n")
            for day in range(days):
                date = datetime.fromtimestamp(BEGIN_S + DAY_S * day, UTC).strftime("%Y-%m-%d")
                file.writelines(f"{date},MANY{n:06},{day + 1}e9,{day}\n" for n in range(10_000))
        script = (
            "import resource, sys; from pathlib import Path;"
            "from planner.forecast.fleet import fleet;"
            "answer = fleet([Path(sys.argv[1])], lead_s=1.0, now_s=0.0);"
            "from planner.quantity.door.reader import _QUEUES;"
            "[each.end() for queue in _QUEUES.values() for each in queue._idle];"
            "print(len(answer.histories.drives),"
            "*(resource.getrusage(who).ru_maxrss for who in (0, -1)))"
        )
        run = subprocess.run(
            [sys.executable, "-c", script, str(path)], capture_output=True, check=True, text=True
        )
        drives, *kib = map(int, run.stdout.split())
        assert drives == 10_000
        peaks.append(kib)
    assert np.all(np.array(peaks[1]) < 1.25 * np.array(peaks[0])), peaks


@pytest.mark.parametrize("data_unit", [512_000, 524_288])
def test_the_unit_of_an_exporter_is_that_of_its_page(data_unit):
    """128,000 units of 512,000 bytes are 125,000 of 524,288: the drive beside it decides."""
    documents = [
        logs.nvme_json(log=logs.nvme_log(units=units), serial_number=f"UNIT-{units}")
        for units in (128_000, 128_001)
    ]
    page = logs.exporter_text(*documents, data_unit=data_unit).encode()
    drives = read("page.prom", page).drives
    assert [one.host_bytes.value for one in drives] == [UNIT * 128_000, UNIT * 128_001]

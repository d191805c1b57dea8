"""First screen of `fleet`: drives to retire before every date, durations without a clock."""

import csv
import json
import re
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet
import pytest

from planner.cli import main
from tests import synthetic_drives as logs
from tests import synthetic_fleet as made
from tests.telemetry_samples import files

MOST_LINES = 12
COLUMNS = 100
DATE = re.compile(r"\b(?:19|2[0-9])\d\d-\d\d\b")
S3500 = "INTEL SSDSC2BB240G4"  # rated 140 TB
HEAD = "serial,model,date,host_bytes,percent_used,power_on_hours,capacity_bytes\n"
PAST = f"PAST0001,{S3500},2026-06-01,516.6e12,66,43800,240057409536\n"
SOON = "SOON0001,ACME,2025-06-01,40e12,66,9000,1e12\nSOON0001,ACME,2026-06-01,52e12,88,17000,1e12\n"
UNSET = "UNSET001,ACME,1970-01-05,40e12,50,9000,1e12\n"
FAR = "FAR00001,ACME,2026-06-01,4e11,1,9000,1e12\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "fleet.csv"
    path.write_text(HEAD + SOON + PAST + UNSET + FAR)
    return path


def screen(capsys, *arguments):
    assert main(["fleet", *map(str, arguments)]) == 0
    text = capsys.readouterr().out
    assert len(text.splitlines()) <= MOST_LINES, text
    assert max(map(len, text.splitlines())) <= COLUMNS, text
    return text


def test_drives_past_their_rating_stand_before_every_date(capsys, table):
    heading, *lines = screen(capsys, table).splitlines()
    assert heading == "4 drives, 2 models, last reading 2026-06-01"
    assert lines[0].split(None, 2)[:2] == ["Retire", "now"]
    assert "1 (PAST0001, 369 % of the rated 140 TB)" in lines[0]
    dated = [at for at, line in enumerate(lines) if DATE.search(line)]
    assert dated[0] > 0
    assert lines[1].startswith("Within a year 1 (first 2026-12: SOON0001, ")


def test_a_drive_at_369_percent_of_its_rating_has_no_year_on_any_face(capsys, table, tmp_path):
    for name in ("out.csv", "out.xlsx"):
        screen(capsys, table, "-o", tmp_path / name)
    with (tmp_path / "out.csv").open(newline="") as file:
        row = next(row for row in csv.DictReader(file) if row["drive"] == "PAST0001")
    ends = [row[name] for name in ("early", "middle", "late")]
    assert ends == ["2026-06-01"] * 3  # the last reading: no time is left
    assert (row["state"], float(row["late_s"])) == ("retire now", 0.0)
    assert float(row["rated_share"]) == pytest.approx(3.69)
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["Drives"]
    cells = {str(cell.value)[:4] for each in sheet.iter_rows(min_row=2) for cell in each}
    assert not cells & {str(year) for year in range(2057, 2400)}
    assert main(["fleet", str(table), "--all"]) == 0
    first = capsys.readouterr().out.partition("Retire first")[2].splitlines()[3]
    assert first.split()[0] == "PAST0001"
    assert first.count("past") == 3
    assert not DATE.search(first)


def test_an_unset_clock_gives_durations_and_no_dates(capsys, table, tmp_path):
    text = screen(capsys, table)
    (line,) = (line for line in text.splitlines() if line.startswith("No clock"))
    assert "1 durations only: 1 year (UNSET001); their dates are left open" in line
    assert main(["fleet", str(table), "--json", "--prometheus", str(tmp_path / "a.prom")]) == 0
    record = json.loads(capsys.readouterr().out)
    unset = record["dates"]["UNSET001"]
    assert (unset["early"], unset["middle"], unset["late"]) == (None, None, None)
    assert unset["middle_s"] == pytest.approx(9000 * 3600)
    assert record["retire_now"] == ["PAST0001"]
    lines = [line for line in (tmp_path / "a.prom").read_text().splitlines() if "UNSET001" in line]
    assert not any("timestamp" in line for line in lines)
    assert sum(line.startswith("ssd_drive_life_left_seconds") for line in lines) == 3


def test_an_end_beyond_thirty_years_is_over_thirty_years(capsys, table):
    assert main(["fleet", str(table), "--all"]) == 0
    out = capsys.readouterr().out.partition("Retire first")[2]
    (line,) = (line for line in out.splitlines() if line.startswith("FAR00001"))
    assert (line.count("over 30 years"), line.count("no end in sight")) == (2, 1)
    assert all(int(year) < 2057 for year in re.findall(r"\b(2\d\d\d)-\d\d-\d\d", out))


def test_files_without_a_clock_never_give_a_year(capsys, tmp_path):
    smart = logs.nvme_json(log=logs.nvme_log(units=10**8, used=40), local_time={"time_t": 5})
    (tmp_path / "smart.json").write_text(json.dumps(smart))
    assert not DATE.search(screen(capsys, tmp_path))
    assert main(["fleet", str(tmp_path), "--all"]) == 0
    assert not re.search(r"\d{4}-\d\d-\d\d", capsys.readouterr().out)


def test_the_screen_of_all_samples_fits(capsys, tmp_path):
    for name, content in files().items():
        (tmp_path / name.rpartition("/")[2]).write_bytes(content)
    text = screen(capsys, tmp_path)
    assert "369 % of the rated 140 TB" in text


def test_the_screen_of_a_large_fleet_fits(capsys, tmp_path):
    columns = made.columns(made.made(40, 70, seed=2, truth=False))
    pyarrow.parquet.write_table(pa.table(columns), tmp_path / "fleet.parquet")
    assert "Order" in screen(capsys, tmp_path)


def test_the_screen_of_the_examples_is_that_of_the_page(capsys, monkeypatch):
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    shown = screen(capsys, "docs/examples/smartctl.json", "docs/examples/wear-history.csv")
    assert f"```\n{shown}```\n" in (root / "docs" / "reference" / "fleet.md").read_text()

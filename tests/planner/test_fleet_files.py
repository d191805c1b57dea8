"""What a fleet is written to, and whether the programs that read it accept it."""

import csv
import json
import re
import shutil
import subprocess
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet
import pytest

from models.units import DAY_S
from planner.cli import main
from planner.export.fleet_files import prometheus
from planner.export.fleet_tables import DRIVE_COLUMNS
from planner.forecast.fleet import fleet
from tests import synthetic_fleet as made

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture(scope="module")
def readings(tmp_path_factory):
    """Six drives, one of them with a name that would break formats that do not escape."""
    path = tmp_path_factory.mktemp("files") / "fleet.parquet"
    columns = made.columns(made.made(6, 70, seed=2, truth=False))
    columns["serial"] = columns["serial"].astype("<U20")
    columns["serial"][:70] = '=HYPER"\\1\n"'
    pyarrow.parquet.write_table(pa.table(columns), path)
    return path


@pytest.fixture(scope="module")
def written(readings):
    folder = readings.parent
    names = ["drives.csv", "drives.parquet", "drives.xlsx"]
    for name in names:
        assert main(["fleet", str(readings), "-o", str(folder / name), "--json"]) == 0
    more = ["--prometheus", str(folder / "fleet.prom"), "--mqtt", str(folder / "mqtt.json")]
    assert main(["fleet", str(readings), *more, "--json"]) == 0
    return folder


def test_tables_hold_every_drive_and_no_formula_of_others(written):
    with (written / "drives.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == DRIVE_COLUMNS
    table = pyarrow.parquet.read_table(written / "drives.parquet").to_pylist()
    assert len(rows) == len(table) == 6
    assert sum(row["drive"].startswith("'=") for row in rows) == 1
    for row, other in zip(rows, table, strict=True):
        assert float(row["host_bytes"]) == other["host_bytes"]
        assert row["early"] == other["early"]


def test_sums_of_the_workbook_are_formulas_with_their_values(written):
    formulas, values = (
        openpyxl.load_workbook(written / "drives.xlsx", data_only=cached)["Models"]
        for cached in (False, True)
    )
    table = pyarrow.parquet.read_table(written / "drives.parquet").to_pylist()
    assert formulas["C2"].value.startswith("=SUMIF(Drives!")
    for row in range(2, values.max_row + 1):
        mine = [each for each in table if each["model"] == values.cell(row, 1).value]
        assert values.cell(row, 2).value == len(mine)
        assert values.cell(row, 3).value == pytest.approx(sum(d["host_bytes"] for d in mine))


def test_messages_of_discovery_point_to_their_states(written):
    messages = json.loads((written / "mqtt.json").read_text())
    configured = [payload for topic, payload in messages.items() if topic.endswith("/config")]
    assert len(configured) == 24
    assert len({payload["unique_id"] for payload in configured}) == 24
    for payload in configured:
        key = re.fullmatch(r"\{\{ value_json\.(\w+) \}\}", payload["value_template"])[1]
        assert key in messages[payload["state_topic"]]


def test_the_exposition_has_each_drive_once_for_each_end(written):
    lines = (written / "fleet.prom").read_text().splitlines()
    samples = [line for line in lines if not line.startswith("#")]
    assert len(samples) == len({line.rpartition(" ")[0] for line in samples})
    assert sum(line.startswith("ssd_drive_life_end") for line in samples) == 18
    assert sum('drive="=HYPER\\"\\\\1\\n\\""' in line for line in samples) == 7


def test_the_dashboard_and_the_rules_use_names_that_are_written(readings):
    text = prometheus(fleet([readings], lead_s=56 * DAY_S, now_s=0.0)).decode()
    known = set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))
    for name in ("fleet-alerts.yml", "fleet-dashboard.json"):
        used = set(re.findall(r"\bssd_\w+", (EXAMPLES / name).read_text()))
        assert used
        assert used <= known
    json.loads((EXAMPLES / "fleet-dashboard.json").read_text())


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_promtool_accepts_the_exposition_and_the_rules(written):
    text = (written / "fleet.prom").read_bytes()
    checked = subprocess.run(
        ["promtool", "check", "metrics"], input=text, capture_output=True, check=False
    )
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, b"", b"")
    rules = subprocess.run(
        ["promtool", "check", "rules", str(EXAMPLES / "fleet-alerts.yml")],
        capture_output=True,
        check=False,
    )
    assert rules.returncode == 0, rules.stderr
    assert b"3 rules" in rules.stdout


@pytest.mark.parametrize(
    ("option", "name", "sentence"),
    [
        ("-o", "drives.txt", "--output must end in .csv, .parquet, .xlsx, got 'drives.txt'"),
        ("--prometheus", "nowhere/fleet.prom", "--prometheus"),
    ],
)
def test_a_file_that_cannot_be_written_is_one_sentence(readings, capsys, option, name, sentence):
    assert main(["fleet", str(readings), option, str(readings.parent / name)]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert len(error.splitlines()) == 1

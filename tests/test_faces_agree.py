"""Formula, command line, app and workbook give the same numbers."""

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

import planner as ssd
from models.nomenclature import QUANTITIES
from planner.cli import cli
from planner.quantity.show import shown, text
from tests.app.conftest import tables
from tests.libreoffice import cell
from tests.scenarios import SCENARIOS

APP = Path(__file__).parents[1] / "app.py"


def by_command(scenario) -> dict[str, float]:
    result = CliRunner().invoke(cli, ["plan", *scenario.arguments, "--json"])
    assert result.exit_code == 0, result.output
    answers = json.loads(result.output)["answers"]
    return {key: shown(key, answers[key]) for key in scenario.expected}


@pytest.fixture
def by_app(monkeypatch):
    """The numbers of the part Every number: all digits, as its CSV has them, and what is shown."""
    offered, offer = {}, DeltaGenerator.download_button

    def taken(self, label, data, *more, **named):
        offered[label] = data
        return offer(self, label, data, *more, **named)

    monkeypatch.setattr(DeltaGenerator, "download_button", taken)

    def values(scenario) -> tuple[dict[str, float], dict[str, str]]:
        app = AppTest.from_file(APP, default_timeout=60)
        app.query_params.update(scenario.query | {"part": "Every number"})
        app.session_state["every_number"] = True
        app.run()
        assert not app.exception
        table = csv.DictReader(io.StringIO(offered["Download CSV"]().decode()))
        numbers = {row["quantity"]: row["value"] for row in reversed(list(table))}
        cells = {row["Quantity"]: row["Value"] for each in reversed(tables(app))
                 for row in each.to_dict("records") if "From" in row}  # fmt: skip
        return (
            {key: float(numbers[key]) for key in scenario.expected},
            {key: cells[QUANTITIES[key].label] for key in scenario.expected},
        )

    return values


@pytest.fixture
def by_workbook(recalculate, tmp_path):
    def values(scenario) -> dict[str, float]:
        path = tmp_path / "plan.xlsx"
        result = CliRunner().invoke(cli, ["export", *scenario.arguments, "-o", str(path)])
        assert result.exit_code == 0, result.output
        book = recalculate(path.read_bytes())
        return {key: cell(book, key).value for key in scenario.expected}

    return values


each = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)


@each
def test_the_command_agrees_with_the_formulas(scenario):
    assert by_command(scenario) == pytest.approx(scenario.expected, rel=1e-9)


@each
def test_the_app_agrees_with_the_formulas(scenario, by_app):
    values, cells = by_app(scenario)
    assert values == pytest.approx(scenario.expected, rel=1e-9)
    for key, value in scenario.expected.items():
        assert cells[key] == text(key, value / shown(key, 1.0)), key


@each
def test_the_workbook_agrees_with_the_formulas(scenario, by_workbook):
    assert by_workbook(scenario) == pytest.approx(scenario.expected, rel=1e-9)


@pytest.mark.parametrize(("depth", "at_depth"), [(1, 156.25), (8, 1_250), (64, 5_000)])
def test_the_worst_case_is_that_of_the_test_whatever_the_depth(depth, at_depth, tmp_path):
    """156 were printed at depth 1, where 5,000 were tested, under the same key."""
    given = ["--drive", "845DC PRO 400", "--writes", "100 GB/day", "--depth", str(depth)]
    path = tmp_path / "plan.xlsx"

    def asked(command, *more):
        result = CliRunner().invoke(cli, [command, *given, *more])
        assert result.exit_code == 0, result.output
        return result.output

    plan = ssd.plan("845DC PRO 400", writes="100 GB/day", depth=depth)
    asked("export", "-o", str(path))
    book = openpyxl.load_workbook(io.BytesIO(path.read_bytes()), data_only=True)
    expected = {"worst_case_iops": 5_000, "worst_case_at_depth_iops": at_depth}
    faces = {
        "plan": json.loads(asked("plan", "--json"))["answers"],
        "speed": json.loads(asked("speed", "--json")),
        "script": plan,
        "speed of the script": plan.speed(),
        "workbook": {key: cell(book, key).value for key in expected},
    }
    for name, face in faces.items():
        assert {key: float(face[key]) for key in expected} == pytest.approx(expected), name
    of_twelve = json.loads(asked("array", "--drives", "12", "--raid", "5", "--json"))
    assert of_twelve["worst_case_floor_iops"] == pytest.approx(12 * at_depth)

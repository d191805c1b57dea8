"""Formula, command line, app and workbook give the same numbers."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from planner.cli import cli
from planner.quantity.show import shown
from tests.libreoffice import cell
from tests.scenarios import SCENARIOS

APP = Path(__file__).parents[1] / "app.py"


def by_command(scenario) -> dict[str, float]:
    result = CliRunner().invoke(cli, ["plan", *scenario.arguments, "--json"])
    assert result.exit_code == 0, result.output
    answers = json.loads(result.output)["answers"]
    return {key: shown(key, answers[key]) for key in scenario.expected}


def by_app(scenario) -> dict[str, float]:
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params.update(scenario.query | {"part": "Every number"})
    app.run()
    assert not app.exception
    tables = [element.value for element in app.dataframe]
    every_number = next(table for table in tables if "formula" in table.columns)
    values = every_number.drop_duplicates("quantity").set_index("quantity")["value"]
    return {key: float(values[key]) for key in scenario.expected}


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
def test_the_app_agrees_with_the_formulas(scenario):
    assert by_app(scenario) == pytest.approx(scenario.expected, rel=1e-9)


@each
def test_the_workbook_agrees_with_the_formulas(scenario, by_workbook):
    assert by_workbook(scenario) == pytest.approx(scenario.expected, rel=1e-9)

"""Formula, command line, app and workbook give the same numbers."""

import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from planner.cli import cli
from planner.quantity.show import shown
from tests.libreoffice import cell, recalculated
from tests.scenarios import SCENARIOS

APP = Path(__file__).parents[1] / "app.py"


def by_command(scenario) -> dict[str, float]:
    result = CliRunner().invoke(cli, ["plan", *scenario.arguments, "--json"])
    assert result.exit_code == 0, result.output
    answers = json.loads(result.output)["answers"]
    return {key: shown(key, answers[key]) for key in scenario.expected}


def by_app(scenario) -> dict[str, float]:
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params.update(scenario.query)
    app.run()
    assert not app.exception
    tables = [element.value for element in app.dataframe]
    every_number = next(table for table in tables if "formula" in table.columns)
    values = every_number.drop_duplicates("quantity").set_index("quantity")["value"]
    return {key: float(values[key]) for key in scenario.expected}


def by_workbook(scenario, folder) -> dict[str, float]:
    path = folder / "plan.xlsx"
    result = CliRunner().invoke(cli, ["export", *scenario.arguments, "-o", str(path)])
    assert result.exit_code == 0, result.output
    book = recalculated(path.read_bytes(), folder)
    return {key: cell(book, key).value for key in scenario.expected}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_four_ways_to_one_number(scenario, tmp_path):
    table = pd.DataFrame(
        {
            "formula": scenario.expected,
            "command": by_command(scenario),
            "app": by_app(scenario),
            "workbook": by_workbook(scenario, tmp_path),
        }
    )
    for face in ("command", "app", "workbook"):
        assert table[face].to_dict() == pytest.approx(table["formula"].to_dict(), rel=1e-9), face

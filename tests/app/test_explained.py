"""Behind each figure: its formula, its sources, how far off it was, and a simulation beside it."""

import re

import pytest

from planner.graph.explain import formulas, public_name
from planner.ui.reports import COMPARED, errors, errors_of
from tests.app.conftest import tables

PLANNED = {"drive": "PM9A3 3.84", "writes": "2 TB/day", "drives": 4, "raid": 5}
VERDICT = {"explain Lasts", "explain Worst second", "explain Safe", "explain Cost"}
# Of each part, how many figures beside those of the verdict can be explained.
PARTS = {"Endurance": 5, "Speed": 7, "Array": 13, "Cost": 3}


def explained(app):
    """Keys of the buttons on screen that show what is behind a figure."""
    held = app.session_state._state._state.filtered_state
    return {key for key in held if str(key).startswith("explain ")}


@pytest.mark.parametrize("part", PARTS)
def test_each_figure_can_be_explained(open_app, part):
    app = open_app(**PLANNED, part=part)
    keys = explained(app)
    assert keys >= VERDICT
    assert len(keys - VERDICT) >= PARTS[part]
    for key in keys:
        app.session_state[key] = True
    app.run()
    assert not app.exception
    heads = [statement.value for statement in app.markdown if " = " in statement.value]
    assert len(heads) >= len(keys)
    calls = [code.value for code in app.code]
    assert all(re.match(r"models\.[\w.]+\(", call) for call in calls)
    assert len(calls) >= len(keys) - 2  # a printed fact has a source in the place of a formula
    measured = [table for table in tables(app) if "Mean error" in table.columns]
    assert any("Arrays and data loss" in set(table["Report"]) for table in measured)


def test_the_simulator_stands_beside_what_rests_on_write_amplification(open_app):
    app = open_app(drive="845DC PRO 400", writes="1 TB/day", skew="90/10")
    app.session_state["explain endurance Write amplification"] = True
    app.run()
    app.button(key="simulate endurance Write amplification").click().run()
    assert not app.exception
    simulated = float(app.success[0].value.split()[1])
    (formula,) = (c.value for c in app.caption if "by the formulas" in c.value)
    assert float(formula.split(": ")[1].split()[0]) == pytest.approx(simulated, rel=0.02)


@pytest.mark.parametrize("name", COMPARED)
def test_what_is_said_of_a_formula_stands_in_its_report(name):
    simulators = name.startswith("models.simulator.")
    assert simulators or name in {public_name(formula) for formula in formulas()}
    groups = [errors(topic)[group] for topic, group in COMPARED[name]]
    assert [*errors_of([name]).values()] == [groups]
    assert all(float(error.mean.rstrip("%")) >= 0 for error in groups)

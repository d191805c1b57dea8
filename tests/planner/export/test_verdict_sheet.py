"""The first sheet of a plan's workbook: sentences as exported, words and writes that are live."""

import io

import openpyxl
import pytest

import planner as ssd
from models.units import YEAR_S
from planner.export.workbook.book import workbook
from planner.export.workbook.typed_writes import UNITS, unit_of
from planner.scenario.risk import Risk
from planner.search.verdict import lasts, verdict
from planner.sections.request import plan_of
from tests.libreoffice import cell

DRIVES = (
    "870 EVO 1TB", "PM9A3 1.92TB", "980 PRO 1TB", "845DC PRO 400", "P5800X 400", "7450 MAX 1.6",
    "D5-P5316 15.36TB", "MX500 1TB", "860 PRO 4TB",
)  # fmt: skip
CASES = [("TB/day", 0.8, 7.0), ("MB/s", 60.0, 2.0), ("TB/year", 3.0, 5.0), ("PB/year", 2.0, 1.0)]
LASTS, SAFE, STATE = "LASTS", "SAFE", "These sentences are"


def lines(book):
    """The lines of each plan of the first sheet: label, and the cells beside it."""
    found, rows = [], book["Verdict"].iter_rows(min_row=5, max_col=4, values_only=True)
    for label, *cells in rows:
        if label and not any(cells):
            found.append({})
        elif label:
            found[-1][label] = cells
    return found


@pytest.fixture(scope="module")
def plans():
    return [plan_of(drive, writes="30 GB a day") for drive in DRIVES]


def test_the_sentences_are_those_of_every_face(plans, catalogue, recalculate):
    risk = Risk(horizon_s=3 * YEAR_S, afr_fraction=0.2)
    made = workbook(plans, catalogue, risk=risk)
    for plan, held in zip(plans, lines(recalculate(made)), strict=True):
        expected = verdict(plan, risk.horizon_s, risk)
        assert {line: held[line][2] for line in expected.lines} == expected.lines
        assert held[LASTS][0] == expected.lasts.word
        assert held[SAFE][0] == expected.safe.word
        assert held[STATE][0] == "as exported"


@pytest.mark.parametrize(("unit", "number", "years"), CASES)
def test_lasts_follows_writes_unit_and_years(plans, catalogue, recalculate, unit, number, years):
    made = workbook(plans, catalogue)
    changes = {"writes": number, "writes_unit": unit, "asked_years": years}
    for drive, held in zip(DRIVES, lines(recalculate(made, changes)), strict=True):
        expected = lasts(plan_of(drive, writes=f"{number} {unit}"), years * YEAR_S)
        assert held[LASTS][0] == expected.word, drive
        assert held[STATE][0] == "out of date"
        assert held["COST"][2].startswith("An input was changed")


@pytest.mark.parametrize("typed", ["30 GB a day", "", -5])
def test_no_number_is_an_error_on_the_first_page(plans, catalogue, recalculate, typed):
    made = workbook(plans[:2], catalogue)
    for held in lines(recalculate(made, {"writes": typed})):
        assert held[LASTS][0] == "Error"
        assert "cells of the sheet Plan are in error" in held[STATE][2]


def test_a_wear_that_ends_inside_the_years_is_no_yes(catalogue, recalculate):
    plan = plan_of("980 PRO 1TB", writes="200 GB/day")
    wear = plan.ranges["wear_life_s"]
    made = workbook([plan], catalogue)
    inside = recalculate(made, {"asked_years": 1.01 * wear.low / YEAR_S})
    assert lines(inside)[0][LASTS][0] == "Probably"
    outside = recalculate(made, {"asked_years": 0.99 * wear.low / YEAR_S})
    assert lines(outside)[0][LASTS][0] in ("Yes", "Yes, but")


def test_the_commits_of_an_application_are_judged_as_on_every_face(catalogue):
    planned = ssd.plan("870 EVO 1TB", app="etcd")
    expected = planned.verdict().worst.text
    made = workbook([planned.record], catalogue, application=planned.application)
    held = lines(openpyxl.load_workbook(io.BytesIO(made), data_only=True))
    assert held[0]["WORST SECOND"][2] == expected != verdict(planned.record).worst.text


def test_the_cells_of_the_writes_have_names_and_a_closed_list(catalogue, recalculate):
    plan = plan_of("870 EVO 1TB", writes="0.03 TB/day")
    book = recalculate(workbook([plan], catalogue))
    assert cell(book, "writes").value == pytest.approx(0.03)
    assert cell(book, "writes_unit").value == "TB/day"
    assert lines(book)[0]["Writes"][2] == "As typed: 0.03 TB/day"


@pytest.mark.parametrize(
    ("typed", "unit"),
    [
        ("30 GB a day", "GB/day"), ("2TB/year", "TB/year"), ("50 GiB/day", "GiB/day"),
        ("20 MB/s", "MB/s"), ("0.3 DWPD", "GB/day"), ("32 cameras x 6 Mbit/s", "TB/day"),
        ("2 kB/s", "MB/day"),
    ],
)  # fmt: skip
def test_writes_are_in_the_unit_in_which_they_were_typed(typed, unit):
    assert unit_of(plan_of("870 EVO 1TB", writes=typed).workload) == unit
    assert unit in UNITS

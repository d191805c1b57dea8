"""Default terms of owning: every range is in order, labelled, and where a source says so."""

import csv
import math

import pytest

from models.nomenclature import QUANTITIES
from models.units import KWH, TB
from planner import catalogue
from planner.quantity.units import FACTORS
from planner.scenario.terms import Terms, assumed_terms

with (catalogue.data_folder() / "terms.csv").open(encoding="utf-8", newline="") as lines:
    ROWS = list(csv.DictReader(lines))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["quantity"])
def test_a_row_is_a_range_with_a_ground(row):
    quantity = QUANTITIES[row["quantity"]]
    assert row["unit"] == quantity.shown_in
    low, typical, high = (float(row[level]) for level in ("low", "typical", "high"))
    assert 0 <= low <= typical <= high
    assert row["note"].endswith(".")
    assert row["locator"]
    if row["source_id"] != "assumption":
        assert row["source_id"] in catalogue.load().sources
    else:
        assert row["locator"] == "assumption"


def test_every_term_that_may_be_left_out_has_a_default():
    untold = {name for name, value in vars_of(Terms()).items() if value is None}
    assert untold - {"qos_iops"} == {row["quantity"] for row in ROWS}
    assert len(ROWS) == len(assumed_terms())


def vars_of(terms):
    return {name: getattr(terms, name) for name in terms.__slots__}


def test_values_are_in_base_units():
    terms = assumed_terms()
    assert terms["embodied_kg_per_byte"].high == pytest.approx(160 / TB)
    assert terms["energy_usd_per_j"].typical == pytest.approx(0.15 / KWH)
    assert terms["grid_kg_per_j"].typical == pytest.approx(0.480 / KWH)
    assert FACTORS["kWh"] == KWH


def test_derived_figures_are_what_their_notes_say():
    """Cabinets of 500 to 2,000 USD a month over 480 drives; the middle of 2.91 and 160."""
    terms = assumed_terms()
    slot, making = terms["slot_usd_per_year"], terms["embodied_kg_per_byte"]
    assert (slot.low, slot.high) == (500 * 12 / 480, 2000 * 12 / 480)
    assert math.sqrt(making.low * making.high) * TB == pytest.approx(21.6, abs=0.05)
    price = terms["energy_usd_per_j"]
    assert price.typical == pytest.approx((price.low + price.high) / 2, rel=0.005)
    assert price.high * KWH == pytest.approx(0.20 * 1.08, abs=0.005)


def test_a_term_says_its_range_and_its_ground():
    statement = str(assumed_terms()["pue"])
    assert statement.startswith("Power usage effectiveness: 1.58 (range 1.1 to 2.5). uptime-2023")
    assert "assumption. Half an hour" in str(assumed_terms()["labour_usd"])

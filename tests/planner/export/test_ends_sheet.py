"""Low and high of a plan in a workbook follow its inputs and the ends of what is uncertain."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.export.workbook import moved
from planner.export.workbook.book import workbook
from planner.export.workbook.live import LivePlan
from planner.export.workbook.moved import MovedPlan
from planner.export.workbook.plan_ranges import EndCells, live_ends
from planner.graph.interval import interval
from planner.quantity.show import shown
from planner.sections.ranges import UncertainReading
from planner.sections.request import plan_of
from tests.libreoffice import cell
from tests.planner.export.formulas import FUNCTIONS, Text, Workbook, compiled

RAID_5 = {"drives": "6", "raid": "5"}
BUSY = {"writes": "2 TB/day"}
PLANS = {
    "read beside writes": ("PM893 960", {**BUSY, "reads": "30%"}),
    "array, priced": ("990 PRO 1TB", {**BUSY, **RAID_5, "price": "120"}),
    "growth that ends a life": ("DC500M 480", {**BUSY, "growth": "-20%", "spare": "28%"}),
    "steps and phase-in": (
        "845DC PRO 400", {**BUSY, "step": ["x3 after 1.5 years"], "phase_in": "6 months"},
    ),
    "skewed": ("DC S3700 400", {**BUSY, "skew": "80/20"}),
    "next to nothing copied": ("PM893 960", {**BUSY, "working_set": "3%"}),
    "in sequence, oldest block first": (
        "PM9A3 1.92", {**BUSY, "sequential": "30%", "policy": "fifo", "depth": "4"},
    ),
    "written in place": ("Optane DC P4800X 375", BUSY),
    "of which only the capacity is known": (None, {**BUSY, "capacity": "2 TB"}),
    "no writes": ("870 EVO 1TB", {"writes": "0 GB/day"}),
}  # fmt: skip


@pytest.fixture(scope="module")
def plans():
    return {name: plan_of(drive, **inputs) for name, (drive, inputs) in PLANS.items()}


@pytest.fixture(scope="module")
def books(plans, catalogue):
    """One workbook of all plans, and one of the first alone."""
    of_all = list(plans.values())
    return workbook(of_all, catalogue), workbook(of_all[:1], catalogue)


def beside(book, key, column=1, plans=1):
    """Return low and high of a number."""
    got = cell(book, key if column == 1 else f"{key}_{column}")
    first = got.column + (plans - column) + 3 * (column - 1) + 1
    return [got.parent.cell(got.row, first + place).value for place in range(2)]


def expected(key, each, rel):
    """Return what the cells of low and high hold: nothing where they are one."""
    if not each.is_wide:
        return [None, None]
    ends = (float(shown(key, end)) for end in (each.low, each.high))
    return ["never" if math.isinf(end) else pytest.approx(end, rel=rel) for end in ends]


def ranged(plan):
    """Yield the numbers of a plan on its sheet that are uncertain, with their ranges."""
    live = LivePlan(plan)
    for key in live.keys:
        each = plan.range_of(key)
        if each is not None and each.is_wide and each.typical == live.value(key):
            yield key, each


def test_every_low_and_high_is_that_of_the_plan(plans, books, recalculate):
    found, count = recalculate(books[0]), 0
    for column, (name, plan) in enumerate(plans.items(), start=1):
        for key, each in ranged(plan):
            ends = beside(found, key, column, len(plans))
            assert ends == expected(key, each, 1e-9), (name, key)
            count += 1
    assert count > 300


def test_every_formula_of_an_end_gives_what_its_cell_holds(books):
    for made in books:
        assert not list(Workbook(made).differences())


def live_rows(plan):
    """Return the answers of a plan that are uncertain, and those with live ends."""
    live = LivePlan(plan)
    answers = {key for keys in live.sections.values() for key in keys if live.is_result(key)}
    return {key for key, _ in ranged(plan) if key in answers}, MovedPlan(live).moved.keys()


# Of these the ends stay as exported: the error of write amplification, which has no cell, acts on
# them together with other inputs; and lives of which some ends have no end.
AS_EXPORTED = {"naive_life_s", "background_wa"}
ENDLESS = {"growth that ends a life": {
    "wear_life_s", "low_wear_life_s", "typical_wear_life_s", "high_wear_life_s",
}}  # fmt: skip


def test_ends_are_live_wherever_formulas_are(plans):
    for name, plan in plans.items():
        uncertain, live = live_rows(plan)
        assert uncertain - AS_EXPORTED - ENDLESS.get(name, set()) <= live, name


EDITS = {
    "writes": ({"host_bytes_per_s": 1000.0}, {"writes": "1000 GiB/day"}, ()),
    "spare": ({"partition_fraction": 80.0}, {"spare": "20%"}, ()),
    "price, stated": (
        {"price_usd": 200.0, "price_usd_low": 200.0, "price_usd_high": 200.0}, {"price": "200"}, (),
    ),
    "price, of which the ends move along": (
        {"price_usd": 300.0}, {"price": "300"}, ("price_usd",),
    ),
}  # fmt: skip
EDITED = "PM893 960", {**BUSY, "policy": "fifo", **RAID_5}


def test_edits_give_the_ends_of_a_fresh_plan(catalogue, recalculate_all, tmp_path):
    drive, inputs = EDITED
    plan = plan_of(drive, **inputs)
    made = workbook([plan], catalogue)
    cases = [(made, changes) for changes, _, _ in EDITS.values()]
    for name, found in zip(EDITS, recalculate_all(cases, tmp_path), strict=True):
        _, stated, along = EDITS[name]
        fresh = plan_of(drive, **inputs | stated)
        kept = [item for item in fresh.uncertain.every if item.quantity not in along]
        uncertain = UncertainReading(fresh.reading, [*kept, *scaled(plan, fresh, along)])
        compared = 0
        for key in fresh.reading.graph.answers.keys() & found.defined_names.keys():
            answer, node = fresh.reading[key], fresh.reading.graph.answers[key]
            if answer.key != key or not answer.is_known or not uncertain.counted(node):
                continue
            each = uncertain.range(key, answer.value, [node])
            if key in AS_EXPORTED:
                continue
            assert beside(found, key) == expected(key, each, 1e-6), (name, key)
            compared += 1
        assert compared > 15, name


def scaled(before, after, names):
    """Yield the ranges of some inputs, moved along with their typical values."""
    for item in before.assumed:
        if item.quantity in names:
            factor = after[item.quantity].value / item.typical
            yield replace(
                item, low=item.low * factor, typical=item.typical * factor, high=item.high * factor
            )


def test_an_end_may_be_edited_alone(books, recalculate_all, tmp_path):
    """The error of a life that may be a tenth: where the rating's promise does not bind."""
    case = {"life_error_ratio_low": 0.05}
    before, after = recalculate_all([(books[1], {}), (books[1], case)], tmp_path)
    (first, high), (low, still) = (beside(book, "wear_life_s") for book in (before, after))
    assert low <= first
    assert still >= high * (1 - 1e-9)  # the middle of the error moves with its ends


def test_what_no_formula_follows_is_to_be_exported_again(catalogue, recalculate_all, tmp_path):
    """A value at an end holds while the spare area at that end is as exported, and can be typed."""
    plan = plan_of("PM893 960", **BUSY, fact=["pages_per_block=256"])
    made, factor = workbook([plan], catalogue), "random_wa_policy_factor"
    cases = [{}, {"host_bytes_per_s": 500}, {"raw_bytes": 1100}, {"raw_bytes": 1100, factor: 0.9},
             {"raw_bytes_low": 1000}]  # fmt: skip
    same, busier, late, typed, end = recalculate_all([(made, case) for case in cases], tmp_path)
    key = "workload_wa"
    assert cell(late, key).value == "#N/A"
    assert beside(late, key) == beside(end, key) == ["export again"] * 2
    assert beside(late, "drive_iops") == beside(same, "drive_iops")
    for book in (busier, typed):
        low, high = beside(book, key)
        assert low < cell(book, key).value < high


def test_inputs_beyond_the_most_are_folded_and_said(plans, catalogue, monkeypatch):
    monkeypatch.setattr(moved, "MOST_MOVED", 3)
    plan = plans["array, priced"]
    folding = MovedPlan(LivePlan(plan))
    assert len(folding.inputs) == 3
    made = Workbook(workbook([plan], catalogue))
    assert not list(made.differences())
    heads = [value for value in made.values["Ends"].values() if "olded" in str(value)]
    assert heads
    assert all("Error of the copies" in head for head in heads)
    uncertain, live = live_rows(plan)
    assert uncertain - AS_EXPORTED <= live


KEYS = {  # by scale: a quantity, and numbers of it in base units
    "logarithm": ("wear_life_s", st.floats(1e5, 1e10)),
    "copies": ("workload_wa", st.floats(0.98, 12.0)),
    "logit": ("stall_probability", st.floats(1e-6, 0.999)),
    "linear": ("steady_residual", st.floats(-3.0, 3.0)),
}


def computed(formula, values):
    """Compute a formula from the values of cells."""
    code, _ = compiled(formula[1:])
    return eval(code, FUNCTIONS | {"Text": Text, "at": values.get})  # noqa: S307 - of our own formulas


@pytest.mark.parametrize("scale", KEYS)
@given(data=st.data())
def test_formulas_of_ends_are_the_interval(scale, data):
    """Also of models, the middle of which lies off the number, and where the low end is cut."""
    key, numbers = KEYS[scale]
    least = data.draw(st.sampled_from([-math.inf, 1.0]))
    typical = data.draw(numbers)
    pairs = data.draw(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=5))
    models = data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    cells = [EndCells(f"K{row}", f"L{row}", model) for row, model in enumerate(models, start=1)]
    values = {"C9": float(shown(key, typical))}
    for each, pair in zip(cells, pairs, strict=True):
        values |= {
            cell: float(shown(key, value)) for cell, value in zip(each[:2], pair, strict=True)
        }
    low, high = np.array(pairs).T
    found = interval(typical, at_low=low, at_high=high, is_model=models, scale=scale, least=least)
    ends = [computed(formula, values) for formula in live_ends(key, scale, "C9", cells, least)]
    wanted = [float(shown(key, end)) for end in (found.low, found.high)]
    if math.isclose(*wanted, rel_tol=1e-8):
        return  # one number within rounding: nothing
    assert ends == pytest.approx(wanted, rel=1e-7, abs=1e-12)

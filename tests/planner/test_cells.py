"""Every number of a graph as a cell: texts that equal formulas, and what a sheet says when not."""

import math
import re

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.stats import norm

from models import cost, endurance, failures, growth, write_amplification
from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.catalogue import find
from planner.catalogue.drive import own_drive, with_user_facts
from planner.export.workbook.live import SECTIONS, LivePlan
from planner.graph import cell_growth
from planner.graph.answer import given as stated
from planner.graph.cell_texts import CELLS, NEVER
from planner.graph.cells import Cells, helper_names
from planner.graph.explain import public_name
from planner.graph.nodes import Call, Const, FirstKnown, Graph, Leaf, When
from planner.graph.reading import Reading
from planner.graph.rows import Rows
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.workload import Workload
from planner.sections.plan import plan_drive
from tests.models.test_contracts import FORMULAS, VALID

GROWING = {"limit_bytes": 1e15, "host_bytes_per_s": 1e8, "growth_per_year": 0.2}
CALLS = {formula: VALID[name] for name, formula in FORMULAS.items() if name in VALID}
CALLS |= {growth.growing_lifetime_s: GROWING}
CALLS |= {growth.written_bytes: {"time_s": 1e8, "host_bytes_per_s": 1e8, "growth_per_year": 0.2}}
FOLDS = {  # formulas of all years at once, with what they are given of three years
    cost.by_year: {"cumulative": [-1e-9, 3.0, 2.5]},
    cost.all_years: {"yearly": [1.0, 2.0, 0.5]},
    cost.present_total_usd: {
        "yearly_usd": [100.0, 100.0, 40.0], "discount_factor": [0.962, 0.891, 0.844],
    },
}  # fmt: skip


def choose(test, yes, no):
    return yes if test else no


def largest(*parts):
    return max(np.hstack(parts).tolist())


SHEET = {"IF": choose, "MIN": min, "MAX": largest, "ABS": abs, "EXP": np.exp, "LN": math.log,
         "NA": lambda: math.nan, "INT": math.floor, "ROUNDUP": lambda number, _: math.ceil(number),
         "GCD": lambda *sizes: math.gcd(*map(int, sizes)), "NORMSDIST": norm.cdf, "SUM": np.sum,
         "SUMPRODUCT": lambda *parts: float(np.sum(math.prod(parts))), "FALSE": False,
         "ROW": lambda last: np.arange(1.0, last + 1), "ARRAY": np.array}  # fmt: skip


def evaluate(text, numbers):
    """Evaluate a cell text as a spreadsheet does; the grammar is + - * / ^ and few functions.

    Of a condition both ways are computed, so one of them may divide by zero.
    """
    text = text.format(**{name: f"({name})" for name in numbers})
    return evaluated(text, {name: np.float64(value) for name, value in numbers.items()})


def evaluated(text, numbers):
    text = re.sub(r"ROW\(\$1:\$(\d+)\)", r"ROW(\1)", text)
    assert set(re.findall(r"[A-Z]+", text)) <= {*SHEET, "E"}
    python = re.sub(r"(?<![<>=])=(?!=)", "==", text.replace("^", "**"))
    with np.errstate(all="ignore"):
        return eval(python, {"__builtins__": {}}, SHEET | numbers)  # noqa: S307 - our own texts


class OfYears(list):
    """A row of years, of which a text takes the cell of one year or a run of cells."""

    place = 0

    def __format__(self, run):
        cells = {"": self[self.place], "all": [*self], "upto": self[: self.place + 1],
                 "before": self[: self.place] or [0.0]}[run]  # fmt: skip
        return repr(cells) if run in ("", "upto", "before") else f"ARRAY({cells!r})"


@pytest.mark.parametrize("formula", [each for each in CELLS if each not in FOLDS], ids=public_name)
def test_a_cell_text_gives_what_its_formula_gives(formula):
    wanted = set(re.findall(r"\{(\w+)\}", CELLS[formula]))
    numbers = {key: float(value) for key, value in CALLS[formula].items() if key in wanted}
    result = evaluate(CELLS[formula], numbers)
    assert result == pytest.approx(formula(**numbers), rel=1e-12)


@pytest.mark.parametrize("formula", FOLDS, ids=public_name)
def test_a_text_of_all_years_gives_what_its_formula_gives(formula):
    numbers = FOLDS[formula]
    for place, wanted in enumerate(np.ravel(formula(**numbers)).tolist()):
        rows = {name: OfYears(values) for name, values in numbers.items()}
        for row in rows.values():
            row.place = place
        assert evaluated(CELLS[formula].format(**rows), {}) == pytest.approx(wanted, rel=1e-12)


@given(
    st.floats(0, 300) | st.floats(90, 110), st.floats(0, 30) | st.floats(0, 1e-3),
    st.floats(1e-4, 0.15),
)  # fmt: skip
@example(150.0, 0.2, 0.05)
@example(99.9, 0.2, 0.15)
@example(150.0, 1.4e-3, 0.05)
@example(1000.0, 0.011, 0.15)
def test_the_text_of_replacements_holds_for_any_number_of_lives(lives, failed, spread):
    formula = failures.closed_form_replacements
    numbers = {"lives": lives, "expected_failures": failed, "life_cv": spread}
    got = evaluate(CELLS[formula], numbers)
    assert got == pytest.approx(formula(**numbers), rel=1e-10, abs=1e-10)


@given(st.floats(0.3, 3), st.floats(1e-3, 0.15))
def test_the_texts_of_drives_replaced_in_time_hold_for_any_age(replaced, spread):
    numbers = {"replaced_fraction": replaced, "life_cv": spread}
    for formula in (failures.early_mean_life, failures.early_life_cv):
        assert evaluate(CELLS[formula], numbers) == pytest.approx(formula(**numbers), rel=1e-9)


@given(st.floats(0, 1) | st.floats(0, 1e-5), st.floats(0.01, 100))
@example(5e-324, 0.01)
@example(5e-324, 1.4)
def test_the_text_of_an_annuity_holds_for_any_rate(rate, years):
    numbers = {"npv_usd": 1e4, "discount_rate": rate, "horizon_s": years * YEAR_S}
    got = evaluate(CELLS[cost.equivalent_usd_per_year], numbers)
    assert got == pytest.approx(cost.equivalent_usd_per_year(**numbers), rel=1e-9)


@given(st.floats(0, 0.99) | st.floats(0, 1e-3))
def test_the_text_of_a_failure_rate_holds_for_rare_failures(afr):
    formula = failures.failures_per_s
    got = evaluate(CELLS[formula], {"afr_fraction": afr})
    assert got == pytest.approx(formula(afr), rel=1e-11)


@pytest.mark.parametrize("op_ratio", [1e-3, 0.01, 0.07, 0.28, 1.0, 5.0, 20.0])
def test_the_text_of_uniform_writes_holds_over_the_whole_range(op_ratio):
    formula = write_amplification.fifo
    result = evaluate(CELLS[formula], {"op_ratio": op_ratio})
    assert result == pytest.approx(formula(op_ratio), rel=1e-9)


@pytest.mark.parametrize("growth_per_year", [-0.99, -0.5, -0.1, 0.1])
def test_a_life_is_endless_in_a_cell_where_it_is_in_the_formula(growth_per_year):
    formula, numbers = growth.growing_lifetime_s, GROWING | {"growth_per_year": growth_per_year}
    assert evaluate(NEVER[formula], numbers) is math.isinf(formula(**numbers))


def calculated(text, numbers):
    """Evaluate a text with cells by name; both ways of a condition, so they may divide by zero."""
    text = re.sub(r"(?<![<>=])=(?!=)", "==", text.replace("^", "**").removeprefix("="))
    functions = SHEET | {"LN": np.log}
    with np.errstate(all="ignore"):
        return eval(text, {"__builtins__": {}}, functions | numbers)  # noqa: S307 - as above


@given(
    st.floats(1e12, 1e16), st.sampled_from([0.0, 1e3, 1e8]), st.floats(-0.9, 3) | st.just(0.0),
    st.lists(st.floats(0.01, 5), max_size=3, unique=True).map(sorted), st.floats(0.2, 5),
    st.none() | st.floats(0.01, 3),
)  # fmt: skip
def test_the_cells_of_a_life_under_steps_and_phase_in_give_the_life(
    limit, host, grown, years, factor, phase_in
):
    """Cell after cell as a spreadsheet computes them, beside what is shown at export."""
    values = {"limit_bytes": limit, "host_bytes_per_s": host, "growth_per_year": grown}
    for step, year in enumerate(years, start=1):
        values |= {f"step_{step}_s": year * YEAR_S, f"step_{step}_factor": factor}
    if phase_in is not None:
        values["phase_in_s"] = phase_in * YEAR_S
    assume(years or phase_in is not None)
    life = growth.growing_lifetime_s(
        limit, host_bytes_per_s=host, growth_per_year=grown,
        step_times_s=[year * YEAR_S for year in years], step_factors=[factor] * len(years),
        phase_in_s=(phase_in or 0.0) * YEAR_S,
    )  # fmt: skip
    numbers = {name: np.float64(value) for name, value in values.items()}
    names = cell_growth.helper_names("life", values)
    cells = [f"cell_{place}" for place in range(len(names))]
    refs = {name: name for name in values}
    for cell, text in zip(cells, cell_growth.helpers(refs, cells), strict=True):
        numbers[cell] = np.float64(calculated(text, numbers))
    never, text = cell_growth.life(refs, cells)
    assert bool(calculated(never, numbers)) is math.isinf(life)
    if not math.isinf(life):
        assert calculated(text, numbers) == pytest.approx(life, rel=1e-9)
    clocks = len(years) + (phase_in is not None)  # then Newton's steps, all shown as the last
    shown = dict(zip(cells, cell_growth.cached_values(values, life), strict=True))
    for cell in {*cells[:clocks], cells[-1]}:
        assert numbers[cell] == pytest.approx(shown[cell], rel=1e-9, abs=1e-3), cell


def sheet(answers, values, **options):
    """Return the rows of a graph with the numbers of its leaves, and cells in column C."""
    leaves = {key: stated(key, value, source="user") for key, value in values.items()}
    rows = Rows(Reading(Graph(answers), leaves), list(answers), **options)
    names = [*rows.keys, *(n for key in rows.keys for call in rows.calls(key)
                           for n in helper_names(call))]  # fmt: skip
    return rows, Cells(rows, {name: f"C{place}" for place, name in enumerate(names, start=1)})


TBW, WA = Leaf("rated_bytes"), Leaf("workload_wa")
WORN = Call(
    "wear_limit_bytes",
    endurance.write_limit_bytes,
    {"raw_bytes": Leaf("raw_bytes"), "pe_cycles": Leaf("pe_cycles"), "wa": WA},
)
LIMIT = FirstKnown("host_limit_bytes", (WORN, TBW))


def test_a_way_that_no_fact_opens_is_left_out():
    rows, cells = sheet({"limit": LIMIT}, {"rated_bytes": 1e14})
    assert rows.blanks == ()
    assert rows.row_of == {"limit": "rated_bytes"}
    rows, cells = sheet({"limit": LIMIT, "worn": WORN}, {"rated_bytes": 1e14, "workload_wa": 2.0})
    assert rows.blanks == ("raw_bytes", "pe_cycles")
    at = cells.at
    assert cells.formula("host_limit_bytes") == (
        f"=(IF(ISTEXT({at['wear_limit_bytes']}),({at['rated_bytes']}*1000000000000.0),"
        f"({at['wear_limit_bytes']}*1000000000000.0)))/1000000000000.0"
    )
    assert cells.value("host_limit_bytes") == 100
    assert cells.value("wear_limit_bytes") == "missing: Program/erase cycles, Raw flash"
    assert f'IF({at["raw_bytes"]}="",", Raw flash","")' in cells.formula("wear_limit_bytes")


def test_a_known_way_hides_those_behind_it():
    values = {"rated_bytes": 1e14, "workload_wa": 2.0, "raw_bytes": 1e12, "pe_cycles": 3000.0}
    rows, _ = sheet({"limit": LIMIT}, values)
    assert rows.row_of == {"limit": "wear_limit_bytes"}
    assert "rated_bytes" not in rows.keys


RATED = Call(
    "host_limit_bytes:rated", endurance.tbw_bytes,
    {"dwpd": Leaf("rated_dwpd"), "user_bytes": Leaf("user_bytes"),
     "period_s": Leaf("rating_period_s")},
    "as rated",
)  # fmt: skip
OF_FLASH = Call("host_limit_bytes:worn", WORN.formula, WORN.inputs, "of the flash")
RATING = {"rated_dwpd": 1.0, "user_bytes": 4e11, "rating_period_s": 5 * YEAR_S}
FLASH = {"raw_bytes": 5e11, "pe_cycles": 3000.0, "workload_wa": 2.0}


@pytest.mark.parametrize(
    ("facts", "notes"),
    [
        (RATING, "as rated Otherwise: of the flash"),
        (RATING | FLASH, "of the flash"),  # whatever else is entered
    ],
)
def test_the_way_in_force_is_named_before_those_that_facts_would_open(facts, notes):
    either = FirstKnown("host_limit_bytes", (OF_FLASH, RATED))
    rows, _ = sheet({"limit": either, "worn": WORN}, facts)
    assert rows.note("host_limit_bytes") == notes
    named = [public_name({"as rated": RATED, "of the flash": OF_FLASH}[note].formula)
             for note in notes.split(" Otherwise: ")]  # fmt: skip
    assert [*rows.formulas("host_limit_bytes")] == named


def test_a_condition_on_a_value_stays_a_condition():
    share = Leaf("sequential_fraction")
    node = FirstKnown("random_wa", (When(share, Const("random_wa:one", 1.0), (0.0, 1.0)), WA))
    _, cells = sheet({"wa": node}, {"sequential_fraction": 1.0, "workload_wa": 3.0})
    own, wa = cells.at["sequential_fraction"], cells.at["workload_wa"]
    assert cells.formula("random_wa") == f"=(IF(OR({own}=0.0,{own}=100.0),(1.0),{wa}))"
    assert cells.value("random_wa") == 1


def test_a_formula_without_a_text_enters_as_the_number_that_it_gave():
    node = Call(
        "sequential_credit",
        write_amplification.sequential_credit,
        {
            "op_ratio": Leaf("op_ratio"),
            "sequential_fraction": Leaf("sequential_fraction"),
            "write_shares": Const("write_shares", (1.0,)),
            "page_shares": Const("page_shares", (1.0,)),
        },
    )
    assert node.formula not in CELLS
    values = {"op_ratio": 0.25, "sequential_fraction": 0.5}
    rows, cells = sheet({"credit": node}, values)
    (helper,) = cells.helpers("sequential_credit")
    assert helper.value == rows.value("sequential_credit") == cells.value("sequential_credit")
    assert helper.formula == ""
    text = cells.formula("sequential_credit")
    assert "NA()" in text
    for name in values:
        assert f"{cells.at[name]}" in text


def later_year(values):
    """Return the cells of a later year: what is written by its end, and within it."""
    end = Call("year_end_s", cost.year_end_s,
               {"year": Leaf("year"), "horizon_s": Leaf("horizon_s")})  # fmt: skip
    course = {
        "host_bytes_per_s": Leaf("host_bytes_per_s"),
        "growth_per_year": Const("growth_per_year", 0.0),
    }
    written = Call("yearly_written_bytes", growth.written_bytes, {"time_s": end, **course})
    within = Call("year_bytes", cost.by_year, {"cumulative": written}, axis="year")
    values = {"year": np.arange(1.0, 4.0), "horizon_s": 2.5 * YEAR_S} | values
    rows, cells = sheet({"within": within}, values, shown=["yearly_written_bytes", "year_bytes"])
    runs = {"yearly_written_bytes": "F5", "yearly_written_bytes:upto": "D5:F5",
            "yearly_written_bytes:before": "D5:E5", "yearly_written_bytes:all": "D5:H5",
            "yearly_written_bytes:first": "D5", "year_bytes:first": "D6"}  # fmt: skip
    return Cells(rows, {**cells.at, **runs})


def test_a_row_of_years_refers_to_its_cells_before_in_the_unit_of_the_row():
    cells = later_year({"host_bytes_per_s": 1e6})
    assert cells.formula("year_bytes") == (
        "=((MAX(D5:F5,0)-MAX(D5:E5,0))*1000000000000.0)/1000000000000.0"
    )
    told = [cells.value("year_bytes", place) for place in range(3)]
    assert told == pytest.approx([1e-6 * YEAR_S, 1e-6 * YEAR_S, 0.5e-6 * YEAR_S])


def test_a_later_year_repeats_what_the_first_is_missing():
    cells = later_year({})
    assert cells.formula("year_bytes").startswith("=IF(ISTEXT(F5),D6,")
    assert cells.value("year_bytes", 2) == "missing: Host writes"


def test_helpers_of_an_unknown_life_say_what_is_missing():
    names = ("host_bytes_per_s", "growth_per_year", "phase_in_s")
    life = Call("wear_life_s", growth.growing_lifetime_s,
                {"limit_bytes": TBW, **{name: Leaf(name) for name in names}})  # fmt: skip
    _, cells = sheet({"life": life}, dict(zip(names, (1e8, 0.2, 1e7), strict=True)))
    helpers = cells.helpers("wear_life_s")
    assert len(helpers) > 1
    assert {helper.value for helper in helpers} == {f"missing: {QUANTITIES['rated_bytes'].label}"}


class AnyCell(dict):
    """A sheet on which every number stands in a cell with a long name."""

    def __missing__(self, name):
        return "CZ1000"


STREAMS = Firmware(layout=Layout.STREAMS, accuracy=0.9)
SKEWED = {"write_shares": (0.8, 0.2), "page_shares": (0.2, 0.8)}
FIRMWARES = [Firmware(), STREAMS, *(Firmware(policy=policy) for policy in Policy)]


@pytest.mark.parametrize("firmware", FIRMWARES, ids=str)
@pytest.mark.parametrize("name", ["845DC PRO 400", "860 PRO 4TB", "M500 120", ""])
def test_every_result_of_every_plan_has_a_cell(catalogue, firmware, name):
    drive = find(catalogue, name) if name else own_drive(1e12)
    skewed = SKEWED if firmware.layout is Layout.STREAMS else {}
    workload = Workload(host_bytes_per_s=1e7, sequential_fraction=0.3, **skewed)
    for facts in ({}, {"pages_per_block": 128.0}, {"blocks": 330.0, "reserve": 4.0}):
        own = LivePlan(plan_drive(with_user_facts(drive, **facts), workload, firmware=firmware))
        assert set(own.keys) <= QUANTITIES.keys()
        cells = Cells(own, AnyCell())
        for key in filter(own.is_result, own.keys):
            assert len(cells.formula(key)) < 8192
            assert str(cells.value(key)).startswith("missing: ") is (own.value(key) is None), key


def test_questions_list_the_answers_of_the_plan(pro_400):
    """The names of answers by question are those that the plan itself lists.

    In a queue as deep as in the saturated test its worst case is the fact, of which the row is one
    input: in a shallower one both have the name of the row.
    """
    answer = plan_drive(pro_400, Workload(host_bytes_per_s=1e7, queue_depth=8))
    own = LivePlan(answer)
    assert own.sections == {
        title: [part.key for part in answers] for title, answers in answer.sections.items()
    }
    assert SECTIONS.keys() == answer.sections.keys()

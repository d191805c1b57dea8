"""Every number of a graph as a cell: texts that equal formulas, and what a sheet says when not."""

import math
import re

import pytest

from models import endurance, growth, write_amplification
from models.nomenclature import QUANTITIES
from planner.catalogue import find
from planner.catalogue.drive import own_drive, with_user_facts
from planner.export.workbook.live import SECTIONS, LivePlan
from planner.graph.answer import given
from planner.graph.cell_texts import CELLS, NEVER
from planner.graph.cells import Cells, helper_names
from planner.graph.explain import public_name
from planner.graph.nodes import Call, Const, FirstKnown, Graph, Leaf, When
from planner.graph.reading import Reading
from planner.graph.rows import Rows
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.workload import Workload
from planner.sections.plan import plan
from tests.models.test_contracts import FORMULAS, VALID

GROWING = {"limit_bytes": 1e15, "host_bytes_per_s": 1e8, "growth_per_year": 0.2}
CALLS = {formula: VALID[name] for name, formula in FORMULAS.items() if name in VALID}
CALLS |= {growth.growing_lifetime_s: GROWING}


def choose(test, yes, no):
    return yes if test else no


SHEET = {"IF": choose, "MIN": min, "MAX": max, "ABS": abs, "EXP": math.exp, "LN": math.log,
         "NA": lambda: math.nan, "INT": math.floor, "ROUNDUP": lambda number, _: math.ceil(number),
         "GCD": lambda *sizes: math.gcd(*map(int, sizes))}  # fmt: skip


def evaluate(text, numbers):
    """Evaluate a cell text as a spreadsheet does; the grammar is + - * / ^ and ten functions."""
    text = text.format(**{name: f"({value!r})" for name, value in numbers.items()})
    assert set(re.findall(r"[A-Z]+", text)) <= {*SHEET, "E"}
    python = re.sub(r"(?<![<>=])=(?!=)", "==", text.replace("^", "**"))
    return eval(python, {"__builtins__": {}}, SHEET)  # noqa: S307 - texts of this project alone


@pytest.mark.parametrize("formula", CELLS, ids=public_name)
def test_a_cell_text_gives_what_its_formula_gives(formula):
    wanted = set(re.findall(r"\{(\w+)\}", CELLS[formula]))
    numbers = {key: float(value) for key, value in CALLS[formula].items() if key in wanted}
    result = evaluate(CELLS[formula], numbers)
    assert result == pytest.approx(formula(**numbers), rel=1e-12)


@pytest.mark.parametrize("op_ratio", [1e-3, 0.01, 0.07, 0.28, 1.0, 5.0, 20.0])
def test_the_text_of_uniform_writes_holds_over_the_whole_range(op_ratio):
    formula = write_amplification.fifo
    result = evaluate(CELLS[formula], {"op_ratio": op_ratio})
    assert result == pytest.approx(formula(op_ratio), rel=1e-9)


@pytest.mark.parametrize("growth_per_year", [-0.99, -0.5, -0.1, 0.1])
def test_a_life_is_endless_in_a_cell_where_it_is_in_the_formula(growth_per_year):
    formula, numbers = growth.growing_lifetime_s, GROWING | {"growth_per_year": growth_per_year}
    assert evaluate(NEVER[formula], numbers) is math.isinf(formula(**numbers))


def sheet(answers, values, **options):
    """Return the rows of a graph with the numbers of its leaves, and cells in column C."""
    leaves = {key: given(key, value, source="user") for key, value in values.items()}
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
        own = LivePlan(plan(with_user_facts(drive, **facts), workload, firmware=firmware))
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
    answer = plan(pro_400, Workload(host_bytes_per_s=1e7, queue_depth=8))
    own = LivePlan(answer)
    assert own.sections == {
        title: [part.key for part in answers] for title, answers in answer.sections.items()
    }
    assert SECTIONS.keys() == answer.sections.keys()

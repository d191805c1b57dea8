"""Accepted values of all inputs, at their ends and inside: numbers in order, or one sentence."""

import contextlib
import io
import json
import math
import re
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

import planner as ssd
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.catalogue import load
from planner.cli import main
from planner.cli.plan import print_plan
from planner.export.tables import rows, to_csv
from planner.quantity import input as kinds
from planner.quantity.bounds import ANY, PLAIN_UNITS
from planner.quantity.drive_facts import FACT_BOUNDS
from planner.quantity.inputs import FACTS, INPUTS, PLAN
from planner.quantity.link import from_query
from planner.quantity.units import FACTORS

DRIVES = ("845DC PRO 400", "870 EVO 1TB", "PM9A3 1.92", "P4800X 375", "860 PRO 4TB")
LAYOUTS = (("1", "0"), ("2", "1"), ("3", "5"), ("12", "6"), ("6", "raidz2"), ("1000", "10"),
           ("3", "10"), ("1000000", "0"), ("6", "ec:4+2"))  # fmt: skip
# Their texts are chosen here; skews that no formula knows would run the simulator for minutes.
CHOSEN = {
    "skew": ("field", "uniform"), "keep": ("single", "scratch", "500 single drives"),
    "kind": ("QLC client", "TLC enterprise NVMe 2022"), "as_of": ("1970-01-01", "2199-12-31"),
    "fact": ("dies=1", "uber=1", "mtbf_s=1000 hours", "stored_fraction=0.1%"),
    "client": ("anandtech-heavy-2011",),
}  # fmt: skip
ENDLESS = re.compile(r"\b(nan|inf|infinity|traceback)\b", re.IGNORECASE)
NUMBERS = (kinds.number, kinds.whole, kinds.share, kinds.part, kinds.size, kinds.block, kinds.time,
           kinds.rate, kinds.quantity, kinds.link_rate, kinds.probability)  # fmt: skip


def numbers(bounds):
    """Values that bounds hold, their ends among them."""
    low, high = bounds.least, bounds.most
    inside = st.floats(0, 1).map(
        lambda part: low * (high / low) ** part if low > 0 else low + (high - low) * part**9
    )
    whole = inside.map(lambda value: float(round(value)) if bounds.whole else value)
    ends = st.sampled_from([low, high, *([0.0] if bounds.or_0 else [])])
    return (ends | whole).filter(bounds.holds)


def texts(row):
    """Texts that an input accepts."""
    if row.name in CHOSEN:
        return st.sampled_from(CHOSEN[row.name])
    if row.read in (kinds.choice, kinds.flag):
        return st.sampled_from(row.choices or ("true", "false"))
    if row.read is kinds.step:
        return numbers(row.bounds).map(lambda factor: f"x{factor!r} after 2 years")
    if row.read is kinds.reading:
        return numbers(row.bounds).map(lambda value: f"{value!r}@300GB")
    if row.read is kinds.rate_range:
        return numbers(row.bounds).map(lambda rate: f"0 GB/day..{rate * 86400!r} B/day")
    unit = {"%/year": "%"}.get(row.shown_in, row.shown_in)
    suffix = "" if unit in PLAIN_UNITS or row.read is kinds.whole else f" {unit}"
    is_whole = row.read is kinds.whole
    return numbers(row.bounds).map(
        lambda value: f"{round(value) if is_whole else value / FACTORS[row.shown_in]!r}{suffix}"
    )


NAMES = sorted({*PLAN, *FACTS} - {"drives", "raid", "capacity", "collection", "placement"})
SOME = st.lists(st.sampled_from(NAMES), max_size=8, unique=True).flatmap(
    lambda names: st.fixed_dictionaries({name: texts(INPUTS[name]) for name in names})
)


def shown(plan):
    """Every text that faces make of a plan."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        print_plan(plan.record, INPUTS["years"].value(plan.years), is_all=True, with_maths=True)
    table = to_csv([asdict(row) for row in rows(plan.record, load())]).decode()
    json.loads(plan.to_json(), parse_constant=pytest.fail)
    return {"text": printed.getvalue(), "CSV": table, "JSON": plan.to_json()}


@given(drive=st.sampled_from(DRIVES), layout=st.sampled_from(LAYOUTS), inputs=SOME,
       years=texts(INPUTS["years"]))  # fmt: skip
def test_accepted_values_give_finite_numbers_in_order_or_one_sentence(drive, layout, inputs, years):
    drives, raid = layout
    try:
        plan = ssd.plan(drive, drives=drives, raid=raid, years=years, **inputs)
        faces = shown(plan)
    except DomainError as error:
        said = str(error)
        assert "\n" not in said
        assert not ENDLESS.search(said)
        assert said.split(maxsplit=1)[0] in {*INPUTS, *QUANTITIES}, said
        return
    for face, text in faces.items():
        found = ENDLESS.search(text)
        assert found is None, f"{face}: {text[max(0, found.start() - 80) : found.end()]}"
    for key in plan:
        number = plan[key]
        if not math.isnan(number):
            slack = 1e-9 * abs(number)
            assert number.low <= number + slack, key
            assert number <= number.high + slack, key


@pytest.mark.parametrize("row", [row for row in INPUTS.values() if row.read in NUMBERS],
                         ids=lambda row: row.name)  # fmt: skip
def test_every_number_has_a_lowest_and_a_highest_value(row):
    assert row.bounds != ANY
    assert all(map(math.isfinite, row.bounds[:2]))


def test_every_fact_of_the_catalogue_lies_inside_its_bounds():
    for drive in load().drives.values():
        for name, fact in drive.facts.items():
            if name in FACT_BOUNDS:
                assert FACT_BOUNDS[name].holds(fact.value), f"{drive.name}: {name} {fact.value}"


ABSURD = {
    "writes": "1e20 TB/day", "price": "1e18", "years": "1e9 years", "drives": "1000000001",
    "age": "-3 years", "pe_cycles": "1e99", "raw": "0GiB", "tbw": "1e30TB", "warranty": "1e9",
    "growth": "1e6%", "depth": "1e9", "phase_in": "1e9 years", "step": "x1e9 after 1 year",
    "measured_wa": "1e9@100GB", "rebuild": "1e9 hours", "read_s": "1e9 s", "pages": "1e9",
    "electricity": "1e9", "pue": "1e3", "storage_temperature": "-300", "rate": "EUR=1e30",
}  # fmt: skip


@pytest.mark.parametrize("name", ABSURD)
def test_an_absurd_value_is_refused_by_name_with_what_is_accepted(name):
    row = INPUTS[name]
    with pytest.raises(DomainError) as refused:
        row.every(ABSURD[name]) if row.is_repeatable else row.value(ABSURD[name])
    said = str(refused.value)
    assert said.startswith(f"{name} must be")
    assert said.endswith(f"got '{ABSURD[name]}'")
    assert re.search(r"from|<=", said)
    assert len(from_query({name: [ABSURD[name]]}).refused) == 1


@pytest.mark.parametrize("name", ["writes", "price", "years", "drives", "growth", "raw"])
def test_the_command_refuses_it_by_its_option(name, capsys):
    code = main(["plan", "870 EVO 1TB", INPUTS[name].option, ABSURD[name]])
    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    assert f"{INPUTS[name].option} must be" in said.err


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e308, -1.0])
@pytest.mark.parametrize("name", ["price", "years", "drives", "pe_cycles"])
def test_a_script_refuses_numbers_that_are_none(name, value):
    with pytest.raises(DomainError, match=f"^{name} must be"):
        ssd.plan("870 EVO 1TB", **{name: value})


def test_a_range_is_told_in_the_unit_that_was_typed():
    with pytest.raises(DomainError, match=r"^years must be from 0.365 to 365,000 days, got '1e9 "):
        INPUTS["years"].value("1e9 days")


def test_a_sweep_names_the_points_that_are_refused():
    frame = ssd.sweep("870 EVO 1TB", writes=["30 GB/day", "1e20 TB/day"])
    assert frame["refused"][0] == ""
    assert frame["refused"][1].startswith("writes must be 0 or from")

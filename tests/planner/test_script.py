"""What scripts get from `import planner`: plans, numbers that explain themselves, no surprises."""

import copy
import importlib
import json
import math
import pickle
import pkgutil
import re
import subprocess
import sys

import numpy as np
import openpyxl
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import planner as ssd
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import DAY_S, YEAR_S
from planner.catalogue.priors import Assumption, one_at_a_time
from planner.cli import cli
from planner.graph.answer import walk
from planner.quantity.show import text
from planner.quantity.units import FACTORS, units_of
from planner.scenario.risk import Risk
from planner.sections.array import array_limit
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.datasheet_speed import speed_limit
from planner.sections.request import plan_of
from tests.families import one_per_family

BASES = st.floats(1e-30, 1e30) | st.just(math.inf)
KEYS = st.sampled_from(sorted(QUANTITIES))
TWELVE = {"writes": "4 TB/day", "drives": 12, "raid": 5}


@pytest.fixture(scope="module")
def twelve():
    return ssd.plan("845DC PRO 400", **TWELVE, known_only=True)


@pytest.fixture(scope="module")
def plans():
    """A drive of each family, by known facts alone and with what is assumed of it."""
    return [
        ssd.plan(drive, writes="50 GB/day", known_only=known_only)
        for drive in one_per_family(ssd.drives())
        for known_only in (False, True)
    ]


# Ten questions
def test_how_long_does_this_drive_last():
    plan = ssd.plan("870 EVO 1 TB", writes="30 GB/day")
    tbw = plan["rated_bytes"]
    assert plan.printed == pytest.approx(tbw.base / 30e9 / 365)
    assert (plan.life, plan.life.limit) == (5, "warranty period")
    assert plan.wear.low < plan.wear < plan.wear.high


def test_what_ends_it(twelve):
    assert (twelve.wear, twelve.rating, twelve.warranty) == pytest.approx((44.298, 30, 5), rel=1e-4)
    assert twelve.life == min(twelve.wear, twelve.rating, twelve.warranty)
    assert twelve.endurance == min(twelve.wear, twelve.rating)
    assert (twelve.limit, twelve.endurance.limit) == ("warranty period", "rated TBW")


def test_how_much_can_be_used_at_what_price(twelve):
    assert twelve.usable == 4.4
    assert twelve.price == 12 * 960
    assert twelve.price_per_usable == pytest.approx(12 * 960 / 4.4)


def test_write_amplification_over_spare_area():
    plans = [ssd.plan("840 EVO 250", spare=spare) for spare in (0, 0.07, "20%", 0.28)]
    wa = [plan.wa for plan in plans]
    assert wa == sorted(wa, reverse=True)
    uniform = plans[2]["random_wa"]
    assert uniform == pytest.approx(2.04, abs=0.005)
    assert 1 < wa[2].low < wa[2] < uniform
    assert wa[2] < wa[2].high < 1.1 * uniform
    assert ssd.plan("840 EVO 250", spare=0.2, known_only=True).wa == uniform


def test_why_it_is_that():
    statement = ssd.plan("840 EVO 250").wa.explain()
    assert "models.write_amplification.fifo(op_ratio=" in statement
    assert "Raw flash = 256 GiB   [anandtech-7173" in statement


def test_what_is_not_known_and_what_would_supply_it():
    plan = ssd.plan("M600 128", known_only=True)
    assert plan.lacking["raw_bytes"] == "Raw flash: the data sheet or a teardown"
    assert set(plan.wear.lacking) == {"raw_bytes", "pe_cycles"}
    assert not plan.assumed


def test_what_is_not_known_is_assumed_and_what_would_narrow_it_is_said():
    plan = ssd.plan("M500 120")
    assert not plan.lacking
    assert plan.wear.low < plan.wear < plan.wear.high
    (cycles,) = (reason for reason in plan.wear.assumed if reason.startswith("Program/erase"))
    assert cycles == (
        "Program/erase cycles 1,500 to 5,000 assumed from planar 1x nm (19/16/15 nm) MLC, client, "
        "SATA: state the cycles, or read a SMART log"
    )


@pytest.mark.parametrize("name", ["860 PRO 4TB", "840 EVO 250", "DC S3700 400"])
def test_a_warranted_rating_is_never_lengthened_by_what_is_assumed(name):
    plan = ssd.plan(name, writes="200 GB/day", spare="30%")
    assert plan.rating.base >= 0.999 * plan.printed.base
    if "raw_bytes" not in plan.record.drive.facts or "raw_bytes" in plan.assumed:
        assert plan.rating.base == pytest.approx(plan.printed.base)
        measured = ssd.plan(name, writes="200 GB/day", rating_wa=4, wa=2)
        assert measured.rating.base == pytest.approx(2 * measured.printed.base)


def test_which_drives_last_five_years_whatever_is_assumed(plans):
    assumed = [plan for plan in plans if plan.assumed]
    surely = {plan.drive.name for plan in assumed if plan.endurance.low > 5}
    perhaps = {plan.drive.name for plan in assumed if plan.endurance.high > 5}
    assert surely < perhaps


def test_what_if_writes_grow():
    lives = [
        ssd.plan("845DC PRO 400", writes="1 TB/day", growth=growth).endurance
        for growth in (0, 0.2, 0.5)
    ]
    tbw = 7300
    assert lives[0] == pytest.approx(tbw / 365)
    for growth, life in zip((0.2, 0.5), lives[1:], strict=True):
        rate = math.log1p(growth)
        assert life == pytest.approx(math.log1p(rate * tbw / 365) / rate)


def test_which_layout_leaves_how_much():
    usable = {
        level: ssd.plan("845DC PRO 400", **TWELVE | {"raid": level}).usable for level in (5, 6, 10)
    }
    assert usable == {5: 4.4, 6: 4.0, 10: 2.4}


def test_a_table_of_it_all(twelve):
    table = twelve.to_frame()
    assert table.loc["usable_bytes", ["value", "unit"]].tolist() == [4.4, "TB"]
    assert table.index.is_unique
    assert table.loc["stall_probability", "lacking"].startswith("Stalled share of time:")


# Every family
def test_a_drive_of_each_family_has_a_plan_that_prints_in_two_lines(plans):
    assert {plan.drive.model for plan in plans} == {drive.model for drive in ssd.drives()}
    for plan in plans:
        assert len(repr(plan)) < 400
        assert len(repr(plan).splitlines()) == 2
        assert plan._repr_html_().endswith("</table>")


def test_every_number_is_a_number_or_says_what_it_needs(plans):
    for plan in plans[::5]:
        for number in (plan[key] for key in plan.record.reading.graph.answers):
            assert number.is_known != bool(number.lacking)
            assert number.is_known != repr(number).startswith("unknown; needs ")
            assert not number.is_known or number.low <= number <= number.high


def test_without_assumptions_there_is_no_range(plans):
    for plan in plans:
        is_assumed = bool(plan.assumed)
        assert is_assumed or plan.life.low == plan.life.high or not plan.life.is_known
    assert any(plan.endurance.low < plan.endurance < plan.endurance.high for plan in plans)


def test_points_drawn_from_the_ranges_lie_inside_them(plans):
    """Facts drawn so that nine of ten lie between their ends: so do the answers."""
    rng = np.random.default_rng(13)
    keys = ("wear_life_s", "rated_life_s", "workload_wa", "host_limit_bytes", "low_wear_life_s")
    inside, draws = dict.fromkeys(keys, 0), dict.fromkeys(keys, 0)
    ranged = [plan for plan in plans if plan.assumed][::10]
    for plan in ranged:
        reading, uncertain = plan.record.reading, plan.record.uncertain
        for key in keys:
            counted = uncertain.counted(reading.graph.answers[key])
            facts = {item.quantity: drawn(item, rng) for item in counted}
            (values,) = reading.swept(key, **facts) if facts else (np.nan,)
            number, known = plan[key], np.asarray(values)[~np.isnan(values)]
            if number.is_known and number.low < number.high and known.size > 1:
                low, high = number.between
                inside[key] += np.sum((known >= low) & (known <= high))
                draws[key] += known.size
    for key in keys:
        assert inside[key] / draws[key] > 0.86, key


def drawn(item, rng, count=256):
    """Draw a fact on either side of its typical value, its ends the 5 and the 95 % points."""
    deviations = rng.normal(size=count) / norm.ppf(0.95)
    if item.low > 0:
        below, above = np.log(item.typical / item.low), np.log(item.high / item.typical)
        return item.typical * np.exp(np.where(deviations < 0, below, above) * deviations)
    below, above = item.typical - item.low, item.high - item.typical
    return np.maximum(0, item.typical + np.where(deviations < 0, below, above) * deviations)


@pytest.mark.parametrize("count", [1, 3, 11])
def test_one_range_moves_at_a_time(count):
    names = list(QUANTITIES)[:count]
    ranges = [Assumption(quantity=n, low=0, typical=1, high=2, ground="") for n in names]
    ends = one_at_a_time(ranges)
    cases = np.array(list(ends.values())).T
    assert list(ends) == names
    assert [case[case != 1].tolist() for case in cases] == [[0]] * count + [[2]] * count


# Explanations
def check_calls(number):
    """Run the import that an explanation gives and each of its calls; return how many."""
    steps = [node for node in walk(number.answers).values() if node.formula]
    statement, names = number.explain(), {}
    for line in re.findall(r"^  (import .*)$", statement, re.MULTILINE):
        exec(line, names)
    calls = re.findall(r"^  .*? = (.*?)   .*\n    (models\..*)$", statement, re.MULTILINE)
    for (printed, call), step in zip(calls, steps, strict=True):
        value = eval(call, names)
        np.testing.assert_array_equal(value, step.value)
        assert printed == text(step.key, value)
    return len(calls)


@pytest.mark.parametrize(
    "inputs",
    [
        {"writes": "50 GB/day", "known_only": True},
        {"writes": "4 TB/day", "drives": 12, "raid": 5, "skew": "80/20", "sequential": "30%"},
        {"writes": "1 DWPD", "growth": "20%", "step": ["x1.5 after 2 years"], "collection": "fifo"},
        {"drives": 11, "raid": "ec:8+3", "placement": "streams", "skew": "80/20"},
    ],
    ids=["plain", "skewed", "growing", "assumed"],
)
def test_every_call_that_is_printed_gives_the_number_that_is_printed(inputs):
    plans = [ssd.plan(drive, **inputs) for drive in ssd.drives()[::72]]
    counts = [check_calls(plan[key]) for plan in plans for key in plan.record.reading.graph.answers]
    assert sum(counts) > 20 * len(plans)


def test_an_explanation_names_source_and_place_of_a_fact(twelve):
    fact = twelve.drive.facts["raw_bytes"]
    assert f"[{fact.source_id}, {fact.locator}]" in twelve.wear.explain()
    assert twelve["raw_bytes"].source == f"{fact.source_id}, {fact.locator}"
    assert twelve.wear.source == "models.growth.growing_lifetime_s"


def test_an_explanation_says_what_was_assumed_and_what_the_user_said():
    plan = ssd.plan("M600 128", skew="80/20", pe_cycles=3000)
    statement = plan.wear.explain()
    assert "Raw flash = 128 GiB   [assumption]   # assumed: Raw flash: 128 GiB (range" in statement
    assert "Program/erase cycles = 3,000 cycles   [user]" in statement
    flash, base, own, unit = plan.wear.assumed  # what is a range first
    assert flash.startswith("Raw flash 125.2 to 137 GiB assumed")
    assert base.startswith("Base factor 1 to 1.08 x assumed")
    assert own.startswith("Background rewrites of the capacity 0.5 to 30 1/year assumed")
    assert unit.startswith("Indirection unit 4 KiB assumed")


def test_calls_that_take_records_are_python_too(twelve):
    queue = array_queue(twelve.record)
    loss = data_loss(twelve.record, Risk(rebuild_s=DAY_S))
    for answer in (queue.iops, queue.write_latency_s, loss["array_loss_probability"]):
        number = ssd.Number(answer.value, answer.key, answers=[answer])
        assert check_calls(number) > 5


# Numbers
@given(BASES, KEYS)
def test_a_number_is_in_the_unit_that_it_prints(base, key):
    number = ssd.Number(base, key)
    assert float(number) * FACTORS[number.unit] == pytest.approx(base, rel=1e-15)
    assert number.base == base
    assert repr(number) == text(key, base)
    assert (number.low, number.high) == (number, number)


@given(st.floats(1e-30, 1e30), KEYS)
def test_a_number_goes_to_every_unit_of_its_quantity_and_to_no_other(base, key):
    number = ssd.Number(base, key)
    for unit in units_of(QUANTITIES[key]):
        assert number.to(unit) * FACTORS[unit] == pytest.approx(base, rel=1e-15)
    with pytest.raises(DomainError, match=r"unit must be one of .*, got 'furlongs'"):
        number.to("furlongs")


@given(st.floats(1, 1e30), st.floats(1, 1e30))
def test_arithmetic_gives_plain_floats(one, other):
    a, b = ssd.Number(one, "wear_life_s"), ssd.Number(other, "wear_life_s")
    for result in (a + b, a - b, a * b, a / b, -a, abs(a), a + 1, 2 * a, min(a, b) * 1):
        assert type(result) is float
    assert (a < b) == (one / YEAR_S < other / YEAR_S)
    assert np.array([a, b]).dtype == float
    assert pd.Series([a, b]).sum() == pytest.approx(float(a) + float(b))
    assert json.loads(json.dumps([a])) == [float(a)]


def same(one, other):
    return (
        float(one) == float(other) or not (one.is_known or other.is_known),
        *(
            getattr(one, name) == getattr(other, name)
            for name in ("key", "limit", "lacking", "assumed")
        ),
        repr(one) == repr(other),
        one.explain() == other.explain(),
        one.between == other.between or not one.is_known,
    )


@pytest.mark.parametrize("name", ["M500 120", "845DC PRO 400"])
@pytest.mark.parametrize("key", ["life_s", "wear_life_s", "usable_bytes"])
def test_a_number_and_a_plan_can_be_copied_and_kept(name, key):
    plan = ssd.plan(name, warranty="30 years")
    for number in (plan[key], ssd.plan(name, known_only=True)[key]):
        for again in (copy.copy(number), copy.deepcopy(number), pickle.loads(pickle.dumps(number))):
            assert all(same(number, again))
    assert all(same(plan.life, pickle.loads(pickle.dumps(plan)).life))


def test_an_unknown_number_is_nan_with_its_reason():
    number = ssd.plan("M600 128", known_only=True).wear
    assert math.isnan(number)
    assert not number.is_known
    assert repr(number) == "unknown; needs Program/erase cycles, Raw flash"
    assert not number > 5
    assert math.isnan(number.low)
    assert math.isnan(number.to("days"))
    assert math.isnan(number + 1)


def test_a_number_with_a_range_prints_it():
    number = ssd.Number(2 * YEAR_S, "wear_life_s", between=(YEAR_S, math.inf))
    assert repr(number) == str(number) == f"{number}" == "2 years (1 to unlimited)"
    assert f"{number:.1f}" == "2.0"
    assert (number.low, number.high) == (1, math.inf)


def test_what_never_ends_is_unlimited_and_nothing_limits_it():
    plan = ssd.plan("840 EVO 250", writes="1 GB/day", growth="-80%")
    assert repr(plan.wear) == "unlimited"
    assert (plan.endurance, plan.endurance.limit) == (math.inf, "")


# The facade
def test_the_names_of_the_facade_are_found_and_no_module_takes_their_place():
    for module in pkgutil.walk_packages(importlib.import_module("planner").__path__, "planner."):
        if module.name != "planner.__main__":
            importlib.import_module(module.name)
    assert set(ssd.__all__) <= set(dir(ssd))
    assert ssd.plan("845DC PRO 400", known_only=True).drive == ssd.drive("845DC PRO 400")
    assert not {module.name for module in pkgutil.iter_modules(ssd.__path__)} & set(ssd.__all__)
    with pytest.raises(AttributeError, match="module 'planner' has no attribute 'plane'"):
        ssd.plane  # noqa: B018 - the attribute is what is tried


def test_submodules_imported_first_leave_the_facade_as_it_is():
    code = (
        "import planner.sections.plan, planner.catalogue.drive, planner.script.drives\n"
        "import planner as ssd\n"
        "from planner import *\n"
        "print(ssd.plan('845DC PRO 400').usable, drive('845DC PRO 400').name)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "0.4 TB Samsung 845DC PRO 400 GB\n"


def test_an_unknown_attribute_names_what_there_is(twelve):
    with pytest.raises(AttributeError, match=r"a plan has no 'lives'; it has .*life, limit.*"):
        twelve.lives  # noqa: B018 - the attribute is what is tried
    with pytest.raises(KeyError, match=r"a plan has no 'wear_life'; .*'wear_life_s'"):
        twelve["wear_life"]
    with pytest.raises(KeyError, match="write_shares is a list"):
        ssd.plan("845DC PRO 400", skew="80/20")["write_shares"]
    assert type(twelve).life.__doc__ == QUANTITIES["life_s"].meaning


def test_an_input_or_a_step_is_an_item_too(twelve):
    assert twelve["host_bytes_per_s"].base == pytest.approx(4e12 / DAY_S)
    assert twelve["rated_bytes"].base == twelve.drive.value("rated_bytes")
    assert ssd.plan("845DC PRO 400", rating_wa=3)["rating_wa"] == 3


def test_what_binds_is_said(twelve):
    assert twelve.iops.limit == array_limit(twelve.record.reading)
    assert twelve.drive_iops.limit == str(speed_limit(twelve.record.reading))
    assert twelve.host_limit.limit == "rated TBW"


def test_former_names_are_taken_with_a_warning():
    with pytest.warns(DeprecationWarning, match="partition=75% is now spare=25%") as caught:
        plan = ssd.plan("845DC PRO 400", partition="75%")
    assert plan.usable == 0.3
    assert caught[0].filename == __file__


def test_a_number_of_one_plan_is_an_input_of_another_with_all_its_digits(twelve):
    names = {
        "capacity": "user_bytes", "raw": "raw_bytes", "pe_cycles": "pe_cycles", "wa": "workload_wa",
        "writes": "host_bytes_per_s", "warranty": "wear_life_s", "price": "price_usd",
        "worst_iops": "worst_case_iops", "reads": "read_fraction",
    }  # fmt: skip
    inputs = {name: twelve[key] for name, key in names.items()}
    plan = ssd.plan(**inputs)
    assert plan.warranty == pytest.approx(twelve.wear, rel=1e-14)
    for key in set(names.values()) - {"wear_life_s"}:
        assert plan[key].base == pytest.approx(twelve[key].base, rel=1e-14)


def test_what_is_no_input_or_cannot_be_read_is_refused_by_name():
    with pytest.raises(DomainError, match="wrties is not an input of a plan"):
        ssd.plan("845DC PRO 400", wrties="1 TB/day")
    with pytest.raises(DomainError, match="writes must be a rate such as"):
        ssd.plan("845DC PRO 400", writes="4TB")


def test_a_drive_of_ones_own():
    known = {"capacity": "1.92 TB", "raw": "2048 GiB", "pe_cycles": 3000, "writes": "1 DWPD"}
    plan = ssd.plan(**known, known_only=True)
    assert plan.dwpd == pytest.approx(1)
    assert plan.life.limit == "flash wear"
    assert not ssd.plan(**known).lacking


def test_drives_are_filtered_as_by_the_command():
    names = {drive.name for drive in ssd.drives("845dc", min_capacity="400 GB", nand="MLC")}
    arguments = ["drives", "845dc", "--min-capacity", "400GB", "--nand", "MLC", "--json"]
    statement = json.loads(CliRunner().invoke(cli, arguments).stdout)
    assert names == {row["name"] for row in statement}
    assert len(repr(ssd.drive("845DC PRO 400"))) < 300


# Agreement, and files
def test_script_and_command_agree(twelve):
    arguments = ["plan", "--drive", "845DC PRO 400", "--json"]
    for name, value in TWELVE.items():
        arguments += [f"--{name}", str(value)]
    arguments.append("--known-only")
    statement = json.loads(CliRunner().invoke(cli, arguments).stdout)
    assert json.loads(twelve.to_json()) == statement
    assert twelve.life == pytest.approx(statement["life"]["years"], rel=1e-9)
    assert twelve.life.limit == statement["life"]["limit"]
    compared = 0
    for key, value in statement["answers"].items():
        if value is None:
            assert not twelve[key].is_known
            continue
        assert twelve[key].base == pytest.approx(value, rel=1e-9)
        compared += 1
    assert compared > 20


def test_life_is_what_the_command_prints_for_every_drive(plans):
    for plan in plans:
        years = plan.record.lives.years
        assert plan.life == years or (years is None and not plan.life < math.inf)
        assert plan.limit == str(plan.record.lives.limit or "")
        assert plan.endurance.limit == str(plan.record.lives.endurance_limit or "")


def test_a_workbook_is_written(twelve, tmp_path):
    path = tmp_path / "plan.xlsx"
    twelve.to_excel(path)
    book = openpyxl.load_workbook(path)
    assert book.sheetnames[:2] == ["Verdict", "Plan"]
    assert any(str(cell.value).startswith("=") for row in book["Plan"] for cell in row)


def test_the_record_is_the_plan_of_every_face(twelve):
    record = plan_of("845DC PRO 400", **TWELVE, known_only=True)
    assert twelve.record == record


# Choice and inverse questions
PAIR = ("845DC PRO 400", "845DC EVO 480")
NEEDS = {"usable": "4 TB", "writes": "4 TB/day", "life": "5 years", "years": 5, "max_loss": "1%"}
GRID = {"drives": "2-24", "raid": "5,10", "spare": "0%,28%"}


def said_by(*arguments, **texts):
    options = [
        part for name, text in texts.items() for part in (f"--{name.replace('_', '-')}", text)
    ]
    run = CliRunner().invoke(cli, [*arguments, *map(str, options), "--json"])
    return json.loads(run.stdout)


def named(*drives):
    return [part for name in drives for part in ("--drive", name)]


def test_a_choice_is_that_of_the_command():
    choice = ssd.choose(PAIR, prices={"845DC EVO 480": 333}, **NEEDS, **GRID)
    statement = said_by("choose", *named(*PAIR), "--price", "845DC EVO 480=333", **NEEDS, **GRID)
    table = choice.to_frame()
    assert [plan["drive"] for plan in statement["plans"]] == [
        plan.drive.name for plan in choice.plans
    ]
    assert table["Price of all drives [USD]"].tolist() == [
        p["price_usd"] for p in statement["plans"]
    ]
    assert table["Life by endurance [years]"].to_numpy() * YEAR_S == pytest.approx(
        [plan["life_s"] for plan in statement["plans"]]
    )
    assert choice.best.usable.base == statement["plans"][0]["usable_bytes"]
    assert choice.notes == tuple(statement["notes"])
    assert len(repr(choice)) < 300
    assert len(repr(choice).splitlines()) == 2
    assert "<table" in choice._repr_html_()


def test_a_choice_may_be_of_nothing_and_for_the_cost_of_owning():
    none = ssd.choose(PAIR, usable="4 TB", budget=1, **GRID)
    assert (none.best, none.plans, len(none.to_frame())) == (None, (), 0)
    assert repr(none).startswith("No plan meets every requirement\n")
    owned = ssd.choose(ssd.drives("845DC PRO"), minimise="cost", top=1, usable="4 TB", **GRID)
    assert repr(owned).startswith("Lowest cost of owning, ")
    assert len(owned.plans) == 1


SIZES = [
    ("spare", PAIR[:1], {"writes": "5 TB/day", "life": "5 years"}),
    ("spare", ("M500 120",), {"writes": "5 TB/day", "life": "5 years"}),
    ("spare", PAIR[:1], {"writes": "500 TB/day", "life": "5 years"}),
    ("writes", PAIR[:1], {"years": 5}),
    ("class", PAIR[:1], {"writes": "1 TB/day"}),
    ("drives", PAIR[:1], {"raid": 5, "usable": "4 TB", "floor_iops": 60000}),
    ("price", PAIR, {"writes": "50 GB/day"}),
    ("price", PAIR, {"writes": "50 GB/day", "by": "owned"}),
    ("raw", ("PM1733 960", "PM1735 800"), {"skew": "jesd219"}),
]


@pytest.mark.parametrize(("question", "drives", "inputs"), SIZES, ids=str)
def test_a_size_is_that_of_the_command(question, drives, inputs):
    sized = ssd.size(drives, question, **inputs)
    statement = said_by("size", question, *named(*drives), **inputs)
    value = statement["value"]
    assert sized.value.is_known == (value is not None)
    assert value is None or sized.value.base == pytest.approx(value, rel=1e-9)
    assert sized.limit == (statement["limit"] or "")
    assert list(sized.lacking) == statement["missing"]
    assert len(sized.to_frame()) == len(statement["margins"] or statement["rejected"])
    assert sized.notes == tuple(statement["notes"])
    assert (sized.plan is None) == (statement["drive"] is None)
    assert len(repr(sized)) < 400
    assert [bool(line.strip()) for line in repr(sized).splitlines()] == [True, True]


@pytest.mark.parametrize(
    ("ask", "complaint"),
    [
        (lambda: ssd.size(PAIR, "life"), "question must be one of spare, writes"),
        (lambda: ssd.size(PAIR[0], "price"), "size 'price' compares two drives, got 1"),
        (lambda: ssd.size(PAIR, "writes"), "size 'writes' takes one drive, got 2"),
        (lambda: ssd.size(PAIR[0], "drives", drives=3, usable="1 TB"), "drives is the answer here"),
        (lambda: ssd.size(PAIR, "raw", writes="1 TB/day"), "writes is not an input of size 'raw'"),
        (lambda: ssd.choose(PAIR, usabel="4 TB"), "usabel is not an input of a choice"),
        (lambda: ssd.choose(PAIR, writes="1 DWPD"), "writes in DWPD is of --usable"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused_by_name(ask, complaint):
    with pytest.raises(DomainError, match=complaint):
        ask()


def test_the_years_of_a_plan_are_those_of_its_verdict():
    of_plan = ssd.plan("M500 120", writes="30 GB/day", years=30)
    apart = ssd.plan("M500 120", writes="30 GB/day")
    assert of_plan.verdict().lasts.text == apart.verdict(30).lasts.text
    assert of_plan.verdict().lasts.text != apart.verdict().lasts.text
    line = ["plan", "M500 120", "--writes", "30 GB/day", "--years", "30", "--json"]
    printed = json.loads(CliRunner().invoke(cli, line).stdout)
    assert json.loads(of_plan.to_json())["verdict"] == printed["verdict"]
    with pytest.raises(DomainError, match=r"^years must be"):
        ssd.plan("M500 120", writes="30 GB/day", years="soon")

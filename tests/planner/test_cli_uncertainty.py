"""The command `uncertainty`: the planner's numbers, its tables for people, and its complaints."""

import json

import pytest

from models.units import DAY_S, GIB, YEAR_S
from planner.catalogue import find, load
from planner.cli import main
from planner.scenario.workload import Workload
from planner.search.uncertainty import (
    LIFE,
    least_regret,
    life_shortfall_s,
    lognormal,
    low_mid_high,
    sobol_shares,
    tornado,
    uncertainty,
    usd_per_service_year,
)
from planner.search.uncertainty.distributions import assumed
from planner.search.uncertainty.inputs import assumed_inputs, is_fact
from planner.sections.plan import plan_drive
from planner.sections.request import plan_of

EVO = ["uncertainty", "--drive", "840 EVO 250", "--writes", "50 GiB/day", "--known-only"]
TWO = [*EVO, "--uncertain", "writes=30..50..90 GiB/day",
       "--uncertain", "pe_cycles=900..1129..1500"]  # fmt: skip
RATE = GIB / DAY_S


def planned(name="840 EVO 250"):
    return plan_drive(find(load(), name), Workload(host_bytes_per_s=50 * RATE))


def told(capsys, *arguments):
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_machines_get_what_the_planner_says(capsys):
    got = told(capsys, *TWO, "--correlate", "writes,pe_cycles=0.3", "--seed", "5", "--years", "3",
               "--samples", "256", "--iops", "90000", "--of", "drive_iops")  # fmt: skip
    inputs = {"host_bytes_per_s": low_mid_high(30 * RATE, 50 * RATE, 90 * RATE),
              "pe_cycles": low_mid_high(900, 1129, 1500)}  # fmt: skip
    tied = {("host_bytes_per_s", "pe_cycles"): 0.3}
    known = uncertainty(planned(), inputs, samples=256, seed=5, correlations=tied)
    chance = known.chance(LIFE, at_least=3 * YEAR_S)
    assert got["life_at_least"] == {"seconds": 3 * YEAR_S, "probability": chance.value,
                                    "standard_error": chance.error}  # fmt: skip
    assert (got["iops_at_least"]["iops"], got["iops_at_least"]["probability"]) == (90_000, 0)
    spread = known.spread(LIFE)
    assert got["quantiles"][LIFE] == {
        f"p{percent}": {"value": spread.quantiles[q], "standard_error": spread.errors[q]}
        for percent, q in (("05", 0.05), ("10", 0.1), ("50", 0.5), ("90", 0.9), ("95", 0.95))
    }
    assert got["quantiles"]["drive_iops"]["p50"]["value"] == planned().nodes["drive_iops"].value
    lacking = known.spread("rated_life_s").lacking
    assert got["quantiles"]["rated_life_s"] == {"lacking": list(lacking)}
    assert got["first_limit"] == {str(limit): share for limit, share in known.binding.items()}
    assert [row["input"] for row in got["tornado"]] == [item.name for item in tornado(known)]
    assert got["sobol"] == [
        {"input": item.name, "first": item.first, "total": item.total}
        for item in sobol_shares(known)
    ]
    assert got["inputs"]["pe_cycles"]["p90"] == pytest.approx(1500)


def test_people_get_the_probability_the_points_and_what_matters(capsys):
    assert main([*TWO, "--iops", "20000"]) == 0
    out = capsys.readouterr().out
    for statement in (
        "Life by endurance is at least 5 years with a probability of 10.",
        "The IOPS budget is at least 20,000 with a probability of 100.0 %",
        "What ends it first: flash wear",
        "30 GiB/day  50 GiB/day    90 GiB/day",
        "4.629 years  1.543 years  82 %",
        "1,024 points in each of 4 scrambled Sobol sequences, seed 0.",
    ):
        assert statement in out


@pytest.mark.parametrize(
    ("names", "objective", "make"),
    [
        (("840 EVO 250", "840 EVO 500"), "usd_per_service_year", usd_per_service_year),
        (("MX500 250 GB", "MX500 2 TB"), "life_shortfall_s", life_shortfall_s),
    ],
)
def test_of_several_drives_the_least_regretted_is_first(capsys, names, objective, make):
    drives = [part for name in names for part in ("--drive", name)]
    asked = ["uncertainty", *drives, "--writes", "50 GiB/day", "--years", "6", "--known-only",
             "--uncertain", "writes=lognormal(50 GiB/day, 0.5)"]  # fmt: skip
    got = told(capsys, *asked)["least_regret"]
    shared = {"host_bytes_per_s": lognormal(50 * RATE, sigma=0.5)}
    found = least_regret([planned(name) for name in names], shared, make(6 * YEAR_S))
    assert got["objective"] == objective
    assert [row["drive"] for row in got["plans"]] == [item.plan.drive.name for item in found]
    assert [row["expected_regret"] for row in got["plans"]] == [item.expected for item in found]
    assert main(asked) == 0
    out = capsys.readouterr().out
    assert "Regret [" in out
    assert out.rindex(found[0].plan.drive.name) < out.rindex(found[1].plan.drive.name)


def test_a_choice_that_lacks_facts_names_them(capsys):
    asked = ["uncertainty", "--drive", "840 EVO 250", "--drive", "DC S3700 400",
             "--writes", "50 GiB/day", "--known-only",
             "--uncertain", "fill=60%..80%..95%"]  # fmt: skip
    assert told(capsys, *asked)["least_regret"]["objective"] is None
    assert main(asked) == 0
    assert "No choice: missing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "statement"),
    [
        (EVO, "--uncertain must name an input"),
        ([*EVO, "--uncertain", "pe_cycles=9..1"], "--uncertain pe_cycles must be LOW..MID..HIGH"),
        (
            [*EVO, "--uncertain", "fill=70..80..120%"],
            "--uncertain fill_fraction must be > 0 and <= 1",
        ),
        ([*TWO, "--uncertain", "pe-cycles=5"], "--uncertain pe_cycles must be given once"),
        ([*TWO, "--correlate", "writes=1"], "--correlate a correlation must be NAME,NAME=NUMBER"),
        ([*TWO, "--correlate", "writes,fill=0.1"], "fill_fraction must be uncertain"),
        ([*TWO, "--correlate", "writes,pe_cycles=2"], "correlations must be in (-1, 1), got 2"),
        ([*TWO, "--samples", "1000"], "--samples must be a power of two from 64 to 65536, got"),
        ([*TWO, "--seed", "-1"], "--seed must be a whole number from 0 to 1,000,000,000, got '-1'"),
        ([*TWO, "--years", "0"], "--years must be from 0.001 to 1000 years, got '0'"),
        ([*TWO, "--iops", "none"], "--iops must be a number"),
        ([*TWO, "--of", "colour"], "colour must be a number of a plan"),
        ([*TWO, "--drive", "840 EVO 500"], "--uncertain pe_cycles describes one drive"),
        ([*EVO, "--uncertain", "raw=100..200..300GiB"], "--raw must be >= --capacity"),
    ],
)
def test_complaints_name_the_option_and_what_it_accepts(capsys, arguments, statement):
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert statement in line


KIND = ["uncertainty", "--drive", "PM893 960", "--writes", "2 TB/day", "--samples", "128"]


def test_what_is_assumed_is_drawn_from_its_range(capsys):
    got, alone = told(capsys, *KIND), plan_of("PM893 960", writes="2 TB/day")
    cycles = got["inputs"]["pe_cycles"]
    assert cycles["assumed"].startswith("Program/erase cycles ")
    assert cycles["p50"] == pytest.approx(alone.nodes["pe_cycles"].value)
    for key in ("wear_life_s", "workload_wa", "rated_life_s"):
        each, drawn = alone.ranges[key], got["quantiles"][key]
        ends = [drawn[name]["value"] for name in ("p05", "p50", "p95")]
        assert ends == sorted(ends)
        assert (ends[0], ends[2]) == pytest.approx((each.low, each.high), rel=0.25)
    assert got["quantiles"]["wear_life_s"]["p05"] != got["quantiles"]["wear_life_s"]["p95"]
    assert got["quantiles"]["rated_life_s"]["p05"] == got["quantiles"]["rated_life_s"]["p95"]
    assert "pe_cycles" in {row["input"] for row in got["tornado"]}


@pytest.mark.parametrize(
    ("drive", "quantity"),
    [
        ("P3 1TB", "map_read_fraction"),  # may be 0
        ("Pascari D205V 122.88", "unit_bytes"),  # a power of two
        ("SSD 710 200", "rating_period_s"),  # which tells its class
    ],
)
def test_an_unknown_fact_of_any_kind_is_drawn(capsys, drive, quantity):
    arguments = ["--drive", drive, "--writes", "20GB/day", "--size", "128KiB", "--samples", "64"]
    assert main(["uncertainty", *arguments, "--json"]) == 0
    assert quantity in capsys.readouterr().out


def test_what_is_stated_is_drawn_as_stated(capsys):
    got = told(capsys, *KIND, "--uncertain", "pe_cycles=4000..5000..6000")["inputs"]
    assert (got["pe_cycles"]["p10"], got["pe_cycles"]["assumed"]) == (pytest.approx(4000), None)
    assert got["raw_bytes"]["assumed"]
    typical = told(capsys, *KIND, "--assumed", "--uncertain", "writes=1..2..3 TB/day")["inputs"]
    assert set(typical) == {"host_bytes_per_s"}


def test_drives_are_compared_under_what_is_assumed_of_each_and_one_pattern_of_writes(capsys):
    names = ("MX500 250 GB", "MX500 2 TB")
    drives = [part for name in names for part in ("--drive", name)]
    asked = ["uncertainty", *drives, "--writes", "200 GB/day", "--years", "9", "--samples", "256"]
    got = told(capsys, *asked)["least_regret"]
    answers = [plan_of(name, writes="200 GB/day") for name in names]
    ranges = [assumed_inputs(answer) for answer in answers]
    assert all(is_fact(name) for own in ranges for name in own.keys() - {"field_copy_ratio"})
    copying = {"field_copy_ratio": ranges[0]["field_copy_ratio"]}
    facts = [{name: own[name] for name in own.keys() - copying.keys()} for own in ranges]
    ranked = least_regret(
        answers, copying, usd_per_service_year(9 * YEAR_S), own=facts, samples=256
    )
    assert [row["drive"] for row in got["plans"]] == [item.plan.drive.name for item in ranked]
    assert [row["expected_regret"] for row in got["plans"]] == [item.expected for item in ranked]


def test_the_same_drive_twice_is_not_regretted_for_the_writes():
    answer = plan_of("845DC PRO 400", writes="5 TB/day", price="960")
    own = assumed_inputs(answer)
    assert set(own) >= {"field_copy_ratio", "background_rewrites_per_s", "life_error_ratio"}
    twice = least_regret([answer] * 2, {}, life_shortfall_s(20 * YEAR_S), own=[own] * 2)
    assert twice[0].mean > 0
    assert [item.expected for item in twice] == [0, 0]


def test_people_read_why_an_input_is_wide(capsys):
    assert main(KIND) == 0
    assert "state the cycles, or read a SMART log" in capsys.readouterr().out


@pytest.mark.parametrize("ends", [(1, 2, 8), (2, 2, 8), (1, 8, 8), (0, 0, 0.1), (0, 1, 3)])
def test_an_assumed_range_is_never_left(ends):
    low, typical, high = ends
    known = assumed(low, typical, high)
    values = [known.at(chance) for chance in (0, 1e-9, 0.2, 0.5, 0.8, 1 - 1e-9, 1)]
    assert values == sorted(values)
    assert (values[0], values[3], values[-1]) == pytest.approx(ends)

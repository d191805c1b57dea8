"""Ratings of one drive for several workloads: which holds for a plan, and between two of them."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from models.rating import rating_between_bytes
from models.units import KIB
from planner.catalogue import find, load
from planner.catalogue.rated import jedec_bytes, rated_workloads
from planner.cli import cli
from planner.scenario.skew import JESD219
from planner.scenario.workload import Workload
from planner.search.verdict import lasts
from planner.search.warranted import printed
from planner.sections.rating import rating_pair
from planner.sections.request import plan_of
from tests.published import Printed

PM853T = "PM853T 240"
RANDOM, STREAMED = 0.3 * 240e9 * 3 * 365, 1.6 * 240e9 * 3 * 365  # bytes over three years


def rated(drive=PM853T, **texts):
    return plan_of(drive, **{"writes": "1DWPD"} | texts)["rated_limit_bytes"].value


@pytest.mark.parametrize("texts", [{}, {"known_only": True}, {"size": "4KiB", "skew": "uniform"}])
def test_random_and_sequential_writes_have_the_ratings_printed_for_them(texts):
    assert rated(**texts) == pytest.approx(RANDOM, rel=1e-12)
    assert rated(**texts, sequential="100%") == pytest.approx(STREAMED, rel=1e-12)


def test_a_share_of_each_uses_up_its_own_rating():
    """Write amplification of the mix comes of the simulator, of the ends of the formulas."""
    got = plan_of(PM853T, writes="1DWPD", skew="uniform", sequential="50%", size="4KiB")
    wa, uniform, streamed = (
        plan_of(PM853T, writes="1DWPD", skew="uniform", sequential=share)["workload_wa"].value
        for share in ("50%", "0%", "100%")
    )
    random = (wa - streamed) / (uniform - streamed)
    expected = 1 / (random / RANDOM + (1 - random) / STREAMED)
    assert got["rated_limit_bytes"].value == pytest.approx(expected, rel=1e-9)


def test_what_lies_between_follows_the_share_and_the_spare_area():
    shares = [rated(skew="uniform", sequential=f"{share}%") for share in (0, 20, 50, 80, 100)]
    assert shares == sorted(shares)
    assert RANDOM < shares[1] < shares[3] < STREAMED
    spare = [rated(skew="uniform", spare=f"{share}%") for share in (0, 10, 30, 60)]
    assert spare == sorted(spare)
    assert spare[-1] <= STREAMED


SIZES = st.floats(1e12, 1e16)
FACTORS = st.floats(1.0, 20.0)


@settings(max_examples=200)
@given(
    harder=SIZES, over=FACTORS, was=st.tuples(FACTORS, FACTORS), wa=st.lists(FACTORS, min_size=2)
)
def test_the_rating_is_monotone_and_never_beyond_the_two(harder, over, was, wa):
    milder = harder * over
    found = [
        rating_between_bytes(
            each, harder_rated_bytes=harder, harder_wa=max(was), milder_rated_bytes=milder,
            milder_wa=min(was),
        )
        for each in sorted(wa)
    ]  # fmt: skip
    assert all(one >= other * (1 - 1e-12) for one, other in pairwise(found))
    assert harder <= min(found) <= max(found) <= milder


def test_equal_budgets_make_it_the_budget_over_the_write_amplification():
    got = rating_between_bytes(
        2.5, harder_rated_bytes=100e12, harder_wa=4.0, milder_rated_bytes=400e12, milder_wa=1.0
    )
    assert got == pytest.approx(400e12 / 2.5)


def test_a_milder_rating_below_the_harder_one_is_refused():
    with pytest.raises(ValueError, match="milder_rated_bytes must be at least harder_rated_bytes"):
        rating_between_bytes(
            2.0, harder_rated_bytes=2e12, harder_wa=3.0, milder_rated_bytes=1e12, milder_wa=1.0
        )


# DWPD as printed for the mean size of a mix of 16 and 4 KiB, or a size of its own.
@pytest.mark.parametrize(
    ("size", "dwpd"),
    [("4KiB", "0.25"), ("8KiB", "0.50"), ("10KiB", "0.60"), ("16KiB", "1.00"), ("1MiB", "1.00")],
)
def test_each_printed_size_of_a_large_unit_has_its_own_rating(size, dwpd):
    for texts in ({}, {"known_only": True}):
        plan = plan_of("6550 ION 61.44", writes="0.3DWPD", size=size, **texts)
        assert Printed(dwpd).admits(plan["rated_dwpd"].value)


def test_sizes_between_two_ratings_lie_between_them():
    found = [rated("6550 ION 61.44", size=f"{kib} KiB") for kib in (4, 5, 6, 7, 8)]
    assert found == sorted(found)
    by_units = 1 / ((1 / 3) / found[0] + (2 / 3) / found[-1])  # 6 KiB touch 2.67 times as much
    assert found[2] == pytest.approx(by_units, rel=1e-9)


def test_writes_smaller_than_any_rating_use_it_up_faster():
    assert rated("6550 ION 61.44", size="512 B") == pytest.approx(
        rated("6550 ION 61.44", size="4 KiB") / 8, rel=1e-9
    )


def test_jesd219_beside_another_rating():
    """The rating of its own workload; of random writes where no other one is for them."""
    drive = find(load(), "6550 ION 61.44")
    own = Workload(host_bytes_per_s=1e6, write_shares=JESD219[0], page_shares=JESD219[1])
    assert rating_pair(drive, own).harder.name == "JESD219A"
    ratings = {one.name: one.fact for one in rated_workloads(drive)}
    only = replace(
        drive, facts={**drive.facts, "rated_dwpd": ratings["JESD219A"]},
        passed_over={"rated_dwpd": (ratings["128 KiB sequential writes"],)},
    )  # fmt: skip
    pair = rating_pair(only, Workload(host_bytes_per_s=1e6, sequential_fraction=0.3))
    assert (pair.harder.name, pair.milder.name) == ("JESD219A", "128 KiB sequential writes")
    assert pair.harder.transfer_bytes == jedec_bytes() == pytest.approx(7.635 * KIB)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"sequential": "100%", "size": "64KiB"}, "(1.6 DWPD under 64 KB sequential writes)"),
        ({}, "(0.3 DWPD under 4 KB random writes)"),
        ({"sequential": "50%"}, "(between 0.3 DWPD under 4 KB random writes and 1.6 DWPD under"),
    ],
)
def test_the_verdict_names_the_rating_that_it_uses(texts, words):
    plan = plan_of(PM853T, writes="1.6DWPD", **texts)
    assert words in lasts(plan, 3 * 365 * 86400).text


def test_a_stated_rating_is_the_only_one():
    assert rated(tbw="500TB", sequential="100%") == pytest.approx(500e12)


def test_a_choice_takes_the_rating_that_covers_the_writes_and_loses_none():
    drive = find(load(), PM853T)
    for share, dwpd in ((0.0, 0.3), (0.5, 0.3), (1.0, 1.6)):
        writes = Workload(host_bytes_per_s=1e6, sequential_fraction=share)
        rated_for = printed(drive, writes)
        kept = {rated_for.facts["rated_dwpd"], *rated_for.passed_over["rated_dwpd"]}
        assert rated_for.value("rated_dwpd") == dwpd
        assert kept == {drive.facts["rated_dwpd"], *drive.passed_over["rated_dwpd"]}


def test_the_list_of_drives_shows_every_rating():
    table = CliRunner().invoke(cli, ["drives", PM853T]).output
    assert "0.3 DWPD (4 KB random writes), 1.6 DWPD (64 KB sequential writes)" in table
    (drive,) = json.loads(CliRunner().invoke(cli, ["drives", PM853T, "--json"]).output)
    conditions = [fact["condition"] for fact in drive["passed_over"]["rated_dwpd"]]
    assert conditions == ["64 KB sequential writes"]


def test_a_class_is_sized_for_writes_of_a_drive_with_two_ratings():
    result = CliRunner().invoke(
        cli, ["size", "class", "--drive", PM853T, "--writes", "1DWPD", "--sequential", "100%",
              "--years", "3"],
    )  # fmt: skip
    assert result.exit_code == 0
    assert "1 DWPD" in result.output

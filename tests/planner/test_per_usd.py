"""IOPS, bandwidth and rated bytes per USD, where drives are compared."""

import json
import re

import pytest
from click.testing import CliRunner

from planner.cli import cli
from planner.export.comparison import compared, comparison, judged
from planner.scenario.risk import Risk
from planner.sections.request import plan_of

YEARS = 5 * 365 * 86400


@pytest.fixture(scope="module")
def plans():
    priced = {"870 EVO 1TB": 100.0, "990 PRO 1TB": 250.0}
    return [plan_of(name, writes="50 GB/day", price=price) for name, price in priced.items()]


def test_a_stated_price_gives_the_rate_over_it(plans):
    for plan, price in zip(plans, (100.0, 250.0), strict=True):
        assert plan["iops_per_usd"].value == pytest.approx(plan["budget_iops"].value / price)
        moved = plan["drive_throughput_bytes_per_s"].value
        assert plan["throughput_bytes_per_s_per_usd"].value == pytest.approx(moved / price)
        assert plan["written_bytes_per_usd"].value == pytest.approx(600e12 / price)
        between = plan.range_of("iops_per_usd")
        iops = plan.range_of("budget_iops")
        assert between.low == pytest.approx(iops.low / price)
        assert between.high == pytest.approx(iops.high / price)


def test_an_array_divides_its_own_iops_by_the_price_of_all_drives():
    one, four = (
        plan_of("870 EVO 1TB", price=100.0, drives=drives, raid=raid, reads="100%")
        for drives, raid in ((1, None), (4, "raid0"))
    )
    assert four["iops_per_usd"].value == pytest.approx(one["iops_per_usd"].value, rel=1e-6)


def test_the_range_of_a_price_widens_it():
    plan = plan_of("870 EVO 1TB")
    price, bought = plan.range_of("total_price_usd"), plan.range_of("written_bytes_per_usd")
    assert bought.low == pytest.approx(600e12 / price.high, rel=1e-6)
    assert bought.high == pytest.approx(600e12 / price.low, rel=1e-6)


def test_compare_has_the_rows_and_names_the_most(plans):
    rows = {row.label: row for row in compared(plans, Risk(horizon_s=YEARS))}
    best = max(range(2), key=lambda place: plans[place]["iops_per_usd"].value)
    assert rows["IOPS per USD"].best == (best,)
    assert rows["Rated TB written per USD"].best == (0,)
    assert "MB/s per USD" in {row["Quantity"] for row in comparison(plans)}
    (sentence,) = judged(plans, YEARS)
    assert f"Most IOPS per USD: {plans[best].drive.name}" in sentence


def test_the_list_of_drives_has_them_over_the_range_of_the_price():
    (drive,) = json.loads(CliRunner().invoke(cli, ["drives", "845DC PRO 400", "--json"]).output)
    price, bought = drive["price"], drive["per_usd"]
    for key in ("random_read_iops", "steady_write_iops"):
        value = drive["facts"][key]["value"]
        assert bought[key]["typical"] == pytest.approx(value / price["typical"])
        assert bought[key]["low"] == pytest.approx(value / price["high"])
    assert bought["rated_bytes"]["high"] == pytest.approx(7300e12 / price["low"])
    table = CliRunner().invoke(cli, ["drives", "845DC PRO 400"]).output
    assert re.search(r"Rated TB per USD", table)


def test_choose_ranks_beside_it():
    done = CliRunner().invoke(
        cli, ["choose", "--usable", "400GB", "--drive", "845DC PRO 400", "--writes", "1TB/day",
              "--raid", "1", "--all"],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "IOPS per USD" in done.output

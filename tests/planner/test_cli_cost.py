"""The command `cost`: its terms arrive, its table adds up, and its complaints name the option."""

import csv
import json
import math

import pytest

from models.units import KWH, TB, YEAR_S
from planner.catalogue import data_folder
from planner.cli import main

PRO = [
    "cost", "--drive", "845DC PRO 400", "--price", "960", "--rate", "EUR=1.08", "--writes",
    "4TB/day", "--drives", "12", "--raid", "5",
]  # fmt: skip
TERMS = {
    "--discount-rate": ("8%", "discount_rate", 0.08),
    "--electricity": ("0.2", "energy_usd_per_j", 0.2 / KWH),
    "--pue": ("1.4", "pue", 1.4),
    "--slot": ("30", "slot_usd_per_year", 30.0),
    "--labour": ("80", "labour_usd", 80.0),
    "--shelf": ("2", "spare_drives", 2.0),
    "--residual": ("10%", "residual_fraction", 0.1),
    "--qos-iops": ("20000", "qos_iops", 2e4),
    "--embodied": ("3:20:160", "embodied_kg_per_byte", [3 / TB, 20 / TB, 160 / TB]),
    "--grid": ("56:480:713", "grid_kg_per_j", [0.056 / KWH, 0.48 / KWH, 0.713 / KWH]),
    "--currency": ("EUR", "currency", "EUR"),
    "--years": ("4.5", "horizon_s", 4.5 * YEAR_S),
}


def told(capsys, *arguments):
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_option_reaches_its_term(capsys):
    options = [part for option, (written, *_) in TERMS.items() for part in (option, written)]
    got = told(capsys, *PRO, *options)
    for _, name, value in TERMS.values():
        assert got["terms"][name] == (
            value if isinstance(value, str) else pytest.approx(value, rel=1e-12)
        )
    assert not got["assumed"]
    assert got["capital_usd"] == 14 * 960


def test_what_an_operation_takes_is_power_above_idle_over_its_rate(capsys):
    """Printed of the 845DC PRO 400: 1.0 W idle, 1.7 reading, 3.1 writing; 92K and 50K IOPS."""
    got = told(capsys, *PRO, "--depth", "32")
    assert got["idle_power_w"] == 1.0
    assert got["read_j"] == pytest.approx(0.7 / 92e3, rel=1e-12)
    assert got["write_j"] == pytest.approx(2.1 / 50e3, rel=1e-12)
    assert got["write_j_per_byte"] == pytest.approx(2.1 / 50e3 / 4096, rel=1e-12)


def test_the_years_add_up(capsys):
    got = told(capsys, *PRO, "--years", "4.5", "--discount-rate", "0%")
    years = got["by_year"]
    assert years["year"] == [1, 2, 3, 4, 5]
    parts = [name for name in years if name.endswith("_usd")]
    assert len(parts) == 4
    paid = sum(sum(years[name]) for name in parts)
    assert got["npv_usd"] == pytest.approx(got["capital_usd"] + paid, rel=1e-12)
    assert got["equivalent_usd_per_year"] == pytest.approx(got["npv_usd"] / 4.5, rel=1e-12)
    assert got["low_carbon_kg"] < got["typical_carbon_kg"] < got["high_carbon_kg"]
    assert set(got["assumed"]) >= {"pue", "grid_kg_per_j"}
    assert got["missing"] == {}


def test_what_is_told_of_failures_counts(capsys):
    base = told(capsys, *PRO)
    for option, value in (("--afr", "5%"), ("--replace-at", "10%")):
        more = told(capsys, *PRO, option, value)
        assert more["horizon_replacements"] > base["horizon_replacements"]
    wide = told(capsys, *PRO, "--writes", "60TB/day", "--years", "1.6", "--life-spread", "10%")
    tight = told(capsys, *PRO, "--writes", "60TB/day", "--years", "1.6", "--life-spread", "1%")
    assert wide["horizon_replacements"] != tight["horizon_replacements"]


def test_people_get_the_years_the_assumptions_and_the_maths(capsys):
    assert main([*PRO, "--all", "--maths", "--currency", "EUR"]) == 0
    out = capsys.readouterr().out
    for line in (
        "12 x Samsung 845DC PRO 400 GB, RAID 5, 4 TB a day, owned for 5 years",
        "Prices printed as USD are in EUR",
        "Net present cost",
        "Year  Energy",
        "Assumed: Power usage effectiveness: 1.58",
        "models.failures.closed_form_replacements(",
        "Carbon, low",
    ):
        assert line in out


def test_what_is_missing_is_named_with_what_would_supply_it(capsys):
    priced = ["cost", "--drive", "7400 PRO (U.3) 7680", "--price", "900"]
    energy = told(capsys, *priced)["ranges"]["energy_present_usd"]
    assert 0 < energy["low"] < energy["high"]
    assert main([*priced, "--known-only", "--all"]) == 0
    out = capsys.readouterr().out
    assert "Energy is not counted" in out
    assert "--fact idle_power_w=..." in out
    got = told(capsys, "cost", "--drive", "DC P3600 400", "--known-only")
    assert got["npv_usd"] is None
    assert got["missing"]["npv_usd"] == ["price_usd"]


@pytest.mark.parametrize(
    ("option", "written", "statement"),
    [
        ("--years", "0", "--years must be from 0.001 to 1000 years, got '0'"),
        ("--years", "200", "--years must be at most 100 years, got 200 years"),
        ("--pue", "0.5", "--pue must be from 1 to 10, got '0.5'"),
        ("--electricity", "x", "--electricity must be a number in USD/kWh, got 'x'"),
        ("--discount-rate", "-3%", "--discount-rate must be from 0 to 100 %, got '-3%'"),
        ("--shelf", "1.5", "--shelf must be a whole number from 0 to 1,000,000, got '1.5'"),
        ("--grid", "5:3:1", "--grid must be low <= typical <= high, got '5:3:1'"),
        ("--grid", "5", "--grid must be low:typical:high, such as 20:60:160, got '5'"),
        ("--residual", "200%", "--residual must be from 0 to 100 %, got '200%'"),
        ("--life-spread", "40%", "--life-spread must be > 0 and <= 15 %, got '40%'"),
        ("--currency", "", "--currency must be 1 to 12 characters, got ''"),
    ],
)
def test_a_complaint_names_the_option_and_what_it_takes(capsys, option, written, statement):
    assert main([*PRO, option, written]) == 2
    assert statement in capsys.readouterr().err


def test_one_drive_at_a_time(capsys):
    assert main([*PRO, "--drive", "DC S3700 400"]) == 2
    assert "--drive must be one drive here" in capsys.readouterr().err


def test_cost_says_what_waiting_a_quarter_changes(capsys):
    """By hand: the share of the last quarter's change that goes on, and the spread of changes."""
    words = ["cost", "PM893 7.68", "--writes", "1 TB/day", "--today", "2026-10-01"]
    assert main([*words, "--json"]) == 0
    quarter = json.loads(capsys.readouterr().out)["price_after_a_quarter"]
    folder = data_folder()
    with (folder / "price_curve.csv").open(encoding="utf-8", newline="") as lines:
        known = {row["coefficient"]: float(row["value"]) for row in csv.DictReader(lines)}
    with (folder / "price_index.csv").open(encoding="utf-8", newline="") as lines:
        *_, before, last = (float(row["usd_per_tb"]) for row in csv.DictReader(lines)
                            if row["segment"] == "enterprise")  # fmt: skip
    expected = (last / before) ** known["trend_persistence"]
    half = math.exp(1.645 * known["change_spread"])
    assert quarter["typical"] == pytest.approx(expected, rel=1e-3)
    assert (quarter["low"], quarter["high"]) == pytest.approx((expected / half, expected * half))
    assert main(words) == 0
    assert f"A quarter later: {100 * expected - 100:+.0f} % (" in capsys.readouterr().out

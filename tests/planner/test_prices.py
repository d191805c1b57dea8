"""Prices are new, used, list or quoted, and of a day: which compete, and what others come to."""

import csv
import json
import math
import re
from datetime import date

import numpy as np
import pytest

from planner.catalogue import data_folder, find, load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.price_curve import carried_range, curve_range
from planner.catalogue.prices import PriceTerms, basis_of, price_of, priced, priced_text
from planner.catalogue.priors import with_assumptions
from planner.cli import main
from planner.quantity.input import InputError
from planner.search.choose import Objective, choose
from planner.search.choose.request import choice_request
from planner.search.verdict.sentences import cost
from planner.sections.request import plan_of

OLD = find(load(), "870 EVO 4TB")  # the lowest listing of 2025-07-23
SOON, LATER = date(2025, 12, 1), date(2026, 10, 1)


def test_every_price_of_the_catalogue_has_a_kind_and_a_day():
    known = [one for drive in load().drives.values() if (one := price_of(drive))]
    assert len(known) > 250
    assert {one.kind for one in known} == {"new", "used", "list"}
    assert all(one.day for one in known)


@pytest.mark.parametrize(
    ("name", "kind", "day"),
    [
        ("845DC PRO 400", "list", "2014"),
        ("870 EVO 4TB", "new", "2025-07-23"),
        ("840 EVO 250", "list", "2013-07-24"),
    ],
)
def test_kind_and_day_are_those_of_the_source(name, kind, day):
    assert price_of(find(load(), name))[1:] == (kind, day)


def test_a_price_that_is_new_enough_competes_as_it_is():
    drive = priced(OLD, PriceTerms(today=SOON))
    assert drive.value("price_usd") == OLD.value("price_usd")
    assert (basis_of(drive), priced_text(drive)) == ("stated", "new, 2025-07-23")


def table(name):
    with (data_folder() / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def index(segment, year, column="usd_per_tb"):
    """By hand: straight lines between the logarithms of the dates of the file."""
    rows = [row for row in table("price_index.csv") if row["segment"] == segment]
    years = [float(row["year"]) for row in rows]
    values = [float(row[column]) for row in rows]
    if column == "usd_per_tb":
        return math.exp(np.interp(year, years, np.log(values)))
    return float(np.interp(year, years, values))


CURVE = {row["coefficient"]: float(row["value"]) for row in table("price_curve.csv")}
SPREADS = {row["coefficient"]: float(row["log_sd"] or 0) for row in table("price_curve.csv")}


def test_an_older_one_is_carried_by_its_class_and_joined_with_the_curve():
    then, now = 2025 + (6 + 23 / 31) / 12, 2026 + (9 + 1 / 31) / 12
    paid, dwpd = OLD.value("price_usd"), 2400 / 4 / (5 * 365)
    curve = CURVE["fixed_usd"] + 4 * index("client", now) * math.exp(CURVE["client_sata"]) * (
        dwpd ** CURVE["dwpd_power"])  # fmt: skip
    own = paid * index("client", now) / index("client", then)
    moved = index("client", then, "log_sd_to_last")
    past = now - 2026.75
    of_own = math.sqrt(2 * CURVE["offer_spread"] ** 2 + moved**2
                       + CURVE["index_walk"] ** 2 * past
                       + CURVE["offer_drift"] ** 2 * (now - then))  # fmt: skip
    of_curve = math.sqrt(
        CURVE["drive_spread"] ** 2 + index("client", now, "log_sd") ** 2
        + SPREADS["client_sata"] ** 2 + (math.log(dwpd) * SPREADS["dwpd_power"]) ** 2
        + CURVE["index_walk"] ** 2 * past)  # fmt: skip
    weights = of_own**-2, of_curve**-2
    middle = np.average(np.log([own, curve]), weights=weights)
    half = 1.645 / math.sqrt(sum(weights))
    drive = with_assumptions(priced(OLD, PriceTerms(today=LATER)), level="cautious")
    assert drive.price_range[:3] == pytest.approx(
        [math.exp(middle + side * half) for side in (-1, 0, 1)], rel=5e-3
    )
    assert drive.value("price_usd") == drive.price_range.high
    assert (basis_of(drive), priced_text(drive)) == (
        "carried", "new, 2025-07-23, carried to today",
    )  # fmt: skip


def test_a_drive_without_a_price_costs_what_the_curve_says():
    drive = priced(find(load(), "7450 PRO 7.68"), PriceTerms(today=LATER))
    now = 2026 + (9 + 1 / 31) / 12
    expected = CURVE["fixed_usd"] + 7.68 * index("enterprise", now)
    assert drive.price_range.typical == pytest.approx(expected, rel=2e-3)
    assert (basis_of(drive), priced_text(drive)) == ("curve", "curve, 2026-09")


def typical(name):
    return priced(find(load(), name), PriceTerms(today=LATER)).price_range.typical


def test_a_drive_without_a_price_is_no_cheaper_than_its_priced_peers():
    """IronWolf 125 has no price anywhere; the others of its bus, cells and size have one."""
    peers = [typical(f"{name} 4TB") for name in ("Red SA500", "870 EVO", "Blue SA510")]
    assert typical("IronWolf 125 4TB") >= 0.9 * min(peers)


def test_endurance_costs_and_cells_of_four_bits_save():
    """By pairs of sister drives: 3 and 1 drive writes a day, four bits and three."""
    assert typical("7450 MAX 6.4") / 6.4 > typical("7450 PRO 7.68") / 7.68
    assert typical("5400 MAX 1.92") > typical("5400 PRO 1.92")
    assert typical("D5-P5336 15.36") < typical("D7-P5520 15.36")


@pytest.mark.parametrize("kind", ["used", "list"])
def test_another_kind_of_offer_is_carried_by_what_shops_ask(kind):
    day = {"day": "2026-09-01", "today": LATER}
    asked, other = (carried_range(OLD, 500, each, **day) for each in ("new", kind))
    assert (other.typical > asked.typical) == (CURVE[kind] < 0)
    assert other.high / other.low > asked.high / asked.low


def test_an_interval_widens_with_the_age_of_the_offer_and_past_the_last_date():
    soon, late = (curve_range(OLD, day) for day in (date(2026, 9, 30), date(2027, 9, 30)))
    assert soon.typical == pytest.approx(late.typical, rel=0.01)
    assert late.high / late.low > soon.high / soon.low
    young, old = (
        carried_range(OLD, 500, "new", day, LATER) for day in ("2026-08-01", "2024-08-01")
    )
    assert old.high / old.low > young.high / young.low


def test_a_used_price_competes_only_if_used_ones_may():
    used = next(drive for drive in load().drives.values()
                if (price := price_of(drive)) and price.kind == "used")  # fmt: skip
    age = {"today": LATER, "age_s": 1e10}
    assert priced(used, PriceTerms(**age)).value("price_usd") is None
    assert priced(used, PriceTerms(**age, kinds=("used",))).value("price_usd") is not None


def test_a_quote_stands_in_the_currency_of_the_question_and_others_are_converted():
    euros = PriceTerms(today=SOON, usd_each=1.25)
    assert priced(with_user_facts(OLD, price_usd=300), euros).value("price_usd") == 300
    assert priced(OLD, euros).value("price_usd") == OLD.value("price_usd") / 1.25
    cheaper = priced(OLD, PriceTerms(today=LATER, usd_each=1.25)).price_range
    assert cheaper.high == priced(OLD, PriceTerms(today=LATER)).price_range.high / 1.25


ASKED = {"usable": "4TB", "drives": "2", "raid": "1", "spare": "0%", "max_loss": "50%"}


@pytest.mark.parametrize("objective", Objective)
def test_a_range_ranks_by_its_typical_figure(objective):
    """A stated price beside the carried one of an equal drive wins below its typical figure."""
    low, typical, high = priced(OLD, PriceTerms(today=LATER)).price_range[:3]
    for price, first in (((low + typical) / 2, "sure"), ((typical + high) / 2, OLD.drive_id)):
        sure = with_user_facts(OLD, price_usd=price).__class__(
            **{name: getattr(OLD, name) for name in OLD.__slots__} | {
                "drive_id": "sure", "facts": with_user_facts(OLD, price_usd=price).facts}
        )  # fmt: skip
        by = "price" if objective is Objective.PRICE else "cost"
        asked = choice_request((OLD, sure), minimise=by, today=str(LATER), **ASKED)
        assert choose(**asked, top=2).best.plan.drive.drive_id == first


def test_json_says_of_each_price_its_kind_day_and_basis(capsys):
    words = [f"--{name}={text}".replace("_", "-") for name, text in ASKED.items()]
    assert (
        main(["choose", "--drive", "870 EVO 4TB", *words, "--today", "2026-10-01", "--json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    (row,) = found["plans"]
    assert (row["price_kind"], row["price_date"], row["price_basis"]) == (
        "new", "2025-07-23", "carried",
    )  # fmt: skip
    assert row["ranges"]["price_usd"]["typical"] == pytest.approx(row["price_usd"])
    assert (found["today"], found["price_kinds"]) == ("2026-10-01", ["new", "list", "quote"])


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--currency", "EUR"], "--rate must say what 1 EUR is in USD, such as EUR=1.08"),
        (["--currency", "EUR", "--rate", "EUR"], "--rate must be NAME=USD such as EUR=1.08"),
        (["--rate", "EUR=0"], "--rate must be from 0.000000001 to 1,000,000,000 USD, got 'EUR=0'"),
        (["--price-kinds", "stolen"], "--price-kinds must be some of new, used, list, quote"),
        (["--today", "soon"], "--today must be a date such as 2023-05-31"),
    ],
)
def test_a_complaint_names_the_option(capsys, words, complaint):
    assert main(["choose", "--drive", "870 EVO 4TB", *words]) == 2
    assert complaint in capsys.readouterr().err


def test_assumed_costs_follow_the_currency():
    asked = choice_request((OLD,), minimise="cost", currency="EUR", rate="EUR=1.25", **ASKED)
    dollars = choice_request((OLD,), minimise="cost", **ASKED)
    here, there = (choose(**each).best.objective for each in (asked, dollars))
    assert here == pytest.approx(there / 1.25)


PLANNED = {"writes": "50 GB/day", "today": "2026-10-01"}


def test_a_plan_takes_an_old_price_as_a_choice_does():
    """Carried to today as a range; a price that is stated, or known facts alone, as they are."""
    old = find(load(), "870 EVO 4TB")
    carried = priced(old, PriceTerms(today=LATER)).price_range
    between = plan_of(old, **PLANNED).ranges["total_price_usd"]
    assert (between.low, between.typical, between.high) == pytest.approx(carried[:3])
    assert priced_text(plan_of(old, **PLANNED).drive) == "new, 2025-07-23, carried to today"
    for more, expected in (
        ({"price": 300}, 300),
        ({"price_age": "2 years"}, old.value("price_usd")),
    ):
        one = plan_of(old, **PLANNED, **more).ranges["total_price_usd"]
        assert (one.low, one.high) == (expected, expected)


def test_a_price_in_another_currency_is_converted_or_refused():
    euro = {"rate": ("EUR=1.25", "GBP=1.5")}
    for price, currency, expected in (
        ("450 EUR", "USD", 562.5), ("€450", "EUR", 450), ("300 GBP", "EUR", 360),
        ("450", "EUR", 450),
    ):  # fmt: skip
        asked = {**PLANNED, **euro, "price": price, "currency": currency}
        answer = plan_of("870 EVO 4TB", **asked)
        assert answer["total_price_usd"].value == pytest.approx(expected, rel=1e-12)
    with pytest.raises(InputError, match="rate must say what 1 EUR is in USD"):
        plan_of("870 EVO 4TB", **PLANNED, price="450 EUR")


def test_the_cost_of_owning_is_converted_as_a_whole(capsys):
    """A EUR of 1.25 USD makes every amount 0.8 times as much: prices, energy, slots and labour."""
    owned = {}
    for currency in ("USD", "EUR"):
        words = ["cost", "870 EVO 4TB", "--writes", "50GB/day", "--today", "2026-10-01", "--json"]
        assert main([*words, "--currency", currency, "--rate", "EUR=1.25"]) == 0
        owned[currency] = json.loads(capsys.readouterr().out)
    for key in ("npv_usd", "capital_usd", "energy_present_usd", "slot_present_usd"):
        for end in ("low", "typical", "high"):
            dollars, euros = (owned[each]["ranges"][key][end] for each in ("USD", "EUR"))
            assert euros == pytest.approx(0.8 * dollars, rel=1e-9), key
    assert owned["EUR"]["price_basis"] == "carried"
    assert owned["EUR"]["ranges"]["energy_present_usd"]["low"] > 0
    assert main(["cost", "870 EVO 4TB", "--currency", "EUR"]) == 2
    assert "--rate must say what 1 EUR is in USD" in capsys.readouterr().err


def test_the_list_of_drives_has_a_price_of_each_with_range_kind_and_date(capsys):
    assert main(["drives", "PM893", "--json"]) == 0
    for record in json.loads(capsys.readouterr().out):
        price = record["price"]
        assert 0 < price["low"] < price["typical"] < price["high"]
        assert (price["price_kind"], price["price_basis"]) == ("curve", "curve")
        assert re.fullmatch(r"20\d\d-\d\d", price["price_date"])
    assert main(["drives", "870 EVO 4TB"]) == 0
    assert re.search(r"USD \([\d,]+ to [\d,]+\), new, 2025-07-23, carried", capsys.readouterr().out)


def test_the_sentence_on_cost_names_the_curve():
    sentence = cost(plan_of("PM893 7.68", **PLANNED)).text
    assert "No offer known: curve of enterprise SATA TLC prices to September 2026." in sentence
    assert re.match(r"About [\d,]+ USD \([\d,]+ to [\d,]+\)", sentence)

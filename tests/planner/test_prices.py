"""Prices are new, used, list or quoted, and of a day: which compete, and what others come to."""

import csv
import json
from datetime import date

import pytest

from planner.catalogue import data_folder, find, load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.prices import PriceTerms, basis_of, price_of, priced, priced_text
from planner.catalogue.priors import with_assumptions
from planner.cli import main
from planner.quantity.input import InputError
from planner.search.choose import Objective, choose
from planner.search.choose.request import choice_request
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


def test_an_older_one_is_carried_by_its_class_as_a_range():
    """By hand: deals of client SATA drives in 2026 over those of 2025, from the table of bands."""
    with (data_folder() / "price_bands.csv").open(encoding="utf-8", newline="") as lines:
        rows = [
            row
            for row in csv.DictReader(lines)
            if (row["price_class"], row["price_kind"]) == ("client SATA TLC", "deal")
        ]
    then = next(float(row["typical"]) for row in rows if row["period"] == "2025")
    now = [row for row in rows if row["year"] == "2026"]
    low, high = min(float(row["low"]) for row in now), max(float(row["high"]) for row in now)
    drive = with_assumptions(priced(OLD, PriceTerms(today=LATER)), level="cautious")
    paid = OLD.value("price_usd")
    assert drive.price_range.low == pytest.approx(paid * low / then)
    assert drive.value("price_usd") == pytest.approx(paid * high / then)
    assert (basis_of(drive), priced_text(drive)) == (
        "carried", "new, 2025-07-23, carried to today",
    )  # fmt: skip


def test_a_drive_without_a_price_costs_what_its_class_does():
    drive = with_assumptions(priced(find(load(), "7450 PRO 7.68"), PriceTerms(today=LATER)))
    assert (drive.price_range.low, drive.price_range.high) == pytest.approx(
        (190 * 7.68, 753 * 7.68)
    )
    assert basis_of(drive) == "class"


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
        (["--rate", "EUR=0"], "--rate must be > 0 USD, got 'EUR=0'"),
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

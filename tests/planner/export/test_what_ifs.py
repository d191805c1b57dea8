"""What if: years, prices, ratings and counts are typed into the workbook of a purchase.

Of other years the workbook says of every plan what a search of that plan alone says. What no cell
accepts is named on page one, and its plans have neither a rank nor a number.
"""

import csv
import io
import os
import re
from datetime import date
from functools import cache

import pytest

from models.drive_price import QUARTER_S
from planner.catalogue import load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.price_curve import waiting
from planner.catalogue.quotes import COLUMNS
from planner.export.procurement import procurement_workbook
from planner.export.procurement.tornado import swings
from planner.scenario.array import RaidLevel
from planner.search.choose import Need, choose
from planner.search.choose.request import choice_request, quotes_of
from planner.sections.ownership import ownership
from planner.sections.plan import plan_drive
from tests.libreoffice import cell
from tests.planner.export.purchases import numbered, read

TODAY = {"today": "2026-10-01"}
PURCHASES = {
    "SATA RAID 6": {"usable": "20TB", "writes": "1TB/day", "segment": "enterprise",
                    "interface": "SATA", "raid": "6"},
    "U.2 mirror": {"usable": "3TB", "writes": "3.3TB/day", "segment": "enterprise",
                   "interface": "NVMe", "form_factor": "U.2", "raid": "1", "drives": "2",
                   "life": "3 years", "years": "4 years"},
    "client NAS": {"usable": "6TB", "writes": "1TB/day", "segment": "client", "raid": "5",
                   "interface": "SATA", "drives": "3-6", "years": "3 years",
                   "max_loss": "1 in 100", "beyond_warranty": True},
    "own quotes": {"usable": "14TB", "writes": "600GB/day", "raid": "5,6", "drives": "4-14",
                   "currency": "EUR", "rate": "EUR=1.1", "life": "4 years"},
}  # fmt: skip
QUOTES = (
    {"vendor": "Samsung", "model": "PM893", "capacity": "3.84 TB", "price": "620",
     "price_10": "560", "currency": "USD", "price_date": "2026-09-01", "supplier": "A",
     "warranty_years": "5"},
    {"vendor": "Micron", "model": "5300 PRO", "capacity": "3.84 TB", "price": "655",
     "currency": "EUR", "price_date": "2026-09-03", "supplier": "C", "warranty_years": "5"},
)  # fmt: skip
TOP = 4
YEARS = (7, 1, 3, 5, 12)
LONG = bool(os.environ.get("LONG"))
FIRST = next(iter(PURCHASES))
PLANS = tuple((name, place) for name in PURCHASES for place in range(TOP))


def quoted():
    lines = io.StringIO()
    writer = csv.DictWriter(lines, COLUMNS)
    writer.writeheader()
    writer.writerows(QUOTES)
    return quotes_of([("quotes.csv", lines.getvalue().encode())],
                     {"currency": "EUR", "rate": "EUR=1.1"})  # fmt: skip


@cache
def drives():
    return {drive.drive_id: drive for drive in quoted().drives}


def request(name, among=None, **changed):
    if among is None:
        among = drives().values() if name == "own quotes" else load().drives.values()
    return choice_request(tuple(among), minimise="cost", **(PURCHASES[name] | TODAY | changed))


@cache
def exported(name):
    return choose(**request(name), top=TOP)


@cache
def searched(name, place, years, **changed):
    """Return the shortfall that a search of one plan alone finds at other years, "" for none."""
    one = exported(name).candidates[place]
    own = drives() if name == "own quotes" else load().drives
    array = one.plan.array
    level = {RaidLevel.RAID1: "1", RaidLevel.RAID5: "5", RaidLevel.RAID6: "6"}[array.level]
    found = choose(**request(
        name, [own[one.plan.drive.drive_id]], years=f"{years} years", drives=str(array.members),
        raid=level, spare=f"{100 * (1 - one.plan.partition_fraction):.6g}%", launched="1990",
        **changed,
    ))  # fmt: skip
    return "" if found.candidates else str(found.rejected[0].lacks.need)


# What is typed into which cell of a plan, that it does not accept, and its label.
REFUSED = {
    "price": ("price_usd", (None, -5, "n/a", 0), "Price"),
    "rating": ("rated_bytes", (None, -1, "x", 0), "Rated"),
    "drives": ("members", (0, None, 2.5, "six"), "Drives"),
    "capacity": ("user_bytes", ("big", -1, None, 0), "User capacity"),
}
SHARED = {  # the same of cells on which all plans rest
    "horizon_s": (None, -1, 0, "five", 40),
    "discount_rate": (-1, None, "low"),
    "residual_fraction": (None, 150, -1),
    "labour_usd": ("x", -1),
    "energy_usd_per_j": (None, -0.1, "free"),
    "vat_borne": (150, -1, "x"),
    "writes": (-1, None, "1 TB/day"),
    "writes_unit": ("Mb/s", None, "TB/fortnight", 5),
}


WRITES = ((40, "TB/day"), (2.5, "PB/year"), (700, "MB/s"), (100, "TiB/day"))


def of_plans(turn, place):
    """Yield what is refused of each plan of a purchase: its place, the kind, and the value."""
    for plan in range(TOP):
        what = list(REFUSED)[(plan + turn) % len(REFUSED)]
        values = REFUSED[what][1]
        yield plan, what, values[(place + turn) % len(values)]


def what_ifs():
    """Yield a key and what is typed; with LONG all years and values."""
    for place, name in enumerate(PURCHASES):
        yield (name, "exported"), {}
        for years in YEARS if LONG else YEARS[:2]:
            yield (name, "years", years), {"horizon_s": years}
        for turn in range(len(REFUSED) if LONG else 1):
            yield (
                (name, "refused", turn),
                {
                    numbered(field_of(name, plan, what), plan + 1): value
                    for plan, what, value in of_plans(turn, place)
                },
            )
    for place, (field, values) in enumerate(SHARED.items()):
        for value in values if LONG else values[: place % 2]:
            yield (FIRST, field, value), {field: value}
    for number, unit in WRITES if LONG else WRITES[:1]:
        yield (FIRST, "writes in", number, unit), {"writes": number, "writes_unit": unit}
    yield (FIRST, "two"), {"price_usd": -5, numbered(field_of(FIRST, 1, "rating"), 2): None}
    for words in ("cheap", -5) if LONG else ("cheap",):
        yield (FIRST, "quote", words), {"quote_1_price": words, "quote_1_currency": "USD"}


def field_of(name, plan, what):
    """Return the cell of an input of a plan: a rating may be printed in other words."""
    field, drive = REFUSED[what][0], exported(name).candidates[plan].plan.drive
    is_dwpd = field == "rated_bytes" and drive.value("rated_bytes") is None
    return "rated_dwpd" if is_dwpd else field


@pytest.fixture(scope="module")
def recalculated(catalogue, recalculate_all, tmp_path_factory):
    made = {
        name: procurement_workbook(exported(name), catalogue, exported=date(2026, 10, 1))
        for name in PURCHASES
    }
    typed = dict(what_ifs())
    books = [(made[key[0]], changes) for key, changes in typed.items()]
    got = recalculate_all(books, tmp_path_factory.mktemp("what-ifs"))
    return dict(zip(typed, got, strict=True))


def page_one(book):
    return list(book["Summary"].iter_rows())


def numbers_of(book, place):
    """Return the numbers of a candidate on page one: price, ranges, costs and years."""
    rank = cell(book, numbered("rank", place + 1))
    return [
        each.value
        for each in rank.parent[rank.row][1:]
        if each.coordinate != rank.coordinate and each.value is not None
    ]


@pytest.mark.parametrize("name", PURCHASES)
def test_as_exported_nothing_is_refused(recalculated, name):
    book = recalculated[name, "exported"]
    assert read(book, "cells_refused") == 0
    assert read(book, "checks_state") == "all hold"
    assert read(book, "recommended") == 1
    for place in range(len(exported(name).candidates)):
        numbers = [each for each in numbers_of(book, place) if isinstance(each, float | int)]
        assert len(numbers) >= 3
        assert min(numbers) >= 0
        assert read(book, "verdict", place + 1) == "pass"


@pytest.mark.parametrize("name", [FIRST, "client NAS", "own quotes"])
def test_sums_have_the_range_of_plans_at_both_ends_of_the_price(recalculated, name):
    book = recalculated[name, "exported"]
    for place, one in enumerate(exported(name).candidates):
        price, cost, *_ = [each for each in numbers_of(book, place) if isinstance(each, str)]
        ends = one.ranges["total_price_usd"]
        if one.plan.drive.quote is not None:
            assert (price, cost) == ("one price", "one price")
            continue
        assert amounts(price) == pytest.approx([ends.low, ends.high], abs=0.5)
        assert amounts(cost) == pytest.approx(
            [at_price(one, end / one.plan.array.members) for end in (ends.low, ends.high)], abs=0.5
        )


def amounts(words):
    return [float(part.replace(",", "")) for part in words.split(" to ")]


def at_price(one, price):
    """Return the net present cost of a plan made afresh with another price of its drives."""
    drive = with_user_facts(one.plan.drive, price_usd=price)
    plan = plan_drive(
        drive, one.plan.workload, array=one.plan.array,
        partition_fraction=one.plan.partition_fraction, firmware=one.plan.firmware,
    )  # fmt: skip
    return ownership(plan, one.ownership.terms, one.data_loss.risk)["npv_usd"].value


def test_waiting_a_quarter_costs_the_trend_of_the_price(recalculated):
    for name in (FIRST, "own quotes"):
        one = exported(name).candidates[0]
        factors = waiting("enterprise", QUARTER_S)
        told = str(read(recalculated[name, "exported"], "waiting_costs"))
        numbers = [float(each.replace(",", "")) for each in re.findall(r"-?[\d,]*\d", told)][:3]
        low, typical, high = (one.plan["total_price_usd"].value * (each - 1) for each in factors)
        assert numbers == pytest.approx([typical, low, high], abs=0.51), told


def test_the_price_moves_the_cost_over_its_own_range():
    """A quote has one price, any other price its range of 90 %."""
    for name in PURCHASES:
        one = exported(name).candidates[0]
        found = {swing.key: swing for swing in swings(one)}
        if one.plan.drive.quote is not None:
            assert "price_usd" not in found
            continue
        ends = one.ranges["total_price_usd"]
        swing, members = found["price_usd"], one.plan.array.members
        assert (swing.low * members, swing.high * members) == pytest.approx((ends.low, ends.high))
        costs = [at_price(one, end) for end in (swing.low, swing.high)]
        assert swing.npv_usd == pytest.approx(costs)


@pytest.mark.parametrize("years", YEARS if LONG else YEARS[:2])
@pytest.mark.parametrize("name", PURCHASES)
def test_other_years_fail_the_plans_that_a_search_fails_for_the_same_reason(
    recalculated, name, years
):
    book, verdicts = recalculated[name, "years", years], []
    for place in range(len(exported(name).candidates)):
        lacks, verdict = searched(name, place, years), read(book, "verdict", place + 1)
        verdicts.append(verdict)
        if lacks == str(Need.LOSS) and verdict == "export again":
            continue  # a value, which says that it no longer holds
        if lacks:
            assert verdict == "fail", (place, lacks)
            assert lacks in read(book, "why", place + 1)
        else:
            assert verdict == "pass", place
    if "fail" in verdicts:
        assert read(book, "checks_state") != "all hold"
    if set(verdicts) == {"fail"}:
        assert read(book, "recommended") == 0


def test_writes_in_another_unit_fail_the_plans_that_a_search_fails(recalculated):
    found = set()
    for key, book in recalculated.items():
        if key[1] != "writes in":
            continue
        writes = f"{key[2]} {key[3]}"
        for place in range(TOP):
            lacks = searched(FIRST, place, 5, writes=writes)
            found.add(lacks)
            if lacks:
                assert lacks in read(book, "why", place + 1), (writes, place)
                assert read(book, "verdict", place + 1) == "fail"
            else:
                assert read(book, "verdict", place + 1) != "fail"
    assert found - {""}


def test_some_years_leave_no_plan_and_others_all(recalculated):
    """So that the comparison with a search can fail either way."""
    found = {bool(searched(name, place, years))
             for name, place in PLANS for years in YEARS}  # fmt: skip
    assert found == {True, False}
    assert searched("SATA RAID 6", 0, 7) == str(Need.WARRANTY)
    reasons = {searched(name, place, years) for name, place in PLANS for years in YEARS}
    assert {str(need) for need in (Need.WARRANTY, Need.RATED, Need.LIFE)} <= reasons


def test_what_is_refused_is_named_on_page_one_and_never_wins(recalculated):
    compared = 0
    for place, name in enumerate(PURCHASES):
        for turn in range(len(REFUSED)):
            book = recalculated.get((name, "refused", turn))
            if book is None:
                continue
            assert read(book, "recommended") == 0
            assert read(book, "checks_state") != "all hold"
            assert read(book, "cells_refused") == TOP, [read(book, f"refused_{n}") for n in "123"]
            assert not in_error(book)
            on_page_one = [str(read(book, f"refused_{number}")) for number in (1, 2, 3)]
            for plan, what, value in of_plans(turn, place):
                key = (name, plan, what, value)
                field = field_of(name, plan, what)
                where = cell(book, numbered(field, plan + 1))
                why = str(read(book, "why", plan + 1))
                assert why.startswith(f"error: {where.parent.title}!{where.coordinate} ("), key
                assert REFUSED[what][2] in why, key
                assert "must be" in why, key
                assert exported(name).candidates[plan].plan.drive.name in why, key
                assert read(book, "verdict", plan + 1) == "error", key
                assert read(book, "rank", plan + 1) == "out", key
                assert set(numbers_of(book, plan)) == {"error"}, key
                compared += why.removeprefix("error: ") in on_page_one
    assert compared == 3 * len(PURCHASES) * (len(REFUSED) if LONG else 1)


def in_error(book):
    """Return the cells of page one that a spreadsheet program shows as an error."""
    return [each.coordinate for row in page_one(book) for each in row
            if isinstance(each.value, str) and each.value.startswith(("#", "Err:"))]  # fmt: skip


def test_a_refused_cell_of_all_plans_leaves_no_winner(recalculated):
    compared = 0
    for key, book in recalculated.items():
        if key[1] not in SHARED:
            continue
        where, words = cell(book, key[1]), str(read(book, "refused_1"))
        assert words.startswith(f"{where.parent.title}!{where.coordinate}"), key
        assert read(book, "recommended") == 0, key
        assert set(numbers_of(book, 1)) == {"error"}, key
        assert not in_error(book), key
        compared += 1
    assert compared >= 3


def test_other_plans_keep_their_rank_beside_a_refused_one(recalculated):
    before = recalculated[FIRST, "exported"]
    both = recalculated[FIRST, "two"]
    assert read(both, "recommended") == 3
    assert read(both, "npv_usd_3") == read(before, "npv_usd_3")
    assert read(both, "cells_refused") == 2
    assert "Rated" in str(read(both, "refused_1"))
    assert "Price" in str(read(both, "refused_2"))
    assert read(both, "why", 2).startswith("error: Sizing!")


def test_a_refused_quote_does_not_count_and_is_named(recalculated):
    before = recalculated[FIRST, "exported"]
    for key, book in recalculated.items():
        if key[1] != "quote":
            continue
        where, words = cell(book, "quote_1_price"), str(read(book, "refused_1"))
        assert words.startswith(f"Quotes!{where.coordinate} (quote for "), words
        assert read(book, "taken_price") == read(before, "taken_price")
        assert read(book, "recommended") == 1
        assert read(book, "checks_state") != "all hold"

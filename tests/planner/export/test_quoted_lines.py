"""Quotes with a least order, breaks and a validity in the workbook of a purchase."""

from datetime import date

import pytest

import planner as ssd
from planner.catalogue import load
from planner.export.procurement import procurement_workbook
from tests.libreoffice import cell
from tests.planner.quote_files import text

QUOTES = text(
    "Model,Capacity,Price (EUR),Price 10+,MOQ,Valid until,Date,Supplier",
    "PM893,3.84 TB,512,480,12,2026-12-31,2026-10-02,Supplier A",
    "5400 PRO,3.84 TB,500,450,1,2026-11-30,2026-10-02,Supplier B",
)
ASKED = {"usable": "10TB", "writes": "1TB/day", "today": "2026-10-15", "rate": "EUR=1.25",
         "raid": "5,6,10", "spare": "0%", "minimise": "price", "top": 30, "years": 3}  # fmt: skip


@pytest.fixture(scope="module", params=["4-9", "10-14"])
def choice(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("quotes") / "q.csv"
    path.write_bytes(QUOTES)
    return ssd.choose((), catalogue=[path], drives=request.param, **ASKED).record


def hand_priced(model, members):
    """The price of an order in USD: 12 of the first at 480 EUR, of the second one or ten on."""
    if model == "PM893":
        return max(members, 12) * 480 * 1.25
    return members * (450 if members >= 10 else 500) * 1.25


def test_an_order_costs_what_its_supplier_asks(choice):
    plans = [one.plan for one in choice.candidates]
    assert {plan.drive.model for plan in plans} == {"PM893", "5400 PRO"}
    for plan in plans:
        expected = hand_priced(plan.drive.model, plan.array.members)
        assert plan["total_price_usd"].value == pytest.approx(expected, rel=1e-12)


def test_the_workbook_takes_the_same_prices_and_names_their_terms(choice, recalculate):
    made = procurement_workbook(choice, load(), exported=date(2026, 10, 15))
    book = recalculate(made)
    for index, one in enumerate(choice.candidates[:8], start=1):
        plan = one.plan
        name = "price_usd" if index == 1 else f"price_usd_{index}"
        expected = hand_priced(plan.drive.model, plan.array.members)
        price = cell(book, name).value * plan.array.members
        breaks = plan.array.members >= 12 or plan.drive.model == "5400 PRO"
        if breaks and plan.array.members >= 10:
            price = cell(book, f"{name}_then_1").value * plan.array.members
        assert price * 1.25 == pytest.approx(expected, rel=1e-9)
    words = [got.value for row in book["Quotes"].iter_rows() for got in row]
    assert any("least order 12, valid until 2026-12-31" in str(each) for each in words)
    assert not any("expired" in str(each) for each in words)

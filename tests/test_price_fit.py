"""Prices: tables and page are what the dated prices give, and intervals hold on those left out."""

import numpy as np
import pytest

from models.drive_price import cell_price_factor, drive_price
from planner.catalogue.price_curve import NORMAL
from tests import price_fit

LEFT_OUT = price_fit.stored()


def shares(held, *, is_nested=False):
    spread = price_fit.drive_spread(LEFT_OUT)
    whole = price_fit.ends(LEFT_OUT)
    return np.mean([
        price_fit._inside(
            one, price_fit.ends(LEFT_OUT, without=one.family) if is_nested else whole, spread
        )
        for one in held
    ])  # fmt: skip


def numbers(text):
    return [[_number(cell) for cell in line.split(",")] for line in text.splitlines()]


def _number(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


@pytest.mark.parametrize(
    ("name", "text"),
    [("price_curve.csv", lambda: price_fit.curve_text(LEFT_OUT)),
     ("price_index.csv", price_fit.index_text)],
)  # fmt: skip
def test_a_table_is_what_the_prices_give(name, text):
    kept, found = numbers((price_fit.DATA / name).read_text(encoding="utf-8")), numbers(text())
    assert len(kept) == len(found)
    for one, other in zip(kept, found, strict=True):
        assert [cell for cell in one if isinstance(cell, str)] == [
            cell for cell in other if isinstance(cell, str)
        ], "run python -m tests.price_fit"
        values = ([cell for cell in row if isinstance(cell, float)] for row in (one, other))
        np.testing.assert_allclose(*values, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("family", price_fit.families()[::20])
def test_errors_of_a_family_are_those_of_a_fit_without_it(family):
    kept = {(one.test, one.name): one for one in LEFT_OUT if family in (one.cut, one.family)}
    for found in price_fit.of_family(family):
        assert kept[found.test, found.name].error == pytest.approx(found.error, abs=5e-3)


def test_the_intervals_hold_on_families_sizes_and_dates_that_were_left_out():
    assert 0.85 <= shares(price_fit.of_test("family", LEFT_OUT), is_nested=True) <= 0.95
    assert 0.85 <= shares(price_fit.of_test("size", LEFT_OUT)) <= 0.95
    dates = price_fit.of_test("date", LEFT_OUT)
    cuts = [shares([one for one in dates if one.cut == cut]) for cut in {one.cut for one in dates}]
    assert 0.85 <= np.mean(cuts) <= 0.95


def test_offer_and_curve_together_are_nearer_than_either():
    rows = [price_fit.joined_errors(LEFT_OUT, name) for name in price_fit.offer_families(LEFT_OUT)]
    own, curve, both = np.mean([np.mean(each[:, :3] ** 2, axis=0) for each in rows], axis=0)
    assert both < min(own, curve)
    assert 0.85 <= np.mean([np.mean(each[:, 3]) for each in rows]) <= 0.95


def test_the_change_of_a_quarter_holds_on_series_that_were_left_out():
    errors = price_fit.trend_errors()
    inside = [
        abs(error) <= NORMAL * price_fit.change_spread(
            {other: errors[other] for other in errors if other != name})
        for name in errors for error in errors[name]
    ]  # fmt: skip
    assert 0.85 <= np.mean(inside) <= 0.95


def test_a_price_never_falls_with_endurance_or_size_nor_rises_with_bits():
    dwpd, sizes = np.linspace(0, 30, 301), np.geomspace(1e11, 1e14, 301)
    known = {"curve_price_per_user_byte": 3e-10, "fixed_usd": 20.0, "dwpd_power": 0.19}
    assert np.all(np.diff(drive_price(4e12, rated_dwpd=dwpd, **known)) >= 0)
    prices = drive_price(sizes, rated_dwpd=1.0, **known)
    assert np.all(np.diff(prices) > 0)
    assert np.all(np.diff(prices / sizes) <= 0)
    steps = {"four_bit_step": 0.2, "two_bit_step": 0.3, "one_bit_step": 0.8}
    assert np.all(np.diff(cell_price_factor(np.arange(1, 5), **steps)) <= 0)


def test_the_page_is_written_from_the_errors():
    assert price_fit.PAGE.read_text(encoding="utf-8") == price_fit.page(LEFT_OUT)

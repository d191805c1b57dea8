"""Owning: parts add up, and each is linear in its price."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import cost

prices = st.floats(0.01, 1e6)
amounts = st.floats(0, 1e9)
counts = st.integers(1, 500)
PARTS = ("operating_present_usd", "drives_present_usd", "residual_present_usd")
RUNNING = ("slot_present_usd", "node_present_usd", "labour_present_usd")


@given(st.lists(amounts, min_size=4, max_size=4), st.floats(0, 100))
def test_the_net_present_cost_is_linear_in_every_part(parts, factor):
    def npv(values):
        return cost.net_present_usd(values[0], **dict(zip(PARTS, values[1:], strict=True)))

    total = npv(parts)
    assert total == pytest.approx(sum(parts[:-1]) - parts[-1], rel=1e-9, abs=1e-3)
    assert npv([factor * part for part in parts]) == pytest.approx(
        factor * total, rel=1e-9, abs=1e-3
    )


@given(st.lists(amounts, min_size=4, max_size=4))
def test_running_costs_are_the_sum_of_their_parts(parts):
    others = dict(zip(RUNNING, parts[1:], strict=True))
    assert cost.operating_present_usd(parts[0], **others) == pytest.approx(sum(parts))


@given(amounts, amounts, st.floats(0, 1))
def test_what_is_not_of_the_drives_does_not_follow_their_price(capital, replaced, share):
    residual = cost.residual_usd(capital, residual_fraction=share)
    priced = cost.priced_present_usd(
        capital, drives_present_usd=replaced, residual_present_usd=residual
    )
    others = dict.fromkeys(PARTS, 0.0) | {
        "drives_present_usd": replaced, "residual_present_usd": residual,
    }  # fmt: skip
    assert priced == cost.net_present_usd(capital, **others)
    assert priced == pytest.approx(capital * (1 - share) + replaced, rel=1e-9, abs=1e-6)


@given(prices, counts, st.integers(0, 20))
def test_spares_on_the_shelf_cost_what_drives_cost(price, members, spares):
    bought = cost.capital_usd(price, members=members, spare_drives=spares)
    alone = cost.capital_usd(price, members=members, spare_drives=0)
    assert bought - alone == pytest.approx(price * spares, rel=1e-9, abs=1e-6)


@given(st.floats(0, 500), st.integers(0, 20), prices, counts)
def test_the_shelf_goes_before_the_shop(replaced, spares, price, members):
    bought = cost.bought_drives(replaced, spare_drives=spares)
    assert max(replaced - spares, 0) == pytest.approx(bought)
    assert cost.drives_usd(price, drives=bought) == pytest.approx(price * bought)
    made = cost.made_drives(members, spare_drives=spares, bought_drives=bought)
    assert made >= members + max(spares, replaced) - 1e-9


@given(st.floats(0, 1e4), counts, st.floats(0, 1))
def test_slots_cost_by_the_part_of_a_year(price, members, part):
    whole = cost.places_usd(price, places=members, year_part=1.0)
    assert cost.places_usd(price, places=members, year_part=part) == pytest.approx(whole * part)


@given(st.floats(0, 50), counts, st.floats(0, 1e3))
def test_a_fleet_is_the_sum_of_its_slots(slot, members, labour):
    fleet = cost.fleet_replacements(slot, members=members)
    assert fleet == pytest.approx(slot * members)
    one = cost.labour_total_usd(labour, mean_replacements=slot)
    all_slots = cost.labour_total_usd(labour, mean_replacements=fleet)
    assert all_slots == pytest.approx(one * members, rel=1e-12)

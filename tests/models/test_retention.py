"""Retention against published times, then against its own laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import retention
from models.rating_class import CLIENT, ENTERPRISE, ENTERPRISE_PLACES, ENTERPRISE_SIZES
from models.units import DAY_S, HOUR_S, KIB, YEAR_S, ZERO_CELSIUS_K
from planner.scenario.skew import JESD219

temperatures = st.floats(250, 350)


def kelvin(celsius):
    return celsius + ZERO_CELSIUS_K


# Curtiss-Wright, "The Effects of Extended Temperatures on Flash Endurance and Data Retention":
# 500 h at 52 C and 96 h at 66 C for the client class; the enterprise class has the same 96 h.
# JEDEC presentation of A. Cox: 105 weeks at 25 C for 52 at 30 C.
PUBLISHED = [
    pytest.param(CLIENT, 52, 500 * HOUR_S, id="client at 52 C"),
    pytest.param(CLIENT, 66, 96 * HOUR_S, id="client at 66 C"),
    pytest.param(ENTERPRISE, 66, 96 * HOUR_S, id="enterprise at 66 C"),
    pytest.param(CLIENT, 25, 105 * 7 * DAY_S, id="client at 25 C"),
]


@pytest.mark.parametrize(("rating", "celsius", "published_s"), PUBLISHED)
def test_published_retention_times(rating, celsius, published_s):
    got = retention.retention_s(
        rating.retention_s, temperature_k=kelvin(celsius), reference_k=rating.storage_k
    )
    assert got == pytest.approx(published_s, rel=0.05)


@pytest.mark.parametrize("celsius", [25, 30, 35])
def test_five_degrees_more_halve_the_time(celsius):
    """A. Cox: the time halves with every 5 C."""
    got = retention.acceleration_factor(kelvin(celsius + 5), reference_k=kelvin(celsius))
    assert got == pytest.approx(2, rel=0.05)


@given(temperatures, temperatures, temperatures)
def test_factors_multiply_along_the_way(cold, warm, hot):
    steps = retention.acceleration_factor(warm, reference_k=cold)
    steps *= retention.acceleration_factor(hot, reference_k=warm)
    whole = retention.acceleration_factor(hot, reference_k=cold)
    assert steps == pytest.approx(whole, rel=1e-9)


@given(temperatures, st.floats(0.01, 3), st.floats(0.5, 3))
def test_wear_shortens_retention_by_its_power(temperature_k, wear, exponent):
    known = {"temperature_k": temperature_k, "reference_k": temperature_k}
    got = retention.retention_s(1e7, **known, wear_ratio=wear, wear_exponent=exponent)
    assert got * wear**exponent == pytest.approx(1e7, rel=1e-12)
    assert retention.retention_s(1e7, **known) == 1e7


def test_more_activation_energy_makes_heat_worse():
    mild, strong = retention.acceleration_factor(
        kelvin(55), reference_k=kelvin(30), activation_ev=[0.6, 1.1]
    )
    assert 1 < mild < strong


@given(st.floats(1e6, 1e15), st.floats(1e3, 1e9))
def test_refreshing_writes_all_data_once_a_period(valid_bytes, refresh_s):
    rate = retention.refresh_bytes_per_s(valid_bytes, refresh_s=refresh_s)
    assert rate * refresh_s == pytest.approx(valid_bytes, rel=1e-12)


# Rating classes: JEDEC JESD218 and JESD219 as listed by Seagate on Tom's Hardware.


def test_what_the_classes_ask_for():
    assert (CLIENT.retention_s, ENTERPRISE.retention_s) == (YEAR_S, 91.25 * DAY_S)
    assert (CLIENT.storage_k, ENTERPRISE.storage_k) == (kelvin(30), kelvin(40))
    assert (CLIENT.active_k, ENTERPRISE.active_k) == (kelvin(40), kelvin(55))
    assert (CLIENT.active_s_per_day, ENTERPRISE.active_s_per_day) == (8 * HOUR_S, 24 * HOUR_S)
    assert (CLIENT.uber, ENTERPRISE.uber) == (1e-15, 1e-16)
    assert CLIENT.functional_failure_fraction == ENTERPRISE.functional_failure_fraction == 0.03


def test_sizes_of_the_enterprise_workload():
    assert sum(ENTERPRISE_SIZES.values()) == pytest.approx(1, abs=1e-12)
    assert ENTERPRISE_SIZES[4 * KIB] == 0.67
    below = sum(share for size, share in ENTERPRISE_SIZES.items() if size < 4 * KIB)
    assert below == pytest.approx(0.10, abs=1e-12)
    assert len(ENTERPRISE_SIZES) == 12


# JEDEC JESD219: half of the accesses go to the first 5 % of the addresses, 30 % to the next 15 %.
def test_places_of_the_enterprise_workload_are_those_of_the_planner():
    assert ENTERPRISE_PLACES == ((0.5, 0.05), (0.3, 0.15), (0.2, 0.8))
    assert JESD219 == ((0.5, 0.3, 0.2), (0.05, 0.15, 0.8))

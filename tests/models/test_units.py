"""Units: the constants against their definitions."""

import pytest

from models import units


@pytest.mark.parametrize(("name", "power"), [("K", 1), ("M", 2), ("G", 3), ("T", 4), ("P", 5)])
def test_prefixes_are_powers_of_1000_and_of_1024(name, power):
    assert getattr(units, f"{name}B") == 1000**power
    assert getattr(units, f"{name}IB") == 2 ** (10 * power)


def test_a_gib_is_7_4_percent_more_than_a_gb():
    assert units.GIB / units.GB == 1.073741824


def test_the_year_has_365_days():
    assert units.HOUR_S == 60 * 60
    assert units.DAY_S == 24 * 60 * 60
    assert units.WEEK_S == 7 * 86_400
    assert units.YEAR_S == 365 * 86_400


def test_small_times():
    assert (units.US, units.MS) == (1e-6, 1e-3)


def test_every_constant_is_a_float_so_that_products_cannot_overflow():
    constants = {name: value for name, value in vars(units).items() if name.isupper()}
    assert len(constants) == 18
    assert all(type(value) is float for value in constants.values())

"""Carbon: published figures, and sums that keep their order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import carbon
from models.units import KWH, TB, YEAR_S

amounts = st.floats(0, 1e6)


def test_embodied_carbon_of_a_drive_as_published():
    """Blocks and Files, 2025, on Seagate's report: 30.72 TB at 160 kg/TB are 4,915 kg."""
    got = carbon.embodied_kg(30.72 * TB, drives=1, embodied_kg_per_byte=160 / TB)
    assert round(got) == 4915


def test_the_same_drive_per_tb_and_year_as_published():
    """Of the same report: 32 kg per TB and year over five years."""
    made = carbon.embodied_kg(30.72 * TB, drives=1, embodied_kg_per_byte=160 / TB)
    got = carbon.carbon_kg_per_byte_year(made, usable_bytes=30.72 * TB, horizon_s=5 * YEAR_S)
    assert got * TB == pytest.approx(32)


def test_the_worlds_power_sector_of_2023_emits_its_intensity_per_unit():
    """Ember, 2024: 29,471 TWh at 480 g/kWh are the 14,153 Mt that it prints, in its digits."""
    got = carbon.operational_kg(29_471e9 * KWH, grid_kg_per_j=0.480 / KWH)
    assert got / 1e9 == pytest.approx(14_153, rel=0.5 / 480)


@given(amounts, amounts, amounts, st.floats(1e9, 1e15), st.floats(1, 1e9))
def test_more_of_either_is_more_of_both(made, run, more, usable_bytes, horizon_s):
    one = carbon.carbon_kg(made, operational_kg=run)
    assert one == pytest.approx(made + run)
    for total in (
        carbon.carbon_kg(made + more, operational_kg=run),
        carbon.carbon_kg(made, operational_kg=run + more),
    ):
        assert total >= one
        size = {"usable_bytes": usable_bytes, "horizon_s": horizon_s}
        assert carbon.carbon_kg_per_byte_year(total, **size) >= carbon.carbon_kg_per_byte_year(
            one, **size
        )

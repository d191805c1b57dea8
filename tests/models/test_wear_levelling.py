"""Wear levelling: counters of real drives, and its own laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import wear_levelling
from models.write_amplification import apart_ratio, host_gc_ratio

fractions = st.floats(0.01, 1)


# SMART tables: CrystalDiskInfo issue 178, average 131 and maximum 150 erases.
def test_efficiency_from_two_counters():
    got = wear_levelling.levelling_efficiency(131, max_cycles=150)
    assert got == pytest.approx(0.873, abs=0.0005)


@given(st.floats(1e9, 1e18), fractions, fractions)
def test_unevenness_shortens_and_placement_lengthens_life(limit, efficiency, placement):
    got = wear_levelling.uneven_limit_bytes(
        limit, levelling_efficiency=efficiency, placement_ratio=placement
    )
    assert got * placement == pytest.approx(limit * efficiency, rel=1e-12)


def test_even_wear_in_one_log_is_the_plain_limit():
    got = wear_levelling.uneven_limit_bytes(8e15, levelling_efficiency=1, placement_ratio=1)
    assert got == 8e15


@pytest.mark.parametrize("pages", [None, 128])
@pytest.mark.parametrize("sequential", [0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("hot", [1.0, 0.8])
def test_the_better_the_placement_the_smaller_its_ratio(pages, sequential, hot):
    shares = ([1.0], [1.0]) if hot == 1 else ([hot, 1 - hot], [1 - hot, hot])
    mix = {
        "sequential_fraction": sequential, "write_shares": shares[0], "page_shares": shares[1],
        "pages_per_block": pages,
    }  # fmt: skip
    spare = np.array([0.07, 0.28, 1.0])
    apart, usual = apart_ratio(spare, **mix), host_gc_ratio(spare, **mix)
    assert np.all((apart > 0) & (apart <= usual) & (usual <= 1))
    if sequential in (0, 1) and hot == 1:
        np.testing.assert_allclose(apart, 1, rtol=1e-12)

"""Cost against the price tables of reviews."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import cost
from models.units import GB
from tests.published import Printed

# AnandTech 8319, "Price Comparison" (MSRP); 860 PRO specifications in cents of the binary GB
# by which that table names its capacities (1 TB = 1024 GB).
PRICES = [
    (960, 400, 1, "2.4"),
    (1830, 800, 1, "2.29"),
    (729, 400, 1, "1.82"),
    (1459, 800, 1, "1.82"),
    (250, 240, 1, "1.04"),
    (490, 480, 1, "1.02"),
    (969, 960, 1, "1.01"),
    (139.99, 256, 100, "55"),
    (249.99, 512, 100, "49"),
    (479.99, 1024, 100, "47"),
    (949.99, 2048, 100, "46"),
    (1899.99, 4096, 100, "46"),
]


@pytest.mark.parametrize(("price_usd", "user_gb", "cents", "printed"), PRICES)
def test_price_per_gb_reproduces_reviews(price_usd, user_gb, cents, printed):
    got = cost.usd_per_byte(price_usd, size_bytes=user_gb * GB) * GB * cents
    assert Printed(printed).admits(got)


@given(st.floats(0.01, 1e6), st.floats(1, 1e18))
def test_price_per_byte_times_bytes_is_the_price(price_usd, size_bytes):
    got = cost.usd_per_byte(price_usd, size_bytes=size_bytes)
    assert got * size_bytes == pytest.approx(price_usd, rel=1e-12)


@given(st.floats(0.01, 1e6), st.floats(1, 1e15), st.integers(1, 1000))
def test_more_drives_cost_more_and_the_byte_stays_the_same(price_usd, size_bytes, members):
    total = cost.total_usd(price_usd, members=members)
    assert total == pytest.approx(price_usd * members, rel=1e-12)
    assert cost.usd_per_byte(total, size_bytes=members * size_bytes) == pytest.approx(
        cost.usd_per_byte(price_usd, size_bytes=size_bytes), rel=1e-12
    )


@given(st.floats(0.01, 1e6), st.floats(1, 1e9), st.floats(1.1, 100))
def test_price_per_operation_is_linear_in_price_and_inverse_in_rate(price_usd, iops, factor):
    one = cost.usd_per_iops(price_usd, iops=iops)
    assert one * iops == pytest.approx(price_usd, rel=1e-12)
    assert cost.usd_per_iops(price_usd * factor, iops=iops * factor) == pytest.approx(one)


@given(st.floats(1e-16, 1e-9), st.floats(1e9, 1e18), st.integers(1, 1000))
def test_at_the_even_price_a_written_byte_costs_as_much(per_byte, size_bytes, members):
    even = cost.even_written_price_usd(per_byte, size_bytes=size_bytes, members=members)
    total = cost.total_usd(even, members=members)
    assert cost.usd_per_byte(total, size_bytes=size_bytes) == pytest.approx(per_byte, rel=1e-12)


def test_the_845dc_drives_are_even_per_written_byte_at_the_ratio_of_their_ratings():
    """AnandTech 8319: 400 GB PRO 960 USD for 7,300 TB; 480 GB EVO for 300 TB, sold at 490 USD."""
    pro = cost.usd_per_byte(960, size_bytes=7300e12)
    even = cost.even_written_price_usd(pro, size_bytes=300e12, members=1)
    assert even == pytest.approx(960 * 300 / 7300)
    assert even < 490

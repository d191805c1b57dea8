"""Spare area: three definitions, one drive, printed figures and conversions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import spare_area
from models.errors import DomainError
from models.units import GB, GIB
from tests.published import Printed

users = st.floats(1e9, 1e15)
ratios = st.floats(0, 100)

# AnandTech 7173, "Samsung SSD 840 EVO Memory": spare area is a share of the raw flash.
ANANDTECH_840_EVO = [
    (128, 120, "12.7"),
    (256, 250, "9.05"),
    (512, 500, "9.05"),
    (768, 750, "9.05"),
    (1024, 1000, "9.05"),
]


@pytest.mark.parametrize(("nand_gib", "user_gb", "percent"), ANANDTECH_840_EVO)
def test_spare_fraction_reproduces_anandtech_840_evo(nand_gib, user_gb, percent):
    got = spare_area.spare_fraction(nand_gib * GIB, user_bytes=user_gb * GB)
    assert Printed(percent).admits(100 * got)
    # The other definitions do not give the printed figure.
    assert not Printed(percent).admits(
        100 * spare_area.op_ratio(nand_gib * GIB, user_bytes=user_gb * GB)
    )
    assert not Printed(percent).admits(
        100 * spare_area.op_nominal(nand_gib * GIB, user_bytes=user_gb * GB)
    )


# AnandTech 8319, "Samsung SSD 845DC PRO": 512 and 1024 GiB sold as 400 and 800 GB, "28%".
@pytest.mark.parametrize(("nand_gib", "user_gb"), [(512, 400), (1024, 800)])
def test_one_drive_has_28_and_27_and_37_percent(nand_gib, user_gb):
    sizes = {"user_bytes": user_gb * GB}
    assert Printed("28").admits(100 * spare_area.op_nominal(nand_gib * GIB, **sizes))
    assert Printed("27.24").admits(100 * spare_area.spare_fraction(nand_gib * GIB, **sizes))
    assert Printed("37.44").admits(100 * spare_area.op_ratio(nand_gib * GIB, **sizes))


@given(users, ratios)
def test_definitions_agree_through_their_conversions(user_bytes, extra):
    raw_bytes = user_bytes * (1 + extra)
    ratio = spare_area.op_ratio(raw_bytes, user_bytes=user_bytes)
    share = spare_area.spare_fraction(raw_bytes, user_bytes=user_bytes)
    nominal = spare_area.op_nominal(raw_bytes, user_bytes=user_bytes)
    assert spare_area.spare_fraction_from_op_ratio(ratio) == pytest.approx(
        share, rel=1e-12, abs=1e-15
    )
    assert spare_area.op_nominal_from_op_ratio(ratio) == pytest.approx(
        nominal, rel=1e-12, abs=1e-15
    )


@given(ratios)
def test_spare_fraction_inverts(ratio):
    share = spare_area.spare_fraction_from_op_ratio(ratio)
    back = spare_area.op_ratio_from_spare_fraction(share)
    # The share crowds against 1, so the last digits of a large ratio are lost.
    assert back == pytest.approx(ratio, rel=1e-15 * (2 + ratio) + 1e-14)


@given(ratios)
def test_op_nominal_inverts(ratio):
    nominal = spare_area.op_nominal_from_op_ratio(ratio)
    back = spare_area.op_ratio_from_op_nominal(nominal)
    assert back == pytest.approx(ratio, rel=1e-12, abs=1e-15)
    assert back >= 0


def test_no_spare_at_all_survives_every_conversion():
    assert spare_area.op_ratio(1e12, user_bytes=1e12) == 0
    assert spare_area.spare_fraction(1e12, user_bytes=1e12) == 0
    assert spare_area.op_ratio_from_spare_fraction(0) == 0
    nominal = spare_area.op_nominal_from_op_ratio(0)
    assert nominal == GB / GIB - 1
    assert spare_area.op_ratio_from_op_nominal(nominal) == 0


@given(ratios, st.floats(0.01, 1))
def test_trimmed_space_counts_as_spare(op_ratio, fill_fraction):
    got = spare_area.effective_op_ratio(op_ratio, fill_fraction=fill_fraction)
    assert (1 + got) * fill_fraction == pytest.approx(1 + op_ratio, rel=1e-12)


@given(ratios, st.floats(0.1, 1), st.floats(0.1, 1))
def test_partitioning_then_filling_is_filling_the_product(op_ratio, part, fill):
    twice = spare_area.effective_op_ratio(
        spare_area.effective_op_ratio(op_ratio, fill_fraction=part), fill_fraction=fill
    )
    once = spare_area.effective_op_ratio(op_ratio, fill_fraction=part * fill)
    assert twice == pytest.approx(once, rel=1e-12, abs=1e-14)


@given(users, st.floats(0.01, 1), st.floats(0, 10))
def test_a_partition_has_the_effective_spare_area_of_its_fill(user_bytes, part, extra):
    raw_bytes = user_bytes * (1 + extra)
    used = spare_area.partition_bytes(user_bytes, partition_fraction=part)
    direct = spare_area.op_ratio(raw_bytes, user_bytes=used)
    full = spare_area.op_ratio(raw_bytes, user_bytes=user_bytes)
    assert direct == pytest.approx(
        spare_area.effective_op_ratio(full, fill_fraction=part), rel=1e-12, abs=1e-14
    )


def test_a_full_drive_keeps_its_spare_area():
    assert spare_area.effective_op_ratio(0.28, fill_fraction=1) == 0.28
    assert spare_area.partition_bytes(250e9, partition_fraction=1) == 250e9


@pytest.mark.parametrize("formula", ["op_ratio", "spare_fraction", "op_nominal"])
def test_user_capacity_beyond_the_flash_is_refused(formula):
    with pytest.raises(DomainError, match=r"^raw_bytes must be >= user_bytes, got 1e\+11$"):
        getattr(spare_area, formula)([1e12, 1e11], user_bytes=4e11)


@pytest.mark.parametrize(
    ("formula", "value", "name"),
    [
        ("op_ratio_from_spare_fraction", 1.0, "spare_fraction"),
        ("op_ratio_from_spare_fraction", 1.5, "spare_fraction"),
        ("op_ratio_from_op_nominal", -0.07, "op_nominal"),
    ],
)
def test_shares_without_a_meaning_are_refused(formula, value, name):
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        getattr(spare_area, formula)(value)

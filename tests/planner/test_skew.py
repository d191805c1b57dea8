"""Skew by name, and what placement makes of it."""

import numpy as np
import pytest

from models import write_amplification
from models.errors import DomainError
from planner.catalogue.drive import with_user_facts
from planner.scenario.firmware import Firmware, Layout
from planner.scenario.skew import PRESETS, classes_of
from planner.scenario.workload import Workload
from planner.search.sweeps import band, required_op_ratio
from planner.sections.plan import plan_drive

RATIOS = np.geomspace(0.05, 1.5, 40)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_shares_of_writes_and_pages(name):
    writes, pages = classes_of(name, capacity_bytes=400e9)
    assert len(writes) == len(pages)
    assert sum(writes) == pytest.approx(1, abs=1e-9)
    assert sum(pages) == pytest.approx(1, abs=1e-9)
    Workload(host_bytes_per_s=1e6, write_shares=writes, page_shares=pages)


def lifetime(drive, workload, **options):
    return plan_drive(drive, workload, **options)


def test_the_enterprise_mix_of_jesd219():
    """JESD219: 50 % of accesses to 5 % of the addresses, 30 % to the next 15 %."""
    assert classes_of("JESD219", capacity_bytes=1) == ((0.5, 0.3, 0.2), (0.05, 0.15, 0.8))


@pytest.mark.parametrize("wrong", ["", "80", "80/0", "100/20", "zipf", "zipf:x", "hot"])
def test_other_names_are_refused(wrong):
    with pytest.raises(DomainError, match=r"^--skew must be"):
        classes_of(wrong, capacity_bytes=400e9, field="--skew")


IN_LOG = Firmware(layout=Layout.ONE_LOG)


def skewed_workload(name, **fields):
    writes, pages = classes_of(name, capacity_bytes=400e9)
    return Workload(host_bytes_per_s=1e6, write_shares=writes, page_shares=pages, **fields)


def test_a_plan_takes_the_skew_of_its_workload(pro_400):
    life = lifetime(pro_400, skewed_workload("90/10"), firmware=IN_LOG)
    node = life["workload_wa"].inputs["random_wa"]
    assert node.is_computed
    assert node.formula == "models.write_amplification.skewed"
    expected = write_amplification.skewed(
        life["cleaning_op_ratio"].value, write_shares=(0.9, 0.1), page_shares=(0.1, 0.9)
    )
    assert node.value == pytest.approx(expected, rel=1e-12)
    assert any("single write frontier" in note for note in life.life_notes)


def test_a_plan_of_steep_skew_takes_the_chain(pro_400):
    """Linear noise is 2 % lower in such small blocks."""
    drive = with_user_facts(pro_400, pages_per_block=16)
    life = lifetime(drive, skewed_workload("99/1"), firmware=IN_LOG)
    node = life["workload_wa"].inputs["random_wa"]
    assert node.formula == "models.write_amplification.skewed"
    exact = write_amplification.two_temperature(
        life["cleaning_op_ratio"].value, hot_writes=0.99, hot_pages=0.01, pages_per_block=16
    )
    assert node.value == pytest.approx(exact, rel=3e-3)


def test_a_plan_takes_trims(pro_400):
    plain = lifetime(pro_400, Workload(host_bytes_per_s=1e6))
    trimmed = lifetime(pro_400, Workload(host_bytes_per_s=1e6, trim_share=0.1))
    assert trimmed["workload_wa"].value < plain["workload_wa"].value
    in_use = (1 - 0.2) / 0.9
    before = plain["cleaning_op_ratio"].value
    assert 1 + trimmed["cleaning_op_ratio"].value == pytest.approx((1 + before) / in_use)


@pytest.mark.parametrize("trimmed", [-0.1, 0.5, float("nan")])
def test_trims_beyond_half_are_refused(trimmed):
    with pytest.raises(DomainError, match=r"^trim_share must be"):
        Workload(host_bytes_per_s=1e6, trim_share=trimmed)


@pytest.mark.parametrize("name", ["80/20", "jesd219", "zipf:0.99"])
def test_curves_of_placement_are_in_order_and_meet_the_plan(pro_400, name):
    answer = plan_drive(pro_400, skewed_workload(name))
    here = answer["cleaning_op_ratio"].value
    got = band(answer, np.sort([*RATIOS, here]))
    assert np.all(got.apart <= got.low)
    assert np.all(got.low <= got.typical)
    assert np.all(got.typical <= got.high)
    assert np.all(np.diff(got.high) <= 0)
    ends = [np.interp(here, got.op_ratio, curve) for curve in (got.low, got.typical, got.high)]
    assert ends == pytest.approx([bound.value for bound in answer.wa_band], rel=0.02)


def test_uniform_writes_leave_no_band(pro_400):
    got = band(plan_drive(pro_400, Workload(host_bytes_per_s=1e6)), RATIOS)
    np.testing.assert_allclose(got.low, got.high, rtol=1e-9)


def test_the_band_counts_the_unit_of_the_map(pro_400):
    """Of one log it is the formula of the plan: four units of 4 KiB are one of 16 KiB."""
    in_units = with_user_facts(pro_400, unit_bytes=16384.0, pages_per_block=512)
    got = band(plan_drive(in_units, skewed_workload("80/20")), RATIOS)
    writes, pages = classes_of("80/20", capacity_bytes=400e9)
    shares = {"write_shares": writes, "page_shares": pages}
    expected = 4 * write_amplification.skewed(RATIOS, pages_per_block=128, **shares)
    np.testing.assert_allclose(got.high, expected, rtol=1e-9)


def test_required_spare_area_is_read_off_the_curve(pro_400):
    got = band(plan_drive(pro_400, Workload(host_bytes_per_s=1e6)), RATIOS)
    exact = write_amplification.fifo_op_ratio(2.0)
    assert required_op_ratio(2.0, got.high, RATIOS) == pytest.approx(exact, rel=0.01)
    assert required_op_ratio(50.0, got.high, RATIOS) is None

"""Ranges of read percentiles: vendors left out, what narrows them, and the two states."""

import math
from dataclasses import replace

import numpy as np
import pytest

from planner.catalogue import find, load
from planner.catalogue.model_error import model_error
from planner.quantity.writes import unambiguous
from planner.scenario.firmware import Firmware
from planner.scenario.workload import Workload
from planner.sections.read_error import ANCHORS, PER_DECADE, UNMEASURED, read_error
from planner.sections.request import plan_of
from planner.sections.speed import speed_of
from planner.sections.speed_case import QUANTILES, case_of
from planner.sections.speed_ranges import speed_ranges_of
from tests import measured_reads as evidence
from tests import read_ranges

# A load that the printed rate and three other vendors leave 2 % likely to be too much.
UNFORESEEN = ("micron-7450-pro-960gb", 67910.0)


@pytest.mark.parametrize(("place", "name"), list(enumerate(evidence.NAMES)))
def test_a_vendor_left_out_is_inside_what_is_printed(place, name):
    """Of p99.9 the loads outside are all of Kioxia."""
    below = read_ranges.below()
    outside = [row for row in below if not row.is_inside[place]]
    assert len(outside) <= 0.15 * len(below)
    if name == "p99.9":
        assert {row.load.drive.vendor for row in outside} == {"Kioxia"}


def test_what_a_saturated_drive_took_is_inside():
    (missed,) = (row for row in read_ranges.saturated() if not all(row.is_inside))
    assert (missed.load.drive.drive_id, missed.load.write_iops) == UNFORESEEN
    assert missed.probability < 0.05
    assert missed.is_inside == [False, True, True]
    known = read_ranges.at(missed.load, 70e3)  # with its own loss beside reads among the errors
    assert 0.05 < known.probability < 0.95
    assert all(known.is_inside)


def test_no_load_that_a_drive_carried_is_called_saturated():
    assert all(row.probability < 0.95 for row in read_ranges.below())


def error_of(drive):
    case = case_of(drive, Workload(host_bytes_per_s=1e6), Firmware())
    found = read_error(drive, case)
    return np.log(found.low), np.log(found.high), found


def halves(drive):
    low, high, _ = error_of(drive)
    return (high - low) / 2


@pytest.fixture(scope="module")
def unknown():
    """A drive as those measured, of a vendor of whom none was."""
    return replace(find(load(), "PM9A3 960"), drive_id="other", vendor="Any")


def test_errors_are_the_rows_and_straight_between_them(unknown):
    low, high, found = error_of(unknown)
    middle, half = (low + high) / 2, (high - low) / 2
    for name, level in ANCHORS.items():
        place, error = QUANTILES.index(level), model_error("read_quantiles_s", name)
        assert (middle[place], half[place]) == pytest.approx((error.middle, error.half))
    share = math.log(10 / 2) / math.log(100 / 2)  # of the way of p90 from p50 to p99
    assert half[1] == pytest.approx((1 - share) * half[0] + share * half[2])
    np.testing.assert_allclose(np.diff(half[3:]), PER_DECADE)
    assert found.families == 5
    assert {"erase_s", "die_bytes", "steady_write_iops"} <= found.inside


def test_the_drive_itself_is_known_better_than_a_sibling_and_that_than_another(unknown):
    own = find(load(), "PM9A3 960")
    sibling = replace(own, drive_id="other")
    assert np.all(halves(own) < halves(sibling))
    assert np.all(halves(sibling) <= halves(unknown))
    assert np.all(halves(sibling)[2:] < halves(unknown)[2:])
    client = replace(sibling, segment="client")
    np.testing.assert_array_equal(halves(client), halves(unknown))


def test_drives_that_nobody_measured_are_known_less_and_their_flash_counts(unknown):
    whole = find(load(), "845DC PRO 400")
    np.testing.assert_allclose(halves(replace(whole, vendor="Any")), halves(unknown) + UNMEASURED)
    assert not error_of(whole)[2].inside


@pytest.mark.parametrize("name", ["PM9A3 960", "845DC PRO 400"])
def test_ends_hold_the_typical_and_rise_with_percentile_and_load(name):
    steady = find(load(), name).value("steady_write_iops")
    rows = []
    for share in (0.3, 0.7, 0.9, 1.0, 1.2, 1.6):
        plan = plan_of(
            name, writes=unambiguous(f"{share * steady * 4096} B/s"), reads="10%", queue_depth="64"
        )
        ranges = speed_ranges_of(plan, speed_of(plan)).reads.values()
        rows.append([[each.low, each.typical, each.high] for each in ranges])
    ends = np.array(rows)
    assert np.all(np.diff(ends, axis=2) > 0)
    assert np.all(np.diff(ends, axis=1) >= 0)
    assert np.all(np.diff(ends, axis=0) >= -1e-9 * ends[1:])

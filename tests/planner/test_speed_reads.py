"""Read latency of `speed` where reads interrupt writes: at the loads that were measured."""

import numpy as np
import pytest

from planner.catalogue import find, load
from planner.catalogue.priors import with_assumptions
from planner.scenario.workload import Workload
from planner.sections.read_tail import INTERRUPTED, LOAD
from planner.sections.speed import speed
from planner.sections.speed_case import QUANTILES
from tests import measured_reads as evidence

PAGE_BYTES = 4096


def at(drive, write_iops, read_iops, depth=32):
    workload = Workload(
        host_bytes_per_s=write_iops * PAGE_BYTES, queue_depth=depth,
        read_fraction=read_iops / (write_iops + read_iops),
    )  # fmt: skip
    return speed(with_assumptions(drive), workload)


@pytest.mark.parametrize("drive_id", sorted(evidence.drives().keys() & load().drives))
@pytest.mark.parametrize("place", [0, -1])
def test_what_a_drive_ran_is_not_saturated_and_near_what_is_told(drive_id, place):
    case = [one for one in evidence.loads() if one.drive.drive_id == drive_id][place]
    got = at(case.drive, case.write_iops, case.read_iops)
    assert got.read_quantiles_s.note == INTERRUPTED
    assert np.all(np.isfinite(list(got.read_latency_s.values())))
    for percent, measured in zip((99.0, 99.9), case.read_s[1:], strict=True):
        assert evidence.factors(got.read_latency_s[percent] / measured) < 2.4


def test_no_drive_ran_what_is_called_saturated():
    """At most 1.1 times the printed rate, whatever was measured there, and by its probability."""
    for case in evidence.measured():
        if case.drive.drive_id in load().drives and case.fraction <= 1.1:
            got = at(case.drive, case.write_iops, case.read_iops, depth=evidence.OUTSTANDING)
            assert got.saturation_probability.value < 0.95
            assert "saturated (" not in got.saturation


@pytest.mark.parametrize("depth", [1, 32, 448])
def test_percentiles_rise_through_the_limit(depth):
    drive = find(load(), "PM9A3 960")
    loads = [0.8, 0.95, 1.0, 1.05, 1.1, 1.2, 1.4, 2.0]
    found = [at(drive, load * 70e3, 5e3, depth) for load in loads]
    rows = np.array([list(got.read_latency_s.values()) for got in found])
    assert np.all(np.diff(rows, axis=0) >= -1e-9 * rows[1:])
    assert np.all(np.diff(rows, axis=1) >= 0)


def test_one_reader_waits_as_a_read_at_random():
    """But for reads that meet another read."""
    got = at(find(load(), "PM9A3 960"), 30e3, 100.0, depth=1)
    alone, random = got.closed_read_latency_s, got.read_latency_s
    for level in QUANTILES:
        percent = round(100 * level, 6)
        assert alone[percent] == pytest.approx(random[percent], rel=0.01)


def test_more_readers_wait_for_longer():
    drive = find(load(), "PM9A3 960")
    one, many = (list(at(drive, 30e3, 100.0, depth).closed_read_latency_s.values())
                 for depth in (1, 32))  # fmt: skip
    assert all(np.array(many) > np.array(one))


def test_drives_from_before_wait_for_whole_operations():
    got = at(find(load(), "845DC PRO 400"), 10e3, 5e3)
    assert got.read_quantiles_s.note == LOAD


@pytest.mark.parametrize("name", ["SN770 1 TB", "BX500 1 TB", "Optane 905P 960"])
def test_a_drive_that_reads_its_map_from_flash_has_a_speed(name):
    answer = speed(with_assumptions(find(load(), name)), Workload(host_bytes_per_s=1e6))
    assert answer.random_read_iops.value > 0
    assert "random_read_iops" in answer.binding

"""Speed of a drive whose map knows units of more than a page: each small write is one unit."""

from dataclasses import replace

import pytest

from models.units import KIB
from models.write_amplification import greedy
from planner.catalogue import find, load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.priors import assumptions
from planner.scenario.workload import Workload
from planner.sections.speed import speed
from planner.sections.speed_curve import speed_curve
from planner.simulation.speed import speed_replay

WRITES = Workload(host_bytes_per_s=40e6, read_fraction=0.5)
PAGES = 2048.0


@pytest.fixture(scope="module")
def drive():
    return with_user_facts(find(load(), "845DC PRO 400"), pages_per_block=PAGES)


@pytest.fixture(scope="module")
def in_pages(drive):
    return speed(drive, WRITES, with_readers=False)


@pytest.fixture(scope="module")
def in_units(drive):
    return speed(with_user_facts(drive, unit_bytes=16.0 * KIB), WRITES, with_readers=False)


def test_a_small_write_programs_a_unit(in_pages, in_units):
    ratio = in_units.op_ratio.value
    assert in_units.wa.value == pytest.approx(4 * greedy(ratio, pages_per_block=PAGES / 4))
    assert in_pages.wa.value == pytest.approx(greedy(ratio, pages_per_block=PAGES))
    # Four programs, reads of what is copied and of the rest of the unit.
    slower = (
        in_pages.nodes["modelled_write_iops"].value / in_units.nodes["modelled_write_iops"].value
    )
    assert 3.9 < slower < 4.5


def test_the_cliff_comes_after_a_quarter_of_the_writes(in_pages, in_units):
    until_units, until_pages = (
        each.cliff_s.value * each.fresh_write_iops.value for each in (in_units, in_pages)
    )
    assert until_units == pytest.approx(until_pages / 4, rel=1e-9)
    course = speed_curve(in_units)
    assert course.wa[0] == pytest.approx(4)
    assert course.wa[-1] == pytest.approx(in_units.wa.value, rel=0.02)


@pytest.mark.parametrize(
    ("size", "sequential", "pages"),
    [(4, 0.0, 1), (16, 0.0, 1 / 4), (4, 1.0, 1 / 4), (32, 0.5, 1 / 4)],
)
def test_the_load_beside_reads_is_that_of_units(drive, size, sequential, pages):
    workload = Workload(
        host_bytes_per_s=40e6, read_fraction=0.5, transfer_bytes=size * KIB,
        sequential_fraction=sequential,
    )  # fmt: skip
    drive = with_user_facts(drive, unit_bytes=16.0 * KIB)
    offered = speed(drive, workload, with_readers=False).nodes["offered_write_iops"]
    assert offered.value == pytest.approx(pages * 40e6 / 4096)


def test_reads_wait_longer_beside_writes_of_less_than_a_unit_unless_a_rate_is_printed(
    drive, in_pages, in_units
):
    """A printed rate says what share of the dies' time its writes take, in whatever units."""
    assert in_units.read_latency_s[99.9] == pytest.approx(in_pages.read_latency_s[99.9], rel=0.02)
    bare = replace(drive, facts={k: v for k, v in drive.facts.items() if k != "steady_write_iops"})
    pages, units = (
        speed(each, WRITES, with_readers=False)
        for each in (bare, with_user_facts(bare, unit_bytes=16.0 * KIB))
    )
    assert units.read_latency_s[99.9] > pages.read_latency_s[99.9]


def test_the_event_simulator_knows_pages_alone(in_pages, in_units):
    assert speed_replay(in_pages) is not None
    assert speed_replay(in_units) is None


def test_a_rate_that_is_printed_for_whole_units_is_the_most_of_smaller_writes():
    drive = find(load(), "D5-P5336 61.44")
    assumed = next(item for item in assumptions(drive) if item.quantity == "steady_write_iops")
    assert (assumed.low, assumed.typical, assumed.high) == (19e3, 38e3, 38e3)
    assert "of 16 KiB random: a smaller write reads the rest of its unit" in assumed.ground


@pytest.mark.parametrize("name", ["6600 ION 245", "D5-P5430 30.72"])
def test_a_rate_that_holds_for_4_kib_or_states_no_size_is_not_widened_by_units(name):
    items = {item.quantity: item for item in assumptions(find(load(), name))}
    assert "reads the rest" not in items["steady_write_iops"].ground

"""Every drive answers every question with a range; all are in `docs/evidence/ranges.md`."""

import pytest

from planner.catalogue import load
from planner.catalogue.drive import own_drive, with_user_facts
from planner.catalogue.priors import assumptions
from planner.scenario.workload import Workload
from planner.sections.request import plan_of
from planner.sections.structure import service_leaves, service_values
from tests import every_drive

CATALOGUE = list(load().drives.values())
DESCRIBED = every_drive.described()


@pytest.mark.parametrize("drive", CATALOGUE[7::40], ids=lambda drive: drive.drive_id)
def test_a_drive_of_the_catalogue_has_a_plan_of_ranges(drive):
    assert dict(every_drive.of_plan(plan_of(drive, writes=every_drive.WRITES)))


@pytest.mark.parametrize("number", range(0, every_drive.DESCRIBED, 3))
def test_a_drive_that_is_but_described_has_a_plan_of_ranges(number):
    answer = plan_of(DESCRIBED[number], writes=every_drive.WRITES)
    assert any(each.basis == "prior" for _, each in every_drive.of_plan(answer))


@pytest.mark.parametrize(
    "drive", [*CATALOGUE[3::300], *DESCRIBED[:2]], ids=lambda drive: drive.name
)
def test_a_drive_has_a_speed_of_ranges(drive):
    assert dict(every_drive.of_speed(plan_of(drive, writes=every_drive.WRITES)))


@pytest.mark.parametrize("queue_depth", [None, 7.0])
def test_what_stands_in_for_facts_has_the_same_number_with_and_without_words(queue_depth):
    workload = Workload(host_bytes_per_s=1e6, queue_depth=queue_depth)
    for drive in [*CATALOGUE, *DESCRIBED, with_user_facts(CATALOGUE[0], rated_queue_depth=5)]:
        leaves = service_leaves(drive, workload)
        assert service_values(drive, workload) == {key: leaves[key].value for key in leaves}


def test_a_row_without_a_number_is_noticed():
    with pytest.raises(AssertionError, match="is missing, for lack of"):
        dict(every_drive.of_plan(plan_of("860 PRO 4TB", known_only="true")))


def test_a_printed_rate_of_no_known_state_is_the_most_that_is_steady():
    (unsaid, *_) = (
        drive for drive in CATALOGUE
        if "spec_write_iops" in drive.facts and "steady_write_iops" not in drive.facts
    )  # fmt: skip
    (steady,) = (item for item in assumptions(unsaid) if item.quantity == "steady_write_iops")
    assert steady.low <= steady.typical <= steady.high == unsaid.value("spec_write_iops")
    assert steady.low < steady.high
    answer = plan_of(unsaid, writes=every_drive.WRITES, reads="0%")
    assert answer.ranges["write_iops"].low < answer.ranges["write_iops"].high


def test_a_drive_without_capacity_is_the_only_one_that_lacks_answers():
    assert not assumptions(own_drive(None))


def test_the_page_of_ranges_names_percentiles_in_words():
    row = every_drive.width("speed", "closed_read_latency_s, 99.9 %", [2.0, 2.0])
    assert row == "| speed | Read latency of readers beside the workload's writes, 99.9 % | 2 | 2 |"

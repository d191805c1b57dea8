"""The speed of a drive over a part of its data: the working set of writes, and of reads."""

import pytest

from models import calibration
from models.write_amplification import fifo
from planner.catalogue import find, load
from planner.catalogue.priors import with_assumptions
from planner.scenario.workload import Workload
from planner.sections.speed import speed


def over(name, share):
    drive = with_assumptions(find(load(), name))
    writes = Workload(host_bytes_per_s=0.0, read_fraction=0.5, working_set_fraction=share)
    return speed(drive, writes, with_readers=False)


@pytest.mark.parametrize("name", ["840 EVO 250", "845DC EVO 240", "7450 PRO 960", "SN550 1TB"])
def test_a_smaller_working_set_is_never_slower(name):
    rates = [over(name, share).steady_write_iops.value for share in (1.0, 0.5, 0.25, 0.05)]
    assert rates == sorted(rates)
    assert rates[-1] > rates[0]


def test_printed_rate_follows_the_spare_area_over_the_working_set():
    whole, half = over("845DC EVO 240", 1.0), over("845DC EVO 240", 0.5)
    spare = whole.reading["cleaning_op_ratio"].value
    expected = calibration.followed_write_iops(
        12_000.0, reference_wa=fifo(spare), wa=fifo(2 * spare),
        burst_write_iops=whole.deep_fresh_write_iops.value,
    )  # fmt: skip
    assert half.deep_steady_write_iops.value == pytest.approx(expected, rel=0.02)


def test_the_cliff_comes_after_the_same_spare_bytes():
    whole, part = over("845DC PRO 400", 1.0), over("845DC PRO 400", 0.25)
    assert part.cliff_s.value == pytest.approx(whole.cliff_s.value)


def test_reads_of_a_part_find_their_map():
    """A drive without DRAM reads over 8 GB as fast as its data sheet says, over all data less."""
    whole, part = over("SN550 1TB", 1.0), over("SN550 1TB", 0.008)
    assert part.random_read_iops.value >= whole.random_read_iops.value

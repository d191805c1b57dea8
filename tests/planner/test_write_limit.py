"""What drives write at most over their steady rate: as measured, printed, stated or assumed."""

import math
from dataclasses import replace

import pytest

from models.calibration import IopsPoint
from models.units import GB
from planner.catalogue import find, load
from planner.catalogue.drive import own_drive, with_user_facts
from planner.catalogue.model_error import model_error
from planner.catalogue.priors import with_assumptions
from planner.catalogue.priors_kind import of_kind
from planner.catalogue.write_limit import write_limit
from planner.sections.calibration import with_points
from tests import measured_reads as evidence

MODERN, OTHER = (model_error("steady_write_iops", one) for one in ("NVMe from 2018", "other"))
BESIDE = model_error("steady_write_iops", "beside reads")


def half(drive, *, is_beside_reads=False):
    return 1.6449 * write_limit(drive, is_beside_reads=is_beside_reads).sd


@pytest.fixture(scope="module")
def pm9a3():
    return find(load(), "PM9A3 960")


def test_a_printed_rate_is_known_as_well_as_printed_rates_are(pm9a3):
    assert half(pm9a3) == pytest.approx(MODERN.half)
    assert half(find(load(), "845DC PRO 400")) == pytest.approx(OTHER.half)
    beside = write_limit(pm9a3, is_beside_reads=True)
    assert math.log(beside.ratio) == pytest.approx(BESIDE.middle)
    assert half(pm9a3, is_beside_reads=True) == pytest.approx(BESIDE.half)


def test_what_the_user_knows_of_the_drive_narrows_it(pm9a3):
    stated = with_user_facts(pm9a3, steady_write_iops=74e3)
    measured = with_points(pm9a3, [IopsPoint(74e3, 960 * GB)])
    for own in (stated, measured):
        assert write_limit(own, is_beside_reads=False).ratio == 1
        assert half(own) == pytest.approx(math.hypot(math.log(1.05), math.log(1.03)))
        assert half(own) < half(own, is_beside_reads=True) < half(pm9a3, is_beside_reads=True)


def test_a_rate_that_nobody_printed_is_known_less(pm9a3):
    facts = {name: fact for name, fact in pm9a3.facts.items() if name != "steady_write_iops"}
    unprinted = replace(pm9a3, facts=facts)
    assumed = with_assumptions(of_kind(own_drive(960 * GB), "TLC enterprise NVMe 2022"))
    for drive in (unprinted, assumed):
        assert half(drive) > 2 * half(pm9a3)


def test_every_measured_drive_ran_what_its_limit_leaves_likely():
    """Micron's lost 20 % beside the reads."""
    for drive_id, drive in evidence.drives().items():
        limit = write_limit(drive, is_beside_reads=True)
        ran = evidence.limit_iops(drive_id) / drive.value("steady_write_iops")
        assert abs(math.log(ran / limit.ratio)) < 1.6449 * limit.sd

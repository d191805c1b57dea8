"""Read latency beside writes on measured drives: what its page says, and what is required."""

from pathlib import Path

import numpy as np
import pytest

from planner.catalogue.model_error import model_error
from tests import measured_reads as evidence
from tests import measured_reads_page as pages

STORED = (Path(__file__).parents[1] / "docs" / "evidence" / "measured-reads.md").read_text()


def test_every_drive_is_measured_up_to_its_saturation():
    assert len(evidence.drives()) == 5
    assert len(evidence.loads()) == 45
    assert len(evidence.measured()) == 81


def test_the_constants_are_the_round_numbers_near_the_best_ones():
    np.testing.assert_allclose(evidence.shipped(), evidence.constants(), rtol=0.05)


@pytest.mark.parametrize("target", pages.targets(), ids=lambda target: target[0])
def test_what_is_required_is_met(target):
    assert pages.is_met(*target)


@pytest.mark.parametrize("drive_id", evidence.drives())
def test_tails_of_a_drive_that_the_constants_do_not_know_are_within_a_factor(drive_id):
    assert evidence.factors(evidence.left_out(drive_id)[:, 1:]).max() <= 2.1


BLIND = evidence.blind_errors()


def of_vendors(shares):
    return np.mean(list(shares.values()))


@pytest.mark.parametrize("name", evidence.NAMES)
def test_ranges_hold_on_a_vendor_that_neither_fit_nor_range_knows(name):
    assert len(BLIND[name]) == 5
    assert of_vendors(evidence.covered(BLIND[name])) >= 0.88


@pytest.mark.parametrize(("name", "least"), [("p99", 0.80), ("p99.9", 0.65)])
def test_tails_of_a_vendor_left_out_are_near(name, least):
    assert of_vendors(evidence.near(BLIND[name])) >= least


@pytest.mark.parametrize("drive_id", evidence.drives())
def test_every_saturated_load_lies_in_the_range_of_saturated_reads(drive_id):
    bands = np.exp([evidence.blind_range(BLIND[name]).half for name in evidence.NAMES])
    ends = evidence.latency_tail.saturated_read_range_s(
        evidence.LEVELS, unsaturated_s=evidence.at_the_limit(drive_id), read_band_ratio=bands,
        queue_depth=evidence.OUTSTANDING, limit_iops=evidence.limit_iops(drive_id),
    )  # fmt: skip
    for case in evidence.saturated(drive_id):
        assert np.all(ends.low <= case.read_s)
        assert np.all(case.read_s <= ends.high)


def test_the_limit_of_drives_is_that_of_the_planner():
    error = model_error("steady_write_iops", "NVMe from 2018")
    assert round(np.exp(error.middle), 2) == evidence.LIMIT_RATIO


def test_the_stored_page_says_what_was_reached_for_every_load():
    assert "\n".join(pages.limits()) in STORED
    assert "\n".join(pages.blind_table()) in STORED
    assert "\n".join(pages.planned()) in STORED
    assert "\n".join(pages.by_own()) in STORED
    worst_first = STORED.split("worst first\n")[1].splitlines()
    assert sum(line.endswith(" |") and " us | " in line for line in worst_first) == 3 * 45

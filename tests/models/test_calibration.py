"""Calibration against printed pairs, and as the inverse of the performance formulas."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import calibration, interface, slc_cache, write_budget
from models.errors import DomainError
from models.units import MB, US
from tests.published import Printed

# 4 KiB reads and sequential read MB/s of the specifications: Samsung 860 PRO (AnandTech, "Samsung
# 860 PRO SSD review", 2018), 840 EVO (AnandTech 7173), 845DC (AnandTech 8319); times by hand.
READS = [
    ("860 PRO", 100e3, 560, "2.69"),
    ("840 EVO 500 GB", 98e3, 540, "2.62"),
    ("840 EVO 120 GB", 94e3, 540, "3.05"),
    ("845DC PRO", 92e3, 530, "3.14"),
    ("845DC EVO", 87e3, 530, "3.77"),
]


@pytest.mark.parametrize(("iops", "mb_per_s", "printed_us"), [row[1:] for row in READS])
def test_command_time_of_published_drives(iops, mb_per_s, printed_us):
    got = calibration.command_s(iops, transfer_bytes=4096, link_bytes_per_s=mb_per_s * MB)
    assert Printed(printed_us).admits(got / US)


sizes = st.floats(512, 1e6)
links = st.floats(1e8, 1e10)


@given(sizes, links, st.floats(1e-7, 1e-3))
def test_command_time_inverts_the_link(size, link, seconds):
    iops = interface.link_iops(size, link_bytes_per_s=link, command_s=seconds)
    back = calibration.command_s(iops, transfer_bytes=size, link_bytes_per_s=link)
    assert back == pytest.approx(seconds, rel=1e-9, abs=1e-12 * size / link)


# Through a reciprocal, which may round up by one place beyond the limit.
@given(sizes, links)
def test_a_link_without_command_time_gives_none(size, link):
    iops = interface.link_iops(size, link_bytes_per_s=link)
    for near in (iops, np.nextafter(link / size, math.inf)):
        got = calibration.command_s(near, transfer_bytes=size, link_bytes_per_s=link)
        assert 0 <= got <= 1e-12 * size / link


@given(sizes, links)
def test_a_full_link_leaves_no_time_for_commands(size, link):
    got = calibration.command_s(link / size, transfer_bytes=size, link_bytes_per_s=link)
    assert got == pytest.approx(0, abs=1e-12 * size / link)
    with pytest.raises(DomainError, match=r"^iops must be <= link_bytes_per_s / transfer_bytes"):
        calibration.command_s(1.001 * link / size, transfer_bytes=size, link_bytes_per_s=link)


@given(st.integers(1, 512), st.integers(1, 32), st.floats(1e-4, 1e-2), st.floats(1e-6, 5e-5))
def test_program_time_inverts_the_sequential_rate(dies, at_once, program_s, transfer_s):
    page_s = write_budget.program_page_s(
        program_s, transfer_s=transfer_s, pages_per_program=at_once
    )
    rate = write_budget.media_write_iops(dies, host_page_s=page_s) * 4096
    back = calibration.effective_program_s(
        rate, dies=dies, pages_per_program=at_once, transfer_s=transfer_s, transfer_bytes=4096
    )
    assert back == pytest.approx(program_s, rel=1e-9)
    whole = slc_cache.program_bytes_per_s(
        dies,
        program_bytes=4096 * at_once,
        program_s=back + at_once * transfer_s,
        link_bytes_per_s=1e15,
    )
    assert whole == pytest.approx(rate, rel=1e-9)


# ISSCC 2014, paper 19.5: 50 MB/s at 3K cycles, 33 MB/s at 35K, for one die of the 845DC PRO.
@pytest.mark.parametrize(("dies", "flash_mb_per_s"), [(32, 50), (32, 33), (64, 33)])
def test_the_845dc_pro_is_not_limited_by_the_programs_of_its_dies(dies, flash_mb_per_s):
    effective_s = calibration.effective_program_s(
        460 * MB, dies=dies, pages_per_program=4, transfer_s=10e-6, transfer_bytes=4096
    )
    assert effective_s > 2 * 4 * 4096 / (flash_mb_per_s * MB)


def test_dies_that_cannot_even_take_the_data_are_refused():
    with pytest.raises(DomainError, match=r"^write_bytes_per_s must be < dies \* transfer_bytes"):
        calibration.effective_program_s(
            460 * MB, dies=1, pages_per_program=4, transfer_s=10e-6, transfer_bytes=4096
        )


@given(st.floats(1, 1e7), st.floats(1, 50), sizes)
def test_bus_rate_inverts_the_bus_limit(iops, wa, size):
    bus = calibration.bus_bytes_per_s(iops, wa=wa, transfer_bytes=size)
    back = write_budget.bus_write_iops(bus, wa=wa, transfer_bytes=size)
    assert back == pytest.approx(iops, rel=1e-12)


def test_bus_rate_needs_a_write_amplification():
    with pytest.raises(DomainError, match=r"^wa must be >= 1 and finite, got 0.5"):
        calibration.bus_bytes_per_s(1e4, wa=0.5, transfer_bytes=4096)


@pytest.mark.parametrize(
    ("modelled", "tolerance", "limit"),
    [
        (20e3, 0.1, 14e3),
        (15.5e3, 0.1, 14e3),
        (15.3e3, 0.1, math.inf),
        (14e3, 0.0, math.inf),
        (12e3, 0.1, math.inf),
    ],
)
def test_only_an_excess_beyond_the_tolerance_is_a_limit(modelled, tolerance, limit):
    got = calibration.controller_iops(14e3, modelled_iops=modelled, tolerance_ratio=tolerance)
    assert got == limit


@given(st.floats(1, 1e7), st.floats(-0.9, 10))
def test_residual_is_the_relative_excess(rated, excess):
    got = calibration.residual_ratio((1 + excess) * rated, rated_iops=rated)
    assert got == pytest.approx(excess, rel=1e-9, abs=1e-12)

"""Background work of a die: rates and durations against counting, page by page."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import latency_tail
from models.errors import DomainError
from models.latency_tail import FlashTimings, Operations

FLASH = FlashTimings(
    read_s=50e-6,
    program_s=700e-6,
    erase_s=4e-3,
    transfer_s=10e-6,
    pages_per_read=4,
    pages_per_program=4,
    pages_per_block=1024,
)
amplification = st.floats(1.0, 20.0)
sizes = st.sampled_from([1, 2, 4, 16])


def busy_s(operations):
    return np.dot(operations.rates_per_s, operations.durations_s)


def harvest(valid, size):
    """Mean number of valid pages in a flash page that holds any, one count after the other."""
    odds = [math.comb(size, k) * valid**k * (1 - valid) ** (size - k) for k in range(1, size + 1)]
    return sum(k * odd for k, odd in enumerate(odds, start=1)) / sum(odds)


@given(amplification, sizes)
def test_every_operation_is_counted(wa, size):
    flash = FLASH._replace(pages_per_read=size, pages_per_program=size)
    programs, reads, erases = latency_tail.background_operations(
        256.0, wa=wa, flash=flash
    ).rates_per_s
    assert programs * size == pytest.approx(256 * wa, rel=1e-12)
    assert erases * 1024 == pytest.approx(256 * wa, rel=1e-12)
    copied = 256 * (wa - 1)
    pages = harvest(1 - 1 / wa, size) if wa > 1 + 1e-9 else 1.0
    assert reads * pages == pytest.approx(copied, rel=1e-6, abs=1e-9)


def test_durations_hold_the_transfers():
    operations = latency_tail.background_operations(256.0, wa=2.0, flash=FLASH)
    pages = harvest(0.5, 4)
    np.testing.assert_allclose(
        operations.durations_s, [740e-6, 50e-6 + pages * 10e-6, 4e-3], rtol=1e-12
    )


def test_reads_may_be_smaller_than_programs():
    flash = FLASH._replace(pages_per_read=1)
    _, reads, _ = latency_tail.background_operations(256.0, wa=3.0, flash=flash).rates_per_s
    assert reads == pytest.approx(512, rel=1e-12)


def test_nothing_is_copied_at_write_amplification_one():
    _, reads, _ = latency_tail.background_operations(256.0, wa=1.0, flash=FLASH).rates_per_s
    assert reads == 0


@given(amplification, sizes)
def test_whole_blocks_take_the_same_time_of_the_die(wa, size):
    flash = FLASH._replace(pages_per_read=size, pages_per_program=size)
    steps = latency_tail.background_operations(256.0, wa=wa, flash=flash)
    blocks = latency_tail.whole_block_operations(256.0, wa=wa, flash=flash)
    assert busy_s(blocks) == pytest.approx(busy_s(steps), rel=1e-9)
    assert blocks.durations_s[1] >= flash.erase_s


@given(amplification, st.integers(1, 16))
def test_a_read_meets_the_transfers_of_the_other_dies_only(wa, dies):
    transfers = latency_tail.channel_transfers(
        2e3, die_write_iops=300.0, wa=wa, flash=FLASH, dies_per_channel=dies
    )
    moved = (2e3 + 300 * wa + 300 * (wa - 1)) * FLASH.transfer_s
    assert busy_s(transfers) == pytest.approx((dies - 1) * moved, rel=1e-9)


def test_transfers_wait_for_the_channel():
    """One kind of transfer: the queue with fixed service, load / (1 - load) / 2 of a transfer."""
    wait = latency_tail.mean_channel_wait_s(Operations([20e3], [10e-6]))
    assert wait == pytest.approx(0.2 / 0.8 / 2 * 10e-6, rel=1e-12)
    assert latency_tail.mean_channel_wait_s(Operations([1e5], [10e-6])) == math.inf
    without = latency_tail.background_operations(256.0, wa=2.0, flash=FLASH)
    held = latency_tail.background_operations(256.0, wa=2.0, flash=FLASH, channel_wait_s=wait)
    np.testing.assert_allclose(
        held.durations_s - without.durations_s, [wait, wait, 0], rtol=1e-9, atol=1e-18
    )


def test_loads_broadcast():
    rates, waf = np.array([[100.0], [200.0], [300.0]]), np.array([1.5, 4.0])
    got = latency_tail.background_operations(rates, wa=waf, flash=FLASH)
    assert got.rates_per_s.shape == got.durations_s.shape == (3, 2, 3)
    one = latency_tail.background_operations(200.0, wa=4.0, flash=FLASH)
    np.testing.assert_allclose(got.rates_per_s[1, 1], one.rates_per_s, rtol=1e-13)
    np.testing.assert_allclose(got.durations_s[1, 1], one.durations_s, rtol=1e-13)
    blocks = latency_tail.whole_block_operations(rates, wa=waf, flash=FLASH)
    assert blocks.rates_per_s.shape == blocks.durations_s.shape == (3, 2, 2)
    moves = latency_tail.channel_transfers(
        1e3, die_write_iops=rates, wa=waf, flash=FLASH, dies_per_channel=4
    )
    assert moves.rates_per_s.shape == moves.durations_s.shape == (3, 2, 3)


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"read_s": 0.0}, r"flash\.read_s"),
        ({"program_s": -1.0}, r"flash\.program_s"),
        ({"erase_s": math.nan}, r"flash\.erase_s"),
        ({"transfer_s": math.inf}, r"flash\.transfer_s"),
        ({"pages_per_read": 0.5}, r"flash\.pages_per_read"),
        ({"pages_per_program": 2.5}, r"flash\.pages_per_program"),
        ({"pages_per_block": 0}, r"flash\.pages_per_block"),
    ],
)
def test_names_the_timing_outside_its_domain(changed, name):
    flash = FLASH._replace(**changed)
    for make in (latency_tail.background_operations, latency_tail.whole_block_operations):
        with pytest.raises(DomainError, match=f"^{name} must be"):
            make(256.0, wa=2.0, flash=flash)


@pytest.mark.parametrize("wa", [0.5, math.nan, math.inf])
def test_write_amplification_is_one_or_more(wa):
    with pytest.raises(DomainError, match=r"^wa must be"):
        latency_tail.background_operations(256.0, wa=wa, flash=FLASH)


@pytest.mark.parametrize("rate", [-1.0, math.nan, math.inf])
def test_rates_of_a_die_are_finite(rate):
    with pytest.raises(DomainError, match=r"^die_write_iops must be"):
        latency_tail.background_operations(rate, wa=2.0, flash=FLASH)
    with pytest.raises(DomainError, match=r"^channel_wait_s must be"):
        latency_tail.background_operations(1.0, wa=2.0, flash=FLASH, channel_wait_s=rate)
    with pytest.raises(DomainError, match=r"^die_read_iops must be"):
        latency_tail.channel_transfers(
            rate, die_write_iops=1.0, wa=2.0, flash=FLASH, dies_per_channel=4
        )


@pytest.mark.parametrize(
    ("operations", "name"),
    [
        (Operations([-1.0], [1e-3]), "rates_per_s"),
        (Operations([math.inf], [1e-3]), "rates_per_s"),
        (Operations([1.0], [0.0]), "durations_s"),
        (Operations([1.0], [math.inf]), "durations_s"),
        (Operations([1.0], [1e-3], -1.0), "suspend_s"),
        (Operations([1.0], [1e-3], math.nan), "suspend_s"),
        (Operations([1.0], [1e-3], 1e-5, -1.0), "resume_s"),
        (Operations([1.0], [1e-3], 1e-5, math.inf), "resume_s"),
    ],
)
def test_names_the_field_outside_its_domain(operations, name):
    with pytest.raises(DomainError, match=rf"^background\.{name} must be"):
        latency_tail.busy_fraction(1e3, die_read_s=60e-6, background=operations)
    with pytest.raises(DomainError, match=rf"^background\.{name} must be"):
        latency_tail.closed_read_iops(1, dies=16, die_read_s=60e-6, background=operations)

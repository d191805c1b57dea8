"""A drive at a queue depth: against a simulated closed loop, Little's law, and its limits."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from models import calibration, parallelism
from models.parallelism import BINDINGS, drive_iops, operating_point
from tests import naive_buffered_loop as naive

depths = st.floats(0.1, 48)
shares = st.sampled_from([0, 1]) | st.floats(0, 1, allow_subnormal=False)
drives = st.fixed_dictionaries(
    {
        "dies": st.integers(2, 200),
        "die_read_s": st.floats(3e-6, 2e-4),
        "read_rest_s": st.floats(0, 1e-4),
        "write_accept_s": st.floats(3e-6, 1e-4),
        "read_cap_iops": st.floats(1e3, 3e6),
        "write_cap_iops": st.floats(1e3, 1e6),
        "link_iops": st.floats(1e3, 3e6),
    }
)
SATA = {
    "dies": 32, "die_read_s": 60e-6, "read_rest_s": 11e-6, "write_accept_s": 44e-6,
    "read_cap_iops": 92e3, "write_cap_iops": 50e3,
}  # fmt: skip


def one_by_one(point):
    """List what a call gives at each place."""
    return [dict(zip(point._fields, numbers, strict=True)) for numbers in zip(*point, strict=True)]


# Standard error of a simulated rate: 0.3 %.
@pytest.mark.parametrize(
    ("count", "mean", "worst"), [(2, 0.03, 0.08), (4, 0.02, 0.04), (16, 0.01, 0.03)]
)
def test_the_closed_loop_agrees_with_the_simulation(count, mean, worst):
    drive = SATA | {"dies": count, "read_cap_iops": np.inf, "write_cap_iops": 100e3}
    cases = [(depth, share) for share in (0.3, 0.7, 1) for depth in (2, 8, 32, 128)]
    off = [
        drive_iops(depth, read_fraction=share, **drive)
        / naive.iops(depth, read_fraction=share, drive=drive)
        - 1
        for depth, share in cases
    ]
    assert np.mean(np.abs(off)) <= mean
    assert np.max(np.abs(off)) <= worst


@given(depths, shares, drives)
def test_reads_and_writes_together_close_littles_law(depth, share, drive):
    got = operating_point(depth, read_fraction=share, **drive)
    assert got.iops * got.latency_s == pytest.approx(depth, rel=1e-12)
    mean_s = share * got.read_latency_s + (1 - share) * got.write_latency_s
    assert mean_s == pytest.approx(got.latency_s, rel=1e-9)


@example(
    7.570446291719795e-44,
    {
        "dies": 2, "die_read_s": 0.0001589280707195058, "read_rest_s": 0.0,
        "write_accept_s": 5.3582678761008136e-05, "read_cap_iops": 1e3, "write_cap_iops": 1e3,
        "link_iops": 1e3,
    },
)  # fmt: skip
@given(shares, drives)
def test_a_single_operation_takes_what_it_takes_alone(share, drive):
    free = drive | {"read_cap_iops": 1e9, "write_cap_iops": 1e9, "link_iops": 1e9}
    got = operating_point(1, read_fraction=share, **free)
    read_s = drive["die_read_s"] + drive["read_rest_s"]
    alone_s = share * read_s + (1 - share) * drive["write_accept_s"]
    assert got.iops == pytest.approx(1 / alone_s, rel=1e-12)
    assert got.read_latency_s == pytest.approx(read_s, rel=1e-9)
    assert BINDINGS[int(got.binding)] == "queue depth"
    half = drive_iops(0.5, read_fraction=share, **free)
    assert half == pytest.approx(got.iops / 2, rel=1e-12)


@given(depths, shares, drives)
def test_more_of_anything_is_no_loss(depth, share, drive):
    here = drive_iops(depth, read_fraction=share, **drive) * (1 - 1e-12)
    assert drive_iops(1.3 * depth, read_fraction=share, **drive) >= here
    assert drive_iops(depth, read_fraction=share, **drive | {"dies": drive["dies"] + 1}) >= here
    for cap in ("read_cap_iops", "write_cap_iops", "link_iops"):
        assert drive_iops(depth, read_fraction=share, **drive | {cap: 1.2 * drive[cap]}) >= here


@given(depths, shares, drives)
def test_never_above_a_limit(depth, share, drive):
    got = operating_point(depth, read_fraction=share, **drive)
    assert got.iops == drive_iops(depth, read_fraction=share, **drive)
    rates = share / drive["read_cap_iops"] + (1 - share) / drive["write_cap_iops"]
    assert got.iops * rates <= 1 + 1e-12
    assert got.iops <= drive["link_iops"] * (1 + 1e-12)
    assert got.iops * share * drive["die_read_s"] <= drive["dies"] * (1 + 1e-12)
    assert 0 <= got.binding < len(BINDINGS)


@given(st.integers(1, 50), st.integers(4, 100), st.floats(1e-6, 1e-3))
def test_reads_that_know_nothing_but_dies_are_near_those_of_the_dies(depth, count, seconds):
    got = drive_iops(depth, read_fraction=1, dies=count, die_read_s=seconds, read_rest_s=0)
    law = parallelism.dies_iops(depth, dies=count, operation_s=seconds)
    assert got == pytest.approx(law, rel=0.03)


# The review's table: 22,769 writes per second one at a time; 66,000 are printed.
def test_buffered_writes_double_until_the_printed_rate():
    evo = SATA | {"write_accept_s": 1 / 22_769.31, "write_cap_iops": 66e3}
    got = [drive_iops(depth, read_fraction=0, **evo) for depth in (1, 2, 3, 32)]
    assert got == pytest.approx([22_769.31, 45_538.62, 66e3, 66e3], rel=1e-12)


@pytest.mark.parametrize(
    ("depth", "share", "change", "binding"),
    [
        (1, 0.7, {}, "queue depth"),
        (32, 0.7, {}, "rates"),
        (32, 0.7, {"link_iops": 3e4}, "link"),
        (200, 1, {"dies": 4, "read_cap_iops": 1e6}, "dies"),
    ],
)
def test_what_binds_is_named_and_who_waits(depth, share, change, binding):
    got = operating_point(depth, read_fraction=share, **SATA | change)
    assert BINDINGS[int(got.binding)] == binding
    waits = got.read_latency_s > 4 * 71e-6, got.write_latency_s > 4 * 44e-6
    assert waits == {"queue depth": (False, False), "rates": (False, True),
                     "link": (True, True), "dies": (True, False)}[binding]  # fmt: skip


def test_depths_of_an_array_are_those_one_by_one():
    depth = np.array([1, 2.5, 32, 256])
    together = operating_point(depth, read_fraction=0.7, **SATA)
    for one, each in zip(depth.tolist(), one_by_one(together), strict=True):
        assert each == pytest.approx(operating_point(one, read_fraction=0.7, **SATA)._asdict())


@given(st.integers(2, 128), st.floats(5e3, 2e6), st.sampled_from([32, 256]),
       st.floats(2e-6, 2e-4), st.floats(1e-6, 5e-5))  # fmt: skip
def test_the_printed_rate_is_reached_at_the_printed_depth(count, rate, depth, read_s, rest_s):
    printed = {"rated_iops": rate, "rated_queue_depth": depth}
    alone_s = calibration.unloaded_read_s(read_s, overhead_s=rest_s, **printed)
    die_s = calibration.die_read_s(
        read_s, transfer_s=rest_s / 2, unloaded_s=alone_s, dies=count, **printed
    )
    reads = {"read_fraction": 1, "dies": count, "die_read_s": die_s, "read_rest_s": alone_s - die_s}
    got = drive_iops(depth, **reads, read_cap_iops=rate)
    assert got == pytest.approx(rate, rel=1e-9)

"""The course of a protocol beside one that goes step by step, and its cache beside formulas."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import slc_cache
from planner.catalogue import find, load
from planner.catalogue.priors import with_assumptions
from planner.simulation.protocol.answer import protocol_on
from planner.simulation.protocol.course import course
from planner.simulation.protocol.phases import parse_phase
from planner.simulation.protocol.presets import own_protocol, protocol_named
from planner.simulation.protocol.rates import drive_rates
from tests.naive_protocol import NaiveDrive

EVOS = ("840 EVO 120", "840 EVO 250", "840 EVO 500", "840 EVO 750", "840 EVO 1TB")
TURBO_WRITE = {"840 EVO 120": 3e9, "840 EVO 250": 3e9, "840 EVO 500": 6e9, "840 EVO 750": 9e9,
               "840 EVO 1TB": 12e9}  # fmt: skip
NAMES = ("840 EVO 120", "845DC PRO 400", "870 QVO 1TB", "SN550 1TB", "D5-P5336 15.36")
SEQUENTIAL = "write sequential 128KiB depth 32"
RANDOM = "write random 4KiB depth 32"


@cache
def rates_of(name):
    return drive_rates(with_assumptions(find(load(), name)))


def answer(name, *phases):
    return protocol_on(with_assumptions(find(load(), name)), own_protocol(phases))


moves = st.one_of(
    st.builds(
        "{} over {} for {} s".format,
        st.sampled_from([SEQUENTIAL, RANDOM, "write random 16KiB depth 8",
                         "write random 512B depth 8",
                         "mix 50% reads random 4KiB depth 4", "read random 4KiB depth 8",
                         "read sequential 128KiB depth 2"]),
        st.sampled_from(["all", "75%", "8GB", "1GB"]), st.integers(1, 3000),
    ),
    st.builds(
        "write sequential 128KiB depth 8 over {} up to {}GB".format,
        st.sampled_from(["all", "50%", "16GB"]), st.integers(1, 300),
    ),
)  # fmt: skip
between = st.sampled_from(["idle 3 s", "idle 2 min", "trim", "trim 50%", "fill", "erase"])


@settings(max_examples=20, deadline=None)
@given(
    name=st.sampled_from(NAMES), first=st.sampled_from(["erase", "fill", "fill 50%"]),
    phases=st.lists(st.one_of(moves, moves, between), min_size=1, max_size=5),
)  # fmt: skip
def test_course_goes_as_one_that_is_stepped_through_time(name, first, phases):
    rates = rates_of(name)
    read = [parse_phase("phase", text) for text in (first, *phases)]
    slow = NaiveDrive(rates, rates.user_bytes)
    size = float(np.broadcast_to(rates.cache_bytes, rates.count)[0])
    for naive, done in zip(slow.run(read), course(rates, read), strict=True):
        assert done.piece.moved_bytes[-1, 0] == pytest.approx(naive.moved_bytes, rel=0.02), naive
        assert done.lasts_s[0] == pytest.approx(naive.seconds, rel=0.02), naive
        held = float(np.broadcast_to(done.piece.held_bytes[-1], rates.count)[0])
        if done.phase.read_fraction < 1:
            assert held == pytest.approx(naive.held_bytes, abs=0.02 * size), naive
        if slow.is_on_edge:
            break


@pytest.mark.parametrize("busy", [20, 50, 80, 95])
@pytest.mark.parametrize("burst", ["32MB", "500MB", "8GB"])
def test_bursts_go_as_bursts_one_by_one(busy, burst):
    rates = rates_of("840 EVO 120")
    text = f"{SEQUENTIAL} in bursts of {burst} up to 80GB busy {busy}%"
    read = [parse_phase("phase", text)]
    [stepped], [done] = NaiveDrive(rates, rates.user_bytes).run(read), course(rates, read)
    assert done.lasts_s[0] == pytest.approx(stepped.seconds, rel=0.02)


def test_time_of_a_phase_counts_its_pauses():
    [phase] = answer("840 EVO 250", f"{RANDOM} in bursts of 4MB for 60 s busy 20%").phases
    assert phase.ranges["phase_s"].typical == pytest.approx(60)
    busy = answer("840 EVO 250", f"{RANDOM} for 12 s").phases[0]
    written = busy.ranges["phase_written_bytes"].typical
    assert phase.ranges["phase_written_bytes"].typical == pytest.approx(written, rel=0.02)


# The course of sequential writes


@pytest.mark.parametrize("name", EVOS)
def test_turbo_write_ends_after_its_size(name):
    """TurboWrite's published sizes (AnandTech 7173), where the rate behind is lower."""
    rates = rates_of(name)
    [first, *_] = course(rates, protocol_named("cache-curve").phases)
    column = int(np.argmin(rates.native_bytes_per_s))
    speeds, moved = first.rates[:, column], first.piece.moved_bytes[:, column]
    fast = np.flatnonzero(speeds > 0.99 * np.nanmax(speeds))
    assert moved[fast[-1] + 1] == pytest.approx(TURBO_WRITE[name], rel=0.02)


@pytest.mark.parametrize("name", EVOS)
def test_a_half_drained_cache_takes_half_of_its_size(name):
    rates = rates_of(name)
    size, fold = TURBO_WRITE[name], float(np.broadcast_to(rates.fold_bytes_per_s, rates.count)[0])
    burst = f"{SEQUENTIAL} up to {size / 1e9:g}GB"
    idle_s = size / fold / 2
    texts = [burst, f"idle {idle_s:.3f} s", f"{SEQUENTIAL} up to {2 * size / 1e9:g}GB"]
    *_, last = course(rates, [parse_phase("phase", text) for text in texts])
    cached, native = (float(each[0]) for each in
                      (rates.cached_bytes_per_s, rates.native_bytes_per_s))  # fmt: skip
    expected = slc_cache.burst_s(
        2 * size, slc_cache_bytes=size / 2, cached_write_bytes_per_s=cached,
        folded_write_bytes_per_s=native,
    )  # fmt: skip
    assert last.lasts_s[0] == pytest.approx(expected, rel=0.005)


def test_folding_beside_host_writes_lengthens_the_cache():
    """In every column, as the formula of a burst has it."""
    rates = rates_of("840 EVO 120")
    share = rates.own("concurrent_fold_share")
    assert share.max() == 0.5
    [done] = course(rates, [parse_phase("phase", f"{SEQUENTIAL} up to 20GB")])
    expected = slc_cache.burst_s(
        20e9, slc_cache_bytes=rates.cache_bytes,
        cached_write_bytes_per_s=rates.cached_bytes_per_s,
        folded_write_bytes_per_s=rates.native_bytes_per_s,
        concurrent_fold_bytes_per_s=share * rates.fold_bytes_per_s,
    )  # fmt: skip
    assert done.lasts_s == pytest.approx(np.asarray(expected), rel=0.01)


def test_course_over_bytes_adds_up_to_the_phase():
    for phase in answer("870 QVO 1TB", f"{SEQUENTIAL} up to 300GB", "idle 9 s",
                        f"{RANDOM} over 64GB for 500 s").phases:  # fmt: skip
        each = phase.course
        took = np.diff(each.moved_bytes) / each.bytes_per_s
        assert took == pytest.approx(np.diff(each.seconds))
        assert np.all(each.low_bytes_per_s <= each.bytes_per_s)
        assert np.all(each.bytes_per_s <= each.high_bytes_per_s)


def test_speed_over_the_addresses_after_torture_rises_to_that_of_a_clean_drive():
    """Where copies have blocks of their own: the emptiest come first (`models.rewriting`)."""
    rates = rates_of("840 EVO 120")
    torture = ("fill", f"{RANDOM} for 1 h", f"{SEQUENTIAL} up to 100%")
    *_, last = course(rates, [parse_phase("phase", text) for text in torture])
    apart = int(np.argmin(rates.own("shared_fraction")))
    assert last.piece.moved_bytes[-1, apart] == pytest.approx(120e9)
    behind_cache = last.rates[:, apart][last.piece.moved_bytes[:-1, apart] >= 3e9]
    behind_cache = behind_cache[np.isfinite(behind_cache)]  # of the steps that take time
    native = float(np.broadcast_to(rates.native_bytes_per_s, rates.count)[apart])
    assert behind_cache[0] < 0.5 * native
    assert behind_cache[-1] == pytest.approx(native, rel=0.03)
    assert np.all(np.diff(behind_cache) > -0.01 * native)


def test_a_small_span_in_order_leaves_the_rest_scattered():
    torture, phase = ("fill", f"{RANDOM} for 1 h"), f"{SEQUENTIAL} up to 60GB"
    small = answer("840 EVO 120", *torture, f"{SEQUENTIAL} over 1GB up to 1GB", phase)
    whole = answer("840 EVO 120", *torture, f"{SEQUENTIAL} up to 120GB", phase)
    dirty = answer("840 EVO 120", *torture, phase)
    rates = [each.phases[-1].bytes_per_s.typical for each in (dirty, small, whole)]
    assert rates[0] < rates[1] < 1.1 * rates[0] < rates[2]

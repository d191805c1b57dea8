"""Laws that every run of the array simulator keeps exactly; those of literature within noise."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.simulator.arrays import Config, kernel, layout, run
from models.simulator.arrays import state as at
from tests.simulator.test_arrays_twin import drawn

R, W = 100e-6, 30e-6
TIMES = {"read_s": R, "write_s": W}
READS = TIMES | {"queue_depth": 1, "measured_s": 1.0}
WRITES = READS | {"read_fraction": 0.0}
PARITY = {"members": 8, "parity": 2}
RECONSTRUCT = {"update": "reconstruct-write"}


def advanced(config, seconds, log=50_000):
    s = layout.build(config, log=log)
    while s.sys[at.NOW] < layout.ticks(seconds):
        kernel.advance(layout.ticks(seconds), 2**20, s)
    assert s.sys[at.LOGGED] < log
    return s


# Exact


@pytest.mark.parametrize(
    ("array", "latency_s", "operations"),
    [
        (READS | {"members": 8}, R, 1),
        (READS | {"members": 8, "read_chunks": 8}, R, 8),
        (WRITES | {"members": 8, "write_chunks": 3}, W, 3),
        (READS | {"members": 8, "copies": 2}, R, 1),
        (WRITES | {"members": 9, "copies": 3}, W, 3),
        (WRITES | {"members": 9, "copies": 3, "failed": (0, 1, 3, 4, 6, 7)}, W, 1),
        (READS | PARITY, R, 1),
        (WRITES | PARITY, R + W, 6),
        (WRITES | PARITY | {"write_chunks": 3}, R + W, 10),
        (WRITES | PARITY | RECONSTRUCT, R + W, 8),
        (WRITES | PARITY | RECONSTRUCT | {"write_chunks": 5}, R + W, 8),
        (WRITES | PARITY | {"write_chunks": 6}, W, 8),
        (WRITES | PARITY | RECONSTRUCT | {"write_chunks": 6}, W, 8),
        (WRITES | {"members": 24, "parity": 2, "data": 4}, R + W, 6),
        (WRITES | {"members": 24, "groups": 2, "parity": 2} | RECONSTRUCT, R + W, 12),
        (WRITES | PARITY | {"read_delay_s": 7e-6, "write_delay_s": 2e-6}, R + W + 9e-6, 6),
        (READS | {"members": 3, "stall_s": 5e-3, "stall_probability": 1.0}, R + 5e-3, 1),
    ],
)
def test_one_operation_takes_the_unloaded_latency(array, latency_s, operations):
    result = run(Config(**array))
    kind = result.reads if result.reads.count else result.writes
    assert kind.min_s == kind.max_s == pytest.approx(latency_s, abs=1e-15)
    assert kind.count == math.floor(1 / latency_s * (1 - 1e-12))
    given = result.member_operations.sum()
    assert operations * kind.count <= given <= operations * (kind.count + 1)


@pytest.mark.parametrize("seed", range(0, 60, 2))
def test_littles_law_is_exact(seed):
    """The area under the number outstanding is the sum of the times that operations were."""
    s = advanced(drawn(seed), 0.2)
    spare, place = set(), int(s.sys[at.SPARE_COMMAND])
    while 0 <= place < len(s.command):
        spare.add(place)
        place = int(s.command[place, at.NEXT])
    now = int(s.sys[at.NOW])
    waiting = [i for i in range(len(s.command)) if i not in spare]
    carried = sum(now - int(s.command[i, at.TIME]) for i in waiting)
    assert s.tally[at.SUM : at.SUM + 2].sum() + carried == s.tally[at.AREA]
    assert len(waiting) == s.sys[at.OUTSTANDING]


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    depth=st.integers(1, 40),
    read_fraction=st.floats(0, 1),
    layout_=st.sampled_from(
        [{"members": 5}, {"members": 6, "copies": 2}, {"members": 6, "parity": 2}]
    ),
    stalls=st.sampled_from(
        [{}, {"stall_s": 2e-3, "stall_rate": 30.0}, {"stall_s": 2e-3, "stall_probability": 0.01}]
    ),
)
def test_counts_of_any_closed_run_are_consistent(seed, depth, read_fraction, layout_, stalls):
    config = Config(
        **TIMES, **layout_, **stalls, seed=seed, queue_depth=depth, read_fraction=read_fraction,
        measured_s=0.2, window_s=0.05, parts=10,
    )  # fmt: skip
    result = run(config)
    assert result.outstanding == depth
    total = result.reads.count + result.writes.count
    assert result.part_iops.sum() * 0.005 == pytest.approx(total)
    assert result.window_iops.mean() == pytest.approx(result.iops)
    assert result.part_min_iops <= result.window_min_iops <= result.iops
    assert (result.busy_fraction + result.stalled_fraction <= 1 + 1e-12).all()
    least = {0: R, 1: R + W if config.parity else W}
    for kind, latency in ((0, result.reads), (1, result.writes)):
        if latency.count:
            assert latency.min_s >= least[kind] - 1e-15
            assert latency.min_s <= latency.mean_s * (1 + 1e-12)
            assert latency.mean_s <= latency.max_s * (1 + 1e-12)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 999), factor=st.integers(2, 9))
def test_slower_members_stretch_time_and_change_nothing_else(seed, factor):
    """Without arrivals or stalls at a rate, time enters by the times of service alone."""
    config = dataclasses.replace(drawn(seed), arrival_iops=0.0, stall_rate=0.0)
    names = ("read_s", "write_s", "read_delay_s", "write_delay_s", "stall_s")
    times = {name: round(getattr(config, name) * 1e10) / 1e10 for name in names}
    short, long = (
        dataclasses.replace(config, **{name: times[name] * k for name in times})
        for k in (1, factor)
    )
    slow, fast = advanced(long, 0.02 * factor), advanced(short, 0.02)
    entries = fast.log[: fast.sys[at.LOGGED]] * np.array([factor, 1, factor])
    assert slow.log[: slow.sys[at.LOGGED]].tolist() == entries.tolist()


def demand_s(config):
    """Time of members that one host write takes, without stalls."""
    w, m, k, c = config.write_chunks, config.parity, config.data_chunks, config.copies
    if m == 0:
        return w * c * W
    reads = 0 if w == k else (k - w if config.update == "reconstruct-write" else w + m)
    return reads * R + (w + m) * W


@pytest.mark.parametrize(
    "array",
    [
        {"members": 8},
        {"members": 8, "copies": 2},
        {"members": 8, "parity": 1},
        {"members": 8, "parity": 2, "write_chunks": 2},
        {"members": 5, "parity": 1, "update": "reconstruct-write"},
        {"members": 14, "parity": 4, "write_chunks": 10},
    ],
)
@pytest.mark.parametrize("read_fraction", [0.0, 0.4])
def test_members_are_busy_for_the_work_of_what_completes(array, read_fraction):
    config = Config(
        **TIMES, **array, read_fraction=read_fraction, queue_depth=24, warmup_s=0.5, measured_s=4.0
    )
    result = run(config)
    work = result.reads.count * R + result.writes.count * demand_s(config)
    edges = config.queue_depth * demand_s(config) / 4
    assert result.busy_fraction.sum() * 4.0 == pytest.approx(work, abs=4 * edges + 1e-9)
    spread = np.ptp(result.member_operations) / result.member_operations.mean()
    assert spread < 8 / math.sqrt(result.member_operations.mean())


@pytest.mark.parametrize("update", ["read-modify-write", "reconstruct-write"])
def test_a_lost_member_adds_reads_where_its_chunks_are_wanted(update):
    """Of k + m positions one is lost: a read becomes k reads in that share of the stripes."""
    config = Config(
        **TIMES, **PARITY, update=update, failed=(3,), queue_depth=16, warmup_s=0.5, measured_s=20.0
    )
    result = run(config)
    each = result.member_operations.sum() / result.reads.count
    assert each == pytest.approx(1 + (6 - 1) / 8, rel=5 / math.sqrt(result.reads.count))
    assert result.member_operations[3] == 0
    # A write: the lost chunk is the one written (1/8), another of the data (5/8), or parity (2/8).
    old, left = 3 + 3, 5 + 3
    usual = old if update == "read-modify-write" else left
    parity = (2 + 2) if update == "read-modify-write" else (5 + 2)
    expected = (left - 1) / 8 + 5 / 8 * old + 2 / 8 * parity
    result = run(dataclasses.replace(config, read_fraction=0.0))
    each = result.member_operations.sum() / result.writes.count
    assert each == pytest.approx(expected, rel=5 / math.sqrt(result.writes.count))
    assert usual in (old, left)


# Queues of literature


@pytest.mark.parametrize(("members", "depth"), [(1, 7), (2, 2), (5, 2), (12, 2)])
def test_two_operations_meet_on_a_member_once_in_n_turns(members, depth):
    """Fixed service, all in step: what completes draws its member anew, so P(same) = 1 / n."""
    result = run(Config(members=members, read_s=R, write_s=W, queue_depth=depth, measured_s=20.0))
    busy = 1.0 if members == 1 else 2 - 1 / members
    rel = 0.0 if members == 1 else 4 / math.sqrt(result.reads.count)
    assert result.iops * R == pytest.approx(busy, rel=rel + 1e-4)


@pytest.mark.parametrize("rho", [0.3, 0.6, 0.8])
def test_poisson_reads_of_one_member_wait_as_pollaczek_has_it(rho):
    """Mean wait rho S / (2 (1 - rho)) for fixed service: Pollaczek 1930."""
    reads = run(
        Config(members=1, read_s=R, write_s=W, arrival_iops=rho / R, measured_s=100.0, seed=2)
    ).reads
    rel = 4 / math.sqrt(reads.count * (1 - rho) ** 2 / 2)
    assert reads.mean_s - R == pytest.approx(rho * R / (2 * (1 - rho)), rel=rel)


def test_stalls_that_operations_bring_lengthen_their_service():
    """Pollaczek and Khinchine: the wait is rate E[S^2] / (2 (1 - rho))."""
    stall_s, p, rate, members = 4e-3, 0.01, 3000.0, 2
    result = run(
        Config(
            members=members, read_s=R, write_s=W, arrival_iops=rate * members, stall_s=stall_s,
            stall_probability=p, measured_s=100.0,
        )
    )  # fmt: skip
    mean, square = R + p * stall_s, (1 - p) * R**2 + p * (R + stall_s) ** 2
    rho = rate * mean
    exact = mean + rate * square / (2 * (1 - rho))
    assert result.reads.mean_s == pytest.approx(exact, rel=0.04)
    assert result.busy_fraction == pytest.approx([rho] * members, rel=0.02)


@pytest.mark.parametrize("together", [False, True])
def test_stalls_at_a_rate_are_work_that_goes_first(together):
    """Preemptive priority of fixed work (White and Christie 1958): mean response of the rest."""
    stall_s, nu, rate = 2e-3, 40.0, 5000.0
    result = run(
        Config(
            members=4, read_s=R, write_s=W, arrival_iops=4 * rate, stall_s=stall_s, stall_rate=nu,
            stall_together=together, measured_s=100.0,
        )
    )  # fmt: skip
    first, both = nu * stall_s, nu * stall_s + rate * R
    waits = (nu * stall_s**2 + rate * R**2) / 2 / (1 - first) / (1 - both)
    assert result.reads.mean_s == pytest.approx(R / (1 - first) + waits, rel=0.04)
    assert result.stalled_fraction == pytest.approx([first] * 4, rel=0.03)
    assert np.ptp(result.stalled_fraction) == 0 or not together


def test_stalls_together_cost_stripes_their_time_alone():
    """All members work in step: what a stripe loses is one stall, not one of every member.

    Apart, a stall longer than the queue stops the array for what it is longer, about.
    """
    stripes = {"read_chunks": 12, "queue_depth": 64, "measured_s": 100.0, "warmup_s": 1.0}
    config = Config(members=12, **TIMES, **stripes, stall_s=20e-3, stall_rate=4.0)
    apart, together = (
        run(dataclasses.replace(config, stall_together=joint)).iops * R for joint in (False, True)
    )
    assert together == pytest.approx(1 - 4.0 * 20e-3, rel=0.02)
    stopped = 12 * 4.0 * (20e-3 - 64 * R)
    assert 1 - stopped < apart < 1 / (1 + stopped)


@pytest.mark.parametrize("intervals", ["poisson", "fixed"])
def test_stalls_come_at_their_rate(intervals):
    config = Config(
        members=8, **TIMES, queue_depth=16, stall_s=1e-3, stall_rate=20.0,
        stall_intervals=intervals, measured_s=100.0,
    )  # fmt: skip
    result = run(config)
    expected = 8 * 20 * 100
    slack = 5 * math.sqrt(expected) if intervals == "poisson" else 8
    assert abs(result.stalls - expected) <= slack
    assert result.stalled_fraction.mean() == pytest.approx(0.02, rel=slack / expected + 1e-3)

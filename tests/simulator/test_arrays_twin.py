"""The array kernel agrees with a naive simulator, completion for completion, on small arrays."""

import random

import pytest

from models.simulator.arrays import Config, kernel, layout, report
from models.simulator.arrays import state as at
from tests.naive_arrays import Twin

LOG = 50_000


def assert_agree(config, seconds, pauses=3):
    s, twin = layout.build(config, log=LOG), Twin(config)
    members = report.Members(s)
    for i in range(1, pauses + 1):
        until = layout.ticks(seconds * i / pauses)
        while s.sys[at.NOW] < until:
            kernel.advance(until, 97, s)
        twin.run(until)
        done = s.sys[at.LOGGED]
        assert done < LOG
        assert s.log[:done].tolist() == [list(entry) for entry in twin.log]
        busy, stalled, given, _, _ = members.counts().tolist()
        assert busy == [member.busy for member in twin.members]
        assert stalled == [member.stalled for member in twin.members]
        assert given == [member.given for member in twin.members]
        assert s.tally[at.AREA] == twin.area
    return s


TIMES = {"read_s": 100e-6, "write_s": 30e-6, "measured_s": 1.0}
STALLS = [
    {},
    {"stall_s": 2e-3, "stall_rate": 60.0},
    {"stall_s": 2e-3, "stall_rate": 300.0, "stall_together": True},
    {"stall_s": 1e-3, "stall_rate": 100.0, "stall_intervals": "fixed"},
    {"stall_s": 1e-3, "stall_rate": 9.0, "stall_intervals": "fixed", "stall_together": True},
    {"stall_s": 1e-3, "stall_rate": 100.0, "stall_probability": 0.02},
]
LAYOUTS = [
    {"members": 1},
    {"members": 5, "read_chunks": 5, "write_chunks": 2},
    {"members": 6, "copies": 2, "write_chunks": 2, "read_chunks": 2},
    {"members": 9, "copies": 3, "failed": (1, 2, 5)},
    {"members": 5, "parity": 1},
    {"members": 6, "parity": 2, "update": "reconstruct-write", "write_chunks": 2},
    {"members": 6, "parity": 2, "write_chunks": 4, "read_chunks": 4},
    {"members": 8, "parity": 2, "data": 3, "failed": (4, 6)},
    {"members": 7, "parity": 2, "write_chunks": 2, "read_chunks": 3, "failed": (0, 1)},
    {"members": 5, "parity": 1, "update": "reconstruct-write", "failed": (3,)},
    {"members": 12, "groups": 3, "parity": 1, "failed": (1, 8), "read_delay_s": 40e-6},
    {"members": 8, "groups": 2, "copies": 2, "write_delay_s": 7e-6, "read_delay_s": 2e-6},
]


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("array", LAYOUTS)
def test_agrees_for_every_layout_and_stall(array, stalls):
    config = Config(**TIMES, **array, **stalls, queue_depth=6, read_fraction=0.5)
    s = assert_agree(config, 0.05)
    assert s.sys[at.LOGGED] > 100


@pytest.mark.parametrize("array", LAYOUTS)
def test_agrees_for_arrivals(array):
    config = Config(
        **TIMES, **array, **STALLS[1], arrival_iops=1500.0, queue_depth=1, read_fraction=0.3
    )
    s = assert_agree(config, 0.1)
    assert s.tally[at.AREA] > 1.05 * layout.ticks(0.1)


def drawn(seed):
    """A configuration drawn at random."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    copies = draw.choice([1, 1, 1, 2, 3])
    groups = draw.choice([1, 1, 2, 3])
    group = copies * draw.randint(1, 9)
    parity = draw.randint(0, min(3, group - 1)) if copies == 1 else 0
    most = group // copies - parity
    data = draw.choice([None, draw.randint(1, most)])
    width = most if data is None else data
    lost = draw.choice([0, parity]) if copies == 1 else draw.choice([0, copies - 1])
    stall_s = draw.choice([0.0, 10.0 ** draw.uniform(-4, -2)])
    return Config(
        members=groups * group,
        groups=groups,
        copies=copies,
        parity=parity,
        data=data,
        update=draw.choice(["read-modify-write", "reconstruct-write"]),
        read_chunks=draw.choice([1, draw.randint(1, width)]),
        write_chunks=draw.choice([1, draw.randint(1, width)]),
        read_s=draw.choice([100e-6, draw.uniform(1e-5, 1e-3)]),
        write_s=draw.choice([100e-6, 30e-6, draw.uniform(1e-5, 1e-3)]),
        read_delay_s=draw.choice([0.0, draw.uniform(0, 1e-4)]),
        write_delay_s=draw.choice([0.0, draw.uniform(0, 1e-4)]),
        read_fraction=draw.choice([0.0, 1.0, draw.random()]),
        queue_depth=draw.randint(1, 30),
        arrival_iops=draw.choice([0.0, 0.0, 400.0]),
        failed=tuple(draw.sample(range(group if copies == 1 else copies), lost)),
        stall_s=stall_s,
        stall_rate=draw.choice([0.0, draw.uniform(0, 0.6) / stall_s]) if stall_s else 0.0,
        stall_intervals=draw.choice(["poisson", "fixed"]),
        stall_together=draw.random() < 0.4,
        stall_probability=draw.choice([0.0, draw.uniform(0, 0.1)]) if stall_s else 0.0,
        measured_s=1.0,
        seed=seed,
    )


@pytest.mark.parametrize("seed", range(60))
def test_agrees_for_random_configurations(seed):
    assert_agree(drawn(seed), 0.04)

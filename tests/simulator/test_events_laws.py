"""Laws that every run keeps exactly, and published ones that it keeps within its noise.

The standard errors behind the tolerances: a run of N independent latencies gives their mean within
one part in sqrt(N); waits in a queue at utilisation rho stay alike for about 2 / (1 - rho)^2
services, so that N waits count for N (1 - rho)^2 / 2.
"""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from models import simulator
from models.simulator.events import Config, kernel, layout, run
from models.simulator.events import state as at
from tests.simulator.test_events_twin import drawn

S = 50e-6
TIMES = {"read_s": S, "program_s": 6e-4, "erase_s": 4e-3, "transfer_s": 5e-6, "link_s": 2e-6}
DRIVE = TIMES | {"dies": 16, "channels": 4, "buffer_pages": 256, "measured_s": 4.0}
MIXED = DRIVE | {"queue_depth": 32, "read_fraction": 0.4}
KINDS = ("idle", "read", "program", "slc program", "copy read", "copy program", "erase", "suspend")


def advanced(config, seconds):
    s = layout.build(config, log=400_000)
    while s.sys[at.NOW] < layout.ticks(seconds) and not s.sys[at.STUCK]:
        kernel.advance(layout.ticks(seconds), 2**20, s)
    assert s.sys[at.LOGGED] < len(s.log)
    return s


def waiting_commands(s):
    """Commands that are neither spare nor done."""
    spare, at_ = set(), int(s.sys[at.SPARE_COMMAND])
    while at_ >= 0:
        spare.add(at_)
        at_ = int(s.command[at_, at.NEXT])
    return [i for i in range(len(s.command)) if i not in spare]


# Exact


@pytest.mark.parametrize("load", [{"readers": 9}, {"read_iops": 5e4, "read_batch": 7}])
def test_littles_law_is_exact(load):
    """The area under the number outstanding is the sum of the times that commands were."""
    config = Config(**DRIVE, **load, write_iops=9e3, queue_depth=5, read_fraction=0.5)
    s = advanced(config, 0.5)
    now = int(s.sys[at.NOW])
    done = sum(s.tally[at.SUM : at.SUM + 2].tolist())
    carried = sum(now - int(s.command[i, at.TIME]) for i in waiting_commands(s))
    assert done + carried == s.tally[at.AREA]
    assert s.tally[at.COUNT] > 1000


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_the_times_of_the_dies_add_up(seed):
    """Each die is in one state at a time; each state lasts as often as it is entered."""
    config = dataclasses.replace(drawn(seed), service="fixed")
    s = advanced(config, 0.3)
    now = int(s.sys[at.NOW])
    assert s.busy.sum(axis=1).tolist() == [now] * config.dies
    spent = s.busy.sum(axis=0)
    unit, dies = config.pages_per_program, config.dies
    host = int(s.tally[at.HOST_PAGES]) // unit
    for state, count, time in [
        (at.PROGRAM, host, config.program_s),
        (at.COPY_SENSE, int(s.tally[at.COPY_READS]), config.read_s),
        (at.COPY_PROGRAM, int(s.tally[at.COPIES]) // unit, config.program_s),
        (at.ERASE, int(s.tally[at.ERASED]), config.erase_s),
    ]:
        slack = dies * (2 + config.die_queue * (config.scope == "superblock"))
        assert abs(spent[state] - count * layout.ticks(time)) <= slack * layout.ticks(time)
    waited = int(s.tally[at.CHANNEL_WAIT])
    carried = int(s.channel[:, at.CHANNEL_BUSY].sum())
    if not config.cache_read:
        holding = [at.TRANSFER, at.LOAD, at.COPY_TRANSFER, at.COPY_LOAD]
        ahead = sum(
            int(s.at[d]) - now for d in range(dies) if s.die[d, at.STATE] in holding
        )  # fmt: skip
        assert int(spent[holding].sum()) + ahead == waited + carried


@pytest.mark.parametrize("seed", range(1, 60, 3))
def test_nothing_is_lost_and_every_page_is_where_it_should_be(seed):
    config = drawn(seed)
    s = advanced(config, 0.5)
    size, unit, shift = config.pages_per_block, config.pages_per_program, int(s.sys[at.SHIFT])
    accepted = int(s.tally[at.COUNT + 1])
    bound = int(s.die[:, at.WAITING].sum()) * unit if config.scope == "die" else 0
    assert accepted == s.tally[at.HOST_PAGES] + s.sys[at.READY] + bound

    mapped = np.flatnonzero(s.where != at.NOWHERE)
    codes = s.where[mapped].astype(int)
    assert len(set(codes.tolist())) == len(codes)
    number = codes >> shift
    np.testing.assert_array_equal(s.holds[number * size + (codes - (number << shift))], mapped)
    bits = np.unpackbits(s.valid.view(np.uint8), bitorder="little")
    assert bits[codes].all()

    domains = len(s.domain)
    dies_of_node = config.dies // domains
    node = number // dies_of_node if domains == 1 else number
    valid = np.bincount(node, minlength=config.blocks_per_die * domains)
    placed = 0
    for i, count in enumerate(valid.tolist()):
        own = s.domain[i % domains]
        word = int(s.node[4 * i])
        unplaced = own[at.ROOM] * unit if i == own[at.FRONTIER] else 0
        copies_in = number_of_node(s, own[at.COPY_CODE] - 1, domains)
        unplaced += own[at.COPY_LEFT] if own[at.COPY_LEFT] and copies_in == i else 0
        if is_free(s, i, domains):
            assert count == 0
            continue
        placed += size * dies_of_node - unplaced
        if i != own[at.VICTIM]:
            assert word % at.OPEN - unplaced == count
    filled = config.pages if config.start == "filled" else 0
    erased = int(s.node[3 : 4 * len(valid) : 4].sum()) * size * dies_of_node
    programmed = filled + s.tally[at.HOST_PAGES] + s.tally[at.COPIES]
    assert programmed == erased + placed


def number_of_node(s, code, domains):
    number = code >> s.sys[at.SHIFT]
    return number // s.sys[at.DIES] if domains == 1 else number


def is_free(s, node, domains):
    own = s.domain[node % domains]
    free, chain = int(own[at.FREE_HEAD]), []
    for _ in range(own[at.FREE]):
        chain.append(free)
        free = int(s.node[4 * free])
    return node in chain


@pytest.mark.parametrize("seed", range(40))
def test_no_run_comes_to_a_stop(seed):
    """Unless reads that always go first keep a single die for themselves."""
    config = drawn(seed)
    if config.dies == 1 and config.readers:
        config = dataclasses.replace(config, readers=0, dies=2)
    s = advanced(config, 1.0)
    assert not s.sys[at.STUCK]
    times, kinds, _ = s.log[: s.sys[at.LOGGED]].T
    assert times[kinds == 1].max() > layout.ticks(0.95)


def test_closed_commands_are_always_outstanding():
    result = run(Config(**MIXED, warmup_s=1.0))
    assert result.outstanding == 32
    total = result.reads.count * result.reads.mean_s + result.writes.count * result.writes.mean_s
    edges = 2 * 32 * max(result.reads.max_s, result.writes.max_s)
    assert abs(total - 32 * 4.0) < edges
    assert result.iops * 4.0 == result.reads.count + result.writes.count


def test_the_times_of_dies_channels_and_link_are_those_of_their_work():
    result = run(Config(**MIXED, warmup_s=1.0))
    assert tuple(sorted(result.die_busy_s)) == tuple(sorted(KINDS))
    assert sum(result.die_busy_s.values()) == pytest.approx(4.0, rel=1e-12)
    programs = (result.host_pages + result.copies) / 4
    programming = sum(result.die_busy_s["program"] + result.die_busy_s["copy program"])
    assert programming == pytest.approx(programs * (6e-4 + 4 * 5e-6), rel=0.02)
    assert sum(result.die_busy_s["erase"]) == pytest.approx(result.erases * 4e-3, rel=0.02)
    commands = result.reads.count + result.writes.count
    assert result.link_busy_s == pytest.approx(commands * 2e-6, abs=40 * 2e-6)
    pages = result.reads.count + result.host_pages + 2 * result.copies
    assert sum(result.channel_busy_s) == pytest.approx(pages * 5e-6, rel=1e-3)


# Queues of literature


@pytest.mark.parametrize("rho", [0.3, 0.6, 0.8])
def test_a_die_under_poisson_reads_is_a_queue_with_fixed_service(rho):
    """Mean wait rho S / (2 (1 - rho)): Pollaczek 1930."""
    result = run(Config(dies=1, read_s=S, read_iops=rho / S, measured_s=60.0, seed=2))
    wait = rho * S / (2 * (1 - rho))
    effective = result.reads.count * (1 - rho) ** 2 / 2
    assert result.reads.mean_s - S == pytest.approx(wait, rel=4 / math.sqrt(effective))


@pytest.mark.parametrize("rho", [0.3, 0.7])
def test_exponential_service_gives_exponential_latency(rho):
    """M/M/1: the time in the system is exponential with mean S / (1 - rho)."""
    drive = Config(dies=1, read_s=S, read_iops=rho / S, service="exponential", measured_s=100.0)
    reads = run(drive).reads
    mean = S / (1 - rho)
    rel = 4 / math.sqrt(reads.count * (1 - rho) ** 2 / 2)
    assert [reads.mean_s, reads.std_s] == pytest.approx([mean, mean], rel=rel)
    for percent in (50, 90, 99):
        exact = -mean * math.log(1 - percent / 100)
        assert reads.percentile(percent) == pytest.approx(exact, rel=2 * rel + 0.008)


@pytest.mark.parametrize(("dies", "depth"), [(4, 2), (8, 8), (16, 64), (64, 32)])
def test_exponential_dies_behind_a_closed_queue_are_a_product_form_network(dies, depth):
    """Gordon and Newell 1967: n Q / (n + Q - 1) dies are busy."""
    drive = Config(
        dies=dies, read_s=S, queue_depth=depth, service="exponential", measured_s=20.0, window_s=10
    )
    result = run(drive)
    exact = dies * depth / (dies + depth - 1) / S
    assert result.iops == pytest.approx(exact, rel=5 / math.sqrt(result.reads.count))


def test_one_command_takes_the_unloaded_latency():
    drive = Config(**TIMES, dies=4, queue_depth=1, measured_s=1.0)
    result = run(drive)
    assert result.reads.min_s == result.reads.max_s == pytest.approx(57e-6, abs=1e-15)
    assert result.iops == pytest.approx(1 / 57e-6, rel=1e-4)


@pytest.mark.parametrize(
    ("changed", "cap"),
    [
        ({"transfer_s": 20e-6, "channels": 2}, 2 / 20e-6),
        ({"link_s": 5e-6, "transfer_s": 0.0}, 1 / 5e-6),
        ({"link_s": 0.0, "transfer_s": 0.0}, 16 / S),
        ({"link_s": 0.0, "transfer_s": 25e-6, "channels": 16}, 16 / 75e-6),
        ({"link_s": 0.0, "transfer_s": 25e-6, "channels": 16, "cache_read": True}, 16 / S),
    ],
)
def test_the_slowest_resource_caps_reads(changed, cap):
    result = run(Config(**DRIVE | changed, queue_depth=4096, warmup_s=1.0))
    assert result.iops == pytest.approx(cap, rel=2e-3)


# Order


@pytest.mark.parametrize("kind", [{}, {"read_fraction": 0.5}, {"read_fraction": 0.0}])
def test_a_deeper_queue_is_not_slower(kind):
    rates = [
        run(Config(**DRIVE, **kind, queue_depth=depth, warmup_s=3.0)).iops
        for depth in (1, 2, 4, 16, 64, 256)
    ]
    assert all(low <= high * 1.01 for low, high in itertools.pairwise(rates))
    assert rates[-1] > rates[0]


def test_reads_that_go_first_or_suspend_wait_less():
    open_load = {"read_iops": 2e4, "write_iops": 8e3, "queue_depth": 0}
    ways = [{"priority": "fifo"}, {}, {"suspend_s": 20e-6, "resume_s": 20e-6}]
    waits = [run(Config(**DRIVE | open_load | way, warmup_s=8.0)).reads for way in ways]
    assert waits[0].mean_s > 1.1 * waits[1].mean_s
    assert waits[1].mean_s > 1.5 * waits[2].mean_s
    assert waits[1].percentile(99.9) > 5 * waits[2].percentile(99.9)
    assert waits[1].max_s > 4e-3 > waits[2].max_s


def test_writes_below_saturation_take_the_time_of_the_link():
    """Incremental collection never fills the buffer at half of the saturated rate."""
    saturated = run(Config(**DRIVE, writers=64, warmup_s=8.0)).iops
    easy = run(Config(**DRIVE, write_iops=saturated / 2, arrivals="fixed", warmup_s=16.0))
    assert easy.copies > 10_000
    assert easy.writes.max_s == pytest.approx(2e-6, abs=1e-15)


# Write amplification and the cliff


@pytest.mark.parametrize(
    ("op_ratio", "published"), [(0.28, 2.4413), (0.5, None), (0.15, None)], ids=str
)
@pytest.mark.parametrize("scope", ["die", "superblock"])
def test_write_amplification_is_that_of_the_page_simulator(scope, op_ratio, published):
    """One die of 128-page blocks, or four with stripes of 128: as a drive of so many blocks.

    Published: greedy cleaning of 128 pages per block, mean field of infinitely many blocks.
    """
    dies, blocks = (1, 300) if scope == "die" else (4, 300)
    counted = simulator.run(
        simulator.Config(
            pages_per_block=128, blocks=blocks, op_ratio=op_ratio, fill="sequential",
            warmup_overwrites=6, measured_overwrites=20,
        )
    )  # fmt: skip
    pages = counted.host_writes / 20
    config = Config(
        **TIMES, dies=dies, writers=16, scope=scope, blocks_per_die=blocks,
        pages_per_block=128 // dies, op_ratio=op_ratio, warmup_s=round(6 * pages / 1000),
        measured_s=round(20 * pages / 1000),
    )  # fmt: skip
    result = run(config)
    assert result.wa == pytest.approx(counted.wa, rel=0.01)
    if published:
        assert result.wa == pytest.approx(published, rel=0.01)


@pytest.mark.parametrize("scope", ["die", "superblock"])
@pytest.mark.parametrize("start", ["filled", "fresh"])
def test_the_cliff_comes_when_the_spare_area_is_written(start, scope):
    config = Config(
        **DRIVE, writers=64, start=start, scope=scope, pages_per_block=256, blocks_per_die=40
    )
    rate = 16 * 4 / (6e-4 + 4 * 5e-6)
    data = 39 * 256 * 16
    written = data - (config.pages if start == "filled" else 0)
    result = run(config)
    assert result.first_collection_s == pytest.approx(written / rate, rel=0.02)


@pytest.mark.parametrize("scope", ["die", "superblock"])
def test_sequential_writes_are_not_amplified(scope):
    result = run(Config(**DRIVE, writers=32, writes="sequential", scope=scope, warmup_s=8.0))
    assert result.wa == 1
    assert result.erases > 1000
    fresh = 16 / (6e-4 / 4 + 5e-6 + 4e-3 / 128)
    assert result.iops == pytest.approx(fresh, rel=0.03)


def test_blocking_collection_stalls_a_die_and_superblocks_all():
    """The longest read meets a whole collection; incrementally, one erase."""
    longest = {}
    for scope in ("die", "superblock"):
        for collection in ("incremental", "blocking"):
            config = Config(
                **DRIVE, readers=1, write_iops=1e4, scope=scope, collection=collection,
                warmup_s=12.0,
            )  # fmt: skip
            longest[scope, collection] = run(config).reads.max_s
    for scope in ("die", "superblock"):
        assert 4e-3 < longest[scope, "incremental"] < 4e-3 + 2 * S + 7e-4
        assert longest[scope, "blocking"] > 3 * longest[scope, "incremental"]


def test_strict_turns_lose_to_the_least_loaded_die_when_dies_block():
    """And cost little where collection is spread."""
    rates = {}
    for collection in ("incremental", "blocking"):
        for allocation in ("round-robin", "least-loaded"):
            config = Config(
                **DRIVE, writers=32, collection=collection, allocation=allocation, warmup_s=8.0
            )
            rates[collection, allocation] = run(config).iops
    assert rates["blocking", "round-robin"] < 0.6 * rates["blocking", "least-loaded"]
    incremental = rates["incremental", "round-robin"] / rates["incremental", "least-loaded"]
    assert 0.9 < incremental < 1.0

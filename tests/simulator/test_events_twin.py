"""The event kernel agrees with a naive simulator, completion for completion, on small drives."""

import random

import pytest

from models.simulator.events import Config, SlcCache, kernel, layout
from models.simulator.events import state as at
from tests.naive_events import Twin

LOG = 20_000
STATES = {
    "idle": at.IDLE, "sense": at.SENSE, "transfer": at.TRANSFER, "load": at.LOAD,
    "program": at.PROGRAM, "slc load": at.SLC_LOAD, "slc program": at.SLC_PROGRAM,
    "copy sense": at.COPY_SENSE, "copy transfer": at.COPY_TRANSFER, "copy load": at.COPY_LOAD,
    "copy program": at.COPY_PROGRAM, "erase": at.ERASE, "suspending": at.SUSPENDING,
    "resuming": at.RESUMING,
}  # fmt: skip
COUNTS = {
    "host": at.HOST_PAGES, "copies": at.COPIES, "copy reads": at.COPY_READS, "erases": at.ERASED,
    "unmapped": at.UNMAPPED, "suspensions": at.SUSPENSIONS,
}  # fmt: skip


def places(config, s):
    """Die, row of programs and place of every logical page, None where there is none."""
    shift, unit = int(s.sys[at.SHIFT]), config.pages_per_program
    found = []
    for code in s.where.tolist():
        die, page = (code >> shift) % config.dies, code & ((1 << shift) - 1)
        found.append(None if code == at.NOWHERE else (die, page // unit, page % unit))
    return found


def assert_agree(config, seconds, pauses=3):
    s, twin = layout.build(config, log=LOG), Twin(config)
    for i in range(1, pauses + 1):
        until = layout.ticks(seconds * i / pauses)
        for _ in range(1_000_000):
            kernel.advance(until, 97, s)
            if s.sys[at.NOW] >= until or s.sys[at.STUCK]:
                break
        assert not s.sys[at.STUCK]
        twin.run(until)
        done = s.sys[at.LOGGED]
        assert done < LOG
        assert s.log[:done].tolist() == [list(entry) for entry in twin.log]
        assert {name: s.tally[word] for name, word in COUNTS.items()} == twin.counts
        for die, own in zip(s.busy.tolist(), twin.dies, strict=True):
            assert {name: die[k] for name, k in STATES.items() if die[k]} == {
                name: spent for name, spent in own.busy.items() if spent
            }
        assert [s.tally[at.AREA], s.tally[at.CHANNEL_WAIT]] == [twin.area, twin.waited]
        assert s.bursts[1 : 1 + s.bursts[0]].tolist() == twin.bursts
        if config.mapped:
            assert places(config, s) == [place and place[1] for place in twin.where]
    first = s.sys[at.FIRST_COLLECTION]
    assert (None if first == at.NEVER else first) == twin.first_collection
    return s


SLICES = ("fixed", "exponential")
TIMES = {"read_s": 50e-6, "program_s": 300e-6, "erase_s": 2e-3, "transfer_s": 8e-6, "link_s": 3e-6}
SMALL = TIMES | {
    "dies": 4, "channels": 2, "blocks_per_die": 12, "pages_per_block": 12, "pages_per_program": 3,
    "op_ratio": 0.8, "buffer_pages": 18, "measured_s": 1.0, "seed": 3,
}  # fmt: skip


@pytest.mark.parametrize("cache_read", [False, True])
@pytest.mark.parametrize("service", ["fixed", "exponential"])
@pytest.mark.parametrize(("dies", "channels", "depth"), [(1, 1, 3), (5, 2, 1), (7, 3, 20)])
def test_agrees_for_reads(dies, channels, depth, service, cache_read):
    config = Config(
        **TIMES | {"transfer_s": 20e-6}, dies=dies, channels=channels, queue_depth=depth,
        service=service, cache_read=cache_read, measured_s=1.0,
    )  # fmt: skip
    s = assert_agree(config, 0.02)
    assert s.sys[at.LOGGED] > 100


@pytest.mark.parametrize("start", ["filled", "fresh"])
@pytest.mark.parametrize("allocation", ["round-robin", "least-loaded"])
@pytest.mark.parametrize("collection", ["incremental", "blocking"])
@pytest.mark.parametrize("scope", ["die", "superblock"])
@pytest.mark.parametrize("load", [{"writers": 4}, {"queue_depth": 6, "read_fraction": 0.4}])
def test_agrees_for_every_kind_of_collection(load, scope, collection, allocation, start):
    config = Config(
        **SMALL, **load, scope=scope, collection=collection, allocation=allocation, start=start
    )
    s = assert_agree(config, 0.15)
    assert s.tally[at.COPIES] > 100 or start == "fresh"


@pytest.mark.parametrize("load", [{"readers": 2, "writers": 3}, {"read_iops": 2e3, "writers": 2}])
@pytest.mark.parametrize("suspend_s", [None, 0.0, 40e-6])
@pytest.mark.parametrize("collection", ["incremental", "blocking"])
@pytest.mark.parametrize("scope", ["die", "superblock"])
def test_agrees_when_reads_go_first_or_suspend(scope, collection, suspend_s, load):
    config = Config(
        **SMALL, **load, scope=scope, collection=collection, suspend_s=suspend_s, resume_s=15e-6
    )
    s = assert_agree(config, 0.15)
    assert (s.tally[at.SUSPENSIONS] > 20) == (suspend_s is not None)


@pytest.mark.parametrize("slices", SLICES)
@pytest.mark.parametrize("more", [
    {"scope": "die"}, {"scope": "superblock", "resume_s": 15e-6}, {"collection": "blocking"},
    {"max_suspensions": 1, "service": "exponential"}, {"max_suspensions": 0},
    {"max_suspensions": 2, "erase_slice_s": 350e-6},
])  # fmt: skip
def test_agrees_when_reads_wait_for_slices(more, slices):
    load = {"read_iops": 8e3, "writers": 2}
    s = assert_agree(Config(**SMALL, **load, slice_s=45e-6, slices=slices, **more), 0.1)
    assert (s.tally[at.SUSPENSIONS] > 20) == (more.get("max_suspensions") != 0)


@pytest.mark.parametrize("arrivals", ["poisson", "fixed", "fixed writes"])
@pytest.mark.parametrize("priority", ["read", "fifo"])
@pytest.mark.parametrize("batch", [1, 5])
def test_agrees_for_open_arrivals(batch, priority, arrivals):
    config = Config(
        **SMALL, read_iops=3e3, write_iops=2e3, read_batch=batch, write_batch=batch,
        priority=priority, arrivals=arrivals,
    )  # fmt: skip
    s = assert_agree(config, 0.4)
    assert s.tally[at.COPIES] > 100


@pytest.mark.parametrize("writes", ["random", "sequential"])
@pytest.mark.parametrize("gain_blocks", [1, 3])
@pytest.mark.parametrize("die_queue", [1, 4])
def test_agrees_for_queues_reserves_and_sequential_writes(die_queue, gain_blocks, writes):
    config = Config(
        **SMALL, writers=6, die_queue=die_queue, gain_blocks=gain_blocks, reserve=2, writes=writes,
        collection="blocking", scope="superblock",
    )  # fmt: skip
    assert_agree(config, 0.15)


CACHE = {"program_s": 100e-6, "read_s": 30e-6}


@pytest.mark.parametrize("folding", ["idle", "always", "never"])
@pytest.mark.parametrize("when_full", ["direct", "fold"])
@pytest.mark.parametrize("sizes", [{"static_pages": 60}, {"static_pages": 9, "free_pages": 300}])
def test_agrees_for_bursts_into_a_cache(sizes, when_full, folding):
    slc = SlcCache(**CACHE, **sizes, when_full=when_full, folding=folding, idle_s=200e-6)
    config = Config(
        **SMALL, slc=slc, writers=4, writes="sequential", burst_pages=100, burst_period_s=0.02,
        readers=1 if folding == "always" else 0,
    )  # fmt: skip
    s = assert_agree(config, 0.2)
    assert s.bursts[0] > 5 or (when_full, folding) == ("fold", "never")


def drawn(seed):
    """A configuration drawn at random."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    dies = draw.randint(1, 9)
    unit = draw.choice([1, 2, 3, 5])
    times = {name: draw.choice([time, time * draw.random() + 1e-6]) for name, time in TIMES.items()}
    loads = [
        {"queue_depth": draw.randint(1, 12), "read_fraction": draw.choice([0.0, 0.3, 0.9])},
        {"writers": draw.randint(1, 9), "readers": draw.randint(0, 4)},
        {"write_iops": 10.0 ** draw.uniform(2, 4), "read_iops": draw.choice([0.0, 1e3])},
    ]
    priority = draw.choice(["read", "read", "fifo"])
    ways = [{}, {"suspend_s": 20e-6}, {"slice_s": 40e-6, "slices": draw.choice(SLICES)}]
    suspension = draw.choice(ways) if priority == "read" else {}
    collection = draw.choice(["incremental", "blocking"])
    return Config(
        **times,
        **draw.choice(loads),
        dies=dies,
        channels=draw.randint(1, dies),
        blocks_per_die=draw.randint(8, 14),
        pages_per_program=unit,
        pages_per_block=unit * draw.choice([2, 5, 14, 23]),
        op_ratio=draw.uniform(0.6, 1.5),
        reserve=draw.randint(1, 2),
        cache_read=draw.random() < 0.3,
        service=draw.choice(["fixed", "exponential"]),
        buffer_pages=draw.randint(unit, 12 * unit),
        scope=draw.choice(["die", "superblock"]),
        collection=collection,
        gain_blocks=draw.randint(1, 2),
        allocation=draw.choice(["round-robin", "least-loaded"]),
        die_queue=draw.randint(1, 5),
        start=draw.choice(["filled", "fresh"]),
        priority=priority,
        **suspension,
        max_suspensions=draw.choice([None, 1, 5]),
        resume_s=draw.choice([0.0, 30e-6]),
        read_batch=draw.randint(1, 3),
        write_batch=draw.randint(1, 3),
        arrivals=draw.choice(["poisson", "fixed"]),
        writes=draw.choice(["random", "random", "sequential"]),
        measured_s=1.0,
        seed=seed,
    )


@pytest.mark.parametrize("seed", range(60))
def test_agrees_for_random_configurations(seed):
    assert_agree(drawn(seed), 0.06)

"""Speed of the event simulator.

Yardsticks, in the same process: the naive twin of the tests, and the loop that one writes first, a
heap of events, in plain Python and in C, for the part of the job that it does (reads).
"""

import ctypes
import heapq
import random
import tempfile
from collections import deque
from collections.abc import Iterator
from functools import partial

from benchmarks.rows import Row, compiled, processor_s
from benchmarks.simulator import first_runs
from models.simulator.events import Config, Result, layout, run
from tests.naive_events import Twin

TIMES = {"read_s": 50e-6, "program_s": 6e-4, "erase_s": 4e-3, "transfer_s": 5e-6, "link_s": 0.5e-6}
READS = TIMES | {"dies": 64, "channels": 8, "queue_depth": 256}
SMALL = READS | {"dies": 16, "channels": 4, "queue_depth": 32}
WRITES = SMALL | {"read_fraction": 0.0, "blocks_per_die": 64, "buffer_pages": 256}
LARGE = WRITES | {"blocks_per_die": 2048}
MIXED = WRITES | {"read_fraction": 0.7}
FIRST_RUN = """
import time
from models.simulator.events import Config, run
start = time.process_time()
run(Config(dies=2, read_s=5e-5, queue_depth=2, measured_s=1.0))
print(time.process_time() - start)
"""


def rows() -> Iterator[Row]:
    """Every figure of the event simulator."""
    rates = {
        "reads, 64 dies, depth 256": (rate(READS, 2.0), 2.5),
        "reads, 16 dies, depth 32": (rate(SMALL, 5.0), 3.2),
        "writes, 0.1 M pages": (rate(WRITES, 30.0), 1.7),
        "writes, 3.3 M pages": (rate(LARGE, 60.0, warmup_s=60.0), 1.2),
        "70 % reads, 0.1 M pages": (rate(MIXED, 30.0), 1.8),
    }
    for name, (value, limit) in rates.items():
        yield Row(f"{name}, million I/Os per second", value / 1e6, limit, "M", at_least=True)
    for name, case, length_s, limit in [("reads", READS, 0.05, 600), ("writes", WRITES, 0.5, 100)]:
        ratio = rate(case, 2.0 if name == "reads" else 20.0) / twin_rate(case, length_s)
        yield Row(f"{name}, compiled / naive twin", ratio, limit, "x", at_least=True)
    ratio = rates["reads, 64 dies, depth 256"][0] / max(heap_rate(READS, 0.1) for _ in range(3))
    yield Row("reads, compiled / heap in plain Python", ratio, 8, "x", at_least=True)
    of_c = c_rate(READS, 1.0)
    if of_c is not None:
        ratio = rates["reads, 64 dies, depth 256"][0] / of_c
        yield Row("reads, compiled / heap in C", ratio, 0.5, "x", at_least=True)
    yield from first_runs(FIRST_RUN, at_first=40, compiled=3)


def rate(case: dict[str, float], length_s: float, warmup_s: float = 0.0) -> float:
    """Simulated I/Os per second of this computer, best of some runs."""
    config = Config(**case, measured_s=length_s, warmup_s=warmup_s)  # type: ignore[arg-type]
    best = 0.0
    for _ in range(2 if warmup_s else 4):
        results: list[Result] = []
        taken = processor_s(lambda: results.append(run(config)))  # noqa: B023 - called at once
        best = max(best, results[0].windows.iops.sum() * config.window_s / taken)
    return best


def twin_rate(case: dict[str, float], length_s: float) -> float:
    """The same of the naive twin."""
    twin = Twin(Config(**case, measured_s=1.0))  # type: ignore[arg-type]
    taken = processor_s(partial(twin.run, layout.ticks(length_s)))
    return len(twin.log) / taken


def heap_rate(case: dict[str, float], length_s: float) -> float:
    """The same of a heap of events in plain Python, for reads."""
    config = Config(**case, measured_s=1.0)  # type: ignore[arg-type]
    done: list[float] = []
    taken = processor_s(lambda: done.append(reads_by_heap(config, length_s)))
    return done[0] / taken


def c_rate(case: dict[str, float], length_s: float) -> float | None:
    """The same of a heap of events in C, where there is a compiler; best of some runs."""
    config = Config(**case, measured_s=1.0)  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as folder:
        loop = compiled("event_loop", folder)
        if loop is None:
            return None
        loop.reads.restype = ctypes.c_uint64
        loop.reads.argtypes = [*[ctypes.c_uint32] * 3, *[ctypes.c_double] * 4]
        best = 0.0
        for _ in range(4):
            done: list[int] = []
            taken = processor_s(
                lambda: done.append(  # noqa: B023 - called at once
                    loop.reads(
                        config.dies, config.channels, config.queue_depth, config.read_s,
                        config.transfer_s, config.link_s, length_s,
                    )
                )
            )  # fmt: skip
            best = max(best, done[0] / taken)
    return best


def reads_by_heap(config: Config, length_s: float) -> int:
    """Closed reads of random dies; give the number that completed."""
    heap: list[tuple[float, int, int, float]] = []  # time, kind, die, start
    waiting: list[deque[float]] = [deque() for _ in range(config.dies)]
    busy = [False] * config.dies
    channel_free = [0.0] * config.channels
    link_free, done, draw = 0.0, 0, random.Random(1).random
    todo = [0.0] * config.queue_depth
    now = 0.0
    while now < length_s:
        for start in todo:
            die = int(draw() * config.dies)
            if busy[die]:
                waiting[die].append(start)
            else:
                busy[die] = True
                heapq.heappush(heap, (now + config.read_s, 0, die, start))
        todo.clear()
        now, kind, die, start = heapq.heappop(heap)
        if kind == 0:
            channel = die % config.channels
            channel_free[channel] = max(now, channel_free[channel]) + config.transfer_s
            heapq.heappush(heap, (channel_free[channel], 1, die, start))
        elif kind == 1:
            link_free = max(now, link_free) + config.link_s
            heapq.heappush(heap, (link_free, 2, die, start))
            if waiting[die]:
                heapq.heappush(heap, (now + config.read_s, 0, die, waiting[die].popleft()))
            else:
                busy[die] = False
        else:
            done += 1
            todo.append(now)
    return done

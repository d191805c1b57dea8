"""Time of formulas on many arrays and many drives in one call.

10,000 arrays of all layouts at queue depths up to 512, and 1,000 drives of different spare areas
and mixes of hot and cold writes, against a loop that asks for one at a time.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.rows import Row, best_times
from models import _fluid, array_tail, redundancy
from models.array_speed import HostOperations, MemberTimes, array_speed
from models.array_stalls import stalled_iops
from models.transient import fifo_wa
from models.write_amplification import two_temperature

ARRAYS, SINGLE = 10_000, 100
DRIVES, SINGLE_DRIVES = 1000, 40
LAYOUTS = np.array([(1, 0), (2, 0), (1, 1), (1, 2)])  # copies, parities: RAID 0, 10, 5, 6


def drawn(number: int) -> dict[str, Any]:
    """Arrays of random layouts, sizes, drives and loads."""
    rng = np.random.default_rng(0)
    copies, parities = LAYOUTS[rng.integers(0, 4, number)].T
    members = 2 * rng.integers(2, 13, number)
    return {
        "queue_depth": rng.integers(1, 513, number),
        "members": members,
        "copies": copies,
        "parities": parities,
        "read_fraction": rng.random(number),
        "read_s": rng.uniform(1e-6, 1e-5, number),
        "write_s": rng.uniform(1e-6, 1e-4, number),
    }


def speeds(arrays: dict[str, Any]) -> tuple[float, ...]:
    """Capacity, IOPS and the probability of the floor."""
    members, copies, parities = (arrays[name] for name in ("members", "copies", "parities"))
    operations = HostOperations(
        stripe_members=np.where(copies > 1, copies, members),
        reads_per_write=redundancy.reads_per_write(members, parities=parities),
        writes_per_write=redundancy.writes_per_write(copies, parities=parities),
    )
    return (
        redundancy.usable_bytes(4e12, members=members, copies=copies, parities=parities),
        array_tail.aligned_stall_probability(0.05, members=members),
        *array_speed(
            arrays["queue_depth"],
            members=members,
            read_fraction=arrays["read_fraction"],
            times=MemberTimes(arrays["read_s"], arrays["write_s"]),
            host_operations=operations,
        ),
    )


def stalls(arrays: dict[str, Any]) -> float:
    """Mean IOPS under stalls."""
    return stalled_iops(
        arrays["queue_depth"],
        members=arrays["members"],
        operation_s=arrays["read_s"],
        stall_s=5e-3,
        stalls_per_operation=1e-4,
    )


def one_by_one(
    question: Callable[[dict[str, Any]], Any], asked: dict[str, Any], number: int = SINGLE
) -> None:
    """Compute the first arrays or drives one at a time."""
    for place in range(number):
        question({name: values[place].item() for name, values in asked.items()})


def mixes() -> dict[str, Any]:
    """Drives of random spare areas, each with a random mix of hot and cold writes."""
    rng = np.random.default_rng(0)
    return {
        "op_ratio": rng.uniform(0.05, 0.6, DRIVES),
        "hot_writes": rng.uniform(0.5, 0.98, DRIVES),
        "hot_pages": rng.uniform(0.02, 0.5, DRIVES),
    }


def hot_and_cold(drives: dict[str, Any], pages_per_block: int) -> float:
    """Write amplification of hot and cold pages."""
    return two_temperature(**drives, pages_per_block=pages_per_block)


def oldest_first(drives: dict[str, Any]) -> float:
    """Write amplification after the cliff, with no curve kept from before."""
    _fluid._kept.cache_clear()
    return fifo_wa(drives["op_ratio"], drive_fills=3.0, prefilled_fraction=drives["hot_writes"])


def of_drives() -> Iterator[Row]:
    """One call over a loop of calls, for formulas that solve a drive at some length."""
    questions: dict[str, tuple[Callable[[dict[str, Any]], Any], float]] = {
        "two temperatures, 16 pages": (partial(hot_and_cold, pages_per_block=16), 0.06),
        "two temperatures, 64 pages": (partial(hot_and_cold, pages_per_block=64), 0.3),
        "oldest first after the cliff": (oldest_first, 0.8),
    }
    for name, (question, most) in questions.items():
        calls: dict[str, Callable[[], object]] = {
            "together": partial(question, mixes()),
            "alone": partial(one_by_one, question, mixes(), SINGLE_DRIVES),
        }
        best = best_times(calls, rounds=2)
        ratio = best["together"] / (best["alone"] * DRIVES / SINGLE_DRIVES)
        yield Row(f"{name}: one call / loop of calls", ratio, most, "x")


def rows() -> Iterator[Row]:
    """Seconds for all arrays, and a loop's time for as many over that."""
    arrays = drawn(ARRAYS)
    questions = {"speed and capacity": speeds, "stalls": stalls}
    calls: dict[str, Callable[[], object]] = {}
    for name, question in questions.items():
        calls[name] = partial(question, arrays)
        calls[f"{name}, one by one"] = partial(one_by_one, question, arrays)
    best = best_times(calls, rounds=5)
    total = sum(best[name] for name in questions)
    yield Row("10,000 arrays, speed, capacity and stalls", total, 0.6, "s")
    for name in questions:
        loop = best[f"{name}, one by one"] * ARRAYS / SINGLE
        yield Row(f"{name}: one call / loop of calls", best[name] / loop, 0.003, "x")
    yield from of_drives()

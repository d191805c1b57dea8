"""Speed of the array simulator, and of its whole comparison.

Yardstick, in the same process: the naive twin of the tests. `python -m benchmarks.arrays` prints
every case of the grids of `validation.arrays`, some minutes.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks.rows import Row, processor_s
from models.simulator.arrays import Config, Result, layout, run
from tests.naive_arrays import Twin
from validation.arrays import (
    ArrayCase,
    compare_arrays,
    error_summary,
    report_rows,
    speed_cases,
    stall_cases,
)

TIMES = {"read_s": 100e-6, "write_s": 30e-6}
ARRAYS: dict[str, dict[str, Any]] = {
    "RAID 0 of 8, reads, depth 32": {"members": 8, "queue_depth": 32},
    "RAID 0 of 24, reads, depth 512": {"members": 24, "queue_depth": 512},
    "RAID 10 of 8, 70 % reads, depth 32": {
        "members": 8, "copies": 2, "read_fraction": 0.7, "queue_depth": 32,
    },
    "RAID 6 of 8, 70 % reads, depth 32": {
        "members": 8, "parity": 2, "read_fraction": 0.7, "queue_depth": 32,
    },
    "stalls, RAID 0 of 12, depth 384": {
        "members": 12, "queue_depth": 384, "stall_s": 5e-3, "stall_rate": 4.0,
    },
    "arrivals, RAID 0 of 8": {"members": 8, "arrival_iops": 50_000.0},
}  # fmt: skip
LEAST = (8, 7.5, 12, 16, 7.5, 3.2)  # million member operations per second, in this order


def rows() -> Iterator[Row]:
    """Every figure of the array simulator."""
    for (name, array), limit in zip(ARRAYS.items(), LEAST, strict=True):
        statement = f"{name}, million member operations/s"
        yield Row(statement, rate(array) / 1e6, limit, "M", at_least=True)
    array = ARRAYS["RAID 6 of 8, 70 % reads, depth 32"]
    yield Row("compiled / naive twin", rate(array) / twin_rate(array), 200, "x", at_least=True)


def rate(array: dict[str, Any]) -> float:
    """Member operations per second of this computer, best of some runs."""
    config = Config(**TIMES, **array, measured_s=20.0)
    best = 0.0
    for _ in range(4):
        results: list[Result] = []
        taken = processor_s(lambda: results.append(run(config)))  # noqa: B023 - called at once
        best = max(best, results[0].member_operations.sum() / taken)
    return best


def twin_rate(array: dict[str, Any]) -> float:
    """The same of the naive twin."""
    twin = Twin(Config(**TIMES, **array, measured_s=1.0))
    taken = processor_s(partial(twin.run, layout.ticks(0.2)))
    return sum(member.given for member in twin.members) / taken


def grid(cases: list[ArrayCase]) -> None:
    """Print every case of a grid, and the errors of its halves."""
    outcomes = compare_arrays(cases)
    print("\n".join(report_rows(outcomes)))
    for chooses, name in ((True, "choosing"), (False, "reporting")):
        half = [outcome for outcome in outcomes if outcome.case.chooses == chooses]
        print(f"\n{name}: {error_summary(half)}")


if __name__ == "__main__":
    grid(speed_cases())
    grid(stall_cases())

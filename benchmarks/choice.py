"""Time of a choice.

Two million configurations (60 drives, 60 counts, 26 spare areas, 5 layouts, 5 numbers of sets)
held to everything that is quick to tell, then the ten best with loss of data, IOPS at the queue
depth and read tails, against a loop that plans one configuration after the other.
"""

import resource
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.rows import Row, processor_s
from models.units import TB, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.drive import Drive, with_user_facts
from planner.catalogue.priors import with_assumptions
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.search.choose import Grid, Requirements, choose
from planner.search.choose.configurations import configurations as read_grid
from planner.search.choose.limits import margins
from planner.sections.plan import plan_drive

DRIVES, COUNTS, SINGLE = 60, 60, 40
LISTED = 313  # of the catalogue, of which the limit is; all of it is shown beside them
WRITES = Workload(host_bytes_per_s=2e8)
ASKED = Requirements(
    usable_bytes=6 * TB, iops=3e5, worst_case_iops=5e4, life_s=5 * YEAR_S, life_confidence=0.9,
    loss_probability=1e-4, power_w=400.0, slots=48, budget_usd=60e3, warranty_s=3 * YEAR_S,
    read_p999_s=20e-3,
)  # fmt: skip


def drives() -> tuple[Drive, ...]:
    """Return drives without unknown facts: one of the catalogue, its facts varied."""
    known = with_assumptions(find(load(), "845DC PRO 400"))
    rng = np.random.default_rng(7)
    return tuple(
        replace(
            with_user_facts(
                known,
                price_usd=float(rng.uniform(300, 1500)),
                pe_cycles=float(rng.uniform(3e3, 4e4)),
                rated_bytes=float(rng.uniform(1e15, 8e15)),
                steady_write_iops=float(rng.uniform(2e4, 9e4)),
            ),
            drive_id=f"drive-{number}",
        )
        for number in range(DRIVES)
    )


def grid(among: tuple[Drive, ...]) -> Grid:
    """Return the grid of two million."""
    return Grid(
        drives=among,
        members=tuple(range(1, COUNTS + 1)),
        partition_fractions=tuple(np.linspace(0.5, 1, 26).tolist()),
        levels=("0", "10", "5", "6", "ec:8+3"),
        sets=(1, 2, 3, 4, 6),
    )


def held(configurations: Grid) -> int:
    """Hold every configuration to what is quick to tell; count those that hold."""
    table = read_grid(WRITES, configurations)
    holds = np.ones(table.shape, bool)
    for margin in margins(table, ASKED, Risk()).values():
        holds &= margin >= 1
    return int(holds.sum())


def one_by_one(configurations: Grid) -> None:
    """Plan the first configurations one at a time."""
    arrays = configurations.arrays()
    for place in range(SINGLE):
        plan_drive(configurations.drives[place % DRIVES], WRITES, array=arrays[place])


def rows() -> Iterator[Row]:
    """Yield seconds for the grid, and a loop's time for as many over that."""
    among = grid(drives())
    quick, best, loop = (
        processor_s(question)
        for question in (
            lambda: held(among), lambda: choose(WRITES, ASKED, among), lambda: one_by_one(among)
        )
    )  # fmt: skip
    loop *= len(among) / SINGLE
    yield Row(f"{len(among):,}: quick needs", quick, 0.22, "s")
    yield Row("the ten best, losses and tails", best, 6.5, "s")
    yield Row("quick needs / a loop over plan()", quick / loop, 2e-5, "x")
    yield Row("the ten best / a loop over plan()", best / loop, 6e-4, "x")
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    every = tuple(load().drives.values())
    for listed, limit in ((every[:: len(every) // LISTED][:LISTED], 0.02), (every, None)):
        among = listing(listed)
        name = f"{len(among):,} of the catalogue in one reading"
        yield Row(name, reading_s(among), limit, "s")
    yield Row("largest memory", used / 1024**2, 0.25, "GiB")


def reading_s(among: Grid) -> float:
    """Return the least processor time of five readings."""
    return min(processor_s(lambda: read_grid(WRITES, among)) for _ in range(5))


def listing(listed: tuple[Drive, ...]) -> Grid:
    """Return 320 configurations of each drive of the catalogue."""
    return Grid(
        drives=listed,
        members=(4, 6, 8, 12),
        partition_fractions=tuple(np.linspace(0.55, 1, 16).tolist()),
    )

"""Runs of the named skews, stored: `python -m tests.stored_runs` writes them.

Those that plans of the catalogue read, of blocks of 256 pages or more. Without sequential writes:
ten choices, copies apart; Zipf differs with the capacity of a drive, and is stored for those of the
catalogue where drives usually have their spare area. Beside sequential writes, for every tenth of
them: one log and copies apart, not of Zipf; filled in sequence, too, for uniform writes and 80/20.
Takes four minutes; needed when the simulator or the catalogue changes.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from models import simulator
from models.simulator import small_drive
from models.simulator.config import Fill
from planner.catalogue import load
from planner.scenario.skew import FIELD, PRESETS, Shares, classes_of

ALL, USUAL = range(-40, 15), range(-31, 3)
MIXED = range(-76, 36)  # steps beside sequential writes: from a spare area of 4.8 % to 4
ORDERED = ("uniform", "80/20")  # of which drives filled in sequence are stored, too
PLACED = (("greedy", 1), ("d-choices", 2))
FILE = Path(simulator.__file__).with_name("stored_runs.npz")

Stored = tuple[small_drive.Load, Fill, range]


def loads() -> Iterator[Stored]:
    """Yield the loads of named skews, how drives are filled, and the steps that are stored."""
    capacities = sorted({drive.capacity_bytes for drive in load().drives.values()})
    for skew in PRESETS:
        if skew == FIELD:
            continue
        is_zipf = skew.startswith("zipf")
        for capacity_bytes in capacities if is_zipf else capacities[:1]:
            shares = classes_of(skew, capacity_bytes=capacity_bytes)
            yield _of("d-choices", 2, 0.0, shares), "random", USUAL if is_zipf else ALL
        if not is_zipf:
            yield _of("greedy", 1, 0.0, shares), "random", ALL
            yield from _mixed(skew, shares)


def _mixed(skew: str, shares: Shares) -> Iterator[Stored]:
    for tenth in range(1, small_drive.SHARES):
        for policy, frontiers in PLACED:
            of = _of(policy, frontiers, tenth / small_drive.SHARES, shares)
            for fill in small_drive.fills(of):
                if fill == "random" or skew in ORDERED:
                    yield of, fill, MIXED


def _of(policy, frontiers, sequential_fraction, shares) -> small_drive.Load:
    size = small_drive.LARGEST_BLOCK
    return small_drive.load_of(policy, sequential_fraction, *shares, size, frontiers)


def write(stored: Iterable[Stored]) -> None:
    """Run them all, and write the file."""
    keys, places, runs = [], [], []
    for of, fill, at in stored:
        keys.append(small_drive.key_of(of, fill))
        places.append((at.start, len(at)))
        runs += [small_drive.fresh_run(of, place, fill)[1:6] for place in at]
        print(len(keys), file=sys.stderr)
    first, steps = np.array(places).T
    np.savez(FILE, keys=np.array(keys), first=first, steps=steps, runs=np.array(runs, float))


if __name__ == "__main__":
    write(loads())

"""Runs of the named skews, stored: `python -m tests.stored_runs` writes them.

Those that plans of the catalogue read, of blocks of 256 pages or more. Without sequential writes:
ten choices, copies apart; Zipf differs with the capacity of a drive, and is stored for those of the
catalogue where drives usually have their spare area. Beside sequential writes, for every tenth of
them: one log and copies apart, not of Zipf; filled in sequence, too, for uniform writes and 80/20.
By class, under every rule for victims: named skews but Zipf, without sequential writes.
Takes a quarter of an hour; needed when the simulator or the catalogue changes.
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

# Spare areas, in hundredths of their logarithm: from 1.8 %, 4.1 % and 4.8 % on.
ALL, USUAL, MIXED = (-400, 140), (-320, 40), (-304, 140)
ORDERED = ("uniform", "80/20")  # of which drives filled in sequence are stored, too
PLACED = (("greedy", 1), ("d-choices", 2))
RULES, BY_CLASS = ("greedy", "d-choices", "cost-benefit"), 3
FILE = Path(simulator.__file__).with_name("stored_runs.npz")

Stored = tuple[small_drive.Load, Fill, tuple[int, int]]


def loads() -> Iterator[Stored]:
    """Yield the loads of named skews, how drives are filled, and between which places."""
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
            if len(shares[0]) > 1:
                yield from ((_of(rule, BY_CLASS, 0.0, shares), "random", ALL) for rule in RULES)


def _mixed(skew: str, shares: Shares) -> Iterator[Stored]:
    for tenth in range(1, small_drive.SHARES):
        for policy, placement in PLACED:
            of = _of(policy, placement, tenth / small_drive.SHARES, shares)
            yield of, "random", MIXED
            if skew in ORDERED and placement == 1:
                yield of, "sequential", MIXED


def places(of: small_drive.Load, fill: Fill, between: tuple[int, int]) -> list[int]:
    """Return the places that are stored of a load."""
    about = small_drive.places_about(of, np.arange(*between, 2))
    return [at for at in about if fill in small_drive.fills(of, at)]


def _of(policy, placement, sequential_fraction, shares) -> small_drive.Load:
    size = small_drive.LARGEST_BLOCK
    return small_drive.load_of(policy, sequential_fraction, *shares, size, placement)


def write(stored: Iterable[Stored]) -> None:
    """Run them all, and write the file."""
    keys, counts, all_places, runs = [], [], [], []
    for of, fill, between in stored:
        at = places(of, fill, between)
        keys.append(small_drive.key_of(of, fill))
        counts.append(len(at))
        all_places += at
        runs += [small_drive.numbers_of(small_drive._run(of, place, fill)) for place in at]
        print(len(keys), len(runs), file=sys.stderr)
    np.savez(
        FILE, keys=np.array(keys), counts=np.array(counts), places=np.array(all_places, np.int16),
        runs=np.array(runs, float),
    )  # fmt: skip


if __name__ == "__main__":
    small_drive.stored = dict  # none: all are run anew
    write(loads())

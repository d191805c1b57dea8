"""Runs of the named skews, stored: `python -m tests.stored_runs > models/simulator/stored_runs.py`.

Those that plans of the catalogue read: ten choices, copies apart, blocks of 256 pages or more. Zipf
differs with the capacity of a drive, and is stored for those of the catalogue where drives usually
have their spare area. Takes two minutes; needed when the simulator or the catalogue changes.
"""

import sys
from collections.abc import Iterator

from models.simulator import small_drive
from planner.catalogue import load
from planner.scenario.skew import FIELD, PRESETS, classes_of

ALL, USUAL = range(-40, 15), range(-31, 3)
HEADER = '''"""Runs of small drives that plans often read, so that they need no simulator.

Written by `python -m tests.stored_runs`; each is what `small_drive` gives when it runs it.
"""

from collections.abc import Mapping

__all__ = ["STORED"]

# By load, then by step of the spare area: op_ratio, wa, low_wa, high_wa, drift.
STORED: Mapping[str, Mapping[int, tuple[float, float, float, float, float]]] = {'''


def loads() -> Iterator[tuple[small_drive.Load, range]]:
    """Yield the loads of named skews, and the steps of spare area that are stored of each."""
    capacities = sorted({drive.capacity_bytes for drive in load().drives.values()})
    for skew in PRESETS:
        if skew in ("uniform", FIELD):
            continue
        is_zipf = skew.startswith("zipf")
        for capacity_bytes in capacities if is_zipf else capacities[:1]:
            shares = classes_of(skew, capacity_bytes=capacity_bytes)
            of = small_drive.load_of("d-choices", 0.0, *shares, small_drive.LARGEST_BLOCK, 2)
            yield of, USUAL if is_zipf else ALL


def main() -> None:
    """Print the module."""
    print(HEADER)
    for of, places in loads():
        print(f'    "{small_drive.key_of(of)}": {{')
        for place in places:
            ran = small_drive.fresh_run(of, place, "random")
            print(f"        {place}: {tuple(map(float, ran[1:6]))},")
        print("    },")
        print(len(of.write_shares), file=sys.stderr)
    print("}")


if __name__ == "__main__":
    main()

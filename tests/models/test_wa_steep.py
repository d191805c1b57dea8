"""Steep skew in one log beside page simulation: few pages take nearly all writes."""

import os
from itertools import product

import pytest

from models.simulator import Classes, Config, run
from models.write_amplification import skewed

LONG = os.environ.get("LONG")
STEEP = {"99/1": ((0.99, 0.01), (0.01, 0.99)), "98/2": ((0.98, 0.02), (0.02, 0.98))}
THREE = {
    "90/1+8/19+2/80": ((0.9, 0.08, 0.02), (0.01, 0.19, 0.8)),
    "70/1+20/9+10/90": ((0.7, 0.2, 0.1), (0.01, 0.09, 0.9)),
}
MIXES = STEEP | THREE
POINTS = [
    *product(STEEP, (16, 32, 64, 128, 256, 512), (0.05, 0.2, 1.0)),
    *product(THREE, (32, 64, 128), (0.07, 0.28)),
]
# Small drives, which every run of the suite simulates.
ALWAYS = [("99/1", 32, 0.2), ("98/2", 16, 0.2), ("70/1+20/9+10/90", 32, 0.28)]


def simulated(mix, size, op_ratio):
    """Run a drive until its coldest pages have been written 1.5 times, and for 50 overwrites."""
    writes, pages = MIXES[mix]
    coldest = max(held / written for written, held in zip(writes, pages, strict=True))
    return run(
        Config(
            pages_per_block=size,
            blocks=max(1000, min(4000, 256_000 // size)),
            op_ratio=op_ratio,
            workload=Classes(write_shares=writes, page_shares=pages),
            warmup_overwrites=max(100.0, 1.5 * coldest),
            measured_overwrites=50.0,
            windows=10,
        )
    )


@pytest.mark.parametrize(("mix", "size", "op_ratio"), POINTS if LONG else ALWAYS)
def test_steep_skew_is_as_near_to_simulation_as_stated(mix, size, op_ratio):
    writes, pages = MIXES[mix]
    wa = skewed(op_ratio, write_shares=writes, page_shares=pages, pages_per_block=size)
    error = wa / simulated(mix, size, op_ratio).wa - 1
    assert abs(error) <= (0.01 if mix in STEEP else 0.015)

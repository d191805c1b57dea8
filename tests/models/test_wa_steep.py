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
# What these drives gave, by rising spare area.
GAVE = {
    ("99/1", 16): (9.5082, 4.3345, 1.7598),
    ("99/1", 32): (12.3129, 4.9035, 1.8597),
    ("99/1", 64): (14.3966, 5.2475, 1.9137),
    ("99/1", 128): (16.1799, 5.4645, 1.9415),
    ("99/1", 256): (16.9661, 5.5821, 1.9557),
    ("99/1", 512): (17.2213, 5.6337, 1.9630),
    ("98/2", 16): (9.0660, 4.2284, 1.7432),
    ("98/2", 32): (11.6162, 4.7534, 1.8371),
    ("98/2", 64): (13.4577, 5.0607, 1.8878),
    ("98/2", 128): (14.5821, 5.2237, 1.9139),
    ("98/2", 256): (15.1635, 5.3257, 1.9274),
    ("98/2", 512): (15.3850, 5.3593, 1.9341),
    ("90/1+8/19+2/80", 32): (9.5297, 3.7563),
    ("90/1+8/19+2/80", 64): (11.0236, 3.9569),
    ("90/1+8/19+2/80", 128): (11.8443, 4.0733),
    ("70/1+20/9+10/90", 32): (8.8905, 3.4754),
    ("70/1+20/9+10/90", 64): (9.9937, 3.6332),
    ("70/1+20/9+10/90", 128): (10.6793, 3.7184),
}
BOUNDS = dict.fromkeys(STEEP, 0.01) | dict.fromkeys(THREE, 0.015)
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


def error(mix, size, op_ratio, simulated_wa):
    writes, pages = MIXES[mix]
    wa = skewed(op_ratio, write_shares=writes, page_shares=pages, pages_per_block=size)
    return abs(wa / simulated_wa - 1)


@pytest.mark.parametrize(("mix", "size"), GAVE)
def test_steep_skew_is_as_near_to_simulation_as_stated(mix, size):
    spares = [spare for each, pages, spare in POINTS if (each, pages) == (mix, size)]
    for op_ratio, gave in zip(spares, GAVE[mix, size], strict=True):
        assert error(mix, size, op_ratio, gave) <= BOUNDS[mix]


def test_every_drive_is_there():
    assert sum(map(len, GAVE.values())) == len(POINTS)


@pytest.mark.parametrize(("mix", "size", "op_ratio"), POINTS if LONG else ALWAYS)
def test_the_simulated_drives_give_what_is_written(mix, size, op_ratio):
    wa = simulated(mix, size, op_ratio).wa
    spares = [spare for each, pages, spare in POINTS if (each, pages) == (mix, size)]
    assert wa == pytest.approx(GAVE[mix, size][spares.index(op_ratio)], rel=1e-4)
    assert error(mix, size, op_ratio, wa) <= BOUNDS[mix]

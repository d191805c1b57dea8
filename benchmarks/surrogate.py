"""The recipe behind `models.write_amplification.host_gc`: `python -m benchmarks.surrogate`.

Simulates drives with separate frontiers for host writes and copies and ten random choices, and
prints how far, in the logarithm, each lies below greedy cleaning of uniform writes: for two
temperature classes and for Zipf.
"""

import math
from multiprocessing import Pool

import numpy as np

from models.simulator import Classes, Config, Zipf, run
from models.write_amplification import (
    d_choices,
    effective_blocks,
    greedy,
    separation_gain,
    zipf_classes,
)

HOT_WRITES = (0.7, 0.8, 0.9, 0.95, 0.98, 0.99)  # to as many pages as the others get writes
EXPONENTS = (0.6, 0.8, 0.9, 0.99, 1.1, 1.2)
RATIOS = (0.035, 0.07, 0.15, 0.28, 0.5, 1.0, 2.0)
SIZE = 256
PAGES = 1_000_000  # of Zipf, whose skew depends on them

Traffic = Classes | Zipf


def two_classes(hot_writes: float) -> Classes:
    """Return so large a share of writes to the smaller share of pages: 0.8 is 80/20."""
    cold = round(1 - hot_writes, 12)
    return Classes(write_shares=(hot_writes, cold), page_shares=(cold, hot_writes))


def drop(traffic: Traffic, op_ratio: float, *, pages: int = PAGES) -> float:
    """Return the logarithm of greedy and uniform over what a run shows."""
    blocks = round(pages * (1 + op_ratio) / SIZE) + 2
    config = Config(
        pages_per_block=SIZE,
        blocks=blocks,
        reserve=2,
        logical_pages=pages,
        policy="d-choices",
        choices=10,
        frontiers="host-gc",
        workload=traffic,
        warmup_overwrites=min(100, 4 * coldest(traffic)),
        measured_overwrites=40,
        windows=20,
    )
    wa = run(config).wa
    held = effective_blocks(blocks, reserve=2, wa=wa, frontiers=2)
    return math.log(greedy(held * SIZE / pages - 1, pages_per_block=SIZE) / wa)


def drop_without_skew(op_ratio: float) -> float:
    """Return the same for uniform writes, where separate frontiers change nothing."""
    ten_choices = d_choices(op_ratio, choices=10, pages_per_block=SIZE)
    return math.log(greedy(op_ratio, pages_per_block=SIZE) / ten_choices)


def coldest(traffic: Traffic) -> float:
    """Return the lifetime of the coldest pages, in overwrites."""
    if isinstance(traffic, Zipf):
        return 25.0
    return max(f / r for r, f in zip(traffic.write_shares, traffic.page_shares, strict=True))


def skew(traffic: Traffic) -> tuple[float, float]:
    """Return the logarithm of the separation gain and the divergence of writes from pages."""
    if isinstance(traffic, Zipf):
        writes, pages = zipf_classes(traffic.exponent, pages=PAGES)
    else:
        writes, pages = np.array(traffic.write_shares), np.array(traffic.page_shares)
    gain = separation_gain(writes, page_shares=pages)
    return math.log(gain), float(np.sum(writes * np.log(writes / pages)))


def main() -> None:
    """Print both tables, a row per skew: gain, divergence, drops."""
    print("no skew:", ", ".join(f"{drop_without_skew(ratio):.3f}" for ratio in RATIOS))
    families: tuple[tuple[Traffic, ...], ...] = (
        tuple(map(two_classes, HOT_WRITES)),
        tuple(map(Zipf, EXPONENTS)),
    )
    with Pool() as pool:
        for family in families:
            drops = pool.starmap(drop, [(one, ratio) for one in family for ratio in RATIOS], 1)
            rows = np.reshape(drops, (len(family), len(RATIOS)))
            for traffic, row in zip(family, rows, strict=True):
                gain, divergence = skew(traffic)
                figures = ", ".join(f"{figure:.3f}" for figure in row)
                print(f"({gain:.4f}, {divergence:.4f}): [{figures}]  # {traffic}", flush=True)


if __name__ == "__main__":
    main()

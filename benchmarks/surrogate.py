"""The recipe behind `models.write_amplification.host_gc`: `python -m benchmarks.surrogate`.

Simulates drives with separate frontiers for host writes and copies and ten random choices,
and prints how far each lies, in the logarithm, from one log to the best separation.
"""

import math

from models.simulator import Classes, Config, run
from models.write_amplification import separated, separation_gain, skewed

SKEWS = ((0.8, 0.2), (0.9, 0.1), (0.95, 0.05))
RATIOS = (0.07, 0.15, 0.28, 0.5, 1.0)


def share(writes: float, pages: float, op_ratio: float, *, blocks: int = 4002) -> float:
    """Return the share of the way from one log to the best separation that a run shows."""
    write_shares, page_shares = (writes, 1 - writes), (pages, 1 - pages)
    config = Config(
        pages_per_block=256,
        blocks=blocks,
        reserve=2,
        op_ratio=op_ratio,
        policy="d-choices",
        choices=10,
        frontiers="host-gc",
        workload=Classes(write_shares=write_shares, page_shares=page_shares),
        warmup_overwrites=min(60, 4 * (1 - pages) / (1 - writes)),
        measured_overwrites=10,
    )
    wa = run(config).wa
    one = skewed(op_ratio, write_shares=write_shares, page_shares=page_shares, pages_per_block=256)
    apart = separated(
        op_ratio, write_shares=write_shares, page_shares=page_shares, pages_per_block=256
    )
    return math.log(one / wa) / math.log(one / apart)


def main() -> None:
    """Print the table, a row per skew."""
    for writes, pages in SKEWS:
        gain = separation_gain((writes, 1 - writes), page_shares=(pages, 1 - pages))
        row = ", ".join(f"{share(writes, pages, ratio):.4f}" for ratio in RATIOS)
        print(f"gain {gain:.4f}: [{row}]")


if __name__ == "__main__":
    main()

"""Errors of the model of traces against their replay: `python -m benchmarks.trace_wa`.

Synthetic traces of some families, each repeated in the page simulator on drives of seven spare
areas and two sizes of blocks. The rule that chooses among levels was fitted to other draws of these
families, and the number of blocks of which fates are compared was chosen on other bursts.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from planner.simulation.trace_wa import AGREES, replay_trace
from planner.telemetry.traces import PageWrites

PAGES = 20_000
OVERWRITES = 10
SPARES = (0.07, 0.1, 0.15, 0.2, 0.28, 0.4, 0.6)
BLOCKS = (64, 128)
SHARES = (0.15, 0.35, 0.5, 0.65, 0.85)
Pages = NDArray[np.int64]


def hot_cold(writes: float, pages: float, rng: np.random.Generator) -> Pages:
    hot = rng.random(OVERWRITES * PAGES) < writes
    held = int(pages * PAGES)
    return np.where(hot, rng.integers(0, held, hot.size), rng.integers(held, PAGES, hot.size))


def zipf(exponent: float, pages: int, writes: int, rng: np.random.Generator) -> Pages:
    upto = np.cumsum(np.arange(1.0, pages + 1) ** -exponent)
    ranks = np.searchsorted(upto / upto[-1], rng.random(writes))
    return rng.permutation(pages)[np.minimum(ranks, pages - 1)]


def mixed(
    writes: float, pages: float, rng: np.random.Generator, *, run: int = 1, exponent: float = 0.0
) -> Pages:
    """Random writes to a share of the pages, in runs, beside a stream around the others."""
    count, held = OVERWRITES * PAGES, int(pages * PAGES)
    random = np.repeat(rng.random(-(-count // run)) < writes, run)[:count]
    return np.where(
        random, zipf(exponent, held, count, rng), held + (np.cumsum(~random) - 1) % (PAGES - held)
    )


def families(rng: np.random.Generator) -> Iterator[tuple[str, Pages]]:
    for exponent in (0.7, 0.99, 1.1):
        yield "Zipf", zipf(exponent, PAGES, OVERWRITES * PAGES, rng)
    for writes, pages in ((0.8, 0.2), (0.9, 0.1), (0.7, 0.4), (0.5, 0.5)):
        yield "hot and cold", hot_cold(writes, pages, rng)
    for share in SHARES:
        yield "sequential mix, even", mixed(share, share, rng)
        yield "sequential mix, even, skewed", mixed(share, share, rng, exponent=0.9)
        for pages in (0.1, 0.3, 0.6, 0.9):
            yield "sequential mix, uneven", mixed(share, pages, rng)
        for run in (32, 128, 512, 2048):
            yield f"sequential mix in runs of {run}", mixed(share, share, rng, run=run)


def page_writes(pages: Pages) -> PageWrites:
    numbers = np.unique(pages, return_inverse=True)[1].astype(np.uint32)
    none = np.zeros(numbers.size, bool)
    return PageWrites(pages=numbers, trims=none, one_in=1.0, written=numbers.size)


def main() -> None:
    found: dict[str, list[float]] = {}
    for number, (name, pages) in enumerate(families(np.random.default_rng(2026))):
        writes = page_writes(pages)
        for spare in SPARES:
            size = BLOCKS[number % len(BLOCKS)]
            got = replay_trace(writes, op_ratio=spare, pages_per_block=size)
            found.setdefault(name, []).append(got.error)
    print(f"{'family':<34}{'cases':>6}{'mean':>9}{'worst':>9}{'in 5 %':>9}")
    for name, rows in found.items():
        errors = np.array(rows)
        worst = errors[np.abs(errors).argmax()]
        print(
            f"{name:<34}{errors.size:>6}{np.abs(errors).mean():>9.1%}{worst:>+9.1%}"
            f"{np.mean(np.abs(errors) < AGREES):>9.0%}"
        )


if __name__ == "__main__":
    main()

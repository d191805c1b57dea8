"""Formulas and small drives against others in the corners: `python -m tests.corner_points GROUP`.

Forty points each of settling, of placement by class and of TRIM beside sequential writes, drawn by
a seed; the other drive has at least 1,056 blocks and 131,072 pages, another seed, and is warmed up
for one and a half lifetimes of its coldest pages. It prints every point outside the bound, and mean
and worst of each group, in some minutes. Where rounds of a sequential stream with its own frontier
keep in step with blocks, a place in a block decides: such points are not drawn. Three groups
more, `steep`, `joined` and `generations`, are those of `tests/corner_formulas.py`. Without a name
all are run.
"""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from models.simulator import (
    Classes,
    Config,
    Mixed,
    Uniform,
    cost_benefit_wa,
    d_choices_wa,
    greedy_wa,
    handles_of,
)
from models.simulator.config import class_shares
from models.simulator.driver import run_until_settled
from tests.corner_formulas import generations, joined, of_losses, of_steep, steep

SEED, POINTS = 20261127, 40
BLOCKS, PAGES = 1056, 1 << 17
RULES = {"greedy": greedy_wa, "d-choices": d_choices_wa, "cost-benefit": cost_benefit_wa}
BOUNDS = {"greedy": 0.02, "d-choices": 0.02, "cost-benefit": 0.04}
OF_TRIMS = 0.015
WELL_KNOWN = 0.013  # of a simulated probability: its standard error
COPIES = {3: "with-writes", 4: "together", 5: "apart"}
STEEP = (((0.99, 0.01), (0.01, 0.99)), ((0.98, 0.02), (0.02, 0.98)), ((0.95, 0.05), (0.05, 0.95)))
FLAT = (((0.6, 0.4), (0.4, 0.6)), ((0.7, 0.2, 0.1), (0.1, 0.3, 0.6)),
        ((0.5, 0.3, 0.2), (0.05, 0.15, 0.8)), ((0.8, 0.2), (0.2, 0.8)))  # fmt: skip
ALIKE = (((1.0,), (1.0,)),)
SPARE = (0.05, 0.07, 0.11, 0.5, 0.9)


class Point(NamedTuple):
    """What is asked of a drive."""

    policy: str
    placement: int
    pages_per_block: int
    op_ratio: float
    shares: tuple[tuple[float, ...], tuple[float, ...]]
    sequential: float
    trim: float = 0.0
    as_written: int = 0

    @property
    def bound(self) -> float:
        """How far the small drive may lie from the larger one."""
        return OF_TRIMS if self.trim else BOUNDS[self.policy]


def settling(rng: random.Random) -> Point:
    """Draw one log, or host writes and copies apart, under steep skew or beside a stream."""
    sequential = rng.choice((0.0, 0.05, 0.5, 0.9))
    return Point(
        rng.choice(("greedy", "d-choices")), rng.choice((1, 2)), rng.choice((16, 64, 256)),
        rng.choice(SPARE), rng.choice((*STEEP, *ALIKE) if sequential else STEEP), sequential,
    )  # fmt: skip


def placement(rng: random.Random) -> Point:
    """Draw classes that the host places, under every rule for victims."""
    policy, placed = rng.choice(tuple(RULES)), rng.choice((3, 4, 5))
    keeps_step = policy != "d-choices" and placed > 3
    sequential = 0.0 if keeps_step else rng.choice((0.0, 0.0, 0.3))
    return Point(
        policy, placed, rng.choice((32, 128, 256)), rng.choice(SPARE),
        rng.choice((*STEEP, *FLAT)), sequential,
    )  # fmt: skip


def trimmed(rng: random.Random) -> Point:
    """Draw sequential writes beside random ones, and trims of both kinds."""
    return Point(
        rng.choice(("greedy", "d-choices")), rng.choice((1, 2)), rng.choice((64, 256)),
        rng.choice((0.07, 0.11, 0.28)), rng.choice((*ALIKE, *FLAT, STEEP[2])),
        rng.choice((0.1, 0.5, 0.9)), rng.choice((0.02, 0.1, 0.3)), rng.choice((0, 1)),
    )  # fmt: skip


def points(draw: Callable[[random.Random], Any]) -> list[Any]:
    """Return the points of a group."""
    rng = random.Random(f"{SEED} {draw.__name__}")  # noqa: S311 - points are no secret
    return [draw(rng) for _ in range(POINTS)]


def larger(point: Point) -> tuple[float, float]:
    """Return spare area, as counted, and write amplification of a larger drive."""
    written, held = point.shares
    classes = Classes(write_shares=written, page_shares=held) if len(written) > 1 else None
    workload: Any = classes or Uniform()
    if point.sequential:
        random_part = 1 - point.sequential
        workload = Mixed(random_writes=random_part, random_pages=random_part, classes=classes)
    blocks = max(BLOCKS, PAGES // point.pages_per_block)
    reserve = 1 if point.placement == 1 else 2
    lifetime = max(f / r for r, f in zip(*class_shares(workload), strict=True))
    config = Config(
        pages_per_block=point.pages_per_block, blocks=blocks, op_ratio=point.op_ratio,
        reserve=reserve, policy=point.policy,  # type: ignore[arg-type]
        choices=0 if point.policy == "cost-benefit" else 10, **_placed(point, workload),
        workload=workload, trim_share=point.trim,
        trims="as-written" if point.as_written else "mapped",
        warmup_overwrites=min(max(100.0, 1.5 * lifetime), 400.0), measured_overwrites=10, seed=77,
    )  # fmt: skip
    result = run_until_settled(config).result
    kept = (blocks - reserve) * point.pages_per_block - result.frontier_free_pages
    return kept / config.pages - 1, result.wa


def _placed(point: Point, workload: Any) -> dict[str, Any]:
    if point.placement < 3:
        return {"frontiers": ("one", "host-gc")[point.placement - 1]}
    handles = handles_of(workload)
    count = max(handles) + 1
    routing = tuple(tuple(float(own == n) for n in range(count)) for own in handles)
    return {"frontiers": "streams", "cleaning": "global", "routing": routing,
            "copies": COPIES[point.placement]}  # fmt: skip


def of_small(point: Point) -> tuple[float, float, float]:
    """Return the write amplification of the larger drive, no error, and that of the small one."""
    op_ratio, wa = larger(point)
    written, held = point.shares
    answered = RULES[point.policy](
        op_ratio, write_shares=written, page_shares=held, placement=point.placement,
        pages_per_block=point.pages_per_block, sequential_fraction=point.sequential,
        trim_share=point.trim, trims_as_written=point.as_written,
    )  # fmt: skip
    return wa, 0.0, answered


GROUPS: dict[str, tuple[Callable[[random.Random], Any], Callable[[Any], Sequence[float]]]] = {
    "settling": (settling, of_small),
    "placement": (placement, of_small),
    "trimmed": (trimmed, of_small),
    "steep": (steep, of_steep),
    "joined": (joined, of_steep),
    "generations": (generations, of_losses),
}


class Found(NamedTuple):
    """A point with what another way gives, how far that is known, and the error beside it."""

    point: Any
    truth: float
    noise: float
    error: float

    @property
    def is_within(self) -> bool:
        """Whether the error is within the bound and the noise, of three sigma where it is large."""
        sigmas = 1 if self.noise <= WELL_KNOWN else 3
        return bool(abs(self.error) <= self.point.bound + sigmas * self.noise)


def errors(name: str) -> Iterator[Found]:
    """Yield each point of a group."""
    draw, of_point = GROUPS[name]
    for point in points(draw):
        truth, noise, answered = of_point(point)
        yield Found(point, truth, noise / truth, answered / truth - 1)


def main(names: Sequence[str]) -> None:
    """Print the points outside their bound, and each group."""
    for name in names or GROUPS:
        found = list(errors(name))
        beyond = [each for each in found if not each.is_within]
        for point, truth, noise, error in beyond:
            print(f"  {error:+.1%} of {truth:.4g} +- {noise:.1%}: {point}")
        sizes = np.abs([each.error for each in found])
        print(f"{name}: {len(found) - len(beyond)} of {len(found)} within the bound, mean "
              f"{sizes.mean():.2%}, worst {sizes.max():.1%}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])

"""Formulas against simulators in the corners: three groups of `python -m tests.corner_points`.

Forty points each, drawn by a seed: of steep skew in one log, which `skewed` has beside the page
simulator; of three classes in small blocks, drawn when the first group had shown how far linear
noise was off there; and of data loss over generations of drives that are left to wear out, beside
arrays that are drawn life by life.
"""

import math
import random
from typing import Any, NamedTuple

from models import failures
from models.failures import Group
from models.simulator import Classes, Config, run
from models.simulator.lifetimes import Config as Lifetimes
from models.simulator.lifetimes import Normal
from models.simulator.lifetimes import run as run_lives
from models.units import YEAR_S
from models.write_amplification import skewed

OF_TWO, OF_THREE, OF_LOSSES = 0.01, 0.015, 0.04
LEAST_BLOCKS, MOST_BLOCKS, PAGES = 800, 2000, 1 << 17
LIVES, FEWEST, TRIALS = 6000, 1_000_000, 1 << 23  # losses that are counted, and arrays drawn
# Standard deviations of life that the rebuilds of all members take: the most is that of the domain,
# the least, by parities, still loses often enough to be counted.
WIDEST, LEAST = 2.5, {1: 0.02, 2: 0.1, 3: 0.4}


class Steep(NamedTuple):
    """Few pages that take most writes, in one log."""

    op_ratio: float
    pages_per_block: int
    write_shares: tuple[float, ...]
    page_shares: tuple[float, ...]

    @property
    def bound(self) -> float:
        """How far the formula may lie from the simulator."""
        return OF_TWO if len(self.write_shares) == 2 else OF_THREE


class Wearing(NamedTuple):
    """Members that are left to wear out, over a horizon of so many mean lives."""

    members: int
    parities: int
    life_cv: float
    mean_years: float
    lives: float
    rebuilds: float  # of all members, in standard deviations of life
    unreadable: float = 0.0

    @property
    def bound(self) -> float:
        """How far the formula may lie from the simulator."""
        return OF_LOSSES


def steep(rng: random.Random) -> Steep:
    """Draw two or three classes, the hottest of few pages."""
    op_ratio, size = (
        rng.choice((0.05, 0.07, 0.11, 0.2, 0.28, 0.5)),
        rng.choice((32, 64, 128, 256, 512)),
    )
    if rng.random() < 0.5:
        written, held = rng.choice((0.9, 0.95, 0.98, 0.99)), rng.choice((0.005, 0.01, 0.02, 0.05))
        return Steep(op_ratio, size, (written, 1 - written), (held, 1 - held))
    hot, cold = rng.choice((0.7, 0.8, 0.9)), rng.choice((0.02, 0.05))
    held, warm = rng.choice((0.005, 0.01, 0.02)), rng.choice((0.05, 0.1, 0.2))
    return Steep(op_ratio, size, (hot, 1 - hot - cold, cold), (held, warm, 1 - held - warm))


def joined(rng: random.Random) -> Steep:
    """Draw three classes and small blocks, where linear noise gives way to the chain."""
    hot, cold = round(rng.uniform(0.5, 0.9), 2), round(rng.uniform(0.02, 0.09), 2)
    held, warm = rng.choice((0.01, 0.02, 0.04)), round(rng.uniform(0.05, 0.3), 2)
    return Steep(
        round(math.exp(rng.uniform(math.log(0.05), math.log(0.5))), 3),
        rng.choice((32, 48, 64, 96, 128, 192)),
        (hot, 1 - hot - cold, cold), (held, warm, 1 - held - warm),
    )  # fmt: skip


def generations(rng: random.Random) -> Wearing:
    """Draw a group, its lives and a horizon."""
    parities = rng.choice((1, 1, 2, 2, 3))
    return Wearing(
        rng.choice((4, 6, 9, 12, 18)), parities, rng.choice((0.03, 0.05, 0.08, 0.1, 0.15)),
        rng.choice((1.5, 3.0, 4.8, 8.0)), round(rng.uniform(0.9, 4.0), 2),
        round(math.exp(rng.uniform(math.log(LEAST[parities]), math.log(WIDEST))), 3),
        rng.choice((0.0, 0.0, 0.01)),
    )  # fmt: skip


def of_steep(point: Steep) -> tuple[float, float, float]:
    """Return what the simulator has of write amplification, its error, and the formula's value."""
    blocks = max(LEAST_BLOCKS, min(MOST_BLOCKS, PAGES // point.pages_per_block))
    pairs = zip(point.page_shares, point.write_shares, strict=True)
    coldest = max(held / written for held, written in pairs)
    config = Config(
        pages_per_block=point.pages_per_block, blocks=blocks, op_ratio=point.op_ratio,
        workload=Classes(write_shares=point.write_shares, page_shares=point.page_shares),
        warmup_overwrites=max(60.0, 1.5 * coldest), measured_overwrites=30.0, windows=10, seed=78,
    )  # fmt: skip
    result = run(config)
    kept = (blocks - config.reserve) * point.pages_per_block - result.frontier_free_pages
    wa = skewed(
        kept / config.pages - 1, write_shares=point.write_shares, page_shares=point.page_shares,
        pages_per_block=point.pages_per_block,
    )  # fmt: skip
    return result.wa, (result.wa_high - result.wa_low) / 2 / 1.96, wa


def of_losses(point: Wearing) -> tuple[float, float, float]:
    """Return what the simulator has of the loss probability, its error, and the formula's value."""
    mean_s = point.mean_years * YEAR_S
    sd_s = point.life_cv * mean_s
    rebuild_s = point.rebuilds * sd_s / point.members
    met = -math.log1p(-point.unreadable)
    known: dict[str, Any] = {
        "members": point.members, "parities": point.parities, "rebuild_s": rebuild_s,
    }  # fmt: skip
    lost = failures.generations_loss_probability(
        point.lives * mean_s, mean_s=mean_s, life_cv=point.life_cv,
        group=Group(**known, failures_per_s=0.0, unreadable_probability=point.unreadable),
    )  # fmt: skip
    trials = round(min(max(FEWEST, LIVES / max(lost, 1e-12)), TRIALS))
    drawn = run_lives(
        Lifetimes(**known, wear=Normal(mean_s=mean_s, sd_s=sd_s), unreadable=met,
                  horizon_s=point.lives * mean_s, trials=trials, seed=79)
    )  # fmt: skip
    share = drawn.loss_probability
    return share, math.sqrt(share * (1 - share) / trials), lost

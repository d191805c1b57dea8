"""Uniform random writes under four policies."""

from collections.abc import Iterator
from functools import partial
from itertools import product

from models.simulator import Config
from models.write_amplification import d_choices, fifo, greedy, random_victim
from validation.comparison import Case
from validation.drives import drive

SIZES = (16, 64, 256, 512)


def policy_cases(quick: bool) -> Iterator[Case]:
    """Yield greedy, FIFO, random and d-choices garbage collection."""
    yield from _greedy(quick)
    yield from _fifo(quick)
    yield from _random(quick)
    yield from _d_choices(quick)


def _greedy(quick: bool) -> Iterator[Case]:
    """Large drives: where the level of the victims is a whole number, 1/sqrt(blocks) counts."""
    sizes = (16, 128) if quick else (16, 32, 64, 128, 256, 512)
    ratios = (0.07, 0.28) if quick else (0.05, 0.07, 0.1, 0.15, 0.28, 0.5, 1.0)
    for size, ratio in product(sizes, ratios):
        config = drive(
            size, ratio, quick=quick, least_pages=2.5e6, least_blocks=5000, writes=6e7,
            warmup_overwrites=8,
        )  # fmt: skip
        yield Case(
            group="greedy, uniform",
            series=f"b = {size}",
            formula=partial(greedy, pages_per_block=size),
            config=config,
            bound=_bound(quick),
        )


def _fifo(quick: bool) -> Iterator[Case]:
    sizes = (64,) if quick else SIZES
    ratios = (0.28,) if quick else (0.05, 0.07, 0.1, 0.28, 0.5, 1.0)
    for size, ratio in product(sizes, ratios):
        config = drive(
            size, ratio, quick=quick, least_pages=3e5, writes=7e7, policy="fifo",
            warmup_overwrites=15,
        )  # fmt: skip
        yield Case(
            group="fifo, uniform",
            series=f"b = {size}",
            formula=fifo,
            config=config,
            bound=_bound(quick),
        )


def _random(quick: bool) -> Iterator[Case]:
    for size, ratio in product((64,) if quick else SIZES, (0.28,) if quick else (0.05, 0.28, 1.0)):
        if size == 512 and ratio < 1:
            continue
        yield Case(
            group="random, uniform",
            series=f"b = {size}",
            formula=random_victim,
            config=_random_drive(size, ratio, quick),
            bound=_bound(quick),
        )


def _random_drive(size: int, ratio: float, quick: bool) -> Config:
    """Victims differ most here: their valid share varies by block and, in small blocks, by page."""
    erases = 1.3e8 / (1 + 2 * ratio) * max(1.0, 0.9 + 0.9 * (1 + 1 / ratio) / size)
    writes = erases * size * ratio / (1 + ratio)
    return drive(
        size, ratio, quick=quick, least_pages=3e5, least_blocks=1000, writes=writes,
        policy="random", warmup_overwrites=20,
    )  # fmt: skip


def _d_choices(quick: bool) -> Iterator[Case]:
    drawn = ((10, 64),) if quick else ((2, 64), *((10, size) for size in SIZES))
    ratios = (0.28,) if quick else (0.05, 0.07, 0.1, 0.28, 0.5, 1.0)
    for (choices, size), ratio in product(drawn, ratios):
        if choices == 2 and ratio in {0.07, 0.1, 0.5}:
            continue
        writes = 5e8 if choices == 2 else 1.2e8 if size == 512 and ratio > 0.1 else 7e7
        config = drive(
            size, ratio, quick=quick, least_pages=3e5, writes=writes, policy="d-choices",
            choices=choices, warmup_overwrites=15,
        )  # fmt: skip
        yield Case(
            group="d-choices, uniform",
            series=f"d = {choices}, b = {size}",
            formula=partial(d_choices, choices=choices, pages_per_block=size),
            config=config,
            bound=_bound(quick),
        )


def _bound(quick: bool) -> float:
    return 0.005 if quick else 0.001

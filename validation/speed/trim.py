"""TRIM: write amplification of a part of the data, and what an idle drive moves to make room."""

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from models import spare_area, trim_recovery
from models.simulator import Config, driver, run
from models.write_amplification import effective_blocks, greedy
from validation.speed.case import Finding, Row, Task, half_width

TOPIC = "TRIM"
BLOCK = 128
BLOCKS = 6000
Counts = NDArray[np.int64]


def trim_tasks(quick: bool) -> Iterator[Task]:
    """Yield drives with a part that stays trimmed, and drives that make room after a TRIM."""
    fills = ((0.28, 0.75),) if quick else product((0.07, 0.145, 0.28), (0.9, 0.75, 0.5, 0.25))
    for ratio, fill in fills:
        name = f"p = {ratio:g}, {fill:.0%} in use"
        yield Task(
            topic=TOPIC, name=name, measure=partial(_filled, name, ratio, fill, quick), work_s=3.0
        )
    for ratio in (0.28,) if quick else (0.07, 0.145, 0.28):
        yield Task(
            topic=TOPIC, name=f"p = {ratio:g}, room after a TRIM", work_s=3.0,
            measure=partial(_restored, ratio, quick),
        )  # fmt: skip


def _filled(name: str, ratio: float, fill: float, quick: bool) -> Finding:
    """Write to a part of the drive; its spare area is counted without the block being filled."""
    blocks = BLOCKS // 4 if quick else BLOCKS
    pages = round((blocks - 1) * BLOCK / (1 + ratio) * fill)
    config = Config(
        pages_per_block=BLOCK, blocks=blocks, op_ratio=None, logical_pages=pages,
        warmup_overwrites=6, measured_overwrites=30, windows=10,
    )  # fmt: skip
    result = run(config)
    wa = 2.0
    for _ in range(20):
        held = effective_blocks(blocks, reserve=1, wa=wa)
        whole = held / (blocks - 1) * (1 + ratio) - 1
        wa = greedy(spare_area.effective_op_ratio(whole, fill_fraction=fill), pages_per_block=BLOCK)
    row = Row(
        group="write amplification, part in use", case=name, modelled=wa, simulated=result.wa,
        noise=(result.wa_high - result.wa_low) / 2 / result.wa, bound=0.005,
    )  # fmt: skip
    return Finding(rows=(row,))


def _restored(ratio: float, quick: bool) -> Finding:
    """Dirty a drive, trim it at random, take its emptiest blocks."""
    found: dict[tuple[float, float], list[tuple[int, int]]] = {}
    blocks = 0
    for seed in range(1, 3 if quick else 5):
        block_of_page, blocks = _dirty(ratio, seed, quick)
        for trimmed, freed in _trimmed_and_freed(quick):
            rng = np.random.default_rng(seed)
            kept = block_of_page[rng.random(block_of_page.size) >= trimmed]
            found.setdefault((trimmed, freed), []).append(_taken(kept, blocks, freed))
    shares = trim_recovery.greedy_block_shares(ratio, pages_per_block=BLOCK)
    rows = []
    for (trimmed, freed), counts in found.items():
        left = trim_recovery.trimmed_block_shares(shares, trimmed_fraction=trimmed)
        model = trim_recovery.idle_collection(
            left, blocks=blocks, freed_pages=freed * blocks * BLOCK
        )
        case = f"p = {ratio:g}, {trimmed:.0%} trimmed, {freed:.0%} of the flash freed"
        for i, group in enumerate(("pages moved to make room", "blocks erased to make room")):
            seen = [one[i] for one in counts]
            rows.append(
                Row(
                    group=group,
                    case=case,
                    modelled=model[i],
                    simulated=float(np.mean(seen)),
                    noise=half_width(seen),
                    bound=0.01,
                )
            )
    return Finding(rows=tuple(rows))


def _trimmed_and_freed(quick: bool) -> Iterator[tuple[float, float]]:
    return product((0.2, 0.5), (0.25,) if quick else (0.1, 0.25))


def _dirty(ratio: float, seed: int, quick: bool) -> tuple[Counts, int]:
    """Block of every page of a drive after random writes, and the blocks that hold data."""
    from models.simulator import layout  # noqa: PLC0415 - numba

    config = Config(
        pages_per_block=BLOCK, blocks=BLOCKS // 2 if quick else BLOCKS, op_ratio=ratio,
        warmup_overwrites=6, seed=seed,
    )  # fmt: skip
    # The public run gives counts only; here the places of the pages are asked for.
    one = driver._Run(config, None, driver.CHUNK)
    layout.start_fill(config, one.drive)
    one._advance(config.pages)
    layout.start_workload(config, one.drive)
    one._advance(one.warmup)
    return one.drive.where.astype(np.int64) >> (BLOCK - 1).bit_length(), config.blocks - 1


def _taken(block_of_page: Counts, blocks: int, freed: float) -> tuple[int, int]:
    """Pages moved and blocks erased, the emptiest blocks first, to free a share of the flash."""
    emptiest = np.sort(np.bincount(block_of_page, minlength=blocks + 1))[1:]  # one is in reserve
    erased = int(np.searchsorted(np.cumsum(BLOCK - emptiest), freed * blocks * BLOCK))
    return int(emptiest[:erased].sum()), erased

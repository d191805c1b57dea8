"""Size of simulated drives and length of runs, so that noise stays below the error bounds."""

from typing import Any

from models.simulator import Config


def drive(
    pages_per_block: int,
    op_ratio: float,
    *,
    quick: bool,
    least_pages: float = 1e6,
    least_blocks: int = 4000,
    writes: float = 5e7,
    window: float = 2.0,
    **options: Any,
) -> Config:
    """Return a drive with a run of so many measured host writes; small and short if `quick`.

    A window, in overwrites, is to outlast the memory of the drive: then the means of windows are
    independent, and their spread tells the noise.
    """
    if quick:
        least_pages, least_blocks, writes = 300_000, 400, 0.0
    blocks = max(least_blocks, int(least_pages / pages_per_block))
    fewest = 10 if quick else 20
    overwrites = max(writes * (1 + op_ratio) / (blocks * pages_per_block), fewest * window)
    if quick:
        overwrites = min(overwrites, 15.0)
    return Config(
        pages_per_block=pages_per_block,
        blocks=blocks,
        op_ratio=op_ratio,
        measured_overwrites=overwrites,
        windows=min(100, max(fewest, int(overwrites / window))),
        **options,
    )

"""The single-level cache of a drive: how long a burst lasts in it, and how long it drains."""

from models import slc_cache
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, figure

__all__ = ["write_cache"]


def write_cache(drive: Drive) -> tuple[Answer, ...]:
    """Return how long a sequential burst stays in the write cache, and how long that drains.

    Nothing for drives without one.
    """
    size = stated(drive, "slc_cache_bytes")
    if not size.is_known:
        return ()
    lasts = figure(
        "cached_s",
        slc_cache.burst_s,
        burst_bytes=size,
        slc_cache_bytes=size,
        cached_write_bytes_per_s=stated(drive, "sequential_write_bytes_per_s"),
        folded_write_bytes_per_s=stated(drive, "folded_write_bytes_per_s"),
    )
    fold = figure(
        "fold_bytes_per_s",
        slc_cache.fold_bytes_per_s,
        native_write_bytes_per_s=stated(drive, "folded_write_bytes_per_s"),
        cache_read_bytes_per_s=stated(drive, "sequential_read_bytes_per_s"),
    )
    drains = figure("drain_s", slc_cache.drain_s, held_bytes=size, fold_bytes_per_s=fold)
    return lasts, drains

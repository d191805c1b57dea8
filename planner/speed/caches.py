"""The single-level cache of a drive: how long a burst lasts in it, and how long it drains."""

from models import slc_cache
from planner.catalogue.drive import Drive
from planner.catalogue.facts import cell_bits, gives_way, stated
from planner.graph.answer import Answer, figure, given


def write_cache(drive: Drive) -> tuple[Answer, ...]:
    """Return how long a sequential burst stays in the write cache, and how long that drains.

    Nothing for drives without one.
    """
    size = cache_size(drive)
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
    drains = figure(
        "drain_s", slc_cache.drain_s, held_bytes=size, fold_bytes_per_s=fold_rate(drive)
    )
    return lasts, drains


def fold_rate(drive: Drive) -> Answer:
    """Return the rate at which the drive moves its cache into native cells."""
    return figure(
        "fold_bytes_per_s",
        slc_cache.fold_bytes_per_s,
        native_write_bytes_per_s=stated(drive, "folded_write_bytes_per_s"),
        cache_read_bytes_per_s=stated(drive, "sequential_read_bytes_per_s"),
    )


def cache_size(drive: Drive) -> Answer:
    """Return the cache that a burst finds: what is printed is that of the empty drive."""
    printed, static = stated(drive, "slc_cache_bytes"), stated(drive, "static_cache_bytes")
    free = stated(drive, "free_bytes")
    if not gives_way(drive) or not free.is_known:
        return printed
    always = float(static.value) if static.is_known else 0.0
    return figure(
        "slc_cache_bytes",
        slc_cache.cache_bytes,
        static_cache_bytes=given("static_cache_bytes", always, source=static.source),
        free_bytes=free,
        bits_per_cell=given("bits_per_cell", cell_bits(drive), source="catalogue"),
        dynamic_limit_bytes=given(
            "dynamic_limit_bytes", printed.value - always, source=printed.source
        ),
    )

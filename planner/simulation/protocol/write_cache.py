"""The write cache of a drive in a phase: host writes fill it, folding empties it; columns."""

import math
from typing import NamedTuple

import numpy as np

from planner.simulation.protocol.phases import Phase
from planner.simulation.protocol.rates import Columns, DriveRates


class Drain(NamedTuple):
    """Bytes that leave the cache in each second that the host is busy.

    Those of pauses between bursts are counted there too; folding beside host writes ends when the
    cache is full.
    """

    in_pauses: Columns
    beside: Columns


def drain_of(rates: DriveRates, phase: Phase) -> Drain:
    """Return the drain of the cache while the host is busy in a phase."""
    fold = rates.fold_bytes_per_s
    pauses = (1 - phase.busy_fraction) / phase.busy_fraction
    return Drain(fold * pauses, fold * rates.own("concurrent_fold_share"))


def cliff_bytes(drain: Drain, room: Columns, write_s_per_byte: Columns) -> Columns:
    """Return the bytes after which the cache is full, at the time that a byte takes within it."""
    kept = 1 - (drain.in_pauses + drain.beside) * write_s_per_byte
    return np.where(kept > 0, room / np.where(kept > 0, kept, 1.0), np.inf)


class Through(NamedTuple):
    """Times of steps through the cache, and the bytes that it holds at their ends."""

    step_s: Columns  # (steps, columns)
    held_bytes: Columns  # (steps + 1, columns)


def through_cache(
    drain: Drain, written: Columns, cached_s: Columns, direct_s: Columns, *,
    held_bytes: Columns, cache_bytes: Columns, burst_bytes: float = math.inf,
) -> Through:  # fmt: skip
    """Follow steps of host writes, with their times within the cache and past it.

    Of each burst at most the size of the cache enters it. A full cache takes what drains in pauses.

    >>> found = through_cache(Drain(np.zeros(1), np.zeros(1)), np.full((2, 1), 2.0),
    ...                       np.full((2, 1), 1.0), np.full((2, 1), 3.0),
    ...                       held_bytes=np.zeros(1), cache_bytes=np.full(1, 3.0))
    >>> found.step_s[:, 0].tolist(), found.held_bytes[:, 0].tolist()
    ([1.0, 2.0], [0.0, 2.0, 3.0])
    """
    shape = cached_s.shape[1:]
    size = np.broadcast_to(np.asarray(cache_bytes, float), shape)
    held = np.minimum(np.broadcast_to(held_bytes, shape), size)
    most = np.where(size > 0, np.minimum(1.0, size / min(burst_bytes, 1e300)), 1.0)
    if not math.isfinite(burst_bytes):
        most = np.ones(shape)
    is_full = np.zeros(shape, bool)
    times, levels = [], [held]
    for bytes_in, within, past in zip(written, cached_s, direct_s, strict=True):
        leaves = drain.in_pauses + np.where(is_full, 0.0, drain.beside)
        needed = bytes_in + leaves * np.maximum(past - within, 0.0)
        fits = (size - held + leaves * past) / np.where(needed > 0, needed, 1.0)
        share = np.where((size > 0) & (needed > 0), np.clip(fits, 0.0, most), most)
        took = share * within + (1 - share) * past
        is_full |= share < most
        held = np.clip(held + share * bytes_in - leaves * took, 0.0, size)
        times.append(took)
        levels.append(held)
    return Through(np.stack(times), np.stack(levels))

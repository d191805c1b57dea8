"""Write cache in single-level flash: bursts, folding, duty cycles and wear.

A part of the flash is written with one bit per cell, fast, and its data is moved
("folded") into native cells of n bits later. Everything here is a fluid balance of
bytes: rates are constant within a phase, and data in the cache either stays there or is folded.
"""

from models.slc_cache.burst import (
    burst_s,
    cache_bytes,
    drain_s,
    fold_bytes_per_s,
    forced_fold_bytes_per_s,
    program_bytes_per_s,
    written_bytes,
)
from models.slc_cache.duty_cycle import (
    cached_fraction,
    demand_s,
    first_slow_burst,
    overflow_s,
    steady_burst_s,
)
from models.slc_cache.folding import usual_folded_bytes_per_s
from models.slc_cache.wear import cache_cycles, counted_wa, mixed_wa

__all__ = [
    "burst_s", "cache_bytes", "cache_cycles", "cached_fraction", "counted_wa", "demand_s",
    "drain_s", "first_slow_burst", "fold_bytes_per_s", "forced_fold_bytes_per_s", "mixed_wa",
    "overflow_s", "program_bytes_per_s", "steady_burst_s", "usual_folded_bytes_per_s",
    "written_bytes",
]  # fmt: skip

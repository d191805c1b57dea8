"""Cache in memory: hits, what a write-back cache destages, and data loss by a crash.

Requests are independent (a page's popularity does not change) and the cache evicts the
page used least recently. Pages are grouped in classes of equal popularity: class k
receives the share r_k of requests and holds N_k pages;
`models.write_amplification.zipf_classes` gives them for Zipf's law.
"""

from models.dram_cache.flush import (
    combining_ratio,
    exposed_bytes,
    flush_wait_s,
    flushed_bytes,
    flushed_dirty_pages,
    flushed_iops,
    loss_probability,
    lost_bytes_per_s,
    unique_pages,
)
from models.dram_cache.lru import (
    cached_iops,
    characteristic_requests,
    class_hit_ratios,
    destage_ratio,
    dirty_pages,
    hit_ratio,
    read_miss_ratio,
)

__all__ = [
    "cached_iops", "characteristic_requests", "class_hit_ratios", "combining_ratio",
    "destage_ratio", "dirty_pages", "exposed_bytes", "flush_wait_s", "flushed_bytes",
    "flushed_dirty_pages", "flushed_iops", "hit_ratio", "loss_probability", "lost_bytes_per_s",
    "read_miss_ratio", "unique_pages",
]  # fmt: skip

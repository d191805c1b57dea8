"""From the writes of an application to those that the drive receives.

Bytes, pages and blocks per transaction, per cycle or per second. Pages are those of the
application, blocks the 4 KiB of page cache and file system. The latency of commits that share a
flush is `models.latency_tail.commit_latency_s`. Figures of single components were counted with
SQLite 3.40, PostgreSQL 15, MariaDB 10.11, WiredTiger, RocksDB and etcd 3.4 on Linux, bytes at a
block device of its own; ZFS and Ceph were not run.
"""

from models.application.access import (
    Access,
    aged_pages,
    leaving_fraction,
    points,
    uniform,
    unique_pages,
    zipf,
)
from models.application.bluestore import bluestore_bytes
from models.application.etcd import put_bytes
from models.application.journal import btrfs_sync_blocks, journalled_bytes
from models.application.log import GROWTH, Growth, appended_blocks, flushed_log_bytes, growth_blocks
from models.application.lsm import leveled_wa, loaded_wa, separated_wa, skewed_wa, universal_wa
from models.application.page_store import (
    Checkpoint,
    Log,
    PageStoreRates,
    Relation,
    new_table_hot_fraction,
    page_store,
)
from models.application.sharing import (
    closed_commits_per_flush,
    commits_per_flush,
    queued_flush_s,
    sequential_flush_s,
)
from models.application.sqlite import (
    appended_pages,
    checkpoint_transactions,
    indexed_pages,
    ring_pages,
    rollback_bytes,
    table_pages,
    wal_bytes,
)
from models.application.zfs import (
    intent_log_bytes_per_s,
    record_bytes_per_s,
    zfs_metadata_bytes_per_s,
)

__all__ = [
    "GROWTH",
    "Access",
    "Checkpoint",
    "Growth",
    "Log",
    "PageStoreRates",
    "Relation",
    "aged_pages",
    "appended_blocks",
    "appended_pages",
    "bluestore_bytes",
    "btrfs_sync_blocks",
    "checkpoint_transactions",
    "closed_commits_per_flush",
    "commits_per_flush",
    "flushed_log_bytes",
    "growth_blocks",
    "indexed_pages",
    "intent_log_bytes_per_s",
    "journalled_bytes",
    "leaving_fraction",
    "leveled_wa",
    "loaded_wa",
    "new_table_hot_fraction",
    "page_store",
    "points",
    "put_bytes",
    "queued_flush_s",
    "record_bytes_per_s",
    "ring_pages",
    "rollback_bytes",
    "separated_wa",
    "sequential_flush_s",
    "skewed_wa",
    "table_pages",
    "uniform",
    "unique_pages",
    "universal_wa",
    "wal_bytes",
    "zfs_metadata_bytes_per_s",
    "zipf",
]  # fmt: skip

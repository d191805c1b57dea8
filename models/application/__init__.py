"""From the writes of an application to those that the drive receives.

Bytes, pages and blocks per transaction, per cycle or per second. Pages are those of the
application, blocks the 4 KiB of page cache and file system. Distinct pages among random writes
are `models.dram_cache.unique_pages`; group commit is `models.latency_tail.commit_flush_iops` and
`commit_latency_s`. Figures of single components were counted with SQLite 3.40, PostgreSQL 15,
RocksDB and etcd 3.4 on Linux, bytes at a block device of its own; ZFS and Ceph were not run.
"""

from models.application.bluestore import bluestore_bytes
from models.application.etcd import put_bytes
from models.application.journal import btrfs_sync_blocks, journalled_bytes
from models.application.log import appended_blocks, flushed_log_bytes
from models.application.lsm import leveled_wa, separated_wa, universal_wa
from models.application.postgres import checkpoint_bytes, cycle_s, evicted_pages, image_wal_bytes
from models.application.sqlite import (
    appended_pages,
    checkpoint_transactions,
    indexed_pages,
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
    "appended_blocks", "appended_pages", "bluestore_bytes", "btrfs_sync_blocks", "checkpoint_bytes",
    "checkpoint_transactions", "cycle_s", "evicted_pages", "flushed_log_bytes", "image_wal_bytes",
    "indexed_pages", "intent_log_bytes_per_s", "journalled_bytes", "leveled_wa", "put_bytes",
    "record_bytes_per_s", "rollback_bytes", "separated_wa", "table_pages", "universal_wa",
    "wal_bytes", "zfs_metadata_bytes_per_s",
]  # fmt: skip

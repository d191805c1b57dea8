"""Key-value stores and file systems: their logs, compactions and journals as streams."""

from typing import Any

import numpy as np

from models.application import (
    btrfs_sync_blocks,
    intent_log_bytes_per_s,
    leveled_wa,
    put_bytes,
    record_bytes_per_s,
    separated_wa,
    skewed_wa,
    universal_wa,
    zfs_metadata_bytes_per_s,
    zipf,
)
from models.errors import DomainError
from planner.application.load import BLOCK_BYTES, CommitLoad, DeviceLoad, Stream, corrected
from planner.application.presets import Values, number
from planner.application.sharing import commits_sharing

COMPACTION_BYTES = 2.0**20  # a request of a compaction
LOG_ENTRY_BYTES = 12.0
LOG_REQUEST_BYTES = 32_768.0
ETCD_LOG_BYTES = 2 * 64e6  # segments of the log, one in use and one prepared
BTRFS_FLUSHES = 2.0
NODE_BYTES = 16_384.0


def rocksdb_leveled(values: Values) -> DeviceLoad:
    """Return the load of puts with leveled compaction, of keys alike or some more than others."""
    wa = separated_wa(
        leveled_tree_wa(values),
        value_fraction=number(values, "value_fraction"),
        rewritten_fraction=number(values, "rewritten_fraction"),
    )
    return _tree(values, wa)


def leveled_tree_wa(values: Values) -> Any:
    """Return bytes per byte put of leveled compaction, beside the log."""
    levels = {
        "trigger_bytes": number(values, "trigger_files") * number(values, "memtable_bytes"),
        "base_bytes": number(values, "base_bytes"),
        "level_ratio": number(values, "level_ratio"),
    }
    live, stored = number(values, "live_bytes"), number(values, "stored_fraction")
    updated, is_skewed = number(values, "updated_fraction"), np.asarray(values["skew"]) == "zipf"

    def alike(updated: Any) -> Any:
        tree = leveled_wa(live * stored, updated_fraction=updated, log_factor=0, **levels)
        return stored * np.asarray(tree)

    tree = alike(updated)
    if np.any(is_skewed):
        rows = np.maximum(live / number(values, "row_bytes"), 1.0)
        access = zipf(rows, exponent=number(values, "exponent"), rows_per_page=1, is_scattered=0)
        skewed = skewed_wa(live, access=access, stored_fraction=stored, **levels)
        tree = np.where(is_skewed, updated * skewed + (1 - updated) * alike(0.0), tree)
    return tree


def rocksdb_universal(values: Values) -> DeviceLoad:
    """Return the load of puts of random keys with universal compaction."""
    live = number(values, "live_bytes") * number(values, "live_ratio")
    wa = universal_wa(
        live,
        flush_bytes=number(values, "memtable_bytes"),
        trigger_runs=number(values, "trigger_runs"),
        log_factor=0,
    )
    return _tree(values, wa)


def cassandra(values: Values) -> DeviceLoad:
    """Return the load of a node that merges tables of one size, or level by level; and its log."""
    if values["compaction"] == "leveled":
        return _tree(values, leveled_tree_wa(values))
    merged = tiers(
        number(values, "live_bytes"), number(values, "memtable_bytes"), number(values, "merged_at")
    )
    return _tree(values, number(values, "stored_fraction") * (1 + merged))


def tiers(last_bytes: Any, first_bytes: Any, ratio: Any) -> Any:
    """Count the merges of data, of as many of one size at a time, up to the last size.

    >>> float(tiers(64e6, 1e6, 4.0))
    3.0
    """
    return np.maximum(np.log(np.asarray(last_bytes) / first_bytes) / np.log(ratio), 0.0)


def _tree(values: Values, wa: Any) -> DeviceLoad:
    """Return the load of a tree that writes `wa` bytes per byte put, beside its log."""
    rate = number(values, "bytes_per_s")
    entry = 1 + LOG_ENTRY_BYTES / number(values, "row_bytes")
    compaction = Stream(
        name="flush and compaction",
        bytes_per_s=rate * wa,
        request_bytes=COMPACTION_BYTES,
        is_sequential=True,
    )
    log = Stream(
        name="log",
        bytes_per_s=rate * entry * (values["log"] == "yes"),
        request_bytes=LOG_REQUEST_BYTES,
        is_sequential=True,
    )
    ratio = number(values, "correction")
    streams = corrected([log, compaction], ratio=ratio)
    return DeviceLoad(
        application_bytes_per_s=rate,
        file_bytes_per_s=ratio * (log.bytes_per_s + compaction.bytes_per_s),
        streams=tuple(streams),
        counters={"log_bytes": log.bytes_per_s},
    )


def etcd(values: Values) -> DeviceLoad:
    """Return the load of puts to a member of etcd."""
    rate, value = number(values, "puts_per_s"), number(values, "value_bytes")
    flushes = number(values, "flushes_per_put")
    if flushes is None:
        flushes = 1 / np.asarray(commits_sharing(values, rate))

    def written(flushes: Any, metadata_blocks: Any) -> Any:
        return rate * put_bytes(
            value, puts_per_s=rate, flushes=flushes, metadata_blocks=metadata_blocks
        )

    bare, synced = written(0, 0), written(flushes, 0)
    journal = written(flushes, number(values, "metadata_blocks")) - synced
    ratio = number(values, "correction")
    log = rate * value + synced - bare
    streams = [
        Stream(
            name="log",
            bytes_per_s=log,
            request_bytes=np.maximum(log / np.maximum(rate * flushes, 1e-12), BLOCK_BYTES),
            is_sequential=True,
            flushes_per_s=rate * flushes,
        ),
        Stream(name="store", bytes_per_s=bare - rate * value),
        Stream(name="file system", bytes_per_s=journal, is_sequential=True),
    ]
    return DeviceLoad(
        application_bytes_per_s=rate * value,
        file_bytes_per_s=ratio * bare,
        streams=tuple(corrected(streams, ratio=ratio)),
        span_bytes=number(values, "store_bytes") + ETCD_LOG_BYTES,
        commits=CommitLoad(
            rate, number(values, "commit_flushes"), number(values, "commit_limit_s")
        ),
        followed={"flushes_per_put": flushes},
        counters={
            "transactions": rate,
            "flushes": rate * flushes,
            "flush_time_s": rate * flushes * number(values, "flush_s"),
        },
    )


def zfs_vm(values: Values) -> DeviceLoad:
    """Return the load of random writes of guests to volumes of ZFS."""
    rate, size = number(values, "writes_per_s"), number(values, "write_bytes")
    record, span = number(values, "record_bytes"), number(values, "span_bytes")
    if span < record:
        raise DomainError(f"span_bytes must be at least record_bytes = {record:g}, got {span:g}")
    records = rate * np.ceil(size / record)
    place = {"record_bytes": record, "span_bytes": span, "flush_s": number(values, "txg_s")}
    synced = rate * number(values, "synced_fraction")
    metadata = zfs_metadata_bytes_per_s(
        records, stored_fraction=number(values, "metadata_fraction"), **place
    )
    streams = (
        Stream(name="records", bytes_per_s=record_bytes_per_s(records, **place)),
        Stream(
            name="intent log",
            bytes_per_s=intent_log_bytes_per_s(synced, write_bytes=size),
            request_bytes=intent_log_bytes_per_s(1.0, write_bytes=size),
            flushes_per_s=synced,
        ),
        Stream(name="metadata", bytes_per_s=metadata),
        Stream(name="idle", bytes_per_s=number(values, "idle_bytes_per_s")),
    )
    return DeviceLoad(
        application_bytes_per_s=rate * size, file_bytes_per_s=rate * size, streams=streams
    )


def btrfs(values: Values) -> DeviceLoad:
    """Return the load of writes that are synced one by one on btrfs."""
    rate, size = number(values, "writes_per_s"), number(values, "write_bytes")
    blocks = np.ceil(size / BLOCK_BYTES)
    synced = btrfs_sync_blocks(
        blocks, nodes=number(values, "nodes"), copies=number(values, "metadata_copies")
    )
    streams = (
        Stream(
            name="data",
            bytes_per_s=rate * blocks * BLOCK_BYTES,
            request_bytes=blocks * BLOCK_BYTES,
            flushes_per_s=BTRFS_FLUSHES * rate,
        ),
        Stream(
            name="file system",
            bytes_per_s=rate * (synced - blocks) * BLOCK_BYTES,
            request_bytes=NODE_BYTES,
        ),
    )
    return DeviceLoad(
        application_bytes_per_s=rate * size, file_bytes_per_s=rate * size, streams=streams
    )

"""Metrics, search, containers, chains of blocks: structure, with constants as inputs."""

from dataclasses import replace
from typing import Any

import numpy as np

from models.application import flushed_log_bytes, journalled_bytes, leveled_wa
from models.units import DAY_S
from planner.application.files import grown_file
from planner.application.load import BLOCK_BYTES, CommitLoad, DeviceLoad, Stream, corrected
from planner.application.presets import Values, number
from planner.application.stores import etcd, leveled_tree_wa, tiers

LARGE_BYTES = 2.0**20
SAMPLE_BYTES = 16.0  # time and value as they come
TIER = 10.0  # segments of Lucene that are merged into one
NEW_BLOCK_WRITES = 2.0  # of a block in the tree, to be deleted: table and first merge
COMMIT_S, WRITEBACK_S = 5.0, 30.0  # of ext4, of the page cache


def prometheus(values: Values) -> DeviceLoad:
    """Return the load of samples: a log, chunks of the head, blocks and their compactions."""
    rate = number(values, "samples_per_s")
    kept = rate * number(values, "sample_bytes")
    streams = (
        _large("log", rate * number(values, "logged_bytes")),
        _large("head chunks", kept),
        _large("blocks and compactions", kept * (1 + number(values, "compactions"))),
    )
    return DeviceLoad(
        application_bytes_per_s=rate * SAMPLE_BYTES,
        file_bytes_per_s=sum(stream.bytes_per_s for stream in streams),
        streams=streams,
    )


def elasticsearch(values: Values) -> DeviceLoad:
    """Return the load of one node: its translog, and segments that are merged tier by tier."""
    raw = number(values, "bytes_per_s")
    here = raw * (1 + number(values, "replicas")) / number(values, "nodes")
    index = here * number(values, "index_ratio")
    first = np.maximum(index * number(values, "refresh_s"), number(values, "floor_bytes"))
    merged = tiers(number(values, "segment_bytes"), first, TIER)
    return DeviceLoad(
        application_bytes_per_s=raw / number(values, "nodes"),
        file_bytes_per_s=here + index * (1 + merged),
        streams=(
            _log("translog", here, number(values, "bulks_per_s"), BLOCK_BYTES),
            _large("segments", index),
            _large("merges", index * merged),
        ),
        commits=CommitLoad(number(values, "bulks_per_s")),
    )


def clickhouse(values: Values) -> DeviceLoad:
    """Return the load of a server: a part for each insert, and its merges."""
    raw, inserts = number(values, "bytes_per_s"), number(values, "inserts_per_s")
    stored = raw * number(values, "stored_fraction")
    merged = tiers(number(values, "part_bytes"), stored / inserts, number(values, "merged_at"))
    files = inserts * number(values, "files_of_part") * BLOCK_BYTES
    streams = (
        _large("parts", stored),
        _large("merges", stored * merged),
        Stream(name="file system", bytes_per_s=files, is_sequential=True),
    )
    return DeviceLoad(
        application_bytes_per_s=raw, file_bytes_per_s=stored * (1 + merged), streams=streams
    )


def influxdb(values: Values) -> DeviceLoad:
    """Return the load of points: a log that is flushed by batches, and files that are merged."""
    rate, batches = number(values, "points_per_s"), number(values, "batches_per_s")
    logged, kept = rate * number(values, "logged_bytes"), rate * number(values, "point_bytes")
    rewritten, ratio = number(values, "rewrites"), number(values, "correction")
    streams = [
        *grown_file("log", logged, batches, "grown"),
        _large("snapshots", kept),
        _large("compactions", kept * rewritten),
    ]
    return DeviceLoad(
        application_bytes_per_s=logged,
        file_bytes_per_s=ratio * (logged + kept * (1 + rewritten)),
        streams=tuple(corrected(streams, ratio=ratio)),
        commits=CommitLoad(batches),
    )


def containers(values: Values) -> DeviceLoad:
    """Return the load of a host of containers: logs, images, layers, and an etcd if it has one."""
    logs, layers = number(values, "log_bytes_per_s"), number(values, "layer_bytes_per_s")
    pulled = number(values, "pulled_bytes_per_day") / DAY_S
    images = pulled * (1 + number(values, "unpacked_ratio"))
    streams = [
        _log("logs of containers", logs, number(values, "containers") / WRITEBACK_S, BLOCK_BYTES,
             is_flushed=False),
        _large("images", images),
        Stream(name="layers", bytes_per_s=layers),
        Stream(
            name="file system",
            bytes_per_s=journalled_bytes(
                0.0, flushes=1 / COMMIT_S, metadata_blocks=number(values, "journal_blocks")
            ),
            is_sequential=True,
        ),
    ]  # fmt: skip
    store = etcd(values) if number(values, "puts_per_s") else None
    more = () if store is None else store.streams
    return DeviceLoad(
        application_bytes_per_s=logs + layers + pulled
        + (store.application_bytes_per_s if store else 0.0),
        file_bytes_per_s=logs + layers + images + (store.file_bytes_per_s if store else 0.0),
        streams=(*_some(streams), *(_named_etcd(part) for part in more)),
        commits=store.commits if store else None,
        followed=store.followed if store else {},
    )  # fmt: skip


def bitcoin(values: Values) -> DeviceLoad:
    """Return the load of a node that follows the chain: blocks, undo data, its set of coins."""
    blocks = number(values, "block_bytes") * number(values, "blocks_per_day") / DAY_S
    coins = number(values, "coins_per_day") / DAY_S * number(values, "coin_bytes")
    tree = leveled_wa(
        number(values, "chainstate_bytes"),
        trigger_bytes=4 * number(values, "memtable_bytes"),
        base_bytes=number(values, "base_bytes"),
        level_ratio=10,
        updated_fraction=1,
        log_factor=1,
    )
    undo = blocks * number(values, "undo_ratio")
    streams = (
        _large("blocks and undo data", blocks + undo),
        _large("coins", coins * tree * number(values, "correction")),
    )
    return DeviceLoad(
        application_bytes_per_s=blocks + coins,
        file_bytes_per_s=sum(stream.bytes_per_s for stream in streams),
        streams=streams,
    )


def geth(values: Values) -> DeviceLoad:
    """Return the load of a node that follows the chain: state in a tree, old blocks appended."""
    state = number(values, "live_bytes") * number(values, "changed_per_day") / DAY_S
    blocks = number(values, "block_bytes") * number(values, "blocks_per_day") / DAY_S
    tree, ratio = leveled_tree_wa(values), number(values, "correction")
    streams = corrected(
        [
            _large("log", state + blocks),
            _large("state and new blocks", tree * state + NEW_BLOCK_WRITES * blocks),
            _large("old blocks", blocks),
        ],
        ratio=ratio,
    )
    return DeviceLoad(
        application_bytes_per_s=state + blocks,
        file_bytes_per_s=sum(stream.bytes_per_s for stream in streams),
        streams=tuple(streams),
    )


def solana(values: Values) -> DeviceLoad:
    """Return the load of a validator: accounts, its ledger, and snapshots of the accounts."""
    accounts, ledger = number(values, "accounts_bytes_per_s"), number(values, "ledger_bytes_per_s")
    slot = number(values, "slot_s")
    full = number(values, "snapshot_bytes") / (number(values, "snapshot_slots") * slot)
    new = number(values, "increment_bytes") / (number(values, "increment_slots") * slot)
    streams = (
        Stream(name="accounts", bytes_per_s=accounts * (1 + number(values, "moved_fraction"))),
        _large("ledger", ledger * number(values, "ledger_writes")),
        _large("snapshots", full + new),
    )
    return DeviceLoad(
        application_bytes_per_s=accounts + ledger,
        file_bytes_per_s=sum(stream.bytes_per_s for stream in streams),
        streams=streams,
    )


def _log(name: str, rate: Any, flushes: Any, block: float, *, is_flushed: bool = True) -> Stream:
    """Return a log whose last block is written again with every flush, or write-back."""
    written = flushed_log_bytes(rate, flushes=flushes, file_block_bytes=block, granule_bytes=1.0)
    return Stream(
        name=name,
        bytes_per_s=written * (np.asarray(rate) > 0),
        request_bytes=np.maximum(written / flushes, BLOCK_BYTES),
        is_sequential=True,
        flushes_per_s=flushes * is_flushed * (np.asarray(rate) > 0),
    )


def _large(name: str, bytes_per_s: Any) -> Stream:
    return Stream(name=name, bytes_per_s=bytes_per_s, request_bytes=LARGE_BYTES, is_sequential=True)


def _some(streams: list[Stream]) -> tuple[Stream, ...]:
    """Leave out what nothing is written to."""
    return tuple(stream for stream in streams if np.any(stream.bytes_per_s))


def _named_etcd(stream: Stream) -> Stream:
    return replace(stream, name=f"etcd: {stream.name}")

"""Files that grow or are replaced: what the file system adds; Redis, logs, mail, backups."""

from dataclasses import replace
from typing import Any

import numpy as np

from models.application import GROWTH, flushed_log_bytes, growth_blocks, uniform, unique_pages
from models.units import DAY_S
from planner.application.load import (
    BLOCK_BYTES,
    GRANULE_BYTES,
    CommitLoad,
    DeviceLoad,
    Stream,
    corrected,
)
from planner.application.presets import Values, number
from planner.application.sharing import commits_sharing

LARGE_BYTES = 2.0**20
REDIS_ENTRY_BYTES = 28.0  # of the log beside key and value: command and lengths, counted
# Blocks of ext4 for a file of one block that is made and renamed, data included; counted.
FILE_BLOCKS = {"none": 1.26, "file": 9.6, "directory": 18.1}
FILE_FLUSHES = {"none": 0.0, "file": 2.0, "directory": 4.0}


def appended_file(values: Values) -> DeviceLoad:
    """Return the load of a file to which is appended, each append or several with a flush."""
    rate, size = number(values, "appends_per_s"), number(values, "append_bytes")
    flushes = rate / number(values, "appends_per_flush")
    passed, ratio = rate * size, number(values, "correction")
    streams = corrected(grown_file("log", passed, flushes, values["file"]), ratio=ratio)
    return DeviceLoad(
        application_bytes_per_s=passed,
        file_bytes_per_s=ratio * passed,
        streams=tuple(streams),
        commits=CommitLoad(flushes),
    )


def redis_aof(values: Values) -> DeviceLoad:
    """Return the load of Redis with its append-only file, flushed always or once a second."""
    rate, value = number(values, "sets_per_s"), number(values, "value_bytes")
    appended = rate * (value + number(values, "key_bytes") + REDIS_ENTRY_BYTES)
    is_always = values["fsync"] == "always"
    shared = commits_sharing(values, rate) if is_always else np.maximum(rate, 1.0)
    rewritten = appended * 100 / number(values, "rewrite_percent")
    ratio = number(values, "correction")
    again = Stream(
        name="rewritten log", bytes_per_s=rewritten, request_bytes=LARGE_BYTES, is_sequential=True
    )
    streams = corrected([*grown_file("log", appended, rate / shared, "grown"), again], ratio=ratio)
    return DeviceLoad(
        application_bytes_per_s=rate * value,
        file_bytes_per_s=ratio * (appended + rewritten),
        streams=tuple(streams),
        commits=CommitLoad(rate) if is_always else None,
        followed={"commits_per_flush": shared},
        counters={"transactions": rate},
    )


def small_files(values: Values) -> DeviceLoad:
    """Return the load of files that are made and renamed, synced or not: mail, caches, queues."""
    rate, size = number(values, "files_per_s"), number(values, "file_bytes")
    sync = str(values["sync"])
    data = rate * np.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
    flushes, ratio = rate * FILE_FLUSHES[sync], number(values, "correction")
    streams = [
        Stream(name="files", bytes_per_s=data, request_bytes=np.minimum(size, LARGE_BYTES),
               flushes_per_s=flushes),
        Stream(name="file system", bytes_per_s=rate * (FILE_BLOCKS[sync] - 1) * BLOCK_BYTES,
               is_sequential=True),
    ]  # fmt: skip
    return DeviceLoad(
        application_bytes_per_s=rate * size,
        file_bytes_per_s=ratio * rate * size,
        streams=tuple(corrected(streams, ratio=ratio)),
        commits=CommitLoad(rate, flushes=FILE_FLUSHES[sync]) if FILE_FLUSHES[sync] else None,
    )


def systemd_journal(values: Values) -> DeviceLoad:
    """Return the load of journald: its file in memory, whose pages are written when they change.

    An entry is appended, and linked from pages of the fields that it shares with others.
    """
    rate, size = number(values, "entries_per_s"), number(values, "entry_bytes")
    interval, shared = number(values, "writeback_s"), uniform(number(values, "linked_pages"))
    grown = rate * size
    times = 1 / np.maximum(interval, 1 / rate)  # write-backs a second, of one entry at least
    linked = unique_pages(rate / times * number(values, "links"), access=shared) * times
    syncs = np.minimum(1 / number(values, "sync_s"), rate)
    log, journal = grown_file("entries", grown, times, values["file"])
    streams = [
        replace(log, flushes_per_s=syncs),
        Stream(name="links", bytes_per_s=linked * BLOCK_BYTES),
        journal,
    ]
    ratio = number(values, "correction")
    return DeviceLoad(
        application_bytes_per_s=rate * number(values, "text_bytes"),
        file_bytes_per_s=ratio * grown,
        streams=tuple(corrected(streams, ratio=ratio)),
    )


def restic(values: Values) -> DeviceLoad:
    """Return the load of a repository of packs: new data once, what prune moves, and indexes."""
    return _backups(values, number(values, "repacked_fraction"), 0.0)


def pbs(values: Values) -> DeviceLoad:
    """Return the load of a store of chunks: new ones once, and inodes of all when they are marked.

    Garbage collection sets the access time of every chunk that is needed.
    """
    chunks = number(values, "held_bytes") / number(values, "file_bytes")
    marked = chunks * number(values, "marks_per_day") / DAY_S * number(values, "inode_blocks")
    return _backups(values, 0.0, marked)


def _backups(values: Values, moved_fraction: Any, inode_blocks_per_s: Any) -> DeviceLoad:
    """Return the load of new data as files of one size, of an index, and of their upkeep."""
    new, sync = number(values, "new_bytes_per_day") / DAY_S, str(values["sync"])
    files = new * number(values, "stored_fraction") * (1 + moved_fraction)
    made, index = (
        files / number(values, "file_bytes"),
        number(values, "index_bytes_per_day") / DAY_S,
    )
    blocks = made * (FILE_BLOCKS[sync] - 1) + inode_blocks_per_s
    ratio = number(values, "correction")
    streams = [
        Stream(name="packs", bytes_per_s=files, request_bytes=LARGE_BYTES, is_sequential=True,
               flushes_per_s=made * FILE_FLUSHES[sync]),
        Stream(name="index", bytes_per_s=index, request_bytes=LARGE_BYTES, is_sequential=True),
        Stream(name="file system", bytes_per_s=blocks * BLOCK_BYTES),
    ]  # fmt: skip
    return DeviceLoad(
        application_bytes_per_s=new,
        file_bytes_per_s=ratio * (files + index),
        streams=tuple(corrected(streams, ratio=ratio)),
    )


def grown_file(name: str, bytes_per_s: Any, flushes_per_s: Any, growth: str) -> list[Stream]:
    """Return a log that is flushed, and the journal of the file system for its growth."""
    is_written = np.asarray(bytes_per_s) > 0
    blocks = growth_blocks(bytes_per_s / flushes_per_s, **GROWTH[growth]._asdict())
    written = flushed_log_bytes(
        bytes_per_s,
        flushes=flushes_per_s,
        file_block_bytes=BLOCK_BYTES,
        granule_bytes=GRANULE_BYTES,
    )
    log = Stream(
        name=name,
        bytes_per_s=is_written * written,
        request_bytes=np.maximum(bytes_per_s / flushes_per_s, BLOCK_BYTES),
        is_sequential=True,
        flushes_per_s=is_written * flushes_per_s,
    )
    journal = Stream(
        name="file system",
        bytes_per_s=is_written * flushes_per_s * blocks * BLOCK_BYTES,
        request_bytes=2 * BLOCK_BYTES,
        is_sequential=True,
    )
    return [log, journal]

"""Files that grow or are replaced: what the file system adds to a flush; Redis, logs, mail."""

from typing import Any

import numpy as np

from models.application import GROWTH, flushed_log_bytes, growth_blocks
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
REDIS_ENTRY_BYTES = 45.0  # of the log beside the value: command, lengths and key, counted
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
    appended = rate * (value + REDIS_ENTRY_BYTES)
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

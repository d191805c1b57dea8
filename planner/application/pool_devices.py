"""Devices beside a pool: log, special and L2ARC devices of ZFS, DB and WAL of Ceph."""

import numpy as np

from models.application import (
    bluestore_bytes,
    intent_log_bytes_per_s,
    record_bytes_per_s,
    zfs_metadata_bytes_per_s,
)
from planner.application.load import CommitLoad, DeviceLoad, Stream
from planner.application.presets import Values, number
from planner.application.sharing import commits_sharing

LARGE_BYTES = 131_072.0
HEADER_BYTES = 96.0  # in memory for a record on an L2ARC device (recalled)


def zfs_log(values: Values) -> DeviceLoad:
    """Return the load of a log device (SLOG) under writes that are synced."""
    rate, size = number(values, "writes_per_s"), number(values, "write_bytes")
    passed = intent_log_bytes_per_s(rate, write_bytes=size)
    written = number(values, "correction") * passed
    shared = commits_sharing(values, rate)
    flushes = rate / shared
    log = Stream(
        name="intent log",
        bytes_per_s=written,
        request_bytes=written / flushes,
        is_sequential=True,
        flushes_per_s=flushes,
    )
    held = passed * number(values, "txg_s") * number(values, "groups_held")
    return DeviceLoad(
        application_bytes_per_s=rate * size,
        file_bytes_per_s=rate * size,
        streams=(log,),
        commits=CommitLoad(rate),
        followed={"commits_per_flush": shared},
        sizes={"log_device_bytes": held},
    )


def zfs_special(values: Values) -> DeviceLoad:
    """Return the load of each drive of a special vdev: metadata, and blocks that are small."""
    rate, size = number(values, "writes_per_s"), number(values, "write_bytes")
    record, span = number(values, "record_bytes"), number(values, "span_bytes")
    place = {"record_bytes": record, "span_bytes": span, "flush_s": number(values, "txg_s")}
    records = rate * np.maximum(size / record, 1.0)
    small = number(values, "small_bytes_per_s")
    metadata = zfs_metadata_bytes_per_s(
        records, stored_fraction=number(values, "metadata_fraction"), **place
    )
    held = span * number(values, "metadata_share") + number(values, "small_held_bytes")
    return DeviceLoad(
        application_bytes_per_s=rate * size + small,
        file_bytes_per_s=record_bytes_per_s(records, **place) + small,
        streams=(
            Stream(name="metadata", bytes_per_s=metadata),
            Stream(name="small blocks", bytes_per_s=small),
        ),
        sizes={"special_bytes": held},
    )


def zfs_l2arc(values: Values) -> DeviceLoad:
    """Return the load of an L2ARC device: records that leave memory, as fast as it is fed."""
    left = number(values, "evicted_bytes_per_s")
    fed = np.minimum(left, number(values, "feed_bytes_per_s"))
    records = number(values, "device_bytes") / number(values, "record_bytes")
    return DeviceLoad(
        application_bytes_per_s=left,
        file_bytes_per_s=fed,
        streams=(
            Stream(name="fed", bytes_per_s=fed, request_bytes=LARGE_BYTES, is_sequential=True),
        ),
        sizes={"l2arc_memory_bytes": HEADER_BYTES * records},
    )


def ceph_db(values: Values) -> DeviceLoad:
    """Return the load of a drive with DB and WAL of several drives of a Ceph cluster."""
    size, served = number(values, "write_bytes"), number(values, "drives_served")
    rate = number(values, "bytes_per_s") / size * served / number(values, "drives")
    layout = {
        "data_members": number(values, "data_members"),
        "parities": number(values, "parities"),
    }
    data = bluestore_bytes(size, metadata_bytes=0, **layout)
    written = bluestore_bytes(size, metadata_bytes=number(values, "metadata_bytes"), **layout)
    deferred = data if size < number(values, "deferred_below_bytes") else 0.0
    database = Stream(
        name="database and its log",
        bytes_per_s=rate * (written - data),
        is_sequential=True,
        flushes_per_s=rate * (layout["data_members"] + layout["parities"]),
    )
    return DeviceLoad(
        application_bytes_per_s=rate * size,
        file_bytes_per_s=rate * written,
        streams=(
            database,
            Stream(name="deferred writes", bytes_per_s=rate * deferred, is_sequential=True),
        ),
        sizes={"db_bytes": served * number(values, "drive_bytes") * number(values, "db_fraction")},
    )

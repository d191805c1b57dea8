"""Virtual disks, recorders, caches and swap: streams that need little but their rates."""

from typing import Any

import numpy as np

from models.application import journalled_bytes, record_bytes_per_s
from planner.application.load import BLOCK_BYTES, DeviceLoad, Stream, one_stream
from planner.application.presets import Values, number

LARGE_BYTES = 2.0**20  # a request of a stream of large objects
BITS = 8.0


def virtual_disk(values: Values) -> DeviceLoad:
    """Return the load of a guest with a file system of its own, in an image with snapshots."""
    rate, size = number(values, "writes_per_s"), number(values, "write_bytes")
    data = rate * size
    synced = rate * number(values, "synced_fraction")
    journal = journalled_bytes(
        0.0, flushes=synced, metadata_blocks=number(values, "metadata_blocks")
    )
    streams = (
        Stream(name="guest data", bytes_per_s=data, request_bytes=size, flushes_per_s=synced),
        Stream(name="journal of the guest", bytes_per_s=journal),
        *image_streams(values, rate, size, number(values, "span_bytes")),
    )
    return DeviceLoad(
        application_bytes_per_s=data,
        file_bytes_per_s=data + journal,
        streams=tuple(stream for stream in streams if np.any(stream.bytes_per_s)),
    )


def image_streams(
    values: Values, writes_per_s: Any, write_bytes: Any, span_bytes: Any
) -> tuple[Stream, ...]:
    """Return the writes of an image beside the data: clusters written first, and their map."""
    cluster = number(values, "cluster_bytes")
    copied = record_bytes_per_s(
        writes_per_s,
        record_bytes=cluster,
        span_bytes=span_bytes,
        flush_s=number(values, "snapshot_s"),
    )
    of_image = copied / cluster * number(values, "image_blocks") * BLOCK_BYTES
    return (
        Stream(
            name="first writes after a snapshot",
            bytes_per_s=copied * np.maximum(1 - write_bytes / cluster, 0.0),
            request_bytes=cluster,
        ),
        Stream(name="map of the image", bytes_per_s=of_image),
    )


def video(values: Values) -> DeviceLoad:
    """Return the load of cameras that record without a break."""
    rate = number(values, "cameras") * number(values, "bits_per_s") / BITS
    return one_stream(rate, _large("video", rate * number(values, "overhead_ratio")))


def kv_cache(values: Values) -> DeviceLoad:
    """Return the load of keys and values of a language model that leave memory."""
    token = 2 * number(values, "element_bytes")
    for name in ("layers", "kv_heads", "head_elements"):
        token *= number(values, name)
    made = number(values, "tokens_per_s") * token
    return one_stream(made, _large("keys and values", made * number(values, "stored_fraction")))


def object_cache(values: Values) -> DeviceLoad:
    """Return the load of a cache of objects: small ones rewrite a bucket, large ones a log."""
    small = number(values, "small_per_s")
    large = number(values, "large_bytes_per_s")
    buckets = Stream(
        name="small objects",
        bytes_per_s=small * number(values, "bucket_bytes") / number(values, "per_bucket_write"),
        request_bytes=number(values, "bucket_bytes"),
    )
    return DeviceLoad(
        application_bytes_per_s=small * number(values, "small_bytes") + large,
        file_bytes_per_s=buckets.bytes_per_s + large,
        streams=(buckets, _large("large objects", large)),
    )


def swap(values: Values) -> DeviceLoad:
    """Return the load of pages that leave memory."""
    rate = number(values, "pages_per_s") * BLOCK_BYTES
    written = number(values, "correction") * rate
    return DeviceLoad(
        application_bytes_per_s=rate,
        file_bytes_per_s=written,
        streams=(Stream(name="pages", bytes_per_s=written),),
        span_bytes=number(values, "span_bytes"),
    )


def _large(name: str, bytes_per_s: Any) -> Stream:
    return Stream(name=name, bytes_per_s=bytes_per_s, request_bytes=LARGE_BYTES, is_sequential=True)

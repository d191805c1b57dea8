"""Layers below an application: encryption, checksums, bitmaps, copies, images and volumes.

Each turns the streams that it receives into those that it passes on, by inputs of its own.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from models.application import (
    intent_log_bytes_per_s,
    journalled_bytes,
    record_bytes_per_s,
    zfs_metadata_bytes_per_s,
)
from models.errors import DomainError
from planner.application.hosts import image_streams
from planner.application.load import BLOCK_BYTES, DeviceLoad, Stream, corrected
from planner.application.presets import SHOWN, Preset, Values, load, number

POINTERS = 1024.0  # records that lie in order in an indirect block of ZFS
FLUSHES = "flushes"  # of a layer: those of the drive, one after the other, for each that it gets
# Presets that are layers of others as well, with the inputs that apply there.
OF_PRESETS: Mapping[str, tuple[str, ...]] = {
    "virtual-disk": ("span_bytes", "cluster_bytes", "snapshot_s", "image_blocks"),
    "zfs-vm": ("span_bytes", "record_bytes", "txg_s", "metadata_fraction", "idle_bytes_per_s"),
}


def dm_crypt(above: DeviceLoad, values: Values) -> DeviceLoad:
    """Encrypt every sector where it is."""
    ratio = number(values, "written_ratio")
    return replace(above, streams=tuple(corrected(above.streams, ratio=ratio)))


def dm_integrity(above: DeviceLoad, values: Values) -> DeviceLoad:
    """Write everything to a journal first, or mark its region in a bitmap, and its tags."""
    mode, whole = values["mode"], above.device_bytes_per_s
    again = whole * (number(values, f"{mode}_ratio") - 1)
    tags = whole * number(values, "tag_bytes") / number(values, "sector_bytes")
    return _with(
        above,
        Stream(name=f"{mode} of dm-integrity", bytes_per_s=again, is_sequential=True,
               request_bytes=above.transfer_bytes),
        Stream(name="tags of dm-integrity", bytes_per_s=tags),
    )  # fmt: skip


def md_bitmap(above: DeviceLoad, values: Values) -> DeviceLoad:
    """Mark each region in the write-intent bitmap when it becomes dirty."""
    region = number(values, "region_bytes")
    dirty = _touched_per_s(above, values, region, number(values, "cleared_s"))
    blocks = dirty * number(values, "bitmap_blocks")
    return _with(above, Stream(name="write-intent bitmap", bytes_per_s=blocks * BLOCK_BYTES))


def lvm_thin(above: DeviceLoad, values: Values) -> DeviceLoad:
    """Copy and map a chunk that is written first after a snapshot."""
    chunk = number(values, "chunk_bytes")
    period, together = number(values, "snapshot_s"), number(values, "mappings_per_block")
    first = _touched_per_s(above, values, chunk, period)
    left = np.maximum(1 - above.transfer_bytes / chunk, 0.0)
    mapped = _touched_per_s(above, values, chunk, period, together)
    mapped = mapped * number(values, "map_blocks") * BLOCK_BYTES
    return _with(
        above,
        Stream(name="first writes of chunks", bytes_per_s=first * chunk * left,
               request_bytes=chunk),
        Stream(name="map of the thin pool", bytes_per_s=mapped),
    )  # fmt: skip


def drbd(above: DeviceLoad, values: Values) -> DeviceLoad:
    """Write the activity log where an extent becomes active; a node has one copy of the data."""
    extent = number(values, "extent_bytes")
    extents = np.maximum(_span_bytes(above, values) / extent, 1.0)
    missed = np.maximum(1 - number(values, "active_extents") / extents, 0.0)
    blocks = missed * _writes_per_s(above, extent) * number(values, "log_blocks")
    return _with(above, Stream(name="activity log", bytes_per_s=blocks * BLOCK_BYTES))


def longhorn(above: DeviceLoad, values: Values) -> DeviceLoad:
    """Write to a sparse file of the host; a node has one replica of the data."""
    journal = journalled_bytes(
        0.0, flushes=above.flushes_per_s, metadata_blocks=number(values, "journal_blocks")
    )
    own = Stream(name="file system of the host", bytes_per_s=journal, is_sequential=True)
    return _with(above, own)


def virtual_disk(above: DeviceLoad, values: Values) -> DeviceLoad:
    """Write to an image: clusters that are written first after a snapshot, and their map."""
    span = _span_bytes(above, values, number(values, "cluster_bytes"))
    rate = _writes_per_s(above, number(values, "cluster_bytes"))
    return _with(above, *image_streams(values, rate, above.transfer_bytes, span))


def zfs_vm(above: DeviceLoad, values: Values) -> DeviceLoad:
    """Write records whole, once a transaction group, and what is flushed to the intent log too."""
    record, flushes = number(values, "record_bytes"), above.flushes_per_s
    rate = _writes_per_s(above, record)
    place = {
        "record_bytes": record,
        "span_bytes": _span_bytes(above, values, record),
        "flush_s": number(values, "txg_s"),
    }
    per_flush = above.device_bytes_per_s / np.where(flushes > 0, flushes, 1.0)
    logged = intent_log_bytes_per_s(flushes, write_bytes=per_flush)
    metadata = zfs_metadata_bytes_per_s(
        _writes_per_s(above, record, POINTERS),
        stored_fraction=number(values, "metadata_fraction"),
        **place,
    )
    streams = (
        Stream(name="records", bytes_per_s=record_bytes_per_s(rate, **place)),
        Stream(
            name="intent log",
            bytes_per_s=logged,
            request_bytes=intent_log_bytes_per_s(1.0, write_bytes=per_flush),
            flushes_per_s=flushes,
        ),
        Stream(name="metadata", bytes_per_s=metadata),
        Stream(name="idle", bytes_per_s=number(values, "idle_bytes_per_s")),
    )
    return replace(above, streams=_written(streams), span_bytes=None)


LAYERS: Mapping[str, Callable[[DeviceLoad, Values], DeviceLoad]] = {
    "dm-crypt": dm_crypt,
    "dm-integrity": dm_integrity,
    "drbd": drbd,
    "longhorn": longhorn,
    "lvm-thin": lvm_thin,
    "md-bitmap": md_bitmap,
    "virtual-disk": virtual_disk,
    "zfs-vm": zfs_vm,
}


@functools.cache
def layers() -> Mapping[str, Preset]:
    """Read the layers with their inputs, notes and uses.

    >>> sorted(layers()) == sorted(LAYERS), [*layers()["dm-crypt"].inputs]
    (True, ['written_ratio', 'flushes'])
    """
    of_presets = {
        name: replace(load()[name], inputs={each: load()[name].inputs[each] for each in inputs})
        for name, inputs in OF_PRESETS.items()
    }
    return {**load(rows_of="layers.csv", uses_of="layer_uses.csv"), **of_presets}


def layer_of(name: str) -> Preset:
    """Return a layer by its name, or refuse it with those that there are."""
    if name not in layers():
        raise DomainError(f"on must be one of {', '.join(LAYERS)}, got {name[:SHOWN]!r}")
    return layers()[name]


def below(load_above: DeviceLoad, names: tuple[str, ...], values: Values) -> DeviceLoad:
    """Return the load below some layers, the first of them next to the application.

    >>> from planner.application.load import one_stream
    >>> one = one_stream(1e6, Stream(name="log", bytes_per_s=1e6))
    >>> below(one, ("dm-crypt",), {"dm-crypt.written_ratio": 1.0}).device_bytes_per_s
    1000000.0
    """
    found = load_above
    for name in names:
        found = _flushed(LAYERS[name](found, values_of(name, values)), flushes_of((name,), values))
    return found


def flushes_of(names: tuple[str, ...], values: Values) -> Any:
    """Return the flushes of a drive, one after the other, for each above some layers."""
    flushes: Any = 1.0
    for name in names:
        flushes = flushes * values.get(f"{name}.{FLUSHES}", 1.0)
    return flushes


def values_of(name: str, values: Values) -> Values:
    """Return the values of the inputs of a layer or an application, which begin with its name.

    >>> values_of("db1", {"db1.rows": 5.0, "db2.rows": 6.0})
    {'rows': 5.0}
    """
    start = f"{name}."
    return {key[len(start) :]: value for key, value in values.items() if key.startswith(start)}


def _flushed(load: DeviceLoad, flushes: Any) -> DeviceLoad:
    """Return a load with some flushes for each one."""
    streams = (
        replace(stream, flushes_per_s=flushes * stream.flushes_per_s) for stream in load.streams
    )
    commits = load.commits and load.commits._replace(flushes=flushes * load.commits.flushes)
    return replace(load, streams=tuple(streams), commits=commits)


def _with(load: DeviceLoad, *further: Stream) -> DeviceLoad:
    """Add streams of a layer to those that pass through it."""
    return replace(load, streams=(*load.streams, *_written(further)))


def _written(streams: tuple[Stream, ...]) -> tuple[Stream, ...]:
    return tuple(stream for stream in streams if np.any(np.asarray(stream.bytes_per_s) > 0))


def _span_bytes(load: DeviceLoad, values: Values, least: Any = 0.0) -> Any:
    """Return the space that a load is written to: of the layer where it has no span of its own."""
    span = number(values, "span_bytes") if load.span_bytes is None else load.span_bytes
    return np.maximum(span, least)


def _writes_per_s(load: DeviceLoad, unit_bytes: Any, run: Any = 1.0) -> Any:
    """Return the writes to units per second: sequential ones fill `run` units, others touch one."""
    return sum(
        stream.bytes_per_s
        / (run * unit_bytes if stream.is_sequential
           else np.minimum(stream.request_bytes, unit_bytes))
        for stream in load.streams
    )  # fmt: skip


def _touched_per_s(
    load: DeviceLoad, values: Values, unit_bytes: Any, period_s: Any, run: Any = 1.0
) -> Any:
    """Return the distinct units that are written within a period, per second."""
    written = record_bytes_per_s(
        _writes_per_s(load, unit_bytes, run),
        record_bytes=unit_bytes,
        span_bytes=_span_bytes(load, values, unit_bytes),
        flush_s=period_s,
    )
    return np.asarray(written) / unit_bytes

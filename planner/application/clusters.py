"""Ceph, MinIO and Kafka: what one of their drives receives. Structure only; none was run here."""

import math
from collections.abc import Mapping

import numpy as np

from models.application import bluestore_bytes, journalled_bytes
from models.errors import DomainError
from models.pools import (
    cluster_usable_bytes,
    node_rebuild_network_bytes,
    node_rebuild_s,
    warning_fraction,
)
from planner.application.load import BLOCK_BYTES, DeviceLoad, Stream, one_stream
from planner.application.presets import Values, number

SEGMENT_BYTES = 131_072.0  # of a file that the page cache writes back by itself


def ceph_rbd(values: Values) -> DeviceLoad:
    """Return the load of one drive of a Ceph cluster under writes to block devices."""
    size, drives = number(values, "write_bytes"), number(values, "drives")
    rate = number(values, "bytes_per_s") / size / drives
    layout = {
        "data_members": number(values, "data_members"),
        "parities": number(values, "parities"),
    }
    data = bluestore_bytes(size, metadata_bytes=0, **layout)
    written = bluestore_bytes(size, metadata_bytes=number(values, "metadata_bytes"), **layout)
    chunks = layout["data_members"] * BLOCK_BYTES
    members = min(math.ceil(size / BLOCK_BYTES), layout["data_members"]) + layout["parities"]
    streams = (
        Stream(
            name="data",
            bytes_per_s=rate * data,
            request_bytes=BLOCK_BYTES * math.ceil(size / chunks),
        ),
        Stream(
            name="metadata and its log",
            bytes_per_s=rate * (written - data),
            flushes_per_s=rate * members,
        ),
    )
    return DeviceLoad(
        application_bytes_per_s=rate * size,
        file_bytes_per_s=rate * data,
        streams=streams,
        sizes=_capacity(values, layout),
    )


def _capacity(values: Values, layout: Mapping[str, float]) -> dict[str, float]:
    """Return the capacity of the pool while domains fail, and the cost of rebuilding one."""
    drives, width = number(values, "drives"), layout["data_members"] + layout["parities"]
    domains = min(number(values, "failure_domains"), drives)
    if domains < width:
        raise DomainError(
            f"failure_domains must be at least data_members + parities = {width:g}, with a drive "
            f"each, got {domains:g}"
        )
    each = drives / domains
    reserve = min(number(values, "reserve_domains"), domains - width)
    nodes = {"cluster_nodes": domains, "reserve_nodes": reserve}
    limit = number(values, "fill_limit")
    held = cluster_usable_bytes(
        each * number(values, "drive_bytes"), fill_limit=limit, **nodes, **layout
    )
    lost = held * width / layout["data_members"] / domains
    sizes = {
        "usable_bytes": held,
        "warning_fraction": warning_fraction(limit, **nodes),
        "node_rebuild_network_bytes": node_rebuild_network_bytes(
            lost, data_members=layout["data_members"]
        ),
    }
    if domains == 1:
        return sizes
    share = number(values, "rebuild_fraction")
    return sizes | {
        "node_rebuild_s": node_rebuild_s(
            lost,
            cluster_nodes=domains,
            data_members=layout["data_members"],
            node_link_bytes_per_s=share * number(values, "link_bytes_per_s"),
            node_read_bytes_per_s=share * each * number(values, "read_bytes_per_s"),
            node_write_bytes_per_s=share * each * number(values, "write_bytes_per_s"),
        )
    }


def minio(values: Values) -> DeviceLoad:
    """Return the load of one drive of an erasure set under objects that are stored."""
    data, parities = number(values, "data_members"), number(values, "parities")
    rate, size = number(values, "objects_per_s"), number(values, "object_bytes")
    part = size / data
    metadata = journalled_bytes(
        number(values, "metadata_bytes"),
        flushes=1,
        metadata_blocks=number(values, "metadata_blocks"),
    )
    streams = (
        Stream(
            name="data",
            bytes_per_s=rate * part,
            request_bytes=np.clip(part, BLOCK_BYTES, SEGMENT_BYTES),
            is_sequential=True,
            flushes_per_s=rate,
        ),
        Stream(name="metadata", bytes_per_s=rate * metadata),
    )
    return DeviceLoad(
        application_bytes_per_s=rate * size / (data + parities),
        file_bytes_per_s=rate * (part + number(values, "metadata_bytes")),
        streams=streams,
        sizes={
            "usable_bytes": cluster_usable_bytes(
                number(values, "drive_bytes"),
                cluster_nodes=data + parities,
                data_members=data,
                parities=parities,
                reserve_nodes=0,
                fill_limit=number(values, "fill_limit"),
            )
        },
    )


def kafka(values: Values) -> DeviceLoad:
    """Return the load of one broker under records that are appended, and compacted in part."""
    rate = number(values, "bytes_per_s") / number(values, "brokers")
    copied = rate * number(values, "replicas") * number(values, "overhead_ratio")
    # A log is compacted once this share of it is dirty, and written whole then.
    rewritten = number(values, "compacted_fraction") * (1 / number(values, "dirty_ratio") - 1)
    log = Stream(
        name="log and compaction",
        bytes_per_s=number(values, "correction") * copied * (1 + rewritten),
        request_bytes=SEGMENT_BYTES,
        is_sequential=True,
    )
    return one_stream(rate, log)

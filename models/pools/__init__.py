"""Pools of ZFS: drive I/Os of a record, usable space, and rates of the pool.

Sectors of a record are `models.raidz.raidz_sectors` and `models.declustered.declustered_sectors`.
A vdev of RAID-Z has n members in a stripe, one of dRAID k + m of n. Checked against what pools
reported; none was run here. Clusters of nodes are in `models.pools.nodes`.
"""

from models.pools.nodes import (
    cluster_usable_bytes,
    node_bytes,
    node_rebuild_network_bytes,
    node_rebuild_s,
    warning_fraction,
)
from models.pools.records import (
    column_bytes,
    raidz_written_sectors,
    record_columns,
    record_operations,
    record_sectors,
    records_per_operation,
    whole_record_reads,
    written_bytes_per_byte,
    written_columns,
)
from models.pools.space import (
    available_bytes,
    deflated_fraction,
    draid_space_bytes,
    partition_bytes,
    raidz_space_bytes,
    recorded_bytes,
)
from models.pools.speed import RecordOperations, record_array_speed

__all__ = [
    "RecordOperations", "available_bytes", "cluster_usable_bytes", "column_bytes",
    "deflated_fraction", "draid_space_bytes", "node_bytes", "node_rebuild_network_bytes",
    "node_rebuild_s", "partition_bytes", "raidz_space_bytes", "raidz_written_sectors",
    "record_array_speed", "record_columns", "record_operations", "record_sectors", "recorded_bytes",
    "records_per_operation", "warning_fraction", "whole_record_reads", "written_bytes_per_byte",
    "written_columns",
]  # fmt: skip

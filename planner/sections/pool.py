"""Capacity of a pool of ZFS, and the drive I/Os of its records."""

from typing import NamedTuple

from models import declustered, pools, raidz
from planner.graph.nodes import Call, Const, FirstKnown, Leaf, Node, When
from planner.sections.structure import SECTOR_BYTES

RECORD = Leaf("record_bytes", overrides=True)  # known of pools alone
_OPERATION = Leaf("operation_bytes", overrides=True)
_DATA = Leaf("data_members", overrides=True)
_SPARES = Leaf("spread_spares", overrides=True)  # known of dRAID alone
_SECTOR = Const("sector_bytes", SECTOR_BYTES, "assumption", "ashift=12, as for drives of 4 KiB.")
_REFERENCE = Const("reference_block_sectors", 32.0, note="Pools report records of 128 KiB.")


class PoolNodes(NamedTuple):
    """Nodes of a pool, known where there are records.

    Bytes of drives per byte of the host; operations of drives for a read and for a write; the space
    that an empty pool reports, and what of it is data in records of the pool.
    """

    bytes_per_byte: Node
    reads_per_read: Node
    reads_per_write: Node
    writes_per_write: Node
    available_bytes: Node
    usable_bytes: Node


def pool_nodes(
    *, stripe: Node, parities: Node, vdev_members: Node, vdevs: Node, member_bytes: Node
) -> PoolNodes:
    """Return the nodes of a pool of vdevs, RAID-Z or dRAID."""
    sectors = Call(
        "record_sectors", pools.record_sectors, {"record_bytes": RECORD, "sector_bytes": _SECTOR}
    )
    spread = {"stripe_members": stripe, "parities": parities}
    columns = Call("data_columns", pools.record_columns, {"block_sectors": sectors, **spread})
    written = _written(sectors, columns, spread)
    per_operation = Call(
        "records_per_operation",
        pools.records_per_operation,
        {
            "transfer_bytes": _OPERATION, "record_bytes": RECORD,
            "sequential_fraction": Leaf("sequential_fraction"),
        },
    )  # fmt: skip
    of_all = {"records_per_operation": per_operation}
    deflated = Call(
        "deflated_fraction",
        pools.deflated_fraction,
        {
            "reference_sectors": _allocated("reference_sectors", _REFERENCE, spread),
            "sector_bytes": _SECTOR,
        },
    )
    available = Call(
        "pool_available_bytes",
        pools.available_bytes,
        {
            "space_bytes": _space(parities, vdev_members, member_bytes),
            "vdevs": vdevs, "deflated_fraction": deflated,
        },
    )  # fmt: skip
    return PoolNodes(
        bytes_per_byte=Call(
            "writes_per_write:records",
            pools.written_bytes_per_byte,
            {
                "written_sectors": written.sectors, "sector_bytes": _SECTOR,
                "transfer_bytes": _OPERATION, **of_all,
            },
        ),
        reads_per_read=Call(
            "reads_per_read", pools.record_operations, {"columns": columns, **of_all}
        ),
        reads_per_write=Call(
            "reads_per_write:records",
            pools.whole_record_reads,
            {
                "columns": columns, "transfer_bytes": _OPERATION, "record_bytes": RECORD,
                "sequential_fraction": Leaf("sequential_fraction"),
            },
        ),
        writes_per_write=Call(
            "member_writes_per_write",
            pools.record_operations,
            {"columns": written.columns, **of_all},
        ),
        available_bytes=available,
        usable_bytes=Call(
            "usable_bytes:pool",
            pools.recorded_bytes,
            {
                "available_bytes": available, "record_bytes": RECORD,
                "allocated_sectors": _allocated("allocated_sectors", sectors, spread),
                "sector_bytes": _SECTOR, "deflated_fraction": deflated,
            },
        ),
    )  # fmt: skip


class _Written(NamedTuple):
    """Sectors and drives that the write of a record uses."""

    sectors: Node
    columns: Node


def _written(sectors: Node, columns: Node, spread: dict[str, Node]) -> _Written:
    """Return the writes of a record: dRAID fills its stripes, RAID-Z does not write the padding."""
    whole = Call(
        "written_sectors:draid",
        declustered.declustered_sectors,
        {"block_sectors": sectors, "data_members": _DATA, "parities": spread["parities"]},
    )
    needed = Call(
        "written_sectors", pools.raidz_written_sectors, {"block_sectors": sectors, **spread}
    )
    with_parity = Call(
        "write_columns",
        pools.written_columns,
        {"data_columns": columns, "parities": spread["parities"]},
    )
    return _Written(
        sectors=FirstKnown("written_sectors:any", (When(_SPARES, whole), needed)),
        columns=FirstKnown(
            "write_columns:any",
            (When(_SPARES, Leaf("stripe_members", overrides=True)), with_parity),
        ),
    )


def _allocated(key: str, sectors: Node, spread: dict[str, Node]) -> Node:
    """Return the sectors that a record takes, with parity and padding."""
    parities = spread["parities"]
    in_stripes = Call(
        f"{key}:draid",
        declustered.declustered_sectors,
        {"block_sectors": sectors, "data_members": _DATA, "parities": parities},
    )
    padded = Call(
        key,
        raidz.raidz_sectors,
        {"block_sectors": sectors, "members": spread["stripe_members"], "parities": parities},
    )
    return FirstKnown(f"{key}:any", (When(_SPARES, in_stripes), padded))


def _space(parities: Node, vdev_members: Node, member_bytes: Node) -> Node:
    """Return the space of one vdev in whole metaslabs."""
    partition = Call("pool_partition_bytes", pools.partition_bytes, {"drive_bytes": member_bytes})
    of_members = {"partition_bytes": partition, "members": vdev_members}
    spread = Call(
        "vdev_space_bytes:draid",
        pools.draid_space_bytes,
        {
            **of_members, "spares": _SPARES, "data_members": _DATA, "parities": parities,
            "sector_bytes": _SECTOR,
        },
    )  # fmt: skip
    plain = Call("vdev_space_bytes", pools.raidz_space_bytes, of_members)
    return FirstKnown("vdev_space_bytes:any", (When(_SPARES, spread), plain))

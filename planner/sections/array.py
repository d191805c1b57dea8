"""Rates of an array of drives, and their worst case."""

from collections.abc import Mapping

import numpy as np

from models import array_tail, declustered, pools, redundancy, spare_area
from planner.graph.nodes import Call, Const, FirstKnown, Leaf, Node, When
from planner.graph.reading import Reading
from planner.sections.pool import RECORD, pool_nodes
from planner.sections.service import DEPTH, RATED_DEPTH

FLOOR = (
    "Drive I/Os at the size of the worst-case test, with every drive in its worst case at once; "
    "see its probability."
)
NOTES = (
    "Assumed: drives run GC independently. Drives that fill in step do not.",
    "Assumed: sequential writes fill whole stripes, other writes single chunks.",
)
TWO_COPIES = 2
MIRROR = (
    "RAID 1 keeps the same data on every drive: of more drives it has more copies, not more "
    "capacity. Pairs of drives that are striped are RAID 10."
)
POOL_NOTES = (
    NOTES[0],
    (
        "Assumed: records of a pool are written one by one and read from the drives. Transaction "
        "groups and caches in memory cost less."
    ),
    (
        "Capacity is that of records of this size, uncompressed, as ZFS charges them; `zfs list` "
        "counts records of 128 KiB."
    ),
)

_MEMBERS, _SPARES, _SETS = Leaf("members"), Leaf("hot_spares"), Leaf("sets")
_COPIES, _PARITIES = Leaf("copies"), Leaf("parities")
_WORKING = Call(
    "working_members", redundancy.working_members, {"members": _MEMBERS, "spares": _SPARES}
)
_SET_MEMBERS = Call("set_members", redundancy.set_members, {"members": _WORKING, "groups": _SETS})
# Members of a stripe: of erasure codes and of sets fewer than there are drives.
_STRIPE = FirstKnown("stripe_members:any", (Leaf("stripe_members", overrides=True), _SET_MEMBERS))
_MEMBER_BYTES = Call(
    "member_bytes",
    spare_area.partition_bytes,
    {"user_bytes": Leaf("user_bytes"), "partition_fraction": Leaf("partition_fraction")},
)
_POOL = pool_nodes(
    stripe=_STRIPE, parities=_PARITIES, vdev_members=_SET_MEMBERS, vdevs=_SETS,
    member_bytes=_MEMBER_BYTES,
)  # fmt: skip
_FULL_STRIPES = Leaf("sequential_fraction")
_CHUNKS_PER_WRITE = Call(
    "writes_per_write",
    redundancy.mean_writes_per_write,
    {
        "members": _STRIPE, "copies": _COPIES, "parities": _PARITIES,
        "full_stripe_fraction": _FULL_STRIPES,
    },
)  # fmt: skip
# Also bytes of drives per byte of the host; of a pool that alone, operations are of other sizes.
_WRITES_PER_WRITE = FirstKnown(
    "writes_per_write:any", (When(RECORD, _POOL.bytes_per_byte), _CHUNKS_PER_WRITE)
)
_CHUNK_READS_PER_WRITE = Call(
    "reads_per_write",
    redundancy.mean_reads_per_write,
    {"members": _STRIPE, "parities": _PARITIES, "full_stripe_fraction": _FULL_STRIPES},
)
_READS_PER_WRITE = FirstKnown(
    "reads_per_write:any", (When(RECORD, _POOL.reads_per_write), _CHUNK_READS_PER_WRITE)
)
_DATA_MEMBERS = Leaf("data_members", overrides=True)
_NODES = Leaf("cluster_nodes", overrides=True)
_OF_NODES = Call(
    "usable_bytes:nodes",
    pools.cluster_usable_bytes,
    {
        "node_bytes": Call(
            "node_bytes",
            pools.node_bytes,
            {
                "member_bytes": _MEMBER_BYTES, "node_members": Leaf("node_members"),
                "node_spares": Leaf("node_spares"),
            },
        ),
        "cluster_nodes": _NODES, "data_members": _DATA_MEMBERS, "parities": _PARITIES,
        "reserve_nodes": Leaf("reserve_nodes"), "fill_limit": Leaf("fill_limit"),
    },
)  # fmt: skip
_USABLE = FirstKnown(
    "usable_bytes",
    (
        When(RECORD, _POOL.usable_bytes),
        When(_NODES, _OF_NODES),
        Call(
            "usable_bytes:declustered",
            declustered.declustered_usable_bytes,
            {
                "member_bytes": _MEMBER_BYTES, "members": _MEMBERS, "spares": _SPARES,
                "data_members": _DATA_MEMBERS, "parities": _PARITIES,
            },
        ),
        Call(
            "usable_bytes:raid",
            redundancy.usable_bytes,
            {
                "member_bytes": _MEMBER_BYTES, "members": _WORKING, "copies": _COPIES,
                "parities": _PARITIES, "groups": _SETS,
            },
        ),
    ),
)  # fmt: skip


# Host bytes per second that one drive receives, parity and copies included.
MEMBER_RATE = Call(
    "member_bytes_per_s",
    redundancy.member_write_bytes_per_s,
    {
        "host_bytes_per_s": Leaf("host_bytes_per_s"), "members": _WORKING,
        "writes_per_write": _WRITES_PER_WRITE,
    },
)  # fmt: skip


_COUNTS: Mapping[str, Node] = {
    "read_fraction": Leaf("read_fraction"), "reads_per_write": _CHUNK_READS_PER_WRITE,
    "writes_per_write": _CHUNKS_PER_WRITE,
}  # fmt: skip
_RECORD_COUNTS: Mapping[str, Node] = {
    "read_fraction": Leaf("read_fraction"), "reads_per_write": _POOL.reads_per_write,
    "writes_per_write": _POOL.writes_per_write, "reads_per_read": _POOL.reads_per_read,
}  # fmt: skip
# Share of reads of what one drive does, those for parity included.
MEMBER_READS = FirstKnown(
    "member_read_fraction",
    (
        When(
            RECORD,
            Call("member_read_fraction:records", redundancy.member_read_fraction, _RECORD_COUNTS),
        ),
        Call("member_read_fraction:operations", redundancy.member_read_fraction, _COUNTS),
    ),
)


def array_limit_bytes(member_limit: Node) -> Node:
    """Return the application writes at which the drives meet `member_limit`."""
    return Call(
        "array_limit_bytes",
        redundancy.array_limit_bytes,
        {
            "member_limit_bytes": member_limit,
            "members": _WORKING,
            "writes_per_write": _WRITES_PER_WRITE,
        },
    )


def array_nodes(speed: Mapping[str, Node]) -> dict[str, Node]:
    """Return the answers about an array of drives that have this speed each."""
    stalls: dict[str, Node] = {
        "member_stall_fraction": Leaf("member_stall_fraction"), "members": _WORKING,
    }  # fmt: skip
    return {
        "working_members": _WORKING,
        "member_bytes_per_s": MEMBER_RATE,
        "reads_per_write": _READS_PER_WRITE,
        "writes_per_write": _WRITES_PER_WRITE,
        "member_bytes": _MEMBER_BYTES,
        "usable_bytes": _USABLE,
        "pool_available_bytes": When(RECORD, _POOL.available_bytes),
        "budget_iops": _budget(speed),
        "worst_case_floor_iops": Call(
            "worst_case_floor_iops",
            array_tail.worst_case_iops,
            {"member_worst_iops": speed["worst_case_at_depth_iops"], "members": _WORKING},
            FLOOR,
        ),
        "stall_probability": Call("stall_probability", array_tail.stall_probability, stalls),
        "aligned_stall_probability": Call(
            "aligned_stall_probability", array_tail.aligned_stall_probability, stalls
        ),
        "member_quantile": Call(
            "member_quantile",
            array_tail.member_quantile,
            {"array_quantile": Const("array_quantile", 0.99), "members": _WORKING},
        ),
    }


def _budget(speed: Mapping[str, Node]) -> Node:
    """Return host operations per second: in deep queues by the members' time, else by the depth."""

    def ways(of_what: str, counts: Mapping[str, Node]) -> tuple[Node, ...]:
        def by_time(key: str, of: str) -> Node:
            rates = {f"{side}_iops": speed[f"{of}{side}_iops"] for side in ("read", "write")}
            return Call(
                f"{key}{of_what}",
                redundancy.budget_iops,
                {**rates, "members": _WORKING, **counts},
                "Limited by the busy time of the drives; reached at deep queues.",
            )

        at_depth = Call(
            f"budget_iops:at depth{of_what}",
            redundancy.host_iops,
            {"member_iops": speed["member_at_depth_iops"], "members": _WORKING, **counts},
            "The queue depth is that of each drive.",
        )
        return (
            When(DEPTH, by_time("budget_iops", "rated_"), least=RATED_DEPTH),
            at_depth,
            by_time("budget_iops:by sides", ""),
        )

    of_records = FirstKnown("budget_iops:of records", ways(":records", _RECORD_COUNTS))
    return FirstKnown("budget_iops:any", (When(RECORD, of_records), *ways("", _COUNTS)))


def array_notes(reading: Reading) -> tuple[str, ...]:
    """List the assumptions behind the answers about an array."""
    is_mirror = bool(np.any(np.asarray(reading.leaves["copies"].value) > TWO_COPIES))
    is_pool = RECORD.key in reading.leaves
    return (*((MIRROR,) if is_mirror else ()), *(POOL_NOTES if is_pool else NOTES))


def array_limit(reading: Reading) -> str | None:
    """Return the operation that takes most of the drives' time; None where a rate is unknown."""
    names = ("budget_iops", "read_iops", "write_iops", "reads_per_write", "writes_per_write")
    _, read_iops, write_iops, reads, writes = numbers = reading.numbers(*names)
    if any(np.ndim(number) or np.isnan(number) for number in numbers):
        return None
    share = reading.leaves["read_fraction"].value
    host_reads, parity_reads = share / read_iops, (1 - share) * reads / read_iops
    writes = (1 - share) * writes / write_iops
    demands = {"host reads": host_reads, "reads for parity": parity_reads, "writes": writes}
    return max(demands, key=demands.__getitem__)

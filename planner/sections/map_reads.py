"""Random reads of a drive whose map does not fit into its memory."""

from models import map_cache, spare_area
from models.units import KIB
from planner.graph.nodes import Call, Const, FirstKnown, Leaf, Node

OVER_ALL = (
    "Assumed: reads hit the working set alike, by default all data in use. Where the mapping table "
    "is not all in DRAM they read a part of it first. Data sheets test over a few GiB, whose "
    "mapping table fits."
)
_USUAL_ENTRY = Const("entry_bytes:usual", 4.0, "assumption", "Entries of 4 bytes are usual.")
_USUAL_UNIT = Const("unit_bytes:usual", 4.0 * KIB, "assumption", "Indirection unit unknown.")
_SPAN = Call(
    "span_bytes",
    spare_area.partition_bytes,
    {
        "user_bytes": Call(
            "span_bytes:partitioned",
            spare_area.partition_bytes,
            {"user_bytes": Leaf("user_bytes"), "partition_fraction": Leaf("partition_fraction")},
        ),
        "partition_fraction": Leaf("fill_fraction"),
    },
)
_TOUCHED = Call(
    "span_bytes:touched",
    spare_area.partition_bytes,
    {"user_bytes": _SPAN, "partition_fraction": Leaf("dynamic_fraction")},
)
_BY_CACHE = Call(
    "map_read_fraction:cache",
    map_cache.map_read_fraction,
    {
        "map_cache_bytes": Leaf("map_cache_bytes", overrides=True),
        "entry_bytes": FirstKnown(
            "entry_bytes:mapped", (Leaf("entry_bytes", overrides=True), _USUAL_ENTRY)
        ),
        "unit_bytes": FirstKnown(
            "unit_bytes:mapped", (Leaf("unit_bytes", overrides=True), _USUAL_UNIT)
        ),
        "span_bytes": _TOUCHED,
    },
    OVER_ALL,
)
_PRINTED = Leaf("random_read_iops")
_MAP_READS = FirstKnown(
    "map_read_fraction:any", (_BY_CACHE, Leaf("map_read_fraction", overrides=True))
)
# Printed random reads, less the reads of the map that come before them.
RANDOM_READS = FirstKnown(
    "random_read_iops:any",
    (
        Call(
            "random_read_iops:mapped",
            map_cache.mapped_read_iops,
            {"iops": _PRINTED, "map_read_fraction": _MAP_READS},
        ),
        _PRINTED,
    ),
)


def with_map_reads(time: Node) -> Node:
    """Return the time of a read with that of the reads of the map before it."""
    key = time.key
    mapped = Call(
        f"{key}:mapped", map_cache.mapped_read_s, {"read_s": time, "map_read_fraction": _MAP_READS}
    )
    return FirstKnown(f"{key}:any", (mapped, time))

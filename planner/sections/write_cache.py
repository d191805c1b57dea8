"""The single-level cache of a drive: how long a burst lasts in it, and how long it drains."""

from models import slc_cache
from planner.graph.nodes import Call, Const, FirstKnown, Leaf, Node
from planner.sections.speed_case import SpeedCase

_PRINTED = Leaf("slc_cache_bytes")
CACHED, FOLDED = Leaf("sequential_write_bytes_per_s"), Leaf("folded_write_bytes_per_s")
# What a burst finds: what is printed is the cache of the empty drive.
_LEFT = Call(
    "slc_cache_bytes:left",
    slc_cache.cache_bytes,
    {
        "static_cache_bytes": FirstKnown(
            "static_cache_bytes:burst",
            (Leaf("static_cache_bytes", overrides=True), Const("static_cache_bytes:none", 0.0, "")),
        ),
        "free_bytes": Leaf("free_bytes"), "bits_per_cell": Leaf("bits_per_cell", overrides=True),
        "dynamic_limit_bytes": Leaf("dynamic_limit_bytes"),
    },
)  # fmt: skip
FOLD_RATE = Call(
    "fold_bytes_per_s",
    slc_cache.fold_bytes_per_s,
    {
        "native_write_bytes_per_s": FOLDED,
        "cache_read_bytes_per_s": Leaf("sequential_read_bytes_per_s"),
    },
)


def cache_nodes(case: SpeedCase) -> dict[str, Node]:
    """Return the cache, how long a sequential burst stays in it, and how long that drains."""
    size = FirstKnown("slc_cache_bytes:any", (_LEFT, _PRINTED)) if case.gives_way else _PRINTED
    return {
        "cache_bytes": size,
        "cached_s": Call(
            "cached_s",
            slc_cache.burst_s,
            {
                "burst_bytes": size, "slc_cache_bytes": size, "cached_write_bytes_per_s": CACHED,
                "folded_write_bytes_per_s": FOLDED,
            },
        ),
        "drain_s": Call(
            "drain_s", slc_cache.drain_s, {"held_bytes": size, "fold_bytes_per_s": FOLD_RATE}
        ),
    }  # fmt: skip

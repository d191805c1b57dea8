"""Steady random writes of 4 KiB: as printed of the full drive, at other spare areas from there.

The flash takes the same bytes per second at any spare area: the host writes the more of them the
less garbage collection copies.
"""

from models import bottleneck, calibration, queueing, write_amplification
from planner.graph.nodes import Call, FirstKnown, Leaf, Node, When
from planner.sections.service import RATED_SIZE
from planner.sections.structure import Structure
from planner.sections.write_amplification import (
    fitted_write_iops,
    rating_op_ratio,
    touched_op_ratio,
)
from planner.sections.write_factors import RATED_TOUCHED

FOLLOWED = (
    "As printed of the full drive, times its write amplification over that at this spare area, of "
    "uniform random writes; at most as fast as the fresh drive."
)
_PRINTED = Leaf("steady_write_iops")
_COLLECTS = Leaf("collects_garbage", overrides=True)
_WHOLE = {"partition_fraction": 1.0, "fill_fraction": 1.0, "trim_share": 0.0}


def _pages(key: str, throughput: str, size: Node) -> Node:
    sizes: dict[str, Node] = {"throughput_bytes_per_s": Leaf(throughput), "transfer_bytes": size}
    return Call(key, queueing.iops_at_throughput, sizes)


# The flash takes whole units of the map, the link what the host sends.
_BY_BYTES = {
    "media_iops": _pages("sequential_page_iops", "sequential_write_bytes_per_s", RATED_TOUCHED),
    "link_iops": _pages("link_page_iops", "sequential_read_bytes_per_s", RATED_SIZE),
}
# Before collection: printed, or what sequential writes, the link and its commands allow.
FRESH = FirstKnown(
    "deep_burst_write_iops:any",
    (
        Leaf("burst_write_iops"),
        Call(
            "deep_burst_write_iops",
            bottleneck.write_iops,
            {**_BY_BYTES, "controller_iops": Leaf("random_read_iops")},
        ),
        Call("deep_burst_write_iops:by bytes", bottleneck.write_iops, _BY_BYTES),
    ),
)


def steady_write_iops(structure: Structure) -> Node:
    """Return the steady rate of a deep queue at the spare area of this use.

    Facts fitted to measured points precede printed ones.
    """
    followed = Call(
        "deep_steady_write_iops:followed",
        calibration.followed_write_iops,
        {
            "rated_iops": _PRINTED,
            "reference_wa": _collected("rated_large_block_wa", rating_op_ratio(structure)),
            "wa": _collected("large_block_wa", touched_op_ratio(structure)),
            "burst_write_iops": FRESH,
        },
        FOLLOWED,
    )
    fitted = (fitted_write_iops(structure),) if structure.is_fitted else ()
    # A part of the data leaves the spare area to that part: not as printed.
    as_printed = () if structure.has_static_data else (_of_whole_drive(_PRINTED),)
    return FirstKnown(
        "deep_steady_write_iops:any", (*fitted, *as_printed, When(_COLLECTS, followed), _PRINTED)
    )


def _collected(key: str, op_ratio: Node) -> Node:
    """Return the WA of uniform random writes, in the limit of large blocks."""
    return Call(key, write_amplification.fifo, {"op_ratio": op_ratio})


def _of_whole_drive(node: Node) -> Node:
    """Return a node that is known where all of the drive is in use, as for its data sheet."""
    for name, value in _WHOLE.items():
        node = When(Leaf(name), node, (value,))
    return node

"""How fast is the drive for this mix, by its specification?"""

from enum import StrEnum

import numpy as np

from models import mixing, queueing
from planner.graph.nodes import Call, FirstKnown, Leaf, Named, Node, When
from planner.graph.reading import Reading
from planner.sections.map_reads import RANDOM_READS
from planner.sections.service import (
    DEPTH,
    RATED_DEPTH,
    RATED_SIZE,
    SEQUENTIAL,
    SIZE,
    Rates,
    service_nodes,
)
from planner.sections.steady_writes import FRESH, steady_write_iops
from planner.sections.structure import Structure
from planner.sections.write_factors import RATED_TOUCHED, TOUCHED

SPECIFICATION = "Speeds are specification figures; nothing is simulated in time."
NO_SEQUENTIAL_RATE = (
    "No sequential rate is known. Assumed: sequential operations are as fast as random ones."
)


class Side(StrEnum):
    """Operation that takes most of the drive's time."""

    READS = "reads"
    WRITES = "writes"


_OF_ANOTHER_STATE = tuple(Leaf(f"{state}_write_iops") for state in ("spec", "burst"))
TESTED_WORST, TESTED_DEPTH = Leaf("worst_case_iops"), Leaf("saturated_queue_depth")
LONGEST_S = Call(
    "max_latency_s",
    queueing.latency_s,
    {"queue_depth": When(TESTED_WORST, TESTED_DEPTH), "iops": TESTED_WORST},
)
# As tested where the queue is as deep as in the test; the longest latency of fewer operations is
# the same stall.
_WORST_AT_DEPTH = Named(
    "worst_case_at_depth_iops",
    FirstKnown(
        "worst_case_at_depth_iops:any",
        (
            When(DEPTH, TESTED_WORST, least=RATED_DEPTH),
            When(DEPTH, TESTED_WORST, least=TESTED_DEPTH),
            Call(
                "worst_case_at_depth_iops:shallow",
                queueing.worst_case_iops,
                {"queue_depth": DEPTH, "max_latency_s": LONGEST_S},
                "The longest latency of the saturated test, in a shallower queue.",
            ),
        ),
    ),
)
_NOTE_ON_WRITES = {
    "burst_write_iops": (
        "Random write IOPS are a burst figure of a fresh or cached drive; "
        "steady state is lower and not in the catalogue."
    ),
    "spec_write_iops": "The source does not say whether random write IOPS are steady state.",
}


def speed_nodes(structure: Structure, member_reads: Node | None = None) -> dict[str, Node]:
    """Return the answers about one drive's speed, at the queue depth, from its specified rates.

    Random IOPS are rated at 4 KiB. Larger reads move their extra bytes at the sequential rate;
    larger random writes are assumed to move no faster than the 4 KiB ones do, in whole units of the
    map.
    """
    steady = steady_write_iops(structure)
    random_write = FirstKnown("deep_steady_write_iops:best", (steady, *_OF_ANOTHER_STATE))
    service = service_nodes(_read_rates(RANDOM_READS), _write_rates(random_write), member_reads)
    iops = service["drive_iops"]
    return {
        **service,
        "drive_throughput_bytes_per_s": _bytes_per_s("drive_throughput_bytes_per_s", iops, SIZE),
        "latency_s": Call("latency_s", queueing.latency_s, {"queue_depth": DEPTH, "iops": iops}),
        "max_latency_s": LONGEST_S,
        "worst_case_iops": TESTED_WORST,
        "worst_case_at_depth_iops": _WORST_AT_DEPTH,
        "random_write_iops": random_write,
        "deep_steady_write_iops": steady,
        "deep_burst_write_iops": FRESH,
    }


def _read_rates(at_random: Node) -> Rates:
    in_sequence = Leaf("sequential_read_bytes_per_s")
    by_pages = _bytes_per_s("random_read_bytes_per_s", at_random, RATED_SIZE)
    fastest = FirstKnown("random_read_bytes_per_s:any", (in_sequence, by_pages))
    return _rates("read", at_random, fastest, in_sequence)


def _write_rates(at_random: Node) -> Rates:
    return _rates(
        "write",
        at_random,
        _bytes_per_s("random_write_bytes_per_s", at_random, RATED_TOUCHED),
        FirstKnown(
            "sequential_write_bytes_per_s:any",
            (Leaf("folded_write_bytes_per_s"), Leaf("sequential_write_bytes_per_s")),
        ),
        (RATED_TOUCHED, TOUCHED),
    )


def _rates(
    side: str,
    random_iops: Node,
    random_bytes_per_s: Node,
    in_sequence: Node,
    sizes: tuple[Node, Node] = (RATED_SIZE, SIZE),
) -> Rates:
    """Mix random and sequential operations of one direction by their share of time, as printed."""
    key = f"{side}_iops"
    at_size = Call(
        f"random_{side}_at_size_iops",
        queueing.resized_iops,
        {
            "iops": random_iops, "rated_transfer_bytes": sizes[0], "transfer_bytes": sizes[1],
            "throughput_bytes_per_s": random_bytes_per_s,
        },
    )  # fmt: skip
    sequential = Call(
        f"sequential_{side}_at_size_iops",
        queueing.iops_at_throughput,
        {"throughput_bytes_per_s": in_sequence, "transfer_bytes": SIZE},
    )

    def blended(way: str, sequential_iops: Node, note: str = "") -> Node:
        inputs = {
            "sequential_iops": sequential_iops, "random_iops": at_size,
            "sequential_fraction": SEQUENTIAL,
        }  # fmt: skip
        return Call(f"{key}:{way}", mixing.blended_iops, inputs, note)

    mixed = FirstKnown(
        f"rated_{side}_iops",
        (
            blended("blended", sequential),
            blended("random only", at_size, NO_SEQUENTIAL_RATE),
            When(SEQUENTIAL, sequential, (1.0,)),
        ),
    )
    return Rates(mixed, at_size, sequential, random_bytes_per_s)


def _bytes_per_s(key: str, iops: Node, size: Node) -> Node:
    return Call(key, queueing.throughput_bytes_per_s, {"iops": iops, "transfer_bytes": size})


def speed_limit(reading: Reading) -> Side | None:
    """Name the side that takes most of the time; None where a rate is missing or many are asked."""
    names = ("drive_iops", "read_iops", "write_iops")
    _, read_iops, write_iops = numbers = reading.numbers(*names)
    if any(np.ndim(number) or np.isnan(number) for number in numbers):
        return None
    share = reading.leaves["read_fraction"].value
    return Side.READS if share / read_iops > (1 - share) / write_iops else Side.WRITES


def speed_notes(reading: Reading) -> tuple[str, ...]:
    """List the assumptions behind the speed by the specification."""
    rate = reading.graph.answers["random_write_iops"]
    taken = reading.way_taken(rate)
    known = reading.answer(rate).is_known
    note = _NOTE_ON_WRITES.get(taken.key) if known else None
    return (SPECIFICATION, *((note,) if note else ()))

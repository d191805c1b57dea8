"""IOPS of one drive at a queue depth, size and mix: the one place that every face reads.

From the queue depth on at which its rates are printed a drive gives these; below, what its dies,
its buffer and the time of a single operation allow, calibrated so that the printed rates are
reached at the printed depth.
"""

from collections.abc import Mapping
from typing import NamedTuple

from models import (
    array_speed,
    bottleneck,
    calibration,
    flash_geometry,
    mixing,
    parallelism,
    queueing,
)
from models.units import KIB
from planner.graph.nodes import Call, Const, FirstKnown, Leaf, Node, When
from planner.sections.map_reads import RANDOM_READS, with_map_reads

SIZE, SEQUENTIAL, READS = (
    Leaf("transfer_bytes"),
    Leaf("sequential_fraction"),
    Leaf("read_fraction"),
)
# Of pools the drives are given columns of records, whatever the host asks for.
HOST_SIZE = FirstKnown(
    "transfer_bytes:host", (Leaf("operation_bytes", overrides=True), Leaf("transfer_bytes"))
)
RATED_SIZE = Const("rated_transfer_bytes", 4 * KIB)
DEPTH, RATED_DEPTH = Leaf("queue_depth"), Leaf("rated_queue_depth")
_READS_ONLY = Const("reads_only_fraction", 1.0)
_CLOSED = (
    "Of a constant queue depth: reads wait for dies picked at random, writes for room in the "
    "buffer; without the time of the host's software."
)
DIES = FirstKnown(
    "dies:any",
    (
        Leaf("dies"),
        Call(
            "dies:counted", flash_geometry.dies,
            {"raw_bytes": Leaf("raw_bytes"), "die_bytes": Leaf("die_bytes")},
        ),
    ),
)  # fmt: skip
TRANSFER_S = Call(
    "transfer_s",
    queueing.transfer_s,
    {"transfer_bytes": RATED_SIZE, "throughput_bytes_per_s": Leaf("channel_bytes_per_s")},
)


class Rates(NamedTuple):
    """Printed rates of one direction at the workload's size.

    `mixed` is that of the workload's share of sequential operations, `at_random` and
    `in_sequence` those of either kind alone; `bytes_per_s` moves the further bytes of large ones.
    """

    mixed: Node
    at_random: Node
    in_sequence: Node
    bytes_per_s: Node


def service_nodes(read: Rates, write: Rates, member_reads: Node | None = None) -> dict[str, Node]:
    """Return reads, writes and the mix per second at the queue depth, and times alone.

    With the share of reads of the members of an array, what one of them does of that mix, too.
    """
    times, rated = _times(read), _rated_mix(read, write)
    sides = {
        "read_iops": _at_depth("read", read, _reads_iops(read, times)),
        "write_iops": _at_depth("write", write, _writes_iops(write, times["write_alone_s"])),
    }
    of_member = (
        {"member_at_depth_iops": _closed_loop("member", member_reads, (read, write), times)}
        if member_reads is not None
        else {}
    )
    return {
        **of_member,
        "page_read_iops": _page_read_iops(times),
        **sides,
        "drive_iops": _mix(rated, sides, _closed_loop("drive", READS, (read, write), times)),
        "rated_read_iops": read.mixed,
        "rated_write_iops": write.mixed,
        "rated_drive_iops": rated,
        "read_alone_s": times["read_alone_s"],
        "write_alone_s": times["write_alone_s"],
    }


def _times(read: Rates) -> dict[str, Node]:
    """Return the unloaded times of a read and a write, and the part of a read on its die.

    Both with the reads of the map that come before those of data.
    """
    printed = {"rated_iops": Leaf("random_read_iops"), "rated_queue_depth": RATED_DEPTH}
    sense = {"read_s": Leaf("read_s"), "overhead_s": Leaf("read_overhead_s"), **printed}
    latency = {"printed_latency_s": Leaf("read_latency_s", overrides=True)}
    unloaded = FirstKnown(
        "unloaded_s",
        (
            Call("unloaded_s:printed", calibration.unloaded_read_s, {**sense, **latency}),
            Call("unloaded_s:flash", calibration.unloaded_read_s, sense),
        ),
    )
    die_read = Call(
        "die_read_s",
        calibration.die_read_s,
        {
            "read_s": Leaf("read_s"), "transfer_s": TRANSFER_S, "unloaded_s": unloaded,
            "dies": DIES, **printed,
        },
        "At most so long that the printed rate is reached at the printed queue depth.",
    )  # fmt: skip
    whole, on_die = with_map_reads(unloaded), with_map_reads(die_read)
    read_alone = _at_size("read_alone_s", whole, read)
    return {
        "unloaded_s": whole,
        "read_alone_s": read_alone,
        "write_alone_s": _at_size("write_alone_s", Leaf("write_latency_s"), read),
        "die_read_s": on_die,
        "read_rest_s": Call(
            "read_rest_s", array_speed.delay_s, {"latency_s": read_alone, "operation_s": on_die}
        ),
    }


def _at_size(key: str, latency: Node, read: Rates) -> Node:
    """Add the time of further bytes, at the fastest rate at which the drive is read."""
    return Call(
        key,
        queueing.resized_latency_s,
        {
            "latency_s": latency, "rated_transfer_bytes": RATED_SIZE, "transfer_bytes": SIZE,
            "throughput_bytes_per_s": read.bytes_per_s,
        },
    )  # fmt: skip


def _reads_iops(read: Rates, times: Mapping[str, Node]) -> Node:
    return Call(
        "random_read_at_depth_iops",
        parallelism.drive_iops,
        {
            "queue_depth": DEPTH, "read_fraction": _READS_ONLY, "dies": DIES,
            "die_read_s": times["die_read_s"], "read_rest_s": times["read_rest_s"],
            "read_cap_iops": read.at_random,
        },
        _CLOSED,
    )  # fmt: skip


def _page_read_iops(times: Mapping[str, Node]) -> Node:
    """Return random reads of the rated size, whatever the size and the mix of the workload."""
    rest = {"latency_s": times["unloaded_s"], "operation_s": times["die_read_s"]}
    at_depth = Call(
        "page_read_iops:at depth",
        parallelism.drive_iops,
        {
            "queue_depth": DEPTH, "read_fraction": _READS_ONLY, "dies": DIES,
            "die_read_s": times["die_read_s"],
            "read_rest_s": Call("page_read_rest_s", array_speed.delay_s, rest),
            "read_cap_iops": RANDOM_READS,
        },
        _CLOSED,
    )  # fmt: skip
    return FirstKnown("page_read_iops", (When(DEPTH, RANDOM_READS, least=RATED_DEPTH), at_depth))


def _writes_iops(write: Rates, alone: Node) -> Node:
    accepted = Call(
        "accepted_write_iops", queueing.iops, {"queue_depth": DEPTH, "latency_s": alone}
    )
    return Call(
        "random_write_at_depth_iops",
        bottleneck.write_iops,
        {"media_iops": write.at_random, "queue_iops": accepted},
        _CLOSED,
    )


def _at_depth(side: str, rates: Rates, at_random: Node) -> Node:
    """Return the rate of one direction: as printed, or of the queue depth where that is less."""
    key = f"{side}_iops"

    def blended(way: str, in_sequence: Node) -> Node:
        return Call(
            f"{key}:{way}", mixing.blended_iops,
            {
                "sequential_iops": in_sequence, "random_iops": at_random,
                "sequential_fraction": SEQUENTIAL,
            },
        )  # fmt: skip

    return FirstKnown(
        key,
        (
            When(DEPTH, rates.mixed, least=RATED_DEPTH),
            blended("at depth", rates.in_sequence),
            blended("random at depth", at_random),
            When(SEQUENTIAL, rates.in_sequence, (1.0,)),
        ),
    )


def _rated_mix(read: Rates, write: Rates) -> Node:
    return FirstKnown(
        "rated_drive_iops",
        (
            _mixed("drive_iops:mixed", read.mixed, write.mixed),
            When(READS, write.mixed, (0.0,)),
            When(READS, read.mixed, (1.0,)),
        ),
    )


def _mix(rated: Node, sides: Mapping[str, Node], closed_loop: Node) -> Node:
    """Mix reads and writes; a side of which there is none need not be known."""
    return FirstKnown(
        "drive_iops",
        (
            When(DEPTH, rated, least=RATED_DEPTH),
            closed_loop,
            When(READS, sides["write_iops"], (0.0,)),
            When(READS, sides["read_iops"], (1.0,)),
        ),
    )


def _closed_loop(
    of: str, reads: Node, rates: tuple[Rates, Rates], times: Mapping[str, Node]
) -> Node:
    """Return the IOPS at a constant queue depth and share of reads."""
    read, write = rates
    one = "" if of == "drive" else f"{of}_"
    at_random = Call(
        f"{one}random_at_depth_iops",
        parallelism.drive_iops,
        {
            "queue_depth": DEPTH, "read_fraction": reads, "dies": DIES,
            "die_read_s": times["die_read_s"], "read_rest_s": times["read_rest_s"],
            "write_accept_s": times["write_alone_s"],
            "read_cap_iops": read.at_random, "write_cap_iops": write.at_random,
        },
        _CLOSED,
    )  # fmt: skip
    in_sequence = _mixed(
        f"{one}sequential_at_size_iops", read.in_sequence, write.in_sequence, reads
    )
    share: dict[str, Node] = {"random_iops": at_random, "sequential_fraction": SEQUENTIAL}
    return FirstKnown(
        f"{of}_at_depth_iops",
        (
            Call(f"{of}_iops:at depth", mixing.blended_iops,
                 {"sequential_iops": in_sequence, **share}),
            Call(f"{of}_iops:random at depth", mixing.blended_iops,
                 {"sequential_iops": at_random, **share}),
        ),
    )  # fmt: skip


def _mixed(key: str, read_iops: Node, write_iops: Node, reads: Node = READS) -> Node:
    return Call(
        key,
        mixing.mixed_iops,
        {"read_iops": read_iops, "write_iops": write_iops, "read_fraction": reads},
    )

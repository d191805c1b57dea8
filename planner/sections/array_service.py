"""Nodes of an array's speed: at a queue depth, under stalls of its drives, and by hand."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from models import (
    array_freeze,
    array_speed,
    array_stalls,
    array_windows,
    bottleneck,
    declustered,
    interface,
    latency_tail,
    parallelism,
    pools,
    queueing,
    raidz,
    rebuild,
    redundancy,
    stall_exposure,
    stalls,
)
from models.units import HOUR_S
from planner.graph.nodes import (
    Argument,
    Call,
    Const,
    Fields,
    FirstKnown,
    Graph,
    Leaf,
    Node,
    Part,
    When,
    none,
)
from planner.sections.array import MEMBER_RATE
from planner.sections.array_case import ArrayCase
from planner.sections.plan import plan_graph
from planner.sections.pool import RECORD
from planner.sections.redundancy import REBUILT_BYTES
from planner.sections.service import DEPTH, HOST_SIZE, READS
from planner.sections.speed_case import ANY
from planner.sections.structure import SECTOR_BYTES, Structure

SHALLOW = "Latency at queue depth 1 is unknown. Assumed: 1/IOPS, a lower bound."
SINGLE = (
    "Stalls are modelled for operations on single drives; other layouts lose the same share of "
    "their IOPS, which is not checked by simulation."
)
ONE_OF_CHUNKS = "For reads of single chunks, spread evenly, before a rebuild takes its share."
BESIDE_WRITES = "Reads that one drive has time for beside the writes of the workload."
UNBUFFERED = "Writes that are acknowledged without a buffer in front of the flash."
ADAPTER = "An adapter of PCIe 3.0 x8, as usual for SAS and SATA: 256 bytes of data, 24 around them."
ADAPTER_BYTES_PER_S = 8 * 8e9 * 128 / 130 / 8  # eight lanes of 8 GT/s
RULE = "By hand, for deep queues: a record takes its drives one after another, all else is free."
WINDOW_S = 0.01
SLOW = 0.01  # of windows, the slowest hundredth

SPEED = {
    "iops": "array_iops", "read_latency_s": "array_read_latency_s",
    "write_latency_s": "array_write_latency_s", "utilisation": "member_utilisation",
}  # fmt: skip
_TIMES = ("member_read_s", "member_write_s", "read_delay_s", "write_delay_s")
QUEUE_DEPTH, DEPTHS = Leaf("array_queue_depth"), Leaf("array_queue_depths")
_WHOLE = Leaf("array_queue_depth:whole")
_ONE, _NO_BUFFER = Const("one", 1.0), Const("buffer_pages", 0.0)
_GROUP, _PARITIES, _COPIES = Leaf("group_members"), Leaf("parities"), Leaf("copies")
_CODE, _DEGRADED = Leaf("code_members"), Leaf("data_members:degraded")
_STALLED = Leaf("member_stall_fraction")
MEMBER_WRITES = When(
    MEMBER_RATE,
    Call(
        "member_page_writes",
        queueing.iops_at_throughput,
        {"throughput_bytes_per_s": MEMBER_RATE, "transfer_bytes": HOST_SIZE},
    ),
    least=ANY,
)


@cache
def single_graph(structure: Structure) -> Graph:
    """Build the speed of an array of one drive, which is that of the drive at its queue depth."""
    plan = plan_graph(structure)
    at_random = plan.nodes["random_at_depth_iops"]
    assert isinstance(at_random, Call)  # noqa: S101 - one formula
    point = Call("array_iops:operating point", parallelism.operating_point, at_random.inputs)
    iops, several = plan.answers["drive_iops"], plan.nodes["drive_at_depth_iops"]

    def mean(side: str, rate: Node) -> Node:
        return Call(f"array_{side}_latency_s:mean", queueing.latency_s,
                    {"queue_depth": DEPTH, "iops": rate})  # fmt: skip

    return Graph({
        "iops": iops, "array_iops": iops, "iops_by_depth": several,
        "point_iops": Part("random_at_depth_iops:point", point, "iops"),
        "read_latency_s": Part("array_read_latency_s", point, "read_latency_s"),
        "write_latency_s": Part("array_write_latency_s", point, "write_latency_s"),
        "mean_read_s": mean("read", iops), "mean_write_s": mean("write", iops),
    })  # fmt: skip


@cache
def queue_graph(structure: Structure, case: ArrayCase) -> Graph:
    """Build every answer of a plan and of its array at a queue depth."""
    of = plan_graph(structure).answers
    speed, alone, curve = _speeds(of, case)
    rate = FirstKnown("member_iops:any", (of["rated_drive_iops"], of["rated_write_iops"]))
    operation = _service_s("member_operation_s", rate)
    stall = _stalls(of, speed["array_iops"], operation)
    return Graph({
        **of, **speed, "array_iops_by_depth": curve, **stall,
        **_bounds(of, alone), **_left_over(of, case),
        **_of_a_stall(of, stall, operation), **_of_layout(of, case, stall, operation, rate),
    })  # fmt: skip


def _speeds(of: Mapping[str, Node], case: ArrayCase) -> tuple[dict[str, Node], Node, Node]:
    """Build the speed at the queue depth, the IOPS of one operation, and those of many depths."""
    times = _member_times(of)
    drives: dict[str, Argument] = {
        "members": of["working_members"], "read_fraction": READS,
        "times": Fields(
            array_speed.MemberTimes,
            dict(zip(array_speed.MemberTimes._fields, (times[key] for key in _TIMES), strict=True)),
        ),
    }  # fmt: skip
    formula, load = _of_records() if case.is_pool else _of_chunks()

    def at(depth: Node, way: str) -> Call:
        return Call(f"array_iops:{way}", formula, {"queue_depth": depth, **drives, **load})

    def of_one(key: str, modelled: Node) -> Node:
        own = Leaf(f"{key}:one", overrides=True)
        return FirstKnown(f"{key}:any", (own, modelled)) if case.is_single else modelled

    whole = at(_WHOLE, "at depth")
    speed = {key: Part(key, whole, part) for part, key in SPEED.items()}
    busy = speed.pop("member_utilisation")
    found = {key: of_one(key, part) for key, part in speed.items()}
    alone = Part("array_alone_iops", at(_ONE, "alone"), "iops")
    curve = Part("array_iops:by depth", at(DEPTHS, "depths"), "iops")
    return (
        {**found, "member_utilisation": busy},
        of_one("array_alone_iops", alone),
        FirstKnown("array_iops:curve", (Leaf("array_iops:one by depth", overrides=True), curve))
        if case.is_single else curve,
    )  # fmt: skip


def _of_chunks() -> tuple[Callable[..., Any], dict[str, Argument]]:
    """Return the formula of chunks on several drives, and what it takes of the layout."""
    operations: dict[str, Node] = {
        "stripe_members": Leaf("chunk_members"),
        "reads_per_write": Call(
            "small_reads_per_write",
            redundancy.reads_per_write,
            {"members": _CODE, "parities": _PARITIES},
        ),
        "writes_per_write": Call(
            "small_writes_per_write",
            redundancy.writes_per_write,
            {"copies": _COPIES, "parities": _PARITIES},
        ),
    }
    stripes: dict[str, Node] = {
        "full_stripe_fraction": Leaf("sequential_fraction"), "code_members": _CODE,
    }  # fmt: skip
    return array_speed.mixed_array_speed, {
        "host_operations": Fields(array_speed.HostOperations, operations),
        "full_stripes": Fields(array_speed.FullStripes, stripes),
    }


def _of_records() -> tuple[Callable[..., Any], dict[str, Argument]]:
    """Return the formula of records of a pool, and what it takes of the layout."""
    records = {name: Leaf(f"{name}:records") for name in pools.RecordOperations._fields}
    return pools.record_array_speed, {"records": Fields(pools.RecordOperations, records)}


def _member_times(of: Mapping[str, Node]) -> dict[str, Node]:
    """Build how long a read and a write occupy a drive, and what passes beside that."""
    reads, writes = of["rated_read_iops"], of["rated_write_iops"]
    # Any time serves for a side without operations: no reads of the host, and none for parity.
    without_reads = When(READS, When(_PARITIES, writes, (0.0,)), (0.0,))
    without_writes = When(READS, reads, (1.0,))
    read_iops = FirstKnown("read_iops:of a member", (reads, without_reads))
    write_iops = FirstKnown("write_iops:of a member", (writes, without_writes))
    return {
        "member_read_s": _service_s("member_read_s", read_iops),
        "member_write_s": _service_s("member_write_s", write_iops),
        "read_delay_s": _delay_s("read", of, reads),
        "write_delay_s": _delay_s("write", of, writes),
    }


def _service_s(key: str, iops: Node) -> Call:
    return Call(key, queueing.latency_s, {"queue_depth": _ONE, "iops": iops})


def _delay_s(side: str, of: Mapping[str, Node], rate: Node) -> Node:
    """Build what an operation alone takes longer than its service; none where it is unknown."""
    key, service = f"{side}_delay_s", _service_s(f"member_{side}_s:rated", rate)
    delay = Call(
        key, array_speed.delay_s, {"latency_s": of[f"{side}_alone_s"], "operation_s": service}
    )
    return FirstKnown(f"{key}:any", (delay, Const(f"{key}:none", 0.0, "assumption", SHALLOW)))


def _stalls(of: Mapping[str, Node], iops: Node, operation: Node) -> dict[str, Node]:
    """Build IOPS with random stalls, with all together, in the slowest hundredth of 10 ms.

    Unknown where the share of time that a drive stalls, or its longest latency, is unknown.
    """
    pause = _pause_s(of)
    stall: dict[str, Argument] = {"stall_s": pause, "member_stall_fraction": _STALLED}
    apart = Call(
        "array_stalled_iops",
        array_stalls.independent_stalled_iops,
        {
            "iops": iops, "queue_depth": QUEUE_DEPTH, "members": of["working_members"],
            "operation_s": operation, **stall,
        },
        SINGLE,
    )  # fmt: skip
    free = Call(
        "array_stall_free_iops",
        array_stalls.stall_free_iops,
        {"iops": iops, "member_stall_fraction": _STALLED},
    )
    interval = Call("stall_interval_s", array_stalls.stall_interval_s, stall)
    together = Call(
        "array_synchronised_iops",
        array_stalls.synchronised_iops,
        {"iops": free, "stall_s": pause, "stall_interval_s": interval},
    )
    of_array = Call(
        "array_stall_interval_s",
        array_stalls.stall_interval_s,
        {**stall, "members": of["working_members"]},
    )
    window: dict[str, Argument] = {
        "iops": apart, "stall_free_iops": free, "stall_interval_s": of_array,
        "interval_s": Const("window_s", WINDOW_S),
    }  # fmt: skip
    lowest = Call(
        "lowest_window_level",
        array_windows.lowest_window_quantile,
        {"windows": Const("windows", HOUR_S / WINDOW_S), "probability": Const("probability", 0.5)},
    )
    return {
        "stall_s": pause,
        "stall_interval_s": interval,
        "array_stalled_iops": apart,
        "array_synchronised_iops": together,
        "array_window_iops": Call(
            "array_window_iops", array_windows.window_iops,
            {"quantile": Const("window_level", SLOW), **window},
        ),
        "array_lowest_window_iops": Call(
            "array_lowest_window_iops", array_windows.window_iops, {"quantile": lowest, **window}
        ),
    }  # fmt: skip


def _pause_s(of: Mapping[str, Node]) -> Node:
    """Build how long a drive stops, from a longest latency above the mean of a saturated test."""
    depth, writes, longest = (
        Leaf("saturated_queue_depth"),
        of["rated_write_iops"],
        of["max_latency_s"],
    )
    test = {"queue_depth": depth, "iops": writes}
    mean = Call("latency_s:saturated test", queueing.latency_s, test)
    beyond = Call(
        "stall_s:beyond the mean", array_speed.delay_s, {"latency_s": longest, "operation_s": mean}
    )
    return When(
        beyond, Call("stall_s", stalls.implied_pause_s, {"max_latency_s": longest, **test}),
        least=ANY,
    )  # fmt: skip


def _bounds(of: Mapping[str, Node], alone: Node) -> dict[str, Node]:
    """Build the bound of the IOPS, and the depth from which more no longer helps."""
    times = {
        "unloaded_s": _service_s("array_alone_s", alone),
        "demand_s": _service_s("array_demand_s", of["budget_iops"]),
    }
    return {
        "bound_iops": Call(
            "bound_iops", bottleneck.bound_iops, {"queue_depth": QUEUE_DEPTH, **times}
        ),
        "knee_queue_depth": Call("knee_queue_depth", bottleneck.knee_queue_depth, times),
    }


def _left_over(of: Mapping[str, Node], case: ArrayCase) -> dict[str, Node]:
    """Build reads beside the writes, reads with a drive lost, and what a rebuild writes."""
    reads = of["rated_read_iops"]
    beside = Call(
        "remaining_read_iops",
        bottleneck.remaining_iops,
        {"iops": reads, "other_iops": of["rated_write_iops"], "taken_iops": MEMBER_WRITES},
        BESIDE_WRITES,
    )
    degraded, written = none("degraded_read_iops"), none("survivor_write_bytes")
    found: dict[str, Node] = {
        "remaining_read_iops": beside, degraded.key: degraded, written.key: written,
    }  # fmt: skip
    if case.is_redundant and not case.is_pool:
        found[degraded.key] = Call(
            degraded.key,
            rebuild.degraded_read_iops,
            {"member_read_iops": reads, "members": _GROUP, "data_members": _DEGRADED},
            ONE_OF_CHUNKS,
        )
    if case.has_spread_spares:
        found[written.key] = Call(
            written.key,
            rebuild.survivor_write_bytes,
            {"rebuilt_bytes": REBUILT_BYTES, "members": _GROUP},
        )
    return found


def _of_a_stall(
    of: Mapping[str, Node], stall: Mapping[str, Node], operation: Node
) -> dict[str, Node]:
    """Build what one stall costs: the array, a second of a test, a write."""
    pause, between = {"stall_s": stall["stall_s"]}, {"stall_interval_s": stall["stall_interval_s"]}
    rate = of["rated_write_iops"]
    calls = (
        Call(
            "array_frozen_s", array_freeze.frozen_s,
            {"queue_depth": QUEUE_DEPTH, "members": of["working_members"],
             "operation_s": operation, **pause},
        ),
        Call(
            "second_stall_probability", stall_exposure.stall_probability,
            {**between, "interval_s": Const("interval_s", 1.0)},
        ),
        Call(
            "latency_spread_s", stall_exposure.latency_spread_s,
            {"queue_depth": DEPTH, "iops": rate, **pause, **between},
        ),
        Call("absorbing_pages", stall_exposure.absorbing_pages, {"iops": MEMBER_WRITES, **pause}),
        Call(
            "longest_write_s", latency_tail.longest_buffered_write_latency_s,
            {"offered_iops": MEMBER_WRITES, "write_iops": rate,
             "write_latency_s": of["write_alone_s"], "queue_depth": DEPTH,
             "buffer_pages": _NO_BUFFER, **pause},
            UNBUFFERED,
        ),
    )  # fmt: skip
    return {call.key: call for call in calls}


def _of_layout(
    of: Mapping[str, Node], case: ArrayCase, stall: Mapping[str, Node], operation: Node, rate: Node
) -> dict[str, Node]:
    """Build the collection behind the longest latency, and what stripes and records do."""
    collection = Call(
        "collection_s",
        stalls.implied_clean_s,
        {
            "max_latency_s": of["max_latency_s"], "iops": of["rated_write_iops"],
            "buffer_pages": _NO_BUFFER,
        },
    )  # fmt: skip
    found: dict[str, Node] = {"collection_s": collection}
    if case.is_single:
        return found
    found["adapter_iops"] = _behind_adapter(of, rate)
    if case.is_draid:
        return found | _of_draid(of)
    return found | (_of_vdev(of) if case.is_pool else _of_stripes(stall, operation))


def _behind_adapter(of: Mapping[str, Node], rate: Node) -> Node:
    """Build the operations of all drives that one adapter lets through."""
    data = Call(
        "adapter_bytes_per_s",
        interface.payload_bytes_per_s,
        {
            "link_bytes_per_s": Const("adapter_link_bytes_per_s", ADAPTER_BYTES_PER_S),
            "payload_bytes": Const("payload_bytes", 256.0, "assumption", ADAPTER),
            "overhead_bytes": Const("overhead_bytes", 24.0, "assumption", ADAPTER),
        },
        ADAPTER,
    )
    return Call(
        "adapter_iops",
        interface.uplink_iops,
        {
            "link_iops": rate, "members": of["working_members"],
            "uplink_bytes_per_s": data, "transfer_bytes": HOST_SIZE,
        },
        ADAPTER,
    )  # fmt: skip


def _of_stripes(stall: Mapping[str, Node], operation: Node) -> dict[str, Node]:
    """Build whole stripes per second while each drive stalls by itself."""
    often = Call(
        "stalls_per_s", queueing.iops, {"queue_depth": _ONE, "latency_s": stall["stall_interval_s"]}
    )
    begun = Call(
        "stalls_per_operation",
        bottleneck.utilisation,
        {"iops": often, "servers": _ONE, "operation_s": operation},
    )
    stripes = Call(
        "stalled_stripe_iops",
        array_stalls.stalled_stripe_iops,
        {
            "members": _GROUP, "operation_s": operation, "stall_s": stall["stall_s"],
            "stalls_per_operation": begun,
        },
    )  # fmt: skip
    return {"stalled_stripe_iops": When(often, stripes, least=ANY)}  # of drives that ever stall


def _of_vdev(of: Mapping[str, Node]) -> dict[str, Node]:
    """Build what one RAID-Z vdev keeps of its drives for such records, and how many it reads."""
    vdev: dict[str, Node] = {"members": _GROUP, "parities": _PARITIES}
    sector = Const("sector_bytes:vdev", SECTOR_BYTES)
    record: dict[str, Node] = {"record_bytes": RECORD, "sector_bytes": sector}
    calls = (
        Call("vdev_usable_fraction", raidz.raidz_usable_fraction, {**record, **vdev}),
        Call(
            "vdev_usable_bytes", raidz.raidz_usable_bytes,
            {"member_bytes": Leaf("user_bytes"), **record, **vdev},
        ),
        Call(
            "vdev_read_iops", raidz.raidz_read_iops,
            {"member_read_iops": of["rated_read_iops"], "block_sectors": Leaf("block_sectors"),
             **vdev},
            RULE,
        ),
    )  # fmt: skip
    return {call.key: call for call in calls}


def _of_draid(of: Mapping[str, Node]) -> dict[str, Node]:
    """Build what one dRAID vdev reads at random, and how full its drives are."""
    calls = (
        Call(
            "vdev_read_iops", declustered.declustered_iops,
            {"iops": of["rated_read_iops"], "members": _GROUP,
             "spares": Leaf("spread_spares", overrides=True),
             "data_members": Leaf("data_members", overrides=True), "parities": _PARITIES},
            RULE,
        ),
        Call(
            "member_fill_fraction", declustered.member_fill_fraction,
            {"stored_bytes": of["usable_bytes"], "member_bytes": Leaf("user_bytes"),
             "members": of["working_members"], "writes_per_write": Leaf("code_bytes_per_byte")},
        ),
    )  # fmt: skip
    return {call.key: call for call in calls}

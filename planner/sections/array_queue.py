"""Speed of a plan's array at a queue depth, and how long an operation takes."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from models import _check, queueing, stalls
from planner.graph.answer import Answer, given
from planner.graph.reading import Reading
from planner.sections.array_case import array_case, layout_leaves
from planner.sections.array_service import (
    DEPTHS,
    QUEUE_DEPTH,
    SHALLOW,
    SINGLE,
    SPEED,
    queue_graph,
    single_graph,
)
from planner.sections.plan import PlanReading

CURVE_DEPTHS = tuple(2.0**power for power in range(11))
TESTED_DEPTH = 32.0
DEEP = (
    "A drive serves one operation after the other, at its own rate in a deep queue. Latency "
    "beyond 1/IOPS overlaps with other operations."
)
ALONE = "IOPS of the array with one operation outstanding."
_STALLED = ("array_stalled_iops", "array_synchronised_iops", "array_window_iops")
_FURTHER = (
    "bound_iops", "knee_queue_depth", "remaining_read_iops", "degraded_read_iops",
    "survivor_write_bytes", "array_frozen_s", "array_lowest_window_iops",
    "second_stall_probability", "latency_spread_s", "absorbing_pages", "longest_write_s",
)  # fmt: skip
_OF_LAYOUT = (
    "collection_s", "adapter_iops", "stalled_stripe_iops", "vdev_usable_fraction",
    "vdev_usable_bytes", "vdev_read_iops", "member_fill_fraction",
)  # fmt: skip


class ArrayQueue:
    """Speed of a plan's array with `queue_depth` operations outstanding; each part when it is read.

    >>> from planner.scenario.array import Array
    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> writes = Workload(host_bytes_per_s=1e6, read_fraction=0)
    >>> twelve = plan_drive(find(load(), "845DC PRO 400"), writes, array=Array(members=12))
    >>> print(f"{array_queue(twelve).iops.value / (12 * 50_000):.2f}")
    0.99
    """

    def __init__(self, plan: PlanReading, queue_depth: float) -> None:
        self.plan = plan
        self.queue_depth = queue_depth

    @cached_property
    def reading(self) -> Reading:
        """The answers of the plan and of its array at the queue depth."""
        graph = queue_graph(self.plan.structure, array_case(self.plan.array))
        return self.plan.reading.extended(graph, self._leaves)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings that have the answers: of one drive that of its speed goes first."""
        depth = given("queue_depth", self.queue_depth, source="workload")
        alone = (_single_reading(self.plan, depth),) if self.plan.array.working == 1 else ()
        return (*alone, self.reading, self.plan.placed)

    @property
    def _leaves(self) -> dict[str, Answer]:
        plan, workload = self.plan, self.plan.workload
        held = 1 - plan.array.spread_spares / plan.array.group_members
        depth = given(QUEUE_DEPTH.key, self.queue_depth, source="workload")
        leaves = layout_leaves(plan.array, workload) | {
            QUEUE_DEPTH.key: depth,
            f"{QUEUE_DEPTH.key}:whole": _whole(depth),
            DEPTHS.key: given(DEPTHS.key, np.array(CURVE_DEPTHS), source="definition"),
            "held_fraction": given(
                "held_fraction", plan.partition_fraction * workload.fill_fraction * held,
                source="workload",
            ),
        }  # fmt: skip
        if plan.array.working == 1:
            leaves |= _of_one(plan, depth)
        return leaves

    def __getitem__(self, key: str) -> Answer:
        """Return an answer of the plan or of its array, by key."""
        return self.reading[key]

    @property
    def iops(self) -> Answer:
        """IOPS of the host."""
        return self["array_iops"]

    @property
    def read_latency_s(self) -> Answer:
        """Mean latency of reads."""
        return self["array_read_latency_s"]

    @property
    def write_latency_s(self) -> Answer:
        """Mean latency of writes."""
        return self["array_write_latency_s"]

    @property
    def curve_iops(self) -> Answer:
        """IOPS at `CURVE_DEPTHS`."""
        return self["array_iops_by_depth"]

    @property
    def stalled(self) -> tuple[Answer, ...]:
        """IOPS with stalls of the members: at random, all at once, in the slowest 1 % of 10 ms."""
        return tuple(self[key] for key in _STALLED)

    @cached_property
    def further(self) -> tuple[Answer, ...]:
        """Bounds by hand, IOPS beside writes and with a lost drive, and the cost of a stall."""
        own = self.reading.graph.answers
        return tuple(self[key] for key in (*_FURTHER, *(key for key in _OF_LAYOUT if key in own)))

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions of the answers."""
        array = self.plan.array
        takes_several = array.parities > 0 or array.copies > 1
        notes = {
            DEEP: True,
            SHALLOW: not self["read_alone_s"].is_known,
            SINGLE: takes_several and self["array_stalled_iops"].is_known,
        }
        return tuple(note for note, applies in notes.items() if applies)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers, in the order in which people read them; `further` ones beside them."""
        return (*(self[key] for key in SPEED.values()), *self.stalled)


def array_queue(plan: PlanReading, *, queue_depth: float | None = None) -> ArrayQueue:
    """Read the speed of the plan's array at a queue depth, by default that of all members."""
    each = plan.reading.leaves["queue_depth"]
    return ArrayQueue(plan, queue_depth or float(each.value * plan.array.working))


def _whole(depth: Answer) -> Answer:
    return replace(depth, value=_check.plain(np.maximum(1.0, np.round(depth.value))))


def _of_one(plan: PlanReading, depth: Answer) -> dict[str, Answer]:
    """Return the speed of one drive as leaves: at the depth, of one operation, of many depths."""
    one = given("one", 1.0, source="definition")
    depths = given(DEPTHS.key, np.array(CURVE_DEPTHS), source="definition")
    alone, curve = single_speed(plan, one), single_speed(plan, depths)
    leaves = {f"{key}:one": each for key, each in single_speed(plan, depth).items()}
    if alone:  # the inputs of both are those of another depth
        iops = alone["array_iops"].value
        leaves["array_alone_iops:one"] = given("array_alone_iops", iops, source="plan", note=ALONE)
    if curve:
        leaves["array_iops:one by depth"] = curve["array_iops"]
    return leaves


def single_speed(plan: PlanReading, depth: Answer) -> Mapping[str, Answer]:
    """Return IOPS and latencies of an array of one drive: those of the drive at a queue depth.

    Nothing where they are unknown at any of the depths.
    """
    reading = _single_reading(plan, depth)
    # Of several depths one formula: as printed some of them would be by another.
    several = np.ndim(depth.value) > 0
    iops = replace(reading["iops_by_depth" if several else "iops"], key="array_iops")
    if not iops.is_known or np.any(np.isnan(iops.value)):
        return {}
    point = reading["point_iops"]
    modelled = point.is_known and np.allclose(point.value, iops.value, rtol=1e-9)
    if modelled:
        sides = reading["read_latency_s"], reading["write_latency_s"]
    elif several:
        return {"array_iops": iops}
    else:
        sides = reading["mean_read_s"], reading["mean_write_s"]
    keys = ("array_read_latency_s", "array_write_latency_s")
    return {"array_iops": iops, **dict(zip(keys, sides, strict=True))}


def _single_reading(plan: PlanReading, depth: Answer) -> Reading:
    at_depth = {"queue_depth": replace(depth, key="queue_depth")}
    return Reading(single_graph(plan.structure), {**plan.reading.leaves, **at_depth})


def once_a_second(plan: PlanReading) -> PlanReading:
    """Return the plan with one stall per second and drive if the share of stalls is unknown."""
    reading = plan.reading
    worst = reading["worst_case_iops"]
    iops = reading["rated_write_iops"]
    share = reading.answer(reading.graph.nodes["member_stall_fraction"])
    if share.is_known or not worst.is_known or not iops.is_known:
        return plan
    longest_s = queueing.latency_s(TESTED_DEPTH, iops=worst.value)
    if longest_s * iops.value < TESTED_DEPTH:
        return plan
    pause_s = stalls.implied_pause_s(longest_s, queue_depth=TESTED_DEPTH, iops=iops.value)
    array = replace(plan.array, member_stall_fraction=min(1.0, float(pause_s)))
    return plan.again(array=array)

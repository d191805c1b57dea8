"""How fast is the array at a queue depth, and how long does an operation take?"""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

import numpy as np

from models import _check, array_speed, parallelism, pools, queueing, redundancy
from planner.arrays.bounds import left_over, of_a_stall, queue_bounds
from planner.arrays.layouts import of_layout
from planner.arrays.stalls import SINGLE, Stalls, stalled
from planner.graph.answer import Answer, Record, figure, figures, first_known, given, many_figures
from planner.graph.reading import Reading
from planner.scenario.array import Array, RaidLevel
from planner.scenario.workload import Workload
from planner.sections.plan import Plan
from planner.sections.structure import SECTOR_BYTES

DEPTHS = tuple(2.0**power for power in range(11))
DEEP = (
    "A member serves one operation after the other, at its own rate in a deep queue; what its "
    "latency is longer than that passes beside the service of others."
)
_KEYS = {
    "iops": "array_iops", "read_latency_s": "array_read_latency_s",
    "write_latency_s": "array_write_latency_s", "utilisation": "member_utilisation",
}  # fmt: skip
ALONE = "The same array with one operation outstanding."
SHALLOW = "Latency at queue depth 1 is unknown: it is taken as one over the IOPS, which is short."


class ArrayQueue:
    """Speed of a plan's array with `queue_depth` operations outstanding; each part when it is read.

    >>> from planner.scenario.array import Array
    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan
    >>> from planner.scenario.workload import Workload
    >>> writes = Workload(host_bytes_per_s=1e6, read_fraction=0)
    >>> twelve = plan(find(load(), "845DC PRO 400"), writes, array=Array(members=12))
    >>> print(f"{array_queue(twelve).iops.value / (12 * 50_000):.2f}")
    0.99
    """

    def __init__(self, plan: Plan, queue_depth: float) -> None:
        self.plan = plan
        self.queue_depth = queue_depth
        self._depth = given("array_queue_depth", queue_depth, source="workload")
        self._beside: tuple[ArrayQueue, ...] = (self,)

    @cached_property
    def _speed(self) -> tuple[Answer, ...]:
        if len(self._beside) > 1:
            return self._together[self._beside.index(self)]
        return speed_at(self.plan, self._depth)

    @cached_property
    def _together(self) -> list[tuple[Answer, ...]]:
        """The speeds of all that were made together, by one call for those of the same formula."""
        if self is not self._beside[0]:
            return self._beside[0]._together
        queued = [each for each in self._beside if _is_of_chunks(each.plan)]
        loads = [{"queue_depth": _whole(each._depth), **_load(each.plan)} for each in queued]
        speeds = dict(zip(queued, many_figures(_KEYS, array_speed.mixed_array_speed, loads),
                          strict=True))  # fmt: skip
        return [
            speeds[each] if each in speeds else speed_at(each.plan, each._depth)
            for each in self._beside
        ]

    @property
    def iops(self) -> Answer:
        """IOPS of the host."""
        return self._speed[0]

    @property
    def read_latency_s(self) -> Answer:
        """Mean latency of reads."""
        return self._speed[1]

    @property
    def write_latency_s(self) -> Answer:
        """Mean latency of writes."""
        return self._speed[2]

    @property
    def utilisation(self) -> Answer:
        """Busy share of a member."""
        return self._speed[3]

    @cached_property
    def curve_iops(self) -> Answer:
        """IOPS at `DEPTHS`."""
        depths = given("array_queue_depths", np.array(DEPTHS), source="definition")
        return speed_at(self.plan, depths)[0]

    @cached_property
    def _stalls(self) -> Stalls:
        return stalled(self.plan, self._depth, self.iops)

    @property
    def stalled(self) -> tuple[Answer, ...]:
        """IOPS with stalls of the members: at random, all at once, in the slowest 1 % of 10 ms."""
        return self._stalls.answers

    @cached_property
    def further(self) -> tuple[Answer, ...]:
        """Bounds by hand, what is left beside writes and with a drive lost, what a stall costs."""
        alone = speed_at(self.plan, given("one", 1.0, source="definition"))[0]
        if alone.is_known:  # its own inputs are those of another depth
            alone = given("array_alone_iops", alone.value, source="plan", note=ALONE)
        return (
            *queue_bounds(self._depth, alone, self.plan.array_answer.budget_iops),
            *left_over(self.plan),
            *of_a_stall(self.plan, self._depth, self._stalls),
            *of_layout(self.plan, self._stalls),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the answers take for granted."""
        single = self.stalled[0].is_known and _spreads(self.plan.array)
        return (
            DEEP,
            *(() if _has_latency(self.plan) else (SHALLOW,)),
            *((SINGLE,) if single else ()),
        )

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers, in the order in which people read them; `further` ones beside them."""
        return (*self._speed, *self.stalled)


def array_queue(answer: Plan, *, queue_depth: float | None = None) -> ArrayQueue:
    """Return the speed of the plan's array at a queue depth, by default that of all members."""
    each = answer.reading.leaves["queue_depth"]
    return ArrayQueue(answer, queue_depth or float(each.value * answer.array.working))


def array_queues(
    all_plans: Iterable[Plan], *, queue_depth: float | None = None
) -> list[ArrayQueue]:
    """Return what `array_queue` does for each plan; their speeds are computed together."""
    queues = [array_queue(answer, queue_depth=queue_depth) for answer in all_plans]
    for queue in queues:
        queue._beside = tuple(queues)
    return queues


def _is_of_chunks(answer: Plan) -> bool:
    """Whether the speed is that of single chunks on several drives."""
    return not answer.array.is_pool and answer.array.working > 1


def _whole(depth: Answer) -> Answer:
    return replace(depth, value=_check.plain(np.maximum(1.0, np.round(depth.value))))


def _spreads(array: Array) -> bool:
    """Whether a host operation may take several members."""
    return array.parities > 0 or array.copies > 1


def speed_at(answer: Plan, depth: Answer) -> tuple[Answer, ...]:
    """Return IOPS, read and write latency and the busy share of a member at a queue depth.

    One drive alone is as fast as its plan says of that depth.
    """
    whole = _whole(depth)
    if answer.array.is_pool:
        return figures(
            _KEYS, pools.record_array_speed, queue_depth=whole, **_drives(answer),
            records=Record(pools.RecordOperations, _records(answer)),
        )  # fmt: skip
    load = _load(answer)
    *found, busy = figures(_KEYS, array_speed.mixed_array_speed, queue_depth=whole, **load)
    if answer.array.working == 1:
        of_one = _of_one(answer, depth)
        if of_one[0].is_known and not np.any(np.isnan(of_one[0].value)):
            return *of_one, busy
    return *found, busy


def _of_one(answer: Plan, depth: Answer) -> tuple[Answer, ...]:
    """Return IOPS and latencies of an array of one drive: those of the drive."""
    graph = answer.reading.graph
    at_depth = {"queue_depth": replace(depth, key="queue_depth")}
    reading = Reading(graph, {**answer.reading.leaves, **at_depth})
    # Of several depths one formula: as printed some of them would be by another.
    several = graph.nodes["drive_at_depth_iops"]
    answer_iops = reading.answer(several) if np.ndim(depth.value) else reading["drive_iops"]
    iops = replace(answer_iops, key="array_iops")
    at_random = reading.answer(graph.nodes["random_at_depth_iops"])
    keys = {"iops": "random_at_depth_iops", "read_latency_s": "array_read_latency_s",
            "write_latency_s": "array_write_latency_s"}  # fmt: skip
    if at_random.is_known:
        alone, *latencies = figures(keys, parallelism.operating_point, **at_random.inputs)
        if np.allclose(alone.value, iops.value, rtol=1e-9):
            return iops, *latencies
    mean = {"queue_depth": depth, "iops": iops}
    sides = (figure(f"array_{side}_latency_s", queueing.latency_s, **mean)
             for side in ("read", "write"))  # fmt: skip
    return iops, *sides


def _load(answer: Plan) -> dict[str, Answer | Record]:
    """Return what `mixed_array_speed` is asked of the plan's array, its queue depth left out."""
    array, workload = answer.array, answer.workload
    code = given("code_members", array.stripe_members, source="array")
    parities = given("parities", array.parities, source="array")
    copies = given("copies", array.copies, source="array")
    operations = {
        "stripe_members": given("chunk_members", _stripe(array), source="array"),
        "reads_per_write": figure(
            "small_reads_per_write", redundancy.reads_per_write, members=code, parities=parities
        ),
        "writes_per_write": figure(
            "small_writes_per_write", redundancy.writes_per_write, copies=copies, parities=parities
        ),
    }
    stripes = {
        "full_stripe_fraction": given(
            "sequential_fraction", workload.sequential_fraction, source="workload"
        ),
        "code_members": code,
    }
    return {
        **_drives(answer),
        "host_operations": Record(array_speed.HostOperations, operations),
        "full_stripes": Record(array_speed.FullStripes, stripes),
    }


def _drives(answer: Plan) -> dict[str, Answer | Record]:
    """Return the drives, what share of the host's operations is reads, and how long they take."""
    share = given("read_fraction", answer.workload.read_fraction, source="workload")
    return {
        "members": answer.reading["working_members"],
        "read_fraction": share,
        "times": Record(array_speed.MemberTimes, member_times(answer)),
    }


def _records(answer: Plan) -> dict[str, Answer]:
    """Return what the host's operations ask of the records of a pool."""
    return {
        name: given(name, value, source="array")
        for name, value in record_operations(answer.array, answer.workload)._asdict().items()
    }


def record_operations(array: Array, workload: Workload) -> pools.RecordOperations:
    """Return the columns of a record of a pool, and the records of the host's operations."""
    spread = {"stripe_members": float(array.stripe_members), "parities": float(array.parities)}
    sectors = pools.record_sectors(array.record_bytes, sector_bytes=SECTOR_BYTES)
    columns = pools.record_columns(sectors, **spread)
    is_draid = array.level is RaidLevel.DRAID
    with_parity = pools.written_columns(columns, parities=array.parities)
    at_random, in_sequence = (
        pools.records_per_operation(
            workload.transfer_bytes, record_bytes=array.record_bytes, sequential_fraction=share
        )
        for share in (0.0, 1.0)
    )
    return pools.RecordOperations(
        group_members=float(array.group_members),
        data_columns=columns,
        write_columns=float(array.stripe_members) if is_draid else with_parity,
        random_records=at_random,
        sequential_records=in_sequence,
        sequential_fraction=workload.sequential_fraction,
        is_part=float(workload.transfer_bytes < array.record_bytes),
    )


def member_times(answer: Plan) -> dict[str, Answer]:
    """Return how long a read and a write occupy a member, and what passes beside that."""
    reads, writes = answer.performance.rated_read_iops, answer.performance.rated_write_iops
    has_writes = answer.workload.read_fraction < 1
    read_s = _service_s("member_read_s", reads, writes, is_needed=_reads_members(answer))
    write_s = _service_s("member_write_s", writes, reads, is_needed=has_writes)
    return {
        "read_s": read_s,
        "write_s": write_s,
        "read_delay_s": _delay_s(answer, "read", read_s if reads.is_known else reads),
        "write_delay_s": _delay_s(answer, "write", write_s if writes.is_known else writes),
    }


def _stripe(array: Array) -> float:
    """Return the members that one operation's chunks may fall on."""
    return float(array.group_members if array.parities else array.copies)


def _reads_members(answer: Plan) -> bool:
    """Whether members are read at all: by the host, or for parity."""
    return answer.workload.read_fraction > 0 or answer.array.parities > 0


def _service_s(key: str, rate: Answer, other: Answer, *, is_needed: bool) -> Answer:
    """Return the time that one operation takes a member; any time for a side without operations."""
    one = given("one", 1.0, source="definition")
    iops = rate if is_needed else first_known(rate, other)
    return figure(key, queueing.latency_s, queue_depth=one, iops=iops)


def _has_latency(answer: Plan) -> bool:
    return answer.reading["read_alone_s"].is_known


def _delay_s(answer: Plan, side: str, service_s: Answer) -> Answer:
    """Return what an operation alone takes longer than its service; none where it is unknown."""
    key = f"{side}_delay_s"
    return first_known(
        figure(
            key, array_speed.delay_s,
            latency_s=answer.reading[f"{side}_alone_s"], operation_s=service_s,
        ),
        given(key, 0.0, source="assumption", note=SHALLOW),
    )  # fmt: skip

"""How fast is the array at a queue depth, and how long does an operation take?"""

from dataclasses import dataclass

import numpy as np

from models import array_speed, queueing, redundancy
from planner.arrays.stalls import SINGLE, stalled
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, Record, figure, figures, first_known, given, unknown
from planner.scenario.array import Array
from planner.sections.flash import flash_of
from planner.sections.plan import Plan

__all__ = ["DEPTHS", "ArrayQueue", "array_queue", "speed_at"]

DEPTHS = tuple(2.0**power for power in range(11))
DEEP = (
    "A member serves one operation after the other, at its own rate in a deep queue; what its "
    "latency is longer than that passes beside the service of others."
)
SHALLOW = "Latency at queue depth 1 is unknown: it is taken as one over the IOPS, which is short."


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayQueue:
    """IOPS, latencies and the busy share of a member at `queue_depth` operations of the array.

    `curve_iops` are the IOPS at `DEPTHS`; `stalled` those with stalls of the members: at random,
    all at once, and in the slowest hundredth of windows of 10 ms.
    """

    queue_depth: float
    iops: Answer
    read_latency_s: Answer
    write_latency_s: Answer
    utilisation: Answer
    curve_iops: Answer
    stalled: tuple[Answer, ...]
    notes: tuple[str, ...]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order in which people read them."""
        return (
            self.iops,
            self.read_latency_s,
            self.write_latency_s,
            self.utilisation,
            *self.stalled,
        )


def array_queue(answer: Plan, *, queue_depth: float | None = None) -> ArrayQueue:
    """Return the speed of the plan's array at a queue depth, by default that of all members.

    >>> from planner.scenario.array import Array
    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan
    >>> from planner.scenario.workload import Workload
    >>> writes = Workload(host_bytes_per_s=1e6, read_fraction=0)
    >>> twelve = plan(find(load(), "845DC PRO 400"), writes, array=Array(members=12))
    >>> print(f"{array_queue(twelve).iops.value / (12 * 50_000):.2f}")
    0.99
    """
    depth = queue_depth or float(answer.workload.queue_depth * answer.array.working)
    at = given("array_queue_depth", max(1.0, round(depth)), source="workload")
    depths = given("array_queue_depths", np.array(DEPTHS), source="definition")
    iops, reads_s, writes_s, busy = speed_at(answer, at)
    held = stalled(answer, at, iops)
    known = held[0].is_known
    return ArrayQueue(
        queue_depth=depth,
        iops=iops,
        read_latency_s=reads_s,
        write_latency_s=writes_s,
        utilisation=busy,
        curve_iops=speed_at(answer, depths)[0],
        stalled=held,
        notes=(
            DEEP,
            *(() if _has_latency(answer.drive) else (SHALLOW,)),
            *((SINGLE,) if known and _spreads(answer.array) else ()),
        ),
    )


def _spreads(array: Array) -> bool:
    """Whether a host operation may take several members."""
    return array.parities > 0 or array.copies > 1


def speed_at(answer: Plan, depth: Answer) -> tuple[Answer, ...]:
    """Return IOPS, read and write latency and the busy share of a member at a queue depth."""
    array, workload = answer.array, answer.workload
    code = given("code_members", array.stripe_members, source="array")
    parities = given("parities", array.parities, source="array")
    copies = given("copies", array.copies, source="array")
    operations = {
        "stripe_members": given("stripe_members", _stripe(array), source="array"),
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
    return figures(
        {
            "iops": "array_iops",
            "read_latency_s": "array_read_latency_s",
            "write_latency_s": "array_write_latency_s",
            "utilisation": "member_utilisation",
        },
        array_speed.mixed_array_speed,
        queue_depth=depth,
        members=answer.reading["working_members"],
        read_fraction=given("read_fraction", workload.read_fraction, source="workload"),
        times=Record(array_speed.MemberTimes, _member_times(answer)),
        host_operations=Record(array_speed.HostOperations, operations),
        full_stripes=Record(array_speed.FullStripes, stripes),
    )


def _member_times(answer: Plan) -> dict[str, Answer]:
    """Return how long a read and a write occupy a member, and what passes beside that."""
    reads, writes = answer.performance.read_iops, answer.performance.write_iops
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


def _has_latency(drive: Drive) -> bool:
    return _latency_s(drive, "read").is_known


def _latency_s(drive: Drive, side: str) -> Answer:
    """Return the latency of one operation alone: printed, or of the flash."""
    flash = flash_of(drive)
    own = flash.read_s if side == "read" else unknown(key="write_latency_s", lacking=())
    return first_known(stated(drive, f"{side}_latency_s"), own)


def _delay_s(answer: Plan, side: str, service_s: Answer) -> Answer:
    """Return what an operation alone takes longer than its service; none where it is unknown."""
    key = f"{side}_delay_s"
    return first_known(
        figure(
            key, array_speed.delay_s,
            latency_s=_latency_s(answer.drive, side), operation_s=service_s,
        ),
        given(key, 0.0, source="assumption", note=SHALLOW),
    )  # fmt: skip

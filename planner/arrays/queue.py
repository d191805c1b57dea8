"""How fast is the array at a queue depth, and how long does an operation take?"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from models import _check, array_speed, queueing, redundancy
from planner.arrays.stalls import SINGLE, stalled
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, composed, figure, first_known, given, unknown
from planner.scenario.array import Array
from planner.sections.flash import flash_of
from planner.sections.plan import Plan

__all__ = ["DEPTHS", "ArrayQueue", "array_queue", "inputs_of", "speed_at"]

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

    >>> from planner.sections.array import Array
    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan
    >>> from planner.scenario.workload import Workload
    >>> writes = Workload(host_bytes_per_s=1e6, read_fraction=0)
    >>> twelve = plan(find(load(), "845DC PRO 400"), writes, array=Array(members=12))
    >>> print(f"{array_queue(twelve).iops.value / (12 * 50_000):.2f}")
    0.99
    """
    depth = queue_depth or float(answer.workload.queue_depth * answer.array.working)
    inputs = inputs_of(answer)
    at = {"queue_depth": given("array_queue_depth", max(1.0, round(depth)), source="workload")}
    curve = {"queue_depth": given("array_queue_depths", np.array(DEPTHS), source="definition")}

    def part(key: str, place: int, depths: Mapping[str, Answer]) -> Answer:
        return composed(key, array_speed.array_speed, partial(_speed, place), **depths, **inputs)

    iops = part("array_iops", 0, at)
    held = stalled(answer, at["queue_depth"], iops)
    known = held[0].is_known
    return ArrayQueue(
        queue_depth=depth,
        iops=iops,
        read_latency_s=part("array_read_latency_s", 1, at),
        write_latency_s=part("array_write_latency_s", 2, at),
        utilisation=part("member_utilisation", 3, at),
        curve_iops=part("array_iops", 0, curve),
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


def inputs_of(answer: Plan) -> dict[str, Answer]:
    """Return member times and what operations ask of members, as a graph."""
    array, speed = answer.array, answer.performance
    reads, writes = speed.read_iops, speed.write_iops
    return {
        "members": given("members", array.working, source="array"),
        "read_fraction": given("read_fraction", answer.workload.read_fraction, source="workload"),
        "read_s": _service_s("member_read_s", reads, writes, asked=_reads_members(answer)),
        "write_s": _service_s(
            "member_write_s", writes, reads, asked=answer.workload.read_fraction < 1
        ),
        "read_delay_s": given("read_delay_s", _delay_s(answer, "read", reads), source="plan"),
        "write_delay_s": given("write_delay_s", _delay_s(answer, "write", writes), source="plan"),
        "stripe_members": given("stripe_members", _stripe(array), source="array"),
        "code_members": given("code_members", array.stripe_members, source="array"),
        "reads_per_write": figure(
            "small_reads_per_write", redundancy.reads_per_write,
            members=given("stripe_members", array.stripe_members, source="array"),
            parities=given("parities", array.parities, source="array"),
        ),
        "writes_per_write": figure(
            "small_writes_per_write", redundancy.writes_per_write,
            copies=given("copies", array.copies, source="array"),
            parities=given("parities", array.parities, source="array"),
        ),
        "full_stripe_fraction": given(
            "sequential_fraction", answer.workload.sequential_fraction, source="workload"
        ),
    }  # fmt: skip


def _stripe(array: Array) -> float:
    """Return the members that one operation's chunks may fall on."""
    return float(array.group_members if array.parities else array.copies)


def _reads_members(answer: Plan) -> bool:
    """Whether members are read at all: by the host, or for parity."""
    return answer.workload.read_fraction > 0 or answer.array.parities > 0


def _service_s(key: str, rate: Answer, other: Answer, *, asked: bool) -> Answer:
    """Return the time that one operation takes a member; any time for a side not asked for."""
    one = given("one", 1.0, source="definition")
    iops = rate if asked else first_known(rate, other)
    return figure(key, queueing.latency_s, queue_depth=one, iops=iops)


def _has_latency(drive: Drive) -> bool:
    return _latency_s(drive, "read").is_known


def _latency_s(drive: Drive, side: str) -> Answer:
    """Return the latency of one operation alone: printed, or of the flash."""
    flash = flash_of(drive)
    own = flash.read_s if side == "read" else unknown(key="write_latency_s", lacking=())
    return first_known(stated(drive, f"{side}_latency_s"), own)


def _delay_s(answer: Plan, side: str, rate: Answer) -> float:
    alone = _latency_s(answer.drive, side)
    if not alone.is_known or not rate.is_known:
        return 0.0
    return max(0.0, float(alone.value - 1 / rate.value))


def _speed(place: int, *, queue_depth: ArrayLike, **told: float) -> float:
    """Pick one result; the scalar ones are solved together."""
    if np.ndim(queue_depth):
        return speed_at(queue_depth, **told)[place]
    return _solved_once(float(np.asarray(queue_depth)), **told)[place]


@lru_cache(maxsize=64)
def _solved_once(queue_depth: float, **told: float) -> tuple[float, ...]:
    return speed_at(queue_depth, **told)


def speed_at(
    queue_depth: ArrayLike,
    *,
    members: float,
    read_fraction: float,
    read_s: float,
    write_s: float,
    read_delay_s: float,
    write_delay_s: float,
    full_stripe_fraction: float,
    stripe_members: float,
    code_members: float,
    **writes: float,
) -> tuple[float, ...]:
    """Return IOPS, latencies and utilisation of `inputs_of` a plan, or of arrays of such numbers.

    Single chunks and chunks of full stripes are mixed: IOPS by time, the others by operation.
    """
    single = array_speed.HostOperations(stripe_members, **writes)
    mirrored = np.asarray(writes["reads_per_write"]) == 0
    copies = _check.plain(np.where(mirrored, writes["writes_per_write"], 1.0))
    together = single._replace(reads_per_write=0.0, writes_per_write=copies)
    times = array_speed.MemberTimes(read_s, write_s, read_delay_s, write_delay_s)
    shared = times._replace(write_s=write_s * _stripe_cost(single, copies, code_members))
    load = {"members": members, "read_fraction": read_fraction}
    depth = cast("float", queue_depth)
    one = array_speed.array_speed(depth, times=times, host_operations=single, **load)
    if not full_stripe_fraction:
        return tuple(one)
    whole = array_speed.array_speed(depth, times=shared, host_operations=together, **load)
    rest = 1 - full_stripe_fraction
    iops = 1 / (rest / np.asarray(one.iops) + full_stripe_fraction / np.asarray(whole.iops))
    others = (
        rest * np.asarray(part) + full_stripe_fraction * np.asarray(other)
        for part, other in zip(one[1:], whole[1:], strict=True)
    )
    return tuple(_check.plain(value) for value in (iops, *others))


def _stripe_cost(single: array_speed.HostOperations, copies: float, code_members: float) -> float:
    """Return member writes per chunk of a full stripe, parity shared by its chunks."""
    parities = single.writes_per_write - copies
    return code_members / (code_members - parities)

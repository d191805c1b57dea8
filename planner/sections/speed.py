"""How fast is one drive over time: fresh, at the cliff, in steady state, in the worst second?

The test is the one that reviews run for hours: random writes of 4 KiB to a drive that was filled in
sequence, at the workload's queue depth, over the capacity in use; beside it latencies of the
workload by percentile.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cache
from typing import NamedTuple

import numpy as np

from models import parallelism
from planner.catalogue.drive import ASSUMPTION, Drive
from planner.catalogue.facts import stated
from planner.catalogue.priors import flash_assumptions
from planner.graph.answer import Answer, unknown, walk
from planner.graph.nodes import Graph, Node
from planner.graph.reading import Reading
from planner.scenario.array import Array
from planner.scenario.firmware import Firmware
from planner.scenario.workload import Workload
from planner.sections.calibration import fit_notes
from planner.sections.die_speed import IN_PLACE, die_nodes
from planner.sections.plan import PlanReading, plan_graph
from planner.sections.read_error import is_measured_itself, own_ground, read_error_leaf
from planner.sections.read_tail import CROWDED, INTERRUPTED, LOAD, read_nodes, saturation_sentence
from planner.sections.service import DIES
from planner.sections.speed_case import QUANTILES, TEST_DEPTH, SpeedCase, case_of, speed_leaves
from planner.sections.structure import leaves_of
from planner.sections.write_amplification import outside_checked_ranges
from planner.sections.write_cache import cache_nodes
from planner.sections.write_tail import write_nodes
from planner.sections.write_test import ALIGNED, COLLECTION, turn_nodes, worst_nodes

SHORT_TEST_S = 2000.0  # of the reviews
MODEL_ERROR = 0.2  # by which the dies' time may exceed a printed rate
NO_GEOMETRY = (
    "The dies of this kind of flash are unknown (die capacity, page, block and times): steady "
    "writes rest on the printed rate alone."
)


class SpeedLimit(StrEnum):
    """Limit of a rate."""

    DIES = "dies"
    LINK = "host link"
    QUEUE = "queue depth"
    PRINTED = "printed rate"
    ASSUMED = "assumed rate"


# Arguments of `models.bottleneck.write_iops`; of equal ones the first is named.
FRESH_LIMITS = {
    "link_iops": SpeedLimit.LINK, "controller_iops": SpeedLimit.LINK, "media_iops": SpeedLimit.DIES
}  # fmt: skip
STEADY_LIMITS = {"media_iops": SpeedLimit.DIES, "link_iops": SpeedLimit.LINK}
READ_LIMITS = {
    "queue depth": SpeedLimit.QUEUE, "dies": SpeedLimit.DIES, "link": SpeedLimit.LINK,
    "rates": SpeedLimit.PRINTED,
}  # fmt: skip


class SpeedReading(NamedTuple):
    """A reading of the speed of a drive, and the case of its graph."""

    drive: Drive
    reading: Reading
    case: SpeedCase


class CommitPath(NamedTuple):
    """Waits of a commit: the buffer, the pages that a flush programs, and stalls."""

    write_latency_s: Answer
    program_s: Answer
    programs: Answer
    flush_s: Answer
    held_s: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """Rates of one drive over the time of a saturated write test, and reads beside its load.

    `collection` holds the longest write latency for each way of collecting garbage, because
    no data sheet says which one a drive follows. Spare area, unit of collection, pages and fills
    until the drive settles are what the course of the test is drawn from, with the write
    amplification of collection alone: all in units of the drive's map. The deep rates are those
    where the queue is no limit, `dies_write_iops` what the dies alone have time for.
    """

    drive: Drive
    queue_depth: float
    fresh_write_iops: Answer
    steady_write_iops: Answer
    deep_fresh_write_iops: Answer
    deep_steady_write_iops: Answer
    dies_write_iops: Answer
    steady_residual: Answer
    random_read_iops: Answer
    iops: Answer
    op_ratio: Answer
    pages_per_block: Answer
    user_pages: Answer
    settling_fills: Answer
    collection_wa: Answer
    wa: Answer
    peak_wa: Answer
    lowest_write_iops: Answer
    cliff_s: Answer
    settling_s: Answer
    max_latency_s: Answer
    worst_case_iops: Answer
    worst_case_at_depth_iops: Answer
    collection: tuple[Answer, ...]
    read_quantiles_s: Answer
    closed_read_quantiles_s: Answer
    write_quantiles_s: Answer
    commit_quantiles_s: Answer
    saturation_probability: Answer
    commit_path: CommitPath
    second_sd_iops: Answer
    cache: tuple[Answer, ...]
    binding: Mapping[str, SpeedLimit]
    notes: tuple[str, ...]
    reading: Reading = field(repr=False, compare=False)
    case: SpeedCase = field(repr=False, compare=False)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer of the write test, in the order in which people read them.

        Without how far the model is off a rate that the vendor does not print.
        """
        residual = self.steady_residual
        return (
            self.fresh_write_iops,
            self.cliff_s,
            self.lowest_write_iops,
            self.settling_s,
            self.steady_write_iops,
            *((residual,) if residual.is_known or residual.lacking else ()),
            self.max_latency_s,
            self.worst_case_iops,
            self.worst_case_at_depth_iops,
            self.second_sd_iops,
            self.random_read_iops,
            self.iops,
        )

    @property
    def every(self) -> tuple[Answer, ...]:
        """Every answer: of the write test, of collection, of the cache and of reads."""
        quantiles = (
            self.read_quantiles_s,
            self.closed_read_quantiles_s,
            self.write_quantiles_s,
            self.commit_quantiles_s,
        )
        return (*self.answers, *self.collection, *self.cache, *quantiles)

    @property
    def nodes(self) -> dict[str, Answer]:
        """Every number by key: inputs first, then what they feed."""
        return walk(self.every)

    @property
    def lacking(self) -> tuple[str, ...]:
        """Facts that would supply what is missing."""
        found = [name for part in self.every if not part.is_known for name in part.lacking]
        return tuple(dict.fromkeys(found))

    @property
    def read_latency_s(self) -> dict[float, float]:
        """Read latency by percentile at the workload's own rates; empty where unknown."""
        return by_percentile(self.read_quantiles_s)

    @property
    def closed_read_latency_s(self) -> dict[float, float]:
        """Read latency by percentile for readers at the queue depth; empty where unknown."""
        return by_percentile(self.closed_read_quantiles_s)

    @property
    def write_latency_s(self) -> dict[float, float]:
        """Write latency by percentile at the workload's own rate; empty where unknown."""
        return by_percentile(self.write_quantiles_s)

    @property
    def commit_latency_s(self) -> dict[float, float]:
        """Commit latency by percentile at the workload's own rate; empty where unknown."""
        return by_percentile(self.commit_quantiles_s)

    @property
    def saturation(self) -> str:
        """Probability that the writes are more than the drive takes, in words; empty if low."""
        return saturation_sentence(self.reading)

    @property
    def is_below_dies(self) -> bool:
        """Whether far less is printed than the dies have time for: firmware, or slower flash."""
        residual = self.steady_residual
        return bool(residual.is_known and residual.value > MODEL_ERROR)

    def is_too_short(self, test_s: float) -> bool | None:
        """Whether a test of this length ends before the steady state; None if unknown."""
        if not self.settling_s.is_known:
            return None
        return bool(self.settling_s.value > test_s)


def by_percentile(quantiles: Answer) -> dict[float, float]:
    """Return latencies by percentile; none where they are unknown."""
    if not quantiles.is_known:
        return {}
    # No percentile is below a lower one, which what was measured of each may have moved past it.
    values = np.maximum.accumulate(np.atleast_1d(quantiles.value))
    return {round(100 * level, 6): float(s) for level, s in zip(QUANTILES, values, strict=True)}


_CLOSED = "closed_read_quantiles_s"
_NUMBERS = tuple(
    part.name for part in fields(Speed) if part.type is Answer and part.name != _CLOSED
)
_NAMED = {
    "max_latency_s": "longest_write_s", "worst_case_iops": "worst_write_iops",
    "worst_case_at_depth_iops": "worst_write_at_depth_iops",
}  # fmt: skip


def nodes_of(speed: Speed) -> dict[str, Node]:
    """Return the node of every answer of a speed that is one number, by the key of the answer."""
    of = speed.reading.graph.answers
    own = {getattr(speed, name).key: of[_NAMED.get(name, name)] for name in _NUMBERS}
    further = (*COLLECTION, *(answer.key for answer in speed.cache))
    return own | {name: of[name] for name in further}


@cache
def speed_graph(case: SpeedCase) -> Graph:
    """Return every answer of a plan and of the speed of one drive."""
    plan = plan_graph(case.structure).answers
    nodes = die_nodes(plan, case)
    nodes |= turn_nodes(nodes, case)
    nodes |= worst_nodes(nodes, plan, case)
    return Graph(
        plan
        | {"random_read_iops": plan["page_read_iops"], "iops": plan["drive_iops"]}
        | nodes
        | read_nodes(nodes, case)
        | write_nodes(nodes, case)
        | cache_nodes(case)
    )


def speed(
    drive: Drive,
    workload: Workload,
    *,
    partition_fraction: float = 1.0,
    firmware: Firmware | None = None,
    with_readers: bool = True,
) -> Speed:
    """Read how fast the drive is over the time of a write test, and its reads under load.

    Readers at the queue depth take most of the time that this takes: they may be left out.

    >>> from planner.catalogue import find, load
    >>> got = speed(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e6))
    >>> 47_500 < got.steady_write_iops.value < 52_500
    True
    """
    case = case_of(drive, workload, firmware or Firmware())
    reading = _reading(drive, workload, partition_fraction, case)
    return _speed(SpeedReading(drive, reading, case), with_readers=with_readers)


def speed_of(plan: PlanReading, drive: Drive | None = None, *, with_readers: bool = True) -> Speed:
    """Read the speed over time of one drive of the plan, or of another, beside its writes."""
    return _speed(speed_reading(plan, drive), with_readers=with_readers)


def speed_reading(plan: PlanReading, drive: Drive | None = None) -> SpeedReading:
    """Return the reading of the speed of one drive of the plan, or of another.

    Nothing is computed before an answer is asked of it.
    """
    if drive is not None or plan.array != Array():
        own, workload = drive or plan.drive, member_workload(plan)
        case = case_of(own, workload, plan.firmware)
        return SpeedReading(own, _reading(own, workload, plan.partition_fraction, case), case)
    case = case_of(plan.drive, plan.workload, plan.firmware)
    leaves = _leaves(plan.drive, plan.workload, case)
    return SpeedReading(plan.drive, plan.reading.extended(speed_graph(case), leaves), case)


def commit_path(reading: Reading) -> CommitPath:
    """Read the way of a commit to the flash."""
    return CommitPath(*(reading[name] for name in CommitPath._fields))


def member_workload(plan: PlanReading) -> Workload:
    """Return the workload of one drive of the array."""
    return replace(plan.workload, host_bytes_per_s=plan.reading["member_bytes_per_s"].value)


def read_tail(
    drive: Drive,
    workload: Workload,
    *,
    partition_fraction: float = 1.0,
    firmware: Firmware | None = None,
) -> dict[float, float]:
    """Read the latency of reads by percentile at the workload's own rates; empty where unknown."""
    case = case_of(drive, workload, firmware or Firmware())
    reading = _reading(drive, workload, partition_fraction, case)
    return by_percentile(reading["read_quantiles_s"])


def _reading(
    drive: Drive, workload: Workload, partition_fraction: float, case: SpeedCase
) -> Reading:
    leaves = leaves_of(drive, workload, partition_fraction=partition_fraction)
    return Reading(speed_graph(case), leaves | _leaves(drive, workload, case))


def _leaves(drive: Drive, workload: Workload, case: SpeedCase) -> dict[str, Answer]:
    return speed_leaves(drive, workload) | read_error_leaf(drive, case)


def _speed(of: SpeedReading, *, with_readers: bool) -> Speed:
    drive, reading, case = of
    numbers = {name: reading[_NAMED.get(name, name)] for name in _NUMBERS}
    for name, key in _keys(reading, case).items():
        numbers[name] = replace(numbers[name], key=key)
    numbers[_CLOSED] = reading[_CLOSED] if with_readers else unknown(_CLOSED)
    cached = ("cached_s", "drain_s") if reading["cache_bytes"].is_known else ()
    return Speed(
        **numbers,
        drive=drive,
        queue_depth=reading.answer(TEST_DEPTH).value,
        collection=tuple(reading[name] for name in COLLECTION),
        cache=tuple(reading[name] for name in cached),
        commit_path=commit_path(reading),
        binding=_binding(drive, numbers),
        notes=(*fit_notes(drive), *_notes(drive, reading, case)),
        reading=reading,
        case=case,
    )


def _keys(reading: Reading, case: SpeedCase) -> dict[str, str]:
    """Return the names by which people know the rates of writes: as printed, or as modelled."""
    fresh, steady = reading["any_fresh_write_iops"], reading["any_steady_write_iops"]
    is_burst = not case.is_in_place and not fresh.is_computed
    is_own = case.is_in_place or steady.key == "steady_write_iops"  # printed, or fitted
    return {
        "fresh_write_iops": "burst_write_iops" if is_burst else "fresh_write_iops",
        "steady_write_iops": "steady_write_iops" if is_own else "modelled_steady_write_iops",
    }


def _binding(drive: Drive, numbers: Mapping[str, Answer]) -> dict[str, SpeedLimit]:
    """Return the limit of each rate, where it is known."""
    fresh, steady = numbers["fresh_write_iops"], numbers["steady_write_iops"]
    limits = {
        "fresh_write_iops": _least(fresh, FRESH_LIMITS),
        "steady_write_iops": _steady_limit(fresh, steady, numbers["steady_residual"]),
        "random_read_iops": _read_limit(
            numbers["random_read_iops"], stated(drive, "random_read_iops")
        ),
    }
    return {name: limit for name, limit in limits.items() if limit is not None}


def _steady_limit(fresh: Answer, steady: Answer, residual: Answer) -> SpeedLimit | None:
    """Return the limit of the steady rate: the dies too where they explain the printed one."""
    if steady.is_given and residual.is_known and abs(residual.value) <= MODEL_ERROR:
        return SpeedLimit.DIES
    if "burst_write_iops" not in steady.arguments:
        return _least(steady, STEADY_LIMITS)
    return _least(fresh, FRESH_LIMITS) if steady.value >= fresh.value else SpeedLimit.DIES


def _least(rate: Answer, limits: Mapping[str, SpeedLimit]) -> SpeedLimit | None:
    """Name the least of the rates that a rate is the least of."""
    if not rate.is_computed:
        return _printed(rate)
    if "queue_iops" in rate.arguments:
        return SpeedLimit.QUEUE
    known = [name for name in limits if name in rate.arguments]
    if not known:
        return None  # fitted to what was measured: the limit is not known
    return limits[min(known, key=lambda name: float(rate.arguments[name]))]


def _read_limit(random_reads: Answer, printed: Answer) -> SpeedLimit | None:
    """Return the limit of random reads: the printed rate too where map reads slow them down."""
    if random_reads.key == printed.key:
        return _printed(printed)
    if not random_reads.is_computed:
        return None
    point = parallelism.operating_point(**random_reads.arguments, write_accept_s=math.inf)
    return READ_LIMITS[parallelism.BINDINGS[int(point.binding)]]


def _printed(rate: Answer) -> SpeedLimit | None:
    if not rate.is_given:
        return None
    return SpeedLimit.ASSUMED if rate.source == ASSUMPTION.source_id else SpeedLimit.PRINTED


def _notes(drive: Drive, reading: Reading, case: SpeedCase) -> tuple[str, ...]:
    of_reads = reading["read_quantiles_s"].note
    dies, readers = reading.answer(DIES), reading.answer(TEST_DEPTH).value
    is_known = reading["dies_write_iops"].is_known
    notes = {
        NO_GEOMETRY: not is_known and not case.is_in_place,
        IN_PLACE: case.is_in_place,
        ALIGNED: not case.is_tested and not case.is_in_place,
        of_reads or LOAD: True,
        own_ground(drive): is_measured_itself(drive),
        CROWDED: of_reads != INTERRUPTED and dies.is_known and readers > dies.value,
    }
    return (
        *(note for note, applies in notes.items() if applies),
        *outside_checked_ranges((reading["wa"],)),
        *(f"Assumed for speed: {item}" for item in flash_assumptions(drive)),
    )

"""A measured run of a protocol beside its prediction: each phase, and the course over time."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.errors import DomainError
from planner.sections.ranges import Range
from planner.simulation.protocol.answer import PhaseAnswer, ProtocolAnswer
from planner.simulation.protocol.phases import Action, Phase
from planner.telemetry.fio import Course, FioJob, FioTest

BESIDE = "-beside"  # after the name of a phase: its second stream
_SAME_SIZE = 0.01
_RATES = {"bytes_per_s", "iops"}


class MeasuredPhase(NamedTuple):
    """The measurements of one phase; unknown ones are None."""

    answer: PhaseAnswer
    bytes_per_s: float
    iops: float
    latency_s: float | None
    p99_s: float | None

    @property
    def name(self) -> str:
        """Name of the phase."""
        return self.answer.phase.name

    @property
    def ratio(self) -> float:
        """Measured over predicted rate."""
        return self.bytes_per_s / self.answer.bytes_per_s.typical

    @property
    def is_inside(self) -> bool:
        """Whether the range of the prediction holds the measured rate."""
        return _holds(self.answer.bytes_per_s, self.bytes_per_s)


class MeasuredCourse(NamedTuple):
    """The data rate of one phase over its seconds."""

    name: str
    seconds: NDArray[np.float64]
    bytes_per_s: NDArray[np.float64]


class MeasuredProtocol(NamedTuple):
    """A run of a protocol: its phases, its courses, and the jobs that are none of its phases."""

    phases: tuple[MeasuredPhase, ...]
    courses: tuple[MeasuredCourse, ...]
    others: tuple[str, ...]


def measured_protocol(answer: ProtocolAnswer, tests: Sequence[FioTest]) -> MeasuredProtocol:
    """Find the phases of a protocol among the jobs and logs of fio tests.

    A job is a phase by its name, else by its direction, order of addresses, size and queue depth
    if only one phase has these. Raises DomainError if no job is a phase.
    """
    jobs = [job for test in tests for job in test.jobs]
    found = list(_phases(answer, jobs))
    courses = tuple(_courses(answer, [course for test in tests for course in test.courses]))
    if not found and not courses:
        names = ", ".join(each.phase.name for each in answer.phases)
        raise DomainError(f"measured: no job is a phase of {answer.protocol.name}: {names}")
    of_phases = {job.name for job, _ in found}
    prepared = {name for phase in answer.protocol.phases for name in _names(phase.name)}
    others = tuple(job.name for job in jobs if job.name not in of_phases | prepared)
    return MeasuredProtocol(tuple(phase for _, phase in found), courses, others)


def _holds(each: Range, value: float) -> bool:
    return each.low <= value <= each.high


def _phases(
    answer: ProtocolAnswer, jobs: Iterable[FioJob]
) -> Iterator[tuple[FioJob, MeasuredPhase]]:
    left = {each.phase.name: each for each in answer.phases}
    unnamed: list[FioJob] = []
    for job in jobs:
        each = left.pop(job.name, None)
        if each is None:
            unnamed.append(job)
        else:
            yield job, _measured(each, job)
    for job in unnamed:
        alike = [each for each in left.values() if _is_like(each.phase, job)]
        if len(alike) == 1:
            left.pop(alike[0].phase.name)
            yield job, _measured(alike[0], job)


def _is_like(phase: Phase, job: FioJob) -> bool:
    kinds = {Action.READ: {"read"}, Action.WRITE: {"write"}, Action.MIX: {"read", "write"}}
    if {one.kind for one in job.directions} != kinds.get(phase.action):
        return False
    pattern = "sequential" if phase.is_sequential else "random"
    sizes = (one.transfer_bytes / phase.transfer_bytes - 1 for one in job.directions)
    return (
        job.pattern in {"", pattern}
        and job.queue_depth in {None, phase.queue_depth}
        and all(abs(off) <= _SAME_SIZE for off in sizes)
    )


def _measured(each: PhaseAnswer, job: FioJob) -> MeasuredPhase:
    """Join the directions of a job."""
    moving = [one for one in job.directions if one.kind != "trim"]
    iops = sum(one.iops for one in moving)
    latencies = [one.mean_latency_s for one in moving]
    known = [latency for latency in latencies if latency is not None]
    mean = None
    if moving and len(known) == len(moving) and iops:
        weights = [one.iops for one in moving]
        mean = float(np.average(known, weights=weights))
    p99 = moving[0].quantiles_s.get(99.0) if len(moving) == 1 else None
    rate, phase = sum(one.bytes_per_s for one in moving), each.phase
    if phase.busy_fraction < 1 and mean:  # fio counts the pauses: Little's law leaves them out
        iops = phase.queue_depth / mean
        rate = iops * phase.transfer_bytes
    return MeasuredPhase(each, rate, iops, mean, p99)


def _names(phase: str) -> tuple[str, str]:
    """Return the names of the sections of a phase."""
    return phase, f"{phase}{BESIDE}"


def log_name(phase: str) -> str:
    """Return the name of a phase as that of a file.

    >>> log_name("write random 4KiB skew 80/20 for 60 s")
    'write random 4KiB skew 80-20 for 60 s'
    """
    return phase.replace("/", "-")


def _courses(answer: ProtocolAnswer, logs: Iterable[Course]) -> Iterator[MeasuredCourse]:
    """Yield the logs of rates that belong to a phase: by their name, or to the only phase.

    Reads and writes of one phase are added up.
    """
    phases = {log_name(each.phase.name): each.phase for each in answer.phases}
    found: dict[str, list[Course]] = {}
    for log in logs:
        if log.quantity not in _RATES:
            continue
        named = [name for name in phases if log.prefix.endswith(name)]
        name = max(named, key=len, default=next(iter(phases)) if len(phases) == 1 else None)
        if name is None:
            continue
        same = found.setdefault(name, [log])
        if log is not same[0] and log.quantity == same[0].quantity:
            same.append(log)
    for name, several in found.items():
        seconds = np.array(max((log.seconds for log in several), key=len))
        total = sum(np.interp(seconds, log.seconds, log.values, right=0.0) for log in several)
        factor = phases[name].transfer_bytes if several[0].quantity == "iops" else 1.0
        yield MeasuredCourse(phases[name].name, seconds, factor * np.asarray(total))

"""Records of fio tests: measurements of each job, curves over queue depth, logs over time.

Numbers are in base units. `fields` names, for each number of a record, its field in the file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import NamedTuple

from planner.telemetry.record import WorkloadReading

_SAME_SIZE = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The measurements of one job in one direction.

    Attributes:
        kind: "read", "write" or "trim".
        iops: Rate of operations. [1/s]
        bytes_per_s: Throughput. [bytes/s]
        transfer_bytes: Mean size of operations. [bytes]
        runtime_s: Time. [s]
        operations: Number of operations. [1]
        mean_latency_s: Mean latency: from submission to completion if `latency_of` is "lat". [s]
        max_latency_s: Greatest latency. [s]
        latency_sd_s: Standard deviation of latency. [s]
        quantiles_s: Latency by percent: `quantiles_s[99.9]`. [s]
        lowest_iops: Minimum of the rate samples of fio, by default two per second. [1/s]
        iops_sd: Standard deviation of these samples. [1/s]
    """

    kind: str
    iops: float
    bytes_per_s: float
    transfer_bytes: float
    runtime_s: float
    operations: float
    latency_of: str = ""
    mean_latency_s: float | None = None
    max_latency_s: float | None = None
    latency_sd_s: float | None = None
    quantiles_of: str = ""
    quantiles_s: Mapping[float, float] = field(default_factory=dict)
    lowest_iops: float | None = None
    iops_sd: float | None = None
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FioJob:
    """One job, together with its clones (numjobs).

    Attributes:
        pattern: "random", "sequential", or empty if the file does not state it.
        queue_depth: I/O depth times clones; a synchronous engine has depth 1. [1]
        outstanding: Mean outstanding operations by Little's law: rate times mean latency, all
            directions. [1]
        little_error: `outstanding` over `queue_depth`, less one. [1]
        depths: Share of submissions at queue depths from this level to the next.
        is_paced: Whether a rate limit or think time slowed it, so that the depth is not reached.
        is_direct: Whether it bypassed the page cache; None if the file states no options.
        beside: Jobs that ran at the same time.
    """

    name: str
    group: str
    rw: str = ""
    pattern: str = ""
    clones: int = 1
    queue_depth: float | None = None
    outstanding: float | None = None
    little_error: float | None = None
    depths: Mapping[float, float] = field(default_factory=dict)
    read_fraction: float | None = None
    is_paced: bool = False
    is_direct: bool | None = None
    beside: tuple[str, ...] = ()
    log_prefix: str = ""
    directions: tuple[Measured, ...]
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def only(self) -> Measured | None:
        """The direction of a job that has only one, else None."""
        return self.directions[0] if len(self.directions) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthCurve:
    """One kind of operation over increasing queue depths."""

    kind: str
    pattern: str
    transfer_bytes: float
    queue_depths: tuple[float, ...]
    iops: tuple[float, ...]
    mean_latency_s: tuple[float | None, ...]
    jobs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistency:
    """Cliff, steady state by SNIA's criterion, and variation of a log.

    Attributes:
        cliff_s: Time of the largest lasting drop; None without a drop. [s]
        before_cliff: Mean before that drop; None without a drop.
        round_s: Length of a round of the steady-state criterion. [s]
        is_steady: Whether the last five rounds are steady; None if there are fewer.
        steady_from_s: Start of the first five steady rounds after the cliff. [s]
        steady_mean: Mean of the last five rounds if these are steady too, else of the first five
            steady ones.
        range_ratio: Range of the last five rounds over their mean; at most 0.20 in steady state.
            [1]
        slope_ratio: Slope of the last five rounds over their mean; at most 0.10 in steady state.
            [1]
        minimum: Lowest period of the steady part if there is one, else of the whole log.
        deviation: Standard deviation of the same part.
        variation: Coefficient of variation of the same part.
    """

    mean: float
    minimum: float
    deviation: float
    variation: float | None
    cliff_s: float | None
    before_cliff: float | None
    round_s: float
    is_steady: bool | None
    steady_from_s: float | None
    steady_mean: float | None
    range_ratio: float | None
    slope_ratio: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """One quantity of one direction of a log, in periods of a second or longer.

    Attributes:
        quantity: "iops", "bytes_per_s", or a latency: "lat_s", "clat_s", "slat_s".
        prefix: Name of the file before `_iops.1.log`, which is the value of the job's log option.
        seconds: Ends of the periods.
        values: The mean of each period.
        lines: Lines of the log.
    """

    quantity: str
    kind: str
    prefix: str
    period_s: float
    seconds: tuple[float, ...]
    values: tuple[float, ...]
    lines: int
    consistency: Consistency | None
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FioTest(WorkloadReading):
    """The contents of a fio file: jobs with their curves, or the courses of a log.

    Attributes:
        disks: Block devices that did the work, by their names in the system.
        names: Texts that may name the drive, each after its field; a path may end in the serial
            number, so that no record shows them.
    """

    version: str = ""
    disks: tuple[str, ...] = ()
    names: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    jobs: tuple[FioJob, ...] = ()
    curves: tuple[DepthCurve, ...] = ()
    courses: tuple[Course, ...] = ()
    notes: tuple[str, ...] = ()


class FioRun(NamedTuple):
    """The files of one run: its result and its logs, or logs of one name, by name of the file."""

    name: str
    files: dict[str, FioTest]

    @property
    def tests(self) -> list[FioTest]:
        """Contents of the files."""
        return [*self.files.values()]


def runs(files: Sequence[tuple[str, FioTest]]) -> list[FioRun]:
    """Join logs to the result whose job wrote them, else to logs of the same name.

    >>> def log(name):
    ...     periods = {"period_s": 1.0, "seconds": (), "values": (), "lines": 0}
    ...     return FioTest(courses=(Course(quantity="iops", kind="read", prefix=name,
    ...                                    consistency=None, **periods),))
    >>> job = FioJob(name="job", group="0", log_prefix="logs/rw", directions=())
    >>> files = [("rw_bw.1.log", log("rw")), ("a.json", FioTest(jobs=(job,))), ("x.log", log("x"))]
    >>> [(run.name, list(run.files)) for run in runs(files)]
    [('a.json', ['a.json', 'rw_bw.1.log']), ('x', ['x.log'])]
    """
    results = [FioRun(name, {name: test}) for name, test in files if not test.courses]
    alone: dict[str, FioRun] = {}
    for name, test in files:
        if not test.courses:
            continue
        prefix = test.courses[0].prefix
        own = next((run for run in results if prefix in _log_names(run)), None)
        run = own or alone.setdefault(prefix, FioRun(prefix or name, {}))
        run.files[name] = test
    return [*results, *alone.values()]


def _log_names(run: FioRun) -> set[str]:
    jobs = (job for test in run.tests for job in test.jobs)
    return {PurePath(job.log_prefix).name for job in jobs if job.log_prefix}


def curves(jobs: Sequence[FioJob]) -> tuple[DepthCurve, ...]:
    """Group jobs that differ only in queue depth into curves over queue depth.

    Jobs are used if they have one direction and ran alone, without a rate limit.
    """
    groups: list[tuple[Measured, str, list[FioJob]]] = []
    for job in jobs:
        one = job.only
        if one is None or job.queue_depth is None or job.is_paced or job.beside:
            continue
        for first, pattern, members in groups:
            if (first.kind, pattern) == (one.kind, job.pattern) and _same_size(first, one):
                members.append(job)
                break
        else:
            groups.append((one, job.pattern, [job]))
    every = (_curve(first, pattern, members) for first, pattern, members in groups)
    return tuple(curve for curve in every if len(set(curve.queue_depths)) > 1)


def _same_size(one: Measured, other: Measured) -> bool:
    return abs(one.transfer_bytes - other.transfer_bytes) <= _SAME_SIZE * one.transfer_bytes


def _curve(first: Measured, pattern: str, members: list[FioJob]) -> DepthCurve:
    in_order = sorted(members, key=lambda job: job.queue_depth or 0.0)
    measured = [job.directions[0] for job in in_order]
    return DepthCurve(
        kind=first.kind,
        pattern=pattern,
        transfer_bytes=first.transfer_bytes,
        queue_depths=tuple(job.queue_depth or 0.0 for job in in_order),
        iops=tuple(one.iops for one in measured),
        mean_latency_s=tuple(one.mean_latency_s for one in measured),
        jobs=tuple(job.name for job in in_order),
    )

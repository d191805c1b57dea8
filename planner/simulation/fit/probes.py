"""Measurements that the planner predicts, each with its workload."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from planner.graph.answer import Answer
from planner.scenario.workload import Workload
from planner.sections.flash import PAGE_BYTES
from planner.sections.speed import Speed
from planner.sections.speed_case import TESTED_DEPTH
from planner.telemetry.fio import Course, FioJob, FioTest, Measured

PERCENTS = (50.0, 90.0, 99.0, 99.9, 99.99)
_SAME_SIZE = 0.01
_LARGE_BYTES = 64 * 1024  # least transfer size at which sequential throughput is at its maximum
_UNMATCHED = (
    "the job of this log is not given; random writes of 4 KiB at the queue depth are assumed"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A measured number in base units, and its prediction from an answer.

    Attributes:
        kind: "read", "fresh", "steady", "worst", "sequential read" ...: decides which fact is
            fitted to it; empty for a number that is only compared.
        quantity: Quantity of the nomenclature, for label and unit.
        workload: Queue depth and writes of the test.
        prediction: Takes the predicted number out of a `Speed`.
        percent: Of a percentile of reads beside writes: 99.9.
    """

    name: str
    kind: str
    quantity: str
    measured: float
    origin: str
    workload: Workload
    prediction: Callable[[Speed], float | None]
    runtime_s: float = 0.0
    percent: float | None = None

    @property
    def depth(self) -> float:
        """Operations that the test kept outstanding."""
        return self.workload.queue_depth or TESTED_DEPTH


def probes(tests: Sequence[FioTest], workload: Workload) -> tuple[list[Probe], list[str]]:
    """Return the measurements that the planner predicts, and the reasons for leaving out others.

    The fill is that of `workload`; queue depth and rates are those of each job.
    """
    jobs = [job for test in tests for job in test.jobs]
    measured: list[Probe] = []
    notes: list[str] = []
    for job in jobs:
        points = list(_of_job(job, jobs, workload))
        measured += points
        if not points:
            notes.append(f"{job.name}: {_why_not(job)}.")
    for test in tests:
        for course in test.courses:
            measured += _of_course(course, jobs, workload, notes)
    return measured, notes


def _of_job(job: FioJob, jobs: Sequence[FioJob], workload: Workload) -> Iterator[Probe]:
    one = job.only
    if one is None or job.queue_depth is None:
        return
    depth = float(job.queue_depth)
    writer = _writer(job, jobs)
    if job.pattern == "sequential" and one.transfer_bytes >= _LARGE_BYTES and not job.beside:
        yield from _sequential(job, one, workload)
    elif job.pattern == "random" and _is_page(one):
        there = replace(workload, queue_depth=depth)
        if one.kind == "read" and writer is not None:
            yield from _beside(job, one, writer, there)
        elif not job.is_paced and not job.beside:
            yield from _alone(job, one, there)


def _alone(job: FioJob, one: Measured, there: Workload) -> Iterator[Probe]:
    depth = f"depth {there.queue_depth:g}"
    if one.kind == "read":
        yield Probe(
            name=f"Random reads, {depth}",
            kind="read",
            quantity="random_read_iops",
            measured=one.iops,
            origin=_origin(job, one, "iops"),
            workload=there,
            prediction=lambda speed: _value(speed.random_read_iops),
        )
    elif one.kind == "write":
        yield Probe(
            name=f"Random writes, {depth}, mean of {one.runtime_s:,.0f} s",
            kind="writes",
            quantity="steady_write_iops",
            measured=one.iops,
            origin=_origin(job, one, "iops"),
            workload=there,
            prediction=lambda speed: _value(speed.steady_write_iops),
            runtime_s=one.runtime_s,
        )
        if one.max_latency_s:
            yield Probe(
                name=f"Longest random write, {depth}",
                kind="worst",
                quantity="max_latency_s",
                measured=one.max_latency_s,
                origin=_origin(job, one, "mean_latency_s").replace(".mean", ".max"),
                workload=there,
                prediction=lambda speed: _value(speed.max_latency_s),
                runtime_s=one.runtime_s,
            )


def _sequential(job: FioJob, one: Measured, workload: Workload) -> Iterator[Probe]:
    if one.kind not in ("read", "write") or job.is_paced:
        return
    quantity = f"sequential_{one.kind}_bytes_per_s"
    yield Probe(
        name=f"Sequential {one.kind}s",
        kind=f"sequential {one.kind}",
        quantity=quantity,
        measured=one.bytes_per_s,
        origin=_origin(job, one, "bytes_per_s"),
        workload=workload,
        prediction=lambda speed: speed.drive.value(quantity),
    )


def _beside(job: FioJob, one: Measured, writer: FioJob, there: Workload) -> Iterator[Probe]:
    """Yield the percentiles of reads beside writes, of paced reads or of reads at a queue depth."""
    writes = writer.directions[0]
    share = one.iops / (one.iops + writes.iops)
    mixed = replace(there, host_bytes_per_s=writes.bytes_per_s, read_fraction=share)
    pace = "at their own rate" if job.is_paced else f"depth {there.queue_depth:g}"
    for percent in PERCENTS:
        if percent not in one.quantiles_s:
            continue
        yield Probe(
            name=f"p{percent:g} of reads beside writes, {pace}",
            kind="",
            quantity="read_s",
            measured=one.quantiles_s[percent],
            origin=f"{job.name}: {one.quantiles_of} percentile",
            percent=percent,
            workload=mixed,
            prediction=_paced_percentile(percent) if job.is_paced else _closed_percentile(percent),
        )


def _paced_percentile(percent: float) -> Callable[[Speed], float | None]:
    return lambda speed: speed.read_latency_s.get(percent)


def _closed_percentile(percent: float) -> Callable[[Speed], float | None]:
    return lambda speed: speed.closed_read_latency_s.get(percent)


def _writer(job: FioJob, jobs: Sequence[FioJob]) -> FioJob | None:
    """Return the only job that ran beside this one, if it has paced random writes."""
    beside = [other for other in jobs if other.group == job.group and other.name in job.beside]
    if len(beside) != 1 or beside[0].only is None:
        return None
    writer = beside[0]
    pages = _is_page(writer.directions[0]) and writer.directions[0].kind == "write"
    return writer if pages and writer.is_paced and writer.pattern == "random" else None


def _of_course(
    course: Course, jobs: Sequence[FioJob], workload: Workload, notes: list[str]
) -> Iterator[Probe]:
    """Yield fresh rate, cliff and steady state from the log of a write test."""
    consistency = course.consistency
    if course.quantity != "iops" or course.kind != "write" or consistency is None:
        return
    job = next((job for job in jobs if _is_log_of(job, course)), None)
    if job is not None and not (job.pattern == "random" and job.only and _is_page(job.only)):
        notes.append(f"{course.prefix}: {_why_not(job)}.")
        return
    if job is None:
        notes.append(f"{course.prefix}: {_UNMATCHED}.")
    depth = (job and job.queue_depth) or workload.queue_depth or TESTED_DEPTH
    there = replace(workload, queue_depth=float(depth))
    fresh = consistency.before_cliff
    origin = f"{course.prefix}: {course.fields.get('values', '')}"
    rows: list[tuple[str, str, str, float | None, Callable[[Speed], float | None]]] = [
        ("Fresh random writes", "fresh", "burst_write_iops", fresh,
         lambda speed: _value(speed.fresh_write_iops)),
        ("Cliff", "", "cliff_s", consistency.cliff_s, lambda speed: _value(speed.cliff_s)),
        ("Steady by SNIA's test", "", "settling_s", consistency.steady_from_s,
         lambda speed: _value(speed.settling_s)),
        ("Steady random writes", "steady", "steady_write_iops", consistency.steady_mean,
         lambda speed: _value(speed.steady_write_iops)),
    ]  # fmt: skip
    for name, kind, quantity, measured, prediction in rows:
        if measured:
            yield Probe(
                name=name, kind=kind, quantity=quantity, measured=measured, origin=origin,
                workload=there, prediction=prediction,
            )  # fmt: skip


def _is_log_of(job: FioJob, course: Course) -> bool:
    prefix = PurePath(job.log_prefix).name
    return bool(prefix) and prefix == course.prefix


def _is_page(one: Measured) -> bool:
    return abs(one.transfer_bytes / PAGE_BYTES - 1) <= _SAME_SIZE


def _value(answer: Answer) -> float | None:
    return None if not answer.is_known else float(answer.value)


def _origin(job: FioJob, one: Measured, name: str) -> str:
    return f"{job.name}: {one.fields.get(name, name)}"


def _why_not(job: FioJob) -> str:
    kinds = [one.kind for one in job.directions]
    reasons = (
        (len(kinds) != 1, "reads and writes of one job are not predicted separately"),
        (job.queue_depth is None, "its queue depth is not known"),
        ("trim" in kinds, "there is no figure for trims"),
        (job.is_paced, "its rate was limited by the test, not by the drive"),
        (bool(job.beside), f"it ran beside {', '.join(job.beside)}"),
        (job.pattern == "random", "random operations are predicted at 4 KiB"),
    )
    otherwise = "sequential operations are compared from 64 KiB"
    return next((reason for holds, reason in reasons if holds), otherwise)

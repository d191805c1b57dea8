"""An fio job file that measures what the planner predicts, with the predictions as comments.

It has two sequential fills, logged random writes from fresh into steady state, reads beside the
rate-limited writes of the workload, and reads alone at several queue depths.

References:
    .. [1] J. Axboe et al., "fio - Flexible I/O tester", documentation of 3.33 (job file format).
    .. [2] SNIA, "Solid State Storage (SSS) Performance Test Specification (PTS)" 2.0.2 (2020):
       preconditioning with twice the capacity, steady-state rounds.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from models.errors import DomainError
from planner.catalogue.drive import Drive
from planner.graph.answer import Answer
from planner.quantity.show import text
from planner.scenario.firmware import Firmware
from planner.scenario.workload import Workload
from planner.sections.flash import PAGE_BYTES
from planner.sections.plan import PlanReading
from planner.sections.speed import Speed, speed
from planner.sections.speed_case import QUANTILES

DEVICE = "${DEVICE}"  # fio substitutes the environment variable
LOG = "steady-writes"
FILLS = 2
READ_S = 60
BESIDE_S = 600
PAST = 1.25  # test time over time to steady state; at least ten rounds of a minute in steady state
PAST_S = 600
UNKNOWN_S = 6 * 3600
OPEN_DEPTH = 256  # deep enough that Poisson arrivals do not wait for a free slot
SATA_DEPTH = 32
DEEPEST = 256

_HEAD = """\
A test of {name}, with the predictions of ssd-planner.

ALL DATA ON THE DEVICE IS LOST. First erase the whole device (blkdiscard, nvme format), then run:
    {run}
and compare the result with the figures below:
    {compare}

The predictions are for 4 KiB operations, uniform over {size} of the device."""


Options = dict[str, str | int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FioSection:
    """A section of a job file: comments, and options, where None means no value."""

    name: str
    comments: tuple[str, ...]
    options: Options
    runs_s: float


def job_of(plan: PlanReading, *, device: str = DEVICE) -> str:
    """Return the job file for one drive of a plan, under its share of the writes."""
    writes = plan.reading["member_bytes_per_s"].value
    return fio_job(
        plan.drive,
        replace(plan.workload, host_bytes_per_s=writes),
        partition_fraction=plan.partition_fraction,
        firmware=plan.firmware,
        device=device,
    )


def fio_job(
    drive: Drive,
    workload: Workload,
    *,
    partition_fraction: float = 1.0,
    firmware: Firmware | None = None,
    device: str = DEVICE,
) -> str:
    """Return the job file, with the predictions as comments above each job.

    Raises DomainError if the name of the device is not allowed in a job file.

    >>> from planner.catalogue import find, load
    >>> lines = fio_job(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=50e6)).splitlines()
    >>> [line for line in lines if line.startswith("[")][:4]
    ['[global]', '[fill]', '[sequential-read]', '[steady-writes]']
    """
    check_device(device)
    predict = partial(speed, drive, partition_fraction=partition_fraction, firmware=firmware)
    answer = predict(workload)
    share = partition_fraction * workload.fill_fraction
    jobs = [
        *_fills(drive, share),
        _steady_writes(answer, drive, share),
        *_beside(answer, workload),
        *_curve(predict, drive, workload),
    ]
    return "\n".join([*_head(drive, share, device, jobs), *map(section, jobs)])


def check_device(device: str) -> None:
    """Refuse a name of a device that would change a job file."""
    if not device.strip() or any(mark in device for mark in "\n\r:;#") or "\\" in device:
        raise DomainError(f"device must be a path without : ; # and \\, got {device!r}")


def _head(drive: Drive, share: float, device: str, jobs: list[FioSection]) -> Iterator[str]:
    name = drive.name
    run = "fio --output-format=json+ --output=result.json JOBFILE"
    if device == DEVICE:
        run = f"DEVICE=/dev/nvme9n9 {run}"
    size = "all" if share == 1 else f"{100 * share:.4g} %"
    compare = f'ssd-planner speed --drive "{name}" --measured result.json --measured {LOG}_iops.log'
    for line in _HEAD.format(name=name, run=run, compare=compare, size=size).splitlines():
        yield f"; {line}".rstrip()
    yield f"; It takes about {hours(sum(job.runs_s for job in jobs))}."
    options: Options = {
        "description": _named(name), "filename": device, "direct": 1, "ioengine": "libaio",
        "size": _size(drive, share),
        "randrepeat": 0, "norandommap": None, "random_generator": "tausworthe64",
        "lat_percentiles": 1, "percentile_list": ":".join(f"{100 * p:.7g}" for p in QUANTILES),
    }  # fmt: skip
    yield section(FioSection(name="global", comments=(), options=options, runs_s=0))


def _named(name: str) -> str:
    """Return a description, by which the result names its drive, without marks of a job file.

    >>> _named("Samsung 870 EVO 1 TB; rw=write")
    'A test of Samsung 870 EVO 1 TB rw=write'
    """
    return f"A test of {' '.join(re.sub(r'[^ -~]|[;#$]', ' ', name).split())}"


def _size(drive: Drive, share: float) -> str:
    """Return the size option: whole percents, which suit any device, else bytes."""
    percent = 100 * share
    if abs(percent - round(percent)) < 1e-9 and percent >= 1:
        return f"{round(percent)}%"
    pages = math.floor(drive.capacity_bytes * share / PAGE_BYTES)
    return str(max(1, pages) * int(PAGE_BYTES))


def _fills(drive: Drive, share: float) -> Iterator[FioSection]:
    filled = FILLS * drive.capacity_bytes * share
    writes, reads = (drive.value(f"sequential_{kind}_bytes_per_s") for kind in ("write", "read"))
    takes = None if not writes else filled / writes
    yield FioSection(
        name="fill",
        comments=(
            _stated("sequential_write_bytes_per_s", writes, "Sequential writes"),
            f"Twice the capacity in order{'' if takes is None else f', in {hours(takes)}'}.",
        ),
        options={"rw": "write", "bs": "1m", "iodepth": 32, "loops": FILLS, "stonewall": None},
        runs_s=takes or 0.0,
    )
    yield FioSection(
        name="sequential-read",
        comments=(_stated("sequential_read_bytes_per_s", reads, "Sequential reads"),),
        options={"rw": "read", "bs": "128k", "iodepth": 32, **_timed(READ_S)},
        runs_s=READ_S,
    )


def _steady_writes(answer: Speed, drive: Drive, share: float) -> FioSection:
    settles = _known(answer.settling_s)
    lasts = _write_test_s(answer, drive.capacity_bytes * share)
    reached = "" if settles is not None else "; the time until steady state is not predicted"
    return FioSection(
        name="steady-writes",
        comments=(
            _predicted("burst_write_iops", answer.fresh_write_iops, "Fresh"),
            _predicted("cliff_s", answer.cliff_s, "Cliff after"),
            _predicted("steady_write_iops", answer.lowest_write_iops, "Lowest before steady state"),
            _predicted("settling_s", answer.settling_s, "Steady state after"),
            _predicted("steady_write_iops", answer.steady_write_iops, "Steady"),
            _predicted("max_latency_s", answer.max_latency_s, "Longest write"),
            f"{LOG}_iops.log holds a mean for every second{reached}.",
        ),
        options={
            "rw": "randwrite", "bs": "4k", "iodepth": _depth(answer.queue_depth),
            **_timed(lasts), "write_iops_log": LOG, "write_bw_log": LOG, "write_lat_log": LOG,
            "log_avg_msec": 1000, "per_job_logs": 0,
        },
        runs_s=lasts,
    )  # fmt: skip


def _write_test_s(answer: Speed, used_bytes: float) -> int:
    """Return a test time that ends in steady state; if unknown, the time of five overwrites."""
    settles, steady = _known(answer.settling_s), _known(answer.steady_write_iops)
    if settles is not None:
        return math.ceil(max(PAST * settles, settles + PAST_S) / 60) * 60
    if steady is not None and used_bytes:
        return max(PAST_S, math.ceil(5 * used_bytes / PAGE_BYTES / steady / 60) * 60)
    return UNKNOWN_S


def _beside(answer: Speed, workload: Workload) -> Iterator[FioSection]:
    """Yield reads at the queue depth, then reads at the workload's rate, each beside writes."""
    rate = workload.host_bytes_per_s / PAGE_BYTES
    if workload.read_fraction >= 1 or rate < 0.5:
        return
    steady = _known(answer.steady_write_iops)
    most = f"; alone the drive reaches {text('steady_write_iops', steady)}" if steady else ""
    writes: Options = {
        "rw": "randwrite", "bs": "4k", "iodepth": OPEN_DEPTH, "rate_iops": max(1, round(rate)),
        "rate_process": "poisson",
    }  # fmt: skip
    load = (
        f"The workload's {text('steady_write_iops', rate)} of 4 KiB writes{most}.",
        *([answer.saturation] if answer.saturation else ()),
    )
    reads: Options = {"rw": "randread", "bs": "4k"}
    depth = _depth(answer.queue_depth)
    yield FioSection(
        name="writes-1", comments=load, options=writes | _timed(BESIDE_S), runs_s=BESIDE_S
    )
    yield FioSection(
        name="readers-beside",
        comments=(f"{depth} readers beside them:", *_percentiles(answer.closed_read_latency_s)),
        options=reads | {"iodepth": depth} | _timed(BESIDE_S, waits=False),
        runs_s=0,
    )
    offered = rate * workload.read_fraction / (1 - workload.read_fraction)
    if offered < 0.5:
        return
    yield FioSection(
        name="writes-2", comments=load, options=writes | _timed(BESIDE_S), runs_s=BESIDE_S
    )
    yield FioSection(
        name="reads-beside",
        comments=(
            f"The workload's {text('random_read_iops', offered)} of 4 KiB reads beside them:",
            *_percentiles(answer.read_latency_s),
        ),
        options=writes
        | reads
        | {"rate_iops": max(1, round(offered))}
        | _timed(BESIDE_S, waits=False),
        runs_s=0,
    )


def _curve(
    predict: Callable[[Workload], Speed], drive: Drive, workload: Workload
) -> Iterator[FioSection]:
    deepest = SATA_DEPTH if "SATA" in drive.interface else DEEPEST
    gentle = replace(workload, host_bytes_per_s=1.0, read_fraction=0.0)
    for depth in (1 << power for power in range(deepest.bit_length())):
        reads = predict(replace(gentle, queue_depth=float(depth))).random_read_iops
        yield FioSection(
            name=f"reads-{depth}",
            comments=(_predicted("random_read_iops", reads, f"Reads alone, depth {depth}"),),
            options={"rw": "randread", "bs": "4k", "iodepth": depth, **_timed(READ_S)},
            runs_s=READ_S,
        )


def _timed(seconds: int, *, waits: bool = True) -> Options:
    timed: Options = {"runtime": seconds, "time_based": None}
    return {"stonewall": None} | timed if waits else timed


def _depth(queue_depth: float) -> int:
    return max(1, round(queue_depth))


def _known(answer: Answer) -> float | None:
    return None if not answer.is_known else float(answer.value)


def _predicted(quantity: str, answer: Answer, what: str) -> str:
    return _stated(quantity, _known(answer), what)


def _stated(quantity: str, value: float | None, what: str) -> str:
    return f"{what}: {'not predicted' if value is None else text(quantity, value)}"


def _percentiles(latency_s: Mapping[float, float]) -> Iterator[str]:
    if not latency_s:
        yield "not predicted"
    for percent, seconds in latency_s.items():
        shown = "without end" if math.isinf(seconds) else text("read_s", seconds)
        yield f"p{percent:.7g}: {shown}"


def section(job: FioSection) -> str:
    """Write a section with its comments and options."""
    comments = [f"; {line}" for line in job.comments]
    options = [key if value is None else f"{key}={value}" for key, value in job.options.items()]
    return "\n".join(["", *comments, f"[{job.name}]", *options])


def hours(seconds: float) -> str:
    """Write a time in hours, or minutes if it is short."""
    return f"{seconds / 3600:.1f} hours" if seconds >= 5400 else f"{seconds / 60:.0f} minutes"

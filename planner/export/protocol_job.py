"""A fio job file that runs a protocol, one section a phase, named as the phase.

References:
    .. [1] J. Axboe et al., "fio - Flexible I/O tester", documentation of 3.33 (job file format).
"""

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from models.errors import DomainError
from planner.export.fio_job import FioSection, Options, check_device, hours, section
from planner.quantity.show import text
from planner.scenario.skew import classes_of
from planner.simulation.protocol.answer import PhaseAnswer, ProtocolAnswer
from planner.simulation.protocol.measured import BESIDE, log_name
from planner.simulation.protocol.phases import SKEW_BYTES, Action, Phase

LEAST_LOGGED_S = 30.0
# A second stream ends with its phase; should fio not end it, it does so after this many times the
# predicted time of the phase, and this many seconds.
MOST_TIMES, MORE_S = 100, 60
MIB = 1 << 20
_KINDS = {  # by the direction and the order of the addresses
    ("read", True): "read", ("read", False): "randread", ("write", True): "write",
    ("write", False): "randwrite", ("mix", True): "rw", ("mix", False): "randrw",
}  # fmt: skip
_HEAD = """\
{title}, on {name}, with the predictions of ssd-planner.

ALL DATA ON THE DEVICE IS LOST. {first}
Run it, and compare:
    {run}
    {compare}"""
ERASE = "First erase the device: blkdiscard, or nvme format."


def protocol_job(answer: ProtocolAnswer, *, device: str) -> str:
    """Return the job file of a protocol on one drive, over a part of it.

    Raises DomainError if the name of the device is not allowed in a job file.
    """
    check_device(device)
    sections = list(_sections(answer, answer.usable_bytes, is_file=_is_file(device)))
    options: Options = {
        "filename": device, "direct": 1, "ioengine": "libaio", "randrepeat": 0,
        "norandommap": None, "random_generator": "tausworthe64", "lat_percentiles": 1,
    }  # fmt: skip
    of_all = FioSection(name="global", comments=(), options=options, runs_s=0)
    return "\n".join([*_head(answer, device), section(of_all), *map(section, sections)])


def _head(answer: ProtocolAnswer, device: str) -> Iterator[str]:
    name, protocol = answer.drive.name, answer.protocol
    start = f"DEVICE={'/dev/nvme9n9'} " if device.startswith("${") else ""
    run = f"{start}fio --output-format=json+ --output=result.json JOBFILE"
    compare = f'ssd-planner protocol {protocol.name} "{name}" --measured result.json'
    lines = _HEAD.format(title=protocol.title, name=name, first=ERASE, run=run, compare=compare)
    for line in lines.splitlines():
        yield f"; {line}".rstrip()
    yield f"; It takes about {hours(answer.total_s)}."


def _is_file(device: str) -> bool:
    """Whether a device is a file of a file system, which fio cannot trim."""
    return not device.startswith(("/dev/", "${"))


def _sections(
    answer: ProtocolAnswer, usable_bytes: float, *, is_file: bool
) -> Iterator[FioSection]:
    """Yield a section for each phase that fio can run, and remarks on the others."""
    answered = {each.phase.name: each for each in answer.phases}
    remarks = list[str]()
    for phase in answer.protocol.phases:
        found = answered.get(phase.name)
        remark = _by_hand(phase, is_file=is_file)
        if remark:
            remarks.append(remark)
            continue
        comments = (*remarks, *(_predicted(found) if found else ()))
        options = _options(phase, usable_bytes, found)
        yield FioSection(name=phase.name, comments=comments, options=options, runs_s=0)
        yield from _second_stream(answer, phase, found, usable_bytes)
        remarks = []


def _by_hand(phase: Phase, *, is_file: bool) -> str:
    """Return the remark on a phase that fio cannot run."""
    if phase.action is Action.ERASE:
        return "Here the device is erased: blkdiscard, or nvme format."
    if phase.action is Action.REPLAY:
        return f"{phase.name}: the trace is not published, nothing runs."
    if phase.action is Action.TRIM and is_file:
        return f"{phase.name}: fio trims devices, not files. Here: fallocate --punch-hole."
    return ""


def _options(phase: Phase, usable_bytes: float, found: PhaseAnswer | None) -> Options:
    span = _span(phase, usable_bytes)
    if phase.action is Action.IDLE:  # `startdelay` would count from the start of fio
        return {
            "stonewall": None, "ioengine": "null", "rw": "read", "bs": "4k", "size": "4k",
            "thinktime": math.ceil(1e6 * phase.lasts_s),
        }  # fmt: skip
    if phase.action is Action.TRIM:
        return {"stonewall": None, "rw": "trim", "bs": "1m", "iodepth": 1, "size": span}
    direction = {Action.FILL: "write"}.get(phase.action, phase.action.value)
    options: Options = {
        "stonewall": None, "rw": _KINDS[direction, phase.is_sequential],
        "bs": round(phase.transfer_bytes), "iodepth": round(phase.queue_depth), "size": span,
    }  # fmt: skip
    if phase.action is Action.MIX:
        options["rwmixread"] = round(100 * phase.read_fraction)
    moved = phase.moved_bytes(usable_bytes)
    if math.isfinite(moved):
        options["io_size"] = _whole(moved, phase)
    if math.isfinite(phase.lasts_s):
        # Based on time a job goes on past its size.
        options |= {"runtime": math.ceil(phase.lasts_s)}
        options |= {} if math.isfinite(moved) else {"time_based": None}
    if phase.beside is not None:  # ends the second stream, and goes on with the next phase
        options |= {"exitall": None, "exit_what": "stonewall"}
    return options | _skewed(phase) | _pauses(phase, found) | _logged(phase)


def _skewed(phase: Phase) -> Options:
    """Return the distribution of the addresses, in whole percent as fio takes zones."""
    name, _, exponent = phase.skew.partition(":")
    if name == "uniform":
        return {}
    if name == "zipf":  # fio refuses an exponent of exactly 1
        return {"random_distribution": "zipf:1.0001" if float(exponent) == 1 else phase.skew}
    writes, pages = map(_percent, classes_of(phase.skew, capacity_bytes=SKEW_BYTES))
    if 0 in (*writes, *pages):
        raise DomainError(f"skew {phase.skew} has a part below 1 %, which fio cannot run")
    zones = [f"{share}/{part}" for share, part in zip(writes, pages, strict=True)]
    return {"random_distribution": ":".join(["zoned", *zones])}


def _percent(shares: Sequence[float]) -> list[int]:
    """Round shares to whole percent that add up to 100."""
    ends = [round(100 * end) for end in accumulate(shares)]
    return [end - start for start, end in pairwise([0, *ends])]


def _span(phase: Phase, usable_bytes: float) -> int:
    """Return the bytes of a span, in whole MiB that every size of operation divides."""
    return max(1, math.floor(phase.span.of(usable_bytes) / MIB)) * MIB


def _logged(phase: Phase) -> Options:
    """Return a log of the rate of every second, where there are many of a measured phase."""
    if not phase.is_measured or phase.lasts_s < LEAST_LOGGED_S:
        return {}
    return {"write_bw_log": log_name(phase.name), "log_avg_msec": 1000, "per_job_logs": 0}


def _whole(size_bytes: float, phase: Phase) -> int:
    """Return a size in whole operations, of which there is at least one."""
    size = max(1, math.floor(size_bytes / phase.transfer_bytes))
    return round(size * phase.transfer_bytes)


def _pauses(phase: Phase, found: PhaseAnswer | None) -> Options:
    """Return think time between bursts that leaves the drive busy for its share of the time."""
    if not math.isfinite(phase.burst_bytes) or phase.busy_fraction >= 1 or found is None:
        return {}
    burst_s = phase.burst_bytes / found.bytes_per_s.typical
    idle_s = burst_s * (1 / phase.busy_fraction - 1)
    blocks = max(1, round(phase.burst_bytes / phase.transfer_bytes))
    return {"thinktime": max(1, round(1e6 * idle_s)), "thinktime_blocks": blocks}


def _second_stream(
    answer: ProtocolAnswer, phase: Phase, found: PhaseAnswer | None, usable_bytes: float
) -> Iterator[FioSection]:
    """Yield the writes beside a phase, which ends them.

    fio does not end a job that is not yet running: beside a phase of some microseconds it would go
    on, so that it has an end of its own.
    """
    beside = phase.beside
    if beside is None:
        return
    burst_s = beside.burst_bytes / 4096 / float(answer.rates.fresh_iops[0])
    options: Options = {
        "rw": "randwrite", "bs": "4k", "iodepth": 4, "size": _span(phase, usable_bytes),
        "runtime": _at_most_s(phase, found, usable_bytes), "time_based": None,
        "thinktime": max(1, round(1e6 * (beside.cycle_s - burst_s))),
        "thinktime_blocks": max(1, round(beside.burst_bytes / 4096)),
    }  # fmt: skip
    yield FioSection(name=f"{phase.name}{BESIDE}", comments=(), options=options, runs_s=0)


def _at_most_s(phase: Phase, found: PhaseAnswer | None, usable_bytes: float) -> int:
    """Return a time in which a phase has ended even on a drive far slower than predicted."""
    predicted_s = phase.lasts_s
    if found is not None:
        moved_s = phase.moved_bytes(usable_bytes) / found.bytes_per_s.typical
        predicted_s = min(predicted_s, moved_s)
    return math.ceil(MORE_S + MOST_TIMES * predicted_s)


def _predicted(found: PhaseAnswer) -> Iterator[str]:
    for key in ("phase_bytes_per_s", "phase_iops", "phase_latency_s"):
        each = found.ranges.get(key)
        if each is not None:
            yield f"{text(key, each.typical, digits=3)}{each.ends(key, digits=2)}"

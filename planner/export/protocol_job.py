"""A fio job file that runs a protocol, one section a phase, named as the phase.

References:
    .. [1] J. Axboe et al., "fio - Flexible I/O tester", documentation of 3.33 (job file format).
"""

import math
from collections.abc import Iterator

from planner.export.fio_job import FioSection, Options, check_device, hours, section
from planner.quantity.show import text
from planner.simulation.protocol.answer import PhaseAnswer, ProtocolAnswer
from planner.simulation.protocol.phases import Action, Phase

LEAST_LOGGED_S = 30.0
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
    sections = list(_sections(answer, answer.usable_bytes))
    options: Options = {
        "filename": device, "direct": 1, "ioengine": "libaio", "randrepeat": 0,
        "norandommap": None, "random_generator": "tausworthe64", "group_reporting": None,
        "lat_percentiles": 1,
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


def _sections(answer: ProtocolAnswer, usable_bytes: float) -> Iterator[FioSection]:
    """Yield a section for each phase that fio can run; idle time delays the next one."""
    answered = {each.phase.name: each for each in answer.phases}
    delay_s, remarks = 0.0, list[str]()
    for phase in answer.protocol.phases:
        if phase.action is Action.IDLE:
            delay_s += phase.lasts_s
        elif phase.action is Action.ERASE:
            remarks.append("Here the device is erased: blkdiscard, or nvme format.")
        elif phase.action is Action.REPLAY:
            remarks.append(f"{phase.name}: the trace is not published, nothing runs.")
        else:
            found = answered.get(phase.name)
            comments = (*remarks, *(_predicted(found) if found else ()))
            options = _options(phase, usable_bytes, found)
            if delay_s:
                options["startdelay"] = math.ceil(delay_s)
            yield FioSection(name=phase.name, comments=comments, options=options, runs_s=0)
            yield from _second_stream(phase, usable_bytes, found)
            delay_s, remarks = 0.0, []


def _options(phase: Phase, usable_bytes: float, found: PhaseAnswer | None) -> Options:
    span = _span(phase, usable_bytes)
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
    return options | _pauses(phase, found) | _logged(phase)


def _span(phase: Phase, usable_bytes: float) -> int:
    """Return the bytes of a span, in whole MiB that every size of operation divides."""
    return max(1, math.floor(phase.span.of(usable_bytes) / MIB)) * MIB


def _logged(phase: Phase) -> Options:
    """Return a log of the rate of every second, where there are many of a measured phase."""
    if not phase.is_measured or phase.lasts_s < LEAST_LOGGED_S:
        return {}
    return {"write_bw_log": phase.name, "log_avg_msec": 1000, "per_job_logs": 0}


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
    phase: Phase, usable_bytes: float, found: PhaseAnswer | None
) -> Iterator[FioSection]:
    """Yield the writes beside a phase, for as long as that is predicted to last."""
    beside = phase.beside
    if beside is None or found is None:
        return
    blocks = max(1, round(beside.burst_bytes / 4096))
    lasts_s = max(1, math.ceil(found.ranges["phase_s"].high))
    options: Options = {
        "rw": "randwrite", "bs": "4k", "iodepth": 4, "size": _span(phase, usable_bytes),
        "runtime": lasts_s, "time_based": None, "thinktime": max(1, round(1e6 * beside.cycle_s)),
        "thinktime_blocks": blocks,
    }  # fmt: skip
    yield FioSection(name=f"{phase.name}-beside", comments=(), options=options, runs_s=0)


def _predicted(found: PhaseAnswer) -> Iterator[str]:
    for key in ("phase_bytes_per_s", "phase_iops", "phase_latency_s"):
        each = found.ranges.get(key)
        if each is not None:
            yield f"{text(key, each.typical, digits=3)}{each.ends(key, digits=2)}"

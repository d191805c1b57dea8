"""JSON and JSON+ output of fio, of one or several runs, possibly among other lines.

Latencies are under `lat_ns` since fio 3, and in microseconds under `lat` before. `io_bytes` is in
KiB before fio 3, which is detected from throughput and time. Percentiles are fio's own; those that
it does not print are computed from the bins of JSON+.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, BinaryIO

from models.units import MS
from planner.quantity.parse import shortened
from planner.telemetry.documents import at, documents, head_text, whole_text
from planner.telemetry.fio import FioJob, FioTest, Measured, curves
from planner.telemetry.fio_entry import Entry, sole, total
from planner.telemetry.fio_latency import latency, percentiles
from planner.telemetry.record import FileReading, Refused

KINDS = ("read", "write", "trim")
OFF = 0.05  # relative difference of Little's law from the queue depth that gets a note
_SYNCHRONOUS = frozenset({"psync", "sync", "vsync", "pvsync", "pvsync2", "mmap"})
_PACED = ("rate", "rate_iops", "thinktime", "latency_target")
_OPENS = re.compile(r"(\s*)(?:\[\s*)?(?:\{\s*(?:[\"}]|$)|\[\s*$)")
_NOT_A_NUMBER = re.compile(r"(?<=: )[-+]?(?:nan|inf)(?=[,\s}])", re.IGNORECASE)
_OTHER_OUTPUT = re.compile(
    r"^\S{1,200}: \((?:g=\d+\): rw=|groupid=\d+, jobs=)|^[345];fio-", re.MULTILINE
)
_MOST_JOBS = 10_000
_MOST_NAMES, _LONGEST_NAME = 200, 200
# Fields that may name the drive: options of jobs, and what stands beside them; the surest first.
_OPTIONS, _OF_JOBS = ("filename", "description"), ("jobname", "hostname", "desc")
_LOGS = ("write_iops_log", "write_bw_log", "write_lat_log")


def looks_like(head: bytes) -> bool:
    """Whether a file begins like fio's JSON, possibly after other lines."""
    text = head_text(head)
    is_fio = '"fio version"' in text or ('"jobs"' in text and '"jobname"' in text)
    return is_fio or _OTHER_OUTPUT.search(text) is not None


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read all jobs of all runs in a file."""
    whole = whole_text(stream)
    text = _NOT_A_NUMBER.sub(lambda found: "NaN".rjust(len(found[0])), _without_prose(whole))
    jobs: list[FioJob] = []
    versions: list[str] = []
    disks: list[str] = []
    names: list[tuple[str, str]] = []
    runs = 0
    for place, value in documents(text):
        for document in value if isinstance(value, list) else [value]:
            runs += 1
            versions.append(str(at(document, "fio version") or "")[:40])
            jobs += _jobs(place, document, f"run {runs} " if runs > 1 else "")
            disks += _texts([at(document, "disk_util")], "name")
            names += _names(document)
    if not jobs:
        other = _OTHER_OUTPUT.search(whole)
        line = 1 if other is None else 1 + whole.count("\n", 0, other.start())
        form = "terse" if other is not None and other[0][1:2] == ";" else "normal"
        held = "contains no job of fio" if other is None else f"is fio's {form} output"
        raise Refused(f"line {line}", f"{held}: run fio with --output-format=json")
    notes = tuple(note for job in jobs for note in _notes(job))
    test = FioTest(
        version=", ".join(dict.fromkeys(filter(None, versions))),
        disks=tuple(dict.fromkeys(disks)),
        names=tuple(dict.fromkeys(names))[:_MOST_NAMES],
        jobs=tuple(jobs),
        curves=curves(jobs),
        notes=notes,
    )
    return FileReading(file=file, workload=test, notes=notes)


def _without_prose(text: str) -> str:
    """Blank lines outside JSON, so that line numbers are kept."""
    kept: list[str] = []
    closing: str | None = None
    for line in text.split("\n"):
        opens = _OPENS.match(line) if closing is None else None
        if opens is not None and not line.rstrip().endswith(("}", "]")):
            closing = opens[1] + ("}" if line.lstrip().startswith("{") else "]")
        kept.append(line if opens is not None or closing is not None else "")
        if opens is None and closing is not None and line.startswith(closing):
            closing = None
    return "\n".join(kept)


def _names(document: object) -> Iterator[tuple[str, str]]:
    """Yield the texts of a run that may name its drive, each after its field."""
    jobs = at(document, "jobs")
    options = [at(job, "job options") for job in jobs]
    for field in _OPTIONS:
        yield from ((field, text) for text in _texts([at(document, "global options")], field))
        yield from ((field, text) for text in _texts([options], field))
    for field in _OF_JOBS:
        yield from ((field, text) for text in _texts([jobs], field))


def _texts(groups: list[Any], field: str) -> list[str]:
    """Return the texts of a field in records, or in lists of them."""
    records = (one for group in groups for one in (group if isinstance(group, list) else [group]))
    found = (at(one, field) for one in records)
    return [text[:_LONGEST_NAME] for text in found if isinstance(text, str) and text]


def _jobs(place: str, document: object, run: str) -> Iterator[FioJob]:
    """Yield the jobs of a run, clones joined."""
    listed = at(document, "jobs")
    if not isinstance(listed, list) or not all(isinstance(job, dict) for job in listed):
        raise Refused(place, 'contains no list of "jobs", which the JSON of fio has')
    if len(listed) > _MOST_JOBS:
        raise Refused(place, f"contains more than {_MOST_JOBS} jobs")
    common = at(document, "global options")
    names = list(dict.fromkeys(_key(job) for job in listed))
    numbered = ((f"jobs[{number}]", job) for number, job in enumerate(listed))
    for (group, name), members in groupby(numbered, key=lambda item: _key(item[1])):
        beside = tuple(other for where, other in names if where == group and other != name)
        yield _job(Entry(place, common, list(members)), name, run + group, beside)


def _key(job: Mapping[str, Any]) -> tuple[str, str]:
    return f"group {str(job.get('groupid', 0))[:20]}", str(job.get("jobname", ""))[:200]


def _job(entry: Entry, name: str, group: str, beside: tuple[str, ...]) -> FioJob:
    options = entry.options
    directions = tuple(one for kind in KINDS if (one := _measured(entry, kind)) is not None)
    is_described = "iodepth" in options or "rw" in options or "readwrite" in options
    clones = max(entry.whole_option("numjobs"), len(entry.members))
    one_by_one = options.get("ioengine", "psync") in _SYNCHRONOUS
    depth = (1 if one_by_one else entry.whole_option("iodepth")) * clones if is_described else None
    latencies = [one.mean_latency_s for one in directions]
    outstanding = (
        sum(one.iops * (one.mean_latency_s or 0.0) for one in directions)
        if directions and None not in latencies
        else None
    )
    counted = {one.kind: one.operations for one in directions}
    moved = counted.get("read", 0.0) + counted.get("write", 0.0)
    rw = options.get("rw", options.get("readwrite", "read" if is_described else ""))
    return FioJob(
        name=name,
        group=group,
        rw=rw,
        pattern="" if not rw else "random" if rw.startswith("rand") else "sequential",
        clones=clones,
        queue_depth=depth,
        outstanding=outstanding,
        little_error=outstanding / depth - 1 if depth and outstanding is not None else None,
        depths=_depths(entry),
        read_fraction=counted.get("read", 0.0) / moved if moved else None,
        is_paced=any(options.get(key, "0").strip() not in ("", "0") for key in _PACED),
        is_direct=options.get("direct", "0").strip() == "1" if options else None,
        beside=beside,
        log_prefix=next((options[key] for key in _LOGS if key in options), ""),
        directions=directions,
        fields={
            "queue_depth": "job options: iodepth x numjobs",
            "outstanding": "iops x mean latency of every direction",
            "depths": f"{entry.members[0][0]}.iodepth_level",
        },
    )


def _depths(entry: Entry) -> dict[float, float]:
    """Return shares by depth; they may sum to more than 1, as fio rounds small ones up to 0.1 %."""
    levels = at(entry.members[0][1], "iodepth_level")
    if not isinstance(levels, dict):
        return {}
    shares: dict[float, float] = {}
    for level in list(levels)[:20]:
        (share, *_) = entry.numbers("iodepth_level", level, lenient=True)
        bare = level.removeprefix(">=").strip()
        if share and bare.isdecimal() and len(bare) < 7:
            shares[float(bare)] = share / 100
    return shares


def _measured(entry: Entry, kind: str) -> Measured | None:
    """Return one direction of a job, clones joined; None if it had no operations."""
    rates, times = entry.numbers(kind, "iops"), entry.numbers(kind, "runtime")
    iops, runtime_s = total(rates), MS * max(filter(None, times), default=0.0)
    if not iops:
        return None
    counts = total(entry.numbers(kind, "total_ios"))
    bytes_per_s, source = _throughput(entry, kind, runtime_s)
    path = f"{entry.members[0][0]}.{kind}"
    waits = latency(entry, kind, rates)
    return Measured(
        kind=kind,
        iops=iops,
        bytes_per_s=bytes_per_s,
        transfer_bytes=_size(entry, kind, counts) or bytes_per_s / iops,
        runtime_s=runtime_s,
        operations=counts or iops * runtime_s,
        **waits,
        **percentiles(entry, kind),
        lowest_iops=sole(entry.numbers(kind, "iops_min")),
        iops_sd=sole(entry.numbers(kind, "iops_stddev", lenient=True)),
        fields={
            "iops": f"{path}.iops",
            "runtime_s": f"{path}.runtime",
            "operations": f"{path}.total_ios" if counts else f"{path}.iops x runtime",
            "bytes_per_s": f"{path}.{source}",
            "transfer_bytes": f"{path}.{source} / iops",
            "mean_latency_s": f"{path}.{waits['latency_of']}.mean",
        },
    )


def _throughput(entry: Entry, kind: str, runtime_s: float) -> tuple[float, str]:
    """Return bytes per second and its field: exact, from bytes and time, or in whole KiB/s."""
    exact = total(entry.numbers(kind, "bw_bytes"))
    if exact:
        return exact, "bw_bytes"
    kib, moved = total(entry.numbers(kind, "bw")), total(entry.numbers(kind, "io_bytes"))
    if moved and runtime_s and len(entry.members) == 1:
        unit = 1024 if moved < 32 * kib * runtime_s else 1
        return moved * unit / runtime_s, "io_bytes / runtime"
    return kib * 1024, "bw"


def _size(entry: Entry, kind: str, operations: float) -> float | None:
    """Return the mean size if the file counts both bytes and operations."""
    has_bytes = None not in entry.numbers(kind, "io_kbytes")
    moved = total(entry.numbers(kind, "io_bytes"))
    return moved / operations if has_bytes and moved and operations else None


def _notes(job: FioJob) -> Iterator[str]:
    error, name = job.little_error, shortened(job.name)
    if error is None:
        yield f"{name}: the file does not state its queue depth, to compare with Little's law."
    elif not job.directions:
        yield f"{name}: did nothing."
    elif job.is_paced and error < OFF:
        yield (
            f"{name}: {job.outstanding:.3g} of {job.queue_depth:g} operations were outstanding, "
            "because of a rate limit or think time."
        )
    elif abs(error) > OFF:
        yield (
            f"{name}: by Little's law {job.outstanding:.4g} operations were outstanding at queue "
            f"depth {job.queue_depth:g} ({100 * error:+.1f} %)."
        )
    if any(one.latency_of.startswith("clat") for one in job.directions):
        yield f"{name}: latency is completion latency, without submission."

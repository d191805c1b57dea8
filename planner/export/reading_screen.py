"""First screen of files that were read: a few lines of each drive, test and trace."""

import shlex
from collections.abc import Sequence

from planner.catalogue import find, load
from planner.catalogue.rated import rated_bytes_of
from planner.export.forecast_screen import of_rated, rate_text, size_text
from planner.export.telemetry_tables import course_rows, cycles_line, fio_rows, moment
from planner.export.trace_rows import trace_lines
from planner.quantity.untrusted import one_line
from planner.search.verdict.words import percent, three
from planner.telemetry.fio import Course, FioTest
from planner.telemetry.record import DriveReading, FileReading
from planner.telemetry.traces import TraceWorkload

_MOST = 170  # characters of what is ignored, which are two lines
_NAMES = 60  # characters of file names in a command
_LISTED = 6  # drives or jobs of one file
_QUANTITIES = {
    "iops": ("IOPS", 1.0), "bytes_per_s": ("MB/s", 1e6), "lat_s": ("us latency", 1e-6),
    "clat_s": ("us completion latency", 1e-6), "slat_s": ("us submission latency", 1e-6),
}  # fmt: skip


def reading_lines(reading: FileReading) -> list[str]:
    """List the lines of one file, the heading first."""
    if isinstance(reading.workload, TraceWorkload):
        head = f"{reading.file}: {reading.kind}, {reading.workload.layout}"
        lines = trace_lines(reading.workload)
    elif isinstance(reading.workload, FioTest):
        head = f"{reading.file}: {reading.kind}"
        lines = _test_lines(reading.workload, reading.file)
    elif len(_series(reading)) == 1:
        head, lines = _drive_heading(reading), _drive_lines(reading.drives[-1])
    else:
        head, lines = _several(reading)
    notes = [*dict.fromkeys(_notes(reading))]
    more = f" ({len(notes) - 1} more: --all)" if len(notes) > 1 else ""
    return [head, *lines, *(f"Note: {_cut(note)}{more}" for note in notes[:1])]


def short_lines(reading: FileReading) -> list[str]:
    """List a heading and one line of a file among several."""
    head, *lines = reading_lines(reading)
    ignored = sum(len(drive.unused) for drive in reading.drives)
    first = " ".join(lines[0].split()) if lines else ""
    return [head, f"{first}, {_count(ignored, 'counter')} ignored" if ignored else first]


def next_line(readings: Sequence[FileReading]) -> str:
    """Name the commands that take the files."""
    good = [one for one in readings if one.refused is None]
    names = shlex.join(one.file for one in good)
    drives = [drive for one in good for drive in one.drives]
    short = len(names) <= _NAMES
    if not good:
        return ""
    if len(_series(*good)) > 1:
        return f"Next: `fleet {names if short else 'FOLDER'}`"
    plan = "`plan --scenario drive.json` after `--save drive.json`"
    if isinstance(good[0].workload, TraceWorkload):
        return f"Next: `wa --trace {names if short else 'FILE'} --drive NAME`; {plan}"
    if any(drive.host_bytes or drive.used_fraction for drive in drives):
        return f"Next: {plan}; `forecast {names if short else 'FILE'}`"
    return f"Next: {plan}"


def _series(*readings: FileReading) -> dict[tuple[str, ...], int]:
    """Return the drives of files, each with the number of its readings."""
    found: dict[tuple[str, ...], int] = {}
    for drive in (drive for one in readings for drive in one.drives):
        found[drive.key] = found.get(drive.key, 0) + 1
    return found


def _notes(reading: FileReading) -> list[str]:
    """List the notes on a file, but those that its heading states."""
    notes = [note for drive in reading.drives for note in drive.notes]
    workload = reading.workload
    if isinstance(workload, TraceWorkload | FioTest):
        notes += workload.notes
    said = ["The clock of the file"]
    if isinstance(workload, TraceWorkload) and workload.shortage is not None:
        said.append(workload.shortage.reason)
    return [note for note in (*notes, *reading.notes) if not note.startswith(tuple(said))]


def _name(drive: DriveReading) -> str:
    name = find(load(), drive.drive_id).name if drive.drive_id else drive.model
    return name or drive.device or "drive of unknown model"


def _drive_heading(reading: FileReading) -> str:
    """Name the file, its format, the drive and the time of the reading."""
    last, first, name = reading.drives[-1], reading.drives[0], _name(reading.drives[-1])
    article = "an" if name[:1] in "AEIO" else "a"
    head = f"{reading.file}: {reading.kind} of {article} {name}"
    if len(reading.drives) > 1 and first.read_at_s is not None and last.read_at_s is not None:
        times = f"{moment(first.read_at_s)} to {moment(last.read_at_s)}"
        return f"{head}, {_count(len(reading.drives), 'reading')}" + (
            f" from {times}" if last.clock_set else ", its clock was not set"
        )
    if not last.clock_set:
        head += ", its clock was not set"
    elif last.read_at_s is not None:
        head += f", read {moment(last.read_at_s)}"
    on = last.power_on_s
    return head if on is None else f"{head} (power-on {on.value / 3600:,.0f} h)"


def _drive_lines(drive: DriveReading) -> list[str]:
    """Describe the writes, the wear, the rated cycles and the ignored counters of a drive."""
    cycles = cycles_line(drive)
    return [_written(drive), *([cycles] if cycles else []), *_ignored(drive)]


def _written(drive: DriveReading) -> str:
    host, parts = drive.host_bytes, []
    if host is not None:
        limit = rated_bytes_of(find(load(), drive.drive_id)) if drive.drive_id else None
        rated = limit.value if limit else None
        share = "" if rated is None else f" ({of_rated(host.value / rated, rated)})"
        parts.append(f"Written {size_text(host.value)}{share}")
    if drive.activity is not None:
        since = "since the system started" if drive.activity.since_start else "in an interval"
        rate = drive.activity.host_bytes.value / drive.activity.span_s
        parts.append(f"Writes {rate_text(rate)} {since}")
    if drive.used_fraction is not None:
        parts.append(f"used {percent(drive.used_fraction.value)}")
    if drive.wa is not None:
        flash = drive.flash_bytes
        of = "" if flash is None else f" (flash {size_text(flash.value)})"
        parts.append(f"WA {three(drive.wa.value)}{of}")
    if drive.media_errors is not None and drive.media_errors.value:
        parts.append(f"{drive.media_errors.value:,.0f} uncorrected errors")
    return " · ".join(parts) or "No counter of a known unit"


def _ignored(drive: DriveReading) -> list[str]:
    """List the counters that are not used, in two lines at most."""
    told = [one_line(f"{one.field} ({one.text}): {one.reason}") for one in drive.unused]
    kept = told[:1]
    for line in told[1:]:
        if len("; ".join([*kept, line])) > _MOST:
            break
        kept.append(line)
    more = len(told) - len(kept)
    rest = f"; {more} more with --all" if more else ""
    return [f"Ignored: {_cut('; '.join(kept))}{rest}"] if kept else []


def _several(reading: FileReading) -> tuple[str, list[str]]:
    """Describe a file of several drives, a line for each."""
    drives = reading.drives
    head = f"{reading.file}: {reading.kind} of {_count(len(_series(reading)), 'drive')}"
    lines = [
        f"{f'{drive.device}: ' if drive.device else ''}{_name(drive)}: {_written(drive)}"
        for drive in drives[:_LISTED]
    ]
    more = len(drives) - _LISTED
    return head, [*lines, *([f"{more:,} more with --all"] if more > 0 else [])]


def _test_lines(test: FioTest, file: str) -> list[str]:
    """Describe each job of a test in one direction, or each course of a log, and its drive."""
    lines = [_job(row) for row in fio_rows(test)]
    lines += [_course(course) for course in test.courses]
    more = len(lines) - _LISTED
    rest = [f"{more:,} more with --all"] if more > 0 else []
    return [*lines[:_LISTED], *rest, *([_drive_of(test, file)] if test.jobs else [])]


def _drive_of(test: FioTest, file: str) -> str:
    """Name the drive of a test, and what shows that it did not run on it."""
    from planner.simulation.fit import contradictions, drive_of_test  # noqa: PLC0415 - slow

    named, on = drive_of_test([test], file), ", ".join(test.disks)
    if named is None:
        return f"Drive: not named{f', it ran on {on}' if on else ''}"
    if named.drive is None:
        first = named.drives[0]
        return f"Drive: {first.vendor} {first.model} by {named.where}, its capacity is not stated"
    wrong = contradictions(named.drive, [test])
    return " ".join([f"Drive: {named.drive.name} by {named.where}.", *wrong[:1]])


def _job(row: dict[str, str]) -> str:
    depth = f", queue depth {row['Queue depth']}" if row["Queue depth"] else ""
    times = [f"{name} {row[key]}" for name, key in (("mean", "Mean"), ("p99", "p99")) if row[key]]
    head = f"{row['Job']}: {row['Direction']}{depth}, {row['Size']}"
    return f"{head}: {', '.join([row['Rate'], *times])}"


def _course(course: Course) -> str:
    unit, size = _QUANTITIES.get(course.quantity, (course.quantity, 1.0))
    mean = sum(course.values) / max(len(course.values), 1) / size
    row = course_rows("", [course])[0]
    steady = f", steady {row['Steady']}" if "from" in row["Steady"] else ""
    periods = f"{len(course.values):,} periods of {course.period_s:g} s"
    return f"{course.kind}: mean {three(mean)} {unit} over {periods}{steady}"


def _cut(line: str) -> str:
    return one_line(line, most=_MOST)


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"

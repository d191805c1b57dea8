"""`read`: the contents of drive, test and trace files."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from planner.cli.files import FILES, KIND, read_file
from planner.cli.parameters import ALL, AS_JSON, examples
from planner.cli.printing import print_json, print_list, print_table, print_wrapped, wrapped
from planner.cli.saving import save
from planner.cli.scenario_file import scenario_bytes
from planner.cli.terminal import echo
from planner.export.measured_options import options_of
from planner.export.reading_screen import next_line, reading_lines, short_lines
from planner.export.telemetry_tables import course_rows, fio_rows, reading_rows
from planner.export.trace_rows import workload_rows
from planner.quantity.untrusted import one_line
from planner.telemetry import FileReading, as_record
from planner.telemetry.fio import FioTest

_SHOWN_DRIVES = 4
_MOST_LINES = 18  # of several files


@click.command(
    "read",
    epilog=examples(
        "ssd-planner read smart.json old/*.txt", "ssd-planner read smart.json --save scenario.json"
    ),
)
@FILES
@KIND
@click.option("--save", "path", type=click.Path(dir_okay=False, path_type=Path),
              help="Scenario file to write, for plan --scenario.")  # fmt: skip
@ALL
@AS_JSON
def command(
    files: tuple[str, ...], kind: str | None, path: Path | None, is_all: bool, as_json: bool
) -> None:
    """Show the contents of drive, test and trace files; nothing leaves this machine."""
    readings = [read_file(name, kind) for name in files]
    if is_all and not as_json:
        for reading in readings:
            _print_reading(reading)
    elif not as_json:
        _print_first(readings)
    if path is not None:
        _save(path, readings)
    if as_json:
        print_json([as_record(reading) for reading in readings])
    if any(reading.refused is not None for reading in readings):
        raise click.exceptions.Exit(2)


def _print_first(readings: Sequence[FileReading]) -> None:
    """Print a few lines of a single file, two of each of several, and the next command."""
    for reading in readings:
        if reading.refused is not None:
            echo(one_line(f"refused: {reading.refused}"), err=True)
    good = [reading for reading in readings if reading.refused is None]
    lines_of = reading_lines if len(good) == 1 else short_lines
    folders = {one.file.rpartition("/")[0] for one in good}
    printed, folder = 0, folders.pop() if len(folders) == 1 else ""
    for at, reading in enumerate(good):
        named = reading.file.removeprefix(f"{folder}/") if len(good) > 1 else reading.file
        head, *lines = lines_of(replace(reading, file=named))
        printed += sum(len(wrapped(line)) for line in (head, *lines))
        if at and printed > _MOST_LINES:
            echo(f"{len(good) - at:,} more with --all")
            break
        print_wrapped(head, bold=True)
        for line in lines:
            print_wrapped(line)
    if line := next_line(readings):
        print_wrapped(line)


def _print_reading(reading: FileReading) -> None:
    echo(one_line(f"{reading.file}: {reading.kind or 'unknown'}"), bold=True)
    if reading.refused is not None:
        echo(one_line(f"refused: {reading.refused}"), err=True)
        return
    for drive in reading.drives[:_SHOWN_DRIVES]:
        rows = reading_rows(drive)
        noted = [row["Note"] for row in rows if row["Note"]]
        print_table([{key: row[key] for key in row if key != "Note"} for row in rows])
        print_list("Not used", [f"{u.field} ({u.text}): {u.reason}" for u in drive.unused])
        print_list("Notes", [*drive.notes, *noted])
        echo()
    more = len(reading.drives) - _SHOWN_DRIVES
    if more > 0:
        echo(f"{more} more; --json lists all\n")
    if isinstance(reading.workload, FioTest):
        courses = reading.workload.courses
        print_table([*fio_rows(reading.workload), *course_rows(reading.file, courses)])
        print_list("Notes", reading.workload.notes)
    elif reading.workload is not None:
        for label, value in workload_rows(reading.workload):
            echo(f"  {label}: {value}")
        print_list("Notes", getattr(reading.workload, "notes", ()))
    print_list("Left out", reading.notes)


def _save(path: Path, readings: Sequence[FileReading]) -> None:
    try:
        options = options_of(readings)
    except ValueError as error:
        raise click.UsageError(f"--save: {error}") from None
    if not options:
        raise click.UsageError("--save: the files contain no input of a plan")
    save({"--save": {path: scenario_bytes(options)}})

"""Files about drives and workloads, and forecasts, on a terminal."""

import shutil
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile

import click

from planner.catalogue import find, load
from planner.cli.printing import print_json, print_list, print_table
from planner.cli.scenario_file import write
from planner.export.scenario_file import options_of
from planner.export.telemetry_tables import (
    fio_rows,
    forecast_record,
    forecast_rows,
    left_rows,
    reading_rows,
)
from planner.forecast import Forecast, NoForecast, forecast
from planner.quantity.show import text
from planner.telemetry import FORMATS, Reading, as_record, read
from planner.telemetry.fio import FioTest

__all__ = ["FILES", "KIND", "forecast_files", "read_files"]

FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...")
KIND = click.option("--format", "kind", type=click.Choice([known.name for known in FORMATS]),
                    help="What the files are; detected without.")  # fmt: skip


def read_files(files: Sequence[str], kind: str | None, save: Path | None, *, as_json: bool) -> bool:
    """Print what each file holds; return whether every one was read."""
    readings = [_opened(name, kind) for name in files]
    if as_json:
        print_json([as_record(reading) for reading in readings])
    else:
        for reading in readings:
            _print_reading(reading)
    if save is not None:
        _save(save, readings)
    return all(reading.refused is None for reading in readings)


def forecast_files(
    files: Sequence[str], kind: str | None, drive: str | None, since: str | None, *, as_json: bool
) -> None:
    """Print when the rated life of the drive ends."""
    readings = [_opened(name, kind) for name in files]
    for reading in readings:
        if reading.refused is not None:
            raise click.UsageError(reading.refused)
    try:
        answer = forecast(
            [one for reading in readings for one in reading.drives],
            drive=None if drive is None else find(load(), drive),
            in_service_s=None if since is None else _day(since),
        )
    except NoForecast as reason:
        raise click.UsageError(f"no forecast: {reason}") from None
    if as_json:
        print_json(forecast_record(answer))
        return
    click.echo(click.style(answer.model or "A drive of unknown model", bold=True))
    rate = text("host_bytes_per_s", answer.host_bytes_per_s)
    of = "power-on time" if answer.clock == "power-on" else "the calendar"
    wa = "" if answer.wa is None else f", write amplification {answer.wa:.3g}"
    click.echo(f"From {_basis(answer)}, at {rate} of host writes by {of}{wa}\n")
    print_table(forecast_rows(answer))
    click.echo()
    print_table(left_rows(answer))
    print_list("They disagree", answer.disagreements)
    print_list("What would make it better", answer.better)
    print_list("Notes", answer.notes)


def _basis(answer: Forecast) -> str:
    return "one reading" if answer.readings == 1 else f"a series of {answer.readings} readings"


def _opened(name: str, kind: str | None) -> Reading:
    try:
        if name == "-":
            with TemporaryFile() as kept:
                shutil.copyfileobj(sys.stdin.buffer, kept)
                kept.seek(0)
                return read("standard input", kept, kind=kind)
        with Path(name).open("rb") as stream:
            return read(name, stream, kind=kind)
    except OSError as error:
        return Reading(file=name, refused=f"{name}: cannot be read: {error.strerror or error}")


def _print_reading(reading: Reading) -> None:
    click.echo(click.style(f"{reading.file}: {reading.kind or 'unknown'}", bold=True))
    if reading.refused is not None:
        click.echo(f"refused: {reading.refused}", err=True)
        return
    for drive in reading.drives[:_SHOWN_DRIVES]:
        rows = reading_rows(drive)
        noted = [row["Note"] for row in rows if row["Note"]]
        print_table([{key: row[key] for key in row if key != "Note"} for row in rows])
        print_list("Not used", [f"{u.field} ({u.text}): {u.reason}" for u in drive.unused])
        print_list("Notes", [*drive.notes, *noted])
        click.echo()
    more = len(reading.drives) - _SHOWN_DRIVES
    if more > 0:
        click.echo(f"... and {more} more; --json lists all\n")
    if isinstance(reading.workload, FioTest) and reading.workload.jobs:
        print_table(fio_rows(reading.workload))
        print_list("Notes", reading.workload.notes)
    elif reading.workload is not None:
        record = as_record(reading)["workload"]
        for key, value in (record if isinstance(record, dict) else {}).items():
            long = isinstance(value, (list, dict)) and len(value) > _SHOWN_VALUES
            click.echo(f"  {key}: {f'{len(value)} values; --json lists them' if long else value}")
    print_list("Left out", reading.notes)


_SHOWN_DRIVES = 4
_SHOWN_VALUES = 6


def _save(save: Path, readings: Sequence[Reading]) -> None:
    try:
        options = options_of(readings)
    except ValueError as error:
        raise click.UsageError(f"--save: {error}") from None
    if not options:
        raise click.UsageError("--save: the files supply nothing that a plan takes")
    write(save, options)


def _day(written: str) -> float:
    try:
        moment = datetime.fromisoformat(written.strip())
    except ValueError:
        wanted = "--since must be a date such as 2023-05-31"
        raise click.UsageError(f"{wanted}, got '{written}'") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()

"""The command that compares formulas with the simulators: `python -m validation`."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from validation import cases, compare, indirection, placement, quarter, size_checks
from validation.array_grid import array_tasks
from validation.forecast_report import forecast_report
from validation.forecasts import Coverage, coverage, forecast_cases
from validation.processes import side_by_side
from validation.report import report, slug
from validation.speed import TOPICS, Finding, Task, compare_speed, speed_tasks
from validation.speed.read_tail import sliced_read_tasks
from validation.speed_report import array_report, rows_by_group, slice_report, speed_report

EXAMPLES = (
    "\b",
    "Examples:",
    "  ssd-planner validate --quick",
    "  ssd-planner validate --what speed --topic stalls -o stalls.md",
    "  ssd-planner validate --what arrays --quick -o arrays.md",
)


@click.command("validate", epilog="\n".join(EXAMPLES))
@click.option(
    "--what",
    type=click.Choice(
        ["amplification", "units", "placement", "speed", "slices", "arrays", "forecast"]
    ),
    default="amplification",
    show_default=True,
    help="What to compare: write amplification; indirection units; placement of data on drawn "
    "cases; IOPS, latencies, caches and TRIM; reads that suspend writes; arrays and data loss; or "
    "remaining life.",
)
@click.option(
    "--topic",
    "topics",
    multiple=True,
    type=click.Choice(list(TOPICS)),
    help="Part of `speed` to compare, repeatable; by default everything.",
)
@click.option("--quick", is_flag=True, help="Run a part of the grid on small drives.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Report to write; by default docs/evidence/validation.md, or with the name of what is "
    "compared: docs/evidence/validation-speed.md.",
)
def command(what: str, topics: tuple[str, ...], quick: bool, output: Path | None) -> None:
    """Compare formulas with the simulators and write the report."""
    if topics and what != "speed":
        raise click.UsageError("--topic must come with --what speed")
    suffix = "" if what == "amplification" else f"-{what}"
    path = output or Path(f"docs/evidence/validation{suffix}.md")
    _refuse_unwritable(path)
    if what == "amplification":
        _validate_amplification(path, quick=quick)
    elif what == "units":
        _validate_units(path, quick=quick)
    elif what == "placement":
        _validate_placement(path, quick=quick)
    elif what == "speed":
        _validate_speed(path, topics, quick=quick)
    elif what == "slices":
        _validate_slices(path, quick=quick)
    elif what == "arrays":
        _validate_arrays(path, quick=quick)
    else:
        _validate_forecast(path, quick=quick)


def _refuse_unwritable(output: Path) -> None:
    """Refuse a report path that cannot be written, before the long computation."""
    if not output.parent.is_dir():
        raise click.UsageError(f"--output '{output}' must be in a folder that exists")
    pictures = output.with_suffix("")
    if not output.suffix or pictures.is_file():
        raise click.UsageError(
            f"--output '{output}' must leave the name '{pictures}' to the folder of its pictures"
        )


def _validate_amplification(output: Path, *, quick: bool) -> None:
    """Compare every formula of write amplification; write the report and its pictures."""
    grid = cases(quick=quick)
    smaller = [] if quick else [quarter(case) for case in size_checks(grid)]
    with _progress() as bar:
        parts: list[float] = []

        def advance(part: float) -> None:
            parts.append(part)
            bar.update(round(1000 * sum(parts)) - bar.pos)

        try:
            compare_case = compare([*grid, *smaller], processes=processors(), advance=advance)
        except KeyboardInterrupt:
            raise click.Abort from None
    outcomes = compare_case[: len(grid)]
    from validation.pictures import pictures  # noqa: PLC0415 - altair

    drawn = _draw(lambda: pictures(outcomes))
    text = report(outcomes, compare_case[len(grid) :], pictures=_paths(drawn, output))
    _write(output, text, drawn)
    outside = [outcome for outcome in outcomes if not outcome.inside]
    for outcome in outside:
        case = outcome.case
        click.echo(f"outside its bound: {case.group}, {case.label}: {outcome.error:+.3%}")
    click.echo(f"{output}: {len(outcomes)} cases, {len(outside)} outside their bounds")


def _validate_units(output: Path, *, quick: bool) -> None:
    """Compare writes on indirection units; write the report."""
    chosen = indirection.CASES[:: 4 if quick else 1]
    with _progress() as bar:
        outcomes = []
        for place, case in enumerate(chosen, start=1):
            outcomes.append(indirection.compare(case))
            bar.update(round(1000 * place / len(chosen)) - bar.pos)
    _write(output, indirection.report(outcomes))
    outside = [each for each in outcomes if abs(each.error) > each.case.bound]
    for each in outside:
        click.echo(f"outside its bound: {each.case.label}: {each.error:+.3%}")
    click.echo(f"{output}: {len(outcomes)} cases, {len(outside)} outside their bounds")


def _validate_placement(output: Path, *, quick: bool) -> None:
    """Compare placements on drawn cases; write the report."""
    drawn = placement.drawn(quick=quick)
    outcomes: list[placement.Outcome] = []
    with _progress() as bar:
        try:
            for outcome in side_by_side(placement.compare, drawn, processors()):
                outcomes.append(outcome)
                bar.update(round(1000 * len(outcomes) / len(drawn)) - bar.pos)
        except KeyboardInterrupt:
            raise click.Abort from None
    _write(output, placement.report(outcomes))
    beyond = placement.outside(outcomes)
    for outcome in beyond:
        click.echo(f"outside its bound: {outcome.case.label}: {outcome.error:+.2%}")
    click.echo(f"{output}: {len(outcomes)} cases, {len(beyond)} outside their bounds")


def _validate_speed(output: Path, topics: tuple[str, ...], *, quick: bool) -> None:
    """Run the comparisons of the topics; write the report and its pictures."""
    findings = _compare_all(speed_tasks(topics, quick=quick))
    from validation.speed_pictures import speed_pictures  # noqa: PLC0415 - altair

    drawn = _draw(lambda: speed_pictures(findings))
    _write(output, speed_report(findings, pictures=_paths(drawn, output)), drawn)
    _print_summary(findings, output)


def _validate_slices(output: Path, *, quick: bool) -> None:
    """Run the comparisons of reads behind slices; write the report."""
    findings = _compare_all(list(sliced_read_tasks(quick)))
    _write(output, slice_report(findings, quick=quick))
    _print_summary(findings, output)


def _validate_arrays(output: Path, *, quick: bool) -> None:
    """Run the comparisons of arrays, data loss and replacements; write the report."""
    findings = _compare_all(array_tasks(quick=quick))
    _write(output, array_report(findings, quick=quick))
    _print_summary(findings, output)


def _validate_forecast(output: Path, *, quick: bool) -> None:
    """Measure the coverage of intervals of remaining life; write the report."""
    cases = forecast_cases(quick=quick)
    found: dict[tuple[str, int], Coverage] = {}
    with _progress() as bar:
        try:
            for one in side_by_side(coverage, cases, processors()):
                found[one.kind.name, one.history_days] = one
                bar.update(round(1000 * len(found) / len(cases)) - bar.pos)
        except KeyboardInterrupt:
            raise click.Abort from None
    ordered = [found[kind.name, days] for kind, days, _ in cases]
    _write(output, forecast_report(ordered))
    missed = [one for one in ordered if not one.inside]
    for one in missed:
        click.echo(f"below its bound: {one.kind.name}, {one.history_days} days: {one.open:.1%}")
    click.echo(f"{output}: {len(ordered)} cases, {len(missed)} below their bounds")


def _compare_all(tasks: Sequence[Task]) -> list[Finding]:
    """Run every task with a progress bar; Ctrl-C stops it."""
    findings: dict[int, Finding] = {}
    done = 0.0
    with _progress() as bar:
        try:
            for share, finding, place in compare_speed(tasks, processes=processors()):
                findings[place] = finding
                done += share
                bar.update(round(1000 * done) - bar.pos)
        except KeyboardInterrupt:
            raise click.Abort from None
    return [findings[place] for place in range(len(tasks))]


def _print_summary(findings: Sequence[Finding], output: Path) -> None:
    rows = [row for group in rows_by_group(findings).values() for row in group]
    outside = [row for row in rows if not row.inside]
    for row in outside:
        click.echo(f"outside its bound: {row.group}, {row.case}: {row.error:+.2%}")
    click.echo(f"{output}: {len(rows)} cases, {len(outside)} outside their bounds")


def _draw(pictures: Callable[[], Mapping[str, str]]) -> Mapping[str, str]:
    """Return the pictures by name; none if they cannot be drawn."""
    from validation.pictures import can_draw  # noqa: PLC0415 - altair

    if can_draw():
        return pictures()
    click.echo("No pictures without vl-convert: pip install 'ssd-planner[report]'")
    return {}


def _paths(pictures: Mapping[str, str], output: Path) -> dict[str, str]:
    """Return the paths of the pictures relative to the report."""
    return {name: f"{output.with_suffix('').name}/{slug(name)}.svg" for name in pictures}


def _write(output: Path, text: str, pictures: Mapping[str, str] | None = None) -> None:
    """Write the report, and the pictures in a folder beside it: all of them or none."""
    from planner.export.files import write_files  # noqa: PLC0415 - to compare needs no planner

    drawn = pictures or {}
    paths = _paths(drawn, output)
    files = {output.parent / paths[name]: picture.encode() for name, picture in drawn.items()}
    folder = output.with_suffix("") if drawn else None
    try:
        write_files(files | {output: text.encode()}, folder=folder)
    except OSError as error:
        raise click.UsageError(
            f"--output '{error.filename}' cannot be written: {error.strerror}"
        ) from None


def processors() -> int:
    """Return the number of processors that this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _progress() -> Any:
    """Return a progress bar of a thousand steps that is shown on terminals only."""
    return click.progressbar(
        length=1000, label="Validating", file=sys.stderr, hidden=not sys.stderr.isatty()
    )

"""The commands that compare formulas of speed, of arrays and of data loss with simulators."""

from collections.abc import Sequence
from pathlib import Path

import click

from models.simulator import Cancelled
from planner.cli.simulation import draw, processors, progress, refuse_without_folder
from validation.array_grid import array_tasks
from validation.speed import Finding, Task, compare_speed, speed_tasks
from validation.speed_report import array_report, rows_by_group, speed_report

__all__ = ["validate_arrays", "validate_speed"]


def validate_speed(topics: tuple[str, ...], quick: bool, output: Path) -> None:
    """Run the comparisons of the topics and write the report, with pictures beside it."""
    refuse_without_folder(output)
    findings = _measured(speed_tasks(topics, quick=quick))
    from validation.speed_pictures import speed_pictures  # noqa: PLC0415 - altair

    drawn = draw(lambda: speed_pictures(findings), output.with_suffix(""))
    output.write_text(speed_report(findings, pictures=drawn))
    _summed_up(findings, output)


def validate_arrays(quick: bool, output: Path) -> None:
    """Run the comparisons of arrays, data loss and replacements and write the report."""
    refuse_without_folder(output)
    findings = _measured(array_tasks(quick=quick))
    output.write_text(array_report(findings, quick=quick))
    _summed_up(findings, output)


def _measured(tasks: Sequence[Task]) -> list[Finding]:
    """Run every task, with progress; the keyboard stops it."""
    found: dict[int, Finding] = {}
    done = 0.0
    with progress(length=1000, label="Validating") as bar:
        try:
            for share, finding, place in compare_speed(tasks, processes=processors()):
                found[place] = finding
                done += share
                bar.update(round(1000 * done) - bar.pos)
        except KeyboardInterrupt:
            raise Cancelled from None
    return [found[place] for place in range(len(tasks))]


def _summed_up(findings: Sequence[Finding], output: Path) -> None:
    rows = [row for group in rows_by_group(findings).values() for row in group]
    outside = [row for row in rows if not row.inside]
    for row in outside:
        click.echo(f"outside its bound: {row.group}, {row.case}: {row.error:+.2%}")
    click.echo(f"{output}: {len(rows)} cases, {len(outside)} outside their bounds")

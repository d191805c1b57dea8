"""The command that compares formulas of speed with simulators."""

from pathlib import Path

import click

from models.simulator import Cancelled
from planner.cli.simulation import draw, processors, progress, refuse_without_folder
from planner.export.speed_validation_report import rows_by_group, speed_report
from planner.validation.speed import Finding, compare_speed, speed_tasks

__all__ = ["validate_speed"]


def validate_speed(topics: tuple[str, ...], quick: bool, output: Path) -> None:
    """Run the comparisons of the topics and write the report, with pictures beside it."""
    refuse_without_folder(output)
    tasks = speed_tasks(topics, quick=quick)
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
    findings = [found[place] for place in range(len(tasks))]
    from planner.export.speed_validation_pictures import speed_pictures  # noqa: PLC0415 - altair

    drawn = draw(lambda: speed_pictures(findings), output.with_suffix(""))
    output.write_text(speed_report(findings, pictures=drawn))
    rows = [row for group in rows_by_group(findings).values() for row in group]
    outside = [row for row in rows if not row.inside]
    for row in outside:
        click.echo(f"outside its bound: {row.group}, {row.case}: {row.error:+.2%}")
    click.echo(f"{output}: {len(rows)} cases, {len(outside)} outside their bounds")

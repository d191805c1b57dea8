"""`export`: plans as a workbook, as CSV or as JSON."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from planner.catalogue import load
from planner.cli.options import plans, scenario
from planner.cli.parameters import DRIVES, examples
from planner.cli.printing import as_json
from planner.export.tables import record, rows, to_csv
from planner.export.workbook.book import workbook
from planner.sections.plan import Plan

__all__ = ["command"]


@click.command(
    "export",
    epilog=examples('ssd-planner export --drive "860 PRO 4TB" --writes 100GiB/day -o plan.xlsx'),
)
@DRIVES
@scenario()
@click.option("--output", "-o", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="File to write: .xlsx (live formulas), .csv or .json.")  # fmt: skip
def command(names: tuple[str, ...], output: Path, **options: Any) -> None:
    """Write a plan as a workbook with live formulas, as CSV or as JSON."""
    answers = plans(names, options)
    if output.suffix.lower() not in WRITERS:
        raise click.UsageError(f"--output must end in .xlsx, .csv or .json, got '{output}'")
    try:
        output.write_bytes(WRITERS[output.suffix.lower()](answers))
    except OSError as error:
        raise click.UsageError(f"--output '{output}' cannot be written: {error.strerror}") from None
    click.echo(f"{output}")


def _workbook(answers: Sequence[Plan]) -> bytes:
    return workbook(answers, load())


def _csv(answers: Sequence[Plan]) -> bytes:
    return to_csv(
        [
            {"drive": answer.drive.name} | asdict(row)
            for answer in answers
            for row in rows(answer, load())
        ]
    )


def _json(answers: Sequence[Plan]) -> bytes:
    return as_json([record(answer, load()) for answer in answers]).encode()


WRITERS: dict[str, Callable[[Sequence[Plan]], bytes]] = {
    ".xlsx": _workbook,
    ".csv": _csv,
    ".json": _json,
}

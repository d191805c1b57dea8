"""`export`: plans as a workbook, as CSV or as JSON."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import click

from planner.catalogue import load
from planner.cli.application import application_in
from planner.cli.options import plans, scenario
from planner.cli.parameters import DRIVES, EXPORTED, examples, export_date
from planner.cli.printing import as_json
from planner.cli.saving import save
from planner.cli.terminal import echo
from planner.export.tables import record, rows, to_csv, verdict_record
from planner.export.workbook.book import workbook
from planner.quantity.inputs import stated
from planner.scenario.risk import Risk
from planner.search.verdict import verdict
from planner.sections.plan import PlanReading


@click.command(
    "export",
    epilog=examples('ssd-planner export --drive "860 PRO 4TB" --writes 100GiB/day -o plan.xlsx'),
)
@DRIVES
@scenario("years")
@EXPORTED
@click.option("--output", "-o", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="File to write: .xlsx (live formulas), .csv or .json.")  # fmt: skip
def command(names: tuple[str, ...], output: Path, exported: str | None, **options: Any) -> None:
    """Write a plan as a workbook with live formulas, as CSV or as JSON."""
    answers, day = plans(names, options), export_date(exported)
    horizon_s = stated(options, ["years"])["horizon_s"]
    if output.suffix.lower() not in WRITERS:
        raise click.UsageError(f"--output must end in .xlsx, .csv or .json, got '{output}'")
    save({"--output": {output: WRITERS[output.suffix.lower()](answers, day, horizon_s)}})
    echo(f"{output}")


def _workbook(answers: Sequence[PlanReading], exported: date, horizon_s: float) -> bytes:
    return workbook(
        answers, load(), exported=exported, risk=Risk(horizon_s=horizon_s),
        application=application_in(click.get_current_context()),
    )  # fmt: skip


def _csv(answers: Sequence[PlanReading], _: date, __: float) -> bytes:
    return to_csv(
        [
            {"drive": answer.drive.name} | asdict(row)
            for answer in answers
            for row in rows(answer, load())
        ]
    )


def _json(answers: Sequence[PlanReading], _: date, horizon_s: float) -> bytes:
    load_of = application_in(click.get_current_context())
    return as_json(
        [
            record(answer, load())
            | {"verdict": verdict_record(verdict(answer, horizon_s, application=load_of))}
            for answer in answers
        ]
    ).encode()


WRITERS: dict[str, Callable[[Sequence[PlanReading], date, float], bytes]] = {
    ".xlsx": _workbook,
    ".csv": _csv,
    ".json": _json,
}

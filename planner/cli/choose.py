"""The choice on a terminal: requirements, candidates, and the plans that meet them."""

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import click

from planner.catalogue import load
from planner.cli.application import application_in
from planner.cli.choose_brief import print_brief
from planner.cli.choose_options import TIME, TOP, axes_of, choice_options, question
from planner.cli.choose_output import (
    fleet_record,
    print_asked,
    print_choice,
    print_replay,
    replayed,
)
from planner.cli.help_groups import GroupedCommand
from planner.cli.parameters import ALL, AS_JSON, EXPORTED, examples, export_date
from planner.cli.printing import as_json, print_json, print_read_as, progress
from planner.cli.saving import save
from planner.cli.scenario_file import given, scenario_bytes
from planner.export.choice_record import choice_record
from planner.export.choice_tables import ranked_rows
from planner.export.tables import to_csv
from planner.search.choose import Axis, Choice, MixedFleet, choose, mixed_fleet
from planner.search.choose.request import OBJECTIVES, ChoiceRequest

TELL = [
    click.option("--minimise", type=click.Choice(list(OBJECTIVES)), default=next(iter(OBJECTIVES)),
                 show_default=True, help="Cost of owning the drives, or their price; prices that "
                 "are ranges count at their typical figure."),
    click.option("--front", help="Also the plans that are best in the objective and in one or two "
                 f"of: {', '.join(axis.name.lower() for axis in Axis if axis is not Axis.LEAST)}."),
    click.option("--mixed", is_flag=True, help="Also the best mix of several kinds of arrays."),
    click.option("--simulate", "with_replay", is_flag=True,
                 help="Run the reference simulator on the best plan's write amplification."),
    click.option("--xlsx", "xlsx_path", type=click.Path(dir_okay=False, path_type=Path),
                 help="Write the procurement workbook, with live formulas."),
    click.option("--tables", "tables_path", type=click.Path(file_okay=False, path_type=Path),
                 help="Write the tables of the workbook into this folder, as CSV and as JSON."),
    click.option("--rfq", "rfq_path", type=click.Path(dir_okay=False, path_type=Path),
                 help="Write a request for quotation of the ranked drives, as CSV: suppliers fill "
                 "in prices, and --catalogue reads it."),
    EXPORTED,
    click.option("--title", default="", help="Of the project, on the workbook."),
    click.option("--buyer", default="", help="Organisation, on the workbook."),
    click.option("--prepared-by", default="", help="On the workbook."),
    click.option("--notes", default="", help="On the workbook."),
    click.option("--save", "scenario_path", type=click.Path(dir_okay=False, path_type=Path),
                 help="Write these options as a scenario file, for --scenario."),
    click.option("--csv", "csv_path", type=click.Path(dir_okay=False, path_type=Path),
                 help="Write the plans as CSV."),
    ALL,
    AS_JSON,
]  # fmt: skip
NOT_SAVED = {
    "as_json", "is_all", "csv_path", "tables_path", "xlsx_path", "scenario_path", "exported",
    "rfq_path",
}  # fmt: skip
EXAMPLES = (
    "ssd-planner choose --segment enterprise --usable 20TB --iops 200000 --minimise cost",
    'ssd-planner choose --drive "845DC PRO 400" --drive "DC S3700 400" --usable 4TB --json',
)


def _output_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(TELL):
        command = option(command)
    return command


@click.command("choose", cls=GroupedCommand, epilog=examples(*EXAMPLES))
@choice_options
@_output_options
def command(
    names: tuple[str, ...],
    *,
    is_all: bool,
    as_json: bool,
    mixed: bool,
    with_replay: bool,
    csv_path: Path | None,
    xlsx_path: Path | None,
    tables_path: Path | None,
    scenario_path: Path | None,
    **texts: Any,
) -> None:
    """Find the drives, number, layout and spare area that meet every requirement."""
    exported = export_date(texts["exported"])
    required = question(names, texts)
    with progress(length=100) as bar:
        found = choose(
            **required,
            top=TOP.value(texts["top"]),
            axes=axes_of(texts["front"]),
            progress=partial(_show, bar),
        )
    fleet = _mix(required, TIME.value(texts["time"])) if mixed else None
    files: dict[str, dict[Path, bytes]] = {}
    if xlsx_path is not None:
        files["--xlsx"] = {xlsx_path: _workbook(found, exported, texts)}
    if tables_path is not None:
        files["--tables"] = _tables(found, tables_path)
    if scenario_path is not None:
        context = click.get_current_context()
        kept = given(context, set(context.params) - NOT_SAVED)
        files["--save"] = {scenario_path: scenario_bytes(kept | _days(found, exported))}
    if texts["rfq_path"] is not None:
        files["--rfq"] = {texts["rfq_path"]: _request(found)}
    if csv_path is not None:
        table = to_csv([dict(row) for row in ranked_rows(found)])
        files["--csv"] = {csv_path: table}
    save(files, folder=tables_path)
    simulated = replayed(found) if with_replay else {}
    if as_json:
        print_json(choice_record(found) | fleet_record(fleet) | simulated)
        return
    print_read_as(required["workload"])
    if is_all:
        print_choice(found, fleet)
    else:
        print_brief(found, required["workload"])
        print_asked(found, fleet)
    print_replay(simulated)


def _days(found: Choice, exported: date) -> dict[str, str]:
    """Return the days that a saved question keeps, so that it is answered alike later."""
    days = {"exported": exported.isoformat()}
    return days if found.prices is None else days | {"today": found.prices.today.isoformat()}


def _tables(found: Choice, folder: Path) -> dict[Path, bytes]:
    """Return each table as CSV, and all of them as JSON."""
    from planner.export.procurement import procurement_tables  # noqa: PLC0415 - slow to import

    tables = procurement_tables(found, load())
    files = {folder / f"{name}.csv": to_csv(table) for name, table in tables.items()}
    return files | {folder / "tables.json": f"{as_json(tables)}\n".encode()}


def _workbook(found: Choice, exported: date, texts: dict[str, Any]) -> bytes:
    from planner.export.procurement import Project, procurement_workbook  # noqa: PLC0415 - slow

    if found.best is None:
        raise click.UsageError("--xlsx needs a plan, and none meets every requirement")
    project = Project(
        title=texts["title"],
        organisation=texts["buyer"],
        prepared_by=texts["prepared_by"],
        notes=texts["notes"],
    )
    return procurement_workbook(
        found, load(), exported=exported, project=project,
        application=application_in(click.get_current_context()),
    )  # fmt: skip


def _request(found: Choice) -> bytes:
    from planner.export.procurement.request_table import request_rows  # noqa: PLC0415 - slow

    if found.best is None:
        raise click.UsageError("--rfq needs a plan, and none meets every requirement")
    return to_csv(request_rows(found))


def _mix(required: ChoiceRequest, solver_s: float) -> MixedFleet:
    """Search the best mix; the bar says how long that may take."""
    with progress(length=1, label=f"Mixes, {solver_s:.3g} s at most"):
        return mixed_fleet(**required, solver_s=solver_s)


def _show(bar: Any, what: str, done: int, of: int) -> None:
    """Move the bar to where this part of the work is."""
    bar.label = what
    bar.update(round(100 * done / max(1, of)) - bar.pos)

"""`fleet`: when each drive of a fleet is worn out, from folders of files of any kind."""

import time
from contextlib import nullcontext
from pathlib import Path

import click

from models.units import DAY_S
from planner.cli.parameters import ALL, AS_JSON, examples
from planner.cli.printing import print_json, print_list, print_sentences, print_table, print_wrapped
from planner.cli.saving import save
from planner.cli.terminal import echo
from planner.export.fleet_files import home_assistant, prometheus, table
from planner.export.fleet_screen import fleet_heading, fleet_lines
from planner.export.fleet_tables import (
    fleet_record,
    growth_line,
    headline,
    labels,
    mended_lines,
    model_rows,
    month_rows,
    notes,
    nothing_read,
    retire_rows,
    spare_lines,
)
from planner.forecast.fleet import Fleet, fleet
from planner.forecast.fleet.cluster import cluster
from planner.forecast.fleet.files import files_of

_FILE = click.Path(dir_okay=False, path_type=Path)
_SHOWN = 10  # refusals, and drives under "retire first"


@click.command(
    "fleet",
    epilog=examples(
        "ssd-planner fleet smart/", "ssd-planner fleet 'daily/*.parquet' inventory.csv --json"
    ),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--lead", "lead_days", type=click.FloatRange(0, 365), default=56, show_default=True,
              help="Days from an order of spare drives to their delivery.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS",
              help="Scheduler of a dask cluster for large tables: tcp://host:8786 in a trusted "
                   "network, else tls://host:8786.")  # fmt: skip
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    type=_FILE,
    help="Write a row for each drive: .csv, .parquet, or .xlsx with sums by model.",
)
@click.option(
    "--prometheus",
    "exposition",
    metavar="FILE",
    type=_FILE,
    help="Write the text exposition, for the textfile collector of node_exporter.",
)
@click.option(
    "--mqtt",
    metavar="FILE",
    type=_FILE,
    help="Write messages of Home Assistant's MQTT discovery, as JSON by topic.",
)
@ALL
@AS_JSON
def command(
    paths: tuple[str, ...], lead_days: float, scheduler: str | None, output: Path | None,
    exposition: Path | None, mqtt: Path | None, is_all: bool, as_json: bool,
) -> None:  # fmt: skip
    """Forecast the end of the rated life of all drives in folders of files."""
    with nullcontext() if scheduler is None else cluster(scheduler) as found:
        answer = fleet(
            files_of(paths), lead_s=lead_days * DAY_S, now_s=time.time(),
            executor=found and found.executor,
        )  # fmt: skip
    if not answer.histories.drives:
        raise click.UsageError(nothing_read(answer, "PATH..."))
    files = {
        "--output": {} if output is None else {output: table(answer, output)},
        "--prometheus": {} if exposition is None else {exposition: prometheus(answer)},
        "--mqtt": {} if mqtt is None else {mqtt: home_assistant(answer)},
    }
    if any(files.values()):
        save(files)
    if as_json:
        print_json(fleet_record(answer))
    elif is_all:
        _print_all(answer)
    else:
        print_wrapped(fleet_heading(answer), bold=True)
        print_sentences(fleet_lines(answer))
        echo("More: --all, -o fleet.xlsx, --json")


def _print_all(answer: Fleet) -> None:
    echo(headline(answer), bold=True)
    echo(f"Dates: {labels(answer)}\n")
    print_table(model_rows(answer))
    if growth := growth_line(answer):
        echo(f"\n{growth}")
    if months := month_rows(answer):
        echo()
        print_table(months)
    print_list("Notes", notes(answer))
    print_list(f"Spares for a lead time of {answer.lead_s / DAY_S:g} days", spare_lines(answer))
    if first := retire_rows(answer, _SHOWN):
        echo("\nRetire first")
        print_table(first)
    _print_wrong(answer)


def _print_wrong(answer: Fleet) -> None:
    """Print the mended and the unused readings."""
    print_list("Mended readings", mended_lines(answer))
    print_list("Not used", [f"{one.file}: {one.reason}" for one in answer.refused[:_SHOWN]])
    more = len(answer.refused) - _SHOWN
    if more > 0:
        echo(f"{more:,} more; --json lists all")

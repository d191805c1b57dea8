"""`app`: from what an application writes to the load of a drive."""

from pathlib import Path
from typing import Any

import click

from planner.application.groups import grouped, uses
from planner.cli.app_measured import MEASURED, OVER, comparisons
from planner.cli.application import IN, workload
from planner.cli.help_groups import GroupedCommand
from planner.cli.options import is_bare, one_drive, options
from planner.cli.parameters import ALL, AS_JSON, examples
from planner.cli.printing import print_sentences
from planner.cli.scenario_file import SCENARIO_FILE
from planner.cli.terminal import echo
from planner.quantity.inputs import PLAN, stated


@click.command(
    "app",
    cls=GroupedCommand,
    epilog=examples(
        "ssd-planner app sqlite-wal --inputs",
        "ssd-planner app sqlite-wal --in transactions_per_s=50 --in rows=1e6 --json",
        'ssd-planner app postgres-oltp --in max_wal_bytes=32e9 --drive "PM9A3 3.84"',
    ),
)
@click.argument("preset", required=False)
@IN
@MEASURED
@click.option("--list", "listed", is_flag=True, help="List the presets by question.")
@click.option(
    "--inputs",
    "is_inputs",
    is_flag=True,
    help="List the inputs of PRESET, or of all: default, range, source.",
)
@click.option("--drive", "names", multiple=True,
              help="A drive by name, to plan under this load.")  # fmt: skip
@SCENARIO_FILE
@options(*PLAN, "years", OVER)
@ALL
@AS_JSON
@click.pass_context
def command(
    context: click.Context,
    /,
    preset: str | None,
    listed: bool,
    is_inputs: bool,
    names: tuple[str, ...],
    files: tuple[Path, ...],
    is_all: bool,
    as_json: bool,
    **texts: Any,
) -> None:
    """Show the writes of an application to its drive, and the drive's life."""
    if is_inputs or (listed and as_json):
        from planner.cli.app_output import print_inputs  # noqa: PLC0415 - a list does without

        print_inputs(preset, as_json=as_json)
        return
    if listed or (preset is None and is_bare(context)):
        _print_groups()
        return
    answer, written = workload(context, preset, texts.pop("in"))
    planned = None
    if names or texts["capacity"] is not None:
        planned = one_drive(names, texts | written)
    counted = comparisons(answer, files, stated(texts, [OVER]).get("over_s"))
    horizon_s = stated(texts, ["years"])["horizon_s"]
    from planner.cli.app_output import print_answer  # noqa: PLC0415 - as above

    print_answer(answer, counted, planned, horizon_s, is_all=is_all, as_json=as_json)


def _print_groups() -> None:
    """Print the presets by what they are asked for."""
    echo("Applications, by what they are: `app PRESET --in NAME=VALUE --drive DRIVE`", bold=True)
    for group, names in grouped().items():
        echo(group)
        print_sentences({f"  {name}": uses()[name].use for name in names})
    echo("Inputs, defaults and sources: app PRESET --inputs")

"""`app`: from what an application writes to the load of a drive."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.application.groups import grouped, uses
from planner.cli.app_measured import DEVICE, MEASURED, OVER, SAVE, fit_to, save_application
from planner.cli.application import STATED, stated_options, workload
from planner.cli.help_groups import GroupedCommand
from planner.cli.options import SCENARIO_OPTIONS, is_bare, one_drive, options
from planner.cli.parameters import ALL, AS_JSON, examples
from planner.cli.printing import print_sentences
from planner.cli.scenario_file import SCENARIO_FILE
from planner.cli.terminal import echo
from planner.quantity.inputs import PLAN, stated

if TYPE_CHECKING:
    from planner.application import Application
    from planner.search.counters import MeasuredApp


@click.command(
    "app",
    cls=GroupedCommand,
    epilog=examples(
        "ssd-planner app sqlite-wal --inputs",
        "ssd-planner app sqlite-wal --in transactions_per_s=50 --in rows=1e6 --json",
        'ssd-planner app postgres-oltp --in max_wal_bytes=32e9 --drive "PM9A3 3.84"',
        "ssd-planner app postgres-oltp --on dm-crypt --app redis-aof --in sets_per_s=300",
    ),
)
@click.argument("preset", required=False)
@stated_options
@MEASURED
@DEVICE
@SAVE
@click.option("--list", "asked", flag_value="list", help="List the presets by question.")
@click.option(
    "--layers", "asked", flag_value="layers", help="List the layers for --on, with their inputs."
)
@click.option(
    "--inputs",
    "asked",
    flag_value="inputs",
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
    asked: str | None,
    names: tuple[str, ...],
    files: tuple[Path, ...],
    is_all: bool,
    as_json: bool,
    **texts: Any,
) -> None:
    """Show the writes of an application to its drive, and the drive's life."""
    if asked or (preset is None and is_bare(context)):
        _print_asked(asked, preset, as_json=as_json)
        return
    answer, written, found = _fitted(context, preset, files, texts)
    planned = None
    if names or texts["capacity"] is not None:
        planned = one_drive(names, texts | written)
    horizon_s = stated(texts, ["years"])["horizon_s"]
    from planner.cli.app_output import print_answer  # noqa: PLC0415 - a list does without

    print_answer(answer, found, planned, horizon_s, is_all=is_all, as_json=as_json)


def _fitted(
    context: click.Context, preset: str | None, files: tuple[Path, ...], texts: dict[str, Any]
) -> "tuple[Application, dict[str, str], MeasuredApp | None]":
    """Return the load, its texts of a plan and its fit to counters; save it where a file is named.

    The options that name these are taken out of the texts.
    """
    for name in STATED:
        del texts[name]
    device, path = (texts.pop(name) for name in ("device", "path"))
    answer, written = workload(context, preset)
    if files and len(answer.apps) > 1:
        raise click.UsageError(
            f"--measured must be of one application, got {len(answer.apps)}: compare each alone"
        )
    found = fit_to(answer, files, stated(texts, [OVER]).get("over_s"), device)
    if found is not None:
        answer, written = workload(context, preset, found.fit.application)
    if path is not None:
        save_application(context, path, answer, SCENARIO_OPTIONS)
    return answer, written, found


def _print_asked(asked: str | None, preset: str | None, *, as_json: bool) -> None:
    """Print layers, the inputs of presets, or the presets by question."""
    if asked in ("layers", "inputs") or as_json:
        from planner.cli.app_output import print_inputs  # noqa: PLC0415 - a list does without

        print_inputs(preset, of_layers=asked == "layers", as_json=as_json)
        return
    echo("Applications, by what they are: `app PRESET --in NAME=VALUE --drive DRIVE`", bold=True)
    for group, names in grouped().items():
        echo(group)
        print_sentences({f"  {name}": uses()[name].use for name in names})
    echo("Inputs, defaults and sources: app PRESET --inputs; layers below: app --layers")

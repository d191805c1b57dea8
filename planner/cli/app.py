"""`app`: from what an application writes to the load of a drive."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from models.nomenclature import QUANTITIES
from planner.application import Application, Preset, grouped, layers, load, preset_of, three_digits
from planner.catalogue import load as load_catalogue
from planner.cli.app_measured import (
    DEVICE,
    MEASURED,
    OVER,
    SAVE,
    fit_to,
    measured_record,
    print_measured,
    save_application,
)
from planner.cli.application import STATED, stated_options, workload
from planner.cli.help_groups import GroupedCommand
from planner.cli.options import SCENARIO_OPTIONS, is_bare, one_drive, options
from planner.cli.parameters import ALL, AS_JSON, examples
from planner.cli.plan import print_more, print_plan
from planner.cli.printing import print_json, print_list, print_sentences, print_table, print_wrapped
from planner.cli.scenario_file import SCENARIO_FILE
from planner.cli.terminal import echo
from planner.export.tables import record, verdict_record
from planner.quantity.inputs import PLAN, stated
from planner.quantity.show import text, writes_text
from planner.search.commits import NO_FLUSH_TIMED, CommitLatency, application_commits
from planner.search.verdict import heading, verdict
from planner.search.verdict.words import percent
from planner.sections.plan import PlanReading

if TYPE_CHECKING:
    from planner.search.counters import MeasuredApp

NEVER_RUN = re.compile(r"(?:never|was|no \w+ was) run here|its structure is known|^By the shape")


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
    commits = [] if planned is None else application_commits(planned, answer)
    said = [*answer.notes, *([NO_FLUSH_TIMED] if commits else [])]
    if as_json:
        of_plan = _of_plan(planned, horizon_s, answer)
        notes = {"notes": [*said, *of_plan.get("notes", ())]}
        records = [each.record for each in commits]
        waits = {"commits": records if len(answer.apps) > 1 else records[0]} if records else {}
        print_json(answer.record | measured_record(found) | waits | of_plan | notes)
    elif is_all:
        _print_all(answer, found, commits, said)
    else:
        _print_brief(answer)
        print_measured(found)
        if planned is None:
            print_wrapped("Name a drive to get a verdict (--drive). More: --all, --inputs")
    if planned is not None and not as_json:
        _print_planned(planned, horizon_s, answer, is_all=is_all)


def _fitted(
    context: click.Context, preset: str | None, files: Sequence[Path], texts: dict[str, Any]
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
    if asked == "layers":
        _print_inputs([*layers().values()], as_json=as_json)
    elif asked == "inputs" or as_json:
        _print_inputs(_named(preset), as_json=as_json)
    else:
        _print_groups()


def _print_all(
    answer: Application, found: "MeasuredApp | None", commits: Sequence[CommitLatency],
    notes: Sequence[str],
) -> None:  # fmt: skip
    """Print every number of the load, then what it is compared with, and notes."""
    _print_load(answer)
    print_measured(found)
    for each in commits:
        echo(f"\n{each.sentence}")
    print_list("Notes", notes)


def _print_brief(answer: Application) -> None:
    """Print the load of the drive, its parts, and whether the preset was ever measured."""
    print_wrapped(answer.sentence, bold=True)
    if not answer.stated:
        print_wrapped("  An example load: state yours with --in NAME=VALUE (--inputs).")
    whole = answer.figures["device_bytes_per_s"].typical
    parts = [f"{name} {percent(each.typical / whole)}" for name, each in answer.by_layer.items()]
    if len(parts) > 1 and whole:
        print_wrapped(f"  of which {', '.join(parts)}")
    if answer.widest is not None:
        name, factor = answer.widest
        print_wrapped(f"  Most of the range: {name}, x{factor:.2g}.")
    if NEVER_RUN.search(answer.preset.note):
        print_wrapped(f"  Estimated, never measured here: {answer.preset.note}")


def _print_planned(
    plan: PlanReading, horizon_s: float, answer: Application, *, is_all: bool
) -> None:
    """Print the five sentences on the drive; the wait of commits stands for the longest write."""
    if is_all:
        echo()
        print_plan(plan, horizon_s, application=answer, is_all=True)
        return
    print_wrapped(heading(plan, horizon_s), bold=True)
    print_sentences(verdict(plan, horizon_s, application=answer).lines)
    print_more(plan)


def _print_groups() -> None:
    """Print the presets by what they are asked for."""
    echo("Applications, by what they are: `app PRESET --in NAME=VALUE --drive DRIVE`", bold=True)
    for group, names in grouped().items():
        echo(group)
        print_sentences({f"  {name}": load()[name].use for name in names})
    echo("Inputs, defaults and sources: app PRESET --inputs; layers below: app --layers")


def _of_plan(
    plan: PlanReading | None, horizon_s: float, application: Application
) -> dict[str, Any]:
    if plan is None:
        return {}
    judged = verdict(plan, horizon_s, application=application)
    return record(plan, load_catalogue()) | {"verdict": verdict_record(judged)}


def _print_load(answer: Application) -> None:
    echo(answer.preset.name, bold=True)
    rows = [
        _row(label, answer.figures[name])
        for label, name in (
            ("Application writes", "application_bytes_per_s"),
            ("File system is passed", "file_bytes_per_s"),
            ("Drive receives", "device_bytes_per_s"),
        )
    ]
    rows += [_row(f"  {name}", figure) for name, figure in answer.by_layer.items()]
    print_table(rows)
    for key, ends in answer.sizes.items():
        least, usual, most = (text(key, value) for value in ends)
        between = "" if least == most else f", from {least} to {most}"
        echo(f"{QUANTITIES[key].label}: {usual}{between}")
    low, typical, high = answer.figures["amplification"]
    echo(f"\nAmplification {typical:.3g}, from {low:.3g} to {high:.3g}")
    low, typical, high = answer.figures["flushes_per_s"]
    between = f", from {three_digits(low)} to {three_digits(high)}" if low != high else ""
    echo(f"Flushes {three_digits(typical)} a second{between}" if high else "Flushes none")


def _row(label: str, figure: Sequence[float]) -> dict[str, str]:
    low, typical, high = (writes_text(value) for value in figure)
    return {"What": label, "Typical": typical, "Low": low, "High": high}


def _named(preset: str | None) -> Sequence[Preset]:
    """Return the preset that is named, or all of them."""
    return [preset_of(preset)] if preset else [*load().values()]


def _print_inputs(presets: Sequence[Preset], *, as_json: bool) -> None:
    if as_json:
        print_json([_described(preset) for preset in presets])
        return
    for preset in presets:
        echo(f"{preset.name}: {preset.use}", bold=True)
        print_table([
            {
                "Input": row.name,
                "Default": f"{row.default:g}"
                if isinstance(row.default, float)
                else row.default or "",
                "Accepted": row.range,
                "Source": row.source,
            }
            for row in preset.inputs.values()
        ])  # fmt: skip


def _described(preset: Preset) -> dict[str, Any]:
    inputs = [
        {
            "name": row.name,
            "default": row.default,
            "low": row.low,
            "high": row.high,
            "unit": row.unit,
            "accepted": row.range,
            "source": row.source,
        }
        for row in preset.inputs.values()
    ]
    return {"name": preset.name, "for": preset.use, "inputs": inputs}

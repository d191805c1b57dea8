"""`app`: from what an application writes to the load of a drive."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from models.errors import DomainError
from planner.application import Answer, Preset, answer_of, load
from planner.catalogue import load as load_catalogue
from planner.cli.options import one_drive, scenario
from planner.cli.parameters import AS_JSON, examples
from planner.cli.plan import print_plan
from planner.cli.printing import print_json, print_table
from planner.cli.terminal import echo
from planner.export.tables import record, verdict_record
from planner.quantity.inputs import stated
from planner.quantity.show import text
from planner.reliability.failure_assumptions import Risk
from planner.search.verdict import verdict
from planner.sections.plan import Plan

__all__ = ["command"]

FROM_THE_LOAD = ("writes", "client", "size", "sequential")


@click.command(
    "app",
    epilog=examples(
        "ssd-planner app --list",
        "ssd-planner app sqlite-wal --in transactions_per_s=50 --in rows=1e6 --json",
        'ssd-planner app postgres-oltp --in max_wal_bytes=32e9 --drive "PM9A3 3.84"',
    ),
)
@click.argument("preset", required=False)
@click.option("--in", "inputs", multiple=True, metavar="NAME=VALUE",
              help="An input of the preset in base units; again for each.")  # fmt: skip
@click.option("--list", "listed", is_flag=True, help="List the presets and their inputs.")
@click.option("--drive", "names", multiple=True,
              help="A drive by name, to plan under this load.")  # fmt: skip
@scenario("years")
@AS_JSON
@click.pass_context
def command(
    context: click.Context,
    /,
    preset: str | None,
    inputs: tuple[str, ...],
    listed: bool,
    names: tuple[str, ...],
    as_json: bool,
    **texts: Any,
) -> None:
    """Show what an application writes to its drive, and how long it lasts."""
    if listed:
        _print_presets(as_json=as_json)
        return
    given = {name for name in FROM_THE_LOAD if _is_given(context, name)}
    answer = _answer(preset, inputs, given)
    planned = None
    if names or texts["capacity"] is not None:
        planned = one_drive(names, texts | _workload(answer, given))
    risk = Risk(**stated(texts, ["years"]))
    if as_json:
        of_plan = _of_plan(planned, risk)
        notes = {"notes": [answer.note, *of_plan.get("notes", ())]}
        print_json(_record(answer) | of_plan | notes)
        return
    _print_load(answer)
    if planned is not None:
        echo()
        print_plan(planned, risk, with_maths=False)


def _answer(preset: str | None, inputs: Sequence[str], given: Collection[str]) -> Answer:
    if preset is None:
        raise click.UsageError(f"PRESET must be one of {', '.join(load())}")
    for name in ("writes", "client"):
        if name in given:
            raise click.UsageError(f"--{name} follows from the application here: leave it out")
    try:
        return answer_of(preset, _stated(inputs))
    except DomainError as error:
        raise click.UsageError(str(error)) from None


def _of_plan(planned: Plan | None, risk: Risk) -> dict[str, Any]:
    if planned is None:
        return {}
    return record(planned, load_catalogue()) | {"verdict": verdict_record(verdict(planned, risk))}


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _stated(inputs: Sequence[str]) -> dict[str, str]:
    """Return the texts of inputs by name; the last of a name holds."""
    texts = {}
    for written in inputs:
        name, equals, value = written.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"--in must be NAME=VALUE, got {written[:60]!r}")
        texts[name.strip()] = value.strip()
    return texts


def _workload(answer: Answer, given: Collection[str]) -> dict[str, str]:
    """Return the load as texts of a plan, without what the options say."""
    load = answer.typical
    workload = {
        "writes": f"{load.device_bytes_per_s:.12g} B/s",
        "size": f"{min(max(load.transfer_bytes, 512.0), 2.0**30):.12g} B",
        "sequential": f"{load.sequential_fraction:.12g}",
    }
    return {name: text for name, text in workload.items() if name not in given}


def _record(answer: Answer) -> dict[str, Any]:
    figures = {name: figure._asdict() for name, figure in answer.figures.items()}
    layers = {name: figure._asdict() for name, figure in answer.by_layer.items()}
    levels = answer.inputs
    used = {
        name: {level: values[name] for level, values in levels.items()}
        for name in answer.preset.inputs
    }
    return {"preset": answer.preset.name, "inputs": used, **figures, "by_layer": layers}


def _print_load(answer: Answer) -> None:
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
    low, typical, high = answer.figures["amplification"]
    echo(f"\nAmplification {typical:.3g}, from {low:.3g} to {high:.3g}")
    low, typical, high = answer.figures["flushes_per_s"]
    echo(f"Flushes {typical:.3g} a second, from {low:.3g} to {high:.3g}")
    echo(answer.note)


def _row(label: str, figure: Sequence[float]) -> dict[str, str]:
    low, typical, high = (text("host_bytes_per_s", value) for value in figure)
    return {"What": label, "Typical": typical, "Low": low, "High": high}


def _print_presets(*, as_json: bool) -> None:
    presets: Mapping[str, Preset] = load()
    if as_json:
        print_json([_described(preset) for preset in presets.values()])
        return
    print_table(
        [
            {
                "Preset": preset.name,
                "Input": row.name,
                "Default": f"{row.default:g}" if isinstance(row.default, float) else row.default,
                "Accepted": row.range,
                "Source": row.source,
            }
            for preset in presets.values()
            for row in preset.inputs.values()
        ]
    )


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
    return {"name": preset.name, "inputs": inputs}

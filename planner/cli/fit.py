"""`speed --measured`: fit a drive to fio tests, and print or save the fit."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from models.nomenclature import QUANTITIES
from planner.cli.options import OPTION_OF, SCENARIO_OPTIONS
from planner.cli.printing import print_list, print_table
from planner.cli.saving import save
from planner.cli.scenario_file import given, scenario_bytes
from planner.cli.terminal import echo
from planner.export.scenario_file import facts_of
from planner.quantity.show import text
from planner.sections.plan import PlanReading
from planner.simulation.fit import Fit, fit
from planner.telemetry import read_file
from planner.telemetry.fio import FioTest

MEASURED = click.option(
    "--measured", multiple=True, metavar="FILE",
    help="fio JSON or log of a test of this drive, to fit the model to; repeatable.",
)  # fmt: skip

SAVE_FIT = click.option(
    "--save", type=click.Path(dir_okay=False, path_type=Path),
    help="Scenario file to write, with the facts fitted to --measured, for --scenario.",
)  # fmt: skip


def fitted(plan: PlanReading, files: Sequence[str]) -> tuple[PlanReading, Fit | None]:
    """Return the plan with its drive fitted to the tests in `files`, and the fit."""
    if not files:
        return plan, None
    found = fit(
        plan.drive,
        [fio_test(name) for name in files],
        plan.workload,
        partition_fraction=plan.partition_fraction,
        firmware=plan.firmware,
    )
    return plan.again(drive=found.drive), found


def save_fit(path: Path, plan: PlanReading, found: Fit) -> None:
    """Write the options of this call and the fitted facts as a scenario file for `--scenario`."""
    options = given(click.get_current_context(), SCENARIO_OPTIONS)
    facts = facts_of(found.drive, known=plan.drive)
    for name in facts:
        options.pop(OPTION_OF.get(name, "--").removeprefix("--").replace("-", "_"), None)
    stated = options.get("fact", [])
    kept = [fact for fact in stated if fact.partition("=")[0].strip() not in facts]
    if "capacity" not in options:
        options["drive"] = plan.drive.name
    options |= {"fact": [*kept, *facts.values()]}
    save({"--save": {path: scenario_bytes(options)}})


def fit_record(found: Fit) -> dict[str, Any]:
    """Return a fit as a record in base units."""
    return {
        "facts": [asdict(fact) for fact in found.facts],
        "points": [
            asdict(point)
            | {"residual_before": point.residual_before, "residual_after": point.residual_after}
            for point in found.points
        ],
        "worst_residual": found.worst_residual,
        "notes": list(found.notes),
    }


def print_fit(found: Fit) -> None:
    """Print the fitted facts, then every point with its residuals before and after."""
    echo("\nFitted to the measurements")
    print_table([
        {
            "Fact": QUANTITIES[fact.quantity].label,
            "Before": "" if fact.before is None else text(fact.quantity, fact.before),
            "Measured": text(fact.quantity, fact.after),
            "From": fact.origin,
        }
        for fact in found.facts
    ])  # fmt: skip
    echo()
    print_table([
        {
            "Point": point.name,
            "Measured": text(point.quantity, point.measured),
            "Before": _shown(point.quantity, point.before),
            "off by": _percent(point.residual_before),
            "Fitted": _shown(point.quantity, point.after),
            "off by ": _percent(point.residual_after),
            "": "fitted" if point.is_fitted else "",
        }
        for point in found.points
    ])  # fmt: skip
    if found.worst_residual is not None:
        echo(f"Worst error at a point not used for the fit: {100 * found.worst_residual:.1f} %")
    print_list("Notes on the test", found.notes)


def fio_test(name: str) -> FioTest:
    """Read a file of --measured as a fio test, or refuse it by name."""
    try:
        reading = read_file(name)
    except OSError as error:
        raise click.UsageError(f"--measured '{name}' cannot be read: {error.strerror}") from None
    if reading.refused is not None:
        raise click.UsageError(f"--measured {reading.refused}")
    if not isinstance(reading.workload, FioTest):
        raise click.UsageError(f"--measured '{name}' is not a fio test but {reading.kind}")
    return reading.workload


def _shown(quantity: str, value: float | None) -> str:
    return "not predicted" if value is None else text(quantity, value)


def _percent(residual: float | None) -> str:
    return "" if residual is None else f"{100 * residual:+.1f} %"

"""Output of `app`: the load of a drive, and the plan of the drive under it."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from models.nomenclature import QUANTITIES
from planner.application import Application, Preset, preset_of, three_digits
from planner.application.layers import layers
from planner.application.presets import load
from planner.catalogue import load as load_catalogue
from planner.cli.app_measured import measured_record, print_measured
from planner.cli.plan import print_more, print_plan
from planner.cli.printing import print_json, print_list, print_sentences, print_table, print_wrapped
from planner.cli.terminal import echo
from planner.export.tables import record, verdict_record
from planner.quantity.show import text, writes_text
from planner.search.commits import NO_FLUSH_TIMED, CommitLatency, application_commits
from planner.search.verdict import heading, verdict
from planner.search.verdict.words import percent
from planner.sections.plan import PlanReading

if TYPE_CHECKING:
    from planner.search.counters import MeasuredApp

NEVER_RUN = re.compile(r"(?:never|was|no \w+ was) run here|its structure is known|^By the shape")


def print_answer(
    answer: Application, found: "MeasuredApp | None", planned: PlanReading | None,
    horizon_s: float, *, is_all: bool, as_json: bool,
) -> None:  # fmt: skip
    """Print the load of an application, and the verdict on a drive if one is named."""
    if as_json:
        print_json(_record(answer, found, planned, horizon_s))
        return
    if is_all:
        _print_all(answer, found, planned)
    else:
        _print_brief(answer)
        print_measured(found)
        if planned is None:
            print_wrapped("Name a drive to get a verdict (--drive). More: --all, --inputs")
    if planned is not None:
        _print_planned(planned, horizon_s, answer, is_all=is_all)


def _record(
    answer: Application, found: "MeasuredApp | None", planned: PlanReading | None,
    horizon_s: float,
) -> dict[str, Any]:  # fmt: skip
    """Build the record of a load, of its commits on a drive, and of the plan of the drive."""
    commits, of_plan = _commits(planned, answer), _of_plan(planned, horizon_s, answer)
    records = [each.record for each in commits]
    waits = {"commits": records if len(answer.apps) > 1 else records[0]} if records else {}
    notes = {"notes": [*_notes(answer, commits), *of_plan.get("notes", ())]}
    return answer.record | measured_record(found) | waits | of_plan | notes


def _commits(planned: PlanReading | None, answer: Application) -> Sequence[CommitLatency]:
    return [] if planned is None else application_commits(planned, answer)


def _notes(answer: Application, commits: Sequence[CommitLatency]) -> list[str]:
    return [*answer.notes, *([NO_FLUSH_TIMED] if commits else [])]


def _print_all(
    answer: Application, found: "MeasuredApp | None", planned: PlanReading | None
) -> None:
    """Print every number of the load, then what it is compared with, and notes."""
    commits = _commits(planned, answer)
    _print_load(answer)
    print_measured(found)
    for each in commits:
        echo(f"\n{each.sentence}")
    print_list("Notes", _notes(answer, commits))


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


def print_inputs(name: str | None, *, of_layers: bool, as_json: bool) -> None:
    """Print the inputs of the preset that is named, of all presets, or of the layers."""
    among = layers() if of_layers else load()
    presets: Sequence[Preset] = [preset_of(name)] if name and not of_layers else [*among.values()]
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

"""Plans, tables and records on a terminal."""

import json
from collections.abc import Sequence

import click

from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.assumptions import assumptions, supply
from planner.catalogue import load
from planner.cli.scenario import SUPPLIED_BY
from planner.curves import life_range_s
from planner.export.maths import maths
from planner.export.tables import cited
from planner.figures import Figure, Missing
from planner.plan import Plan
from planner.quantities import text

__all__ = ["as_json", "print_json", "print_plan", "print_table"]


def print_plan(answer: Plan, *, with_maths: bool) -> None:
    """Print every answer, then what is missing, on offer, assumed and cited."""
    life = answer.lifetime
    drives = f"{answer.array.members} x " if answer.array.members > 1 else ""
    layout = f", RAID {answer.array.level}" if answer.array.members > 1 else ""
    click.echo(click.style(f"{drives}{answer.drive.name}{layout}", bold=True))
    if life.limit is None or life.years is None:
        click.echo("Life: unrated, no limit can be computed")
    else:
        then = f", then {life.runner_up}" if life.runner_up else ""
        click.echo(f"Life: {text('wear_life_s', life.years * YEAR_S)}; limit: {life.limit}{then}")
    assumed = life_range_s(answer)
    if assumed is not None:
        low, high = (text("wear_life_s", seconds) for seconds in assumed)
        click.echo(f"Life by endurance over the range of the assumptions: {low} to {high}")
    for section, answers in answer.sections.items():
        click.echo(f"\n{section}")
        for item in answers:
            value = "missing" if isinstance(item, Missing) else text(item.key, item.value)
            click.echo(f"  {QUANTITIES[item.key].label:<44}{value:>18}")
            if with_maths and isinstance(item, Figure):
                _print_maths(item)
    _print_list("Missing facts would come from", _lacking(answer))
    offered = assumptions(answer.drive)
    _print_list("Assumptions on offer (--assume)", [str(item) for item in offered])
    _print_list("Notes", answer.notes)
    catalogue = load()
    _print_list(
        "Sources", [f"{key}: {catalogue.sources[key].title}" for key in cited(answer, catalogue)]
    )


def _print_maths(item: Figure) -> None:
    numbers = ", ".join(f"{name} = {text(n.key, n.value)}" for name, n in item.inputs.items())
    click.echo(f"      {item.formula}({numbers})")
    click.echo(f"      {maths(item.formula).equation}")


def _lacking(answer: Plan) -> list[str]:
    names = dict.fromkeys(name for missing in answer.missing for name in missing.lacking)
    return [f"{supply(name)} ({SUPPLIED_BY.get(name, 'not an option yet')})" for name in names]


def _print_list(title: str, lines: Sequence[str]) -> None:
    if lines:
        click.echo(f"\n{title}")
        for line in dict.fromkeys(lines):
            click.echo(f"  - {line}")


def print_table(table: Sequence[dict[str, str]]) -> None:
    """Print rows under their heads in columns."""
    if not table:
        return
    heads = list(table[0])
    widths = [max(len(head), *(len(row[head]) for row in table)) for head in heads]
    lines = [heads, ["-" * width for width in widths], *([row[h] for h in heads] for row in table)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def as_json(value: object) -> str:
    """Write a record as JSON that every reader takes."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


def print_json(value: object) -> None:
    """Print a record as JSON."""
    click.echo(as_json(value))

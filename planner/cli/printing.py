"""Tables, lists, records and progress on a terminal."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from models.nomenclature import QUANTITIES
from planner.cli.terminal import echo
from planner.graph.answer import Answer
from planner.graph.explain import maths
from planner.quantity.outside import one_line
from planner.quantity.show import text

if TYPE_CHECKING:
    from planner.sections.plan import Plan, Range

__all__ = [
    "as_json",
    "print_answers",
    "print_assumed",
    "print_json",
    "print_list",
    "print_maths",
    "print_table",
    "progress",
]


MOST_CHARACTERS = 2000  # of a line or a cell


def print_maths(nodes: Mapping[str, Answer]) -> None:
    """Print every number with its formula and inputs, or its source."""
    echo("\nMaths")
    for node in nodes.values():
        if node.is_computed:
            numbers = ", ".join(f"{k} = {text(n.key, n.value)}" for k, n in node.inputs.items())
            echo(f"  {QUANTITIES[node.key].label} = {text(node.key, node.value)}")
            part = f".{node.part}" if node.part else ""
            echo(f"      {node.formula}({numbers}){part}")
            echo(f"      {maths(node.formula).equation}")
        else:
            value = text(node.key, node.value)
            echo(f"  {QUANTITIES[node.key].label} = {value} [{node.source}]")


def print_list(title: str, lines: Sequence[str]) -> None:
    """Print lines under a title, each once."""
    if lines:
        echo(f"\n{title}")
        for line in dict.fromkeys(lines):
            echo(f"  - {one_line(line, most=MOST_CHARACTERS)}")


def print_assumed(*plans: "Plan") -> None:
    """Print what is assumed of drives, where figures are typical ones without their ranges."""
    for plan in plans:
        print_list(f"Typical figures of {plan.drive.name}; assumed, because unknown", plan.wide)


def print_table(table: Sequence[dict[str, str]]) -> None:
    """Print rows under their heads in columns."""
    if not table:
        return
    heads = list(table[0])
    rows = [[one_line(row[head], most=MOST_CHARACTERS) for head in heads] for row in table]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = [heads, ["-" * width for width in widths], *rows]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        echo("  ".join(cells).rstrip())


def as_json(value: object) -> str:
    """Write a record as JSON that every reader takes."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


def print_json(value: object) -> None:
    """Print a record as JSON."""
    echo(as_json(value))


def print_answers(
    parts: Iterable[Answer],
    bound: Mapping[str, object] | None = None,
    ranges: "Mapping[str, Range] | None" = None,
) -> None:
    """Print a line for each answer: its range, and by `bound` what holds it down."""
    for part in parts:
        value = "missing" if not part.is_known else text(part.key, part.value)
        each = (ranges or {}).get(part.key)
        between = each.ends(part.key) if each else ""
        limit = f", by {bound[part.key]}" if bound and part.key in bound else ""
        echo(f"  {QUANTITIES[part.key].label:<48}{value:>16}{between}{limit}")


def progress(*steps: Any, **options: Any) -> Any:
    """Return a progress bar on the terminal, and none elsewhere."""
    return click.progressbar(*steps, file=sys.stderr, hidden=not sys.stderr.isatty(), **options)

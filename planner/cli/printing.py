"""Tables, lists, records and progress on a terminal."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from models.nomenclature import QUANTITIES
from planner.graph.answer import Answer
from planner.graph.explain import maths
from planner.quantity.show import text

__all__ = [
    "as_json",
    "print_answers",
    "print_json",
    "print_list",
    "print_maths",
    "print_table",
    "progress",
]


def print_maths(nodes: Mapping[str, Answer]) -> None:
    """Print every number with its formula and inputs, or its source."""
    click.echo("\nMaths")
    for node in nodes.values():
        if node.is_computed:
            numbers = ", ".join(f"{k} = {text(n.key, n.value)}" for k, n in node.inputs.items())
            click.echo(f"  {QUANTITIES[node.key].label} = {text(node.key, node.value)}")
            part = f".{node.part}" if node.part else ""
            click.echo(f"      {node.formula}({numbers}){part}")
            click.echo(f"      {maths(node.formula).equation}")
        else:
            value = text(node.key, node.value)
            click.echo(f"  {QUANTITIES[node.key].label} = {value} [{node.source}]")


def print_list(title: str, lines: Sequence[str]) -> None:
    """Print lines under a title, each once."""
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


def print_answers(parts: Iterable[Answer], bound: Mapping[str, object] | None = None) -> None:
    """Print a line for each answer; `bound` says by key what holds it down."""
    for part in parts:
        value = "missing" if not part.is_known else text(part.key, part.value)
        limit = f", by {bound[part.key]}" if bound and part.key in bound else ""
        click.echo(f"  {QUANTITIES[part.key].label:<48}{value:>16}{limit}")


def progress(*steps: Any, **options: Any) -> Any:
    """Return a progress bar on the terminal, and none elsewhere."""
    return click.progressbar(*steps, file=sys.stderr, hidden=not sys.stderr.isatty(), **options)

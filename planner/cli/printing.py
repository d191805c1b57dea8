"""Tables, lists, records and progress on a terminal."""

import json
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from models.nomenclature import QUANTITIES
from planner.cli.application import application_record
from planner.cli.terminal import echo
from planner.quantity.show import text
from planner.quantity.untrusted import one_line

if TYPE_CHECKING:
    from planner.graph.answer import Answer
    from planner.scenario.workload import Workload
    from planner.sections.plan import PlanReading
    from planner.sections.ranges import Range

MOST_CHARACTERS = 2000  # in a line or a cell
COLUMNS = 100
MARK = "*"  # of facts from memory or of the class


def print_maths(nodes: "Mapping[str, Answer]") -> None:
    """Print every number with its formula and inputs, or with its source."""
    from planner.graph.explain import maths  # noqa: PLC0415 - few answers are explained

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


def print_sentences(lines: Mapping[str, str]) -> None:
    """Print sentences beside the questions that they answer, in 100 columns."""
    width = max(map(len, lines)) + 1
    for question, line in lines.items():
        _print_wrapped(line, f"{question:<{width}}", " " * width)


def print_wrapped(line: str, *, indent: int = 2, bold: bool = False) -> None:
    """Print a line in 100 columns; what goes on is indented."""
    start = line[: len(line) - len(line.lstrip())]
    _print_wrapped(line, start, " " * indent, bold=bold)


def _print_wrapped(line: str, first: str, rest: str, *, bold: bool = False) -> None:
    for part in wrapped(line, first, rest):
        echo(part, bold=bold)


def wrapped(line: str, first: str = "", rest: str = "  ") -> list[str]:
    """Return a line in parts of 100 columns, with their indents."""
    text = one_line(line.strip(), most=MOST_CHARACTERS)
    return textwrap.wrap(
        text, COLUMNS, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )


def first_sentence(text: str) -> str:
    """Return the first sentence of a text.

    >>> first_sentence("Only drives of --catalogue. The others are left out.")
    'Only drives of --catalogue.'
    """
    return re.split(r"(?<=\.) (?=[A-Z])", text)[0]


def cut(name: str, most: int) -> str:
    """Shorten a name in the middle.

    >>> cut("Western Digital Ultrastar DC SN655 3.84 TB", 24)
    'Western Dig...55 3.84 TB'
    """
    if len(name) <= most:
        return name
    tail = (most - 3) // 2
    return f"{name[: most - 3 - tail]}...{name[-tail:]}"


def print_list(title: str, lines: Sequence[str]) -> None:
    """Print lines under a title, without repetitions."""
    if lines:
        echo(f"\n{title}")
        for line in dict.fromkeys(lines):
            echo(f"  - {one_line(line, most=MOST_CHARACTERS)}")


def print_assumed(*plans: "PlanReading") -> None:
    """Print the assumed facts of drives, for commands that print typical values without ranges."""
    for plan in plans:
        print_list(f"Unknown facts of {plan.drive.name}, assumed at typical values", plan.wide)


def print_priced(plan: "PlanReading") -> None:
    """Print the price of a drive with its range, its kind and its date."""
    from planner.catalogue.prices import dated_text  # noqa: PLC0415 - few answers have a price

    if dated := dated_text(plan.drive):
        echo(f"  Price of a drive: {dated}")


def print_table(table: Sequence[dict[str, str]]) -> None:
    """Print rows in aligned columns under their headings."""
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
    """Write a record as JSON without NaN or infinity."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


def print_read_as(workload: "Workload") -> None:
    """Print the reading of the sentence that states the writes, unless it is plain."""
    if workload.writes_read_as:
        print_wrapped(f"Writes {workload.writes_read_as}")


def print_json(value: object) -> None:
    """Print a record as JSON, with the application whose writes it is of."""
    of_writes = application_record(click.get_current_context())
    echo(as_json({**value, **of_writes} if isinstance(value, dict) else value))


def print_answers(
    parts: "Iterable[Answer]",
    bound: Mapping[str, object] | None = None,
    ranges: "Mapping[str, Range] | None" = None,
) -> None:
    """Print one line per answer, with its range, and in `bound` the limit that binds it."""
    for part in parts:
        value = part.absence if not part.is_known else text(part.key, part.value)
        each = (ranges or {}).get(part.key)
        between = each.ends(part.key) if each else ""
        limit = f", by {bound[part.key]}" if bound and part.key in bound else ""
        echo(f"  {QUANTITIES[part.key].label:<47} {value:>16}{between}{limit}")


def progress(*steps: Any, **options: Any) -> Any:
    """Return a progress bar that is shown on terminals only."""
    return click.progressbar(*steps, file=sys.stderr, hidden=not sys.stderr.isatty(), **options)

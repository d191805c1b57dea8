"""Plans, tables and records on a terminal."""

import json
from collections.abc import Iterable, Mapping, Sequence

import click

from models.nomenclature import QUANTITIES
from planner.catalogue import load
from planner.catalogue.priors import assumptions, supply
from planner.cli.options import SUPPLIED_BY
from planner.export.tables import cited
from planner.graph.answer import Answer
from planner.graph.explain import maths
from planner.quantity.show import text
from planner.reliability.replacements import replacement_dates
from planner.scenario.growth import described
from planner.search.curves import life_range_s
from planner.sections.plan import Plan

__all__ = [
    "as_json",
    "print_answers",
    "print_json",
    "print_list",
    "print_maths",
    "print_plan",
    "print_table",
]


def print_plan(answer: Plan, *, with_maths: bool) -> None:
    """Print every answer, then what is missing, on offer, assumed and cited."""
    _print_headline(answer)
    for section, answers in answer.sections.items():
        bound = answer.binding.get(section)
        click.echo(f"\n{section}{f', bound by {bound}' if bound else ''}")
        print_answers(answers)
    print_list("Write amplification by what the drive keeps apart", _placement(answer))
    if with_maths:
        print_maths(answer.nodes)
    print_list("Missing facts would come from", _lacking(answer))
    offered = assumptions(answer.drive)
    print_list("Assumptions on offer (--assume)", [str(item) for item in offered])
    print_list("Notes", answer.notes)
    catalogue = load()
    print_list(
        "Sources", [f"{key}: {catalogue.sources[key].title}" for key in cited(answer, catalogue)]
    )


def _print_headline(answer: Plan) -> None:
    life, array, workload = answer.lifetime, answer.array, answer.workload
    count = f"{array.members} x " if array.members > 1 else ""
    layout = f", {array.name}" if array.members > 1 else ""
    click.echo(click.style(f"{count}{answer.drive.name}{layout}", bold=True))
    rate = text("host_bytes_per_s", workload.host_bytes_per_s)
    reads = text("read_fraction", workload.read_fraction)
    size = text("transfer_bytes", workload.transfer_bytes)
    grows = described(workload)
    click.echo(
        f"Scenario: {rate} of host writes{f' ({grows})' if grows else ''}, {reads} reads, "
        f"{size} operations"
    )
    if life.limit is None:
        why = "no limit is ever met" if life.known else "unrated, no limit can be computed"
        click.echo(f"Life: {why}")
        return
    ends = [f"{text('wear_life_s', node.value)} by {limit}" for limit, node in life.known.items()]
    click.echo(f"Life: {', then '.join(ends)}")
    wear = {level: text(node.key, node.value) for level, node in life.known_wear.items()}
    if wear:
        click.echo(
            "Flash wear with uneven wear: {low} to {high}, typically {typical}".format(**wear)
        )
    dates = replacement_dates(answer)
    if grows and dates.is_known:
        click.echo(f"Worn out one after the other: {text(dates.key, dates.value)} from now")
    assumed = life_range_s(answer)
    if assumed is not None:
        low, high = (text("wear_life_s", seconds) for seconds in assumed)
        click.echo(f"Life by endurance over the range of the assumptions: {low} to {high}")


def print_maths(nodes: Mapping[str, Answer]) -> None:
    """Print every number with its formula and inputs, or its source."""
    click.echo("\nMaths")
    for node in nodes.values():
        if node.is_computed:
            numbers = ", ".join(f"{k} = {text(n.key, n.value)}" for k, n in node.inputs.items())
            click.echo(f"  {QUANTITIES[node.key].label} = {text(node.key, node.value)}")
            click.echo(f"      {node.formula}({numbers})")
            click.echo(f"      {maths(node.formula).equation}")
        else:
            value = text(node.key, node.value)
            click.echo(f"  {QUANTITIES[node.key].label} = {value} [{node.source}]")


def _placement(answer: Plan) -> list[str]:
    """Say what placement makes of the workload, where it makes a difference."""
    known = [item for item in answer.wa_band if item.is_known]
    if not known or known[-1].value < 1.001 * known[0].value:
        return []
    return [
        f"{QUANTITIES[item.key].meaning.partition(':')[0]}: {text(item.key, item.value)}, "
        f"{QUANTITIES[item.key].label.partition(', ')[2]}"
        for item in known
    ]


def _lacking(answer: Plan) -> list[str]:
    names = dict.fromkeys(name for missing in answer.missing for name in missing.lacking)
    return [f"{supply(name)} ({SUPPLIED_BY.get(name, 'not an option yet')})" for name in names]


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

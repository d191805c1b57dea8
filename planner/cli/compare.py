"""`compare`: several drives under one scenario, on a terminal."""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from planner.catalogue import load
from planner.cli.help_groups import GroupedCommand
from planner.cli.options import plans, scenario
from planner.cli.parameters import ALL, AS_JSON, DRIVES, examples
from planner.cli.printing import (
    COLUMNS,
    cut,
    print_json,
    print_list,
    print_read_as,
    print_table,
    print_wrapped,
)
from planner.cli.terminal import echo
from planner.export.comparison import apart, brief, comparison, judged
from planner.export.tables import record
from planner.quantity.inputs import stated
from planner.sections.plan import PlanReading
from planner.sections.prices import PRICED

BESIDE = 3  # plans beside each other in 100 columns
LABEL = 22  # columns of what is compared


@click.command(
    "compare",
    cls=GroupedCommand,
    epilog=examples(
        'ssd-planner compare "845DC PRO 400" "DC S3700 400" --writes 1TB/day',
        'ssd-planner compare --drive "840 EVO 250" --capacity 1.92TB --raw 2TiB --json',
    ),
)
@DRIVES
@scenario("years", *PRICED)
@ALL
@AS_JSON
def command(names: tuple[str, ...], is_all: bool, as_json: bool, **options: Any) -> None:
    """Compare drives side by side under one scenario."""
    answers = plans(names, options)
    horizon_s = stated(options, ["years"])["horizon_s"]
    if as_json:
        print_json([record(answer, load()) for answer in answers])
    elif is_all:
        print_table(comparison(answers))
        print_read_as(answers[0].workload)
        for answer in answers:
            print_list(f"Ranges of {answer.drive.name} are wide because of", answer.wide)
    else:
        for group in _groups(answers):
            _print_beside(group, horizon_s)
        print_read_as(answers[0].workload)
        for line in judged(answers, horizon_s):
            print_wrapped(line)
        print_wrapped("More: --all (every number and its range), --json")


def _groups(answers: Sequence[PlanReading]) -> Iterator[Sequence[PlanReading]]:
    """Yield groups of plans that fit beside each other."""
    for first in range(0, len(answers), BESIDE):
        yield answers[first : first + BESIDE]


def _print_beside(answers: Sequence[PlanReading], horizon_s: float) -> None:
    """Print a row for each question; names are cut in the middle, numbers never."""
    width = (COLUMNS - LABEL) // len(answers)
    names = apart([answer.drive.name for answer in answers])
    heads = "".join(f"{cut(name, width - 2):<{width}}" for name in names)
    echo(f"{'':<{LABEL}}{heads}".rstrip(), bold=True)
    for row in brief(answers, horizon_s):
        cells = "".join(f"{value:<{width}}" for value in row.values)
        echo(f"{row.label:<{LABEL}}{cells}".rstrip())

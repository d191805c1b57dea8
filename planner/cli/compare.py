"""`compare`: several drives under one scenario, on a terminal."""

from typing import Any

import click

from planner.catalogue import load
from planner.cli.options import plans, scenario
from planner.cli.parameters import AS_JSON, DRIVES, examples
from planner.cli.printing import print_json, print_list, print_read_as, print_table
from planner.export.comparison import comparison
from planner.export.tables import record
from planner.sections.prices import PRICED


@click.command(
    "compare",
    epilog=examples(
        'ssd-planner compare "845DC PRO 400" "DC S3700 400" --writes 1TB/day',
        'ssd-planner compare --drive "840 EVO 250" --capacity 1.92TB --raw 2TiB --json',
    ),
)
@DRIVES
@scenario(*PRICED)
@AS_JSON
def command(names: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Compare drives side by side under one scenario."""
    answers = plans(names, options)
    if as_json:
        print_json([record(answer, load()) for answer in answers])
    else:
        print_table(comparison(answers))
        print_read_as(answers[0].workload)
        for answer in answers:
            print_list(f"Ranges of {answer.drive.name} are wide because of", answer.wide)

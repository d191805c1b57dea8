"""`cost`: the cost of ownership, by part and by year."""

from dataclasses import asdict
from typing import Any

import click
import numpy as np

from planner.catalogue.priors import supply
from planner.cli.options import SUPPLIED_BY, one_drive, scenario
from planner.cli.parameters import AS_JSON, ONE_DRIVE, WITH_MATHS, examples
from planner.cli.printing import (
    print_answers,
    print_json,
    print_list,
    print_maths,
    print_priced,
    print_read_as,
    print_table,
)
from planner.cli.terminal import echo
from planner.export.tables import price_record, range_record
from planner.graph.answer import Answer
from planner.quantity.inputs import OWNING, PRICED_BY
from planner.quantity.show import text
from planner.scenario.terms import LEVELS
from planner.sections.ownership import Ownership, owned_ranges, ownership, risk_of, terms_of
from planner.sections.plan import PlanReading

EXAMPLES = (
    'ssd-planner cost --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5 --years 5',
    'ssd-planner cost --drive "845DC PRO 400" --writes 6TB/day --discount-rate 8% --shelf 1 --json',
    'ssd-planner cost --drive "DC P3600 400" --price 500 --years 4.5 --grid 20:56:100',
)


@click.command("cost", epilog=examples(*EXAMPLES))
@ONE_DRIVE
@scenario(*OWNING, *PRICED_BY)
@WITH_MATHS
@AS_JSON
def command(names: tuple[str, ...], with_maths: bool, as_json: bool, **texts: Any) -> None:
    """Show the cost of owning a drive or an array: drives, energy, slots, labour, carbon."""
    plan = one_drive(names, texts)
    owned = ownership(plan, terms_of(texts), risk_of(texts))
    if as_json:
        print_json(_record(plan, owned))
    else:
        _print(plan, owned, with_maths=with_maths)


def _print(plan: PlanReading, owned: Ownership, *, with_maths: bool) -> None:
    array, terms = plan.array, owned.terms
    head = f"{array.members} x {plan.drive.name}, {array.name}, owned for " + text(
        "horizon_s", terms.horizon_s
    )
    echo(head, bold=True)
    print_read_as(plan.workload)
    if terms.currency != "USD":
        echo(f"Prices printed as USD are in {terms.currency}.")
    print_answers((*owned.answers, *owned.operations), ranges=owned_ranges(plan, owned))
    print_priced(plan)
    echo("\nBy year")
    print_table(_table(owned))
    if with_maths:
        print_maths(owned.nodes)
    print_list(
        "Missing facts would come from",
        [f"{supply(name)} ({SUPPLIED_BY.get(name, f'--fact {name}=...')})"
         for name in owned.lacking],
    )  # fmt: skip
    print_list("Assumed facts that widen the ranges", _wide(plan, owned))
    print_list("Notes", owned.notes)


def _wide(plan: PlanReading, owned: Ownership) -> list[str]:
    """List the assumptions behind the range of the cost of owning, and the facts to narrow them."""
    return [item.reason for item in plan.behind(*owned.answers) if item.is_range]


def _table(owned: Ownership) -> list[dict[str, str]]:
    """Return a row for each year: costs by part, and drives to replace."""
    columns = {**owned.course, "Drives to replace": owned["yearly_replacements"]}
    known = {name: node for name, node in columns.items() if node.is_known}
    return [
        {"Year": f"{year:g}"}
        | {name: text(node.key, np.ravel(node.value)[place]) for name, node in known.items()}
        for place, year in enumerate(owned.terms.years)
    ]


def _record(plan: PlanReading, owned: Ownership) -> dict[str, object]:
    """Return the cost of owning as a nested record of base units."""
    answers = (*owned.answers, owned["yearly_energy_j"])
    return {
        "drive": {"drive_id": plan.drive.drive_id, "name": plan.drive.name},
        "members": plan.array.members,
        "level": plan.array.name,
        "terms": asdict(owned.terms),
        "horizon_s": owned.terms.horizon_s,
        "by_year": {
            "year": owned.terms.years.tolist(),
            **{node.key: _value(node) for node in owned.course.values()},
            **{
                key: _value(owned[key])
                for key in ("yearly_replacements", "yearly_bought_drives", "array_power_w")
            },
        },
        **{part.key: _value(part) for part in (*owned.answers, *owned.operations)},
        **price_record(plan.drive),
        "assumed": {
            term.quantity: {level: getattr(term, level) for level in LEVELS}
            | {"source_id": term.source_id, "note": term.note}
            for term in owned.terms.assumed
        },
        "assumed_of_drive": _wide(plan, owned),
        "ranges": {key: range_record(each) for key, each in owned_ranges(plan, owned).items()},
        "missing": {part.key: list(part.lacking) for part in answers if not part.is_known},
        "notes": list(owned.notes),
    }


def _value(part: Answer) -> object:
    value = np.asarray(part.value).tolist() if part.is_known else None
    return None if value == np.inf else value

"""The cost of owning on a terminal: what it comes to, of what, and year by year."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import click
import numpy as np

from models.errors import DomainError
from models.units import YEAR_S
from planner.catalogue.priors import supply
from planner.cli.options import OPTION_OF, SUPPLIED_BY, optional, plans, scenario
from planner.cli.parameters import AS_JSON, DRIVES, WITH_MATHS, examples
from planner.cli.printing import print_answers, print_json, print_list, print_maths, print_table
from planner.graph.answer import Answer
from planner.ownership import Ownership, ownership
from planner.ownership.terms import LEVELS, Terms
from planner.quantity.parse import parse_fraction, parse_number, parse_quantity
from planner.quantity.show import complaint, text
from planner.reliability.failure_assumptions import Risk
from planner.sections.plan import Plan

__all__ = ["OWN_OPTIONS", "command", "owning", "risk_of", "terms_of"]

OPTIONS = [
    click.option("--years", default="5", show_default=True,
                 help="Time of owning; 4.5 counts half of the fifth year."),
    click.option("--discount-rate", help="Per year: 8%; inflation taken off."),
    click.option("--electricity", help="Price per kWh: 0.15."),
    click.option("--pue", help="Power of the site over that of its equipment: 1.4."),
    click.option("--slot", help="Price of a drive's slot per year: 25."),
    click.option("--labour", help="Labour of one replacement: 50."),
    click.option("--shelf", default="0", show_default=True,
                 help="Drives bought at the start to replace others."),
    click.option("--residual", default="0%", show_default=True,
                 help="Value of the drives at the end over their price."),
    click.option("--qos-iops", help="IOPS of the array within a limit of latency; without it "
                 "the price per operation is that of the budget."),
    click.option("--embodied", help="Carbon of making flash in kg/TB, low:typical:high: 3:20:160."),
    click.option("--grid", help="Carbon of electricity in g/kWh, low:typical:high: 56:480:713."),
    click.option("--currency", default="USD", show_default=True, help="Of every price; printed."),
    click.option("--afr", help="Share of drives that fails in a year: 1%."),
    click.option("--life-spread", default="5%", show_default=True,
                 help="Standard deviation of the drives' wear-out over its mean."),
    click.option("--replace-at", help="Share of the mean life at which drives are replaced: 90%."),
]  # fmt: skip

OWN_OPTIONS = {
    "horizon_s": "--years",
    "discount_rate": "--discount-rate",
    "energy_usd_per_j": "--electricity",
    "pue": "--pue",
    "slot_usd_per_year": "--slot",
    "labour_usd": "--labour",
    "spare_drives": "--shelf",
    "residual_fraction": "--residual",
    "qos_iops": "--qos-iops",
    "embodied_kg_per_byte": "--embodied",
    "grid_kg_per_j": "--grid",
    "currency": "--currency",
    "afr_fraction": "--afr",
    "life_cv": "--life-spread",
    "replaced_fraction": "--replace-at",
}
EXAMPLES = (
    'ssd-planner cost --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5 --years 5',
    'ssd-planner cost --drive "845DC PRO 400" --writes 6TB/day --discount-rate 8% --shelf 1 --json',
    'ssd-planner cost --drive "DC P3600 400" --price 500 --years 4.5 --grid 20:56:100',
)


def owning(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of owning."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@click.command("cost", epilog=examples(*EXAMPLES))
@DRIVES
@scenario
@owning
@WITH_MATHS
@AS_JSON
def command(names: tuple[str, ...], with_maths: bool, as_json: bool, **options: Any) -> None:
    """Say what it costs to own a drive or an array: drives, energy, slots, labour, carbon."""
    if len(names) + bool(options["capacity"]) > 1:
        raise click.UsageError("--drive must be one drive here")
    try:
        (scene,) = plans(names, options)
        owned = ownership(scene, terms_of(options), risk_of(options))
    except DomainError as error:
        raise click.UsageError(complaint(error, OPTION_OF | OWN_OPTIONS)) from None
    if as_json:
        print_json(_record(scene, owned))
    else:
        _print(scene, owned, with_maths=with_maths)


def terms_of(options: dict[str, Any]) -> Terms:
    """Return what the options say of owning."""
    return Terms(
        horizon_s=parse_number("--years", options["years"]) * YEAR_S,
        discount_rate=optional(parse_fraction, "--discount-rate", options["discount_rate"]),
        energy_usd_per_j=_in_unit("energy_usd_per_j", options["electricity"]),
        pue=optional(parse_number, "--pue", options["pue"]),
        slot_usd_per_year=optional(parse_number, "--slot", options["slot"]),
        labour_usd=optional(parse_number, "--labour", options["labour"]),
        spare_drives=parse_number("--shelf", options["shelf"]),
        residual_fraction=parse_fraction("--residual", options["residual"]),
        qos_iops=optional(parse_number, "--qos-iops", options["qos_iops"]),
        embodied_kg_per_byte=_interval("embodied_kg_per_byte", options["embodied"]),
        grid_kg_per_j=_interval("grid_kg_per_j", options["grid"]),
        currency=options["currency"],
    )


def risk_of(options: dict[str, Any]) -> Risk:
    """Return what the options say of failures; the horizon is that of the terms."""
    return Risk(
        horizon_s=parse_number("--years", options["years"]) * YEAR_S,
        afr_fraction=optional(parse_fraction, "--afr", options["afr"]),
        life_cv=parse_fraction("--life-spread", options["life_spread"]),
        replaced_fraction=optional(parse_fraction, "--replace-at", options["replace_at"]),
    )


def _in_unit(name: str, written: str | None) -> float | None:
    return None if written is None else parse_quantity(name, written)


def _interval(name: str, written: str | None) -> tuple[float, float, float] | None:
    """Read low:typical:high."""
    if written is None:
        return None
    parts = written.split(":")
    if len(parts) != len(LEVELS):
        raise click.UsageError(
            f"{OWN_OPTIONS[name]} must be low:typical:high, such as 20:60:160, got '{written}'"
        )
    low, typical, high = (parse_quantity(name, part) for part in parts)
    return low, typical, high


def _print(scene: Plan, owned: Ownership, *, with_maths: bool) -> None:
    array, terms = scene.array, owned.terms
    head = f"{array.members} x {scene.drive.name}, {array.name}, owned for " + text(
        "horizon_s", terms.horizon_s
    )
    click.echo(click.style(head, bold=True))
    if terms.currency != "USD":
        click.echo(f"Prices are in {terms.currency} where USD is printed; none is converted.")
    print_answers(owned.answers)
    click.echo("\nBy year")
    print_table(_table(owned))
    if with_maths:
        print_maths(owned.nodes)
    print_list(
        "Missing facts would come from",
        [f"{supply(name)} ({SUPPLIED_BY.get(name, f'--fact {name}=...')})"
         for name in owned.lacking],
    )  # fmt: skip
    print_list("Notes", owned.notes)


def _table(owned: Ownership) -> list[dict[str, str]]:
    """Return a row for each year: costs by part, and drives to replace."""
    columns = {**owned.course, "Drives to replace": owned.replacements.yearly}
    known = {name: node for name, node in columns.items() if node.is_known}
    return [
        {"Year": f"{year:g}"}
        | {name: text(node.key, np.ravel(node.value)[place]) for name, node in known.items()}
        for place, year in enumerate(owned.terms.years)
    ]


def _record(scene: Plan, owned: Ownership) -> dict[str, object]:
    """Return the cost of owning as a nested record of base units."""
    replaced = owned.replacements
    answers = (*owned.answers, owned.energy.yearly_j)
    return {
        "drive": {"drive_id": scene.drive.drive_id, "name": scene.drive.name},
        "members": scene.array.members,
        "level": scene.array.name,
        "terms": asdict(owned.terms),
        "horizon_s": owned.terms.horizon_s,
        "by_year": {
            "year": owned.terms.years.tolist(),
            **{node.key: _value(node) for node in owned.course.values()},
            **{part.key: _value(part) for part in (replaced.yearly, replaced.yearly_bought)},
            **{part.key: _value(part) for part in (owned.energy.array_power_w,)},
        },
        **{part.key: _value(part) for part in owned.answers},
        "assumed": {
            term.quantity: {level: getattr(term, level) for level in LEVELS}
            | {"source_id": term.source_id, "note": term.note}
            for term in owned.terms.assumed
        },
        "missing": {part.key: list(part.lacking) for part in answers if not part.is_known},
        "notes": list(owned.notes),
    }


def _value(part: Answer) -> object:
    return None if not part.is_known else np.asarray(part.value).tolist()

"""Uncertainty of a plan on a terminal: probabilities, quantiles, and the strongest inputs."""

from collections.abc import Sequence
from typing import Any

import click

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.cli.options import plans, scenario
from planner.cli.parameters import AS_JSON, DRIVES, examples
from planner.cli.printing import print_json, print_list, print_read_as, print_table
from planner.cli.terminal import echo
from planner.cli.uncertain_rows import input_row, reasons, record, spread_row, swing_rows
from planner.quantity.bounds import WHOLE_FROM_0
from planner.quantity.input import Input, whole
from planner.quantity.inputs import INPUTS, stated
from planner.search.uncertainty import (
    LIFE,
    Distribution,
    Regret,
    Uncertain,
    least_regret_by,
    parse_correlation,
    parse_inputs,
    uncertainty,
)
from planner.search.uncertainty.inputs import assumed_inputs, is_fact, with_stated
from planner.search.uncertainty.wording import sentences
from planner.sections.plan import PlanReading
from planner.sections.request import level_of

SHOWN = (
    LIFE, "wear_life_s", "rated_life_s", "workload_wa", "budget_iops", "usable_bytes",
    "price_per_written_byte",
)  # fmt: skip
DRAWN = (
    Input("samples", "samples", whole, "1024", WHOLE_FROM_0,
          "A power of two, drawn four times over."),
    Input("seed", "seed", whole, "0", WHOLE_FROM_0, "Seed of the random draws; equal seeds give "
                                                    "equal draws."),
)  # fmt: skip
EXAMPLES = (
    'ssd-planner uncertainty --drive "840 EVO 250" --writes "50 GiB/day" \\',
    '    --uncertain "writes=30..50..90 GiB/day" --uncertain "pe_cycles=900..1129..1500"',
    'ssd-planner uncertainty --drive "845DC PRO 400" --writes 4TB/day --years 3 \\',
    '    --uncertain "writes=lognormal(4TB/day, 0.4)" --uncertain "fill=60%..80%..95%"',
    'ssd-planner uncertainty --drive "845DC PRO 400" --drive "DC S3700 400" \\',
    '    --writes 4TB/day --uncertain "writes=2..4..9 TB/day" --json',
)


@click.command("uncertainty", epilog=examples(*EXAMPLES))
@DRIVES
@scenario("years", "iops", "assumed", *DRAWN)
@click.option("--uncertain", multiple=True, metavar="NAME=RANGE",
              help="An input not known exactly: LOW..MID..HIGH (10 %, 50 % and 90 % points), "
              "lognormal(MEDIAN, SIGMA), normal(MEAN, SD), uniform(LOW, HIGH), "
              "triangular or pert(LOW, MODE, HIGH). NAME is an option such as writes or fill, "
              "or a fact of the drive such as pe_cycles.")  # fmt: skip
@click.option("--correlate", multiple=True, metavar="NAME,NAME=NUMBER",
              help="How two inputs go together, in (-1, 1): writes,fill=0.5.")  # fmt: skip
@click.option("--of", "keys", multiple=True, metavar="QUANTITY",
              help="A further number of the plan: low_wear_life_s, drive_iops.")  # fmt: skip
@AS_JSON
def command(names: tuple[str, ...], as_json: bool, **texts: Any) -> None:
    """Compute the uncertainty of a plan from that of its inputs, and rank the inputs.

    Unknown facts of a drive are drawn from their assumed range, or have their typical value, or are
    left out. Several drives are compared by their regret.
    """
    is_drawn = level_of(texts) == "cautious"
    planned = plans(names, texts)
    inputs = _inputs(texts["uncertain"], planned)
    answers = [with_stated(answer, inputs) for answer in planned]
    own = [assumed_inputs(answer) if is_drawn else {} for answer in answers]
    if not inputs and not all(own):
        raise click.UsageError('--uncertain must name an input: "pe_cycles=2000..3000..5000"')
    drawn: dict[str, Any] = {
        "correlations": _correlations(texts["correlate"]),
        **stated(texts, DRAWN),
    }
    horizon_s: float = INPUTS["years"].value(texts["years"])
    target: float | None = stated(texts, ["iops"]).get("iops")
    try:
        known = [
            uncertainty(answer, ranges | inputs, **drawn)
            for answer, ranges in zip(answers, own, strict=True)
        ]
    except DomainError as error:
        if str(error).startswith(("samples", "correlations")) or "correlated" in str(error):
            raise click.UsageError(f"--{error}") from None
        raise
    choice = _choice(answers, inputs, horizon_s, drawn | {"own": own}) if answers[1:] else None
    keys = (*SHOWN, *texts["keys"])
    if as_json:
        records = [record(item, keys, horizon_s, target) for item in known]
        print_json(records[0] if choice is None else {"plans": records, "least_regret": choice})
        return
    for place, item in enumerate(known):
        if place:
            echo()
        _print(item, keys, horizon_s, target)
    if choice is not None:
        _print_choice(choice)


def _inputs(written: Sequence[str], answers: Sequence[PlanReading]) -> dict[str, Distribution]:
    try:
        found = parse_inputs(written, answers[0])
    except DomainError as error:
        raise click.UsageError(f"--uncertain {error}") from None
    for name in found:
        if is_fact(name) and len(answers) > 1:
            raise click.UsageError(f"--uncertain {name} describes one drive; give one --drive")
    return found


def _correlations(written: Sequence[str]) -> dict[tuple[str, str], float]:
    try:
        return dict(parse_correlation(part) for part in written)
    except DomainError as error:
        raise click.UsageError(f"--correlate {error}") from None


def _print(known: Uncertain, keys: Sequence[str], horizon_s: float, target: float | None) -> None:
    answer = known.base
    count = f"{answer.array.members} x " if answer.array.members > 1 else ""
    echo(f"{count}{answer.drive.name}", bold=True)
    print_read_as(answer.workload)
    for sentence in sentences(known, horizon_s, target):
        echo(sentence)
    echo("\nWhat is uncertain")
    print_table([input_row(name, item, reasons(known)) for name, item in known.inputs.items()])
    spreads = [known.spread(key) for key in dict.fromkeys(keys)]
    echo("\nResults")
    print_table([spread_row(item) for item in spreads if item.is_known])
    echo("\nWhat matters most to life by endurance, each alone from its 10 % to its 90 % point")
    print_table(swing_rows(known))
    gone = [QUANTITIES[item.key].label for item in spreads if not item.is_known]
    print_list("Missing", gone)
    print_list("Notes", (*known.notes, *_said_of(known)))


def _said_of(known: Uncertain) -> tuple[str, ...]:
    drawn = f"{known.samples:,} points in each of 4 scrambled Sobol sequences, seed {known.seed}."
    if not known.correlations:
        return (drawn,)
    return drawn, "Shares of the variance take the inputs as independent of each other."


def _choice(
    answers: Sequence[PlanReading],
    inputs: dict[str, Distribution],
    horizon_s: float,
    drawn: dict[str, Any],
) -> dict[str, Any]:
    objective, found = least_regret_by(answers, inputs, horizon_s, **drawn)
    if not objective:
        return {"objective": None, "lacking": list(found[0].lacking)}
    return {"objective": objective, "plans": _regrets(found)}


def _regrets(found: Sequence[Regret]) -> list[dict[str, Any]]:
    return [
        {"drive": item.plan.drive.name, "mean": item.mean, "expected_regret": item.expected,
         "worst_regret": item.worst, "best_fraction": item.best}
        for item in found
    ]  # fmt: skip


def _print_choice(choice: dict[str, Any]) -> None:
    if choice["objective"] is None:
        echo(f"\nNo choice: missing {', '.join(choice['lacking'])}")
        return
    by_cost = choice["objective"] == "usd_per_service_year"
    unit, factor = ("USD/year", 1.0) if by_cost else ("years lacking", YEAR_S)
    echo(f"\nRegret [{unit}], the best choice first")
    print_table(
        [
            {"Drive": row["drive"]}
            | {
                head: f"{row[key] / factor:,.4g}"
                for head, key in (
                    ("Mean", "mean"), ("Expected regret", "expected_regret"),
                    ("Regret, 95 %", "worst_regret"),
                )
            }
            | {"Best in": f"{100 * row['best_fraction']:.1f} %"}
            for row in choice["plans"]
        ]
    )  # fmt: skip

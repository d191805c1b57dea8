"""`plan`: one drive, or an array of drives of one model."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from models.nomenclature import QUANTITIES
from planner.catalogue import load
from planner.catalogue.priors import supply
from planner.cli.application import application_in
from planner.cli.help_groups import GroupedCommand
from planner.cli.options import SCENARIO_OPTIONS, SUPPLIED_BY, one_drive, scenario
from planner.cli.parameters import ALL, AS_JSON, ONE_DRIVE, WITH_MATHS, examples, why_option
from planner.cli.printing import (
    first_sentence,
    print_answers,
    print_json,
    print_list,
    print_maths,
    print_priced,
    print_read_as,
    print_sentences,
    print_wrapped,
)
from planner.cli.scenario_file import given, scenario_bytes
from planner.cli.terminal import echo
from planner.export.tables import cited, record, verdict_record
from planner.graph.answer import Answer
from planner.quantity.inputs import stated
from planner.quantity.parse import quoted
from planner.quantity.show import text
from planner.scenario.growth import course_text
from planner.scenario.risk import Risk
from planner.search.sweeps import life_range_s
from planner.search.verdict import heading, verdict
from planner.search.verdict.heading import host_text
from planner.search.verdict.lasts import WEAR
from planner.search.verdict.words import unknown_facts
from planner.sections.answers import ARRAY, COST, LIFE, SPEED
from planner.sections.calibration import fit_record
from planner.sections.plan import PlanReading
from planner.sections.prices import PRICED
from planner.sections.replacements import replacement_dates

if TYPE_CHECKING:
    from planner.application import Application

GAINS_NOTHING = 0.999  # of the flash writes


SECTIONS = {"endurance": LIFE, "speed": SPEED, "array": ARRAY, "cost": COST}
NOTED = ("assumptions", "notes", "sources")


@click.command(
    "plan",
    cls=GroupedCommand,
    epilog=examples(
        'ssd-planner plan "two 870 EVO 4 TB in a mirror, 40 GB a day, five years"',
        'ssd-planner plan --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5',
        'ssd-planner plan "7450 PRO 3.84" --drives 12 --keep "3 copies on 4 hosts"',
        'ssd-planner plan "980 PRO 2TB" --written 24TB --age 300days --why lasts',
    ),
)
@ONE_DRIVE
@scenario("years", *PRICED)
@click.option("--save", "path", type=click.Path(dir_okay=False, path_type=Path),
              help="Scenario file to write, with these options and any fit.")  # fmt: skip
@why_option()
@click.option("--section", "sections", multiple=True, metavar="NAME",
              help=f"Section to print: {', '.join((*SECTIONS, *NOTED))}.")  # fmt: skip
@ALL
@WITH_MATHS
@AS_JSON
@click.pass_context
def command(
    context: click.Context,
    /,
    names: tuple[str, ...],
    path: Path | None,
    asked: tuple[str, ...],
    sections: tuple[str, ...],
    is_all: bool,
    with_maths: bool,
    as_json: bool,
    **texts: Any,
) -> None:
    """Plan one drive, or an array of drives of one model."""
    answer, horizon_s = one_drive(names, texts), stated(texts, ["years"])["horizon_s"]
    load_of = application_in(context)
    if path is not None:
        fit = answer.drive.fit
        options = given(context, SCENARIO_OPTIONS)
        from planner.cli.saving import save  # noqa: PLC0415 - few plans are kept

        content = scenario_bytes(options, None if fit is None else fit_record(fit))
        save({"--save": {path: content}})
    if asked:
        from planner.cli.why import print_why  # noqa: PLC0415 - few ask

        print_why(answer, Risk(horizon_s=horizon_s), asked, application=load_of)
    elif sections:
        _print_sections(answer, sections)
    elif as_json:
        print_json(plan_record(answer, horizon_s, load_of))
    else:
        print_plan(answer, horizon_s, application=load_of, is_all=is_all, with_maths=with_maths)


def plan_record(
    plan: PlanReading, horizon_s: float, application: "Application | None" = None
) -> dict[str, object]:
    """Return the plan and its verdict as JSON has them."""
    judged = verdict(plan, horizon_s, application=application)
    return record(plan, load()) | {"verdict": verdict_record(judged)}


def print_plan(
    plan: PlanReading, horizon_s: float, *, application: "Application | None" = None,
    is_all: bool = False, with_maths: bool = False,
) -> None:  # fmt: skip
    """Print the five sentences; with `is_all` every answer and the evidence behind it."""
    print_wrapped(heading(plan, horizon_s), bold=True)
    print_read_as(plan.workload)
    checks = {"CHECK": first_sentence(plan.warnings[0])} if plan.warnings else {}
    print_sentences(checks | verdict(plan, horizon_s, application=application).lines)
    if is_all:
        echo()
        print_scenario(plan)
        _print_all(plan)
    else:
        print_more(plan)
    if with_maths:
        print_maths(plan.nodes)


def print_more(plan: PlanReading) -> None:
    """Print the assumed facts, and the options that open the rest."""
    named = ", ".join(unknown_facts(plan, *WEAR))
    assumed = f"Assumed: {named}. " if named else ""
    print_wrapped(f"{assumed}More: --all, --section NAME, --why lasts")


def _print_sections(plan: PlanReading, names: tuple[str, ...]) -> None:
    """Print the sections that are named."""
    for name in names:
        if name.lower() in SECTIONS:
            section = SECTIONS[name.lower()]
            _print_section(plan, section, plan.sections[section])
            if section == COST:
                print_priced(plan)
        elif name.lower() in NOTED:
            _print_noted(plan, name.lower())
        else:
            known = ", ".join((*SECTIONS, *NOTED))
            raise click.UsageError(f"--section must be one of {known}, got {quoted(name)}")


def _print_noted(plan: PlanReading, name: str) -> None:
    """Print the assumptions, notes or sources of a plan."""
    if name == "assumptions":
        print_list("Assumed facts that widen the ranges", plan.wide)
    elif name == "notes":
        print_list("Notes", plan.notes)
    else:
        catalogue = load()
        sources = [f"{key}: {catalogue.sources[key].title}" for key in cited(plan, catalogue)]
        print_list("Sources", sources)


def _print_section(plan: PlanReading, section: str, answers: Iterable[Answer]) -> None:
    bound = plan.binding.get(section)
    echo(f"{section}{f', bound by {bound}' if bound else ''}")
    print_answers(answers, ranges=plan.ranges)


def _print_all(plan: PlanReading) -> None:
    """Print every answer, then missing facts, assumptions, notes and sources."""
    for section, answers in plan.sections.items():
        echo()
        _print_section(plan, section, answers)
        if section == COST:
            print_priced(plan)
    print_list("Write amplification by placement of writes", _placement(plan))
    _print_apart(plan)
    print_list("Missing facts would come from", _lacking(plan))
    for name in NOTED:
        _print_noted(plan, name)


def print_scenario(plan: PlanReading) -> None:
    """Print the mix of operations, and the dates that end a drive in their order."""
    workload = plan.workload
    rate = host_text(workload)
    reads = text("read_fraction", workload.read_fraction)
    size = text("transfer_bytes", workload.transfer_bytes)
    grows = course_text(workload)
    course = f" ({grows})" if grows else ""
    echo(f"Scenario: {rate} of host writes{course}, " + f"{reads} reads, {size} operations")
    if plan.lives.limit is None:
        why = "no limit is ever reached" if plan.lives.known else "no limit is known"
        echo(f"Life: {why}")
        return
    ends = [
        f"{text('wear_life_s', node.value)} by {limit}" for limit, node in plan.lives.known.items()
    ]
    echo(f"Life: {', then '.join(ends)}")
    _print_lives(plan, is_growing=bool(grows))


def _print_lives(plan: PlanReading, *, is_growing: bool) -> None:
    """Print the lives under uneven wear and over assumed facts, and of drives in turn."""
    wear = {level: text(node.key, node.value) for level, node in plan.lives.known_wear.items()}
    if len({*wear.values()}) > 1:
        band = "{low} to {high}, typically {typical}".format(**wear)
        echo(f"Life by flash wear, if blocks wear unevenly: {band}")
    dates = replacement_dates(plan)
    if is_growing and dates.is_known:
        echo(f"Each drive in turn worn out: {text(dates.key, dates.value)} from now")

    assumed = life_range_s(plan)
    if assumed is not None:
        low, high = (text("wear_life_s", seconds) for seconds in assumed)
        echo(f"Life by endurance over the assumed facts: {low} to {high}")


def _print_apart(plan: PlanReading) -> None:
    """Print the gain of separating kinds of data, where there is one."""
    rows = {row.key: row for row in plan.placement}
    if not rows or not rows["separated_ratio"].is_known:
        return
    echo("\nEach kind of data in blocks of its own (FDP, streams, zones)")
    if rows["least_separated_ratio"].value > GAINS_NOTHING:
        echo("  Nothing to gain: all writes are of one kind, as the pattern is stated")
        return
    ranges = {key: each for key in rows if (each := plan.range_of(key)) is not None}
    print_answers(rows.values(), ranges=ranges)


def _placement(plan: PlanReading) -> list[str]:
    """Return write amplification under each placement, if they differ by more than 0.1 %."""
    known = [item for item in (*plan.placements, plan.apart_wa) if item.is_known]
    if not known or max(item.value for item in known) < 1.001 * min(item.value for item in known):
        return []
    return [
        f"{QUANTITIES[item.key].label.partition(', ')[2].capitalize()}: "
        f"{text(item.key, item.value)}"
        for item in known
    ]


def _lacking(plan: PlanReading) -> list[str]:
    names = dict.fromkeys(name for missing in plan.missing for name in missing.lacking)
    return [f"{supply(name)} ({SUPPLIED_BY.get(name, 'not an option yet')})" for name in names]

"""`plan`: one drive, or an array of drives of one model."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from models.nomenclature import QUANTITIES
from planner.catalogue import load
from planner.catalogue.priors import supply
from planner.cli.options import SCENARIO_OPTIONS, SUPPLIED_BY, one_drive, scenario
from planner.cli.parameters import ALL, AS_JSON, ONE_DRIVE, WITH_MATHS, examples
from planner.cli.printing import (
    print_answers,
    print_assumed_names,
    print_json,
    print_list,
    print_maths,
    print_priced,
    print_read_as,
    print_rest,
)
from planner.cli.saving import save
from planner.cli.scenario_file import given, scenario_bytes
from planner.cli.terminal import echo
from planner.export.tables import cited, record, verdict_record
from planner.graph.answer import Answer
from planner.quantity.inputs import stated
from planner.quantity.show import text, writes_text
from planner.scenario.growth import course_text
from planner.search.sweeps import life_range_s
from planner.search.verdict import Verdict, verdict
from planner.sections.answers import ANSWERS, ARRAY, COST, key_named, shown
from planner.sections.calibration import fit_record
from planner.sections.plan import PlanReading
from planner.sections.prices import PRICED
from planner.sections.replacements import replacement_dates
from planner.sections.why import why

GAINS_NOTHING = 0.999  # of the flash writes


@click.command(
    "plan",
    epilog=examples(
        'ssd-planner plan "840 EVO 250" --writes "50 GiB/day"',
        'ssd-planner plan --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5',
        'ssd-planner plan --drive "7450 PRO 960" --measured-wa 3.19@894GiB --spare 33%',
        "ssd-planner plan --capacity 1.92TB --raw 2048GiB --pe-cycles 3000 --writes 1DWPD",
    ),
)
@ONE_DRIVE
@scenario("years", *PRICED)
@click.option("--save", "path", type=click.Path(dir_okay=False, path_type=Path),
              help="Scenario file to write, with these options and any fit.")  # fmt: skip
@click.option("--why", "asked", multiple=True, metavar="NAME",
              help="Number whose range is explained: wear, wa, iops or a key of JSON.")  # fmt: skip
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
    is_all: bool,
    with_maths: bool,
    as_json: bool,
    **texts: Any,
) -> None:
    """Plan one drive, or an array of drives of one model."""
    answer, horizon_s = one_drive(names, texts), stated(texts, ["years"])["horizon_s"]
    if path is not None:
        fit = answer.drive.fit
        options = given(context, SCENARIO_OPTIONS)
        content = scenario_bytes(options, None if fit is None else fit_record(fit))
        save({"--save": {path: content}})
    if asked:
        _print_why(answer, asked)
    elif as_json:
        print_json(record(answer, load()) | {"verdict": verdict_record(verdict(answer, horizon_s))})
    else:
        print_plan(answer, horizon_s, is_all=is_all, with_maths=with_maths)


def _print_why(plan: PlanReading, asked: tuple[str, ...]) -> None:
    """Print what makes the ranges of some numbers, and what would narrow them."""
    for name in asked:
        key = key_named(name)
        each = plan.range_of(key)
        if each is None:
            known = ", ".join(row.name or row.key for row in ANSWERS if row.key in plan.ranges)
            raise click.UsageError(f"--why must be a number of this plan, such as {known}")
        for line in why(key, each):
            echo(line)


def print_plan(
    plan: PlanReading, horizon_s: float, *, is_all: bool = False, with_maths: bool = False
) -> None:
    """Print the verdict and the main answers; with `is_all` every answer and what is behind it."""
    _print_headline(plan, is_all=is_all)
    _print_verdict(verdict(plan, horizon_s))
    if is_all:
        _print_all(plan)
    else:
        _print_main(plan)
    if with_maths:
        print_maths(plan.nodes)


def _print_main(plan: PlanReading) -> None:
    """Print the headlines and what is shown beside them, and count the rest."""
    echo()
    left = 0
    for section, answers in plan.sections.items():
        main = shown(section, answers) if section != ARRAY or plan.array.members > 1 else ()
        left += len(answers) - len(main)
        if main:
            _print_section(plan, section, main)
    for warning in plan.warnings:
        echo(warning)
    if lacking := _lacking(plan):
        echo(f"Missing facts: {'; '.join(lacking)}")
    print_assumed_names(plan.behind(*(part for group in plan.sections.values() for part in group)))
    notes = [note for note in plan.notes if note not in plan.warnings]
    print_rest({"numbers": left, "notes": len(notes), "sources": len(cited(plan, load()))})


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
    print_list("Assumed facts that widen the ranges", plan.wide)
    print_list("Notes", plan.notes)
    catalogue = load()
    print_list(
        "Sources", [f"{key}: {catalogue.sources[key].title}" for key in cited(plan, catalogue)]
    )


def _print_verdict(answer: Verdict) -> None:
    lines = {sentence.question: sentence.text for sentence in answer.sentences}
    lines["Next"] = answer.change.text
    width = max(len(question) for question in lines)
    echo()
    for question, line in lines.items():
        echo(f"{question:<{width}}  {line}")


def _print_headline(plan: PlanReading, *, is_all: bool) -> None:
    array, workload = plan.array, plan.workload
    count = f"{array.members} x " if array.members > 1 else ""
    layout = f", {array.name}" if array.members > 1 else ""
    echo(f"{count}{plan.drive.name}{layout}", bold=True)
    rate = writes_text(workload.host_bytes_per_s)
    reads = text("read_fraction", workload.read_fraction)
    size = text("transfer_bytes", workload.transfer_bytes)
    grows = course_text(workload)
    echo(
        f"Scenario: {rate} of host writes{f' ({grows})' if grows else ''}, {reads} reads, "
        f"{size} operations"
    )
    print_read_as(workload)
    if plan.lives.limit is None:
        why = "no limit is ever reached" if plan.lives.known else "no limit is known"
        echo(f"Life: {why}")
        return
    ends = [
        f"{text('wear_life_s', node.value)} by {limit}" for limit, node in plan.lives.known.items()
    ]
    echo(f"Life: {', then '.join(ends)}")
    if is_all:
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

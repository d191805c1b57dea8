"""`array`: capacity, speed, worst case and data loss of an array."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from planner.catalogue.priors import supply
from planner.cli.help_groups import GroupedCommand
from planner.cli.options import one_drive, scenario
from planner.cli.parameters import ALL, AS_JSON, ONE_DRIVE, WITH_MATHS, examples, why_option
from planner.cli.printing import (
    print_answers,
    print_assumed,
    print_json,
    print_list,
    print_maths,
    print_read_as,
    print_sentences,
    print_wrapped,
)
from planner.cli.terminal import echo
from planner.export.tables import array_record
from planner.graph.answer import Answer, walk
from planner.quantity.inputs import FAILURES, stated
from planner.quantity.show import text
from planner.scenario.risk import Risk
from planner.search.verdict.heading import each_text, typed_text
from planner.search.verdict.lasts import WEAR
from planner.search.verdict.safe import loss_text, power_text, survives
from planner.search.verdict.words import capital, chance, duration, ends, three, two, unknown_facts
from planner.sections.answers import ARRAY
from planner.sections.array_queue import ArrayQueue, array_queue, once_a_second
from planner.sections.data_loss import DataLoss, Remedy, data_loss, remedies
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range, ranges_among

ONCE_A_SECOND = (
    "Assumed: each drive stalls once a second, as per-second minima of reviews suggest; --stalled "
    "states the share of time instead."
)


@click.command(
    "array",
    cls=GroupedCommand,
    epilog=examples(
        "ssd-planner array --drives 12 --member-iops 50000 --worst-iops 5000",
        'ssd-planner array --drive "845DC PRO 400" --drives 8 --raid 6 --writes 60TB/day',
        "ssd-planner array --capacity 4TB --drives 12 --raid ec:8+3 --rebuild 6hours --json",
    ),
)
@ONE_DRIVE
@scenario("member_iops", "years", *FAILURES)
@why_option()
@ALL
@WITH_MATHS
@AS_JSON
def command(
    names: tuple[str, ...], asked: tuple[str, ...], is_all: bool, with_maths: bool, as_json: bool,
    **texts: Any,
) -> None:  # fmt: skip
    """Show speed, worst case and probability of data loss of an array."""
    known = one_drive(names, texts, nameless=True)
    plan = once_a_second(known)
    risk = Risk(**stated(texts, ("years", *FAILURES)))
    answers = array_queue(plan), data_loss(plan, risk), remedies(plan, risk)
    queue, lost, _ = answers
    if asked:
        _print_why(plan, queue, lost, asked)
        return
    if as_json:
        print_json(array_record(plan, *answers))
        return
    if is_all:
        pauses = () if plan is known else (ONCE_A_SECOND,)
        notes = (*pauses, *plan.array_notes, *queue.notes, *lost.notes)
        _print_array(plan, *answers, notes=notes)
    else:
        _print_first(plan, queue, lost)
    if with_maths:
        print_maths(walk((*queue.further, *lost.answers, *lost.further)))


def _print_first(plan: PlanReading, queue: ArrayQueue, lost: DataLoss) -> None:
    """Print capacity, speed, failures and power loss in at most twelve lines."""
    usable = plan["usable_bytes"]
    room = f"{text(usable.key, usable.value)} usable, " if usable.is_known else ""
    print_wrapped(f"{each_text(plan)}: {room}{typed_text(plan)}", bold=True)
    print_read_as(plan.workload)
    years = text("horizon_s", lost.risk.horizon_s, digits=3)
    reads = text("read_fraction", plan.workload.read_fraction)
    rows = {
        f"IOPS ({reads} reads)": _iops(plan, queue),
        "Latency": _latency(queue),
        "Survives": _survives(plan, lost),
        f"Data loss, {years}": _loss(lost),
        f"Replacements, {years}": _replacements(lost),
        "Power loss": power_text(plan),
    }
    print_sentences({label: line for label, line in rows.items() if line})
    named = ", ".join(unknown_facts(plan, "budget_iops", "worst_case_floor_iops", *WEAR))
    assumed = f"Assumed: {named}. " if named else ""
    print_wrapped(f"{assumed}More: --all, --why NAME")


def _print_why(
    plan: PlanReading, queue: ArrayQueue, lost: DataLoss, asked: tuple[str, ...]
) -> None:
    """Print the evidence of the plan's sentences and of the numbers of its array."""
    from planner.cli.why import print_why  # noqa: PLC0415 - few ask

    every = (*queue.answers, *queue.further)
    ranges = ranges_among(queue.readings, every, plan.uncertain.every)
    numbers = {part.key: part for part in (*lost.answers, *lost.further)}
    print_why(plan, lost.risk, asked, ranges=ranges, numbers=numbers)


def _iops(plan: PlanReading, queue: ArrayQueue) -> str:
    if not queue.iops.is_known:
        return f"unknown, it needs {', '.join(map(supply, queue.iops.lacking))}"
    ranges = ranges_among(queue.readings, (queue.iops, *queue.further), plan.uncertain.every)
    most = _with_ends(queue.iops, ranges)
    knee, slow = queue["knee_queue_depth"], queue["array_window_iops"]
    line = f"{most} at queue depth {queue.queue_depth:,g}"
    line += f" (saturated from {two(float(knee.value))})" if knee.is_known else ""
    floor, chance_of = plan["worst_case_floor_iops"], plan["aligned_stall_probability"]
    if slow.is_known:
        line += f". Slowest 1 % of 10 ms intervals {three(float(slow.value))}"
    if floor.is_known and chance_of.is_known:
        often = chance(float(chance_of.value))
        line += f". All drives stalled at once {three(float(floor.value))} ({often})"
    return f"{line}."


def _with_ends(part: Answer, ranges: Mapping[str, Range]) -> str:
    each = ranges.get(part.key)
    return f"{three(float(part.value))}{'' if each is None else ends(each)}"


def _latency(queue: ArrayQueue) -> str:
    sides = {"reads": queue.read_latency_s, "writes": queue.write_latency_s}
    known = [f"{name} {duration(float(part.value))}" for name, part in sides.items()
             if part.is_known]  # fmt: skip
    return f"Mean of {', '.join(known)} at that depth." if known else ""


def _survives(plan: PlanReading, lost: DataLoss) -> str:
    array, rebuild = plan.array, lost["rebuild_s"]
    if not array.tolerated_failures:
        return "No failed drive."
    took = f", rebuild {duration(float(rebuild.value))}" if rebuild.is_known else ""
    return f"{survives(array)}{took}."


def _loss(lost: DataLoss) -> str:
    whole = lost["array_loss_probability"]
    if not whole.is_known:
        return "The drives wear out again and again."
    return f"{capital(loss_text(lost))}. Not a backup."


def _replacements(lost: DataLoss) -> str:
    mean, most = lost["mean_replacements"], lost["replacements_quantile"]
    if not (mean.is_known and most.is_known):
        return ""
    return f"{two(float(mean.value))} expected, at most {most.value:g} (95 %)."


def _print_array(
    plan: PlanReading, queue: ArrayQueue, lost: DataLoss, measures: Iterable[Remedy], *,
    notes: Sequence[str],
) -> None:  # fmt: skip
    """Print capacity, speed and worst case, then data loss and what would reduce it."""
    array = plan.array
    name = f"{array.members} x {plan.drive.name}, {array.name}"
    print_wrapped(f"{name}: {typed_text(plan)}", bold=True)
    print_read_as(plan.workload)
    within = f"Within {text('horizon_s', lost.risk.horizon_s)}"
    depth = f"At queue depth {queue.queue_depth:g} of the array"
    groups = [
        ("", plan.sections[ARRAY]),
        (depth, (*queue.answers, *queue.further)),
        (within, lost.answers),
        *lost.by_question.items(),
    ]
    for title, answers in groups:
        if title and answers:
            echo(f"\n{title}")
        print_answers(answers)
    echo("\nData loss if the drives are")
    for remedy in measures:
        total = remedy.data_loss["array_loss_probability"]
        value = "missing" if not total.is_known else text(total.key, total.value)
        echo(f"  {remedy.name:<47} {value:>16}")
    lacking = dict.fromkeys(
        name
        for part in (*plan.sections[ARRAY], *queue.answers)
        if not part.is_known
        for name in part.lacking
    )
    missing = list(dict.fromkeys(map(supply, (*lacking, *lost.lacking))))
    print_list("Missing facts would come from", missing)
    print_assumed(plan)
    print_list("Notes", notes)

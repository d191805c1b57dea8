"""`array`: capacity, speed, worst case and data loss of an array."""

from collections.abc import Iterable, Sequence
from typing import Any

import click

from planner.catalogue.priors import supply
from planner.cli.options import one_drive, scenario
from planner.cli.parameters import ALL, AS_JSON, ONE_DRIVE, WITH_MATHS, examples
from planner.cli.printing import (
    print_answers,
    print_assumed,
    print_assumed_names,
    print_json,
    print_list,
    print_maths,
    print_read_as,
    print_rest,
)
from planner.cli.terminal import echo
from planner.export.tables import array_record
from planner.graph.answer import walk
from planner.quantity.inputs import FAILURES, stated
from planner.quantity.show import text
from planner.scenario.risk import Risk
from planner.sections.answers import ARRAY, LOSS, QUEUE, shown
from planner.sections.array_queue import ArrayQueue, array_queue, once_a_second
from planner.sections.data_loss import DataLoss, Remedy, data_loss, remedies
from planner.sections.plan import PlanReading

ONCE_A_SECOND = (
    "Assumed: each drive stalls once a second, as per-second minima of reviews suggest; --stalled "
    "states the share of time instead."
)


@click.command(
    "array",
    epilog=examples(
        "ssd-planner array --drives 12 --member-iops 50000 --worst-iops 5000",
        'ssd-planner array --drive "845DC PRO 400" --drives 8 --raid 6 --writes 60TB/day',
        "ssd-planner array --capacity 4TB --drives 12 --raid ec:8+3 --rebuild 6hours --json",
    ),
)
@ONE_DRIVE
@scenario("member_iops", "years", *FAILURES)
@ALL
@WITH_MATHS
@AS_JSON
def command(
    names: tuple[str, ...], is_all: bool, with_maths: bool, as_json: bool, **texts: Any
) -> None:
    """Show speed, worst case and probability of data loss of an array."""
    known = one_drive(names, texts, nameless=True)
    plan = once_a_second(known)
    risk = Risk(**stated(texts, ("years", *FAILURES)))
    answers = array_queue(plan), data_loss(plan, risk), remedies(plan, risk)
    if as_json:
        print_json(array_record(plan, *answers))
        return
    queue, lost, _ = answers
    pauses = () if plan is known else (ONCE_A_SECOND,)
    notes = (*pauses, *plan.array_notes, *queue.notes, *lost.notes)
    _print_array(plan, *answers, notes=notes, is_all=is_all)
    if with_maths:
        print_maths(walk((*queue.further, *lost.answers, *lost.further)))


def _print_array(
    plan: PlanReading, queue: ArrayQueue, lost: DataLoss, measures: Iterable[Remedy], *,
    notes: Sequence[str], is_all: bool,
) -> None:  # fmt: skip
    """Print capacity, speed and worst case, then data loss and what would reduce it."""
    array = plan.array
    echo(f"{array.members} x {plan.drive.name}, {array.name}", bold=True)
    print_read_as(plan.workload)
    within = f"Within {text('horizon_s', lost.risk.horizon_s)}"
    depth = f"At queue depth {queue.queue_depth:g} of the array"
    groups = [
        (ARRAY, "", plan.sections[ARRAY]),
        (QUEUE, depth, (*queue.answers, *queue.further)),
        (LOSS, within, lost.answers),
        *((LOSS, question, rows) for question, rows in lost.by_question.items()),
    ]
    left, ahead = 0, "\n" if is_all else ""
    for section, title, answers in groups:
        main = answers if is_all else shown(section, answers)
        left += len(answers) - len(main)
        if title and main:
            echo(f"{ahead}{title}")
        print_answers(main)
    echo(f"{ahead}Data loss if the drives are")
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
    if is_all:
        print_list("Missing facts would come from", missing)
        print_assumed(plan)
        print_list("Notes", notes)
        return
    if missing:
        echo(f"Missing facts: {'; '.join(missing)}")
    print_assumed_names(plan.behind(*(part for group in plan.sections.values() for part in group)))
    print_rest({"numbers": left, "notes": len(set(notes))})

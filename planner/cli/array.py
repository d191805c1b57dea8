"""`array`: capacity, speed, worst case and data loss of an array."""

from collections.abc import Iterable
from typing import Any

import click

from planner.arrays.queue import ArrayQueue, array_queue
from planner.arrays.stalls import once_a_second
from planner.catalogue.priors import supply
from planner.cli.options import one_drive, scenario
from planner.cli.parameters import AS_JSON, ONE_DRIVE, WITH_MATHS, examples
from planner.cli.printing import print_answers, print_assumed, print_json, print_list, print_maths
from planner.cli.terminal import echo
from planner.export.tables import array_record
from planner.graph.answer import Answer, walk
from planner.quantity.inputs import FAILURES, stated
from planner.quantity.show import text
from planner.reliability.data_loss import DataLoss, Remedy, data_loss, remedies
from planner.scenario.risk import Risk
from planner.sections.plan import Plan

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
@WITH_MATHS
@AS_JSON
def command(names: tuple[str, ...], with_maths: bool, as_json: bool, **texts: Any) -> None:
    """Show speed, worst case and probability of data loss of an array."""
    known = one_drive(names, texts, nameless=True)
    scene = once_a_second(known)
    risk = Risk(**stated(texts, ("years", *FAILURES)))
    answers = array_queue(scene), data_loss(scene, risk), remedies(scene, risk)
    if as_json:
        print_json(array_record(scene, *answers))
    else:
        _print_array(scene, *answers, with_maths=with_maths)
        queue, lost, _ = answers
        pauses = () if scene is known else (ONCE_A_SECOND,)
        print_list("Notes", (*pauses, *scene.array_answer.notes, *queue.notes, *lost.notes))


def _print_array(
    scene: Plan, queue: ArrayQueue, lost: DataLoss, measures: Iterable[Remedy], *, with_maths: bool
) -> None:
    """Print capacity, speed and worst case, then data loss and what would reduce it."""
    array = scene.array
    echo(f"{array.members} x {scene.drive.name}, {array.name}", bold=True)
    print_answers(scene.array_answer.answers)
    echo(f"\nAt queue depth {queue.queue_depth:g} of the array")
    print_answers((*queue.answers, *queue.further))
    echo(f"\nWithin {text('horizon_s', lost.risk.horizon_s)}")
    print_answers(lost.answers)
    for question, rows in lost.by_question.items():
        if rows:
            echo(f"\n{question}")
            print_answers(rows)
    echo("\nData loss if the drives are")
    for remedy in measures:
        total = remedy.data_loss.total
        value = "missing" if not total.is_known else text(total.key, total.value)
        echo(f"  {remedy.name:<47} {value:>16}")
    if with_maths:
        print_maths(walk((*queue.further, *lost.answers, *lost.further)))
    lacking = dict.fromkeys(
        name for part in (*scene.array_answer.answers, *queue.answers) for name in _lacking(part)
    )
    print_list(
        "Missing facts would come from", [supply(name) for name in (*lacking, *lost.lacking)]
    )
    print_assumed(scene)


def _lacking(part: Answer) -> tuple[str, ...]:
    return part.lacking if not part.is_known else ()

"""`array`: what an array holds, how fast it is, at worst too, and what it may lose."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import click

from models import queueing, stalls
from models.errors import DomainError
from models.units import DAY_S, YEAR_S
from planner.arrays.queue import ArrayQueue, array_queue
from planner.catalogue.priors import supply
from planner.cli.options import OPTION_OF, optional, options, plans
from planner.cli.parameters import AS_JSON, DRIVES, WITH_MATHS, examples
from planner.cli.printing import print_answers, print_json, print_list, print_maths
from planner.export.tables import array_record
from planner.graph.answer import Answer
from planner.quantity.input import InputError
from planner.quantity.inputs import DRIVE, LOAD, USE
from planner.quantity.parse import parse_fraction, parse_number
from planner.quantity.show import complaint, text
from planner.reliability.data_loss import Remedy, Survival, remedies, survival
from planner.reliability.failure_assumptions import Risk
from planner.sections.plan import Plan, plan

__all__ = ["command"]

RISK = [
    click.option("--horizon-years", default="5", show_default=True,
                 help="Time within which data may be lost."),
    click.option("--afr", help="Share of drives that fails in a year: 1%."),
    click.option("--uber", help="Unreadable sectors per bit read: 1e-16."),
    click.option("--rebuild-hours", help="Time until a failed drive is rebuilt."),
    click.option("--life-spread", default="5%", show_default=True,
                 help="Standard deviation of the drives' wear-out over its mean."),
    click.option("--replace-at", help="Share of the mean life at which drives are replaced: 90%."),
    click.option("--bought-apart-days", default="0", show_default=True,
                 help="Days between the first day of one drive and the next."),
]  # fmt: skip

OWN_OPTIONS = {
    "horizon_s": "--horizon-years",
    "afr_fraction": "--afr",
    "uber": "--uber",
    "rebuild_s": "--rebuild-hours",
    "life_cv": "--life-spread",
    "replaced_fraction": "--replace-at",
    "stagger_s": "--bought-apart-days",
}
ONCE_A_SECOND = (
    "Assumed: one worst moment per second and drive, as in per-second minima of reviews; "
    "--stalled tells the share of time instead."
)
TESTED_DEPTH = 32.0


def _array_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of the array and of its risks, then those of the workload."""
    command = options(*LOAD, *USE, *DRIVE)(command)
    for option in reversed(RISK):
        command = option(command)
    return options("drives", "raid", "member_iops")(command)


@click.command(
    "array",
    epilog=examples(
        "ssd-planner array --drives 12 --member-iops 50000 --worst-iops 5000",
        'ssd-planner array --drive "845DC PRO 400" --drives 8 --raid 6 --writes 60TB/day',
        "ssd-planner array --capacity 4TB --drives 12 --raid ec:8+3 --rebuild-hours 6 --json",
    ),
)
@DRIVES
@_array_options
@WITH_MATHS
@AS_JSON
def command(names: tuple[str, ...], with_maths: bool, as_json: bool, **texts: Any) -> None:
    """Say how fast an array is, at worst too, and how likely it loses data."""
    if len(names) + bool(texts["capacity"]) > 1:
        raise click.UsageError("--drive must be one drive here")
    values = _answers(names, texts)
    if as_json:
        print_json(array_record(*values))
    else:
        _print_array(*values, with_maths=with_maths)


def _answers(
    names: tuple[str, ...], texts: dict[str, Any]
) -> tuple[Plan, ArrayQueue, Survival, tuple[Remedy, ...]]:
    """Return everything that is told of one array."""
    try:
        (scene,) = plans(names, texts, nameless=True)
        scene, risk = _with_stalls(scene), _risk(texts)
        return scene, array_queue(scene), survival(scene, risk), remedies(scene, risk)
    except InputError:
        raise
    except DomainError as error:
        raise click.UsageError(complaint(error, OPTION_OF | OWN_OPTIONS)) from None


def _with_stalls(scene: Plan) -> Plan:
    """Take one worst moment per second where the share of stalls is not told."""
    array, speed = scene.array, scene.performance
    worst, iops = speed.worst_case_iops, speed.write_iops
    untold = array.member_stall_fraction is None
    if not untold or not worst.is_known or not iops.is_known:
        return scene
    longest_s = queueing.latency_s(TESTED_DEPTH, iops=worst.value)
    if longest_s * iops.value < TESTED_DEPTH:
        return scene
    pause_s = stalls.implied_pause_s(longest_s, queue_depth=TESTED_DEPTH, iops=iops.value)
    return plan(
        scene.drive,
        scene.workload,
        array=replace(array, member_stall_fraction=min(1.0, float(pause_s))),
        partition_fraction=scene.partition_fraction,
        rating_wa=scene.rating_wa,
        firmware=scene.firmware,
    )


def _risk(texts: dict[str, Any]) -> Risk:
    hours = optional(parse_number, "--rebuild-hours", texts["rebuild_hours"])
    return Risk(
        horizon_s=parse_number("--horizon-years", texts["horizon_years"]) * YEAR_S,
        afr_fraction=optional(parse_fraction, "--afr", texts["afr"]),
        uber=optional(parse_number, "--uber", texts["uber"]),
        rebuild_s=None if hours is None else hours * 3600,
        life_cv=parse_fraction("--life-spread", texts["life_spread"]),
        replaced_fraction=optional(parse_fraction, "--replace-at", texts["replace_at"]),
        stagger_s=parse_number("--bought-apart-days", texts["bought_apart_days"]) * DAY_S,
    )


def _print_array(
    scene: Plan, queue: ArrayQueue, lost: Survival, mended: Iterable[Remedy], *, with_maths: bool
) -> None:
    """Print capacity, speed and worst case, then data loss and what mends it."""
    array = scene.array
    click.echo(click.style(f"{array.members} x {scene.drive.name}, {array.name}", bold=True))
    print_answers(scene.array_answer.answers)
    click.echo(f"\nAt queue depth {queue.queue_depth:g} of the array")
    print_answers(queue.answers)
    click.echo(f"\nWithin {text('horizon_s', lost.risk.horizon_s)}")
    print_answers(lost.answers)
    click.echo("\nLoss of data, if the drives are")
    for remedy in mended:
        total = remedy.survival.total
        value = "missing" if not total.is_known else text(total.key, total.value)
        click.echo(f"  {remedy.name:<48}{value:>16}")
    if with_maths:
        print_maths(lost.nodes)
    lacking = dict.fromkeys(
        name for part in (*scene.array_answer.answers, *queue.answers) for name in _lacking(part)
    )
    print_list(
        "Missing facts would come from", [supply(name) for name in (*lacking, *lost.lacking)]
    )
    print_list("Notes", (ONCE_A_SECOND, *scene.array_answer.notes, *queue.notes, *lost.notes))


def _lacking(part: Answer) -> tuple[str, ...]:
    return part.lacking if not part.is_known else ()

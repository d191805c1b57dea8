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
from planner.cli.options import DRIVE_FACTS, OPTION_OF, WORKLOAD, optional, plans
from planner.cli.parameters import AS_JSON, DRIVES, WITH_MATHS, examples
from planner.cli.printing import print_answers, print_json, print_list, print_maths
from planner.export.tables import array_record
from planner.graph.answer import Answer
from planner.quantity.parse import parse_fraction, parse_number
from planner.quantity.show import complaint, text
from planner.reliability.data_loss import Remedy, Survival, remedies, survival
from planner.reliability.failure_assumptions import Risk
from planner.sections.plan import Plan, plan

__all__ = ["command"]

RISK = [
    click.option("--members", default="1", show_default=True, help="Drives in the array."),
    click.option("--level", default="raid0", show_default=True,
                 help="raid0, raid1, raid10, raid5, raid6, or ec:8+3."),
    click.option("--member-iops", help="IOPS of one drive, reads as writes."),
    click.option("--member-worst-iops", help="Worst-case IOPS of one drive at queue depth 32."),
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
    "members": "--members",
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
    for option in reversed([*RISK, *WORKLOAD, *DRIVE_FACTS]):
        command = option(command)
    return command


@click.command(
    "array",
    epilog=examples(
        "ssd-planner array --members 12 --level raid0 --member-iops 50000 --member-worst-iops 5000",
        'ssd-planner array --drive "845DC PRO 400" --members 8 --level raid6 --writes 60TB/day',
        "ssd-planner array --capacity 4TB --members 12 --level ec:8+3 --rebuild-hours 6 --json",
    ),
)
@DRIVES
@_array_options
@WITH_MATHS
@AS_JSON
def command(names: tuple[str, ...], with_maths: bool, as_json: bool, **options: Any) -> None:
    """Say how fast an array is, at worst too, and how likely it loses data."""
    if len(names) + bool(options["capacity"]) > 1:
        raise click.UsageError("--drive must be one drive here")
    values = _answers(names, options)
    if as_json:
        print_json(array_record(*values))
    else:
        _print_array(*values, with_maths=with_maths)


def _answers(
    names: tuple[str, ...], options: dict[str, Any]
) -> tuple[Plan, ArrayQueue, Survival, tuple[Remedy, ...]]:
    """Return everything that is told of one array."""
    try:
        (scene,) = plans(names, _scenario(options), nameless=True)
        scene, risk = _with_stalls(scene), _risk(options)
        return scene, array_queue(scene), survival(scene, risk), remedies(scene, risk)
    except DomainError as error:
        raise click.UsageError(complaint(error, OPTION_OF | OWN_OPTIONS)) from None


def _scenario(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a scenario, the member's rates as facts of the drive."""
    iops, worst = options["member_iops"], options["member_worst_iops"]
    facts = list(options["fact"] or ())
    if iops is not None:
        number = parse_number("--member-iops", iops)
        facts += [f"random_read_iops={number:.17g}", f"steady_write_iops={number:.17g}"]
    return options | {
        "drives": options["members"],
        "raid": options["level"],
        "level_field": "--level",
        "fact": tuple(facts),
        "worst_iops": options["worst_iops"] or worst,
    }


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


def _risk(options: dict[str, Any]) -> Risk:
    hours = optional(parse_number, "--rebuild-hours", options["rebuild_hours"])
    return Risk(
        horizon_s=parse_number("--horizon-years", options["horizon_years"]) * YEAR_S,
        afr_fraction=optional(parse_fraction, "--afr", options["afr"]),
        uber=optional(parse_number, "--uber", options["uber"]),
        rebuild_s=None if hours is None else hours * 3600,
        life_cv=parse_fraction("--life-spread", options["life_spread"]),
        replaced_fraction=optional(parse_fraction, "--replace-at", options["replace_at"]),
        stagger_s=parse_number("--bought-apart-days", options["bought_apart_days"]) * DAY_S,
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

"""Inverse questions on a terminal: what must be chosen, what binds, and by how much."""

from collections.abc import Callable
from typing import Any

import click

from models.errors import DomainError
from planner.catalogue import find, load
from planner.catalogue.drive import Drive, own_drive, with_user_facts
from planner.cli.cost import risk_of, terms_of
from planner.cli.options import one_drive, options, plans, scenario
from planner.cli.parameters import AS_JSON, DRIVES, examples
from planner.cli.size_output import tell
from planner.quantity.inputs import INPUTS, OWNING, stated
from planner.quantity.parse import parse_bytes, parse_number
from planner.scenario.array import Array, parse_level
from planner.scenario.skew import classes_of
from planner.scenario.workload import Workload
from planner.search.size import (
    KEPT,
    OWNED,
    WRITTEN,
    Sizing,
    break_even_price,
    drives_for,
    effective_raw,
    endurance_class,
    most_writes,
    spare_for_dwpd,
    spare_for_iops,
    spare_for_life,
)
from planner.sections.plan import Plan

__all__ = ["command"]

TARGETS = {
    "usable": "usable_bytes",
    "iops": "budget_iops",
    "floor_iops": "worst_case_floor_iops",
    "window_iops": "array_window_iops",
    "life": "wear_out_life_s",
}
STEADY = INPUTS["iops"]._replace(help="Steady random write IOPS of one drive, at least.")
BASES = {"written": WRITTEN, "usable": KEPT, "owned": OWNED}


@click.group(
    "size",
    epilog=examples(
        'ssd-planner size spare --drive "845DC PRO 400" --writes 5TB/day --life 5',
        'ssd-planner size drives --drive "845DC PRO 400" --raid 5 --usable 4TB --floor-iops 60000',
        "ssd-planner size raw --sister 3.84TB:1 --sister 3.2TB:3",
    ),
)
def command() -> None:
    """Find what must be chosen so that a target is met."""


@command.command(
    "spare",
    epilog=examples(
        'ssd-planner size spare --drive "845DC PRO 400" --writes 5TB/day --life 5',
        'ssd-planner size spare --drive "845DC PRO 400" --iops 60000',
    ),
)
@DRIVES
@scenario("life", "dwpd", STEADY, "years")
@AS_JSON
def spare_command(names: tuple[str, ...], as_json: bool, **texts: Any) -> None:
    """Say how much of each drive to leave empty for a life, a rating or a steady rate."""
    required = {row.name: row for row in (INPUTS["life"], INPUTS["dwpd"], STEADY)}
    values = {name: row.value(texts[name]) for name, row in required.items() if texts[name]}
    if len(values) != 1:
        raise click.UsageError("one of --life, --dwpd and --iops must be given")
    ((name, value),) = values.items()
    questions: dict[str, Callable[[Plan], Sizing]] = {
        "life": lambda scene: spare_for_life(scene, value),
        "dwpd": lambda scene: spare_for_dwpd(scene, value, period_s=_seconds(texts)),
        "iops": lambda scene: spare_for_iops(scene, value),
    }
    tell(questions[name](one_drive(names, texts)), as_json=as_json)


@command.command(
    "writes", epilog=examples('ssd-planner size writes --drive "845DC PRO 400" --years 5')
)
@DRIVES
@scenario("years")
@AS_JSON
def writes_command(names: tuple[str, ...], as_json: bool, **texts: Any) -> None:
    """Say how much may be written a day, by each limit."""
    tell(most_writes(one_drive(names, texts), _seconds(texts)), as_json=as_json)


@command.command(
    "class", epilog=examples("ssd-planner size class --capacity 1.92TB --raw 2TiB --writes 1TB/day")
)
@DRIVES
@scenario("years")
@AS_JSON
def class_command(names: tuple[str, ...], as_json: bool, **texts: Any) -> None:
    """Say which endurance class is needed: 0.3, 1, 3 or 10 drive writes per day."""
    tell(endurance_class(one_drive(names, texts), _seconds(texts)), as_json=as_json)


@command.command(
    "drives",
    epilog=examples(
        'ssd-planner size drives --drive "845DC PRO 400" --raid 5 --usable 4TB --floor-iops 60000',
        'ssd-planner size drives --drive "845DC PRO 400" --writes 9TB/day --life 5',
    ),
)
@DRIVES
@scenario(*TARGETS)
@AS_JSON
@click.pass_context
def drives_command(
    context: click.Context, /, names: tuple[str, ...], as_json: bool, **texts: Any
) -> None:
    """Say how many drives are needed for a capacity, rates and a life."""
    targets = {
        field: INPUTS[name].value(texts[name]) for name, field in TARGETS.items() if texts[name]
    }
    if not targets:
        options = ", ".join(INPUTS[name].option for name in TARGETS)
        raise click.UsageError(f"one of {options} must be given")
    if "DWPD" in texts["writes"].upper():
        raise click.UsageError("--writes must be a rate such as 4TB/day: DWPD needs the drives")
    if context.get_parameter_source("drives") is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError("--drives is the answer here: leave it out")
    fewest = texts | {"drives": str(_fewest(texts))}
    tell(drives_for(one_drive(names, fewest), **targets), as_json=as_json)


@command.command(
    "price",
    epilog=examples(
        'ssd-planner size price --drive "845DC PRO 400" --drive "845DC EVO 480" --writes 50GB/day',
        'ssd-planner size price --drive "845DC PRO 400" --drive "845DC EVO 480" --by owned',
    ),
)
@DRIVES
@click.option(
    "--by",
    "basis",
    type=click.Choice(list(BASES)),
    default="written",
    show_default=True,
    help="What must be equal: cost per byte written, per usable byte "
    "and year, or of owning a year.",
)
@scenario(*OWNING)
@AS_JSON
def price_command(names: tuple[str, ...], as_json: bool, basis: str, **texts: Any) -> None:
    """Say what a second drive may cost to be as good a buy as the first."""
    scenes = plans(names, texts)
    if len(scenes) != 2:
        raise click.UsageError("--drive must name two drives: the known buy, then the other")
    terms, risk = terms_of(texts), risk_of(texts)
    sized = break_even_price(*scenes, terms=terms, risk=risk, basis=BASES[basis])
    tell(sized, as_json=as_json)


@command.command(
    "raw",
    epilog=examples(
        "ssd-planner size raw --sister 3.84TB:1 --sister 3.2TB:3",
        'ssd-planner size raw --drive "9200 PRO 3840" --drive "9200 MAX 3200" --skew jesd219',
    ),
)
@DRIVES
@click.option(
    "--sister",
    "sisters",
    multiple=True,
    metavar="CAPACITY:DWPD",
    help="A capacity and its rating: 3.84TB:1.",
)
@options("skew")
@AS_JSON
def raw_command(names: tuple[str, ...], sisters: tuple[str, ...], skew: str, as_json: bool) -> None:
    """Say how much flash two models share that differ in spare area and rating."""
    pair = [*(find(load(), name) for name in names), *(_sister(written) for written in sisters)]
    if len(pair) != 2:
        raise click.UsageError("--drive and --sister must name two models together")
    largest = max(drive.capacity_bytes for drive in pair)
    write_shares, page_shares = classes_of(skew, capacity_bytes=largest)
    load_of_rating = Workload(
        host_bytes_per_s=1.0, write_shares=write_shares, page_shares=page_shares
    )
    tell(effective_raw(*pair, rated_under=load_of_rating), as_json=as_json)


def _sister(written: str) -> Drive:
    capacity, sign, rating = written.rpartition(":")
    if not sign:
        raise click.UsageError(f"--sister must be CAPACITY:DWPD such as 3.84TB:1, got '{written}'")
    drive = own_drive(parse_bytes("--sister", capacity))
    dwpd = parse_number("--sister", rating)
    if not dwpd > 0:
        raise click.UsageError(f"--sister must be rated > 0 DWPD, got '{written}'")
    return with_user_facts(drive, rated_dwpd=dwpd)


def _fewest(texts: dict[str, Any]) -> int:
    """Return the fewest drives of which the layout can be built, to start from."""
    raid = INPUTS["raid"]
    level = parse_level(raid.name, raid.value(texts["raid"]))
    layout = stated(texts, ("hot_spares", "sets"))
    for members in range(1, 256):
        try:
            return Array(members=members, **level, **layout).members
        except DomainError:
            continue
    raise click.UsageError("--raid must be a layout of at most 255 drives")


def _seconds(texts: dict[str, Any]) -> float:
    seconds: float = INPUTS["years"].value(texts["years"])
    return seconds

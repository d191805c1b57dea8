"""Inverse questions on a terminal: the size to choose, the binding limit, and the margins."""

from typing import Any

import click

from planner.catalogue import find, load
from planner.catalogue.drive import Drive, own_drive, with_user_facts
from planner.cli.options import one_drive, options, plans, scenario
from planner.cli.parameters import AS_JSON, DRIVES, ONE_DRIVE, Questions, examples
from planner.cli.size_output import tell
from planner.quantity.inputs import INPUTS, OWNING, PRICED_BY
from planner.quantity.parse import parse_bytes, parse_number
from planner.search.size.request import (
    BASES,
    TARGETS,
    answered,
    fewest_drives,
    price_for,
    raw_for,
)  # fmt: skip

STEADY = INPUTS["iops"]._replace(help="Steady random write IOPS of one drive, at least.")


@click.group(
    "size",
    cls=Questions,
    epilog=examples(
        'ssd-planner size spare --drive "845DC PRO 400" --writes 5TB/day --life 5',
        'ssd-planner size drives --drive "845DC PRO 400" --raid 5 --usable 4TB --floor-iops 60000',
        "ssd-planner size raw --sister 3.84TB:1 --sister 3.2TB:3",
    ),
)
def command() -> None:
    """Find the number of drives, spare area, price or rating that meet a target."""


@command.command(
    "spare",
    epilog=examples(
        'ssd-planner size spare --drive "845DC PRO 400" --writes 5TB/day --life 5',
        'ssd-planner size spare --drive "845DC PRO 400" --iops 60000',
    ),
)
@ONE_DRIVE
@scenario("life", "dwpd", STEADY, "years", "assumed")
@AS_JSON
def spare_command(names: tuple[str, ...], as_json: bool, **texts: Any) -> None:
    """Find the share of each drive to leave empty for a life, a rating or a steady rate."""
    tell(answered("spare", one_drive(names, texts), texts), as_json=as_json)


@command.command(
    "writes", epilog=examples('ssd-planner size writes --drive "845DC PRO 400" --years 5')
)
@ONE_DRIVE
@scenario("years", "assumed")
@AS_JSON
def writes_command(names: tuple[str, ...], as_json: bool, **texts: Any) -> None:
    """Find the maximum writes per day, by each limit."""
    tell(answered("writes", one_drive(names, texts), texts), as_json=as_json)


@command.command(
    "class", epilog=examples("ssd-planner size class --capacity 1.92TB --raw 2TiB --writes 1TB/day")
)
@ONE_DRIVE
@scenario("years", "assumed")
@AS_JSON
def class_command(names: tuple[str, ...], as_json: bool, **texts: Any) -> None:
    """Find the endurance class that is needed: 0.3, 1, 3 or 10 drive writes per day."""
    tell(answered("class", one_drive(names, texts), texts), as_json=as_json)


@command.command(
    "drives",
    epilog=examples(
        'ssd-planner size drives --drive "845DC PRO 400" --raid 5 --usable 4TB --floor-iops 60000',
        'ssd-planner size drives --drive "845DC PRO 400" --writes 9TB/day --life 5',
    ),
)
@ONE_DRIVE
@scenario(*TARGETS, "assumed")
@AS_JSON
@click.pass_context
def drives_command(
    context: click.Context, /, names: tuple[str, ...], as_json: bool, **texts: Any
) -> None:
    """Find the number of drives that a capacity, rates and a life need."""
    if context.get_parameter_source("drives") is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError("--drives is the answer here: leave it out")
    fewest = fewest_drives(texts)
    tell(answered("drives", one_drive(names, fewest), fewest), as_json=as_json)


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
@scenario(*OWNING, *PRICED_BY, "assumed")
@AS_JSON
def price_command(names: tuple[str, ...], as_json: bool, basis: str, **texts: Any) -> None:
    """Find the price at which a second drive is as good a buy as the first."""
    both = plans(names, texts)
    if len(both) != 2:
        raise click.UsageError("--drive must name two drives: the known buy, then the other")
    known, other = both
    tell(price_for(known, other, texts, by=basis), as_json=as_json)


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
    """Find the raw flash shared by two models that differ in spare area and rating."""
    pair = [*(find(load(), name) for name in names), *(_sister(written) for written in sisters)]
    if len(pair) != 2:
        raise click.UsageError("--drive and --sister must name two models together")
    tell(raw_for(*pair, skew=skew), as_json=as_json)


def _sister(written: str) -> Drive:
    capacity, sign, rating = written.rpartition(":")
    if not sign:
        raise click.UsageError(f"--sister must be CAPACITY:DWPD such as 3.84TB:1, got '{written}'")
    drive = own_drive(parse_bytes("--sister", capacity))
    dwpd = parse_number("--sister", rating)
    if not dwpd > 0:
        raise click.UsageError(f"--sister must be rated > 0 DWPD, got '{written}'")
    return with_user_facts(drive, rated_dwpd=dwpd)

"""Inverse questions on a terminal: what must be chosen, what binds, and by how much."""

from collections.abc import Callable
from typing import Any

import click

from models.errors import DomainError
from models.units import YEAR_S
from planner.catalogue import find, load
from planner.catalogue.drive import Drive, own_drive, with_user_facts
from planner.cli.cost import OWN_OPTIONS as COST_OPTIONS
from planner.cli.cost import owning, risk_of, terms_of
from planner.cli.options import OPTION_OF, plans, scenario
from planner.cli.parameters import AS_JSON, DRIVES, examples
from planner.cli.size_output import tell
from planner.quantity.parse import parse_bytes, parse_number
from planner.quantity.show import complaint
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

YEARS = click.option("--years", default="5", show_default=True, help="Time to last, in years.")

TARGETS = {
    "usable": ("usable_bytes", parse_bytes, 1.0, "Usable capacity that is needed: 20TB."),
    "iops": ("budget_iops", parse_number, 1.0, "Operations of the mix per second."),
    "floor_iops": (
        "worst_case_floor_iops", parse_number, 1.0,
        "Operations of members per second with all drives in their worst moment at once.",
    ),
    "window_iops": (
        "array_window_iops", parse_number, 1.0,
        "Operations per second in the slowest 1 % of windows of 10 ms; needs --stalled.",
    ),
    "life_years": ("wear_out_life_s", parse_number, YEAR_S, "Life by endurance, in years."),
}  # fmt: skip
BASES = {"written": WRITTEN, "usable": KEPT, "owned": OWNED}
OWN_OPTIONS = {
    "dwpd": "--dwpd",
    "iops": "--iops",
    "horizon_s": "--years",
    "period_s": "--years",
} | {name: f"--{option.replace('_', '-')}" for option, (name, *_) in TARGETS.items()}


def targets(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each target of an array."""
    for name, (_, _, _, told) in reversed(TARGETS.items()):
        command = click.option(f"--{name.replace('_', '-')}", help=told)(command)
    return command


@click.group(
    "size",
    epilog=examples(
        'ssd-planner size spare --drive "845DC PRO 400" --writes 5TB/day --life-years 5',
        'ssd-planner size drives --drive "845DC PRO 400" --raid 5 --usable 4TB --floor-iops 60000',
        "ssd-planner size raw --sister 3.84TB:1 --sister 3.2TB:3",
    ),
)
def command() -> None:
    """Find what must be chosen so that a target is met."""


@command.command(
    "spare",
    epilog=examples(
        'ssd-planner size spare --drive "845DC PRO 400" --writes 5TB/day --life-years 5',
        'ssd-planner size spare --drive "845DC PRO 400" --iops 60000',
    ),
)
@DRIVES
@click.option("--life-years", help="Life by endurance that is needed, in years.")
@click.option("--dwpd", help="Drive writes per day that are needed over --years.")
@click.option("--iops", help="Steady random write IOPS of one drive that are needed.")
@YEARS
@scenario
@AS_JSON
def spare_command(names: tuple[str, ...], as_json: bool, years: str, **options: Any) -> None:
    """Say how much of each drive to leave empty for a life, a rating or a steady rate."""
    asked = [name for name in ("life_years", "dwpd", "iops") if options[name] is not None]
    if len(asked) != 1:
        raise click.UsageError("one of --life-years, --dwpd and --iops must be given")
    value = parse_number(f"--{asked[0].replace('_', '-')}", options[asked[0]])
    questions: dict[str, Callable[[Plan], Sizing]] = {
        "life_years": lambda scene: spare_for_life(scene, value * YEAR_S),
        "dwpd": lambda scene: spare_for_dwpd(scene, value, period_s=_seconds(years)),
        "iops": lambda scene: spare_for_iops(scene, value),
    }
    tell(_asked(names, options, questions[asked[0]]), as_json=as_json)


@command.command(
    "writes", epilog=examples('ssd-planner size writes --drive "845DC PRO 400" --years 5')
)
@DRIVES
@YEARS
@scenario
@AS_JSON
def writes_command(names: tuple[str, ...], as_json: bool, years: str, **options: Any) -> None:
    """Say how much may be written a day, by each limit."""
    sized = _asked(names, options, lambda scene: most_writes(scene, _seconds(years)))
    tell(sized, as_json=as_json)


@command.command(
    "class", epilog=examples("ssd-planner size class --capacity 1.92TB --raw 2TiB --writes 1TB/day")
)
@DRIVES
@YEARS
@scenario
@AS_JSON
def class_command(names: tuple[str, ...], as_json: bool, years: str, **options: Any) -> None:
    """Say which endurance class is needed: 0.3, 1, 3 or 10 drive writes per day."""
    sized = _asked(names, options, lambda scene: endurance_class(scene, _seconds(years)))
    tell(sized, as_json=as_json)


@command.command(
    "drives",
    epilog=examples(
        'ssd-planner size drives --drive "845DC PRO 400" --raid 5 --usable 4TB --floor-iops 60000',
        'ssd-planner size drives --drive "845DC PRO 400" --writes 9TB/day --life-years 5',
    ),
)
@DRIVES
@targets
@scenario
@AS_JSON
@click.pass_context
def drives_command(
    context: click.Context, /, names: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Say how many drives are needed for a capacity, rates and a life."""
    wanted = {
        quantity: parse(f"--{name.replace('_', '-')}", options[name]) * unit
        for name, (quantity, parse, unit, _) in TARGETS.items()
        if options[name] is not None
    }
    if not wanted:
        names_of = ", ".join(OWN_OPTIONS[quantity] for quantity, *_ in TARGETS.values())
        raise click.UsageError(f"one of {names_of} must be given")
    if "DWPD" in options["writes"].upper():
        raise click.UsageError("--writes must be a rate such as 4TB/day: DWPD needs the drives")
    if context.get_parameter_source("drives") is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError("--drives is the answer here: leave it out")
    told = options | {"drives": str(_fewest(options))}
    tell(_asked(names, told, lambda scene: drives_for(scene, **wanted)), as_json=as_json)


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
@owning
@scenario
@AS_JSON
def price_command(names: tuple[str, ...], as_json: bool, basis: str, **options: Any) -> None:
    """Say what a second drive may cost to be as good a buy as the first."""
    try:
        scenes = plans(names, options)
        if len(scenes) != 2:
            raise click.UsageError("--drive must name two drives: the known buy, then the other")
        terms, risk = terms_of(options), risk_of(options)
        sized = break_even_price(*scenes, terms=terms, risk=risk, basis=BASES[basis])
    except DomainError as error:
        raise click.UsageError(complaint(error, OPTION_OF | COST_OPTIONS)) from None
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
@click.option(
    "--skew",
    default="uniform",
    show_default=True,
    help="Of the rating workload: uniform, 80/20, zipf:0.99 or jesd219.",
)
@AS_JSON
def raw_command(names: tuple[str, ...], sisters: tuple[str, ...], skew: str, as_json: bool) -> None:
    """Say how much flash two models share that differ in spare area and rating."""
    pair = [*(find(load(), name) for name in names), *(_sister(written) for written in sisters)]
    if len(pair) != 2:
        raise click.UsageError("--drive and --sister must name two models together")
    largest = max(drive.capacity_bytes for drive in pair)
    write_shares, page_shares = classes_of(skew, capacity_bytes=largest, field="--skew")
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


def _fewest(options: dict[str, Any]) -> int:
    """Return the fewest drives of which the layout can be built, to start from."""
    level = parse_level("--raid", options["raid"])
    spares = int(parse_number("--hot-spares", options["hot_spares"]))
    sets = int(parse_number("--sets", options["sets"]))
    for members in range(1, 256):
        try:
            return Array(members=members, **level, hot_spares=spares, sets=sets).members
        except DomainError:
            continue
    raise click.UsageError("--raid must be a layout of at most 255 drives")


def _seconds(years: str) -> float:
    return parse_number("--years", years) * YEAR_S


def _asked(
    names: tuple[str, ...], options: dict[str, Any], ask: Callable[[Plan], Sizing]
) -> Sizing:
    """Ask a question of the one drive that was named."""
    if len(names) + bool(options["capacity"]) > 1:
        raise click.UsageError("--drive must be one drive here")
    try:
        (scene,) = plans(names, options)
        return ask(scene)
    except DomainError as error:
        raise click.UsageError(complaint(error, OPTION_OF | OWN_OPTIONS)) from None

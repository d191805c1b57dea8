"""What is asked of a choice, and among what: options, and the question that they amount to."""

from collections.abc import Callable, Iterable
from typing import Any

import click

from models.errors import DomainError
from models.units import YEAR_S
from planner.catalogue import LookupFailed, find, load, search
from planner.catalogue.drive import Drive, with_user_facts
from planner.catalogue.priors import with_assumptions
from planner.cli.cost import risk_of, terms_of
from planner.cli.options import firmware_of, optional, options, workload_of
from planner.cli.scenario_file import SCENARIO_FILE
from planner.quantity.inputs import LOAD
from planner.quantity.parse import parse_bytes, parse_fraction, parse_number, parse_quantity
from planner.scenario.array import parse_level
from planner.scenario.workload import Workload
from planner.search.choose import Axis, Grid, Objective, Requirements

__all__ = ["NEED_OPTIONS", "axes_of", "choice_options", "question", "whole"]

NEEDS = [
    click.option("--usable", help="Usable capacity, at least: 20TB."),
    click.option("--iops", help="IOPS of the array at the mix, at least."),
    click.option("--array-depth", help="Operations outstanding at the array; without it the queue "
                 "depth of each drive times the drives."),
    click.option("--floor-iops", help="IOPS of members with all in their worst second, at least."),
    click.option("--read-p999", help="Read latency of a member that one in a thousand exceeds, "
                 "at most: 2ms."),
    click.option("--life-years", help="Life by endurance, at least."),
    click.option("--sure", default="50%", show_default=True,
                 help="How sure the life must be: 90%."),
    click.option("--life-log-sd", default="0.25", show_default=True,
                 help="Standard deviation of the logarithm of life about the plan's figure."),
    click.option("--max-loss", help="Probability of losing data within --years, at most: 0.01%."),
    click.option("--max-power", help="Watts of all drives at their most active, at most."),
    click.option("--slots", help="Drives, at most."),
    click.option("--budget", help="Price of all drives, at most."),
    click.option("--warranty-years", help="Warranty, at least."),
]  # fmt: skip
AMONG = [
    click.option("--drive", "names", multiple=True,
                 help="A drive by name, again for each; without it all of the catalogue."),
    click.option("--like", help="Words that a drive's name must hold: 'Micron 7400'."),
    click.option("--segment", help="client, enterprise ..."),
    click.option("--interface", help="Part of it: SATA, SAS, NVMe."),
    click.option("--price", "prices", multiple=True, metavar="NAME=USD",
                 help='Price of a drive: "845DC PRO 400=450"; again for each.'),
    click.option("--counts", default="1-24", show_default=True, help="Drives: 2-24 or 4,8,12."),
    click.option("--levels", default="0,1,10,5,6", show_default=True,
                 help="Layouts: 10,6,ec:8+3."),
    click.option("--sets", default="1", show_default=True,
                 help="Sets with parity of their own: 1,2,4."),
    click.option("--spare", default="0%,7%,14%,28%", show_default=True,
                 help="Shares of the user capacity left unpartitioned."),
    click.option("--hot-spares", default="0", show_default=True,
                 help="Of the drives, how many stand by."),
    click.option("--assume", is_flag=True, help="Accept labelled assumptions for missing facts."),
]  # fmt: skip
NEED_OPTIONS = {
    "usable_bytes": "--usable",
    "iops": "--iops",
    "queue_depth": "--queue-depth",
    "worst_case_iops": "--floor-iops",
    "read_p999_s": "--read-p999",
    "life_s": "--life-years",
    "life_confidence": "--sure",
    "life_log_sd": "--life-log-sd",
    "loss_probability": "--max-loss",
    "power_w": "--max-power",
    "slots": "--slots",
    "budget_usd": "--budget",
    "warranty_s": "--warranty-years",
    "members": "--counts",
    "sets": "--sets",
    "partition_fraction": "--spare",
    "partition_fractions": "--spare",
    "price_usd": "--price",
}
OBJECTIVES = {"price": Objective.PRICE, "cost": Objective.COST}
MOST_DRIVES = 10_000
MOST_DEPTH = 65_536


def choice_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of what must hold and among what."""
    command = options(*LOAD)(command)
    for option in reversed([SCENARIO_FILE, *NEEDS, *AMONG]):
        command = option(command)
    return command


def question(names: tuple[str, ...], texts: dict[str, Any]) -> dict[str, Any]:
    """Return what `choose` and `mixed_fleet` are asked."""
    asked = _requirements(texts)
    return {
        "workload": _workload(texts, asked),
        "asked": asked,
        "grid": _grid(names, texts),
        "objective": OBJECTIVES[texts["minimise"]],
        "risk": risk_of(texts),
        "terms": terms_of(texts),
        "firmware": firmware_of(texts),
    }


def _requirements(texts: dict[str, Any]) -> Requirements:
    return Requirements(
        usable_bytes=optional(parse_bytes, "--usable", texts["usable"]),
        iops=optional(parse_number, "--iops", texts["iops"]),
        queue_depth=optional(_depth, "--array-depth", texts["array_depth"]),
        worst_case_iops=optional(parse_number, "--floor-iops", texts["floor_iops"]),
        read_p999_s=optional(_latency, "--read-p999", texts["read_p999"]),
        life_s=optional(_years, "--life-years", texts["life_years"]),
        life_confidence=parse_fraction("--sure", texts["sure"]),
        life_log_sd=parse_number("--life-log-sd", texts["life_log_sd"]),
        loss_probability=optional(parse_fraction, "--max-loss", texts["max_loss"]),
        power_w=optional(parse_number, "--max-power", texts["max_power"]),
        slots=optional(parse_number, "--slots", texts["slots"]),
        budget_usd=optional(parse_number, "--budget", texts["budget"]),
        warranty_s=optional(_years, "--warranty-years", texts["warranty_years"]),
    )


def _workload(texts: dict[str, Any], asked: Requirements) -> Workload:
    """Return the workload; a DWPD and a skew by size are those of the capacity asked for."""
    if asked.usable_bytes is None and "DWPD" in texts["writes"].upper():
        raise click.UsageError("--writes in DWPD is of --usable, which is not given")
    size = asked.usable_bytes or 1.0
    return workload_of(texts, capacity_bytes=size, dwpd_bytes=size)


def _grid(names: tuple[str, ...], texts: dict[str, Any]) -> Grid:
    return Grid(
        drives=tuple(_drives(names, texts)),
        members=_counts("--counts", texts["counts"]),
        partition_fractions=tuple(1 - _spare(part) for part in texts["spare"].split(",")),
        levels=tuple(_level(part) for part in texts["levels"].split(",")),
        sets=_counts("--sets", texts["sets"]),
        hot_spares=int(parse_number("--hot-spares", texts["hot_spares"])),
    )


def _drives(names: tuple[str, ...], texts: dict[str, Any]) -> Iterable[Drive]:
    """Return the drives to choose among, those without a price too: they are told as such."""
    catalogue = load()
    if names and any(texts[name] for name in ("like", "segment", "interface")):
        raise click.UsageError("--drive names the drives; --like, --segment and --interface "
                               "choose among all")  # fmt: skip
    found = (
        [find(catalogue, name) for name in names]
        if names
        else search(
            catalogue, texts["like"] or "", segment=texts["segment"],
            interface=texts["interface"],
        )
    )  # fmt: skip
    if not found:
        raise click.UsageError("--drive, --like, --segment and --interface leave no drive")
    prices = dict(_price(written) for written in texts["prices"])
    for drive in found:
        priced = prices.get(drive.drive_id)
        known = drive if priced is None else with_user_facts(drive, price_usd=priced)
        yield with_assumptions(known) if texts["assume"] else known


def _price(written: str) -> tuple[str, float]:
    name, sign, price = written.rpartition("=")
    if not sign:
        raise click.UsageError(f"--price must be NAME=USD such as 845DC PRO 400=450, "
                               f"got '{written}'")  # fmt: skip
    try:
        return find(load(), name).drive_id, parse_number("--price", price)
    except LookupFailed as error:
        raise click.UsageError(f"--price: {error}") from None


def _counts(option: str, written: str) -> tuple[int, ...]:
    """Read 2-24, or 4,8,12, or both."""
    found: list[int] = []
    for part in written.split(","):
        first, dash, last = part.partition("-")
        low = whole(option, first)
        high = whole(option, last) if dash else low
        if high < low or high > MOST_DRIVES:
            raise click.UsageError(f"{option} must rise to at most {MOST_DRIVES}, got '{written}'")
        found.extend(range(low, high + 1))
    return tuple(dict.fromkeys(found))


def axes_of(written: str | None) -> tuple[Axis, ...]:
    """Read the axes of the front: the objective, and one or two more."""
    if written is None:
        return ()
    by_name = {axis.name.lower(): axis for axis in Axis if axis is not Axis.LEAST}
    parts = [part.strip().lower() for part in written.split(",")]
    if not 1 <= len(parts) <= 2 or not set(parts) <= set(by_name) or len(set(parts)) < len(parts):
        raise click.UsageError(
            f"--front must be one or two of {', '.join(by_name)}, got '{written}'"
        )
    return (Axis.LEAST, *(by_name[part] for part in parts))


def _latency(option: str, written: str) -> float:
    """Read a latency; without a unit in milliseconds."""
    try:
        return parse_quantity("max_latency_s", written)
    except DomainError:
        raise click.UsageError(f"{option} must be a time such as 2ms, got '{written}'") from None


def _depth(option: str, written: str) -> float:
    depth = parse_number(option, written)
    if depth % 1 or not 1 <= depth <= MOST_DEPTH:
        raise click.UsageError(
            f"{option} must be a whole number from 1 to {MOST_DEPTH}, got '{written}'"
        )
    return depth


def _spare(written: str) -> float:
    share = parse_fraction("--spare", written)
    if not 0 <= share < 1:
        raise click.UsageError(f"--spare must be from 0 % to less than 100 %, got '{written}'")
    return share


def _level(written: str) -> str:
    parse_level("--levels", written)
    return written


def _years(option: str, written: str) -> float:
    return parse_number(option, written) * YEAR_S


def whole(option: str, written: str) -> int:
    """Read a whole number from 1."""
    number = parse_number(option, written.strip())
    if number < 1 or number % 1:
        raise click.UsageError(f"{option} must be whole numbers >= 1, got '{written}'")
    return int(number)

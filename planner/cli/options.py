"""Options that describe a scenario, and the plan that they amount to."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import click

from models.units import YEAR_S
from planner.catalogue import find, load
from planner.catalogue.drive import Drive, own_drive, with_user_facts
from planner.catalogue.priors import with_assumptions
from planner.cli.scenario_file import SCENARIO_FILE
from planner.graph.answer import Answer
from planner.quantity.parse import (
    parse_bytes,
    parse_duration,
    parse_fraction,
    parse_number,
    parse_quantity,
    parse_step,
    parse_writes,
)
from planner.scenario import client_workloads
from planner.scenario.array import Array, parse_level
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.skew import classes_of
from planner.scenario.workload import MOST_STEPS, Workload
from planner.sections.plan import Plan, plan

__all__ = [
    "DRIVE_FACTS",
    "LOAD",
    "OPTION_OF",
    "SCENARIO_OPTIONS",
    "SUPPLIED_BY",
    "WORKLOAD",
    "firmware_of",
    "optional",
    "plans",
    "scenario",
    "workload_of",
]

LOAD = [
    click.option("--writes", default="50 GiB/day", show_default=True,
                 help="Host writes to the whole array: 50GiB/day, 20MB/s, or 0.3DWPD of its "
                 "usable capacity."),
    click.option("--growth", default="0%", show_default=True, help="Growth of writes per year."),
    click.option("--step", "step", multiple=True, metavar="xFACTOR after TIME",
                 help='A step of the writes, "x1.5 after 2 years"; may be given up to 6 times.'),
    click.option("--phase-in", help="Time over which the writes rise from none: 6 months."),
    click.option("--read-share", default="70%", show_default=True, help="Share of reads."),
    click.option("--block-size", default="4KiB", show_default=True, help="Size of an operation."),
    click.option("--sequential", default="0%", show_default=True, help="Sequential share."),
    click.option("--client", help="A client workload (`workloads` lists them) instead of "
                 "read share, block size, sequential share and queue depth."),
    click.option("--skew", default="uniform", show_default=True,
                 help="Of writes: uniform, 80/20, zipf:0.99 or jesd219."),
    click.option("--working-set", default="100%", show_default=True,
                 help="Share of the data that is ever rewritten."),
    click.option("--trim", default="0%", show_default=True, help="Share of requests that trim."),
    click.option("--queue-depth", default="32", show_default=True, help="Per drive."),
    click.option("--fill", default="100%", show_default=True,
                 help="Valid data over partitioned capacity."),
    click.option("--policy", type=click.Choice([policy.value for policy in Policy]),
                 default=Policy.GREEDY.value, show_default=True,
                 help="How garbage collection chooses its victim."),
    click.option("--layout", type=click.Choice([layout.value for layout in Layout]),
                 default=Layout.ONE_LOG.value, show_default=True,
                 help="What the drive keeps apart as it writes."),
    click.option("--accuracy", default="100%", show_default=True,
                 help="Of writes sent to the right stream, with --layout streams."),
]  # fmt: skip
USE = [
    click.option("--partition", default="100%", show_default=True,
                 help="Share of user capacity put to use; the rest is spare area."),
    click.option("--hot-spares", default="0", show_default=True,
                 help="Of the drives, how many stand by."),
    click.option("--sets", default="1", show_default=True,
                 help="Equal sets with parity of their own, striped: RAID 50 and 60."),
    click.option("--assume", is_flag=True,
                 help="Accept labelled assumptions for missing facts."),
    click.option("--capacity", help="User capacity of a drive that the catalogue lacks: 1.92TB."),
]  # fmt: skip
WORKLOAD = [*LOAD, *USE]
ARRAY = [
    click.option("--drives", default="1", show_default=True, help="Drives in the array."),
    click.option("--raid", default="0", show_default=True,
                 help="0, 1, 10, 5, 6, or ec:8+3: stripes of 8 data and 3 parity members."),
]  # fmt: skip
# What the user knows of one drive; refused where several are planned.
DRIVE_FACTS = [
    click.option("--stalled", help="Share of time one drive spends in garbage collection: 5%."),
    click.option("--wa", help="Measured write amplification; replaces the model."),
    click.option("--rating-wa", help="Write amplification of the rating workload."),
    click.option("--raw", help="Raw flash of a drive: 512GiB."),
    click.option("--pe-cycles", help="Rated program/erase cycles."),
    click.option("--tbw", help="Rated TBW: 7300TB."),
    click.option("--warranty-years", help="Warranty of a drive in years."),
    click.option("--price", help="Price of a drive in USD."),
    click.option("--worst-iops", help="Worst-case IOPS of a drive at queue depth 32."),
    click.option("--pages-per-block", help="Pages in one unit of garbage collection."),
    click.option("--collection-blocks", help="Units of garbage collection (superblocks)."),
    click.option("--reserve-blocks", help="Units of garbage collection kept erased."),
    click.option("--fact", "fact", multiple=True, metavar="NAME=VALUE",
                 help="Any other fact of a drive: dies=32, read_s=60us, erase_s=4ms, "
                 "steady_write_iops=14000, sequential_write_bytes_per_s=500MB/s."),
]  # fmt: skip

FACT_NAMES = (
    "stalled", "wa", "rating_wa", "raw", "pe_cycles", "tbw", "warranty_years", "price",
    "worst_iops", "pages_per_block", "collection_blocks", "reserve_blocks", "fact",
)  # fmt: skip

# How to supply a missing quantity.
SUPPLIED_BY = {
    "raw_bytes": "--raw 512GiB",
    "pe_cycles": "--pe-cycles 3000",
    "price_usd": "--price 960",
    "rated_bytes": "--tbw 7300TB",
    "rated_dwpd": "--tbw 7300TB",
    "rating_period_s": "--warranty-years 5",
    "warranty_s": "--warranty-years 5",
    "member_stall_fraction": "--stalled 5%",
    "worst_case_iops": "--worst-iops 5000",
}

# The option behind a field that a formula or record complains about.
OPTION_OF = {
    "host_bytes_per_s": "--writes",
    "growth_per_year": "--growth",
    "phase_in_s": "--phase-in",
    "rate_steps": "--step",
    "read_fraction": "--read-share",
    "transfer_bytes": "--block-size",
    "sequential_fraction": "--sequential",
    "queue_depth": "--queue-depth",
    "trim_share": "--trim",
    "working_set_fraction": "--working-set",
    "fill_fraction": "--fill",
    "partition_fraction": "--partition",
    "members": "--drives",
    "hot_spares": "--hot-spares",
    "sets": "--sets",
    "member_stall_fraction": "--stalled",
    "measured_wa": "--wa",
    "rating_wa": "--rating-wa",
    "raw_bytes": "--raw",
    "user_bytes": "--capacity",
    "pe_cycles": "--pe-cycles",
    "price_usd": "--price",
    "rated_bytes": "--tbw",
    "warranty_s": "--warranty-years",
    "worst_case_iops": "--worst-iops",
    "iops": "--worst-iops",
    "member_worst_iops": "--worst-iops",
    "op_ratio": "--raw",
    "blocks": "--collection-blocks",
    "reserve": "--reserve-blocks",
    "accuracy": "--accuracy",
    "pages_per_block": "--pages-per-block",
} | {
    f"step_{number}_{what}": "--step"
    for number in range(1, MOST_STEPS + 1)
    for what in ("s", "factor")
}


def scenario(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that describe workload, array and what the user knows of the drive."""
    for option in reversed([SCENARIO_FILE, *WORKLOAD, *ARRAY, *DRIVE_FACTS]):
        command = option(command)
    return command


@click.command()
@scenario
def _everything(**_: Any) -> None:
    """Stand for a command with the options of a scenario, to know them."""


SCENARIO_OPTIONS = {str(parameter.name) for parameter in _everything.params} - {"scenario"}


def plans(names: Sequence[str], options: dict[str, Any], *, nameless: bool = False) -> list[Plan]:
    """Return the plan of each drive under the scenario that the options describe.

    What is known of one drive belongs to the one drive, or to the one of the user's own;
    `nameless` allows one of which not even the capacity is known.
    """
    catalogue = load()
    drives = [find(catalogue, name) for name in names]
    capacity_bytes = optional(parse_bytes, "--capacity", options["capacity"])
    if capacity_bytes is None and len(drives) > 1:
        _refuse_drive_facts(options)
    if capacity_bytes is not None or (nameless and not drives):
        drives.append(own_drive(capacity_bytes))
    if not drives:
        raise click.UsageError("--drive or --capacity must name a drive; `drives` lists them")
    unknown = options | dict.fromkeys(FACT_NAMES)
    return [
        _plan(drive, options if position == len(drives) - 1 else unknown)
        for position, drive in enumerate(drives)
    ]


def _refuse_drive_facts(options: dict[str, Any]) -> None:
    told = [name for name in FACT_NAMES if options[name] not in (None, ())]
    if told:
        option = f"--{told[0].replace('_', '-')}"
        raise click.UsageError(f"{option} describes one drive; give one --drive, or --capacity")


def _plan(drive: Drive, options: dict[str, Any]) -> Plan:
    drive = _described(drive, options)
    array = Array(
        members=int(_whole("--drives", options["drives"])),
        **parse_level(options.get("level_field", "--raid"), options["raid"]),
        hot_spares=int(parse_number("--hot-spares", options["hot_spares"])),
        sets=int(_whole("--sets", options["sets"])),
        member_stall_fraction=optional(parse_fraction, "--stalled", options["stalled"]),
    )
    partition = parse_fraction("--partition", options["partition"])
    workload = workload_of(
        options,
        capacity_bytes=drive.capacity_bytes,
        dwpd_bytes=_usable_bytes(drive, array, partition),
    )
    return plan(
        drive,
        workload,
        array=array,
        partition_fraction=partition,
        rating_wa=optional(parse_number, "--rating-wa", options["rating_wa"]),
        firmware=firmware_of(options),
    )


def workload_of(options: dict[str, Any], *, capacity_bytes: float, dwpd_bytes: float) -> Workload:
    """Return what the options say of the workload.

    Skew is that of a drive of `capacity_bytes`; a DWPD writes `dwpd_bytes` once a day.
    """
    write_shares, page_shares = classes_of(
        options["skew"], capacity_bytes=capacity_bytes, field="--skew"
    )
    return _like_client(
        options["client"],
        Workload(
            write_shares=write_shares,
            page_shares=page_shares,
            working_set_fraction=parse_fraction("--working-set", options["working_set"]),
            trim_share=parse_fraction("--trim", options["trim"]),
            host_bytes_per_s=parse_writes("--writes", options["writes"], capacity_bytes=dwpd_bytes),
            growth_per_year=parse_fraction("--growth", options["growth"]),
            rate_steps=tuple(parse_step("--step", step) for step in options["step"] or ()),
            phase_in_s=optional(parse_duration, "--phase-in", options["phase_in"]) or 0.0,
            read_fraction=parse_fraction("--read-share", options["read_share"]),
            transfer_bytes=parse_bytes("--block-size", options["block_size"]),
            sequential_fraction=parse_fraction("--sequential", options["sequential"]),
            queue_depth=parse_number("--queue-depth", options["queue_depth"]),
            fill_fraction=parse_fraction("--fill", options["fill"]),
            measured_wa=optional(parse_number, "--wa", options.get("wa")),
        ),
    )


def firmware_of(options: dict[str, Any]) -> Firmware:
    """Return what the options say of the drive's firmware."""
    return Firmware(
        policy=Policy(options["policy"]),
        layout=Layout(options["layout"]),
        accuracy=parse_fraction("--accuracy", options["accuracy"]),
    )


def _like_client(name: str | None, workload: Workload) -> Workload:
    """Take mix, size, sequential share and queue depth from a client workload, if one is named."""
    if name is None:
        return workload
    known = client_workloads.load().workloads
    if name not in known:
        names = ", ".join(known)
        raise click.UsageError(f"--client must be one of {names}, got '{name}'")
    client = client_workloads.as_workload(known[name], host_bytes_per_s=workload.host_bytes_per_s)
    if isinstance(client, Answer):
        lacking = ", ".join(client.lacking)
        raise click.UsageError(f"--client {name} does not publish {lacking}")
    return replace(
        workload,
        read_fraction=client.read_fraction,
        transfer_bytes=client.transfer_bytes,
        sequential_fraction=client.sequential_fraction,
        queue_depth=client.queue_depth,
    )


def _usable_bytes(drive: Drive, array: Array, partition: float) -> float:
    """Return what DWPD counts: the capacity that the array leaves for data."""
    data = 1 - array.parities / array.stripe_members
    members = array.working * data / array.copies
    return drive.capacity_bytes * partition * members


def _described(drive: Drive, options: dict[str, Any]) -> Drive:
    """Add what the user knows of the drive, then what the user accepts as assumed."""
    known = {
        "raw_bytes": optional(parse_bytes, "--raw", options["raw"]),
        "pe_cycles": optional(parse_number, "--pe-cycles", options["pe_cycles"]),
        "rated_bytes": optional(parse_bytes, "--tbw", options["tbw"]),
        "warranty_s": optional(_years, "--warranty-years", options["warranty_years"]),
        "price_usd": optional(parse_number, "--price", options["price"]),
        "worst_case_iops": optional(parse_number, "--worst-iops", options["worst_iops"]),
        "pages_per_block": optional(parse_number, "--pages-per-block", options["pages_per_block"]),
        "blocks": optional(parse_number, "--collection-blocks", options["collection_blocks"]),
        "reserve": optional(parse_number, "--reserve-blocks", options["reserve_blocks"]),
    }
    if known["worst_case_iops"] is not None:
        known["saturated_queue_depth"] = 32.0
    facts = dict(_fact(written) for written in options["fact"] or ())
    facts |= {name: value for name, value in known.items() if value is not None}
    drive = with_user_facts(drive, **facts)
    return with_assumptions(drive) if options["assume"] else drive


def _fact(written: str) -> tuple[str, float]:
    name, sign, value = (part.strip() for part in written.partition("="))
    if not sign:
        raise click.UsageError(f"--fact must be NAME=VALUE such as dies=32, got '{written}'")
    return name, parse_quantity(name, value)


def optional(parse: Callable[[str, str], float], option: str, written: str | None) -> float | None:
    """Parse what was given for an option, if anything was."""
    return None if written is None else parse(option, written)


def _years(option: str, written: str) -> float:
    return parse_number(option, written) * YEAR_S


def _whole(option: str, written: str) -> float:
    number = parse_number(option, written)
    if number < 1 or number % 1:
        raise click.UsageError(f"{option} must be a whole number >= 1, got '{written}'")
    return number

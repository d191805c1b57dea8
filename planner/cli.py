"""Command line: the planner's questions for terminals and scripts.

`python -m planner --help`, or `ssd-planner --help` where the package is installed.
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.array import Array, RaidLevel
from planner.assumptions import assumptions, supply, with_assumptions
from planner.catalogue import find, load, search
from planner.drive import Drive, with_user_facts
from planner.export.maths import maths
from planner.export.tables import cited, comparison, record, rows, to_csv
from planner.export.xlsx import workbook
from planner.figures import Figure, Missing
from planner.plan import Plan, plan
from planner.quantities import parse_bytes, parse_fraction, parse_number, parse_writes, text
from planner.workload import Workload

__all__ = ["cli", "main"]

RAID_NAMES = [level.value for level in RaidLevel]
SCENARIO = [
    click.option("--writes", default="50 GiB/day", show_default=True,
                 help="Host writes to the whole array: 50GiB/day, 20MB/s, 0.3DWPD."),
    click.option("--growth", default="0%", show_default=True, help="Growth of writes per year."),
    click.option("--read-share", default="70%", show_default=True, help="Share of reads."),
    click.option("--block-size", default="4KiB", show_default=True, help="Size of an operation."),
    click.option("--sequential", default="0%", show_default=True, help="Sequential share."),
    click.option("--queue-depth", default="32", show_default=True, help="Per drive."),
    click.option("--fill", default="100%", show_default=True,
                 help="Valid data over partitioned capacity."),
    click.option("--partition", default="100%", show_default=True,
                 help="Share of user capacity put to use; the rest is spare area."),
    click.option("--drives", default="1", show_default=True, help="Drives in the array."),
    click.option("--raid", type=click.Choice(RAID_NAMES), default="0", show_default=True),
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
    click.option("--assume", is_flag=True,
                 help="Accept labelled assumptions for missing facts."),
]  # fmt: skip
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
OPTION_OF = {
    "host_bytes_per_s": "--writes",
    "growth_per_year": "--growth",
    "read_fraction": "--read-share",
    "transfer_bytes": "--block-size",
    "sequential_fraction": "--sequential",
    "queue_depth": "--queue-depth",
    "fill_fraction": "--fill",
    "partition_fraction": "--partition",
    "members": "--drives",
    "member_stall_fraction": "--stalled",
    "measured_wa": "--wa",
    "rating_wa": "--rating-wa",
    "raw_bytes": "--raw",
    "pe_cycles": "--pe-cycles",
    "price_usd": "--price",
    "pages_per_block": "--pages-per-block",
}
AS_JSON = click.option("--json", "as_json", is_flag=True, help="For machines, in base units.")
DRIVE = click.option("--drive", "names", multiple=True, required=True,
                     help='A drive by name, such as "845DC PRO 400"; see `drives`.')  # fmt: skip


def scenario(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that describe workload, array and what the user knows of the drive."""
    for option in reversed(SCENARIO):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="ssd-planner", message="%(version)s")
def cli() -> None:
    r"""Plan capacity and endurance of SSDs.

    \b
    ssd-planner drives 845dc
    ssd-planner plan --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5
    """


@cli.command()
@click.argument("words", nargs=-1)
@click.option("--vendor")
@click.option("--interface", help="Part of it: SATA, SAS, NVMe.")
@click.option("--nand", help="SLC, MLC, TLC, QLC.")
@click.option("--segment", help="client, enterprise ...")
@click.option("--min-capacity", help="At least: 960GB.")
@click.option("--max-capacity", help="At most: 4TB.")
@AS_JSON
def drives(
    words: tuple[str, ...],
    vendor: str | None,
    interface: str | None,
    nand: str | None,
    segment: str | None,
    min_capacity: str | None,
    max_capacity: str | None,
    as_json: bool,
) -> None:
    r"""List drives of the catalogue.

    \b
    ssd-planner drives 845dc --min-capacity 400GB
    """
    catalogue = load()
    found = search(
        catalogue,
        " ".join(words),
        vendor=vendor,
        interface=interface,
        nand_type=nand,
        segment=segment,
        min_bytes=_optional(parse_bytes, "--min-capacity", min_capacity),
        max_bytes=_optional(parse_bytes, "--max-capacity", max_capacity),
    )
    if as_json:
        _print_json([_drive_record(drive) for drive in found])
        return
    shown = ("user_bytes", "raw_bytes", "rated_bytes", "rated_dwpd", "pe_cycles", "price_usd")
    table = [
        {"Drive": drive.name, "Interface": drive.interface, "NAND": drive.nand_type}
        | {QUANTITIES[name].label: _fact_text(drive, name) for name in shown[1:]}
        for drive in found
    ]
    _print_table(table)
    click.echo(f"{len(found)} of {len(catalogue.drives)} drives")
    for problem in catalogue.problems:
        click.echo(problem, err=True)


@cli.command("plan")
@DRIVE
@scenario
@click.option("--maths", "with_maths", is_flag=True, help="Show every formula with its numbers.")
@AS_JSON
def plan_command(names: tuple[str, ...], with_maths: bool, as_json: bool, **options: Any) -> None:
    r"""Plan one drive or an array of it.

    \b
    ssd-planner plan --drive "840 EVO 250" --writes "50 GiB/day"
    ssd-planner plan --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5
    """
    for answer in _plans(names, options):
        if as_json:
            _print_json(record(answer, load()))
        else:
            _print_plan(answer, with_maths=with_maths)


@cli.command()
@DRIVE
@scenario
@AS_JSON
def compare(names: tuple[str, ...], as_json: bool, **options: Any) -> None:
    r"""Lay drives side by side under one scenario.

    \b
    ssd-planner compare --drive "845DC PRO 400" --drive "DC S3700 400" --writes 1TB/day
    """
    answers = _plans(names, options)
    if as_json:
        _print_json([record(answer, load()) for answer in answers])
    else:
        _print_table(comparison(answers))


@cli.command()
@DRIVE
@scenario
@click.option("--output", "-o", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="File to write: .xlsx (live formulas), .csv or .json.")  # fmt: skip
def export(names: tuple[str, ...], output: Path, **options: Any) -> None:
    r"""Write a plan as a workbook with live formulas, as CSV or as JSON.

    \b
    ssd-planner export --drive "860 PRO 4TB" --writes 100GiB/day -o plan.xlsx
    """
    answers = _plans(names, options)
    writers: dict[str, Callable[[], bytes]] = {
        ".xlsx": lambda: workbook(answers, load()),
        ".csv": lambda: to_csv(
            [{"drive": a.drive.name} | asdict(row) for a in answers for row in rows(a)]
        ),
        ".json": lambda: _json([record(answer, load()) for answer in answers]).encode(),
    }
    if output.suffix.lower() not in writers:
        raise click.UsageError(f"--output must end in .xlsx, .csv or .json, got '{output}'")
    try:
        output.write_bytes(writers[output.suffix.lower()]())
    except OSError as error:
        raise click.UsageError(f"--output '{output}' cannot be written: {error.strerror}") from None
    click.echo(f"{output}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; a complaint is one sentence on stderr and exit code 2."""
    try:
        cli.main(args=argv, prog_name="ssd-planner", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
    except click.ClickException as error:
        click.echo(f"Error: {error.format_message()}", err=True)
    except ValueError as error:
        field, space, rest = str(error).partition(" ")
        click.echo(f"Error: {OPTION_OF.get(field, field)}{space}{rest}", err=True)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    else:
        return 0
    return 2


def _plans(names: Sequence[str], options: dict[str, Any]) -> list[Plan]:
    catalogue = load()
    return [_plan(find(catalogue, name), options) for name in names]


def _plan(drive: Drive, options: dict[str, Any]) -> Plan:
    drive = _described(drive, options)
    array = Array(
        members=int(_whole("--drives", options["drives"])),
        level=RaidLevel(options["raid"]),
        member_stall_fraction=_optional(parse_fraction, "--stalled", options["stalled"]),
    )
    partition = parse_fraction("--partition", options["partition"])
    workload = Workload(
        host_bytes_per_s=parse_writes(
            "--writes", options["writes"], capacity_bytes=_usable_bytes(drive, array, partition)
        ),
        growth_per_year=parse_fraction("--growth", options["growth"]),
        read_fraction=parse_fraction("--read-share", options["read_share"]),
        transfer_bytes=parse_bytes("--block-size", options["block_size"]),
        sequential_fraction=parse_fraction("--sequential", options["sequential"]),
        queue_depth=parse_number("--queue-depth", options["queue_depth"]),
        fill_fraction=parse_fraction("--fill", options["fill"]),
        measured_wa=_optional(parse_number, "--wa", options["wa"]),
    )
    return plan(
        drive,
        workload,
        array=array,
        partition_fraction=partition,
        rating_wa=_optional(parse_number, "--rating-wa", options["rating_wa"]),
    )


def _usable_bytes(drive: Drive, array: Array, partition: float) -> float:
    """Return what DWPD counts: the capacity that the array leaves for data."""
    members = (array.members - array.parities) / array.copies
    return drive.capacity_bytes * partition * members


def _described(drive: Drive, options: dict[str, Any]) -> Drive:
    """Add what the user knows of the drive, then what the user accepts as assumed."""
    known = {
        "raw_bytes": _optional(parse_bytes, "--raw", options["raw"]),
        "pe_cycles": _optional(parse_number, "--pe-cycles", options["pe_cycles"]),
        "rated_bytes": _optional(parse_bytes, "--tbw", options["tbw"]),
        "warranty_s": _optional(_years, "--warranty-years", options["warranty_years"]),
        "price_usd": _optional(parse_number, "--price", options["price"]),
        "worst_case_iops": _optional(parse_number, "--worst-iops", options["worst_iops"]),
        "pages_per_block": _optional(parse_number, "--pages-per-block", options["pages_per_block"]),
    }
    if known["worst_case_iops"] is not None:
        known["saturated_queue_depth"] = 32.0
    drive = with_user_facts(drive, **{name: v for name, v in known.items() if v is not None})
    return with_assumptions(drive) if options["assume"] else drive


def _optional(parse: Callable[[str, str], float], option: str, written: str | None) -> float | None:
    return None if written is None else parse(option, written)


def _years(option: str, written: str) -> float:
    return parse_number(option, written) * YEAR_S


def _whole(option: str, written: str) -> float:
    number = parse_number(option, written)
    if number < 1 or number % 1:
        raise click.UsageError(f"{option} must be a whole number >= 1, got '{written}'")
    return number


def _print_plan(answer: Plan, *, with_maths: bool) -> None:
    life = answer.lifetime
    drives = f"{answer.array.members} x " if answer.array.members > 1 else ""
    layout = f", RAID {answer.array.level}" if answer.array.members > 1 else ""
    click.echo(click.style(f"{drives}{answer.drive.name}{layout}", bold=True))
    if life.limit is None or life.years is None:
        click.echo("Life: unrated, no limit can be computed")
    else:
        then = f", then {life.runner_up}" if life.runner_up else ""
        click.echo(f"Life: {text('wear_life_s', life.years * YEAR_S)}; limit: {life.limit}{then}")
    for section, answers in answer.sections.items():
        click.echo(f"\n{section}")
        for item in answers:
            value = "missing" if isinstance(item, Missing) else text(item.key, item.value)
            click.echo(f"  {QUANTITIES[item.key].label:<44}{value:>18}")
            if with_maths and isinstance(item, Figure):
                _print_maths(item)
    _print_list("Missing facts would come from", _lacking(answer))
    offered = assumptions(answer.drive)
    _print_list("Assumptions on offer (--assume)", [str(item) for item in offered])
    _print_list("Notes", answer.notes)
    catalogue = load()
    _print_list(
        "Sources", [f"{key}: {catalogue.sources[key].title}" for key in cited(answer, catalogue)]
    )


def _print_maths(item: Figure) -> None:
    numbers = ", ".join(f"{name} = {text(n.key, n.value)}" for name, n in item.inputs.items())
    click.echo(f"      {item.formula}({numbers})")
    click.echo(f"      {maths(item.formula).equation}")


def _lacking(answer: Plan) -> list[str]:
    names = dict.fromkeys(name for missing in answer.missing for name in missing.lacking)
    return [f"{supply(name)} ({SUPPLIED_BY.get(name, 'not an option yet')})" for name in names]


def _print_list(title: str, lines: Sequence[str]) -> None:
    if lines:
        click.echo(f"\n{title}")
        for line in dict.fromkeys(lines):
            click.echo(f"  - {line}")


def _print_table(table: Sequence[dict[str, str]]) -> None:
    if not table:
        return
    heads = list(table[0])
    widths = [max(len(head), *(len(row[head]) for row in table)) for head in heads]
    lines = [heads, ["-" * width for width in widths], *([row[h] for h in heads] for row in table)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def _fact_text(drive: Drive, name: str) -> str:
    value = drive.value(name)
    return "" if value is None else text(name, value)


def _drive_record(drive: Drive) -> dict[str, object]:
    identity = {
        name: getattr(drive, name)
        for name in ("drive_id", "name", "vendor", "model", "segment", "interface", "nand_type")
    }
    facts = {name: asdict(fact) for name, fact in drive.facts.items()}
    return identity | {"facts": facts}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


def _print_json(value: object) -> None:
    click.echo(_json(value))

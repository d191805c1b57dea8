"""The commands, and how a complaint reaches the user."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from models.nomenclature import QUANTITIES
from models.simulator import Cancelled
from planner import __version__, client_workloads
from planner.catalogue import load, search
from planner.cli.printing import as_json, print_json, print_plan, print_table
from planner.cli.scenario import OPTION_OF, optional, plans, scenario
from planner.cli.simulation import simulate, simulation_options, validate
from planner.cli.speed import print_speed
from planner.curves import speed_of
from planner.drive import Drive
from planner.export.tables import comparison, record, rows, speed_record, to_csv
from planner.export.xlsx import workbook
from planner.quantities import complaint, parse_bytes, text

__all__ = ["cli", "main"]

AS_JSON = click.option("--json", "as_json", is_flag=True, help="For machines, in base units.")
DRIVES = click.option(
    "--drive", "names", multiple=True, help='A drive by name, such as "845DC PRO 400".'
)


def examples(*lines: str) -> str:
    """Return lines as an epilog that click does not wrap."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "ssd-planner drives 845dc",
        'ssd-planner plan --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5',
    ),
)
@click.version_option(__version__, message="%(version)s")
def cli() -> None:
    """Plan capacity and endurance of SSDs."""


@cli.command(epilog=examples("ssd-planner drives 845dc --min-capacity 400GB"))
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
    """List drives of the catalogue."""
    catalogue = load()
    found = search(
        catalogue,
        " ".join(words),
        vendor=vendor,
        interface=interface,
        nand_type=nand,
        segment=segment,
        min_bytes=optional(parse_bytes, "--min-capacity", min_capacity),
        max_bytes=optional(parse_bytes, "--max-capacity", max_capacity),
    )
    if as_json:
        print_json([_drive_record(drive) for drive in found])
        return
    shown = ("user_bytes", "raw_bytes", "rated_bytes", "rated_dwpd", "pe_cycles", "price_usd")
    table = [
        {"Drive": drive.name, "Interface": drive.interface, "NAND": drive.nand_type}
        | {QUANTITIES[name].label: _fact_text(drive, name) for name in shown[1:]}
        for drive in found
    ]
    print_table(table)
    click.echo(f"{len(found)} of {len(catalogue.drives)} drives")
    for problem in catalogue.problems:
        click.echo(problem, err=True)


@cli.command(epilog=examples("ssd-planner workloads --json"))
@AS_JSON
def workloads(as_json: bool) -> None:
    """List client workloads that reviews publish, for --client."""
    known = client_workloads.load().workloads.values()
    if as_json:
        print_json([
            {name: getattr(item, name) for name in ("workload_id", "name", "kind", "description")}
            | {"facts": [asdict(fact) for fact in item.facts.values()]}
            for item in known
        ])  # fmt: skip
        return
    print_table([
        {"Name": item.workload_id, "Kind": item.kind, "What": item.description} for item in known
    ])  # fmt: skip


@cli.command(
    "plan",
    epilog=examples(
        'ssd-planner plan --drive "840 EVO 250" --writes "50 GiB/day"',
        'ssd-planner plan --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5',
        "ssd-planner plan --capacity 1.92TB --raw 2048GiB --pe-cycles 3000 --writes 1DWPD",
    ),
)
@DRIVES
@scenario
@click.option("--maths", "with_maths", is_flag=True, help="Show every formula with its numbers.")
@AS_JSON
def plan_command(names: tuple[str, ...], with_maths: bool, as_json: bool, **options: Any) -> None:
    """Plan one drive or an array of it."""
    if len(names) + bool(options["capacity"]) > 1:
        raise click.UsageError("--drive must be one drive here; use compare or export for more")
    (answer,) = plans(names, options)
    if as_json:
        print_json(record(answer, load()))
    else:
        print_plan(answer, with_maths=with_maths)


@cli.command(
    "speed",
    epilog=examples(
        'ssd-planner speed --drive "845DC PRO 400"',
        'ssd-planner speed --drive "840 EVO 1000" --partition 75% --writes 5MB/s --json',
    ),
)
@DRIVES
@scenario
@click.option("--maths", "with_maths", is_flag=True, help="Show every formula with its numbers.")
@AS_JSON
def speed_command(names: tuple[str, ...], with_maths: bool, as_json: bool, **options: Any) -> None:
    """Say how fast one drive is over time: fresh, at the cliff, settled, at worst."""
    if len(names) + bool(options["capacity"]) > 1:
        raise click.UsageError("--drive must be one drive here")
    (scene,) = plans(names, options)
    answer = speed_of(scene)
    if as_json:
        print_json(speed_record(answer, load()))
    else:
        print_speed(answer, with_maths=with_maths)


@cli.command(
    epilog=examples(
        'ssd-planner compare --drive "845DC PRO 400" --drive "DC S3700 400" --writes 1TB/day'
    )
)
@DRIVES
@scenario
@AS_JSON
def compare(names: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Lay drives side by side under one scenario."""
    answers = plans(names, options)
    if as_json:
        print_json([record(answer, load()) for answer in answers])
    else:
        print_table(comparison(answers))


@cli.command(
    epilog=examples('ssd-planner export --drive "860 PRO 4TB" --writes 100GiB/day -o plan.xlsx')
)
@DRIVES
@scenario
@click.option("--output", "-o", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="File to write: .xlsx (live formulas), .csv or .json.")  # fmt: skip
def export(names: tuple[str, ...], output: Path, **options: Any) -> None:
    """Write a plan as a workbook with live formulas, as CSV or as JSON."""
    answers = plans(names, options)
    writers: dict[str, Callable[[], bytes]] = {
        ".xlsx": lambda: workbook(answers, load()),
        ".csv": lambda: to_csv(
            [{"drive": a.drive.name} | asdict(row) for a in answers for row in rows(a, load())]
        ),
        ".json": lambda: as_json([record(answer, load()) for answer in answers]).encode(),
    }
    if output.suffix.lower() not in writers:
        raise click.UsageError(f"--output must end in .xlsx, .csv or .json, got '{output}'")
    try:
        output.write_bytes(writers[output.suffix.lower()]())
    except OSError as error:
        raise click.UsageError(f"--output '{output}' cannot be written: {error.strerror}") from None
    click.echo(f"{output}")


@cli.command(
    "simulate",
    epilog=examples(
        "ssd-planner simulate --op 0.28 --pages-per-block 128 --workload zipf:0.99",
        "ssd-planner simulate --policy fifo --workload hotcold:0.2:0.8 --json",
    ),
)
@simulation_options
@AS_JSON
def simulate_command(as_json: bool, **options: Any) -> None:
    """Count write amplification page by page, without any formula."""
    simulate(as_json, **options)


@cli.command("validate", epilog=examples("ssd-planner validate --quick"))
@click.option("--quick", is_flag=True, help="A part of the grid on small drives.")
@click.option("--output", "-o", default="docs/validation.md", show_default=True,
              type=click.Path(dir_okay=False, path_type=Path), help="Report to write.")  # fmt: skip
def validate_command(quick: bool, output: Path) -> None:
    """Compare every formula with the simulator and write the report."""
    validate(quick, output)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; a complaint is one sentence on stderr and exit code 2."""
    try:
        cli.main(args=argv, prog_name="ssd-planner", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
    except click.ClickException as error:
        click.echo(f"Error: {error.format_message()}", err=True)
    except ValueError as error:
        click.echo(f"Error: {complaint(error, OPTION_OF)}", err=True)
    except (click.Abort, KeyboardInterrupt, Cancelled):
        click.echo("Stopped.", err=True)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    else:
        return 0
    return 2


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

"""`drives`: the catalogue on a terminal."""

from dataclasses import asdict

import click

from models.nomenclature import QUANTITIES
from planner.catalogue import load, search
from planner.catalogue.drive import Drive
from planner.cli.parameters import AS_JSON, examples
from planner.cli.printing import print_json, print_table
from planner.cli.terminal import echo
from planner.quantity.parse import parse_bytes
from planner.quantity.show import text

__all__ = ["command"]

SHOWN = ("raw_bytes", "rated_bytes", "rated_dwpd", "pe_cycles", "price_usd")
IDENTITY = ("drive_id", "name", "vendor", "model", "segment", "interface", "nand_type")


@click.command("drives", epilog=examples("ssd-planner drives 845dc --min-capacity 400GB"))
@click.argument("words", nargs=-1)
@click.option("--vendor")
@click.option("--interface", help="Part of it: SATA, SAS, NVMe.")
@click.option("--nand", help="SLC, MLC, TLC, QLC.")
@click.option("--segment", help="client, enterprise ...")
@click.option("--min-capacity", help="At least: 960GB.")
@click.option("--max-capacity", help="At most: 4TB.")
@AS_JSON
def command(
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
    drives = search(
        catalogue,
        " ".join(words),
        vendor=vendor,
        interface=interface,
        nand_type=nand,
        segment=segment,
        min_bytes=None if min_capacity is None else parse_bytes("--min-capacity", min_capacity),
        max_bytes=None if max_capacity is None else parse_bytes("--max-capacity", max_capacity),
    )
    if as_json:
        print_json([_record(drive) for drive in drives])
        return
    print_table([_row(drive) for drive in drives])
    echo(f"{len(drives)} of {len(catalogue.drives)} drives")
    for problem in catalogue.problems:
        echo(problem, err=True)


def _row(drive: Drive) -> dict[str, str]:
    row = {"Drive": drive.name, "Interface": drive.interface, "NAND": drive.nand_type}
    return row | {QUANTITIES[name].label: _fact_text(drive, name) for name in SHOWN}


def _fact_text(drive: Drive, name: str) -> str:
    value = drive.value(name)
    return "" if value is None else text(name, value)


def _record(drive: Drive) -> dict[str, object]:
    facts = {name: asdict(fact) for name, fact in drive.facts.items()}
    return {name: getattr(drive, name) for name in IDENTITY} | {"facts": facts}

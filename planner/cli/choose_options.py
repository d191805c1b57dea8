"""Options of a choice, and the request that they make."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from planner.catalogue import LookupFailed, find, load, search
from planner.catalogue.classes import classes
from planner.catalogue.drive import Drive, with_user_facts
from planner.catalogue.quotes import QuotesError, QuoteTables, merged, table_contents
from planner.cli.application import APPLICATION
from planner.cli.options import PRICES, options
from planner.cli.scenario_file import SCENARIO_FILE
from planner.quantity.bounds import ABOVE_0, WHOLE
from planner.quantity.input import Input, time, whole
from planner.quantity.inputs import INPUTS
from planner.search.choose import SOLVER_S, Axis
from planner.search.choose.request import CHOICE, GRID_OF, ChoiceRequest, choice_request, quotes_of
from planner.search.choose.rules import DEFAULT, trades
from planner.sections.prices import amount

AMONG = [
    click.option("--drive", "names", multiple=True,
                 help="A drive by name, again for each; without it all of the catalogue."),
    click.option("--like", help="Words that a drive's name must hold: 'Micron 7400'."),
    PRICES,
    click.option("--catalogue", "tables", multiple=True,
                 type=click.Path(exists=True, dir_okay=False, path_type=Path),
                 help="Quotes and drives of your own: a CSV or XLSX file, again for each; "
                 "`ssd-planner catalogue template` writes an empty one."),
    click.option("--classes", "with_classes", is_flag=True,
                 help="Also classes that represent any drive: 1 DWPD TLC U.2 7.68 TB, at the "
                      "price of the class."),
    click.option("--only-own", is_flag=True, help="Only drives of --catalogue."),
]  # fmt: skip
GRID_HELP = {
    "drives": "Numbers of drives: 2-24 or 4,8,12.",
    "raid": "RAID levels and erasure codes: 10,6,ec:8+3.",
    "spare": "Shares of the user capacity left unpartitioned: 0%,7%,28%, or 0-28% in steps of 7.",
    "sets": "Numbers of sets with parity of their own: 1,2,4.",
}
TIME = Input("time", "time", time, f"{SOLVER_S:.0f}s", ABOVE_0,
             "Longest time of the solver of --mixed, which ends with the best mix so far; "
             "comparing the kinds before is not counted.", unit="s",
             title="Time of the search")  # fmt: skip
TOP = Input("top", "top", whole, "10", WHOLE, "Plans to list.")


def choice_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of requirements, candidates and ownership."""
    rows = [INPUTS[name] for name in CHOICE]
    rows = [row._replace(help=f"{GRID_HELP.get(row.name, row.help)}{_ruled(row)}") for row in rows]
    for option in reversed([SCENARIO_FILE, *AMONG]):
        command = option(command)
    ruled = {rule.input: None for rule in trades()[DEFAULT]}
    return APPLICATION(options(*rows, TOP, TIME, **GRID_OF | ruled)(command))


def _ruled(row: Input) -> str:
    """Describe the default of an option that no use case changes."""
    usual = next((rule.value for rule in trades()[DEFAULT] if rule.input == row.name), "")
    return f" {usual} unless stated." if usual else ""


def question(names: tuple[str, ...], texts: dict[str, Any]) -> ChoiceRequest:
    """Return the request of `choose` and `mixed_fleet`."""
    stated = {name: texts[name] for name in CHOICE}
    quotes, minimise = _quotes(texts), texts["minimise"]
    drives = _drives(names, quotes.drives, texts)
    return choice_request(
        drives, minimise=minimise, is_named=bool(names or texts["like"]),
        quotes=quotes if texts["tables"] else None, **stated,
    )  # fmt: skip


def _drives(
    names: tuple[str, ...], quoted: tuple[Drive, ...], texts: dict[str, Any]
) -> Iterable[Drive]:
    """Return the drives to choose among, those without a price too: they are named as such."""
    catalogue = load()
    own = (*quoted, *(classes() if texts["with_classes"] else ()))
    if texts["only_own"]:
        return own
    if names and texts["like"]:
        raise click.UsageError("--drive names the drives; --like chooses among all")
    found = (
        [find(catalogue, name) for name in names]
        if names
        else search(catalogue, texts["like"] or "")
    )
    if not found:
        raise click.UsageError("--drive and --like leave no drive")
    prices = dict(_price(written, texts) for written in texts["prices"])
    priced = (
        with_user_facts(drive, price_usd=prices[drive.drive_id])
        if drive.drive_id in prices
        else drive
        for drive in found
    )
    return merged(priced, own)


def _quotes(texts: dict[str, Any]) -> QuoteTables:
    """Return the drives of the user's own tables, and the rows set aside."""
    if texts["only_own"] and not texts["tables"]:
        raise click.UsageError("--only-own needs a --catalogue")
    try:
        return quotes_of(table_contents(texts["tables"]), texts)
    except QuotesError as error:
        raise click.UsageError(f"--catalogue: {error}") from None


def _price(written: str, texts: dict[str, Any]) -> tuple[str, float]:
    name, sign, price = written.rpartition("=")
    if not sign:
        raise click.UsageError(f"--price must be NAME=AMOUNT such as 845DC PRO 400=450 EUR, "
                               f"got '{written}'")  # fmt: skip
    try:
        return find(load(), name).drive_id, amount("--price", price, texts)
    except LookupFailed as error:
        raise click.UsageError(f"--price: {error}") from None


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

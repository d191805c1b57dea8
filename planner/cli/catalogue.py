"""`catalogue`: an empty table for quotes and drives of one's own, and what a filled one says."""

from pathlib import Path

import click

from planner.catalogue.prices import priced_text
from planner.catalogue.quotes import QuotesError, table_contents, template
from planner.cli.options import options
from planner.cli.parameters import Questions, examples
from planner.cli.printing import print_list, print_table
from planner.cli.saving import save
from planner.cli.terminal import echo
from planner.quantity.inputs import INPUTS
from planner.quantity.show import text
from planner.search.choose.request import quotes_of


@click.group(
    "catalogue",
    cls=Questions,
    epilog=examples("ssd-planner catalogue template --output quotes.csv"),
)
def command() -> None:
    """Write an empty table for quotes and drives of your own, or check a filled one."""


@command.command("template", epilog=examples("ssd-planner catalogue template --output quotes.csv"))
@click.option("--output", "path", type=click.Path(dir_okay=False, path_type=Path),
              help="File to write; by default the table is printed.")  # fmt: skip
def template_command(path: Path | None) -> None:
    """Write the first line of an empty table; values take units, such as 3.84 TB."""
    if path is None:
        echo(template().rstrip())
    else:
        save({"--output": {path: template().encode()}}, folder=None)


@command.command("check", epilog=examples("ssd-planner catalogue check quotes.csv --rate EUR=1.08"))
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@options(INPUTS["currency"], INPUTS["rate"])
def check_command(path: Path, **texts: object) -> None:
    """Show the drives of a table; rows that are set aside and doubtful cells are named."""
    try:
        found = quotes_of(table_contents([path]), texts)
    except QuotesError as error:
        raise click.UsageError(str(error)) from None
    rows = []
    for drive in found.drives:
        price = drive.value("price_usd")
        rows.append(
            {
                "Line": "" if drive.quote is None else drive.quote.where,
                "Drive": drive.name,
                "In the catalogue": "yes" if drive.features else "no",
                "Price": "" if price is None else text("price_usd", price),
                "Priced": priced_text(drive),
            }
        )
    print_table(rows)
    drives, aside = len(found.drives), len(found.set_aside)
    echo(f"Rows read: {found.row_count}; drives: {drives}; set aside: {aside}")
    print_list("Set aside", [str(row) for row in found.set_aside])
    print_list("Doubtful", list(found.doubts))
    print_list("Notes", found.notes)

"""Options that many commands share, and examples for their help. Imports nothing heavy."""

from datetime import date

import click

__all__ = ["AS_JSON", "DRIVES", "EXPORTED", "WITH_MATHS", "examples", "exported_on"]

AS_JSON = click.option("--json", "as_json", is_flag=True, help="For machines, in base units.")
DRIVES = click.option(
    "--drive", "names", multiple=True, help='A drive by name, such as "845DC PRO 400".'
)
EXPORTED = click.option(
    "--exported", metavar="YYYY-MM-DD", help="Date on the workbook; today without it."
)
WITH_MATHS = click.option(
    "--maths", "with_maths", is_flag=True, help="Show every formula with its numbers."
)


def exported_on(written: str | None) -> date:
    """Return the date on a workbook."""
    try:
        return date.today() if written is None else date.fromisoformat(written)
    except ValueError:
        raise click.UsageError(f"--exported must be a date such as 2026-01-31, "
                               f"got '{written}'") from None  # fmt: skip


def examples(*lines: str) -> str:
    """Return lines as an epilog that click does not wrap."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])

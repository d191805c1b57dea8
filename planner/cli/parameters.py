"""Options that many commands share, and examples for their help. Imports nothing heavy."""

import click

__all__ = ["AS_JSON", "DRIVES", "WITH_MATHS", "examples"]

AS_JSON = click.option("--json", "as_json", is_flag=True, help="For machines, in base units.")
DRIVES = click.option(
    "--drive", "names", multiple=True, help='A drive by name, such as "845DC PRO 400".'
)
WITH_MATHS = click.option(
    "--maths", "with_maths", is_flag=True, help="Show every formula with its numbers."
)


def examples(*lines: str) -> str:
    """Return lines as an epilog that click does not wrap."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])

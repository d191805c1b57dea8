"""What the commands print: the one place, where no control character passes."""

import click

from planner.quantity.outside import visible

__all__ = ["echo"]


def echo(text: object = "", *, bold: bool = False, err: bool = False) -> None:
    r"""Print a text on stdout or stderr, its control characters written out.

    They are written as JSON writes them, so that JSON says the same as before.

    >>> echo("a\x1b[2Jb")
    a\u001b[2Jb
    """
    shown = visible(str(text))
    click.echo(click.style(shown, bold=True) if bold else shown, err=err)

"""The only function that prints; it escapes control characters."""

import click

from planner.quantity.untrusted import escaped


def echo(text: object = "", *, bold: bool = False, err: bool = False) -> None:
    r"""Print a text on stdout or stderr with its control characters escaped.

    They are escaped as in JSON, so that printed JSON keeps its meaning.

    >>> echo("a\x1b[2Jb")
    a\u001b[2Jb
    """
    shown = escaped(str(text))
    click.echo(click.style(shown, bold=True) if bold else shown, err=err)

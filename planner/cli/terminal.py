"""The only functions that print; texts have their control characters escaped."""

import sys
from collections.abc import Callable
from itertools import count

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


RUNS_A_LINE = 10


def simulating() -> Callable[[], None]:
    """Return a listener that says on a terminal that runs take a while, and how many there were."""
    runs = count()

    def show() -> None:
        done = next(runs)
        if sys.stderr.isatty() and done % RUNS_A_LINE == 0:
            said = f"{done} simulated" if done else "no formula is known of these writes"
            echo(f"Simulating small drives: {said} ...", err=True)

    return show

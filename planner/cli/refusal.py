"""Error messages of commands: one sentence for people, and JSON under `--json`."""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

import click

from planner.quantity.untrusted import one_line

# Options of some commands, and those that say the same to others.
MEANT = {
    "--capacity": ("--usable",),
    "--life": ("--years",),
    "--usable": ("--capacity",),
    "--quotes": ("--catalogue",),
}
_OPTION = re.compile(r"--[a-z][a-z-]*")

ALIKE = 0.7  # similarity from which another option is offered


class Refusal(NamedTuple):
    """Reason of a refused command, and the option at fault, if there is one."""

    message: str
    option: str | None

    @property
    def as_json(self) -> str:
        """The refusal as JSON."""
        return json.dumps({"error": self._asdict()}, indent=2, ensure_ascii=False)


def refusal_of(error: click.ClickException | ValueError) -> Refusal:
    """Return the refusal behind an error of click, a formula, a record or the catalogue."""
    refusal = _refusal(error)
    option = None if refusal.option is None else one_line(refusal.option)
    return Refusal(one_line(refusal.message), option)


def _refusal(error: click.ClickException | ValueError) -> Refusal:
    if isinstance(error, click.NoSuchOption):
        error = _offering_shown_names(error)
    if isinstance(error, click.ClickException):
        message = error.format_message()
        return Refusal(message, _option_of(error) or _named_first(message))
    from planner.catalogue import LookupFailed  # noqa: PLC0415 - `--help` needs none of it
    from planner.cli.options import OPTION_OF  # noqa: PLC0415 - `--help` needs none of it
    from planner.quantity.show import complaint  # noqa: PLC0415 - `--help` needs none of it

    if isinstance(error, LookupFailed):
        return Refusal(str(error), "--drive")
    message = complaint(error, OPTION_OF)
    return Refusal(message, _named_first(message))


def _offering_shown_names(error: click.NoSuchOption) -> click.NoSuchOption:
    """Return the error with suggestions from the options that help lists, not from former names.

    Where the option of another command has the sense of one here, that one.
    """
    if error.ctx is None:
        return error
    options = [one for one in error.ctx.command.params if isinstance(one, click.Option)]
    shown = [name for one in options if not one.hidden for name in one.opts]
    alike = [name for name in MEANT.get(error.option_name, ()) if name in shown]
    if alike:
        name = error.option_name  # click offers only what is spelled alike
        message = f"No such option '{name}'. Did you mean '{alike[0]}'?"
        return click.NoSuchOption(name, message, ctx=error.ctx)
    if not error.possibilities:
        return error
    from difflib import get_close_matches  # noqa: PLC0415 - most options are known

    near = get_close_matches(error.option_name, shown, cutoff=ALIKE)
    return click.NoSuchOption(error.option_name, possibilities=near, ctx=error.ctx)


def _option_of(error: click.ClickException) -> str | None:
    """Return the option that a click error names."""
    if isinstance(error, click.NoSuchOption | click.BadOptionUsage):
        return error.option_name
    if isinstance(error, click.BadParameter) and isinstance(error.param, click.Option):
        return max(error.param.opts, key=len)
    return None


def _named_first(message: str) -> str | None:
    """Return the option that a message begins with."""
    match = _OPTION.match(message)
    return match[0] if match else None


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a command line has `--json`; it may be refused before it is parsed."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options

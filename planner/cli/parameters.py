"""Options shared by many commands, and examples in their help; imports must stay light."""

from collections.abc import Callable
from datetime import date
from typing import Any

import click
from click.core import ParameterSource

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON in base units.")
_NAMED = "planner.cli.named"  # key of the drives named by arguments, in the context of a command


def _drives(
    metavar: str, help_text: str, names_of: Callable[[click.Context, tuple[str, ...]], Any]
) -> Decorator:
    """Return the option `--drive` with an argument of the same meaning.

    The argument overrides a scenario file; option and argument may be given together.
    """

    def take(context: click.Context, _: click.Parameter, words: tuple[str, ...]) -> None:
        if words:
            context.meta[_NAMED] = names_of(context, words)
            context.default_map = {**(context.default_map or {}), "names": context.meta[_NAMED]}

    def joined(
        context: click.Context, option: click.Parameter, names: tuple[str, ...]
    ) -> tuple[str, ...]:
        if context.get_parameter_source(str(option.name)) is not ParameterSource.COMMANDLINE:
            return names
        already = context.meta.get(_NAMED, ())
        known = {name.casefold() for name in already}
        return (*already, *(name for name in names if name.casefold() not in known))

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        argument = click.argument(
            "words", nargs=-1, metavar=metavar, is_eager=True, expose_value=False, callback=take
        )
        option = click.option("--drive", "names", multiple=True, help=help_text, callback=joined)
        return argument(option(command))

    return add


def _said(context: click.Context, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the drive of an argument, which may be a sentence that states more."""
    from planner.cli.sentence import drive_of  # noqa: PLC0415 - help and lists read none

    return drive_of(context, " ".join(words))


ONE_DRIVE = _drives(
    "[SENTENCE]", 'A drive, such as "845DC PRO 400"; or as an argument, in a sentence.', _said
)
DRIVES = _drives(
    "[DRIVE]...",
    "A drive by name, repeatable; or as arguments, each in quotes.",
    lambda _, words: words,
)
EXPORTED = click.option(
    "--exported", metavar="YYYY-MM-DD", help="Date of the workbook; by default today."
)
ALL = click.option(
    "--all", "is_all", is_flag=True, help="Print every number, assumption, note and source."
)
WITH_MATHS = click.option(
    "--maths", "with_maths", is_flag=True, help="Show every formula with its numbers."
)


def why_option(
    names: str = "lasts, worst, safe, cost, next, wear, wa, iops or a key of JSON",
) -> Decorator:
    """Return the option `--why` of a command that explains what is named."""
    return click.option(
        "--why", "asked", multiple=True, metavar="NAME",
        help=f"Sentence or number to explain: {names}.",
    )  # fmt: skip


class Questions(click.Group):
    """A group of commands, whose options follow the name of one of them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse an option of one of the commands before its name."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            names = ", ".join(self.list_commands(ctx))
            wanted = f"{ctx.command_path} must be followed by one of {names}"
            message = f"{wanted}, got '{error.option_name}'"
            raise click.NoSuchOption(error.option_name, message, ctx=ctx) from None


def export_date(written: str | None) -> date:
    """Return the date of a workbook."""
    try:
        return date.today() if written is None else date.fromisoformat(written)
    except ValueError:
        raise click.UsageError(f"--exported must be a date such as 2026-01-31, "
                               f"got '{written}'") from None  # fmt: skip


def examples(*lines: str) -> str:
    """Return lines as an epilog that click does not wrap."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])

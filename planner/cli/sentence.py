"""A sentence as the argument of a command: drive, number, layout, writes and years at once."""

import click

from models.errors import DomainError
from planner.cli.scenario_file import with_defaults
from planner.cli.terminal import echo
from planner.quantity.inputs import INPUTS
from planner.scenario.sentence import PlanSentence, stated_plan


def drive_of(context: click.Context, text: str) -> tuple[str, ...]:
    """Return the drive that an argument names; a sentence also supplies the options not given."""
    try:
        said = stated_plan(text)
    except DomainError as error:
        raise click.UsageError(str(error)) from None
    if said is None:
        return (text,)
    inputs = dict(said.inputs)
    names = (inputs.pop("drive"),) if "drive" in inputs else ()
    with_defaults(context, inputs)
    _tell_unused(context, said)
    return names


def _tell_unused(context: click.Context, said: PlanSentence) -> None:
    """Name the unused words of a sentence, and its inputs without an option here."""
    options = {option.name for option in context.command.params}
    unused = [part.name for part in said.parts if part.name not in {*options, "drive"}]
    words = [*said.unread_words, *(INPUTS[name].label for name in unused if name in INPUTS)]
    if words:
        echo(f"Not used: {', '.join(words)}", err=True)

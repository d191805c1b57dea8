"""Inputs as options of commands, and plans from these options."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from models.errors import DomainError
from planner.cli.application import APPLICATION, STATED, texts_on
from planner.cli.scenario_file import SCENARIO_FILE, with_defaults
from planner.cli.terminal import echo
from planner.quantity.input import Former, Input, InputError, choice, flag
from planner.quantity.inputs import DRIVE, INPUTS, PLAN
from planner.quantity.parse import quoted
from planner.quantity.show import complaint

if TYPE_CHECKING:
    from planner.sections.plan import PlanReading

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def options(*inputs: str | Input, **defaults: str | None) -> Decorator:
    """Return a decorator that adds the options of some inputs, and their former names.

    `inputs` are names of the table or rows of the command's own; `defaults` replace the defaults
    of the rows.
    """
    rows = [row if isinstance(row, Input) else INPUTS[row] for row in inputs]

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        command = _with_refusals(command, option_names(rows))
        owners = {old.name: row.name for row in reversed(rows) for old in row.formerly}
        for row in reversed(rows):
            for old in row.formerly:
                if owners[old.name] == row.name:  # if two inputs had this name, the first owns it
                    command = _former(row, old)(command)
            command = _option(row, defaults.get(row.name, row.default))(command)
        return command

    return add


def _with_refusals(command: Callable[..., Any], names: Mapping[str, str]) -> Callable[..., Any]:
    """Return a command whose error messages name inputs by their options."""

    @wraps(command)
    def run(*arguments: Any, **texts: Any) -> Any:
        try:
            return command(*arguments, **_without_defaults(texts))
        except InputError as error:
            raise click.UsageError(f"{error.input.option} {error.why}") from None
        except DomainError as error:
            raise click.UsageError(complaint(error, names)) from None

    return run


def _without_defaults(texts: dict[str, Any]) -> dict[str, Any]:
    """Leave out what nobody stated of the inputs that the sentence of the writes may state."""
    from planner.sections.stated_writes import HINTED  # noqa: PLC0415 - help and lists read none

    context = click.get_current_context(silent=True)
    is_default = {
        name: context is not None
        and context.get_parameter_source(name) is ParameterSource.DEFAULT
        and texts.get(name) == INPUTS[name].default
        for name in HINTED
    }
    return {name: None if is_default.get(name) else text for name, text in texts.items()}


def _option(row: Input, default: str | None) -> Decorator:
    help_text = f"{row.help.removesuffix('.')}: {row.example}." if row.example else row.help
    if row.read is flag:
        return click.option(row.option, is_flag=True, help=help_text)
    return click.option(
        row.option,
        default=default,
        show_default=True,
        multiple=row.is_repeatable,
        help=help_text,
        metavar="|".join(row.choices) if row.read is choice else None,
    )


def _former(row: Input, old: Former) -> Decorator:
    """Return a hidden option under a former name; its value becomes the current one's default."""

    def take(context: click.Context, option: click.Parameter, text: str | bool | None) -> None:
        if text is None or text is False:
            return
        try:
            now = old.rewrite(str(text).lower() if row.read is flag else str(text))
        except ValueError as error:
            raise click.UsageError(f"{option.opts[0]}: {error}") from None
        written = option.opts[0] if row.read is flag else f"{option.opts[0]} {text}"
        echo(f"{written} is now {row.option} {now}", err=True)
        with_defaults(context, {row.name: now})

    return click.option(
        f"--{old.name.replace('_', '-')}",
        hidden=True,
        is_flag=row.read is flag,
        help=f"Now {row.option}.",
        is_eager=True,
        expose_value=False,
        callback=take,
    )


def option_names(rows: Sequence[Input]) -> dict[str, str]:
    """Return the option of each field that an error message may name."""
    further = {field: row.option for row in reversed(rows) for field in row.also}
    return further | {row.field: row.option for row in reversed(rows)}


# Prices by drive name, for commands that plan several drives.
PRICES = click.option(
    "--price",
    "prices",
    multiple=True,
    metavar="NAME=AMOUNT",
    help='Price of a drive: "845DC PRO 400=450", or "...=450 EUR"; again for each.',
)
OPTION_OF = option_names([INPUTS[name] for name in PLAN])
# The option that supplies a missing quantity, with an example.
SUPPLIED_BY = {
    field: f"{row.option} {row.example}"
    for row in (INPUTS[name] for name in DRIVE)
    if row.example
    for field in (row.field, *row.also)
}


def scenario(*further: str | Input, **defaults: str) -> Decorator:
    """Return a decorator that adds the options of a plan, `further` ones, `--app` and others."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        return SCENARIO_FILE(APPLICATION(options(*PLAN, *further, **defaults)(command)))

    return add


SCENARIO_OPTIONS = {"names", *STATED, "years", *PLAN}


def plans(
    names: Sequence[str], texts: Mapping[str, Any], *, nameless: bool = False
) -> "list[PlanReading]":
    """Return the plan of each drive under the scenario of the options.

    Options that are facts of a drive belong to the one that `--capacity` describes, else to the
    only named drive. `nameless` allows a plan without `--drive` and `--capacity`.
    """
    from planner.catalogue import find, load  # noqa: PLC0415 - help and lists plan nothing
    from planner.sections.prices import PRICED  # noqa: PLC0415 - likewise
    from planner.sections.request import plan_of  # noqa: PLC0415 - likewise

    catalogue = load()
    shared = {name: texts[name] for name in texts.keys() & {*PLAN, "member_iops", *PRICED}}
    if not _is_stated("writes", shared):
        shared.pop("writes", None)  # a used drive goes on as it was written so far
    capacity = shared.pop("capacity", None)
    drives = [find(catalogue, name) for name in names]
    if capacity is None and len(drives) > 1:
        _refuse_facts(shared)
    own = capacity is not None or (nameless and not drives)
    if not drives and not own:
        raise click.UsageError("--drive or --capacity must name a drive; `drives` lists them")
    unknown = {name: text for name, text in shared.items() if name not in DRIVE}
    if own:
        alone = plan_of(None, **shared, capacity=capacity)
        return [*(plan_of(drive, **texts_on(drive, unknown)) for drive in drives), alone]
    if len(drives) == 1:
        return [plan_of(drives[0], **shared)]
    last = drives.pop()
    return [
        *(plan_of(drive, **texts_on(drive, unknown)) for drive in drives),
        plan_of(last, **texts_on(last, shared)),
    ]


def is_bare(context: click.Context) -> bool:
    """Whether a command was given without any argument or option."""
    return all(
        context.get_parameter_source(name) is ParameterSource.DEFAULT for name in context.params
    )


def _is_stated(name: str, texts: Mapping[str, Any]) -> bool:
    """Whether an option has another value than its default, or was given."""
    context = click.get_current_context(silent=True)
    source = None if context is None else context.get_parameter_source(name)
    return source is not ParameterSource.DEFAULT or texts.get(name) != INPUTS[name].default


def _refuse_facts(texts: Mapping[str, Any]) -> None:
    stated = [name for name in DRIVE if texts.get(name) not in (None, ())]
    if stated:
        option = INPUTS[stated[0]].option
        raise click.UsageError(f"{option} describes one drive; give one --drive, or --capacity")


def one_drive(
    names: Sequence[str], texts: Mapping[str, Any], *, nameless: bool = False
) -> "PlanReading":
    """Return the plan of exactly one drive, named or described."""
    if len(names) + bool(texts["capacity"]) > 1:
        given = " and ".join([*map(quoted, names), *["--capacity"] * bool(texts["capacity"])])
        raise click.UsageError(f"--drive must be one drive here; use compare or export for {given}")
    (answer,) = plans(names, texts, nameless=nameless)
    return answer

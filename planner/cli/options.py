"""Inputs as options of commands, and the plans that they amount to."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

import click

from models.errors import DomainError
from planner.catalogue import find, load
from planner.cli.scenario_file import SCENARIO_FILE, with_defaults
from planner.cli.terminal import echo
from planner.quantity.input import Former, Input, InputError, choice, flag
from planner.quantity.inputs import DRIVE, INPUTS, PLAN
from planner.quantity.parse import quoted
from planner.quantity.show import complaint
from planner.sections.plan import Plan
from planner.sections.request import firmware_of, plan_of, workload_of

__all__ = [
    "OPTION_OF",
    "PRICES",
    "SCENARIO_OPTIONS",
    "SUPPLIED_BY",
    "firmware_of",
    "one_drive",
    "options",
    "plans",
    "scenario",
    "workload_of",
]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def options(*inputs: str | Input, **defaults: str | None) -> Decorator:
    """Give a command the options of some inputs, under their former names too.

    Inputs are those of the table, or rows of the command's own; `defaults` are those of one
    command where they are not those of the rows.
    """
    rows = [row if isinstance(row, Input) else INPUTS[row] for row in inputs]

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        command = _refusing(command, option_names(rows))
        owners = {old.name: row.name for row in reversed(rows) for old in row.formerly}
        for row in reversed(rows):
            for old in row.formerly:
                if owners[old.name] == row.name:  # of two inputs once called so, the first has it
                    command = _former(row, old)(command)
            command = _option(row, defaults.get(row.name, row.default))(command)
        return command

    return add


def _refusing(command: Callable[..., Any], names: Mapping[str, str]) -> Callable[..., Any]:
    """Let a command complain of inputs by their options."""

    @wraps(command)
    def run(*arguments: Any, **texts: Any) -> Any:
        try:
            return command(*arguments, **texts)
        except InputError as error:
            raise click.UsageError(f"{error.input.option} {error.why}") from None
        except DomainError as error:
            raise click.UsageError(complaint(error, names)) from None

    return run


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
    """Return an option under a former name: what it says is the default of the one of today."""

    def take(context: click.Context, option: click.Parameter, text: str | bool | None) -> None:
        if text is None or text is False:
            return
        try:
            now = old.rewrite(str(text).lower() if row.read is flag else str(text))
        except ValueError as error:
            raise click.UsageError(f"{option.opts[0]}: {error}") from None
        said = option.opts[0] if row.read is flag else f"{option.opts[0]} {text}"
        echo(f"{said} is now {row.option} {now}", err=True)
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
    """Return the option behind each field that a formula or a record may complain of."""
    further = {field: row.option for row in reversed(rows) for field in row.also}
    return further | {row.field: row.option for row in reversed(rows)}


# What drives cost where several are planned: the price of each, by name.
PRICES = click.option(
    "--price",
    "prices",
    multiple=True,
    metavar="NAME=USD",
    help='Price of a drive: "845DC PRO 400=450"; again for each.',
)
OPTION_OF = option_names([INPUTS[name] for name in PLAN])
# How to supply a missing quantity.
SUPPLIED_BY = {
    field: f"{row.option} {row.example}"
    for row in (INPUTS[name] for name in DRIVE)
    if row.example
    for field in (row.field, *row.also)
}


def scenario(*further: str | Input, **defaults: str) -> Decorator:
    """Give a command the options of a plan, `further` ones, and a file that holds them."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        return SCENARIO_FILE(options(*PLAN, *further, **defaults)(command))

    return add


SCENARIO_OPTIONS = {"names", *PLAN}


def plans(names: Sequence[str], texts: Mapping[str, Any], *, nameless: bool = False) -> list[Plan]:
    """Return the plan of each drive under the scenario that the options describe.

    What is known of one drive belongs to the one drive, or to the one of the user's own;
    `nameless` allows one of which not even the capacity is known.
    """
    catalogue = load()
    shared = {name: texts[name] for name in texts.keys() & {*PLAN, "member_iops"}}
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
        return [*(plan_of(drive, **unknown) for drive in drives), alone]
    return [*(plan_of(drive, **unknown) for drive in drives[:-1]), plan_of(drives[-1], **shared)]


def _refuse_facts(texts: Mapping[str, Any]) -> None:
    stated = [name for name in DRIVE if texts.get(name) not in (None, ())]
    if stated:
        option = INPUTS[stated[0]].option
        raise click.UsageError(f"{option} describes one drive; give one --drive, or --capacity")


def one_drive(names: Sequence[str], texts: Mapping[str, Any], *, nameless: bool = False) -> Plan:
    """Return the plan of the one drive that is named or described."""
    if len(names) + bool(texts["capacity"]) > 1:
        given = " and ".join([*map(quoted, names), *["--capacity"] * bool(texts["capacity"])])
        raise click.UsageError(f"--drive must be one drive here; use compare or export for {given}")
    (answer,) = plans(names, texts, nameless=nameless)
    return answer

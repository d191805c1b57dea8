"""The commands, each imported when it is run, and the output of errors."""

import gc
import os
import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NamedTuple

import click

from models._waiting import telling
from planner import __version__
from planner.cli.kept_runs import keeping_runs
from planner.cli.parameters import examples
from planner.cli.refusal import refusal_of, wants_json
from planner.cli.terminal import echo, simulating

# New objects before garbage is looked for: imports and tables make more than that, and no garbage.
_NEW_OBJECTS = 200_000


class CommandModule(NamedTuple):
    """The module whose `command` is a command, and the first line of its help."""

    module: str
    line: str


COMMANDS: Mapping[str, CommandModule] = {
    "app": CommandModule(
        "planner.cli.app", "Show the writes of an application to its drive, and the drive's life."
    ),
    "array": CommandModule(
        "planner.cli.array", "Show speed, worst case and probability of data loss of an array."
    ),
    "catalogue": CommandModule(
        "planner.cli.catalogue",
        "Write an empty table for quotes and drives of your own, or check a filled one.",
    ),
    "choose": CommandModule(
        "planner.cli.choose",
        "Find the drives, number, layout and spare area that meet every requirement.",
    ),
    "compare": CommandModule(
        "planner.cli.compare", "Compare drives side by side under one scenario."
    ),
    "cost": CommandModule(
        "planner.cli.cost",
        "Show the cost of owning a drive or an array: drives, energy, slots, labour, carbon.",
    ),
    "drives": CommandModule(
        "planner.cli.drives", "List drives of the catalogue whose names contain all WORDS."
    ),
    "export": CommandModule(
        "planner.cli.export", "Write a plan as a workbook with live formulas, as CSV or as JSON."
    ),
    "fio-job": CommandModule(
        "planner.cli.fio_job", "Print a fio job that measures the predicted speed of one drive."
    ),
    "fleet": CommandModule(
        "planner.cli.fleet", "Forecast the end of the rated life of all drives in folders of files."
    ),
    "forecast": CommandModule(
        "planner.cli.forecast",
        "Forecast the end of a drive's rated life from one or several of its readings.",
    ),
    "plan": CommandModule(
        "planner.cli.plan", "Plan one drive, or an array of drives of one model."
    ),
    "protocol": CommandModule(
        "planner.cli.protocol",
        "Predict what drives show in a published test, or in phases of your own.",
    ),
    "read": CommandModule(
        "planner.cli.read",
        "Show the contents of drive, test and trace files; nothing leaves this machine.",
    ),
    "simulate": CommandModule(
        "planner.cli.simulate", "Simulate write amplification page by page, without formulas."
    ),
    "size": CommandModule(
        "planner.cli.size",
        "Find the number of drives, spare area, price or rating that meet a target.",
    ),
    "speed": CommandModule(
        "planner.cli.speed",
        "Show the speed of one drive over time: fresh, at the cliff, in steady state, at worst.",
    ),
    "sweep": CommandModule(
        "planner.cli.sweep",
        "Evaluate a grid of inputs in parallel into one Parquet table; resumable.",
    ),
    "uncertainty": CommandModule(
        "planner.cli.uncertainty",
        "Compute the uncertainty of a plan from that of its inputs, and rank the inputs.",
    ),
    "validate": CommandModule(
        "validation.command", "Compare formulas with the simulators and write the report."
    ),
    "wa": CommandModule(
        "planner.cli.wa",
        "Compute the write amplification of a block trace on a drive, by model and by replay.",
    ),
    "workloads": CommandModule(
        "planner.cli.workloads", "List the published client workloads that --client accepts."
    ),
}


class LazyCommands(MutableMapping[str, click.Command]):
    """Commands by name; each is imported when it is looked up."""

    def __init__(self, places: Mapping[str, CommandModule]) -> None:
        self._commands: dict[str, click.Command | CommandModule] = dict(places)

    def __getitem__(self, name: str) -> click.Command:
        command = self._commands[name]
        if isinstance(command, CommandModule):
            imported: click.Command = import_module(command.module).command
            self._commands[name] = command = imported
        return command

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._commands[name] = command

    def __delitem__(self, name: str) -> None:
        del self._commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._commands)

    def __len__(self) -> int:
        return len(self._commands)


class OutputError(Exception):
    """Standard output cannot be written."""


@contextmanager
def _printing() -> Iterator[None]:
    """Turn an error of standard output into `OutputError`; unlike one of a file it has no name."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise OutputError from error
        raise


class LazyGroup(click.Group):
    """A group that lists its commands without importing them."""

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - the signature is click's
        formatter: click.HelpFormatter,
    ) -> None:
        """Write the first line of each command's help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.line) for name, place in COMMANDS.items()])

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Parse the command line, or print the help."""
        with _printing():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with _printing():
            return super().invoke(ctx)


@click.group(
    cls=LazyGroup,
    commands=LazyCommands(COMMANDS),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "ssd-planner drives 845dc",
        'ssd-planner plan --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5',
    ),
)
@click.version_option(__version__, message="%(version)s")
def cli() -> None:
    """Plan capacity and endurance of SSDs."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    A refused input gives one sentence on stderr and exit code 2; under `--json` also an object on
    stdout. If the reader of stdout closes it early, as `head` does, the command ends silently with
    exit code 141, as a shell reports SIGPIPE.
    """
    gc.set_threshold(_NEW_OBJECTS)
    try:
        return _run(argv)
    except OutputError as error:
        _drop_output()
        if isinstance(error.__cause__, BrokenPipeError):
            return 141
        reason = error.__cause__.strerror if isinstance(error.__cause__, OSError) else None
        _print_error(f"Error: standard output cannot be written: {reason}")
        return 2


def _run(argv: Sequence[str] | None) -> int:
    try:
        with telling(simulating()), keeping_runs():
            code = cli.main(args=argv, prog_name="ssd-planner", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        _print_error(error.format_message())
        return 2
    except (click.ClickException, ValueError) as error:
        _refuse(error, as_json=wants_json(sys.argv[1:] if argv is None else argv))
        return 2
    except (click.Abort, KeyboardInterrupt):
        _print_error("Stopped.")
        return 130
    return code if isinstance(code, int) else 0


def _refuse(error: click.ClickException | ValueError, *, as_json: bool) -> None:
    refusal = refusal_of(error)
    _print_error(f"Error: {refusal.message}")
    if as_json:
        with _printing():
            echo(refusal.as_json)


def _print_error(sentence: str) -> None:
    """Print on stderr, unless it is closed."""
    with suppress(OSError):
        echo(sentence, err=True)


def _drop_output() -> None:
    """Discard what is still buffered for stdout, so that flushing at exit does not fail again."""
    with suppress(OSError, ValueError):  # ValueError: a test has replaced stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

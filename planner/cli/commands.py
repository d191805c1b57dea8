"""The commands, imported one by one as they are needed, and how a refusal reaches the user."""

import os
import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NamedTuple

import click

from planner import __version__
from planner.cli.parameters import examples
from planner.cli.refusal import refusal_of, wants_json
from planner.cli.terminal import echo

__all__ = ["COMMANDS", "Place", "cli", "main"]


class Place(NamedTuple):
    """The module of which `command` is a command, and the first line of its help."""

    module: str
    line: str


COMMANDS: Mapping[str, Place] = {
    "array": Place(
        "planner.cli.array", "Say how fast an array is, at worst too, and how likely it loses data."
    ),
    "choose": Place(
        "planner.cli.choose",
        "Say which drive, how many, which layout and how much spare area meet every requirement.",
    ),
    "compare": Place("planner.cli.compare", "Lay drives side by side under one scenario."),
    "cost": Place(
        "planner.cli.cost",
        "Say what it costs to own a drive or an array: drives, energy, slots, labour, carbon.",
    ),
    "drives": Place("planner.cli.drives", "List drives of the catalogue."),
    "export": Place(
        "planner.cli.export", "Write a plan as a workbook with live formulas, as CSV or as JSON."
    ),
    "fio-job": Place(
        "planner.cli.fio_job",
        "Print the fio job that would measure what is predicted of one drive.",
    ),
    "forecast": Place(
        "planner.cli.forecast",
        "Say when the rated life of one drive ends, from one reading of it or several.",
    ),
    "plan": Place("planner.cli.plan", "Plan one drive or an array of it."),
    "read": Place(
        "planner.cli.read",
        "Say what files of drives, tests and traces hold; nothing leaves this machine.",
    ),
    "simulate": Place(
        "planner.cli.simulate", "Count write amplification page by page, without any formula."
    ),
    "size": Place(
        "planner.cli.size", "Say how many drives, which spare area, price or rating meet a target."
    ),
    "speed": Place(
        "planner.cli.speed",
        "Say how fast one drive is over time: fresh, at the cliff, settled, at worst.",
    ),
    "uncertainty": Place(
        "planner.cli.uncertainty",
        "Say how sure a plan is if inputs are not known exactly, and which of them matters.",
    ),
    "validate": Place(
        "validation.command", "Compare formulas with the simulators and write the report."
    ),
    "wa": Place(
        "planner.cli.wa",
        "Say what write amplification a block trace has on a drive, by model and by replay.",
    ),
    "workloads": Place(
        "planner.cli.workloads", "List client workloads that reviews publish, for --client."
    ),
}


class Imported(MutableMapping[str, click.Command]):
    """Commands by name, each imported when it is looked up."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self._commands: dict[str, click.Command | Place] = dict(places)

    def __getitem__(self, name: str) -> click.Command:
        command = self._commands[name]
        if isinstance(command, Place):
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
    """What a command says cannot be printed."""


@contextmanager
def _printing() -> Iterator[None]:
    """Tell an error of standard output, which has no file name, from those of files."""
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
        """Read the command line, and print help where it is asked for."""
        with _printing():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with _printing():
            return super().invoke(ctx)


@click.group(
    cls=LazyGroup,
    commands=Imported(COMMANDS),
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

    A refusal is one sentence on stderr and exit code 2; under `--json` also an object on stdout.
    A reader of stdout that has seen enough ends the command without a word, with exit code 141,
    as a shell reports SIGPIPE.
    """
    try:
        return _run(argv)
    except OutputError as lost:
        _drop_output()
        if isinstance(lost.__cause__, BrokenPipeError):
            return 141
        reason = lost.__cause__.strerror if isinstance(lost.__cause__, OSError) else None
        _say(f"Error: standard output cannot be written: {reason}")
        return 2


def _run(argv: Sequence[str] | None) -> int:
    try:
        code = cli.main(args=argv, prog_name="ssd-planner", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        _say(error.format_message())
        return 2
    except (click.ClickException, ValueError) as error:
        _refuse(error, as_json=wants_json(sys.argv[1:] if argv is None else argv))
        return 2
    except (click.Abort, KeyboardInterrupt):
        _say("Stopped.")
        return 130
    return code if isinstance(code, int) else 0


def _refuse(error: click.ClickException | ValueError, *, as_json: bool) -> None:
    refusal = refusal_of(error)
    _say(f"Error: {refusal.message}")
    if as_json:
        with _printing():
            echo(refusal.as_json)


def _say(sentence: str) -> None:
    """Print on stderr, if anybody listens there."""
    with suppress(OSError):
        echo(sentence, err=True)


def _drop_output() -> None:
    """Let what stdout still holds go nowhere, so that it does not fail again when Python ends."""
    with suppress(OSError, ValueError):  # as where a test has put something else in its place
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""`protocol`: what drives will show in a published test, or in phases of one's own."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from models.errors import DomainError
from planner.cli.help_groups import GroupedCommand
from planner.cli.options import options, plans
from planner.cli.parameters import ALL, AS_JSON, examples
from planner.cli.printing import print_json, print_table, print_wrapped
from planner.cli.saving import save
from planner.cli.terminal import echo
from planner.quantity.inputs import TESTED
from planner.quantity.parse import parse_bytes

if TYPE_CHECKING:
    from planner.simulation.protocol.answer import ProtocolAnswer
    from planner.simulation.protocol.measured import MeasuredProtocol
    from planner.simulation.protocol.presets import Protocol


@click.command(
    "protocol",
    cls=GroupedCommand,
    epilog=examples(
        'ssd-planner protocol consistency --drive "845DC PRO 400" --drive "840 EVO 250"',
        'ssd-planner protocol torture "840 EVO 120"',
        'ssd-planner protocol --phase fill --phase "write random 4KiB depth 32 for 1 h" "990 PRO"',
        "ssd-planner protocol --list",
    ),
)
@click.argument("words", nargs=-1, metavar="[NAME] [DRIVE]...")
@click.option("--drive", "drives", multiple=True, help="A drive by name; again for each.")
@click.option(
    "--phase", "phases", multiple=True, metavar="TEXT",
    help='A phase of a protocol of your own; again for each: "fill", "idle 30 s", '
    '"write random 4KiB depth 32 over 8GB for 3 min".',
)  # fmt: skip
@options(*TESTED)
@click.option("--test-size", metavar="SIZE", help="Test only a part of the drive, as a file: 1GB.")
@click.option(
    "--fio", type=click.Path(dir_okay=False, path_type=Path),
    help="Write a fio job of the protocol, with the predictions as comments.",
)  # fmt: skip
@click.option(
    "--device", default="${DEVICE}", show_default=True,
    help="Device or file that the job tests; ALL ITS DATA IS LOST.",
)  # fmt: skip
@click.option(
    "--measured", multiple=True, metavar="FILE",
    help="fio JSON or log of a run of this protocol, to compare; repeatable.",
)  # fmt: skip
@click.option(
    "--csv", "csv_path", type=click.Path(dir_okay=False, path_type=Path),
    help="Write the course of every phase, over time and over bytes, as CSV.",
)  # fmt: skip
@click.option("--list", "is_list", is_flag=True, help="List the published protocols.")
@ALL
@AS_JSON
def command(words: tuple[str, ...], drives: tuple[str, ...], phases: tuple[str, ...],
            **texts: Any) -> None:  # fmt: skip
    """Predict what drives show in a published test, or in phases of your own."""
    from planner.export import protocol_table as table  # noqa: PLC0415 - help reads none
    from planner.export.tables import to_csv  # noqa: PLC0415 - likewise

    if texts["is_list"] and texts["as_json"]:
        print_json(table.stated_record())
        return
    if texts["is_list"]:
        print_table([{"Protocol": name, "Test": title} for name, title in table.protocol_list()])
        return
    if not phases and not words:
        raise click.UsageError("name a protocol, which --list lists, or give its --phase")
    named = words if phases else words[1:]
    answers = _answers(_protocol(words, phases), (*named, *drives), texts)
    if texts["fio"] is not None:
        _save_job(texts["fio"], answers, texts["device"])
        return
    runs = _runs(answers, texts["measured"])
    if texts["csv_path"] is not None:
        save({"--csv": {texts["csv_path"]: to_csv(table.course_rows(answers))}})
    if texts["as_json"]:
        print_json(table.protocols_record(answers, runs))
        return
    _print(answers, runs, is_all=texts["is_all"])


def _protocol(words: tuple[str, ...], phases: tuple[str, ...]) -> "Protocol":
    from planner.simulation.protocol.presets import own_protocol, protocol_named  # noqa: PLC0415 - help reads none

    try:
        return own_protocol(phases) if phases else protocol_named(words[0])
    except DomainError as error:
        raise click.UsageError(f"--{error}" if phases else str(error)) from None


def _answers(
    protocol: "Protocol", names: tuple[str, ...], texts: dict[str, Any]
) -> "list[ProtocolAnswer]":
    from planner.simulation.protocol.answer import protocol_answer  # noqa: PLC0415 - likewise

    size = texts["test_size"]
    tested = None if size is None else parse_bytes("--test-size", size)
    planned = plans(names, texts)
    return [protocol_answer(plan, protocol, test_bytes=tested) for plan in planned]


def _print(
    answers: "list[ProtocolAnswer]", runs: "list[MeasuredProtocol]", *, is_all: bool
) -> None:
    from planner.export import protocol_table as table  # noqa: PLC0415 - help reads none

    echo(answers[0].protocol.title, bold=True)
    for answer in answers:
        _print_drive(answer, is_all=is_all)
    for run in runs:
        echo("Measured", bold=True)
        print_table(table.measured_rows(answers[0], run))
        if run.others:
            print_wrapped(f"Jobs that are no phase: {', '.join(run.others)}")
    if len(answers) > 1:
        judged = answers[0].protocol.judged_text
        print_wrapped(f"Order in {judged}: {table.order_sentence(answers)}")
    for line in table.notes(answers):
        print_wrapped(line)
    if not runs:
        print_wrapped(
            "More: --all, --measured FILE (a result of fio beside it), --fio FILE (its job)"
        )


def _print_drive(answer: "ProtocolAnswer", *, is_all: bool) -> None:
    from planner.export import protocol_table as table  # noqa: PLC0415 - help reads none

    echo(answer.drive.name, bold=True)
    if is_all:
        print_table(table.phase_numbers(answer))
        return
    print_table(table.phase_rows(answer))
    if scattered := table.scatter_rows(answer):
        print_table(scattered)


def _save_job(path: Path, answers: "list[ProtocolAnswer]", device: str) -> None:
    from planner.export.protocol_job import protocol_job  # noqa: PLC0415 - help reads none

    if len(answers) > 1:
        raise click.UsageError("--fio writes the job of one drive")
    try:
        text = protocol_job(answers[0], device=device)
    except DomainError as error:
        raise click.UsageError(str(error).replace("device", "--device", 1)) from None
    save({"--fio": {path: f"{text}\n".encode()}})
    echo(f"{path}")


def _runs(answers: "list[ProtocolAnswer]", files: tuple[str, ...]) -> "list[MeasuredProtocol]":
    """Return the measured run; of several drives nothing says which one was measured."""
    from planner.cli.fit import fio_test  # noqa: PLC0415 - reads no file without the option
    from planner.simulation.protocol.measured import measured_protocol  # noqa: PLC0415 - likewise

    if not files:
        return []
    if len(answers) > 1:
        raise click.UsageError("--measured compares a run with one drive")
    try:
        return [measured_protocol(answers[0], [fio_test(name) for name in files])]
    except DomainError as error:
        raise click.UsageError(f"--{error}") from None

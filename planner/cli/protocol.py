"""`protocol`: what drives will show in a published test, or in phases of one's own."""

from typing import TYPE_CHECKING, Any

import click

from models.errors import DomainError
from planner.cli.help_groups import GroupedCommand
from planner.cli.options import options, plans
from planner.cli.parameters import ALL, AS_JSON, examples
from planner.cli.printing import print_json, print_table, print_wrapped
from planner.cli.terminal import echo
from planner.quantity.inputs import DRIVE

if TYPE_CHECKING:
    from planner.simulation.protocol.answer import ProtocolAnswer

_OF_USE = {"measured_iops", "price", "age", "as_of", "used", "written"}
_OF_DRIVE = tuple(name for name in DRIVE if name not in _OF_USE)


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
@options("capacity", *_OF_DRIVE, "spare", "collection", "placement", "known_only")
@click.option("--list", "is_list", is_flag=True, help="List the published protocols.")
@ALL
@AS_JSON
def command(
    words: tuple[str, ...], drives: tuple[str, ...], phases: tuple[str, ...], is_list: bool,
    is_all: bool, as_json: bool, **texts: Any,
) -> None:  # fmt: skip
    """Predict what drives show in a published test, or in phases of your own."""
    from planner.export import protocol_table as table  # noqa: PLC0415 - help reads none
    from planner.simulation.protocol.answer import protocol_answer  # noqa: PLC0415 - likewise
    from planner.simulation.protocol.presets import own_protocol, protocol_named  # noqa: PLC0415 - likewise

    if is_list:
        print_table([{"Protocol": name, "Test": title} for name, title in table.protocol_list()])
        return
    named = words if phases else words[1:]
    if not phases and not words:
        raise click.UsageError("name a protocol, which --list lists, or give its --phase")
    try:
        protocol = own_protocol(phases) if phases else protocol_named(words[0])
    except DomainError as error:
        raise click.UsageError(str(error)) from None
    answers = [protocol_answer(plan, protocol) for plan in plans((*named, *drives), texts)]
    if as_json:
        ranked = table.ranking_record(answers)
        print_json({"drives": list(map(table.protocol_record, answers)), "ranking": ranked})
        return
    echo(protocol.title, bold=True)
    for answer in answers:
        _print_drive(answer, is_all=is_all)
    if len(answers) > 1:
        print_wrapped(f"Order in {protocol.judged_by}: {table.order_sentence(answers)}")
    for line in table.notes(answers):
        print_wrapped(line)


def _print_drive(answer: "ProtocolAnswer", *, is_all: bool) -> None:
    from planner.export.protocol_table import phase_numbers, phase_rows  # noqa: PLC0415 - likewise

    echo(answer.drive.name, bold=True)
    print_table(phase_numbers(answer) if is_all else phase_rows(answer))

"""The course of a write test, and reads beside the workload, on a terminal."""

import click

from models.nomenclature import QUANTITIES
from planner.assumptions import supply
from planner.catalogue import load
from planner.cli.printing import print_list, print_maths
from planner.export.tables import cited
from planner.figures import Answer, Missing
from planner.quantities import text
from planner.speed import SHORT_TEST_S, Speed

__all__ = ["print_speed"]


def print_speed(answer: Speed, *, with_maths: bool) -> None:
    """Print the course of the test, then reads, then what is missing, assumed and cited."""
    click.echo(click.style(answer.drive.name, bold=True))
    depth = f"{answer.queue_depth:g}"
    click.echo(f"Random 4 KiB writes at queue depth {depth}, after a sequential fill")
    for item in (*answer.answers, *answer.cache):
        value = "missing" if isinstance(item, Missing) else text(item.key, item.value)
        click.echo(f"  {QUANTITIES[item.key].label:<48}{value:>16}{_limit(answer, item)}")
    if answer.is_too_short(SHORT_TEST_S):
        click.echo(f"A test of {SHORT_TEST_S:.0f} s ends before the steady state.")
    if answer.read_latency_s:
        click.echo("\nRead latency at the workload's own rates")
    for percent, seconds in answer.read_latency_s.items():
        value = "saturated" if seconds == float("inf") else text("read_s", seconds)
        click.echo(f"  {f'p{percent:.7g}':<48}{value:>16}")
    if with_maths:
        print_maths(answer.nodes)
    catalogue = load()
    print_list("Missing facts would come from", [supply(name) for name in answer.lacking])
    print_list("Notes", answer.notes)
    print_list(
        "Sources", [f"{key}: {catalogue.sources[key].title}" for key in cited(answer, catalogue)]
    )


def _limit(answer: Speed, item: Answer) -> str:
    """Name what holds a rate down."""
    names = (name for name in answer.binding if getattr(answer, name) is item)
    return next((f", by {answer.binding[name]}" for name in names), "")

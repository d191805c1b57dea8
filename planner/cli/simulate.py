"""`simulate`: a run of the reference simulator of write amplification."""

from typing import Any

import click

from models.simulator import Config, Result, run
from planner.cli.options import options
from planner.cli.parameters import AS_JSON, examples
from planner.cli.printing import print_json, progress
from planner.cli.terminal import echo
from planner.simulation.page_run import KEYS, ROWS, config_of


@click.command(
    "simulate",
    epilog=examples(
        "ssd-planner simulate --op 0.28 --pages 128 --workload zipf:0.99",
        "ssd-planner simulate --collection fifo --workload hotcold:0.2:0.8 --json",
    ),
)
@options(*ROWS)
@AS_JSON
def command(as_json: bool, **texts: Any) -> None:
    """Simulate write amplification page by page, without formulas."""
    config = config_of(texts)
    with progress(length=1000, label="Simulating") as bar:

        def advance(done: float) -> None:
            bar.update(round(1000 * done) - bar.pos)

        try:
            result = run(config, advance)
        except KeyboardInterrupt:
            raise click.Abort from None
    if as_json:
        print_json({key: getattr(result, key) for key in KEYS})
        return
    _print_result(config, result)


def _print_result(config: Config, result: Result) -> None:
    echo(f"Write amplification {result.wa:.4f} ({result.wa_low:.4f} to {result.wa_high:.4f})")
    echo(f"{config.pages} logical pages in {config.blocks} blocks; reserve {config.reserve}")
    echo(f"{result.host_writes} host writes, {result.copies} copies, {result.erases} erases")
    rate = (result.host_writes + result.copies) / result.seconds
    echo(f"{rate / 1e6:.1f} million page programs per second")
    for warning in result.warnings:
        echo(f"warning: {warning}", err=True)

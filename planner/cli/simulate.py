"""`simulate`: a run of the reference simulator of write amplification."""

from typing import Any, get_args

import click

from models.errors import DomainError
from models.simulator import Classes, Config, Result, Uniform, Zipf, run
from models.simulator.config import Policy
from planner.cli.options import options
from planner.cli.parameters import AS_JSON, examples
from planner.cli.printing import print_json, progress
from planner.cli.terminal import echo
from planner.quantity.input import (
    ANY,
    WHOLE,
    WHOLE_FROM_0,
    Former,
    Input,
    choice,
    number,
    share,
    whole,
    words,
)
from planner.quantity.inputs import INPUTS, stated
from planner.quantity.parse import parse_fraction, parse_number

__all__ = ["command"]

KEYS = ("wa", "wa_low", "wa_high", "host_writes", "copies", "erases", "warnings")
ROWS = (
    INPUTS["collection"]._replace(choices=get_args(Policy)),
    Input("op", "op_ratio", share, "0.28", ANY,
          "Over-provisioning: spare pages over user pages, without the reserve: 0.28 or 28%."),
    Input("pages", "pages_per_block", whole, "256", WHOLE, "Pages per block.",
          formerly=(Former("pages_per_block"),)),
    Input("blocks", "blocks", whole, "4096", WHOLE, "Number of blocks, with the reserve."),
    Input("reserve", "reserve", whole, "1", WHOLE, "Number of blocks kept erased."),
    Input("choices", "choices", whole, "10", WHOLE, "Candidate blocks of d-choices."),
    Input("window", "window", whole, "64", WHOLE, "Candidate blocks of windowed-greedy."),
    INPUTS["trim"],
    Input("frontiers", "frontiers", choice, "one", ANY,
          "One log, or separate blocks for host writes and copies.", choices=("one", "host-gc")),
    Input("first_fill", "fill", choice, "random", ANY, "Order of the first fill.",
          choices=("random", "sequential"), formerly=(Former("fill"),)),
    Input("warmup", "warmup_overwrites", number, "10", ANY,
          "Writes before the measurement, in overwrites of the user capacity."),
    Input("measure", "measured_overwrites", number, "6", ANY,
          "Writes of the measurement, in overwrites of the user capacity."),
    Input("seed", "seed", whole, "1", WHOLE_FROM_0, "Seed of the random numbers."),
)  # fmt: skip
WORKLOAD = Input("workload", "workload", words, "uniform", ANY,
                 "Workload: uniform, zipf:EXPONENT or hotcold:PAGES:WRITES (hotcold:0.2:0.8).",
                 )  # fmt: skip


@click.command(
    "simulate",
    epilog=examples(
        "ssd-planner simulate --op 0.28 --pages 128 --workload zipf:0.99",
        "ssd-planner simulate --collection fifo --workload hotcold:0.2:0.8 --json",
    ),
)
@options(*ROWS, WORKLOAD)
@AS_JSON
def command(as_json: bool, **texts: Any) -> None:
    """Simulate write amplification page by page, without formulas."""
    config = Config(workload=workload(texts["workload"]), **stated(texts, ROWS))
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


def workload(written: str) -> Uniform | Zipf | Classes:
    """Parse a workload of the simulator.

    >>> workload("hotcold:0.2:0.8")
    Classes(write_shares=(0.8, 0.2), page_shares=(0.2, 0.8))
    """
    kind, *numbers = written.split(":")
    if kind == "uniform" and not numbers:
        return Uniform()
    if kind == "zipf" and len(numbers) == 1:
        return Zipf(parse_number("--workload zipf", numbers[0]))
    if kind == "hotcold" and len(numbers) == 2:
        pages, writes = (parse_fraction("--workload hotcold", number) for number in numbers)
        rest = round(1 - writes, 12), round(1 - pages, 12)
        return Classes(write_shares=(writes, rest[0]), page_shares=(pages, rest[1]))
    raise DomainError(
        f"--workload must be uniform, zipf:EXPONENT or hotcold:PAGES:WRITES, got {written!r}"
    )


def _print_result(config: Config, result: Result) -> None:
    echo(f"Write amplification {result.wa:.4f} ({result.wa_low:.4f} to {result.wa_high:.4f})")
    echo(f"{config.pages} logical pages in {config.blocks} blocks; reserve {config.reserve}")
    echo(f"{result.host_writes} host writes, {result.copies} copies, {result.erases} erases")
    rate = (result.host_writes + result.copies) / result.seconds
    echo(f"{rate / 1e6:.1f} million page programs per second")
    for warning in result.warnings:
        echo(f"warning: {warning}", err=True)

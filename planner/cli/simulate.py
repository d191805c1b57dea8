"""`simulate`: runs of the reference simulator on a terminal."""

from collections.abc import Callable
from typing import Any, get_args

import click

from models.errors import DomainError
from models.simulator import Classes, Config, Result, Uniform, Zipf, run
from models.simulator.config import Policy
from planner.cli.parameters import AS_JSON, examples
from planner.cli.printing import print_json, progress
from planner.quantity.parse import parse_fraction, parse_number

__all__ = ["command"]

KEYS = ("wa", "wa_low", "wa_high", "host_writes", "copies", "erases", "warnings")
OPTIONS = [
    click.option("--policy", type=click.Choice(get_args(Policy)), default="greedy",
                 show_default=True, help="Which block is cleaned."),
    click.option("--op", default="0.28", show_default=True,
                 help="Spare over user pages, reserve not counted: 0.28 or 28%."),
    click.option("--pages-per-block", default="256", show_default=True,
                 help="In one unit of garbage collection."),
    click.option("--blocks", default="4096", show_default=True, help="Reserve included."),
    click.option("--reserve", default="1", show_default=True, help="Blocks kept erased."),
    click.option("--choices", default="10", show_default=True, help="Blocks drawn by d-choices."),
    click.option("--window", default="64", show_default=True, help="Of windowed-greedy."),
    click.option("--workload", default="uniform", show_default=True,
                 help="uniform, zipf:EXPONENT or hotcold:PAGES:WRITES (hotcold:0.2:0.8)."),
    click.option("--trim", default="0%", show_default=True, help="Share of requests that trim."),
    click.option("--frontiers", type=click.Choice(["one", "host-gc"]), default="one",
                 show_default=True, help="One log, or host writes and copies apart."),
    click.option("--fill", type=click.Choice(["random", "sequential"]), default="random",
                 show_default=True, help="Order of the first fill."),
    click.option("--warmup", default="10", show_default=True, help="In drive overwrites."),
    click.option("--measure", default="6", show_default=True, help="In drive overwrites."),
    click.option("--seed", default="1", show_default=True, help="Of the random streams."),
]  # fmt: skip


def _simulation_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that describe a simulated drive and its workload."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@click.command(
    "simulate",
    epilog=examples(
        "ssd-planner simulate --op 0.28 --pages-per-block 128 --workload zipf:0.99",
        "ssd-planner simulate --policy fifo --workload hotcold:0.2:0.8 --json",
    ),
)
@_simulation_options
@AS_JSON
def command(as_json: bool, **options: Any) -> None:
    """Count write amplification page by page, without any formula."""
    config = _described(options)
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


def _described(options: dict[str, Any]) -> Config:
    """Return the configuration that the options describe."""
    return Config(
        policy=options["policy"],
        op_ratio=parse_fraction("--op", options["op"]),
        pages_per_block=_whole(options, "pages_per_block"),
        blocks=_whole(options, "blocks"),
        reserve=_whole(options, "reserve"),
        choices=_whole(options, "choices"),
        window=_whole(options, "window"),
        workload=workload(options["workload"]),
        trim_share=parse_fraction("--trim", options["trim"]),
        frontiers=options["frontiers"],
        fill=options["fill"],
        warmup_overwrites=parse_number("--warmup", options["warmup"]),
        measured_overwrites=parse_number("--measure", options["measure"]),
        seed=_whole(options, "seed"),
    )


def workload(written: str) -> Uniform | Zipf | Classes:
    """Read a workload of the simulator.

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
    click.echo(f"Write amplification {result.wa:.4f} ({result.wa_low:.4f} to {result.wa_high:.4f})")
    click.echo(f"{config.pages} logical pages in {config.blocks} blocks; reserve {config.reserve}")
    click.echo(f"{result.host_writes} host writes, {result.copies} copies, {result.erases} erases")
    rate = (result.host_writes + result.copies) / result.seconds
    click.echo(f"{rate / 1e6:.1f} million page programs per second")
    for warning in result.warnings:
        click.echo(f"warning: {warning}", err=True)


def _whole(options: dict[str, Any], name: str) -> int:
    option = f"--{name.replace('_', '-')}"
    number = parse_number(option, options[name])
    if number % 1:
        raise DomainError(f"{option} must be a whole number, got {options[name]}")
    return int(number)

"""Inputs of a run of the page simulator, as people write them."""

from collections.abc import Mapping
from typing import Any, get_args

from models.errors import DomainError
from models.simulator import Classes, Config, Uniform, Zipf, run
from models.simulator.config import Policy
from planner.quantity.bounds import ANY, WHOLE, WHOLE_FROM_0
from planner.quantity.input import Former, Input, choice, number, share, whole, words
from planner.quantity.inputs import INPUTS, stated
from planner.quantity.parse import parse_fraction, parse_number

KEYS = ("wa", "wa_low", "wa_high", "host_writes", "copies", "erases", "warnings")
WORKLOAD = Input("workload", "workload", words, "uniform", ANY,
                 "Workload: uniform, zipf:EXPONENT or hotcold:PAGES:WRITES (hotcold:0.2:0.8).",
                 )  # fmt: skip
ROWS = (
    INPUTS["collection"]._replace(default="greedy", choices=get_args(Policy)),
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
          "A single write frontier, or separate frontiers for host and GC writes.",
          choices=("one", "host-gc")),
    Input("first_fill", "fill", choice, "random", ANY, "Order of the first fill.",
          choices=("random", "sequential"), formerly=(Former("fill"),)),
    Input("warmup", "warmup_overwrites", number, "10", ANY,
          "Writes before the measurement, in overwrites of the user capacity."),
    Input("measure", "measured_overwrites", number, "6", ANY,
          "Writes of the measurement, in overwrites of the user capacity."),
    Input("seed", "seed", whole, "1", WHOLE_FROM_0, "Seed of the random numbers."),
    WORKLOAD,
)  # fmt: skip


def config_of(texts: Mapping[str, Any]) -> Config:
    """Return the drive that texts by the names of `ROWS` describe.

    >>> config_of({"op": "7%", "workload": "zipf:0.99"}).workload
    Zipf(exponent=0.99)
    """
    values = stated(texts, ROWS)
    return Config(**values | {"workload": _workload(values["workload"])})


def answers_of(texts: Mapping[str, Any]) -> dict[str, Any]:
    """Run the drive that texts describe; return its answers by `KEYS`."""
    result = run(config_of(texts))
    return {key: getattr(result, key) for key in KEYS}


def _workload(written: str) -> Uniform | Zipf | Classes:
    """Parse a workload of the simulator.

    >>> _workload("hotcold:0.2:0.8")
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

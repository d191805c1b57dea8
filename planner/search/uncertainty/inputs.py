"""Which inputs of a plan may be uncertain, between what bounds, and how they enter it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.catalogue.drive import with_user_facts
from planner.search.uncertainty.distributions import Distribution, low_mid_high
from planner.sections.plan import Plan, plan

__all__ = ["bounds", "is_fact", "place_all", "placed", "with_values"]

_ONE_NUMBER = {
    "write_shares", "page_shares", "rate_steps", "working_set_fraction", "pages_per_block",
}  # fmt: skip
_OF_WORKLOAD = {
    "host_bytes_per_s", "growth_per_year", "phase_in_s", "read_fraction", "transfer_bytes",
    "sequential_fraction", "queue_depth", "fill_fraction", "trim_share", "measured_wa",
}  # fmt: skip
_OF_PLAN = {"partition_fraction", "rating_wa"}
_OF_SCENARIO = _OF_WORKLOAD | _OF_PLAN


class Bounds(NamedTuple):
    """Between what an input lies, whether it may be at the ends, and in words."""

    least: float
    most: float
    holds_least: bool
    told: str


_ANY = Bounds(0.0, np.inf, False, "> 0")
_SHARE = Bounds(0.0, 1.0, False, "in (0, 1]")
_FRACTION = Bounds(0.0, 1.0, True, "in [0, 1]")
_BOUNDS = {
    "read_fraction": _FRACTION,
    "sequential_fraction": _FRACTION,
    "fill_fraction": _SHARE,
    "partition_fraction": _SHARE,
    "trim_share": Bounds(0.0, 0.5, True, "in [0, 0.5)"),
    "phase_in_s": Bounds(0.0, np.inf, True, ">= 0"),
    "growth_per_year": Bounds(-1.0, np.inf, False, "> -1"),
}


def is_fact(name: str) -> bool:
    """Say whether an input is a fact of the drive, and not of the workload or the plan."""
    return name not in _OF_SCENARIO


def bounds(name: str) -> Bounds:
    """Return between what an input lies; `DomainError` where it cannot be uncertain.

    >>> bounds("read_fraction").told
    'in [0, 1]'
    """
    if name in _ONE_NUMBER:
        raise DomainError(f"{name} must be one number, it cannot be uncertain")
    if name not in _OF_SCENARIO and name not in QUANTITIES:
        raise DomainError(
            f"{name} must be an input of a plan: one of {', '.join(sorted(_OF_SCENARIO))}, "
            "or a fact of a drive such as pe_cycles, raw_bytes or price_usd"
        )
    return _BOUNDS.get(name, _ANY)


def placed(name: str, distribution: Distribution) -> Distribution:
    """Return the distribution within what the input `name` may be.

    Tails without end are cut where the input ends; bounds and points beyond are refused.

    >>> from planner.search.uncertainty.distributions import normal, uniform
    >>> placed("read_fraction", normal(0.9, sd=0.2)).at(0.999) < 1
    True
    >>> placed("read_fraction", uniform(0.5, 1.5))
    Traceback (most recent call last):
    models.errors.DomainError: read_fraction must be in [0, 1], got 1.5
    """
    least, most, holds_least, told = bounds(name)
    if distribution.chance is not None:
        try:
            return distribution.between(least, most)
        except DomainError:
            raise DomainError(f"{name} must be {told}, got {distribution}") from None
    for number in distribution.parameters:
        above = number > least or (holds_least and number == least)
        if not above or number > most or (number == most == 0.5):
            raise DomainError(f"{name} must be {told}, got {number:g}")
    if distribution.name == "low..mid..high":
        low, mid, high = distribution.parameters
        return low_mid_high(low, mid, high, least=least, most=most)
    return distribution


def place_all(inputs: Mapping[str, Distribution]) -> dict[str, Distribution]:
    """Place every input, in the order of their names."""
    return {name: placed(name, inputs[name]) for name in sorted(inputs)}


def with_values(answer: Plan, values: Mapping[str, Any]) -> Plan:
    """Ask the plan again with arrays for some of its inputs."""
    own, told, rest = (
        {name: value for name, value in values.items() if wanted(name)}
        for wanted in (is_fact, _OF_WORKLOAD.__contains__, _OF_PLAN.__contains__)
    )
    usual: dict[str, Any] = {
        "partition_fraction": answer.partition_fraction,
        "rating_wa": answer.rating_wa,
    }
    return plan(
        with_user_facts(answer.drive, **own),
        replace(answer.workload, **told),
        array=answer.array,
        firmware=answer.firmware,
        **usual | rest,
    )

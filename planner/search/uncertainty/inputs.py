"""The inputs of a plan that may be uncertain, their bounds, and their way into the plan."""

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, replace
from typing import Any

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.catalogue.drive import ASSUMPTION, Drive, with_user_facts
from planner.catalogue.priors import Assumption
from planner.graph.reading import Reading
from planner.quantity.bounds import ABOVE_0, FROM_0, SHARE, Bounds
from planner.quantity.drive_facts import FACT_BOUNDS
from planner.quantity.input import number, part, share, step
from planner.quantity.inputs import DRIVE, INPUTS, LOAD
from planner.quantity.parse import shortened
from planner.scenario.workload import Workload
from planner.search.uncertainty.distributions import (
    Distribution,
    assumed,
    in_powers_of_two,
    low_mid_high,
)
from planner.sections.plan import PlanReading, plan_graph
from planner.sections.ranges import UncertainReading
from planner.sections.structure import leaves_of, structure_of

_ROWS = {row.field: row for row in INPUTS.values() if row.may_vary}
_COPIED = "field_copy_ratio"
_OF_WORKLOAD = {field.name for field in fields(Workload)} & {*_ROWS, _COPIED}
_POWERS_OF_TWO = {"unit_bytes"}
_OF_PLAN = {"partition_fraction", "rating_wa"}
_OF_SCENARIO = _OF_WORKLOAD | _OF_PLAN
_ONE_NUMBER = {"write_shares", "page_shares"} | {
    row.field
    for row in (INPUTS[name] for name in (*LOAD, *DRIVE))
    if row.field not in _ROWS and row.read in (number, part, share, step)
}


def is_fact(name: str) -> bool:
    """Test if an input is a fact of the drive, and not of the workload or the plan."""
    return name not in _OF_SCENARIO


def bounds(name: str) -> Bounds:
    """Return between what an input lies; `DomainError` where it cannot be uncertain.

    >>> bounds("read_fraction").words()
    'from 0 to 1'
    """
    if name in _ONE_NUMBER:
        raise DomainError(f"{name} must be one number, it cannot be uncertain")
    if name not in _OF_SCENARIO and name not in QUANTITIES:
        raise DomainError(
            f"{shortened(name)} must be a drive's fact or one of {', '.join(sorted(_OF_SCENARIO))}"
        )
    if name == "partition_fraction":
        return SHARE
    if name == _COPIED:
        return FROM_0
    return _ROWS[name].bounds if name in _ROWS else FACT_BOUNDS.get(name, ABOVE_0)


def placed(name: str, distribution: Distribution) -> Distribution:
    """Return the distribution within what the input `name` may be.

    Tails without end are cut where the input ends; bounds and points beyond are refused.

    >>> from planner.search.uncertainty.distributions import normal, uniform
    >>> placed("read_fraction", normal(0.9, sd=0.2)).at(0.999) < 1
    True
    >>> placed("read_fraction", uniform(0.5, 1.5))
    Traceback (most recent call last):
    models.errors.DomainError: read_fraction must be from 0 to 1, got 1.5
    """
    within = bounds(name)
    if distribution.chance is not None:
        try:
            return distribution.between(within.least, within.most)
        except DomainError:
            raise DomainError(f"{name} must be {within.words()}, got {distribution}") from None
    for value in distribution.parameters:
        if not within.holds(value):
            raise DomainError(f"{name} must be {within.words()}, got {value:g}")
    if distribution.name == "low..mid..high":
        low, mid, high = distribution.parameters
        is_share = within.most <= 1  # of other quantities nothing but 0 ends the scale
        least, most = min(within.least, 0.0), within.most if is_share else math.inf
        return low_mid_high(low, mid, high, least=least, most=most)
    return distribution


def place_all(inputs: Mapping[str, Distribution]) -> dict[str, Distribution]:
    """Place every input, in the order of their names."""
    return {name: placed(name, inputs[name]) for name in sorted(inputs)}


def with_stated(plan: PlanReading, inputs: Mapping[str, Distribution]) -> PlanReading:
    """Return the plan with the stated facts at their medians: they are no longer assumed."""
    facts = {name: known.at(0.5) for name, known in inputs.items() if is_fact(name)}
    left = {name: fact for name, fact in plan.drive.facts.items() if name not in facts}
    return with_values(replace(plan, drive=replace(plan.drive, facts=left)), facts)


def assumed_inputs(plan: PlanReading) -> dict[str, Distribution]:
    """Return the uncertain inputs behind the answers of a plan as distributions."""
    every = [part for group in plan.sections.values() for part in group]
    behind = plan.uncertain.behind(*every)
    facts = {item.quantity for item in behind if item.is_range and not item.is_model}
    items = (_beside(plan, item, facts) if item.is_model else item for item in behind)
    return {
        item.quantity: _assumed(item.quantity, item.low, item.typical, item.high)
        for item in items
        if item.is_range and item.quantity not in _ONE_NUMBER
    }


def _beside(plan: PlanReading, error: Assumption, facts: AbstractSet[str]) -> Assumption:
    """Return the error of a model without what the facts inside it make, which are drawn too."""
    if not error.inside & facts or "wear_life_s" not in plan.ranges:
        return error
    apart = [replace(item, inside=frozenset()) for item in plan.uncertain.every]
    answer, node = plan["wear_life_s"], plan.reading.graph.answers["wear_life_s"]
    swings = UncertainReading(plan.reading, apart).range(answer.key, answer.value, [node]).facts
    made = sum(swing**2 for name, swing in swings.items() if name in error.inside)
    middle, half = _middle_and_half(error)
    left = math.sqrt(max(0.0, half**2 - made))
    return replace(error, low=math.exp(middle - left), high=math.exp(middle + left))


def _middle_and_half(error: Assumption) -> tuple[float, float]:
    low, high = math.log(error.low), math.log(error.high)
    return (low + high) / 2, (high - low) / 2


def _assumed(quantity: str, low: float, typical: float, high: float) -> Distribution:
    known = assumed(low, typical, high)
    return in_powers_of_two(known) if quantity in _POWERS_OF_TWO else known


def with_values(plan: PlanReading, values: Mapping[str, Any]) -> PlanReading:
    """Return the plan with arrays for some of its inputs; nothing is computed until it is read.

    A fact that is assumed stays so: no rating is converted by it.
    """
    facts, fields, rest = (
        {name: value for name, value in values.items() if wanted(name)}
        for wanted in (is_fact, _OF_WORKLOAD.__contains__, _OF_PLAN.__contains__)
    )
    drive = _valued(plan.drive, facts)
    workload = replace(plan.workload, **fields)
    of_plan = {name: getattr(plan, name) for name in sorted(_OF_PLAN)} | rest
    graph = plan_graph(structure_of(workload, plan.firmware, drive))
    reading = Reading(graph, leaves_of(drive, workload, array=plan.array, **of_plan))
    return replace(plan, drive=drive, workload=workload, reading=reading, **of_plan)


def _valued(drive: Drive, values: Mapping[str, Any]) -> Drive:
    """Return the drive with other values of facts; what was assumed is assumed still."""
    valued = with_user_facts(drive, **values)
    kept = {
        name: replace(valued.facts[name], kind="assumption", source_id=ASSUMPTION.source_id)
        for name in values
        if name in drive.facts and drive.facts[name].kind == "assumption"
    }
    return replace(valued, facts={**valued.facts, **kept})

"""Assumptions as inputs that can be stated: the plan with one of them known, and its ranges."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.nomenclature import QUANTITIES
from planner.catalogue.priors import Assumption
from planner.quantity.bounds import FROM_0, Bounds
from planner.quantity.drive_facts import FACT_BOUNDS, SECTOR
from planner.quantity.show import shown, writes_text
from planner.quantity.units import FACTORS
from planner.sections.plan import PlanReading

STEPS = 21  # of a slider over a range
_DIGITS = 4  # of the values that it offers
_IN_SECTORS = ("unit_bytes", "alignment_bytes")


class Statement(NamedTuple):
    """An input by which an assumption can be stated: a quantity between two ends, in base units."""

    input: str
    quantity: str
    low: float
    typical: float
    high: float

    @property
    def values(self) -> list[float]:
        """Values between the ends, equal ratios apart, with the typical one among them."""
        whole = _rounded(self.quantity, [self.low, self.typical, self.high])
        if self.low > 0:
            between = np.geomspace(self.low, self.high, STEPS).tolist()
        else:
            between = np.linspace(self.low, self.high, STEPS).tolist()
        inside = _bounds(self.quantity)
        found = {*whole, *_rounded(self.quantity, between)}
        return sorted(value for value in found if inside.holds(value))

    @property
    def middle(self) -> float:
        """The value that is offered next to the typical one."""
        return min(self.values, key=lambda value: abs(value - self.typical))

    def texts(self, value: float, facts: str = "") -> dict[str, str]:
        """Write the inputs that state a value; `facts` are those that are stated already.

        >>> Statement("fact", "pe_cycles", 1000.0, 1500.0, 3000.0).texts(2000.0, "dies=32")
        {'fact': 'dies=32;pe_cycles=2000'}
        """
        number = f"{shown(self.quantity, value):.10g}"
        if self.input == "fact":
            return {"fact": ";".join(part for part in (facts, f"{self.quantity}={number}") if part)}
        if self.input == "writes":
            return {"writes": writes_text(value, digits=6), "writes_between": ""}
        return {self.input: number}


def statement_of(plan: PlanReading, item: Assumption) -> Statement | None:
    """Return the input by which an assumption of a plan can be stated; None where there is none.

    A write pattern is known once a drive counted the write amplification that it makes.

    >>> from planner.sections.request import plan_of
    >>> plan = plan_of("870 EVO 1TB", writes="30 GB/day")
    >>> statement_of(plan, plan.assumed[0]).input
    'fact'
    """
    name, ends = item.quantity, (item.low, item.typical, item.high)
    if item.is_model or not item.is_range or any(map(np.ndim, ends)):
        return None
    if name == "field_copy_ratio":
        (wa,) = plan.reading.swept("workload_wa", field_copy_ratio=np.array(ends))
        return Statement("wa", "workload_wa", *np.asarray(wa).tolist())
    if name == "host_bytes_per_s":
        is_of_all = not plan.situation.is_to_each and plan.array.nodes is None
        return Statement("writes", name, *ends) if is_of_all else None
    fact = plan.drive.facts.get(name)
    is_stated = fact is not None and fact.kind == "user"
    return Statement("fact", name, *ends) if name in FACT_BOUNDS and not is_stated else None


def _bounds(quantity: str) -> Bounds:
    return FACT_BOUNDS.get(quantity, FROM_0)


def _rounded(quantity: str, values: Sequence[float]) -> set[float]:
    """Round values to what a text holds: digits in the unit shown, or powers of two of a sector."""
    if quantity in _IN_SECTORS:
        return {SECTOR * 2.0 ** round(math.log2(value / SECTOR)) for value in values}
    unit = FACTORS[QUANTITIES[quantity].shown_in]
    digits = (float(f"{shown(quantity, value):.{_DIGITS}g}") for value in values)
    is_whole = _bounds(quantity).whole
    return {round(digit) if is_whole else digit * unit for digit in digits}

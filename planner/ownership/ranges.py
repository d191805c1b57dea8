"""What owning comes to as ranges, over all that is assumed of the drive."""

from collections.abc import Mapping

import numpy as np

from planner.graph.answer import Answer
from planner.ownership.cost import Ownership, ownership
from planner.sections.plan import Plan, Range, at_level


def owned_ranges(
    answer: Plan, owned: Ownership, *, typical: Plan | None = None
) -> Mapping[str, Range]:
    """Return the single answers of owning between the ends at which a drive is better and worse.

    `typical` is the plan at typical figures, where that is at hand.

    >>> from planner.ownership import Terms, ownership
    >>> from planner.sections.request import plan_of
    >>> answer = plan_of("990 PRO 1TB", writes="50 GB/day", price=120)
    >>> energy = owned_ranges(answer, ownership(answer, Terms()))["energy_present_usd"]
    >>> 0 < energy.low < energy.typical < energy.high, energy.basis
    (True, 'prior')
    """
    middle = typical or at_level(answer, "typical")
    all_plans = (at_level(answer, "generous"), middle, at_level(answer, "cautious"))
    ends = [ownership(each, owned.terms, owned.risk) for each in all_plans]
    by_key = [{part.key: part for part in _parts(each)} for each in ends]
    ranges = {}
    for part in _parts(owned):
        parts = [each[part.key] for each in by_key]
        if all(_is_number(each) for each in parts):
            low, mid, high = (float(each.value) for each in parts)
            least, most = min(low, mid, high), max(low, mid, high)
            ranges[part.key] = Range(least, mid, most, answer.basis(part))
    return ranges


def _parts(owned: Ownership) -> tuple[Answer, ...]:
    return *owned.answers, *owned.energy.operations


def _is_number(part: Answer) -> bool:
    return part.is_known and not np.ndim(part.value)

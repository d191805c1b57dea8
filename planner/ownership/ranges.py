"""What owning comes to as ranges, over all that is assumed of the drive."""

from collections.abc import Mapping

import numpy as np

from planner.catalogue.priors import Level
from planner.graph.answer import Answer
from planner.ownership.cost import Ownership, ownership
from planner.sections.plan import Plan, Range, at_level

__all__ = ["owned_ranges"]

ENDS: tuple[Level, ...] = ("generous", "typical", "cautious")


def owned_ranges(answer: Plan, owned: Ownership) -> Mapping[str, Range]:
    """Return the single answers of owning between the ends at which a drive is better and worse.

    >>> from planner.ownership import Terms, ownership
    >>> from planner.sections.request import plan_of
    >>> answer = plan_of("990 PRO 1TB", writes="50 GB/day", price=120)
    >>> energy = owned_ranges(answer, ownership(answer, Terms()))["energy_present_usd"]
    >>> 0 < energy.low < energy.typical < energy.high, energy.basis
    (True, 'prior')
    """
    all_plans = [at_level(answer, level) for level in ENDS]
    ends = [ownership(each, owned.terms, owned.risk) for each in all_plans]
    by_key = [{part.key: part for part in each.answers} for each in ends]
    ranges = {}
    for part in owned.answers:
        parts = [each[part.key] for each in by_key]
        if all(_is_number(each) for each in parts):
            generous, typical, cautious = (float(each.value) for each in parts)
            basis = answer.basis(part)
            ranges[part.key] = Range(
                min(generous, typical, cautious), typical, max(generous, typical, cautious), basis
            )
    return ranges


def _is_number(part: Answer) -> bool:
    return part.is_known and not np.ndim(part.value)

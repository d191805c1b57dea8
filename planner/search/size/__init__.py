"""Inverse questions: what must be chosen so that a target is met?

Each question plans again and again under other choices, so that its answer is the plan's own, and
returns a `Sizing`: the answer, the limit that binds and the margins. What cannot be met is a value
too: the limit, what it would need and the most that there is.
"""

from planner.search.size.answer import Margin, Sizing
from planner.search.size.drives import drives_for
from planner.search.size.price import KEPT, OWNED, WRITTEN, break_even_price
from planner.search.size.rating import CLASSES_DWPD, endurance_class
from planner.search.size.raw import effective_raw
from planner.search.size.spare import spare_for_dwpd, spare_for_iops, spare_for_life
from planner.search.size.writes import most_writes

__all__ = [
    "CLASSES_DWPD",
    "KEPT",
    "OWNED",
    "WRITTEN",
    "Margin",
    "Sizing",
    "break_even_price",
    "drives_for",
    "effective_raw",
    "endurance_class",
    "most_writes",
    "spare_for_dwpd",
    "spare_for_iops",
    "spare_for_life",
]

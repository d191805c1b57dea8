"""Cost of ownership over the years (drives, energy, slots, labour) and carbon footprint."""

from planner.ownership.cost import Ownership, cost_of, ownership
from planner.ownership.purchase import FACTS, Purchase
from planner.ownership.ranges import owned_ranges
from planner.ownership.terms import Terms

__all__ = ["FACTS", "Ownership", "Purchase", "Terms", "cost_of", "owned_ranges", "ownership"]

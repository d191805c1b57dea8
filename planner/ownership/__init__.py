"""Cost of ownership: drives, energy, slots and labour over the years, and carbon."""

from planner.ownership.purchase import FACTS, Purchase
from planner.ownership.question import Ownership, cost_of, ownership
from planner.ownership.terms import Terms

__all__ = ["FACTS", "Ownership", "Purchase", "Terms", "cost_of", "ownership"]

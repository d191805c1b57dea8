"""Cost of ownership: drives, energy, slots and labour over the years, and carbon."""

from planner.ownership.question import Ownership, ownership
from planner.ownership.terms import Terms

__all__ = ["Ownership", "Terms", "ownership"]

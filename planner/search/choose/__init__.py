"""Which drive, how many, which layout and how much spare area hold everything for the least?

Needs that are quick to check are checked for every configuration of a grid, in arrays of numbers;
those that take longer, for the best of them in order, until there are enough plans. No
configuration is skipped on a guess.
"""

from planner.search.choose.answer import Candidate, Choice, Met, Rejected, Saving
from planner.search.choose.choice import choose
from planner.search.choose.fleet import MixedFleet, Pool, mixed_fleet
from planner.search.choose.front import Axis, Point
from planner.search.choose.mix_solver import SOLVER_S
from planner.search.choose.question import Grid, Need, Objective, Requirements

__all__ = [
    "SOLVER_S",
    "Axis",
    "Candidate",
    "Choice",
    "Grid",
    "Met",
    "MixedFleet",
    "Need",
    "Objective",
    "Point",
    "Pool",
    "Rejected",
    "Requirements",
    "Saving",
    "choose",
    "mixed_fleet",
]

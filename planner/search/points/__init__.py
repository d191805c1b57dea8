"""Points of a grid: lists and ranges of inputs, crossed; each point is a row of numbers."""

from concurrent.futures import Executor

from planner.search.points.grid import LARGEST, PointGrid, from_json
from planner.search.points.row import COMMANDS, GridPoint, row_of
from planner.search.points.shards import cores, in_processes, points_of, shards

__all__ = [
    "COMMANDS",
    "LARGEST",
    "Executor",
    "GridPoint",
    "PointGrid",
    "cores",
    "from_json",
    "in_processes",
    "points_of",
    "row_of",
    "shards",
]  # fmt: skip

"""Points of a grid: lists and ranges of inputs, crossed; each point is a row of numbers."""

from concurrent.futures import Executor

from planner.search.points.grid import PointGrid, from_json, read_grid
from planner.search.points.row import COMMANDS, GridPoint, row_of
from planner.search.points.shards import cores, in_processes, points_of, shards

__all__ = [
    "COMMANDS",
    "Executor",
    "GridPoint",
    "PointGrid",
    "cores",
    "from_json",
    "in_processes",
    "points_of",
    "read_grid",
    "row_of",
    "shards",
]  # fmt: skip

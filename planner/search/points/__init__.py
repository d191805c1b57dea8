"""Points of a grid: lists and ranges of inputs, crossed; each point is a row of numbers."""

from concurrent.futures import Executor

from planner.search.points.grid import Grid, from_json
from planner.search.points.row import COMMANDS, Point, row_of
from planner.search.points.shards import cores, in_processes, points_of, shards

__all__ = [
    "COMMANDS", "Executor", "Grid", "Point", "cores", "from_json", "in_processes", "points_of",
    "row_of", "shards",
]  # fmt: skip

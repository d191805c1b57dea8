"""Forecast of a whole fleet from files of mixed kinds: each drive, and the sums over them."""

from planner.forecast.fleet.answer import Fleet, fleet

__all__ = ["Fleet", "fleet"]

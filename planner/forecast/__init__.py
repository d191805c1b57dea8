"""Forecast of the end of rated life, from a drive's own telemetry.

From one reading an interval; from a series of readings the first passage of a random walk, with the
variance of blocks of time. Wear, flash writes and host writes against their ratings each give the
bytes that may still be written; a disagreement is reported, and wear is preferred.
"""

from planner.forecast.answer import COVERAGE, Draws, Forecast, Left, NoForecast
from planner.forecast.question import chances, forecast

__all__ = ["COVERAGE", "Draws", "Forecast", "Left", "NoForecast", "chances", "forecast"]

"""Forecast of the end of rated life, from a drive's own telemetry.

From one reading a rough date; from a series of readings draws of what the host may write, with two
intervals. Wear, flash writes and host writes against their ratings each give the bytes that may
still be written; a disagreement is reported, and wear is preferred.
"""

from planner.forecast.answer import COVERAGE, Draws, Forecast, Interval, Left, NoForecast
from planner.forecast.question import chances, forecast

__all__ = ["COVERAGE", "Draws", "Forecast", "Interval", "Left", "NoForecast", "chances", "forecast"]

"""Forecast of the end of rated life from a drive's own telemetry.

One reading gives a rough date. A series of readings gives two intervals, from a law of the host's
future writes. Wear, flash writes and host writes, each against its rating, give the bytes
that may still be written; a disagreement is reported, and wear is preferred.
"""

from planner.forecast.answer import COVERAGE, Forecast, Interval, NoForecast, RemainingWrites
from planner.forecast.files import readings
from planner.forecast.remaining_life import chances, forecast

__all__ = [
    "COVERAGE", "Forecast", "Interval", "NoForecast", "RemainingWrites", "chances", "forecast",
    "readings",
]  # fmt: skip

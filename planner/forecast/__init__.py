"""How long will this drive last, from what it says of itself?

From one reading an interval; from a series of them the first passage of a random walk, with the
variance of blocks of time. Wear, flash writes and host writes against their ratings each say
what may still be written; where they disagree that is said, and wear goes first.
"""

from planner.forecast.answer import COVERAGE, Draws, Forecast, Left, NoForecast
from planner.forecast.question import chances, forecast

__all__ = ["COVERAGE", "Draws", "Forecast", "Left", "NoForecast", "chances", "forecast"]

"""Remaining life of a drive from its own readings.

`remaining_life` draws futures of writes whose persistence, bursts and changes are not known;
`first_passage_s` and the functions beside it are the law for writes that vary independently over
long times, around a rate that stays.
"""

from models.wear_forecast.futures import SURE_WEEKS, Draws, remaining_life
from models.wear_forecast.many import POINTS, distances_bytes, remaining_lives
from models.wear_forecast.passage import (
    dispersion_bytes,
    first_passage_probability,
    first_passage_s,
    long_run_dispersion_bytes,
    mixed_first_passage_probability,
    mixed_first_passage_s,
    points_left_bytes,
)

__all__ = [
    "POINTS", "SURE_WEEKS", "Draws", "dispersion_bytes", "distances_bytes",
    "first_passage_probability", "first_passage_s", "long_run_dispersion_bytes",
    "mixed_first_passage_probability", "mixed_first_passage_s", "points_left_bytes",
    "remaining_life", "remaining_lives",
]  # fmt: skip

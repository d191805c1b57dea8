"""Readings of wear without host writes, in which time stands for them."""

from collections.abc import Sequence
from dataclasses import replace

from planner.forecast.answer import NoForecast
from planner.forecast.series import FEWEST_COUNTS
from planner.telemetry.record import DriveReading, Observed

_NOTHING = "no reading says how much the host has written, nor what of the rated life is used"
_NO_TIME = "the reading gives no power-on time; state since when the drive is in use"


def timed(worn: Sequence[DriveReading], in_service_s: float | None) -> list[DriveReading]:
    """Return readings whose host writes are the seconds of power-on time, else of the calendar."""
    if not worn:
        raise NoForecast(_NOTHING)
    ordered = sorted(worn, key=lambda one: one.read_at_s or 0.0)
    on = [one.power_on_s.value for one in ordered if one.power_on_s is not None]
    if len(on) == len(ordered) and on[-1] > (on[0] if len(on) > 1 else 0.0):
        return [replace(one, host_bytes=one.power_on_s) for one in ordered]
    start = ordered[0].read_at_s if len(ordered) > 1 else in_service_s
    if start is None or any(one.read_at_s is None for one in ordered):
        raise NoForecast(_NO_TIME)
    used = [one.used_fraction.value for one in ordered if one.used_fraction is not None]
    if len(ordered) > 1 and 100 * (used[-1] - used[0]) < FEWEST_COUNTS:
        raise NoForecast(
            f"less than {FEWEST_COUNTS} points of wear between the readings, and no power-on time"
        )
    return [replace(one, host_bytes=_since(one, start)) for one in ordered]


def _since(reading: DriveReading, start_s: float) -> Observed:
    seconds = max((reading.read_at_s or start_s) - start_s, 0.0)
    return Observed(value=seconds, field="date", low=seconds, high=seconds)

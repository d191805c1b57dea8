"""First screen of a fleet: drives to retire before every date, then the next year, then orders."""

import numpy as np
from numpy.typing import NDArray

from models.units import DAY_S, WEEK_S, YEAR_S
from planner.export.fleet_tables import drive_names
from planner.export.forecast_screen import of_rated, rate_text, span
from planner.export.telemetry_tables import LONGEST_S, moment
from planner.forecast.answer import SURE
from planner.forecast.fleet import Fleet
from planner.quantity.untrusted import one_line
from planner.search.verdict.words import percent

_NAMED = 2  # drives to retire, on the screen
_NAME = 30  # characters of a name


def fleet_heading(fleet: Fleet) -> str:
    """Describe the size of a fleet and its newest reading."""
    drives, models = len(fleet.histories.drives), len(fleet.by_model)
    dated = bool(fleet.histories.is_dated.any())
    newest = f"last reading {moment(fleet.now_s)}" if dated else "no reading has a date"
    return f"{_count(drives, 'drive')}, {_count(models, 'model')}, {newest}"


def fleet_lines(fleet: Fleet) -> dict[str, str]:
    """Return the lines of the first screen under their names, drives to retire first."""
    known, past = np.isfinite(fleet.dates.early_s), fleet.dates.past
    dated, names = fleet.histories.is_dated, drive_names(fleet)
    lines = {
        "Retire now": _retire(fleet, names),
        "Within a year": _year(fleet, np.flatnonzero(known & ~past & dated), names),
        "No clock": _undated(fleet, np.flatnonzero(known & ~past & ~dated), names),
        "No forecast": _unknown(int((~known & ~past).sum())),
        "Order": _order(fleet),
        "Writes": _writes(fleet),
        "Not used": _not_used(fleet),
    }
    return {name: line for name, line in lines.items() if line}


def _retire(fleet: Fleet, names: list[str]) -> str:
    """Name the drives past their rating, those of the largest share first, and the reason."""
    past = np.flatnonzero(fleet.dates.past)
    shares = fleet.histories.life_host_bytes[past] / fleet.dates.rated_bytes[past]
    worst = past[np.argsort(-np.nan_to_num(shares), kind="stable")]
    if not past.size:
        return "none"
    told = [f"{_short(names[at])}, {_reason(fleet, at)}" for at in worst[:_NAMED].tolist()]
    more = [f"{past.size - _NAMED:,} more"] if past.size > _NAMED else []
    return f"{past.size:,}  ({'; '.join([*told, *more])})"


def _reason(fleet: Fleet, at: int) -> str:
    rated, points = float(fleet.dates.rated_bytes[at]), float(fleet.histories.points[at])
    share = float(fleet.histories.life_host_bytes[at]) / rated
    if share >= 1:
        return of_rated(share, rated)
    return (
        f"{percent(points / 100)} used by its wear indicator" if points >= 100 else "no life left"
    )


def _year(fleet: Fleet, drives: NDArray[np.intp], names: list[str]) -> str:
    """Count the drives that end within a year, and date the first end."""
    if not drives.size:
        return "none has a date"
    ends = fleet.histories.last_s[drives] + fleet.dates.middle_s[drives]
    ends = np.where(np.isfinite(ends), ends, np.inf)
    soon = int((ends - fleet.now_s <= YEAR_S).sum())
    at = int(drives[np.argmin(ends)])
    if not np.isfinite(ends).any():
        return "none  (no wear yet)"
    month, name = _month(fleet, at, "middle"), _short(names[at])
    return f"{soon or 'none'}  (first {month}: {name}, {_between(fleet, at)})"


def _between(fleet: Fleet, at: int) -> str:
    early, late = _month(fleet, at, "early"), _month(fleet, at, "late")
    worth = f"for {SURE}" if fleet.dates.label[at] == SURE else "rough"
    return f"{early} to {late} {worth}"


def _month(fleet: Fleet, at: int, end: str) -> str:
    seconds = float(getattr(fleet.dates, f"{end}_s")[at])
    if not seconds <= LONGEST_S:
        return "over 30 years"
    return moment(float(fleet.histories.last_s[at]) + seconds)[:7]


def _undated(fleet: Fleet, drives: NDArray[np.intp], names: list[str]) -> str:
    """Write the durations of the drives without a date, and name the first to end."""
    if not drives.size:
        return ""
    middle = fleet.dates.middle_s[drives]
    if not np.isfinite(middle).any():
        return f"{drives.size:,}  no wear yet; their dates are left open"
    lasting = span(float(np.nanmin(middle)), float(np.max(middle[np.isfinite(middle)])))
    first = _short(names[int(drives[np.nanargmin(middle)])])
    of_first = f" (first {first})" if drives.size > 1 else f" ({first})"
    return f"{drives.size:,}  durations only: {lasting}{of_first}; their dates are left open"


def _unknown(drives: int) -> str:
    return f"{_count(drives, 'drive')}: neither wear nor a rating is known" if drives else ""


def _order(fleet: Fleet) -> str:
    """Sum the spare drives for the lead time over the models."""
    number = sum(one.spares for one in fleet.spares)
    weeks = fleet.lead_s / WEEK_S
    lead = f"{weeks:.3g} weeks" if fleet.lead_s >= WEEK_S else f"{fleet.lead_s / DAY_S:.3g} days"
    most = max(fleet.spares, key=lambda one: one.spares, default=None)
    of_model = f", {most.spares:,} of them {_short(most.model)}" if number and most else ""
    spares = _count(number, "spare") if number else "no spares"
    return f"{spares} for a lead time of {lead} (95 %){of_model if len(fleet.by_model) > 1 else ''}"


def _writes(fleet: Fleet) -> str:
    rates = fleet.dates.rate
    if not np.isfinite(rates).any():
        return ""
    growth = fleet.growth
    trend = "" if growth is None else (
        f"; growth {100 * growth.low:+.0f} to {100 * growth.high:+.0f} % a year"
    )  # fmt: skip
    return f"{rate_text(float(np.nansum(rates)))} by all drives{trend}"


def _not_used(fleet: Fleet) -> str:
    refused, mended = len(fleet.refused), len(fleet.histories.anomalies)
    parts = [_count(refused, "file or part of one", "files or parts of files")] if refused else []
    parts += [f"readings of {_count(mended, 'drive')} mended"] if mended else []
    return ", ".join(parts)


def _count(number: int, one: str, several: str = "") -> str:
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def _short(name: str) -> str:
    """Cut a name in its middle, and a path to its last part."""
    line = one_line(name.rpartition("/")[2] or name)
    if len(line) <= _NAME:
        return line
    half = _NAME // 2 - 1
    return f"{line[:half]}…{line[-half:]}"

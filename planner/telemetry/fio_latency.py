"""Latency in fio's JSON: mean and percentiles, in nanoseconds since fio 3, microseconds before."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from models.units import MS, US
from planner.telemetry.documents import at
from planner.telemetry.fio_entry import Entry, sole, total
from planner.telemetry.record import Refused

PERCENTS = (50.0, 90.0, 99.0, 99.9, 99.99, 99.999)
_SUFFIXES = {"_ns": 1e-9, "_us": US, "_ms": MS, "": US}


def latency(entry: Entry, kind: str, rates: Sequence[float | None]) -> dict[str, Any]:
    """Return total latency, or completion latency if the file has only that."""
    for name in ("lat", "clat"):
        for suffix, unit in _SUFFIXES.items():
            means = entry.numbers(kind, name + suffix, "mean")
            if not all(means) or not means:
                continue
            weight = total(rates)
            mean = total([(m or 0) * (x or 0) for m, x in zip(means, rates, strict=True)]) / weight
            longest = [most for most in entry.numbers(kind, name + suffix, "max") if most]
            spread = sole(entry.numbers(kind, name + suffix, "stddev", lenient=True))
            return {
                "latency_of": name + suffix,
                "mean_latency_s": unit * mean,
                "max_latency_s": unit * max(longest) if longest else None,
                "latency_sd_s": None if spread is None else unit * spread,
            }
    return {"latency_of": ""}


def percentiles(entry: Entry, kind: str) -> dict[str, Any]:
    """Return fio's own percentiles, and those computed from the bins of JSON+."""
    for name in ("lat", "clat"):
        for suffix, unit in _SUFFIXES.items():
            bins = _bins(entry, kind, name + suffix)
            printed = _printed(entry, kind, name + suffix) if len(entry.members) == 1 else {}
            levels = {**_of_bins(bins), **printed}
            if levels:
                return {
                    "quantiles_of": name,
                    "quantiles_s": {level: unit * levels[level] for level in sorted(levels)},
                }
    return {}


def _printed(entry: Entry, kind: str, name: str) -> dict[float, float]:
    levels = at(entry.members[0][1], kind, name, "percentile")
    printed: dict[float, float] = {}
    for level in list(levels)[:100] if isinstance(levels, dict) else ():
        percent = _level(level)
        (value,) = entry.numbers(kind, name, "percentile", level)
        if percent and value is not None:
            printed[percent] = value
    return printed


def _level(written: str) -> float | None:
    if not re.fullmatch(r"\d{1,3}(?:\.\d{1,9})?", written):
        return None
    percent = float(written)
    return percent if 0 < percent <= 100 else None


def _bins(entry: Entry, kind: str, name: str) -> dict[float, float]:
    """Return counts by latency over all clones; empty if a clone has no bins."""
    counts: dict[float, float] = {}
    for number, (path, job) in enumerate(entry.members):
        bins = at(job, kind, name, "bins")
        if not isinstance(bins, dict) or not bins:
            return {}
        for bound in bins:
            if not re.fullmatch(r"\d{1,15}", bound):
                raise Refused(entry.place, f"a key of {path}.{kind}.{name}.bins is not a time")
            count = entry.numbers(kind, name, "bins", bound)[number]
            counts[float(bound)] = counts.get(float(bound), 0.0) + (count or 0.0)
    return counts


def _of_bins(bins: Mapping[float, float]) -> dict[float, float]:
    """Return the percentiles for which there are enough operations."""
    if not bins:
        return {}
    bounds = np.array(sorted(bins))
    counts = np.cumsum([bins[bound] for bound in bounds.tolist()])
    if counts[-1] <= 0:
        return {}
    shown = [p for p in PERCENTS if counts[-1] * (1 - p / 100) >= 1]
    places = np.searchsorted(counts, np.array(shown) / 100 * counts[-1])
    return dict(zip(shown, bounds[places].tolist(), strict=True))

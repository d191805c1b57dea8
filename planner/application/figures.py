"""Figures of loads: quantiles of what is drawn, and how they are written."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from models.units import DAY_S, GB, KIB
from planner.application.load import BLOCK_BYTES, DeviceLoad
from planner.application.priors import ENDS
from planner.quantity.input import ValueText
from planner.quantity.show import day_unit
from planner.quantity.writes import unambiguous

MOST_BYTES = 2.0**30  # of an operation, as a plan takes them


class Figure(NamedTuple):
    """A figure with its range."""

    low: float
    typical: float
    high: float


def figure_of(drawn: Any) -> Figure:
    """Return the quantiles of what is drawn; one number is all of them.

    >>> figure_of(3)
    Figure(low=3.0, typical=3.0, high=3.0)
    """
    if not np.ndim(drawn):
        return Figure(float(drawn), float(drawn), float(drawn))
    return Figure(*map(float, np.quantile(drawn, ENDS)))


def rate_text(bytes_per_s: float) -> str:
    """Write bytes per second as the writes of a plan.

    >>> rate_text(1e6)
    '86.4 GB/day'
    """
    unit, size = unit_of(bytes_per_s)
    return unambiguous(f"{bytes_per_s / size:.8g} {unit}/day")


def unit_of(bytes_per_s: float) -> tuple[str, float]:
    """Return GB a day, or a smaller unit of which there is at least one, with its size.

    >>> unit_of(1e6)[0], unit_of(1e3)[0]
    ('GB', 'MB')
    """
    is_small = 0 < bytes_per_s < GB / DAY_S
    return day_unit(bytes_per_s) if is_small else ("GB", GB / DAY_S)


def three_digits(value: float) -> str:
    """Write a number with three digits, and all of those before the point.

    >>> three_digits(1234.5), three_digits(1.2345)
    ('1,234', '1.23')
    """
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def size_text(bytes_per_s: float) -> str:
    """Write bytes per second as those of a day, with three digits.

    >>> size_text(1e6)
    '86.4 GB/day'
    """
    unit, size = unit_of(bytes_per_s)
    return f"{three_digits(bytes_per_s / size)} {unit}/day"


def received(figures: Mapping[str, Figure]) -> str:
    """Describe the bytes at a drive with their range, over those of applications, and flushes.

    >>> ends = {"device_bytes_per_s": Figure(1e6, 2e6, 3e6), "amplification": Figure(1, 2, 3)}
    >>> received(ends | {"flushes_per_s": Figure(0, 0, 0)})
    '173 GB/day (86.4 to 259), 2 times as much.'
    """
    device = figures["device_bytes_per_s"]
    unit, size = unit_of(device.typical)
    low, typical, high = (three_digits(rate / size) for rate in device)
    ends = f" ({low} to {high})" if low != high else ""
    times, flushes = (figures[key].typical for key in ("amplification", "flushes_per_s"))
    flushed = f", with {three_digits(flushes)} flushes a second" if flushes else ""
    written = f"{typical} {unit}/day{ends}"
    return f"{written}, {three_digits(times)} times as much{flushed}."


def plan_texts(load: DeviceLoad, ends: Figure) -> dict[str, ValueText]:
    """Return a load as inputs of a plan: writes and their ends, size, and where they go.

    >>> from planner.application.load import Stream, one_stream
    >>> one = one_stream(1e6, Stream(name="log", bytes_per_s=1e6, is_sequential=True))
    >>> [*plan_texts(one, Figure(1e6, 1e6, 1e6)).values()]
    ['86.4 GB/day', '4 KiB', '1']
    """
    low, typical, high = ends
    between = f"{rate_text(low)}..{rate_text(high)}"
    blocks = max(round(load.transfer_bytes / BLOCK_BYTES), 1)  # file systems write whole ones
    size = min(blocks * BLOCK_BYTES, MOST_BYTES)
    order, span = load.sequential_fraction, load.span_bytes
    return {
        "writes": ValueText(rate_text(typical), typical),
        **({"writes_between": ValueText(between, (low, high))} if low != high else {}),
        "size": ValueText(f"{size / KIB:g} KiB", size),
        **(
            {"sequential": ValueText(f"{order:.12g}", order)}
            if span is None
            else {"working_set": ValueText(f"{span / GB:.6g} GB", span)}
        ),
    }


def bytes_of(name: str, load: DeviceLoad) -> Any:
    """Return the bytes per second of a part of a load."""
    return sum(part.bytes_per_s for part in load.streams if part.name == name)

"""The writes that a sentence states, and the echo of their reading."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from models.units import DAY_S, YEAR_S
from planner.quantity.writes.words import plain

_DECIMAL = ("B", "kB", "MB", "GB", "TB", "PB", "EB")
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB")
_SHOWN_MOST = 999.5  # three digits of it are a thousand


@dataclass(frozen=True, kw_only=True)
class Writes:
    """The writes that a sentence states.

    Attributes:
        rate: Bytes a second, beside `fills`.
        fills: Fills of the drive a second: 1 DWPD is one a day.
        low: Least rate and fills, if a range is stated.
        high: Most of both.
        kept_s: Time for which the data are kept.
        elapsed: Bytes and seconds whose mean is the rate.
        scope: "all drives", "drive" or "node": what the rate is of.
        sequential: Whether the writes are sequential, if that is stated or of such a kind.
        block_bytes: Size of one write.
        warnings: What to know of the reading.
    """

    rate: float = 0.0
    fills: float = 0.0
    low: tuple[float, float] | None = None
    high: tuple[float, float] | None = None
    kept_s: float | None = None
    elapsed: tuple[float, float] | None = None
    scope: str = "all drives"
    sequential: bool | None = None
    block_bytes: float | None = None
    warnings: tuple[str, ...] = ()

    def bytes_per_s(self, capacity_bytes: float = math.nan) -> float:
        """Return the rate on a drive of some capacity; NaN if it is needed and not known."""
        return at_capacity((self.rate, self.fills), capacity_bytes)

    @property
    def is_rate_alone(self) -> bool:
        """Whether nothing is stated of a plan beside the rate."""
        beside = (self.low, self.sequential, self.block_bytes)
        return self.scope == "all drives" and not any(beside)

    def ends(self, capacity_bytes: float = math.nan) -> tuple[float, float] | None:
        """Return the least and the most rate, if a range is stated."""
        if self.low is None or self.high is None:
            return None
        return at_capacity(self.low, capacity_bytes), at_capacity(self.high, capacity_bytes)

    def echo(self, capacity_bytes: float = math.nan) -> str:
        """Return the reading as a sentence.

        >>> Writes(rate=24e6, kept_s=21 * DAY_S, sequential=True).echo()
        'read as 2.07 TB a day = 757 TB a year; keeps 43.5 TB (21 days); sequential'
        """
        rate = self.bytes_per_s(capacity_bytes)
        return "; ".join((self._amounts(rate, capacity_bytes), *self._notes(rate)))

    def _amounts(self, rate: float, capacity_bytes: float) -> str:
        """Return the writes a day and a year."""
        to = "" if self.scope == "all drives" else f" to each {self.scope}"
        if math.isnan(rate):
            return f"read as {plain(self.fills * DAY_S)} DWPD{to}"
        ends = self.ends(capacity_bytes)
        between = (
            "" if ends is None else " ({} to {})".format(*(size_text(e * DAY_S) for e in ends))
        )
        a_day, a_year = size_text(rate * DAY_S), size_text(rate * YEAR_S)
        return f"read as {a_day} a day{to}{between} = {a_year} a year"

    def _notes(self, rate: float) -> Iterable[str]:
        """Yield what is read beside the rate."""
        if self.kept_s is not None:
            yield f"keeps {size_text(rate * self.kept_s)} ({plain(self.kept_s / DAY_S)} days)"
        if self.elapsed is not None:
            yield f"the mean of {plain(self.elapsed[1] / DAY_S)} days"
        if self.sequential is not None:
            yield "sequential" if self.sequential else "random"
        if self.block_bytes is not None:
            yield f"{size_text(self.block_bytes, binary=True)} each"
        yield from self.warnings


def at_capacity(pair: tuple[float, float], capacity_bytes: float) -> float:
    """Return a rate beside fills of a capacity, as one rate."""
    rate, fills = pair
    return rate + fills * capacity_bytes if fills else rate


def size_text(value: float, *, digits: int = 3, binary: bool = False) -> str:
    """Write bytes in a unit of which there are less than a thousand."""
    base, names = (1024.0, _BINARY) if binary else (1000.0, _DECIMAL)
    for name in names:
        if value < (_SHOWN_MOST if digits == 3 else base) * (base / 1000) or name == names[-1]:
            break
        value /= base
    shown = plain(value) if digits > 3 else f"{value:.3g}" if value < 999.5 else plain(value)
    return f"{shown} {name}"

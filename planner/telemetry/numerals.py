"""Parse counters in files: whole numbers in any notation, within what a counter can hold."""

import math
import re

from planner.telemetry.record import Observed, Unused

_LARGEST = 1 << 128  # no counter of a drive has more bits
# All ones mean a field that the drive does not maintain. 16 bits may be hours, seven years of them.
_ALL_ONES = {(1 << bits) - 1 for bits in range(32, 129, 8)}
_DIGITS = re.compile(
    r"\+?\d{1,3}(?:([.,\u00a0\u202f' ])\d{3})(?:\1\d{3})*|\+?\d+|0[xX][0-9a-fA-F]+"
)


class Counters:
    """Parses counters of a file, and lists those that are not used with their reasons."""

    def __init__(self) -> None:
        self.unused: list[Unused] = []
        self.notes: list[str] = []

    def take(self, value: object, field: str) -> float | None:
        """Return a whole number >= 0; None if there is none, and listed as unused if invalid."""
        if value is None:
            return None
        number = whole(value)
        if isinstance(number, str):
            self.skip(field, value, number)
            return None
        return number

    def skip(self, field: str, value: object, reason: str) -> None:
        """List a counter as not used."""
        text = (
            str(value) if not isinstance(value, int) or abs(value) < _LARGEST else "a huge number"
        )
        self.unused.append(Unused(field=field, text=text[:60], reason=reason))


def counter(value: float, field: str, unit: float, *, up: bool | None = None) -> Observed:
    """Return a counter of steps of `unit`, rounded up, down, or, if `up` is None, either way.

    >>> counter(3, "writes", 512_000.0, up=True).low
    1024000.0
    """
    low = value if up is False else max(value - 1, 0.0)
    high = value if up is True else value + 1
    return Observed(value=value * unit, field=field, low=low * unit, high=high * unit)


def whole(value: object) -> float | str:
    """Return a whole number >= 0 in any notation, or the reason why the value is not one.

    >>> whole("1,433,438,471"), whole("0x10"), whole(-1), whole(float("nan"))
    (1433438471.0, 16.0, 'is negative', 'is not a whole number')
    """
    if isinstance(value, bool):
        return "is not a whole number"
    if isinstance(value, str):
        return _from_text(value.strip())
    if isinstance(value, float):
        if not math.isfinite(value) or value % 1:
            return "is not a whole number"
        return _checked(int(value))
    return _checked(value) if isinstance(value, int) else "is not a whole number"


def _from_text(text: str) -> float | str:
    if text.startswith("-") and text[1:].strip().isdigit():
        return "is negative"
    if len(text) > 80 or not _DIGITS.fullmatch(text):
        return "is not a whole number"
    if text[:2].lower() == "0x":
        return _checked(int(text, 16))
    return _checked(int(re.sub(r"\D", "", text)))


def _checked(number: int) -> float | str:
    if number < 0:
        return "is negative"
    if number in _ALL_ONES:
        return "is all ones: the drive does not count this"
    return float(number) if number < _LARGEST else "is larger than any counter"

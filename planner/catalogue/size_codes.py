"""Capacities as drives are sold with them, and how part numbers write them."""

import re

# Capacities that drives are sold with.
SOLD_GB = sorted(
    {least * 2.0**power for least in (80, 100, 120, 125, 128, 150) for power in range(12)}
)
# A code rounds a capacity down to its digits: 1T9 is of 1.92 TB, 15T of 15.36 TB.
_ROUNDED = 0.025
# How numbers hold a size, the narrowest first, and GB for one of its digits.
_CODES = tuple(
    (re.compile(pattern), unit_gb)
    for pattern, unit_gb in (
        (r"(?<=SSD)[A-Z]{2}\w{2,4}?(\d{3})T", 100.0),  # Intel: 019T is of 1.92 TB
        (r"(?<=SSD)[A-Z]{2}\w{2,4}?(\d{3})[GH]", 1.0),
        (r"(?<=WDS)(\d{3})T", 10.0),  # Western Digital: 100T is of 1 TB
        (r"(\d{1,3}T\d{1,2})", 1e3),  # 3T8, 1T92, 15T3
        (r"(?<=[A-Z])(\d{1,3}T)(?=H)", 1e3),  # Samsung: 15THALA
        (r"(\d{2,5})G", 1.0),
        (r"(\d{2,4})(?=H[A-Z]{3})", 1.0),  # Samsung: 960HCJR
        (r"(\d{2,4})(?=[TQMS][A-Z]{2}\b)", 1.0),  # Micron: 480TDS
        (r"(?<=X[AS])(\d{3,5})(?=[SLMT]E)", 1.0),  # Seagate
        (r"(?<=CT)(\d{3,4})", 1.0),  # Crucial
    )
)


def sold_size_gb(number: str) -> float | None:
    """Return the capacity that a part number states, as drives are sold; None where none is.

    >>> for number in ("MTFDDAK1T9TBY", "SSDSC2BB016T4", "MZWLR15THALA", "KCD8XRUG960G", "WUS4BB"):
    ...     print(sold_size_gb(number), end=" ")
    1920.0 1600.0 15360.0 960.0 None
    """
    for pattern, unit_gb in _CODES:
        for digits in pattern.findall(number.upper()):
            for first in range(len(digits)):
                if size_gb := _sold(digits[first:], unit_gb):
                    return size_gb
    return None


def nearest_sold_gb(size_gb: float, near: float) -> float | None:
    """Return the capacity that drives are sold with next to a size, if it is near enough.

    >>> nearest_sold_gb(1920.38, 0.01), nearest_sold_gb(1750, 0.01)
    (1920.0, None)
    """
    nearest = min(SOLD_GB, key=lambda sold: abs(sold / size_gb - 1))
    return nearest if abs(nearest / size_gb - 1) <= near else None


def _sold(digits: str, unit_gb: float) -> float | None:
    """Return the capacity that digits round down: 3T8 is of 3.84 TB, 0480 of 480 GB."""
    whole, dot, decimals = digits.partition("T")
    if not whole or whole == "0" * len(whole):
        return None
    stated_gb = (float(f"{whole}.{decimals or 0}") if dot else float(whole)) * unit_gb
    is_whole = not dot and unit_gb == 1.0
    if is_whole:
        return stated_gb if stated_gb in SOLD_GB else None
    return next((size for size in SOLD_GB if 0 <= size - stated_gb <= _ROUNDED * size), None)

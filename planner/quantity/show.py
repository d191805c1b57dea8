"""Quantities as text, and error messages in the names and units of a face."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from models.nomenclature import QUANTITIES
from models.units import DAY_S, GB, ZERO_CELSIUS_K
from planner.quantity.input import InputError
from planner.quantity.inputs import FACTS, INPUTS, PLAN
from planner.quantity.units import FACTORS

_DECIMAL_A_DAY = {unit: FACTORS[unit] / DAY_S for unit in ("PB", "TB", "GB", "MB")}
_DECIMAL_A_DAY |= {"kB": FACTORS["KB"] / DAY_S, "B": 1 / DAY_S}
_BINARY_A_DAY = {unit: FACTORS[unit] / DAY_S for unit in ("GiB", "MiB", "KiB")} | {"B": 1 / DAY_S}
_SMALLER = {"P": "T", "T": "G", "G": "M", "M": "k"}
_THREE_DECIMALS = re.compile(r"([1-9][0-9]{0,2})\.([0-9]{3}) ([PTGM])B/day")
MOST_YEARS = 1e6  # beyond which no model of a drive says anything
RAREST = 1e-8  # probability below which firmware, power and people decide, not what is modelled
# Probabilities that people read as odds; that of reaching a target is a confidence, in percent.
ODDS = frozenset(name for name in QUANTITIES if name.endswith("_probability")) - {
    "reached_probability"
}
RARE_ODDS, CERTAIN = 1e-6, 0.995  # least odds that are printed, and what counts as certain
_ACCEPTED = "target_probability"  # stated, so printed as it was asked
RARE = tuple(
    name
    for name in QUANTITIES
    if name.endswith(("_probability", "worn_fraction", "worn_out_fraction"))
    and name != "target_probability"
)
# The least that is printed of a quantity, in base units; what is less is below it.
_LEAST = dict.fromkeys(RARE, RAREST) | {"expected_lost_bytes": 1e-3 * GB}
_ROWS = [INPUTS[name] for name in reversed((*PLAN, *FACTS))]
# The input of each field that an error message may name.
_NAME_OF = {field: row.name for row in _ROWS for field in row.also} | {
    row.field: row.name for row in _ROWS
}
# Quantities in what is accepted: not words such as "shares", which name one too.
_NAMED = re.compile(r"(?<=[<>=] )[a-z]\w+|[a-z]+_\w+")


def shown(name: str, value: float) -> float:
    """Convert a base-unit value of quantity `name` into the unit shown to people.

    >>> shown("host_bytes", 2e12), shown("limit_k", 353.15)
    (2.0, 80.0)
    """
    unit = QUANTITIES[name].shown_in
    return value - ZERO_CELSIUS_K if unit == "C" else value / FACTORS[unit]


def _is_list(value: Any) -> bool:
    return bool(getattr(value, "ndim", isinstance(value, list | tuple)))


def text(name: str, value: float, *, digits: int = 4) -> str:
    """Write a value with its unit, to `digits` significant digits.

    A time ends at a million years, a probability at one in a million: no model of drives alone
    knows either beyond that. Probabilities are odds, to two digits.

    >>> text("raw_bytes", 512 * 2**30), text("spare_fraction", 0.2724)
    ('512 GiB', '27.24 %')
    >>> text("mttdl_s", 3e24), text("host_bytes_per_s", 750.0)
    ('over 1,000,000 years', '61.8 MiB/day')
    >>> text("array_loss_probability", 1.096e-4), text("aligned_stall_probability", 2e-27)
    ('1 in 9,100', 'below 1 in 1,000,000')
    """
    if _is_list(value):
        import numpy as np  # noqa: PLC0415 - the list of commands and presets does without

        return _list(name, [float(part) for part in np.ravel(value)], digits)
    if math.isinf(value):
        return "unlimited"
    unit = QUANTITIES[name].shown_in
    if unit == "years" and shown(name, value) > MOST_YEARS:
        return f"over {MOST_YEARS:,.0f} years"
    if (scaled := _of_small(name, value)) is not None:
        unit, size = scaled
        return f"{number_text(value / size, digits)} {unit}/day"
    return f"{_number(name, value, digits)}{unit_text(name)}"


def _of_small(name: str, value: float) -> tuple[str, float] | None:
    """Return the unit of a small rate a day, of which there is at least one; None for others."""
    if QUANTITIES[name].shown_in != "GiB/day" or not 0 < value < FACTORS["GiB/day"]:
        return None
    return next((one for one in _BINARY_A_DAY.items() if value >= one[1]), ("B", 1 / DAY_S))


def unit_text(name: str) -> str:
    """Write the unit that follows a number of a quantity, with a blank before it.

    >>> unit_text("wear_life_s"), unit_text("stall_probability"), unit_text("loss_probability")
    (' years', '', '')
    """
    unit = QUANTITIES[name].shown_in
    return "" if unit == "1" or name in ODDS else f" {unit}"


def odds(probability: float, *, digits: int = 2, rarest: float = RARE_ODDS) -> str:
    """Write a probability as one in so many; above a third as so many in a hundred.

    >>> odds(1.096e-4), odds(0.62), odds(0.9999), odds(1e-9)
    ('1 in 9,100', '62 in 100', 'almost certain', 'below 1 in 1,000,000')
    """
    if probability < rarest:
        return f"below 1 in {1 / rarest:,.0f}"
    if probability > CERTAIN:
        return "almost certain"
    if probability > 1 / 3:
        return f"{100 * probability:.0f} in 100"
    return f"1 in {float(f'{1 / probability:.{digits}g}'):,.10g}"


def asked_odds(probability: float) -> str:
    """Write a probability that was stated, as exactly as it is typed.

    >>> asked_odds(1e-4), asked_odds(1 / 12_500), asked_odds(1e-8)
    ('1 in 10,000', '1 in 12,500', '1 in 100,000,000')
    """
    return odds(probability, digits=4, rarest=0.0)


def writes_text(bytes_per_s: float, *, digits: int = 4) -> str:
    """Write host writes as ratings are, in decimal bytes a day; binary where that is shorter.

    No number is written that may be a decimal or have thousands: 1234 GB/day, not 1.234 TB/day.

    >>> writes_text(6e12 / DAY_S), writes_text(50 * 2**30 / DAY_S), writes_text(0.0)
    ('6 TB/day', '50 GiB/day', '0 GB/day')
    """
    from planner.quantity.writes import unambiguous  # noqa: PLC0415 - a list of drives has none

    if _of_small("host_bytes_per_s", bytes_per_s) is not None:
        return decimal_text(bytes_per_s, digits=digits)
    binary = unambiguous(text("host_bytes_per_s", bytes_per_s, digits=digits))
    return min(decimal_text(bytes_per_s, digits=digits), binary, key=_count_digits)


def decimal_text(bytes_per_s: float, *, digits: int = 3) -> str:
    """Write host writes in decimal bytes a day, in a unit of which there is at least one.

    >>> decimal_text(56.9e9 / DAY_S), decimal_text(500e3 / DAY_S)
    ('56.9 GB/day', '500 kB/day')
    """
    from planner.quantity.writes import unambiguous  # noqa: PLC0415 - as above

    unit, size = day_unit(bytes_per_s)
    decimal = f"{number_text(bytes_per_s / size, digits)} {unit}/day"
    if parts := _THREE_DECIMALS.fullmatch(decimal):
        decimal = f"{parts[1]}{parts[2]} {_SMALLER[parts[3]]}B/day"
    return unambiguous(decimal)


def day_unit(bytes_per_s: float) -> tuple[str, float]:
    """Return the decimal unit of a rate a day, of which there is at least one, with its size.

    >>> day_unit(750.0)[0], day_unit(0.0)[0]
    ('MB', 'GB')
    """
    fewest = ("B", 1 / DAY_S) if bytes_per_s > 0 else ("GB", GB / DAY_S)
    about = bytes_per_s * (1 + 1e-9)  # of what was rounded
    return next((one for one in _DECIMAL_A_DAY.items() if about >= one[1]), fewest)


def _count_digits(written: str) -> int:
    return sum(map(str.isdigit, written))


def span(name: str, low: float, high: float, *, digits: int = 4) -> str:
    """Write a range in the unit shown to people, without the unit.

    >>> span("wear_life_s", 31536000.0, 315360000.0)
    '1 to 10'
    """
    ends = (_number(name, end, digits) for end in (low, high))
    is_one = name in ODDS or max(low, high) < _LEAST.get(name, 0)
    return " to ".join(dict.fromkeys(ends) if is_one else ends)


def ends_text(name: str, low: float, high: float, *, digits: int = 4) -> str:
    """Write a range beside a number that has its unit; ends in a smaller unit have their own.

    >>> ends_text("wear_life_s", 31536000.0, 315360000.0)
    '1 to 10'
    >>> ends_text("host_bytes_per_s", 750.0, 75_000.0, digits=3)
    '61.8 MiB/day to 6.03 GiB/day'
    """
    if _of_small(name, low) is None:
        return span(name, low, high, digits=digits)
    return " to ".join(text(name, end, digits=digits) for end in (low, high))


def _list(name: str, values: Sequence[float], digits: int) -> str:
    """Write the first three values of a list, and their number if there are more."""
    few = ", ".join(text(name, value, digits=digits) for value in values[:3])
    return few if len(values) <= 3 else f"{few}, ... ({len(values)} in all)"


def complaint(error: ValueError, names: Mapping[str, str]) -> str:
    """Rewrite the error message of a formula with the names and units of a face.

    >>> from models.errors import DomainError
    >>> complaint(DomainError("raw_bytes must be >= user_bytes, got 1.07374e+11"), {})
    'Raw flash must be >= User capacity, got 100 GiB'
    """
    if isinstance(error, InputError):
        return f"{names.get(error.input.field, error.input.label)} {error.why}"
    sentence = str(error)
    match = re.fullmatch(r"(\w+) must be (.*), got (.+)", sentence)
    if match is None:
        return sentence
    name, accepted, got = match.groups()
    accepted = _NAMED.sub(lambda word: names.get(word[0], _label(word[0])), accepted)
    value = _shown_text(name, got)
    return f"{names.get(name, _label(name))} must be {accepted}, got {value}"


def by_inputs(error: ValueError) -> str:
    """Rewrite the error message of a formula with the names of inputs.

    >>> from models.errors import DomainError
    >>> by_inputs(DomainError("members must be >= 3 for RAID 5, got 2"))
    'drives must be >= 3 for RAID 5, got 2'
    """
    return str(error) if isinstance(error, InputError) else complaint(error, _NAME_OF)


def _label(name: str) -> str:
    return QUANTITIES[name].label if name in QUANTITIES else name


def _shown_text(name: str, got: str) -> str:
    try:
        return text(name, float(got))
    except (KeyError, ValueError):
        return got


def _number(name: str, value: float, digits: int) -> str:
    """Write a value without its unit."""
    if name in ODDS:
        return asked_odds(value) if name == _ACCEPTED else odds(value)
    if 0 <= value < _LEAST.get(name, 0.0):
        return f"< {least_text(name)}"
    return number_text(shown(name, value), digits)


def least_text(name: str) -> str:
    """Write the least that is printed of a quantity, without its unit.

    >>> least_text("array_loss_probability")
    '0.000001'
    """
    return f"{shown(name, _LEAST[name]):.12f}".rstrip("0")


def number_text(value: float, digits: int = 4) -> str:
    """Write a number to so many significant digits, and all of those before the point.

    >>> number_text(54.7945), number_text(1234567.0), number_text(2.5e-7)
    ('54.79', '1,234,567', '2.5e-07')
    """
    if math.isinf(value):
        return "unlimited"
    if value and not 1e-3 <= abs(value) < 1e6:
        return f"{value:,.0f}" if 1e6 <= abs(value) <= 1e12 else f"{value:.3g}"
    decimals = 0 if not value else max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{decimals}f}".rstrip("0").rstrip(".") if decimals else f"{value:,.0f}"

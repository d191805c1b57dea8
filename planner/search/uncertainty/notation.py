"""Uncertain inputs as people write them: "pe_cycles=2000..3000..5000"."""

import re
from collections.abc import Callable

from models.errors import DomainError
from planner.quantity.parse import (
    parse_bytes,
    parse_fraction,
    parse_number,
    parse_quantity,
    parse_writes,
)
from planner.search.uncertainty.distributions import (
    Distribution,
    fixed,
    lognormal,
    low_mid_high,
    normal,
    pert,
    triangular,
    uniform,
)
from planner.search.uncertainty.inputs import bounds, placed

__all__ = ["NOTATION", "parse_correlation", "parse_input"]

Parse = Callable[[str, str], float]

NOTATION = (
    "LOW..MID..HIGH (10 %, 50 % and 90 % points), lognormal(MEDIAN, SIGMA), normal(MEAN, SD), "
    "uniform(LOW, HIGH), triangular(LOW, MODE, HIGH), pert(LOW, MODE, HIGH), or one number"
)
# Options of a plan by the input that they stand for.
_MEANT = {
    "writes": "host_bytes_per_s", "growth": "growth_per_year", "read_share": "read_fraction",
    "block_size": "transfer_bytes", "sequential": "sequential_fraction", "fill": "fill_fraction",
    "partition": "partition_fraction", "trim": "trim_share", "wa": "measured_wa",
    "raw": "raw_bytes", "tbw": "rated_bytes", "price": "price_usd",
    "worst_iops": "worst_case_iops",
}  # fmt: skip
_SHARES = {
    "growth_per_year", "read_fraction", "sequential_fraction", "fill_fraction",
    "partition_fraction", "trim_share",
}  # fmt: skip
_PLAIN = {"measured_wa", "rating_wa", "queue_depth"}
_CALL = re.compile(r"([a-z]+)\s*\((.*)\)", re.IGNORECASE | re.DOTALL)
_BARE = re.compile(r"[-+\d.,eE\s]+")
_UNIT = re.compile(r"[^\d\s.,].*")


def parse_input(written: str, *, capacity_bytes: float) -> tuple[str, Distribution]:
    """Read an uncertain input and its name; `capacity_bytes` is what DWPD counts.

    A number without a unit takes that of the last one.

    >>> name, known = parse_input("writes=0.5..1..2 TB/day", capacity_bytes=1e12)
    >>> name, round(known.at(0.9) * 86400 / 1e12, 9)
    ('host_bytes_per_s', 2.0)
    """
    name, sign, value = (part.strip() for part in written.partition("="))
    if not sign or not name:
        raise DomainError(f"an uncertain input must be NAME={NOTATION}, got {written!r}")
    name = name.lstrip("-").replace("-", "_").lower()
    name = _MEANT.get(name, name)
    bounds(name)
    try:
        found = _distribution(name, value, _parser(name, capacity_bytes))
    except _NotationError:
        raise DomainError(f"{name} must be {NOTATION}, got {value!r}") from None
    return name, placed(name, found)


def parse_correlation(written: str) -> tuple[tuple[str, str], float]:
    """Read how two inputs go together: "writes,fill=0.5".

    >>> parse_correlation("writes, fill = 0.5")
    (('host_bytes_per_s', 'fill_fraction'), 0.5)
    """
    pair, sign, value = written.partition("=")
    names = [part.strip().lstrip("-").replace("-", "_").lower() for part in pair.split(",")]
    if not sign or len(names) != 2:
        raise DomainError(f"a correlation must be NAME,NAME=NUMBER, got {written!r}")
    one, other = (_MEANT.get(name, name) for name in names)
    return (one, other), parse_number("correlation", value)


class _NotationError(ValueError):
    """Neither points nor a known distribution."""


def _distribution(name: str, value: str, parse: Parse) -> Distribution:
    points = value.split("..")
    if len(points) == 3:
        numbers = [parse(name, point) for point in _with_unit(points)]
        if sorted(numbers) != numbers:
            raise DomainError(f"{name} must be points that rise, got {value}")
        return _checked(name, low_mid_high_of, numbers)
    if len(points) > 1:
        raise _NotationError
    call = _CALL.fullmatch(value)
    if call is None:
        return fixed(parse(name, value))
    kind, parts = call[1].lower(), _with_unit(call[2].split(","))
    make, count = _KINDS.get(kind, (None, 0))
    if make is None or len(parts) != count:
        raise _NotationError
    if kind == "lognormal":
        bare = call[2].split(",")
        numbers = [parse(name, bare[0].strip()), parse_number(f"sigma of {name}", bare[1])]
    else:
        numbers = [parse(name, part) for part in parts]
    return _checked(name, make, numbers)


def low_mid_high_of(low: float, mid: float, high: float) -> Distribution:
    """Return three points as they are; `placed` puts them on the scale of their input."""
    return low_mid_high(low, mid, high, least=min(low, 0.0) - 1.0)


def _checked(name: str, make: Callable[..., Distribution], numbers: list[float]) -> Distribution:
    try:
        return make(*numbers)
    except DomainError as error:
        raise DomainError(f"{name}: {error}") from None


def _normal(mean: float, sd: float) -> Distribution:
    return normal(mean, sd=sd)


def _lognormal(median: float, sigma: float) -> Distribution:
    return lognormal(median, sigma=sigma)


_KINDS: dict[str, tuple[Callable[..., Distribution], int]] = {
    "fixed": (fixed, 1),
    "uniform": (uniform, 2),
    "triangular": (triangular, 3),
    "pert": (pert, 3),
    "normal": (_normal, 2),
    "lognormal": (_lognormal, 2),
}


def _parser(name: str, capacity_bytes: float) -> Parse:
    if name == "host_bytes_per_s":
        return lambda field, text: parse_writes(field, text, capacity_bytes=capacity_bytes)
    if name in _SHARES:
        return parse_fraction
    if name == "transfer_bytes":
        return parse_bytes
    return parse_number if name in _PLAIN else parse_quantity


def _with_unit(parts: list[str]) -> list[str]:
    """Give numbers without a unit that of the last one."""
    found = _UNIT.search(parts[-1].strip())
    unit = found[0] if found else ""
    told = [part.strip() for part in parts]
    return [f"{part} {unit}" if unit and _BARE.fullmatch(part) else part for part in told]

"""Uncertain inputs as people write them: "pe_cycles=2000..3000..5000"."""

import re
from collections.abc import Callable, Iterable

from models.errors import DomainError
from planner.quantity.input import Input, rate
from planner.quantity.inputs import INPUTS
from planner.quantity.parse import LONGEST, parse_number, parse_quantity, quoted, shortened
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
from planner.search.uncertainty.inputs import bounds, is_fact, placed
from planner.sections import stated_writes
from planner.sections.plan import PlanReading

Parse = Callable[[str, str], float]

NOTATION = (
    "LOW..MID..HIGH (10 %, 50 % and 90 % points), lognormal(MEDIAN, SIGMA), normal(MEAN, SD), "
    "uniform(LOW, HIGH), triangular(LOW, MODE, HIGH), pert(LOW, MODE, HIGH), or one number"
)
_VARY = {row.name: row for row in INPUTS.values() if row.may_vary}
# Rows by every name that people may use: of today, of before, and of the field.
_BY_NAME = {old.name: row for row in _VARY.values() for old in row.formerly} | {
    name: row for row in _VARY.values() for name in (row.field, row.name)
}
_POINTS = "low..mid..high"
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
    if not sign or not name or len(written) > LONGEST:
        raise DomainError(f"an uncertain input must be NAME={NOTATION}, got {quoted(written)}")
    statement, name = _plain(name), _field(name)
    bounds(name)
    try:
        kind, numbers = _points(name, value, _parser(name, capacity_bytes))
        if statement == "spare":
            numbers = _left(kind, numbers)
        known = _checked(name, _KINDS[kind][0], numbers)
    except _NotationError:
        raise DomainError(f"{name} must be {NOTATION}, got {quoted(value)}") from None
    return name, placed(name, known)


def parse_inputs(written: Iterable[str], plan: PlanReading) -> dict[str, Distribution]:
    """Read the uncertain inputs of a plan; each is stated once."""
    usable = plan["usable_bytes"]
    capacity = usable.value if usable.is_known else plan.drive.capacity_bytes
    found: dict[str, Distribution] = {}
    for part in written:
        name, distribution = parse_input(part, capacity_bytes=capacity)
        if name in found:
            raise DomainError(f"{name} must be given once")
        found[name] = distribution
    return found


def parse_correlation(written: str) -> tuple[tuple[str, str], float]:
    """Read how two inputs go together: "writes,fill=0.5".

    >>> parse_correlation("writes, fill = 0.5")
    (('host_bytes_per_s', 'fill_fraction'), 0.5)
    """
    pair, sign, value = written[: LONGEST + 1].partition("=")
    names = [_field(part) for part in pair.split(",")]
    if not sign or len(names) != 2:
        raise DomainError(f"a correlation must be NAME,NAME=NUMBER, got {quoted(written)}")
    return (names[0], names[1]), parse_number("correlation", value)


def _plain(name: str) -> str:
    return name.strip().lstrip("-").replace("-", "_").lower()


def _field(name: str) -> str:
    """Return the quantity that a name stands for."""
    row = _BY_NAME.get(_plain(name))
    return _plain(name) if row is None else row.field


class _NotationError(ValueError):
    """Neither points nor a known distribution."""


def _points(name: str, value: str, parse: Parse) -> tuple[str, list[float]]:
    """Return the kind of a distribution and its numbers."""
    points = value.split("..")
    if len(points) == 3:
        numbers = [parse(name, point) for point in _with_unit(points)]
        if sorted(numbers) != numbers:
            raise DomainError(f"{name} must be points that rise, got {shortened(value)}")
        return _POINTS, numbers
    if len(points) > 1:
        raise _NotationError
    call = _CALL.fullmatch(value)
    if call is None:
        return "fixed", [parse(name, value)]
    kind, parts = call[1].lower(), _with_unit(call[2].split(","))
    if kind not in _KINDS or len(parts) != _KINDS[kind][1]:
        raise _NotationError
    if kind == "lognormal":
        bare = call[2].split(",")
        numbers = [parse(name, bare[0].strip()), parse_number(f"sigma of {name}", bare[1])]
    else:
        numbers = [parse(name, part) for part in parts]
    return kind, numbers


def _left(kind: str, spare: list[float]) -> list[float]:
    """Return the numbers of what spare area leaves to the partition."""
    if kind == "lognormal":
        raise _NotationError
    if kind == "normal":
        return [1 - spare[0], spare[1]]
    return [1 - number for number in reversed(spare)]


def low_mid_high_of(low: float, mid: float, high: float) -> Distribution:
    """Return three points as they are; `placed` puts them on the scale of their input."""
    return low_mid_high(low, mid, high, least=min(low, 0.0) - 1.0)


def _checked(name: str, make: Callable[..., Distribution], numbers: list[float]) -> Distribution:
    try:
        return make(*numbers)
    except DomainError as error:
        raise DomainError(f"{name}: {error}") from None


_KINDS: dict[str, tuple[Callable[..., Distribution], int]] = {
    "fixed": (fixed, 1),
    "uniform": (uniform, 2),
    "triangular": (triangular, 3),
    "pert": (pert, 3),
    "normal": (lambda mean, sd: normal(mean, sd=sd), 2),
    "lognormal": (lambda median, sigma: lognormal(median, sigma=sigma), 2),
    _POINTS: (low_mid_high_of, 3),
}


def _parser(name: str, capacity_bytes: float) -> Parse:
    """Return the parser of the text of an input."""
    if is_fact(name):
        return parse_quantity
    row = _BY_NAME[name]
    if row.read is rate:
        return lambda _, text: _rate(row, text, capacity_bytes)
    return lambda _, text: row.read(row, text)


def _rate(row: Input, text: str, capacity_bytes: float) -> float:
    """Parse the writes of all drives; those of each are refused, whose sum is not known here."""
    stated_writes.counted_bytes({row.name: text}, capacity_bytes, None)
    return rate(row, text, capacity_bytes=capacity_bytes)


def _with_unit(parts: list[str]) -> list[str]:
    """Give numbers without a unit that of the last one."""
    found = _UNIT.search(parts[-1].strip())
    unit = found[0] if found else ""
    texts = [part.strip() for part in parts]
    return [f"{part} {unit}" if unit and _BARE.fullmatch(part) else part for part in texts]

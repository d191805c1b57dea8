"""One input: its row of the table, how its text is parsed, and how it is refused.

The rows are in `planner.quantity.inputs`.
"""

import math
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Self

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import GB, YEAR_S, ZERO_CELSIUS_K
from planner.quantity import parse
from planner.quantity.bounds import CAPACITY, COURSE, PLAIN_UNITS, Bounds, unit_after
from planner.quantity.drive_facts import refuse_impossible, refuse_unused
from planner.quantity.keep import Keep, parse_keep
from planner.quantity.parse import quoted
from planner.quantity.units import FACTORS

LAST_DAY_S = 230 * YEAR_S  # of a date that is read
COLDEST_C, WARMEST_C = -40.0, 70.0  # of storage, for which laws of retention hold, and of rooms


class Former(NamedTuple):
    """A former name of an input, and how a text given under it is rewritten."""

    name: str
    rewrite: Callable[[str], str] = str


class ValueText(str):
    """The text of an input with the value that it was written from, in base units.

    What an application, a trace or the counters of a drive say of a plan reaches it as this value,
    to the last digit; files, links and widgets hold the text.

    >>> from planner.quantity.inputs import INPUTS
    >>> INPUTS["reads"].value(ValueText("33.3%", 1 / 3))
    0.3333333333333333
    """

    __slots__ = ("value",)
    value: Any

    def __new__(cls, text: str, value: Any) -> Self:
        """Create a text with its value."""
        self = super().__new__(cls, text)
        self.value = value
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the value too."""
        return type(self), (str(self), self.value)


class EachDriveText(ValueText):
    """The text of writes to each drive of an array, with their rate."""

    __slots__ = ()


class Input(NamedTuple):
    """An input: its names, parser, range, default and help.

    Attributes:
        name: Option, key in links and scenario files, widget, argument of a script.
        field: Quantity of the nomenclature, or field of the record that holds it.
        read: Parses text into a number in base units, a text, or several of them.
        default: Text in force if none is given; without a default the input is optional.
        bounds: Range of its numbers.
        help: What it means.
        example: An accepted text, shown after the help.
        unit: Unit shown to people; for a quantity, that of the nomenclature.
        title: Label, if the nomenclature has none or one that does not fit.
        choices: Texts offered.
        is_repeatable: Whether it may be given several times.
        may_vary: Whether `uncertainty` accepts a distribution for it.
        also: Further names that formulas use for it in error messages.
        formerly: Former names that are still accepted for options and scenario files.
        links: Former names that are still accepted in links only.
    """

    name: str
    field: str
    read: Callable[..., Any]
    default: str | None
    bounds: Bounds
    help: str
    example: str = ""
    unit: str = ""
    title: str = ""
    choices: tuple[str, ...] = ()
    is_repeatable: bool = False
    may_vary: bool = False
    also: tuple[str, ...] = ()
    formerly: tuple[Former, ...] = ()
    links: tuple[Former, ...] = ()

    @property
    def option(self) -> str:
        """Its option on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def label(self) -> str:
        """Its name for people."""
        known = QUANTITIES.get(self.field)
        return self.title or (self.name.capitalize() if known is None else known.label)

    @property
    def shown_in(self) -> str:
        """The unit shown to people."""
        known = QUANTITIES.get(self.field)
        return self.unit or ("1" if known is None else known.shown_in)

    def value(self, written: object, **at_hand: float) -> Any:
        """Parse a text or a number; refuse, by name, one that is malformed or out of range.

        >>> from planner.quantity.inputs import INPUTS
        >>> row = INPUTS["reads"]
        >>> row.value("30%"), row.value(0.3)
        (0.3, 0.3)
        >>> row.value("4TB")
        Traceback (most recent call last):
        planner.quantity.input.InputError: reads must be a share such as 70% or 0.7, got '4TB'
        >>> row.value("120%")
        Traceback (most recent call last):
        planner.quantity.input.InputError: reads must be from 0 to 100 %, got '120%'
        """
        try:
            if isinstance(written, ValueText):
                text, value = str(written), _held(self, written, **at_hand)
            else:
                text = self._bounded(written, LONGEST_LIST if self.read is skew else parse.LONGEST)
                value = self.read(self, text, **at_hand)
        except DomainError as error:
            raise InputError(self, str(error).removeprefix(f"{self.name} ")) from None
        return self.inside(value, text, **at_hand) if isinstance(value, float | int) else value

    def inside(self, value: Any, text: str, **at_hand: float) -> Any:
        """Return a number; refuse, by name and in the unit of its text, one out of range."""
        if not self.bounds.holds(value):
            raise InputError(self, f"must be {self.accepted(text, **at_hand)}, got {quoted(text)}")
        return value

    def accepted(self, text: str = "", **at_hand: float) -> str:
        """Describe the range of its numbers in the unit of a text, else in the unit shown.

        >>> row = Input("age", "age_s", time, None, Bounds(0.0, 365 * 86400.0), "Age.")
        >>> row.accepted(), row.accepted("-3 days")
        ('from 0 to 1 years', 'from 0 to 365 days')
        """
        typed = parse.unit_of(text)
        if typed and self.read in (size, rate, link_rate, time, quantity):
            try:
                one = self.read(self, f"1 {typed}", **at_hand)
            except DomainError:
                one = math.nan
            if one > 0:  # drive writes are NaN before the capacity is known
                return f"{self.bounds.words(one)} {typed}"
        return f"{self.bounds.words(FACTORS[self.shown_in])}{unit_after(self.shown_in)}"

    def every(self, written: str | Iterable[str]) -> tuple[Any, ...]:
        """Parse a repeatable input: a list, or texts separated by semicolons.

        >>> from planner.quantity.inputs import INPUTS
        >>> INPUTS["step"].every("x2 after 2 days")
        ((172800.0, 2.0),)
        """
        texts = written.split(";") if isinstance(written, str) else written
        return tuple(self.value(text) for text in texts if str(text).strip())

    def values(self, written: object) -> tuple[Any, ...]:
        """Parse one or several values: a list, "4,8,12", or a range, "4-24" or "0-28%".

        A range of shares has steps of 7 percentage points, one of whole numbers steps of 1.

        >>> from planner.quantity.inputs import INPUTS
        >>> INPUTS["drives"].values("2-4,8")
        (2, 3, 4, 8)
        >>> INPUTS["spare"].values("0-14%")
        (0.0, 0.07, 0.14)
        """
        parts = [part.strip() for part in self._bounded(written, LONGEST_LIST).split(",")]
        return tuple(dict.fromkeys(value for part in parts for value in self._range(part)))

    def _bounded(self, written: object, most: int) -> str:
        """Return a text without surrounding blanks; refuse one that is too long."""
        text = str(written).strip()
        if len(text) > most:
            raise InputError(self, f"must be at most {most} characters, got {len(text):,}")
        return text

    def _range(self, part: str) -> Iterable[Any]:
        ends = _RANGE.fullmatch(part)
        if ends is None or self.read not in (whole, share, probability):
            return [self.value(part)]
        unit = "%" if part.endswith("%") else ""
        low, high = self.value(f"{ends[1]}{unit}"), self.value(f"{ends[2]}{unit}")
        if high < low:
            raise InputError(self, f"must be a range from low to high, got {quoted(part)}")
        if self.read is whole:
            if high - low >= MOST_OF_A_RANGE:
                raise InputError(
                    self, f"must be a range of at most {MOST_OF_A_RANGE}, got {quoted(part)}"
                )
            return range(low, high + 1)
        steps = round((high - low) / SHARE_STEP, 9)
        inner = [round(low + place * SHARE_STEP, 12) for place in range(math.ceil(steps))]
        return [*inner, high]


class InputError(DomainError):
    """An input that cannot be parsed or is out of range.

    `input` is its row, `why` the sentence after its name; each face puts its own name before it.
    """

    def __init__(self, row: Input, why: str) -> None:
        super().__init__(f"{row.name} {why}")
        self.input, self.why = row, why


LONGEST_LIST = 1000  # characters of a list of values
SHARE_STEP = 0.07
MOST_OF_A_RANGE = 10_000
_RANGE = re.compile(r"([\d.]+)\s*%?\s*-\s*([\d.]+)\s*%?")


def _held(row: Input, written: ValueText, *, capacity_bytes: float = math.nan) -> Any:
    """Return the value of a text; of a part that is a size, its share of the capacity."""
    if row.read is not part:
        return written.value
    return _part_of(written.value, capacity_bytes)


def _part_of(part_bytes: float, capacity_bytes: float) -> float:
    return part_bytes / max(capacity_bytes, part_bytes) if part_bytes else 0.0


# Parsers. The name in their error messages is that of the row.
def share(row: Input, text: str) -> float:
    """Parse a share: 70%, 0.7, or 70 where no share exceeds 1."""
    return parse.parse_fraction(row.name, text, most=row.bounds.most)


def probability(row: Input, text: str) -> float:
    """Parse a probability: 1 in 10,000, or a share."""
    return parse.parse_probability(row.name, text)


def part(row: Input, text: str, *, capacity_bytes: float = math.nan) -> float:
    """Parse a share, or a size, which is NaN as long as the capacity is not known."""
    try:
        return share(row, text)
    except DomainError:
        if not text or text[-1] not in "bB":
            raise
    return _part_of(parse.parse_bytes(row.name, text), capacity_bytes)


def size(row: Input, text: str) -> float:
    """Parse a size in bytes: 400GB."""
    return parse.parse_bytes(row.name, text)


def rate(row: Input, text: str, *, capacity_bytes: float = math.nan) -> float:
    """Parse a write rate; DWPD give NaN as long as the capacity is not known."""
    from planner.quantity.writes import parse_writes  # noqa: PLC0415 - a list of drives has none

    return parse_writes(row.name, text, capacity_bytes=capacity_bytes)


def rate_range(row: Input, text: str, *, capacity_bytes: float = math.nan) -> tuple[float, float]:
    """Parse the ends of a write rate: 5 GB/day..20 GB/day, 5 to 20 GB/day."""
    first, dots, second = text.partition("..")
    if ends := _stated_ends(row, text, capacity_bytes):
        low, high = ends
    elif dots:
        low, high = (rate(row, end, capacity_bytes=capacity_bytes) for end in (first, second))
    else:
        raise DomainError(f"{row.name} must be LOW..HIGH such as {row.example}, got {quoted(text)}")
    if low > high:
        raise DomainError(f"{row.name} must be low <= high, got {quoted(text)}")
    return row.inside(low, text), row.inside(high, text)


def _stated_ends(row: Input, text: str, capacity_bytes: float) -> tuple[float, float] | None:
    """Return the ends of a sentence that states both."""
    try:
        from planner.quantity.writes import statement  # noqa: PLC0415 - as above

        return statement(row.name, text).ends(capacity_bytes)
    except DomainError:
        return None


def block(row: Input, text: str) -> float:
    """Parse the size of an operation or a record: 4k."""
    return parse.parse_block(row.name, text)


def link_rate(row: Input, text: str) -> float:
    """Parse the rate of a network: 25Gb/s."""
    return parse.parse_link_rate(row.name, text)


def number(row: Input, text: str) -> float:
    """Parse a number, with or without the unit shown to people: 500k, 600 W."""
    unit = "" if row.shown_in in PLAIN_UNITS else row.shown_in
    return parse.parse_count(row.name, text, unit=unit)


def whole(row: Input, text: str) -> int:
    """Parse a whole number."""
    value = parse.parse_number(row.name, text)
    if value % 1:
        raise DomainError(f"{row.name} must be {row.bounds.words()}, got {quoted(text)}")
    return int(value)


def time(row: Input, text: str) -> float:
    """Parse a time; a bare number is in the unit shown to people."""
    return parse.parse_duration(row.name, text, bare=row.shown_in)


def temperature(row: Input, text: str) -> float:
    """Parse a temperature of storage or of a room, in degrees Celsius, in kelvin."""
    celsius = parse.parse_number(
        row.name, text.strip().removesuffix("C").rstrip(" \N{DEGREE SIGN}")
    )
    if not COLDEST_C <= celsius <= WARMEST_C:
        raise DomainError(
            f"{row.name} must be from {COLDEST_C:g} to {WARMEST_C:g} C, got {quoted(text)}"
        )
    return celsius + ZERO_CELSIUS_K


def day(row: Input, text: str) -> float:
    """Read a date on which there were drives to read."""
    moment_s = parse.parse_day(row.name, text)
    if not 0 <= moment_s < LAST_DAY_S:
        raise DomainError(f"{row.name} must be a date from 1970 to 2199, got {quoted(text)}")
    return moment_s


def quantity(row: Input, text: str) -> float:
    """Parse a number in a unit of its quantity; a bare number is in the unit shown to people."""
    return parse.parse_quantity(row.field, text, field=row.name)


def interval(row: Input, text: str) -> tuple[float, ...]:
    """Parse low:typical:high."""
    parts = text.split(":")
    if len(parts) != 3:
        expected = "low:typical:high, such as 20:60:160"
        raise DomainError(f"{row.name} must be {expected}, got {quoted(text)}")
    low, typical, high = (row.inside(quantity(row, part), text) for part in parts)
    if not low <= typical <= high:
        raise DomainError(f"{row.name} must be low <= typical <= high, got {quoted(text)}")
    return low, typical, high


def level(row: Input, text: str) -> str:
    """Parse a RAID level, an erasure code or a vdev of ZFS."""
    return parse.parse_level_name(row.name, text)


def keep(row: Input, text: str) -> Keep:
    """Parse the place of the data: 3 copies on 5 hosts."""
    return parse_keep(row.name, text)


def skew(row: Input, text: str) -> str:
    """Parse the skew of writes."""
    return parse.parse_skew_name(row.name, text)


def choice(row: Input, text: str) -> str:
    """Parse one of the choices, whatever its case, blanks and hyphens."""
    found = next((each for each in row.choices if _plain(each) == _plain(text)), None)
    if found is None:
        raise DomainError(f"{row.name} must be one of {', '.join(row.choices)}, got {quoted(text)}")
    return found


def _plain(text: str) -> str:
    return text.lower().replace("-", " ").replace("_", " ")


def words(_: Input, text: str) -> str:
    """Return free text; the record that takes it checks it."""
    return text


def flag(row: Input, text: str) -> bool:
    """Parse true or false, yes or no."""
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if text.lower() not in known:
        raise DomainError(f"{row.name} must be true or false, got {quoted(text)}")
    return known[text.lower()]


def step(row: Input, text: str) -> tuple[float, float]:
    """Parse a step of the writes: x1.5 after 2 years."""
    time_s, factor = parse.parse_step(row.name, text)
    row.inside(factor, text)
    if not COURSE.holds(time_s):
        years = f"{COURSE.words(YEAR_S)} years"
        raise DomainError(f"{row.name} must be after {years}, got {quoted(text)}")
    return time_s, factor


def reading(row: Input, text: str) -> tuple[float, float]:
    """Parse a number measured with writes over a span: 3.19@894GiB."""
    value, at, span = text.partition("@")
    number = row.inside(parse.parse_number(row.name, value), text)
    if not at:
        expected = f"a number at a span, such as {row.example}"
        raise DomainError(f"{row.name} must be {expected}, got {quoted(text)}")
    span_bytes = parse.parse_bytes(row.name, span)
    if not CAPACITY.holds(span_bytes):
        spans = f"{CAPACITY.words(GB)} GB"
        raise DomainError(f"{row.name} must be at a span {spans}, got {quoted(text)}")
    return number, span_bytes


def exchange_rate(row: Input, text: str) -> tuple[str, float]:
    """Parse what one unit of a currency is in USD: EUR=1.08."""
    name, sign, value = (part.strip() for part in text.partition("="))
    if not sign or not name.isalpha():
        raise DomainError(f"{row.name} must be NAME=USD such as {row.example}, got {quoted(text)}")
    number = parse.parse_number(row.name, value)
    if not row.bounds.holds(number):
        raise DomainError(f"{row.name} must be {row.bounds.words()} USD, got {quoted(text)}")
    return name.upper(), number


def fact(row: Input, text: str) -> tuple[str, float]:
    """Parse a fact of a drive that answers use: dies=32."""
    name, sign, value = (part.strip() for part in text.partition("="))
    if not sign:
        raise DomainError(f"{row.name} must be NAME=VALUE such as dies=32, got {quoted(text)}")
    refuse_unused(row.name, name)
    number = parse.parse_quantity(name, value)
    refuse_impossible(row.name, name, number, value)
    return name, number

"""Parse quantities as people write them: "4.8TB", "70%", "6 months"; writes are in `writes`.

The result is in base units; `planner.quantity.show` is the inverse. GB is always decimal and GiB
always binary; a bare "G" is refused because it could be either. Only the size of an operation or a
record may be "4k", which fio and ZFS take to be 4 KiB. Commas group thousands, 40,000; one that
cannot is a decimal comma, 0,3.
"""

import math
import re
from datetime import UTC, datetime

from models import units
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import DAY_S, HOUR_S, ZERO_CELSIUS_K
from planner.quantity.units import FACTORS, SIZES, units_of

LONGEST = 200  # characters of one input
_SHOWN = 60  # characters of a text in a message
LARGEST = 1e100  # no quantity is larger, and the product of a few such numbers is still finite
_PERIODS = {
    "us": units.US, "ms": units.MS, "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0,
    "minute": 60.0, "h": HOUR_S, "hour": HOUR_S, "d": DAY_S, "day": DAY_S, "week": units.WEEK_S,
    "month": units.YEAR_S / 12, "y": units.YEAR_S, "yr": units.YEAR_S, "year": units.YEAR_S,
}  # fmt: skip
_LEVELS = ("0", "1", "10", "5", "6")
_POOLS = ("raidz1", "raidz2", "raidz3")
_NO_LEVEL = "raid0 for several drives without redundancy, and left out for one drive"
# Levels without "raid", blanks and hyphens, by further names that people write.
_LEVEL_OF = {
    **{level: level for level in _LEVELS}, **{pool[4:]: pool for pool in _POOLS}, "z": "raidz1",
    "stripe": "0", "striped": "0", "mirror": "1", "mirrors": "1", "1+0": "10",
    "stripedmirror": "10", "stripedmirrors": "10",
}  # fmt: skip
# What to write for a name that needs another input, or is no level of an array.
_RATHER = {
    "50": "raid5 with sets of 2 or more for RAID 50", "5+0": "raid5 with sets of 2 or more",
    "60": "raid6 with sets of 2 or more for RAID 60", "6+0": "raid6 with sets of 2 or more",
    "jbod": _NO_LEVEL, "none": _NO_LEVEL, "no": _NO_LEVEL, "single": _NO_LEVEL,
}  # fmt: skip
_SKEW = re.compile(r"field|uniform|jesd219|[\d.]+/[\d.]+|zipf:[\d.]+")
_TENANTS = re.compile(r"\d+(\.\d+)?/\d+(\.\d+)?(\+\d+(\.\d+)?/\d+(\.\d+)?)+")
_CODE = re.compile(r"ec[: ]?([0-9]{1,4}\+[0-9]{1,4})|([0-9]{1,4}\+[2-9])")
_DRAID = re.compile(r"draid[1-3]?((?::[0-9]{1,3}[dcs])*)")
_SIZE_BY_LOWER = {name.lower(): size for name, size in SIZES.items()}
_BLOCKS = {"k": units.KIB, "m": units.MIB}  # as fio and ZFS write the size of a block
_MULTIPLES = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6}  # of what is counted
_BITS = {"kbit": 125.0, "mbit": 125e3, "gbit": 125e6}  # in bytes
_OF_LINKS = re.compile(r"([MG])(bit|b)/s|([mg])(bit/s|bps|be)")
_ODDS = re.compile(r"(.+?)\s+in\s+(.+)", re.IGNORECASE)
_THOUSANDS = r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?"
# A comma that groups no thousands is a decimal one: 0,3 and 1.234,5 but not 1,234.
_DECIMAL_COMMA = r"(?P<comma>\d{1,3}(?:\.\d{3})+,\d+|0+,\d+|\d+,(?:\d{1,2}|\d{4,}))"
_NUMBER = re.compile(
    rf"\s*(?P<number>[-+]?(?:{_THOUSANDS}|{_DECIMAL_COMMA}|\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
    r"\s*(?P<unit>[^\d.,].*?)?\s*",
    re.IGNORECASE,
)


def quoted(written: object) -> str:
    r"""Return a text in quotes for a message: on one line, and shortened.

    >>> quoted("4TB"), quoted("\n" + 100 * "x")
    ("'4TB'", "'\\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'")
    """
    shown = repr(str(written)[: _SHOWN + 1])
    return shown if len(shown) <= _SHOWN + 2 else f"{shown[:_SHOWN]}...{shown[0]}"


def shortened(written: object) -> str:
    """Return the result of `quoted` without the quotes.

    >>> shortened("4TB")
    '4TB'
    """
    return quoted(written)[1:-1]


def parse_number(field: str, written: str) -> float:
    """Parse a plain number; `field` is its name in the error message.

    >>> parse_number("pe_cycles", "40,000")
    40000.0
    """
    number, unit = _split(field, written, "a number")
    if unit:
        raise DomainError(f"{field} must be a number without a unit, got {quoted(written)}")
    return number


def parse_count(field: str, written: str, *, unit: str) -> float:
    """Parse a number in one unit, which may be left out; k and M are thousands and millions.

    >>> parse_count("iops", "500k", unit="IOPS"), parse_count("iops", "1.5 M IOPS", unit="IOPS")
    (500000.0, 1500000.0)
    """
    number, rest = _split(field, written, "a number")
    own = rest.lower().endswith(unit.lower())
    multiple = _MULTIPLES.get(rest[: len(rest) - len(unit)].strip() if own else rest)
    if multiple is None:
        expected = f"a number in {unit}" if unit else "a number without a unit"
        raise DomainError(f"{field} must be {expected}, got {quoted(written)}")
    return number * multiple


def parse_fraction(field: str, written: str, *, most: float = math.inf) -> float:
    """Parse a share: "70%" or "0.7".

    A bare whole number above 1 is in percent where no share exceeds 1, which `most` says; where
    shares may, one above 1 is refused.

    >>> parse_fraction("read_fraction", "70%"), parse_fraction("read_fraction", "70", most=1.0)
    (0.7, 0.7)
    """
    number, unit = _split(field, written, "a share such as 70% or 0.7")
    if unit not in ("", "%"):
        raise DomainError(f"{field} must be a share such as 70% or 0.7, got {quoted(written)}")
    if not unit and most > 1 and number > 1:
        either = f"{number:g}% or {100 * number:g}%"
        raise DomainError(f"{field} must be with its unit, {either}, got {quoted(written)}")
    if unit or most > 1 or number <= 1:
        return number / 100 if unit else number
    if number != int(number):
        raise DomainError(
            f"{field} must be in [0, 1] or a share such as '70%', got {quoted(written)}"
        )
    return number / 100


def parse_probability(field: str, written: str) -> float:
    """Parse a probability: "1 in 10,000" as it is printed, or a share, "0.01%".

    >>> parse_probability("max_loss", "1 in 10,000"), parse_probability("max_loss", "0.01%")
    (0.0001, 0.0001)
    >>> parse_probability("max_loss", "2 in 1")
    Traceback (most recent call last):
    models.errors.DomainError: max_loss must be odds such as 1 in 10,000, got '2 in 1'
    """
    odds = _ODDS.fullmatch(written)
    if odds is None:
        expected = "odds such as 1 in 10,000, or a share such as 0.01%"
        if _split(field, written, expected)[1] not in ("", "%"):
            raise DomainError(f"{field} must be {expected}, got {quoted(written)}")
        return parse_fraction(field, written, most=1.0)
    few, many = (parse_number(field, part) for part in odds.groups())
    if not 0 <= few <= many or not many:
        raise DomainError(f"{field} must be odds such as 1 in 10,000, got {quoted(written)}")
    return few / many


def parse_bytes(field: str, written: str) -> float:
    """Parse a size in bytes: decimal KB .. PB or binary KiB .. PiB.

    >>> parse_bytes("capacity", "4.8TB")
    4800000000000.0
    """
    number, unit = _split(field, written, "a size such as 400 GB or 512 GiB")
    return number * _size(field, written, unit, "a size such as 400 GB or 512 GiB")


def parse_block(field: str, written: str) -> float:
    """Parse the size of an operation or a record; k and M alone are KiB and MiB.

    >>> parse_block("size", "4k"), parse_block("size", "1M"), parse_block("size", "4 KB")
    (4096.0, 1048576.0, 4000.0)
    """
    expected = "a size such as 4k or 128 KiB"
    number, unit = _split(field, written, expected)
    return number * (_BLOCKS.get(unit.lower()) or _size(field, written, unit, expected))


def parse_link_rate(field: str, written: str) -> float:
    """Parse the rate of a network in bytes per second: bits as links are sold, or bytes.

    >>> parse_link_rate("network", "25 Gb/s"), parse_link_rate("network", "100GbE")
    (3125000000.0, 12500000000.0)
    >>> parse_link_rate("network", "2.5 GB/s")
    2500000000.0
    """
    expected = "a rate such as 25 Gb/s, 25GbE or 3.125 GB/s"
    number, unit = _split(field, written, expected)
    bits = _OF_LINKS.fullmatch(unit) or _OF_LINKS.fullmatch(unit.lower())
    if bits:
        return number * _BITS[f"{(bits[1] or bits[3]).lower()}bit"]
    size, _, period = unit.partition("/")
    if unit == unit.lower():
        raise DomainError(f"{field} must be {expected}, got {quoted(written)}")
    return (
        number * _size(field, written, size, expected) / _period_s(field, written, period, expected)
    )


def parse_duration(
    field: str,
    written: str,
    *,
    bare: str = "",
    expected: str = "a time such as 6 months or 2 years",
) -> float:
    """Parse a time in seconds; a month is a twelfth of a 365-day year.

    `bare` is the unit of a number without a unit; without `bare` such a number is refused.

    >>> parse_duration("phase_in", "2 years") / DAY_S, parse_duration("years", "2", bare="years")
    (730.0, 63072000.0)
    """
    number, unit = _split(field, written, expected)
    return number * _period_s(field, written, unit or bare, expected)


def parse_day(field: str, written: str) -> float:
    """Parse a date as seconds since 1970.

    >>> parse_day("since", "1970-01-02")
    86400.0
    """
    try:
        moment = datetime.fromisoformat(written.strip())
    except ValueError:
        expected = f"{field} must be a date such as 2023-05-31"
        raise DomainError(f"{expected}, got {quoted(written)}") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def parse_step(field: str, written: str) -> tuple[float, float]:
    """Parse a step of the writes: its time in seconds, and its factor.

    >>> parse_step("step", "x1.5 after 10 days")
    (864000.0, 1.5)
    """
    expected = "a factor and a time such as x1.5 after 2 years"
    factor, separator, time = str(written).partition(" after ")
    number, unit = _split(field, factor.strip().removeprefix("x"), expected)
    if not separator or unit:
        raise DomainError(f"{field} must be {expected}, got {quoted(written)}")
    return parse_duration(field, time, expected=expected), number


def _period_s(field: str, written: str, period: str, expected: str) -> float:
    seconds = _PERIODS.get(period.lower()) or _PERIODS.get(period.lower().removesuffix("s"))
    if seconds is None:
        raise DomainError(f"{field} must be {expected}, got {quoted(written)}")
    return seconds


def parse_level_name(field: str, written: str) -> str:
    """Parse a RAID level, an erasure code, or a vdev as ZFS writes it.

    >>> parse_level_name("raid", "RAID 5"), parse_level_name("raid", "ec:8+3")
    ('5', 'ec:8+3')
    >>> parse_level_name("raid", "RAIDZ"), parse_level_name("raid", "dRAID2:8d:24c:1s")
    ('raidz1', 'draid2:8d:24c:1s')
    >>> parse_level_name("raid", "RAID 1+0"), parse_level_name("raid", "mirror")
    ('10', '1')
    """
    name = str(written).strip().lower()
    if _is_draid(name):
        return name
    if code := _CODE.fullmatch(name):
        return f"ec:{code[1] or code[2]}"
    plain = re.sub(r"[ _-]", "", name).replace("raid", "", 1)
    if plain not in _LEVEL_OF:
        levels = ", ".join((*(f"raid{level}" for level in _LEVELS), *_POOLS))
        expected = _RATHER.get(plain, f"one of {levels}, ec:K+M or draid2:8d:24c:1s")
        raise DomainError(f"{field} must be {expected}, got {quoted(written)}")
    return _LEVEL_OF[plain]


def _is_draid(name: str) -> bool:
    """Whether a name is a dRAID vdev, each of its numbers given once."""
    match = _DRAID.fullmatch(name)
    if match is None:
        return False
    letters = [part[-1] for part in match[1].split(":")[1:]]
    return len(letters) == len(set(letters))


def parse_skew_name(field: str, written: str) -> str:
    """Parse the skew of writes: "field", "uniform", "80/20", "zipf:0.99", tenants or "jesd219".

    >>> parse_skew_name("skew", " 80/20 ")
    '80/20'
    """
    name = str(written).strip().lower()
    if not (_SKEW.fullmatch(name) or _TENANTS.fullmatch(name)):
        expected = "field, uniform, 80/20, zipf:0.99, tenants as 70/10+20/30+10/60 or jesd219"
        raise DomainError(f"{field} must be {expected}, got {quoted(written)}")
    return name


def parse_quantity(name: str, written: str, *, field: str = "") -> float:
    """Parse a value of quantity `name` into base units; a bare number is in the unit shown.

    `field` is the name in the error message, by default `name`.

    >>> parse_quantity("erase_s", "4"), parse_quantity("erase_s", "4000 us")
    (0.004, 0.004)
    >>> parse_quantity("limit_k", "80 C")
    353.15
    """
    if name not in QUANTITIES:
        raise DomainError(f"{shortened(name)} must be a quantity such as dies, read_s or raw_bytes")
    quantity = QUANTITIES[name]
    accepted = units_of(quantity)
    expected = f"a number in {', '.join(accepted)}"
    number, unit = _split(field or name, written, expected)
    by_lower = {option.lower(): option for option in accepted}
    match = by_lower.get(unit.lower() or quantity.shown_in.lower())
    if match is None:
        raise DomainError(f"{field or name} must be {expected}, got {quoted(written)}")
    return number + ZERO_CELSIUS_K if match == "C" else number * FACTORS[match]


def unit_of(written: str) -> str:
    """Return the unit after the number of a text; nothing where it does not begin with one.

    >>> unit_of("-1 GB/day"), unit_of("32")
    ('GB/day', '')
    """
    match = _NUMBER.fullmatch(written)
    return (match["unit"] or "") if match else ""


def _split(field: str, written: str, expected: str) -> tuple[float, str]:
    text = str(written)
    match = _NUMBER.fullmatch(text) if len(text) <= LONGEST else None
    if match is None:
        raise DomainError(f"{field} must be {expected}, got {quoted(written)}")
    plain = match["number"]
    if match["comma"]:
        plain = plain.replace(".", "").replace(",", ".")
    number = float(plain.replace(",", ""))
    if abs(number) > LARGEST:
        raise DomainError(f"{field} must be a number up to {LARGEST:g}, got {quoted(written)}")
    return number, match["unit"] or ""


def _size(field: str, written: str, unit: str, expected: str) -> float:
    size = _SIZE_BY_LOWER.get(unit.lower())
    if size is None:
        raise DomainError(f"{field} must be {expected}, got {quoted(written)}")
    return size

"""Parse quantities as people write them: "50 GiB/day", "0.3 DWPD", "4.8TB", "70%".

The result is in base units; `planner.quantity.show` is the inverse. GB is always decimal and GiB
always binary; a bare "G" is refused because it could be either.
"""

import re
from datetime import UTC, datetime

from models import units
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import DAY_S, HOUR_S
from planner.quantity.units import FACTORS, SIZES, units_of

__all__ = [
    "LARGEST",
    "LONGEST",
    "parse_bytes",
    "parse_day",
    "parse_duration",
    "parse_fraction",
    "parse_level_name",
    "parse_number",
    "parse_quantity",
    "parse_skew_name",
    "parse_step",
    "parse_writes",
    "quoted",
    "shortened",
]

LONGEST = 200  # characters of one input
_SHOWN = 60  # characters of a text in a message
LARGEST = 1e100  # no quantity is larger, and the product of a few such numbers is still finite
_PERIODS = {
    "us": units.US, "ms": units.MS, "s": 1.0, "sec": 1.0, "second": 1.0, "h": HOUR_S,
    "hour": HOUR_S, "d": DAY_S, "day": DAY_S, "week": units.WEEK_S, "month": units.YEAR_S / 12,
    "year": units.YEAR_S,
}  # fmt: skip
_LEVELS = ("0", "1", "10", "5", "6")
_POOLS = ("raidz1", "raidz2", "raidz3")
_SKEW = re.compile(r"field|uniform|jesd219|[\d.]+/[\d.]+|zipf:[\d.]+")
_CODE = re.compile(r"ec:[0-9]{1,4}\+[0-9]{1,4}")
_DRAID = re.compile(r"draid[1-3]?((?::[0-9]{1,3}[dcs])*)")
_SIZE_BY_LOWER = {name.lower(): size for name, size in SIZES.items()}
_NUMBER = re.compile(
    r"\s*([-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([^\d.,].*?)?\s*",
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


def parse_fraction(field: str, written: str) -> float:
    """Parse a share: "70%" or "0.7".

    >>> parse_fraction("read_fraction", "70%")
    0.7
    """
    number, unit = _split(field, written, "a share such as 70% or 0.7")
    if unit not in ("", "%"):
        raise DomainError(f"{field} must be a share such as 70% or 0.7, got {quoted(written)}")
    return number / 100 if unit else number


def parse_bytes(field: str, written: str) -> float:
    """Parse a size in bytes: decimal KB .. PB or binary KiB .. PiB.

    >>> parse_bytes("capacity", "4.8TB")
    4800000000000.0
    """
    number, unit = _split(field, written, "a size such as 400 GB or 512 GiB")
    return number * _size(field, written, unit, "a size such as 400 GB or 512 GiB")


def parse_writes(field: str, written: str, *, capacity_bytes: float) -> float:
    """Parse a write rate in bytes per second; 1 DWPD is `capacity_bytes` per day, 0 needs no unit.

    >>> round(parse_writes("writes", "1 DWPD", capacity_bytes=864e9))
    10000000
    """
    wanted = "a rate such as 50 GiB/day, 20 MB/s or 0.3 DWPD"
    number, unit = _split(field, written, wanted)
    if number == 0 and not unit:
        return 0.0
    if unit.upper() == "DWPD":
        return number * capacity_bytes / DAY_S
    size, _, period = (part.strip() for part in unit.partition("/"))
    return number * _size(field, written, size, wanted) / _period_s(field, written, period, wanted)


def parse_duration(
    field: str, written: str, *, bare: str = "", wanted: str = "a time such as 6 months or 2 years"
) -> float:
    """Parse a time in seconds; a month is a twelfth of a 365-day year.

    `bare` is the unit of a number without a unit; without `bare` such a number is refused.

    >>> parse_duration("phase_in", "2 years") / DAY_S, parse_duration("years", "2", bare="years")
    (730.0, 63072000.0)
    """
    number, unit = _split(field, written, wanted)
    return number * _period_s(field, written, unit or bare, wanted)


def parse_day(field: str, written: str) -> float:
    """Parse a date as seconds since 1970.

    >>> parse_day("since", "1970-01-02")
    86400.0
    """
    try:
        moment = datetime.fromisoformat(written.strip())
    except ValueError:
        wanted = f"{field} must be a date such as 2023-05-31"
        raise DomainError(f"{wanted}, got {quoted(written)}") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def parse_step(field: str, written: str) -> tuple[float, float]:
    """Parse a step of the writes: its time in seconds, and its factor.

    >>> parse_step("step", "x1.5 after 10 days")
    (864000.0, 1.5)
    """
    wanted = "a factor and a time such as x1.5 after 2 years"
    factor, separator, time = str(written).partition(" after ")
    number, unit = _split(field, factor.strip().removeprefix("x"), wanted)
    if not separator or unit:
        raise DomainError(f"{field} must be {wanted}, got {quoted(written)}")
    return parse_duration(field, time, wanted=wanted), number


def _period_s(field: str, written: str, period: str, wanted: str) -> float:
    seconds = _PERIODS.get(period.lower()) or _PERIODS.get(period.lower().removesuffix("s"))
    if seconds is None:
        raise DomainError(f"{field} must be {wanted}, got {quoted(written)}")
    return seconds


def parse_level_name(field: str, written: str) -> str:
    """Parse a RAID level, an erasure code, or a vdev as ZFS writes it.

    >>> parse_level_name("raid", "RAID 5"), parse_level_name("raid", "ec:8+3")
    ('5', 'ec:8+3')
    >>> parse_level_name("raid", "RAIDZ"), parse_level_name("raid", "dRAID2:8d:24c:1s")
    ('raidz1', 'draid2:8d:24c:1s')
    """
    name = str(written).strip().lower()
    if _CODE.fullmatch(name) or _is_draid(name):
        return name
    pool = "raidz1" if name == "raidz" else name.replace("-", "")
    if pool in _POOLS:
        return pool
    plain = name.removeprefix("raid").strip()
    if plain not in _LEVELS:
        levels = ", ".join((*(f"raid{level}" for level in _LEVELS), *_POOLS))
        others = "ec:K+M or draid2:8d:24c:1s"
        raise DomainError(f"{field} must be one of {levels}, {others}, got {quoted(written)}")
    return plain


def _is_draid(name: str) -> bool:
    """Whether a name is a dRAID vdev, each of its numbers given once."""
    match = _DRAID.fullmatch(name)
    if match is None:
        return False
    letters = [part[-1] for part in match[1].split(":")[1:]]
    return len(letters) == len(set(letters))


def parse_skew_name(field: str, written: str) -> str:
    """Parse the skew of writes: "field", "uniform", "80/20", "zipf:0.99" or "jesd219".

    >>> parse_skew_name("skew", " 80/20 ")
    '80/20'
    """
    name = str(written).strip().lower()
    if not _SKEW.fullmatch(name):
        wanted = "field, uniform, 80/20, zipf:0.99 or jesd219"
        raise DomainError(f"{field} must be {wanted}, got {quoted(written)}")
    return name


def parse_quantity(name: str, written: str, *, field: str = "") -> float:
    """Parse a value of quantity `name` into base units; a bare number is in the unit shown.

    `field` is the name in the error message, by default `name`.

    >>> parse_quantity("erase_s", "4"), parse_quantity("erase_s", "4000 us")
    (0.004, 0.004)
    """
    if name not in QUANTITIES:
        raise DomainError(f"{shortened(name)} must be a quantity such as dies, read_s or raw_bytes")
    quantity = QUANTITIES[name]
    accepted = units_of(quantity)
    wanted = f"a number in {', '.join(accepted)}"
    number, unit = _split(field or name, written, wanted)
    by_lower = {option.lower(): option for option in accepted}
    match = by_lower.get(unit.lower() or quantity.shown_in.lower())
    if match is None:
        raise DomainError(f"{field or name} must be {wanted}, got {quoted(written)}")
    return number * FACTORS[match]


def _split(field: str, written: str, wanted: str) -> tuple[float, str]:
    text = str(written)
    match = _NUMBER.fullmatch(text) if len(text) <= LONGEST else None
    if match is None:
        raise DomainError(f"{field} must be {wanted}, got {quoted(written)}")
    number = float(match[1].replace(",", ""))
    if abs(number) > LARGEST:
        raise DomainError(f"{field} must be a number up to {LARGEST:g}, got {quoted(written)}")
    return number, match[2] or ""


def _size(field: str, written: str, unit: str, wanted: str) -> float:
    size = _SIZE_BY_LOWER.get(unit.lower())
    if size is None:
        raise DomainError(f"{field} must be {wanted}, got {quoted(written)}")
    return size

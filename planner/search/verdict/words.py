"""Numbers of a verdict in words: two digits are what a decision needs."""

import math
from collections.abc import Iterable

from models.units import DAY_S, HOUR_S, MS, US, YEAR_S
from planner.catalogue.priors import Assumption
from planner.quantity.show import odds
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range

# Assumed facts, in the words of a sentence.
FACTS = {
    "pe_cycles": "P/E cycles",
    "raw_bytes": "raw flash",
    "background_rewrites_per_s": "background writes",
    "field_copy_ratio": "write pattern",
    "rated_dwpd": "rating",
    "rated_bytes": "rating",
    "warranty_s": "warranty",
    "rating_period_s": "period of the rating",
    "price_usd": "price",
    "worst_case_iops": "worst case",
    "stall_s": "GC stalls",
}
MOST_NAMED = 3
_UNITS = (("us", US), ("ms", MS), ("s", 1.0), ("min", 60.0), ("hours", HOUR_S), ("days", DAY_S))
# Of each unit, the seconds from which the next one is used.
_MOST = {"us": MS, "ms": 1.0, "s": 300.0, "min": 2 * HOUR_S, "hours": 3 * DAY_S, "days": 2 * YEAR_S}
MOST_YEARS = 1000.0


def years(part: Range) -> str:
    """Write a date as years, as a range where it is one.

    >>> years(Range(12 * YEAR_S, 20 * YEAR_S, 49 * YEAR_S, "prior"))
    '12 to 49 years'
    >>> years(Range(480 * YEAR_S, 900 * YEAR_S, 2000 * YEAR_S, "prior"))
    '480 to over 1,000 years'
    """
    low, high = (_years(end / YEAR_S) for end in (part.low, part.high))
    unit = "year" if low == high == "1" else "years"
    return f"{low} {unit}" if low == high else f"{low} to {high} {unit}"


def _years(value: float) -> str:
    return f"over {MOST_YEARS:,.0f}" if value > MOST_YEARS else two(value)


def two(value: float) -> str:
    """Write a number to two digits, and all of those before the point.

    >>> two(1.52), two(4096.0), two(0.0288), two(600.0), two(99.7)
    ('1.5', '4,100', '0.029', '600', '100')
    """
    return f"{float(f'{value:.2g}'):,.10g}"


def over(value: float) -> str:
    """Write a number that a value exceeds, to one digit.

    >>> over(22.4), over(160.0), over(9.97), over(1234.0)
    ('20', '100', '9', '1,000')
    """
    power = 10.0 ** math.floor(math.log10(value))
    return f"{math.floor(value / power) * power:,.10g}"


def three(value: float) -> str:
    """Write a number to three digits.

    >>> three(906783.0), three(0.39512)
    ('907,000', '0.395')
    """
    return f"{float(f'{value:.3g}'):,.10g}"


def duration(seconds: float) -> str:
    """Write a time in the unit that people would use.

    >>> [duration(value) for value in (65e-6, 1.39e-3, 112.0, 1422.0, 90000.0, 4e7)]
    ['65 us', '1.39 ms', '112 s', '23.7 min', '25 hours', '463 days']
    """
    unit, size = _unit_of(seconds)
    return f"{three(seconds / size)} {unit}"


def lasting(part: Range) -> str:
    """Write a time with its ends, all in one unit.

    >>> lasting(Range(85.5, 112.0, 162.0, "prior"))
    '112 s (86 to 160)'
    """
    unit, size = _unit_of(part.typical)
    return f"{three(part.typical / size)} {unit}{ends(part, size=size)}"


def _unit_of(seconds: float) -> tuple[str, float]:
    return next((each for each in _UNITS if seconds < _MOST[each[0]]), ("years", YEAR_S))


def percent(share: float) -> str:
    """Write a share of a rating: two digits, never 100 % of what is less.

    >>> percent(0.0913), percent(0.9994), percent(3.69), percent(1e-5)
    ('9.1 %', 'over 99 %', '369 %', 'below 0.01 %')
    """
    if share < 1e-4:
        return "below 0.01 %" if share else "0 %"
    if 0.99 < share < 1:
        return "over 99 %"
    return f"{100 * share:,.0f} %" if share > 1 else f"{two(100 * share)} %"


def percents(low: float, high: float) -> str:
    """Write two shares of a rating as a range.

    >>> percents(0.16, 0.26), percents(0.002, 0.002)
    ('16 to 26 %', '0.2 %')
    """
    ends = dict.fromkeys((percent(low), percent(high)))
    return " to ".join(ends).replace(" % to", " to")


def ends(part: Range, *, size: float = 1.0, sign: str = " to ", unit: str = "") -> str:
    """Write the ends of a range in brackets, in units of a size; nothing where they are one.

    >>> ends(Range(8800.0, 18000.0, 35000.0, "prior")), ends(Range(1.0, 1.0, 1.0, "fact"))
    (' (8,800 to 35,000)', '')
    """
    low, high = (f"{two(end / size)}{unit}" for end in (part.low, part.high))
    return f" ({low}{sign}{high})" if part.is_wide else ""


def chance(probability: float) -> str:
    """Write a probability as people weigh it.

    Losses rarer than a millionth get the same words: no model of drives alone is right about them.

    >>> chance(0.0288), chance(0.62), chance(0.9999), chance(1e-9)
    ('about 1 in 35', 'about 62 in 100', 'almost certain', 'below 1 in 1,000,000')
    """
    written = odds(probability)
    return f"about {written}" if written[0].isdigit() else written


def unknown_facts(plan: PlanReading, *keys: str) -> tuple[str, ...]:
    """Name the assumed facts that make some numbers wide, the widest first."""
    items = plan.behind(*(plan.reading[key] for key in keys))
    ranges = (item for item in items if item.is_range)
    wide = sorted(ranges, key=lambda item: _low_over_high(plan, item))
    names = dict.fromkeys(FACTS[item.quantity] for item in wide if item.quantity in FACTS)
    return tuple(names)[:MOST_NAMED]


def _low_over_high(plan: PlanReading, item: Assumption) -> float:
    """Return the low over the high of a range; for background writes, that of the wear."""
    if item.quantity != "background_rewrites_per_s":
        return item.low / item.high
    wa, whole = plan.reading.numbers("workload_wa", "background_wa")
    each = (whole - wa) / item.typical
    return float((wa + each * item.low) / (wa + each * item.high))


def capital(text: str) -> str:
    """Begin a text as a sentence begins.

    >>> capital("take a PM893 3.84 TB")
    'Take a PM893 3.84 TB'
    """
    return text[:1].upper() + text[1:]


def join(names: Iterable[str]) -> str:
    """Join names as a sentence does.

    >>> join(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last

"""Numbers of a verdict in words: two digits are what a decision needs."""

from collections.abc import Iterable

from planner.catalogue.priors import Assumption
from planner.quantity.show import span, text
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range

# What is assumed, in the words of a sentence.
FACTS = {
    "pe_cycles": "its program/erase cycles",
    "raw_bytes": "its raw flash",
    "background_rewrites_per_s": "what it rewrites by itself",
    "field_copy_ratio": "the pattern of the writes",
    "rated_dwpd": "its rating",
    "rated_bytes": "its rating",
    "warranty_s": "its warranty",
    "rating_period_s": "the period of its rating",
    "price_usd": "its price",
    "worst_case_iops": "its worst case",
}
MOST_NAMED = 2
RARE = 1e-6
CERTAIN = 0.995


def years(part: Range) -> str:
    """Write a date as years, as a range where it is one.

    >>> from models.units import YEAR_S
    >>> years(Range(12 * YEAR_S, 20 * YEAR_S, 49 * YEAR_S, "prior"))
    '12 to 49 years'
    """
    return ranged("wear_life_s", part)


def ranged(key: str, part: Range, *, digits: int = 2) -> str:
    """Write a number with its unit, as a range where it is one."""
    if not part.is_wide:
        return text(key, part.typical, digits=digits + 1)
    unit = text(key, part.high, digits=digits).partition(" ")[2]
    return f"{span(key, part.low, part.high, digits=digits)} {unit}".strip()


def chance(probability: float) -> str:
    """Write a probability as people weigh it.

    Losses rarer than `RARE` get the same words: no model of drives alone is right about them.

    >>> chance(0.0288), chance(0.62), chance(0.9999), chance(1e-9)
    ('about 1 in 35', 'about 62 in 100', 'almost certain', 'less than 1 in 1,000,000')
    """
    if probability < RARE:
        return f"less than 1 in {1 / RARE:,.0f}"
    if probability > CERTAIN:
        return "almost certain"
    if probability > 1 / 3:
        return f"about {100 * probability:.0f} in 100"
    return f"about 1 in {float(f'{1 / probability:.2g}'):,.0f}"


def unknown_facts(plan: PlanReading, *keys: str) -> str:
    """Name what is not known and makes some numbers wide, the widest first."""
    items = plan.behind(*(plan.reading[key] for key in keys))
    ranges = (item for item in items if item.is_range)
    wide = sorted(ranges, key=lambda item: _low_over_high(plan, item))
    names = dict.fromkeys(FACTS[item.quantity] for item in wide if item.quantity in FACTS)
    named = list(names)[:MOST_NAMED]
    return f"{join(named)} {'is' if len(named) == 1 else 'are'} not known" if named else ""


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

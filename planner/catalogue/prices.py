"""Prices of drives: their kinds and dates, and the adjustment of old ones to today.

A price of an accepted kind is compared unchanged if it is new enough. An older or a used one is
adjusted to today by the index of its class and joined with the curve of such drives
(`planner.catalogue.price_curve`). A drive without a price costs what that curve says. Both are
ranges.
"""

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from models.units import DAY_S, YEAR_S
from planner.catalogue.drive import Drive
from planner.catalogue.offers import PriceRange
from planner.catalogue.price_curve import (
    carried_range,
    curve_range,
    first_day,
    last_day,
    price_kind,
)
from planner.quantity.show import text

KINDS = ("new", "used", "list", "quote")
COMPETING = ("new", "list", "quote")
OFFERED_S = 2 * YEAR_S  # for which a drive with a price is taken to be sold
_DAY = re.compile(r"\b((?:19|20)\d\d)(?:-(\d\d))?(?:-(\d\d))?\b")
_LISTED = ("msrp", "launch", "list price")


class Price(NamedTuple):
    """A price of one drive, its kind, and its day as far as that is known, "" if not at all."""

    usd: float
    kind: str
    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceTerms:
    """Prices that are compared unchanged: of these kinds, at most so old on this day.

    `usd_each` is what one unit of the currency of all amounts is in USD.
    """

    today: date
    age_s: float = YEAR_S
    kinds: tuple[str, ...] = COMPETING
    usd_each: float = 1.0

    def takes(self, price: Price) -> bool:
        """Whether a price is compared unchanged; a quote without a date counts as today's.

        >>> terms = PriceTerms(today=date(2026, 7, 1))
        >>> [terms.takes(Price(100.0, kind, day)) for kind, day in (
        ...     ("new", "2025-07-23"), ("new", "2025"), ("used", "2026-06-30"), ("quote", ""),
        ...     ("quote", "2026-07-02"))]
        [True, False, False, True, False]
        """
        if price.kind not in self.kinds:
            return False
        if not price.day:
            return price.kind == "quote"
        return not self.is_to_come(price) and self._age_s(price) <= self.age_s

    def is_to_come(self, price: Price) -> bool:
        """Whether a quote is dated after the day of the question."""
        return price.kind == "quote" and bool(price.day) and self._age_s(price) < 0

    def _age_s(self, price: Price) -> float:
        return (self.today - first_day(price.day)).days * DAY_S


def price_of(drive: Drive) -> Price | None:
    """Return the price of a drive that its facts state, assumed ones apart.

    >>> from planner.catalogue import find, load
    >>> price_of(find(load(), "870 EVO 4TB"))[1:]
    ('new', '2025-07-23')
    """
    facts = (drive.facts.get("price_usd"), *drive.passed_over.get("price_usd", ()))
    fact = next((fact for fact in facts if fact is not None and fact.kind != "assumption"), None)
    if fact is None:
        return None
    day = _DAY.search(fact.condition)
    words = fact.condition.lower()
    is_list = any(word in words for word in _LISTED)
    kind = "used" if "used" in words else "list" if is_list else "new"
    return Price(fact.value, "quote" if fact.kind == "user" else kind, day[0] if day else "")


def priced_text(drive: Drive) -> str:
    """Format the kind and date of a drive's price, or that it is by a curve.

    >>> from planner.catalogue import find, load
    >>> drive = find(load(), "870 EVO 4TB")
    >>> terms = PriceTerms(today=date(2026, 10, 1))
    >>> [priced_text(each) for each in (drive, priced(drive, terms))]
    ['new, 2025-07-23', 'new, 2025-07-23, carried to today']
    """
    price, basis = price_of(drive), basis_of(drive)
    if basis == "curve" or price is None:
        return (basis and f"curve, {last_day(price_kind(drive).segment)}") or ""
    parts = (price.kind, price.day, "" if drive.quote is None else str(drive.quote))
    text = ", ".join(part for part in parts if part)
    return text if basis == "stated" else f"{text}, carried to today"


def dated_text(drive: Drive) -> str:
    """Format the price of a drive, its 90 % range where it is one, its kind and its date.

    >>> from planner.catalogue import find, load
    >>> terms = PriceTerms(today=date(2026, 10, 1))
    >>> dated_text(priced(find(load(), "870 EVO 4TB"), terms))
    '760 USD (490 to 1,200), new, 2025-07-23, carried to today'
    >>> dated_text(priced(find(load(), "7450 PRO 7.68"), terms))
    '4,300 USD (2,500 to 10,000), curve, 2026-09'
    """
    fact, words = drive.facts.get("price_usd"), priced_text(drive)
    if drive.price_range is None and fact is None:
        return ""
    if fact is not None and fact.kind != "assumption":
        return f"{text('price_usd', fact.value)}, {words}"
    known = _assumed(drive)
    low, typical, high = (
        f"{float(f'{end:.2g}'):,.0f}" for end in (known.low, known.typical, known.high)
    )
    return f"{typical} USD ({low} to {high}), {words}"


def price_record(drive: Drive) -> dict[str, object]:
    """Return the kind and date of a price, and its basis: as stated, carried or by the curve."""
    price, basis = price_of(drive), basis_of(drive)
    if basis == "curve" or price is None:
        last = last_day(price_kind(drive).segment) if basis else None
        return {"price_kind": basis, "price_date": last, "price_basis": basis}
    kind, day = price.kind, price.day or None
    return {"price_kind": kind, "price_date": day, "price_basis": basis}


def is_on_offer(drive: Drive, terms: PriceTerms) -> bool:
    """Whether it can be bought: it is quoted, or a price of the last two years may compete.

    >>> from planner.catalogue import find, load
    >>> terms = PriceTerms(today=date(2026, 10, 1))
    >>> [is_on_offer(find(load(), name), terms) for name in ("870 EVO 4TB", "840 250")]
    [True, False]
    """
    price = price_of(drive)
    return drive.quote is not None or (
        price is not None and replace(terms, age_s=max(terms.age_s, OFFERED_S)).takes(price)
    )


def basis_of(drive: Drive) -> str | None:
    """Return "stated" of a price as it is, "carried" or "curve" of a range, None without any.

    >>> from planner.catalogue import find, load
    >>> basis_of(find(load(), "870 EVO 4TB"))
    'stated'
    """
    fact, band = drive.facts.get("price_usd"), drive.price_range
    if fact is not None and fact.kind != "assumption":
        return "stated"
    if band is None:
        return None if fact is None else "curve"
    return "carried" if band.is_carried else "curve"


def priced(drive: Drive, terms: PriceTerms) -> Drive:
    """Return the drive with a price that competes, or without: then with the range of today.

    >>> from planner.catalogue import find, load
    >>> drive = priced(find(load(), "870 EVO 4TB"), PriceTerms(today=date(2026, 10, 1)))
    >>> drive.value("price_usd") is None, [round(each) for each in drive.price_range[:3]]
    (True, [492, 765, 1190])
    """
    price = price_of(drive)
    fact = drive.facts.get("price_usd")
    if price is not None and fact is not None and not _why_not(drive, price, terms):
        value = fact.value if fact.kind == "user" else fact.value / terms.usd_each
        return replace(drive, facts={**drive.facts, "price_usd": replace(fact, value=value)})
    if not drive.capacity_gb:
        return drive  # of a size that nobody stated
    is_own = fact is not None and fact.kind == "user"
    carried = None if price is None else _carried(drive, price, terms, is_own=is_own)
    band = carried or curve_range(drive, terms.today)
    low, typical, high = (each / terms.usd_each for each in band[:3])
    facts = {name: each for name, each in drive.facts.items() if name != "price_usd"}
    before = drive.passed_over.get("price_usd", ())
    passed = {**drive.passed_over, "price_usd": before if fact is None else (fact, *before)}
    return replace(
        drive, facts=facts, passed_over=passed,
        price_range=band._replace(low=low, typical=typical, high=high),
    )  # fmt: skip


def quote_reason(drive: Drive, terms: PriceTerms) -> str:
    r"""Return the reason that a quote is not compared as it is, and the price that counts instead.

    >>> from planner.catalogue import find, load
    >>> from planner.catalogue.quotes import read_quotes
    >>> table = b"model,price,price_date\n870 EVO 4TB,700,2026-11-02\n"
    >>> (drive,) = read_quotes([("q.csv", table)], load(), currency="USD", rates={}).drives
    >>> terms = PriceTerms(today=date(2026, 10, 1))
    >>> quote_reason(priced(drive, terms), terms)
    'quote of 2026-11-02 is dated after 2026-10-01: priced by the curve instead, 470 to 1,800 USD'
    """
    price, band = price_of(drive), drive.price_range
    why = "" if price is None or drive.quote is None else _why_not(drive, price, terms)
    if not why or band is None:
        return why
    instead = "adjusted to today" if band.is_carried else "priced by the curve instead"
    low, high = (f"{float(f'{each * terms.usd_each:.2g}'):,.0f}" for each in (band.low, band.high))
    return f"{why}: {instead}, {low} to {high} USD"


def _why_not(drive: Drive, price: Price, terms: PriceTerms) -> str:
    """Return the reason that a price is not compared as it is, "" where it is."""
    quote, today = drive.quote, terms.today
    of_day = f"quote of {price.day}" if price.day else "quote"
    is_quote = price.kind == "quote" and quote is not None and quote.price is not None
    until = quote.valid_until if is_quote and quote is not None else ""
    if until and until < f"{today}":
        return f"{of_day} was valid until {until}"
    if terms.takes(price):
        return ""
    if price.kind not in terms.kinds:
        return f"{of_day}: only prices that are {' or '.join(terms.kinds)} are compared as they are"
    if not price.day:
        return f"{of_day} has no date"
    if terms.is_to_come(price):
        return f"{of_day} is dated after {today}"
    return f"{of_day} is older than {terms.age_s / DAY_S:.0f} days, the allowed age"


def at_typical_price(drive: Drive) -> Drive:
    """Return the drive at the typical figure of its price where that is assumed as a range.

    >>> from planner.catalogue import find, load
    >>> from planner.catalogue.priors import with_assumptions
    >>> drive = priced(find(load(), "870 EVO 4TB"), PriceTerms(today=date(2026, 10, 1)))
    >>> dear = with_assumptions(drive, level="cautious")
    >>> [round(each.value("price_usd")) for each in (dear, at_typical_price(dear))]
    [1190, 765]
    """
    fact = drive.facts.get("price_usd")
    if fact is None or fact.kind != "assumption":
        return drive
    typical = replace(fact, value=_assumed(drive).typical)
    return replace(drive, facts={**drive.facts, "price_usd": typical})


def price_ratios(drive: Drive) -> tuple[float, float]:
    """Return the lowest and the highest over the given price of a drive: 1 where it is no range.

    >>> from planner.catalogue import find, load
    >>> price_ratios(find(load(), "870 EVO 4TB"))
    (1.0, 1.0)
    """
    fact = drive.facts.get("price_usd")
    if fact is None or fact.kind != "assumption":
        return 1.0, 1.0
    between = _assumed(drive)
    return min(1.0, between.low / fact.value), max(1.0, between.high / fact.value)


def _assumed(drive: Drive) -> PriceRange:
    return drive.price_range or curve_range(drive)


def _carried(drive: Drive, price: Price, terms: PriceTerms, *, is_own: bool) -> PriceRange | None:
    """Return an old price adjusted to today in USD; None where it has no date or a later one.

    A price of one's own is in the currency of the question.
    """
    if not price.day or terms.is_to_come(price):
        return None
    usd = price.usd * terms.usd_each if is_own else price.usd
    return carried_range(drive, usd, price.kind, price.day, terms.today)

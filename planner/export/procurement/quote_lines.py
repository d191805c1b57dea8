"""Lines of the quote table: the price that each candidate has as exported, then room for quotes."""

from dataclasses import dataclass

from models.units import DAY_S
from planner.catalogue.drive import Drive
from planner.catalogue.prices import priced_text
from planner.search.choose import Choice

_ROOM = 3  # quotes for each drive
_DOLLAR = "USD"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the table: its candidates, and its content as exported.

    Prices are in the currency of the line. `is_own` is that of a candidate as exported.
    """

    drive: Drive
    candidates: tuple[int, ...]
    is_own: bool = False
    supplier: str = ""
    part_number: str = ""
    currency: str = ""
    price: float | None = None
    breaks: tuple[tuple[int, float], ...] = ()
    lead_days: float | None = None


def lines_of(choice: Choice) -> list[Line]:
    """Return a line for each candidate as exported, and after those of a drive its quotes."""
    lines: list[Line] = []
    alike: dict[str, list[int]] = {}
    for index, one in enumerate(choice.candidates):
        alike.setdefault(one.plan.drive.drive_id, []).append(index)
    for places in alike.values():
        lines += [_exported(choice, index) for index in places]
        drive = choice.candidates[places[0]].plan.drive
        lines += [Line(drive=drive, candidates=tuple(places))] * _ROOM
    return lines


def _exported(choice: Choice, index: int) -> Line:
    one = choice.candidates[index]
    drive, quote = one.plan.drive, one.plan.drive.quote
    fact, here = drive.facts.get("price_usd"), _usd_each(choice)
    is_ours = fact is not None and fact.kind == "user"
    currency = one.ownership.terms.currency
    factor = 1.0
    if choice.prices is not None and not is_ours:
        currency, factor = _DOLLAR, here
    breaks: tuple[tuple[int, float], ...] = ()
    price = drive.value("price_usd")
    if is_ours and quote is not None and quote.price is not None:
        currency, factor = quote.currency or currency, here / quote.usd_each
        if one.plan.array.members >= quote.least_order:  # else the whole of that order is paid for
            price = quote.price
            breaks = tuple((count, each * factor) for count, each in quote.breaks)
    return Line(
        drive=drive,
        candidates=(index,),
        is_own=True,
        supplier=_words(drive),
        part_number=quote.part_number if quote else "",
        currency=currency,
        price=None if price is None else price * factor,
        breaks=breaks,
        lead_days=None if quote is None or quote.lead_time_s is None else quote.lead_time_s / DAY_S,
    )


def _words(drive: Drive) -> str:
    """Format the kind and date of a price, and its range where it has one."""
    between, words = drive.price_range, priced_text(drive) or "as exported"
    return words if between is None else f"{words}, {between.low:,.0f} to {between.high:,.0f}"


def _usd_each(choice: Choice) -> float:
    return 1.0 if choice.prices is None else choice.prices.usd_each


def currencies(choice: Choice) -> dict[str, float]:
    """Return one unit of each currency of the choice in USD, USD first."""
    found = {_DOLLAR: 1.0} if choice.prices is not None else {}
    found.setdefault(choice.candidates[0].ownership.terms.currency, _usd_each(choice))
    for one in choice.candidates:
        quote = one.plan.drive.quote
        if quote is not None and quote.currency:
            found.setdefault(quote.currency, quote.usd_each)
    return found

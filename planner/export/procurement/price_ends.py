"""Ranges of sums by the interval of the price: low and high of 90 %, a quote has one price."""

from planner.catalogue.prices import price_ratios
from planner.export.procurement.owning import OwningSheet
from planner.export.procurement.quotes import Quotes
from planner.search.choose import Candidate

ENDS = ("low", "high")
ONE_PRICE = "one price"
_SMALL, _DECIMALS, _SAME = 100, 2, 1.000000001
# The part of the net present cost that is in proportion to the price: what it adds, what it saves.
_ADDS, _SAVES = ("capital_usd", "drives_present_usd"), "residual_present_usd"

Shown = tuple[str, float | str]  # formula, and what it gives as exported


def ratio(one: Candidate, end: str) -> float:
    """Return an end of the price of a candidate over its price, as exported."""
    return price_ratios(one.plan.drive)[ENDS.index(end)]


def in_proportion(base: Shown, quotes: Quotes, index: int, end: str) -> Shown:
    """Return a sum that is in proportion to the price, at an end of that."""
    price, own = quotes.prices.cell(index, "taken"), quotes.prices.cell(index, end)
    cell, value = base
    formula = f'IF(ISNUMBER({cell})*ISNUMBER({own})>0,{cell}*{own}/{price},"missing")'
    each = ratio(quotes.choice.candidates[index], end)
    return formula, value * each if isinstance(value, float | int) else "missing"


def net_present(owning: OwningSheet, quotes: Quotes, index: int, end: str) -> Shown:
    """Return the net present cost at an end of the price, in which it is linear."""
    price, own = quotes.prices.cell(index, "taken"), quotes.prices.cell(index, end)
    total, value = owning.total(index, "npv_usd"), owning.total_value(index, "npv_usd")
    adds = ",".join(owning.total(index, key) for key in _ADDS)
    priced = f"SUM({adds})-SUM({owning.total(index, _SAVES)})"
    body = f"{total}+({own}/{price}-1)*({priced})"
    formula = f'IF(ISNUMBER({total})*ISNUMBER({own})>0,{body},"missing")'
    if isinstance(value, str):
        return formula, "missing"
    parts = [(1, key) for key in _ADDS] + [(-1, _SAVES)]
    numbers = ((sign, owning.total_value(index, key)) for sign, key in parts)
    in_price = sum(sign * each for sign, each in numbers if not isinstance(each, str))
    return formula, value + (ratio(quotes.choice.candidates[index], end) - 1) * in_price


def between(low: Shown, high: Shown) -> tuple[str, str]:
    """Return a range in words: formula, and text as exported, nothing where an end is missing.

    >>> between(("A1", 900.0), ("B1", 1500.0))[1], between(("A1", 9.5), ("B1", 9.5))[1]
    ('900 to 1,500', 'one price')
    """
    (first, least), (last, most) = low, high
    digits = f"IF({first}<{_SMALL},{_DECIMALS},0)"
    words = f'FIXED({first},{digits})&" to "&FIXED({last},{digits})'
    one = f'IF({last}<={first}*{_SAME},"{ONE_PRICE}",{words})'
    formula = f'IF(ISNUMBER({first})*ISNUMBER({last})>0,{one},"")'
    if isinstance(least, str) or isinstance(most, str):
        return formula, ""
    if most <= least * _SAME:
        return formula, ONE_PRICE
    places = _DECIMALS if least < _SMALL else 0
    return formula, f"{least:,.{places}f} to {most:,.{places}f}"

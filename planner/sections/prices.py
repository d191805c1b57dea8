"""Prices of a question from inputs as people write them: of which day, and in which currency."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from planner.catalogue.offers import SIGNS
from planner.catalogue.prices import KINDS, PriceTerms
from planner.quantity.input import InputError
from planner.quantity.inputs import INPUTS, PRICED_BY, stated
from planner.quantity.parse import parse_number, quoted

PRICED = (*PRICED_BY, "currency")
MOST_LETTERS = 12  # of a currency
_AMOUNT = re.compile(r"([a-z]{3}|[$€£])\s*([\d.,]+)|([\d.,]+)\s*([a-z]{3}|[$€£])", re.IGNORECASE)


def price_terms_of(texts: Mapping[str, Any]) -> PriceTerms:
    """Return the terms on which prices are compared, and their currency.

    >>> str(price_terms_of({"today": "2026-10-01", "price_age": "6 months"}).today)
    '2026-10-01'
    >>> price_terms_of({"currency": "EUR"})
    Traceback (most recent call last):
    planner.quantity.input.InputError: rate must say what 1 EUR is in USD, such as EUR=1.08: \
prices of the catalogue and assumed costs are in USD
    """
    values = stated(texts, PRICED)
    kinds = values["price_kinds"].replace(",", " ").lower().split()
    if not kinds or not set(kinds) <= set(KINDS):
        why = f"must be some of {', '.join(KINDS)}, got {quoted(values['price_kinds'])}"
        raise InputError(INPUTS["price_kinds"], why)
    if not 1 <= len(values["currency"].strip()) <= MOST_LETTERS:
        why = f"must be 1 to {MOST_LETTERS} characters, got {quoted(values['currency'])}"
        raise InputError(INPUTS["currency"], why)
    at_s = values.get("today_s")
    today = date.today() if at_s is None else datetime.fromtimestamp(at_s, UTC).date()
    return PriceTerms(
        today=today, age_s=values["price_age_s"], kinds=tuple(kinds),
        usd_each=_usd_each(values["currency"], texts),
    )  # fmt: skip


def amount(name: str, text: object, texts: Mapping[str, Any]) -> float:
    """Return an amount in the currency of the question, from one that may name another.

    >>> amount("price", "450 EUR", {"rate": "EUR=1.1"}), amount("price", "$ 450", {})
    (495.00000000000006, 450.0)
    """
    match = _AMOUNT.fullmatch(str(text).strip())
    if match is None:
        return parse_number(name, str(text))
    sign, number = match[1] or match[4], match[2] or match[3]
    own = SIGNS.get(sign, sign.upper())
    currency = stated(texts, ["currency"])["currency"]
    if own == currency:
        return parse_number(name, number)
    return parse_number(name, number) * _usd_each(own, texts) / _usd_each(currency, texts)


def _usd_each(currency: str, texts: Mapping[str, Any]) -> float:
    """Return the value of one unit of a currency in USD."""
    usd: dict[str, float] = {"USD": 1.0, **dict(stated(texts, ["rate"]).get("rates", ()))}
    if currency not in usd:
        raise InputError(
            INPUTS["rate"], f"must say what 1 {currency} is in USD, such as {currency}=1.08: "
            "prices of the catalogue and assumed costs are in USD"
        )  # fmt: skip
    return usd[currency]

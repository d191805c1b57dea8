"""Terms of ownership and failure assumptions from inputs as text."""

from collections.abc import Mapping
from typing import Any

from planner.ownership.terms import Terms
from planner.quantity.inputs import TERMS, stated
from planner.reliability.failure_assumptions import Risk
from planner.sections.prices import price_terms_of


def terms_of(texts: Mapping[str, Any]) -> Terms:
    """Parse the inputs on the terms of ownership; what is assumed is in the question's currency.

    >>> terms_of({"years": "3 years"}).horizon_s / 31536000
    3.0
    """
    terms = Terms(**stated(texts, ("years", *TERMS)))
    return terms.converted(price_terms_of(texts).usd_each)


def risk_of(texts: Mapping[str, Any]) -> Risk:
    """Parse the inputs on failures; the horizon is that of the terms."""
    return Risk(**stated(texts, ("years", "afr", "life_spread", "replace_at")))

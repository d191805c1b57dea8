"""Terms of owning and risks from inputs as people write them."""

from collections.abc import Mapping
from typing import Any

from planner.ownership.terms import Terms
from planner.quantity.inputs import TERMS, stated
from planner.reliability.failure_assumptions import Risk

__all__ = ["risk_of", "terms_of"]


def terms_of(texts: Mapping[str, Any]) -> Terms:
    """Return what texts say of owning.

    >>> terms_of({"years": "3 years"}).horizon_s / 31536000
    3.0
    """
    return Terms(**stated(texts, ("years", *TERMS)))


def risk_of(texts: Mapping[str, Any]) -> Risk:
    """Return what texts say of failures; the horizon is that of the terms."""
    return Risk(**stated(texts, ("years", "afr", "life_spread", "replace_at")))

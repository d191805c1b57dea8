"""The answers to inverse questions in words."""

import math

from models.nomenclature import QUANTITIES
from planner.quantity.show import span, text
from planner.search.size.answer import Margin, Sizing


def headline(sized: Sizing) -> str:
    """Format the answer and the binding limit, or the limits that are exceeded."""
    if sized.answer is None:
        rejected = "; ".join(sentence(margin) for margin in sized.rejected)
        return f"Not possible. {rejected}{_else(sized)}"
    label = QUANTITIES[sized.answer.key].label
    if not sized.answer.is_known:
        return f"{label}: missing"
    bound = f", by {sized.limit}" if sized.limit else ""
    return f"{label}: {text(sized.answer.key, sized.answer.value)}{_between(sized)}{bound}"


def _else(sized: Sizing) -> str:
    """Describe the answer at typical values of the assumed facts."""
    typical = sized.by_level.get("typical")
    if typical is None or not typical.is_known:
        return ""
    return f". At typical values of the assumed facts: {text(typical.key, typical.value)}"


def _between(sized: Sizing) -> str:
    """Format the range of the answer over the assumed facts."""
    found, key = sized.range, "" if sized.answer is None else sized.answer.key
    if found is None:
        return ""
    return f" ({span(key, found.low, found.high)}, typically {text(key, found.typical)})"


def sentence(margin: Margin) -> str:
    """Describe the needed and the available amount."""
    needed, there = (text(margin.key, value) for value in (margin.needed, margin.available))
    room = f"{margin.margin_ratio:+.1%}" if math.isfinite(margin.margin_ratio) else "no limit"
    return f"{margin.limit}: {needed} needed, {there} available ({room})"

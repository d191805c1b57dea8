"""The answers to inverse questions in words."""

import math

from models.nomenclature import QUANTITIES
from planner.quantity.show import text
from planner.search.size.answer import Margin, Sizing

__all__ = ["headline", "sentence"]


def headline(sized: Sizing) -> str:
    """Say the answer and what binds, or what stands in the way."""
    if sized.answer is None:
        rejected = "; ".join(sentence(margin) for margin in sized.rejected)
        return f"Not possible. {rejected}"
    label = QUANTITIES[sized.answer.key].label
    if not sized.answer.is_known:
        return f"{label}: missing"
    bound = f", by {sized.limit}" if sized.limit else ""
    return f"{label}: {text(sized.answer.key, sized.answer.value)}{bound}"


def sentence(margin: Margin) -> str:
    """Say what is needed and what there is."""
    needed, there = (text(margin.key, value) for value in (margin.needed, margin.available))
    room = f"{margin.margin_ratio:+.1%}" if math.isfinite(margin.margin_ratio) else "no limit"
    return f"{margin.limit}: {needed} needed, {there} available ({room})"

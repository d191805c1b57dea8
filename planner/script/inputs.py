"""Inputs of scripts: former names are accepted with a warning, unknown names are refused."""

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from models.errors import DomainError
from planner.graph.number import Number
from planner.quantity.inputs import renamed

__all__ = ["texts_of"]

IMPLICIT_UNITS = ("1", "x", "cycles", "USD", "IOPS")  # not written in inputs


def texts_of(inputs: Mapping[str, Any], names: Iterable[str], question: str) -> dict[str, Any]:
    """Return the stated inputs by current names.

    Warnings point to the caller of the function that calls this one.
    """
    names = tuple(names)
    texts, renames = renamed(inputs, names)
    for sentence in renames:
        warnings.warn(sentence, DeprecationWarning, stacklevel=3)
    for name in texts.keys() - set(names):
        raise DomainError(f"{name} is not an input of {question}")
    return {name: _text(value) for name, value in texts.items() if value is not None}


def _text(value: Any) -> Any:
    """Write a `Number` with all of its digits and its unit; return anything else unchanged."""
    if not isinstance(value, Number):
        return value
    unit = "" if value.unit in IMPLICIT_UNITS else f" {value.unit}"
    return f"{float.__repr__(value)}{unit}"

"""Inputs of scripts: former names are taken with a warning, unknown ones are refused."""

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from models.errors import DomainError
from planner.graph.number import Number
from planner.quantity.inputs import renamed

__all__ = ["texts_of"]

UNWRITTEN = ("1", "x", "cycles", "USD", "IOPS")  # units that inputs leave out


def texts_of(inputs: Mapping[str, Any], names: Iterable[str], question: str) -> dict[str, Any]:
    """Return what was given of some inputs by the names of today.

    Warnings name the line that called the function that calls this one.
    """
    names = tuple(names)
    texts, renames = renamed(inputs, names)
    for sentence in renames:
        warnings.warn(sentence, DeprecationWarning, stacklevel=3)
    for name in texts.keys() - set(names):
        raise DomainError(f"{name} is no input of {question}")
    return {name: _text(value) for name, value in texts.items() if value is not None}


def _text(value: Any) -> Any:
    """Write a number of a plan with all of its digits; anything else is taken as it is."""
    if not isinstance(value, Number):
        return value
    unit = "" if value.unit in UNWRITTEN else f" {value.unit}"
    return f"{float.__repr__(value)}{unit}"

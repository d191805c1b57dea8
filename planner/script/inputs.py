"""Inputs of scripts: former names are taken with a warning, unknown ones are refused."""

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from models.errors import DomainError
from planner.quantity.inputs import renamed

__all__ = ["texts_of"]


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
    return {name: text for name, text in texts.items() if text is not None}

"""Inputs of scripts: former names are accepted with a warning, unknown names are refused."""

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from models.errors import DomainError
from planner.application import Answer as Application
from planner.application import answer_of
from planner.graph.number import Number
from planner.quantity.inputs import renamed

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


def application_of(inputs: Mapping[str, Any]) -> tuple[Application | None, dict[str, Any]]:
    """Return what the application `app` writes, if one is named, and the inputs with its writes.

    `app_inputs` are its inputs by name, in base units.
    """
    left = dict(inputs)
    preset, stated = left.pop("app", None), left.pop("app_inputs", None) or {}
    if preset is None:
        if stated:
            raise DomainError("app_inputs are of an application: app names it")
        return None, left
    for name in left.keys() & {"writes", "writes_between", "client"}:
        raise DomainError(f"{name} follows from the application here: leave it out")
    answer = answer_of(preset, {name: str(value) for name, value in stated.items()})
    answer.refuse_copies(left)
    return answer, {**answer.plan_texts, **left}


def notes_of(application: Application | None) -> tuple[str, ...]:
    """Return what is to be said of an application, if there is one."""
    return () if application is None else (application.sentence, *application.notes)


def _text(value: Any) -> Any:
    """Write a `Number` with all of its digits and its unit; return anything else unchanged."""
    if not isinstance(value, Number):
        return value
    unit = "" if value.unit in IMPLICIT_UNITS else f" {value.unit}"
    return f"{float.__repr__(value)}{unit}"

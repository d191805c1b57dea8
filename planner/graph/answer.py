"""Answers: numbers that know how they came about.

A plan is a graph. Its leaves are given (catalogue, user, default, assumption), every
other number is one call of one formula on others. A number that is unknown is NaN, names
the facts that would supply it, and makes everything that needs it unknown too. Every face
draws the same graph.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from numpy.typing import ArrayLike

from models import _check

__all__ = ["Answer", "composed", "figure", "first_known", "given", "unknown", "walk"]

_UNKNOWN = float("nan")  # one object, so that unknown answers compare equal


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A number in base units, and where it is from: a source, or a formula and its inputs.

    Unknown ones are NaN; `lacking` names the facts that would supply them.
    """

    key: str
    value: float
    source: str = ""
    formula: str = ""
    inputs: Mapping[str, "Answer"] = field(default_factory=dict, repr=False)
    note: str = ""
    lacking: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether there is a number."""
        return not (isinstance(self.value, float) and math.isnan(self.value))

    @property
    def is_given(self) -> bool:
        """Whether the number entered the plan from outside."""
        return self.is_known and not self.formula

    @property
    def is_computed(self) -> bool:
        """Whether a formula gave the number."""
        return self.is_known and bool(self.formula)


def unknown(key: str, lacking: Iterable[str] = ()) -> Answer:
    """Return a number that is unknown, with the facts that would supply it."""
    return Answer(key=key, value=_UNKNOWN, lacking=tuple(lacking))


def given(key: str, value: ArrayLike | None, *, source: str, note: str = "") -> Answer:
    """Return a leaf; unknown where there is no value.

    >>> given("pe_cycles", None, source="user").lacking
    ('pe_cycles',)
    """
    if value is None:
        return unknown(key, (key,))
    return Answer(key=key, value=_check.plain(value), source=source, note=note)


def figure(key: str, formula: Callable[..., float], note: str = "", /, **inputs: Answer) -> Answer:
    """Apply `formula` to the values of `inputs`, unless one of them is missing.

    >>> from models import queueing
    >>> depth = given("queue_depth", 32, source="user")
    >>> worst = given("worst_case_iops", 5000, source="review")
    >>> figure("max_latency_s", queueing.latency_s, queue_depth=depth, iops=worst).value
    0.0064
    """
    return composed(key, formula, formula, note, **inputs)


def composed(
    key: str,
    formula: Callable[..., object],
    compose: Callable[..., object],
    note: str = "",
    /,
    **inputs: Answer,
) -> Answer:
    """Apply `compose`, which arranges the values of `inputs` for `formula`, under its name."""
    missing = [node for node in inputs.values() if not node.is_known]
    if missing:
        return unknown(key, sorted({name for node in missing for name in node.lacking}))
    value = compose(**{name: node.value for name, node in inputs.items()})
    return Answer(
        key=key,
        value=cast("float", value),
        formula=f"{formula.__module__}.{formula.__name__}",
        inputs=inputs,
        note=note,
    )


def first_known(*answers: Answer) -> Answer:
    """Return the first answer that is known, else the first."""
    return next((answer for answer in answers if answer.is_known), answers[0])


def walk(answers: Iterable[Answer]) -> dict[str, Answer]:
    """List every node behind `answers` by key, inputs before what they feed."""
    seen: dict[str, Answer] = {}

    def visit(answer: Answer) -> None:
        if not answer.is_known or answer.key in seen:
            return
        for node in answer.inputs.values():
            visit(node)
        seen[answer.key] = answer

    for answer in answers:
        visit(answer)
    return seen

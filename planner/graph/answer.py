"""Answers: numbers that carry the formula and the inputs, or the source, behind them.

Answers form a graph. A leaf comes from the catalogue, the user, a default or an assumption; every
other number is one call of one formula on other numbers. An unknown number is NaN, names the facts
that would supply it, and makes every number computed from it unknown too.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import ArrayLike

from models import _check

_UNKNOWN = float("nan")  # one object, so that unknown answers compare equal


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A number in base units with its source, or with its formula and inputs.

    Calling `formula` with `arguments` returns the value, or a record whose field `part` is the
    value. `inputs` are the answers behind the arguments; those of a list or record are listed one
    by one. An unknown number is NaN; `lacking` names the facts that would supply it. `locator` is
    the place within the source.
    """

    key: str
    value: float
    source: str = ""
    locator: str = ""
    formula: str = ""
    part: str = ""
    inputs: Mapping[str, "Answer"] = field(default_factory=dict, repr=False)
    arguments: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    note: str = ""
    lacking: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether there is a number."""
        return not (isinstance(self.value, float) and math.isnan(self.value))

    @property
    def absence(self) -> str:
        """Word for an absent number: one that lacks no fact does not exist."""
        return "missing" if self.lacking else "none"

    @property
    def is_given(self) -> bool:
        """Whether the number is a known input."""
        return self.is_known and not self.formula

    @property
    def is_computed(self) -> bool:
        """Whether the number is known and computed by a formula."""
        return self.is_known and bool(self.formula)


def unknown(key: str, lacking: Iterable[str] = ()) -> Answer:
    """Return an unknown number with the facts that would supply it."""
    return Answer(key=key, value=_UNKNOWN, lacking=tuple(lacking))


def given(
    key: str, value: ArrayLike | None, *, source: str, locator: str = "", note: str = ""
) -> Answer:
    """Return a leaf; it is unknown if `value` is None.

    >>> given("pe_cycles", None, source="user").lacking
    ('pe_cycles',)
    """
    if value is None:
        return unknown(key, (key,))
    return Answer(key=key, value=_check.plain(value), source=source, locator=locator, note=note)


def walk(answers: Iterable[Answer]) -> dict[str, Answer]:
    """Return every known number behind `answers` by key, inputs before results."""
    seen: dict[str, Answer] = {}

    def visit(every: Iterable[Answer]) -> None:
        for answer in every:
            if answer.key not in seen and answer.is_known:
                visit(answer.inputs.values())
                seen[answer.key] = answer

    visit(answers)
    return seen

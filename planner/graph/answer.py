"""Answers: numbers that carry the formula and the inputs, or the source, behind them.

Answers form a graph. A leaf comes from the catalogue, the user, a default or an assumption; every
other number is one call of one formula on other numbers. An unknown number is NaN, names the facts
that would supply it, and makes every number computed from it unknown too.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from numpy.typing import ArrayLike

from models import _check
from planner.graph.explain import public_name

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
        """What stands in place of the number: one that lacks no fact does not exist."""
        return "missing" if self.lacking else "none"

    @property
    def is_given(self) -> bool:
        """Whether the number is a known input."""
        return self.is_known and not self.formula

    @property
    def is_computed(self) -> bool:
        """Whether the number is known and computed by a formula."""
        return self.is_known and bool(self.formula)


@dataclass(frozen=True, slots=True)
class Record:
    """An argument that is a record of numbers."""

    kind: Callable[..., Any]
    answers: Mapping[str, Answer]


Argument = Answer | Record | tuple[Answer, ...]  # a tuple stands for a list argument


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


def figure(
    key: str, formula: Callable[..., float], note: str = "", /, **inputs: Argument
) -> Answer:
    """Apply `formula` to the values of `inputs`, unless one of them is unknown.

    >>> from models import queueing
    >>> depth = given("queue_depth", 32, source="user")
    >>> worst = given("worst_case_iops", 5000, source="review")
    >>> figure("max_latency_s", queueing.latency_s, queue_depth=depth, iops=worst).value
    0.0064
    """
    (answer,) = figures({"": key}, formula, note, **inputs)
    return answer


def figures(
    keys: Mapping[str, str], formula: Callable[..., Any], note: str = "", /, **inputs: Argument
) -> tuple[Answer, ...]:
    """Call a formula that returns a record once; return an answer for each field in `keys`.

    The empty field name stands for the whole result.

    >>> from models import trim_recovery
    >>> numbers = {"op_ratio": 0.28, "pages_per_block": 64, "user_pages": 1e6,
    ...            "trimmed_fraction": 1}
    >>> inputs = {name: given(name, value, source="user") for name, value in numbers.items()}
    >>> (moved,) = figures({"moved_pages": "moved_pages"}, trim_recovery.idle_work, **inputs)
    >>> moved.value
    0.0
    """
    flat = _flat(inputs)
    lacking = sorted({name for part in flat.values() for name in part.lacking})
    if not all(part.is_known for part in flat.values()):
        return tuple(unknown(key, lacking) for key in keys.values())
    arguments = {name: _value(argument) for name, argument in inputs.items()}
    result = formula(**arguments)
    return tuple(
        Answer(
            key=key,
            value=cast("float", getattr(result, part) if part else result),
            formula=public_name(formula),
            part=part,
            inputs=flat,
            arguments=arguments,
            note=note,
        )
        for part, key in keys.items()
    )


def _flat(inputs: Mapping[str, Argument]) -> dict[str, Answer]:
    """Return the numbers of all arguments by name."""
    return {name: part for key, value in inputs.items() for name, part in _members(key, value)}


def _members(name: str, argument: Argument) -> Iterable[tuple[str, Answer]]:
    """Name the numbers of an argument: by field for a record, by key for a list."""
    if isinstance(argument, Record):
        return argument.answers.items()
    if isinstance(argument, tuple):
        return [(part.key, part) for part in argument]
    return [(name, argument)]


def _value(argument: Argument) -> Any:
    """Return the value that the formula is called with."""
    if isinstance(argument, Record):
        return argument.kind(**{name: part.value for name, part in argument.answers.items()})
    if isinstance(argument, tuple):
        return [part.value for part in argument]
    return argument.value


def first_known(*answers: Answer) -> Answer:
    """Return the first known answer, or the first answer if none is known."""
    return next((answer for answer in answers if answer.is_known), answers[0])


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

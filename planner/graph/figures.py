"""Figures: numbers that know how they came about.

A plan is a graph. Its leaves are `Given` numbers (catalogue, user, default,
assumption), its inner nodes are `Figure`s, each one call of one formula on
other nodes. A number that cannot be had is `Missing`, names what is lacking and
makes everything that needs it `Missing` too. Every face draws the same graph.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from numpy.typing import ArrayLike

from models import _check

__all__ = [
    "Answer",
    "Figure",
    "Given",
    "Missing",
    "Node",
    "composed",
    "figure",
    "first_known",
    "given",
    "walk",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A number that enters the plan from outside."""

    key: str
    value: float
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number that a formula gave, with the numbers that it was given."""

    key: str
    value: float
    formula: str
    inputs: Mapping[str, "Given | Figure"] = field(repr=False)
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A number that cannot be had, and the quantities that would supply it."""

    key: str
    lacking: tuple[str, ...]


Node = Given | Figure
Answer = Given | Figure | Missing


def given(key: str, value: ArrayLike | None, *, source: str, note: str = "") -> Given | Missing:
    """Return a leaf, or `Missing` where there is no value.

    >>> given("pe_cycles", None, source="user")
    Missing(key='pe_cycles', lacking=('pe_cycles',))
    """
    if value is None:
        return Missing(key=key, lacking=(key,))
    return Given(key=key, value=_check.plain(value), source=source, note=note)


def figure(
    key: str, formula: Callable[..., float], note: str = "", /, **inputs: Answer
) -> Figure | Missing:
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
) -> Figure | Missing:
    """Apply `compose`, which arranges the values of `inputs` for `formula`, under its name."""
    missing = [node for node in inputs.values() if isinstance(node, Missing)]
    if missing:
        lacking = {name for node in missing for name in node.lacking}
        return Missing(key=key, lacking=tuple(sorted(lacking)))
    known = {name: node for name, node in inputs.items() if not isinstance(node, Missing)}
    value = compose(**{name: node.value for name, node in known.items()})
    return Figure(
        key=key,
        value=cast("float", value),
        formula=f"{formula.__module__}.{formula.__name__}",
        inputs=known,
        note=note,
    )


def first_known(*answers: Answer) -> Answer:
    """Return the first answer that is not missing, else the first."""
    return next((answer for answer in answers if not isinstance(answer, Missing)), answers[0])


def walk(answers: Iterable[Answer]) -> dict[str, Node]:
    """List every node behind `answers` by key, inputs before what they feed."""
    seen: dict[str, Node] = {}

    def visit(answer: Answer) -> None:
        if isinstance(answer, Missing) or answer.key in seen:
            return
        for node in answer.inputs.values() if isinstance(answer, Figure) else ():
            visit(node)
        seen[answer.key] = answer

    for answer in answers:
        visit(answer)
    return seen

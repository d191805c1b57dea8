"""Numbers for scripts: floats in the unit that they print, with range, formula and source."""

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Self

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.graph.answer import Answer, walk
from planner.graph.explain import call_text, maths
from planner.quantity.show import ends_text, text
from planner.quantity.units import FACTORS, units_of

ROUND_OFF = 1e-9  # ends of a range that differ by less are one number


class Number(float):
    """A float in `unit`, the unit that it prints; arithmetic gives plain floats in that unit.

    Formulas of `models` take base units: pass `base` to them. A probability is in percent and
    prints as odds, 1 in 9,100.

    Attributes:
        key: Its row of the nomenclature, which gives `label` and `unit`.
        base: The value in base units: bytes, seconds, operations per second.
        between: Its range over the assumed facts, in base units; the value twice if nothing is
            assumed. `low` and `high` give the range in `unit`.
        assumed: The assumed facts: the range of each, its basis, and what would narrow it.
        limit: The limit that determines the number, if there is one.
        lacking: For an unknown number (NaN): the facts that it needs, by key, and where to get
            them.
        answers: The answers behind it, with formulas and sources.

    Examples:
        >>> life = Number(63072000.0, "wear_life_s")
        >>> life, life > 1.5, life.to("days")
        (2 years, True, 730.0)
        >>> Number(float("nan"), "wear_life_s", lacking={"raw_bytes": "a teardown"})
        unknown; needs Raw flash
    """

    __slots__ = ("answers", "assumed", "base", "between", "key", "lacking", "limit")
    base: float
    key: str
    between: tuple[float, float]
    limit: str
    lacking: Mapping[str, str]
    answers: tuple[Answer, ...]
    assumed: tuple[str, ...]

    def __new__(
        cls,
        base: float,
        key: str,
        *,
        between: tuple[float, float] | None = None,
        limit: str = "",
        lacking: Mapping[str, str] | None = None,
        answers: Iterable[Answer] = (),
        assumed: Iterable[str] = (),
    ) -> Self:
        """Create a number from its value in base units."""
        number = super().__new__(cls, base / FACTORS[QUANTITIES[key].shown_in])
        number.base, number.key, number.limit = float(base), key, limit
        number.between = between or (number.base, number.base)
        number.lacking, number.answers = dict(lacking or {}), tuple(answers)
        number.assumed = tuple(assumed)
        return number

    @property
    def label(self) -> str:
        """Its name for people."""
        return QUANTITIES[self.key].label

    @property
    def unit(self) -> str:
        """Its unit."""
        return QUANTITIES[self.key].shown_in

    @property
    def low(self) -> float:
        """The low end of its range."""
        return self.between[0] / FACTORS[self.unit]

    @property
    def high(self) -> float:
        """The high end of its range."""
        return self.between[1] / FACTORS[self.unit]

    @property
    def is_known(self) -> bool:
        """Whether there is a number."""
        return not math.isnan(self)

    @property
    def source(self) -> str:
        """Source and locator of a fact, formula of a computed number."""
        return "; ".join(_source(answer) for answer in self.answers if answer.is_known)

    @property
    def note(self) -> str:
        """Remarks on the answers behind it."""
        return "; ".join(dict.fromkeys(answer.note for answer in self.answers if answer.note))

    def to(self, unit: str) -> float:
        """Return the value in another unit.

        >>> Number(2e12, "usable_bytes").to("TiB")
        1.8189894035458565
        """
        accepted = units_of(QUANTITIES[self.key])
        if unit not in accepted:
            raise DomainError(f"unit must be one of {', '.join(accepted)}, got {unit!r}")
        return self.base / FACTORS[unit]

    def explain(self) -> str:
        """Return its derivation: facts with sources, then equations with the calls made.

        The indented lines that begin with `models` are Python and can be run.
        """
        return "\n".join([f"{self.label}: {self!r}", *_steps(self.answers)])

    def __repr__(self) -> str:
        if not self.is_known:
            needs = ", ".join(QUANTITIES[key].label for key in self.lacking)
            return f"unknown; needs {needs}" if needs else "unknown"
        shown = text(self.key, self.base)
        ends = ends_text(self.key, *self.between)
        is_one = math.isclose(*self.between, rel_tol=ROUND_OFF) or " to " not in ends
        return shown if is_one else f"{shown} ({ends})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the attributes too."""
        rest = {
            name: getattr(self, name)
            for name in ("between", "limit", "lacking", "answers", "assumed")
        }
        return partial(type(self), **rest), (self.base, self.key)


def _source(answer: Answer) -> str:
    return ", ".join(part for part in (answer.formula, answer.source, answer.locator) if part)


def _steps(answers: Iterable[Answer]) -> Iterator[str]:
    """Yield the import of the formulas, then the steps behind the answers, inputs first."""
    nodes = walk(answers).values()
    modules = dict.fromkeys(node.formula.rpartition(".")[0] for node in nodes if node.formula)
    if modules:
        yield f"  import {', '.join(modules)}"
    for node in nodes:
        yield from _step(node)


def _step(node: Answer) -> Iterator[str]:
    line = f"  {QUANTITIES[node.key].label} = {text(node.key, node.value)}"
    note = f"   # {node.note}" if node.note else ""
    if not node.formula:
        yield f"{line}   [{_source(node)}]{note}"
        return
    yield f"{line}   {maths(node.formula).equation}{note}"
    yield f"    {call_text(node.formula, node.arguments, node.part)}"

"""Records of a verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Sentence(NamedTuple):
    """A question's answer in words.

    `holds` is True for a yes, False for a no, and None where neither can be said or the question
    has no yes or no. `key` names the number behind it in the nomenclature, `reasons` what makes
    its range wide and what would narrow it.
    """

    question: str
    text: str
    holds: bool | None = None
    key: str = ""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of a plan: what to do, what it brings, and the inputs that make it."""

    text: str
    inputs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Five sentences on a plan, over the years that it must hold."""

    lasts: Sentence
    worst: Sentence
    safe: Sentence
    cost: Sentence
    change: Change

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The answers in the order in which people ask."""
        return self.lasts, self.worst, self.safe, self.cost

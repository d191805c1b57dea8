"""Records of a verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from planner.sections.ranges import Range


class Sentence(NamedTuple):
    """A question's answer: a word, and a text that begins with it.

    `holds` is True for a yes, False for a no, and None for anything else. `key` names the number
    behind it in the nomenclature, `numbers` all of them with their ranges, `reasons` the causes of
    a wide range and what would narrow it.
    """

    question: str
    text: str
    holds: bool | None = None
    key: str = ""
    reasons: tuple[str, ...] = ()
    word: str = ""
    numbers: Mapping[str, Range] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of a plan: a sentence with its effect, and the inputs that make it."""

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

    @property
    def lines(self) -> dict[str, str]:
        """The five sentences by their question, in capitals."""
        texts = {sentence.question.upper(): sentence.text for sentence in self.sentences}
        return {**texts, "NEXT": self.change.text}

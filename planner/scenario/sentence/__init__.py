"""A plan as people say it in one sentence: drive, number, layout, writes, years.

`read_sentence` returns the inputs that a sentence states, each with its place in it, and what a
careful reader asks back: a number that may mean two things, or that is not understood. Box and link
read sentences by it, commands and scripts by `stated_plan`.
"""

from typing import TYPE_CHECKING

from planner.quantity.lazy import lazily

if TYPE_CHECKING:
    from planner.scenario.sentence.reading import PlanSentence, Question, read_sentence, stated_plan

__all__ = ["PlanSentence", "Question", "read_sentence", "stated_plan"]

_MODULES = dict.fromkeys(__all__, "reading")

if not TYPE_CHECKING:  # a type checker knows the names, and refuses others
    __getattr__ = lazily(__name__, _MODULES)

"""The verdict on a plan: does it last, how slow is it at worst, is it safe, what does it cost.

Each question is answered in a sentence with its number, range and reason, and the next change says
what would turn a No into a Yes. The sentences are those of every face.
"""

from planner.search.verdict.answer import Change, Sentence, Verdict
from planner.search.verdict.sentences import dates, lasts
from planner.search.verdict.verdict import verdict

__all__ = ["Change", "Sentence", "Verdict", "dates", "lasts", "verdict"]

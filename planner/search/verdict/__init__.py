"""The verdict on a plan: does it last, how slow is it at worst, is it safe, what does it cost.

Each question is answered in a sentence with its number, range and reason, and the next change would
turn a No into a Yes. The sentences are those of every face.
"""

from planner.search.verdict.answer import Change, Sentence, Verdict
from planner.search.verdict.heading import heading
from planner.search.verdict.lasts import dates, lasts
from planner.search.verdict.verdict import verdict

__all__ = ["Change", "Sentence", "Verdict", "dates", "heading", "lasts", "verdict"]

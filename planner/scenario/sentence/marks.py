"""A sentence of which parts are understood, and the rest still open."""

import re
from typing import NamedTuple

from models.units import DAY_S, HOUR_S, WEEK_S, YEAR_S
from planner.quantity.writes.words import ADVERBS, CARDINALS, MONTH_S, PERIODS, period_of

IGNORED = ""  # the name of what has no effect on a plan
TAKEN = "\0"  # stands for each character of a part that is understood
NUMBERS = {
    **{word: int(number) for word, number in CARDINALS.items() if number},
    "dozen": 12, "a dozen": 12, "a pair of": 2, "pair of": 2, "a couple of": 2, "couple of": 2,
    "both": 2,
}  # fmt: skip
WORDS = f"(?:{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
COUNT = rf"(?:[0-9]{{1,6}}|{WORDS})"
_DIGITS = r"[0-9]+(?:[.,][0-9]+)?"
_SAID = rf"(?:{WORDS}|an?|half an?)"
# Periods that a drive is used for, as the grammar of writes names them, and their own names.
_SPANS = {HOUR_S: "hours", DAY_S: "days", WEEK_S: "weeks", MONTH_S: "months", YEAR_S: "years"}
_NAMES = [name for name, period_s in PERIODS.items() if period_s in _SPANS]
PERIOD = f"(?:{'|'.join(sorted(_NAMES, key=len, reverse=True))})s?"
_LONG_PERIOD = f"(?:{'|'.join(name for name in _NAMES if len(name) > 1)})s?"
NUMBER = rf"(?:{_DIGITS}|{_SAID})"
SPAN = f"(?:{'|'.join(sorted(PERIODS, key=len, reverse=True))})"
ADVERB = f"(?:{'|'.join(ADVERBS)})"
TIME = (
    rf"(?:{_DIGITS}(?: and a half)?(?: |-)?{PERIOD}|{_SAID}(?: and a half)?(?: |-){_LONG_PERIOD})"
)


class StatedPart(NamedTuple):
    """Words of a sentence that state an input: its name, its text, and where they stand."""

    name: str
    value: str
    start: int
    end: int


class Question(NamedTuple):
    """Words that may mean several things: why, and a sentence for each reading."""

    start: int
    end: int
    why: str
    readings: tuple[str, ...] = ()


class Marked:
    """A sentence whose understood characters no later pattern sees.

    >>> marked = Marked("Two drives, 40 GB a day")
    >>> marked.take(4, 10)
    >>> marked.open.replace(TAKEN, "-")
    'two ------, 40 gb a day'
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.open = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
        self.open = re.sub(
            r"(?<![0-9])(?<![0-9] )\*|\*(?=\*)|[\0\s_`\"\u201c\u201d\[\]{}<>|]", " ", self.open
        )
        self.open = self.open.replace("\u2019", "'")

    def take(self, start: int, end: int) -> None:
        """Close the characters of a part."""
        self.open = self.open[:start] + TAKEN * (end - start) + self.open[end:]

    def said(self, start: int, end: int) -> str:
        """Return words as they were typed."""
        return self.text[start:end]

    def with_words(self, start: int, end: int, words: str) -> str:
        """Return the sentence with other words in a place."""
        return f"{self.text[:start]}{words}{self.text[end:]}"


def count_of(words: str) -> int:
    """Return a number of things, in digits or as a word.

    >>> count_of("12"), count_of("two"), count_of("a pair of")
    (12, 2, 2)
    """
    bare = " ".join(words.split())
    return NUMBERS[bare] if bare in NUMBERS else int(bare)


def time_text(words: str) -> str:
    """Return a time as its input reads it.

    >>> time_text("five years"), time_text("1,5 yrs"), time_text("half a year")
    ('5 years', '1.5 years', '0.5 years')
    """
    match = re.fullmatch(rf"({NUMBER})( and a half)?(?: |-)?({PERIOD})", words.strip())
    assert match is not None, words  # noqa: S101 - of patterns that hold TIME
    word, half, period = match.groups()
    number = {"a": 1.0, "an": 1.0, "half a": 0.5, "half an": 0.5}.get(word)
    if number is None:
        plain = re.sub(r",([0-9]{3})$", r"\1", word).replace(",", ".")  # 32,768 hours
        number = float(NUMBERS.get(word, plain))
    number += 0.5 * bool(half)
    return f"{number:.12g} {_SPANS[period_of(period) or 0.0]}"

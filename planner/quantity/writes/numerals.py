"""Numbers in several words: "two hundred and fifty", "twenty-five"."""

import re

from planner.quantity.writes.words import CARDINALS

_ALL = [name for name in CARDINALS if name != "zero"]
_DIGITS, _SMALL, _TENS = "|".join(_ALL[:9]), "|".join(_ALL[:19]), "|".join(_ALL[19:])
_BELOW_100 = rf"(?:(?:{_TENS})(?:[ -](?:{_DIGITS}))?|(?:{_SMALL}))"
_A = "(?<!half )a"


def _pattern(joint: str) -> re.Pattern[str]:
    """Return the pattern of numbers whose hundreds and rest have a word between them."""
    hundreds = rf"(?:{_A}|{_BELOW_100}) hundred(?:{joint}{_BELOW_100}(?! hundred))?"
    below = rf"(?:{hundreds}|{_BELOW_100})"
    thousands = rf"(?:{_A}|{below}) thousand(?:{joint}{below}(?! thousand))?"
    return re.compile(rf"\b(?:{thousands}|{below})\b", re.IGNORECASE)


NUMERAL = _pattern("(?: and)? ")
_OF_RANGE = _pattern(" ")  # "between one hundred and two thousand"


def numeral(said: str) -> int:
    """Return a number in words.

    >>> numeral("two thousand three hundred and fifty"), numeral("twenty-five")
    (2350, 25)
    """
    total = part = 0
    for word in re.findall("[a-z]+", said.lower()):
        if word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = 1000 * part, 0
        else:
            part += 1 if word == "a" else int(CARDINALS.get(word, 0))
    return total + part


def in_digits(sentence: str) -> str:
    """Return a sentence with its numbers of several words in digits.

    >>> in_digits("a hundred and ten GB"), in_digits("between one hundred and two thousand MB")
    ('110 GB', 'between 100 and 2000 MB')
    """
    small = sentence.lower()
    if not any(part in small for part in ("ty", "hundred", "thousand")):
        return sentence
    pattern = _OF_RANGE if "between" in small else NUMERAL
    return pattern.sub(_digits, sentence)


def _digits(match: re.Match[str]) -> str:
    return str(numeral(match[0])) if re.search("[ -]", match[0]) else match[0]

"""Rewording of a sentence before it is read: idioms, signs, and lines of tools."""

import re
from collections.abc import Callable

from planner.quantity.writes.asides import without_asides
from planner.quantity.writes.numerals import in_digits

_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_TIMES = "(?:second|minute|hour|day|night|week|month|quarter|year)"
_NUMBER = r"[0-9][0-9.,]*(?:e[-+]?[0-9]+)?"
_WHOLE = r"([0-9]{1,3}(?:[.,'\u2019\u00a0\u202f][0-9]{3})+|[0-9]+)(?![.,]?[0-9])"  # of a counter
_CONTENTS = (
    "sequential|random|small|large|big|photos|videos?|music|films|movies|documents|files|logs"
    "|backups?|databases?"
)
_ORDINALS = {"second": "2", "third": "3", "fourth": "4", "fifth": "5"}


def _counter(factor: int, form: str) -> Callable[[re.Match[str]], str]:
    """Return the replacement of a counter of a tool."""
    return lambda match: form.format(factor * int(re.sub("[^0-9]", "", match[1])))


def _ordinal(match: re.Match[str]) -> str:
    name = match[1].lower()
    return f"every {_ORDINALS.get(name, name[:-2])} "


def _mix(match: re.Match[str]) -> str:
    """Return the share of writes of "70/30 read/write"."""
    reads, writes = int(match[1]), int(match[2])
    return f" {writes} % writes" if reads + writes == 100 else match[0]


_IN = r"(?:\b(?:in|over|after) )?"
_RATE = "([kmgtp]?i?B ?(?:/| per ) ?[a-z]+|DWPD)"
_READ_WRITE = r"(?:r|reads?) ?/ ?(?:w|writes?)\b"
# What a sentence must hold, in small letters; the form; and its words.
_FORMS: list[tuple[str, str, str | Callable[[re.Match[str]], str]]] = [
    # Signs
    ("\u00bd", "\u00bd", " 1/2"), ("\u00bc", "\u00bc", " 1/4"), ("\u00be", "\u00be", " 3/4"),
    ("\u2248", "\u2248", "~"), ("\u2264", "\u2264", "<"), ("\u2265", "\u2265", ">"),
    ("<", r"<=?\s*(?=[0-9.])", "up to "), (">", r">=?\s*(?=[0-9.])", "at least "),
    ("+", rf"({_NUMBER}) ?\+ ?(?=[kmgtp]i?b)", r"at least \1 "),
    ("10", rf"({_NUMBER}) ?[x*\u00d7\u00b7] ?10 ?(?:\^|\*\*) ?([0-9]+)", r"\1e\2"),
    ("10", r"\b10 ?(?:\^|\*\*) ?([0-9]+)", r"1e\1"),
    ("ish", r"([0-9]) ?-?ish\b", r"\1"), (" odd", r"([0-9]) odd\b", r"\1"),
    # Times
    ("day", r"\b(?:working|business|work|week)[ -]day", "weekday"),
    ("fri", r"\bmon(?:day)?s? ?(?:-|\u2013|to|through|till|until) ?fri(?:day)?s?\b", "weekdays"),
    ("on ", rf"\bon (?:an? )?({_DAYS})s?\b", r"every \1"),
    ("other", r"\bon (?:each of )?the (?:other|remaining) (five|six|[56]) days\b",
     r"on \1 days a week"),
    ("day", r"\b(weekday|weekend) (?:morning|evening|night)", r"\1"),
    ("every", r"\b(?:each and every|every single)\b", "every"),
    ("every", rf"\bevery ([2-9](?:nd|rd|th)|{'|'.join(_ORDINALS)}) (?={_TIMES})", _ordinal),
    ("alternate", r"\bevery alternate\b", "every other"),
    ("alternate", r"\bon alternate (\w+)s\b", r"every other \1"),
    ("basis", r"\b(?:on )?(?:an? )?(\w+ly|per \w+) basis\b", r"\1"),
    ("al ", rf"\b(?:on|in|per) (?:an? )?(?:typical|normal|usual) (?={_TIMES}\b)", "per "),
    ("average", rf"\b(?:on|in|per) (?:an? )?average (?={_TIMES}\b)", "per "),
    ("ly ", r"\b(hourly|daily|nightly|weekly|monthly|yearly) (once|twice|thrice)\b", r"\2 \1"),
    (" in ", r"\b(once|twice|thrice|times) in (?=(?:an?|every|each)\b)", r"\1 "),
    (" in ", r"\b(once|twice|thrice|times) in (?=[0-9])", r"\1 every "),
    ("-", rf"(?<=\w)-(?={_TIMES}\b)", " "), ("par", r"\bpar an(?:n\u00e9e)?\b", "per year"),
    ("a", r"/ ?a(?= ?(?:$|[,.;)]))", "/year"), ("j", r"/ ?j\b", "/day"),
    ("duty", rf"\bduty(?: cycle)?[ :=]+(?:of )?({_NUMBER}) ?%", r"\1 % duty"),
    # Units and nouns
    ("ly ", rf"\b(?:mostly|mainly|largely|purely) (?=(?:{_CONTENTS})\b)", ""),
    (" byte", r"\b(kilo|mega|giga|tera|peta) (?=bytes?\b)", r"\1"),
    (" copy", r"\b(i|we|they|you) copy\b", r"\1 write"),
    ("i/o", r"\bI/O(s?)\b", r"io\1"), ("w/s", r"\bw/s\b", "writes/s"),
    (" cam", r"\b(?:[48]k|u?hd|full[ -]hd|[0-9]+p|[0-9]+ ?mp) (?=cam)", ""),
    ("/", rf"\b([0-9]+) ?[/:] ?([0-9]+) ?%? {_READ_WRITE}", _mix),
    ("/", rf"\b{_READ_WRITE}(?: ratio| mix| split)?(?: of)?[ :=]+([0-9]+) ?[/:] ?([0-9]+)", _mix),
    # Lines of iostat, whose kB has 1024 bytes, of smartctl and of other tools
    ("b/s", r"\bw([km])B/s", r"\1iB/s"), ("wrtn", r"\b([km])B_wrtn/s", r"\1iB/s"),
    ("", rf"^(?:[a-z ]*\bwrit[a-z]*[ :=]+)?{_RATE}[ :=]+({_NUMBER})$", r"\2 \1"),
    ("data units", rf"\bdata units written[ :=]+{_WHOLE}(?: *\[[^]]*\])?",
     _counter(512_000, "{} B written")),
    ("power", rf"{_IN}\bpower[-_ ]on[-_ ]hours[ :=]+{_WHOLE}(?: ?h(?:ours)?\b)?",
     _counter(1, "in {} hours")),
    ("power", rf"{_IN}\b{_WHOLE} power[-_ ]on[-_ ]hours\b", _counter(1, "in {} hours")),
    ("written", r"\b(?:total )?(?:bytes|data) (?=written\b)", ""),
]  # fmt: skip
_REWORDED = [(key, re.compile(form, re.IGNORECASE), words) for key, form, words in _FORMS]


def reworded(sentence: str) -> str:
    """Return a sentence in the words of the grammar.

    >>> reworded("a hundred and twenty GB every second day"), reworded("wkB/s 2048.00")
    ('120 GB every 2 day', '2048.00 kiB/s')
    >>> reworded("Data Units Written: 12,345,678 [6.32 TB], Power On Hours: 8,760")
    '6320987136000 B written, in 8760 hours'
    """
    text = in_digits(without_asides(sentence))
    for key, form, words in _REWORDED:
        if key in text.lower():
            text = form.sub(words, text)
    return text.strip()

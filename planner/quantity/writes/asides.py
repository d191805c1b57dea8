"""Clauses of a sentence that state no writes: reads beside the writes, a peak beside the mean."""

import re

from planner.quantity.writes.numerals import NUMERAL

_JOINT = re.compile(
    r"(\s*[;,]\s+|\s*\.\s+|\s*[()]\s*|\s+(?:and|but|plus|with|while|vs\.?|[&+])\s+"
    r"|\s+(?=(?:reads?|writes?)\b[ :=]*[0-9]))",
    re.IGNORECASE,
)
_READS = re.compile(r"\b(?:reads?|reading)\b", re.IGNORECASE)
_WRITES = re.compile(r"\b(?:writ(?:es?|ten|ing)|wrote)\b", re.IGNORECASE)
_PEAK = re.compile(r"\b(?:peak(?:s|ing)?|max(?:imum)?|bursts?)\b", re.IGNORECASE)
_MEAN = re.compile(
    r"\b(?:average[sd]?|avg|mean|typical|typically|usually|normally)\b", re.IGNORECASE
)
_UNIT = re.compile(r"(?:b|bps|bits?|bytes?|dwpd|iops|gigs?)\b", re.IGNORECASE)
_PERIOD = re.compile(
    r"(?:/|\b(?:per|an?|each|every)\b)\s*(?:second|minute|hour|day|night|week|month|year|s|h|d)s?\b",
    re.IGNORECASE,
)


def without_asides(sentence: str) -> str:
    """Return a sentence without the amounts that are no writes, or only the most of them.

    >>> without_asides("1 TB written and 5 TB read per day")
    '1 TB written per day'
    >>> without_asides("avg 25 MB/s, peak 400 MB/s"), without_asides("we read 4 TB a day")
    ('avg 25 MB/s', 'we read 4 TB a day')
    """
    return _without(_without(sentence, _READS, _WRITES), _PEAK, _MEAN)


def _without(sentence: str, aside: re.Pattern[str], main: re.Pattern[str]) -> str:
    """Return a sentence without the clauses of one kind, if it has some of the other."""
    if not aside.search(sentence) or not main.search(sentence):
        return sentence
    parts = _JOINT.split(sentence)
    clauses = parts[::2]
    if not any(main.search(each) and not aside.search(each) for each in clauses):
        return sentence
    joints = ["", *parts[1::2]]
    if aside is _PEAK and any("plus" in each.lower() or "+" in each for each in joints):
        return sentence  # bursts that come to the mean
    is_kept = [not (aside.search(each) and _is_other(each, main)) for each in clauses]
    kept = [at for at, is_main in enumerate(is_kept) if is_main]
    text = "".join(f"{joints[at] if place else ''}{clauses[at]}" for place, at in enumerate(kept))
    period = _PERIOD.search(clauses[-1])
    return text if is_kept[-1] or not period or _PERIOD.search(text) else f"{text} {period[0]}"


def _is_other(clause: str, main: re.Pattern[str]) -> bool:
    """Whether a clause states an amount of its own that does not count."""
    is_amount = _UNIT.search(clause) and (re.search("[0-9]", clause) or NUMERAL.search(clause))
    return bool(is_amount) and "%" not in clause and not main.search(clause)

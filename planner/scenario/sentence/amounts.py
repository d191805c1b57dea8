"""Amounts in a sentence: writes so far, ratings, and the rate of writes."""

import re
from collections.abc import Iterator

from planner.quantity.writes.reading import read_writes
from planner.quantity.writes.words import Token, UnreadError, number_of, plain, unit_of
from planner.scenario.sentence.marks import (
    ADVERB,
    IGNORED,
    SPAN,
    TAKEN,
    TIME,
    Marked,
    Question,
    StatedPart,
    time_text,
)
from planner.scenario.sentence.words import FILLERS

_NAMES = {
    1e3: "kB", 1e6: "MB", 1e9: "GB", 1e12: "TB", 1e15: "PB", 2.0**10: "KiB", 2.0**20: "MiB",
    2.0**30: "GiB", 2.0**40: "TiB", 2.0**50: "PiB",
}  # fmt: skip
_LONGEST_RATE = 16  # words
_DIGITS = r"(?P<number>[0-9]+(?:[.,'\u2019][0-9]+)*)"
_BYTES = r"(?:[kmgtp]i?b|(?:kilo|mega|giga|tera|peta)bytes?|gigs?|teras?)"
_AMOUNT = rf"{_DIGITS} ?(?P<unit>{_BYTES})(?![a-z])"
_TBW = rf"{_DIGITS} ?(?P<unit>[tp]bw)(?![a-z])"
_RATE = rf"(?: ?/ ?{SPAN}| (?:an?|per|each|every) {SPAN}| {ADVERB}| p\.? ?a)\b"
_NO_RATE = rf"(?! ?/| (?:per|each|every)\b|{_RATE})"
_ABOUT = r"(?:about |around |roughly |almost |nearly |over |only |just |approx\.? |~ ?)*"
_HOST = r"(?:host |total |data )*"
_TOTAL = (
    r"(?:total (?:host |bytes |data |lbas? )?(?:writes?|written)"
    r"|(?:host|data units|lbas?|bytes|data|host data) written|written|wrote|host writes|tbw)"
    rf"(?:[ :=]|of |is |was |are |at |now |already |currently )*{_ABOUT}"
)
_SO_FAR = (
    r"(?: (?:so far|already|to date|in total|total"
    r"|(?:to|on) (?:it|each|them|the (?:ssd|drive|disk))))*"
)
_IN = (
    r"(?:,? (?:in|over|after|within|during|for) (?:the (?:last|past) |an? )?"
    rf"{_ABOUT}(?P<time>{TIME})(?: period)?(?![a-z]))?"
)


def _patterns(*forms: str, after: str = "(?![a-z0-9])") -> list[re.Pattern[str]]:
    return [re.compile(rf"(?<![a-z0-9.,]){form}{after}") for form in forms]


_RATED = _patterns(
    rf"(?:rated|rating|warrant\w*|endurance)(?:[ :=(]|for|at|to|of|is|a|tbw)*{_TBW}",
    rf"(?:rated|rating|warrant\w*|endurance|tbw of)(?:[ :=(]|for|at|to|of|is|a|tbw)*{_AMOUNT}",
    rf"{_TBW} (?:rated|rating|endurance|warranty|limit|lifespan|life)",
)
_WRITTEN = _patterns(
    rf"{_AMOUNT} (?:(?:(?:have|has|had) been|was|were|already|host|data|total|of) )*writt?en",
    rf"{_AMOUNT} of {_HOST}writes",
    rf"{_TOTAL}{_AMOUNT}",
    rf"(?:already|so far|currently)(?: at| has| have| of)* {_ABOUT}{_TBW}",
    rf"{_TBW} (?:so far|already|used|written|to date)",
    after=_SO_FAR + _IN + _NO_RATE,
)
_ALONE = _patterns(_TBW)
_READ = _patterns(
    rf"reads?(?:ing)?(?: |:|of|about|around|up to|speeds?|~)*{_AMOUNT}(?:{_RATE})?",
    rf"{_AMOUNT}(?:{_RATE})? (?:of )?(?:data )?reads?",
)
_PIECE = re.compile(r"(?:[^\0;!?().]|\.(?! |$|\0))+")
_OF_A_RATE = re.compile(
    rf"[0-9] ?(?:{_BYTES}|[kmgt]?bits?|[kmg]bps|bytes|dwpd|iops)"
    rf"|dwpd|drive writes|fills|commits|tps\b|cameras?|streams?|\b{_BYTES}\b"
)
_UNREAD = re.compile("is not read|a number is missing|nothing is stated")


# Amounts ----------------------------------------------------------------------------------------


def read_written(marked: Marked) -> Iterator[StatedPart | Question]:
    """Yield ratings, writes so far with their time, and reads, which have no effect."""
    for pattern, name in (
        *((one, "tbw") for one in _RATED),
        *((one, "written") for one in _WRITTEN),
    ):
        for match in _matches(marked, pattern):
            yield from _amount(marked, match, name)
    for pattern in _ALONE:
        for match in _matches(marked, pattern):
            said = marked.said(*match.span())
            readings = [
                marked.with_words(*match.span(), words)
                for words in (f"rated {said}", f"{said} so far")
            ]
            why = f"'{said}' may be the rating or what was written so far"
            yield Question(*match.span(), why, tuple(readings))
    for pattern in _READ:
        for match in _matches(marked, pattern):
            yield StatedPart(IGNORED, marked.said(*match.span()), *match.span())


def _matches(marked: Marked, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches in what is open; a part that is taken meanwhile is none."""
    for match in list(pattern.finditer(marked.open)):
        if TAKEN not in marked.open[slice(*match.span())]:
            yield match


def _amount(marked: Marked, match: re.Match[str], name: str) -> Iterator[StatedPart | Question]:
    """Yield an amount of bytes, and the time in which it was written."""
    number, unit = match.span("number"), match.span("unit")
    try:
        value = _size_text(marked, number, unit)
    except UnreadError as error:
        yield Question(*match.span(), str(error), tuple(_whole(marked, unit, error)))
        return
    of_time = match.groupdict().get("time")
    if of_time:
        yield StatedPart("age", time_text(of_time), *match.span("time"))
        yield StatedPart(name, value, match.start(), match.start("time"))
    else:
        yield StatedPart(name, value, *match.span())


def _whole(marked: Marked, unit: tuple[int, int], error: UnreadError) -> Iterator[str]:
    """Yield the readings of a refused amount as sentences: they may be of its unit alone."""
    for offer in error.offers:
        is_unit = len(offer) <= len("Mbit")
        yield marked.with_words(*unit, offer) if is_unit else offer


def _size_text(marked: Marked, number: tuple[int, int], unit: tuple[int, int]) -> str:
    """Return an amount as its input reads it; refuse one that may mean two things."""
    said = marked.said(*unit)
    size = unit_of(said)
    assert size is not None, said  # noqa: S101 - the pattern holds units alone
    digits = number_of(Token("number", marked.said(*number), *number), marked.text)
    return f"{plain(digits)} {_NAMES[size.one_bytes]}"


# Rates ------------------------------------------------------------------------------------------


def read_rates(marked: Marked) -> Iterator[StatedPart | Question]:
    """Yield the rates of writes: the longest words that the grammar of writes reads."""
    for piece in list(_PIECE.finditer(marked.open)):
        words = [
            (piece.start() + word.start(), piece.start() + word.end())
            for word in re.finditer(r"[^\s,]\S*", piece[0])
        ]
        yield from _rates(marked, words)


def _rates(marked: Marked, words: list[tuple[int, int]]) -> Iterator[StatedPart | Question]:
    """Yield the rates in some words, and a question for each that cannot be read otherwise."""
    read: list[tuple[int, int]] = []
    refused: list[tuple[int, int, UnreadError]] = []
    for start, end in _windows(words):
        if _overlaps(start, end, read) or not _OF_A_RATE.search(marked.open[start:end]):
            continue
        if (error := _refusal(marked.said(start, end))) is None:
            read.append((start, end))
            yield _rate(marked, start, end)
        elif not _UNREAD.search(str(error)):
            refused.append((start, end, error))
    for start, end, why in refused:
        if not _overlaps(start, end, read):
            read.append((start, end))
            readings = (marked.with_words(start, end, offer) for offer in why.offers)
            yield Question(start, end, str(why) or "The rate cannot be read", tuple(readings))


def _refusal(text: str) -> UnreadError | None:
    try:
        read_writes(text)
    except UnreadError as error:
        return error
    return None


def _rate(marked: Marked, start: int, end: int) -> StatedPart:
    """Return a rate, as an input in the fewest words that are read as the same."""
    words = [(start + each.start(), start + each.end())
             for each in re.finditer(r"[^\s,:]+", marked.open[start:end])]  # fmt: skip
    reading = read_writes(marked.said(start, end))
    # Words without a meaning at its end may belong to the clause that follows.
    while words[1:] and marked.open[slice(*words[-1])] in FILLERS:
        shorter = marked.said(start, words[-2][1])
        if _refusal(shorter) is not None or read_writes(shorter) != reading:
            break
        words.pop()
    end = words[-1][1]
    for first in range(len(words) - 1, -1, -1):
        for last in range(first, len(words)):
            said = marked.said(words[first][0], words[last][1])
            if _refusal(said) is None and read_writes(said) == reading:
                return StatedPart("writes", said, start, end)
    return StatedPart("writes", marked.said(start, end), start, end)


def _overlaps(start: int, end: int, others: list[tuple[int, int]]) -> bool:
    return any(start < last and first < end for first, last in others)


def _windows(words: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the places of runs of words, the longest first."""
    runs = [
        (first, last)
        for last in range(len(words))
        for first in range(max(0, last + 1 - _LONGEST_RATE), last + 1)
    ]
    runs.sort(key=lambda run: run[0] - run[1])
    return [(words[first][0], words[last][1]) for first, last in runs]

"""The words of sentences that state writes: tokens, numbers, units, times.

The grammar of the sentences is in `planner.quantity.writes.terms`.
"""

import math
import re
from typing import NamedTuple

from models import units
from models.units import DAY_S, HOUR_S, WEEK_S, YEAR_S
from planner.quantity.parse import LARGEST, quoted, shortened

MONTH_S = YEAR_S / 12
PERIODS = {
    "us": units.US, "ms": units.MS, "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0,
    "minute": 60.0, "h": HOUR_S, "hr": HOUR_S, "hour": HOUR_S, "d": DAY_S, "day": DAY_S,
    "night": DAY_S, "wk": WEEK_S, "week": WEEK_S, "fortnight": 2 * WEEK_S, "mo": MONTH_S,
    "mon": MONTH_S, "month": MONTH_S, "quarter": YEAR_S / 4, "y": YEAR_S, "yr": YEAR_S,
    "year": YEAR_S, "annum": YEAR_S, "morning": DAY_S, "evening": DAY_S, "sekunde": 1.0,
    "seconde": 1.0, "stunde": HOUR_S, "stunden": HOUR_S, "heure": HOUR_S, "tag": DAY_S,
    "tage": DAY_S, "tagen": DAY_S, "jour": DAY_S, "woche": WEEK_S, "wochen": WEEK_S,
    "semaine": WEEK_S, "monat": MONTH_S, "monate": MONTH_S, "monaten": MONTH_S, "mois": MONTH_S,
    "jahr": YEAR_S, "jahre": YEAR_S, "jahren": YEAR_S,
}  # fmt: skip
ADVERBS = {
    "hourly": HOUR_S, "daily": DAY_S, "nightly": DAY_S, "weekly": WEEK_S, "monthly": MONTH_S,
    "quarterly": YEAR_S / 4, "yearly": YEAR_S, "annually": YEAR_S, "annual": YEAR_S, "pa": YEAR_S,
    "t\u00e4glich": DAY_S, "w\u00f6chentlich": WEEK_S, "monatlich": MONTH_S,
    "j\u00e4hrlich": YEAR_S,
}  # fmt: skip
CARDINALS = {
    "zero": 0.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0,
    "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0, "eleven": 11.0, "twelve": 12.0,
    "thirteen": 13.0, "fourteen": 14.0, "fifteen": 15.0, "sixteen": 16.0, "seventeen": 17.0,
    "eighteen": 18.0, "nineteen": 19.0, "twenty": 20.0, "thirty": 30.0, "forty": 40.0,
    "fifty": 50.0, "sixty": 60.0, "seventy": 70.0, "eighty": 80.0, "ninety": 90.0,
}  # fmt: skip
MULTIPLES = {
    "dozen": 12.0, "hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9,
    "lakh": 1e5, "lakhs": 1e5, "crore": 1e7, "crores": 1e7,
}  # fmt: skip
FRACTIONS = {
    "half": 2.0, "halves": 2.0, "third": 3.0, "thirds": 3.0, "quarter": 4.0, "quarters": 4.0,
    "fifth": 5.0, "fifths": 5.0, "sixth": 6.0, "sixths": 6.0, "eighth": 8.0, "eighths": 8.0,
    "tenth": 10.0, "tenths": 10.0,
}  # fmt: skip
_POWERS = {name: power for power, name in enumerate(("", "k", "m", "g", "t", "p", "e"))}
_SPELT = {"kilo": "k", "mega": "m", "giga": "g", "tera": "t", "peta": "p", "exa": "e"}
_SPELT_BINARY = {"kibi": "k", "mebi": "m", "gibi": "g", "tebi": "t", "pebi": "p", "exbi": "e"}
_SHORT = re.compile(r"([kmgtpe]?)(i?)(bits?|bps|b)", re.IGNORECASE)
_LONG = re.compile(r"([a-z]*?)(bytes?|bits?)", re.IGNORECASE)
_ALONE = re.compile(r"[kmgtp]i?", re.IGNORECASE)
_OCTETS = re.compile(r"([KkMGTP]i?)o")  # French; "to" and "mo" are words
_FAMILIAR = {
    "gig": "GB", "gigs": "GB", "giga": "GB", "gigas": "GB", "meg": "MB", "megs": "MB",
    "tera": "TB", "teras": "TB", "tbw": "TB", "pbw": "PB",
}  # fmt: skip
_LETTER = r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]"
_TOKEN = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9]))"
    r"|(?P<always>24\s?[/x]\s?7(?![0-9]))"
    r"|(?P<number>(?:[0-9]{1,3}(?:[ \u00a0\u202f'\u2019][0-9]{3})+(?![0-9])(?:[.,][0-9]+)?"
    r"|[0-9]+(?:[.,][0-9]+)*(?:\.(?=\s*[A-Za-z%]))?|\.[0-9]+)(?:e[-+]?[0-9]+)?)"
    r"|(?P<annum>p\.\s?a(?:\.|\b))"
    rf"|(?P<word>{_LETTER}(?:{_LETTER}|_)*)|(?P<sign>\.\.|[-/+*%~,;&@\u00d7\u2013\u2212])"
    r"|(?P<skip>['\u2019](?:s|re|ve|m|ll|d)\b|[].()[:=?!\"\s]+)",
    re.IGNORECASE,
)
_SAME_SIGNS = {"\u00d7": "x", "*": "x", "\u2013": "-", "\u2212": "-", "@": "at", ";": ","}
_INDIAN = re.compile(r"[1-9][0-9]?(,[0-9]{2})+,[0-9]{3}(\.[0-9]+)?")
_AMBIGUOUS = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}([.,])[0-9]{3}(?:\1[0-9]{3})*")


class UnreadError(ValueError):
    """A sentence that cannot be read without a guess, and sentences that can be."""

    def __init__(self, why: str, *offers: str, must: str = "a rate") -> None:
        super().__init__(why)
        self.why, self.offers, self.must = why, offers, must


class Token(NamedTuple):
    """A word, a number or a sign, and its place in the sentence."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """Return it in small letters; signs that mean the same are one."""
        return _SAME_SIGNS.get(self.text, self.text.lower())


class SizeUnit(NamedTuple):
    """A unit of sizes: its bytes, and what its letters leave open."""

    one_bytes: float
    is_bits: bool = False
    is_per_second: bool = False
    is_open: bool = False  # "gb", which is bytes a day and may be bits a second


def tokens_of(sentence: str) -> list[Token]:
    """Split a sentence into words, numbers and signs.

    >>> [token.text for token in tokens_of("32x6 Mbit/s p.a.")]
    ['32', 'x', '6', 'Mbit', '/', 's', 'pa']
    """
    found, at = [], 0
    while at < len(sentence):
        match = _TOKEN.match(sentence, at)
        if match is None:
            raise UnreadError(f"{quoted(sentence[at])} is not read")
        kind, at = match.lastgroup or "", match.end()
        if kind == "annum":
            found.append(Token("word", "pa", match.start(), at))
        elif kind != "skip":
            found.append(Token(kind, match[0], match.start(), at))
    return found


def number_of(token: Token, sentence: str) -> float:
    """Return the number of a token; refuse one that is a thousand or a decimal.

    >>> number_of(Token("number", "1.234,5", 0, 7), "1.234,5 GB/day")
    1234.5
    """
    plain = re.sub(r"[ \u00a0\u202f'\u2019]", "", token.text.lower()).rstrip(".")
    mantissa, exponent, power = plain.partition("e")
    if not exponent and _AMBIGUOUS.fullmatch(mantissa):
        raise _two_readings(token, mantissa, sentence)
    value = float(f"{_with_point(mantissa, token, sentence)}{exponent}{power}")
    if value > LARGEST:
        raise too_large()
    return value


def too_large() -> UnreadError:
    """Return the refusal of a number beyond every quantity."""
    return UnreadError("", must=f"a number up to {LARGEST:g}")


def _two_readings(token: Token, mantissa: str, sentence: str) -> UnreadError:
    whole, decimals = mantissa[:-4], mantissa[-3:]
    decimal = f"{whole}.{decimals.rstrip('0')}" if decimals[-1] == "0" else f"{whole}.{decimals}0"
    before, after = sentence[: token.start], sentence[token.end :]
    offers = [f"{before}{each}{after}" for each in (whole + decimals, decimal.rstrip("."))]
    return UnreadError(f"{shortened(token.text)} may be a decimal or have thousands", *offers)


def _with_point(mantissa: str, token: Token, sentence: str) -> str:
    """Return a number with a decimal point and nothing between its thousands."""
    commas, points = mantissa.count(","), mantissa.count(".")
    if not commas and points < 2:
        return mantissa
    if _INDIAN.fullmatch(mantissa):
        return mantissa.replace(",", "")
    last = max(mantissa.rfind(","), mantissa.rfind("."))
    whole, decimals = mantissa[:last], mantissa[last + 1 :]
    grouped = _GROUPED.fullmatch(mantissa)
    if grouped and (commas + points > 1 or grouped[1] == ","):
        return mantissa.replace(grouped[1], "")
    if commas + points == 1:
        return f"{whole}.{decimals}"
    if (inner := _GROUPED.fullmatch(whole)) and inner[1] != mantissa[last]:
        return f"{whole.replace(inner[1], '')}.{decimals}"
    bare = re.sub("[.,]", "", mantissa)
    offer = f"{sentence[: token.start]}{bare}{sentence[token.end :]}"
    raise UnreadError(f"{shortened(token.text)} is not a number", offer)


def period_of(word: str) -> float | None:
    """Return the seconds of a time by its name.

    >>> period_of("hours"), period_of("parsec")
    (3600.0, None)
    """
    return PERIODS.get(word) or PERIODS.get(word.removesuffix("s"))


def unit_of(word: str) -> SizeUnit | None:
    """Return the unit that a word names; refuse one that may be of bits or of bytes.

    >>> unit_of("GB").one_bytes, unit_of("Mbit").is_bits, unit_of("bananas")
    (1000000000.0, True, None)
    >>> unit_of("Go").one_bytes, unit_of("go")
    (1000000000.0, None)
    """
    octets = _OCTETS.fullmatch(word)
    word = f"{octets[1]}B" if octets else _FAMILIAR.get(word.lower(), word)
    short = _SHORT.fullmatch(word)
    return _spelt(word) if short is None else _letters(word, *short.groups())


def _letters(word: str, prefix: str, binary: str, last: str) -> SizeUnit:
    one = (1024.0 if binary else 1000.0) ** _POWERS[prefix.lower()]
    if last.lower() in ("bit", "bits"):
        return SizeUnit(one / 8, is_bits=True)
    if last == "BPS" or (last.lower() != last and last[0] == "b"):
        raise bits_or_bytes(word)
    is_rate, is_bytes = len(last) > 1, last[0] == "B"
    if is_rate:
        return SizeUnit(one if is_bytes else one / 8, not is_bytes, is_per_second=True)
    if is_bytes or binary:
        return SizeUnit(one)
    if prefix in ("", "k", "m") or prefix.isupper():
        raise bits_or_bytes(word)
    return SizeUnit(one, is_open=True)


def _spelt(word: str) -> SizeUnit | None:
    match = _LONG.fullmatch(word)
    if match is None:
        return None
    prefix, is_bits = match[1].lower(), match[2].lower().startswith("bit")
    known = {"": "", **_SPELT, **_SPELT_BINARY, **{each: each for each in _POWERS}}
    if prefix not in known:
        return None
    base = 1024.0 if prefix in _SPELT_BINARY else 1000.0
    one = base ** _POWERS[known[prefix]]
    return SizeUnit(one / 8 if is_bits else one, is_bits)


def bits_or_bytes(word: str) -> UnreadError:
    """Return the refusal of a unit; `{}` in an offer stands for what the sentence has around it."""
    prefix = word[0].upper() if len(word) > 1 else ""
    prefix = "k" if prefix == "K" else prefix
    return UnreadError(f"{word} may be bytes or bits", f"{prefix}B", f"{prefix}bit")


def is_prefix_alone(word: str) -> bool:
    """Whether a word is the beginning of a unit: G, Ti.

    >>> is_prefix_alone("G"), is_prefix_alone("GB")
    (True, False)
    """
    return _ALONE.fullmatch(word) is not None


def plain(value: float) -> str:
    """Write a number so that it is read back to its digits.

    >>> plain(1234.0), plain(1.234), plain(0.125)
    ('1234', '1.2340', '0.125')
    """
    if not math.isfinite(value):
        return str(value)
    return unambiguous(f"{value:.6g}")


def unambiguous(text: str) -> str:
    """Rewrite the numbers of a text of which a point may part thousands or decimals.

    >>> unambiguous("561.096 GB/day"), unambiguous("10,000 GiB/day"), unambiguous("0.125 TB/day")
    ('561.0960 GB/day', '10000 GiB/day', '0.125 TB/day')
    """
    lone = r"(?<![0-9.,])([1-9][0-9]{0,2})%s([0-9]{3})(?![0-9eE]|[.,][0-9])"
    text = re.sub(lone % r"\.", r"\1.\g<2>0", text)
    return re.sub(lone % ",", r"\1\2", text)

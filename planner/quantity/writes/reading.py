"""Parse the writes of a host as people state them: "32 cameras x 6 Mbit/s", "0.3 DWPD".

Option, field, script, link and file read them by this function. A sentence that could mean two
things is refused with both readings. `planner.quantity.writes.terms` holds the grammar.
"""

import itertools
import math
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from functools import lru_cache

from models.errors import DomainError
from models.units import DAY_S, GIB, MIB
from planner.quantity.bounds import WRITES
from planner.quantity.parse import LARGEST, LONGEST, quoted
from planner.quantity.writes.parts import (
    FILLED,
    LEADS,
    RUNS,
    SOURCES,
    TIMES,
    Amount,
    Duty,
    WritesTerm,
)
from planner.quantity.writes.stated import Writes, size_text
from planner.quantity.writes.terms import TermReader
from planner.quantity.writes.words import (
    CARDINALS,
    FRACTIONS,
    MULTIPLES,
    UnreadError,
    plain,
    tokens_of,
    too_large,
    unit_of,
)

SEQUENTIAL_SHARE = 0.9  # assumed of writes that are said to be sequential
ALREADY_WRITTEN = "already written? Then state it as written, with the age"
_USUAL = ("50 GiB/day", "20 MB/s", "0.3 DWPD")
_NOTHING = frozenset({"none", "nothing", "zero", "no writes"})
_NUMBERS = {*CARDINALS, *MULTIPLES, *FRACTIONS, *FILLED, *TIMES} - {"full"}
_ZERO = re.compile(r"[-+]?(0+([.,]0*)?|[.,]0+)(e[-+]?[0-9]+)?")
_SIGNED = re.compile(r"\s*[-\u2212\u2013]\s*[0-9.,]")
_PLAIN = re.compile(
    r"[+]?[0-9][0-9.,]*(e[-+]?[0-9]+)?\s*(([kmgtp]i?)?B(it)?\s*(/\s*|\s(per|an?)\s+)[a-z]+|DWPD)",
    re.IGNORECASE,
)
_LARGEST_BLOCK = 64 * MIB  # of one write
_MOST_OFFERS, _LONGEST_OFFER = 3, 60  # characters


def statement(field: str, written: str) -> Writes:
    """Parse a sentence that states writes; `field` is its name in the error message.

    >>> statement("writes", "30 to 120 GB/day").ends()
    (347222.22222222225, 1388888.888888889)
    >>> statement("writes", "4TB")
    Traceback (most recent call last):
    models.errors.DomainError: writes must be a rate such as 4TB/day, 4TB in 270 days or \
4TB every 2 h, got '4TB': 4 TB by when?
    """
    text = str(written)
    try:
        return read_writes(text)
    except UnreadError as error:
        such = _listed(_accepted(error.offers) or _USUAL)
        must = f"{error.must} such as {such}, got {quoted(text)}"
        why = f": {error.why}" if error.why else ""
        raise DomainError(f"{field} must be {must}{why}") from None


def parse_writes(field: str, written: str, *, capacity_bytes: float) -> float:
    """Parse a write rate in bytes per second; 1 DWPD is `capacity_bytes` per day, 0 needs no unit.

    >>> round(parse_writes("writes", "1 DWPD", capacity_bytes=864e9))
    10000000
    >>> parse_writes("writes", "8 Mbit/s", capacity_bytes=864e9)
    1000000.0
    """
    said = statement(field, written)
    rate = said.bytes_per_s(capacity_bytes)
    if said.scope == "node":  # no plan knows how many there are
        fills, size = f"{plain(said.fills * DAY_S)} DWPD", f"{size_text(said.rate * DAY_S)}/day"
        such = f"8 x {fills if said.fills else size}"
        why = f"{quoted(written)}: how many is not known here"
        raise DomainError(f"{field} must be of all nodes together such as {such}, got {why}")
    return rate


def is_plain(written: str) -> bool:
    """Whether a sentence is a number, a unit and a period, which nobody reads otherwise.

    >>> is_plain("50 GiB/day"), is_plain("35 TB in 270 days")
    (True, False)
    """
    return (
        _PLAIN.fullmatch(written.strip()) is not None
        or _ZERO.fullmatch(written.strip()) is not None
    )


def today() -> date:
    """Return the day up to which "since" counts."""
    return date.today()


def read_writes(text: str) -> Writes:
    """Read a sentence that states writes alone; raise UnreadError with what could be read."""
    return _read_on(text, today())


@lru_cache(256)
def _read_on(text: str, day: date) -> Writes:
    """Read a sentence on a day; raise UnreadError."""
    if len(text) > LONGEST:
        raise UnreadError(f"a sentence has at most {LONGEST} characters")
    bare = text.strip().lower().rstrip(".")
    if not bare:
        raise UnreadError("nothing is stated", "30 GB/day", "0")
    if bare in _NOTHING or _ZERO.fullmatch(bare):
        return Writes()
    if _SIGNED.match(text):
        offer = text.lstrip(" -\u2212\u2013")
        raise UnreadError("", offer, must=f"{WRITES.words(GIB / DAY_S)} GiB/day")
    sentence = _in_plain_words(text.strip().lstrip("+"))
    _require_number(sentence)
    reader = TermReader(sentence, tokens_of(sentence), day)
    terms = [_writes(reader.read(), reader.sentence)]
    while reader.next_term():
        terms.append(_writes(reader.read(), reader.sentence))
    read = _sum(terms)
    if not math.isfinite(read.rate + read.fills) or read.rate > LARGEST**1.5:
        raise too_large()
    return read


def _in_plain_words(text: str) -> str:
    """Return a sentence in the words of the grammar; only one that is not plain needs others."""
    if is_plain(text):
        return text
    from planner.quantity.writes.rewording import reworded  # noqa: PLC0415 - many patterns

    return reworded(text)


def _require_number(text: str) -> None:
    """Refuse a sentence without any number."""
    words = re.findall(r"[A-Za-z]+", text)
    is_word = any(word.lower() in _NUMBERS for word in words)
    if is_word or re.search(r"[0-9]", text):
        return
    after_a = [after for word, after in itertools.pairwise(words) if word.lower() == "a"]
    if not any(len(after) > 1 and _is_unit(after) for after in after_a):
        raise UnreadError("a number is missing")


def _is_unit(word: str) -> bool:
    try:
        return word.lower() in ("dwpd", "drive", "full", "fill") or unit_of(word) is not None
    except UnreadError:
        return True


def _writes(term: WritesTerm, sentence: str) -> Writes:
    """Return the writes of a term."""
    main, block = _parts(term, sentence)
    period_s, duties = _period_s(term, main, sentence)
    _check_each(term, main, period_s, sentence)
    share = math.prod(duty.share for duty in duties)
    count = 1.0 if term.is_sum or term.count is None else term.count
    factor = count * (1.0 if term.times is None else term.times) * share
    low, high = (end / period_s * factor for end in (main.low, main.high))
    middle = low if not main.is_range else math.sqrt(low) * math.sqrt(high)
    pair = (lambda value: (0.0, value)) if main.is_fills else (lambda value: (value, 0.0))
    rate, fills = pair(middle)
    return Writes(
        rate=rate, fills=fills, low=pair(low) if main.is_range else None,
        high=pair(high) if main.is_range else None, kept_s=term.kept_s,
        elapsed=_elapsed(term, main, factor), scope=term.scope, sequential=term.sequential,
        block_bytes=block, warnings=_warnings(term, main, period_s),
    )  # fmt: skip


def _warnings(term: WritesTerm, main: Amount, period_s: float) -> tuple[str, ...]:
    said = list(dict.fromkeys(term.warnings))
    if main.unit is not None and main.unit.is_bits and period_s > 1:
        said.append("Bits, not bytes")
    if term.total_s is not None:
        said.append(ALREADY_WRITTEN)
    return tuple(said)


def _elapsed(term: WritesTerm, main: Amount, factor: float) -> tuple[float, float] | None:
    if term.total_s is None or main.is_fills:
        return None
    return main.high * factor, term.total_s


def _parts(term: WritesTerm, sentence: str) -> tuple[Amount, float | None]:
    """Return the amount of a period, and the size of one write if it is stated."""
    if term.events is not None:
        return _of_events(term, term.events, sentence)
    if not term.amounts and term.count is not None:
        said = plain(term.count)
        raise UnreadError(f"{said} times what?", f"{said} x 6 Mbit/s")
    if not term.amounts:
        is_share = any(math.isinf(duty.part_s) for duty in term.duties)
        raise UnreadError("a share of what?" if is_share else "of what?")
    if term.is_io:
        raise UnreadError("how much of it is written?", f"{sentence.strip(' .')} 40 % writes")
    if len(term.amounts) == 1:
        return term.amounts[0], None
    main, block, *rest = term.amounts
    if main.lead == "of" and block.lead != "of":
        main, block = block, main
    is_bits = block.unit is None or block.unit.is_bits  # or fills of the drive
    is_size = not is_bits and not block.is_range and 0 < block.high <= _LARGEST_BLOCK
    if rest or not is_size or block.lead not in ("of", "in", "with"):
        raise UnreadError("two amounts without a plus")
    return main, block.high


def _of_events(term: WritesTerm, events: float, sentence: str) -> tuple[Amount, float | None]:
    """Return the bytes of a period of some writes, and the size of one that reaches the drive."""
    if len(term.amounts) != 1 or term.amounts[0].is_fills or term.amounts[0].is_range:
        offers = f"{sentence.strip(' .')} of 8 KiB", f"{plain(events)} writes/s of 8 KiB"
        raise UnreadError("the size of one write is missing", *offers)
    (size,) = term.amounts
    if size.unit is not None and size.unit.is_bits:
        raise UnreadError("the size of one write is in bytes")
    return Amount(events * size.high, events * size.high), None if term.is_payload else size.high


def _period_s(term: WritesTerm, main: Amount, sentence: str) -> tuple[float, list[Duty]]:
    """Return the period of the amount and its duties."""
    period_s = term.period_s if term.period_s is not None else term.total_s
    if main.lead == "dwpd":
        if term.times is not None or (period_s not in (None, DAY_S)):
            raise UnreadError("DWPD are a day already", f"{plain(main.low * DAY_S)} DWPD")
        period_s = 1.0
    active = DAY_S if main.lead == "dwpd" else None
    if period_s is None and any(duty.is_days for duty in term.duties):
        period_s = DAY_S
    if period_s is None:
        raise _by_when(main, sentence)
    _refuse_open(main, period_s)
    if term.is_partly and all(duty.is_days for duty in term.duties):
        raise UnreadError("for how much of the time?", f"{sentence.strip(' .')} 8 h a day")
    for duty in term.duties:
        if duty.part_s < (active or period_s) * 0.9995:
            rate = Writes(rate=0.0 if main.is_fills else main.high / period_s)
            offer = f"{size_text(rate.rate * DAY_S)}/day" if rate.rate else "1 DWPD"
            raise UnreadError(
                "the time with writes is shorter than the period of the amount", offer
            )
    return period_s, term.duties


def _by_when(main: Amount, sentence: str) -> UnreadError:
    if main.is_fills:
        said = f"{plain(main.high)} drive writes"
        return UnreadError(f"{said} by when?", f"{said} a week", f"{plain(main.high)} DWPD")
    said = size_text(main.high, digits=6)
    stems = (sentence.strip(" .,"), said)
    offers = [f"{stem}{end}" for stem in stems for end in ("/day", " in 270 days", " every 2 h")]
    return UnreadError(f"{said} by when?", *offers)


def _refuse_open(main: Amount, period_s: float) -> None:
    """Refuse a second of "gb", which may be of bits."""
    if main.unit is None or not main.unit.is_open or period_s > 1:
        return
    value = main.high / main.unit.one_bytes
    prefix = "BkMGTPE"[round(math.log10(main.unit.one_bytes) / 3)]
    said = f"{plain(value)} {prefix}"
    raise UnreadError("it may be bytes or bits", f"{said}B/s", f"{said}bit/s")


def _check_each(term: WritesTerm, main: Amount, period_s: float, sentence: str) -> None:
    """Refuse an amount of which it is open whether it is of each or of all."""
    said = sentence.strip(" .")
    if term.count is None:
        if term.is_of_each and term.events is None:
            raise UnreadError(f"how many{term.of_each and f' {term.of_each}s'}?", f"{said} x 8")
        if term.noun.endswith("s") and term.noun in SOURCES and term.amounts[0].lead == "at":
            raise UnreadError(f"how many {term.noun}?", f"8 {said}")
        return
    if term.is_sum and not term.is_of_each:
        return
    is_open = term.is_counted_after or term.is_all_or_each
    is_open |= term.noun in RUNS and term.amounts[0].lead not in LEADS
    if term.is_of_all or (is_open and not term.is_of_each):
        a_day = main.high / period_s * DAY_S
        rate = f"{plain(a_day)} DWPD" if main.is_fills else f"{size_text(a_day, digits=6)}/day"
        offers = f"{plain(term.count)} x {rate}", rate
        raise UnreadError("it may be of each or of all", f"{said} each", *offers)


def _sum(terms: list[Writes]) -> Writes:
    """Add the terms of a sentence."""
    if len(terms) == 1:
        return terms[0]
    scopes = {each.scope for each in terms}
    is_mixed = len(scopes - {"all drives"}) > 1
    if is_mixed or (len(scopes) > 1 and terms[-1].scope == "all drives"):
        raise UnreadError("one part is of each drive or node, the other of all")
    orders = {each.sequential for each in terms}
    whole = terms[-1]
    is_ranged = any(each.low for each in terms)
    return replace(
        whole,
        rate=sum(each.rate for each in terms),
        fills=sum(each.fills for each in terms),
        low=_added([each.low or (each.rate, each.fills) for each in terms]) if is_ranged else None,
        high=_added([each.high or (each.rate, each.fills) for each in terms])
        if is_ranged
        else None,
        kept_s=next((each.kept_s for each in terms if each.kept_s), None),
        elapsed=None,
        sequential=orders.pop() if len(orders) == 1 else None,
        block_bytes=None,
        warnings=tuple(dict.fromkeys(text for each in terms for text in each.warnings)),
    )


def _added(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    return sum(rate for rate, _ in pairs), sum(fills for _, fills in pairs)


def _accepted(offers: Iterable[str]) -> list[str]:
    """Return the offers that are read."""
    kept = []
    for offer in dict.fromkeys(" ".join(each.replace(", ", " ").split()) for each in offers):
        try:
            is_read = (
                len(offer) <= _LONGEST_OFFER and " or " not in offer and bool(read_writes(offer))
            )
        except UnreadError:
            continue
        kept += [offer] * is_read
    return kept[:_MOST_OFFERS]


def _listed(offers: Iterable[str]) -> str:
    *first, last = offers
    return f"{', '.join(first)} or {last}" if first else last

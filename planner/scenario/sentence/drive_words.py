"""Drives in a sentence: the words that name a model of the catalogue, or describe one."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from planner.catalogue import load
from planner.catalogue.described import description
from planner.catalogue.drive import Drive
from planner.catalogue.names import model_words, named, vendor_words, words_of
from planner.scenario.sentence.marks import ADVERB, NUMBER, PERIOD, SPAN, Marked
from planner.scenario.sentence.words import FILLERS

_TOKEN = re.compile(r"[a-z0-9]+(?:[._+-][a-z0-9]+)*\+?")
_SIZE = re.compile(r"([0-9]+(?:[.,][0-9]+)?)[ -]?(tb|gb|t|g|tera|terabyte|gig|gigabyte)s?")
_BARE_SIZE = re.compile(r"[0-9]+(?:[.,][0-9]+)?")
# What follows an amount that is written, and no size of a drive.
_OF_A_RATE = re.compile(
    rf"\s*\+?\s*(?:/\s*(?:[0-9]|(?:drive|disk|ssd|node|host|{SPAN})\b)"
    rf"|(?:an?|per|each|every)\s+(?:single |other )?{SPAN}\b|{ADVERB}\b|p\.\s?a"
    rf"|(?:in|over|within|during|after)\s+(?:about |the last |the past )*(?:{NUMBER}\s+)?{PERIOD}\b"
    r"|(?:(?:have|has|had) been |was |were |already |of |host |total |in )*(?:written|tbw)\b"
    rf"|(?:of |host |total )+writes?\b|writes?(?= ?(?:$|[,;./]|(?:an?|per|each|every) |{ADVERB}))"
    r"|(?:of )?reads?\b|(?:to|-|\u2013)\s*[0-9])"
)
_TIMES = re.compile(r"(?<![a-z0-9.])[0-9]{1,3}x(?=[a-z]*[0-9])")  # before a name: 4x7450
_GLUED = re.compile(r"(?<=[0-9])(?=[a-z])")
# The name of a model before a size, which is no count such as "4x"; and one with digits after it.
_BEFORE = re.compile(r"(?:(?<![a-z0-9-])(?![0-9]*x )[a-z0-9-]*[a-z][a-z0-9-]* ){1,2}$")
_AFTER = re.compile(r" [a-z]{1,4}-?[a-z]?[0-9]{2,}[a-z0-9-]*")
_BETWEEN = re.compile(r"[ (\u00a0]{0,3}-?[ )]{0,2}")
# Words that may stand in the name of a drive beside those of its model.
_kinds = """
ssd ssds nvme sata sas m.2 m2 u.2 u2 u.3 e1.s e1.l e3.s 2.5 2.5inch pcie pcie3 pcie4 pcie5 gen3
gen4 gen5 enterprise datacenter consumer client qlc tlc mlc slc solid state disk drive
"""
_KINDS = frozenset(_kinds.split())
# Words of models and vendors that are also words of the language.
_common = """
atlas black blade blue dc dct digital dwpd e eco elite extreme fury gold green hhhl ii instance
ion lenovo m manual max measured msata nand one p performance platinum plus pro pulsar r rated re
red renegade rocket sed sk store team thinksystem trion ultra v vertex wear western x
"""
_COMMON = _KINDS.union(_common.split())
_NOUNS = frozenset({"ssd", "ssds", "nvme", "drive", "disk", "m.2", "u.2", "sata", "sas"})
_LONGEST = 9  # words of a name


class NamedDrives(NamedTuple):
    """Words that name a drive, and the drives that they may mean."""

    start: int
    end: int
    drives: tuple[Drive, ...]


class Described(NamedTuple):
    """Words that describe a drive without its model: its capacity, and its kind."""

    start: int
    end: int
    capacity: str
    kind: str


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    is_naming: bool  # no other word of a sentence is written like it
    is_number: bool


def drives_in(marked: Marked) -> list[NamedDrives]:
    """Return the drives that a sentence names, in its order.

    >>> [named.drives[0].name for named in drives_in(Marked("4x pm9a3 3.84tb raid10"))]
    ['Samsung PM9A3 3.84 TB']
    """
    found: list[NamedDrives] = []
    for run in _runs(marked.open):
        rest: Sequence[_Token] = run
        while (best := _best(rest)) is not None:
            first, last, drives = best
            found.append(NamedDrives(rest[first].start, rest[last - 1].end, drives))
            rest = rest[last:]
    return found


def described_in(marked: Marked) -> list[Described]:
    """Return the drives that a sentence describes by their size, and their kind if it says one.

    >>> [(each.capacity, each.kind) for each in described_in(Marked("a 1TB NVMe SSD"))]
    [('1 TB', 'NVMe')]
    """
    found = []
    for run in _runs(marked.open):
        sizes = [size for token in run if (size := _SIZE.fullmatch(token.text))]
        words = {word for token in run for word in words_of(token.text)}
        if len(sizes) != 1:
            continue
        before = _BEFORE.search(marked.open[: run[0].start])
        start = before.start() if before else run[0].start
        model, _, kind = description(marked.open[start : run[-1].end])
        if model or _NOUNS & words:
            number, unit = sizes[0].groups()
            capacity = f"{number.replace(',', '.')} {unit[0].upper()}B"
            found.append(Described(start if model else run[0].start, run[-1].end, capacity, kind))
    return found


def unknown_in(marked: Marked) -> tuple[int, int] | None:
    """Return the place of a size that may belong to a drive that is not known, and its name."""
    for run in _runs(marked.open):
        if len(run) != 1 or not _SIZE.fullmatch(run[0].text):
            continue
        before = _BEFORE.search(marked.open[: run[0].start])
        if before and not {*before[0].split()} <= FILLERS:
            return before.start(), run[0].end
        if after := _AFTER.match(marked.open, run[0].end):
            return run[0].start, after.end()
    return None


def _runs(text: str) -> Iterator[list[_Token]]:
    """Split a sentence into runs of words that may belong to the name of a drive."""
    run: list[_Token] = []
    for token in _tokens(text):
        if token is None or (run and not _BETWEEN.fullmatch(text[run[-1].end : token.start])):
            yield run
            run = []
        if token is not None:
            run.append(token)
    yield run


def _tokens(text: str) -> Iterator[_Token | None]:
    """Yield the words that may name a drive, and None for each other."""
    at = 0
    while at < len(text):
        size, word = _SIZE.match(text, at), _TOKEN.match(text, at)
        if size and (size.end() == len(text) or not text[size.end()].isalnum()):
            is_rate = _OF_A_RATE.match(text, size.end())
            bare = size[1] + size[2]
            yield None if is_rate else _Token(at, size.end(), bare, False, False)
            at = size.end()
        elif times := _TIMES.match(text, at):
            yield None
            at = times.end()
        elif word:
            yield _word(word)
            at = word.end()
        else:
            if text[at] not in " ()-":
                yield None
            at += 1


def _word(match: re.Match[str]) -> _Token | None:
    text = match[0]
    parts = words_of(text)
    known = model_words(load()) | vendor_words(load()) | _KINDS
    if (
        len(text) > 3 and parts and parts[-1] not in known and parts[-1].removesuffix("s") in known
    ):  # 990 PROs
        text, parts = text.removesuffix("s"), (*parts[:-1], parts[-1].removesuffix("s"))
    apart = words_of(_GLUED.sub(" ", text))
    is_glued = len(apart) > len(parts) and known.issuperset(apart)  # 980pro
    if is_glued:
        text, parts = " ".join(apart), apart
    is_number = _BARE_SIZE.fullmatch(text) is not None
    is_part = bool(parts) and (all(part in known for part in parts) or _is_code(text))
    if not (is_number or text in _KINDS or is_part):
        return None
    is_naming = is_glued or any(_is_distinct(part) for part in parts) or _is_code(text)
    return _Token(match.start(), match.end(), text, is_naming, is_number)


def _is_distinct(part: str) -> bool:
    """Whether a word of a model means nothing else in a sentence."""
    is_of_models = part in model_words(load()) and part not in vendor_words(load())
    return is_of_models and part not in _COMMON and not part.replace(".", "").isdigit()


def _is_code(text: str) -> bool:
    """Whether a word looks like a part number: letters and digits, eight or more."""
    return len(text) >= 8 and bool(re.search(r"[a-z]", text)) and bool(re.search(r"[0-9]{2}", text))


def _best(run: Sequence[_Token]) -> tuple[int, int, tuple[Drive, ...]] | None:
    """Return the longest words of a run that name one drive, else those that name several."""
    spans = [
        (first, last)
        for last in range(len(run), 0, -1)
        for first in range(max(0, last - _LONGEST), last)
        if _may_name(run[first:last])
    ]
    several = None
    for first, last in sorted(spans, key=lambda span: span[0] - span[1]):
        drives = _named(run[first:last])
        if len(drives) == 1:
            return *_without_numbers(run, first, last, drives), drives
        if drives and several is None:
            several = first, last, drives
    return several


def _named(words: Sequence[_Token]) -> tuple[Drive, ...]:
    return named(load(), " ".join(token.text for token in words))


def _without_numbers(
    run: Sequence[_Token], first: int, last: int, drives: tuple[Drive, ...]
) -> tuple[int, int]:
    """Leave out numbers before and after the name of a drive that are not part of it."""
    own = words_of(drives[0].name)
    while _is_foreign(run[last - 1], own) and _named(run[first : last - 1]) == drives:
        last -= 1
    while _is_foreign(run[first], own) and _named(run[first + 1 : last]) == drives:
        first += 1
    return first, last


def _is_foreign(word: _Token, own: Sequence[str]) -> bool:
    return word.is_number and word.text not in own


def _may_name(words: Sequence[_Token]) -> bool:
    """Whether words hold one of a model: of a bare number only beside another word."""
    numbers = [
        token
        for token in words
        if token.is_number
        and re.fullmatch("[0-9]{3,}", token.text)
        and token.text in model_words(load())
    ]
    return any(token.is_naming for token in words) or (bool(numbers) and len(words) > 1)

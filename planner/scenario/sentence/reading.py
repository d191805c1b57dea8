"""Reading of a sentence: its clauses in the order in which they are looked for, and what is left.

Every number must belong to a clause: one that does not is asked back. Other words that mean
nothing to a plan are left out, and named.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from models.errors import DomainError
from planner.catalogue import LookupFailed, find, load
from planner.catalogue.drive import Drive
from planner.quantity.parse import quoted
from planner.scenario.sentence.amounts import read_rates, read_written
from planner.scenario.sentence.clauses import (
    AFTER,
    BARE_TIME,
    BEFORE,
    COUNTED,
    LEFT,
    OPEN,
    RULES,
    YEARS,
    ClauseRule,
)
from planner.scenario.sentence.drive_words import described_in, drives_in, unknown_in
from planner.scenario.sentence.marks import (
    IGNORED,
    TAKEN,
    Marked,
    Question,
    StatedPart,
    count_of,
    time_text,
)
from planner.scenario.sentence.words import FILLERS, TURNS, UNSURE, VERSIONED

__all__ = ["PlanSentence", "Question", "read_sentence", "stated_plan"]

LONGEST = 400  # characters of a sentence
_MOST_READINGS = 5
# Layouts that are offered, from so many drives on.
_LAYOUTS = {"in a mirror": 2, "RAID 5": 3, "RAID 10": 4, "RAID 6": 4, "RAID 0": 2,
            "as single drives": 2}  # fmt: skip
_EACH, _SCOPES = ("each", "apiece"), ("per drive", "in total")  # of writes
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_WHICH = "Which drive is it? Name it, such as 870 EVO 1TB, or describe it, such as 1TB NVMe SSD"


@dataclass(frozen=True)
class PlanSentence:
    """Inputs of a sentence with their places, questions, and words without a meaning."""

    text: str
    parts: tuple[StatedPart, ...]
    questions: tuple[Question, ...]
    unread: tuple[tuple[int, int], ...]

    @cached_property
    def inputs(self) -> dict[str, str]:
        """The inputs of a plan, as texts that the fields read."""
        return {part.name: part.value for part in self.parts if part.name != IGNORED}

    @property
    def unread_words(self) -> tuple[str, ...]:
        """The words that are not used."""
        return tuple(self.text[start:end] for start, end in self.unread)


@lru_cache(256)
def read_sentence(text: str) -> PlanSentence:
    """Read a sentence.

    Raises:
        DomainError: If it is longer than 400 characters.

    Examples:
        >>> read = read_sentence("two 870 EVO 4 TB in a mirror, 40 GB a day, five years")
        >>> sorted(read.inputs), read.inputs.get("drive"), read.questions
        (['drive', 'drives', 'raid', 'writes', 'years'], 'Samsung 870 EVO 4 TB', ())
        >>> read_sentence("870 EVO 1TB, 1.500 GB a day").questions[0].readings
        ('870 EVO 1TB, 1500 GB a day', '870 EVO 1TB, 1.5 GB a day')
    """
    if len(text) > LONGEST:
        raise DomainError(f"a sentence has at most {LONGEST} characters, this has {len(text):,}")
    return _SentenceReader(text).read()


def stated_plan(text: str) -> PlanSentence | None:
    """Return the plan of a text that says more than the name of a drive; None for a name alone.

    Raises:
        DomainError: If something is open, with the sentences that answer it.

    Examples:
        >>> stated_plan("870 EVO 1TB") is None, stated_plan("870 EVO 1TB, 30 GB a day").inputs
        (True, {'drive': 'Samsung 870 EVO 1 TB', 'writes': '30 GB a day'})
    """
    try:
        find(load(), text)
    except LookupFailed:
        said = read_sentence(text)
    else:
        return None
    if not said.parts:
        return None
    if said.questions:
        question = said.questions[0]
        such = "; or ".join(f'"{reading}"' for reading in question.readings)
        end = "" if question.why.endswith("?") else "."
        raise DomainError(f"{question.why}{end} Say {such}" if such else question.why)
    return said


class _SentenceReader:
    """The reading of one sentence, clause by clause."""

    def __init__(self, text: str) -> None:
        self.marked = Marked(text)
        self.parts: list[StatedPart] = []
        self.questions: list[Question] = []

    def read(self) -> PlanSentence:
        self._drives()
        self._take(read_written(self.marked))
        self._rules(RULES)
        for match in list(COUNTED.finditer(self.marked.open)):
            self._add("drives", str(count_of(match["v"])), *match.span())
        self._take(read_rates(self.marked))
        self._rules(YEARS)
        self._bare_times()
        self._ask_missing()
        self._ask_left()
        parts = tuple(sorted(self.parts, key=lambda part: part.start))
        return PlanSentence(self.marked.text, parts, tuple(self.questions), tuple(self._unread()))

    def _take(self, found: Iterator[StatedPart | Question]) -> None:
        for each in found:
            if isinstance(each, StatedPart):
                self._add(*each)
            else:
                self._ask(*each)

    def _add(self, name: str, value: str, start: int, end: int) -> None:
        """Add an input; one that is stated twice otherwise is asked back."""
        before = self._stated(name)
        self.marked.take(start, end)
        if before is None or name == IGNORED:
            self.parts.append(StatedPart(name, value, start, end))
        elif before.value != value:
            both = self.marked.said(before.start, before.end), self.marked.said(start, end)
            one, other = map(quoted, both)
            self._ask(start, end, f"Both {one} and {other} are stated: which holds?")

    def _stated(self, name: str) -> StatedPart | None:
        return next((part for part in self.parts if part.name == name), None)

    def _ask(self, start: int, end: int, why: str, readings: Sequence[str] = ()) -> None:
        self.marked.take(start, end)
        different = {reading.replace(" ", ""): reading for reading in readings}
        readings = tuple(different.values())[:_MOST_READINGS]
        self.questions.append(Question(start, end, why, readings))

    # Drives

    def _drives(self) -> None:
        found = drives_in(self.marked)
        for named in found:
            self._drive(named.start, named.end, named.drives)
        if not found:
            described = described_in(self.marked)
            if not described and (place := unknown_in(self.marked)):
                said = quoted(self.marked.said(*place))
                self._ask(
                    *place, f"No drive is known as {said}. Say its kind, such as 1TB NVMe SSD"
                )
            for each in described:
                self._add("capacity", each.capacity, each.start, each.end)
                if each.kind:
                    self._add("kind", each.kind, each.start, each.end)
                self._count_beside(each.start, each.end)

    def _drive(self, start: int, end: int, drives: Sequence[Drive]) -> None:
        """Add a drive with its number, or ask which of several is meant."""
        if len(drives) == 1:
            self._add("drive", drives[0].name, start, end)
        else:
            said = quoted(self.marked.said(start, end))
            readings = [self.marked.with_words(start, end, drive.name) for drive in drives]
            self._ask(start, end, f"{said} may be {len(drives)} drives: which?", readings)
        self._count_beside(start, end)

    def _count_beside(self, start: int, end: int) -> None:
        if before := BEFORE.search(self.marked.open[:start]):
            self._add("drives", str(count_of(before["v"])), *before.span())
        elif after := AFTER.match(self.marked.open[end:]):
            self._add("drives", str(count_of(after["v"])), end, end + after.end())

    # Clauses

    def _rules(self, rules: Sequence[ClauseRule]) -> None:
        for rule in rules:
            for match in list(rule.pattern.finditer(self.marked.open)):
                if TAKEN in match[0]:
                    continue
                if rule.name != OPEN and (value := rule.value(match)):
                    self._add(rule.name, value, *match.span())
                else:
                    words = quoted(match.groupdict().get("v", match[0]))
                    self._ask(*match.span(), rule.why.format(words))

    def _bare_times(self) -> None:
        """Take a bare time for the years of the plan; that of a used drive may be its age."""
        is_used = self._stated("written") or self._stated("used")
        for match in list(BARE_TIME.finditer(self.marked.open)):
            time = time_text(match["v"])
            if time.endswith(("years", "months")) and (not is_used or self._stated("age")):
                self._add("years", time, *match.span())
            else:
                said = self.marked.said(*match.span())
                ends = f"{said} old", f"to last {said}"
                readings = [self.marked.with_words(*match.span(), words) for words in ends]
                why = f"{quoted(said)} may be the age, or how long it must last"
                self._ask(*match.span(), why, readings)

    def _ask_missing(self) -> None:
        """Ask for a layout without its drives, drives without a layout, and for the drive."""
        raid, drives = self._stated("raid"), self._stated("drives")
        self._count_single()
        if raid is None and drives is not None and drives.value != "1" and not self._stated("keep"):
            said = self.marked.text.rstrip(" .?!")
            count = int(drives.value)
            fitting = [name for name, least in _LAYOUTS.items() if least <= count]
            readings = [f"{said}, {name}" for name in fitting if count == 2 or "mirror" not in name]
            self._ask(0, 0, f"How are the {drives.value} drives used?", readings)
        if raid is not None and drives is None:
            if raid.value == "1":  # a mirror without a number has two
                self.parts.append(StatedPart("drives", "2", raid.start, raid.end))
            else:
                said = quoted(self.marked.said(raid.start, raid.end))
                self._ask(0, 0, f"{said}: of how many drives?")
        if raid is not None and drives is not None and raid.value == "1" and int(drives.value) > 2:
            reading = self.marked.with_words(raid.start, raid.end, "RAID 10")
            self._ask(0, 0, f"Are the {drives.value} drives striped mirrors?", [reading])
        if not (self._stated("drive") or self._stated("capacity") or self.questions):
            self._ask(0, 0, _WHICH)

    def _count_single(self) -> None:
        """State the number of single drives with their place, as its input has it."""
        keep, drives = self._stated("keep"), self._stated("drives")
        if keep and drives and keep.value == "single" and drives.value != "1":
            place = self.parts.index(keep)
            self.parts[place] = keep._replace(value=f"{drives.value} single drives")

    # What is left

    def _ask_left(self) -> None:
        """Ask about words that may change the meaning, and numbers that belong to no clause."""
        for match in list(TURNS.finditer(self.marked.open)):
            if not UNSURE.search(self.marked.open[: match.end()]):
                said = self.marked.said(*match.span())
                scopes = _SCOPES if match[0] in _EACH else ()
                readings = [self.marked.with_words(*match.span(), words) for words in scopes]
                why = f"{quoted(said)} is not understood, and may change the meaning"
                self._ask(*match.span(), why, readings)
        for match in list(LEFT.finditer(self.marked.open)):
            if not VERSIONED.search(self.marked.open[: match.start()]):
                said = quoted(self.marked.said(*match.span()))
                self._ask(*match.span(), f"{said} is not understood")

    def _unread(self) -> Iterator[tuple[int, int]]:
        for match in _WORD.finditer(self.marked.open):
            if match[0].strip("-'\u2019") not in FILLERS:
                yield match.span()

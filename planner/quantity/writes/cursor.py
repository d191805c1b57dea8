"""A cursor over the words of a sentence: it takes phrases, numbers, units and periods."""

import re
from functools import cache

from planner.quantity.parse import quoted
from planner.quantity.writes.parts import (
    ADJECTIVES,
    DRIVES,
    EVENTS,
    FILLS,
    THINGS,
    Period,
    is_name,
    one_period,
)
from planner.quantity.writes.words import (
    ADVERBS,
    CARDINALS,
    FRACTIONS,
    MULTIPLES,
    SizeUnit,
    Token,
    UnreadError,
    number_of,
    period_of,
    unit_of,
)

_RATIOS = {"1/2": 1 / 2, "1/3": 1 / 3, "2/3": 2 / 3, "1/4": 1 / 4, "3/4": 3 / 4}
_AND_PARTS = {"and a half": 0.5, "and half": 0.5, "and a quarter": 0.25, "and three quarters": 0.75}
_A_PERIOD = ("/", "a", "an", "per", "each", "every", "pro", "par", "im", "am", "je")
_FILLABLE = DRIVES | {"capacity", "array"}
_MOST_NAMES = 3
TRAILING = re.compile(r"([\s,;]+(or|of|and|with|at|in|on|for|the|to|plus))*\s*$", re.IGNORECASE)


@cache
def _by_first_word(phrases: tuple[str, ...]) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for words in (phrase.split() for phrase in phrases):
        found.setdefault(words[0], []).append(words)
    return found


class SentenceCursor:
    """A place between the words of a sentence."""

    def __init__(self, sentence: str, tokens: list[Token]) -> None:
        self.sentence, self.tokens, self.at = sentence, tokens, 0
        self.words = [token.word for token in tokens]

    @property
    def is_at_end(self) -> bool:
        """Whether no word is left."""
        return self.at >= len(self.tokens)

    def word(self, ahead: int = 0) -> str:
        """Return the word that comes next, in small letters; "" at the end."""
        at = self.at + ahead
        return self.words[at] if 0 <= at < len(self.words) else ""

    def unread(self) -> UnreadError:
        """Return the refusal of the next word; what comes before it may be a sentence."""
        token = self.tokens[min(self.at, len(self.tokens) - 1)]
        if token.word == "dwpd" and self._is_number(1):
            return UnreadError("the number comes first", f"{self.word(1)} DWPD")
        without = f"{self.sentence[: token.start]} {self.sentence[token.end :]}"
        offers = (TRAILING.sub("", text).strip(" ,;-") for text in (self.before(), without))
        return UnreadError(f"{quoted(token.text)} is not read", *offers)

    def before(self) -> str:
        """Return the sentence before the next word."""
        if self.at >= len(self.tokens):
            return self.sentence
        return self.sentence[: self.tokens[self.at].start].strip()

    def _is_number(self, ahead: int = 0) -> bool:
        at = self.at + ahead
        return 0 <= at < len(self.tokens) and self.tokens[at].kind == "number"

    def _take(self, *phrases: str) -> str:
        """Take the first of some phrases that comes next."""
        for words in _by_first_word(phrases).get(self.word(), ()):
            if self.words[self.at : self.at + len(words)] == words:
                self.at += len(words)
                return " ".join(words)
        return ""

    def _is_said(self, *phrases: str) -> bool:
        """Whether one of some phrases comes next."""
        start = self.at
        is_said = bool(self._take(*phrases))
        self.at = start
        return is_said

    def _value(self) -> float | None:
        """Take a number, in digits or words, or a or an before a unit."""
        value = self._fraction()
        if value is None:
            value = self._whole()
        if value is None:
            return None
        if self.word() in MULTIPLES:
            value *= MULTIPLES[self.word()]
            self.at += 1
        return value + (self._ratio() or _AND_PARTS.get(self._take(*_AND_PARTS), 0.0))

    def _whole(self) -> float | None:
        """Take a number that is no fraction."""
        start, value = self.at, 1.0
        if self._take("a", "an"):
            is_one = self.word() in MULTIPLES or self._is_unit_or_fill()
        elif is_one := self._is_number():
            value = number_of(self.tokens[self.at], self.sentence)
            self.at += 1
        elif is_one := self.word() in CARDINALS or self.word() in MULTIPLES:
            value = CARDINALS.get(self.word(), 1.0)
            self.at += self.word() in CARDINALS
        if not is_one:
            self.at = start
            return None
        return value

    def _fraction(self) -> float | None:
        """Take "half a", "1/2" and "two thirds of a"."""
        start = self.at
        if self.word(1) != "/" and FRACTIONS.keys().isdisjoint(self.words[start : start + 4]):
            return None
        if self._take("half"):
            value: float | None = 0.5
        elif (value := self._ratio()) is None:
            value = self._parts_of(self._whole_parts())
        if value is None:
            self.at = start
            return None
        self._take("of")
        self._take("a", "an")
        return value

    def _ratio(self) -> float | None:
        """Take "1/2"."""
        value = None
        if self.word(1) == "/":
            value = _RATIOS.get("".join(self.words[self.at : self.at + 3]))
        self.at += 0 if value is None else 3
        return value

    def _whole_parts(self) -> float:
        """Take the number of parts of a fraction, one if it is not said."""
        if self._take("a", "an"):
            return 1.0
        parts = CARDINALS.get(self.word())
        self.at += parts is not None
        self._take("-")
        return 1.0 if parts is None else parts

    def _parts_of(self, parts: float) -> float | None:
        """Take the name of a part of which some are counted."""
        below = FRACTIONS.get(self.word())
        if below is None or self.word(1) != "of":
            return None
        self.at += 1
        return parts / below

    def _drive(self) -> bool:
        """Take "the drive" and "of the whole disk"."""
        start = self.at
        if _FILLABLE.isdisjoint(self.words[start : start + 5]):
            return False
        self._take("of")
        is_one = bool(self._take("the", "my", "our", "its", "this"))
        is_one |= bool(self._take("whole", "entire", "full", "complete", "total"))
        if is_one and self._take("drive capacity", "disk capacity", "capacity", "array", *DRIVES):
            return True
        self.at = start
        return False

    def _adjectives(self) -> None:
        """Take the adjectives of a thing: "outdoor" of "16 outdoor cameras"."""
        start = self.at
        while self.at < start + _MOST_NAMES and self.word() not in THINGS and self._is_adjective():
            self.at += 1
        if self.word() not in THINGS:
            self.at = start

    def _is_adjective(self) -> bool:
        return self.word() in ADJECTIVES or is_name(self.word())

    def _is_unit_or_fill(self) -> bool:
        token = self.tokens[self.at].text if self.at < len(self.tokens) else ""
        is_full = self.word() == "full" and self.word(1) in ("drive", "fill", "dwpd")
        if is_full or self.word() in ("dwpd", "fill") or self._is_drive_write():
            return True
        return len(token) > 1 and period_of(self.word()) is None and self._unit() is not None

    def _is_drive_write(self) -> bool:
        return self.word() == "drive" and self.word(1) in FILLS

    def _unit(self) -> SizeUnit | None:
        """Return the unit that comes next, without taking it."""
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is None or token.kind != "word":
            return None
        try:
            return unit_of(token.text)
        except UnreadError as open_unit:
            raise self._replaced(token, open_unit) from None

    def _is_amount(self, at: int) -> bool:
        """Whether a number and its unit are at a place."""
        number, following = self.tokens[at], self.tokens[at + 1 : at + 2]
        is_number = number.kind == "number" or number.word in CARDINALS
        if not is_number or not following:
            return False
        try:
            return unit_of(following[0].text) is not None
        except UnreadError:
            return True

    def _replaced(self, token: Token, error: UnreadError) -> UnreadError:
        """Return a refusal whose offers put other words in the place of one."""
        before, after = self.sentence[: token.start], self.sentence[token.end :]
        glue = "" if before.endswith(" ") else " "
        return UnreadError(error.why, *(f"{before}{glue}{each}{after}" for each in error.offers))

    def _period(self) -> Period | None:
        """Take a period: "/day", "a week", "every 2 h", "daily"; None if there is none."""
        start = self.at
        if self.word() in ADVERBS:
            self.at += 1
            return Period(ADVERBS[self.word(-1)])
        lead = self._take(*_A_PERIOD)
        if not lead:
            return None
        self._take("calendar")
        every = 2.0 if self._take("other") else self._value()
        one = one_period(self.word(), self.word(1))
        if one is None:
            self._refuse_period(lead, self.word(), is_number=every is not None)
            self.at = start
            return None
        self.at += 1
        if self.word(-1) == "weekend":
            self._take("day")
        if every == 0:
            raise UnreadError("a period must be longer than 0")
        return Period(one.seconds * (1.0 if every is None else every), one.days)

    def _refuse_period(self, lead: str, name: str, *, is_number: bool) -> None:
        """Refuse a period that cannot be read, where nothing else can be meant."""
        if name == "m" and not is_number:
            token = self.tokens[self.at]
            error = UnreadError("m may be a minute or a month", "min", "month")
            raise self._replaced(token, error)
        if lead in ("/", "per") and name not in THINGS | EVENTS | DRIVES:
            offer = self.sentence[: self.tokens[self.at - 1].start].rstrip(" /")
            raise UnreadError(f"{quoted(name)} is not a time", f"{offer}/day")

    def _further_times(self) -> float:
        """Take "6 months" of "1 year 6 months"."""
        start, total_s = self.at, 0.0
        while self._is_number() and (part_s := period_of(self.word(1))) is not None:
            total_s += number_of(self.tokens[self.at], self.sentence) * part_s
            self.at += 2
            start = self.at
        self.at = start
        return total_s

"""Reading of amounts: numbers with units, their ranges, and counts of writes."""

import math
import re

from models.units import DAY_S, KIB, MIB
from planner.quantity.writes.cursor import SentenceCursor
from planner.quantity.writes.parts import (
    ALL_DAYS,
    COPIES,
    DRIVES,
    EACH,
    EVENTS,
    LEADS,
    PAYLOADS,
    PER_SECOND,
    PLUS,
    RANGE_SIGNS,
    THINGS,
    Amount,
    Duty,
    Period,
    WritesTerm,
)
from planner.quantity.writes.words import (
    CARDINALS,
    SizeUnit,
    Token,
    UnreadError,
    is_prefix_alone,
    number_of,
    plain,
)

_RATE = re.compile(r"\s*(/|(an?|per|every|each)\b)", re.IGNORECASE)
_BLOCKS = {"k": KIB, "m": MIB}


class AmountReader(SentenceCursor):
    """Reader of the amounts of a term."""

    def __init__(self, sentence: str, tokens: list[Token]) -> None:
        super().__init__(sentence, tokens)
        self.term = WritesTerm()
        self._low_period: Period | None = None  # of the lower end of a range

    def _once(self, is_said: bool) -> None:
        if is_said:
            raise self.unread()

    def _set_period(self, period: Period) -> None:
        if self.term.period_s is not None or self.term.total_s is not None:
            self.at -= 1
            raise self.unread()
        self.term.period_s = period.seconds
        if period.days < ALL_DAYS:
            self._add_days(period.days)

    def _add_days(self, days: float) -> None:
        self._add_duty(Duty(days * DAY_S, days / ALL_DAYS, is_days=True))

    def _add_duty(self, duty: Duty) -> None:
        """Add a part of the time; the same days may be said twice."""
        others = [each.share for each in self.term.duties if each.is_days and duty.is_days]
        if any(math.isclose(share + duty.share, 1.0) for share in others):
            raise UnreadError("on weekdays, on weekends or on all days?", f"{self.before()}")
        if not any(math.isclose(share, duty.share) for share in others):
            self.term.duties.append(duty)

    def _add_fills(self, fills: float) -> bool:
        self.term.amounts.append(Amount(fills, fills, is_fills=True))
        return True

    def _high(self, low: float) -> float | None:
        """Take the upper end of a range of numbers."""
        start = self.at
        if self.word() not in RANGE_SIGNS:
            return None
        self.at += 1
        high = self._value() if self.word() not in ("a", "an") else None
        is_sum = self.word(start - self.at) == "and" and self.word(start - self.at - 2) != "between"
        if high is None or is_sum:
            self.at = start
            return None
        return self._checked(low, high)

    def _checked(self, low: float, high: float) -> float:
        if low == 0 < high:
            top = self.sentence[self.tokens[self.at - 1].start :]
            raise UnreadError("a range that begins at 0 has no typical rate", f"up to {top}")
        if low >= high:
            raise UnreadError("a range goes from the lower to the higher end")
        return high

    def _happens(self, value: float) -> bool:
        """Read "500 IOPS" and "2k random writes"."""
        ahead = int(self.word() in ("k", "m"))
        ahead += self.word(ahead) in ("random", "sequential")
        ahead += self.word(ahead) in ("write", "host") and self.word(ahead + 1) in EVENTS
        if self.word(ahead) not in EVENTS or (ahead and self._is_block()):
            return False
        self._once(self.term.events is not None)
        factor = {"k": 1e3, "m": 1e6}.get(self.word(), 1.0)
        self.term.sequential = self.word(ahead - 1) == "sequential" if ahead else False
        self.at += ahead
        noun = self.word()
        self.at += 1
        self.term.events = value * factor
        if noun in PER_SECOND:
            self._set_period(Period(1.0))
        if noun in PAYLOADS:
            self.term.is_payload = True
            self.term.warnings.append("Without what a database writes beside its data: see app")
        return True

    def _is_block(self) -> bool:
        """Whether 4k is the size of the writes that follow, whose number comes later."""
        is_followed = self._is_number(1) or not EVENTS.isdisjoint(self.words[self.at + 3 :])
        return self.word() in _BLOCKS and is_followed and not EVENTS.isdisjoint(self.words)

    def _amount(self, low: float, high: float, lead: str) -> None:
        """Read the unit of a number, and the upper end of a range if it has its own unit."""
        if self.word() in COPIES:
            self._copies()
        amount = self._sized(low, high, lead)
        start = self.at
        if low == high and self._is_range_after():
            amount = self._upper_end(amount)
        else:
            self.at = start
        self.term.amounts.append(amount)

    def _is_range_after(self) -> bool:
        """Whether a second amount follows, after an optional period."""
        period = self._period_quietly()
        if self.word() in ("to", "-", "..") and (self._is_number(1) or self.word(1) in CARDINALS):
            self._low_period = period
            self.at += 1
            return True
        return False

    def _period_quietly(self) -> Period | None:
        start = self.at
        try:
            return self._period()
        except UnreadError:
            self.at = start
            return None

    def _upper_end(self, lower: Amount) -> Amount:
        value = self._value() or 0.0
        upper = self._sized(value, value, lower.lead)
        period, before = self._period(), self._low_period
        if upper.is_fills != lower.is_fills or (before is not None and period is None):
            raise UnreadError("both ends of a range have one kind of unit, and a time")
        if period is not None:
            self._set_period(period)
        low = lower.low
        if before is not None and period is not None and before.seconds != period.seconds:
            low *= period.seconds / before.seconds
        return Amount(low, self._checked(low, upper.high), lower.is_fills, lower.lead, upper.unit)

    def _sized(self, low: float, high: float, lead: str) -> Amount:
        self._take("full", "whole")
        if self._take("dwpd"):
            return Amount(low / DAY_S, high / DAY_S, is_fills=True, lead="dwpd")
        if self._is_drive_write() or self.word() in ("fill", "fills"):
            self.at += 2 if self.word() == "drive" else 1
            return Amount(low, high, is_fills=True)
        if self._take("%", "percent") and self._drive():
            return Amount(low / 100, high / 100, is_fills=True)
        if self._drive() or (low < 1 and self._take(*DRIVES)):  # "half the drive", "half a drive"
            return Amount(low, high, is_fills=True)
        block = {"k": KIB, "m": MIB}.get(self.word())
        is_of_events = self.term.events is not None or self._is_block() or self.word(1) in (
            "block", "blocks", "random", "records")  # fmt: skip
        if block and is_of_events:
            self.at += 1
            return Amount(low * block, high * block, lead="of", unit=SizeUnit(block))
        unit = self._unit()
        if unit is None:
            raise self._no_unit(low)
        self.at += 1
        if unit.is_per_second:
            self._set_period(Period(1.0))
        return Amount(low * unit.one_bytes, high * unit.one_bytes, lead=lead, unit=unit)

    def _no_unit(self, value: float) -> UnreadError:
        """Return the refusal of a number without a unit that is known."""
        said, word = plain(value), self.tokens[self.at].text if self.at < len(self.tokens) else ""
        if self.at < len(self.tokens) and is_prefix_alone(word):
            other = word.upper() if word in "kmgtp" else word
            error = UnreadError(f"{word} is not a unit", f"{other}B", f"{other[0]}iB")
            return self._replaced(self.tokens[self.at], error)
        if word == "/" and self._is_number(1):
            below = number_of(self.tokens[self.at + 1], self.sentence)
            ratio = plain(value / below) if below else "1"
            after = self.sentence[self.tokens[self.at + 1].end :]
            return UnreadError("parts are decimals", f"{ratio}{after}")
        if self.word().isalpha() and self.word() not in {*EACH, *THINGS, *PLUS}:
            after = self.sentence[self.tokens[self.at].end :]
            offers = (f"{said} GB{after}",) * bool(_RATE.match(after))
            return UnreadError(f"{word!a} is not a unit", *offers, f"{said} GB/day")
        return UnreadError(f"{said} of what?", f"{said} GB/day", f"{said} MB/s", f"{said} DWPD")

    def _copies(self) -> bool:
        if self.word() not in COPIES:
            return False
        raise UnreadError("copies are the input keep, not writes", self._without_copies())

    def _without_copies(self) -> str:
        at = self.at
        while at and (self.tokens[at - 1].kind == "number" or self.word(at - 1 - self.at) in LEADS):
            at -= 1
        return self.sentence[: self.tokens[at].start].strip(" ,;")

"""Reading of amounts, their ranges, and counts of writes; and of the times of writes."""

import math
import re
from datetime import date

from models.units import DAY_S, KIB, MIB
from planner.quantity.parse import quoted
from planner.quantity.writes.cursor import TRAILING, SentenceCursor
from planner.quantity.writes.parts import (
    ALL_DAYS,
    BUSY,
    COPIES,
    DAYS_OF,
    DRIVES,
    EACH,
    EVENTS,
    LEADS,
    OVER_TIME,
    PAYLOADS,
    PER_SECOND,
    PLUS,
    RANGE_SIGNS,
    THINGS,
    TIMES,
    WRITE,
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
    period_of,
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
            return UnreadError(f"{quoted(word)} is not a unit", *self._instead(said))
        return UnreadError(f"{said} of what?", f"{said} GB/day", f"{said} MB/s", f"{said} DWPD")

    def _instead(self, said: str) -> list[str]:
        """Return sentences that may be meant by a number before an unknown word."""
        amounts = (at for at in range(self.at, len(self.tokens)) if self._is_amount(at))
        if (start := next(amounts, None)) is not None:
            return [f"{said} x {self.sentence[self.tokens[start].start :]}"]
        if self.term.amounts:
            return [TRAILING.sub("", self.sentence[: self.tokens[self.at - 1].start])]
        after = self.sentence[self.tokens[self.at].end :]
        offers = [f"{said} GB{after}"] * bool(_RATE.match(after))
        return [*offers, f"{said} GB/day"]

    def _copies(self) -> bool:
        if self.word() not in COPIES:
            return False
        raise UnreadError("copies are the input keep, not writes", self._without_copies())

    def _without_copies(self) -> str:
        at = self.at
        while at and (self.tokens[at - 1].kind == "number" or self.word(at - 1 - self.at) in LEADS):
            at -= 1
        return self.sentence[: self.tokens[at].start].strip(" ,;")


class DutyReader(AmountReader):
    """Reader of the times of a term."""

    def __init__(self, sentence: str, tokens: list[Token], today: date) -> None:
        super().__init__(sentence, tokens)
        self.today = today

    def _repeats(self, value: float) -> bool:
        """Read "3 times a day", "2x a week" and "3 times the capacity"."""
        start = self.at
        if not self._take("times", "x"):
            return self._again(value)
        if self._drive():
            return self._add_fills(value)
        period = self._period()
        if period is None:
            self.at = start
            if self.word() == "times" and not self._is_number(1):
                each = plain(value)
                raise UnreadError(f"{each} times by when?", f"{self.before()} times a day")
            return False
        self._once(self.term.times is not None)
        self.term.times = value
        self._set_period(period)
        return True

    def _again(self, value: float) -> bool:
        """Read "12 per day" of "40 GB checkpoints, 12 per day"."""
        is_named = self.term.noun and self.term.amounts and self.term.times is None
        period = self._period_quietly() if is_named and self.term.period_s is None else None
        if period is None:
            return False
        self.term.times = value
        self._set_period(period)
        return True

    def _share(self, value: float) -> bool:
        """Read "25 % of the time", "30 % writes" and "80 % of the drive", but not "70 % random"."""
        lead = self.word(-2)
        if not self._take("%", "percent"):
            return False
        if self._drive():
            return self._add_fills(value / 100)
        if value <= 100 and self._is_written(value / 100):
            return True
        if not self._take(*BUSY) and (lead not in ("at", "for") or self.word() == "of"):
            before, percent = self.tokens[self.at - 2].start, self.tokens[self.at - 1].end
            offers = self.sentence[:before], f"{self.sentence[:percent]} of the time"
            raise UnreadError("a share counts time", *offers)
        if value > 100:
            raise UnreadError("a share of the time is from 0 to 100 %")
        self.term.duties.append(Duty(math.inf, value / 100))
        return True

    def _is_written(self, share: float) -> bool:
        """Read "writes" of "100 MB/s, 30 % writes", unless they are the writes already."""
        start = self.at
        self._take("of it", "of them", "of which", "of that")
        self._take("is", "are")
        others = {*self.words[:start], *self.words[self.at + 1 :]}
        if self.word() not in WRITE or not WRITE.isdisjoint(others):
            self.at = start
            return False
        self.at += 1
        self.term.is_io = False
        self._add_duty(Duty(math.inf, share))
        return True

    def _of_time(self, share: float) -> bool:
        """Read "half of the time"."""
        is_part = share < 1 and bool(self._take("the time", "of the time", "the day", "the year"))
        if is_part:
            self._add_duty(Duty(math.inf, share))
        return is_part

    def _rate(self) -> bool:
        """Read a period, or "twice a week"."""
        start = self.at
        times = TIMES.get(self.word())
        self.at += times is not None
        period = self._period()
        if period is None:
            if times is not None and self._drive():  # "twice the capacity"
                return self._add_fills(times)
            if times is not None:
                raise UnreadError(f"{self.word(-1)} by when?", f"{self.before()} a day")
            self.at = start
            return False
        if times is not None:
            self._once(self.term.times is not None)
            self.term.times = times
        self._set_period(period)
        return True

    def _lasts(self, value: float) -> bool:
        """Read "8 h a day" and "7 days retention"."""
        name, part_s = self.word(), period_of(self.word())
        is_letter = self._is_number(-1) and len(name) == 1 and name not in "hdsy"
        if part_s is None or is_letter or self.tokens[self.at].text == "Mo":  # French for MB
            return False
        start = self.at
        self.at += 1
        if self._is_age(value * part_s):
            return True
        whole = self._period()
        said = f"{plain(value)} {self.word(start - self.at)}"
        if whole is None and value * part_s == DAY_S and self.term.period_s is not None:
            return True  # "4 Mbit/s, 24 hours"
        if whole is None:
            self.at = start
            offers = (f"{self.sentence.rstrip(' .')} a {each}" for each in ("day", "week", "year"))
            why = f"{said} of what? The years to plan for are the input years"
            head = self.sentence[: self.tokens[start - 1].start].rstrip(" ,").removesuffix(" for")
            raise UnreadError(why, head, f"{head} kept {said}", *offers)
        active_s = value * part_s
        if active_s > whole.seconds * 1.0005:
            name = next(each.word for each in self.tokens[self.at - 1 :: -1] if each.kind == "word")
            raise UnreadError(f"a {name} has no {said}")
        self._add_duty(Duty(active_s, active_s / whole.seconds, part_s == DAY_S))
        if whole.days < ALL_DAYS:
            self._add_days(whole.days)
        return True

    def _is_age(self, span_s: float) -> bool:
        """Read "retention" of "7 days retention", and "old" of "200 days old"."""
        if self._take("retention", "kept"):
            self.term.kept_s = span_s
            return True
        is_old = bool(self._take("old"))
        if is_old:
            self._set_total(span_s)
        return is_old

    def _days(self) -> bool:
        """Read "weekdays"."""
        name = self.word().removesuffix("s")
        if name not in DAYS_OF:
            return False
        self.at += 1
        self._take("days", "day")
        self._add_days(DAYS_OF[name])
        return True

    def _total(self) -> bool:
        """Read "in 270 days" and "since 2024-03-01"."""
        start = self.at
        if self._take(*OVER_TIME):
            return self._window()
        if self._take("since"):
            self._set_total(self._since())
            return True
        is_written = bool(self._take("in", "over", "within", "after", "during"))
        self._take("exactly", "about", "roughly", "around", "approximately", "just", "only")
        self._take("the")
        is_last = bool(self._take("last", "past"))
        if self._is_number(1) or self.word(1) in CARDINALS:
            self._take("a", "an", "our", "its")
        value = self._value()
        part_s = period_of(self.word())
        is_span = is_last or (is_written and value is not None)
        if not is_span or part_s is None:
            self.at = start
            return False
        self.at += 1
        total_s = (1.0 if value is None else value) * part_s + self._further_times()
        if self._is_rate_next():  # "in 8 hours a day"
            self.at = start
            return bool(self._take("in", "over", "within", "during"))
        self._set_total(total_s)
        return True

    def _window(self) -> bool:
        """Skip "24 h" of "20 MB/s averaged over 24 h"."""
        start = self.at
        self._take("the", "a", "an")
        self._take("last", "past")
        self._value()
        if self.term.period_s is None or period_of(self.word()) is None:
            self.at = start - 1
            return False
        self.at += 1
        return True

    def _is_rate_next(self) -> bool:
        start = self.at
        period = self._period()
        self.at = start
        return period is not None

    def _since(self) -> float:
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        try:
            day = date.fromisoformat(token.text if token else "")
        except ValueError:
            raise UnreadError("since takes a date such as 2024-03-01") from None
        self.at += 1
        return (self.today - day).days * DAY_S

    def _set_total(self, total_s: float) -> None:
        self._once(self.term.total_s is not None or self.term.period_s is not None)
        if total_s <= 0:
            raise UnreadError("the time of the writes must be longer than 0")
        self.term.total_s = total_s

    def _kept(self) -> bool:
        start = self.at
        if not self._take("kept", "keep", "keeps", "retained", "retention"):
            return False
        self._take("for", "of")
        value, part_s = self._value(), period_of(self.word())
        if part_s is None or self.term.kept_s is not None:
            self.at = start
            raise self.unread()
        self.at += 1
        self.term.kept_s = (1.0 if value is None else value) * part_s
        return True

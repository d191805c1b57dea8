"""Reading of the times of writes: periods, repetitions, parts of the time, totals."""

import math
from datetime import date

from models.units import DAY_S
from planner.quantity.writes.amounts import AmountReader
from planner.quantity.writes.parts import ALL_DAYS, BUSY, DAYS_OF, TIMES, WRITE, Duty
from planner.quantity.writes.words import CARDINALS, Token, UnreadError, period_of, plain


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
        is_part = share < 1 and bool(self._take("the time", "of the time", "the day"))
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
            raise UnreadError(why, self.before(), *offers)
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
        if self._take("since"):
            self._set_total(self._since())
            return True
        is_written = bool(self._take("in", "over", "within", "after", "during"))
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

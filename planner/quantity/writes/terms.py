"""The grammar of one term of a sentence that states writes: "32 cameras at 6 Mbit/s, 12 h a day".

    sentence = term { ("+" | "plus" | "and" | "&") term }
    term     = { amount | events | count | rate | total | duty | kept | scope | order | bound }
    amount   = number [ ("to" | "-" | "..") number ] (unit | "DWPD" | "drive writes" | "fills")
    events   = number ("IOPS" | "writes" | "commits" ...), beside the size of one: "of" number unit
    count    = number ("x" | "cameras" | "VMs" ...)
    rate     = ("/" | "a" | "per" | "every") [ number | "other" ] period | n "times" rate | "daily"
    total    = ("in" | "over" | "within" ...) ["the last"] n period | "since" date
    duty     = n period rate | n "%" ["of the time"] | "weekdays"

The parts of a term come in any order, each once. Only duties may repeat, and they multiply.
"""

import math
from datetime import date

from models.units import DAY_S
from planner.quantity.writes.amounts import AmountReader
from planner.quantity.writes.parts import (
    ALL_DAYS,
    ALWAYS,
    BUSY,
    DAYS_OF,
    DRIVES,
    EACH,
    FILLS,
    LEADS,
    LOWER,
    NODES,
    PLUS,
    SKIPPED,
    STREAMS,
    THINGS,
    TIMES,
    TOGETHER,
    UPPER,
    Duty,
    WritesTerm,
)
from planner.quantity.writes.words import Token, UnreadError, period_of, plain


class TermReader(AmountReader):
    """Reader of the terms of a sentence, from left to right."""

    def __init__(self, sentence: str, tokens: list[Token], today: date) -> None:
        super().__init__(sentence, tokens)
        self.today = today
        self._pieces = (
            self._bound, self._remark, self._total, self._kept, self._scope, self._rate,
            self._order, self._days, self._number, self._copies, self._noun, self._skip,
        )  # fmt: skip

    def read(self) -> WritesTerm:
        """Read the next term, up to a plus or to the end."""
        self.term, start = WritesTerm(), self.at
        while self.at < len(self.tokens) and not (self.word() in PLUS and self.at > start):
            if not any(piece() for piece in self._pieces):
                raise self.unread()
        return self.term

    def next_term(self) -> bool:
        """Take a plus; False at the end."""
        if self.at >= len(self.tokens):
            return False
        self.at += 1
        return True

    def _number(self) -> bool:
        """Read what begins with a number."""
        lead = self.word(-1) if self.word(-1) in LEADS else ""
        value = self._value()
        if value is None:
            return False
        high = self._high(value)
        if high is not None:
            self._amount(value, high, lead)
            return True
        kinds = (self._repeats, self._share, self._counted, self._happens, self._lasts)
        if not any(kind(value) for kind in kinds):
            self._amount(value, value, lead)
        return True

    def _repeats(self, value: float) -> bool:
        """Read "3 times a day" and "2x a week"."""
        start = self.at
        if not self._take("times", "x"):
            return False
        period = self._period()
        if period is None:
            self.at = start
            if self.word() == "times":
                each = plain(value)
                raise UnreadError(f"{each} times by when?", f"{self.before()} times a day")
            return False
        self._once(self.term.times is not None)
        self.term.times = value
        self._set_period(period)
        return True

    def _share(self, value: float) -> bool:
        """Read "25 % of the time", but not "70 % random"."""
        lead = self.word(-2)
        if not self._take("%", "percent"):
            return False
        if not self._take(*BUSY) and (lead not in ("at", "for") or self.word() == "of"):
            before, percent = self.tokens[self.at - 2].start, self.tokens[self.at - 1].end
            offers = self.sentence[:before], f"{self.sentence[:percent]} of the time"
            raise UnreadError("a share counts time", *offers)
        if value > 100:
            raise UnreadError("a share of the time is from 0 to 100 %")
        self.term.duties.append(Duty(math.inf, value / 100))
        return True

    def _counted(self, value: float) -> bool:
        """Read "32 x" and "32 cameras"; after an amount "x 32"."""
        is_after = self.word(-2) == "x" and bool(self.term.amounts)
        self.at += self.word() == "ip" and self.word(1) in STREAMS
        is_before = self.word() == "x" or self.word() in THINGS
        if not is_before and not (is_after and not self._is_unit_or_fill()):
            return False
        self._once(self.term.count is not None)
        self.term.count = value
        self.term.is_counted_after = bool(self.term.amounts) and not is_after
        if self.word() == "x":
            self.at += 1
        self._noun()
        return True

    def _noun(self) -> bool:
        if self.word() not in THINGS:
            return False
        if self.word() in STREAMS:
            self.term.sequential = True
        self.term.noun = self.term.noun or self.word()
        self.at += 1
        return True

    def _rate(self) -> bool:
        """Read a period, or "twice a week"."""
        start = self.at
        times = TIMES.get(self.word())
        self.at += times is not None
        period = self._period()
        if period is None:
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
        if part_s is None or (self._is_number(-1) and len(name) == 1 and name not in "hdsy"):
            return False
        start = self.at
        self.at += 1
        if self._take("retention", "kept"):
            self.term.kept_s = value * part_s
            return True
        whole = self._period()
        said = f"{plain(value)} {self.word(start - self.at)}"
        if whole is None:
            self.at = start
            offers = (f"{self.sentence.rstrip(' .')} a {each}" for each in ("day", "week", "year"))
            why = f"{said} of what? The years to plan for are the input years"
            raise UnreadError(why, self.before(), *offers)
        active_s = value * part_s
        if active_s > whole.seconds * 1.0005:
            name = next(each.word for each in self.tokens[self.at - 1 :: -1] if each.kind == "word")
            raise UnreadError(f"a {name} has no {said}")
        self.term.duties.append(Duty(active_s, active_s / whole.seconds, part_s == DAY_S))
        if whole.days < ALL_DAYS:
            self._add_days(whole.days)
        return True

    def _days(self) -> bool:
        """Read "weekdays"."""
        name = self.word().removesuffix("s")
        if name not in DAYS_OF:
            return False
        self._add_days(DAYS_OF[name])
        self.at += 1
        return True

    def _total(self) -> bool:
        """Read "in 270 days" and "since 2024-03-01"."""
        start = self.at
        if self._take("since"):
            self._set_total(self._since())
            return True
        is_written = bool(self._take("in", "over", "within", "after", "during"))
        self._take("the")
        is_last = self._take("last", "past")
        value = self._value()
        part_s = period_of(self.word())
        is_span = is_written and part_s is not None and (value is not None or is_last)
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

    def _bound(self) -> bool:
        """Read "up to" and "at least"."""
        if self._take(*UPPER):
            self.term.warnings.append("The most that is written, taken as the rate")
            return True
        if (not self.term.amounts or self.word() == "or") and self._take(*LOWER):
            self.term.warnings.append("The least that is written, taken as the rate: more may be")
            return True
        return False

    def _remark(self) -> bool:
        """Read "24/7", which changes nothing, and "in total"."""
        if not self.is_at_end and self.tokens[self.at].kind == "always":
            self.at += 1
            return True
        is_of_all = bool(self._take(*TOGETHER))
        self.term.is_of_all |= is_of_all
        return is_of_all or bool(self._take(*ALWAYS))

    def _scope(self) -> bool:
        """Read "per drive", and "per camera" of counted ones."""
        start = self.at
        if self._take("each of"):
            self.term.is_of_each = True
            return True
        lead = self._take(*EACH)
        noun = self.word()
        is_drive = noun in DRIVES and self.word(1) not in FILLS
        if not lead or not (is_drive or noun in THINGS):
            self.at = start
            return self._each(lead)
        self.at += 1
        if is_drive:
            self._set_scope("drive")
        elif noun in NODES and self.term.count is None:
            self._set_scope("node")
        else:
            self.term.of_each, self.term.is_of_each = noun, True
        return True

    def _each(self, lead: str) -> bool:
        """Take "each" after a count: "16 streams of 8 Mbit/s each"."""
        is_counted = self.term.count is not None or self.term.events is not None
        if lead != "each" or not is_counted or period_of(self.word(1)) is not None:
            return False
        self.at += 1
        self.term.is_of_each = True
        return True

    def _set_scope(self, scope: str) -> None:
        self._once(self.term.scope != "all drives")
        self.term.scope = scope

    def _order(self) -> bool:
        """Read "sequential" and "random"."""
        name = self._take("sequential", "sequentially", "random", "randomly")
        if name:
            self.term.sequential = name.startswith("sequential")
        return bool(name)

    def _skip(self) -> bool:
        start = self.at
        is_article = self.word() in ("a", "an") and self._is_number(1)
        if self._take("so far"):
            return True
        self.at += is_article or self.word() in SKIPPED
        return self.at > start

"""The grammar of one term of a sentence that states writes: "32 cameras at 6 Mbit/s, 12 h a day".

    sentence = term { ("+" | "plus" | "and" | "&") term }, reworded and without its asides
    term     = { amount | events | count | rate | total | duty | kept | scope | order | bound }
    amount   = number [ ("to" | "-" | "..") number ] (unit | "DWPD" | "drive writes" | "fills"
               | "% of the drive") | "the drive is filled"
    events   = number ("IOPS" | "writes" | "commits" ...), beside the size of one: "of" number unit
    count    = number ("x" | "cameras" | "VMs" ...)
    rate     = ("/" | "a" | "per" | "every") [ number | "other" ] period | n "times" rate | "daily"
    total    = ("in" | "over" | "within" ...) ["the last"] n period | "since" date
    duty     = n period rate | n "%" ["of the time"] | n "% writes" | "weekdays"

The parts of a term come in any order, each once. Only duties may repeat, and they multiply; the
same days may be said twice. An "and" begins no term if what follows it completes the term before:
"and we have 12 of them".
"""

import itertools
from datetime import date

from planner.quantity.writes.amounts import DutyReader
from planner.quantity.writes.parts import (
    ADJECTIVES,
    ALWAYS,
    DRIVES,
    EACH,
    EACH_OF,
    EVENTS,
    FILLED,
    FILLS,
    IO,
    LEADS,
    LOWER,
    NO_MORE,
    NODES,
    PARTLY,
    PAYLOADS,
    PLUS,
    PRODUCE,
    RUNS,
    SKIPPED,
    STREAMS,
    SUBJECTS_DO,
    THINGS,
    TOGETHER,
    UPPER,
    WRITE,
    WritesTerm,
    is_name,
)
from planner.quantity.writes.words import ADVERBS, Token, period_of

_DETERMINERS = {"the", "our", "my", "a", "an", "new"}
_BEFORE_DRIVES = {*FILLED, "of", "the", "my", "our", "its", "this", "whole", "entire", "is"}


class TermReader(DutyReader):
    """Reader of the terms of a sentence, from left to right."""

    def __init__(self, sentence: str, tokens: list[Token], today: date) -> None:
        super().__init__(sentence, tokens, today)
        self._pieces = (
            self._filled, self._bound, self._remark, self._total, self._kept, self._scope,
            self._rate, self._order, self._days, self._number, self._copies, self._noun,
            self._skip, self._topic, self._no_more,
        )  # fmt: skip

    def read(self) -> WritesTerm:
        """Read the next term, up to a plus or to the end."""
        self.term, start = WritesTerm(), self.at
        while not self.is_at_end and not (self._is_plus() and self.at > start):
            if not any(piece() for piece in self._pieces):
                raise self.unread()
        return self.term

    def _is_plus(self) -> bool:
        """Whether another term follows, and no other part of this one: "and we have 12 of them"."""
        if self.word() == ",":
            return self._is_other_stream()
        if self.word() not in PLUS or self._is_said(*NO_MORE):
            return False
        if self.word() != "and" or not self._is_of_this_term():
            return True
        self.at += 1
        return False

    def _is_other_stream(self) -> bool:
        """Whether a comma begins "backups 2 TB a week" after "logs 40 GB a day"."""
        if not (self.term.noun and self.term.amounts and self.term.period_s):
            return False
        after = self.words[self.at + 1 : self.at + 4]
        noun = next((word for word in after if word in THINGS), self.term.noun)
        ahead = after[: after.index(noun)] if noun in after else []
        is_other = noun.rstrip("s") != self.term.noun.rstrip("s")
        is_noun = all(word in ADJECTIVES | {"the", "our", "my"} for word in ahead)
        return is_other and is_noun and any(self._is_amount(at) for at in self._after())

    def _is_of_this_term(self) -> bool:
        """Whether what follows an "and" lacks an amount, or gives this term its own."""
        rest = list(itertools.takewhile(lambda at: self.words[at] not in PLUS, self._after()))
        said = {self.words[at] for at in rest}
        if "%" in said and WRITE & said:
            return True
        has_amount = any(self._is_amount(at) for at in rest)
        if self.term.amounts:
            return self.term.is_of_each and not has_amount
        each = (self.words[at + 1] for at in rest[:-1] if self.words[at] == "each")
        is_each = self.words[rest[-1]] == "each" if rest else False
        is_each |= any(period_of(word) is None for word in each)
        is_counted = self.term.count is not None or self.term.events is not None
        return self.term.total_s is not None or (is_counted and is_each)

    def _after(self) -> range:
        return range(self.at + 1, len(self.tokens))

    def next_term(self) -> bool:
        """Take a plus; False at the end."""
        if self.at >= len(self.tokens):
            return False
        self.at += 1
        return True

    def _no_more(self) -> bool:
        return bool(self._take(*NO_MORE))

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
        kinds = (self._repeats, self._share, self._of_time, self._counted, self._happens,
                 self._lasts)  # fmt: skip
        if not any(kind(value) for kind in kinds):
            self._amount(value, value, lead)
        return True

    def _filled(self) -> bool:
        """Read "the drive is filled" and "we overwrite the whole disk"."""
        if self.word() not in DRIVES | _BEFORE_DRIVES:
            return False
        start = self.at
        is_drive = self._drive()
        self._take("is", "gets", "was")
        self._take("completely", "fully")
        is_filled = bool(self._take("fills up", "fill up", "filled up", *FILLED))
        if is_filled and (is_drive or self._drive() or self._take("it")):
            self._take("completely", "fully")
            return self._add_fills(1.0)
        if is_filled and not is_drive and self._is_value():
            return True  # "we fill a fifth of the disk"
        self.at = start
        return self._subject()

    def _is_value(self) -> bool:
        start = self.at
        is_value = self._value() is not None
        self.at = start
        return is_value

    def _subject(self) -> bool:
        """Skip "the drive" of "the drive is 2 years old"."""
        start = self.at
        self._take("the", "my", "our", "this")
        if self._take(*DRIVES) and self.word() in ("is", "has"):
            return True
        self.at = start
        return False

    def _counted(self, value: float) -> bool:
        """Read "32 x", "32 cameras" and "32 of them"; after an amount "x 32"."""
        if self._take("of them", "of these", "of those"):
            self._once(self.term.count not in (None, 1.0))
            self.term.count, self.term.is_of_each = value, True
            return True
        is_after = self.word(-2) == "x" and bool(self.term.amounts)
        self._adjectives()
        is_times = self.word() == "x" or (self.word() == "times" and self._is_number(1))
        is_before = is_times or self.word() in THINGS
        if not is_before and not (is_after and not self._is_unit_or_fill()):
            return False
        self._once(self.term.count is not None)
        self.term.count = value
        self.term.is_counted_after = bool(self.term.amounts) and not is_after
        self.at += is_times
        self.term.is_of_each |= self._noun() and value == 1
        is_verb = value != 1 and self.word() in PRODUCE and self.word(-1) not in STREAMS
        self.term.is_all_or_each = is_verb
        return True

    def _noun(self) -> bool:
        self._adjectives()
        if self.word() not in THINGS:
            return False
        if self.word() in STREAMS:
            self.term.sequential = True
        self.term.noun = self.term.noun or self.word()
        self.at += 1
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
        return self._together() or bool(self._take(*ALWAYS))

    def _together(self) -> bool:
        """Read "total" of all that is counted, or of the amount that follows."""
        if not self._take(*TOGETHER):
            return False
        start = self.at
        while self.word() in SKIPPED and self.word() not in (",", "at", "x"):
            self.at += 1
        is_of_amount = not self.is_at_end and self._is_amount(self.at)
        is_of_count = self._is_number() or (self.word() == "," and not self.term.amounts)
        self.at = start
        self.term.is_sum |= is_of_amount
        self.term.is_of_all |= not is_of_amount and not is_of_count
        return True

    def _scope(self) -> bool:
        """Read "per drive", and "per camera" of counted ones."""
        start = self.at
        if self._take(*EACH_OF):
            self.term.is_of_each = True
            return True
        lead = self._take(*EACH)
        if not lead:
            return False
        self._adjectives()
        noun = self.word()
        is_drive = noun in DRIVES and self.word(1) not in FILLS
        if not is_drive and noun not in THINGS | EVENTS:
            self.at = start
            return self._each(lead)
        self.at += 1
        if is_drive:
            self._set_scope("drive")
        elif noun in NODES and self.term.count is None:
            self._set_scope("node")
        elif lead in ("a", "an") and not self.term.amounts and self.term.count is None:
            self.at -= 1
            self.term.count, self.term.is_of_each = 1.0, self._noun()
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

    def _topic(self) -> bool:
        """Skip the name of what is written: "of game updates", "rsync of 60 GB"."""
        if not is_name(self.word()) and self.word() not in PAYLOADS:
            return False
        before = [word for word in self.words[: self.at] if word not in _DETERMINERS]
        while before and (is_name(before[-1]) or before[-1] in RUNS):
            before.pop()
        is_named = self.word(1) == "of" and is_name(self.word()) and self._is_number(2)
        is_after = before[-1] in ("of", "for", "from") if before else self._is_subject()
        self.at += is_named or is_after
        return is_named or is_after

    def _is_subject(self) -> bool:
        """Whether a verb follows: "Splunk indexers ingest"."""
        places = range(self.at, len(self.tokens))
        verb = next((self.words[at] for at in places if not is_name(self.words[at])), "")
        return verb in SUBJECTS_DO

    def _skip(self) -> bool:
        start = self.at
        is_article = self.word() in ("a", "an") and self._is_number(1)
        if self._take("so far"):
            return True
        is_article |= self.word() in ("a", "an") and self.word(1) in {*ADVERBS, *TOGETHER}
        self.term.is_io |= self.word() in IO
        self.term.is_partly |= self.word() in PARTLY
        self.at += is_article or self.word() in SKIPPED | IO | PARTLY
        return self.at > start

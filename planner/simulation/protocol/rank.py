"""Order of drives in a protocol: which places are decided, and which are a tie."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from planner.sections.ranges import Range
from planner.simulation.protocol.answer import ProtocolAnswer
from planner.simulation.protocol.rates import FLUID

DECIDED = 0.9  # probability from which an order counts as decided
_SD = 1.6449  # of a range of 90 %, in standard deviations from the middle to an end


class RankPlace(NamedTuple):
    """A drive in the order; `above_next` is the probability that it beats the one after it."""

    place: int  # the same for drives between which nothing is decided
    answer: ProtocolAnswer
    above_next: float

    @property
    def is_decided(self) -> bool:
        """Whether it is above the next one with a probability of at least 0.9."""
        return self.above_next >= DECIDED


def ranking(answers: Sequence[ProtocolAnswer]) -> list[RankPlace]:
    """Return the drives of one protocol in the order of the rate of its judged phases.

    A drive shares its place with the one before unless that one beats it, decidedly.
    """
    ordered = sorted(answers, key=lambda each: -each.judged_bytes_per_s.typical)
    places: list[RankPlace] = []
    for at, answer in enumerate(ordered):
        above = 1.0
        if at + 1 < len(ordered):
            above = probability_above(answer.judged_bytes_per_s, ordered[at + 1].judged_bytes_per_s)
        is_own = not places or places[-1].is_decided
        places.append(RankPlace(at + 1 if is_own else places[-1].place, answer, above))
    return places


def probability_above(first: Range, second: Range) -> float:
    """Return the probability that one number is above another of the same protocol.

    Uncertain facts of two drives are independent; the error of the protocol applies to both.

    >>> a, b = Range(75.0, 100.0, 130.0, "prior"), Range(50.0, 70.0, 90.0, "prior")
    >>> round(probability_above(a, b), 2), round(probability_above(b, a), 2)
    (0.98, 0.02)
    >>> probability_above(a, a)
    0.5
    """
    distance = math.log(first.typical / second.typical)
    # How far the upper one may fall, and how far the lower one may rise.
    upper, lower = (first, second) if distance >= 0 else (second, first)
    fall, rise = math.log(upper.typical / upper.low), math.log(lower.high / lower.typical)
    spread = math.hypot(_own(fall), _own(rise)) / _SD
    if not spread:
        return 0.5 if not distance else float(distance > 0)
    return 0.5 * math.erfc(-distance / spread / math.sqrt(2))


def _own(half: float) -> float:
    """Return the part of a half width that belongs to one drive alone."""
    return math.sqrt(max(half**2 - math.log(FLUID.high) ** 2, 0.0))

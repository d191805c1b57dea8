"""The record that every inverse question returns, and how a plan is asked again."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from models.errors import DomainError
from models.units import YEAR_S
from planner.catalogue.priors import Level
from planner.graph.answer import Answer
from planner.sections.life import LIFE_OF, Limit
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range

ENDURANCE = (Limit.FLASH_WEAR, Limit.RATED_TBW)
HORIZON_S = 5 * YEAR_S
FAR = 100.0
LEVELS: tuple[Level, ...] = ("cautious", "typical", "generous")
ROUND_OFF = 1e-11


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """Needed and available amount of the quantity of a limit."""

    limit: str
    key: str
    needed: float
    available: float

    @property
    def fits(self) -> bool:
        """Whether there is enough, but for the last digits of arithmetic."""
        return self.available >= self.needed * (1 - ROUND_OFF)

    @property
    def margin_ratio(self) -> float:
        """Available over needed amount, less 1."""
        return self.available / self.needed - 1

    @property
    def excess(self) -> float:
        """Logarithm of available over needed, kept finite for a search."""
        if self.available <= 0:
            return -FAR
        return max(-FAR, min(FAR, math.log(self.available / self.needed)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """Size to choose, the binding limit, and the margins of the others.

    `answer` is None where nothing meets the target: `rejected` then holds the limits that are
    exceeded at the best choice. It is `Missing` where a fact is missing. `unrounded` is the need
    before rounding to whole drives or to a standard class; `by_limit` what each limit alone gives,
    `details` further figures, `plan` the plan at the answer or at the best choice. Where facts are
    assumed, `level` is their end of the range (or typical) here, and `by_level` the answer at each
    end and at typical values, None where nothing meets the target.
    """

    answer: Answer | None
    limit: str | None = None
    unrounded: Answer | None = None
    by_limit: Mapping[str, Answer] = field(default_factory=dict)
    margins: tuple[Margin, ...] = ()
    rejected: tuple[Margin, ...] = ()
    details: tuple[Answer, ...] = ()
    plan: PlanReading | None = None
    notes: tuple[str, ...] = ()
    level: Level | None = None
    by_level: Mapping[Level, Answer | None] = field(default_factory=dict)

    @property
    def range(self) -> Range | None:
        """Range of the answer over the assumed facts; None where that is one number."""
        values = [float(one.value) for one in self.by_level.values() if one and one.is_known]
        if len(values) < len(LEVELS):
            return None
        low, typical, high = sorted(values)
        found = Range(low, typical, high, "prior")
        return found if found.is_wide else None

    @property
    def fits(self) -> bool:
        """Whether there is an answer."""
        return self.answer is not None and self.answer.is_known

    @property
    def value(self) -> float:
        """The answer as a number; NaN where there is none."""
        if self.answer is None or not self.answer.is_known:
            return math.nan
        return float(self.answer.value)

    @property
    def lacking(self) -> tuple[str, ...]:
        """Facts that would supply what is missing."""
        answers = (self.answer, *self.by_limit.values())
        return lacking(part for part in answers if part is not None)


def searched(key: str, value: float, note: str = "") -> Answer:
    """Build the answer of a search: the plans that were tried are behind it, not one formula."""
    return Answer(key=key, value=float(value), source="sizing", note=note)


def at_levels(ask: Callable[[Level], Sizing], level: Level) -> Sizing:
    """Return the answer at one level of the assumed facts, with those at the others.

    A question that another level refuses has no answer there.
    """
    sized, by_level = ask(level), dict[Level, Answer | None]()
    for each in LEVELS:
        try:
            by_level[each] = (sized if each == level else ask(each)).answer
        except DomainError:
            by_level[each] = None
    return replace(sized, level=level, by_level=by_level)


def lacking(answers: Iterable[Answer]) -> tuple[str, ...]:
    """List the facts that are missing, each once."""
    missing = (part.lacking for part in answers if not part.is_known)
    return tuple(dict.fromkeys(name for names in missing for name in names))


def lives(
    plan: PlanReading, limits: Collection[Limit] = ENDURANCE, **changes: float
) -> dict[str, float]:
    """Return the lives that are known, by limit; of the plan with some leaves changed, if any.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> plan = plan_drive(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e7))
    >>> half = lives(plan, host_bytes_per_s=2e7)
    >>> {limit: life / half[limit] for limit, life in lives(plan).items()}
    {'flash wear': 2.0, 'rated TBW': 2.0}
    """
    keys = {str(limit): LIFE_OF[limit] for limit in limits}
    return known_numbers(plan, keys, **changes)


def known_numbers(plan: PlanReading, keys: Mapping[str, str], **changes: float) -> dict[str, float]:
    """Return answers of the plan with some leaves changed, by name; those that are known."""
    values = map(float, plan.reading.swept(*keys.values(), **changes))
    return {name: value for name, value in zip(keys, values, strict=True) if not math.isnan(value)}


def target(**named: float) -> float:
    """Return the one target, if it can be aimed at."""
    ((name, value),) = named.items()
    if not 0 < value < math.inf:
        raise DomainError(f"{name} must be > 0 and finite, got {value:g}")
    return float(value)

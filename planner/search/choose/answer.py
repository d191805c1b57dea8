"""The answer: ranked plans, shortfalls of the cheaper ones, and savings from asking less."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from planner.catalogue.drive import Drive
from planner.catalogue.prices import PriceTerms
from planner.catalogue.priors import FLASH, Assumption
from planner.graph.answer import Answer, unknown
from planner.scenario.array import Array
from planner.search.choose.filters import Excluded
from planner.search.choose.front import Axis, Point
from planner.search.choose.nodes import NodesAnswer
from planner.search.choose.question import Need, Objective, Requirements
from planner.search.choose.rules import Rule
from planner.search.warranted import is_rated
from planner.sections.array_queue import ArrayQueue
from planner.sections.data_loss import DataLoss
from planner.sections.life import ratings_of
from planner.sections.ownership import Ownership, owned_ranges
from planner.sections.plan import PlanReading, at_level
from planner.sections.ranges import Range, Ranges

# Answers of a plan that say whether a need is met; of power and slots none is assumed.
_LIFE = ("wear_life_s", "rated_life_s")
_OF: Mapping[Need, tuple[str, ...]] = dict.fromkeys(Need, ()) | {
    Need.USABLE: ("usable_bytes",),
    Need.IOPS: ("budget_iops",),
    Need.WORST: ("worst_case_floor_iops",),
    Need.READS: ("workload_wa",),
    Need.LIFE: _LIFE,
    Need.LOSS: _LIFE,
    Need.WARRANTY: ("warranty_s",),
    Need.RATED: ("printed_life_s",),
}
OWNED, LIFE = ("npv_usd",), "endurance_life_s"
# States of a row of quotes; a drive of one's own is of a table without prices.
USED, ADJUSTED, ASIDE, OWN = "used", "adjusted", "set aside", "drive"
RANGED = ("total_price_usd", "usable_bytes", "budget_iops", "worst_case_floor_iops")


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """Required and available amount (None if unknown) of a need, and their ratio."""

    need: Need
    needed: float
    available: float | None
    margin: float


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A plan that meets every requirement, with what it comes to.

    Where facts are assumed its numbers are those that it is ranked by, at one end of their ranges.
    """

    plan: PlanReading
    queue: ArrayQueue
    data_loss: DataLoss
    ownership: Ownership
    objective: float
    life_probability: float | None
    met: tuple[Met, ...]
    nodes: NodesAnswer | None = None
    known_ranges: list[Ranges] = field(default_factory=list, repr=False, compare=False)

    @property
    def warranted_until_s(self) -> Answer:
        """Until when the vendor stands for the drives: rated writes or warranty, what ends first.

        Unlimited writes leave the warranty; without a printed rating it is not known.
        """
        rating, warranty = self.plan["printed_life_s"], self.plan["warranty_s"]
        if not is_rated(self.plan.drive):
            return unknown(key="warranty_s", lacking=("rated_bytes",))
        if not rating.is_known or not warranty.is_known:
            return unknown(key="warranty_s", lacking=(*rating.lacking, *warranty.lacking))
        return min(rating, warranty, key=lambda end: float(end.value))

    @property
    def rated_bytes(self) -> Answer:
        """Host writes that one drive is rated for, as printed."""
        if not is_rated(self.plan.drive):
            return unknown(key="rated_bytes", lacking=("rated_bytes",))
        return ratings_of(self.plan.drive)["rated_bytes"]

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        """Assumptions behind the price and the required quantities, ranges first."""
        needs = {one.need for one in self.met}
        keys = ("total_price_usd", *(key for need in needs for key in _OF[need]))
        behind = self.plan.behind(*(self.plan.reading[key] for key in keys))
        of_reads = FLASH if Need.READS in needs else ()
        return (*behind, *(item for item in self.plan.assumed if item.quantity in of_reads))

    @property
    def ranges(self) -> Mapping[str, Range]:
        """Ranges of price, capacity, speed, life and cost over the assumed facts, by key."""
        if not self.known_ranges:  # shared with the candidate of the next question
            self.known_ranges.append(self._ranges())
        return self.known_ranges[0]

    def _ranges(self) -> Ranges:
        typical = at_level(self.plan, "typical")
        life, owned = typical[LIFE], owned_ranges(self.plan, self.ownership, typical=typical)
        ways: dict[str, Callable[[], Range]] = {
            key: partial(typical.ranges.__getitem__, key)
            for key in RANGED if key in typical.ranges
        }  # fmt: skip
        if life.is_known:
            nodes = [typical.reading.graph.answers[LIFE]]
            ways["life_s"] = partial(typical.range_over, life.key, life.value, nodes)
        ways |= {key: partial(owned.__getitem__, key) for key in OWNED if key in owned}
        return Ranges(ways)

    @property
    def binding(self) -> Met | None:
        """The need with the smallest margin; a margin of the warranty beyond 1 does not count."""
        left = (one for one in self.met if one.need is not Need.WARRANTY or one.margin < 1)
        return min(left, key=lambda one: one.margin, default=None)


class DriveKind(NamedTuple):
    """Kind of a drive, as a supplier is told it beside the writes to be rated for."""

    bus: str
    place: str
    capacity_gb: float
    is_protected: bool

    def __str__(self) -> str:
        """Name the kind as a buyer does.

        >>> print(DriveKind("NVMe", "M.2", 3840.0, True))
        NVMe M.2 3.84 TB with power-loss protection
        """
        tb = self.capacity_gb >= 1000
        size = f"{self.capacity_gb / 1000:.10g} TB" if tb else f"{self.capacity_gb:.10g} GB"
        parts = (self.bus, self.place, size, "with power-loss protection" * self.is_protected)
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, kw_only=True)
class Specification:
    """One purchase: a kind of drive and a layout, with the models that qualify, best first."""

    kind: DriveKind
    first: Candidate
    models: tuple[Drive, ...]

    @property
    def needed_bytes(self) -> float:
        """Bytes that each drive is written within the years, for which it must be rated."""
        return float(self.first.ownership["horizon_bytes"].value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The nearest that a drive comes to what is required, for less than the best plan.

    `fails` are the needs that no configuration of the drive meets, each with its best value;
    `is_whole` says whether the slow ones are among them.
    """

    drive: Drive
    array: Array | None
    partition_fraction: float | None
    objective: float | None
    lacks: Met
    configurations: int
    fails: tuple[Met, ...] = ()
    is_whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """Saving if one requirement is relaxed by 10 %."""

    need: Need
    needed: float
    relaxed: float
    best: Candidate | None
    saving: float | None


class QuoteOutcome(NamedTuple):
    """A row of a table of quotes: its drive, its state, the reasons for it, and its doubts.

    `unranked` says why its drive is in none of the ranked plans.
    """

    where: str
    drive: str
    state: str
    reasons: tuple[str, ...] = ()
    unranked: str = ""


class QuoteOutcomes(NamedTuple):
    """Every row of the tables of quotes, and notes on how the files were read."""

    rows: tuple[QuoteOutcome, ...]
    notes: tuple[str, ...]

    def total(self, *states: str) -> int:
        """Count the rows in some states, all without any."""
        return sum(not states or row.state in states for row in self.rows)

    def reasons_of(self, drive: Drive) -> tuple[str, ...]:
        """Return the reasons and doubts beside the row that a drive comes from."""
        where = None if drive.quote is None else drive.quote.where
        return next((row.reasons for row in self.rows if row.where == where), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Ranked plans; how many configurations there were, were possible and hold what is cheap.

    `reach` is the best of each need that any plan has, where none has all. `rejected_by` counts
    the configurations below the best plan's objective by the need that they are furthest from, or
    all if there is no best plan. `rules` hold for what is not stated,
    `excluded` are the drives that filters leave out, `prices` says which compete as they are.
    `specifications` are the ranked plans, those that a buyer cannot tell apart taken together,
    `quotes` the rows of tables of quotes, each with its state.
    """

    objective: Objective
    requirements: Requirements
    candidates: tuple[Candidate, ...]
    rejected: tuple[Rejected, ...]
    reach: tuple[Met, ...] = ()
    rejected_by: Mapping[Need, int]
    savings: tuple[Saving, ...]
    axes: tuple[Axis, ...]
    front: tuple[Point, ...]
    configurations: int
    possible: int
    holding: int
    notes: tuple[str, ...]
    rules: tuple[Rule, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    prices: PriceTerms | None = None
    specifications: tuple[Specification, ...] = ()
    quotes: QuoteOutcomes | None = None

    @property
    def best(self) -> Candidate | None:
        """The first of the ranked plans; None where nothing meets every requirement."""
        return next(iter(self.candidates), None)

    @property
    def undecided(self) -> tuple[int, ...]:
        """The places of the plans that may each be the least, by the ranges of the objective.

        Plans are in the order of their typical price; where the first costs less than any other
        may, or there is none, no plan but the first is named.
        """
        if self.best is None:
            return ()
        ends = [self._ends(one) for one in self.candidates]
        _, most = ends[0]
        return tuple(place for place, (least, _) in enumerate(ends, 1) if least <= most)

    def _ends(self, one: Candidate) -> tuple[float, float]:
        """Return between what the objective of a plan lies."""
        between = one.ranges.get(OWNED[0] if self.objective is Objective.COST else RANGED[0])
        if between is None:
            return one.objective, one.objective
        return min(between.low, one.objective), max(between.high, one.objective)

    @property
    def closest(self) -> Rejected | None:
        """The plan that comes nearest to what is required, where none meets all of it."""
        known = [row for row in self.rejected if row.lacks.available is not None]
        return None if self.best else max(known, key=lambda row: row.lacks.margin, default=None)

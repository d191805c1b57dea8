"""The question: what must hold, and among which drives, counts, spare areas and layouts."""

from collections.abc import Iterator, Mapping, Sized
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

from models import _check, confidence
from models.errors import DomainError
from planner.catalogue.drive import Drive
from planner.catalogue.prices import PriceTerms
from planner.catalogue.priors import Level
from planner.catalogue.quotes import QuoteTables
from planner.scenario.array import VOLUME_BYTES, Array, RaidLevel, parse_level
from planner.search.choose.filters import Excluded
from planner.search.choose.nodes import Nodes
from planner.search.choose.rules import Rule

LIFE_LOG_SD = 0.25
LOW_END = 0.95  # confidence with which the low end of a range of 90 % is reached
RULED = ": {} is a rule; --raid states another, --no-redundancy allows a single drive"
CHANCES = ("life_confidence", "figure_confidence", "loss_probability")
MOST_TOLERATED = 30  # failures of drives; the loss of mirrors of more copies is not computed


class Objective(StrEnum):
    """Objective of a choice, to be minimised."""

    PRICE = "price of the drives"
    COST = "cost of owning"


class Need(StrEnum):
    """Quantity that may be required of a plan."""

    USABLE = "usable capacity"
    IOPS = "IOPS at the mix"
    WORST = "IOPS in the worst second"
    READS = "99.9 % read latency"
    LIFE = "life"
    LOSS = "loss of data"
    POWER = "power"
    SLOTS = "slots"
    BUDGET = "budget"
    WARRANTY = "warranty"
    RATED = "rated writes"
    LANES = "lanes of a node"
    NODE_POWER = "power of a node"

    @property
    def label(self) -> str:
        """Its name on screens; records keep the one that they had.

        >>> Need.LOSS.label, Need.LIFE.label
        ('data loss', 'life')
        """
        return "data loss" if self is Need.LOSS else str(self)


FIELDS: Mapping[Need, str] = {
    Need.USABLE: "usable_bytes",
    Need.IOPS: "iops",
    Need.WORST: "worst_case_iops",
    Need.READS: "read_p999_s",
    Need.RATED: "rated_s",  # before life, whose low end is that of the rating at the least
    Need.LIFE: "life_s",
    Need.LOSS: "loss_probability",
    Need.POWER: "power_w",
    Need.SLOTS: "slots",
    Need.BUDGET: "budget_usd",
    Need.WARRANTY: "warranty_s",
    Need.LANES: "node_lanes",
    Need.NODE_POWER: "node_power_w",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirements:
    """Requirements of a choice; None requires nothing.

    `life_s` is the life that drives must reach with `life_confidence`; the logarithm of life is
    normal (assumed) with `life_log_sd` about the plan's figure, which itself is reached with
    `figure_confidence`: 50 % for a typical one, 95 % for the low end of a range. IOPS are those of
    the array at the workload's mix with `queue_depth` operations outstanding, by default the
    workload's depth times the drives; worst-case IOPS those of all drives in their worst case at
    once, each at the workload's depth. Power is that of all drives at their most active. `rated_s`
    is how long the writes that a drive is rated for must suffice, as printed: with
    `credits_spare_area` as modelled for enterprise drives; one without a printed rating never does,
    unless `allows_unrated`. Lanes and power of a node are those of its drives together.

    `over_years` names the fields that are as long as the years of the question at the least, each
    with the time that is required whatever the years, 0 for none.
    """

    usable_bytes: float | None = None
    iops: float | None = None
    queue_depth: float | None = None
    worst_case_iops: float | None = None
    read_p999_s: float | None = None
    life_s: float | None = None
    life_confidence: float = 0.5
    life_log_sd: float = LIFE_LOG_SD
    figure_confidence: float = 0.5
    loss_probability: float | None = None
    power_w: float | None = None
    slots: float | None = None
    budget_usd: float | None = None
    warranty_s: float | None = None
    rated_s: float | None = None
    node_lanes: float | None = None
    node_power_w: float | None = None
    credits_spare_area: bool = False
    allows_unrated: bool = False
    over_years: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        """Refuse a field outside its range, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values = {name: value for name, value in values.items()
                  if not isinstance(value, bool | tuple)}  # fmt: skip
        inside = {name: values.pop(name) for name in CHANCES}
        _check.non_negative(life_log_sd=values.pop("life_log_sd"))
        for name, value in inside.items():
            if value is not None:
                _check.require(0 < value < 1, name, "in (0, 1)", value)
        _check.finite(**{name: value for name, value in values.items() if value is not None})

    @property
    def needs(self) -> Mapping[Need, float]:
        """Required amounts by need, in base units."""
        return _needs_of(self)

    @property
    def life_spread(self) -> float:
        """Ratio of the plan's life to the required one that gives the required confidence."""
        needed, figure = (
            confidence.margin_needed(sure, log_sd=self.life_log_sd)
            for sure in (self.life_confidence, self.figure_confidence)
        )
        return needed / figure

    def life_probability(self, life_s: float) -> float:
        """Return the probability that drives whose life is planned as so long reach that asked."""
        figure = confidence.margin_needed(self.figure_confidence, log_sd=self.life_log_sd)
        return confidence.holding_probability(
            figure * life_s / (self.life_s or life_s), log_sd=self.life_log_sd
        )

    def relaxed(self, need: Need, needed: float) -> "Requirements":
        """Return the same with another figure of one need."""
        changed: dict[str, Any] = {FIELDS[need]: needed}
        return replace(self, **changed)


@lru_cache(maxsize=64)
def _needs_of(requirements: Requirements) -> Mapping[Need, float]:
    values = {need: getattr(requirements, name) for need, name in FIELDS.items()}
    return {need: value for need, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Grid of configurations: every drive with every count, spare area, level and number of sets.

    `partition_fractions` are shares of the user capacity put to use, the rest is spare area;
    `hot_spares` of the counted drives stand by, and pools store records of `record_bytes`.
    `assumed` is the level of the assumed facts of the drives: an end of the range, or typical.
    Stripes with parity have at most `parity_group` drives. `rules` are the active ones, `excluded`
    the drives that filters leave out, `prices` the terms under which prices are compared unchanged,
    `quotes` the tables that some drives are from.
    With `nodes` the arrays are clusters, and `members` count the drives of one node.

    >>> Grid(drives=(), members=(4, 6), levels=("5", "10"), sets=(1, 2)).arrays()[-1].name
    'RAID 10'
    """

    drives: tuple[Drive, ...]
    members: tuple[int, ...] = tuple(range(1, 25))
    partition_fractions: tuple[float, ...] = (1.0,)
    levels: tuple[str, ...] = ("0", "1", "10", "5", "6")
    sets: tuple[int, ...] = (1,)
    hot_spares: int = 0
    record_bytes: float = VOLUME_BYTES
    assumed: Level | None = None
    parity_group: int | None = None
    rules: tuple[Rule, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    nodes: Nodes | None = None
    prices: PriceTerms | None = None
    quotes: QuoteTables | None = None

    def __post_init__(self) -> None:
        """Refuse shares outside (0, 1] and an empty axis."""
        for name in ("members", "partition_fractions", "levels", "sets"):
            if not getattr(self, name):
                raise DomainError(f"{name} must be at least one value")
        for fraction in self.partition_fractions:
            _check.share(partition_fraction=fraction)

    def __len__(self) -> int:
        """Count the configurations, possible or not."""
        layouts: tuple[Sized, ...] = (self.levels, self.sets)
        if self.nodes is not None:
            layouts = (self.nodes.codes, self.nodes.counts)
        return prod(map(len, (self.drives, self.members, self.partition_fractions, *layouts)))

    def arrays(self) -> tuple[Array, ...]:
        """Return the arrays that are possible, by level, sets and count."""
        if self.nodes is not None:
            return tuple(filter(self._allows, self.nodes.arrays(self.members)))
        return tuple(filter(self._allows, self._possible()))

    def why_empty(self) -> str:
        """Describe why no array is possible: groups too wide, or drives too few or too many."""
        possible = list(self._possible())
        if possible and not any(map(_has_whole_groups, possible)):
            one = possible[0]
            each = one.stripe_members * one.sets
            return f"members must be a multiple of {each} for {one.name}, got {one.working}"
        wide = replace(self, parity_group=None).arrays()
        if wide and self.parity_group is not None:
            least = min(wide, key=lambda array: array.stripe_members)
            return (f"parity_group must be >= {least.stripe_members} for {least.name}, "
                    f"got {self.parity_group}")  # fmt: skip
        last = max(self._layouts(), key=lambda fields: (fields["members"], -fields["sets"]))
        try:
            return f"members must be fewer for {Array(**last).name}, got {last['members']}"
        except DomainError as error:
            rules = [str(rule) for rule in self.rules if rule.input == "raid"]
            return f"{error}{RULED.format(*rules) if rules else ''}"

    def _possible(self) -> Iterator[Array]:
        """Yield the arrays that there are, whatever the grid allows."""
        for layout in self._layouts():
            with suppress(DomainError):
                array = Array(**layout)
                if array.tolerated_failures <= MOST_TOLERATED:
                    yield array

    def _layouts(self) -> Iterator[dict[str, Any]]:
        """Yield the fields of every array, possible or not, by level, sets and count."""
        for level in self.levels:
            layout = parse_level("levels", level)
            for sets, members in product(self.sets, self.members):
                yield {
                    "members": members, "sets": sets, "hot_spares": self.hot_spares,
                    "record_bytes": self.record_bytes, **layout,
                }  # fmt: skip

    def _allows(self, array: Array) -> bool:
        if not array.parities:
            return True
        is_wide = self.parity_group is not None and array.stripe_members > self.parity_group
        return not is_wide and _has_whole_groups(array)


def _has_whole_groups(array: Array) -> bool:
    """Whether drives of an erasure code form whole groups; those of clusters and dRAID need not.

    >>> of_code = Grid(drives=(), members=tuple(range(6, 40)), levels=("ec:8+3",))
    >>> [array.members for array in of_code.arrays()]
    [11, 22, 33]
    """
    is_code = array.level is RaidLevel.EC and array.nodes is None
    return not is_code or array.working % (array.stripe_members * array.sets) == 0

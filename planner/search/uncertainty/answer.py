"""A plan with uncertain inputs: quantiles, probabilities, and shares of the binding limits."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.search.uncertainty.distributions import Distribution
from planner.search.uncertainty.draws import SCRAMBLES, Correlations, chances, correlated, values_of
from planner.search.uncertainty.inputs import is_fact, place_all, with_values
from planner.sections.life import LIFE_OF, Limit
from planner.sections.plan import PlanReading

Points = NDArray[np.float64]

LIFE = "wear_out_life_s"  # the first of flash wear and rated endurance
QUANTILES = (0.05, 0.1, 0.5, 0.9, 0.95)
_ENDURANCE = (Limit.FLASH_WEAR, Limit.RATED_TBW)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Quantiles of one number, and the standard error of each: what other points would change.

    NaN where the number is not known; `lacking` then names the facts that would supply it.
    """

    key: str
    quantiles: Mapping[float, float]
    errors: Mapping[float, float]
    lacking: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether there is a number."""
        return not all(math.isnan(value) for value in self.quantiles.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """A probability and its standard error; NaN where its quantity is unknown."""

    value: float
    error: float
    lacking: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether there is a number."""
        return not math.isnan(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncertain:
    """The samples of a plan: its numbers are arrays, the same place is the same sample.

    The samples are those of independent scrambles, one after the other; all of them count for
    an estimate, and how the scrambles differ is its error.
    """

    base: PlanReading
    inputs: Mapping[str, Distribution]
    draws: Mapping[str, Points] = field(repr=False)
    plan: PlanReading = field(repr=False)
    samples: int
    seed: int
    correlations: Correlations = field(default_factory=dict)

    def values(self, key: str) -> Points:
        """Return a number of the plan in every sample, NaN where it is not known.

        Life by endurance is `LIFE`.
        """
        return numbers(self.plan, key, SCRAMBLES * self.samples)

    def lacking(self, key: str) -> tuple[str, ...]:
        """Name the facts that would make a number of the plan known; none where it is."""
        return lacking(self.plan, key)

    def spread(self, key: str) -> Spread:
        """Return the quantiles of a number of the plan."""
        values = self.values(key)
        apart = [quantile_of(part, QUANTILES) for part in self._by_scramble(values)]
        return Spread(
            key=key,
            quantiles=dict(zip(QUANTILES, quantile_of(values, QUANTILES).tolist(), strict=True)),
            errors=dict(zip(QUANTILES, _error(np.array(apart)).tolist(), strict=True)),
            lacking=self.lacking(key),
        )

    def chance(self, key: str, *, at_least: float) -> Chance:
        """Return the probability that a number of the plan is at least so large."""
        values = self.values(key)
        if np.isnan(values).all():
            return Chance(value=np.nan, error=np.nan, lacking=self.lacking(key))
        enough = values >= at_least
        apart = np.array([[part.mean()] for part in self._by_scramble(enough.astype(float))])
        return Chance(value=float(enough.mean()), error=float(_error(apart)[0]))

    @property
    def binding(self) -> dict[Limit, float]:
        """Share of samples in which each known limit of life comes first; the warranty is one."""
        lives = dict(zip(Limit, _lives(self.plan, Limit, SCRAMBLES * self.samples), strict=True))
        known = {limit: life for limit, life in lives.items() if not np.isnan(life).all()}
        if not known:
            return {}
        table = np.array(list(known.values()))
        met = np.isfinite(table.min(axis=0))
        first = table.argmin(axis=0)
        return {limit: float(np.mean(met & (first == row))) for row, limit in enumerate(known)}

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the omissions of the samples."""
        nodes = self.plan.nodes
        idle = [name for name in self.inputs if is_fact(name) and name not in nodes]
        return tuple(f"{QUANTITIES[name].label} does not enter this plan." for name in idle)

    def _by_scramble(self, values: Points) -> list[Points]:
        return np.split(values, SCRAMBLES)


def uncertainty(
    plan: PlanReading,
    inputs: Mapping[str, Distribution],
    *,
    samples: int = 1024,
    seed: int = 0,
    correlations: Correlations | None = None,
) -> Uncertain:
    """Send samples of uncertain inputs through the plan, all at once.

    `inputs` are fields of the workload, `partition_fraction`, `rating_wa`, or facts of the drive
    by quantity. `samples`, a power of two, are drawn in each of four independently scrambled Sobol
    sequences. `correlations` are those of the inputs' normal scores, by pairs of names.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.search.uncertainty.distributions import lognormal, low_mid_high
    >>> from planner.scenario.workload import Workload
    >>> answer = plan_drive(find(load(), "840 EVO 250"), Workload(host_bytes_per_s=600e3))
    >>> known = uncertainty(
    ...     answer,
    ...     {"pe_cycles": low_mid_high(900, 1129, 1500),
    ...      "host_bytes_per_s": lognormal(600e3, sigma=0.4)},
    ... )
    >>> five_years = 5 * 365 * 86400
    >>> print(f"{known.chance(LIFE, at_least=five_years).value:.2f}")
    0.11
    """
    within = place_all(inputs)
    points = chances(len(within), samples=samples, seed=seed)
    draws = values_of(within, correlated(points, list(within), correlations or {}))
    return Uncertain(
        base=plan,
        inputs=within,
        draws=draws,
        plan=with_values(plan, draws),
        samples=samples,
        seed=seed,
        correlations=dict(correlations or {}),
    )


def numbers(plan: PlanReading, key: str, count: int) -> Points:
    """Return a number of a plan of arrays in all of `count` samples, NaN where it is not known."""
    if key == LIFE:
        return np.asarray(np.fmin.reduce(_lives(plan, _ENDURANCE, count)))
    if key not in QUANTITIES:
        raise DomainError(f"{key} must be a number of a plan such as {LIFE} or workload_wa")
    if key in plan.reading.graph.answers:
        (value,) = plan.reading.numbers(key)
    else:
        node = plan.nodes.get(key)
        value = np.nan if node is None else node.value
    return _filled(value, count)


def lacking(plan: PlanReading, key: str) -> tuple[str, ...]:
    """Name the facts that would make a number of a plan known; none where it is."""
    if key == LIFE:
        parts = [plan.reading[LIFE_OF[limit]] for limit in _ENDURANCE]
        if any(part.is_known for part in parts):
            return ()
        return tuple(sorted({name for part in parts for name in part.lacking}))
    if key in plan.reading.graph.answers:
        return plan.reading[key].lacking
    return () if key in plan.nodes else (key,)


def _lives(plan: PlanReading, limits: Iterable[Limit], count: int) -> list[Points]:
    lives = plan.reading.numbers(*(LIFE_OF[limit] for limit in limits))
    return [_filled(life, count) for life in lives]


def _filled(value: float, count: int) -> Points:
    return np.broadcast_to(np.asarray(value, float), (count,))


def quantile_of(values: Points, chances: tuple[float, ...]) -> Points:
    """Return quantiles, straight between the middles of samples; of infinite ones too."""
    ranked = np.sort(values)
    place = np.clip(np.array(chances) * ranked.size - 0.5, 0, ranked.size - 1)
    below = place.astype(int)
    above = np.minimum(below + 1, ranked.size - 1)
    part, low, high = place - below, ranked[below], ranked[above]
    limited = np.isfinite(high)
    rise = part * (np.where(limited, high, 0.0) - np.where(limited, low, 0.0))
    return np.asarray(np.where(limited | (part < 0.5), low + rise, high))


def _error(apart: Points) -> Points:
    """Return the standard error of a mean over scrambles; none where all of them are infinite."""
    same = np.all(apart == apart[:1], axis=0)
    known = np.where(same, 0.0, apart)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.std(known, axis=0, ddof=1) / np.sqrt(len(apart)))

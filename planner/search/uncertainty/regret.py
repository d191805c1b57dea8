"""Which of several plans is regretted least, whatever the uncertain inputs turn out to be?

References:
    .. [1] L. J. Savage, "The Theory of Statistical Decision", Journal of the American Statistical
       Association 46(253), 1951 (regret: what a choice costs beyond the best in hindsight).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.errors import DomainError
from models.units import YEAR_S
from planner.search.uncertainty.answer import LIFE, Uncertain, quantile_of
from planner.search.uncertainty.distributions import Distribution
from planner.search.uncertainty.draws import Correlations, chances, correlated, values_of
from planner.search.uncertainty.inputs import is_fact, place_all, with_values
from planner.sections.plan import PlanReading

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegretObjective:
    """The objective: a number of every sample, from numbers of the plan by key."""

    keys: tuple[str, ...]
    formula: Callable[..., Points]

    def values(self, known: Uncertain) -> Points:
        """Return the objective in every sample, NaN where a number is not known."""
        return self.formula(*(known.values(key) for key in self.keys))

    def lacking(self, known: Uncertain) -> tuple[str, ...]:
        """Name the facts that would make it known."""
        return tuple(dict.fromkeys(name for key in self.keys for name in known.lacking(key)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Regret:
    """Extra cost of choosing a plan over the best in hindsight, on average and at worst (95 %).

    `mean` is the objective itself; `best` says how often no other plan would have been better.
    Numbers are NaN where the objective cannot be had of one of the plans: `lacking` names the
    facts that the first such plan lacks.
    """

    plan: PlanReading
    mean: float
    expected: float
    worst: float
    best: float
    lacking: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether the plans could be compared."""
        return not math.isnan(self.expected)


def least_regret(
    plans: Sequence[PlanReading],
    shared: Mapping[str, Distribution],
    objective: RegretObjective,
    *,
    own: Sequence[Mapping[str, Distribution]] | None = None,
    samples: int = 1024,
    seed: int = 0,
    correlations: Correlations | None = None,
) -> tuple[Regret, ...]:
    """Compare plans under the same samples; least expected regret first.

    `shared` inputs (the workload) are the same for all plans in every sample, `own` inputs (facts
    of each drive) are drawn apart; one of these that belongs to the workload, and is the same for
    all plans, is shared too. `objective` is less where it is better.
    """
    own = own or [{}] * len(plans)
    if not plans or len(own) != len(plans):
        raise DomainError("own must be as many as plans, at least 1")
    common = _of_the_workload(own)
    together = place_all({**common, **shared})
    apart = [
        place_all({name: inputs[name] for name in inputs.keys() - common.keys()}) for inputs in own
    ]
    points = chances(len(together) + sum(map(len, apart)), samples=samples, seed=seed)
    rows = np.split(points, np.cumsum([len(together), *map(len, apart)])[:-1])
    draws = values_of(together, correlated(rows[0], list(together), correlations or {}))
    samples_of = []
    for answer, inputs, row in zip(plans, apart, rows[1:], strict=True):
        drawn = draws | values_of(inputs, row)
        samples_of.append(
            Uncertain(
                base=answer,
                inputs=together | inputs,
                draws=drawn,
                plan=with_values(answer, drawn),
                samples=samples,
                seed=seed,
            )
        )
    lacking = (objective.lacking(known) for known in samples_of)
    values = np.array([objective.values(known) for known in samples_of])
    return _ranked(plans, values, next(filter(None, lacking), ()))


def _of_the_workload(own: Sequence[Mapping[str, Distribution]]) -> dict[str, Distribution]:
    """Return the inputs that are no facts of drives, and the same for all of them."""
    return {
        name: known
        for name, known in own[0].items()
        if not is_fact(name) and {str(inputs.get(name)) for inputs in own} == {str(known)}
    }


def usd_per_service_year(horizon_s: float) -> RegretObjective:
    """Return the price over the years of service by endurance, at most the horizon [USD/year]."""

    def usd_per_year(price_usd: Points, life_s: Points) -> Points:
        return price_usd / (np.minimum(life_s, horizon_s) / YEAR_S)

    return RegretObjective(keys=("total_price_usd", LIFE), formula=usd_per_year)


def life_shortfall_s(horizon_s: float) -> RegretObjective:
    """Return the shortfall of life by endurance from the horizon; 0 where it lasts [s]."""
    return RegretObjective(keys=(LIFE,), formula=lambda life_s: np.maximum(horizon_s - life_s, 0.0))


def least_regret_by(
    plans: Sequence[PlanReading], shared: Mapping[str, Distribution], horizon_s: float, **drawn: Any
) -> tuple[str, tuple[Regret, ...]]:
    """Compare plans by cost per year of service where every price is known, else by lacking life.

    The name of the objective is empty where neither is known.
    """
    by_cost = least_regret(plans, shared, usd_per_service_year(horizon_s), **drawn)
    if by_cost[0].is_known:
        return "usd_per_service_year", by_cost
    by_life = least_regret(plans, shared, life_shortfall_s(horizon_s), **drawn)
    return "life_shortfall_s" if by_life[0].is_known else "", by_life


def _ranked(
    plans: Sequence[PlanReading], values: Points, lacking: tuple[str, ...]
) -> tuple[Regret, ...]:
    regret = values - values.min(axis=0)
    rows = [
        Regret(
            plan=answer,
            mean=float(value.mean()),
            expected=float(lost.mean()),
            worst=float(quantile_of(lost, (0.95,))[0]),
            best=float(np.mean(lost == 0)),
            lacking=lacking,
        )
        for answer, value, lost in zip(plans, values, regret, strict=True)
    ]
    return tuple(sorted(rows, key=lambda item: (item.expected, item.worst)))

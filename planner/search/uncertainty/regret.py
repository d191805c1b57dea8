"""Which of several plans is regretted least, whatever the uncertain inputs turn out to be?

References
----------
.. [1] L. J. Savage, "The Theory of Statistical Decision", Journal of the American Statistical
       Association 46(253), 1951 (regret: what a choice costs beyond the best in hindsight).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.errors import DomainError
from models.units import YEAR_S
from planner.graph.answer import Answer
from planner.search.uncertainty.answer import LIFE, Uncertain, quantile_of
from planner.search.uncertainty.distributions import Distribution
from planner.search.uncertainty.draws import Correlations, chances, correlated, values_of
from planner.search.uncertainty.inputs import place_all, with_values
from planner.sections.plan import Plan

__all__ = ["Objective", "Regret", "least_regret", "life_shortfall_s", "usd_per_service_year"]

Points = NDArray[np.float64]
Objective = Callable[[Uncertain], Points | Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Regret:
    """What choosing a plan costs, on average and at worst (95 %), beyond the best in hindsight.

    `mean` is the objective itself; `best` says how often no other plan would have been better.
    """

    plan: Plan
    mean: float
    expected: float
    worst: float
    best: float


def least_regret(
    plans: Sequence[Plan],
    shared: Mapping[str, Distribution],
    objective: Objective,
    *,
    own: Sequence[Mapping[str, Distribution]] | None = None,
    samples: int = 1024,
    seed: int = 0,
    correlations: Correlations | None = None,
) -> tuple[Regret, ...] | Answer:
    """Compare plans under the same samples; least expected regret first.

    `shared` inputs (the workload) are the same for all plans in every sample, `own` inputs (facts
    of each drive) are drawn apart. `objective` is less where it is better. Answer where it
    cannot be had of one of the plans.
    """
    apart = [place_all(inputs) for inputs in own or [{}] * len(plans)]
    if not plans or len(apart) != len(plans):
        raise DomainError("own must be as many as plans, at least 1")
    together = place_all(shared)
    points = chances(len(together) + sum(map(len, apart)), samples=samples, seed=seed)
    rows = np.split(points, np.cumsum([len(together), *map(len, apart)])[:-1])
    draws = values_of(together, correlated(rows[0], list(together), correlations or {}))
    values = []
    for answer, inputs, row in zip(plans, apart, rows[1:], strict=True):
        drawn = draws | values_of(inputs, row)
        asked = Uncertain(
            base=answer,
            inputs=together | inputs,
            draws=drawn,
            plan=with_values(answer, drawn),
            samples=samples,
            seed=seed,
        )
        value = objective(asked)
        if isinstance(value, Answer):
            return value
        values.append(value)
    return _ranked(plans, np.array(values))


def usd_per_service_year(horizon_s: float) -> Objective:
    """Return the price over the years of service by endurance, at most the horizon [USD/year]."""

    def objective(asked: Uncertain) -> Points | Answer:
        price, life = asked.values("total_price_usd"), asked.values(LIFE)
        if isinstance(price, Answer) or isinstance(life, Answer):
            return price if isinstance(price, Answer) else life
        return price / (np.minimum(life, horizon_s) / YEAR_S)

    return objective


def life_shortfall_s(horizon_s: float) -> Objective:
    """Return what life by endurance lacks to the horizon; 0 where it lasts [s]."""

    def objective(asked: Uncertain) -> Points | Answer:
        life = asked.values(LIFE)
        return life if isinstance(life, Answer) else np.maximum(horizon_s - life, 0.0)

    return objective


def _ranked(plans: Sequence[Plan], values: Points) -> tuple[Regret, ...]:
    regret = values - values.min(axis=0)
    told = [
        Regret(
            plan=answer,
            mean=float(value.mean()),
            expected=float(lost.mean()),
            worst=float(quantile_of(lost, (0.95,))[0]),
            best=float(np.mean(lost == 0)),
        )
        for answer, value, lost in zip(plans, values, regret, strict=True)
    ]
    return tuple(sorted(told, key=lambda item: (item.expected, item.worst)))

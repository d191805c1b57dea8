"""Failures of arrays: formulas of loss, wear-out and spares against the lifetime simulator.

Rates and rebuild times are larger than in practice, so that losses are not rare in as many trials
as there are; the smaller of the two, the smaller the errors.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from models import failures
from models.failures import Group
from models.simulator.lifetimes import Config, Lognormal, Normal, Result, Weibull, run
from models.units import DAY_S, YEAR_S

LIFE_S, SPREAD_S = 1500 * DAY_S, 90 * DAY_S
Law = Callable[[Any], Any]
Wear = Normal | Weibull | Lognormal


def _laws(*wears: Wear) -> list[tuple[Law, Wear]]:
    """Return pairs of a simulated law of wear-out and the formula of the same law."""
    formulas: dict[type[Wear], Callable[..., float]] = {
        Normal: failures.normal_failed_fraction,
        Weibull: failures.weibull_failed_fraction,
        Lognormal: failures.lognormal_failed_fraction,
    }
    return [(partial(formulas[type(wear)], **vars(wear)), wear) for wear in wears]


((LIVES_LAW, WEAR),) = _laws(Normal(mean_s=LIFE_S, sd_s=SPREAD_S))
OTHER_LAWS = _laws(
    Weibull(scale_s=1.06 * LIFE_S, shape=8.0),
    Weibull(scale_s=1.03 * LIFE_S, shape=20.0),
    Lognormal(median_s=LIFE_S, log_sd=0.1),
)
FLEET_LAWS = _laws(
    Weibull(scale_s=2.66 * YEAR_S, shape=8.0),
    Weibull(scale_s=3 * YEAR_S, shape=1.0),
    Weibull(scale_s=3 * YEAR_S, shape=0.7),
    Weibull(scale_s=4 * YEAR_S, shape=2.0),
    Normal(mean_s=3 * YEAR_S, sd_s=0.5 * YEAR_S),
    Normal(mean_s=2 * YEAR_S, sd_s=1.5 * YEAR_S),
    Lognormal(median_s=2.5 * YEAR_S, log_sd=0.3),
)
# Members, parities, days of a rebuild: up to a rebuild time of half the spread of lives.
_OVERLAPS = (
    *product((2, 3, 4, 8, 24), (1,), (0.5, 2, 5, 15)),
    *product((4, 8, 12, 24), (2,), (5, 10, 20)),
    *product((8, 12, 24), (3,), (10, 20)),
    *product((12, 24), (4,), (15, 30)),
)
_STAGGERED = (
    (8, 1, 1, 30), (8, 1, 1, 60), (8, 1, 1, 120), (8, 1, 5, 60), (24, 1, 1, 20), (4, 1, 2, 200),
    (8, 2, 10, 30), (8, 2, 15, 60), (12, 2, 10, 20), (12, 3, 20, 20),
)  # fmt: skip
LATE_S = LIFE_S + 4.5 * SPREAD_S  # all are worn out by then, their successors hardly ever


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure by formula and by simulation, with the 95 % interval of the latter."""

    group: str
    label: str
    formula: float
    simulated: float
    low: float
    high: float
    bound: float

    @property
    def error(self) -> float:
        """Relative error of the formula."""
        return self.formula / self.simulated - 1

    @property
    def noise(self) -> float:
        """Half width of the simulator's interval, relative."""
        return (self.high - self.low) / 2 / self.simulated

    @property
    def inside(self) -> bool:
        """Whether the formula is within the interval or within the bound of the simulator."""
        return self.low <= self.formula <= self.high or abs(self.error) <= self.bound


@dataclass(frozen=True, slots=True, kw_only=True)
class LossCase:
    """A probability of loss: a formula without arguments, and a run."""

    group: str
    label: str
    formula: Callable[[], float]
    config: Config
    bound: float = 0.05

    def rows(self, result: Result) -> Iterator[Row]:
        """Yield the probability of loss by formula and by simulation."""
        yield Row(
            group=self.group, label=self.label, bound=self.bound, formula=self.formula(),
            simulated=result.loss_probability, low=result.loss_low, high=result.loss_high,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SparesCase:
    """Replacements of a fleet: a law of life, and a run without data to lose."""

    label: str
    law: Law
    config: Config

    def rows(self, result: Result) -> Iterator[Row]:
        """Yield mean and standard deviation of replacements by formula and by simulation."""
        config = self.config
        ages_s = config.ages_s or np.zeros(config.members)
        for name, formula, bound in (
            ("mean", failures.mean_replacements, 0.02), ("sd", failures.replacements_sd, 0.05),
        ):  # fmt: skip
            simulated = getattr(result, f"failures_{name}")
            half = 1.96 * getattr(result, f"failures_{name}_error")
            yield Row(
                group=f"replacements, {name}", label=self.label, bound=bound,
                formula=formula(
                    config.horizon_s, failed_fraction=self.law, ages_s=ages_s
                ),
                simulated=simulated, low=simulated - half, high=simulated + half,
            )  # fmt: skip


def failure_cases(quick: bool = False) -> list[LossCase | SparesCase]:
    """Return the cases of the grid, or a few short ones if `quick`."""
    return [*_independent(quick), *_wear_out(quick), *_staggered(quick), *_spares(quick)]


def compare_failures(case: LossCase | SparesCase) -> list[Row]:
    """Compute and simulate one case."""
    return list(case.rows(run(case.config)))


def _independent(quick: bool) -> Iterator[LossCase]:
    """Yield cases of independent failures and of unreadable sectors during rebuilds."""
    rebuild_s = 2 * DAY_S
    members = (8,) if quick else (4, 8, 24)
    for n, m, met in product(members, (0, 1, 2, 3), (0.0, 0.1) if quick else (0.0, 0.1, 3.0)):
        for load in (0.02, 0.1) if quick else (0.004, 0.02, 0.1, 0.3):
            if (
                m == n - 1
                or (m == 0 and met)
                or load ** (m + bool(met)) < (0.001 if quick else 2e-6)
            ):
                continue
            group = Group(n, m, load / n / rebuild_s, rebuild_s, -math.expm1(-met))
            time_s = _until(group)
            yield LossCase(
                group="independent failures",
                label=f"n = {n}, m = {m}, {met:g} sectors, {load:g} failures in a rebuild",
                formula=partial(failures.loss_probability, time_s, **group._asdict()),
                config=_array(group, horizon_s=time_s, trials=20_000 if quick else 400_000),
            )


def _until(group: Group) -> float:
    """Return a time, in whole rebuilds, within which about a fifth of the arrays lose data."""
    mean_s = failures.mttdl_s(**group._asdict())
    return min(1e4, max(20.0, math.ceil(0.2 * mean_s / group.rebuild_s))) * group.rebuild_s


def _wear_out(quick: bool) -> Iterator[LossCase]:
    """Yield cases of drives that wear out together, also with failures and unreadable sectors."""
    trials = 20_000 if quick else 400_000
    for n, m, days in ((8, 1, 1), (8, 2, 10)) if quick else _OVERLAPS:
        group = Group(n, m, 0.0, days * DAY_S, 0.0)
        yield _worn(f"wear-out, {m + 1} overlap", group, LIVES_LAW, WEAR, trials)
    if quick:
        return
    for law, wear in OTHER_LAWS:
        for m, days in ((1, 2), (2, 15)):
            group = Group(8, m, 0.0, days * DAY_S, 0.0)
            yield _worn(f"wear-out, {m + 1} overlap", group, law, wear, trials)
    for n, m, days, met in product((4, 8, 24), (1, 2), (1, 5), (0.02, 0.3)):
        group = Group(n, m, 0.01 / YEAR_S, days * DAY_S, -math.expm1(-met))
        yield _worn("wear-out, all else", group, LIVES_LAW, WEAR, trials)
    for share, met, m in product((0.85, 0.9, 0.95, 1.0), (0.0, 0.1), (1, 2)):
        days = 2 if m == 1 else 10
        if (m == 2 and share < 0.95) or (met == 0 and share < 0.9):
            continue
        group = Group(8, m, 0.0, days * DAY_S, -math.expm1(-met))
        yield _worn("replaced in time", group, LIVES_LAW, WEAR, 4_000_000, share * LIFE_S)


def _worn(
    kind: str, group: Group, law: Law, wear: Wear, trials: int, replaced_s: float = math.inf
) -> LossCase:
    horizon_s = min(LATE_S, replaced_s) + group.rebuild_s
    if replaced_s < math.inf:
        law = partial(failures.replaced_failed_fraction, failed_fraction=law, replaced_s=replaced_s)
    replaced = f", replaced at {replaced_s / LIFE_S:g}" if replaced_s < math.inf else ""
    return LossCase(
        group=kind,
        label=f"{_law_text(wear)}, {_group_text(group)}{replaced}",
        formula=partial(_total, law, group, horizon_s),
        config=_array(group, horizon_s=horizon_s, trials=trials, wear=wear, replaced_s=replaced_s),
    )


def _total(law: Law, group: Group, horizon_s: float) -> float:
    failed, unreadable = failures.loss_probability_parts(horizon_s, **group._asdict())
    return failures.total_loss_probability(
        failed,
        unreadable_loss_probability=unreadable,
        wear_out_loss_probability=failures.wear_out_loss_probability(law, group=group),
    )


def _staggered(quick: bool) -> Iterator[LossCase]:
    for n, m, days, apart in ((8, 1, 2, 60),) if quick else _STAGGERED:
        group = Group(n, m, 0.0, days * DAY_S, 0.0)
        ages_s = np.arange(float(n)) * apart * DAY_S
        yield LossCase(
            group=f"ages apart, {m + 1} overlap",
            label=f"{_group_text(group)}, {apart} days apart",
            formula=partial(
                failures.staggered_loss_probability, LIVES_LAW, group=group, ages_s=ages_s
            ),
            config=_array(
                group, horizon_s=LATE_S, trials=20_000 if quick else 400_000, wear=WEAR,
                ages_s=tuple(ages_s.tolist()),
            ),
        )  # fmt: skip


def _spares(quick: bool) -> Iterator[SparesCase]:
    """Yield fleets over five years: new, of one age, and of staggered ages."""
    ages = {"new": None, "two years old": (2 * YEAR_S,) * 50}
    if not quick:
        ages["0 to 2 years old"] = tuple(np.linspace(0, 2 * YEAR_S, 50).tolist())
    for law, wear in FLEET_LAWS[:2] if quick else FLEET_LAWS:
        for statement, ages_s in ages.items():
            yield SparesCase(
                label=f"{_law_text(wear)}, {statement}",
                law=law,
                config=Config(
                    members=50, parities=49, rebuild_s=1.0, horizon_s=5 * YEAR_S, wear=wear,
                    trials=8_000 if quick else 40_000, ages_s=ages_s,
                ),
            )  # fmt: skip


def _group_text(group: Group) -> str:
    met = -math.log1p(-group.unreadable_probability)
    return (
        f"n = {group.members}, m = {group.parities}, {group.rebuild_s / DAY_S:g} days"
        + (f", {met:g} sectors" if met else "")
        + (", AFR 1 %" if group.failures_per_s else "")
    )


def _law_text(law: Wear) -> str:
    if isinstance(law, Normal):
        return f"normal, {law.sd_s / law.mean_s:.0%} of {law.mean_s / YEAR_S:.1f} years"
    if isinstance(law, Weibull):
        return f"Weibull, shape {law.shape:g}, {law.scale_s / YEAR_S:.1f} years"
    return f"lognormal, {law.log_sd:g}, {law.median_s / YEAR_S:.1f} years"


def _array(group: Group, *, horizon_s: float, trials: int, **lives: object) -> Config:
    config: dict[str, object] = {
        "members": int(group.members),
        "parities": int(group.parities),
        "failures_per_s": group.failures_per_s,
        "rebuild_s": group.rebuild_s,
        "unreadable": -math.log1p(-group.unreadable_probability),
        "horizon_s": horizon_s,
        "trials": trials,
    }
    return Config(**config | lives)  # type: ignore[arg-type]  # numbers of either kind

"""Lives of the drives of one array: how they wear out together, and how often they are replaced."""

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check, failures
from models.units import YEAR_S

__all__ = ["failed_or_worn", "generations", "lost_within", "replacements", "worn_law"]

Law = Callable[..., float]
Points = NDArray[np.float64]

_CERTAIN = 1 - 2.0**-53
_NEVER_S = 1e6 * YEAR_S
_UNWORN = 9.0  # standard deviations before the mean life no drive is worn out


def worn_law(mean_s: ArrayLike, *, life_cv: float, replaced_s: ArrayLike) -> Law:
    """Return the share of drives worn out by an age, if those left are replaced at another."""
    mean = np.asarray(mean_s)
    worn = partial(
        failures.normal_failed_fraction,
        mean_s=_check.plain(mean),
        sd_s=_check.plain(life_cv * mean),
    )
    return partial(
        failures.replaced_failed_fraction,
        failed_fraction=worn,
        replaced_s=_check.plain(np.asarray(replaced_s)),
    )


def generations(
    mean_s: ArrayLike,
    *,
    life_cv: float,
    replaced_fraction: float | None,
    horizon_s: float,
    group: failures.Group,
) -> tuple[Points, Points, Points]:
    """Return whole generations within the horizon, the loss in one, and in the one under way.

    For arrays of mean lives and groups, all drives of an array of one age.
    """
    mean = np.minimum(np.asarray(mean_s, float), _NEVER_S)
    replaced_s = (replaced_fraction or np.inf) * mean
    whole, rest_s = np.divmod(horizon_s, np.minimum(mean, replaced_s))
    full = _lost_until(np.where(whole > 0, replaced_s, 0.0), mean, life_cv, group)
    last = _lost_until(np.minimum(replaced_s, rest_s), mean, life_cv, group)
    return whole, full, last


def lost_within(whole: ArrayLike, full: ArrayLike, last: ArrayLike) -> float:
    """Return the loss within the horizon of so many generations and of the one under way."""
    parts = (np.log1p(-np.minimum(loss, _CERTAIN)) for loss in (full, last))
    before, now = parts
    return _check.plain(-np.expm1(np.asarray(whole) * before + now))


def _lost_until(last_s: Points, mean_s: Points, life_cv: float, group: failures.Group) -> Points:
    """Return the loss as one generation wears out, up to an age; by number of parities."""
    found = np.zeros(mean_s.shape)
    reached = last_s > mean_s * max(0.0, 1 - _UNWORN * life_cv)
    for parities in np.unique(group.parities):
        here = reached & (np.asarray(group.parities) == parities)
        if here.any():
            part = failures.Group(
                *(_check.plain(np.broadcast_to(number, here.shape)[here]) for number in group)
            )
            law = worn_law(mean_s[here], life_cv=life_cv, replaced_s=last_s[here])
            found[here] = failures.wear_out_loss_probability(law, group=part)
    return found


def failed_or_worn(
    age_s: ArrayLike, *, failures_per_s: float, mean_s: float, life_cv: float, replaced_s: float
) -> Points:
    """Return the share of drives replaced by an age: failed, worn out, or at the age for it."""
    age = np.asarray(age_s)
    replaced = -np.expm1(-failures_per_s * age)
    if np.isfinite(mean_s):
        worn = failures.normal_failed_fraction(
            _check.plain(age), mean_s=mean_s, sd_s=life_cv * mean_s
        )
        replaced = replaced + worn * (1 - replaced)
    return np.where(age >= replaced_s, 1.0, replaced)


@lru_cache(maxsize=256)  # changes of plan that leave the drives' lives alone share their counts
def replacements(
    count: Callable[..., float],
    *,
    failures_per_s: float,
    members: float,
    horizon_s: float,
    mean_s: float,
    life_cv: float,
    replaced_s: float,
) -> float:
    """Count the replacements of a fleet that is new at the start, by a formula of `failures`."""
    if not failures_per_s and not np.isfinite(min(mean_s, replaced_s)):
        return 0.0
    law = partial(
        failed_or_worn,
        failures_per_s=failures_per_s,
        mean_s=mean_s,
        life_cv=life_cv,
        replaced_s=replaced_s,
    )
    return count(horizon_s=horizon_s, failed_fraction=law, ages_s=np.zeros(int(members)))

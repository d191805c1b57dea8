"""When will drives have to be replaced?"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from models import _check, failures
from planner.figures import Figure
from planner.survival import Survival

__all__ = ["replacement_course"]

Points = NDArray[np.float64]


def replacement_course(lost: Survival, ends_s: Points) -> Points | None:
    """Return the drives expected to be replaced until each of the times; None if unknown.

    All drives are new at the start; at the horizon it is `Survival.replacements`.
    """
    node = lost.replacements
    if not isinstance(node, Figure):
        return None
    told = {name: part.value for name, part in node.inputs.items()}
    law = partial(
        _failed_or_worn,
        told["failures_per_s"],
        told["mean_s"],
        lost.risk.life_cv * told["mean_s"],
        (lost.risk.replaced_fraction or np.inf) * told["mean_s"],
    )
    ages_s = np.zeros(int(told["members"]))
    return np.array(
        [
            failures.mean_replacements(float(end_s), failed_fraction=law, ages_s=ages_s)
            for end_s in ends_s
        ]
    )


def _failed_or_worn(
    failures_per_s: float, mean_s: float, sd_s: float, replaced_s: float, age_s: Points
) -> Points:
    age = np.asarray(age_s)
    failed = -np.expm1(-failures_per_s * age)
    worn = np.zeros(age.shape)
    if np.isfinite(mean_s):
        worn = np.asarray(
            failures.normal_failed_fraction(_check.plain(age), mean_s=mean_s, sd_s=sd_s)
        )
    return np.where(age >= replaced_s, 1.0, failed + worn * (1 - failed))

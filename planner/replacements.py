"""When will drives have to be replaced?"""

import numpy as np
from numpy.typing import NDArray

from models import failures
from planner.figures import Figure
from planner.lives import replacements
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
    told = {name: float(part.value) for name, part in node.inputs.items()}
    last_age_s = (lost.risk.replaced_fraction or np.inf) * told["mean_s"]
    lives = told | {"life_cv": lost.risk.life_cv, "replaced_s": last_age_s}
    counted = (
        replacements(failures.mean_replacements, **lives | {"horizon_s": float(end_s)})
        for end_s in ends_s
    )
    return np.array(list(counted))

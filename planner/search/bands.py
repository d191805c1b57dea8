"""What placement could make of a workload: separated, typical, one log."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scenario.workload import Workload
from planner.sections.write_amplification import BAND

__all__ = ["Band", "band", "required_op_ratio"]

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Write amplification over spare area for three layouts of the same drive.

    `low` keeps every temperature in a log of its own (streams, FDP), `typical` has separate
    frontiers for host writes and copies, `high` one log for everything.
    """

    op_ratio: Points
    low: Points
    typical: Points
    high: Points


def band(op_ratio: Points, workload: Workload, *, pages_per_block: float | None = None) -> Band:
    """Return the band of write amplification of this workload."""
    ratios = np.asarray(op_ratio, float)
    write_shares, page_shares = workload.classes
    low, typical, high = (
        np.asarray(
            formula(
                ratios,
                sequential_fraction=workload.sequential_fraction,
                write_shares=write_shares,
                page_shares=page_shares,
                pages_per_block=pages_per_block,
            )
        )
        for formula in BAND.values()
    )
    return Band(op_ratio=ratios, low=low, typical=typical, high=high)


def required_op_ratio(wa: float, values: Points, op_ratio: Points) -> float | None:
    """Return the spare area at which a falling curve reaches `wa`; None outside the curve.

    >>> required_op_ratio(2.0, np.array([4.0, 3.0, 1.0]), np.array([0.1, 0.2, 0.4]))
    0.3
    """
    if not values[-1] <= wa <= values[0]:
        return None
    return round(float(np.interp(-wa, -values, op_ratio)), 12)

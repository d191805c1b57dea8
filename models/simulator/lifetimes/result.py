"""Result of a run."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv


@dataclass(frozen=True, kw_only=True)
class Result:
    """Result of the trials.

    Attributes:
        loss_probability: Share of trials that lost data.
        loss_low: Lower end of its exact 95 % interval, of Clopper and Pearson.
        loss_high: Upper end of that interval.
        failed_probability: Share in which a failure too many came first.
        unreadable_probability: Share in which an unreadable sector came first.
        failures_mean: Failures, each replaced, over the horizon: mean over the trials.
        failures_sd: Their standard deviation over the trials.
        failures_mean_error: Standard error of `failures_mean`.
        failures_sd_error: Standard error of `failures_sd`.
        planned_mean: Mean number of members that were replaced in time.
        waited_fraction: Share of failures that found no spare; nan without failures.
        wait_s: Mean time that these waited for one; nan without any. [s]
        loss_s: Time of the first loss by trial; infinite where there was none. [s]
        failures: Failures by trial.
        trials: Trials that were carried out.
        seconds: Time that the run took.
    """

    loss_probability: float
    loss_low: float
    loss_high: float
    failed_probability: float
    unreadable_probability: float
    failures_mean: float
    failures_sd: float
    failures_mean_error: float
    failures_sd_error: float
    planned_mean: float
    waited_fraction: float
    wait_s: float
    loss_s: NDArray[np.float64] = field(repr=False)
    failures: NDArray[np.int32] = field(repr=False)
    trials: int
    seconds: float

    def lost_by(self, time_s: float) -> tuple[float, float, float]:
        """Share of trials that lost data by a time, with its exact 95 % interval."""
        return interval(int(np.count_nonzero(self.loss_s <= time_s)), self.trials)


def interval(count: int, trials: int) -> tuple[float, float, float]:
    """Share of the trials, with the exact 95 % interval of Clopper and Pearson.

    >>> [round(share, 4) for share in interval(0, 100)]
    [0.0, 0.0, 0.0362]
    """
    low = float(betaincinv(count, trials - count + 1, 0.025)) if count else 0.0
    high = float(betaincinv(count + 1, trials - count, 0.975)) if count < trials else 1.0
    return count / trials, low, high

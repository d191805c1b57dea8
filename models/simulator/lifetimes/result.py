"""What a run gives back."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv


@dataclass(frozen=True, kw_only=True)
class Result:
    """What the trials gave.

    Attributes
    ----------
    loss_probability, loss_low, loss_high : float
        Share of trials that lost data, with the exact 95 % interval of Clopper and Pearson.
    failed_probability, unreadable_probability : float
        Share in which a failure too many came first, and an unreadable sector.
    failures_mean, failures_sd : float
        Failures, each replaced, over the horizon: mean and standard deviation over the trials.
    failures_mean_error, failures_sd_error : float
        Standard errors of the two.
    planned_mean : float
        Mean number of members that were replaced in time.
    waited_fraction : float
        Share of failures that found no spare; nan without failures.
    wait_s : float
        Mean time that these waited for one; nan without any. [s]
    loss_s : array
        Time of the first loss by trial; infinite where there was none. [s]
    failures : array
        Failures by trial.
    trials : int
        Trials that were carried out.
    seconds : float
        Time that the run took.
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

"""Public run of the lifetime simulator: build, carry out the trials, count."""

import math
import time

import numpy as np

from models.errors import DomainError
from models.simulator.driver import Progress, tell
from models.simulator.lifetimes import state as at
from models.simulator.lifetimes.config import Config
from models.simulator.lifetimes.result import Result, interval

CHUNKS = 100


def run(config: Config, progress: Progress | None = None) -> Result:
    """Simulate arrays up to a horizon; count losses of data and replacements of drives.

    Args:
        config: The array, how its members live, and the number of trials.
        progress: Called with the share of the run that is done, in (0, 1], every hundredth of the
            trials. Returning False stops the run; so does raising.

    Returns:
        The same for the same configuration, whatever the progress callback.

    Raises:
        Cancelled: If `progress` returned False.
        DomainError: If a member can hardly reach the age at which it is stated to begin.

    Examples:
        >>> pair = Config(members=2, failures_per_s=1e-6, rebuild_s=1, horizon_s=1e6, trials=10_000)
        >>> result = run(pair)
        >>> abs(result.failures_mean - 2) < 5 * result.failures_mean_error
        True
    """
    from models.simulator.lifetimes import kernel, layout  # noqa: PLC0415 - numba

    started = time.perf_counter()
    trials = layout.build(config)
    with np.errstate(over="ignore"):  # random words wrap around where kernels run as Python
        for part in range(1, CHUNKS + 1):
            kernel.advance(config.trials * part // CHUNKS, trials)
            if trials.sys[at.STUCK]:
                raise DomainError("ages_s must be ages that the law of life reaches")
            tell(progress, part / CHUNKS)
    return _result(config, trials, started)


def _result(config: Config, s: at.Trials, started: float) -> Result:
    count = config.trials
    loss, low, high = interval(int(np.count_nonzero(s.cause)), count)
    sd, sd_error = _spread(s.failures)
    failures, waited = int(s.failures.sum(dtype=np.int64)), int(s.waited.sum(dtype=np.int64))
    return Result(
        loss_probability=loss,
        loss_low=low,
        loss_high=high,
        failed_probability=float(np.mean(s.cause == at.FAILED)),
        unreadable_probability=float(np.mean(s.cause == at.UNREADABLE_SECTOR)),
        failures_mean=failures / count,
        failures_sd=sd,
        failures_mean_error=sd / math.sqrt(count),
        failures_sd_error=sd_error,
        planned_mean=float(s.planned.mean()),
        waited_fraction=waited / failures if failures else math.nan,
        wait_s=float(s.wait_s.sum()) / waited if waited else math.nan,
        loss_s=s.loss_s,
        failures=s.failures,
        trials=count,
        seconds=time.perf_counter() - started,
    )


def _spread(counts: np.ndarray[tuple[int], np.dtype[np.int32]]) -> tuple[float, float]:
    """Return the standard deviation of counts, and its standard error, by the fourth moment."""
    squares = (counts - counts.mean()) ** 2
    variance = float(squares.mean())
    if variance == 0:
        return 0.0, 0.0
    error = float(squares.std()) / math.sqrt(len(counts))
    return math.sqrt(variance), error / (2 * math.sqrt(variance))

"""Slices of a drive from its own read percentiles beside writes, one load or many.

Base units: seconds; quantiles are fractions. The typical slices are the prior, as wide as drives
differ; measured percentiles move what they say something about, and leave the rest.

References:
    .. [1] G. Haas, B. Lee, P. Bonnet, V. Leis, "SSD-iq: Uncovering the Hidden Side of SSD
       Performance", PVLDB 18(11), 2025: five data-center drives; docs/evidence/measured-reads.md.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.latency_tail._law import levels_of
from models.latency_tail.suspended_reads import (
    Suspension,
    _slices_at_load,
    suspended_read_latency_s,
)

Floats = NDArray[np.float64]

# Spread of the logarithm: of what is fitted, from drive to drive; of the law about a drive.
PRIOR_SD = Suspension(
    waiting_ratio=0.4, slice_s=0.5, slice_growth=1.5, erase_slice_s=0.7, erasing_share=0.3
)
TAIL_SD, MEDIAN_SD = 0.1, 0.3
TAIL = 0.9  # quantile from which the law is meant to hold


def fitted_suspension(
    load_fractions: ArrayLike,
    *,
    quantiles: ArrayLike,
    latencies_s: ArrayLike,
    unloaded_s: float,
    prior: Suspension,
) -> Suspension:
    r"""Slices that explain the read percentiles of a drive at one load or more.

    .. math:: \hat\theta = \arg\min_\theta \sum_{i,j} \left(\frac{\ln R_{q_j}(x_i; \theta)
              - \ln R_{ij}}{s_j}\right)^2 + \sum_k \left(\frac{\ln \theta_k
              - \ln \theta_{0k}}{\sigma_k}\right)^2

    Args:
        load_fractions (sequence of N): Random writes per second over the steady rate of the data
            sheet, x_i. [1]
        quantiles (sequence of M): Quantiles that were measured at each load, such as 0.5, 0.99,
            0.999. [1]
        latencies_s (array of N by M): Read latency at each load and quantile, R_ij. [s]
        unloaded_s (float): Latency of a read of the idle drive. [s]
        prior: Slices before the measurement, theta_0: `typical_suspension`. [1]

    Returns:
        The most likely slices. [1]

    Raises:
        DomainError: Unless there is one load at least, a latency for each load and quantile,
            load_fractions are > 0 and finite, quantiles in (0, 1 - 1e-9], the times > 0 and finite,
            unloaded_s a single number, and every part of the prior > 0.

    Notes:
        Valid for loads below saturation at which the firmware does not change its ways. Medians
        weigh a third of tails. With three loads spread over the range, p99 and p99.9 of the drives
        of [1]_ lie within a factor of 1.5 at every other load; with p99 of a single load as the law
        and the prior allow. Source: maximum of the posterior; the spreads sigma are assumptions.

    Examples:
        PM9A3 960 GB at a fifth, half and four fifths of its rate:

        >>> from models.latency_tail import typical_suspension
        >>> mine = fitted_suspension(
        ...     [0.28, 0.57, 0.85], quantiles=[0.5, 0.99, 0.999],
        ...     latencies_s=[[71e-6, 275e-6, 394e-6], [90e-6, 348e-6, 487e-6],
        ...                  [108e-6, 388e-6, 538e-6]],
        ...     unloaded_s=65e-6,
        ...     prior=typical_suspension(1.17e-3, erase_s=3.5e-3, programs_per_block=512))
        >>> print(f"{mine.slice_s * 1e6:.0f} us")
        48 us
    """
    from scipy.optimize import least_squares  # noqa: PLC0415 - slow to import

    (loads,) = _check.finite(load_fractions=load_fractions)  # type: ignore[arg-type]  # any array
    (measured,) = _check.finite(latencies_s=latencies_s)  # type: ignore[arg-type]  # any array
    (unloaded,) = _check.finite(unloaded_s=unloaded_s)
    _check.require(np.ndim(unloaded) == 0, "unloaded_s", "a single number", unloaded)
    levels, x = np.atleast_1d(levels_of(quantiles)), np.atleast_1d(loads)
    shape = (x.size, levels.size)
    fits = np.asarray(measured).shape == shape and x.ndim == levels.ndim == 1
    _check.require(fits, "latencies_s", "of every load and quantile", np.size(measured))
    before = np.log(_check.finite(**prior._asdict()))
    spread = np.array(PRIOR_SD)
    weight = np.where(levels < TAIL, MEDIAN_SD, TAIL_SD)

    def misses(logs: Floats) -> Floats:
        modelled = _latency_s(levels, x, unloaded, Suspension(*np.exp(logs).tolist()))
        ratios = np.log(modelled / np.asarray(measured)) / weight
        return np.append(ratios.ravel(), (logs - before) / spread)

    best = least_squares(misses, before)
    return Suspension(*np.exp(best.x).tolist())


def _latency_s(levels: Floats, loads: Floats, unloaded_s: float, drive: Suspension) -> Floats:
    """Percentiles at each load where reads do not wait for each other."""
    mean, erase, waiting, erasing = map(_check.plain, _slices_at_load(loads[:, None], drive))
    return np.asarray(
        suspended_read_latency_s(
            levels, unloaded_s=unloaded_s, slice_s=mean, waiting_share=waiting,
            erase_slice_s=erase, erasing_share=erasing,
        )
    )  # fmt: skip

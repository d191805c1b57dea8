r"""Classes of data in separate logs: how to split the spare area, and the gain.

Dimensionless. Spare area is counted in `op_ratio`, spare over valid user bytes.

References:
    .. [1] P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions on Storage
       10(2), 2014, section on hot/cold separation.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.write_amplification._tables import MANY, Table, excess, excess_slope
from models.write_amplification.skewed import _classes, _whole
from models.write_amplification.uniform import _corners, fifo, greedy

Floats = NDArray[np.float64]

_LOG_GAINS = np.linspace(-32.0, 32.0, 1281)
_HARDLY = 1e-100  # a rate of overwriting that costs nothing


def separated(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
    spare_shares: ArrayLike | None = None,
) -> float:
    r"""Write amplification when every temperature class has a separate log.

    .. math:: A = \sum_k r_k A_b\!\left(p_k\right), \quad p_k = s_k p / f_k

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        write_shares (sequence of K): Shares of host writes by class, r. [1]
        page_shares (sequence of K): Shares of valid pages by class, f. [1]
        pages_per_block (float): Pages in one unit of garbage collection, b, for greedy selection
            within each log; without it the large-block limit. [1]
        spare_shares (sequence of K): Shares of the spare area by class, s; without it the split
            that is best. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless op_ratio > 0, the shares are K numbers, write_shares >= 0, page_shares >
            0, spare_shares >= 0, and a class that is written has spare area.

    Notes:
        Valid for perfect separation, random writes within each class, many blocks per log; the best
        that placement can reach, a bound for every real drive. The best split is exact: with b by
        giving spare area where a corner of `greedy` is steepest, without b by equal marginal gain.
        Source: [1]_.

    Examples:
        80 % of writes to 20 % of pages; a single write frontier gives 2.82:

        >>> print(f"{separated(0.28, write_shares=[0.8, 0.2], page_shares=[0.2, 0.8]):.4f}")
        1.8655
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    rates, pages = _classes(write_shares, page_shares)
    ratios = np.ravel(np.asarray(op_ratio, float))
    if spare_shares is not None:
        shares = _shares("spare_shares", spare_shares, rates.size)
        lacking = (rates > 0) & (shares <= 0)
        _check.require(~lacking, "spare_shares", "> 0 for every class that is written", shares)
        wa = _given_split(ratios, rates, pages, shares, pages_per_block)
    elif pages_per_block is None:
        wa = _best_split(ratios, rates, pages)
    else:
        size = _whole("pages_per_block", pages_per_block, 2**22)
        wa = _best_split_of_blocks(ratios, rates, pages, size)
    return _check.plain(np.maximum(wa, 1.0).reshape(np.shape(op_ratio)))


def square_root_split(write_shares: ArrayLike, *, page_shares: ArrayLike) -> Floats:
    r"""Split of the spare area among separated classes, near the best one.

    .. math:: s_k \propto \sqrt{r_k f_k}

    Args:
        write_shares (sequence of K): Shares of host writes by class, r. [1]
        page_shares (sequence of K): Shares of valid pages by class, f. [1]

    Returns:
        array, shape (K,): Shares of the spare area, 1 in sum. [1]

    Raises:
        DomainError: Unless the shares are K numbers, write_shares >= 0 and page_shares > 0.

    Notes:
        Valid for op_ratio from 0.07 to 1: within 1.2 % of the best split's write amplification for
        skew up to 95/5. Source: minimises sum r_k f_k / s_k, the leading term 1/(2p).

    Examples:
        >>> [round(float(s), 3) for s in square_root_split([0.9, 0.1], page_shares=[0.1, 0.9])]
        [0.5, 0.5]
    """
    rates, pages = _classes(write_shares, page_shares)
    roots = np.sqrt(rates) * pages
    return np.asarray(roots / roots.sum())


def separation_gain(write_shares: ArrayLike, *, page_shares: ArrayLike) -> float:
    r"""Factor by which perfect separation multiplies the spare area, as 1/B.

    .. math:: B = \left(\sum_k \sqrt{r_k f_k}\right)^2, \quad A \approx A_\mathrm{fifo}(p/B)

    Args:
        write_shares (sequence of K): Shares of host writes by class, r. [1]
        page_shares (sequence of K): Shares of valid pages by class, f. [1]

    Returns:
        float: 1/B, at least 1; 1 for uniform writes. [1]

    Raises:
        DomainError: Unless the shares are K numbers, write_shares >= 0 and page_shares > 0.

    Notes:
        Valid as a one-line estimate: `fifo` at 1/B times the spare area is within 4 % below the
        best split up to 95/5. Source: leading term 1/(2p) under the square-root split.

    Examples:
        >>> round(separation_gain([0.9, 0.1], page_shares=[0.1, 0.9]), 4)
        2.7778
    """
    rates, pages = _classes(write_shares, page_shares)
    return float(1 / np.sum(np.sqrt(rates) * pages) ** 2)


def _shares(name: str, shares: ArrayLike, count: int) -> Floats:
    values = np.asarray(_check.non_negative(**{name: shares})[0])  # type: ignore[arg-type]  # a sequence
    _check.require(values.shape == (count,), name, f"{count} numbers", values.size)
    _check.require(values < np.inf, name, "finite", values)
    _check.require(values.sum() > 0, name, "positive in sum", values.sum())
    return np.asarray(values / values.sum())


def _given_split(
    ratios: Floats, rates: Floats, pages: Floats, shares: Floats, pages_per_block: float | None
) -> Floats:
    wa = np.zeros_like(ratios)
    for rate, held, share in zip(rates, pages, shares, strict=True):
        if rate > 0:
            own = _check.plain(ratios * share / held)
            alone = (
                fifo(own)
                if pages_per_block is None
                else greedy(own, pages_per_block=pages_per_block)
            )
            wa = wa + rate * held * alone
    return wa


def _best_split(ratios: Floats, rates: Floats, pages: Floats) -> Floats:
    """Equal marginal gain: exp(tau) - 1 - tau = m lambda in every class, for one m."""
    moving = rates > _HARDLY
    rates, pages = rates[moving], pages[moving]
    ratios = np.minimum(ratios, 50 * pages.sum())  # beyond, 1 to the last bit
    if rates.size == 1:  # nothing to split
        return _given_split(ratios, rates, pages, np.ones(1), None)
    if ratios.size < MANY:
        return _exact_split(ratios, rates, pages)
    wa, tabled = _tabled_split(ratios, tuple(rates), tuple(pages))
    if not np.all(tabled):
        wa[~tabled] = _exact_split(ratios[~tabled], rates, pages)
    return wa


def _tabled_split(
    ratios: Floats, rates: tuple[float, ...], pages: tuple[float, ...]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Find the gain at which classes need a given spare area, and its cost."""
    needs, costs = _split_tables(rates, pages)
    wanted = np.log(ratios)
    gain = np.interp(wanted, needs.values, _LOG_GAINS)
    for _ in range(4):
        need, slope = needs.at(gain)
        gain = gain + (wanted - need) / slope
    return 1 + np.exp(costs.at(gain)[0]), needs.holds(gain)


@lru_cache(maxsize=32)
def _split_tables(rates: tuple[float, ...], pages: tuple[float, ...]) -> tuple[Table, Table]:
    """Tabulate logarithms of the spare area, and of write amplification less 1, over the gain's."""
    need, need_slope, cost, cost_slope = np.zeros((4, _LOG_GAINS.size))
    for rate, held in zip(rates, pages, strict=True):
        gain = np.exp(_LOG_GAINS) * rate
        age = _age_of_gain(gain, 1e-11)
        copied = 1 / np.expm1(age)
        grown = gain * copied
        need += held * excess(age)
        need_slope += held * excess_slope(age) * grown
        cost += rate * held * copied
        cost_slope -= rate * held * copied * (1 + copied) * grown
    start, step = float(_LOG_GAINS[0]), float(_LOG_GAINS[1] - _LOG_GAINS[0])
    return (
        Table(start, step, np.log(need), need_slope / need),
        Table(start, step, np.log(cost), cost_slope / cost),
    )


def _exact_split(ratios: Floats, rates: Floats, pages: Floats) -> Floats:
    rates, pages = rates[:, None], pages[:, None]

    from scipy.optimize.elementwise import find_root  # takes half a second to import

    def ages(log_gain: Floats) -> Floats:
        return _age_of_gain(np.exp(log_gain) * rates)

    found = find_root(
        lambda log_gain, ratio: np.sum(pages * excess(ages(log_gain)), axis=0) - ratio,
        (np.full_like(ratios, -80.0), np.full_like(ratios, 55 - np.log(rates.min()))),
        args=(ratios,),
        tolerances={"xatol": 1e-15, "xrtol": 1e-15, "fatol": 0.0, "frtol": 0.0},
    )
    return np.asarray(np.sum(rates * pages / -np.expm1(-ages(found.x)), axis=0), np.float64)


def _age_of_gain(gain: Floats, within: float = 4e-16) -> Floats:
    """Solve exp(tau) - 1 - tau = gain for tau > 0: convex, so Newton from the right."""
    age = np.where(gain < 1, np.sqrt(2 * gain), np.log1p(gain) + np.log1p(np.log1p(gain)))
    for _ in range(100):
        growth = np.expm1(age)
        small = age < 1e-3
        residue = np.where(small, age**2 / 2 * (1 + age / 3 * (1 + age / 4)), growth - age)
        step = (residue - gain) / growth
        age = age - step
        # The difference is exact to the last digits of growth: no step below those of 1 is real.
        if np.all(np.abs(step) <= within * np.where(small, age, np.maximum(age, 1.0))):
            break
    return age


def _best_split_of_blocks(ratios: Floats, rates: Floats, pages: Floats, size: int) -> Floats:
    """Give spare area segment by segment, where it lowers write amplification most."""
    corners, levels = _corners(size)
    falls = -np.diff(levels) / np.diff(corners)
    moving = rates > 0
    widths = np.outer(pages[moving], np.diff(corners)).ravel()
    gains = np.outer(rates[moving], falls).ravel()
    order = np.argsort(-gains, kind="stable")
    spare = np.concatenate([[0.0], np.cumsum(widths[order])])
    lowered = np.concatenate([[0.0], np.cumsum((gains * widths)[order])])
    wa: Floats = levels[0] - np.interp(ratios, spare, lowered)
    return wa

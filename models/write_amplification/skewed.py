r"""Skewed writes in one log: some pages are written more often than others.

Dimensionless. Class k holds the share f_k of all valid pages and receives the
share r_k of host writes; its pages are overwritten at the rate
lambda_k = r_k / f_k, in units in which the mean page is overwritten once. Host
writes and copies share one write frontier, as in most drives without streams.

In terms of tau, the age at which a block is collected, everything is explicit:

.. math:: p = \sum_k f_k \, h(\lambda_k \tau), \quad A = (1 + p)/\tau, \quad
          h(x) = \frac{x}{1 - e^{-x}} - 1

References
----------
.. [1] P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions
       on Storage 10(2), 2014 (two classes, oldest block first).
.. [2] C. W. Gardiner, "Stochastic Methods", 4th ed., Springer 2009, section 4.4
       (linear noise of a jump process), for the block-size correction.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models._alike import alike
from models.write_amplification._tables import (
    MANY,
    age_by_table,
    class_sum,
    excess,
    excess_slope,
    root_between,
)

__all__ = ["skewed", "two_temperature", "zipf_classes"]

Floats = NDArray[np.float64]

_LEAST_SHARE = 1e-300  # of pages, for which rates are still finite
_WAITS = 48
_APART = 1e-13  # alphas that count as different
_LOG_AGES = np.linspace(np.log(1e-7), np.log(1e5), 481)


def skewed(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification of K temperature classes in one log.

    .. math:: A = \frac{1}{1 + \kappa/b} \sum_k \frac{r_k}{1 - e^{-\lambda_k \tau}},
              \quad 1 + p = \tau A

    Parameters
    ----------
    op_ratio : float or array
        Spare bytes per valid user byte, p. [1]
    write_shares : sequence of K
        Shares of host writes by class, r; they are divided by their sum. [1]
    page_shares : sequence of K
        Shares of valid pages by class, f; they are divided by their sum. [1]
    pages_per_block : float, optional
        Pages in one unit of garbage collection, b, for greedy selection; without it the oldest
        block is collected, which is also the greedy limit of large blocks. [1]

    Returns
    -------
    float or array
        Flash bytes per host byte. [1]

    Raises
    ------
    DomainError
        Unless op_ratio is > 0 and finite, the shares are K numbers, write_shares >= 0,
        page_shares > 0 and >= 1e-300 of their sum, and pages_per_block is one whole number >= 2.

    Notes
    -----
    Valid for random writes within each class, many blocks. Without b exact for collecting the
    oldest block; a class that is never written stays interleaved with the others. With b the
    error falls as 1/b^2: within 0.12 % at 256 pages and 1.3 % at 64 for Zipf exponents up to
    1.2; for classes as uneven as 90/10 within 0.13 % and 1.4 %, for 95/5 0.5 % and 5 %, for
    99/1 on 10 % of the pages 1 % and 5 %, where `two_temperature` is exact; not for 16 pages.
    With b and a class that is never written only for little spare area (1.3 % low at an
    op_ratio of 0.07): greedy garbage collection does not touch the blocks with most of it, 16 % low
    to 70 % high was seen from 0.28 to 1. Never above b, the cost of one free page in a block.
    Source: [1]_ for the sum; the coefficient kappa is the linear-noise bias [2]_ of stopping at the
    fewest valid pages, 1/2 for one class.

    Examples
    --------
    80 % of writes to 20 % of pages:

    >>> print(f"{skewed(0.28, write_shares=[0.8, 0.2], page_shares=[0.2, 0.8]):.4f}")
    2.8196
    >>> wa = skewed(0.28, write_shares=[0.8, 0.2], page_shares=[0.2, 0.8],
    ...             pages_per_block=256)
    >>> print(f"{wa:.4f}")
    2.8020
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    rates, pages = _classes(write_shares, page_shares)
    ratios = np.ravel(np.asarray(op_ratio, float))
    if pages_per_block is None:
        wa = (1 + ratios) / _age(ratios, rates, pages)
    else:
        size = _block_size(pages_per_block)
        wa = np.minimum(_with_blocks(ratios, rates, pages, size), size)
    return _check.plain(np.maximum(wa, 1.0).reshape(np.shape(op_ratio)))


def zipf_classes(exponent: float, *, pages: float, classes: int = 80) -> tuple[Floats, Floats]:
    r"""Classes that approximate Zipf-distributed writes: the i-th page gets i^-s.

    .. math:: r_k = \frac{\sum_{i \in k} i^{-s}}{\sum_{i=1}^{n} i^{-s}}, \quad
              f_k = \frac{|k|}{n}

    Parameters
    ----------
    exponent : float
        Zipf exponent, s >= 0; 0 is uniform. [1]
    pages : float
        Pages that are written, n. [1]
    classes : int
        Bins of ranks, of equal width in the logarithm. [1]

    Returns
    -------
    tuple of arrays, shape (K,)
        Shares of writes and of pages, hottest first; K <= classes. [1]

    Raises
    ------
    DomainError
        Unless exponent is >= 0 and finite, pages is a whole number from 1 to 2**53 and
        classes a whole number from 1 to 10,000.

    Notes
    -----
    Valid for any exponent; the first ranks are classes of their own, further bins use the
    Euler-Maclaurin sum, to 1e-9. 16 bins are within 0.15 % in write amplification, 80
    within 0.01 %. Write amplification depends on the number of pages: from 0.25 to 1 million
    it rises by 2 % at exponent 1.2, and not at all at 0.6. Source: definition.

    Examples
    --------
    >>> writes, held = zipf_classes(0.99, pages=1e6)
    >>> print(f"{writes[held.cumsum() <= 0.2].sum():.2f}")
    0.87
    """
    (exponent,) = _check.non_negative(exponent=exponent)
    _check.require(
        np.isfinite(exponent) & (np.ndim(exponent) == 0), "exponent", "one finite number", exponent
    )
    pages, bins = _whole("pages", pages, 2**53), _whole("classes", classes, 10_000)
    edges = np.unique(np.round(np.geomspace(1, pages + 1, bins + 1)))
    weights = _power_sums(edges, exponent)
    return weights / weights.sum(), np.diff(edges) / pages


def two_temperature(
    op_ratio: float, *, hot_writes: float, hot_pages: float, pages_per_block: float
) -> float:
    r"""Write amplification of hot and cold pages in one log, any block size, exactly.

    .. math:: A = \frac{b}{b - E[x]}, \quad E[t] = \alpha \left(1 - \frac{E[x]}{b}\right)

    with x the pages that survive in a block and t its age when it is collected.

    Parameters
    ----------
    op_ratio : float or array
        Spare bytes per valid user byte, p = alpha - 1. [1]
    hot_writes : float or array
        Share of host writes that go to hot pages, in (0, 1). [1]
    hot_pages : float or array
        Share of valid pages that are hot, in (0, 1). [1]
    pages_per_block : float or array
        Pages in one unit of collection, b. [1]

    Returns
    -------
    float or array
        Flash bytes per host byte. [1]

    Raises
    ------
    DomainError
        Unless op_ratio is > 0 and finite, both shares are in (0, 1) and pages_per_block is a
        whole number from 2 to 1024.

    Notes
    -----
    Valid for greedy garbage collection that takes the block longest at its level among equals, one
    frontier, many blocks: survivors of a victim start the next block and host pages fill it
    up, so that every block slot is a renewal process whose state is its number of hot pages.
    Within 0.05 % of simulation at 64 pages and more, on drives of many blocks (95/5 at an
    op_ratio of 0.07: 0.09 % at 4,000 blocks), 0.35 % at 16.
    Shares of writes below 1e-9 count as 1e-9. The cost grows as b cubed: a tenth of a second
    at 256, a second at 512, some ten at 1024. From 256 spare areas of one drive on it is that of
    some hundred, whatever their number: they are read, within 5e-5, between many of each level.
    Source: derived as said; the level and the wait at it follow from the second equation, Little's
    law for blocks.

    Examples
    --------
    >>> wa = two_temperature(0.28, hot_writes=0.9, hot_pages=0.1, pages_per_block=64)
    >>> print(f"{wa:.4f}")
    3.2293
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    hot_writes, hot_pages = _check.share(hot_writes=hot_writes, hot_pages=hot_pages)
    for name, share in (("hot_writes", hot_writes), ("hot_pages", hot_pages)):
        _check.require(np.asarray(share) < 1, name, "in (0, 1)", share)
    (size,) = _check.count(pages_per_block=pages_per_block)
    inside = (np.asarray(size) >= 2) & (np.asarray(size) <= 1024)
    _check.require(inside, "pages_per_block", "from 2 to 1024", size)
    ratios, *others = np.broadcast_arrays(
        1 + np.asarray(op_ratio), np.clip(hot_writes, 1e-9, 1 - 1e-9), hot_pages, size
    )
    wa = np.empty(ratios.shape)
    for drive, here in alike(*others):
        alphas, places = np.unique(ratios.flat[here], return_inverse=True)
        if alphas.size < MANY:
            curve = np.array([_renewal(alpha, *drive) for alpha in alphas.tolist()])
        else:
            curve = _renewals(alphas, *drive)
        wa.flat[here] = curve[places]
    return _check.plain(wa)


def _classes(write_shares: ArrayLike, page_shares: ArrayLike) -> tuple[Floats, Floats]:
    """Return overwrite rates and page shares of the classes, checked."""
    writes = np.atleast_1d(np.asarray(_check.non_negative(write_shares=write_shares)[0]))  # type: ignore[arg-type]  # a sequence
    _check.require(writes < np.inf, "write_shares", "finite", writes)
    pages = np.atleast_1d(np.asarray(_check.finite(page_shares=page_shares)[0]))  # type: ignore[arg-type]  # as above
    _check.require(writes.ndim == 1, "write_shares", "one number per class", writes.ndim)
    _check.require(
        writes.shape == pages.shape, "page_shares", "as many as write_shares", pages.size
    )
    _check.require(writes.sum() > 0, "write_shares", "positive in sum", writes.sum())
    pages = pages / pages.sum()
    _check.require(pages >= _LEAST_SHARE, "page_shares", f">= {_LEAST_SHARE:g} of their sum", pages)
    return writes / writes.sum() / pages, pages


def _block_size(pages_per_block: float) -> int:
    size = _whole("pages_per_block", pages_per_block, 2**53)
    _check.require(size >= 2, "pages_per_block", "a whole number >= 2", size)
    return size


def _whole(name: str, number: float, most: float) -> int:
    """Return one whole number from 1 to `most`."""
    (count,) = _check.count(**{name: number})
    _check.require(np.ndim(count) == 0, name, "one number", count)
    _check.require(count <= most, name, f"<= {most:g}", count)
    return int(count)


def _age(ratios: Floats, rates: Floats, pages: Floats, slopes: float | Floats = 0.0) -> Floats:
    """Solve p = sum f h(lambda tau) + c tau for tau; by table where there are many points."""
    if ratios.size < MANY:
        return _exact_age(ratios, rates, pages, slopes)
    age, tabled = age_by_table(ratios, rates, pages, slopes)
    if not np.all(tabled):
        slopes = np.broadcast_to(slopes, ratios.shape)
        age[~tabled] = _exact_age(ratios[~tabled], rates, pages, slopes[~tabled])
    return age


def _exact_age(ratios: Floats, rates: Floats, pages: Floats, slopes: float | Floats) -> Floats:
    """Solve by Newton from the right: the sum is convex and rising."""
    rates, pages = rates[:, None], pages[:, None]
    age = np.minimum(2 * ratios, ratios + 1)
    for _ in range(100):
        x = rates * age
        surplus = np.sum(pages * excess(x), axis=0) + slopes * age - ratios
        step = surplus / (np.sum(pages * rates * excess_slope(x), axis=0) + slopes)
        age = age - step
        if np.all(np.abs(step) <= 1e-14 * age):
            break
    return age


def _with_blocks(ratios: Floats, rates: Floats, pages: Floats, size: int) -> Floats:
    """Correct for the block size: 1 + p = tau W0 / (1 + kappa / b), the least such tau."""
    kappa = _noise_spline(tuple(rates), tuple(pages))

    def spare(log_age: Floats) -> Floats:
        noise = kappa(log_age) / size
        if ratios.size < MANY:
            ratio = np.sum(pages[:, None] * excess(rates[:, None] * np.exp(log_age)), axis=0)
        else:
            ratio = class_sum(log_age, rates, pages)
        return np.asarray((ratio - noise) / np.maximum(1 + noise, 0.1))

    rising = np.maximum.accumulate(spare(_LOG_AGES))
    above = np.searchsorted(rising, ratios)
    last = _LOG_AGES.size - 1
    low, high = _LOG_AGES[np.maximum(above - 1, 0)], _LOG_AGES[np.minimum(above, last)]
    solve = _halved if ratios.size < MANY else root_between
    high = solve(lambda log_age: spare(log_age) - ratios, low, high)
    tabled = (above > 0) & (above <= last)
    age = np.where(tabled, np.exp(high), _age(ratios, rates, pages))
    return (1 + ratios) / age


def _halved(function: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Find where a rising function is 0; the table is fine, so that this is to the last bit."""
    for _ in range(50):
        middle = (low + high) / 2
        short = function(middle) < 0
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return high


@lru_cache(maxsize=32)
def _noise_spline(rates: tuple[float, ...], pages: tuple[float, ...]) -> Callable[[Floats], Floats]:
    """Tabulate the noise coefficient kappa over the logarithm of the age."""
    from scipy.interpolate import CubicSpline  # slow to import

    moving = np.maximum(np.array(rates), 1e-9)
    ages = np.minimum(np.exp(_LOG_AGES), 100 / moving.min())
    chunks = np.array_split(ages, 1 + ages.size * moving.size**2 // 1_000_000)  # 8 MB each
    table = np.concatenate([_noise(chunk, moving, np.array(pages)) for chunk in chunks])
    spline: Callable[[Floats], Floats] = CubicSpline(_LOG_AGES, table)
    return spline


def _noise(ages: Floats, rates: Floats, pages: Floats) -> Floats:
    """Return kappa at each age: the bias of survivors by the covariance of class counts.

    The covariance Phi of survivors obeys Phi = S (Phi - g psi' - psi g' + P g g' + D) S + E
    with psi = Phi 1 and P = 1' psi; entry by entry it is linear in psi, which leaves a
    system of K equations for psi.
    """
    writes = rates * pages
    x = ages[:, None] * rates
    alive, dead = np.exp(-x), -np.expm1(-x)
    fresh = writes / dead
    fill = 1 / np.sum(fresh, axis=1, keepdims=True)
    fresh = fresh * fill
    hazard = np.sum(rates * fresh * alive, axis=1, keepdims=True)
    pull = rates * fresh * alive / hazard
    joint = x[:, :, None] + x[:, None, :]
    echo = np.exp(-joint) / -np.expm1(-joint)
    drawn = np.einsum("nij,nj->ni", echo, pull)
    matrix = echo * pull[:, :, None] - (pull * drawn)[:, :, None]
    index = np.arange(rates.size)
    matrix[:, index, index] += 1 + drawn
    source = fill * writes * (np.einsum("nii->ni", echo) - echo @ writes)
    source += fresh * alive * dead / -np.expm1(-2 * x)
    psi = np.linalg.solve(matrix, source[:, :, None])[:, :, 0]
    total = np.sum(psi, axis=1, keepdims=True)
    bias = rates * (psi - pull * total) / hazard
    bias += 0.5 * rates**2 * fresh * alive * total / hazard**2
    return np.asarray(np.sum(bias / dead, axis=1))


def _power_sums(edges: Floats, exponent: float) -> Floats:
    """Return the sums of i^-s over i from each edge up to the next."""
    terms = np.arange(1, min(edges[-1], 65.0)) ** -exponent
    few = np.append(0.0, np.cumsum(terms))
    first, last = edges[:-1], edges[1:] - 1
    near = np.diff(few[np.minimum(edges, 65.0).astype(int) - 1])
    return np.asarray(
        near
        + np.where(
            last >= 65, _tail(np.maximum(first, 65.0), np.maximum(last, 65.0), exponent), 0.0
        )
    )


def _tail(first: Floats, last: Floats, exponent: float) -> Floats:
    """Return the sum of i^-s from first to last by Euler and Maclaurin, for large first."""
    width, power = np.log(last / first), 1 - exponent
    area = width if power == 0 else np.expm1(power * width) / power
    ends = (1 + (last / first) ** -exponent) / 2
    slope = exponent * (1 / first - (last / first) ** -exponent / last) / 12
    third = exponent * (exponent + 1) * (exponent + 2) / 720
    curve = third * (first**-3 - (last / first) ** -exponent * last**-3)
    return np.asarray(first**-exponent * (first * area + ends + slope - curve))


def _renewal(alpha: float, hot_writes: float, hot_pages: float, pages_per_block: float) -> float:
    """Find the level at which blocks are collected, then the wait at it."""
    size = int(pages_per_block)
    from scipy.optimize import brentq  # slow to import

    rates = np.array([hot_writes / hot_pages, (1 - hot_writes) / (1 - hot_pages)])
    pages = np.array([hot_pages, 1 - hot_pages])
    guess = _with_blocks(np.array([alpha - 1.0]), rates, pages, size)[0]
    start = min(size - 2, int(size * (1 - 1 / guess)) + 2)
    slot = _Slot(rates, hot_writes, size)
    slot.advance_to(start)
    while start < size - 2 and slot.cycle(0.0, alpha)[0] > 0:
        start = min(size - 2, start + 2 + (start - slot.level))
        slot = _Slot(rates, hot_writes, size)
        slot.advance_to(start)
    never = 60 / (rates.min() * (slot.level + 1))
    while slot.level > 0 and slot.cycle(never, alpha)[0] <= 0:
        slot.advance_to(slot.level - 1)
        never = 60 / (rates.min() * (slot.level + 1))
    if slot.cycle(never, alpha)[0] <= 0:
        return 1.0
    wait = brentq(lambda wait: slot.cycle(wait, alpha)[0], 0.0, never, xtol=1e-14, rtol=1e-12)
    return float(size / (size - slot.cycle(wait, alpha)[1]))


def _renewals(
    alphas: Floats, hot_writes: float, hot_pages: float, pages_per_block: float
) -> Floats:
    """Read write amplification between many waits at each level, of which alpha is explicit."""
    from scipy.interpolate import PchipInterpolator  # slow to import

    size = int(pages_per_block)
    rates = np.array([hot_writes / hot_pages, (1 - hot_writes) / (1 - hot_pages)])
    slot = _Slot(rates, hot_writes, size)
    slot.advance_to(size - 2)
    known: list[tuple[float, float]] = [(1.0, 1 / size)]  # alpha, 1 / A
    while known[-1][0] < alphas[-1]:
        last = 60 / (rates.min() * (slot.level + 1))
        waits = np.append(0.0, np.geomspace(1e-3 / rates.max(), last, _WAITS))
        ends = [slot.little(wait) for wait in waits[[0, -1]].tolist()]
        inside = waits[1:-1] if ends[-1][0] >= alphas[0] else ()
        known += [ends[0], *(slot.little(wait) for wait in inside), ends[1]]
        if slot.level == 0:
            break
        slot.advance_to(slot.level - 1)
    places, parts = np.array(known).T
    fresh = np.append(True, np.diff(np.maximum.accumulate(places)) > _APART * places[1:])
    curve = PchipInterpolator(places[fresh], parts[fresh])
    return np.asarray(1 / curve(np.minimum(alphas, places[fresh][-1])))


class _Slot:
    """A block slot on its way down: hot pages left, by hot pages at the start.

    `left[h0, h]` is the probability that h hot pages are valid when `level + 1` pages are,
    given h0 at the start; `elapsed[h0]` is the mean time that took.
    """

    def __init__(self, rates: Floats, hot_writes: float, size: int) -> None:
        self.rates, self.hot_writes, self.size = rates, hot_writes, size
        self.left = np.eye(size + 1)
        self.elapsed = np.zeros(size + 1)
        self.level = size - 1
        self.round: tuple[int, Floats, Floats] = (-1, self.left, self.elapsed)

    def advance_to(self, level: int) -> None:
        """Let pages die until `level + 1` are left."""
        while self.level > level:
            rate, hot_share = self._race()
            self.elapsed = self.elapsed + np.einsum("ij,j->i", self.left, 1 / rate)
            cold_died = self.left[:, :-1] * (1 - hot_share[:-1])
            self.left = cold_died + self.left[:, 1:] * hot_share[1:]
            self.level -= 1

    def little(self, wait: float) -> tuple[float, float]:
        """Return the alpha at which blocks are collected after a wait, and 1 / A there."""
        elapsed, survivors = self.cycle(wait, 0.0)
        gained = 1 - survivors / self.size
        return elapsed / gained, gained

    def cycle(self, wait: float, alpha: float) -> tuple[float, float]:
        """Return the surplus of time over Little's law, and the mean survivors."""
        rate, hot_share = self._race()
        stay, leave = np.exp(-rate * wait), -np.expm1(-rate * wait)
        again, time = self._next_round()
        down = leave * hot_share * (1 - self.hot_writes)
        up = leave * (1 - hot_share) * self.hot_writes

        def step(values: Floats) -> Floats:
            """Average values of the next start: a death while waiting, a host page in its place."""
            moved = (values.T * (1 - down - up)).T
            moved[1:] += (values[:-1].T * down[1:]).T
            moved[:-1] += (values[1:].T * up[:-1]).T
            return moved

        hot = _stationary(step(again))
        elapsed = np.sum(hot * (step(time) + leave / rate))
        survivors = self.level + np.sum(hot * stay)
        return float(elapsed - alpha * (1 - survivors / self.size)), float(survivors)

    def _race(self) -> tuple[Floats, Floats]:
        """Return the rate of deaths and the share of hot ones, by hot pages valid."""
        hot = np.arange(self.level + 2.0)
        hot_rate = self.rates[0] * hot
        rate = hot_rate + self.rates[1] * hot[::-1]
        return rate, hot_rate / rate

    def _next_round(self) -> tuple[Floats, Floats]:
        """Return hot pages at this level next time, and the time until then, by those now."""
        if self.round[0] != self.level:
            drawn = _binomial(self.size - self.level - 1, self.hot_writes, self.size)
            gap = np.arange(self.size + 1) - np.arange(self.level + 2)[:, None]
            refill = np.where(gap >= 0, drawn[np.maximum(gap, 0)], 0.0)
            again = np.einsum("ij,jk->ik", refill, self.left)
            self.round = (self.level, again, np.einsum("ij,j->i", refill, self.elapsed))
        return self.round[1:]


def _binomial(trials: int, share: float, size: int) -> Floats:
    """Return the binomial probabilities of 0 to `size` successes."""
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, size + 1)))])
    count = np.arange(trials + 1)
    logs = log_factorial[trials] - log_factorial[count] - log_factorial[trials - count]
    logs = logs + count * np.log(share) + (trials - count) * np.log1p(-share)
    return np.concatenate([np.exp(logs), np.zeros(size - trials)])


def _stationary(step: Floats) -> Floats:
    """Return the distribution that a transition matrix keeps.

    States are eliminated without subtractions (Grassmann, Taksar, Heyman 1985): exact where
    classes hardly mix, and without threads, which stall on a busy machine.
    """
    rows = step.copy()
    for last in range(len(rows) - 1, 0, -1):
        rows[:last, last] /= rows[last, :last].sum()
        rows[:last, :last] += rows[:last, last, None] * rows[last, :last]
    kept = np.ones(len(rows))
    for last in range(1, len(rows)):
        kept[last] = np.sum(kept[:last] * rows[:last, last])
    return np.asarray(kept / kept.sum())

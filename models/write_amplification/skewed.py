r"""Skewed writes with a single write frontier: some pages are written more often than others.

Dimensionless. Class k holds the share f_k of all valid pages and receives the
share r_k of host writes; its pages are overwritten at the rate
lambda_k = r_k / f_k, in units in which the mean page is overwritten once. Host
writes and copies share one write frontier, as in most drives without streams.

In terms of tau, the age at which a block is collected, everything is explicit:

.. math:: p = \sum_k f_k \, h(\lambda_k \tau), \quad A = (1 + p)/\tau, \quad
          h(x) = \frac{x}{1 - e^{-x}} - 1

References:
    .. [1] P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions on Storage
       10(2), 2014 (two classes, oldest block first).
    .. [2] C. W. Gardiner, "Stochastic Methods", 4th ed., Springer 2009, section 4.4 (linear noise
       of a jump process), for the block-size correction.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models._alike import alike
from models.write_amplification._renewals import curve, renewals, renewals_of_one
from models.write_amplification._tables import (
    MANY,
    age_by_table,
    class_sum,
    excess,
    excess_slope,
    root_between,
)

Floats = NDArray[np.float64]

_LEAST_SHARE = 1e-300  # of pages, for which rates are still finite
# Block sizes over the bend of the rates, below which the chain is nearer than linear noise: for two
# classes, of which it is exact, and for more.
_STEEP, _STEEP_MANY = 12.0, 6.0
# The bend at the spare area over the block size: from the first on the error of linear noise grows,
# from the second on it is larger than that of the chain of more than two classes.
_BENT, _BENT_MOST = 0.05, 0.1
_STILL = 1e-6  # overwrites of a page, per overwrite of all, below which it counts as never written
_USUAL = (0.02, 1.0)  # spare area
_HOT = 8.0  # overwrites of a page, per overwrite of all, from which on classes count as one
_LARGEST = 256  # pages, beyond which the difference to the limit is taken to fall as 1 / b
_LOG_AGES = np.linspace(np.log(1e-7), np.log(1e5), 481)


def skewed(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification of K temperature classes with a single write frontier.

    .. math:: A = \frac{1}{1 + \kappa/b} \sum_k \frac{r_k}{1 - e^{-\lambda_k \tau}},
              \quad 1 + p = \tau A

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        write_shares (sequence of K): Shares of host writes by class, r; they are divided by their
            sum. [1]
        page_shares (sequence of K): Shares of valid pages by class, f; they are divided by their
            sum. [1]
        pages_per_block (float): Pages in one unit of garbage collection, b, for greedy selection;
            without it the oldest block is collected, which is also the greedy limit of large
            blocks. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless op_ratio is > 0 and finite, the shares are K numbers, write_shares >= 0,
            page_shares > 0 and >= 1e-300 of their sum, and pages_per_block is one whole number >=
            2.

    Notes:
        Valid for random writes within each class, many blocks. Without b exact for collecting the
        oldest block; a class that is never written stays interleaved with the others. With b linear
        noise, whose error falls as 1/b^2, holds where a block loses pages at about the same rate
        throughout the spread of its age: within 0.12 % at 256 pages and 1.3 % at 64 for Zipf
        exponents up to 1.2, 0.7 % for 95/5 and 1.6 % for 90/2 at 256, 1.9 % for 30/0.1 at 32. Where
        this rate changes too much, as for 99/1 below 1,332 pages, 98/2 below 627, 95/5 below 227
        and 90/10 below 101, the block size counts as it does for two classes,

        .. math:: A(b) = A(\infty) \, \frac{T(b)}{T(\infty)}

        with T `two_temperature` of the hottest classes, down to eight overwrites of a page per
        overwrite of all, against the others; read from a table that is made once, in up to a second
        at 256 pages, beyond which the difference to the limit falls as 1/b. Of three classes and
        more, one of them so hot, the two ways are joined in between. Beside 36 simulated
        drives of 99/1 and 98/2, op_ratio 0.05 to 1: within 0.4 % from 16 to 256 pages, 0.7 % at
        512; beside 12 of three classes as steep: 1.1 %. With b and a class that is never written
        only for little spare area (1.3 % low at an op_ratio of 0.07): greedy garbage collection
        does not touch the blocks with most of it, 16 % low to 70 % high was seen from 0.28 to 1.
        Never above b, the cost of one free page in a block. Source: [1]_ for the sum; the
        coefficient kappa is the linear-noise bias [2]_ of stopping at the fewest valid pages, 1/2
        for one class.

    Examples:
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

    Args:
        exponent (float): Zipf exponent, s >= 0; 0 is uniform. [1]
        pages (float): Pages that are written, n. [1]
        classes: Bins of ranks, of equal width in the logarithm. [1]

    Returns:
        tuple of arrays, shape (K,): Shares of writes and of pages, hottest first; K <= classes. [1]

    Raises:
        DomainError: Unless exponent is >= 0 and finite, pages is a whole number from 1 to 2**53 and
            classes a whole number from 1 to 10,000.

    Notes:
        Valid for any exponent; the first ranks are classes of their own, further bins use the
        Euler-Maclaurin sum, to 1e-9. 16 bins are within 0.15 % in write amplification, 80 within
        0.01 %. Write amplification depends on the number of pages: from 0.25 to 1 million it rises
        by 2 % at exponent 1.2, and not at all at 0.6. Source: definition.

    Examples:
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
    r"""Write amplification of hot and cold pages, single write frontier, any block size, exactly.

    .. math:: A = \frac{b}{b - E[x]}, \quad E[t] = \alpha \left(1 - \frac{E[x]}{b}\right)

    with x the pages that survive in a block and t its age when it is collected.

    Args:
        op_ratio: Spare bytes per valid user byte, p = alpha - 1. [1]
        hot_writes: Share of host writes that go to hot pages, in (0, 1). [1]
        hot_pages: Share of valid pages that are hot, in (0, 1). [1]
        pages_per_block: Pages in one unit of collection, b. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless op_ratio is > 0 and finite, both shares are in (0, 1) and
            pages_per_block is a whole number from 2 to 1024.

    Notes:
        Valid for greedy garbage collection that takes the block longest at its level among equals,
        one frontier, many blocks: survivors of a victim start the next block and host pages fill it
        up, so that every block slot is a renewal process whose state is its number of hot pages.
        Within 0.05 % of simulation at 64 pages and more, on drives of many blocks (95/5 at an
        op_ratio of 0.07: 0.09 % at 4,000 blocks), 0.35 % at 16. Shares of writes below 1e-9 count
        as 1e-9. The cost grows as b cubed: a tenth of a second at 256, a second at 512, some ten
        at 1024. Different drives together take a twentieth of that each at 16 pages, a fifth at 64,
        half at 128, and no less from 256 on, where the arithmetic itself takes the time; a few
        tables of 16 MB are held, whatever the number of drives. From 256 spare areas of one drive
        on it is that of some hundred, whatever their number: they are read, within 5e-5, between
        many of each level. Source: derived as said; the level and the wait at it follow from the
        second equation, Little's law for blocks.

    Examples:
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
    single = np.zeros(ratios.shape, bool)
    for drive, here in alike(*others):
        alphas, places = np.unique(ratios.flat[here], return_inverse=True)
        if alphas.size < MANY:
            single.flat[here] = True
        else:
            wa.flat[here] = renewals_of_one(alphas, *drive)[places]
    for (blocks,), here in alike(np.where(single, size, 0)):
        if blocks:
            alphas, writes, pages = (part.flat[here] for part in (ratios, *others[:-1]))
            wa.flat[here] = _two_temperatures(alphas, writes, pages, int(blocks))
    return _check.plain(wa)


def _two_temperatures(alphas: Floats, hot_writes: Floats, hot_pages: Floats, size: int) -> Floats:
    """Return write amplification of drives of equal blocks, each question once."""
    asked, places = np.unique([alphas, hot_writes, hot_pages], axis=1, return_inverse=True)
    alphas, hot_writes, hot_pages = asked
    pages = np.stack([hot_pages, 1 - hot_pages])
    rates = np.stack([hot_writes, 1 - hot_writes]) / pages
    age = _exact_age(alphas - 1, rates, pages, 0.0)
    noise = _noise(np.minimum(age, 100 / rates.min(0)), rates.T, pages.T)[0] / size
    about = np.clip(alphas / age / np.maximum(1 + noise, 0.1), 1.0, size)
    return renewals(alphas, rates, hot_writes, size, about)[places.ravel()]


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
    rates, pages = (part.reshape(len(part), -1) for part in (rates, pages))
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
    """Correct for the block size, by linear noise or, where the skew is too steep, by the chain."""
    kappa, bend, steepness = _noise_spline(tuple(rates), tuple(pages))
    if size < steepness:
        return _of_two(ratios, rates, pages, size)
    wa = _linear(ratios, rates, pages, size, kappa)
    bent = np.maximum(bend(np.log(_age(ratios, rates, pages))) / size, _BENT)
    weight = np.minimum(np.log(bent / _BENT) / np.log(_BENT_MOST / _BENT), 1.0)
    if not weight.any():
        return wa
    return np.asarray(wa + weight * (_of_two(ratios, rates, pages, size) - wa))


def _of_two(ratios: Floats, rates: Floats, pages: Floats, size: int) -> Floats:
    """Correct for the block size as the chain does for the hottest classes against the others."""
    hot = rates >= min(_HOT, rates.max() * (1 - 1e-12))
    writes, held = float(np.sum((rates * pages)[hot])), float(np.sum(pages[hot]))
    two = np.array([writes / held, (1 - writes) / (1 - held)]), np.array([held, 1 - held])
    known = _chain(writes, held, min(size, _LARGEST))
    wa = np.exp(known(np.clip(np.log(ratios), known.x[0], known.x[-1])))
    ages = _age(ratios, *two)
    ratio = 1 - (1 - wa * ages / (1 + ratios)) * min(1, _LARGEST / size)
    return np.asarray(ratio * (1 + ratios) / _age(ratios, rates, pages))


def _linear(
    ratios: Floats, rates: Floats, pages: Floats, size: int, kappa: Callable[[Floats], Floats]
) -> Floats:
    """Correct for the block size: 1 + p = tau W0 / (1 + kappa / b), the least such tau."""

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
    """Find the root of a rising function, to the last bit, as the table is fine."""
    for _ in range(50):
        middle = (low + high) / 2
        short = function(middle) < 0
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return high


_chain = lru_cache(maxsize=64)(curve)


@lru_cache(maxsize=32)
def _noise_spline(
    rates: tuple[float, ...], pages: tuple[float, ...]
) -> tuple[Callable[[Floats], Floats], Callable[[Floats], Floats], float]:
    """Tabulate the noise coefficient kappa over the logarithm of the age, and the bend.

    The bend is 0 where the chain has no say: of two classes, or where none is hot. Beside them
    stands the block size up to which linear noise does not hold.
    """
    from scipy.interpolate import CubicSpline  # slow to import

    moving = np.maximum(np.array(rates), 1e-9)
    ages = np.minimum(np.exp(_LOG_AGES), 100 / moving.min())
    chunks = np.array_split(ages, 1 + ages.size * moving.size**2 // 1_000_000)  # 8 MB each
    parts = [_noise(chunk, moving, np.array(pages)) for chunk in chunks]
    table, bent, ratios = np.concatenate(parts, axis=1)
    usual = (ratios >= _USUAL[0]) & (ratios <= _USUAL[1])
    distinct = np.unique(np.round(np.log(moving), 9)).size
    is_chain = distinct > 1 and moving.min() >= _STILL
    steep = (_STEEP if distinct == 2 else _STEEP_MANY) * is_chain
    bend = np.sqrt(bent) * (is_chain and distinct > 2 and moving.max() >= _HOT)
    return (
        CubicSpline(_LOG_AGES, table), CubicSpline(_LOG_AGES, bend),
        steep * float(np.sqrt(np.max(bent[usual]))),
    )  # fmt: skip


def _noise(ages: Floats, rates: Floats, pages: Floats) -> Floats:
    """Return kappa at each age: the bias of survivors by the covariance of class counts.

    Then, times b, the square of how much the rate at which a block loses pages changes within the
    spread of the age: linear noise takes it as small. Then the spare area.

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
    index = np.arange(rates.shape[-1])
    matrix[:, index, index] += 1 + drawn
    source = fill * writes * (np.einsum("nii->ni", echo) - (echo @ writes[..., None])[..., 0])
    source += fresh * alive * dead / -np.expm1(-2 * x)
    psi = np.linalg.solve(matrix, source[:, :, None])[:, :, 0]
    total = np.sum(psi, axis=1, keepdims=True)
    bias = rates * (psi - pull * total) / hazard
    bias += 0.5 * rates**2 * fresh * alive * total / hazard**2
    bend = np.sum(rates**2 * fresh * alive, axis=1) / hazard[:, 0]
    spread = total[:, 0] / hazard[:, 0] ** 2  # of the age, times b
    return np.stack([np.sum(bias / dead, axis=1), spread * bend**2, ages / fill[:, 0] - 1])


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

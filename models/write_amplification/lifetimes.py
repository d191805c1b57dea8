r"""Write amplification from the lifetimes of written pages, measured in a trace.

Dimensionless; lifetimes are counted in host writes per valid page, so that their mean is 1. Three
steps: the write amplifications that oldest-first garbage collection may have in steady state, the
one that greedy garbage collection has, and what greedy gains where pages that were written together
become invalid together.

References:
    .. [1] J. D. C. Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research
       9(3), 1961: blocks = rate of collection x age at collection.
    .. [2] P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Trans. Storage 10(2), 2014:
       greedy garbage collection as the oldest-first result at k p + k - 1, k = 1 + 1/(2 b).
    .. [3] L. Kish, "Survey Sampling", Wiley, 1965: b units of one cluster that are alike by the
       intraclass correlation rho count as b / (1 + (b - 1) rho).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.write_amplification.uniform import greedy

Floats = NDArray[np.float64]

_BINS_PER_E = 200
_GRID = 1000
_AT_ONCE = 32  # blocks written in a row of which fates are compared: longer waves pass over all
_SURE = 3.0  # standard deviations by which fates are alike before it counts
_ROUNDS = 30


def lifetime_levels(op_ratio: float, *, lifetimes: ArrayLike) -> tuple[float, ...]:
    r"""Write amplifications that oldest-first garbage collection may have in steady state.

    .. math:: \tau \, E\left[\lceil L / \tau \rceil\right] = 1 + p, \quad A = (1 + p) / \tau

    Args:
        op_ratio (float): Spare bytes per valid user byte, p. [1]
        lifetimes (sequence): Lifetimes of written pages L, in any unit: they count over their mean.
            [1]

    Returns:
        Solutions, smallest first, by turns one to stay at and one that parts it from the next. None
            if lifetimes differ too much for the age of collection to be found. [1]

    Raises:
        DomainError: Unless op_ratio > 0 and lifetimes are >= 0 and not all 0.

    Notes:
        Valid for a single write frontier; greedy garbage collection of b pages at (1 + 1/(2 b))(1 +
        p) - 1 in place of p [2]_. Lifetimes are taken in steps of half a percent; solutions that
        lie closer merge.
        Source: a page is programmed once by the host and once for each age tau that it survives; by
        [1]_ that age is (1 + p)/A. The same as `from_survival`, from samples.

    Examples:
        One stream around all addresses costs nothing; random writes cost what `fifo` says, 2.5:

        >>> stream = [1.0, 1.0]
        >>> random = np.random.default_rng(1).exponential(size=100_000)
        >>> f"{lifetime_levels(0.28, lifetimes=stream)[0]:.2f}"
        '1.00'
        >>> print(*(f"{wa:.1f}" for wa in lifetime_levels(0.28, lifetimes=random)))
        2.5
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    values, weights = _histogram(_lifetimes(lifetimes))
    alpha = 1 + op_ratio

    def surplus(age: float) -> float:
        return age * float(weights @ np.maximum(np.ceil(values / age - 1e-9), 1.0)) - alpha

    ages = np.geomspace(op_ratio * (1 - 1e-6), alpha * (1 + 1e-6), _GRID)
    signs = np.array([surplus(age) for age in ages]) < 0
    found = []
    for at in np.flatnonzero(signs[:-1] != signs[1:]).tolist():
        low, high = ages[at], ages[at + 1]
        while high / low > 1 + 1e-9:
            middle = np.sqrt(low * high)
            low, high = (middle, high) if (surplus(middle) < 0) == signs[at] else (low, middle)
        found.append(max(1.0, float(alpha / low)))
    return tuple(sorted(found))


def held_level(levels: ArrayLike, *, random_fraction: float) -> float:
    r"""Lowest of several steady write amplifications that greedy garbage collection holds.

    .. math:: A = \min \{ A_{2i}: A_{2i+1} - A_{2i} > (0.02 + 0.22 r)(A_{2i+2} - A_{2i}) \}

    Args:
        levels (sequence): Solutions of `lifetime_levels`, smallest first: levels to stay at and
            levels that part them from the next, by turns. [1]
        random_fraction (float): Share of host writes that do not go on where another ended, r, in
            [0, 1]. [1]

    Returns:
        float: Flash bytes per host byte; the last level to stay at if none before is held. [1]

    Raises:
        DomainError: Unless levels are >= 1 and rising and random_fraction is in [0, 1].

    Notes:
        Valid mostly, for a single write frontier filled in sequence: 4 of 5 simulated mixes of
        random and sequential writes within 5 %, some off by half. Random writes blur the rounds of
        the others, and a level is lost whose parting one is near; but which one a drive holds, or
        whether it moves among them, depends on its history, too. Five other forms (of margins,
        heights and shares), fitted to half of 931 simulations, were no better on the other half:
        mean error 4.6 %, as here. Source: fitted to simulations of sequential streams beside random
        writes, not derived.

    Examples:
        >>> held_level([1.3, 1.4, 2.5], random_fraction=0.1)
        1.3
        >>> held_level([1.3, 1.4, 2.5], random_fraction=0.9)
        2.5
    """
    (random_fraction,) = _check.fraction(random_fraction=random_fraction)
    found = np.atleast_1d(np.asarray(levels, float))
    _check.require(found.ndim == 1 and found.size > 0, "levels", "a list", found.size)
    rising = bool(np.all(np.diff(found) >= 0))
    _check.require(rising and found[0] >= 1, "levels", "rising from 1 or more", found)
    stay, parting, following = (found[at : found.size - 2 + at : 2] for at in range(3))
    held = parting - stay > (0.02 + 0.22 * random_fraction) * (following - stay)
    if held.any():
        return float(stay[held.argmax()])
    return float(found[-1] if found.size % 2 else found[-2])


def shared_fate(survived: ArrayLike, *, pages_per_block: float) -> float:
    r"""Correlation of the validity of pages that were written together.

    .. math:: \rho = \frac{v}{v + w}, \quad w = \frac{b}{b - 1} E[u (1 - u)], \quad
              v = \operatorname{var}(u) - w / b

    Args:
        survived (sequence of bool): Whether each page, in the order of writing, was still valid at
            the age of collection. [1]
        pages_per_block (float): Pages in one unit of collection, b. [1]

    Returns:
        float: Intraclass correlation within blocks: 0 at random, 1 where whole blocks die. [1]

    Raises:
        DomainError: Unless survived holds truth values and pages_per_block is a whole number >= 2.

    Notes:
        Valid for a single write frontier. The variance of the share u that survives is taken among
        32 blocks in a row: slower waves pass over all blocks alike, so that no block is better than
        another. Values within three standard deviations of chance count as 0. Source: analysis of
        variance of one way [3]_.

    Examples:
        >>> shared_fate(np.arange(4096) // 64 % 2 == 0, pages_per_block=64)
        1.0
        >>> shared_fate(np.arange(4096) % 2 == 0, pages_per_block=64)
        0.0
    """
    (size,) = _check.count(pages_per_block=pages_per_block)
    _check.require(size >= 2, "pages_per_block", "a whole number >= 2", size)
    fates = np.atleast_1d(np.asarray(survived, float))
    _check.require(fates.ndim == 1, "survived", "a list", fates.ndim)
    _check.require((fates == 0) | (fates == 1), "survived", "truth values", fates)
    b = int(size)
    blocks = fates.size // b
    together = min(_AT_ONCE, blocks)
    if together < 2:
        return 0.0
    alive = fates[: blocks // together * together * b].reshape(-1, together, b).mean(axis=2)
    within = float(np.mean(alive * (1 - alive))) * b / (b - 1)
    between = max(0.0, float(np.mean(np.var(alive, axis=1, ddof=1))) - within / b)
    alike = between / (between + within) if between > 0 else 0.0
    return alike if alike >= _SURE * np.sqrt(2 / (b * (b - 1) * blocks)) else 0.0


def with_shared_fate(
    wa: float,
    *,
    op_ratio: float,
    lifetimes: ArrayLike,
    pages_per_block: float,
    written_pages: float | None = None,
) -> float:
    r"""Write amplification of greedy garbage collection with correlated page lifetimes.

    .. math:: A' = A \frac{G(p, b')}{G(p, b)}, \quad b' = \frac{b}{1 + (b - 1) \rho(A')}

    Args:
        wa (float): Write amplification if fates were independent, A. [1]
        op_ratio (float): Spare bytes per valid user byte, p. [1]
        lifetimes (sequence): Lifetimes of written pages in the order of their writing, in any unit.
            [1]
        pages_per_block (float): Pages in one unit of collection, b. [1]
        written_pages (float): Writes of a block that `lifetimes` hold, where they are a sample of
            the writes; without it all of them. [1]

    Returns:
        float: Flash bytes per host byte, at most `wa`. [1]

    Raises:
        DomainError: Unless wa >= 1, op_ratio > 0, lifetimes are >= 0 and not all 0, and
            pages_per_block and written_pages are whole numbers >= 2.

    Notes:
        Valid for a single write frontier, as an estimate: in 35 simulated mixes of random and
        sequential writes in runs of 512 pages (blocks of 64 and 128) a mean error of 10 % and a
        worst of 37 % were left, of 48 % and 189 % with independent fates; runs longer than 32
        blocks are hardly seen, 52 % of 65 %. G is `greedy`, linear between whole numbers of pages
        and 1 for a single one; rho is `shared_fate` at the age of collection (1 + p)/A'. Nothing is
        fitted but the 32 blocks of `shared_fate`. Source: a block whose pages share their fates is
        as good to greedy garbage collection as one of as many independent pages as it is worth
        [3]_: a smaller block, of which emptier ones are found.

    Examples:
        Ten blocks that live 0.5 and ten that live 1.5, by turns: there is always one to erase:

        >>> runs = np.where(np.arange(64 * 640) // 640 % 2, 0.5, 1.5)
        >>> round(with_shared_fate(2.4, op_ratio=0.28, lifetimes=runs, pages_per_block=64), 2)
        1.0
    """
    (wa,) = _check.finite(wa=wa)
    _check.require(np.asarray(wa) >= 1, "wa", ">= 1", wa)
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    (size,) = _check.count(pages_per_block=pages_per_block)
    _check.require(size >= 2, "pages_per_block", "a whole number >= 2", size)
    alive, group = _lifetimes(lifetimes), size
    if written_pages is not None:
        (group,) = _check.count(written_pages=written_pages)
        _check.require(group >= 2, "written_pages", "a whole number >= 2", group)
    alone, found = _greedy(op_ratio, size), float(wa)
    for _ in range(_ROUNDS):
        alike = shared_fate(alive > (1 + op_ratio) / found, pages_per_block=group)
        worth = size / (1 + (size - 1) * alike)
        following = max(1.0, wa * _greedy(op_ratio, worth) / alone)
        if abs(following / found - 1) < 1e-3:
            break
        found = float(np.sqrt(found * following))
    return min(found, float(wa))


def _lifetimes(lifetimes: ArrayLike) -> Floats:
    """Return lifetimes over their mean, checked."""
    values = np.atleast_1d(np.asarray(lifetimes, float))
    _check.require(values.ndim == 1 and values.size > 0, "lifetimes", "a list", values.size)
    _check.require((values >= 0) & (values < np.inf), "lifetimes", ">= 0 and finite", values)
    _check.require(values.sum() > 0, "lifetimes", "positive in sum", values.sum())
    return np.asarray(values / values.mean())


def _histogram(lifetimes: Floats) -> tuple[Floats, Floats]:
    """Return lifetimes in bins of half a percent, each at its mean, and their shares."""
    place = np.floor(np.log(np.maximum(lifetimes, 1e-12)) * _BINS_PER_E).astype(np.int64)
    place -= place.min()
    count = np.bincount(place)
    met = count > 0
    values = np.bincount(place, lifetimes)[met] / count[met]
    return np.maximum(values, 1e-12), count[met] / lifetimes.size


def _greedy(op_ratio: float, pages: float) -> float:
    """Return `greedy` for any number of pages, 1 for a single one."""
    low = int(pages)
    ends = [1.0 if n < 2 else float(greedy(op_ratio, pages_per_block=n)) for n in (low, low + 1)]
    return ends[0] + (pages - low) * (ends[1] - ends[0])

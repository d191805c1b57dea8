r"""Other traffic than one log of random writes: separated streams, TRIM, static data, traces.

Dimensionless. Spare area is counted in `op_ratio`, spare over valid user bytes.

References
----------
.. [1] P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions
       on Storage 10(2), 2014, section on hot/cold separation.
.. [2] T. Frankie, G. Hughes, K. Kreutz-Delgado, "A Mathematical Model of the Trim
       Command in NAND-Flash SSDs", ACMSE 2012, arXiv:1208.1794.
.. [3] J. D. C. Little, "A Proof for the Queuing Formula: L = lambda W",
       Operations Research 9(3), 1961: blocks = rate of cleaning x age at cleaning.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.errors import DomainError
from models.write_amplification.skewed import _classes, _excess, _whole, skewed
from models.write_amplification.uniform import _corners, fifo, greedy

__all__ = [
    "from_survival",
    "required_accuracy",
    "separated",
    "separation_gain",
    "square_root_split",
    "static_op_ratio",
    "streams",
    "trimmed_op_ratio",
]

Floats = NDArray[np.float64]

_HARDLY = 1e-100  # a rate of overwriting that costs nothing


def separated(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
    spare_shares: ArrayLike | None = None,
) -> float:
    r"""Write amplification when every temperature class has a log of its own.

    .. math:: A = \sum_k r_k A_b\!\left(p_k\right), \quad p_k = s_k p / f_k

    Parameters
    ----------
    op_ratio : float or array
        Spare bytes per valid user byte, p. [1]
    write_shares : sequence of K
        Shares of host writes by class, r. [1]
    page_shares : sequence of K
        Shares of valid pages by class, f. [1]
    pages_per_block : float, optional
        Pages in one unit of collection, b, for greedy cleaning within each log; without it
        the large-block limit. [1]
    spare_shares : sequence of K, optional
        Shares of the spare area by class, s; without it the split that is best. [1]

    Returns
    -------
    float or array
        Flash bytes per host byte. [1]

    Raises
    ------
    DomainError
        Unless op_ratio > 0, the shares are K numbers, write_shares >= 0, page_shares > 0,
        spare_shares >= 0, and a class that is written has spare area.

    Notes
    -----
    Valid for perfect separation, random writes within each class, many blocks per log; the
    best that placement can reach, a bound for every real drive. The best split is exact:
    with b by giving spare area where a corner of `greedy` is steepest, without b by equal
    marginal gain. Source: [1]_.

    Examples
    --------
    80 % of writes to 20 % of pages; one log gives 2.82:

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
        wa = _best_split_of_blocks(ratios, rates, pages, _size(pages_per_block))
    return _check.plain(np.maximum(wa, 1.0).reshape(np.shape(op_ratio)))


def square_root_split(write_shares: ArrayLike, *, page_shares: ArrayLike) -> Floats:
    r"""Split of the spare area among separated classes, near the best one.

    .. math:: s_k \propto \sqrt{r_k f_k}

    Parameters
    ----------
    write_shares : sequence of K
        Shares of host writes by class, r. [1]
    page_shares : sequence of K
        Shares of valid pages by class, f. [1]

    Returns
    -------
    array, shape (K,)
        Shares of the spare area, 1 in sum. [1]

    Raises
    ------
    DomainError
        Unless the shares are K numbers, write_shares >= 0 and page_shares > 0.

    Notes
    -----
    Valid for op_ratio from 0.07 to 1: within 1.2 % of the best split's write amplification
    for skew up to 95/5. Source: minimises sum r_k f_k / s_k, the leading term 1/(2p).

    Examples
    --------
    >>> [round(float(s), 3) for s in square_root_split([0.9, 0.1], page_shares=[0.1, 0.9])]
    [0.5, 0.5]
    """
    rates, pages = _classes(write_shares, page_shares)
    roots = np.sqrt(rates) * pages
    return np.asarray(roots / roots.sum())


def separation_gain(write_shares: ArrayLike, *, page_shares: ArrayLike) -> float:
    r"""Factor by which perfect separation multiplies the spare area, as 1/B.

    .. math:: B = \left(\sum_k \sqrt{r_k f_k}\right)^2, \quad A \approx A_\mathrm{fifo}(p/B)

    Parameters
    ----------
    write_shares : sequence of K
        Shares of host writes by class, r. [1]
    page_shares : sequence of K
        Shares of valid pages by class, f. [1]

    Returns
    -------
    float
        1/B, at least 1; 1 for uniform writes. [1]

    Raises
    ------
    DomainError
        Unless the shares are K numbers, write_shares >= 0 and page_shares > 0.

    Notes
    -----
    Valid as a one-line estimate: `fifo` at 1/B times the spare area is within 4 % below
    the best split up to 95/5. Source: leading term 1/(2p) under the square-root split.

    Examples
    --------
    >>> round(separation_gain([0.9, 0.1], page_shares=[0.1, 0.9]), 4)
    2.7778
    """
    rates, pages = _classes(write_shares, page_shares)
    return float(1 / np.sum(np.sqrt(rates) * pages) ** 2)


def streams(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    routing: ArrayLike,
    spare_shares: ArrayLike,
    pages_per_block: float,
) -> float:
    r"""Write amplification of streams whose classifier makes mistakes.

    .. math:: A = \sum_s r_s A_\mathrm{skewed}\!\left(\frac{s_s p}{f_s}\right), \quad
              r_s = \sum_k r_k C_{ks}, \quad f_s = \sum_k f_k C_{ks}

    Parameters
    ----------
    op_ratio : float or array
        Spare bytes per valid user byte, p. [1]
    write_shares : sequence of K
        Shares of host writes by class, r. [1]
    page_shares : sequence of K
        Shares of valid pages by class, f. [1]
    routing : array, shape (K, S)
        Probability that a write of class k goes to stream s, C; rows are 1 in sum. [1]
    spare_shares : sequence of S
        Shares of the spare area by stream, s. [1]
    pages_per_block : float
        Pages in one unit of collection, b. [1]

    Returns
    -------
    float or array
        Flash bytes per host byte. [1]

    Raises
    ------
    DomainError
        Unless op_ratio > 0, the shares fit the K x S routing, its rows are 1 in sum, and
        every stream that is written has spare area.

    Notes
    -----
    Valid for random writes within each class, each write classified anew, copies that stay
    in their stream and a fixed share of spare area for each stream; within 0.42 % of
    simulation, mostly 0.1 %. A drive that cleans globally greedy gains far less. Source:
    each stream is a log of its own with the classes that reach it, by `skewed`.

    Examples
    --------
    90/10 with 5 % of writes sent to the wrong stream; without mistakes it is 1.40:

    >>> wa = streams(0.28, write_shares=[0.9, 0.1], page_shares=[0.1, 0.9],
    ...              routing=[[0.95, 0.05], [0.05, 0.95]], spare_shares=[0.475, 0.525],
    ...              pages_per_block=128)
    >>> print(f"{wa:.4f}")
    1.7666
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    rates, pages = _classes(write_shares, page_shares)
    matrix = _routing(routing, rates.size)
    shares = _shares("spare_shares", spare_shares, matrix.shape[1])
    written, held = (rates * pages) @ matrix, pages @ matrix
    _check.require(
        (written <= 0) | (shares > 0), "spare_shares", "> 0 for a written stream", shares
    )
    wa = np.zeros(np.shape(op_ratio))
    for stream in np.flatnonzero(written > 0):
        members = matrix[:, stream] > 0
        wa = wa + written[stream] * skewed(
            _check.plain(np.asarray(op_ratio) * shares[stream] / held[stream]),
            write_shares=(rates * pages * matrix[:, stream])[members],
            page_shares=(pages * matrix[:, stream])[members],
            pages_per_block=pages_per_block,
        )
    return _check.plain(wa)


def required_accuracy(
    wa: float,
    *,
    op_ratio: float,
    write_shares: Sequence[float],
    page_shares: Sequence[float],
    pages_per_block: float,
) -> float:
    r"""Share of writes that a two-stream classifier must get right to reach a target.

    .. math:: A_\mathrm{streams}\left(C = \begin{pmatrix} a & 1-a \\ 1-a & a \end{pmatrix}
              \right) = A

    Parameters
    ----------
    wa : float
        Write amplification asked for. [1]
    op_ratio : float
        Spare bytes per valid user byte. [1]
    write_shares : sequence of 2
        Shares of host writes of hot and cold pages. [1]
    page_shares : sequence of 2
        Shares of valid pages that are hot and cold. [1]
    pages_per_block : float
        Pages in one unit of collection. [1]

    Returns
    -------
    float
        Accuracy a in [0.5, 1]; nan where even a perfect classifier does not reach it, 0.5
        where one that guesses does. [1]

    Raises
    ------
    DomainError
        Unless wa >= 1, op_ratio > 0 and the shares are two numbers each.

    Notes
    -----
    Valid where `streams` is, with the spare area split by the square-root rule of the
    streams. Source: inversion of `streams`.

    Examples
    --------
    >>> accuracy = required_accuracy(2.0, op_ratio=0.28, write_shares=[0.9, 0.1],
    ...                              page_shares=[0.1, 0.9], pages_per_block=128)
    >>> print(f"{accuracy:.3f}")
    0.916
    """
    (wa,) = _check.positive(wa=wa)
    _check.require(np.asarray(wa) >= 1, "wa", ">= 1", wa)
    writes = _shares("write_shares", write_shares, 2)
    pages = _shares("page_shares", page_shares, 2)

    from scipy.optimize import brentq  # slow to import

    def excess(accuracy: float) -> float:
        matrix = np.array([[accuracy, 1 - accuracy], [1 - accuracy, accuracy]])
        split = square_root_split(writes @ matrix, page_shares=pages @ matrix)
        reached = streams(
            op_ratio,
            write_shares=writes,
            page_shares=pages,
            routing=matrix,
            spare_shares=split,
            pages_per_block=pages_per_block,
        )
        return reached - wa

    if excess(1.0) > 0:
        return float("nan")
    if excess(0.5) <= 0:
        return 0.5
    return float(brentq(excess, 0.5, 1.0, xtol=1e-12))


def trimmed_op_ratio(op_ratio: float, *, trim_share: float) -> float:
    r"""Spare area counted over the data in use when the host trims as it goes.

    .. math:: p_e = \frac{1 + p}{s} - 1, \quad s = \frac{1 - 2q}{1 - q}

    Parameters
    ----------
    op_ratio : float or array
        Spare bytes per user byte with every address in use, p. [1]
    trim_share : float or array
        Share of requests that trim an address in use, q in [0, 0.5); the others write over
        all addresses. [1]

    Returns
    -------
    float or array
        Spare bytes per byte in use, for any formula of this package. [1]

    Raises
    ------
    DomainError
        Unless op_ratio >= 0 and trim_share is in [0, 0.5).

    Notes
    -----
    Valid for trims and writes at random within a class, in steady state; within 0.3 % in
    write amplification. Source: [2]_: each write adds an address in use with probability
    1 - s and each trim removes one, so that (1 - q)(1 - s) = q; pages still live
    exponentially.

    Examples
    --------
    >>> round(trimmed_op_ratio(0.07, trim_share=0.1), 5)
    0.20375
    """
    (op_ratio,) = _check.non_negative(op_ratio=op_ratio)
    (trimmed,) = _check.non_negative(trim_share=trim_share)
    _check.require(np.asarray(trimmed) < 0.5, "trim_share", "in [0, 0.5)", trimmed)
    return (1 + op_ratio) * (1 - trimmed) / (1 - 2 * trimmed) - 1


def static_op_ratio(op_ratio: float, *, dynamic_fraction: float) -> float:
    r"""Spare area counted over the data that is rewritten, the rest lying apart.

    .. math:: p_e = p / f_d

    Parameters
    ----------
    op_ratio : float or array
        Spare bytes per valid user byte, p. [1]
    dynamic_fraction : float or array
        Share of valid data that is ever rewritten, f_d in (0, 1]. [1]

    Returns
    -------
    float or array
        Spare bytes per byte of rewritten data, for `greedy` or `fifo`. [1]

    Raises
    ------
    DomainError
        Unless op_ratio >= 0 and dynamic_fraction is in (0, 1].

    Notes
    -----
    Valid for greedy cleaning when the static data was written in sequence and fills blocks
    of its own, within 0.2 %. Static data interleaved with the rest stays so in one log and
    is carried along for ever: use `skewed` with a class of no writes, three times as much.
    Source: static blocks are never cleaned and need no spare area.

    Examples
    --------
    A quarter of the data rewritten; interleaved it is 7.57:

    >>> print(f"{greedy(static_op_ratio(0.07, dynamic_fraction=0.25), pages_per_block=64):.3f}")
    2.403
    """
    (op_ratio,) = _check.non_negative(op_ratio=op_ratio)
    (dynamic,) = _check.share(dynamic_fraction=dynamic_fraction)
    return op_ratio / dynamic


def from_survival(
    op_ratio: float, *, survival: Callable[[Floats], ArrayLike], longest: float
) -> tuple[float, ...]:
    r"""Write amplification from how long written pages stay valid, as a trace shows it.

    .. math:: A = \sum_{n \ge 0} S(n \tau), \quad \tau = (1 + p) / A

    Parameters
    ----------
    op_ratio : float
        Spare bytes per valid user byte, p. [1]
    survival : callable of an array
        Probability S(t) that a page written by the host is still valid after as many writes
        as there are valid pages, t times; falls from S(0) = 1, with a mean lifetime (the
        area under it) of 1. [1]
    longest : float
        Age from which survival is taken to be 0. [1]

    Returns
    -------
    tuple of float
        Every solution, smallest first; one where lifetimes are spread. [1]

    Raises
    ------
    DomainError
        Unless op_ratio > 0, 0 < longest <= 10,000 op_ratio, survival starts at 1 and encloses
        an area of 1 (to 1 %).

    Notes
    -----
    Valid for cleaning the oldest block and one log, any mixture of lifetimes. With fixed
    lifetimes, as of a circular sequential stream, there may be several solutions; a drive
    stays near the one that it came to by the order of its filling, not always an end of the
    list. Source: a page is copied once for every age tau that it survives; [3]_ gives tau.

    Examples
    --------
    Uniform random writes live exponentially; `fifo` gives 2.4814:

    >>> found = from_survival(0.28, survival=lambda age: np.exp(-age), longest=50.0)
    >>> print(*(f"{wa:.4f}" for wa in found))
    2.4814
    """
    (op_ratio,) = _check.finite(op_ratio=op_ratio)
    (longest,) = _check.finite(longest=longest)
    _check.require(longest <= 1e4 * op_ratio, "longest", "<= 10,000 op_ratio", longest)
    start = float(np.asarray(survival(np.zeros(1))).ravel()[0])
    _check.require(abs(start - 1) < 1e-9, "survival", "1 at age 0", start)
    middles: Floats = longest * (np.arange(200_000) + 0.5) / 200_000
    mean = longest * float(np.mean(np.asarray(survival(middles), float)))
    _check.require(abs(mean - 1) < 0.01, "survival", "of area 1 up to longest", mean)
    alpha = 1 + op_ratio

    from scipy.optimize import brentq  # slow to import

    def surplus(age: float) -> float:
        ages: Floats = np.arange(1.0, max(2, int(longest / age) + 1)) * age
        alive = np.where(ages < longest, survival(ages), 0.0)
        return age * (1 + float(np.sum(alive))) - alpha

    grid = np.geomspace(op_ratio * (1 - 1e-9), alpha * (1 + 1e-9), 4000)
    values = np.array([surplus(age) for age in grid])
    crossings = np.flatnonzero((values[:-1] < 0) != (values[1:] < 0))
    ages = [brentq(surplus, grid[i], grid[i + 1], xtol=1e-15, rtol=1e-13) for i in crossings]
    found = [float(alpha / age) for age in ages if abs(surplus(age)) < 1e-6]
    if not found:
        raise DomainError("survival must fall with age: there is no solution")
    return tuple(sorted(found))


def _size(pages_per_block: float) -> int:
    return _whole("pages_per_block", pages_per_block, 2**22)


def _shares(name: str, shares: ArrayLike, count: int) -> Floats:
    values = np.asarray(_check.non_negative(**{name: shares})[0])  # type: ignore[arg-type]  # a sequence
    _check.require(values.shape == (count,), name, f"{count} numbers", values.size)
    _check.require(values < np.inf, name, "finite", values)
    _check.require(values.sum() > 0, name, "positive in sum", values.sum())
    return np.asarray(values / values.sum())


def _routing(routing: ArrayLike, classes: int) -> Floats:
    matrix = np.asarray(_check.fraction(routing=routing)[0])  # type: ignore[arg-type]  # a matrix
    _check.require(matrix.ndim == 2, "routing", "a matrix of classes by streams", matrix.ndim)
    _check.require(len(matrix) == classes, "routing", f"of {classes} rows", len(matrix))
    sums = matrix.sum(axis=1)
    _check.require(np.abs(sums - 1) < 1e-9, "routing", "1 in sum over every row", sums)
    return matrix


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
    rates, pages = rates[moving][:, None], pages[moving][:, None]
    ratios = np.minimum(ratios, 50 * pages.sum())  # beyond, 1 to the last bit

    from scipy.optimize.elementwise import find_root  # takes half a second to import

    def ages(log_gain: Floats) -> Floats:
        return _age_of_gain(np.exp(log_gain) * rates)

    found = find_root(
        lambda log_gain, ratio: np.sum(pages * _excess(ages(log_gain)), axis=0) - ratio,
        (np.full_like(ratios, -80.0), np.full_like(ratios, 55 - np.log(rates.min()))),
        args=(ratios,),
        tolerances={"xatol": 1e-15, "xrtol": 1e-15, "fatol": 0.0, "frtol": 0.0},
    )
    return np.asarray(np.sum(rates * pages / -np.expm1(-ages(found.x)), axis=0), np.float64)


def _age_of_gain(gain: Floats) -> Floats:
    """Solve exp(tau) - 1 - tau = gain for tau > 0: convex, so Newton from the right."""
    age = np.where(gain < 1, np.sqrt(2 * gain), np.log1p(gain) + np.log1p(np.log1p(gain)))
    for _ in range(100):
        growth = np.expm1(age)
        residue = np.where(age < 1e-3, age**2 / 2 * (1 + age / 3 * (1 + age / 4)), growth - age)
        step = (residue - gain) / growth
        age = age - step
        if np.all(np.abs(step) <= 4e-16 * age):
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

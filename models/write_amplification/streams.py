r"""Streams with an imperfect classifier, and the accuracy it needs.

Dimensionless. Spare area is counted in `op_ratio`, spare over valid user bytes.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.write_amplification.separation import _shares, square_root_split
from models.write_amplification.skewed import _classes, skewed

Floats = NDArray[np.float64]


def streams(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    routing: ArrayLike,
    spare_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification of streams with an imperfect classifier.

    .. math:: A = \sum_s r_s A_\mathrm{skewed}\!\left(\frac{s_s p}{f_s}\right), \quad
              r_s = \sum_k r_k C_{ks}, \quad f_s = \sum_k f_k C_{ks}

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        write_shares (sequence of K): Shares of host writes by class, r. [1]
        page_shares (sequence of K): Shares of valid pages by class, f. [1]
        routing (array, shape (K, S)): Probability that a write of class k goes to stream s, C; rows
            are 1 in sum. [1]
        spare_shares (sequence of S): Shares of the spare area by stream, s. [1]
        pages_per_block (float): Pages in one unit of collection, b. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless op_ratio > 0, the shares fit the K x S routing, its rows are 1 in sum,
            and every stream that is written has spare area.

    Notes:
        Valid for random writes within each class, each write classified anew, copies that stay in
        their stream and a fixed share of spare area for each stream; within 0.4 % of simulation,
        mostly 0.1 %, but where a few cold pages lie among hot ones with as much spare as user area
        (1.5 % at 64 pages, 0.7 % at 128). A drive with global greedy garbage collection gains far
        less. Source: each stream is a log of its own with the classes that reach it, by `skewed`.

    Examples:
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


def two_streams(
    op_ratio: float,
    *,
    accuracy: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Write amplification of a hot and a cold stream, for a classifier of given accuracy.

    .. math:: A = A_\mathrm{streams}(C(a))

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        accuracy (float): Share of writes that go to the stream of their class, a, in [0.5, 1]. [1]
        write_shares (sequence of K): Shares of host writes by class, r. [1]
        page_shares (sequence of K): Shares of valid pages by class, f. [1]
        pages_per_block (float): Pages in one unit of collection, b. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless op_ratio > 0, accuracy is one number in [0.5, 1], the shares are K
            numbers, write_shares >= 0 and page_shares > 0.

    Notes:
        Valid where `streams` is. Source: `streams`, with the routing and the split of
        `two_stream_routing`.

    Examples:
        >>> wa = two_streams(0.28, accuracy=0.95, write_shares=[0.9, 0.1], page_shares=[0.1, 0.9])
        >>> print(f"{wa:.2f}")
        1.80
    """
    routing, split = two_stream_routing(
        accuracy, write_shares=write_shares, page_shares=page_shares
    )
    return streams(
        op_ratio,
        write_shares=write_shares,
        page_shares=page_shares,
        routing=routing,
        spare_shares=split,
        pages_per_block=pages_per_block,
    )


def two_stream_routing(
    accuracy: float, *, write_shares: ArrayLike, page_shares: ArrayLike
) -> tuple[Floats, Floats]:
    r"""Routing of classes by a classifier of given accuracy, and a good split of spare area.

    .. math:: C_{ks} = \begin{cases} a & \text{class k belongs to s} \\ 1 - a & \text{else}
              \end{cases}

    Args:
        accuracy (float): Share of writes that go to the stream of their class, a, in [0.5, 1]. [1]
        write_shares (sequence of K): Shares of host writes by class, r. [1]
        page_shares (sequence of K): Shares of valid pages by class, f. [1]

    Returns:
        tuple of arrays, shapes (K, S) and (S,): Routing C, hot stream first, and shares of the
            spare area by the square-root rule; one stream where a perfect classifier finds nothing
            to part. [1]

    Raises:
        DomainError: Unless accuracy is one number in [0.5, 1], the shares are K numbers,
            write_shares >= 0 and page_shares > 0.

    Notes:
        Valid for any classes: those hotter than a boundary belong to the hot stream, the boundary
        being the one of largest `separation_gain`. Source: definition.

    Examples:
        >>> routing, split = two_stream_routing(0.9, write_shares=[0.8, 0.2],
        ...                                     page_shares=[0.2, 0.8])
        >>> [[round(float(share), 3) for share in row] for row in routing]
        [[0.9, 0.1], [0.1, 0.9]]
    """
    (accuracy,) = _check.fraction(accuracy=accuracy)
    inside = (np.ndim(accuracy) == 0) & (np.asarray(accuracy) >= 0.5)
    _check.require(inside, "accuracy", "one number in [0.5, 1]", accuracy)
    rates, pages = _classes(write_shares, page_shares)
    hot = _hot(rates, pages)
    routing = np.where(np.column_stack([hot, ~hot]), accuracy, 1 - accuracy)
    routing = routing[:, pages @ routing > 0]
    return routing, square_root_split((rates * pages) @ routing, page_shares=pages @ routing)


def required_accuracy(
    wa: float,
    *,
    op_ratio: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    pages_per_block: float | None = None,
) -> float:
    r"""Accuracy that a two-stream classifier needs to reach a target.

    .. math:: A_\mathrm{two\ streams}(a) = A

    Args:
        wa (float): Required write amplification. [1]
        op_ratio (float): Spare bytes per valid user byte. [1]
        write_shares (sequence of K): Shares of host writes by class. [1]
        page_shares (sequence of K): Shares of valid pages by class. [1]
        pages_per_block (float): Pages in one unit of collection. [1]

    Returns:
        float: Accuracy a in [0.5, 1]; nan where even a perfect classifier does not reach it, 0.5
            where one that guesses does. [1]

    Raises:
        DomainError: Unless wa >= 1, op_ratio > 0 and the shares are K numbers each.

    Notes:
        Valid where `two_streams` is. Source: inversion of `two_streams`.

    Examples:
        >>> accuracy = required_accuracy(2.0, op_ratio=0.28, write_shares=[0.9, 0.1],
        ...                              page_shares=[0.1, 0.9], pages_per_block=128)
        >>> print(f"{accuracy:.3f}")
        0.916
    """
    (wa,) = _check.positive(wa=wa)
    _check.require(np.asarray(wa) >= 1, "wa", ">= 1", wa)

    from scipy.optimize import brentq  # slow to import

    def excess(accuracy: float) -> float:
        reached = two_streams(
            op_ratio,
            accuracy=accuracy,
            write_shares=write_shares,
            page_shares=page_shares,
            pages_per_block=pages_per_block,
        )
        return reached - wa

    if excess(1.0) > 0:
        return float("nan")
    if excess(0.5) <= 0:
        return 0.5
    return float(brentq(excess, 0.5, 1.0, xtol=1e-12))


def _routing(routing: ArrayLike, classes: int) -> Floats:
    matrix = np.asarray(_check.fraction(routing=routing)[0])  # type: ignore[arg-type]  # a matrix
    _check.require(matrix.ndim == 2, "routing", "a matrix of classes by streams", matrix.ndim)
    _check.require(len(matrix) == classes, "routing", f"of {classes} rows", len(matrix))
    sums = matrix.sum(axis=1)
    _check.require(np.abs(sums - 1) < 1e-9, "routing", "1 in sum over every row", sums)
    return matrix


def _hot(rates: Floats, pages: Floats) -> NDArray[np.bool_]:
    """Select the classes to separate from the others, so that separation gains most."""
    order = np.argsort(-rates, kind="stable")
    writes, held = np.cumsum((rates * pages)[order]), np.cumsum(pages[order])
    rest = np.maximum(1 - writes, 0) * np.maximum(1 - held, 0)
    last = int(np.argmin(np.sqrt(writes * held) + np.sqrt(rest)))
    hot = np.zeros(rates.size, bool)
    hot[order[: last + 1]] = True
    return hot

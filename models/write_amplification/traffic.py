r"""Other traffic than random writes to the whole drive: TRIM, static data, hosts, traces.

Dimensionless. Spare area is counted in `op_ratio`, spare over valid user bytes.

References:
    .. [1] T. Frankie, G. Hughes, K. Kreutz-Delgado, "A Mathematical Model of the Trim Command in
       NAND-Flash SSDs", ACMSE 2012, arXiv:1208.1794.
    .. [2] J. D. C. Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research
       9(3), 1961: blocks = rate of collection x age at collection.
    .. [3] Linux Hardware Project, EnterpriseDrive at 66faf20: smartctl logs of server drives, host
       and flash bytes of 66 models and capacities.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.errors import DomainError
from models.write_amplification._tables import MANY, held_by_table
from models.write_amplification.skewed import _classes

Floats = NDArray[np.float64]
Trims = Literal["mapped", "as-written"]

_STEPS = 100
_LEAST_SPARE = 1e-6
_LEAST_TRIMS = 1e-100  # of which nothing is left to see


def field_wa(random_wa: float, *, field_copy_ratio: float) -> float:
    r"""Write amplification of hosts in the field, from that of uniform random writes.

    .. math:: A = 1 + c_f (A_r - 1)

    Args:
        random_wa: Write amplification of uniform random writes at the drive's spare area, A_r >= 1.
            [1]
        field_copy_ratio: Pages copied per page written, over those of uniform random writes, c_f >=
            0: 0.1 to 0.65 for most drives, 0.28 in the median. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless random_wa >= 1 and field_copy_ratio >= 0.

    Notes:
        Valid for drives in service, whose hosts write skewed, in runs, and not over the whole
        drive: no model of a workload but a summary of many. Source: [3]_; for 92 % of its models
        and capacities the median drive lies between the ends of the ratio and of the raw flash, see
        docs/evidence/priors.md.

    Examples:
        >>> field_wa(4.0, field_copy_ratio=0.25)
        1.75
    """
    (random_wa,) = _check.finite(random_wa=random_wa)
    _check.require(np.asarray(random_wa) >= 1, "random_wa", ">= 1", random_wa)
    (field_copy_ratio,) = _check.non_negative(field_copy_ratio=field_copy_ratio)
    return 1 + field_copy_ratio * (random_wa - 1)


def trimmed_op_ratio(op_ratio: float, *, trim_share: float) -> float:
    r"""Spare area counted over the data in use when the host trims during its writes.

    .. math:: p_e = \frac{1 + p}{s} - 1, \quad s = \frac{1 - 2q}{1 - q}

    Args:
        op_ratio: Spare bytes per user byte with every address in use, p. [1]
        trim_share: Share of requests that trim an address in use, q in [0, 0.5); the others write
            over all addresses. [1]

    Returns:
        Spare bytes per byte in use, for any formula of this package. [1]

    Raises:
        DomainError: Unless op_ratio >= 0 and trim_share is in [0, 0.5).

    Notes:
        Valid for trims and writes at random within a class, in steady state; within 0.1 % in write
        amplification. Source: [1]_: each write adds an address in use with probability 1 - s and
        each trim removes one, so that (1 - q)(1 - s) = q; pages still live exponentially.

    Examples:
        >>> round(trimmed_op_ratio(0.07, trim_share=0.1), 5)
        0.20375
    """
    (op_ratio,) = _check.non_negative(op_ratio=op_ratio)
    (trimmed,) = _check.non_negative(trim_share=trim_share)
    _check.require(np.asarray(trimmed) < 0.5, "trim_share", "in [0, 0.5)", trimmed)
    return (1 + op_ratio) * (1 - trimmed) / (1 - 2 * trimmed) - 1


def trimmed_classes(
    op_ratio: float,
    *,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
    trim_share: float,
    trims: Trims = "mapped",
) -> tuple[float, tuple[float, ...], tuple[float, ...]]:
    r"""Spare area and classes of the data in use when the host trims during skewed writes.

    .. math:: p_e = \frac{1 + p}{m} - 1, \quad r'_k = r_k, \quad f'_k = f_k s_k / m, \quad
              m = \sum_k f_k s_k

    with s_k the share of a class's addresses that is in use, by `trims`:

    .. math:: s_k = \frac{(1 - q) r_k}{(1 - q) r_k + q f_k / m} \;\text{(mapped)}, \quad
              s_k = \frac{1 - 2q}{1 - q} \;\text{(as-written)}

    Args:
        op_ratio: Spare bytes per user byte with every address in use, p. [1]
        write_shares (sequence of K): Shares of host writes by class, r. [1]
        page_shares (sequence of K): Shares of addresses by class, f. [1]
        trim_share (float): Share of requests that trim an address in use, q, one number in [0,
            0.5). [1]
        trims: "mapped": a trim hits all data in use alike, as files deleted at random;
            "as-written": it hits classes in proportion to their writes, as in a cache or a log. [1]

    Returns:
        p_e, r' and f', what every formula of classes in this package takes. [1]

    Raises:
        DomainError: Unless op_ratio >= 0, the shares are K numbers, write_shares >= 0,
            page_shares > 0, trim_share is one number in [0, 0.5) and trims is one of its two words.

    Notes:
        Valid in steady state for writes at random within each class; write amplification is per
        host write, trims are none. A class that is never written is never trimmed. Settling takes
        several lifetimes of the coldest class. Source: [1]_, class by class: (1 - q) r_k (1 - s_k)
        addresses come into use per request and as many are trimmed; so a class loses as many pages
        as are written to it, at the constant rate (1 - q) r_k / (f_k s_k) per page, and lifetimes
        stay exponential.

    Examples:
        One trim in ten requests, 80 % of writes to 20 % of addresses:

        >>> ratio, writes, held = trimmed_classes(
        ...     0.07, write_shares=[0.8, 0.2], page_shares=[0.2, 0.8], trim_share=0.1)
        >>> print(f"{ratio:.3f} {writes} ({held[0]:.3f}, {held[1]:.3f})")
        0.587 (0.8, 0.2) (0.285, 0.715)
    """
    (op_ratio,) = _check.non_negative(op_ratio=op_ratio)
    _check.require(np.ndim(trim_share) == 0, "trim_share", "one number", trim_share)
    rates, pages = _classes(write_shares, page_shares)
    in_use = _in_use(rates, pages, trim_share, trims)
    held = pages * np.asarray(in_use)
    total = float(held.sum())
    return (
        _check.plain((1 + np.asarray(op_ratio)) / total - 1),
        tuple((rates * pages).tolist()),
        tuple((held / total).tolist()),
    )


def untrimmed_op_ratio(
    op_ratio: float, *, filled_op_ratio: float, effective_op_ratio: float
) -> float:
    r"""Spare area counted over all addresses, from that over the data in use.

    .. math:: p_a = \frac{(1 + p)(1 + p_f)}{1 + p_e} - 1

    Args:
        op_ratio: Spare bytes per byte of data in use, p. [1]
        filled_op_ratio: Spare bytes per byte of addresses, without trims, p_f. [1]
        effective_op_ratio: The same with trims, per byte of data in use, p_e. [1]

    Returns:
        Spare bytes per byte of addresses, at least a millionth. [1]

    Raises:
        DomainError: Unless all are >= 0.

    Notes:
        Valid where trims leave the same share in use at both spare areas. Source: definition.

    Examples:
        >>> round(untrimmed_op_ratio(0.2375, filled_op_ratio=0.1, effective_op_ratio=0.2375), 12)
        0.1
    """
    op_ratio, filled, effective = _check.non_negative(
        op_ratio=op_ratio, filled_op_ratio=filled_op_ratio, effective_op_ratio=effective_op_ratio
    )
    whole = (1 + np.asarray(op_ratio)) * (1 + np.asarray(filled)) / (1 + np.asarray(effective))
    return _check.plain(np.maximum(whole - 1, _LEAST_SPARE))


def trimmed_class_op_ratio(
    op_ratio: float, *, write_shares: ArrayLike, page_shares: ArrayLike, trim_share: float
) -> float:
    r"""Spare area over the data in use when trims hit all data in use of skewed writes alike.

    .. math:: p_e = \frac{1 + p}{m} - 1, \quad
              m = \sum_k \frac{(1 - q) r_k f_k}{(1 - q) r_k + q f_k / m}

    Args:
        op_ratio: Spare bytes per user byte with every address in use, p. [1]
        write_shares (sequence of K): Shares of host writes by class, r. [1]
        page_shares (sequence of K): Shares of addresses by class, f. [1]
        trim_share: Share of requests that trim an address in use, q in [0, 0.5). [1]

    Returns:
        Spare bytes per byte in use, the first result of `trimmed_classes`. [1]

    Raises:
        DomainError: Unless op_ratio >= 0, the shares are K numbers, write_shares >= 0,
            page_shares > 0 and trim_share is in [0, 0.5).

    Notes:
        Valid where `trimmed_classes` is, for trims of the kind "mapped". Source: as there. Cold
        data are written too seldom to replace what is trimmed of them, so that more is free than
        under uniform writes.

    Examples:
        >>> ratio = trimmed_class_op_ratio(
        ...     0.07, write_shares=[0.8, 0.2], page_shares=[0.2, 0.8], trim_share=0.1)
        >>> print(f"{ratio:.3f}, uniform {trimmed_op_ratio(0.07, trim_share=0.1):.3f}")
        0.587, uniform 0.204
    """
    (op_ratio,) = _check.non_negative(op_ratio=op_ratio)
    rates, pages = _classes(write_shares, page_shares)
    q, written = _trims(trim_share), rates > 0
    in_use = _held(rates[written], pages[written], q) + float(pages[~written].sum())
    return _check.plain((1 + np.asarray(op_ratio)) / in_use - 1)


def _in_use(rates: Floats, pages: Floats, trim_share: float, trims: Trims) -> Floats:
    """Return the share of each class that is in use, of one share of trims."""
    if trims not in ("mapped", "as-written"):
        raise DomainError(f"trims must be mapped or as-written, got {trims!r}")
    q, written = _trims(trim_share), rates > 0
    if trims == "as-written":
        return np.where(written, (1 - 2 * q) / (1 - q), 1.0)
    reach = (1 - q) * rates * _held(rates[written], pages[written], q)
    return np.where(written, reach / np.where(written, reach + q, 1.0), 1.0)


def _trims(trim_share: float) -> Floats:
    (trimmed,) = _check.non_negative(trim_share=trim_share)
    _check.require(np.asarray(trimmed) < 0.5, "trim_share", "in [0, 0.5)", trimmed)
    return np.asarray(np.maximum(trimmed, _LEAST_TRIMS), float)


def _held(rates: Floats, pages: Floats, q: Floats) -> Floats:
    """Return the share in use of the written classes; from a table where trims are many."""
    if q.size < MANY:
        return _exactly_held(rates, pages, q)
    held, tabled = held_by_table(q, rates, pages)
    if not np.all(tabled):
        held[~tabled] = _exactly_held(rates, pages, q[~tabled])
    return held


def _exactly_held(rates: Floats, pages: Floats, q: Floats) -> Floats:
    """Solve 1 = sum (1 - q) r / ((1 - q) lambda m + q) for m by Newton on the sum's inverse.

    That is a harmonic mean of straight lines: concave, so that from 0 no step goes too far.
    """
    writes, kept = rates * pages, 1 - q[..., None]
    held = np.zeros(q.shape)
    for _ in range(_STEPS):
        share = 1 / (kept * rates * held[..., None] + q[..., None])
        total = np.sum(kept * writes * share, axis=-1)
        fall = np.sum(kept * kept * writes * rates * share * share, axis=-1)
        step = (total - 1) * total / fall
        held = held + step
        if np.all(np.abs(step) <= 1e-14 * held):
            break
    return held


def static_op_ratio(op_ratio: float, *, dynamic_fraction: float) -> float:
    r"""Spare area counted over the data that is rewritten; static data is stored separately.

    .. math:: p_e = p / f_d

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        dynamic_fraction: Share of valid data that is ever rewritten, f_d in (0, 1]. [1]

    Returns:
        Spare bytes per byte of rewritten data, for `greedy` or `fifo`. [1]

    Raises:
        DomainError: Unless op_ratio >= 0 and dynamic_fraction is in (0, 1].

    Notes:
        Valid for greedy garbage collection when the static data was written in sequence and fills
        blocks of its own, within 0.1 %. Static data interleaved with the rest stays so where the
        oldest block is collected, and is copied again for ever: use `skewed` with a class of no
        writes, three times as much. Source: static blocks are never collected and need no spare
        area.

    Examples:
        A quarter of the data rewritten; interleaved it is 7.57:

        >>> from models.write_amplification import greedy
        >>> print(f"{greedy(static_op_ratio(0.07, dynamic_fraction=0.25), pages_per_block=64):.3f}")
        2.403
    """
    (op_ratio,) = _check.non_negative(op_ratio=op_ratio)
    (dynamic,) = _check.share(dynamic_fraction=dynamic_fraction)
    return op_ratio / dynamic


def from_survival(
    op_ratio: float, *, survival: Callable[[Floats], ArrayLike], longest: float
) -> tuple[float, ...]:
    r"""Write amplification from the measured time that written pages stay valid.

    .. math:: A = \sum_{n \ge 0} S(n \tau), \quad \tau = (1 + p) / A

    Args:
        op_ratio (float): Spare bytes per valid user byte, p. [1]
        survival (callable of an array): Probability S(t) that a page written by the host is still
            valid after as many writes as there are valid pages, t times; falls from S(0) = 1, with
            a mean lifetime (the area under it) of 1. [1]
        longest (float): Age from which survival is assumed to be 0. [1]

    Returns:
        Every solution, smallest first; one where lifetimes are spread. [1]

    Raises:
        DomainError: Unless op_ratio > 0, 0 < longest <= 10,000 op_ratio, survival starts at 1 and
            encloses an area of 1 (to 1 %).

    Notes:
        Valid for collecting the oldest block and a single write frontier, any mixture of lifetimes.
        With fixed lifetimes, as of a circular sequential stream, there may be several solutions; a
        drive stays near the one that it came to by the order of its filling, not always an end of
        the list.
        Source: a page is copied once for every age tau that it survives; [2]_ gives tau.

    Examples:
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

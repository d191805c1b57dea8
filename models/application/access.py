r"""Pages that changes of rows touch: classes of pages, each changed at one rate.

Draws of an uncertain load are the first axes of the arrays, classes the last one.

References:
    .. [1] J. Gray et al., "Quickly Generating Billion-Record Synthetic Databases", SIGMOD 1994
       (Zipf distributions of keys).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check

Floats = NDArray[np.float64]

EXACT = 12  # first ranks that are summed one by one
RATIO = 1.25  # of the ends of a class
MOST_PAGES = 1e14
MOST_OF_A_PAGE = 1 - 1e-12  # changes that go to one page


class Access(NamedTuple):
    """Shares of the changes by class of pages, and the pages of each class."""

    request_shares: Floats
    class_pages: Floats


def uniform(pages: float) -> Access:
    r"""Return the class of pages that are all changed as often.

    .. math:: m = 1, \quad n = N

    Args:
        pages: Pages, N; 1 if fewer. [1]

    Returns:
        One class with all changes and all pages. [1]

    Raises:
        DomainError: Unless pages is > 0.

    Notes:
        Valid for rows at random. Source: definition.

    Examples:
        >>> uniform(5000).class_pages
        array([5000.])
    """
    (count,) = _check.positive(pages=pages)
    held = np.maximum(np.asarray(count), 1.0)[..., None]
    return Access(np.ones_like(held), held)


def zipf(rows: float, *, exponent: float, rows_per_page: float, is_scattered: float) -> Access:
    r"""Return the classes of pages whose rows are changed in proportion to 1/i^s by rank i.

    .. math:: m_j = \sum_{i \in j} p_i \quad \text{or} \quad
              m_j = n_j \left(p_j + \frac{1 - \sum_{i \le N} p_i}{N}\right), \quad
              p_i = \frac{i^{-s}}{\sum_{k \le R} k^{-s}}

    Args:
        rows: Rows, R. [1]
        exponent: Zipf exponent, s; 0 is uniform. [1]
        rows_per_page: Rows on a page, R/N; 1 if fewer. [1]
        is_scattered: 1 where the hottest rows lie on pages of their own, as keys at random and most
            tables do, 0 where rows of near rank share pages. [1]

    Returns:
        Classes of pages of like rates. [1]

    Raises:
        DomainError: Unless rows is >= 1 and finite, exponent >= 0 and finite, rows_per_page > 0 and
            finite and is_scattered in [0, 1].

    Notes:
        Valid for up to 1e14 pages and hot rows that lie evenly; the pages changed are within 1.5 %
        of those of rows one by one. Hot rows placed by chance meet on pages: by up to 10 % fewer.
        Skew of rows is not skew of pages: scattered, the rows of a page have rates between each
        other. Source: definition [1]_; the N hottest rows lie one to a page.

    Examples:
        Pages changed by 18,126 updates of 200,000 rows on 6,667 pages; 2,074 were counted where
        the rows lie together:

        >>> for apart in (1, 0):
        ...     access = zipf(200_000, exponent=1.1, rows_per_page=30, is_scattered=apart)
        ...     print(round(unique_pages(18_126, access=access)))
        3960
        2059
    """
    (count,) = _check.finite(rows=rows)
    _check.require(np.asarray(count) >= 1, "rows", ">= 1", count)
    (power,) = _check.from_zero(exponent=exponent)
    (per_page,) = _check.finite(rows_per_page=rows_per_page)
    (apart,) = _check.fraction(is_scattered=is_scattered)
    all_rows, slope = np.asarray(count)[..., None], np.asarray(power)[..., None]
    held = np.maximum(np.asarray(per_page)[..., None], 1.0)
    pages = np.maximum(all_rows / held, 1.0)
    ends = np.minimum(_ENDS[: int(np.searchsorted(_ENDS, pages.max())) + 1], pages)
    sizes = np.diff(ends)
    whole = _harmonic(all_rows, slope)
    together = np.diff(_harmonic(np.minimum(ends * held, all_rows), slope)) / whole
    hottest = np.diff(_harmonic(ends, slope)) / whole
    rest = (1 - hottest.sum(-1, keepdims=True)) / pages
    is_apart = np.asarray(apart)[..., None] > 0
    shares = np.where(is_apart, hottest + sizes * rest, together)
    return Access(shares, np.broadcast_to(sizes, shares.shape))


def points(entities: float, *, pages: float, exponent: float) -> Access:
    r"""Return the classes of pages at which the entries of each entity arrive in a tree.

    .. math:: N' = \min(E, N)

    Args:
        entities: Entities, E: cameras, sensors, accounts. [1]
        pages: Pages of the tree, N. [1]
        exponent: Zipf exponent of the entities' activity; 0 is uniform. [1]

    Returns:
        Classes of the pages at which entries arrive. [1]

    Raises:
        DomainError: Unless entities is >= 1 and finite, pages > 0 and finite and exponent >= 0 and
            finite.

    Notes:
        Valid for a tree by entity and time, and entries that come in the order of time. Source:
        each entity has one place at which its entries arrive.

    Examples:
        >>> round(unique_pages(100, access=points(300, pages=5000, exponent=0)), 1)
        85.2
    """
    (count,) = _check.finite(entities=entities)
    _check.require(np.asarray(count) >= 1, "entities", ">= 1", count)
    (held,) = _check.finite(pages=pages)
    per_page = np.maximum(np.asarray(count) / held, 1.0)
    return zipf(count, exponent=exponent, rows_per_page=_check.plain(per_page), is_scattered=1)


def unique_pages(row_changes: float, *, access: Access) -> float:
    r"""Distinct pages that a number of changes touch.

    .. math:: U = \sum_j n_j \left(1 - (1 - m_j/n_j)^k\right)

    Args:
        row_changes: Changes of rows, k. [1]
        access: Classes of pages, with shares m and pages n. [1]

    Returns:
        Distinct pages, U. [1]

    Raises:
        DomainError: Unless row_changes is >= 0 and finite.

    Notes:
        Valid for independent changes, at least one; within 2 % of the images counted of PostgreSQL.
        Source: a page is missed by all changes with probability (1 - m/n)^k.

    Examples:
        >>> round(unique_pages(2000, access=uniform(1000)), 1)
        864.8
    """
    changes = _changes(row_changes)
    rates, pages = _rates(access)
    return _check.plain((pages * -np.expm1(changes * _missed(rates))).sum(-1))


def aged_pages(row_changes: float, *, access: Access) -> float:
    r"""Pages written per change where a page is written some changes after its first one.

    .. math:: v = \sum_j \frac{m_j}{1 + k m_j/n_j}

    Args:
        row_changes: Changes from the first one of a page to its write, k. [1]
        access: Classes of pages, with shares m and pages n. [1]

    Returns:
        Pages written per change, v. [1]

    Raises:
        DomainError: Unless row_changes is >= 0 and finite.

    Notes:
        Valid for stores that write by age, as InnoDB does: a page waits for its next change after
        it was written. A fixed checkpoint writes up to 20 % more by U/k. Source: renewal of each
        page.

    Examples:
        >>> aged_pages(1000, access=uniform(1000))
        0.5
    """
    changes = _changes(row_changes)
    rates, pages = _rates(access)
    written = rates * pages / (1 + changes * rates)
    return _check.plain(written.sum(-1))


def leaving_fraction(row_changes: float, *, access: Access) -> float:
    r"""Share of the changes that touch a page which the changes before did not.

    .. math:: U' = \sum_j m_j (1 - m_j/n_j)^k

    Args:
        row_changes: Changes before, k. [1]
        access: Classes of pages, with shares m and pages n. [1]

    Returns:
        Share of the changes, U'. [1]

    Raises:
        DomainError: Unless row_changes is >= 0 and finite.

    Notes:
        Valid as `unique_pages` is. Source: what one more change adds to it.

    Examples:
        >>> round(leaving_fraction(1000, access=uniform(1000)), 3)
        0.368
    """
    changes = _changes(row_changes)
    rates, pages = _rates(access)
    left = rates * pages * np.exp(changes * _missed(rates))
    return _check.plain(left.sum(-1))


def _changes(row_changes: float) -> Floats:
    (changes,) = _check.from_zero(row_changes=row_changes)
    return np.asarray(changes)[..., None]


def _rates(access: Access) -> tuple[Floats, Floats]:
    """Return changes per change and page of each class, 0 in empty ones, and its pages."""
    shares, pages = access
    return np.divide(shares, pages, out=np.zeros_like(shares), where=pages > 0), pages


def _missed(rates: Floats) -> Floats:
    """Return the logarithm of the probability that a change misses a page."""
    return np.asarray(np.log1p(-np.minimum(rates, MOST_OF_A_PAGE)))


def _harmonic(ranks: Floats, power: Floats) -> Floats:
    """Return the sum of i^-s up to a rank, which may lie between two."""
    first = np.arange(1, EXACT + 1.0)
    below = np.clip(ranks[..., None] - first + 1, 0, 1) * first ** -power[..., None]
    step = np.log(np.maximum(ranks, EXACT) + 0.5) - np.log(EXACT + 0.5)
    slope = (1 - power) * step
    beyond = step * np.where(slope == 0, 1.0, np.expm1(slope) / np.where(slope == 0, 1.0, slope))
    return np.asarray(below.sum(-1) + (EXACT + 0.5) ** (1 - power) * beyond)


def _class_ends() -> Floats:
    """Return ends of classes: each of the first pages, then by a ratio."""
    first = np.arange(EXACT + 1.0)
    count = int(np.log(MOST_PAGES / EXACT) / np.log(RATIO)) + 1
    return np.concatenate([first, EXACT * RATIO ** np.arange(1, count + 1.0)])


_ENDS = _class_ends()

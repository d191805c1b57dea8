r"""Indirection units: drives whose map knows pieces of 16 or 64 KiB, not pages of 4 KiB.

Dimensionless; sizes in bytes. A write of less than a unit rewrites the whole unit. Garbage
collection then moves units, of which a block holds fewer, and sees the writes that the units make:

.. math:: A = A_\mathrm{unit} \cdot A_{b/u}(p)

with the same over-provisioning p, and for skew the shares of the units, less what a write buffer
absorbs. A unit that is valid in part counts as valid: TRIM of less than a unit frees nothing. The
product is within 1 % of a page simulator for uniform and skewed writes of up to two units, on
units of 16 and 64 KiB (docs/evidence/validation-units.md); writes of eight units lie side by side
in their blocks and cost 5 % less than it says.

References:
    .. [1] H. Che, Y. Tung, Z. Wang, "Hierarchical Web Caching Systems: Modeling, Design and
       Experimental Results", IEEE JSAC 20(7), 2002 (characteristic time of an LRU cache).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.units import KIB
from models.write_amplification.factors import coalesced, indirection_factor
from models.write_amplification.skewed import _classes, _whole

Floats = NDArray[np.float64]

_PAGE = 4 * KIB  # of which `pages_per_block` counts
_MOST_CLASSES = 128  # kept while units are put together


def units_per_block(pages_per_block: float, *, unit_bytes: float) -> float:
    r"""Indirection units in one unit of garbage collection.

    .. math:: b_u = \max\left(1, \left\lfloor \frac{4096\,b}{I} \right\rfloor\right)

    Args:
        pages_per_block: Pages of 4 KiB in one unit of garbage collection, b. [1]
        unit_bytes: Indirection unit of the drive, I. [bytes]

    Returns:
        Units that a block holds, the `pages_per_block` of every formula of this package where the
            map knows units. [1]

    Raises:
        DomainError: Unless both are whole numbers >= 1.

    Notes:
        Valid for units that do not cross blocks. Source: definition.

    Examples:
        >>> units_per_block(1024, unit_bytes=16384)
        256.0
    """
    pages, unit = _check.count(pages_per_block=pages_per_block, unit_bytes=unit_bytes)
    return _check.plain(np.maximum(1.0, np.floor(pages * _PAGE / unit)))


def touched_bytes(transfer_bytes: float, *, unit_factor: float) -> float:
    r"""Bytes of the units that one write rewrites.

    .. math:: s_u = s\, A_\mathrm{unit}

    Args:
        transfer_bytes: Size of one host write, s. [bytes]
        unit_factor: Bytes of units per host byte of such a write. [1]

    Returns:
        Bytes of the units that the write touches. [bytes]

    Raises:
        DomainError: Unless both are > 0 and finite.

    Notes:
        Valid for writes that no buffer merges: two sizes that touch as many units are written as
        often per second. Source: definition.

    Examples:
        4 KiB on units of 16 KiB are written as fast as 16 KiB:

        >>> touched_bytes([4096, 16384], unit_factor=[4.0, 1.0]).tolist()
        [16384.0, 16384.0]
    """
    size, factor = _check.finite(transfer_bytes=transfer_bytes, unit_factor=unit_factor)
    return size * factor


def mixed_indirection_factor(unit_factor: float, *, sequential_fraction: float) -> float:
    r"""Bytes of units per host byte where a share of the writes is sequential.

    .. math:: A = (1 - \sigma) A_\mathrm{unit} + \sigma

    Args:
        unit_factor: Bytes of units per host byte of the random writes. [1]
        sequential_fraction: Share of host writes that is sequential, sigma. [1]

    Returns:
        Bytes of units per host byte. [1]

    Raises:
        DomainError: Unless unit_factor is > 0 and finite and sequential_fraction in [0, 1].

    Notes:
        Valid where sequential writes fill their units before these are destaged. Source: weighted
        mean.

    Examples:
        >>> mixed_indirection_factor(4.0, sequential_fraction=0.5)
        2.5
    """
    (factor,) = _check.finite(unit_factor=unit_factor)
    (share,) = _check.fraction(sequential_fraction=sequential_fraction)
    return (1 - share) * factor + share


def destaged_sequential_fraction(sequential_fraction: float, *, unit_factor: float) -> float:
    r"""Sequential share of what reaches the flash, where random writes rewrite whole units.

    .. math:: \sigma' = \frac{\sigma}{\sigma + (1 - \sigma) A_\mathrm{unit}}

    Args:
        sequential_fraction: Share of host writes that is sequential, sigma. [1]
        unit_factor: Bytes of units per host byte of the random writes. [1]

    Returns:
        Share of the written units that belongs to sequential writes. [1]

    Raises:
        DomainError: Unless sequential_fraction is in [0, 1] and unit_factor > 0 and finite.

    Notes:
        Valid where sequential writes fill their units before these are destaged. Source:
        definition.

    Examples:
        >>> destaged_sequential_fraction(0.5, unit_factor=4.0)
        0.2
    """
    (share,) = _check.fraction(sequential_fraction=sequential_fraction)
    (factor,) = _check.finite(unit_factor=unit_factor)
    return share / (share + (1 - share) * factor)


def buffered_indirection_factor(
    transfer_bytes: float,
    *,
    unit_bytes: float,
    alignment_bytes: float,
    buffered_fraction: float,
    write_shares: ArrayLike,
    page_shares: ArrayLike,
) -> float:
    r"""Bytes rewritten per host byte where a write buffer absorbs writes to units that it holds.

    .. math:: A = A_\mathrm{unit} \sum_k r_k e^{-\lambda_k t}, \quad
              \sum_k f_k \left(1 - e^{-\lambda_k t}\right) = \beta, \quad \lambda_k = r_k / f_k

    Args:
        transfer_bytes: Size of one host write. [bytes]
        unit_bytes: Indirection unit of the drive. [bytes]
        alignment_bytes: Writes start at random multiples of this. [bytes]
        buffered_fraction (float): Share of the units that the buffer holds, beta; 0 without a
            buffer. [1]
        write_shares (sequence of K): Shares of writes by class of units, r. [1]
        page_shares (sequence of K): Shares of the units by class, f. [1]

    Returns:
        Bytes of units destaged per host byte, A_unit (1 - beta) for uniform writes. [1]

    Raises:
        DomainError: Unless the sizes are as `indirection_factor` takes them, the shares as
            `coalesced` takes them, and buffered_fraction is from 0 to the share of the units that
            is written at all.

    Notes:
        Valid for a buffer that destages the least recently written unit, and independent writes;
        what is protected against power loss counts in full, an unprotected buffer only between
        flushes. Against a simulated buffer of 1 to 8 % of the units under Zipf 0.99 the destaged
        units agree within 0.5 %; what garbage collection makes of them is overestimated, by 1 to 6
        %, since hot units are destaged at intervals, not at random. Source: [1]_.

    Examples:
        Uniform writes of 4 KiB on units of 16 KiB, a twentieth of which is buffered:

        >>> round(buffered_indirection_factor(4096, unit_bytes=16384, alignment_bytes=4096,
        ...                                   buffered_fraction=0.05, write_shares=[1.0],
        ...                                   page_shares=[1.0]), 12)
        3.8
    """
    factor = indirection_factor(
        transfer_bytes, unit_bytes=unit_bytes, alignment_bytes=alignment_bytes
    )
    (buffered,) = _check.fraction(buffered_fraction=buffered_fraction)
    rates, pages = _classes(write_shares, page_shares)
    if np.ndim(buffered) == 0 and buffered == 0:
        return factor
    hits, _ = coalesced(buffered, write_shares=rates * pages, page_shares=pages)
    return factor * float(1 - (rates * pages) @ hits)


def page_write_iops(
    host_bytes_per_s: float, *, transfer_bytes: float, unit_factor: float, rated_unit_factor: float
) -> float:
    r"""Random writes of a page per second that cost the flash what the host's writes do.

    .. math:: x = \frac{\lambda}{s} \cdot \frac{A_u}{A_p}

    Args:
        host_bytes_per_s: Host writes, lambda. [bytes/s]
        transfer_bytes: Size of a page, s. [bytes]
        unit_factor: Bytes of units that the host's writes rewrite, per byte, A_u. [1]
        rated_unit_factor: The same of random writes of a page, A_p. [1]

    Returns:
        Random writes of a page per second. [1/s]

    Raises:
        DomainError: Unless host_bytes_per_s is >= 0 and finite and the others are > 0 and finite.

    Notes:
        Valid where each unit that a write touches is programmed whole. Source: a ratio.

    Examples:
        Writes of 16 KiB fill the units of which each write of 4 KiB rewrites one:

        >>> page_write_iops(4096e3, transfer_bytes=4096, unit_factor=1, rated_unit_factor=4)
        250.0
    """
    (written,) = _check.from_zero(host_bytes_per_s=host_bytes_per_s)
    size, factor, of_pages = _check.finite(
        transfer_bytes=transfer_bytes, unit_factor=unit_factor, rated_unit_factor=rated_unit_factor
    )
    return written / size * factor / of_pages


def fill_bytes(
    user_bytes: float, *, fill_fraction: float, partition_fraction: float, rated_unit_factor: float
) -> float:
    r"""Bytes of random pages that rewrite as much as the data in use.

    .. math:: U = \frac{U_0\, f\, f_p}{A_p}

    Args:
        user_bytes: User capacity, U_0. [bytes]
        fill_fraction: Share of the partitioned capacity that holds data, f. [1]
        partition_fraction: Share of the user capacity that is partitioned, f_p. [1]
        rated_unit_factor: Bytes of units that random writes of a page rewrite, per byte, A_p. [1]

    Returns:
        Host bytes of one fill. [bytes]

    Raises:
        DomainError: Unless user_bytes and rated_unit_factor are > 0 and finite and both shares in
            (0, 1].

    Notes:
        Valid where each unit that a write touches is programmed whole. Source: a ratio.

    Examples:
        >>> fill_bytes(4e11, fill_fraction=0.5, partition_fraction=1, rated_unit_factor=4)
        50000000000.0
    """
    size, factor = _check.finite(user_bytes=user_bytes, rated_unit_factor=rated_unit_factor)
    fill, partitioned = _check.share(
        fill_fraction=fill_fraction, partition_fraction=partition_fraction
    )
    return size * fill * partitioned / factor


def scattered_classes(
    unit_pages: float, *, write_shares: ArrayLike, page_shares: ArrayLike
) -> tuple[Floats, Floats]:
    r"""Classes of units whose pages have classes of their own, drawn at random.

    .. math:: \lambda = \frac{1}{u} \sum_{i=1}^{u} \lambda_{k_i}, \quad P(k_i = k) = f_k

    Args:
        unit_pages (float): Pages of 4 KiB in a unit, u. [1]
        write_shares (sequence of K): Shares of host writes by class of pages, r. [1]
        page_shares (sequence of K): Shares of valid pages by class, f. [1]

    Returns:
        Shares of writes and of units by class of units, at most 128 classes, hottest first. [1]

    Raises:
        DomainError: Unless unit_pages is a whole number from 1 to 65,536, the shares are K numbers,
            write_shares >= 0 and page_shares > 0.

    Notes:
        Valid where hot pages are scattered over the units at random, which flattens the skew; hot
        data in ranges of many units keeps the shares of its pages. Source: each rate is the mean of
        u independent draws, put together two by two; beyond 128 classes those of like rate are
        merged, which moves write amplification by 0.03 % for Zipf 1.2.

    Examples:
        A tenth of the pages is hot, scattered over units of four:

        >>> writes, units = scattered_classes(4, write_shares=[0.9, 0.1], page_shares=[0.1, 0.9])
        >>> units.round(4).tolist(), writes.round(4).tolist()
        ([0.0001, 0.0036, 0.0486, 0.2916, 0.6561], [0.0009, 0.0244, 0.2214, 0.6804, 0.0729])
    """
    count = _whole("unit_pages", unit_pages, 2**16)
    one: tuple[Floats, Floats] = _classes(write_shares, page_shares)
    whole, pages = one, 1
    for bit in format(count, "b")[1:]:
        whole, pages = _joined(whole, pages, whole, pages), 2 * pages
        if bit == "1":
            whole, pages = _joined(whole, pages, one, 1), pages + 1
    rates, units = _merged(*whole)
    order = np.argsort(-rates)
    return (rates * units)[order], units[order]


def _joined(
    first: tuple[Floats, Floats], pages: int, second: tuple[Floats, Floats], more: int
) -> tuple[Floats, Floats]:
    """Return rates and shares of units made of one part each of two kinds, by their pages."""
    (rates, shares), (others, chances) = _merged(*first), _merged(*second)
    mean = np.add.outer(pages * rates, more * others) / (pages + more)
    return mean.ravel(), np.multiply.outer(shares, chances).ravel()


def _merged(rates: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Return at most 128 classes: equal rates are one class, then neighbours are put together."""
    rates, place = np.unique(rates.round(13), return_inverse=True)
    shares = np.bincount(place, weights=shares).astype(float)
    if rates.size <= _MOST_CLASSES:
        return rates, shares
    # Half of the distance by share of units, half by share of writes: neither end is lost.
    writes = shares * rates
    place = np.cumsum(shares) / shares.sum() + np.cumsum(writes) / writes.sum()
    group = np.minimum((place * _MOST_CLASSES / 2).astype(int), _MOST_CLASSES - 1)
    group = np.unique(group, return_inverse=True)[1]
    held = np.bincount(group, weights=shares).astype(float)
    return np.bincount(group, weights=writes) / held, held

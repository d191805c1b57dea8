r"""Cache that evicts the page used least recently, by Che's approximation.

Counts of pages and requests; operations per second. A page is evicted when it was not
requested during the last T requests, T being the same for all pages, so that the cache
is full:

.. math:: \sum_k N_k\,h_k = C, \quad h_k = 1 - e^{-p_k T}, \quad p_k = r_k/N_k

References:
    .. [1] H. Che, Y. Tung, Z. Wang, "Hierarchical Web Caching Systems: Modeling, Design and
       Experimental Results", IEEE JSAC 20(7), 2002.
    .. [2] C. Fricker, P. Robert, J. Roberts, "A Versatile and Accurate Approximation for LRU Cache
       Performance", ITC 24, 2012, arXiv:1202.3974.
    .. [3] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013, "RAPID: PCIe-like
       Performance from a SATA SSD" (8 GB span, 1 GB of memory, 73,466 IOPS at 250 GB).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check

Floats = NDArray[np.float64]


def characteristic_requests(
    cache_pages: float, *, request_shares: ArrayLike, class_pages: ArrayLike
) -> float:
    r"""Characteristic time: a page is evicted after this time without a request.

    .. math:: \sum_k N_k \left(1 - e^{-p_k T}\right) = C

    Args:
        cache_pages: Pages that the cache holds, C. [1]
        request_shares (sequence of K): Shares of requests by class, r; they are divided by their
            sum. [1]
        class_pages (sequence of K): Pages of each class, N. [1]

    Returns:
        Characteristic time in requests, T; infinite if the cache holds every page that is ever
            requested. [1]

    Raises:
        DomainError: Unless cache_pages is > 0 and finite and the others are K numbers, the
            shares >= 0, the pages finite and at least 1.

    Notes:
        Valid for independent requests and many pages. Source: [1]_; solved by Newton's method on
        the logarithm of the pages left out, which is convex, from the left.

    Examples:
        Uniform requests to 8 pages, of which 1 is cached: T = -8 ln(7/8).

        >>> print(f"{characteristic_requests(1, request_shares=[1], class_pages=[8]):.4f}")
        1.0683
    """
    (cache,) = _check.finite(cache_pages=cache_pages)
    popularity, pages = _classes(request_shares, class_pages)
    asked = popularity > 0
    return _check.plain(_age(np.asarray(cache), popularity[asked], pages[asked]))


def class_hit_ratios(
    cache_pages: float, *, request_shares: ArrayLike, class_pages: ArrayLike
) -> Floats:
    r"""Share of the requests to each class that hit.

    .. math:: h_k = 1 - e^{-p_k T}

    Args:
        cache_pages (float or array, shape (...)): Pages that the cache holds, C. [1]
        request_shares (sequence of K): Shares of requests by class, r. [1]
        class_pages (sequence of K): Pages of each class, N. [1]

    Returns:
        array, shape (..., K): Hit ratio by class; also the share of its pages that is in the cache.
            [1]

    Raises:
        DomainError: As `characteristic_requests`.

    Notes:
        Valid as `characteristic_requests`. Source: [1]_; [2]_ for why it is so accurate.

    Examples:
        >>> hits = class_hit_ratios(50, request_shares=[0.9, 0.1], class_pages=[100, 900])
        >>> print(hits.round(4))
        [0.4365 0.0071]
    """
    popularity, pages = _classes(request_shares, class_pages)
    asked = popularity > 0
    age = characteristic_requests(
        cache_pages, request_shares=request_shares, class_pages=class_pages
    )
    hits = np.zeros((*np.shape(age), pages.size))
    hits[..., asked] = -np.expm1(-popularity[asked] * np.asarray(age)[..., None])
    return hits


def hit_ratio(cache_pages: float, *, request_shares: ArrayLike, class_pages: ArrayLike) -> float:
    r"""Share of all requests that hit.

    .. math:: h = \sum_k r_k\,h_k

    Args:
        cache_pages: Pages that the cache holds, C. [1]
        request_shares (sequence of K): Shares of requests by class, r. [1]
        class_pages (sequence of K): Pages of each class, N. [1]

    Returns:
        Hit ratio. [1]

    Raises:
        DomainError: As `characteristic_requests`.

    Notes:
        Valid as `characteristic_requests`; reads and writes alike, if both bring pages in.
        Simulated request by request on 1e5 pages, Zipf exponents 0 to 1.2, 0.5 to 30 % of them
        cached: errors within 0.9 % and the noise of the simulation, 0.1 % on average; destaged 0.4
        %, dirty 0.2 %. Source: [1]_.

    Examples:
        A thousandth of 1e12 pages under Zipf's law:

        >>> from models.write_amplification import zipf_classes
        >>> requests, held = zipf_classes(0.99, pages=1e12, classes=2000)
        >>> print(f"{hit_ratio(1e9, request_shares=requests, class_pages=held * 1e12):.4f}")
        0.6638
    """
    popularity, pages = _classes(request_shares, class_pages)
    hits = class_hit_ratios(cache_pages, request_shares=request_shares, class_pages=class_pages)
    return _check.plain(np.minimum(np.sum(popularity * pages * hits, axis=-1), 1.0))


def destage_ratio(
    cache_pages: float, *, write_fraction: float, request_shares: ArrayLike, class_pages: ArrayLike
) -> float:
    r"""Pages written to the drive per request by a write-back cache.

    .. math:: d = \sum_k r_k (1 - h_k) \frac{w}{1 - (1 - w) h_k}

    Args:
        cache_pages: Pages that the cache holds, C. [1]
        write_fraction: Share of requests that are writes, w, the same for every page. [1]
        request_shares (sequence of K): Shares of requests by class, r. [1]
        class_pages (sequence of K): Pages of each class, N. [1]

    Returns:
        Destaged pages per request; for writes alone the miss ratio. [1]

    Raises:
        DomainError: As `characteristic_requests`, and unless write_fraction is in [0, 1].

    Notes:
        Valid for dirty pages written only when they are evicted, reads and writes both bringing
        pages in. Source: a stay in the cache sees a geometric number of requests, each but the last
        followed by another within T; the page leaves clean if all were reads.

    Examples:
        >>> print(destage_ratio(1, write_fraction=1.0, request_shares=[1], class_pages=[8]))
        0.875
    """
    (cache,) = _check.finite(cache_pages=cache_pages)
    (writes,) = _check.fraction(write_fraction=write_fraction)
    popularity, pages = _classes(request_shares, class_pages)
    missed = np.exp(-_exposure(np.asarray(cache), popularity, pages))
    dirty = _written(missed, np.asarray(writes)[..., None])
    return _check.plain(np.minimum(np.sum(popularity * pages * missed * dirty, axis=-1), 1.0))


def dirty_pages(
    cache_pages: float, *, write_fraction: float, request_shares: ArrayLike, class_pages: ArrayLike
) -> float:
    r"""Pages in a write-back cache that are not on the drive yet.

    .. math:: D = \sum_k N_k h_k \frac{w}{1 - (1 - w) h_k}

    Args:
        cache_pages: Pages that the cache holds, C. [1]
        write_fraction: Share of requests that are writes, w, the same for every page. [1]
        request_shares (sequence of K): Shares of requests by class, r. [1]
        class_pages (sequence of K): Pages of each class, N. [1]

    Returns:
        Mean number of dirty pages, at most C. [1]

    Raises:
        DomainError: As `destage_ratio`.

    Notes:
        Valid as `destage_ratio`. Source: mean time that a stay in the cache is clean, from its
        beginning to the first write; a page is dirty as often as it is destaged dirty.

    Examples:
        >>> print(dirty_pages(2, write_fraction=1.0, request_shares=[1], class_pages=[8]))
        2.0
    """
    (cache,) = _check.finite(cache_pages=cache_pages)
    (writes,) = _check.fraction(write_fraction=write_fraction)
    popularity, pages = _classes(request_shares, class_pages)
    exposure = _exposure(np.asarray(cache), popularity, pages)
    dirty = _written(np.exp(-exposure), np.asarray(writes)[..., None])
    return _check.plain(np.sum(pages * -np.expm1(-exposure) * dirty, axis=-1))


def read_miss_ratio(hit_ratio: float, *, read_fraction: float) -> float:
    r"""Read misses per request to the cache: reads of the drive.

    .. math:: m = f (1 - h)

    Args:
        hit_ratio: Share of requests that find their page in memory, h in [0, 1]. [1]
        read_fraction: Share of requests that are reads, f in [0, 1]. [1]

    Returns:
        Read misses per request, m. [1]

    Raises:
        DomainError: Unless both are in [0, 1].

    Notes:
        Valid for reads that are as likely to hit as writes. Source: definition; writes never wait
        for the drive in a write-back cache.

    Examples:
        >>> read_miss_ratio(0.75, read_fraction=0.5)
        0.125
    """
    hits, reads = _check.fraction(hit_ratio=hit_ratio, read_fraction=read_fraction)
    return _check.plain(reads * (1 - np.asarray(hits)))


def cached_iops(
    memory_iops: float,
    *,
    read_miss_ratio: float,
    destage_ratio: float,
    read_iops: float,
    write_iops: float,
) -> float:
    r"""Throughput with a cache in front of the drive.

    .. math:: X = \min\left(X_m,\ \frac{1}{m/X_r + d/X_w}\right)

    Args:
        memory_iops: Requests that memory and software serve per second, X_m. [1/s]
        read_miss_ratio: Reads that go to the drive, per request, m: `read_miss_ratio`. [1]
        destage_ratio: Pages written to the drive, per request, d. [1]
        read_iops: Reads of the drive per second at the queue depth that the cache keeps, X_r. [1/s]
        write_iops: Writes of the drive per second at that depth, X_w. [1/s]

    Returns:
        Requests per second, X. [1/s]

    Raises:
        DomainError: Unless the rates are > 0 and finite and the ratios in [0, 1].

    Notes:
        Valid where reads and writes share the drive's time and destaging keeps it busy: a cache
        turns one request at a time into many, which is most of what it gains. Source: utilisation
        law.

    Examples:
        1 GB before a drive of 66K writes per second, 4 KiB writes to 8 GB; 73,466 was measured
        [3]_:

        >>> round(cached_iops(1e6, read_miss_ratio=0, destage_ratio=7/8, read_iops=97e3,
        ...                   write_iops=66e3))
        75429
    """
    memory, reads, writes = _check.finite(
        memory_iops=memory_iops, read_iops=read_iops, write_iops=write_iops
    )
    misses, destaged = _check.fraction(read_miss_ratio=read_miss_ratio, destage_ratio=destage_ratio)
    return _check.plain(1 / np.maximum(1 / memory, misses / reads + destaged / writes))


def _classes(request_shares: ArrayLike, class_pages: ArrayLike) -> tuple[Floats, Floats]:
    """Return the popularity of a page and the number of pages by class, checked."""
    shares = np.atleast_1d(_check.non_negative(request_shares=request_shares)[0])  # type: ignore[arg-type]  # a sequence
    pages = np.atleast_1d(_check.finite(class_pages=class_pages)[0])  # type: ignore[arg-type]  # as above
    _check.require(shares < np.inf, "request_shares", "finite", shares)
    _check.require(shares.ndim == 1, "request_shares", "one number per class", shares.ndim)
    _check.require(
        shares.shape == pages.shape, "class_pages", "as many as request_shares", pages.size
    )
    _check.require(pages >= 1 - 1e-9, "class_pages", "at least 1", pages)
    _check.require(shares.sum() > 0, "request_shares", "positive in sum", shares.sum())
    return shares / shares.sum() / pages, pages


def _exposure(cache: Floats, popularity: Floats, pages: Floats) -> Floats:
    """Return p T, the requests that a page of each class expects during T."""
    asked = popularity > 0
    age = _age(cache, popularity[asked], pages[asked])[..., None]
    return np.where(asked, np.where(asked, popularity, 1.0) * age, 0.0)


def _age(cache: Floats, popularity: Floats, pages: Floats) -> Floats:
    """Solve for T; pages of popularity 0 must not be among them."""
    every = pages.sum()
    fits = cache >= every * (1 - 1e-15)
    held = np.where(fits, every / 2, cache)
    age = -every * np.log1p(-held / every)
    for _ in range(200):
        x = popularity * age[..., None]
        left = np.sum(pages * np.exp(-x), axis=-1)
        slope = np.sum(pages * popularity * np.exp(-x), axis=-1)
        # Of classes that are mostly cached the pages left out, so that small numbers are summed.
        is_most = x > np.log(2)
        whole = held - np.sum(np.where(is_most, pages, 0.0), axis=-1)
        short = whole + np.sum(pages * np.where(is_most, np.exp(-x), np.expm1(-x)), axis=-1)
        step = np.log1p(short / (every - held)) * left / slope
        age = age + step
        if np.all(np.abs(step) <= 1e-14 * age):
            break
    return np.where(fits, np.inf, age)


def _written(missed: Floats, writes: Floats) -> Floats:
    """Return the share of stays in the cache that see a write: w / (1 - (1 - w) h)."""
    requests = missed + writes * (1 - missed)
    return np.asarray(writes / np.where(requests > 0, requests, 1.0))

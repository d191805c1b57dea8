r"""Factors of write amplification other than garbage collection.

Dimensionless; sizes in bytes. Flash bytes per host byte are the product

.. math:: A = A_\mathrm{unit} \cdot A_\mathrm{gc}(p_e) \cdot A_\mathrm{parity}
          \cdot A_\mathrm{map} \cdot A_\mathrm{levelling}

where p_e is the over-provisioning left after the capacity that each feature takes. All but the
buffer are exact by definition.

References:
    .. [1] P. Raghav, "IU-WAF", 2023 (total write amplification as a product with a factor of the
       indirection unit).
    .. [2] H. Che, Y. Tung, Z. Wang, "Hierarchical Web Caching Systems: Modeling, Design and
       Experimental Results", IEEE JSAC 20(7), 2002 (characteristic time of an LRU cache).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.write_amplification.skewed import _classes

Floats = NDArray[np.float64]

LEAST_COPIES = 0.03  # per host write: a model that says none has an error too


def indirection_factor(
    transfer_bytes: float, *, unit_bytes: float, alignment_bytes: float
) -> float:
    r"""Bytes rewritten per host byte because the drive maps in units larger than writes.

    .. math:: A = \frac{I + s' - g}{s}, \quad s' = g \lceil s/g \rceil

    which is 1 + (I - g)/s for writes of a whole number of alignments.

    Args:
        transfer_bytes: Size of one host write, s. [bytes]
        unit_bytes: Indirection unit of the drive, I. [bytes]
        alignment_bytes: Writes start at random multiples of this; g is its greatest common divisor
            with the unit. [bytes]

    Returns:
        Bytes of units touched per host byte. [1]

    Raises:
        DomainError: Unless transfer_bytes is > 0 and finite, and the others are whole numbers of
            bytes up to 2**53.

    Notes:
        Valid for random writes that no buffer merges: each rewrites every unit it touches. Garbage
        collection then moves units, and skew counts by units: hot pages scattered over units
        flatten it. Source: [1]_; a write touches 1 + (s' - g)/I units on average.

    Examples:
        4 KiB writes on units of 16 KiB, and 64 KiB writes:

        >>> indirection_factor([4096, 65536], unit_bytes=16384, alignment_bytes=4096).tolist()
        [4.0, 1.1875]
    """
    (size,) = _check.finite(transfer_bytes=transfer_bytes)
    unit, alignment = _check.count(unit_bytes=unit_bytes, alignment_bytes=alignment_bytes)
    for name, value in (("unit_bytes", unit), ("alignment_bytes", alignment)):
        _check.require(np.asarray(value) <= 2**53, name, "<= 2**53", value)
    step = np.gcd(np.asarray(unit, np.int64), np.asarray(alignment, np.int64)).astype(float)
    return _check.plain((unit + step * np.ceil(size / step) - step) / size)


def uncertain_wa(wa: float, *, wa_error_ratio: float) -> float:
    r"""Write amplification with the error of its model, which is one of the copies.

    .. math:: A' = A + (r_a - 1) (A - 1 + 0.03)

    Args:
        wa: Write amplification by a model, A. [1]
        wa_error_ratio: Measured over computed copies per host write, each with 0.03 more, r_a: 1 is
            typical. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless both are > 0.

    Notes:
        Valid for drives that do not compress, whose result is at least 0.97; where data compress to
        less than that, nothing is added. A drive that copies nothing by its model still may, which
        the 0.03 leave room for. Source: definition; errors of
        `data/model_error.csv` are on this scale.

    Examples:
        >>> uncertain_wa(3.0, wa_error_ratio=1.0)
        3.0
    """
    wa, error = _check.positive(wa=wa, wa_error_ratio=wa_error_ratio)
    more = (np.asarray(error) - 1) * np.maximum(np.asarray(wa) - 1 + LEAST_COPIES, 0.0)
    return _check.plain(wa + more)


def coalesced(
    buffered_fraction: float, *, write_shares: ArrayLike, page_shares: ArrayLike
) -> tuple[Floats, Floats]:
    r"""Shares of writes that a write-back buffer absorbs, and the rest for the flash.

    .. math:: \sum_k f_k h_k = \beta, \quad h_k = 1 - e^{-\lambda_k t}, \quad
              r'_k \propto r_k (1 - h_k), \quad \lambda_k = r_k / f_k

    Args:
        buffered_fraction (float): Share of the pages (units) that the buffer holds, beta. [1]
        write_shares (sequence of K): Shares of host writes by class, r. [1]
        page_shares (sequence of K): Shares of valid pages by class, f. [1]

    Returns:
        tuple of arrays, shape (K,): Shares of each class's writes that hit the buffer, h; shares of
            the writes to flash by class, r', 1 in sum. Flash receives 1 - sum r h of the host's
            writes. [1]

    Raises:
        DomainError: Unless 0 < buffered_fraction < the share of pages that are written at all, the
            shares are K numbers, write_shares >= 0 and page_shares > 0.

    Notes:
        Valid for a buffer that evicts the least recently written page, random writes within each
        class, many pages; simulated hits of 0.4371 and 0.0073 against 0.4365 and 0.0071 for 5 % of
        the pages at 90/10. Lifetimes after the buffer are no longer exponential, which formulas
        that take r' neglect. Source: [2]_.

    Examples:
        >>> hits, writes = coalesced(0.05, write_shares=[0.9, 0.1], page_shares=[0.1, 0.9])
        >>> print(hits.round(4), writes.round(3))
        [0.4365 0.0071] [0.836 0.164]
    """
    (buffered,) = _check.finite(buffered_fraction=buffered_fraction)
    rates, pages = _classes(write_shares, page_shares)
    _check.require(np.ndim(buffered) == 0, "buffered_fraction", "one number", buffered)
    most = pages[rates > 0].sum()
    _check.require(buffered < most, "buffered_fraction", f"< {most:g}", buffered)
    age = float(buffered)  # concave and of slope 1 at 0: Newton from the left
    for _ in range(200):
        kept = np.exp(-rates * age)
        step = (buffered - pages @ -np.expm1(-rates * age)) / (pages @ (rates * kept))
        age += float(step)
        if abs(step) <= 1e-15 * age:
            break
    missed = rates * pages * np.exp(-rates * age)
    return np.asarray(-np.expm1(-rates * age)), np.asarray(missed / missed.sum())


def rain_factor(stripe: float) -> float:
    r"""Flash bytes per byte of data under parity across dies.

    .. math:: A = \frac{n}{n - 1}

    Args:
        stripe: Units in a stripe, one of them parity, n. [1]

    Returns:
        Flash bytes per byte of data. [1]

    Raises:
        DomainError: Unless stripe is a whole number >= 2.

    Notes:
        Valid for full stripes with one parity; the flash that is left for data is 1 - 1/n of it,
        which lowers the spare area first. Source: definition.

    Examples:
        >>> rain_factor(16)
        1.0666666666666667
    """
    (stripe,) = _check.count(stripe=stripe)
    _check.require(np.asarray(stripe) >= 2, "stripe", "a whole number >= 2", stripe)
    return stripe / (stripe - 1)


def map_factor(entry_bytes: float, *, unit_bytes: float) -> float:
    r"""Flash bytes per byte of data when every write also logs an entry of the map.

    .. math:: A = 1 + e/I

    Args:
        entry_bytes: Bytes logged for one unit, e. [bytes]
        unit_bytes: Indirection unit of the drive, I. [bytes]

    Returns:
        Flash bytes per byte of data. [1]

    Raises:
        DomainError: Unless entry_bytes is >= 0 and finite and unit_bytes a whole number >= 1.

    Notes:
        Valid for a map in memory whose changes are logged in batches; checkpoints come on top, and
        drives that cache part of the map write more, depending on the workload. Source: definition.

    Examples:
        >>> map_factor(8, unit_bytes=4096)
        1.001953125
    """
    (entry,) = _check.non_negative(entry_bytes=entry_bytes)
    _check.require(np.asarray(entry) < np.inf, "entry_bytes", "finite", entry)
    (unit,) = _check.count(unit_bytes=unit_bytes)
    return 1 + entry / unit


def base_factor(parity_factor: float, *, map_factor: float) -> float:
    r"""Flash bytes per byte of data beside garbage collection: what sequential writes cost.

    .. math:: \beta = A_\mathrm{parity} A_\mathrm{map}

    Args:
        parity_factor: Flash bytes per byte of data under parity across dies. [1]
        map_factor: Flash bytes per byte of data with the log of the map. [1]

    Returns:
        Flash bytes per byte of data. [1]

    Raises:
        DomainError: Unless both are > 0.

    Notes:
        Valid where the map lies under the same parity as the data. Source: definition.

    Examples:
        >>> round(base_factor(1.032, map_factor=1.002), 6)
        1.034064
    """
    parity, mapped = _check.positive(parity_factor=parity_factor, map_factor=map_factor)
    return parity * mapped


def levelling_factor(moved_fraction: float, *, erases_per_move: float) -> float:
    r"""Factor of wear levelling that moves a static block after a number of erases.

    .. math:: A = 1 + v / T

    Args:
        moved_fraction: Valid share of the block that is moved, v. [1]
        erases_per_move: Erases of garbage collection for each move, T. [1]

    Returns:
        Flash bytes per flash byte without levelling. [1]

    Raises:
        DomainError: Unless moved_fraction is in [0, 1] and erases_per_move > 0.

    Notes:
        Valid as an average over many moves. Source: garbage collection programs one block's worth
        of pages for each erase, a move v of a block.

    Examples:
        >>> levelling_factor(1.0, erases_per_move=100)
        1.01
    """
    (moved,) = _check.fraction(moved_fraction=moved_fraction)
    (erases,) = _check.positive(erases_per_move=erases_per_move)
    return 1 + moved / erases


def spread_factor(static_fraction: float, *, spread_cycles: float) -> float:
    r"""Factor of wear levelling that keeps erase counts within a spread.

    .. math:: A = 1 + f_s / \Delta

    Args:
        static_fraction: Share of the blocks that hold static data, f_s. [1]
        spread_cycles: Largest difference of erase counts between blocks, Delta. [1]

    Returns:
        Flash bytes per flash byte without levelling. [1]

    Raises:
        DomainError: Unless static_fraction is in [0, 1] and spread_cycles > 0.

    Notes:
        Valid over a life of many times Delta cycles. Source: every Delta cycles the static blocks
        must be rewritten once to take their part of the wear.

    Examples:
        >>> spread_factor(0.5, spread_cycles=50)
        1.01
    """
    (static,) = _check.fraction(static_fraction=static_fraction)
    (spread,) = _check.positive(spread_cycles=spread_cycles)
    return 1 + static / spread


def background_wa(
    wa: float, *, background_rewrites_per_s: float, user_bytes: float, host_bytes_per_s: float
) -> float:
    r"""Flash bytes per host byte, with background writes.

    .. math:: A_b = A + \frac{n_b U}{\lambda}

    Args:
        wa: Flash bytes that a host byte causes, A. [1]
        background_rewrites_per_s: How often the drive writes its user capacity to its flash by
            itself, n_b. [1/s]
        user_bytes: User capacity, U. [bytes]
        host_bytes_per_s: Host writes to the drive, lambda. [bytes/s]

    Returns:
        Flash bytes per host byte; `wa` alone without host writes, of which nothing is to be
            refreshed. [1]

    Raises:
        DomainError: Unless wa and user_bytes are > 0, background_rewrites_per_s is >= 0 and finite,
            and host_bytes_per_s is >= 0.

    Notes:
        Valid at this rate of host writes, with which the drive's own writes do not rise. It is what
        counters of a drive show (flash bytes over host bytes). Source: count of bytes; the rewrites
        of drives in the field are in docs/evidence/priors.md.

    Examples:
        Three rewrites a year double the wear of a drive of 1 TB that gets 3.3 GB a day at 2.5:

        >>> year = 365 * 86400
        >>> background_wa(2.5, background_rewrites_per_s=3 / year, user_bytes=1e12,
        ...               host_bytes_per_s=1.2e12 / year)
        5.0
    """
    (wa,) = _check.positive(wa=wa)
    (user,) = _check.positive(user_bytes=user_bytes)
    rewrites, host = _check.non_negative(
        background_rewrites_per_s=background_rewrites_per_s, host_bytes_per_s=host_bytes_per_s
    )
    _check.require(np.asarray(rewrites) < np.inf, "background_rewrites_per_s", "finite", rewrites)
    own = rewrites * user / np.where(host > 0, host, np.inf)
    return _check.plain(wa + own)


def folded_wa(
    wa: float, *, absorbed_fraction: float, bits_per_cell: float, relative_wear: float
) -> float:
    r"""Wear per host byte, in native writes, when writes pass through single-level blocks.

    .. math:: A = (1 - h) A_\mathrm{native} + n w

    Args:
        wa: Write amplification of what is folded into native blocks. [1]
        absorbed_fraction: Share of host bytes overwritten or trimmed before folding, h. [1]
        bits_per_cell: Bits in a native cell, n: 3 for TLC, 4 for QLC; a block in single-level mode
            holds 1/n of its bytes. [1]
        relative_wear: Wear of a single-level cycle relative to a native one, w; 0 for a cache in
            blocks of its own, whose wear is counted separately. [1]

    Returns:
        Native flash bytes of equal wear, per host byte. [1]

    Raises:
        DomainError: Unless wa > 0, absorbed_fraction is in [0, 1], bits_per_cell is a whole number
            and relative_wear is >= 0 and finite.

    Notes:
        Valid when all host writes pass through the cache. What the relative wear is, vendors do not
        say. Source: bookkeeping of cycles.

    Examples:
        A tenth absorbed, TLC, a single-level cycle taken to wear a tenth:

        >>> round(folded_wa(2.5, absorbed_fraction=0.1, bits_per_cell=3, relative_wear=0.1), 4)
        2.55
    """
    (wa,) = _check.positive(wa=wa)
    (absorbed,) = _check.fraction(absorbed_fraction=absorbed_fraction)
    (bits,) = _check.count(bits_per_cell=bits_per_cell)
    (wear,) = _check.non_negative(relative_wear=relative_wear)
    _check.require(np.asarray(wear) < np.inf, "relative_wear", "finite", wear)
    return (1 - absorbed) * wa + bits * wear


def compressed_op_ratio(op_ratio: float, *, stored_fraction: float) -> float:
    r"""Spare area counted over the data stored after compression or deduplication.

    .. math:: p_e = \frac{1 + p}{\rho} - 1

    Args:
        op_ratio: Spare bytes per valid user byte, p. [1]
        stored_fraction: Bytes stored per host byte, rho in (0, 1]. [1]

    Returns:
        Spare bytes per stored byte, for any formula of this package; write amplification per host
            byte is rho times theirs. [1]

    Raises:
        DomainError: Unless op_ratio >= 0 and stored_fraction is in (0, 1].

    Notes:
        Valid if all data compresses alike and small stored pieces share pages. Source: definition.

    Examples:
        >>> compressed_op_ratio(0.25, stored_fraction=0.5)
        1.5
    """
    (op_ratio,) = _check.non_negative(op_ratio=op_ratio)
    (stored,) = _check.share(stored_fraction=stored_fraction)
    return (op_ratio + (1 - stored)) / stored


def data_flash_bytes(
    raw_bytes: float, *, parity_factor: float, static_cache_bytes: float, bits_per_cell: float
) -> float:
    r"""Flash that is left for data and spare area beside parity and a write cache of its own.

    .. math:: T_e = T / A_\mathrm{parity} - k C

    Args:
        raw_bytes: Flash on the board, T. [bytes]
        parity_factor: Flash bytes per byte of data under parity across dies, A_parity; 1 without
            it. [1]
        static_cache_bytes: Single-level bytes that the write cache keeps even when the drive is
            full, C. [bytes]
        bits_per_cell: Bits in a native cell, k: what a byte of the cache takes of native flash. [1]

    Returns:
        Flash for `op_ratio`, at least 0. [bytes]

    Raises:
        DomainError: Unless raw_bytes is > 0 and finite, parity_factor >= 1, static_cache_bytes >= 0
            and finite and bits_per_cell a whole number >= 1.

    Notes:
        Valid for parity in every stripe, and a cache that does not shrink as the drive fills. A
        cache that does (dynamic) takes only what it keeps on the full drive. Source: definition.

    Examples:
        512 GiB of TLC with a parity die in 32 and a cache of 3 GiB:

        >>> data_flash_bytes(512 * 2**30, parity_factor=rain_factor(32),
        ...                  static_cache_bytes=3 * 2**30, bits_per_cell=3) / 2**30
        487.0
    """
    (raw,) = _check.finite(raw_bytes=raw_bytes)
    (parity,) = _check.positive(parity_factor=parity_factor)
    _check.require(np.asarray(parity) >= 1, "parity_factor", ">= 1", parity)
    (cache,) = _check.non_negative(static_cache_bytes=static_cache_bytes)
    _check.require(np.asarray(cache) < np.inf, "static_cache_bytes", "finite", cache)
    (bits,) = _check.count(bits_per_cell=bits_per_cell)
    return _check.plain(np.maximum(raw / parity - bits * cache, 0.0))


def total_wa(
    collection_wa: float, *, unit_factor: float, base_factor: float, stored_fraction: float
) -> float:
    r"""Flash bytes per host byte: garbage collection times everything that is beside it.

    .. math:: A = \rho \, A_\mathrm{unit} \, A_\mathrm{gc} \, \beta

    Args:
        collection_wa: Write amplification of garbage collection, of the stored units, A_gc. [1]
        unit_factor: Bytes of indirection units per host byte, A_unit. [1]
        base_factor: What parity, map and wear levelling write beside each byte, beta. [1]
        stored_fraction: Bytes stored per host byte after compression, rho. [1]

    Returns:
        Flash bytes per host byte; may be below 1 where data compresses. [1]

    Raises:
        DomainError: Unless the first three are > 0 and stored_fraction is in (0, 1].

    Notes:
        Valid if each factor acts on what the one before it writes; what a factor takes of the spare
        area must be in collection_wa. Source: definition.

    Examples:
        Writes of 4 KiB on units of 16 KiB, collected at 2.5, with 3 % of parity:

        >>> total_wa(2.5, unit_factor=4.0, base_factor=1.03, stored_fraction=1.0)
        10.3
    """
    collection, unit, base = _check.positive(
        collection_wa=collection_wa, unit_factor=unit_factor, base_factor=base_factor
    )
    (stored,) = _check.share(stored_fraction=stored_fraction)
    return collection * unit * base * stored

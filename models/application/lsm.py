r"""Log-structured merge trees: bytes at the drive per byte of the application.

References:
    .. [1] "Leveled Compaction" and "Universal Compaction", RocksDB wiki.
    .. [2] facebook/rocksdb issue 637 ("write-amp of ~5" a level in practice, at a ratio of 10).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.application.access import Access, leaving_fraction, unique_pages

Floats = NDArray[np.float64]

REWRITTEN = 0.51
MEMTABLES = 4.0  # of a level 0 at which compaction starts, by default
TRIGGERED = 0.93
FLUSHES = 3000
SPACE_RATIO = 2.0
SIZE_RATIO = 1.01
SKEWED = 1.21  # bytes under skew over those of the flow: mean of four counted trees
LOADED = 0.82  # of the mean over the growing tree, while a load runs
LOAD_STEPS = 64
FLOW_STEPS = 200
CLOSE = 1e-9


def leveled_wa(
    live_bytes: float,
    *,
    trigger_bytes: float,
    base_bytes: float,
    level_ratio: float,
    updated_fraction: float,
    log_factor: float,
) -> float:
    r"""Bytes written per byte put into a tree with leveled compaction.

    .. math:: W = w + u(G/4) + \varphi_1 + \frac{s_0}{G}
              + \sum_{i=1}^{k} \varphi_i \left(1 - \frac{q s_i}{D} + c\,(r_i - 1)\right), \quad
              \varphi_1 = u(G) \left(1 - \frac{q s_0}{D}\right), \quad
              \varphi_{i+1} = \varphi_i \left(1 - \frac{q s_i}{D}\right)

    with :math:`u(x) = 1 - q \left(1 - \frac{D}{x} (1 - e^{-x/D})\right)` what is left of writes to
    one key, :math:`s_0 = \max(D/T^k, 0.93\,G)`, :math:`s_i = D/T^{k-i}` and
    :math:`r_i = \max(1, s_i/s_{i-1})`.

    Args:
        live_bytes: Live data, the last level, D. [bytes]
        trigger_bytes: Level 0 at which compaction starts, G: files of the trigger times bytes of a
            memtable. [bytes]
        base_bytes: Limit of the first level, b; k is the least for which D/T^k is not above it.
            [bytes]
        level_ratio: Size of a level over that of the one above, T. [1]
        updated_fraction: Share of the writes that replace a live key, q. [1]
        log_factor: Log per byte put, w: 1 and 12 bytes a row; 0 without log. [1]

    Returns:
        Bytes at the drive per byte put. [1]

    Raises:
        DomainError: Unless the sizes are > 0 and finite, level_ratio > 1, updated_fraction in [0,
            1] and log_factor >= 0 and finite.

    Notes:
        Valid for keys at random, sizes of levels that follow the last one, files taken by least
        overlap, memtables of G/4, and compaction that keeps up; within 7 % of the bytes counted of
        RocksDB in 16 trees of up to 400 MB, to which c = 0.51 and 0.93 are fitted. A level costs c
        (T - 1) and not T because the files taken lie where the next level is thin; and less comes
        down to each level, because keys that are written again meet in the ones above: a share s/D
        of them, much in small trees and with low ratios. Source: [1]_, counted.

    Examples:
        500 GB with memtables of 64 MiB, 256 MiB and ratio 10; the sum over levels of T would be 43:

        >>> round(leveled_wa(500e9, trigger_bytes=2**28, base_bytes=2**28, level_ratio=10,
        ...                  updated_fraction=1, log_factor=1.03), 1)
        20.5
    """
    live, trigger, base = _check.finite(
        live_bytes=live_bytes, trigger_bytes=trigger_bytes, base_bytes=base_bytes
    )
    (ratio,) = _check.above(1, level_ratio=level_ratio)
    _check.require(np.isfinite(ratio), "level_ratio", "finite", ratio)
    (replaced,) = _check.fraction(updated_fraction=updated_fraction)
    (log,) = _check.from_zero(log_factor=log_factor)
    levels, first = _first_level(live, trigger, base, ratio)
    held = replaced * np.minimum(first / live, 1.0)
    flushed = _distinct(np.asarray(trigger / MEMTABLES / live), replaced)
    arriving = _distinct(np.asarray(trigger / live), replaced)
    written = flushed + arriving * (1 - held) + first / trigger
    below, above = arriving * (1 - held), first
    for level in range(int(np.max(levels)) - 1, -1, -1):
        size, is_there = live / ratio**level, level < levels
        wider = np.maximum(size / above, 1.0) - 1
        left = 1 - replaced * size / live
        written = written + np.where(is_there, below * (left + REWRITTEN * wider), 0.0)
        below, above = np.where(is_there, below * left, below), np.where(is_there, size, above)
    return _check.plain(log + written)


def skewed_wa(
    live_bytes: float,
    *,
    trigger_bytes: float,
    base_bytes: float,
    level_ratio: float,
    access: Access,
    stored_fraction: float = 1.0,
) -> float:
    r"""Bytes written per byte put into a tree with leveled compaction, some keys more than others.

    .. math:: W = z c \left[\frac{U(G/4)}{G/4} + \varphi_0 + \frac{s_0}{G}
              + \sum_{i=1}^{k} \left(\varphi_i + 0.51\,\varphi_{i-1} (r_i - 1)\right)\right],
              \quad \varphi_i = U'(w_i), \quad U(w_i) = C_i

    with U(w) the distinct bytes of w bytes put, C_i those of all levels down to i, z = 1.21 where
    rates differ and 1 where they do not, and s and r as of `leveled_wa`.

    Args:
        live_bytes: Live data before compression, D. [bytes]
        trigger_bytes: Level 0 at which compaction starts, G: files of the trigger times bytes of a
            memtable. [bytes]
        base_bytes: Limit of the first level, b. [bytes]
        level_ratio: Size of a level over that of the one above, T. [1]
        access: Shares of the puts by class of rows, and the rows of each class. [1]
        stored_fraction: Size of tables on the drive after compression, c. [1]

    Returns:
        Bytes at the drive per byte put, without log. [1]

    Raises:
        DomainError: Unless the sizes are > 0 and finite, level_ratio > 1 and stored_fraction in (0,
            1].

    Notes:
        Valid for puts that replace live keys, rows of one size and compaction that keeps up;
        within 4 % of the bytes counted of RocksDB in five trees with Zipf exponents of 0.8 to 1.2,
        four of which set z, and 1.2 % above the fifth. With one class it is `leveled_wa` within
        4 %. Source: a level holds
        the rows last put in a window; those that leave it were not put again in that window.

    Examples:
        200,000 rows of 200 bytes; 4.78 - 1.06 of log were counted:

        >>> from models.application.access import zipf
        >>> rows = zipf(200_000, exponent=0.99, rows_per_page=1, is_scattered=0)
        >>> round(skewed_wa(40e6, trigger_bytes=2**22, base_bytes=2**22, level_ratio=10,
        ...                 access=rows), 2)
        3.57
    """
    live, trigger, base = _check.finite(
        live_bytes=live_bytes, trigger_bytes=trigger_bytes, base_bytes=base_bytes
    )
    (ratio,) = _check.above(1, level_ratio=level_ratio)
    _check.require(np.isfinite(ratio), "level_ratio", "finite", ratio)
    (stored,) = _check.share(stored_fraction=stored_fraction)
    levels, first = _first_level(live * stored, trigger, base, ratio)
    tree = _Flow(access)
    memtable = np.asarray(trigger / MEMTABLES / live)
    held, below = first / (live * stored), tree.leaving(first / (live * stored))
    written = tree.distinct(memtable) / memtable + below + first / trigger
    above = first
    for level in range(int(np.max(levels)) - 1, -1, -1):
        size, is_there = live * stored / ratio**level, level < levels
        held = np.where(is_there, held + ratio ** -float(level), held)
        left = tree.leaving(held) if level else np.zeros_like(held)
        wider = np.maximum(size / above, 1.0) - 1
        written = written + np.where(is_there, left + REWRITTEN * below * wider, 0.0)
        below, above = np.where(is_there, left, below), np.where(is_there, size, above)
    return _check.plain(np.where(tree.is_skewed, SKEWED, 1.0) * stored * written)


def loaded_wa(
    live_bytes: float, *, trigger_bytes: float, base_bytes: float, level_ratio: float
) -> float:
    r"""Bytes written per byte put while a tree is loaded with keys in random order.

    .. math:: W = \frac{0.82}{D} \int_0^D W_0(x)\, dx

    with W_0 that of `leveled_wa` for keys that are new, without log.

    Args:
        live_bytes: Data that is loaded, D. [bytes]
        trigger_bytes: Level 0 at which compaction starts, G. [bytes]
        base_bytes: Limit of the first level, b. [bytes]
        level_ratio: Size of a level over that of the one above, T. [1]

    Returns:
        Bytes at the drive per byte put, without log; keys in order are written once. [1]

    Raises:
        DomainError: Unless the sizes are > 0 and finite and level_ratio > 1.

    Notes:
        Valid for compaction that keeps up; one tree set 0.82, and one whose compaction lagged by
        the end took 0.72. Source: mean over the growing size; counted.

    Examples:
        400,000 rows of 200 bytes; 7.37 - 1.06 of log were counted:

        >>> round(loaded_wa(80e6, trigger_bytes=2**22, base_bytes=2**22, level_ratio=10), 2)
        6.44
    """
    (live,) = _check.finite(live_bytes=live_bytes)
    parts = (np.arange(LOAD_STEPS) + 0.5) / LOAD_STEPS
    tree = {"trigger_bytes": trigger_bytes, "base_bytes": base_bytes, "level_ratio": level_ratio}
    of_part = [
        np.asarray(leveled_wa(live * part, updated_fraction=0, log_factor=0, **tree))
        for part in parts.tolist()
    ]
    return _check.plain(LOADED * np.mean(of_part, axis=0))


def universal_wa(
    live_bytes: float,
    *,
    flush_bytes: float,
    trigger_runs: float,
    log_factor: float,
    rows: float = np.inf,
) -> float:
    r"""Bytes written per byte put into a tree with universal (tiered) compaction.

    .. math:: W = w + \frac{\sum_j (f + m_j)}{\sum_j F}, \quad f = D (1 - e^{-F/D}), \quad
              m = D \left(1 - \prod_i (1 - s_i/D)\right)

    Args:
        live_bytes: Live data, D. [bytes]
        flush_bytes: One memtable, F. [bytes]
        trigger_runs: Sorted runs at which compaction starts, a whole number >= 2. [1]
        log_factor: Log per byte put, w; 0 without log. [1]
        rows: Live keys, n: the distinct keys of a memtable vary with them, the fewer the more. [1]

    Returns:
        Bytes at the drive per byte put. [1]

    Raises:
        DomainError: Unless the sizes are > 0 and finite, trigger_runs is a whole number >= 2,
            log_factor >= 0 and finite and rows >= 1.

    Notes:
        Valid for keys at random, RocksDB's defaults of size_ratio (1 %) and
        max_size_amplification_percent (200 %), and compaction that keeps up; within 4 % of the
        bytes counted in four trees, nothing fitted. A step function of D/F where few runs are
        allowed (10.2 at 103, 15.3 at 104.5 with 4): take a range. Runs are merged flush by flush,
        and the last two thirds of 3,000 flushes counted. Each flush is :math:`1 + z/\sqrt{2 n}`
        times the mean, z normal, from a fixed seed: repeated keys are as good as Poisson, F^2/2D of
        them. In trees of some ten thousand rows this decides which runs have like sizes, and costs
        2 %. Source: rules of [1]_.

    Examples:
        250,000 rows of 418 bytes with memtables of 1 MB; 14.99 and 3.91 were counted:

        >>> wa = universal_wa(104.5e6, flush_bytes=1e6, trigger_runs=[4, 8], log_factor=0)
        >>> wa.round(1).tolist()
        [15.3, 4.0]
    """
    live, flush = _check.finite(live_bytes=live_bytes, flush_bytes=flush_bytes)
    (trigger,) = _check.count(trigger_runs=trigger_runs)
    _check.require(np.asarray(trigger) >= 2, "trigger_runs", "a whole number >= 2", trigger)
    (log,) = _check.from_zero(log_factor=log_factor)
    (keys,) = _check.positive(rows=rows)
    _check.require(np.asarray(keys) >= 1, "rows", ">= 1", keys)
    part, spread = np.asarray(flush / live), 1 / np.sqrt(2 * np.asarray(keys))
    return _check.plain(log + np.vectorize(_merged_wa, otypes=[float])(part, trigger, spread))


def separated_wa(wa: float, *, value_fraction: float, rewritten_fraction: float) -> float:
    r"""Bytes written per byte put where values are kept apart from the tree.

    .. math:: W' = (1 - v)\, W + v \left(1 + \frac{g}{1 - g}\right)

    Args:
        wa: Bytes at the drive per byte put into the tree of keys, W. [1]
        value_fraction: Share of the bytes put that are values kept apart, v. [1]
        rewritten_fraction: Live share of a file of values when it is cleaned, g. [1]

    Returns:
        Bytes at the drive per byte put, without log. [1]

    Raises:
        DomainError: Unless wa is > 0 and finite, value_fraction in [0, 1] and rewritten_fraction in
            [0, 1).

    Notes:
        Valid for values that are written once and moved only by cleaning. Source: each byte cleaned
        makes room for 1 - g of new values. Not counted with a store.

    Examples:
        >>> separated_wa(18, value_fraction=0.75, rewritten_fraction=0.5)
        6.0
    """
    (tree,) = _check.finite(wa=wa)
    values, live = _check.fraction(
        value_fraction=value_fraction, rewritten_fraction=rewritten_fraction
    )
    _check.require(np.asarray(live) < 1, "rewritten_fraction", "in [0, 1)", live)
    return (1 - values) * tree + values / (1 - live)


def _first_level(live: float, trigger: float, base: float, ratio: float) -> tuple[Floats, Floats]:
    """Return the levels below the first one, and the bytes that compaction of level 0 meets."""
    levels = np.maximum(np.ceil(np.log(np.asarray(live / base)) / np.log(ratio) - 1e-12), 0.0)
    return levels, np.maximum(live / ratio**levels, TRIGGERED * trigger)


class _Flow:
    """Distinct rows among those put, and what leaves a tree that holds some, in its live data."""

    def __init__(self, access: Access) -> None:
        self.access = access
        shares, rows = access
        self.rows = np.asarray(rows.sum(-1))
        is_class = (shares > 0) & (rows > 0)
        rates = np.divide(shares, rows, out=np.zeros_like(shares), where=is_class)
        least = np.where(is_class, rates, np.inf).min(-1)
        self.is_skewed = rates.max(-1) > (1 + 1e-9) * least

    def distinct(self, put: Floats) -> Floats:
        """Return the part of the live data that puts change, by their part."""
        changes = _check.plain(put * self.rows)
        return np.asarray(unique_pages(changes, access=self.access) / self.rows)

    def leaving(self, held: Floats) -> Floats:
        """Return U' where U is what is held, by Newton from below: U grows ever slower."""
        wanted = np.minimum(np.asarray(held, float), 1.0)
        put = np.zeros_like(wanted)
        for _ in range(FLOW_STEPS):
            missing = np.where(wanted < 1, wanted - self.distinct(put), 0.0)
            if np.all(np.abs(missing) < CLOSE):
                break
            put = put + missing / np.maximum(self._slope(put), CLOSE)
        return np.where(wanted < 1, self._slope(put), 0.0)

    def _slope(self, put: Floats) -> Floats:
        return np.asarray(leaving_fraction(_check.plain(put * self.rows), access=self.access))


def _distinct(part: Floats, replaced: float) -> Floats:
    """Return the bytes left of writes that come to a part of the live data, per byte written."""
    return np.asarray(1 - replaced * (1 + np.expm1(-part) / part))


@lru_cache(maxsize=256)
def _merged_wa(part: float, trigger: float, spread: float) -> float:
    """Return the bytes flushed and merged per byte put, sizes in those of the live data."""
    varied = (
        1 + spread * np.random.default_rng(0).standard_normal(FLUSHES)
        if spread
        else np.ones(FLUSHES)
    )
    flushes = (-np.expm1(-part) * np.maximum(varied, 0.0)).tolist()
    runs: list[float] = []  # the newest last
    written = 0.0
    for number, flushed in enumerate(flushes):
        counted = number >= FLUSHES // 3
        runs.append(flushed)
        written += flushed * counted
        while len(runs) >= trigger and (merged := _merged_runs(runs, int(trigger))):
            begin, end = merged
            missed = 1.0
            for run in runs[begin:end]:
                missed *= 1 - run
            runs[begin:end] = [1 - missed]
            written += (1 - missed) * counted
    return written / (part * (FLUSHES - FLUSHES // 3))


def _merged_runs(runs: list[float], trigger: int) -> tuple[int, int] | None:
    """Return the half-open interval of runs that the next compaction merges."""
    if sum(runs[1:]) >= SPACE_RATIO * runs[0]:
        return 0, len(runs)
    for end in range(len(runs), 1, -1):
        begin, total = end - 1, runs[end - 1]
        while begin > 0 and total * SIZE_RATIO >= runs[begin - 1]:
            begin -= 1
            total += runs[begin]
        if end - begin >= 2:
            return begin, end
    begin = trigger - 1
    return (begin, len(runs)) if len(runs) - begin >= 2 else None

r"""Log-structured merge trees: bytes at the drive per byte of the application.

References
----------
.. [1] "Leveled Compaction" and "Universal Compaction", RocksDB wiki.
.. [2] facebook/rocksdb issue 637 ("write-amp of ~5" a level in practice, at a ratio of 10).
"""

from functools import lru_cache

import numpy as np

from models import _check
from models.latency_tail.operations import from_zero

__all__ = ["leveled_wa", "separated_wa", "universal_wa"]

REWRITTEN = 0.40
TRIGGERED = 0.93
FLUSHES = 3000
SPACE_RATIO = 2.0
SIZE_RATIO = 1.01


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

    .. math:: W = w + 2 + \frac{s_0}{G} + (k - 1) + c \sum_{i=1}^{k} (r_i - 1) + (1 - q), \quad
              s_0 = \max(D/T^k,\ 0.93\,G), \quad r_1 = \max(1, D T^{1-k}/s_0), \quad r_i = T

    Parameters
    ----------
    live_bytes : float or array
        Live data, the last level, D. [bytes]
    trigger_bytes : float or array
        Level 0 at which compaction starts, G: files of the trigger times bytes of a memtable.
        [bytes]
    base_bytes : float or array
        Limit of the first level, b; k is the least for which D/T^k is not above it. [bytes]
    level_ratio : float or array
        Size of a level over that of the one above, T. [1]
    updated_fraction : float or array
        Share of the writes that replace a live key, q. [1]
    log_factor : float or array
        Log per byte put, w: 1 and 12 bytes a row; 0 without log. [1]

    Returns
    -------
    float or array
        Bytes at the drive per byte put. [1]

    Raises
    ------
    DomainError
        Unless the sizes are > 0 and finite, level_ratio > 1, updated_fraction in [0, 1] and
        log_factor >= 0 and finite.

    Notes
    -----
    Valid for keys at random, sizes of levels that follow the last one, files taken by least
    overlap, and compaction that keeps up; within 10 % of the bytes counted of RocksDB in eight
    trees, in four of which c = 0.40 and 0.93 are fitted, of up to 400 MB. A level costs c (T - 1)
    and not T because the files taken lie where the next level is thin. Source: [1]_, counted.

    Examples
    --------
    500 GB with memtables of 64 MiB, 256 MiB and ratio 10; the sum over levels of T would be 43:

    >>> round(leveled_wa(500e9, trigger_bytes=2**28, base_bytes=2**28, level_ratio=10,
    ...                  updated_fraction=1, log_factor=1.03), 1)
    18.2
    """
    live, trigger, base = _check.finite(
        live_bytes=live_bytes, trigger_bytes=trigger_bytes, base_bytes=base_bytes
    )
    (ratio,) = _check.above(1, level_ratio=level_ratio)
    _check.require(np.isfinite(ratio), "level_ratio", "finite", ratio)
    (replaced,) = _check.fraction(updated_fraction=updated_fraction)
    (log,) = from_zero(log_factor=log_factor)
    levels = np.maximum(np.ceil(np.log(np.asarray(live / base)) / np.log(ratio) - 1e-12), 0.0)
    lowest = live / ratio**levels
    first = np.maximum(lowest, TRIGGERED * trigger)
    inner = np.maximum(levels - 1, 0.0)
    onto_first = np.where(levels > 0, np.maximum(lowest * ratio / first, 1.0) - 1, 0.0)
    rewritten = REWRITTEN * (onto_first + inner * (ratio - 1))
    return _check.plain(log + 2 + first / trigger + inner + rewritten + 1 - replaced)


def universal_wa(
    live_bytes: float, *, flush_bytes: float, trigger_runs: float, log_factor: float
) -> float:
    r"""Bytes written per byte put into a tree with universal (tiered) compaction.

    .. math:: W = w + \frac{\sum_j (f + m_j)}{\sum_j F}, \quad f = D (1 - e^{-F/D}), \quad
              m = D \left(1 - \prod_i (1 - s_i/D)\right)

    Parameters
    ----------
    live_bytes : float or array
        Live data, D. [bytes]
    flush_bytes : float or array
        One memtable, F. [bytes]
    trigger_runs : float or array
        Sorted runs at which compaction starts, a whole number >= 2. [1]
    log_factor : float or array
        Log per byte put, w; 0 without log. [1]

    Returns
    -------
    float or array
        Bytes at the drive per byte put. [1]

    Raises
    ------
    DomainError
        Unless the sizes are > 0 and finite, trigger_runs is a whole number >= 2 and log_factor >=
        0 and finite.

    Notes
    -----
    Valid for keys at random, RocksDB's defaults of size_ratio (1 %) and
    max_size_amplification_percent (200 %), and compaction that keeps up; within 4 % of the bytes
    counted in four trees, nothing fitted. A step function of D/F where few runs are allowed (10.2
    at 103, 15.3 at 104.5 with 4): take a range. Runs are merged flush by flush, and the last
    two thirds of 3,000 flushes counted. Source: rules of [1]_.

    Examples
    --------
    250,000 rows of 418 bytes with memtables of 1 MB; 14.99 and 3.91 were counted:

    >>> universal_wa(104.5e6, flush_bytes=1e6, trigger_runs=[4, 8], log_factor=0).round(1).tolist()
    [15.3, 4.0]
    """
    live, flush = _check.finite(live_bytes=live_bytes, flush_bytes=flush_bytes)
    (trigger,) = _check.count(trigger_runs=trigger_runs)
    _check.require(np.asarray(trigger) >= 2, "trigger_runs", "a whole number >= 2", trigger)
    (log,) = from_zero(log_factor=log_factor)
    part = np.asarray(flush / live)
    return _check.plain(log + np.vectorize(_merged_wa, otypes=[float])(part, trigger))


def separated_wa(wa: float, *, value_fraction: float, rewritten_fraction: float) -> float:
    r"""Bytes written per byte put where values are kept apart from the tree.

    .. math:: W' = (1 - v)\, W + v \left(1 + \frac{g}{1 - g}\right)

    Parameters
    ----------
    wa : float or array
        Bytes at the drive per byte put into the tree of keys, W. [1]
    value_fraction : float or array
        Share of the bytes put that are values kept apart, v. [1]
    rewritten_fraction : float or array
        Live share of a file of values when it is cleaned, g. [1]

    Returns
    -------
    float or array
        Bytes at the drive per byte put, without log. [1]

    Raises
    ------
    DomainError
        Unless wa is > 0 and finite, value_fraction in [0, 1] and rewritten_fraction in [0, 1).

    Notes
    -----
    Valid for values that are written once and moved only by cleaning. Source: each byte cleaned
    makes room for 1 - g of new values. Not counted with a store.

    Examples
    --------
    >>> separated_wa(18, value_fraction=0.75, rewritten_fraction=0.5)
    6.0
    """
    (tree,) = _check.finite(wa=wa)
    values, live = _check.fraction(
        value_fraction=value_fraction, rewritten_fraction=rewritten_fraction
    )
    _check.require(np.asarray(live) < 1, "rewritten_fraction", "in [0, 1)", live)
    return (1 - values) * tree + values / (1 - live)


@lru_cache(maxsize=256)
def _merged_wa(part: float, trigger: float) -> float:
    """Return the bytes flushed and merged per byte put, sizes in those of the live data."""
    flushed = float(-np.expm1(-part))
    runs: list[float] = []  # the newest last
    written = 0.0
    for number in range(FLUSHES):
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
    """Return which runs are merged next: from the first up to, without, the second."""
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

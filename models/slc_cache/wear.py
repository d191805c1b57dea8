"""Effect of a write cache in single-level flash on wear and on counters.

Dimensionless factors per host byte. Cells that serve as cache wear by their own cycles; where cache
and native data share blocks, `models.write_amplification.folded_wa` counts both in native cycles.
"""

from models import _check
from models.slc_cache.burst import _bounded


def counted_wa(fold_wa: float, *, absorbed_fraction: float) -> float:
    r"""Flash bytes that a drive's counters show per host byte, all of it cached.

    .. math:: A = 1 + (1 - h)\,A_f

    Args:
        fold_wa: Native bytes written per byte that is folded, A_f. [1]
        absorbed_fraction: Share of host bytes overwritten or trimmed before folding, h. [1]

    Returns:
        Bytes programmed in either mode per host byte. [1]

    Raises:
        DomainError: Unless fold_wa > 0 and the share is in [0, 1].

    Notes:
        Valid for counters of flash bytes that do not tell modes apart: a drive that folds
        everything shows 2 where its write amplification is 1. Source: each host byte is programmed
        once in the cache, what is left of it again in native cells.

    Examples:
        >>> counted_wa(1.0, absorbed_fraction=0.0)
        2.0
    """
    (wa,) = _check.positive(fold_wa=fold_wa)
    (absorbed,) = _check.fraction(absorbed_fraction=absorbed_fraction)
    return 1 + (1 - absorbed) * wa


def mixed_wa(cached_wa: float, *, direct_wa: float, cached_fraction: float) -> float:
    r"""Write amplification when only a share of the host's bytes passes the cache.

    .. math:: A = c\,A_c + (1 - c)\,A_d

    Args:
        cached_wa: Per byte that passes the cache, A_c, in whatever measure: wear by
            `models.write_amplification.folded_wa`, bytes by `counted_wa`. [1]
        direct_wa: Per byte that is written past it, A_d, in the same measure. [1]
        cached_fraction: Share of host bytes that passes the cache, c. [1]

    Returns:
        Per host byte. [1]

    Raises:
        DomainError: Unless both factors are > 0 and the share is in [0, 1].

    Notes:
        Valid for any two modes side by side; exact. Source: weighted mean.

    Examples:
        >>> mixed_wa(2.5, direct_wa=1.5, cached_fraction=0.25)
        1.75
    """
    cached, direct = _check.positive(cached_wa=cached_wa, direct_wa=direct_wa)
    (share,) = _check.fraction(cached_fraction=cached_fraction)
    return share * cached + (1 - share) * direct


def cache_cycles(host_bytes: float, *, slc_cache_bytes: float, cached_fraction: float) -> float:
    r"""Cycles that the blocks of a static cache have seen.

    .. math:: N = c\,W / C

    Args:
        host_bytes: Bytes that the host has written, W. [bytes]
        slc_cache_bytes: Size of the cache, C, in single-level bytes. [bytes]
        cached_fraction: Share of host bytes that passed the cache, c. [1]

    Returns:
        Program/erase cycles in single-level mode, mean over the cache. [1]

    Raises:
        DomainError: Unless host_bytes is >= 0 and finite, the cache > 0 and the share in [0, 1].

    Notes:
        Valid for a cache in blocks of its own; to be held against the rating of single-level
        cycles, not that of native ones. Source: definition.

    Examples:
        72 TB through 3 GB:

        >>> cache_cycles(72e12, slc_cache_bytes=3e9, cached_fraction=1.0)
        24000.0
    """
    (written,) = _bounded(host_bytes=host_bytes)
    (cache,) = _check.positive(slc_cache_bytes=slc_cache_bytes)
    (share,) = _check.fraction(cached_fraction=cached_fraction)
    return share * written / cache

"""Endurance: how much a host may write before the flash, or the rating, is used up.

Base units: bytes and seconds. The year is 365 days because rated TBW and DWPD
agree only then [2]_. Wear here is the mean over all blocks.

Rated TBW counts host bytes written *at the vendor's rating workload*; write
amplification at that workload is already included. `effective_tbw_bytes`
converts it to another workload; dividing rated TBW by write amplification
counts it twice.

References:
    .. [1] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013, "Endurance", table
       "Endurance Estimation" and the table below it.
    .. [2] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, specification
       tables: 400 GB x 10 DWPD x 5 years = 7,300 TB.
    .. [3] JEDEC JESD218B, "Solid-State Drive (SSD) Requirements and Endurance Test Method": TBW is
       host writes under the JESD219 workload of the class.
"""

import numpy as np

from models import _check
from models.units import DAY_S


def write_limit_bytes(raw_bytes: float, *, pe_cycles: float, wa: float) -> float:
    r"""Host bytes that wear every cell to its rated cycles.

    .. math:: L = C_\mathrm{raw} \, N_{PE} / A

    Args:
        raw_bytes: Flash on the board, user area and spare together. [bytes]
        pe_cycles: Program/erase cycles that a block is rated for. [1]
        wa: Write amplification, flash bytes per host byte; >= 1 unless the controller compresses.
            [1]

    Returns:
        Host bytes until mean wear reaches the rating. [bytes]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for even wear; uneven wear shortens it. Source: [1]_.

    Examples:
        The 120 GB 840 EVO, 128 GiB of flash at 1129 cycles [1]_, in GiB:

        >>> write_limit_bytes(128 * 2**30, pe_cycles=1129, wa=1.0) / 2**30
        144512.0
    """
    raw_bytes, pe_cycles, wa = _check.positive(raw_bytes=raw_bytes, pe_cycles=pe_cycles, wa=wa)
    return raw_bytes * pe_cycles / wa


def effective_tbw_bytes(rated_bytes: float, *, rating_wa: float, workload_wa: float) -> float:
    r"""Rated TBW converted from the rating workload to another one.

    .. math:: L_w = L_r \, A_r / A_w

    Args:
        rated_bytes: Rated TBW: host bytes at the rating workload. [bytes]
        rating_wa: Write amplification under the rating workload. [1]
        workload_wa: Write amplification under the given workload. [1]

    Returns:
        Host bytes of the other workload that spend the same flash writes. [bytes]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid where the rating is limited by flash writes. Source: rated flash bytes are the same
        under both workloads, L_r A_r = L_w A_w; meaning of TBW after [3]_.

    Examples:
        Rated 600 TB under a workload of WA 1.5 and used under the same one: still 600.

        >>> effective_tbw_bytes(600e12, rating_wa=1.5, workload_wa=1.5) / 1e12
        600.0
    """
    rated_bytes, rating_wa, workload_wa = _check.positive(
        rated_bytes=rated_bytes, rating_wa=rating_wa, workload_wa=workload_wa
    )
    return rated_bytes * (rating_wa / workload_wa)


def uncertain_limit_bytes(wear_limit_bytes: float, *, life_error_ratio: float) -> float:
    r"""Host bytes until flash wear-out, times the error of their formula.

    .. math:: L = r_e L_w

    Args:
        wear_limit_bytes: Host bytes that wear the flash to its rated cycles, L_w. [bytes]
        life_error_ratio: Measured over computed, r_e: 1 is typical. [1]

    Returns:
        Host bytes until mean wear reaches the rated cycles. [bytes]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for drives of whose endurance nothing but the flash tells. Source: definition of the
        error.

    Examples:
        >>> uncertain_limit_bytes(1e15, life_error_ratio=0.5) / 1e12
        500.0
    """
    wear, error = _check.positive(
        wear_limit_bytes=wear_limit_bytes, life_error_ratio=life_error_ratio
    )
    return wear * error


def witnessed_limit_bytes(
    wear_limit_bytes: float,
    *,
    field_limit_bytes: float,
    flash_weight: float,
    witness_ratio: float,
    life_error_ratio: float,
    promised_limit_bytes: float,
) -> float:
    r"""Host bytes until flash wear-out, joined from two estimates: flash and rating.

    .. math:: L = \max\left(r_e\, L_w^{w} (k L_f)^{1-w},\; L_p \max(1, r_e)\right)

    Args:
        wear_limit_bytes: Host bytes that wear the flash to its rated cycles, L_w. [bytes]
        field_limit_bytes: Rated TBW as hosts in the field write, converted to this workload, L_f.
            [bytes]
        flash_weight: Weight of the flash, w in [0, 1]; that of the rating is 1 - w. [1]
        witness_ratio: Bytes until worn in the field over the rating, k, with the middle errors of
            both witnesses in it. [1]
        life_error_ratio: Error of the two together, r_e: 1 is typical. [1]
        promised_limit_bytes: What the rating promises under this workload, L_p >= 0. [bytes]

    Returns:
        Host bytes until mean wear reaches the rated cycles. [bytes]

    Raises:
        DomainError: Unless every argument but flash_weight is > 0, or promised_limit_bytes is 0,
            and flash_weight is in [0, 1].

    Notes:
        Valid for flash: a rating is a promise, so that no drive is expected to bear less than it
        under its own workload or a milder one, and some more where the flash is underrated. Weight,
        k and error come from drives in the field
        whose wear indicators were read, `data/model_error.csv`. Source: mean of logarithms with
        weights by variance, as `models.model_error.joined`.

    Examples:
        Flash for 1,000 TB, rated 600 TB, where such drives are worn out at 2.9 times their ratings:

        >>> limit = witnessed_limit_bytes(1e15, field_limit_bytes=6e14, flash_weight=0.5,
        ...                               witness_ratio=2.9, life_error_ratio=1.0,
        ...                               promised_limit_bytes=6e14)
        >>> round(limit / 1e12)
        1319
    """
    wear, field, ratio, error = _check.positive(
        wear_limit_bytes=wear_limit_bytes, field_limit_bytes=field_limit_bytes,
        witness_ratio=witness_ratio, life_error_ratio=life_error_ratio,
    )  # fmt: skip
    (promised,) = _check.non_negative(promised_limit_bytes=promised_limit_bytes)
    (weight,) = _check.fraction(flash_weight=flash_weight)
    by_rating = np.asarray(ratio) * field
    joined = error * np.asarray(wear) ** weight * by_rating ** (1 - np.asarray(weight))
    return _check.plain(np.maximum(joined, promised * np.maximum(error, 1.0)))


def implied_wa(raw_bytes: float, *, pe_cycles: float, rated_bytes: float) -> float:
    r"""Write amplification at which a rating would use up the flash exactly.

    .. math:: A_r = C_\mathrm{raw} \, N_{PE} / L_r

    Args:
        raw_bytes: Flash on the board. [bytes]
        pe_cycles: Program/erase cycles: rated ones with a rating, spent ones with a count. [1]
        rated_bytes: Rated TBW, or the host bytes written so far. [bytes]

    Returns:
        Flash bytes per host byte; an upper bound for a rating that keeps a margin. [1]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid for even wear. Source: `write_limit_bytes` solved for WA.

    Examples:
        845DC PRO 400 GB, 40,000 cycles and 7,300 TB [2]_:

        >>> round(implied_wa(512 * 2**30, pe_cycles=40_000, rated_bytes=7_300e12), 2)
        3.01
    """
    raw_bytes, pe_cycles, rated_bytes = _check.positive(
        raw_bytes=raw_bytes, pe_cycles=pe_cycles, rated_bytes=rated_bytes
    )
    return raw_bytes * pe_cycles / rated_bytes


def lifetime_s(limit_bytes: float, *, host_bytes_per_s: float) -> float:
    r"""Time until a limit is written at a steady rate.

    .. math:: t = L / \lambda

    Args:
        limit_bytes: Host bytes that may be written. [bytes]
        host_bytes_per_s: Host writes. [bytes/s]

    Returns:
        Time to the limit; inf without writes. [s]

    Raises:
        DomainError: Unless limit_bytes is > 0 and host_bytes_per_s >= 0.

    Notes:
        Valid for a steady rate, others in `models.growth`; exact. Source: [1]_.

    Examples:
        150 TB at 50 GB a day, in days:

        >>> lifetime_s(150e12, host_bytes_per_s=50e9 / DAY_S) / DAY_S
        3000.0
    """
    (limit_bytes,) = _check.positive(limit_bytes=limit_bytes)
    (host_bytes_per_s,) = _check.non_negative(host_bytes_per_s=host_bytes_per_s)
    with np.errstate(divide="ignore"):
        return _check.plain(np.true_divide(limit_bytes, host_bytes_per_s))


def first_limit_bytes(wear_limit_bytes: float, *, rated_limit_bytes: float) -> float:
    r"""Smaller of two write limits: bytes that may be written before the first is reached.

    .. math:: L = \min(L_\mathrm{wear}, L_\mathrm{rated})

    Args:
        wear_limit_bytes: Host bytes until flash wear-out. [bytes]
        rated_limit_bytes: Host bytes until the rating is used up. [bytes]

    Returns:
        Host bytes until the first of the two. [bytes]

    Raises:
        DomainError: Unless both are >= 0; 0 is a limit that is used up.

    Notes:
        Valid for any limits; exact. Source: definition.

    Examples:
        >>> first_limit_bytes(10.8e15, rated_limit_bytes=7.3e15)
        7300000000000000.0
    """
    wear_limit_bytes, rated_limit_bytes = _check.non_negative(
        wear_limit_bytes=wear_limit_bytes, rated_limit_bytes=rated_limit_bytes
    )
    first = np.minimum(wear_limit_bytes, rated_limit_bytes)
    return _check.plain(first)


def used_fraction(host_bytes: float, *, limit_bytes: float) -> float:
    r"""Share of a write limit that is used up.

    .. math:: u = W / L

    Args:
        host_bytes: Host bytes written so far. [bytes]
        limit_bytes: Host bytes that may be written. [bytes]

    Returns:
        Share used; above 1 once the limit is passed. [1]

    Raises:
        DomainError: Unless host_bytes >= 0 and limit_bytes > 0.

    Notes:
        Valid where both count host bytes of like workloads; exact. Source: definition.

    Examples:
        >>> used_fraction(32.04e12, limit_bytes=150e12)
        0.2136
    """
    (host_bytes,) = _check.non_negative(host_bytes=host_bytes)
    (limit_bytes,) = _check.positive(limit_bytes=limit_bytes)
    return host_bytes / limit_bytes


def worn_limit_bytes(host_bytes: float, *, used_fraction: float) -> float:
    r"""Host bytes that wear a drive out, from what wore a share of it.

    .. math:: L = W / u

    Args:
        host_bytes: Host bytes written so far, W. [bytes]
        used_fraction: Share of its rated cycles that the drive says is used, u. [1]

    Returns:
        Host bytes from new until the rated cycles are used. [bytes]

    Raises:
        DomainError: Unless both are > 0.

    Notes:
        Valid where later writes wear the flash as those so far did: write amplification and rated
        cycles, neither of which needs to be known, are inside it. A wear indicator counts whole
        points; ten of them are known to 8 %. Source: definition.

    Examples:
        >>> worn_limit_bytes(51.2e12, used_fraction=0.48) / 1e12
        106.66666666666667
    """
    host_bytes, used_fraction = _check.positive(host_bytes=host_bytes, used_fraction=used_fraction)
    return host_bytes / used_fraction


def left_bytes(limit_bytes: float, *, used_fraction: float) -> float:
    r"""Host bytes that a used drive may still be written.

    .. math:: L' = L \max(1 - u, 0)

    Args:
        limit_bytes: Host bytes that a new one may be written, L. [bytes]
        used_fraction: Share of that limit which is used up, u; above 1 it is passed. [1]

    Returns:
        Host bytes that are left, 0 once the limit is passed. [bytes]

    Raises:
        DomainError: Unless both are >= 0; 0 is a limit that is used up.

    Notes:
        Valid where share and limit count the same; exact. Source: definition.

    Examples:
        >>> left_bytes(150e12, used_fraction=0.25) / 1e12
        112.5
    """
    limit_bytes, used_fraction = _check.non_negative(
        limit_bytes=limit_bytes, used_fraction=used_fraction
    )
    return _check.plain(limit_bytes * np.maximum(1 - used_fraction, 0.0))


def left_s(period_s: float, *, age_s: float) -> float:
    r"""Time that a drive in use has left of a period that began with it.

    .. math:: T' = \max(T - t, 0)

    Args:
        period_s: Period, such as a warranty, T. [s]
        age_s: Time since it began, t. [s]

    Returns:
        Time left, 0 once the period is over. [s]

    Raises:
        DomainError: Unless period_s > 0 and age_s >= 0.

    Notes:
        Valid for any period; exact. Source: definition.

    Examples:
        >>> left_s(5.0, age_s=1.5)
        3.5
    """
    (period_s,) = _check.positive(period_s=period_s)
    (age_s,) = _check.non_negative(age_s=age_s)
    return _check.plain(np.maximum(period_s - age_s, 0.0))


def dwpd(limit_bytes: float, *, user_bytes: float, period_s: float) -> float:
    r"""Full drive writes per day that spend a limit in a period.

    .. math:: D = L / (U \, n_\mathrm{days})

    Args:
        limit_bytes: Host bytes that may be written. [bytes]
        user_bytes: User capacity. [bytes]
        period_s: Period of the rating, most often the warranty. [s]

    Returns:
        Drive writes per day. [1/day]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid with 365-day years in the period; with 365.25 it is 0.07 % lower. Source: [2]_.

    Examples:
        >>> dwpd(7_300e12, user_bytes=400e9, period_s=5 * 365 * DAY_S)
        10.0
    """
    limit_bytes, user_bytes, period_s = _check.positive(
        limit_bytes=limit_bytes, user_bytes=user_bytes, period_s=period_s
    )
    return limit_bytes / user_bytes / (period_s / DAY_S)


def required_dwpd(host_bytes_per_s: float, *, user_bytes: float) -> float:
    r"""Drive writes per day that a workload requires of a drive.

    .. math:: D = \lambda \, \mathrm{day} / U

    Args:
        host_bytes_per_s: Host writes to the drive. [bytes/s]
        user_bytes: User capacity. [bytes]

    Returns:
        Drive writes per day. [1/day]

    Raises:
        DomainError: Unless host_bytes_per_s is >= 0 and user_bytes > 0.

    Notes:
        Valid for any rate; compare it with a rating only at like write amplification. Source:
        definition.

    Examples:
        50 GiB a day on a 250 GB drive; reading GiB as GB would give 0.2:

        >>> round(required_dwpd(50 * 2**30 / DAY_S, user_bytes=250e9), 4)
        0.2147
    """
    (host_bytes_per_s,) = _check.non_negative(host_bytes_per_s=host_bytes_per_s)
    (user_bytes,) = _check.positive(user_bytes=user_bytes)
    return host_bytes_per_s * DAY_S / user_bytes


def tbw_bytes(dwpd: float, *, user_bytes: float, period_s: float) -> float:
    r"""Host bytes that a rating in drive writes per day allows.

    .. math:: L = D \, U \, n_\mathrm{days}

    Args:
        dwpd: Drive writes per day. [1/day]
        user_bytes: User capacity. [bytes]
        period_s: Period of the rating, most often the warranty. [s]

    Returns:
        Rated TBW. [bytes]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid with 365-day years in the period. Source: [2]_.

    Examples:
        >>> tbw_bytes(10, user_bytes=400e9, period_s=5 * 365 * DAY_S) / 1e12
        7300.0
    """
    dwpd, user_bytes, period_s = _check.positive(
        dwpd=dwpd, user_bytes=user_bytes, period_s=period_s
    )
    return dwpd * user_bytes * (period_s / DAY_S)

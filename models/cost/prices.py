"""Cost per byte stored or written, and per operation per second.

Base units: US dollars, bytes and operations per second. Another currency does as well, as long
as every price is in it.
"""

import numpy as np

from models import _check


def total_usd(price_usd: float, *, members: float) -> float:
    r"""Price of all drives of an array.

    .. math:: P_t = n \, P

    Args:
        price_usd: Price of one drive. [USD]
        members: Drives bought, n. [1]

    Returns:
        Price of all of them. [USD]

    Raises:
        DomainError: Unless price_usd > 0 and members is a whole number >= 1.

    Notes:
        Valid without volume discount; exact. Source: definition.

    Examples:
        >>> total_usd(960, members=12)
        11520.0
    """
    (price_usd,) = _check.positive(price_usd=price_usd)
    (members,) = _check.count(members=members)
    return price_usd * members


def usd_per_byte(price_usd: float, *, size_bytes: float) -> float:
    r"""Price per byte of capacity, of usable capacity or of writes.

    .. math:: c = P / C

    Args:
        price_usd: Price of everything bought. [USD]
        size_bytes: What it buys: user bytes, usable bytes, or host bytes until a limit. [bytes]

    Returns:
        Price per byte; inf where nothing is bought. [USD/byte]

    Raises:
        DomainError: Unless price_usd is > 0 and size_bytes >= 0.

    Notes:
        Valid for one currency and date; exact. Source: definition; printed values in K. Vatto,
        "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, "Price Comparison".

    Examples:
        The 845DC PRO 400 GB, printed as $2.4/GB:

        >>> usd_per_byte(960, size_bytes=400e9) * 1e9
        2.4
    """
    (price_usd,) = _check.positive(price_usd=price_usd)
    (size_bytes,) = _check.non_negative(size_bytes=size_bytes)
    with np.errstate(divide="ignore"):
        return _check.plain(np.true_divide(price_usd, size_bytes))


def usd_per_iops(price_usd: float, *, iops: float) -> float:
    r"""Price per operation per second.

    .. math:: c = P / X

    Args:
        price_usd: Price of everything bought. [USD]
        iops: Operations per second that it gives: a budget, or those within a limit of latency.
            [1/s]

    Returns:
        Price per operation per second. [USD/IOPS]

    Raises:
        DomainError: Unless both are > 0.

    Notes:
        Valid for one currency and date; exact. Source: definition.

    Examples:
        >>> round(usd_per_iops(11520, iops=180_000) * 1000, 6)  # per thousand
        64.0
    """
    price_usd, iops = _check.positive(price_usd=price_usd, iops=iops)
    return price_usd / iops


def iops_per_usd(iops: float, *, price_usd: float) -> float:
    r"""Operations per second that a USD buys.

    .. math:: v = X / P

    Args:
        iops: Operations per second. [1/s]
        price_usd: Price of what gives it. [USD]

    Returns:
        As much per USD. [IOPS/USD]

    Raises:
        DomainError: Unless price_usd is > 0 and iops >= 0.

    Notes:
        Valid for one currency and date; exact. Source: definition.

    Examples:
        >>> iops_per_usd(90_000, price_usd=900)
        100.0
    """
    (iops,) = _check.non_negative(iops=iops)
    (price_usd,) = _check.positive(price_usd=price_usd)
    return _check.plain(np.true_divide(iops, price_usd))


def throughput_bytes_per_s_per_usd(throughput_bytes_per_s: float, *, price_usd: float) -> float:
    r"""Throughput that a USD buys.

    .. math:: v = B / P

    Args:
        throughput_bytes_per_s: Throughput. [bytes/s]
        price_usd: Price of what gives it. [USD]

    Returns:
        As much per USD. [bytes/s/USD]

    Raises:
        DomainError: Unless price_usd is > 0 and throughput_bytes_per_s >= 0.

    Notes:
        Valid for one currency and date; exact. Source: definition.

    Examples:
        >>> throughput_bytes_per_s_per_usd(500e6, price_usd=250)
        2000000.0
    """
    (throughput_bytes_per_s,) = _check.non_negative(throughput_bytes_per_s=throughput_bytes_per_s)
    (price_usd,) = _check.positive(price_usd=price_usd)
    return _check.plain(np.true_divide(throughput_bytes_per_s, price_usd))


def written_bytes_per_usd(limit_bytes: float, *, price_usd: float) -> float:
    r"""Host writes within a rating that a USD buys.

    .. math:: v = L / P

    Args:
        limit_bytes: Host bytes that may be written. [bytes]
        price_usd: Price of what gives it. [USD]

    Returns:
        As much per USD. [bytes/USD]

    Raises:
        DomainError: Unless price_usd is > 0 and limit_bytes >= 0.

    Notes:
        Valid for one currency and date; exact. Source: definition.

    Examples:
        >>> written_bytes_per_usd(600e12, price_usd=240)
        2500000000000.0
    """
    (limit_bytes,) = _check.non_negative(limit_bytes=limit_bytes)
    (price_usd,) = _check.positive(price_usd=price_usd)
    return _check.plain(np.true_divide(limit_bytes, price_usd))


def even_written_price_usd(
    price_per_written_byte: float, *, size_bytes: float, members: float
) -> float:
    r"""Price of one drive at which a written byte costs as much as with another drive.

    .. math:: P^* = c L / n

    Args:
        price_per_written_byte: Price per byte written of another drive or array. [USD/byte]
        size_bytes: Host bytes that may be written until a limit, of all drives together. [bytes]
        members: Drives bought, n. [1]

    Returns:
        Price of one drive. [USD]

    Raises:
        DomainError: Unless price_per_written_byte and size_bytes are > 0 and members is a whole
            number >= 1.

    Notes:
        Valid for one currency and date; exact. Source: inverse of `usd_per_byte`.

    Examples:
        A drive of 2400 TB beside one of 7300 TB at 960 USD:

        >>> even = even_written_price_usd(960 / 7300e12, size_bytes=2400e12, members=1)
        >>> print(f"{even:.2f}")
        315.62
    """
    price, size_bytes = _check.positive(
        price_per_written_byte=price_per_written_byte, size_bytes=size_bytes
    )
    (members,) = _check.count(members=members)
    return price * size_bytes / members

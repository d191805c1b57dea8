"""Cost: what a byte costs, kept or written.

Base units: US dollars and bytes.
"""

from models import _check

__all__ = ["total_usd", "usd_per_byte"]


def total_usd(price_usd: float, *, members: float) -> float:
    r"""Price of all drives of an array.

    .. math:: P_t = n \, P

    Parameters
    ----------
    price_usd : float or array
        Price of one drive. [USD]
    members : float or array
        Drives bought, n. [1]

    Returns
    -------
    float or array
        Price of all of them. [USD]

    Raises
    ------
    DomainError
        Unless price_usd > 0 and members is a whole number >= 1.

    Notes
    -----
    Valid without volume discount; exact. Source: definition.

    Examples
    --------
    >>> total_usd(960, members=12)
    11520.0
    """
    (price_usd,) = _check.positive(price_usd=price_usd)
    (members,) = _check.count(members=members)
    return price_usd * members


def usd_per_byte(price_usd: float, *, size_bytes: float) -> float:
    r"""Price per byte of capacity, of usable capacity or of writes.

    .. math:: c = P / C

    Parameters
    ----------
    price_usd : float or array
        Price of everything bought. [USD]
    size_bytes : float or array
        What it buys: user bytes, usable bytes, or host bytes until a limit. [bytes]

    Returns
    -------
    float or array
        Price per byte. [USD/byte]

    Raises
    ------
    DomainError
        Unless both are > 0.

    Notes
    -----
    Valid for one currency and date; exact. Source: definition; printed values in K. Vatto,
    "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, "Price Comparison".

    Examples
    --------
    The 845DC PRO 400 GB, printed as $2.4/GB:

    >>> usd_per_byte(960, size_bytes=400e9) * 1e9
    2.4
    """
    price_usd, size_bytes = _check.positive(price_usd=price_usd, size_bytes=size_bytes)
    return price_usd / size_bytes

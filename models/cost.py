"""Cost: what a byte costs, kept or written.

Base units: US dollars and bytes.
"""

from models import _check

__all__ = ["usd_per_byte"]


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

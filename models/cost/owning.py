"""Cost of ownership of an array: payments at the start and in each year, and their present value.

Base units: US dollars. Another currency does as well, as long as every price is in it. Present
values are those of `models.cost.discounting`.
"""

from models import _check


def capital_usd(price_usd: float, *, members: float, spare_drives: float) -> float:
    r"""Price of all drives that are bought at the start.

    .. math:: P_0 = P (n + s)

    Args:
        price_usd: Price of one drive, P. [USD]
        members: Drives in the array, hot spares among them, n. [1]
        spare_drives: Drives bought with them for the shelf, s. [1]

    Returns:
        Price of all of them. [USD]

    Raises:
        DomainError: Unless price_usd > 0, members is a whole number >= 1 and spare_drives >= 0.

    Notes:
        Valid without volume discount; exact. Source: definition.

    Examples:
        >>> capital_usd(960, members=12, spare_drives=1)
        12480.0
    """
    (price_usd,) = _check.positive(price_usd=price_usd)
    (members,) = _check.count(members=members)
    (spare_drives,) = _check.non_negative(spare_drives=spare_drives)
    return price_usd * (members + spare_drives)


def slots_usd(slot_usd_per_year: float, *, members: float, year_part: float) -> float:
    r"""Price of the slots of an array in a year or part of one.

    .. math:: C = c \, n \, p

    Args:
        slot_usd_per_year: Price of a drive's slot per year, c. [USD/year]
        members: Drives in the array, n. [1]
        year_part: Share of a year, p. [1]

    Returns:
        Price of all slots. [USD]

    Raises:
        DomainError: Unless slot_usd_per_year is >= 0, members a whole number >= 1 and year_part in
            [0, 1].

    Notes:
        Valid for a price that time does not change; exact. Source: definition.

    Examples:
        >>> slots_usd(25, members=12, year_part=0.5)
        150.0
    """
    (slot,) = _check.non_negative(slot_usd_per_year=slot_usd_per_year)
    (members,) = _check.count(members=members)
    (part,) = _check.fraction(year_part=year_part)
    return slot * members * part


def residual_usd(capital_usd: float, *, residual_fraction: float) -> float:
    r"""Value of the drives at the end.

    .. math:: R = f P_0

    Args:
        capital_usd: Price of the drives bought at the start, P_0. [USD]
        residual_fraction: Value at the end over that price, f in [0, 1]. [1]

    Returns:
        Value at the end, undiscounted. [USD]

    Raises:
        DomainError: Unless capital_usd is >= 0 and residual_fraction in [0, 1].

    Notes:
        Valid for what a buyer would pay; a worn-out drive is worth nothing. Source: definition.

    Examples:
        >>> residual_usd(11520, residual_fraction=0.1)
        1152.0
    """
    (capital,) = _check.non_negative(capital_usd=capital_usd)
    (share,) = _check.fraction(residual_fraction=residual_fraction)
    return capital * share


def net_present_usd(
    capital_usd: float,
    *,
    energy_present_usd: float,
    slot_present_usd: float,
    labour_present_usd: float,
    drives_present_usd: float,
    residual_present_usd: float,
) -> float:
    r"""Net present cost of owning an array.

    .. math:: \mathrm{NPV} = P_0 + C_e + C_s + C_l + C_d - R

    Args:
        capital_usd: Price of the drives bought at the start. [USD]
        energy_present_usd: Present value of the energy. [USD]
        slot_present_usd: Present value of the slots. [USD]
        labour_present_usd: Present value of the labour. [USD]
        drives_present_usd: Present value of the drives bought for replacements. [USD]
        residual_present_usd: Present value of what the drives are still worth at the end. [USD]

    Returns:
        Net present cost, a cost being positive. [USD]

    Raises:
        DomainError: Unless every part is >= 0.

    Notes:
        Valid for parts discounted at one rate; exact. Source: definition.

    Examples:
        >>> net_present_usd(11520, energy_present_usd=200, slot_present_usd=1200,
        ...                 labour_present_usd=30, drives_present_usd=500, residual_present_usd=0)
        13450.0
    """
    capital, energy, slots, labour, drives, residual = _check.non_negative(
        capital_usd=capital_usd,
        energy_present_usd=energy_present_usd,
        slot_present_usd=slot_present_usd,
        labour_present_usd=labour_present_usd,
        drives_present_usd=drives_present_usd,
        residual_present_usd=residual_present_usd,
    )
    return capital + energy + slots + labour + drives - residual


def priced_present_usd(
    capital_usd: float, *, drives_present_usd: float, residual_present_usd: float
) -> float:
    r"""Part of the net present cost that is proportional to the price of a drive.

    .. math:: P_p = P_0 + C_d - R

    Args:
        capital_usd: Price of the drives bought at the start. [USD]
        drives_present_usd: Present value of the drives bought for replacements. [USD]
        residual_present_usd: Present value of what the drives are still worth at the end. [USD]

    Returns:
        Present value of drives. [USD]

    Raises:
        DomainError: Unless every part is >= 0.

    Notes:
        Valid for the parts of `net_present_usd`; exact. Source: definition.

    Examples:
        >>> priced_present_usd(11520, drives_present_usd=500, residual_present_usd=20)
        12000.0
    """
    capital, drives, residual = _check.non_negative(
        capital_usd=capital_usd,
        drives_present_usd=drives_present_usd,
        residual_present_usd=residual_present_usd,
    )
    return capital + drives - residual

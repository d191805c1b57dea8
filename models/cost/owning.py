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


def places_usd(place_usd_per_year: float, *, places: float, year_part: float) -> float:
    r"""Price of what drives stand in, slots or nodes, in a year or part of one.

    .. math:: C = c \, n \, p

    Args:
        place_usd_per_year: Price of a slot or of a node per year, c. [USD/year]
        places: Slots or nodes, n. [1]
        year_part: Share of a year, p. [1]

    Returns:
        Price of all of them. [USD]

    Raises:
        DomainError: Unless place_usd_per_year is >= 0, places a whole number >= 1 and year_part in
            [0, 1].

    Notes:
        Valid for a price that time does not change; exact. Source: definition.

    Examples:
        >>> places_usd(25, places=12, year_part=0.5)
        150.0
    """
    (price,) = _check.non_negative(place_usd_per_year=place_usd_per_year)
    (places,) = _check.count(places=places)
    (part,) = _check.fraction(year_part=year_part)
    return price * places * part


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


def operating_present_usd(
    energy_present_usd: float,
    *,
    slot_present_usd: float,
    node_present_usd: float,
    labour_present_usd: float,
) -> float:
    r"""Present value of what it costs to run an array.

    .. math:: C_o = C_e + C_s + C_n + C_l

    Args:
        energy_present_usd: Present value of the energy. [USD]
        slot_present_usd: Present value of the slots. [USD]
        node_present_usd: Present value of the nodes without their drives. [USD]
        labour_present_usd: Present value of the labour. [USD]

    Returns:
        Present value of all of them. [USD]

    Raises:
        DomainError: Unless every part is >= 0.

    Notes:
        Valid for parts discounted at one rate; exact. Source: definition.

    Examples:
        >>> operating_present_usd(200, slot_present_usd=1200, node_present_usd=0,
        ...                       labour_present_usd=30)
        1430.0
    """
    energy, slots, nodes, labour = _check.non_negative(
        energy_present_usd=energy_present_usd,
        slot_present_usd=slot_present_usd,
        node_present_usd=node_present_usd,
        labour_present_usd=labour_present_usd,
    )
    return energy + slots + nodes + labour


def net_present_usd(
    capital_usd: float,
    *,
    operating_present_usd: float,
    drives_present_usd: float,
    residual_present_usd: float,
) -> float:
    r"""Net present cost of owning an array.

    .. math:: \mathrm{NPV} = P_0 + C_o + C_d - R

    Args:
        capital_usd: Price of the drives bought at the start. [USD]
        operating_present_usd: Present value of energy, slots, nodes and labour. [USD]
        drives_present_usd: Present value of the drives bought for replacements. [USD]
        residual_present_usd: Present value of what the drives are still worth at the end. [USD]

    Returns:
        Net present cost, a cost being positive. [USD]

    Raises:
        DomainError: Unless every part is >= 0.

    Notes:
        Valid for parts discounted at one rate; exact. Source: definition.

    Examples:
        >>> net_present_usd(11520, operating_present_usd=1430, drives_present_usd=500,
        ...                 residual_present_usd=0)
        13450.0
    """
    capital, operating, drives, residual = _check.non_negative(
        capital_usd=capital_usd,
        operating_present_usd=operating_present_usd,
        drives_present_usd=drives_present_usd,
        residual_present_usd=residual_present_usd,
    )
    return capital + operating + drives - residual


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

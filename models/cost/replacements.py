"""Replacement of the drives of an array: drives to buy and to make, and their cost.

Base units: US dollars; counts on average. Replacements of one slot are those of
`models.failures.closed_form_replacements`.
"""

import numpy as np

from models import _check


def fleet_replacements(slot_replacements: float, *, members: float) -> float:
    r"""Mean number of replacements of all slots of an array.

    .. math:: M_n = n M

    Args:
        slot_replacements: Mean number of replacements of one slot, M. [1]
        members: Drives in the array, n. [1]

    Returns:
        Mean number of replacements. [1]

    Raises:
        DomainError: Unless slot_replacements is >= 0 and members a whole number >= 1.

    Notes:
        Valid for slots that receive the same writes; a hot spare counts as a slot in use. Source:
        linearity of the mean.

    Examples:
        >>> fleet_replacements(0.25, members=12)
        3.0
    """
    (slot,) = _check.non_negative(slot_replacements=slot_replacements)
    (members,) = _check.count(members=members)
    return slot * members


def bought_drives(mean_replacements: float, *, spare_drives: float) -> float:
    r"""Drives to buy for replacements, beyond the spares on the shelf.

    .. math:: B = \max(M - s, 0)

    Args:
        mean_replacements: Drives replaced, M. [1]
        spare_drives: Drives on the shelf at the start, s. [1]

    Returns:
        Drives to buy. [1]

    Raises:
        DomainError: Unless both are >= 0.

    Notes:
        Valid on average, as if chance did not spread the number of replacements: less than the mean
        of what chance asks for beyond the shelf. Source: definition.

    Examples:
        >>> bought_drives(3.5, spare_drives=1)
        2.5
    """
    replaced, spares = _check.non_negative(
        mean_replacements=mean_replacements, spare_drives=spare_drives
    )
    return _check.plain(np.maximum(np.subtract(replaced, spares), 0.0))


def made_drives(members: float, *, spare_drives: float, bought_drives: float) -> float:
    r"""Drives made for an array over the horizon.

    .. math:: n_m = n + s + B

    Args:
        members: Drives in the array, n. [1]
        spare_drives: Drives bought with them for the shelf, s. [1]
        bought_drives: Drives bought for replacements, B. [1]

    Returns:
        Drives. [1]

    Raises:
        DomainError: Unless members is a whole number >= 1 and the others are >= 0.

    Notes:
        Valid for drives that are not used again elsewhere. Source: sum.

    Examples:
        >>> made_drives(12, spare_drives=1, bought_drives=2.5)
        15.5
    """
    (members,) = _check.count(members=members)
    spares, bought = _check.non_negative(spare_drives=spare_drives, bought_drives=bought_drives)
    return members + spares + bought


def drives_usd(price_usd: float, *, drives: float) -> float:
    r"""Price of drives bought later, for replacements.

    .. math:: C = P \, n

    Args:
        price_usd: Price of one drive, P. [USD]
        drives: Drives bought, on average, n. [1]

    Returns:
        Price of them. [USD]

    Raises:
        DomainError: Unless price_usd > 0 and drives is >= 0.

    Notes:
        Valid at today's price; exact. Source: definition.

    Examples:
        >>> drives_usd(960, drives=2.5)
        2400.0
    """
    (price_usd,) = _check.positive(price_usd=price_usd)
    (drives,) = _check.non_negative(drives=drives)
    return price_usd * drives


def labour_total_usd(labour_usd: float, *, mean_replacements: float) -> float:
    r"""Price of the labour of replacements.

    .. math:: C = c \, M

    Args:
        labour_usd: Labour of one replacement, c. [USD]
        mean_replacements: Drives replaced, on average, M. [1]

    Returns:
        Price of it. [USD]

    Raises:
        DomainError: Unless both are >= 0.

    Notes:
        Valid for replacements one at a time; exact. Source: definition.

    Examples:
        >>> labour_total_usd(50, mean_replacements=3.5)
        175.0
    """
    labour, replaced = _check.non_negative(
        labour_usd=labour_usd, mean_replacements=mean_replacements
    )
    return labour * replaced

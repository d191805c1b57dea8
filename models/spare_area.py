"""Spare area: flash beyond the user capacity, in three definitions.

Base units: bytes. Three definitions are in use and give 37.4 %, 27.2 % and
28 % for one drive (400 GB user, 512 GiB flash); they have different names here:

- `op_ratio` = raw / user - 1: over-provisioning of the literature;
- `spare_fraction` = 1 - user / raw: the "spare area" of reviews [1]_;
- `op_nominal` = nominal GB / nominal GB - 1: the "over-provisioning" of data
  sheets, which reads 512 GiB as 512 and 400 GB as 400 [2]_.

References:
    .. [1] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013, "Inside the Drives &
       Spare Area".
    .. [2] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, "Samsung SSD 845DC
       PRO".
"""

import numpy as np

from models import _check
from models.units import GB, GIB


def op_ratio(raw_bytes: float, *, user_bytes: float) -> float:
    r"""Over-provisioning as the literature counts it: spare over user.

    .. math:: p = T/U - 1

    Args:
        raw_bytes: Flash on the board, T. [bytes]
        user_bytes: User capacity, U <= T. [bytes]

    Returns:
        Spare bytes per user byte; may exceed 1. [1]

    Raises:
        DomainError: Unless both are > 0 and finite and raw_bytes >= user_bytes.

    Notes:
        Valid for any size; exact. Blocks that the controller keeps for itself (map, bad blocks,
        parity) must be subtracted from raw_bytes first. Source: definition.

    Examples:
        >>> round(op_ratio(512 * 2**30, user_bytes=400e9), 4)
        0.3744
    """
    raw_bytes, user_bytes = _sizes(raw_bytes, user_bytes)
    return (raw_bytes - user_bytes) / user_bytes


def spare_fraction(raw_bytes: float, *, user_bytes: float) -> float:
    r"""Spare area as reviews count it: spare over raw.

    .. math:: S_f = 1 - U/T

    Args:
        raw_bytes: Flash on the board, T. [bytes]
        user_bytes: User capacity, U <= T. [bytes]

    Returns:
        Share of the flash that is spare, in [0, 1). [1]

    Raises:
        DomainError: Unless both are > 0 and finite and raw_bytes >= user_bytes.

    Notes:
        Valid for any size; exact. Source: [1]_, row "Spare Area".

    Examples:
        The 120 GB 840 EVO with 128 GiB of flash, printed as 12.7 % [1]_:

        >>> round(spare_fraction(128 * 2**30, user_bytes=120e9), 4)
        0.1269
    """
    raw_bytes, user_bytes = _sizes(raw_bytes, user_bytes)
    return (raw_bytes - user_bytes) / raw_bytes


def op_nominal(raw_bytes: float, *, user_bytes: float) -> float:
    r"""Over-provisioning as data sheets count it: GiB of flash read as GB.

    .. math:: p_n = \frac{T / \mathrm{GiB}}{U / \mathrm{GB}} - 1

    Args:
        raw_bytes: Flash on the board, T. [bytes]
        user_bytes: User capacity, U <= T. [bytes]

    Returns:
        Nominal over-provisioning; 0 for 256 GiB sold as 256 GB. [1]

    Raises:
        DomainError: Unless both are > 0 and finite and raw_bytes >= user_bytes.

    Notes:
        Valid for any size; understates the spare area by 7.4 % of the user capacity. Source: [2]_.

    Examples:
        The 400 GB 845DC PRO, printed as 28 % [2]_:

        >>> round(op_nominal(512 * 2**30, user_bytes=400e9), 6)
        0.28
    """
    raw_bytes, user_bytes = _sizes(raw_bytes, user_bytes)
    return (raw_bytes / GIB) / (user_bytes / GB) - 1


def op_ratio_from_spare_fraction(spare_fraction: float) -> float:
    r"""Convert spare over raw into spare over user.

    .. math:: p = S_f / (1 - S_f)

    Args:
        spare_fraction: Share of the flash that is spare, in [0, 1). [1]

    Returns:
        Spare bytes per user byte. [1]

    Raises:
        DomainError: Unless the fraction is in [0, 1).

    Notes:
        Valid on all of [0, 1); exact. Source: definitions.

    Examples:
        "28 %" meant as spare over raw is far more than 28 % over user:

        >>> round(op_ratio_from_spare_fraction(0.28), 4)
        0.3889
    """
    (fraction,) = _check.non_negative(spare_fraction=spare_fraction)
    _check.require(fraction < 1, "spare_fraction", "in [0, 1)", fraction)
    return fraction / (1 - fraction)


def spare_fraction_from_op_ratio(op_ratio: float) -> float:
    r"""Convert spare over user into spare over raw.

    .. math:: S_f = p / (1 + p)

    Args:
        op_ratio: Spare bytes per user byte. [1]

    Returns:
        Share of the flash that is spare. [1]

    Raises:
        DomainError: Unless the ratio is >= 0 and finite.

    Notes:
        Valid for any ratio; exact. Source: definitions.

    Examples:
        >>> spare_fraction_from_op_ratio(1.0)
        0.5
    """
    (op_ratio,) = _check.non_negative(op_ratio=op_ratio)
    _check.require(op_ratio < np.inf, "op_ratio", ">= 0 and finite", op_ratio)
    return op_ratio / (1 + op_ratio)


def op_ratio_from_op_nominal(op_nominal: float) -> float:
    r"""Convert a data sheet's nominal over-provisioning into spare over user.

    .. math:: p = (1 + p_n) \, \mathrm{GiB} / \mathrm{GB} - 1

    Args:
        op_nominal: Nominal GB of flash over nominal GB of user capacity, less 1. [1]

    Returns:
        Spare bytes per user byte. [1]

    Raises:
        DomainError: Unless op_nominal >= GB/GiB - 1 (-0.0687), where there is no spare at all.

    Notes:
        Valid where flash was counted in GiB and user capacity in GB; exact. Source: definitions.

    Examples:
        >>> round(op_ratio_from_op_nominal(0.28), 4)
        0.3744
    """
    (op_nominal,) = _check.above(-1, op_nominal=op_nominal)
    _check.require(op_nominal >= GB / GIB - 1, "op_nominal", ">= -0.0687", op_nominal)
    return (1 + op_nominal) * (GIB / GB) - 1


def op_nominal_from_op_ratio(op_ratio: float) -> float:
    r"""Convert spare over user into a data sheet's nominal over-provisioning.

    .. math:: p_n = (1 + p) \, \mathrm{GB} / \mathrm{GiB} - 1

    Args:
        op_ratio: Spare bytes per user byte. [1]

    Returns:
        Nominal over-provisioning. [1]

    Raises:
        DomainError: Unless the ratio is >= 0.

    Notes:
        Valid where flash is counted in GiB and user capacity in GB; exact. Source: definitions.

    Examples:
        128 GiB sold as 128 GB has 7.4 % of spare that the data sheet calls none:

        >>> abs(round(op_nominal_from_op_ratio(0.073741824), 9))
        0.0
    """
    (op_ratio,) = _check.non_negative(op_ratio=op_ratio)
    return (1 + op_ratio) * (GB / GIB) - 1


def effective_op_ratio(op_ratio: float, *, fill_fraction: float) -> float:
    r"""Over-provisioning counted over the valid data.

    .. math:: p_e = (1 + p)/f - 1

    Args:
        op_ratio: Spare bytes per user byte with the drive full. [1]
        fill_fraction: Share of the user capacity that holds valid data; the rest was never written
            or was trimmed. In (0, 1]. [1]

    Returns:
        Spare bytes per valid byte. [1]

    Raises:
        DomainError: Unless op_ratio >= 0 and fill_fraction is in (0, 1].

    Notes:
        Valid where the drive knows what is empty: never written since a secure erase, or trimmed.
        Source: [1]_, "Performance Consistency" (unpartitioned space as spare area).

    Examples:
        >>> round(effective_op_ratio(0.0995, fill_fraction=0.8), 4)
        0.3744
    """
    (op_ratio,) = _check.non_negative(op_ratio=op_ratio)
    (fill_fraction,) = _check.share(fill_fraction=fill_fraction)
    return (op_ratio + (1 - fill_fraction)) / fill_fraction


def partition_bytes(user_bytes: float, *, partition_fraction: float) -> float:
    r"""User capacity that is used when the rest stays empty as spare area.

    .. math:: U_p = f_p \, U

    Args:
        user_bytes: User capacity, U. [bytes]
        partition_fraction: Share of it that is partitioned, in (0, 1]. [1]

    Returns:
        Partitioned capacity. [bytes]

    Raises:
        DomainError: Unless user_bytes > 0 and the share is in (0, 1].

    Notes:
        Valid where the rest was never written or was trimmed. Source: [1]_, "Performance
        Consistency" (a partition smaller than the drive as added spare area).

    Examples:
        >>> partition_bytes(250e9, partition_fraction=0.75) / 1e9
        187.5
    """
    (user_bytes,) = _check.positive(user_bytes=user_bytes)
    (partition_fraction,) = _check.share(partition_fraction=partition_fraction)
    return user_bytes * partition_fraction


def _sizes(raw_bytes: float, user_bytes: float) -> tuple[float, ...]:
    raw_bytes, user_bytes = _check.finite(raw_bytes=raw_bytes, user_bytes=user_bytes)
    _check.require(raw_bytes >= user_bytes, "raw_bytes", ">= user_bytes", raw_bytes)
    return raw_bytes, user_bytes

"""Flash geometry: pages make blocks, dies make packages, packages make a drive.

Base units: bytes and square metres.

References:
    .. [1] A. L. Shimpi, "Samsung SSD 840 EVO Review", AnandTech 7173, 2013, tables "IMFT vs.
       Samsung NAND Comparison" and "Samsung SSD 840 EVO Memory".
"""

import numpy as np

from models import _check


def block_bytes(page_bytes: float, *, pages_per_block: float) -> float:
    r"""Size of an erase block.

    .. math:: B = b \, s

    Args:
        page_bytes: Size of a page. [bytes]
        pages_per_block: Pages in a block. [1]

    Returns:
        Size of a block. [bytes]

    Raises:
        DomainError: Unless page_bytes > 0 and pages_per_block is a whole number >= 1.

    Notes:
        Valid for data bytes, without the pages' spare bytes; exact. Source: [1]_.

    Examples:
        >>> block_bytes(8 * 1024, pages_per_block=256) / 2**20
        2.0
    """
    (page_bytes,) = _check.positive(page_bytes=page_bytes)
    (pages_per_block,) = _check.count(pages_per_block=pages_per_block)
    return page_bytes * pages_per_block


def raw_bytes(die_bytes: float, *, dies_per_package: float, packages: float = 1.0) -> float:
    r"""Flash on the board from its dies.

    .. math:: T = s_\mathrm{die} \, n_\mathrm{dies} \, n_\mathrm{packages}

    Args:
        die_bytes: Capacity of a die. [bytes]
        dies_per_package: Dies in a package. [1]
        packages: Packages on the board. [1]

    Returns:
        Raw capacity. [bytes]

    Raises:
        DomainError: Unless die_bytes > 0 and both counts are whole numbers >= 1.

    Notes:
        Valid for equal packages; exact. Source: [1]_.

    Examples:
        >>> raw_bytes(16 * 2**30, dies_per_package=4, packages=2) / 2**30
        128.0
    """
    (die_bytes,) = _check.positive(die_bytes=die_bytes)
    dies_per_package, packages = _check.count(dies_per_package=dies_per_package, packages=packages)
    return die_bytes * dies_per_package * packages


def bit_density_per_m2(die_bytes: float, *, die_area_m2: float) -> float:
    r"""Bits per square metre of silicon.

    .. math:: d = 8 \, s_\mathrm{die} / a

    Args:
        die_bytes: Capacity of a die. [bytes]
        die_area_m2: Area of a die. [m2]

    Returns:
        Bit density. [1/m2]

    Raises:
        DomainError: Unless both are > 0.

    Notes:
        Valid for any die; exact. Source: [1]_, row "Gbit per mm2".

    Examples:
        A 64 Gbit die of 118 mm2, in Gibit per mm2:

        >>> round(bit_density_per_m2(8 * 2**30, die_area_m2=118e-6) / 2**30 / 1e6, 3)
        0.542
    """
    die_bytes, die_area_m2 = _check.positive(die_bytes=die_bytes, die_area_m2=die_area_m2)
    return 8 * die_bytes / die_area_m2


def dies(raw_bytes: float, *, die_bytes: float) -> float:
    r"""Dies on the board.

    .. math:: D = \lfloor T / s_\mathrm{die} \rfloor

    Args:
        raw_bytes: Flash on the board. [bytes]
        die_bytes: Capacity of one die. [bytes]

    Returns:
        Whole dies. [1]

    Raises:
        DomainError: Unless both are > 0 and finite and raw_bytes >= die_bytes.

    Notes:
        Valid for equal dies; a last one that does not fit is not counted. Source: [1]_.

    Examples:
        512 GiB in dies of 128 Gbit:

        >>> dies(512 * 2**30, die_bytes=16 * 2**30)
        32.0
    """
    raw_bytes, die_bytes = _check.finite(raw_bytes=raw_bytes, die_bytes=die_bytes)
    count = np.asarray(raw_bytes) / die_bytes
    _check.require(count > 1 - 1e-9, "raw_bytes", "at least die_bytes", raw_bytes)
    return _check.plain(np.floor(count + 1e-9))


def host_pages(flash_bytes: float, *, unit_bytes: float) -> float:
    r"""Host-sized pages in a flash page or block.

    .. math:: n = \max(1, \lfloor s / I \rfloor)

    Args:
        flash_bytes: Size of a flash page, of all planes that are programmed together, or of a
            block. [bytes]
        unit_bytes: Unit in which the drive maps addresses, I. [bytes]

    Returns:
        Whole pages, at least 1. [1]

    Raises:
        DomainError: Unless flash_bytes is > 0 and finite and unit_bytes a whole number.

    Notes:
        Valid for units that divide the flash page. Source: bookkeeping.

    Examples:
        >>> host_pages(8192, unit_bytes=4096)
        2.0
    """
    (flash_bytes,) = _check.finite(flash_bytes=flash_bytes)
    (unit_bytes,) = _check.count(unit_bytes=unit_bytes)
    return _check.plain(np.maximum(1.0, np.floor(np.asarray(flash_bytes) / unit_bytes + 1e-9)))

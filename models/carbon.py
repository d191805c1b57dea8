"""Carbon: emissions of making and running drives, in kilograms of CO2 equivalent.

Base units: kilograms, bytes, joules. Published figures for making a TB of flash differ by a factor
of fifty [1]_ [2]_: a single number would claim more than is known, so give a low and a high one.

References:
    .. [1] S. Tannu, P. J. Nair, "The Dirty Secret of SSDs: Embodied Carbon", arXiv 2207.10793,
       2022: 0.16 kg per GB from 94 life-cycle assessments.
    .. [2] Pure Storage, "How Do the Embodied Carbon Dioxide Equivalents of Flash Compare to HDDs?
       Part 1", 2025: 2.91 kg per TB for a Seagate Nytro 3332 of 15 TB; a seller of flash.
"""

from models import _check
from models.units import YEAR_S


def embodied_kg(size_bytes: float, *, drives: float, embodied_kg_per_byte: float) -> float:
    r"""Mass of CO2 equivalent that making drives emits.

    .. math:: M_e = g \, C \, n

    Args:
        size_bytes: User capacity of one drive, C. [bytes]
        drives: Drives made: at the start, for the shelf and for replacements, n. [1]
        embodied_kg_per_byte: Emitted in making a byte, g. [kg/byte]

    Returns:
        Mass of CO2 equivalent. [kg]

    Raises:
        DomainError: Unless size_bytes is > 0 and the others >= 0.

    Notes:
        Valid as roughly as its factor is known: emissions grow nearly in proportion to capacity.
        Source: [1]_.

    Examples:
        A drive of 4 TB at 160 kg per TB:

        >>> print(f"{embodied_kg(4e12, drives=1, embodied_kg_per_byte=160 / 1e12):.0f}")
        640
    """
    (size_bytes,) = _check.positive(size_bytes=size_bytes)
    drives, factor = _check.non_negative(drives=drives, embodied_kg_per_byte=embodied_kg_per_byte)
    return size_bytes * drives * factor


def operational_kg(energy_j: float, *, grid_kg_per_j: float) -> float:
    r"""Mass of CO2 equivalent that running drives emits.

    .. math:: M_o = g \, E

    Args:
        energy_j: Energy drawn by the site, E. [J]
        grid_kg_per_j: Emitted per unit of electricity, g. [kg/J]

    Returns:
        Mass of CO2 equivalent. [kg]

    Raises:
        DomainError: Unless both are >= 0.

    Notes:
        Valid for the mean mix of a grid over the time. Source: definition.

    Examples:
        1000 kWh at 480 g per kWh:

        >>> print(f"{operational_kg(1000 * 3.6e6, grid_kg_per_j=0.48 / 3.6e6):.0f}")
        480
    """
    energy, factor = _check.non_negative(energy_j=energy_j, grid_kg_per_j=grid_kg_per_j)
    return energy * factor


def carbon_kg(embodied_kg: float, *, operational_kg: float) -> float:
    r"""Mass of CO2 equivalent of making and running drives.

    .. math:: M = M_e + M_o

    Args:
        embodied_kg: Emitted in making drives, M_e. [kg]
        operational_kg: Emitted in running them, M_o. [kg]

    Returns:
        Mass of CO2 equivalent. [kg]

    Raises:
        DomainError: Unless both are >= 0.

    Notes:
        Valid for one horizon; transport and disposal are as in the factor of making. Source: sum.

    Examples:
        >>> carbon_kg(640, operational_kg=480)
        1120.0
    """
    made, run = _check.non_negative(embodied_kg=embodied_kg, operational_kg=operational_kg)
    return made + run


def carbon_kg_per_byte_year(carbon_kg: float, *, usable_bytes: float, horizon_s: float) -> float:
    r"""Mass of CO2 equivalent per usable byte and year.

    .. math:: m = \frac{M}{U H / Y}

    Args:
        carbon_kg: Emitted over the horizon, M. [kg]
        usable_bytes: Capacity that is left for data, U. [bytes]
        horizon_s: Horizon, H. [s]

    Returns:
        Mass of CO2 equivalent per byte and year. [kg/(byte year)]

    Raises:
        DomainError: Unless carbon_kg is >= 0 and the others > 0.

    Notes:
        Valid where the drives are of no use after the horizon. Source: definition.

    Examples:
        >>> per_byte = carbon_kg_per_byte_year(1120, usable_bytes=4e12, horizon_s=5 * YEAR_S)
        >>> print(f"{per_byte * 1e12:.0f}")
        56
    """
    (carbon,) = _check.non_negative(carbon_kg=carbon_kg)
    usable, horizon = _check.positive(usable_bytes=usable_bytes, horizon_s=horizon_s)
    return carbon / (usable * (horizon / YEAR_S))

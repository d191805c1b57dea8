"""Wear levelling: loss of rated cycles by uneven wear.

Dimensionless, and bytes. Rated cycles hold for every block, and the block with the most erases
reaches them first. The efficiency of wear levelling is the mean number of erases over that of this
block; several vendors report both counters.

References:
    .. [1] Micron RealSSD C400 data sheet, "Endurance": total bytes written follow from the cycles
       of the flash, write amplification and the wear-levelling efficiency of the drive.
    .. [2] K. Vatto, "Micron M500DC Review", AnandTech 7947, 2014, "Endurance Ratings: How They Are
       Calculated": capacity, cycles, wear-levelling factor and write amplification factor.
    .. [3] CrystalDiskInfo, issue 178: SMART table of a Kingston drive with attributes "Average
       Erase Count" 0x83 and "Max Erase Count" 0x96.
"""

from models import _check


def levelling_efficiency(mean_cycles: float, *, max_cycles: float) -> float:
    r"""Efficiency of wear levelling from the erase counters of a drive.

    .. math:: \eta = \bar E / E_\mathrm{max}

    Args:
        mean_cycles: Mean number of cycles over the blocks. [1]
        max_cycles: Highest number of cycles of a block. [1]

    Returns:
        Efficiency, at most 1 if the counters are what they are called. [1]

    Raises:
        DomainError: Unless both are > 0.

    Notes:
        Valid from a tenth of the rated cycles on: wear levelling limits the difference, so that a
        young drive looks worse than it ends. Source: definition; as a factor of endurance in [1]_
        and [2]_.

    Examples:
        131 cycles on average and 150 at most [3]_:

        >>> print(f"{levelling_efficiency(0x83, max_cycles=0x96):.3f}")
        0.873
    """
    mean_cycles, max_cycles = _check.positive(mean_cycles=mean_cycles, max_cycles=max_cycles)
    return mean_cycles / max_cycles


def uneven_limit_bytes(
    wear_limit_bytes: float, *, levelling_efficiency: float, placement_ratio: float
) -> float:
    r"""Host bytes until the first block reaches its rated cycles, for another placement.

    .. math:: L = \eta \, L_w / r

    Args:
        wear_limit_bytes: Host bytes that wear the flash if all blocks wear alike, L_w. [bytes]
        levelling_efficiency: Mean cycles over the highest of a block, eta. [1]
        placement_ratio: Write amplification of the given placement over that behind L_w, r. [1]

    Returns:
        Host bytes until the first block meets its rated cycles. [bytes]

    Raises:
        DomainError: Unless wear_limit_bytes >= 0, placement_ratio > 0 and levelling_efficiency is
            in (0, 1].

    Notes:
        Valid while the rating is a minimum that every block meets; blocks that last longer let a
        drive outlive it. Source: [1]_, [2]_: endurance is proportional to the wear-levelling
        efficiency and inverse to write amplification.

    Examples:
        >>> uneven_limit_bytes(8e15, levelling_efficiency=0.9, placement_ratio=0.75) / 1e15
        9.6
    """
    (wear_limit_bytes,) = _check.non_negative(wear_limit_bytes=wear_limit_bytes)
    (placement_ratio,) = _check.positive(placement_ratio=placement_ratio)
    (levelling_efficiency,) = _check.share(levelling_efficiency=levelling_efficiency)
    return wear_limit_bytes * levelling_efficiency / placement_ratio

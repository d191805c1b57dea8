"""Ratings of one drive for several workloads: the endurance that they promise to another one.

References:
    .. [1] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, table "Samsung
       PM853T": 0.3 DWPD under 4 KB random writes and 1.6 DWPD under 64 KB sequential writes.
"""

import numpy as np

from models import _check
from models.errors import DomainError


def rating_between_bytes(
    wa: float,
    *,
    harder_rated_bytes: float,
    harder_wa: float,
    milder_rated_bytes: float,
    milder_wa: float,
) -> float:
    r"""Rated TBW of a workload between the two workloads that a drive is rated for.

    .. math:: \frac{1}{L} = \frac{1 - s}{L_h} + \frac{s}{L_m}, \quad
        s = \frac{A_h - A}{A_h - A_m} \in [0, 1]

    Args:
        wa: Write amplification of the workload, A. [1]
        harder_rated_bytes: Rated TBW of the harder workload, L_h. [bytes]
        harder_wa: Write amplification of the harder workload, A_h. [1]
        milder_rated_bytes: Rated TBW of the milder workload, L_m. [bytes]
        milder_wa: Write amplification of the milder workload, A_m. [1]

    Returns:
        Host bytes until the rating is used up; never below L_h nor above L_m. [bytes]

    Raises:
        DomainError: Unless every argument is > 0, and milder_rated_bytes is at least
            harder_rated_bytes.

    Notes:
        A workload that writes the share s of its bytes as the milder one does and the rest as the
        harder one uses up s/L_m and (1 - s)/L_h of the two ratings per byte, and its write
        amplification is s A_m + (1 - s) A_h: eliminating s gives the equation. Where both ratings
        promise the same flash budget, L_h A_h = L_m A_m, it is that budget over A. Where the
        model finds the harder workload no harder, A_h <= A_m, the harder rating holds. Valid
        between the two ratings; outside them the nearer one holds. Source: damage adds up
        linearly, as flash writes do; ratings as in [1]_.

    Examples:
        A PM853T of 240 GB, half of whose bytes are written in sequence [1]_, in TB:

        >>> both = {"harder_rated_bytes": 78.84e12, "harder_wa": 5.0,
        ...         "milder_rated_bytes": 420.48e12, "milder_wa": 1.0}
        >>> [round(rating_between_bytes(wa, **both) / 1e12, 1) for wa in (6, 5, 3, 1)]
        [78.8, 78.8, 132.8, 420.5]
    """
    wa, harder, harder_wa, milder, milder_wa = _check.positive(
        wa=wa, harder_rated_bytes=harder_rated_bytes, harder_wa=harder_wa,
        milder_rated_bytes=milder_rated_bytes, milder_wa=milder_wa,
    )  # fmt: skip
    if np.any(np.asarray(milder) < harder):
        raise DomainError("milder_rated_bytes must be at least harder_rated_bytes")
    span = np.asarray(harder_wa - milder_wa)
    share = np.clip((harder_wa - wa) / np.where(span > 0, span, np.inf), 0.0, 1.0)
    between = 1 / ((1 - share) / harder + share / milder)
    return _check.plain(np.clip(between, harder, milder))

"""Rate once the write cache is full: what drives with a cache do, by their size and cells.

The dies could program several times as much: moving cached data to native cells and collection
share them with the host. No data sheet prints how, so that a law of drives stands in.

References:
    .. [1] Rates after the cache of 38 client drives of 18 families, as data sheets print and
       reviews measure them: `data/facts.csv`, `folded_write_bytes_per_s`.
"""

import numpy as np

from models import _check
from models.units import MB, TB

_USUAL_BYTES_PER_S = 770 * MB  # of 1 TB
_SIZE_POWER = 0.43
_QLC_RATIO, _QLC_BITS = 0.14, 4


def usual_folded_bytes_per_s(user_bytes: float, *, bits_per_cell: float) -> float:
    r"""Sequential write rate once the cache is full, of a usual client drive.

    .. math:: B_f = 770\,\mathrm{MB/s} \left(\frac{U}{1\,\mathrm{TB}}\right)^{0.43}
              \times \begin{cases} 1 & n < 4 \\ 0.14 & n \ge 4 \end{cases}

    Args:
        user_bytes: Capacity that the host sees, U. [bytes]
        bits_per_cell: Bits in a native cell, n. [1]

    Returns:
        Bytes per second. [bytes/s]

    Raises:
        DomainError: Unless user_bytes > 0 and bits_per_cell is a whole number >= 1.

    Notes:
        Valid for client drives of 0.25 to 8 TB launched from 2014 on, within a factor of 2.4 at
        90 %, families left out. Source: least squares of the logarithms, equal weight to each
        family [1]_.

    Examples:
        >>> [round(usual_folded_bytes_per_s(2e12, bits_per_cell=bits) / 1e6) for bits in (3, 4)]
        [1037, 145]
    """
    (user_bytes,) = _check.positive(user_bytes=user_bytes)
    (bits,) = _check.count(bits_per_cell=bits_per_cell)
    of_cells = np.where(np.asarray(bits) >= _QLC_BITS, _QLC_RATIO, 1.0)
    rate = _USUAL_BYTES_PER_S * np.power(np.asarray(user_bytes) / TB, _SIZE_POWER)
    return _check.plain(rate * of_cells)

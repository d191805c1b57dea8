"""Elements of arrays that share some arguments: what is costly is computed once for each group."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray


def alike(*arguments: ArrayLike) -> Iterator[tuple[tuple[float, ...], NDArray[np.intp]]]:
    """Yield each combination of arguments and the places, in flat arrays, that have it.

    >>> [(case, places.tolist()) for case, places in alike([2.0, 1.0, 2.0], 5.0)]
    [((1.0, 5.0), [1]), ((2.0, 5.0), [0, 2])]
    """
    columns = np.stack([np.ravel(part) for part in np.broadcast_arrays(*arguments)])
    order = np.lexsort(columns[::-1])
    ordered = columns[:, order]
    begins = 1 + np.flatnonzero(np.any(ordered[:, 1:] != ordered[:, :-1], axis=0))
    for places in np.split(order, begins):
        if places.size:
            yield tuple(columns[:, places[0]].tolist()), places

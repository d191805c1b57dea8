"""Distinct pages among writes at random, where the number of pages may be an array."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def distinct(pages: ArrayLike, writes: ArrayLike) -> NDArray[np.float64]:
    """Return N (1 - (1 - 1/N)^M), as `dram_cache.unique_pages` of one class does."""
    with np.errstate(divide="ignore"):
        missed = np.log1p(-1 / np.maximum(np.asarray(pages, float), 1.0))
    return np.asarray(-np.maximum(pages, 1.0) * np.expm1(np.asarray(writes) * missed))

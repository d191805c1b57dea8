"""Reads with the error of their model: what measured drives to which nothing was fitted took."""

import numpy as np

from models import _check


def uncertain_read_latency_s(latency_s: float, *, read_error_ratio: float) -> float:
    r"""Quantile of read latency with the error of its model.

    .. math:: R' = r_R R

    Args:
        latency_s: Quantile of read latency by a model, R. [s]
        read_error_ratio: Measured over computed, r_R: 1 is typical. [1]

    Returns:
        Latency; infinite if latency_s is. [s]

    Raises:
        DomainError: Unless both are > 0 and read_error_ratio is finite.

    Notes:
        Valid below saturation, where the errors were found. Source: definition; the errors of
        `data/model_error.csv` are logarithms of this ratio.

    Examples:
        >>> uncertain_read_latency_s(400e-6, read_error_ratio=2.0)
        0.0008
    """
    (latency,) = _check.positive(latency_s=latency_s)
    (error,) = _check.finite(read_error_ratio=read_error_ratio)
    return _check.plain(np.asarray(latency) * error)

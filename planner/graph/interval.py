r"""Intervals of 90 %: from what each uncertain input does alone to where the answer lies.

An answer rests on several uncertain inputs, each of which lies between two ends with 90 %. Moved
alone to one end, with all others at their typical values, an input swings the answer; independent
swings add as variances do. The error of a model itself, as found on drives to which none of its
constants was fitted, is one more swing, whose middle may lie off the computed value.

The swings are taken on a scale on which errors are close to normal: the logarithm of rates, times
and costs, the logarithm of the copies of a write amplification, the logit of a probability.

References:
    .. [1] JCGM 100:2008, "Guide to the expression of uncertainty in measurement", 5.1.2: variances
       of independent inputs add.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.errors import DomainError
from models.write_amplification.factors import LEAST_COPIES

LEVEL = 0.90  # from the 5 % to the 95 % point

_SAME = 1e-12  # of a number: rounding
SLACK = 1e-9  # by which rounding may put a typical answer below the least

Scale = Literal["logarithm", "copies", "logit", "linear"]
Floats = NDArray[np.float64]


class _Maps(NamedTuple):
    """The way onto a scale and back, and between what numbers it is defined."""

    onto: Callable[[Floats], Floats]
    back: Callable[[Floats], Floats]
    least: float
    most: float


_MAPS: dict[str, _Maps] = {
    "logarithm": _Maps(np.log, np.exp, 0.0, np.inf),
    "copies": _Maps(
        lambda wa: np.log(wa - 1 + LEAST_COPIES),
        lambda copies: np.exp(copies) + 1 - LEAST_COPIES,
        1.0 - LEAST_COPIES, np.inf,
    ),
    "logit": _Maps(
        lambda share: np.log(share) - np.log1p(-share),
        lambda odds: 1 / (1 + np.exp(-odds)),
        0.0, 1.0,
    ),
    "linear": _Maps(np.array, np.array, -np.inf, np.inf),
}  # fmt: skip


class JoinedSwings(NamedTuple):
    """Ends of an answer with a probability of 90 %, and the half width due to the models alone.

    `model_half` is on the scale of the answer, and so are `swings`, the larger one of each input.
    """

    low: float
    high: float
    model_half: float
    swings: Floats


def interval(
    typical: ArrayLike,
    *,
    at_low: ArrayLike,
    at_high: ArrayLike,
    is_model: ArrayLike = False,
    scale: Scale = "logarithm",
    least: float = -np.inf,
) -> JoinedSwings:
    r"""Interval of 90 % of an answer, from its values with one input at an end at a time.

    .. math:: g(y_\pm) = g(y) + \sum_m c_m \pm \sqrt{\sum_m h_m^2 + \sum_i s_{i\pm}^2}

    with s the swing of an input to either side, and of a model the middle c and the half width h of
    its two swings.

    Args:
        typical: Answer with every input at its typical value, y. [any]
        at_low: Answer with one input at its 5 % point, along the last axis. [any]
        at_high: Answer with one input at its 95 % point, along the last axis. [any]
        is_model: Whether the input is the error of a model, along the last axis. [1]
        scale: Scale g on which swings add: "logarithm", "copies" (of a write amplification),
            "logit" (of a probability) or "linear". [1]
        least: No answer lies below this, such as 1 for a write amplification; a typical answer that
            does says that it may. [any]

    Returns:
        Low and high end, which hold the typical answer; the half width of the models and the swing
            of each input on the scale. [any]

    Raises:
        DomainError: If the scale is none of the four, or at_low and at_high do not have the same
            number of inputs.

    Notes:
        Valid for independent inputs whose effects multiply on the scale; of two inputs that act
        together beyond that, exact to first order. An end that is unknown (NaN) counts as no swing.
        Answers outside the scale, such as a life without end, lie between the least and the largest
        of all values. Source: [1]_.

    Examples:
        Cycles within a factor of 1.7, write amplification within 2.3 either way: not 3.9 together,
        as both at their worst would give, but 2.7:

        >>> life = interval(5.0, at_low=[5 / 1.7, 5 / 2.3], at_high=[5 * 1.7, 5 * 2.3])
        >>> print(f"{life.low:.2f} to {life.high:.2f}")
        1.86 to 13.42
    """
    if scale not in _MAPS:
        raise DomainError(f"scale must be one of {', '.join(_MAPS)}, got {scale}")
    middle = np.asarray(typical, float)
    ends = np.asarray(at_low, float), np.asarray(at_high, float)
    if ends[0].shape[-1:] != ends[1].shape[-1:]:
        raise DomainError("at_high must have as many inputs as at_low")
    values = [np.where(np.isnan(end), middle[..., None], end) for end in ends]
    every = np.concatenate([middle[..., None], *values], axis=-1)
    smallest, largest = every.min(axis=-1), every.max(axis=-1)
    maps = _MAPS[scale]
    inside = (smallest > maps.least) & (middle < maps.most)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        start = maps.onto(middle)
        moved = np.stack([maps.onto(end) for end in values]) - start[..., None]
        low, high, half = _joined(moved, np.asarray(is_model, bool))
        low, high = (
            np.where(inside, _exact(maps.back(start + moved), every), end)
            for moved, end in ((low, smallest), (high, largest))
        )
    return JoinedSwings(
        low=_check.plain(_no_less(np.minimum(low, middle), middle, least)),
        high=_check.plain(np.maximum(high, middle)),
        model_half=_check.plain(np.where(inside, half, 0.0)),
        swings=np.where(inside[..., None], np.abs(moved).max(axis=0), 0.0),
    )


def _no_less(low: Floats, middle: Floats, least: float) -> Floats:
    """Return low ends that are cut where the typical answer is no less."""
    return np.where(middle >= least - SLACK, np.maximum(low, np.minimum(least, middle)), low)


def _exact(end: Floats, values: Floats) -> Floats:
    """Return an end without the rounding of the scale, where it is one of the values."""
    near = np.isfinite(values) & (np.abs(values - end[..., None]) <= _SAME * np.abs(values))
    return np.where(
        near.any(axis=-1),
        np.take_along_axis(values, near.argmax(axis=-1)[..., None], axis=-1)[..., 0],
        end,
    )


def _joined(moved: Floats, is_model: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """Join swings on the scale: how far down, how far up, and the half width of the models."""
    is_model = np.broadcast_to(is_model, moved.shape[1:])
    half = np.where(is_model, np.abs(moved[1] - moved[0]) / 2, 0.0)
    centre = np.where(is_model, (moved[0] + moved[1]) / 2, 0.0).sum(axis=-1)
    down, up = (
        np.where(is_model, half, np.maximum(0.0, (sign * moved).max(axis=0))) for sign in (-1, 1)
    )
    low, high = (np.sqrt((side**2).sum(axis=-1)) for side in (down, up))
    return centre - low, centre + high, np.sqrt((half**2).sum(axis=-1))

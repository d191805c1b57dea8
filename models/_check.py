"""Domain checks: turn arguments into floats or float arrays, or raise.

Each check takes named values and returns them in the same order as floats or arrays of floats, so
that integer arrays cannot overflow in a formula. NaN is never inside a domain.
"""

from collections.abc import Callable
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from models.errors import DomainError


def positive(**named: float) -> tuple[float, ...]:
    """Return the values if every one is > 0."""
    return _inside(named, lambda value: value > 0, "> 0")


def finite(**named: float) -> tuple[float, ...]:
    """Return the values if every one is > 0 and finite."""
    return _inside(named, lambda value: (value > 0) & (value < np.inf), "> 0 and finite")


def non_negative(**named: float) -> tuple[float, ...]:
    """Return the values if every one is >= 0."""
    return _inside(named, lambda value: value >= 0, ">= 0")


def from_zero(**named: float) -> tuple[float, ...]:
    """Return the values if every one is >= 0 and finite."""
    values = non_negative(**named)
    for name, value in zip(named, values, strict=True):
        require(np.isfinite(value), name, "finite", value)
    return values


def fraction(**named: float) -> tuple[float, ...]:
    """Return the values if every one is in [0, 1]."""
    return _inside(named, lambda value: (value >= 0) & (value <= 1), "in [0, 1]")


def share(**named: float) -> tuple[float, ...]:
    """Return the values if every one is in (0, 1]."""
    return _inside(named, lambda value: (value > 0) & (value <= 1), "in (0, 1]")


def above(bound: float, **named: float) -> tuple[float, ...]:
    """Return the values if every one is > `bound`."""
    return _inside(named, lambda value: value > bound, f"> {bound:g}")


def count(**named: float) -> tuple[float, ...]:
    """Return the values if every one is a whole number >= 1."""
    return _inside(named, lambda value: (value >= 1) & (value % 1 == 0), "a whole number >= 1")


def whole(**named: float) -> tuple[float, ...]:
    """Return the values if every one is a whole number >= 0."""
    non_negative(**named)
    return _inside(named, lambda value: value % 1 == 0, "a whole number >= 0")


def together(**named: float) -> tuple[float, ...]:
    """Return arrays if they broadcast; else refuse the last one for its shape."""
    arrays = [np.asarray(value) for value in named.values()]
    try:
        np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError as error:
        *_, name = named
        raise DomainError(f"{name} must be as many as {', '.join([*named][:-1])}") from error
    return cast("tuple[float, ...]", tuple(arrays))


def plain(value: ArrayLike) -> float:
    """Return a float for a single number, else the array (typed as a float by convention)."""
    array = np.asarray(value)
    return cast("float", array) if array.ndim else float(array)


def require(inside: object, name: str, accepted: str, value: ArrayLike) -> None:
    """Raise `DomainError` unless `inside` is true in every element."""
    if inside is True or inside is np.True_ or np.asarray(inside).all():
        return
    values, holds = np.broadcast_arrays(np.asarray(value), np.asarray(inside))
    wrong = values[~holds]
    raise DomainError(f"{name} must be {accepted}, got {wrong[0]:g}" if wrong.size else
                      f"{name} must be {accepted}, got none")  # fmt: skip


def _inside(
    named: dict[str, float], domain: Callable[[float], object], accepted: str
) -> tuple[float, ...]:
    numbers = [
        value if type(value) is float else _number(name, value) for name, value in named.items()
    ]
    for name, value in zip(named, numbers, strict=True):
        if not (type(value) is float and domain(value)):
            with np.errstate(invalid="ignore"):
                require(domain(value), name, accepted, value)
    return tuple(numbers)


def _number(name: str, value: object) -> float:
    if isinstance(value, float):  # of numpy
        return float(value)
    try:
        array = np.asarray(value)
        number = plain(array.astype(float)) if array.dtype.kind in "biufO" else None
    except (TypeError, ValueError):
        number = None
    if number is None:
        raise DomainError(f"{name} must be a number or an array of them, got {value!r}")
    return number

"""Broadcasting of whole cases: one distribution for each combination of the inputs."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from models.latency_tail.operations import Streams

Floats = NDArray[np.float64]


def by_case(
    solve: Callable[..., Floats], levels: Floats, numbers: tuple[Floats, ...], *groups: Streams
) -> Floats:
    """Call `solve` once per case, with all required levels of that case.

    Numbers and all but the last axis of the streams broadcast to the cases, and these with the
    levels to the result.
    """
    cases = np.broadcast_shapes(
        *(number.shape for number in numbers), *(group.rates.shape[:-1] for group in groups)
    )
    shape = np.broadcast_shapes(levels.shape, cases)
    padded = (1,) * (len(shape) - len(cases)) + cases
    wanted, result = np.broadcast_to(levels, shape), np.empty(shape)
    plain = [np.broadcast_to(number, cases).reshape(padded) for number in numbers]
    split = [_split(group, cases, padded) for group in groups]
    for case in np.ndindex(padded):
        there = tuple(slice(None) if n == 1 else i for i, n in zip(case, padded, strict=True))
        given = (
            (number[case] for number in plain),
            (Streams(*(field[case] for field in group)) for group in split),
        )
        latency = solve(np.ravel(wanted[there]), *map(float, given[0]), *given[1])
        result[there] = latency.reshape(wanted[there].shape)
    return result


def _split(group: Streams, cases: tuple[int, ...], padded: tuple[int, ...]) -> Streams:
    kinds = group.rates.shape[-1:]
    return Streams(*(np.broadcast_to(f, cases + kinds).reshape(padded + kinds) for f in group))

"""Several applications on one drive: their streams, and the flush time that they share."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from models.application import queued_flush_s
from models.errors import DomainError
from planner.application.figures import figure_of
from planner.application.load import DeviceLoad
from planner.application.priors import Floats

BUSIEST = 0.9  # of the time, that flushes of others leave too little of
ROUNDS = 15
TOLERANCE = 1e-4  # of the time of a flush
SMALLEST = 1e-9

LoadAt = Callable[[Any], DeviceLoad]  # the load where a flush takes some times as long


def joined(loads: Mapping[str, LoadAt], flush_s: Any) -> DeviceLoad:
    """Return the load of several applications on one drive.

    A flush takes longer while the drive flushes for others, by which more commits share one.

    >>> from planner.application.load import Stream, one_stream
    >>> one = one_stream(1e6, Stream(name="log", bytes_per_s=2e6, flushes_per_s=100.0))
    >>> both = joined({"a": lambda _: one, "b": lambda _: one}, 1e-3)
    >>> both.device_bytes_per_s, [each.name for each in both.streams]
    (4000000.0, ['a: log', 'b: log'])
    """
    members = shared_loads(loads, flush_s)
    each = members.values()
    spans = [load.span_bytes for load in each]
    return DeviceLoad(
        application_bytes_per_s=sum(load.application_bytes_per_s for load in each),
        file_bytes_per_s=sum(load.file_bytes_per_s for load in each),
        streams=tuple(
            replace(stream, name=f"{name}: {stream.name}")
            for name, load in members.items()
            for stream in load.streams
        ),
        span_bytes=None if any(span is None for span in spans) else sum(spans),
        sizes=_of_one({name: load.sizes for name, load in members.items()}),
        followed={
            f"{name}.{key}": value
            for name, load in members.items()
            for key, value in load.followed.items()
        },
        members=members,
    )


def shared_loads(loads: Mapping[str, LoadAt], flush_s: Any) -> dict[str, DeviceLoad]:
    """Solve for the loads of applications whose flushes wait for each other.

    The time of a flush of one follows from the flushes of the others, and theirs from their time:
    by Newton's method in logarithms, or a part of the way where that brings them no nearer. Each
    draw is solved for itself, all applications of it together: their order does not matter.
    """
    times: Any = [1.0] * len(loads)
    slopes, before, furthest = None, None, np.inf
    for _ in range(ROUNDS):
        found = {name: at(own) for (name, at), own in zip(loads.items(), times, strict=True)}
        own = np.stack(
            np.broadcast_arrays(*(each.flushes_per_s * flush_s for each in found.values()))
        )
        busy = np.maximum(own.sum(0) - own, 0.0)
        point = np.log(np.stack([np.broadcast_to(each, own.shape[1:]) for each in times]))
        error = np.log(queued_flush_s(1.0, busy_fraction=np.minimum(busy, BUSIEST))) - point
        far = np.max(np.abs(error), axis=0)
        if np.max(far) <= TOLERANCE:
            break
        slopes = _slopes(point, own, slopes, before)
        is_regular = far <= furthest / 2
        step = np.where(is_regular, _step(error, own, busy, slopes), error / len(own))
        times = np.exp(np.clip(point + step, 0.0, -np.log(1 - BUSIEST)))
        before, furthest = (point, own), far
    _refuse(busy, [*loads])
    return found


def _slopes(
    point: Floats, own: Floats, held: Floats | None, before: tuple[Floats, Floats] | None
) -> Floats:
    """Return the slope of an application's flushes over their time, in logarithms, from 0 to -1.

    As all commits that wait share a flush, flushes never fall faster than their time rises.
    """
    if before is None or held is None:
        return -(np.minimum(own, 1.0) ** 2)
    moved = point - before[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log(own / before[1]) / moved
    return np.where(np.abs(moved) > SMALLEST, np.clip(np.nan_to_num(found), -1.0, 0.0), held)


def _step(error: Floats, own: Floats, busy: Floats, slopes: Floats) -> Floats:
    """Return the step that all applications of a draw take together."""
    count = len(error)
    moves = np.where(busy < BUSIEST, 1 / np.maximum(1 - busy, 1 - BUSIEST), 0.0)
    of_others = moves[:, None] * (own * slopes)[None, :]  # of the time of one, by that of another
    of_others[np.arange(count), np.arange(count)] = 0.0
    system = np.moveaxis(of_others, (0, 1), (-2, -1)) - np.eye(count)
    found = np.linalg.solve(system, -np.moveaxis(error, 0, -1)[..., None])
    return np.asarray(np.moveaxis(found[..., 0], -1, 0))


def _refuse(busy: Floats, names: list[str]) -> None:
    """Refuse applications whose flushes leave typically too little time to another."""
    for name, own in zip(names, busy, strict=True):
        share = figure_of(own).typical
        if share >= BUSIEST:
            others = " and ".join(each for each in names if each != name)
            taken = f"{100 * share:.0f} %, and below {100 * BUSIEST:.0f} % is accepted"
            raise DomainError(
                f"flush_s must leave {name} time to flush: of {others} flushes take {taken}. Take "
                "a drive with power-loss protection, or let more commits share a flush"
            )


def _of_one(sizes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sizes that exactly one application states."""
    every = [key for own in sizes.values() for key in own]
    return {
        key: value for own in sizes.values() for key, value in own.items() if every.count(key) == 1
    }

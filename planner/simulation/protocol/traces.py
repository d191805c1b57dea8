"""Published traces as a protocol replays them: how much of what, in queues how deep."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from models.errors import DomainError
from planner.quantity.parse import quoted
from planner.scenario.client_workloads import ClientWorkload, load
from planner.simulation.protocol.phases import Action, Phase

DEEPEST = 48  # queue depth to which the tail of a trace is joined
TRACES = {
    "heavy": "anandtech-heavy-2011", "light": "anandtech-light-2011",
    "destroyer": "anandtech-destroyer-2013",
}  # fmt: skip
_LABEL = re.compile(r"(?P<above>> ?)?(?P<first>\d+)(?:-(?P<last>\d+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A trace: operations and bytes of both directions, and shares of the depths 1, 2 and so on."""

    reads: float
    writes: float
    read_bytes: float
    written_bytes: float
    sequential_fraction: float
    depth_shares: tuple[float, ...]

    @property
    def operations(self) -> float:
        """Reads and writes."""
        return self.reads + self.writes

    @property
    def moved_bytes(self) -> float:
        """Bytes of both."""
        return self.read_bytes + self.written_bytes

    def share(self, *, is_read: bool) -> float:
        """Return the share of the operations of one direction."""
        return (self.reads if is_read else self.writes) / self.operations

    def phase(self, *, is_read: bool, is_sequential: bool, depth: float) -> Phase:
        """Return the operations of one direction, of their mean size, as a phase."""
        size = self.read_bytes / self.reads if is_read else self.written_bytes / self.writes
        return Phase(
            action=Action.READ if is_read else Action.WRITE, read_fraction=float(is_read),
            is_sequential=is_sequential, transfer_bytes=size, queue_depth=depth,
        )  # fmt: skip

    def depth_of(self, level: float) -> float:
        """Return the depth that a share of the operations does not exceed.

        >>> trace_of("heavy").depth_of(0.99)
        32.0
        """
        within = np.array(list(accumulate(self.depth_shares)))
        return float(np.searchsorted(within, level - 1e-12) + 1)


def trace_of(name: str) -> Trace:
    """Return a published trace by its short name or its id.

    >>> round(trace_of("light").operations)
    832339
    """
    workloads = load().workloads
    found = workloads.get(TRACES.get(name, name))
    if found is None or found.kind != "trace":
        raise DomainError(f"replay: {quoted(name)} is no trace: {', '.join(TRACES)}")
    numbers = {key: found.value(key) for key in ("reads", "writes", "read_bytes", "written_bytes")}
    known = {key: value for key, value in numbers.items() if value}
    if len(known) < len(numbers):
        raise DomainError(f"replay: of {quoted(name)} not all operations and bytes are published")
    return Trace(
        **known, sequential_fraction=found.value("sequential_fraction") or 0.0,
        depth_shares=_depth_shares(found),
    )  # fmt: skip


def _depth_shares(found: ClientWorkload) -> tuple[float, ...]:
    """Return the shares of each depth: as published by classes, else with a geometric tail."""
    printed, mean = found.shares("depth_share"), found.value("queue_depth") or 1.0
    if len(printed) > 1:
        return _by_class(printed)
    alone = printed.get("1", 1 / mean)
    return depth_shares(alone, mean)


def depth_shares(alone_fraction: float, mean_depth: float) -> tuple[float, ...]:
    """Return shares of the depths from 1 on, beyond it with geometric probabilities.

    These are the ones of `models.request_bursts.depth_quantile`; the deepest joins the tail.

    >>> [round(share, 3) for share in depth_shares(0.59, 4.625)[:3]]
    [0.59, 0.046, 0.041]
    """
    others = 1 - alone_fraction
    further = max((mean_depth - alone_fraction) / others - 1, 1.0) if others else 1.0
    ratio = 1 - 1 / further
    tail = others * (1 - ratio) * ratio ** np.arange(DEEPEST - 1)
    tail[-1] = others - tail[:-1].sum()
    return (alone_fraction, *map(float, tail))


def _by_class(printed: Mapping[str, float]) -> tuple[float, ...]:
    shares = np.zeros(DEEPEST)
    for label, share in printed.items():
        match = _LABEL.fullmatch(label)
        if match is None:
            continue
        first = int(match["first"]) + bool(match["above"])
        last = int(match["last"] or (DEEPEST if match["above"] else first))
        shares[first - 1 : last] += share / (last - first + 1)
    return tuple(shares / shares.sum())

"""The state of a drive between two phases of a protocol, and the result of one phase; columns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from planner.simulation.protocol.phases import Phase
from planner.simulation.protocol.rates import Columns

LEAST_SPARE = 0.005  # spare area below which no course is known


@dataclass(frozen=True, eq=False)
class DriveState:
    """A drive between two phases.

    `fills` random writes went to the span of `span_bytes` since it was last in order, in capacities
    of the span; `rewritten` is what was written in sequence since. `scattered_wa` is the write
    amplification that they left. Columns, but for the share that holds data.
    """

    filled_fraction: float = 0.0
    held_bytes: Columns = 0.0  # in the write cache
    span_bytes: float = 0.0
    was_filled: float = 0.0  # share of the span that held data before its first random write
    fills: Columns = 0.0
    scattered_wa: Columns = 1.0
    rewritten: Columns = 0.0


class Piece(NamedTuple):
    """A phase over its time: ends of its intervals, the bytes moved by then, the cache; columns."""

    seconds: Columns  # (intervals + 1, columns), from 0
    moved_bytes: Columns
    written_bytes: Columns
    flash_bytes: Columns
    held_bytes: Columns  # in the write cache


@dataclass(frozen=True, eq=False)
class PhaseCourse:
    """The result of one phase; columns."""

    phase: Phase
    piece: Piece
    busy_s: Columns
    mean_latency_s: Columns
    trace_latency_s: Mapping[str, Columns] = field(default_factory=dict)

    @property
    def lasts_s(self) -> Columns:
        """Time of the phase, idle time between its bursts included."""
        return self.piece.seconds[-1]

    @property
    def bytes_per_s(self) -> Columns:
        """Mean data rate while the drive is busy."""
        return ratio_of(self.piece.moved_bytes[-1], self.busy_s)

    @property
    def iops(self) -> Columns:
        """Mean operations per second while the drive is busy."""
        return self.bytes_per_s / self.phase.transfer_bytes

    @property
    def rates(self) -> Columns:
        """Data rate in each interval, of those that take time."""
        return ratio_of(
            np.diff(self.piece.moved_bytes, axis=0), np.diff(self.piece.seconds, axis=0)
        )

    @property
    def lowest_bytes_per_s(self) -> Columns:
        """Lowest data rate of the course, while the drive is busy."""
        idle = self.lasts_s / np.where(self.busy_s > 0, self.busy_s, 1.0)
        return np.nanmin(self.rates, axis=0) * np.maximum(idle, 1.0)


def ratio_of(upper: Columns, lower: Columns) -> Columns:
    """Return a ratio, NaN where the divisor is 0.

    >>> ratio_of(np.array([6.0, 1.0]), np.array([3.0, 0.0])).tolist()
    [2.0, nan]
    """
    takes = np.asarray(lower) > 0
    return np.where(takes, upper / np.where(takes, lower, 1.0), np.nan)

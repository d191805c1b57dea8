"""Garbage collection and data placement of a drive; vendors seldom publish them."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from models import _check


class Policy(StrEnum):
    """Victim selection of garbage collection."""

    GREEDY = "greedy"
    FIFO = "fifo"
    RANDOM = "random"
    D_CHOICES = "d-choices"


class Layout(StrEnum):
    """Placement: the data that the drive writes to separate blocks."""

    ONE_LOG = "one-log"
    HOST_GC = "host-gc"
    STREAMS = "streams"


@dataclass(frozen=True, slots=True, kw_only=True)
class Firmware:
    """Garbage-collection policy, placement of writes, and accuracy of stream separation.

    Attributes:
        policy: How garbage collection selects its victim block.
        layout: One log for everything; host writes and garbage-collection copies in separate
            blocks; or a hot and a cold stream marked by the host (multi-stream, flexible data
            placement).
        accuracy: Share of writes that go to the stream of their temperature, in [0.5, 1]. [1]

    Examples:
        >>> Firmware(layout=Layout.STREAMS, accuracy=0.3)
        Traceback (most recent call last):
        models.errors.DomainError: accuracy must be in [0.5, 1], got 0.3
    """

    policy: Policy = Policy.GREEDY
    layout: Layout = Layout.ONE_LOG
    accuracy: float = 1.0

    def __post_init__(self) -> None:
        """Refuse an accuracy outside its range, by name."""
        (accuracy,) = _check.fraction(accuracy=self.accuracy)
        _check.require(np.asarray(accuracy) >= 0.5, "accuracy", "in [0.5, 1]", accuracy)

    @property
    def frontiers(self) -> int:
        """Blocks that are open at the same time (write frontiers)."""
        return 1 if self.layout is Layout.ONE_LOG else 2

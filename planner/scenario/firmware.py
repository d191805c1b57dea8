"""Garbage collection and data placement of a drive; vendors seldom publish them."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from models import _check


class Policy(StrEnum):
    """Victim selection of garbage collection."""

    UNKNOWN = "unknown"
    GREEDY = "greedy"
    FIFO = "fifo"
    RANDOM = "random"
    D_CHOICES = "d-choices"
    COST_BENEFIT = "cost-benefit"


class Layout(StrEnum):
    """Placement: the data that the drive writes to separate blocks."""

    UNKNOWN = "unknown"
    ONE_LOG = "one-log"
    HOST_GC = "host-gc"
    STREAMS = "streams"
    CLASS = "class"
    CLASS_COPIES_TOGETHER = "class-copies-together"
    CLASS_AND_COPIES = "class-and-copies"


BY_CLASS = (Layout.CLASS, Layout.CLASS_COPIES_TOGETHER, Layout.CLASS_AND_COPIES)
MOST_HANDLES = 8  # kinds of data that a host can name: placement handles, streams


@dataclass(frozen=True, slots=True, kw_only=True)
class Firmware:
    """Garbage-collection policy, placement of writes, and accuracy of stream separation.

    Attributes:
        policy: How garbage collection selects its victim block.
        layout: A single write frontier; separate frontiers for host and GC writes; a hot and a cold
            stream with spare area of their own; or blocks for each class of data that the host
            names, where copies return to them (FDP persistently isolated, streams), go to blocks in
            common (FDP initially isolated), or have blocks of their own by class (zones).
        accuracy: Share of writes that go to the stream of their temperature, in [0.5, 1]. [1]

    Examples:
        >>> Firmware(layout=Layout.STREAMS, accuracy=0.3)
        Traceback (most recent call last):
        models.errors.DomainError: accuracy must be in [0.5, 1], got 0.3
    """

    policy: Policy = Policy.UNKNOWN
    layout: Layout = Layout.UNKNOWN
    accuracy: float = 1.0

    def __post_init__(self) -> None:
        """Refuse an accuracy outside its range, by name."""
        (accuracy,) = _check.fraction(accuracy=self.accuracy)
        _check.require(np.asarray(accuracy) >= 0.5, "accuracy", "in [0.5, 1]", accuracy)

    @property
    def assumed_policy(self) -> Policy:
        """Policy of victim selection; greedy where it is unknown."""
        return Policy.GREEDY if self.policy is Policy.UNKNOWN else self.policy

    def frontiers(self, classes: int) -> int:
        """Count the blocks that are open at the same time, under writes of some classes.

        >>> Firmware(layout=Layout.CLASS_COPIES_TOGETHER).frontiers(3)
        4
        """
        handles = min(classes, MOST_HANDLES)
        return {
            Layout.HOST_GC: 2,
            Layout.STREAMS: 2,
            Layout.CLASS: handles,
            Layout.CLASS_COPIES_TOGETHER: handles + 1,
            Layout.CLASS_AND_COPIES: 2 * handles,
        }.get(self.layout, 1)

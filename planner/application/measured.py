"""Comparison of counted values of an application with those of its formulas."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from models.errors import DomainError
from planner.application.answer import Application
from planner.application.figures import Figure
from planner.application.load import DeviceLoad

JOURNAL = "file system"


def _of_layer(name: str) -> Callable[[DeviceLoad], Any]:
    return lambda load: sum(part.bytes_per_s for part in load.streams if part.name == name)


# What a counter stands for in a load, per second.
IN_A_LOAD: Mapping[str, Callable[[DeviceLoad], Any]] = {
    "application_bytes": lambda load: load.application_bytes_per_s,
    "file_bytes": lambda load: load.file_bytes_per_s,
    "data_bytes": lambda load: load.device_bytes_per_s - _of_layer(JOURNAL)(load),
    "device_bytes": lambda load: load.device_bytes_per_s,
    "log_bytes": _of_layer("log"),
    "checkpoint_bytes": _of_layer("checkpoint"),
    "flushes": lambda load: load.flushes_per_s,
}
RATIOS = (
    ("device_bytes", "application_bytes"), ("data_bytes", "file_bytes"),
    ("log_bytes", "application_bytes"), ("log_bytes", "flushes"),
)  # fmt: skip


class MeasuredComparison(NamedTuple):
    """A figure as it was counted, and as the formulas give it."""

    quantity: str
    counted: float
    model: Figure

    @property
    def ratio(self) -> float | None:
        """Counted over the typical figure of the formulas; None where that is 0."""
        return self.counted / self.model.typical if self.model.typical else None


def beside(
    answer: Application, counted: Mapping[str, float], over_s: float | None
) -> tuple[MeasuredComparison, ...]:
    """Compare counters with the model: ratios, and rates where the time is known.

    >>> from planner.application import answer_of
    >>> got = beside(answer_of("video", {"cameras": "1"}), {"device_bytes": 5.5e6}, 10.0)
    >>> [(row.quantity, row.counted, round(row.ratio, 2)) for row in got]
    [('device_bytes_per_s', 550000.0, 1.08)]
    """
    rows = [
        MeasuredComparison(f"{above} / {below}", counted[above] / counted[below],
                   _figure(answer, above, below))
        for above, below in RATIOS
        if counted.get(below) and above in counted
    ]  # fmt: skip
    if over_s:
        rows += [
            MeasuredComparison(f"{name}_per_s", value / over_s, _figure(answer, name))
            for name, value in counted.items()
        ]
    if not rows:
        raise DomainError("over must be the time between the two readings: one counter is no ratio")
    return tuple(rows)


def _figure(answer: Application, above: str, below: str | None = None) -> Figure:
    def of(load: DeviceLoad) -> Any:
        under = np.asarray(1.0 if below is None else IN_A_LOAD[below](load))
        is_there = under > 0
        return np.where(is_there, IN_A_LOAD[above](load) / np.where(is_there, under, 1.0), 0.0)

    return answer.figure(of)

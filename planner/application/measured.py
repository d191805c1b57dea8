"""Counters of an application and their counterparts in its model."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from models.errors import DomainError
from planner.application.answer import Application
from planner.application.figures import Figure
from planner.application.load import DeviceLoad

JOURNAL = "file system"
CYCLE = "cycle_s"  # between checkpoints: of few of them it is not known well
LARGE_CHANGES = 10.0  # per row: a table that is changed more often has few pages


def _without_journal(load: DeviceLoad) -> Any:
    journal = sum(part.bytes_per_s for part in load.streams if part.name == JOURNAL)
    return load.device_bytes_per_s - journal


# What a counter of the system stands for in a load, per second; `DeviceLoad.counters` has those of
# the application itself.
OF_SYSTEM: Mapping[str, Callable[[DeviceLoad], Any]] = {
    "application_bytes": lambda load: load.application_bytes_per_s,
    "file_bytes": lambda load: load.file_bytes_per_s,
    "data_bytes": _without_journal,
    "device_bytes": lambda load: load.device_bytes_per_s,
    "device_flushes": lambda load: load.flushes_per_s,
}
# Counters that are compared per second, in the order of the layers.
RATES = (
    "transactions", "row_changes", "application_bytes", "log_bytes", "images", "flushes", "pages",
    "page_bytes", "copies", "file_bytes", "data_bytes", "device_bytes", "device_flushes",
)  # fmt: skip
# Quantities that are one counter over another, with their names.
MEANS = {
    "commits_per_flush": ("transactions", "flushes"), "flush_s": ("flush_time_s", "flushes"),
}  # fmt: skip
RATIOS = (
    ("device_bytes", "application_bytes"), ("data_bytes", "file_bytes"),
    ("log_bytes", "application_bytes"), ("log_bytes", "flushes"),
)  # fmt: skip


class TableChanges(NamedTuple):
    """Changes of the rows of one table that were counted, and its rows."""

    updates: float
    inserts: float
    deletes: float
    hot_updates: float | None
    rows: float | None

    @property
    def changes(self) -> float:
        """Rows changed; one that replaces another, as in a ring, is one change."""
        return self.updates + max(self.inserts, self.deletes)


def large_tables(tables: Sequence[TableChanges]) -> list[TableChanges]:
    """Return the tables whose updates spread over their pages: all, if none has that many rows.

    >>> small, large = (TableChanges(5e3, 0, 0, 0, rows) for rows in (10, 1e6))
    >>> large_tables([small, large]) == [large]
    True
    """
    large = [each for each in tables if each.updates and each.rows
             and each.changes < LARGE_CHANGES * each.rows]  # fmt: skip
    return large or [each for each in tables if each.updates]


class Counts(NamedTuple):
    """Counters between two readings and the time between them; levels are means."""

    values: Mapping[str, float]
    over_s: float
    levels: Mapping[str, float] = {}
    tables: Sequence[TableChanges] = ()

    def per_s(self, name: str) -> float | None:
        """Return a counter per second, or a level; None for what was not counted.

        >>> Counts({"images": 50.0}, 10.0).per_s("images")
        5.0
        """
        if name in self.levels:
            return self.levels[name]
        return self.values[name] / self.over_s if name in self.values else None

    @property
    def heap_only(self) -> tuple[float, float]:
        """Heap-only updates and all of them, of the large tables where each was counted."""
        large = [each for each in large_tables(self.tables) if each.hot_updates is not None]
        if large:
            return sum(each.hot_updates or 0.0 for each in large), sum(e.updates for e in large)
        hot = self.values.get("hot_updates")
        return (0.0, 0.0) if hot is None else (hot, self.values.get("updates", 0.0))


class MeasuredComparison(NamedTuple):
    """A figure as it was counted, by the model before the fit, and after it."""

    quantity: str
    counted: float
    model: Figure
    fitted: Figure

    @property
    def ratio(self) -> float | None:
        """Counted over the typical figure of the model; None where that is 0."""
        return self.counted / self.model.typical if self.model.typical else None

    @property
    def fitted_ratio(self) -> float | None:
        """Counted over the typical figure of the fitted model; None where that is 0."""
        return self.counted / self.fitted.typical if self.fitted.typical else None


def counter_of(load: DeviceLoad, name: str) -> Any:
    """Return the counterpart of a counter in a load, per second; None where it has none.

    >>> from planner.application import answer_of
    >>> counter_of(answer_of("video", {"cameras": "1"}).typical, "device_bytes")
    509488.16770303994
    """
    if name in load.counters:
        return load.counters[name]
    if name == "flushes" and not load.counters:
        return load.flushes_per_s
    return OF_SYSTEM[name](load) if name in OF_SYSTEM else None


def beside(
    counts: Counts, answer: Application, fitted: Application
) -> tuple[MeasuredComparison, ...]:
    """Compare what was counted with the model before and after its fit.

    >>> from planner.application import answer_of
    >>> video = answer_of("video", {"cameras": "1"})
    >>> got = beside(Counts({"device_bytes": 5.5e6}, 10.0), video, video)
    >>> [(row.quantity, row.counted, round(row.ratio, 2)) for row in got]
    [('device_bytes_per_s', 550000.0, 1.08)]
    """
    asked: list[tuple[str, str, str | None]] = [
        (f"{above} / {below}", above, below) for above, below in RATIOS
    ]
    asked += [(f"{name}_per_s", name, None) for name in RATES]
    asked += [(name, above, below) for name, (above, below) in MEANS.items()]
    asked += [(name, name, None) for name in counts.levels if name != CYCLE]
    asked.append(("hot_share", "hot_updates", "updates"))
    rows = []
    for quantity, above, below in asked:
        counted = _counted(counts, above, below)
        is_known = all(
            counter_of(answer.draws, name) is not None for name in (above, below) if name
        )
        if counted is not None and is_known:
            before, after = (_figure(one, above, below) for one in (answer, fitted))
            rows.append(MeasuredComparison(quantity, counted, before, after))
    if not rows:
        raise DomainError(f"{answer.preset.name} has no counterpart of what was counted: "
                          f"{', '.join(counts.values) or 'nothing'}")  # fmt: skip
    return tuple(rows)


def _counted(counts: Counts, above: str, below: str | None) -> float | None:
    """Return a counter, or one over another; None for what was not counted."""
    if above == "hot_updates":
        hot, updates = counts.heap_only
        return hot / updates if updates else None
    value, over = counts.per_s(above), 1.0 if below is None else counts.per_s(below)
    return None if value is None or not over else value / over


def _figure(answer: Application, above: str, below: str | None) -> Figure:
    def of(load: DeviceLoad) -> Any:
        under = np.asarray(1.0 if below is None else counter_of(load, below))
        is_there = under > 0
        return np.where(is_there, counter_of(load, above) / np.where(is_there, under, 1.0), 0.0)

    return answer.figure(of)

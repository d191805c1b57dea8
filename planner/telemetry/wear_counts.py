"""Counts of earlier logs in which indicators of wear held, by family: `data/wear_counts.csv`.

A row counts the logs of a family in which an indicator, read in one way, was compared with others,
and in how many of these it held. The row of the mean erase count has the rated cycles that life
used implied, and their spread. `python -m tests.witnesses counts` writes the file.
"""

import functools
import math
from dataclasses import dataclass

from planner.catalogue import data_folder
from planner.catalogue.rows import CatalogueRow, read

ERASES = "erases"
COLUMNS = (
    "family", "counter", "reading", "logs", "right", "cycles", "spread", "source_id", "locator",
)  # fmt: skip
_UNSEEN = 2.0  # logs that the other families count for
_SURE, _UNSURE = 0.95, 0.05  # no indicator is held to be always right, or always wrong
_NARROWEST = 0.7  # natural logarithm: cycles of one family differ by flash and model
_ANY = (math.log(3_000.0), 1.0)  # cycles of TLC and MLC, if no family is known


@dataclass(frozen=True, slots=True)
class WearCount:
    """Logs of one family: those in which an indicator was compared, and in which it held."""

    family: str
    counter: str
    reading: str
    logs: float
    right: float
    cycles: float = 0.0
    spread: float = 0.0


@dataclass(frozen=True)
class WearCounts:
    """Counts of all families."""

    rows: tuple[WearCount, ...] = ()
    problems: tuple[str, ...] = ()

    def without(self, family: str) -> "WearCounts":
        """Return the counts of all other families."""
        return WearCounts(tuple(one for one in self.rows if one.family != family))

    def share(self, family: str, counter: str, reading: str) -> float:
        """Return the share of drives of a family on which an indicator holds, read in one way.

        Other families count for two logs.

        >>> WearCounts().share("any", "231", "raw left")
        0.8
        """
        alike = [one for one in self.rows if one.reading == reading]
        own = [one for one in alike if (one.family, one.counter) == (family, counter)]
        pooled = (_right(alike) + 4) / (_logs(alike) + 5)
        share = (_right(own) + _UNSEEN * pooled) / (_logs(own) + _UNSEEN)
        return min(max(share, _UNSURE), _SURE)

    def rating(self, family: str) -> tuple[float, float]:
        """Return middle and spread of the rated cycles of a family, as natural logarithms."""
        ratings = [one for one in self.rows if one.counter == ERASES]
        own = [one for one in ratings if one.family == family]
        middle, spread = _joined(ratings) or _ANY
        if not own:
            return middle, spread
        one, n = own[0], own[0].logs
        return (
            (n * math.log(one.cycles) + middle) / (n + 1),
            max(math.sqrt((n * one.spread**2 + spread**2) / (n + 1)), _NARROWEST),
        )


def _logs(rows: list[WearCount]) -> float:
    return sum(one.logs for one in rows)


def _right(rows: list[WearCount]) -> float:
    return sum(one.right for one in rows)


def _joined(ratings: list[WearCount]) -> tuple[float, float] | None:
    """Return middle and spread over families, each of which counts once."""
    if len(ratings) < 3:
        return None
    logs = [math.log(one.cycles) for one in ratings]
    middle = sum(logs) / len(logs)
    between = sum((one - middle) ** 2 for one in logs) / (len(logs) - 1)
    within = sum(one.spread**2 for one in ratings) / len(ratings)
    return middle, math.sqrt(between + within)


@functools.cache
def load() -> WearCounts:
    """Read the counts of the package (cached)."""
    problems: list[str] = []
    rows = read(data_folder() / "wear_counts.csv", COLUMNS, _row, problems)
    return WearCounts(tuple(rows), tuple(problems))


def _row(row: CatalogueRow) -> WearCount:
    row.required("source_id")
    row.required("locator")
    erases = row.required("counter") == ERASES
    return WearCount(
        family=row["family"],
        counter=row["counter"],
        reading=row["reading"],
        logs=row.number("logs"),
        right=row.number("right"),
        cycles=row.number("cycles") if erases else 0.0,
        spread=row.number("spread") if erases else 0.0,
    )

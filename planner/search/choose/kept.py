"""Cache of results for the next question, which mostly differs in one need.

A table of configurations, the objective, slow checks and plans in full depend on workload, drives
and layouts, not on the requirements.
"""

from collections import OrderedDict
from dataclasses import dataclass, field

from planner.scenario.firmware import Firmware
from planner.scenario.risk import Risk
from planner.scenario.terms import Terms
from planner.scenario.workload import Workload
from planner.search.choose.aims import aim
from planner.search.choose.answer import Candidate
from planner.search.choose.configurations import Configurations, Floats, configurations
from planner.search.choose.question import Grid, Need, Objective

MOST_TABLES = 2
MOST_KEPT = 500_000  # configurations of a table: larger ones take too much memory

Aim = tuple[Floats, tuple[str, ...]]


@dataclass(slots=True)
class Kept:
    """A table of configurations, with what has been computed of it."""

    table: Configurations
    slow: dict[tuple[Risk, float | None], dict[Need, Floats]] = field(default_factory=dict)
    candidates: dict[tuple[int, Risk, Terms, float | None], Candidate] = field(default_factory=dict)
    _aims: dict[tuple[Objective, Terms, Risk], Aim] = field(default_factory=dict)

    def aim(self, objective: Objective, terms: Terms, risk: Risk) -> Aim:
        """Return the objective of every configuration, and what was left out of it."""
        key = objective, terms, risk
        if key not in self._aims:
            self._aims[key] = aim(self.table, objective, terms, risk)
        return self._aims[key]


_TABLES: OrderedDict[object, Kept] = OrderedDict()


def kept_of(workload: Workload, grid: Grid, firmware: Firmware) -> Kept:
    """Return the table of a question, the one before if it has the same drives and layouts."""
    drives = tuple(map(id, grid.drives))  # which the table holds, so that none is another's
    key = workload, firmware, drives, grid.partition_fractions, grid.arrays(), grid.nodes
    kept = _TABLES.pop(key, None) or Kept(configurations(workload, grid, firmware=firmware))
    if len(grid) <= MOST_KEPT:
        _TABLES[key] = kept
    while len(_TABLES) > MOST_TABLES:
        _TABLES.popitem(last=False)
    return kept

"""A plan as rows of a sheet: its answers by question, and the facts that are missing."""

from collections.abc import Mapping

from planner.graph.rows import Rows
from planner.sections.answers import OF_PLAN, rows_of
from planner.sections.plan import PlanReading

# Keys of the answers of a plan by question; what is listed only of some plans has no cells.
SECTIONS: Mapping[str, tuple[str, ...]] = {
    section: tuple(row.key for row in rows_of(section) if row.when is None) for section in OF_PLAN
}
# Facts that a plan does not need, but uses where they are filled in.
_OPTIONAL = ("rating_period_s", "sequential_read_bytes_per_s", "sequential_write_bytes_per_s")
# Facts without a blank cell, since a more usual fact serves as well.
_NEVER_BLANK = ("folded_write_bytes_per_s", "rated_dwpd")


class LivePlan(Rows):
    """The rows of a plan."""

    def __init__(self, plan: PlanReading) -> None:
        names = tuple(name for section in SECTIONS.values() for name in section)
        super().__init__(plan.reading, names, optional=_OPTIONAL, never_blank=_NEVER_BLANK)
        self.plan = plan

    @property
    def sections(self) -> dict[str, list[str]]:
        """The rows of the answers by question."""
        return {title: [self.row_of[name] for name in names] for title, names in SECTIONS.items()}

"""The candidate that is recommended: its number, live, and its figures by that number."""

from collections.abc import Sequence

from models.nomenclature import QUANTITIES
from planner.export.procurement.checks import Checks
from planner.export.procurement.comparison import Comparison
from planner.export.procurement.names import NEED_KEYS
from planner.export.procurement.needs import FIELDS_OF, spare_of
from planner.export.procurement.page import Page
from planner.export.procurement.ranking import BEYOND, OPEN
from planner.export.workbook.exported import EXPORT_AGAIN
from planner.export.workbook.formats import number_format
from planner.search.choose import Choice, Need

_WIDE = 8  # columns of the page

NONE = "No candidate meets every need"
NO_PLAN = "each fails a need that is named below, or has no price"
_STANDS = "meets every need"
_OPEN = "meets every need that is live; export again, since values of others are out of date"
_BEYOND = "meets every need by what is credited beyond its printed rating"


class Recommended:
    """The first in rank; 0 stands for none."""

    def __init__(self, page: Page, comparison: Comparison) -> None:
        self.page, self.comparison = page, comparison
        ranks = [comparison.shown("Verdict", "Rank", index)
                 for index in range(len(comparison.heads))]  # fmt: skip
        self.place = ranks.index(1) if 1 in ranks else 0
        self.number = self.place + 1 if 1 in ranks else 0

    @property
    def cell(self) -> str:
        """The cell of its number."""
        return "recommended"

    @property
    def formula(self) -> str:
        """The formula of its number."""
        ranks = self.comparison.column("Verdict", "Rank")
        return f"IF(COUNT({ranks})=0,0,MATCH(1,{ranks},0))"

    def of(self, heading: str, title: str) -> tuple[str, float | str]:
        """Return its value in a column of the comparison, "" where there is none."""
        cells = self.comparison.column(heading, title)
        value = self.comparison.shown(heading, title, self.place) if self.number else ""
        return f'IF({self.cell}=0,"",INDEX({cells},{self.cell}))', value

    def standing(self) -> str:
        """Return the formula of whether it stands."""
        verdict = f"INDEX({self.comparison.column('Verdict', 'Pass or fail')},{self.cell})"
        other = f'IF({verdict}="{BEYOND}","{_BEYOND}","{_STANDS}")'
        known = f'IF({verdict}="{OPEN}","{_OPEN}",{other})'
        return f'IF({self.cell}=0,"{NO_PLAN}",{known})'

    @property
    def standing_now(self) -> str:
        """What that formula gives as exported."""
        if not self.number:
            return NO_PLAN
        verdict = self.comparison.shown("Verdict", "Pass or fail", self.place)
        return _BEYOND if verdict == BEYOND else _STANDS


class NeedsTable:
    """What the recommended candidate has of each need; the warranty last."""

    def __init__(
        self, page: Page, choice: Choice, checks: Checks, best: Recommended, first_row: int
    ) -> None:
        self.page, self.choice, self.checks, self.best = page, choice, checks, best
        self.first_row = first_row
        self.needs = sorted(checks.needs, key=lambda need: need is Need.WARRANTY)
        self.last_row = first_row + 2 + len(self.needs)

    def write(self) -> None:
        """Say of each need what the recommended candidate has of it, the least to spare first."""
        page, row = self.page, self.first_row
        page.section(row, "Why: each need of the recommended candidate", _WIDE)
        page.texts(row + 1, 0, ("Need", "Required", "There is", "Unit", "Holds", "To spare [%]"),
                   "head")  # fmt: skip
        page.texts(row + 1, 1, ("Required", "There is"), "head value")
        page.texts(row + 1, 4, ("Holds", "To spare [%]"), "head value")
        for place, need in enumerate(self.needs, start=row + 2):
            self._need(place, need)
        end = self.last_row
        page.colour((row + 2, 4, end, 4), f"$E{row + 3}=TRUE", "good")
        page.colour(
            (row + 2, 4, end, 4), f"AND(NOT(ISBLANK($E{row + 3})),$E{row + 3}=FALSE)", "bad"
        )
        page.colour((row + 2, 4, end, 4), f'$E{row + 3}="{EXPORT_AGAIN}"', "late")
        counted = [need for need in self.needs if need is not Need.WARRANTY]
        page.text(end, 0, "Met with the least to spare")
        if counted:
            spare = f"$F${row + 3}:$F${row + 2 + len(counted)}"
            names = f"$A${row + 3}:$A${row + 2 + len(counted)}"
            body = f'IF(COUNT({spare})=0,"none",INDEX({names},MATCH(MIN({spare}),{spare},0)))'
            page.live(end, 1, body, self._least(counted), "plan")

    def _least(self, needs: Sequence[Need]) -> str:
        if not self.best.number:
            return "none"
        met = {one.need: one for one in self.choice.candidates[self.best.place].met}
        known = [met[need] for need in needs if met[need].available is not None]
        known = [one for one in known if one.margin != float("inf")]
        least = min(known, key=lambda one: one.margin, default=None)
        return "none" if least is None else self.checks.title(least.need)

    def _need(self, row: int, need: Need) -> None:
        page, best, key = self.page, self.best, NEED_KEYS[need]
        place = self.checks.needs.index(need)
        page.text(row, 0, self.checks.title(need))
        page.unit(row, 3, QUANTITIES[key].shown_in)
        needed = self.checks.cell(0, need, 2)
        page.quantity(row, 1, key, needed, self.checks.assumed.numbers[f"needed_{FIELDS_OF[need]}"])
        now: tuple[float | str | bool, ...] = ("", "", "")
        if best.number:
            met = self.checks.met(best.place, need)
            has = self.checks.has(best.place, need).value
            now = (has, met.margin >= 1 - 1e-9, spare_of(met))
        for column, source, value, style in zip(
            (2, 4, 5), (3, 5, 9), now, (number_format("cell", key), "truth", "spare"),
            strict=True,
        ):  # fmt: skip
            cell = self.checks.nth(source, best.cell, place)
            page.live(row, column, f'IF({best.cell}=0,"",{cell})', value, style)

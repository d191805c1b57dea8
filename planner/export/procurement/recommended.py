"""The candidate that is recommended: its number, live, and its figures by that number."""

from collections.abc import Sequence

from models.nomenclature import QUANTITIES
from planner.export.procurement.checks import Checks
from planner.export.procurement.comparison import Comparison
from planner.export.procurement.names import NEED_KEYS
from planner.export.procurement.needs import spare_of
from planner.export.procurement.page import Page
from planner.export.procurement.ranking import BEYOND, OPEN
from planner.export.workbook.exported import EXPORT_AGAIN
from planner.export.workbook.formats import number_format
from planner.search.choose import Choice, Need
from planner.search.choose.question import FIELDS

_WIDE = 8  # columns of the page

NONE = "No candidate meets every need"
NO_PLAN = "each fails a need that is named below, or has no price"
_STANDS = "meets every need"
_OPEN = "meets every need that is live; export again, since values of others are out of date"
_BEYOND = "meets every need by what is credited beyond its printed rating"


class Recommended:
    """The first in rank, by the name of the cell of its number; 0 stands for none."""

    cell = "recommended"

    def __init__(self, comparison: Comparison) -> None:
        self.comparison, self.layout = comparison, comparison.layout
        ranks = [value for _, value in comparison.figures["Verdict"]["Rank"]]
        self.place = ranks.index(1) if 1 in ranks else 0
        self.number = self.place + 1 if 1 in ranks else 0

    @property
    def formula(self) -> str:
        """The formula of its number."""
        ranks = self.layout["Verdict"].cells("Rank")
        return f"IF(COUNT({ranks})=0,0,MATCH(1,{ranks},0))"

    def of(self, heading: str, title: str) -> tuple[str, float | str]:
        """Return what it has in a column of the comparison, "" where there is none."""
        cells = self.layout[heading].cells(title)
        value = self.comparison.shown(heading, title, self.place) if self.number else ""
        return f'IF({self.cell}=0,"",INDEX({cells},{self.cell}))', value

    def standing(self) -> str:
        """Return the formula of whether it stands."""
        verdict = f"INDEX({self.layout['Verdict'].cells('Pass or fail')},{self.cell})"
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

    def __init__(self, page: Page, choice: Choice, checks: Checks, best: Recommended) -> None:
        self.page, self.choice, self.checks, self.best = page, choice, checks, best
        self.block = best.layout["needs"]
        self.needs = [key for key in self.block.rows if isinstance(key, Need)]

    def write(self) -> None:
        """Say of each need what the recommended candidate has of it, the least to spare first."""
        page, block = self.page, self.block
        page.section(block.top, "Why: each need of the recommended candidate", _WIDE)
        page.texts(block.top + 1, 0, ("Need", "Required", "There is", "Unit", "Holds",
                                      "To spare [%]"), "head")  # fmt: skip
        page.texts(block.top + 1, 1, ("Required", "There is"), "head value")
        page.texts(block.top + 1, 4, ("Holds", "To spare [%]"), "head value")
        for need in self.needs:
            self._need(need)
        here, area = f"$E{block.first + 1}", block.area("holds")
        page.colour(area, f"{here}=TRUE", "good")
        page.colour(area, f"AND(NOT(ISBLANK({here})),{here}=FALSE)", "bad")
        page.colour(area, f'{here}="{EXPORT_AGAIN}"', "late")
        counted = [need for need in self.needs if need is not Need.WARRANTY]
        page.text(*block.at("least", "need"), "Met with the least to spare")
        if counted:
            spare, names = (block.cells_here(column, counted) for column in ("spare", "need"))
            body = f'IF(COUNT({spare})=0,"none",INDEX({names},MATCH(MIN({spare}),{spare},0)))'
            page.live(*block.at("least", "needed"), body, self._least(counted), "plan")

    def _least(self, needs: Sequence[Need]) -> str:
        if not self.best.number:
            return "none"
        met = {one.need: one for one in self.choice.candidates[self.best.place].met}
        known = [met[need] for need in needs if met[need].available is not None]
        known = [one for one in known if one.margin != float("inf")]
        least = min(known, key=lambda one: one.margin, default=None)
        return "none" if least is None else self.checks.title(least.need)

    def _need(self, need: Need) -> None:
        page, best, block, key = self.page, self.best, self.block, NEED_KEYS[need]
        page.text(*block.at(need, "need"), self.checks.title(need))
        page.unit(*block.at(need, "unit"), QUANTITIES[key].shown_in)
        asked = self.checks.assumed.numbers[f"needed_{FIELDS[need]}"]
        needed = self.checks.block.cell((0, need), "needed")
        page.quantity(*block.at(need, "needed"), key, needed, asked)
        now: tuple[float | str | bool, ...] = ("", "", "")
        if best.number:
            met = self.checks.met(best.place, need)
            has = self.checks.has(best.place, need).value
            now = (has, met.margin >= 1 - 1e-9, spare_of(met))
        looks = {"has": number_format("cell", key), "holds": "truth", "spare": "spare"}
        for (column, style), value in zip(looks.items(), now, strict=True):
            cell = self.checks.nth(column, best.cell, need)
            page.live(*block.at(need, column), f'IF({best.cell}=0,"",{cell})', value, style)

"""The sheet of checks: what is required and what there is, red as soon as an edit breaks it."""

from collections.abc import Iterator, Sequence

from models.nomenclature import QUANTITIES
from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.confidence_life import SureLife
from planner.export.procurement.names import NEED_KEYS, asks_sure_life
from planner.export.procurement.needs import FIELDS_OF, Available, available, holds, spare, spare_of
from planner.export.procurement.page import Page, absolute
from planner.export.procurement.sizing import SizingSheet
from planner.export.procurement.staleness import Exported
from planner.export.workbook.exported import EXPORT_AGAIN, OUT_OF_DATE, UP_TO_DATE
from planner.scenario.array import Array, RaidLevel
from planner.search.choose import Choice, Met, Need

NAME = "Checks"
_HEADS = ("Candidate", "Need", "Required", "There is", "Unit", "Holds", "Kind", "Inputs",
          "Computed from", "To spare [%]")  # fmt: skip
_WIDTHS = (38, 24, 15, 15, 13, 13, 9, 13, 84, 12)
_HOW = (
    "Red: an edit breaks what is required. Amber: a value that no formula follows was computed "
    "from inputs that have been edited since, so whether it holds is not known: export again."
)
_PRINTED = 8  # columns
_FIRST = 5
_LIVE, _VALUE = "live", "value"
_SPARE = 9  # the column of what is to spare


class Checks:
    """Where each check stands, before anything is written."""

    def __init__(
        self, page: Page, assumed: Assumptions, sizing: SizingSheet, choice: Choice
    ) -> None:
        self.page, self.assumed, self.sizing, self.choice = page, assumed, sizing, choice
        self.needs = list(choice.requirements.needs)
        count = len(choice.candidates)
        self.rows = {
            (index, need): _FIRST + index * len(self.needs) + place
            for index in range(count)
            for place, need in enumerate(self.needs)
        }
        self.integrity_row = _FIRST + count * len(self.needs) + 2
        self.sure_row = self.integrity_row + 2 * count + 5
        self.sure = None
        if asks_sure_life(choice.requirements):
            self.sure = SureLife(page, assumed, sizing, choice, self.sure_row)
        end = self.sure.last_row if self.sure else self.sure_row
        self.exported = Exported(page, assumed, sizing, end + 3)

    def cell(self, index: int, need: Need, column: int) -> str:
        """Return a cell of a check as other sheets know it."""
        return absolute(NAME, self.rows[index, need], column)

    def met(self, index: int, need: Need) -> Met:
        """Return the need as exported."""
        return next(one for one in self.choice.candidates[index].met if one.need is need)

    def has(self, index: int, need: Need) -> Available:
        """Return what a candidate has of a need."""
        life = self.sure.cell(index) if self.sure else ""
        candidate = self.choice.candidates[index]
        return available(
            need, index, candidate, self.sizing, self.assumed, life, self.choice.requirements
        )

    def held(self, index: int) -> str:
        """Return the formula of how many needs of a candidate hold."""
        cells = self._column(index, 5)
        return f"COUNTIF({cells},TRUE)" if cells else "0"

    def failed(self, index: int) -> str:
        """Return the formula of how many needs of a candidate do not hold."""
        cells = self._column(index, 5)
        return f"COUNTIF({cells},FALSE)" if cells else "0"

    def failing(self, index: int) -> str:
        """Return the formula of the needs of a candidate that do not hold, in words."""
        named = "&".join(f'IF({self.cell(index, need, 5)}=FALSE,", {need}","")'
                         for need in self.needs)  # fmt: skip
        return f"MID({named},3,250)" if named else '""'

    def nth(self, column: int, number: str, place: int) -> str:
        """Return the formula of a cell of the check at a place, of the candidate of a number."""
        last = _FIRST + len(self.choice.candidates) * len(self.needs) - 1
        end = absolute(NAME, last, column).rpartition("!")[2]
        cells = f"{absolute(NAME, _FIRST, column)}:{end}"
        return f"INDEX({cells},({number}-1)*{len(self.needs)}+{place + 1})"

    def stale(self, index: int) -> str:
        """Return the formula of how many values of a candidate are out of date."""
        cells = self._column(index, 7)
        return f'COUNTIF({cells},"{OUT_OF_DATE}")' if cells else "0"

    def _column(self, index: int, column: int) -> str:
        if not self.needs:
            return ""
        first, last = (self.rows[index, need] for need in (self.needs[0], self.needs[-1]))
        end = absolute(NAME, last, column).rpartition("!")[2]
        return f"{absolute(NAME, first, column)}:{end}"

    @property
    def broken(self) -> str:
        """The formula of how many checks do not hold."""
        last = absolute(NAME, self.sure_row - 2, 5).rpartition("!")[2]
        return f"COUNTIF({absolute(NAME, _FIRST, 5)}:{last},FALSE)"

    def write(self, heads: Sequence[str], ranges: Sequence[str]) -> None:
        """Write every check; `ranges` must hold no error."""
        page = self.page
        page.text(0, 0, "Checks", "title")
        page.text(1, 0, _HOW, "plain")
        page.text(2, 0, "What is required is edited on Assumptions.", "plain")
        page.texts(_FIRST - 1, 0, _HEADS, "head")
        page.texts(_FIRST - 1, 2, _HEADS[2:4], "head value")
        page.texts(_FIRST - 1, 5, _HEADS[5:8], "head centre")
        page.widths(_WIDTHS)
        for (index, need), row in self.rows.items():
            self._need(row, index, need, heads[index])
        self._integrity(heads, ranges)
        if self.sure:
            self.sure.write(heads)
        self.exported.write(list(heads))
        unknown = (_FIRST, 5, self.integrity_row - 2, 5)
        page.colour(unknown, f'$F{_FIRST + 1}="{EXPORT_AGAIN}"', "late")
        area = (_FIRST, 5, self.sure_row - 2, 5)
        first = f"$F{_FIRST + 1}"
        page.colour(area, f"AND(NOT(ISBLANK({first})),{first}=FALSE)", "bad")
        page.colour(area, f"{first}=TRUE", "good")
        page.mark_missing((_FIRST, 3, self.integrity_row - 2, 3))
        late = (_FIRST, 7, self.integrity_row - 2, 7)
        page.colour(late, f'$H{_FIRST + 1}="{OUT_OF_DATE}"', "late")
        page.sheet.print_area(0, 0, self.sure_row - 2, _PRINTED - 1)
        page.finish(_FIRST - 1, (_FIRST, 1))

    def _need(self, row: int, index: int, need: Need, head: str) -> None:
        page, key, name = self.page, NEED_KEYS[need], FIELDS_OF[need]
        page.text(row, 0, head)
        page.text(row, 1, self.title(need))
        page.unit(row, 4, QUANTITIES[key].shown_in)
        needed = self.assumed.cell(f"needed_{name}")
        page.quantity(row, 2, key, needed, self.assumed.numbers[f"needed_{name}"])
        has, is_stale = self.has(index, need), ""
        if has.is_live:
            page.quantity(row, 3, key, has.formula, has.value)
            page.texts(row, 6, (_LIVE, ""), "centre")
            page.text(row, 8, "")
        else:
            page.fixed(row, 3, has.value, key)
            page.text(row, 6, _VALUE, "centre")
            is_stale = f'$H{row + 1}="{OUT_OF_DATE}"'
            page.live(row, 7, self.exported.status(index, has.inputs), UP_TO_DATE, "centre")
            page.text(row, 8, self.exported.note(index, has.inputs), "note")
        met = self.met(index, need)
        here = absolute(NAME, row, 3).rpartition("!")[2]
        needed = absolute(NAME, row, 2).rpartition("!")[2]
        fits = holds(need, here, needed)
        body = f'IF({is_stale},"{EXPORT_AGAIN}",{fits})' if is_stale else fits
        page.live(row, 5, body, met.margin >= 1 - 1e-9, "truth")
        page.live(row, _SPARE, spare(need, here, needed), spare_of(met), "spare")
        suffix = "" if index == 0 else f"_{index + 1}"
        page.define(f"has_{name}{suffix}", row, 3)
        page.define(f"holds_{name}{suffix}", row, 5)
        page.tall(row, [(head, 38), ("" if has.is_live else
                                     self.exported.note(index, has.inputs), 94)])  # fmt: skip

    def title(self, need: Need) -> str:
        """Return a need as people know it."""
        return f"{need}{self._within(need)}"

    def _within(self, need: Need) -> str:
        if need is not Need.LOSS:
            return ""
        return f" within {self.assumed.loss_horizon_s / 31536000:.4g} years"

    def _integrity(self, heads: Sequence[str], ranges: Sequence[str]) -> None:
        """Write what must hold for the numbers to mean anything."""
        page, row = self.page, self.integrity_row
        page.section(row, "Integrity", len(_HEADS))
        checks = [*self._of_candidates(heads), *self._of_book(ranges)]
        for place, (who, what, formula, value) in enumerate(checks, start=row + 1):
            page.text(place, 0, who)
            page.text(place, 1, what)
            page.tall(place, [(who, 38), (what, 22)])
            page.live(place, 5, formula, value, "truth")

    def _of_candidates(self, heads: Sequence[str]) -> Iterator[tuple[str, str, str, bool]]:
        for index, candidate in enumerate(self.choice.candidates):
            formula = self._possible(index, candidate.plan.array)
            yield heads[index], "Number of drives is possible for the level", formula, True
            price = self.sizing.cell(index, "price_usd")
            known = candidate.plan.drive.value("price_usd") is not None
            yield heads[index], "Price is known", f"ISNUMBER({price})", known

    def _possible(self, index: int, array: Array) -> str:
        """Return whether a number of drives makes whole sets that are large enough."""
        working, sets = self.sizing.working(index), repr(array.sets)
        if array.parities and array.data_members is None:
            sets = self.sizing.cell(index, "sets")
        fewest = array.fewest_members
        step = "2" if array.level is RaidLevel.RAID10 else sets
        return (
            f"AND(ISNUMBER({working}),{working}=INT({working}),{working}>={fewest}*{sets},"
            f"MOD({working},{step})=0)"
        )

    def _of_book(self, ranges: Sequence[str]) -> Iterator[tuple[str, str, str, bool]]:
        horizon = self.assumed.cell("horizon_s")
        fits = f"AND({horizon}>0,{horizon}<={self.assumed.years})"
        yield "All", f"Planning horizon is within {self.assumed.years} years", fits, True
        errors = "+".join(f"SUMPRODUCT(ISERROR({cells})*1)" for cells in ranges)
        yield "All", "No cell is in error", f"({errors})=0", True

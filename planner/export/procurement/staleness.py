"""Inputs as exported, beside what they are now: what tells whether a value still holds."""

from collections.abc import Iterable

from models.nomenclature import QUANTITIES
from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.page import Page, absolute
from planner.export.procurement.sizing import SizingSheet
from planner.export.workbook.exported import OUT_OF_DATE, UP_TO_DATE, all_of


class Exported:
    """A table of inputs as exported, and of whether each is still the same."""

    def __init__(
        self, page: Page, assumed: Assumptions, sizing: SizingSheet, first_row: int
    ) -> None:
        self.page, self.assumed, self.sizing, self.first_row = page, assumed, sizing, first_row
        self.count = len(sizing.plans.plans)
        self.shared = list(assumed.numbers)
        self.own = [sizing.inputs(index) for index in range(self.count)]
        self.keys = list(dict.fromkeys(key for own in self.own for key in own))
        self.own_row = first_row + len(self.shared) + 4
        self.last_row = self.own_row + len(self.keys)

    def status(self, index: int, names: Iterable[str]) -> str:
        """Return the formula that says whether inputs of a candidate are as exported."""
        known = (name for name in names if self._has(index, name))
        every = all_of(self._same(index, name) for name in known)
        return f'IF({every},"{UP_TO_DATE}","{OUT_OF_DATE}")'

    @property
    def every(self) -> str:
        """The formula that says whether no input of any candidate has been edited."""
        corners = (
            (self.first_row + 1, 2, self.first_row + len(self.shared), 2),
            (self.own_row + 1, 2 + self.count, self.last_row, 1 + 2 * self.count),
        )
        changed = "+".join(
            f"COUNTIF({self._here(row, column)}:{self._here(last, end).rpartition('!')[2]},FALSE)"
            for row, column, last, end in corners
        )
        return f'IF({changed}=0,"{UP_TO_DATE}","{OUT_OF_DATE}")'

    def note(self, index: int, names: Iterable[str]) -> str:
        """Name the inputs on which a value depends."""
        known = [name for name in dict.fromkeys(names) if self._has(index, name)]
        labels = (
            QUANTITIES[name].label if name in QUANTITIES else self.assumed.entries[name].label
            for name in known
        )
        return ", ".join(dict.fromkeys(labels))

    def _has(self, index: int, name: str) -> bool:
        return name in self.own[index] or name in self.shared

    def _same(self, index: int, name: str) -> str:
        if name in self.own[index]:
            row, column = self.own_row + 1 + self.keys.index(name), 2 + self.count + index
        else:
            row, column = self.first_row + 1 + self.shared.index(name), 2
        return self._here(row, column)

    def _here(self, row: int, column: int) -> str:
        return absolute(self.page.name, row, column)

    def write(self, heads: list[str]) -> None:
        """Write both tables."""
        page = self.page
        page.section(self.first_row - 1, "Inputs as exported", 2 + 2 * self.count)
        page.texts(self.first_row, 0, ("Assumption", "As exported", "Unchanged"), "head")
        for place, name in enumerate(self.shared, start=self.first_row + 1):
            entry = self.assumed.entries[name]
            page.text(place, 0, entry.label)
            self._pair(place, 1, 2, self.assumed.cell(name), self.assumed.numbers[name], entry.key)
        page.texts(self.own_row, 0, ("Input of a candidate", "Unit"), "head")
        for index in range(self.count):
            number = heads[index].partition(".")[0]
            page.text(self.own_row, 2 + index, f"{number} as exported", "head value")
            page.text(self.own_row, 2 + self.count + index, f"{number} unchanged", "head value")
        for place, key in enumerate(self.keys, start=self.own_row + 1):
            page.text(place, 0, QUANTITIES[key].label)
            page.unit(place, 1, QUANTITIES[key].shown_in)
            for index, own in enumerate(self.own):
                if key in own:
                    cell = self.sizing.cell(index, key)
                    self._pair(place, 2 + index, 2 + self.count + index, cell, own[key], key)

    def _pair(
        self, row: int, column: int, flag: int, cell: str, value: float | None, key: str
    ) -> None:
        page = self.page
        if value is None:
            page.text(row, column, "empty", "value")
            page.live(row, flag, f'{cell}=""', True, "truth")
            return
        page.fixed(row, column, value, key)
        here = self._here(row, column)
        same = f"IF(ISNUMBER({cell}),ABS({cell}-{here})<=0.000000001*ABS({here}),FALSE)"
        page.live(row, flag, same, True, "truth")

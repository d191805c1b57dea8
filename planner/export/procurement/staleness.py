"""Inputs as exported, beside what they are now: what tells whether a value still holds."""

from collections.abc import Iterable, Sequence

from models.nomenclature import QUANTITIES
from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.layout import Block, Key, Layout
from planner.export.procurement.page import Page
from planner.export.procurement.sizing import SizingSheet
from planner.export.workbook.exported import OUT_OF_DATE, UP_TO_DATE, all_of


class Exported:
    """A table of inputs as exported, and of whether each is still the same."""

    def __init__(
        self, page: Page, assumed: Assumptions, sizing: SizingSheet, layout: Layout
    ) -> None:
        self.page, self.assumed, self.sizing = page, assumed, sizing
        self.shared, self.own = layout["shared"], layout["own"]

    def status(self, index: int, names: Iterable[str]) -> str:
        """Return the formula that says whether inputs of a candidate are as exported."""
        return _state(all_of(self._same(index, name) for name in self._known(index, names)))

    @property
    def every(self) -> str:
        """The formula that says whether no input of any candidate has been edited."""
        ends = [("unchanged", index) for index in (0, len(self.sizing.sized) - 1)]
        cells = (self.shared.cells("unchanged"), self.own.cells(ends[0], end=ends[1]))
        return _state(f"{'+'.join(f'COUNTIF({each},FALSE)' for each in cells)}=0")

    def note(self, index: int, names: Iterable[str]) -> str:
        """Name the inputs on which a value depends."""
        labels = (
            QUANTITIES[name].label if name in QUANTITIES else self.assumed.entries[name].label
            for name in dict.fromkeys(self._known(index, names))
        )
        return ", ".join(dict.fromkeys(labels))

    def _known(self, index: int, names: Iterable[str]) -> list[str]:
        own = self.sizing.inputs[index]
        return [name for name in names if name in own or name in self.shared.rows]

    def _same(self, index: int, name: str) -> str:
        if name in self.sizing.inputs[index]:
            return self.own.cell(name, ("unchanged", index))
        return self.shared.cell(name, "unchanged")

    def write(self, heads: Sequence[str]) -> None:
        """Write both tables."""
        page, shared, own = self.page, self.shared, self.own
        page.section(shared.top, "Inputs as exported", 2 + 2 * len(heads))
        page.texts(shared.top + 1, 0, ("Assumption", "As exported", "Unchanged"), "head")
        for name, value in self.assumed.numbers.items():
            entry = self.assumed.entries[name]
            page.text(*shared.at(name, "label"), entry.label)
            self._pair(shared, name, ("exported", "unchanged"), self.assumed.cell(name), value,
                       entry.key)  # fmt: skip
        page.texts(own.top, 0, ("Input of a candidate", "Unit"), "head")
        for index, head in enumerate(heads):
            for kind, words in (("exported", "as exported"), ("unchanged", "unchanged")):
                title = f"{head.partition('.')[0]} {words}"
                page.text(own.top, own.columns[kind, index], title, "head value")
        for key, row in own.rows.items():
            page.text(row, 0, QUANTITIES[key].label)
            page.unit(row, 1, QUANTITIES[key].shown_in)
            for index, inputs in enumerate(self.sizing.inputs):
                if key in inputs:
                    columns = ("exported", index), ("unchanged", index)
                    cell = self.sizing.cell(index, key)
                    self._pair(own, key, columns, cell, inputs[key], key)

    def _pair(
        self, block: Block, row: str, columns: Sequence[Key], cell: str, value: float | None,
        key: str,
    ) -> None:  # fmt: skip
        """Write a value as exported, and whether a cell still holds it."""
        page, (exported, unchanged) = self.page, columns
        if value is None:
            page.text(*block.at(row, exported), "empty", "value")
            page.live(*block.at(row, unchanged), f'{cell}=""', True, "truth")
            return
        page.fixed(*block.at(row, exported), value, key)
        here = block.cell(row, exported)
        same = f"IF(ISNUMBER({cell}),ABS({cell}-{here})<=0.000000001*ABS({here}),FALSE)"
        page.live(*block.at(row, unchanged), same, True, "truth")


def _state(is_same: str) -> str:
    return f'IF({is_same},"{UP_TO_DATE}","{OUT_OF_DATE}")'

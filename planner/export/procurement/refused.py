"""Typed cells that hold what they do not accept: named, counted, and in the way of every number."""

from collections.abc import Sequence

from planner.export.procurement.layout import Layout
from planner.export.procurement.page import Page
from planner.export.workbook.typed_cells import TypedCell

ERROR = "error"  # stands for each number of a plan while a cell of it is refused
OF_ALL, OF_QUOTES = 0, 99  # owners of a cell on which all candidates rest, or none; else from 1
_HEADS = {"cell": "Cell", "accepted": "Accepted", "owner": "Refused of", "place": "Place",
          "sentence": "What it accepts"}  # fmt: skip


class RefusedCells:
    """The table of every typed cell, and formulas of those that are refused.

    A candidate with a refused cell has no number, no verdict but `ERROR`, and no rank.
    """

    def __init__(self, page: Page, typed: Sequence[TypedCell], layout: Layout) -> None:
        self.page, self.typed = page, typed
        self.counts, self.block = layout["refused"], layout["typed"]

    def count(self, index: int) -> str:
        """Return the cell that counts the refused cells on which a candidate rests."""
        return self.counts.cell("count", index)

    def gated(self, index: int, formula: str, otherwise: str = f'"{ERROR}"') -> str:
        """Return a formula about a candidate that gives `ERROR` while a cell of it is refused."""
        return f"IF({self.count(index)}>0,{otherwise},{formula})"

    def of(self, owner: int) -> str:
        """Return the formula of how many cells of an owner are refused."""
        return f"COUNTIF({self._column('owner')},{owner})"

    @property
    def total(self) -> str:
        """The formula of how many cells are refused, quotes among them."""
        return f"COUNT({self._column('place')})"

    def nth(self, number: int) -> str:
        """Return the formula of the sentence on one of the refused cells, from 1, or nothing."""
        place = f"SMALL({self._column('place')},{number})"
        sentence = f"INDEX({self._column('sentence')},{place})"
        return f'IF({self.total}<{number},"",{sentence})'

    def first_of(self, index: int) -> str:
        """Return the formula of the sentence on the first refused cell of a candidate."""
        owners, sentences = self._column("owner"), self._column("sentence")
        own, of_all = (
            f"INDEX({sentences},MATCH({owner},{owners},0))" for owner in (index + 1, OF_ALL)
        )
        return f"IF({self.of(OF_ALL)}>0,{of_all},{own})"

    def _column(self, column: str) -> str:
        first, last = self.block.top + 2, self.block.top + 1 + len(self.typed)
        return self.block.cells_between(column, first, last)

    def write(self, heads: Sequence[str]) -> None:
        """Write the counts of the candidates, and the table."""
        page, counts, block = self.page, self.counts, self.block
        page.text(counts.top, 0, "Typed cells that are refused, by candidate", "head")
        page.text(counts.rows["count"], 0, "Of all candidates, or of this one")
        for index, head in enumerate(heads):
            number = head.partition(".")[0]
            page.text(counts.top, counts.columns[index], number, "head value")
            formula = f"{self.of(OF_ALL)}+{self.of(index + 1)}"
            page.quantity(*counts.at("count", index), "members", formula, 0)
        page.section(block.top, "Typed cells, and whether they hold what they accept", 10)
        for name, head in _HEADS.items():
            page.text(block.top + 1, block.columns[name], head, "head")
        for place, one in enumerate(self.typed, start=1):
            self._typed(block.top + 1 + place, place, one, heads)

    def _typed(self, row: int, place: int, one: TypedCell, heads: Sequence[str]) -> None:
        page, at = self.page, self.block.columns
        accepted = self.block.here_at(row, "accepted")
        page.text(row, at["cell"], one.cell.replace("$", ""))
        page.live(row, at["accepted"], one.accepts, True, "truth")
        page.live(row, at["owner"], f'IF({accepted},"",{one.owner})', "", "right")
        page.live(row, at["place"], f'IF({accepted},"",{place})', "", "right")
        named = one.whose or (heads[one.owner - 1] if one.owner else "")
        whose = f" ({named})" if named else ""
        where, _, rule = one.sentence.partition(": ")
        page.text(row, at["sentence"], f"{where}{whose}: {rule}", "note")

"""Every candidate on the first page: rank, price, cost, verdict, and why it is not the first."""

from xlsxwriter.utility import xl_rowcol_to_cell

from planner.export.procurement.names import called, live_name
from planner.export.procurement.page import Page
from planner.export.procurement.recommended import Recommended
from planner.search.choose import Choice

_WIDE, _WHY = 8, 5  # columns of the page, and that of why a candidate is not the first
_NAME_WIDTH, _WORDS_WIDTH = 52.0, 45.0  # of two and of three columns
_UNPRICED, _LATE = "has no price", "export again"
_DEARER = "costs more than the recommended"
_ALIKE = "costs as much, with more drives, less capacity or a later place"


class Alternatives:
    """A row per candidate twice: its figures, then its price and what keeps it from the first."""

    def __init__(self, page: Page, choice: Choice, best: Recommended, first_row: int) -> None:
        self.page, self.choice, self.best, self.first_row = page, choice, best, first_row
        self.comparison = best.comparison
        self.names = [f"{place}. {called(one)}" for place, one in enumerate(choice.candidates, 1)]

    @property
    def reasons_row(self) -> int:
        """The first row of why a candidate is not the first: the next page begins there."""
        return self.first_row + 2 + len(self.names)

    @property
    def cells(self) -> str:
        """The cells of the names, with what an edit makes of counts and shares."""
        first = self.first_row + 2
        ends = (xl_rowcol_to_cell(row, 0, row_abs=True, col_abs=True)
                for row in (first, first + len(self.names) - 1))  # fmt: skip
        return ":".join(ends)

    def write(self) -> int:
        """Rank every candidate, and say why it is not the first."""
        page, heads, row = self.page, self.names, self.first_row
        page.section(row, "Every candidate, live", _WIDE)
        titles = ("Candidate", "", "Rank", "Extended price", "Above the recommended",
                  "Net present cost", "Years to the first limit", "Pass or fail")  # fmt: skip
        page.texts(row + 1, 0, titles[:2], "head")
        page.texts(row + 1, 2, titles[2:], "head value")
        page.tall(row + 1, [(title, 13.5) for title in titles])
        for index, head in enumerate(heads):
            self._alternative(row + 2 + index, index, head)
        first, last = row + 2, row + 1 + len(heads)
        page.mark_missing((first, 3, last, 6))
        page.colour_verdicts((first, 7, last, 7), f"$H{row + 3}")
        page.colour((first, 0, last, 2), f"$C{row + 3}=1", "good")
        row = last + 1
        page.texts(row, 0, ("Candidate", "", "Price from", "", "", "Why not first", "", ""), "head")
        for index, one in enumerate(self.choice.candidates):
            self._reason(row + 1 + index, index, f"{index + 1}. {one.plan.drive.name}")
        return row + 1 + len(heads)

    def _alternative(self, row: int, index: int, head: str) -> None:
        page, comparison = self.page, self.comparison
        source, one = comparison.source, self.choice.candidates[index]
        sizing = source.sizing
        cells = {key: sizing.cell(index, key) for key in ("members", "partition_fraction")}
        if sizing.has("hot_spares"):
            cells["hot_spares"] = sizing.cell(index, "hot_spares")
        page.sheet.merge_range(row, 0, row, 1, "", page.styles["label"])
        page.live(row, 0, f'"{index + 1}. "&{live_name(one, cells)}', head, "label")
        page.tall(row, [(head, _NAME_WIDTH)])
        rank = comparison.shown("Verdict", "Rank", index)
        page.live(row, 2, comparison.cell("Verdict", "Rank", index), rank, "right")
        page.define("rank" if index == 0 else f"rank_{index + 1}", row, 2)
        price, cost = (source.owned(index, key) for key in ("capital_usd", "npv_usd"))
        page.quantity(row, 3, "capital_usd", comparison.cell("Price", "Extended price", index),
                      _text_or_number(price[1]))  # fmt: skip
        above, value = self._above(index)
        page.quantity(row, 4, "capital_usd", above, value)
        owning = comparison.cell("Cost of owning", "Net present cost", index)
        page.quantity(row, 5, "npv_usd", owning, _text_or_number(cost[1]))
        life = one.plan.lives.years
        years: float | str = (
            "missing" if life is None else "never" if life == float("inf") else life
        )
        page.quantity(row, 6, "wear_life_s", sizing.cell(index, "first_life"), years)
        verdict = comparison.shown("Verdict", "Pass or fail", index)
        page.live(row, 7, comparison.cell("Verdict", "Pass or fail", index), verdict, "right")
        page.define("verdict" if index == 0 else f"verdict_{index + 1}", row, 7)

    def _above(self, index: int) -> tuple[str, float | str]:
        """Return by how much a price is above that of the recommended candidate."""
        own = self.comparison.cell("Price", "Extended price", index)
        chosen, value = self.best.of("Price", "Extended price")
        price = self.comparison.source.owned(index, "capital_usd")[1]
        known = isinstance(price, float | int) and isinstance(value, float | int)
        formula = f'IF(ISNUMBER({own})*ISNUMBER({chosen})>0,{own}-{chosen},"missing")'
        return formula, float(price) - float(value) if known else "missing"  # type: ignore[arg-type]

    def _reason(self, row: int, index: int, head: str) -> None:
        """Say of which kind and day a price is, and what a candidate lacks or is dearer by."""
        page, comparison = self.page, self.comparison
        quotes = comparison.source.quotes
        page.sheet.merge_range(row, 0, row, 1, "", page.styles["label"])
        page.text(row, 0, head)
        page.sheet.merge_range(row, 2, row, _WHY - 1, "", page.styles["text"])
        page.live(row, 2, quotes.source(index), quotes.words(index), "text")
        page.sheet.merge_range(row, _WHY, row, _WIDE - 1, "", page.styles["text"])
        rank, stale = (comparison.cell("Verdict", title, index)
                       for title in ("Rank", "Values out of date"))  # fmt: skip
        failed = comparison.cell("Verdict", "Needs that fail", index)
        listed = self.comparison.source.checks.failing(index)
        score, first = comparison.score(index), self.best.of("Verdict", comparison.scored)[0]
        dearer = f'IF({score}>{first},"{_DEARER}","{_ALIKE}")'
        standing = f'IF({rank}=1,"recommended",IF({rank}="out","{_UNPRICED}",{dearer}))'
        late = f'IF({stale}>0,"; {_LATE}: "&{stale}&" out of date","")'
        formula = f'IF({failed}>0,"fails: "&{listed},{standing}){f"&{late}"}'
        page.live(row, _WHY, formula, self._standing(index), "text")
        page.define("why" if index == 0 else f"why_{index + 1}", row, _WHY)
        page.tall(row, [(head, _NAME_WIDTH), (quotes.words(index), _WORDS_WIDTH),
                        (self._standing(index), _WORDS_WIDTH)])  # fmt: skip

    def _standing(self, index: int) -> str:
        met = self.choice.candidates[index].met
        failing = [str(one.need) for one in met if one.margin < 1 - 1e-9]
        if failing:
            return f"fails: {', '.join(failing)}"[:257]
        rank = self.comparison.shown("Verdict", "Rank", index)
        if rank in (1, "out"):
            return "recommended" if rank == 1 else _UNPRICED
        own, first = (self.comparison.shown("Verdict", self.comparison.scored, place)
                      for place in (index, self.best.place))  # fmt: skip
        return _ALIKE if own == first else _DEARER


def _text_or_number(value: object) -> float | str:
    return value if isinstance(value, float | int | str) else ""

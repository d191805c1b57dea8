"""Every candidate on the first page: rank, price, cost, verdict, and why it is not the first."""

from planner.export.procurement.comparison import shown_of
from planner.export.procurement.names import called, live_name
from planner.export.procurement.page import Page
from planner.export.procurement.ranking import scored
from planner.export.procurement.recommended import Recommended
from planner.search.choose import Choice

_WIDE = 8  # columns of the page
_NAME_WIDTH, _WORDS_WIDTH = 52.0, 45.0  # of two and of three columns
_UNPRICED, _LATE = "has no price", "export again"
_DEARER = "costs more than the recommended"
_ALIKE = "costs as much, with more drives, less capacity or a later place"


class Alternatives:
    """A row per candidate twice: its figures, then its price and what keeps it from the first."""

    def __init__(self, page: Page, choice: Choice, best: Recommended) -> None:
        self.page, self.choice, self.best = page, choice, best
        self.comparison, self.layout = best.comparison, best.layout
        self.names = [f"{place}. {called(one)}" for place, one in enumerate(choice.candidates, 1)]

    def write(self) -> None:
        """Rank every candidate, and say why it is not the first."""
        page, block, reasons = self.page, self.layout["candidates"], self.layout["reasons"]
        page.section(block.top, "Every candidate, live", _WIDE)
        titles = ("Candidate", "", "Rank", "Extended price", "Above the recommended",
                  "Net present cost", "Years to the first limit", "Pass or fail")  # fmt: skip
        page.texts(block.top + 1, 0, titles[:2], "head")
        page.texts(block.top + 1, 2, titles[2:], "head value")
        page.tall(block.top + 1, [(title, 13.5) for title in titles])
        for index, head in enumerate(self.names):
            self._alternative(index, head)
        page.mark_missing(block.area("price", "life"))
        page.colour_verdicts(block.area("verdict"), f"$H{block.first + 1}")
        page.colour(block.area("name", "rank"), f"$C{block.first + 1}=1", "good")
        page.texts(reasons.top, 0, ("Candidate", "", "Price from", "", "", "Why not first", "", ""),
                   "head")  # fmt: skip
        for index, one in enumerate(self.choice.candidates):
            self._reason(index, f"{index + 1}. {one.plan.drive.name}")

    def _alternative(self, index: int, head: str) -> None:
        page, comparison, block = self.page, self.comparison, self.layout["candidates"]
        source, one = comparison.source, self.choice.candidates[index]
        sizing, row = source.sizing, block.rows[index]
        cells = {
            key: sizing.cell(index, key)
            for key in ("members", "partition_fraction", "hot_spares")
            if sizing.has(key)
        }
        page.merge(row, 0, 1, "label")
        page.live(row, 0, f'"{index + 1}. "&{live_name(one, cells)}', head, "label")
        page.tall(row, [(head, _NAME_WIDTH)])
        for column, title, name in (
            ("rank", "Rank", "rank"),
            ("verdict", "Pass or fail", "verdict"),
        ):
            page.live(*block.at(index, column), self.layout["Verdict"].cell(index, title),
                      comparison.shown("Verdict", title, index), "right")  # fmt: skip
            page.label(name, index, *block.at(index, column))
        for column, heading, title, key in (
            ("price", "Price", "Extended price", "capital_usd"),
            ("cost", "Cost of owning", "Net present cost", "npv_usd"),
        ):
            value = shown_of(source.owned(index, key))
            cell = self.layout[heading].cell(index, title)
            page.quantity(*block.at(index, column), key, cell, value)
        above, value = self._above(index)
        page.quantity(*block.at(index, "above"), "capital_usd", above, value)
        life = one.plan.lifetime.years
        years: float | str = (
            "missing" if life is None else "never" if life == float("inf") else life
        )
        limit = sizing.cell(index, "first_life")
        page.quantity(*block.at(index, "life"), "wear_life_s", limit, years)

    def _above(self, index: int) -> tuple[str, float | str]:
        """Return by how much a price is above that of the recommended candidate."""
        own = self.layout["Price"].cell(index, "Extended price")
        chosen, value = self.best.of("Price", "Extended price")
        price = self.comparison.source.owned(index, "capital_usd")[1]
        known = isinstance(price, float | int) and isinstance(value, float | int)
        formula = f'IF(ISNUMBER({own})*ISNUMBER({chosen})>0,{own}-{chosen},"missing")'
        return formula, float(price) - float(value) if known else "missing"  # type: ignore[arg-type]

    def _reason(self, index: int, head: str) -> None:
        """Say of which kind and day a price is, and what a candidate lacks or is dearer by."""
        page, block, verdict = self.page, self.layout["reasons"], self.layout["Verdict"]
        row, quotes = block.rows[index], self.comparison.source.quotes
        page.across(row, 0, 1, head, "label")
        (_, origin), (_, why) = block.at(index, "from"), block.at(index, "why")
        page.merge(row, origin, why - 1)
        page.live(row, origin, quotes.prices.cell(index, "from"), quotes.words(index), "text")
        page.merge(row, why, _WIDE - 1)
        rank, stale, failed, score = (
            verdict.cell(index, title)
            for title in ("Rank", "Values out of date", "Needs that fail", scored(self.choice))
        )
        first = self.best.of("Verdict", scored(self.choice))[0]
        dearer = f'IF({score}>{first},"{_DEARER}","{_ALIKE}")'
        standing = f'IF({rank}=1,"recommended",IF({rank}="out","{_UNPRICED}",{dearer}))'
        late = f'IF({stale}>0,"; {_LATE}: "&{stale}&" out of date","")'
        listed = self.comparison.source.checks.failing(index)
        formula = f'IF({failed}>0,"fails: "&{listed},{standing}){f"&{late}"}'
        page.live(row, why, formula, self._standing(index), "text")
        page.label("why", index, row, why)
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
        own, first = (self.comparison.shown("Verdict", scored(self.choice), place)
                      for place in (index, self.best.place))  # fmt: skip
        return _ALIKE if own == first else _DEARER

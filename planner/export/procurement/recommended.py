"""Who is recommended and why: its number, live, its needs, and every candidate beside it."""

from collections.abc import Sequence

from models.nomenclature import QUANTITIES
from planner.export.procurement.checks import Checks
from planner.export.procurement.comparison import Comparison
from planner.export.procurement.comparison_columns import RANGES
from planner.export.procurement.names import NEED_KEYS, called, live_name
from planner.export.procurement.needs import spare_of
from planner.export.procurement.page import HOLDS, VERDICTS, Page
from planner.export.procurement.price_ends import ENDS, between
from planner.export.procurement.ranking import BEYOND, OPEN, scored
from planner.export.procurement.refused import ERROR
from planner.export.workbook.exported import EXPORT_AGAIN
from planner.export.workbook.formats import number_format
from planner.search.choose import Choice, Need

_WIDE = 8  # columns of the page

NONE = "No candidate meets every need"
NO_PLAN = "each fails a need that is named below, or has no price or an error in a typed cell"
_STANDS = "meets every need"
_OPEN = "meets every need that is live; export again, since values of others are out of date"
_BEYOND = "meets every need by what is credited beyond its printed rating"
_NAME_WIDTH, _WORDS_WIDTH = 52.0, 45.0  # of two and of three columns
_UNPRICED, _LATE = "has no price", "export again"
_DEARER = "costs more than the recommended"
_ALIKE = "costs as much, with more drives, less capacity or a later place"


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

    def between(self, heading: str, titles: Sequence[str]) -> tuple[str, str]:
        """Return the range between two of its figures in words, "" where there is none."""
        low, high = (self.of(heading, title) for title in titles)
        return between(low, high)

    def of(self, heading: str, title: str) -> tuple[str, float | str]:
        """Return its figure in a column of the comparison, "" where there is none."""
        cells = self.layout[heading].cells(title)
        value = self.comparison.shown(heading, title, self.place) if self.number else ""
        return f'IF({self.cell}=0,"",INDEX({cells},{self.cell}))', value

    @property
    def standing(self) -> tuple[str, str]:
        """The formula of whether it stands, and what that gives as exported."""
        verdict = f"INDEX({self.layout['Verdict'].cells('Pass or fail')},{self.cell})"
        other = f'IF({verdict}="{BEYOND}","{_BEYOND}","{_STANDS}")'
        known = f'IF({verdict}="{OPEN}","{_OPEN}",{other})'
        formula = f'IF({self.cell}=0,"{NO_PLAN}",{known})'
        if not self.number:
            return formula, NO_PLAN
        now = self.comparison.shown("Verdict", "Pass or fail", self.place)
        return formula, _BEYOND if now == BEYOND else _STANDS


class NeedsTable:
    """Table of the recommended candidate's margin to each need; the warranty last."""

    def __init__(self, page: Page, choice: Choice, checks: Checks, best: Recommended) -> None:
        self.page, self.choice, self.checks, self.best = page, choice, checks, best
        self.block = best.layout["needs"]
        self.needs = [key for key in self.block.rows if isinstance(key, Need)]

    def write(self) -> None:
        """Write required and available amounts of the recommended candidate, by margin."""
        page, block = self.page, self.block
        page.section(block.top, "Why: each need of the recommended candidate", _WIDE)
        page.texts(block.top + 1, 0, ("Need", "Required", "There is", "Unit", "Holds",
                                      "Margin [%]"), "head")  # fmt: skip
        page.texts(block.top + 1, 1, ("Required", "There is"), "head value")
        page.text(block.top + 1, 3, "Unit", "head note")
        page.texts(block.top + 1, 4, ("Holds", "Margin [%]"), "head value")
        for need in self.needs:
            self._need(need)
        holds = HOLDS | {f'{{x}}="{EXPORT_AGAIN}"': "late"}
        page.colours(block.area("holds"), f"$E{block.first + 1}", holds)
        counted = [need for need in self.needs if need is not Need.WARRANTY]
        page.text(*block.at("least", "need"), "Met with the lowest margin")
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
        needed = self.checks.block.cell((0, need), "needed")
        page.quantity(*block.at(need, "needed"), key, needed, self.checks.needed(need)[1])
        now: tuple[float | str | bool, ...] = ("", "", "")
        if best.number:
            met = self.checks.met(best.place, need)
            has = self.checks.has(best.place, need).value
            now = (has, met.margin >= 1 - 1e-9, spare_of(met))
        looks = {"has": number_format("cell", key), "holds": "truth", "spare": "spare"}
        for (column, style), value in zip(looks.items(), now, strict=True):
            cell = self.checks.nth(column, best.cell, need)
            page.live(*block.at(need, column), f'IF({best.cell}=0,"",{cell})', value, style)


class Alternatives:
    """A row per candidate twice: its figures, then its price and what keeps it from the first."""

    def __init__(self, page: Page, choice: Choice, best: Recommended) -> None:
        self.page, self.choice, self.best = page, choice, best
        self.comparison, self.layout = best.comparison, best.layout
        self.refused = self.comparison.source.checks.refused
        self.names = [f"{place}. {called(one)}" for place, one in enumerate(choice.candidates, 1)]

    def write(self) -> None:
        """Rank every candidate, and say why it is not the first."""
        page, block, reasons = self.page, self.layout["candidates"], self.layout["reasons"]
        page.section(block.top, "Every candidate, live; ranges are by the interval of the price",
                     _WIDE)  # fmt: skip
        titles = ("Candidate", "Rank", "Extended price", "Low to high of 90 %", "Net present cost",
                  "Low to high of 90 %", "Years to the first limit", "Pass or fail")  # fmt: skip
        page.text(block.top + 1, 0, titles[0], "head")
        page.texts(block.top + 1, 1, titles[1:], "head value")
        page.tall(block.top + 1, [(title, 13.5) for title in titles])
        for index, head in enumerate(self.names):
            self._alternative(index, head)
        page.mark_missing(block.area("price", "life"))
        page.colours(block.area("verdict"), f"$H{block.first + 1}", VERDICTS)
        page.colour(block.area("name", "rank"), f"$B{block.first + 1}=1", "good")
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
        refused, exported = self.refused, '"{}"'.format(head.replace('"', '""'))
        name = refused.gated(index, f'"{index + 1}. "&{live_name(one, cells)}', exported)
        page.live(row, 0, name, head, "label")
        for column, title in (("rank", "Rank"), ("verdict", "Pass or fail")):
            cell = self.layout["Verdict"].cell(index, title)
            value = comparison.shown("Verdict", title, index)
            page.live(*block.at(index, column), cell, value, "right")
            page.label(column, index, *block.at(index, column))
        for column, heading, title, key in (
            ("price", "Price", "Extended price", "capital_usd"),
            ("cost", "Cost of owning", "Net present cost", "npv_usd"),
        ):
            cell = self.layout[heading].cell(index, title)
            page.quantity(*block.at(index, column), key, cell, source.owned(index, key)[1])
            formula, words = self._between(index, title)
            page.live(*block.at(index, f"{column} range"), formula, words, "right")
            page.tall(row, [(head, 36.0), (words, 14.0)])
        life = one.plan.lives.years
        years: float | str = (
            "missing" if life is None else "never" if life == float("inf") else life
        )
        limit = f'IF(ISERROR({{0}}),"{EXPORT_AGAIN}",{{0}})'.format(
            sizing.cell(index, "first_life")
        )
        page.quantity(
            *block.at(index, "life"), "wear_life_s", refused.gated(index, limit), years
        )  # fmt: skip

    def _between(self, index: int, title: str) -> tuple[str, str]:
        """Return the range of a sum of a candidate in words."""
        low, high = (
            (self.layout[RANGES].cell(index, name), self.comparison.shown(RANGES, name, index))
            for name in (f"{title}, {end}" for end in ENDS)
        )
        formula, words = between(low, high)
        return self.refused.gated(index, formula), words

    def _reason(self, index: int, head: str) -> None:
        """Write the kind and date of a price, and the shortfall or extra cost of a candidate."""
        page, block, verdict = self.page, self.layout["reasons"], self.layout["Verdict"]
        row, quotes = block.rows[index], self.comparison.source.quotes
        _, words, _ = quotes.now(index)
        page.across(row, 0, 1, head, "label")
        (_, origin), (_, why) = block.at(index, "from"), block.at(index, "why")
        page.merge(row, origin, why - 1)
        page.live(row, origin, quotes.prices.cell(index, "from"), words, "text")
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
        known = f'IF({failed}>0,"fails: "&{listed},{standing}){f"&{late}"}'
        formula = self.refused.gated(index, known, f'"{ERROR}: "&{self.refused.first_of(index)}')
        page.live(row, why, formula, self._standing(index), "text")
        page.label("why", index, row, why)
        page.tall(row, [(head, _NAME_WIDTH), (words, _WORDS_WIDTH),
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

"""The sheet of sensitivity: values as computed on export, with the inputs they came from."""

from collections.abc import Sequence

from models.nomenclature import QUANTITIES
from planner.export.procurement.checks import Checks
from planner.export.procurement.names import NEED_KEYS, called
from planner.export.procurement.page import Page
from planner.export.procurement.tornado import CostSwing, life_years, swings
from planner.export.workbook.exported import OUT_OF_DATE, UP_TO_DATE
from planner.quantity.show import shown
from planner.search.choose import Choice, Objective, Saving

NAME = "Sensitivity"
_FIRST = 9
_WIDTHS = (34, 10, 12, 12, 13, 13, 14, 14, 24)  # printed at 8 points across landscape A4
_HEADS = {
    "npv_usd": ("Input, one at a time", "Unit", "Low", "High", "Cost at low", "Cost at high",
                "Cost moves by, at low", "Cost moves by, at high", "Range"),
    "wear_life_s": ("Input, one at a time", "Unit", "Low", "High", "Years at low",
                    "Years at high", "Life moves by, at low", "Life moves by, at high", "Range"),
}  # fmt: skip
_CHART_ROWS, _CHART_WIDTH = 19, 500
_GRID = {"visible": True, "line": {"color": "#D9D9D9"}}


class Sensitivity:
    """Swings of the recommended candidate, and what relaxing each need would save."""

    def __init__(self, page: Page, choice: Choice) -> None:
        self.page, self.choice = page, choice
        self.best = choice.candidates[0]
        self.swings = swings(self.best)
        self.of_life = [swing for swing in self.swings if _moves(swing.life_years)]
        self.of_life.sort(key=lambda swing: -_moves(swing.life_years))
        self.life_row = _FIRST + len(self.swings) + 2
        self.charts_row = self.life_row + len(self.of_life) + 1
        self.savings_row = self.charts_row + _CHART_ROWS

    def write(self, head: str, checks: Checks) -> None:
        """Write values, whether they still hold, and charts."""
        page = self.page
        page.text(0, 0, "Sensitivity", "title")
        page.sheet.merge_range(1, 0, 1, len(_WIDTHS) - 1, "", page.styles["text"])
        page.text(1, 0, f"Of {head}. Values as computed on export: every row is a plan of its own.",
                  "text")  # fmt: skip
        page.widths(_WIDTHS)
        page.text(3, 0, "These values are")
        names = [*checks.assumed.numbers, *checks.sizing.inputs(0)]
        page.live(3, 1, checks.exported.status(0, names), UP_TO_DATE, "centre")
        page.define("sensitivity_status", 3, 1)
        page.colour((3, 1, 3, 1), f'$B$4="{OUT_OF_DATE}"', "late")
        page.sheet.merge_range(3, 2, 3, len(_WIDTHS) - 1, "", page.styles["text"])
        page.text(3, 2, "computed from every input of this candidate, listed on Checks", "text")
        self._base()
        self._table(_FIRST - 1, "npv_usd", self.swings)
        self._table(self.life_row - 1, "wear_life_s", self.of_life)
        self._charts(head)
        self._savings()
        page.sheet.set_h_pagebreaks([self.charts_row])
        last = self.savings_row + 1 + len(self.choice.savings)
        page.sheet.print_area(0, 0, last, len(_WIDTHS) - 1)
        page.finish(0, (1, 1))

    @property
    def _bases(self) -> dict[str, float | None]:
        cost = self.best.ownership["npv_usd"]
        npv = None if not cost.is_known else float(cost.value)
        return {"wear_life_s": life_years(self.best.plan), "npv_usd": npv}

    def _base(self) -> None:
        page = self.page
        labels = ("Life to the first limit of wear or rating", "Net present cost")
        for row, (label, (key, value)) in enumerate(
            zip(labels, self._bases.items(), strict=True), start=5
        ):
            page.text(row, 0, label)
            page.unit(row, 1, QUANTITIES[key].shown_in)
            page.fixed(row, 2, "unknown" if value is None else value, key)

    def _table(self, row: int, key: str, swings: Sequence[CostSwing]) -> None:
        page, heads = self.page, _HEADS[key]
        page.texts(row, 0, heads[:2], "head")
        page.texts(row, 2, heads[2:8], "head value")
        page.text(row, 8, heads[8], "head note")
        page.tall(row, [(head, 12.0) for head in heads[2:8]])
        for place, swing in enumerate(swings, start=row + 1):
            page.text(place, 0, swing.label)
            page.tall(place, [(swing.label, 32.0), (swing.ground, 24.0)])
            page.unit(place, 1, QUANTITIES[swing.key].shown_in)
            for column, value in enumerate((swing.low, swing.high), start=2):
                page.fixed(place, column, shown(swing.key, value), swing.key)
            results = swing.npv_usd if key == "npv_usd" else swing.life_years
            self._results(place, key, results)
            page.text(place, 8, swing.ground, "note")

    def _results(self, row: int, key: str, results: Sequence[float | None]) -> None:
        base = self._bases[key]
        for column, result in enumerate(results, start=4):
            moved = None if result is None or base is None else result - base
            self.page.fixed(row, column, "unknown" if result is None else result, key)
            self.page.fixed(row, column + 2, "unknown" if moved is None else moved, "npv_usd")

    def _charts(self, head: str) -> None:
        """Draw a tornado of the cost, and one of the life."""
        self._tornado(_FIRST, len(self.swings), 0, "Net present cost moves by", head)
        if self.of_life:
            self._tornado(self.life_row, len(self.of_life), 1, "Life moves by, years", head)

    def _tornado(self, row: int, count: int, place: int, title: str, head: str) -> None:
        chart = self.page.book.add_chart({"type": "bar"})
        for name, column, colour in (("at low", 6, "#5B9BD5"), ("at high", 7, "#ED7D31")):
            chart.add_series({
                "name": name,
                "categories": [NAME, row, 0, row + count - 1, 0],
                "values": [NAME, row, column, row + count - 1, column],
                "overlap": 100,
                "gap": 40,
                "fill": {"color": colour},
            })  # fmt: skip
        chart.set_title({"name": title, "name_font": {"size": 12}})
        chart.set_y_axis({
            "reverse": True, "crossing": "max", "label_position": "low", "num_font": {"size": 11},
        })  # fmt: skip
        chart.set_x_axis({
            "num_format": "#,##0.##", "major_gridlines": _GRID, "num_font": {"size": 11},
        })  # fmt: skip
        chart.set_legend({"position": "bottom", "font": {"size": 11}})
        chart.set_size({"width": _CHART_WIDTH, "height": 350})
        description = f"Bars: {title.lower()} as one input at a time is low or high, of {head}."
        options = {"description": description, "x_offset": place * (_CHART_WIDTH + 10)}
        self.page.sheet.insert_chart(self.charts_row, 0, chart, options)

    def _savings(self) -> None:
        page, row = self.page, self.savings_row
        page.section(row, "What asking a tenth less of one need would save", len(_WIDTHS))
        aim = "price" if self.choice.objective is Objective.PRICE else "net present cost"
        page.texts(row + 1, 0, ("Need", "Unit"), "head")
        page.texts(row + 1, 2, ("Asked", "Relaxed to", f"Saves, {aim}"), "head value")
        page.texts(row + 1, 5, ("Plan then", "", "", ""), "head note")
        for place, saving in enumerate(self.choice.savings, start=row + 2):
            self._saving(place, saving)

    def _saving(self, row: int, saving: Saving) -> None:
        page, key = self.page, NEED_KEYS[saving.need]
        page.text(row, 0, str(saving.need))
        page.unit(row, 1, QUANTITIES[key].shown_in)
        for column, value in ((2, saving.needed), (3, saving.relaxed)):
            page.fixed(row, column, shown(key, value), key)
        page.fixed(row, 4, "unknown" if saving.saving is None else saving.saving, "npv_usd")
        then = called(saving.best) if saving.best else "no plan"
        page.sheet.merge_range(row, 5, row, len(_WIDTHS) - 1, "", page.styles["text"])
        page.text(row, 5, then, "text")
        page.tall(row, [(then, 62.0)])


def _moves(results: tuple[float | None, float | None]) -> float:
    low, high = results
    return 0.0 if low is None or high is None else abs(high - low)

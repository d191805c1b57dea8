"""The sheet of sensitivity: values as computed on export, with the inputs they came from."""

from collections.abc import Sequence

from models.nomenclature import QUANTITIES
from planner.export.procurement.checks import Checks
from planner.export.procurement.layout import Layout
from planner.export.procurement.names import NEED_KEYS, called
from planner.export.procurement.owning_charts import FONT, GRID, finish_chart
from planner.export.procurement.page import STALE, Page
from planner.export.procurement.tornado import CostSwing, life_years, of_life
from planner.export.workbook.exported import UP_TO_DATE
from planner.quantity.show import shown
from planner.search.choose import Choice, Objective, Saving

_WIDTHS = (34, 10, 12, 12, 13, 13, 14, 14, 24)  # printed at 8 points across landscape A4
_HEADS = ("Input, one at a time", "Unit", "Low", "High", "{0} at low", "{0} at high",
          "{1} moves by, at low", "{1} moves by, at high", "Range")  # fmt: skip
_RESULTS = {"npv_usd": ("Cost", "Cost"), "wear_life_s": ("Years", "Life")}


class Sensitivity:
    """Swings of the recommended candidate, and what relaxing each need would save."""

    def __init__(
        self, page: Page, choice: Choice, layout: Layout, swings: Sequence[CostSwing]
    ) -> None:
        self.page, self.choice, self.layout = page, choice, layout
        best = choice.candidates[0]
        cost = best.ownership["npv_usd"]
        self.bases = {
            "wear_life_s": life_years(best.plan),
            "npv_usd": float(cost.value) if cost.is_known else None,
        }
        self.swings = {"npv_usd": swings, "wear_life_s": of_life(swings)}

    def write(self, head: str, checks: Checks) -> None:
        """Write values, whether they still hold, and charts."""
        page, wide = self.page, len(_WIDTHS) - 1
        page.text(0, 0, "Sensitivity", "title")
        page.across(1, 0, wide, f"Of {head}. Values as computed on export: every row is a plan "
                    "of its own.")  # fmt: skip
        page.widths(_WIDTHS)
        page.text(3, 0, "These values are")
        names = [*checks.assumed.numbers, *checks.sizing.inputs[0]]
        status = checks.exported.status(0, names), UP_TO_DATE
        page.state(3, 1, "sensitivity_status", status, STALE, "centre")
        page.across(3, 2, wide, "computed from every input of this candidate, listed on Checks")
        self._base()
        for key in self.swings:
            self._table(key)
        self._tornado("npv_usd", 0, "Net present cost moves by", head)
        if self.swings["wear_life_s"]:
            self._tornado("wear_life_s", 1, "Life moves by, years", head)
        self._savings()
        page.finish(0, (1, 1))
        page.one_page(self.layout["charts"].last, wide)

    def _base(self) -> None:
        page = self.page
        labels = ("Life to the first limit of wear or rating", "Net present cost")
        for row, (label, key) in enumerate(zip(labels, self.bases, strict=True), start=5):
            page.text(row, 0, label)
            page.unit(row, 1, QUANTITIES[key].shown_in)
            page.fixed(row, 2, self.bases[key], key)

    def _table(self, key: str) -> None:
        page, block = self.page, self.layout[key]
        heads = [head.format(*_RESULTS[key]) for head in _HEADS]
        page.texts(block.top, 0, heads[:2], "head")
        page.texts(block.top, 2, heads[2:8], "head value")
        page.text(block.top, 8, heads[8], "head note")
        page.tall(block.top, [(head, 12.0) for head in heads[2:8]])
        for swing, row in zip(self.swings[key], block.rows.values(), strict=True):
            page.text(row, 0, swing.label)
            page.tall(row, [(swing.label, 32.0), (swing.ground, 24.0)])
            page.unit(row, 1, QUANTITIES[swing.key].shown_in)
            for column, value in enumerate((swing.low, swing.high), start=2):
                page.fixed(row, column, shown(swing.key, value), swing.key)
            self._results(row, key, swing.npv_usd if key == "npv_usd" else swing.life_years)
            page.text(row, 8, swing.ground, "note")

    def _results(self, row: int, key: str, results: Sequence[float | None]) -> None:
        base = self.bases[key]
        for column, result in enumerate(results, start=4):
            moved = None if result is None or base is None else result - base
            self.page.fixed(row, column, result, key)
            self.page.fixed(row, column + 2, moved, "npv_usd")

    def _tornado(self, key: str, place: int, title: str, head: str) -> None:
        """Draw bars of what an input at its low and at its high end moves."""
        chart, block = self.page.book.add_chart({"type": "bar"}), self.layout[key]
        for name, column, colour in (("at low", 6, "#5B9BD5"), ("at high", 7, "#ED7D31")):
            chart.add_series({
                "name": name,
                "categories": [block.sheet, block.first, 0, block.last, 0],
                "values": [block.sheet, block.first, column, block.last, column],
                "overlap": 100,
                "gap": 40,
                "fill": {"color": colour},
            })  # fmt: skip
        chart.set_y_axis({
            "reverse": True, "crossing": "max", "label_position": "low", "num_font": FONT,
        })  # fmt: skip
        chart.set_x_axis({"num_format": "#,##0.##", "major_gridlines": GRID, "num_font": FONT})
        description = f"Bars: {title.lower()} as one input at a time is low or high, of {head}."
        at = self.layout["charts"].top, place
        finish_chart(self.page, chart, at, title, description, (500, 350))

    def _savings(self) -> None:
        page, block = self.page, self.layout["savings"]
        page.section(block.top, "Savings if one requirement is relaxed by 10 %", len(_WIDTHS))
        aim = "price" if self.choice.objective is Objective.PRICE else "net present cost"
        page.texts(block.top + 1, 0, ("Need", "Unit"), "head")
        page.texts(block.top + 1, 2, ("Asked", "Relaxed to", f"Saves, {aim}"), "head value")
        page.texts(block.top + 1, 5, ("Plan then", "", "", ""), "head note")
        for saving, row in zip(self.choice.savings, block.rows.values(), strict=True):
            self._saving(row, saving)

    def _saving(self, row: int, saving: Saving) -> None:
        page, key = self.page, NEED_KEYS[saving.need]
        page.text(row, 0, str(saving.need))
        page.unit(row, 1, QUANTITIES[key].shown_in)
        for column, value in ((2, saving.needed), (3, saving.relaxed)):
            page.fixed(row, column, shown(key, value), key)
        page.fixed(row, 4, saving.saving, "npv_usd")
        then = called(saving.best) if saving.best else "no plan"
        page.across(row, 5, len(_WIDTHS) - 1, then)
        page.tall(row, [(then, 62.0)])

"""Charts of the cost of owning: by year, and as present values by kind."""

from collections.abc import Mapping
from typing import Any

from planner.export.procurement.page import Page

GRID = {"visible": True, "line": {"color": "#D9D9D9"}}
_COLOURS = {
    "Drives at the start": "#1F4E79", "Replacements": "#9DC3E6", "Slots": "#A9D18E",
    "Nodes": "#8064A2", "Energy": "#F4B183", "Labour": "#C9C9C9",
}  # fmt: skip
_SIZE = (480, 360)  # of two side by side on a page
FONT = {"size": 11}  # 8 points as printed
_AMOUNTS = {"num_format": "#,##0", "major_gridlines": GRID, "num_font": FONT}

Cells = tuple[int, int, int]  # row, first and last column


def columns_chart(
    page: Page, rows: Mapping[str, Cells], years: Cells, at_row: int, whose: str
) -> None:
    """Stack replacements, slots, energy and labour of every year."""
    chart = _stacked(page, "column", rows, years)
    chart.set_x_axis({"name": "Year", "name_font": FONT, "num_font": FONT})
    chart.set_y_axis(_AMOUNTS)
    finish_chart(page, chart, (at_row, 0), "Costs by year after the start, undiscounted",
            f"Stacked columns: costs of each year of {whose}, by kind.")  # fmt: skip


def bars_chart(page: Page, rows: Mapping[str, Cells], candidates: Cells, at_row: int) -> None:
    """Stack the present values of every candidate."""
    chart = _stacked(page, "bar", rows, candidates)
    chart.set_x_axis(_AMOUNTS)
    chart.set_y_axis({"reverse": True, "crossing": "max", "num_font": FONT})
    finish_chart(page, chart, (at_row, 1), "Net present cost by kind, residual value apart",
            "Stacked bars: net present cost of every candidate, by kind.")  # fmt: skip


def _stacked(page: Page, kind: str, rows: Mapping[str, Cells], categories: Cells) -> Any:
    chart = page.book.add_chart({"type": kind, "subtype": "stacked"})
    row, first, last = categories
    for name, (own, start, end) in rows.items():
        chart.add_series({
            "name": name,
            "categories": [page.name, row, first, row, last],
            "values": [page.name, own, start, own, end],
            "fill": {"color": _COLOURS[name]},
            "gap": 50,
        })  # fmt: skip
    return chart


def finish_chart(
    page: Page, chart: Any, at: tuple[int, int], title: str, description: str,
    size: tuple[int, int] = _SIZE,
) -> None:  # fmt: skip
    """Title a chart and place it; `at` is its row, and its number among those side by side."""
    (row, place), (width, height) = at, size
    chart.set_title({"name": title, "name_font": {"size": 12}})
    chart.set_legend({"position": "bottom", "font": FONT})
    chart.set_size({"width": width, "height": height})
    options = {"description": description, "x_offset": place * (width + 10)}
    page.sheet.insert_chart(row, 0, chart, options)

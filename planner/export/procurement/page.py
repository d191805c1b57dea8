"""Sheets of the procurement workbook: cells by name, their looks, paper and protection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xlsxwriter.utility import quote_sheetname, xl_rowcol_to_cell

from planner.export.workbook.exported import OUT_OF_DATE
from planner.export.workbook.formats import Formats, formats, height, number_format, printing
from planner.export.workbook.typed_cells import Rule, TypedCell

STALE = {f'{{x}}="{OUT_OF_DATE}"': "late"}  # of a cell that says whether values still hold
VERDICTS = {
    '{x}="pass"': "good", '{x}="fail"': "bad", '{x}="export again"': "late",
    '{x}="beyond rating"': "late", '{x}="error"': "bad",
}  # fmt: skip
HOLDS = {
    "AND(NOT(ISBLANK({x})),{x}=FALSE)": "bad", "{x}=TRUE": "good", '{x}="error"': "bad",
}  # fmt: skip
LINE = 15.0  # points of a row of one line
_SCALE = 74  # percent at which what is decided prints: 11 points as 8.1
PAGE_POINTS = (595 - 36 - 43) * 100 / _SCALE  # of rows between the margins of landscape A4
_WRAPPED = {"text_wrap": True, "valign": "top"}
_OPEN = {
    "font_color": "#0000FF", "bg_color": "#FFFFCC", "locked": False, "border": 1,
    "border_color": "#BFBFBF",
}  # fmt: skip
Area = tuple[int, int, int, int]  # first row and column, last row and column
_LOOKS: dict[str, dict[str, Any]] = {
    "headline": {"bold": True, "font_size": 12, "text_wrap": True, "valign": "top"},
    "right": _WRAPPED | {"align": "right"},
    "words": _WRAPPED | {"align": "left", "indent": 1},
    "plan": {"valign": "top", "align": "left", "indent": 1},
    "section note": {"top": 1, "font_color": "#595959"},
    "section year": {"bold": True, "font_color": "#1F4E79", "top": 1, "align": "right"},
    "top": {"valign": "top"},
    "note right": _WRAPPED | {"align": "right", "indent": 1, "font_color": "#595959"},
    "head value": _WRAPPED | {"bold": True, "bottom": 1, "align": "right", "indent": 1},
    "centre": _WRAPPED | {"align": "center"},
    "head centre": _WRAPPED | {"bold": True, "bottom": 1, "align": "center"},
    "day": _WRAPPED | {"num_format": "yyyy-mm-dd", "align": "right"},
    "open day": _OPEN | {"num_format": "yyyy-mm-dd", "align": "right", "valign": "top"},
    "open number": _OPEN | {"align": "right", "valign": "top"},
    "open text": _OPEN | _WRAPPED | {"quote_prefix": True, "num_format": "@"},
    "cell": {"align": "right", "valign": "top"},
    "value": _WRAPPED | {"align": "right", "font_color": "#7F6000"},
    "spare": _WRAPPED | {"align": "right", "num_format": '[>1000]"> 1,000";0.0'},
    "score": _WRAPPED | {"align": "right", "num_format": '[<1E+299]#,##0.00;"out"'},
    "truth": _WRAPPED | {"align": "center", "num_format": '"TRUE";"TRUE";"FALSE"'},
    "unit": {"font_color": "#595959", "valign": "top", "align": "left", "indent": 1},
    "grey": {"font_color": "#A6A6A6"},
    "signature": {"bottom": 1, "locked": False},
    "signature text": {"bottom": 1, "locked": False, "quote_prefix": True},
    "good": {"bg_color": "#C6EFCE"},
    "bad": {"bg_color": "#FFC7CE", "font_color": "#9C0006"},
}


def looks_of(book: Any) -> dict[str, Any]:
    """Add the formats of the workbook, those of other workbooks among them."""
    shared = formats(book)
    patterns = [name.removeprefix("result ") for name in shared if name.startswith("result ")]
    more = {
        f"{kind} {pattern}": book.add_format(_LOOKS[kind] | {"num_format": pattern})
        for kind in ("value", "cell")
        for pattern in patterns
    }
    return shared | more | {name: book.add_format(style) for name, style in _LOOKS.items()}


def absolute(sheet: str, row: int, column: int) -> str:
    """Return a cell as other sheets name it.

    >>> absolute("TCO by year", 4, 2)
    "'TCO by year'!$C$5"
    """
    return f"{quote_sheetname(sheet)}!{here(row, column)}"


def here(row: int, column: int) -> str:
    """Return a cell as its own sheet names it, fixed.

    >>> here(4, 2)
    '$C$5'
    """
    return str(xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True))


def of_candidate(name: str, index: int) -> str:
    """Return the name of a cell of a candidate.

    >>> of_candidate("price_usd", 0), of_candidate("price_usd", 1)
    ('price_usd', 'price_usd_2')
    """
    return name if index == 0 else f"{name}_{index + 1}"


def accepted(cell: str, rule: Rule, label: str) -> dict[str, Any]:
    """Return the rule of an open cell: a condition on `{x}`, and the same in words.

    >>> accepted("B4", ("{x}>0", "above 0"), "Price")["value"]
    '=AND(ISNUMBER(B4),B4>0)'
    """
    condition, words = rule
    return {
        "validate": "custom",
        "value": f"=AND(ISNUMBER({cell}),{condition.format(x=cell)})",
        "input_title": label[:32],
        "input_message": f"Accepted: {words}."[:255],
        "error_title": label[:32],
        "error_message": f"{label} must be {words}."[:255],
    }


@dataclass(slots=True)
class Page:
    """One sheet: writes cells, and knows where those with a name stand."""

    book: Any
    sheet: Any
    styles: Formats
    name: str
    currency: str = ""
    currency_text: str = ""
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)  # points, by row
    typed: list[TypedCell] = field(default_factory=list)  # of all pages of the workbook

    def at(self, row: int, column: int) -> str:
        """Return a cell as other sheets know it."""
        return absolute(self.name, row, column)

    def cell(self, name: str) -> str:
        """Return a named cell as other sheets know it."""
        return absolute(self.name, *self.places[name])

    def text(self, row: int, column: int, text: str, style: str = "label") -> None:
        """Write text that never becomes a formula."""
        self.sheet.write_string(row, column, text, self.styles[style])

    def texts(self, row: int, column: int, texts: Sequence[str], style: str = "label") -> None:
        """Write texts side by side."""
        for place, text in enumerate(texts, start=column):
            self.text(row, place, text, style)

    def _per(self, unit: str) -> str | None:
        """Return the part of a unit behind the currency, None without a currency."""
        before, usd, after = unit.partition("USD")
        return after if usd and not before and self.currency else None

    def unit(self, row: int, column: int, unit: str, style: str = "unit") -> None:
        """Write a unit; the currency is that of the workbook."""
        per = self._per(unit)
        if per is None:
            self.text(row, column, "" if unit == "1" else unit, style)
        else:
            text = f"{self.currency_text}{per}"
            self.live(row, column, f'{self.currency}&"{per}"', text, style)

    def live(
        self, row: int, column: int, formula: str, value: float | str | None, style: str
    ) -> None:
        """Write a formula with what it gives as exported."""
        shown = "" if value is None else value
        self.sheet.write_formula(row, column, f"={formula}", self.styles[style], shown)

    def quantity(
        self, row: int, column: int, key: str, formula: str, value: float | str | None
    ) -> None:
        """Write a live number in the format of its quantity."""
        self.live(row, column, formula, value, number_format("cell", key))

    def fixed(self, row: int, column: int, value: float | str | None, key: str = "") -> None:
        """Write a value that no formula follows."""
        if value is None or isinstance(value, str):
            self.text(row, column, "unknown" if value is None else value, "value")
        else:
            self.sheet.write_number(row, column, value, self.styles[number_format("value", key)])

    def number(
        self, row: int, column: int, value: float | None, rule: Rule, label: str, key: str = "", *,
        owner: int = 0, whose: str = "",
    ) -> TypedCell:  # fmt: skip
        """Write an open cell for a number within a range, empty without a value."""
        self.sheet.write(row, column, value, self.styles[number_format("input", key)])
        cell = xl_rowcol_to_cell(row, column)
        self.sheet.data_validation(row, column, row, column, accepted(cell, rule, label))
        return self.judge(row, column, rule, label, may_be_empty=value is None, owner=owner,
                          whose=whose)  # fmt: skip

    def judge(
        self, row: int, column: int, rule: Rule, label: str, *, is_text: bool = False,
        may_be_empty: bool = False, owner: int = 0, whose: str = "",
    ) -> TypedCell:  # fmt: skip
        """List a cell that is typed into with what it accepts."""
        one = TypedCell(
            cell=absolute(self.name, row, column), label=label, rule=rule, is_text=is_text,
            may_be_empty=may_be_empty, owner=owner, whose=whose,
        )  # fmt: skip
        self.typed.append(one)
        return one

    def blank(self, row: int, column: int, style: str) -> None:
        """Write an empty open cell."""
        self.sheet.write_blank(row, column, None, self.styles[style])

    def words(self, row: int, column: int, text: str, *, locked: bool) -> None:
        """Write text, in an open cell in which what is typed stays text unless it is locked."""
        self.sheet.write_string(row, column, text, self.styles["note" if locked else "open text"])

    def titled(self, row: int, column: int, title: str, unit: str, style: str) -> None:
        """Write a title with its unit in brackets; the currency is that of the workbook."""
        per = self._per(unit)
        if per is None:
            self.text(row, column, f"{title} [{unit}]" if unit not in ("", "1") else title, style)
        else:
            heading = f"{title} [{self.currency_text}{per}]"
            self.live(row, column, f'"{title} ["&{self.currency}&"{per}]"', heading, style)

    def section(self, row: int, heading: str, columns: int) -> None:
        """Write a heading across columns."""
        for column in range(columns):
            self.sheet.write_blank(row, column, None, self.styles["section"])
        self.text(row, 0, heading, "section")

    def define(self, name: str, row: int, column: int, last_column: int | None = None) -> None:
        """Give a cell, or cells side by side, a name."""
        self.places[name] = (row, column)
        place = absolute(self.name, row, column)
        if last_column is not None:
            place = f"{place}:{here(row, last_column)}"
        self.book.define_name(name, f"={place}")

    def label(self, name: str, index: int, row: int, column: int) -> None:
        """Give a cell of a candidate a name: that of the first has no number."""
        self.define(of_candidate(name, index), row, column)

    def merge(self, row: int, first: int, last: int, style: str = "text") -> None:
        """Make one cell of those from the first column to the last."""
        self.sheet.merge_range(row, first, row, last, "", self.styles[style])

    def across(self, row: int, first: int, last: int, text: str, style: str = "text") -> None:
        """Write text across columns."""
        self.merge(row, first, last, style)
        self.text(row, first, text, style)

    def widths(self, widths: Sequence[float]) -> None:
        """Set the widths of columns from the first on."""
        for column, width in enumerate(widths):
            self.sheet.set_column(column, column, width)

    def tall(self, row: int, texts: Mapping[str, float] | Sequence[tuple[str, float]]) -> None:
        """Make a row as high as wrapped texts of these widths need."""
        pairs = texts.items() if isinstance(texts, Mapping) else texts
        self.high(row, height(pairs))

    def high(self, row: int, points: float) -> None:
        """Set the height of a row."""
        self.heights[row] = points
        self.sheet.set_row(row, points)

    def points(self, first: int, end: int) -> float:
        """Return the height of the rows from the first up to the end."""
        return sum(self.heights.get(row, LINE) for row in range(first, end))

    def break_before(self, *rows: int, end: int) -> None:
        """Begin a page at each of these rows and nowhere else, up to the row `end`.

        Excel leaves out the breaks of a sheet that is fitted to paper: its scale is a number.
        """
        title, starts = self.points(0, 1), (0, *rows)  # repeated on every page
        tallest = max(
            self.points(first, last) + (title if first else 0)
            for first, last in zip(starts, (*rows, end), strict=True)
        )
        self.sheet.set_print_scale(min(_SCALE, int(_SCALE * PAGE_POINTS / tallest)))
        self.sheet.set_h_pagebreaks(rows)

    def one_page(self, last: int, last_column: int, *, is_cut: bool = False) -> None:
        """Print one page of the first rows, `is_cut` to those that are legible on it.

        Below them is what is read on the screen.
        """
        if is_cut:
            last = max(row for row in range(last + 1) if self.points(0, row + 1) <= PAGE_POINTS)
        self.sheet.print_area(0, 0, last, last_column)
        self.sheet.fit_to_pages(1, 1)

    def mark_missing(self, area: Area) -> None:
        """Set apart what says that something is missing or in error."""
        for word in ("missing", "error", "export again"):
            rule = {"type": "text", "criteria": "begins with", "value": word}
            self.sheet.conditional_format(*area, rule | {"format": self.styles["missing"]})

    def colour(self, area: Area, formula: str, style: str) -> None:
        """Colour cells of an area where a formula about its first cell holds."""
        rule = {"type": "formula", "criteria": f"={formula}", "format": self.styles[style]}
        self.sheet.conditional_format(*area, rule)

    def colours(self, area: Area, first: str, styles: Mapping[str, str]) -> None:
        """Colour cells of an area by conditions on {x}, the first of them."""
        for condition, style in styles.items():
            self.colour(area, condition.format(x=first), style)

    def state(
        self, row: int, column: int, name: str, said: tuple[str, float | str],
        styles: Mapping[str, str], style: str = "right",
    ) -> None:  # fmt: skip
        """Write a named cell that says how things stand, coloured by conditions on {x}."""
        self.live(row, column, *said, style)
        self.define(name, row, column)
        self.colours((row, column, row, column), here(row, column), styles)

    def finish(self, header_row: int, frozen: tuple[int, int]) -> None:
        """Freeze, protect without a password and set up the paper."""
        self.sheet.freeze_panes(*frozen)
        self.sheet.protect("", {"format_columns": True, "format_rows": True})
        printing(self.sheet, header_row)

"""Formats of cells and pages: numbers, colours, paper, heights of wrapped rows."""

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from models.nomenclature import QUANTITIES
from planner.quantity.show import RARE, least_text

Formats = Mapping[str, Any]

_LINE_POINTS = 15.0
_TINY = "[<0.01]0.00E+00;"
_BY_UNIT = {
    "1": "#,##0.0##", "x": "0.0000", "%": "0.00##", "%/year": "0.00##", "1/day": "0.00##",
    "DWPD": "0.00##", "cycles": "#,##0", "GB": "#,##0.0##", "GiB": "#,##0.0##",
    "KiB": "#,##0.0##", "TB": "#,##0.0##", "GiB/day": "#,##0.0##", "MB/s": "#,##0.0",
    "IOPS": "#,##0", "s": "#,##0.0##", "us": "#,##0.0", "ms": "0.00##", "years": f"{_TINY}#,##0.00",
    "USD": "#,##0.00", "USD/GB": "#,##0.000#", "USD/TB": "#,##0.00##",
    "USD/year": "#,##0.00", "USD/(TB year)": "#,##0.00", "USD/kIOPS": "#,##0.00",
    "USD/kWh": "0.00##", "W": "#,##0.0##", "kWh": "#,##0.0##", "kg": "#,##0.0##",
    "kg/TB": "#,##0.0##", "kg/(TB year)": "0.00##", "g/kWh": "#,##0.0##",
}  # fmt: skip
_WHOLE = dict.fromkeys(
    ("members", "copies", "parities", "sets", "set_members", "pages_per_block"), "#,##0"
)
# Of a probability that no model of drives knows, the least that is printed.
_CHANCES = {
    key: f'[<{least_text(key)}]"< {least_text(key)}";{_TINY}0.00##'
    for key in RARE
}  # fmt: skip
_BY_KEY = _WHOLE | _CHANCES | {"uber": f"{_TINY}0.00##"}
_OTHER = "0.0000##"
_PATTERNS = sorted({*_BY_UNIT.values(), *_BY_KEY.values(), _OTHER})

_WRAPPED = {"text_wrap": True, "valign": "top"}
_RIGHT = _WRAPPED | {"align": "right"}
_GREY = "#595959"
_LOOKS: dict[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 14},
    "plain": {},
    "date": {"num_format": "yyyy-mm-dd", "align": "left"},
    "head": _WRAPPED | {"bold": True, "bottom": 1},
    "head note": _WRAPPED | {"bold": True, "bottom": 1, "align": "left", "indent": 1},
    "head value": _RIGHT | {"bold": True, "bottom": 1},
    "section": {"bold": True, "font_color": "#1F4E79", "top": 1},
    "label": _WRAPPED,
    "unit": {"font_color": _GREY, "valign": "top"},
    "note": _WRAPPED | {"font_color": _GREY, "align": "left", "indent": 1},
    "text": _WRAPPED | {"quote_prefix": True},
    "late": {"bg_color": "#FFEB9C", "font_color": "#7F6000"},
    "missing": {"italic": True, "font_color": "#9C0006"},
    "verdict": _RIGHT | {"bold": True, "num_format": f"{_TINY}#,##0.00"},
}
_CELLS: dict[str, dict[str, Any]] = {
    "input": _RIGHT
    | {
        "font_color": "#0000FF",
        "bg_color": "#FFFFCC",
        "locked": False,
        "border": 1,
        "border_color": "#BFBFBF",
    },
    "result": _RIGHT,
}


def formats(book: Any) -> dict[str, Any]:
    """Add every format of the workbook to `book`, by name."""
    made = {name: book.add_format(style) for name, style in _LOOKS.items()}
    for kind, style in _CELLS.items():
        for pattern in _PATTERNS:
            made[f"{kind} {pattern}"] = book.add_format(style | {"num_format": pattern})
    return made


def number_format(kind: str, key: str) -> str:
    """Name the format of an "input" or "result" cell of a quantity.

    >>> number_format("input", "price_usd")
    'input #,##0.00'
    """
    quantity = QUANTITIES.get(key)
    by_unit = _BY_UNIT.get(quantity.shown_in, _OTHER) if quantity else _OTHER
    return f"{kind} {_BY_KEY.get(key, by_unit)}"


def height(cells: Iterable[tuple[str, float]]) -> float:
    """Return the height in points of a row of wrapped texts, each with its column width.

    >>> height([("Raw flash", 20), ("words that need two lines", 20)])
    30.0
    """
    lines = [len(textwrap.wrap(text, max(1, int(width * 1.1)))) for text, width in cells]
    return _LINE_POINTS * max([1, *lines])


def printing(sheet: Any, header_row: int) -> None:
    """Print on landscape A4, one page wide, with the header on every page."""
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.6)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(header_row)
    sheet.set_footer("&L&A&CPage &P of &N&RPrinted &D")

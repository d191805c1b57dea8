"""Sheet of an application's writes: each part, its factor, their sum, the inputs.

Typical parts add up; the ends are those of each part and of the whole, and do not.
"""

from collections.abc import Mapping
from typing import Any

from models.units import DAY_S, GB
from planner.export.workbook.formats import Formats, printing

_HEADS = ("Writes", "Low, GB/day", "Typical, GB/day", "High, GB/day", "Over the application's")
_ENDS = ("low", "typical", "high")
_FIRST = 4  # row of what the application writes


def application_sheet(book: Any, styles: Formats, application: Mapping[str, Any]) -> None:
    """Write an application as its record has it; factors and sums follow their cells."""
    sheet = book.add_worksheet("Application")
    sheet.write_string(0, 0, f"Application: {application['preset']}", styles["title"])
    sheet.write_string(1, 0, application["sentence"], styles["plain"])
    sheet.set_column(0, 0, 32)
    sheet.set_column(1, 4, 18)
    for column, head in enumerate(_HEADS):
        sheet.write_string(3, column, head, styles["head value" if column else "head"])
    parts = {"The application": application["application_bytes_per_s"], **application["by_layer"]}
    for row, (name, figure) in enumerate(parts.items(), _FIRST):
        sheet.write_string(row, 0, name, styles["label"])
        for column, end in enumerate(_ENDS, 1):
            _number(sheet, styles, row, column, figure[end] * DAY_S / GB)
        _factor(sheet, styles, row, _over(figure, application))
    last = _FIRST + len(parts)
    sheet.write_string(last, 0, "The drive receives", styles["section"])
    whole = application["device_bytes_per_s"]
    for column, end in enumerate(_ENDS, 1):
        if end == "typical":
            sheet.write_formula(
                last, column, f"=SUM(C{_FIRST + 2}:C{last})", styles["result #,##0.0##"],
                whole[end] * DAY_S / GB,
            )  # fmt: skip
        else:
            _number(sheet, styles, last, column, whole[end] * DAY_S / GB)
    _factor(sheet, styles, last, _over(application["device_bytes_per_s"], application))
    _inputs(sheet, styles, application["inputs"], last + 2)
    sheet.freeze_panes(_FIRST, 1)
    printing(sheet, 3)


def _inputs(sheet: Any, styles: Formats, inputs: Mapping[str, Any], first: int) -> None:
    """Write the inputs at each end, as exported."""
    sheet.write_string(first, 0, "Inputs, as exported", styles["section"])
    for row, (name, ends) in enumerate(inputs.items(), first + 1):
        sheet.write_string(row, 0, name, styles["label"])
        for column, end in enumerate(_ENDS, 1):
            if ends[end] is None or isinstance(ends[end], str):
                sheet.write_string(row, column, ends[end] or "", styles["text"])
            else:
                _number(sheet, styles, row, column, ends[end])


def _number(sheet: Any, styles: Formats, row: int, column: int, value: float) -> None:
    sheet.write_number(row, column, value, styles["result #,##0.0##"])


def _factor(sheet: Any, styles: Formats, row: int, value: float) -> None:
    """Write a figure over what the application writes, typically, as a live formula."""
    sheet.write_formula(
        row, len(_ENDS) + 1, f"=C{row + 1}/C${_FIRST + 1}", styles["result 0.0000"], value
    )


def _over(figure: Mapping[str, float], application: Mapping[str, Any]) -> float:
    return float(figure["typical"] / application["application_bytes_per_s"]["typical"])

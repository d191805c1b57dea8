"""Speed over time as a sheet: figures as exported, and the course of the test as a chart.

No spreadsheet program integrates the course of write amplification: these are values, marked
as such, of the inputs that the sheet "Plan" had when it was written, and so are their ends over
what is assumed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from models.nomenclature import QUANTITIES
from planner.export.workbook.exported import write_states
from planner.export.workbook.formats import Formats, number_format, printing
from planner.export.workbook.plan_ranges import HEADS, range_heads, write_range
from planner.graph.answer import Answer
from planner.quantity.show import shown
from planner.sections.plan import PlanReading, Range
from planner.sections.speed import Speed, speed_of
from planner.sections.speed_curve import speed_curve
from planner.sections.speed_ranges import SpeedRanges, speed_ranges_of

_NAME = "Speed"
_TITLE = "Speed over time of one drive: values as exported, not live"
_TEST = "Random 4 KiB writes after a sequential fill; reads beside the workload's own writes."
_FIRST_VALUE = 2
_POINTS = 160
_RESIDUAL = "steady_residual"  # of a rate that not every vendor prints
_CHART_COLUMNS = 4  # of values, that the chart reaches over
_SATURATED = "saturated"


def speed_sheet(
    book: Any, styles: Formats, plans: Sequence[PlanReading], same: Sequence[str]
) -> None:
    """Write one column per plan, then the points of the chart below it.

    `same` are the conditions that the inputs of each plan are as exported.
    """
    sheet = book.add_worksheet(_NAME)
    answers = [speed_of(plan) for plan in plans]
    sheet.write_string(0, 0, _TITLE, styles["title"])
    sheet.write_string(1, 0, _TEST, styles["plain"])
    sheet.set_column(0, 0, 44)
    sheet.set_column(1, 1, 8)
    sheet.set_column(_FIRST_VALUE, _FIRST_VALUE + 2 * len(plans), 20)
    sheet.set_row(3, 32)
    for column, answer in enumerate(answers, start=_FIRST_VALUE):
        sheet.write_string(3, column, answer.drive.name, styles["head value"])
    ranges = [speed_ranges_of(*each) for each in zip(plans, answers, strict=True)]
    range_heads(sheet, styles, 3, _FIRST_VALUE + len(plans), [each.drive.name for each in answers])
    row = _figures(sheet, styles, answers, ranges, 4)
    for title, latencies, ends in (
        (
            "Read latency",
            [answer.read_latency_s for answer in answers],
            [each.reads for each in ranges],
        ),
        (
            "Readers at the queue depth",
            [answer.closed_read_latency_s for answer in answers],
            [each.closed_reads for each in ranges],
        ),
    ):
        row = _percentiles(sheet, styles, title, latencies, ends, row)
    row = _binding(sheet, styles, answers, row)
    write_states(sheet, styles, 2, _FIRST_VALUE, same, row - 1)
    _course(book, sheet, styles, answers, row + 2)
    sheet.freeze_panes(4, _FIRST_VALUE)
    sheet.protect("", {"format_columns": True})
    printing(sheet, 3)


def _figures(
    sheet: Any, styles: Formats, answers: Sequence[Speed], ranges: Sequence[SpeedRanges], row: int
) -> int:
    """Write a row per figure; drives may have it under different names, or not at all."""
    columns = [(*answer.answers, *answer.collection) for answer in answers]
    every = [[part for part in column if part.key != _RESIDUAL] for column in columns]
    figures: list[Sequence[Answer | None]] = list(zip(*every, strict=True))
    residuals = [{part.key: part for part in column}.get(_RESIDUAL) for column in columns]
    if any(part is not None for part in residuals):
        figures.append(residuals)
    for place, parts in enumerate(figures):
        quantity = QUANTITIES[next(part.key for part in parts if part is not None)]
        sheet.write_string(row + place, 0, quantity.label, styles["label"])
        sheet.write_string(row + place, 1, quantity.shown_in, styles["unit"])
        for column, part in enumerate(parts, start=_FIRST_VALUE):
            if part is not None:
                _figure(sheet, styles, part, row + place, column)
                cell = row + place, _ends_column(column, len(answers))
                ends = ranges[column - _FIRST_VALUE].answers.get(part.key)
                write_range(sheet, styles, cell, part.key, ends)
    return row + len(figures)


def _ends_column(column: int, plans: int) -> int:
    """Return the first column of the range of the value in a column."""
    return _FIRST_VALUE + plans + len(HEADS) * (column - _FIRST_VALUE)


def _figure(sheet: Any, styles: Formats, part: Answer, row: int, column: int) -> None:
    if not part.is_known:
        sheet.write_string(row, column, part.absence, styles["missing"])
        return
    style = styles[number_format("result", part.key)]
    sheet.write_number(row, column, shown(part.key, part.value), style)


def _percentiles(
    sheet: Any,
    styles: Formats,
    title: str,
    latencies: Sequence[Mapping[float, float]],
    ranges: Sequence[Mapping[float, Range]],
    row: int,
) -> int:
    levels = dict.fromkeys(level for own in latencies for level in own)
    for place, level in enumerate(levels):
        sheet.write_string(row + place, 0, f"{title}, p{level:.7g}", styles["label"])
        sheet.write_string(row + place, 1, "us", styles["unit"])
        for column, own in enumerate(latencies, start=_FIRST_VALUE):
            seconds = own.get(level)
            if seconds is None:
                sheet.write_string(row + place, column, "missing", styles["missing"])
            elif np.isinf(seconds):
                sheet.write_string(row + place, column, _SATURATED, styles["missing"])
            else:
                style = styles[number_format("result", "read_s")]
                sheet.write_number(row + place, column, shown("read_s", seconds), style)
                cell = row + place, _ends_column(column, len(latencies))
                ends = ranges[column - _FIRST_VALUE].get(level)
                write_range(sheet, styles, cell, "read_s", ends)
    return row + len(levels)


def _binding(sheet: Any, styles: Formats, answers: Sequence[Speed], row: int) -> int:
    names = dict.fromkeys(name for answer in answers for name in answer.binding)
    for place, name in enumerate(names):
        sheet.write_string(row + place, 0, f"{QUANTITIES[name].label}: limit", styles["label"])
        for column, answer in enumerate(answers, start=_FIRST_VALUE):
            sheet.write_string(
                row + place, column, str(answer.binding.get(name, "unknown")), styles["text"]
            )
    return row + len(names)


def _course(book: Any, sheet: Any, styles: Formats, answers: Sequence[Speed], row: int) -> None:
    """Write the points of each known course, and a chart of them."""
    chart = book.add_chart({"type": "scatter", "subtype": "straight"})
    first = row + 18
    lowest = []
    for column, answer in enumerate(answers):
        course = speed_curve(answer)
        if course is None:
            continue
        lowest.append(float(course.iops.min()))
        places = np.linspace(0, course.seconds.size - 1, _POINTS).astype(int)
        left = _FIRST_VALUE + 2 * column
        for offset, title, values in (
            (0, "Seconds", course.seconds[places]),
            (1, "Write IOPS", course.iops[places]),
        ):
            sheet.write_string(first, left + offset, title, styles["head value"])
            points = styles[number_format("result", "modelled_read_iops")]
            sheet.write_column(first + 1, left + offset, values.tolist(), points)
        rows = (first + 1, first + _POINTS)
        chart.add_series({
            "name": answer.drive.name,
            "categories": [_NAME, rows[0], left, rows[1], left],
            "values": [_NAME, rows[0], left + 1, rows[1], left + 1],
        })  # fmt: skip
    if lowest:
        chart.set_title({"name": "Random 4 KiB writes from a sequentially filled drive"})
        chart.set_x_axis({"name": "Seconds", "min": 0})
        chart.set_y_axis(
            {"name": "IOPS", "log_base": 10, "min": 10.0 ** np.floor(np.log10(min(lowest)))}
        )
        chart.set_size({"width": 820, "height": 340})
        sheet.set_h_pagebreaks([row])
        right = max(_ends_column(_FIRST_VALUE + len(answers), len(answers)),
                    _FIRST_VALUE + _CHART_COLUMNS) - 1  # fmt: skip
        sheet.print_area(0, 0, first - 1, right)  # without the points
        sheet.insert_chart(row, 0, chart, {"description": "Write IOPS over seconds by drive."})

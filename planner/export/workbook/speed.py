"""Speed over time as a sheet: figures as exported, and the course of the test as a chart.

No spreadsheet program integrates the course of write amplification: these are values, marked
as such, of the inputs that the sheet "Plan" had when it was written, and so are their ends over
what is assumed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from models.nomenclature import QUANTITIES
from planner.export.workbook.formats import Formats
from planner.export.workbook.values import FIRST_VALUE, ValuesSheet
from planner.graph.answer import Answer
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.speed import Speed, speed_of
from planner.sections.speed_curve import speed_curve
from planner.sections.speed_ranges import SpeedRanges, speed_ranges_of

_NAME = "Speed"
_TITLE = "Speed over time of one drive: values as exported, not live"
_TEST = "Random 4 KiB writes after a sequential fill; reads beside the workload's own writes."
_POINTS = 160
_RESIDUAL = "steady_residual"  # of a rate that not every vendor prints
_CHART_COLUMNS = 4  # of values, that the chart reaches over
_ENDLESS = "without end"  # of reads that take all of the time of the dies


def speed_sheet(
    book: Any, styles: Formats, plans: Sequence[PlanReading], same: Sequence[str]
) -> None:
    """Write one column per plan, then the points of the chart below it.

    `same` are the conditions that the inputs of each plan are as exported.
    """
    answers = [speed_of(plan) for plan in plans]
    drives = [answer.drive.name for answer in answers]
    sheet = ValuesSheet(book, styles, _NAME, _TITLE, _TEST, 8, drives, 2 * len(plans) + 1)
    ranges = [speed_ranges_of(*each) for each in zip(plans, answers, strict=True)]
    row = _figures(sheet, answers, ranges, 4)
    reads = [(answer.read_latency_s, each.reads)
             for answer, each in zip(answers, ranges, strict=True)]  # fmt: skip
    row = _percentiles(sheet, "Read latency", reads, row)
    closed = [(answer.closed_read_latency_s, each.closed_reads)
              for answer, each in zip(answers, ranges, strict=True)]  # fmt: skip
    row = _percentiles(sheet, "Readers at the queue depth", closed, row)
    row = _saturation(sheet, answers, row)
    row = _binding(sheet, answers, row)
    sheet.states(same, row - 1)
    _course(sheet, answers, row + 2)
    sheet.finish(4)


def _figures(
    sheet: ValuesSheet, answers: Sequence[Speed], ranges: Sequence[SpeedRanges], row: int
) -> int:
    """Write a row per figure; drives may have it under different names, or not at all."""
    columns = [(*answer.answers, *answer.collection) for answer in answers]
    every = [[part for part in column if part.key != _RESIDUAL] for column in columns]
    figures: list[Sequence[Answer | None]] = list(zip(*every, strict=True))
    residuals = [{part.key: part for part in column}.get(_RESIDUAL) for column in columns]
    if any(part is not None for part in residuals):
        figures.append(residuals)
    for place, parts in enumerate(figures, row):
        sheet.label(place, next(part.key for part in parts if part is not None))
        for index, part in enumerate(parts):
            if part is not None:
                value = part.value if part.is_known else None
                sheet.value(place, index, part.key, value, missing=part.absence)
                sheet.range(place, index, part.key, ranges[index].answers.get(part.key))
    return row + len(figures)


def _percentiles(
    sheet: ValuesSheet, title: str,
    latencies: Sequence[tuple[Mapping[float, float], Mapping[float, Range]]], row: int,
) -> int:  # fmt: skip
    """Write a row per level: the latencies of each plan, and their ranges."""
    levels = dict.fromkeys(level for own, _ in latencies for level in own)
    for place, level in enumerate(levels, row):
        sheet.label(place, "read_s", f"{title}, p{level:.7g}")
        for index, (own, ends) in enumerate(latencies):
            seconds = own.get(level)
            sheet.value(place, index, "read_s", seconds, endless=_ENDLESS)
            if seconds is not None and np.isfinite(seconds):
                sheet.range(place, index, "read_s", ends.get(level))
    return row + len(levels)


def _saturation(sheet: ValuesSheet, answers: Sequence[Speed], row: int) -> int:
    """Write the probability that the writes saturate each drive."""
    chances = [answer.saturation_probability for answer in answers]
    sheet.label(row, chances[0].key)
    for index, chance in enumerate(chances):
        value = chance.value if chance.is_known else None
        sheet.value(row, index, chance.key, value, missing=chance.absence)
    return row + 1


def _binding(sheet: ValuesSheet, answers: Sequence[Speed], row: int) -> int:
    names = dict.fromkeys(name for answer in answers for name in answer.binding)
    for place, name in enumerate(names, row):
        sheet.text(place, 0, f"{QUANTITIES[name].label}: limit")
        for column, answer in enumerate(answers, start=FIRST_VALUE):
            sheet.text(place, column, str(answer.binding.get(name, "unknown")), "text")
    return row + len(names)


def _course(sheet: ValuesSheet, answers: Sequence[Speed], row: int) -> None:
    """Write the points of each known course, and a chart of them."""
    first, curves, lowest = row + 18, [], []
    for index, answer in enumerate(answers):
        course = speed_curve(answer)
        if course is None:
            continue
        lowest.append(float(course.iops.min()))
        places = np.linspace(0, course.seconds.size - 1, _POINTS).astype(int)
        left = FIRST_VALUE + 2 * index
        for column, title, values in (
            (left, "Seconds", course.seconds[places]),
            (left + 1, "Write IOPS", course.iops[places]),
        ):
            sheet.text(first, column, title, "head value")
            sheet.points(first + 1, column, "modelled_read_iops", values.tolist())
        curves.append((answer.drive.name, left, left + 1))
    if not curves:
        return
    least = 10.0 ** np.floor(np.log10(min(lowest)))
    axes = {"name": "Seconds", "min": 0}, {"name": "IOPS", "log_base": 10, "min": least}
    sheet.chart(row, "straight", curves, (first + 1, first + _POINTS),
                "Random 4 KiB writes from a sequentially filled drive", axes,
                "Write IOPS over seconds by drive.")  # fmt: skip
    sheet.sheet.set_h_pagebreaks([row])
    right = max(sheet.ends_column(len(answers)), FIRST_VALUE + _CHART_COLUMNS) - 1
    sheet.sheet.print_area(0, 0, first - 1, right)  # without the points

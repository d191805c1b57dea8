"""The array as a sheet: speed over queue depth, data loss with its parts, replacements.

No spreadsheet program solves the closed queue or counts overlapping rebuilds: these are values,
marked as such, beside the inputs that they were computed from. So are their ends: with all that is
assumed of the drives at its worse end, and at its better one.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from models.nomenclature import QUANTITIES
from planner.catalogue.priors import Level
from planner.export.workbook.exported import write_states
from planner.export.workbook.formats import Formats, number_format, printing
from planner.export.workbook.plan_ranges import HEADS, range_heads, write_range
from planner.graph.answer import Answer, walk
from planner.quantity.show import shown
from planner.scenario.risk import Risk
from planner.sections.array_queue import CURVE_DEPTHS, ArrayQueue, array_queue
from planner.sections.data_loss import DataLoss, Remedy, data_loss, remedies
from planner.sections.plan import PlanReading, Range, at_level

_NAME = "Array"
_TITLE = "Array: values as exported, not live"
_WITHIN = "Data loss within the horizon, from the inputs and assumptions listed below it."
_FIRST_VALUE = 2


def array_sheet(
    book: Any, styles: Formats, plans: Sequence[PlanReading], same: Sequence[str], risk: Risk
) -> None:
    """Write one column per plan: results, remedies, inputs, then IOPS over queue depth.

    `same` are the conditions that the inputs of each plan are as exported.
    """
    sheet = book.add_worksheet(_NAME)
    queues = [array_queue(plan) for plan in plans]
    mended = [remedies(plan, risk) for plan in plans]
    lost = [changes[0].data_loss for changes in mended]
    sheet.write_string(0, 0, _TITLE, styles["title"])
    sheet.write_string(1, 0, _WITHIN, styles["plain"])
    sheet.set_column(0, 0, 44)
    sheet.set_column(1, 1, 12)
    sheet.set_column(_FIRST_VALUE, _FIRST_VALUE + len(plans) - 1, 20)
    sheet.set_row(3, 32)
    _heads(sheet, styles, plans)
    results = [_every(queue, loss) for queue, loss in zip(queues, lost, strict=True)]
    range_heads(sheet, styles, 3, _FIRST_VALUE + len(plans), [plan.drive.name for plan in plans])
    ranges = _ranges(plans, results, risk)
    row = _answers(sheet, styles, results, ranges, 5)
    row = _remedies(sheet, styles, mended, row)
    write_states(sheet, styles, 2, _FIRST_VALUE, same, row - 1)
    row = _inputs(sheet, styles, queues, lost, row + 1)
    _notes(sheet, styles, queues, lost, _curves(book, sheet, styles, plans, queues, row + 1))
    sheet.freeze_panes(5, _FIRST_VALUE)
    sheet.protect("", {"format_columns": True})
    printing(sheet, 3)


def _every(queue: ArrayQueue, lost: DataLoss) -> tuple[Answer, ...]:
    apart = queue.plan.placement
    return (*queue.answers, *queue.further, *lost.answers, *lost.further, *apart)


def _heads(sheet: Any, styles: Formats, plans: Sequence[PlanReading]) -> None:
    sheet.write_string(4, 0, "Layout", styles["label"])
    for column, plan in enumerate(plans, start=_FIRST_VALUE):
        array = plan.array
        spares = f", {array.hot_spares} spare" if array.hot_spares else ""
        sheet.write_string(3, column, plan.drive.name, styles["head value"])
        sheet.write_string(4, column, f"{array.members} x {array.name}{spares}", styles["verdict"])


def _ranges(
    plans: Sequence[PlanReading], answers: Sequence[Sequence[Answer]], risk: Risk
) -> list[Mapping[str, Range]]:
    """Return each number of every array as a range over what is assumed of its drives."""
    levels: tuple[Level, ...] = ("cautious", "generous")
    ends = [at_level(plan, level) for plan in plans if plan.assumed for level in levels]
    at_ends = ((array_queue(end), end) for end in ends)
    every = iter([_every(queue, data_loss(end, risk)) for queue, end in at_ends])
    return [
        _between(plan, [own, *(next(every) for _ in levels if plan.assumed)])
        for plan, own in zip(plans, answers, strict=True)
    ]


def _between(plan: PlanReading, ends: Sequence[Sequence[Answer]]) -> Mapping[str, Range]:
    cases = [{answer.key: answer for answer in each} for each in ends]
    return {
        key: _range([case[key] for case in cases], plan)
        for key, answer in cases[0].items()
        if answer.is_known and not np.ndim(answer.value)
    }


def _range(ends: Sequence[Answer], plan: PlanReading) -> Range:
    values = [float(end.value) for end in ends if end.is_known]
    return Range(min(values), values[0], max(values), plan.basis(ends[0]))


def _answers(
    sheet: Any,
    styles: Formats,
    columns: Sequence[Sequence[Answer]],
    ranges: Sequence[Mapping[str, Range]],
    row: int,
) -> int:
    first = _FIRST_VALUE + len(columns)
    answers = [{part.key: part for part in column} for column in columns]
    keys = dict.fromkeys(key for column in answers for key in column)  # not every drive has each
    for place, key in enumerate(keys, row):
        parts = {at: column[key] for at, column in enumerate(answers) if key in column}
        _row(sheet, styles, place, QUANTITIES[key].label, parts)
        for index in parts:
            cell = place, first + len(HEADS) * index
            write_range(sheet, styles, cell, key, ranges[index].get(key))
    return row + len(keys)


def _row(sheet: Any, styles: Formats, row: int, label: str, parts: Mapping[int, Answer]) -> None:
    """Write one quantity of the plans that have it, by their place."""
    key = next(iter(parts.values())).key
    sheet.write_string(row, 0, label, styles["label"])
    sheet.write_string(row, 1, QUANTITIES[key].shown_in, styles["unit"])
    for index, part in parts.items():
        _value(sheet, styles, row, _FIRST_VALUE + index, part)


def _value(sheet: Any, styles: Formats, row: int, column: int, part: Answer) -> None:
    if not part.is_known:
        sheet.write_string(row, column, "missing", styles["missing"])
    elif np.isinf(part.value):
        sheet.write_string(row, column, "unlimited", styles["missing"])
    else:
        style = styles[number_format("result", part.key)]
        sheet.write_number(row, column, shown(part.key, part.value), style)


def _remedies(sheet: Any, styles: Formats, mended: Sequence[Sequence[Remedy]], row: int) -> int:
    """Write the loss that each change of plan leaves, but the first, which changes nothing."""
    changes = list(zip(*mended, strict=True))[1:]
    for place, same in enumerate(changes):
        losses = {
            index: change.data_loss["array_loss_probability"] for index, change in enumerate(same)
        }
        _row(sheet, styles, row + place, f"Data loss, {same[0].name[0].lower()}{same[0].name[1:]}",
             losses)  # fmt: skip
    return row + len(changes)


def _inputs(
    sheet: Any, styles: Formats, queues: Sequence[ArrayQueue], lost: Sequence[DataLoss], row: int
) -> int:
    """Write the numbers that enter from outside, by the union of their names."""
    sheet.write_string(row, 0, "Computed from", styles["section"])
    given = [_given(queue, loss) for queue, loss in zip(queues, lost, strict=True)]
    names = dict.fromkeys(name for own in given for name in own)
    for place, name in enumerate(names, start=row + 1):
        sheet.write_string(place, 0, QUANTITIES[name].label, styles["label"])
        sheet.write_string(place, 1, QUANTITIES[name].shown_in, styles["unit"])
        for column, own in enumerate(given, start=_FIRST_VALUE):
            if name in own:
                _value(sheet, styles, place, column, own[name])
    return row + 1 + len(names)


def _given(queue: ArrayQueue, lost: DataLoss) -> Mapping[str, Answer]:
    nodes = walk(_every(queue, lost))
    return {
        name: node
        for name, node in nodes.items()
        if node.is_given and not np.ndim(node.value) and node.source != "definition"
    }


def _curves(
    book: Any,
    sheet: Any,
    styles: Formats,
    plans: Sequence[PlanReading],
    queues: Sequence[ArrayQueue],
    row: int,
) -> int:
    """Write IOPS by queue depth, and a chart of them."""
    known = [
        (column, plan.drive.name, np.ravel(queue.curve_iops.value))
        for column, (plan, queue) in enumerate(zip(plans, queues, strict=True), _FIRST_VALUE)
        if queue.curve_iops.is_computed
    ]
    if not known:
        return row
    sheet.write_string(row, 0, "Array IOPS by operations outstanding", styles["section"])
    first, last = row + 1, row + len(CURVE_DEPTHS)
    sheet.write_column(first, 1, CURVE_DEPTHS)
    chart = book.add_chart({"type": "scatter", "subtype": "straight_with_markers"})
    for column, name, iops in known:
        sheet.write_column(
            first, column, iops.tolist(), styles[number_format("result", "array_iops")]
        )
        chart.add_series({
            "name": name,
            "categories": [_NAME, first, 1, last, 1],
            "values": [_NAME, first, column, last, column],
        })  # fmt: skip
    chart.set_title({"name": "Array IOPS over queue depth"})
    chart.set_x_axis({"name": "Operations outstanding", "log_base": 2, "min": 1, "max": 1024})
    chart.set_y_axis({"name": "IOPS", "min": 0})
    chart.set_size({"width": 820, "height": 340})
    sheet.set_h_pagebreaks([row])
    sheet.insert_chart(last + 2, 0, chart, {"description": "Array IOPS over queue depth."})
    return last + 21


def _notes(
    sheet: Any, styles: Formats, queues: Sequence[ArrayQueue], lost: Sequence[DataLoss], row: int
) -> None:
    sheet.write_string(row, 0, "Notes", styles["section"])
    both: list[DataLoss | ArrayQueue] = [*lost, *queues]
    for place, note in enumerate(
        dict.fromkeys(note for own in both for note in own.notes), row + 1
    ):
        sheet.write_string(place, 0, note, styles["plain"])

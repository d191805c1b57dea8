"""The array as a sheet: speed over queue depth, data loss with its parts, replacements.

No spreadsheet program solves the closed queue or counts overlapping rebuilds: these are values,
marked as such, beside the inputs that they were computed from. So are their ends.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from planner.export.workbook.formats import Formats
from planner.export.workbook.values import FIRST_VALUE, ValuesSheet
from planner.graph.answer import Answer, walk
from planner.scenario.risk import Risk
from planner.sections.array_queue import CURVE_DEPTHS, ArrayQueue, array_queue
from planner.sections.data_loss import DataLoss, Remedy, remedies
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range, ranges_among

_NAME = "Array"
_TITLE = "Array: values as exported, not live"
_WITHIN = "Data loss within the horizon, from the inputs and assumptions listed below it."


def array_sheet(
    book: Any, styles: Formats, plans: Sequence[PlanReading], same: Sequence[str], risk: Risk
) -> None:
    """Write one column per plan: results, remedies, inputs, then IOPS over queue depth.

    `same` are the conditions that the inputs of each plan are as exported.
    """
    queues = [array_queue(plan) for plan in plans]
    mended = [remedies(plan, risk) for plan in plans]
    lost = [changes[0].data_loss for changes in mended]
    drives = [plan.drive.name for plan in plans]
    sheet = ValuesSheet(book, styles, _NAME, _TITLE, _WITHIN, 12, drives, len(plans))
    sheet.text(4, 0, "Layout")
    for column, plan in enumerate(plans, start=FIRST_VALUE):
        sheet.text(4, column, plan.array.layout, "verdict")
    results = [_every(queue, loss) for queue, loss in zip(queues, lost, strict=True)]
    row = _answers(sheet, results, _ranges(queues, lost, results), 5)
    row = _remedies(sheet, mended, row)
    sheet.states(same, row - 1)
    row = _inputs(sheet, results, row + 1)
    row = _curves(sheet, drives, queues, row + 1)
    sheet.text(row, 0, "Notes", "section")
    both: list[DataLoss | ArrayQueue] = [*lost, *queues]
    notes = dict.fromkeys(note for own in both for note in own.notes)
    for place, note in enumerate(notes, row + 1):
        sheet.text(place, 0, note, "plain")
    sheet.finish(5)


def _every(queue: ArrayQueue, lost: DataLoss) -> tuple[Answer, ...]:
    apart = queue.plan.placement
    return (*queue.answers, *queue.further, *lost.answers, *lost.further, *apart)


def _ranges(
    queues: Sequence[ArrayQueue], lost: Sequence[DataLoss], results: Sequence[Sequence[Answer]]
) -> list[Mapping[str, Range]]:
    """Return each number of every array as a range."""
    return [
        ranges_among([*queue.readings, *loss.readings], own, queue.plan.uncertain.every)
        for queue, loss, own in zip(queues, lost, results, strict=True)
    ]


def _answers(
    sheet: ValuesSheet, columns: Sequence[Sequence[Answer]],
    ranges: Sequence[Mapping[str, Range]], row: int,
) -> int:  # fmt: skip
    answers = [{part.key: part for part in column} for column in columns]
    keys = dict.fromkeys(key for column in answers for key in column)  # not every drive has each
    for place, key in enumerate(keys, row):
        parts = {at: column[key] for at, column in enumerate(answers) if key in column}
        _row(sheet, place, parts)
        for index in parts:
            sheet.range(place, index, key, ranges[index].get(key))
    return row + len(keys)


def _row(sheet: ValuesSheet, row: int, parts: Mapping[int, Answer], label: str = "") -> None:
    """Write one quantity of the plans that have it, by their place."""
    key = next(iter(parts.values())).key
    sheet.label(row, key, label)
    for index, part in parts.items():
        sheet.value(row, index, key, part.value if part.is_known else None)


def _remedies(sheet: ValuesSheet, mended: Sequence[Sequence[Remedy]], row: int) -> int:
    """Write the loss that each change of plan leaves, but the first, which changes nothing."""
    changes = list(zip(*mended, strict=True))[1:]
    for place, same in enumerate(changes, row):
        losses = {
            index: change.data_loss["array_loss_probability"] for index, change in enumerate(same)
        }
        _row(sheet, place, losses, f"Data loss, {same[0].name[0].lower()}{same[0].name[1:]}")
    return row + len(changes)


def _inputs(sheet: ValuesSheet, results: Sequence[Sequence[Answer]], row: int) -> int:
    """Write the numbers that enter from outside, by the union of their names."""
    sheet.text(row, 0, "Computed from", "section")
    given = [_given(own) for own in results]
    names = dict.fromkeys(name for own in given for name in own)
    for place, name in enumerate(names, start=row + 1):
        _row(sheet, place, {index: own[name] for index, own in enumerate(given) if name in own})
    return row + 1 + len(names)


def _given(answers: Sequence[Answer]) -> Mapping[str, Answer]:
    return {
        name: node
        for name, node in walk(answers).items()
        if node.is_given and not np.ndim(node.value) and node.source != "definition"
    }


def _curves(
    sheet: ValuesSheet, drives: Sequence[str], queues: Sequence[ArrayQueue], row: int
) -> int:
    """Write IOPS by queue depth, and a chart of them."""
    known = {
        column: queue
        for column, queue in enumerate(queues, FIRST_VALUE)
        if queue.curve_iops.is_computed
    }
    if not known:
        return row
    sheet.text(row, 0, "Array IOPS by operations outstanding", "section")
    first, last = row + 1, row + len(CURVE_DEPTHS)
    sheet.sheet.write_column(first, 1, CURVE_DEPTHS)
    for column, queue in known.items():
        sheet.points(first, column, "array_iops", np.ravel(queue.curve_iops.value).tolist())
    depths = {"name": "Operations outstanding", "log_base": 2, "min": 1, "max": 1024}
    curves = [(drives[column - FIRST_VALUE], 1, column) for column in known]
    sheet.chart(last + 2, "straight_with_markers", curves, (first, last),
                "Array IOPS over queue depth", (depths, {"name": "IOPS", "min": 0}),
                "Array IOPS over queue depth.")  # fmt: skip
    sheet.sheet.set_h_pagebreaks([row])
    return last + 21

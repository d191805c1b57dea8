"""In which row each number of a sheet of plans stands, by inputs, answers and steps."""

from collections.abc import Iterator, Mapping, Sequence

from planner.export.workbook.live import SECTIONS, LivePlan
from planner.export.workbook.plan_inputs import group
from planner.graph.answer import Answer
from planner.graph.cells import helper_names

FIRST_LIFE, FIRST_LIMIT = "first_life", "first_limit"
_GROUPS = ("Inputs: workload", "Inputs: array", "Inputs: drive", "Constants")
_ASKED_FIRST = ("host_bytes_per_s", "growth_per_year", "price_usd")

FIRST_ROW = 6  # below title, drives, date, use, cells to export again, and the heads

Beside = Sequence[Mapping[str, Answer]]
Rows = tuple[dict[str, int], dict[int, str]]  # of numbers by name, and headings by row


def placed(live: Sequence[LivePlan], beside: Beside, row: int = FIRST_ROW) -> Rows:
    """Give every number a row from `row` on, and every group a heading.

    Verdict, inputs, answers by question, steps; inputs `beside` those of the plans among them.
    """
    rows: dict[str, int] = {}
    headings: dict[int, str] = {}
    for heading, keys in _groups(live, beside):
        headings[row] = heading
        rows |= {key: row + 1 + position for position, key in enumerate(keys)}
        row += len(keys) + 2
    return rows, headings


def _groups(live: Sequence[LivePlan], beside: Beside) -> Iterator[tuple[str, list[str]]]:
    every = [*(own.keys for own in live), *beside]
    keys = list(dict.fromkeys(key for own in every for key in own))
    grouped = {key: _input_group(key, live, beside) for key in keys}
    yield "Verdict", [FIRST_LIFE, FIRST_LIMIT]
    for heading in _GROUPS:
        inputs = [key for key in keys if grouped[key] == heading]
        yield heading, sorted(inputs, key=lambda key: key not in _ASKED_FIRST)
    done = {key for key in keys if grouped[key]}
    for section in SECTIONS:
        answers = dict.fromkeys(key for own in live for key in own.sections[section])
        yield section, [key for key in answers if key not in done]
        done |= answers.keys()
    left = [key for key in keys if key not in done]
    yield "Steps", [*left, *_helpers(live, keys)]


def _input_group(key: str, live: Sequence[LivePlan], beside: Beside) -> str:
    """Name the group of a number that is an input of some plan; "" for results."""
    for own in live:
        if key in own.blanks or own.given(key) is not None:
            return group(key, own.given(key))
    for more in beside:
        if key in more and not any(key in own.keys for own in live):
            return group(key, more[key])
    return ""


def _helpers(live: Sequence[LivePlan], keys: Sequence[str]) -> list[str]:
    names = (
        name
        for own in live
        for key in keys
        if key in own.keys
        for call in own.calls(key)
        for name in helper_names(call)
    )
    return list(dict.fromkeys(names))

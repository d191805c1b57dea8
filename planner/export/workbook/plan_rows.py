"""In which row each number of a sheet of plans stands, by inputs, answers and steps."""

from collections.abc import Iterator, Mapping, Sequence

from planner.export.workbook.fillings import Fillings
from planner.export.workbook.plan_formulas import helpers
from planner.export.workbook.plan_inputs import group
from planner.graph.answer import Answer

__all__ = ["FIRST_LIFE", "FIRST_LIMIT", "placed"]

FIRST_LIFE, FIRST_LIMIT = "first_life", "first_limit"
_GROUPS = ("Inputs: workload", "Inputs: array", "Inputs: drive", "Constants")
_ASKED_FIRST = ("host_bytes_per_s", "growth_per_year", "price_usd")

Beside = Sequence[Mapping[str, Answer]]


def placed(
    fillings: Sequence[Fillings], beside: Beside, row: int
) -> tuple[dict[str, int], dict[int, str]]:
    """Give every number a row from `row` on, and every group a heading.

    Verdict, inputs, answers by question, steps; inputs `beside` those of the plans among them.
    """
    rows: dict[str, int] = {}
    headings: dict[int, str] = {}
    for heading, keys in _groups(fillings, beside):
        headings[row] = heading
        rows |= {key: row + 1 + position for position, key in enumerate(keys)}
        row += len(keys) + 2
    return rows, headings


def _groups(fillings: Sequence[Fillings], beside: Beside) -> Iterator[tuple[str, list[str]]]:
    every = [*(own.keys for own in fillings), *beside]
    keys = list(dict.fromkeys(key for own in every for key in own))
    grouped = {key: _input_group(key, fillings, beside) for key in keys}
    yield "Verdict", [FIRST_LIFE, FIRST_LIMIT]
    for heading in _GROUPS:
        inputs = [key for key in keys if grouped[key] == heading]
        yield heading, sorted(inputs, key=lambda key: key not in _ASKED_FIRST)
    done = {key for key in keys if grouped[key]}
    for section in fillings[0].plan.sections:
        asked = dict.fromkeys(
            answer.key for own in fillings for answer in own.complete.sections[section]
        )
        yield section, [key for key in asked if key not in done]
        done |= asked.keys()
    left = [key for key in keys if key not in done]
    yield "Steps", [*left, *_helpers(fillings, keys)]


def _input_group(key: str, fillings: Sequence[Fillings], beside: Beside) -> str:
    """Name the group of a number that is an input of some plan; "" for results."""
    for own in fillings:
        if key in own.blanks or own.given(key) is not None:
            return group(key, own.given(key))
    for more in beside:
        if key in more and not any(key in own.keys for own in fillings):
            return group(key, more[key])
    return ""


def _helpers(fillings: Sequence[Fillings], keys: Sequence[str]) -> list[str]:
    names = (
        name
        for own in fillings
        for key in keys
        if key in own.keys
        for name in helpers(own.tree(key), key)
    )
    return list(dict.fromkeys(names))

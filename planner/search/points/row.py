"""One point of a grid: the answers of a command as a row of numbers in base units."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from planner.graph.answer import Answer
from planner.quantity.bounds import MOST_WHOLE
from planner.quantity.input import Input
from planner.quantity.inputs import FACTS, FAILURES, INPUTS, PLAN, stated
from planner.quantity.show import by_inputs
from planner.scenario.risk import Risk
from planner.sections.answers import ARRAY
from planner.sections.array_queue import array_queue, once_a_second
from planner.sections.data_loss import data_loss
from planner.sections.plan import PlanReading
from planner.sections.request import plan_of
from planner.sections.speed import speed_of

Cell = float | str | None
Row = dict[str, Cell]

COMMANDS = ("plan", "array", "speed", "simulate")
_OF_SPEED = (
    "fresh_write_iops", "cliff_s", "lowest_write_iops", "settling_s", "steady_write_iops",
    "max_latency_s", "worst_case_iops", "worst_case_at_depth_iops", "second_sd_iops",
    "random_read_iops",
)  # fmt: skip
_RISK = ("years", *FAILURES)


@dataclass(frozen=True, slots=True)
class GridPoint:
    """The inputs of one point as texts, its place in the grid, and the seed of the grid."""

    command: str
    place: int
    seed: int
    inputs: Mapping[str, str]


@cache
def rows_of(command: str) -> Mapping[str, Input]:
    """Return the inputs of a command by name."""
    if command == "simulate":
        from planner.simulation.page_run import ROWS  # noqa: PLC0415 - imports the compiler

        return {row.name: row for row in ROWS}
    further = _RISK if command == "array" else ()
    return {name: INPUTS[name] for name in (*PLAN, *FACTS, *further)}


def row_of(point: GridPoint) -> Row:
    """Return the row of a point: its inputs as written, then answers, or why there are none.

    >>> row = row_of(GridPoint("plan", 0, 1, {"drive": "845DC PRO 400", "writes": "4 TB/day"}))
    >>> print(f"{row['writes']}: {row['rated_life_s'] / 31557600:.2f} years")
    4 TB/day: 5.00 years
    >>> row_of(GridPoint("plan", 1, 1, {"drive": "845DC PRO 400", "writes": "4 TB"}))["error"]
    "writes must be a rate such as 4 TB/day, 4 TB in 270 days or 4 TB every 2 h, got '4 TB': \
4 TB by when?"
    """
    known: Row = {"point": point.place, **point.inputs}
    try:
        return known | _ANSWERS[point.command](point) | {"error": None}
    except (ArithmeticError, LookupError, MemoryError, TypeError, ValueError) as error:
        said = by_inputs(error) if isinstance(error, ValueError) else str(error)
        return known | {"error": " ".join(said.split()) or type(error).__name__}


def _plan_row(point: GridPoint) -> Row:
    plan = _plan(point)
    answers = [answer for group in plan.sections.values() for answer in group]
    return _numbers((*answers, *plan.wa_band)) | {"life_limit": _text(plan.lives.limit)}


def _array_row(point: GridPoint) -> Row:
    plan = once_a_second(_plan(point))
    risk = Risk(**stated(point.inputs, _RISK))
    queue, lost = array_queue(plan), data_loss(plan, risk)
    return _numbers((*plan.sections[ARRAY], *queue.answers, *lost.answers))


def _speed_row(point: GridPoint) -> Row:
    answer = speed_of(_plan(point))
    percentiles = {"read": answer.read_latency_s, "closed_read": answer.closed_read_latency_s}
    latencies = {
        f"{name}_latency_p{percent:.7g}_s": value
        for name, course in percentiles.items()
        for percent, value in course.items()
    }
    rates = {name: getattr(answer, name) for name in _OF_SPEED} | {"drive_iops": answer.iops}
    named = {name: _number(rate) for name, rate in rates.items()}
    return named | _numbers((*answer.collection, *answer.cache)) | latencies


def _simulated_row(point: GridPoint) -> Row:
    from planner.simulation.page_run import answers_of  # noqa: PLC0415 - imports the compiler

    seed = point.inputs.get("seed", str(_seed(point)))
    answers = answers_of({**point.inputs, "seed": seed})
    warnings = "; ".join(answers.pop("warnings")) or None
    numbers = {key: float(value) for key, value in answers.items()}
    return {"seed": seed, **numbers, "warnings": warnings}


_ANSWERS = {
    "plan": _plan_row, "array": _array_row, "speed": _speed_row, "simulate": _simulated_row,
}  # fmt: skip


def _plan(point: GridPoint) -> PlanReading:
    """Return the plan of a point; of a repeatable input a text may hold several, by semicolons."""
    names = {*PLAN, *FACTS}
    texts: dict[str, Any] = {name: text for name, text in point.inputs.items() if name in names}
    return plan_of(point.inputs.get("drive"), **texts)


def _seed(point: GridPoint) -> int:
    """Return the seed of a point, whatever runs beside it."""
    drawn = np.random.SeedSequence(point.seed, spawn_key=(point.place,)).generate_state(1)
    return int(drawn[0]) % MOST_WHOLE


def _numbers(answers: Iterable[Answer]) -> Row:
    """Return scalar answers by key; None where a value is unknown."""
    return {
        answer.key: _number(answer)
        for answer in answers
        if not answer.is_known or np.ndim(answer.value) == 0
    }


def _number(answer: Answer) -> float | None:
    return float(answer.value) if answer.is_known else None


def _text(value: object) -> str | None:
    return None if value is None else str(value)

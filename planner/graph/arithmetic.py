"""Arithmetic of an answer in a line: its formula with the numbers of its inputs and their units.

It is made from the spreadsheet formula of a formula of `models`, reduced to what the
numbers of the case leave of it. All sizes of a line have one unit, and so have all times, so that
a reader can check it: 600 TB / 10.95 TB a year = 54.79 years.
"""

import ast
import math
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from models.nomenclature import QUANTITIES
from models.units import DAY_S, GB, GIB, YEAR_S
from planner.graph.answer import Answer
from planner.graph.cell_growth import has_course
from planner.graph.cell_texts import CELLS
from planner.graph.expression import evaluate, names, operands, parse, reduced, written
from planner.quantity.show import ODDS, RARE_ODDS, number_text, text
from planner.quantity.units import FACTORS

MOST_OPERANDS = 12  # of a line that a person follows
LEAST = 0.01  # of the unit of a line: a smaller size has a unit of its own
CLOSE = 1e-6  # of a value that its line gives
_LOAD = "({commit_iops}*{flush_s})"
_UNDER_WAY = f"({_LOAD}/({_LOAD}+EXP(-{_LOAD})))"  # share of time with a flush under way
# Formulas that no sheet has as cells. A formula that is no arithmetic has NA().
BESIDE_CELLS: Mapping[str, str] = {
    "models.application.queued_flush_s": "{flush_s}/(1-{busy_fraction})",
    "models.application.sequential_flush_s": "{flush_s}*{flushes}",
    "models.failures.afr_from_mtbf": "1-EXP(-31536000/{mtbf_s})",
    "models.failures.any_loss_probability": (
        "IF({loss_probability}<0.000000001,{loss_probability}*{groups},"
        "1-(1-{loss_probability})^{groups})"
    ),
    "models.failures.expected_lost_bytes": (
        "{failed_loss_probability}*{usable_bytes}+{unreadable_loss_probability}*{unreadable_bytes}"
    ),
    "models.failures.total_loss_probability": (
        "{failed_loss_probability}+{unreadable_loss_probability}+{wear_out_loss_probability}"
        "*(1-{failed_loss_probability}-{unreadable_loss_probability})"
    ),
    "models.failures.loss_probability_parts.failed": (
        "IF({parities}>0,NA(),1-EXP(-{members}*{failures_per_s}*{horizon_s}))"
    ),
    "models.failures.unreadable_probability": "1-EXP(-8*{read_bytes}*{uber})",
    "models.growth.mean_life_s": "{horizon_s}*{limit_bytes}/{written_bytes}",
    "models.latency_tail.commit_latency_s": (
        f"{{flush_s}}*(1+MAX(0,{_UNDER_WAY}-(1-{{quantile}}))/MAX({_UNDER_WAY},1-{{quantile}}))"
        "+{held_s}"
    ),
    "models.latency_tail.flush_latency_s": "2*{write_latency_s}+{flush_programs}*{program_s}",
    "models.rebuild.rebuild_read_bytes": "{rebuilt_bytes}*{data_members}",
    "models.rebuild.rebuild_s": (
        "{rebuilt_bytes}/MIN(MIN({spare_write_bytes_per_s},{member_read_bytes_per_s})"
        "*{rebuild_fraction},{uplink_bytes_per_s}/{data_members})"
    ),
}  # fmt: skip
_LONG_TIMES = {"years": "a year", "months": "a month", "days": "a day", "hours": "an hour"}
_PERIODS = {YEAR_S: "year", DAY_S: "day"}  # that formulas hold as seconds
_PLAIN = 1e4  # of a number of a formula: larger ones are sizes in bytes, but the units of a size


class _Units(NamedTuple):
    """Units of the sizes and of the long times of a line; empty where it has none."""

    size: str
    time: str


class ArithmeticLine(NamedTuple):
    """Arithmetic of an answer: its text, and each input as that shows it; empty where none is."""

    text: str = ""
    shown: Mapping[str, str] = {}


def arithmetic(answer: Answer) -> ArithmeticLine:
    """Write a number as arithmetic on its inputs, where that is short.

    >>> from planner.graph.answer import given
    >>> inputs = {"rebuilt_bytes": given("rebuilt_bytes", 4e12, source="user"),
    ...           "data_members": given("data_members", 3.0, source="array")}
    >>> arithmetic(Answer(key="rebuild_read_bytes", value=12e12, inputs=inputs,
    ...                   formula="models.rebuild.rebuild_read_bytes")).text
    '4 TB x 3 = 12 TB'
    """
    try:
        expression = _expression(answer)
    except (ArithmeticError, KeyError, ValueError):  # of an endless life, of a course of years
        return ArithmeticLine()
    if expression is None:
        return ArithmeticLine()
    units = _units(answer, expression)
    line = written(_in_days(expression, answer), lambda node: _operand(node, answer, units))
    known = [name for name in names(expression) if name in answer.inputs]
    shown = {name: _in_units(answer.inputs[name], units) for name in known}
    return ArithmeticLine(f"{line} = {_in_units(answer, units)}{_as_odds(answer)}", shown)


def _expression(answer: Answer) -> ast.expr | None:
    """Return the arithmetic that gives an answer; None where there is none that is short."""
    whole = _formula(answer)
    if whole is None:
        return None
    numbers = _numbers(answer)
    if not math.isclose(evaluate(whole, numbers), answer.value, rel_tol=CLOSE):
        return None
    neutral = [name for name, part in answer.inputs.items() if _is_neutral(part)]
    short = reduced(whole, numbers, neutral)
    if len(operands(short)) < 2:  # one input is the result: what leaves it so is shown too
        short = reduced(whole, numbers)
    is_short = 2 <= len(operands(short)) <= MOST_OPERANDS
    return short if is_short and not _hides_units(short) else None


def _formula(answer: Answer) -> ast.expr | None:
    """Return the whole formula behind an answer; None where it has no text."""
    if not answer.is_computed or np.ndim(answer.value):
        return None
    name = f"{answer.formula}.{answer.part}" if answer.part else answer.formula
    function = _function(answer.formula)
    cell = None if answer.part or has_course(function, answer.inputs) else CELLS.get(function)
    text = BESIDE_CELLS.get(name, cell)
    return None if text is None else parse(text)


def _constants(expression: ast.expr) -> list[float]:
    return [evaluate(part, {}) for part in operands(expression) if isinstance(part, ast.Constant)]


def _hides_units(expression: ast.expr) -> bool:
    """Whether a formula holds sizes in bytes, which a line would show without their unit."""
    known = (*_PERIODS, GB, GIB)
    return any(value > _PLAIN and value not in known for value in _constants(expression))


def _function(name: str) -> Callable[..., Any]:
    module, _, own = name.rpartition(".")
    function: Callable[..., Any] = getattr(import_module(module), own)
    return function


def _numbers(answer: Answer) -> dict[str, float]:
    """Return the arguments of a formula as numbers, those left out at their defaults."""
    parameters = signature(_function(answer.formula)).parameters.values()
    usual = {
        each.name: each.default for each in parameters if isinstance(each.default, int | float)
    }
    given = {name: part.value for name, part in answer.inputs.items() if not np.ndim(part.value)}
    return usual | given


def _is_neutral(part: Answer) -> bool:
    """Whether a number may be left out where it changes nothing: 0, or a plain 1."""
    if np.ndim(part.value):
        return False
    return part.value == 0 or (part.value == 1 and QUANTITIES[part.key].unit == "1")


def _units(answer: Answer, expression: ast.expr) -> _Units:
    """Choose the units of a line: those of its result, else of its inputs, the largest first."""
    known = [answer.inputs[name] for name in names(expression) if name in answer.inputs]
    parts = [answer, *sorted(known, key=lambda part: -abs(np.max(part.value)))]
    every = [QUANTITIES[part.key] for part in parts]
    times = [each.shown_in for each in every if each.unit == "s"]
    times += [f"{each.shown_in.removeprefix('1/')}s" for each in every if each.unit == "1/s"]
    times += [f"{_PERIODS[value]}s" for value in _constants(expression) if value in _PERIODS]
    return _Units(
        next((each.shown_in for each in every if each.unit == "bytes"), ""),
        next((unit for unit in times if unit in _LONG_TIMES), ""),
    )


def _in_units(part: Answer, units: _Units) -> str:
    """Write a number in the units of its line."""
    quantity, value = QUANTITIES[part.key], float(part.value)
    every, one = FACTORS.get(units.time, 0.0), _LONG_TIMES.get(units.time, "")
    size = FACTORS.get(units.size, math.inf)
    usual = text(part.key, value).removesuffix(" x").replace("%/year", "%")
    if part.key in ODDS or math.isinf(value):
        return usual if math.isinf(value) else _percent(value)
    if quantity.unit == "s":
        return _time(value, units.time) if one and quantity.shown_in in _LONG_TIMES else usual
    if quantity.unit == "bytes" and value >= LEAST * size:
        return f"{number_text(value / size)} {units.size}"
    if quantity.unit == "bytes/s" and one and units.size:
        return f"{number_text(value / size * every)} {units.size} {one}"
    is_yearly = quantity.unit == "1/s" and one and quantity.shown_in.startswith("1/")
    return f"{number_text(value * every)} {one}" if is_yearly else usual


def _percent(probability: float) -> str:
    probability += 0.0  # no minus
    if 0 < probability < RARE_ODDS:
        return f"below {100 * RARE_ODDS:.4f} %"
    return f"{number_text(100 * probability)} %"


def _as_odds(answer: Answer) -> str:
    return f" ({text(answer.key, answer.value)})" if answer.key in ODDS else ""


def _time(seconds: float, unit: str) -> str:
    number = number_text(seconds / FACTORS[unit])
    return f"{number} {unit.removesuffix('s') if number == '1' else unit}"


def _operand(node: ast.expr, answer: Answer, units: _Units) -> str:
    """Write a number of a line: an input, a time in days, or a number of the formula."""
    if isinstance(node, ast.Constant):
        return _constant(evaluate(node, {}), units)
    name, _, unit = ast.unparse(node).partition(" ")
    part = answer.inputs.get(name)
    if part is None:
        return number_text(_numbers(answer)[name])
    return _time(float(part.value), unit) if unit else _in_units(part, units)


def _constant(value: float, units: _Units) -> str:
    if value in _PERIODS:
        is_long = units.time and FACTORS[units.time] <= value
        return _time(value, units.time) if is_long else f"1 {_PERIODS[value]}"
    return f"{value:,.10g}"


class _Days(ast.NodeTransformer):
    """Replaces times over a day by their number of days, and rates times a day by daily rates."""

    def __init__(self, answer: Answer) -> None:
        self.units = {name: QUANTITIES[part.key].unit for name, part in answer.inputs.items()}

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Replace a quotient of a time and a period, or a product of a rate and a period."""
        match node:
            case ast.BinOp(ast.Name(id=name), ast.Div() | ast.Mult(), ast.Constant()):
                period = _PERIODS.get(evaluate(node.right, {}))
                unit, is_over = self.units.get(name, ""), isinstance(node.op, ast.Div)
                if period and is_over and unit == "s":
                    return ast.Name(f"{name} {period}s")
                if period == "day" and not is_over and unit == "bytes/s":
                    return node.left
        return ast.BinOp(self.visit(node.left), node.op, self.visit(node.right))


def _in_days(expression: ast.expr, answer: Answer) -> ast.expr:
    result: ast.expr = _Days(answer).visit(expression)
    return result

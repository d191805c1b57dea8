"""Read a graph as spreadsheet cells: each number is a formula that follows its inputs.

A cell that depends on a blank fact shows "missing: ...", an endless life shows "never". A formula
without a cell text is exported as a value in a helper cell. Once its inputs are edited, the cells
that use it are #N/A: an error propagates, while a text would make `FirstKnown` take its next way.

A number of each year is a row of cells. `at` then maps its name to the cell of one year, and with
":all", ":upto" or ":before" behind the name to cells of several; with ":first" to that of the first
year, of which the cells of later years repeat what is missing.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Any

import numpy as np

from models.nomenclature import QUANTITIES
from models.write_amplification import fifo
from planner.graph import cell_growth
from planner.graph.cell_texts import CELLS, NEVER, OVER_FIFO
from planner.graph.nodes import (
    Call,
    Const,
    Fields,
    FirstKnown,
    Leaf,
    Named,
    Node,
    When,
    quantity_of,
)
from planner.graph.rows import Rows
from planner.quantity.show import shown
from planner.quantity.units import FACTORS

FACTOR = "policy factor"
MISSING = "missing: "
UNLIMITED = "1E+300"
_SAME = "ABS({cell}-{value!r})<=1E-9*ABS({cell})"


@dataclass(frozen=True, slots=True)
class Helper:
    """An intermediate cell: a formula, or without one a value that the user may overwrite.

    Of a row of years the value is that of all years.
    """

    name: str
    formula: str
    value: Any


@dataclass(frozen=True, slots=True)
class _YearsOf:
    """The cells of a number of each year, of which a cell text takes one or a run."""

    key: str
    at: Mapping[str, str]

    def __format__(self, run: str) -> str:
        return self.at[f"{self.key}:{run}" if run else self.key]


class Cells:
    """Formulas of rows and their values at export; `at` maps names to cell addresses."""

    def __init__(self, rows: Rows, at: Mapping[str, str]) -> None:
        self.rows, self.at = rows, at
        self._blanks: dict[int, dict[str, _BlankFact]] = {}

    def formula(self, key: str) -> str:
        """Return the formula of a row in the unit that its cell shows."""
        node = self.rows.node(key)
        if isinstance(node, Call) and node.formula in NEVER:
            never, life = self._life(node)
            body = f'IF({never},"never",{_in_unit(key, life)})'
        else:
            body = _in_unit(key, self._expression(node))
        return f"={self._guarded(node, body)}"

    def value(self, key: str, place: int = 0) -> float | str:
        """Return the exported value of a row, of years that of the cell at a place."""
        value = of_year(self.rows.value(key), place)
        if value is None:
            labels = sorted(fact.label for fact in self._blank_facts(self.rows.node(key)).values()
                            if fact.applies)  # fmt: skip
            return MISSING + ", ".join(labels)[:250]
        return "never" if value == float("inf") else shown(key, value)

    def helpers(self, key: str) -> list[Helper]:
        """Return the helper cells of a row."""
        return [helper for call in self.rows.calls(key) for helper in self._helpers(call)]

    def _helpers(self, call: Call) -> Iterator[Helper]:
        names, inputs = helper_names(call), _inputs(call)
        if call.formula not in CELLS:
            value = self._exported_value(call)
            yield Helper(names[0], "", "" if value is None else value)
        elif names:
            refs = {name: self._operand(node) for name, node in inputs.items()}
            bodies = cell_growth.helpers(refs, [self.at[name] for name in names])
            for name, body, value in zip(names, bodies, self._helper_values(call), strict=True):
                yield Helper(name, f"={self._guarded(call, body)}", value)

    def _helper_values(self, call: Call) -> list[Any]:
        """Return the values of the helper cells of a call at export."""
        life = self.rows.reading.answer(call)
        if not life.is_known:
            return [self.value(quantity_of(call.key))] * len(helper_names(call))
        answers = {name: self.rows.reading.answer(node) for name, node in _inputs(call).items()}
        values = {name: answer.value for name, answer in answers.items()}
        return cell_growth.cached_values(values, life.value)

    def _exported_value(self, call: Call) -> float | None:
        """Return the value of a formula without a cell text, None if it is unknown.

        It is not computed if no answer needs it.
        """
        if not self.rows.is_in_force(call):
            return None
        answer = self.rows.reading.answer(call)
        over = fifo(answer.arguments["op_ratio"]) if call.formula in OVER_FIFO else 1.0
        return answer.value / over

    def _operand(self, node: Node) -> str:
        """Return a number in base units: a reference to its cell, or its formula in brackets."""
        node = self.rows.simplified(node)
        return self._cell(node) if self.rows.owns(node) else f"({self._expression(node)})"

    def _cell(self, node: Node) -> str:
        key = quantity_of(node.key)
        factor = _factor(key)
        return self.at[key] if factor == 1 else f"({self.at[key]}*{factor!r})"

    def _expression(self, node: Node) -> str:
        """Return the formula of a number, assuming that its inputs are known."""
        match node:
            case Const():
                return repr(node.value)
            case When():
                return self._operand(node.then)
            case Named():
                return self._operand(node.node)
            case FirstKnown():
                return self._choice(node)
            case Call() if node.formula in CELLS:
                return self._called(node)
            case Call():
                return self._exported_number(node)
        raise TypeError(f"{node.key} has no cell of its own")

    def _called(self, call: Call) -> str:
        """Return the text of a formula with the cells of its arguments."""
        names = helper_names(call)
        inputs = {name: self.rows.simplified(node) for name, node in _inputs(call).items()}
        years = [name for name, node in inputs.items() if call.axis and self._is_row(node)]
        refs: dict[str, Any] = {
            name: _YearsOf(quantity_of(node.key), self.at) if name in years else self._operand(node)
            for name, node in inputs.items()
        }
        if names and "time_s" in refs:
            return cell_growth.written(refs, [self.at[name] for name in names])
        text = CELLS[call.formula].format(**(_usual(call.formula) | refs))
        factor = math.prod(_factor(quantity_of(inputs[name].key)) for name in years)
        return text if factor == 1 else f"({text})*{factor!r}"

    def _is_row(self, node: Node) -> bool:
        """Whether a number is a row of years."""
        return self.rows.owns(node) and f"{quantity_of(node.key)}:all" in self.at

    def _choice(self, node: FirstKnown) -> str:
        *others, last = self.rows.ways(node)
        text = self._operand(last)
        for way in reversed(others):
            if isinstance(way, When) and way.is_case and self.rows.is_always_known(way.then):
                text = f"IF({self._test(way)},{self._operand(way.then)},{text})"
            else:
                text = f"IF({_or(self._unknown(way))},{text},{self._operand(way)})"
        return text

    def _exported_number(self, call: Call) -> str:
        """Return the value in the helper cell, or #N/A once its inputs have been edited."""
        (name,) = helper_names(call)
        cell, value = self.at[name], self._exported_value(call)
        outdated = f'{cell}=""'
        if value is not None:
            untouched = _SAME.format(cell=cell, value=value)
            outdated = f"OR({outdated},AND({untouched},{self._inputs_changed(call)}))"
        number = f"IF({outdated},NA(),{cell})"
        if call.formula not in OVER_FIFO:
            return number
        return f"{CELLS[fifo].format(op_ratio=self._operand(_inputs(call)['op_ratio']))}*{number}"

    def _inputs_changed(self, call: Call) -> str:
        """Return the condition that an input differs from its value at export."""
        reading = self.rows.reading
        same = [
            _SAME.format(cell=self._operand(node), value=reading.answer(node).value)
            for node in _inputs(call).values()
            if not np.ndim(reading.answer(node).value)
        ]
        return f"NOT(AND({','.join(same)}))"

    def _life(self, call: Call) -> tuple[str, str]:
        """Return the condition for an endless life, and the formula of a life that ends."""
        refs = {name: self._operand(node) for name, node in _inputs(call).items()}
        names = helper_names(call)
        if names:
            return cell_growth.life(refs, [self.at[name] for name in names])
        formula = call.formula
        return NEVER[formula].format(**refs), CELLS[formula].format(**refs)

    def _test(self, when: When) -> str:
        """Return the condition of a `When`: a leaf equals one of the values, or is large enough."""
        if when.least is not None:
            return f"{self._cell(when.leaf)}>={self._cell(when.least)}"
        cell, factor = self.at[when.leaf.key], _factor(when.leaf.key)
        return _or([f"{cell}={value / factor!r}" for value in when.equals])

    def _unknown(self, node: Node) -> list[str]:
        """Return the conditions under any of which a number is unknown."""
        node = self.rows.simplified(node)
        if self.rows.is_always_known(node):
            return []
        if self.rows.owns(node):
            cell = self.at[quantity_of(node.key)]
            return [f'{cell}=""' if self.rows.is_blank(node) else f"ISTEXT({cell})"]
        return self._unknown_within(node)

    def _unknown_within(self, node: Node) -> list[str]:
        if self.rows.is_always_known(node):
            return []
        if isinstance(node, FirstKnown):
            return [f"AND({','.join(_or(self._unknown(way)) for way in self.rows.ways(node))})"]
        own = [f"NOT({self._test(node)})"] if isinstance(node, When) and node.is_case else []
        parts = [part for child in self.rows.children(node) for part in self._unknown(child)]
        return list(dict.fromkeys([*own, *parts]))

    def _guarded(self, node: Node, body: str) -> str:
        """Return `body`, preceded by a check that shows what is missing instead."""
        unknown = self._unknown_within(node)
        return f"IF({_or(unknown)},{self._message(node)},{body})" if unknown else body

    def _message(self, node: Node) -> str:
        first = f"{quantity_of(node.key)}:first"
        if self.rows.owns(node) and first in self.at:
            return self.at[first]
        facts = sorted(self._blank_facts(node).values(), key=lambda fact: fact.label)
        if not facts:  # only in a case other than the exported one
            return "NA()"
        if len(facts) == 1:
            return f'"{MISSING}{facts[0].label}"'
        names = "&".join(f'IF({fact.condition},", {fact.label}","")' for fact in facts)
        return f'"{MISSING}"&MID({names},3,250)'

    def _blank_facts(self, node: Node) -> "dict[str, _BlankFact]":
        """Return the blank facts that a number needs, by key."""
        node = self.rows.simplified(node)
        if id(node) not in self._blanks:
            self._blanks[id(node)] = self._find_blank_facts(node)
        return self._blanks[id(node)]

    def _find_blank_facts(self, node: Node) -> "dict[str, _BlankFact]":
        if self.rows.is_always_known(node):
            return {}
        if isinstance(node, Leaf):
            return {node.key: _BlankFact(QUANTITIES[node.key].label, f'{self.at[node.key]}=""')}
        if isinstance(node, FirstKnown):
            return self._blank_facts_of_choice(node)
        return _merged(self._blank_facts(child) for child in self.rows.children(node))

    def _blank_facts_of_choice(self, node: FirstKnown) -> "dict[str, _BlankFact]":
        """Return the blank facts of the way that needs fewest of them.

        None is needed while the condition of a `When` holds whose node is known.
        """
        ways = self.rows.ways(node)
        cases = [way for way in ways if isinstance(way, When) and way.is_case]
        cases = [way for way in cases if way.least is None or not self.rows.reading.holds(way)]
        general = [way for way in ways if way not in cases and not _overrides(way)] or cases
        facts = min((self._blank_facts(way) for way in general), key=len)
        for way in cases:
            if not self._blank_facts(way.then):
                in_force = self.rows.reading.holds(way)
                facts = {key: fact.unless(self._test(way), in_force) for key, fact in facts.items()}
        return facts


@dataclass(frozen=True, slots=True)
class _BlankFact:
    """A blank fact: its label, the condition for naming it, and whether that holds at export."""

    label: str
    condition: str
    applies: bool = True

    def unless(self, test: str, in_force: bool) -> "_BlankFact":
        condition = f"AND({self.condition},NOT({test}))"
        return _BlankFact(self.label, condition, self.applies and not in_force)


def of_year(value: Any, place: int) -> Any:
    """Return a number, or the one at a place out of those of all years."""
    if not np.ndim(value):
        return value
    numbers = np.ravel(value)
    return float(numbers[min(place, numbers.size - 1)])


def helper_names(call: Call) -> list[str]:
    """Name the helper cells of a call."""
    if call.formula not in CELLS:
        return [f"{quantity_of(call.key)}: {FACTOR}"]
    inputs = _inputs(call)
    if not cell_growth.has_course(call.formula, inputs):
        return []
    key = inputs["time_s"].key if "time_s" in inputs else call.key
    return cell_growth.helper_names(quantity_of(key), inputs)


@cache
def _usual(formula: Callable[..., Any]) -> dict[str, str]:
    """Return the cell texts of the optional arguments of a formula at their defaults."""
    parameters = signature(formula).parameters.values()
    usual = {each.name: each.default for each in parameters if each.default is not each.empty}
    return {name: UNLIMITED if value == float("inf") else repr(value)
            for name, value in usual.items()}  # fmt: skip


def _inputs(call: Call) -> dict[str, Node]:
    """Return the arguments of a call by name; those of lists and records by their own names."""
    inputs: dict[str, Node] = {}
    for name, argument in call.inputs.items():
        if isinstance(argument, Fields):
            inputs |= argument.nodes
        elif isinstance(argument, tuple):
            inputs |= {quantity_of(node.key): node for node in argument}
        else:
            inputs[name] = argument
    return inputs


def _merged(parts: Iterable[Mapping[str, _BlankFact]]) -> dict[str, _BlankFact]:
    """Merge the blank facts of several numbers; a fact is needed if any of them needs it."""
    facts: dict[str, _BlankFact] = {}
    for part in parts:
        for key, fact in part.items():
            before = facts.setdefault(key, fact)
            if before.condition not in fact.condition:
                both = f"OR({before.condition},{fact.condition})"
                condition = fact.condition if fact.condition in before.condition else both
                facts[key] = _BlankFact(fact.label, condition, before.applies or fact.applies)
    return facts


def _overrides(way: Node) -> bool:
    return isinstance(way, Leaf) and way.overrides


def _or(conditions: list[str]) -> str:
    return conditions[0] if len(conditions) == 1 else f"OR({','.join(conditions)})"


def _factor(key: str) -> float:
    return FACTORS[QUANTITIES[key].shown_in]


def _in_unit(key: str, text: str) -> str:
    """Convert a formula from base units into the unit of its cell."""
    factor = _factor(key)
    return f"({text})" if factor == 1 else f"({text})/{factor!r}"

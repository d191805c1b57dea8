"""The fourth way to read a graph: every number as a spreadsheet cell that follows its inputs.

Blank facts say what is missing, a life that never ends "never". A number whose formula has no
text stands in a cell of its own as exported; where its inputs have moved on since, what needs it
is an error, which passes on, and never a text, which a choice between ways would take for blank.
"""

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
from planner.graph.nodes import Call, Const, Fields, FirstKnown, Leaf, Node, When, quantity_of
from planner.graph.rows import Rows
from planner.quantity.show import shown
from planner.quantity.units import FACTORS

__all__ = ["FACTOR", "MISSING", "Cells", "Helper", "helper_names"]

FACTOR = "policy factor"
MISSING = "missing: "
UNLIMITED = "1E+300"
_SAME = "ABS({cell}-{value!r})<=1E-9*ABS({cell})"


@dataclass(frozen=True, slots=True)
class Helper:
    """A cell on the way to a number: a formula, or without one a number that may be typed in."""

    name: str
    formula: str
    value: float | str


class Cells:
    """Formulas of rows and what they show as exported; `at` says where each number stands."""

    def __init__(self, rows: Rows, at: Mapping[str, str]) -> None:
        self.rows, self.at = rows, at
        self._lacking: dict[int, dict[str, _Lack]] = {}

    def formula(self, key: str) -> str:
        """Return the formula of a result, in the unit in which its cell shows it."""
        node = self.rows.node(key)
        if isinstance(node, Call) and node.formula in NEVER:
            never, life = self._life(node)
            body = f'IF({never},"never",{_in_unit(key, life)})'
        else:
            body = _in_unit(key, self._content(node))
        return f"={self._guarded(node, body)}"

    def value(self, key: str) -> float | str:
        """Return what a row shows as exported."""
        value = self.rows.value(key)
        if value is None:
            labels = sorted(lack.label for lack in self._lacks(self.rows.node(key)).values()
                            if lack.applies)  # fmt: skip
            return MISSING + ", ".join(labels)[:250]
        return "never" if value == float("inf") else shown(key, value)

    def helpers(self, key: str) -> list[Helper]:
        """Return the cells on the way to a row."""
        return [helper for call in self.rows.calls(key) for helper in self._helpers(call)]

    def _helpers(self, call: Call) -> Iterator[Helper]:
        names, inputs = helper_names(call), _inputs(call)
        if call.formula not in CELLS:
            value = self._exported(call)
            yield Helper(names[0], "", "" if value is None else value)
        elif names:
            refs = {name: self._text(node) for name, node in inputs.items()}
            bodies = cell_growth.helpers(refs, [self.at[name] for name in names])
            for name, body, value in zip(names, bodies, self._on_the_way(call), strict=True):
                yield Helper(name, f"={self._guarded(call, body)}", value)

    def _on_the_way(self, call: Call) -> list[Any]:
        """Return what the cells on the way to a life hold as exported."""
        life = self.rows.reading.answer(call)
        if not life.is_known:
            return [self.value(quantity_of(call.key))] * len(helper_names(call))
        answers = {name: self.rows.reading.answer(node) for name, node in _inputs(call).items()}
        return cell_growth.cached({name: got.value for name, got in answers.items()}, life.value)

    def _exported(self, call: Call) -> float | None:
        """Return the number that stands for a formula without a text, None while it is unknown.

        One that no answer needs is not computed for the sheet.
        """
        if not self.rows.is_in_force(call):
            return None
        answer = self.rows.reading.answer(call)
        over = fifo(answer.arguments["op_ratio"]) if call.formula in OVER_FIFO else 1.0
        return answer.value / over

    def _text(self, node: Node) -> str:
        """Return a number in base units: its cell, or the formula in its place."""
        node = self.rows.plain(node)
        return self._cell(node) if self.rows.owns(node) else f"({self._content(node)})"

    def _cell(self, node: Node) -> str:
        key = quantity_of(node.key)
        factor = _factor(key)
        return self.at[key] if factor == 1 else f"({self.at[key]}*{factor!r})"

    def _content(self, node: Node) -> str:
        """Return the formula of a number, as if it were known."""
        match node:
            case Const():
                return repr(node.value)
            case When():
                return self._text(node.then)
            case FirstKnown():
                return self._choice(node)
            case Call() if node.formula in CELLS:
                refs = {name: self._text(part) for name, part in _inputs(node).items()}
                return CELLS[node.formula].format(**(_usual(node.formula) | refs))
            case Call():
                return self._as_exported(node)
        raise TypeError(f"{node.key} has no cell of its own")

    def _choice(self, node: FirstKnown) -> str:
        *others, last = self.rows.ways(node)
        text = self._text(last)
        for way in reversed(others):
            if isinstance(way, When) and way.is_case and self.rows.is_certain(way.then):
                text = f"IF({self._test(way)},{self._text(way.then)},{text})"
            else:
                text = f"IF({_any(self._unknown(way))},{text},{self._text(way)})"
        return text

    def _as_exported(self, call: Call) -> str:
        """Return the number of the cell beside, an error once its inputs have moved on."""
        (name,) = helper_names(call)
        cell, value = self.at[name], self._exported(call)
        outdated = f'{cell}=""'
        if value is not None:
            untouched = _SAME.format(cell=cell, value=value)
            outdated = f"OR({outdated},AND({untouched},{self._moved(call)}))"
        number = f"IF({outdated},NA(),{cell})"
        if call.formula not in OVER_FIFO:
            return number
        return f"{CELLS[fifo].format(op_ratio=self._text(_inputs(call)['op_ratio']))}*{number}"

    def _moved(self, call: Call) -> str:
        """Return the condition that an input of a number differs from what it was."""
        reading = self.rows.reading
        same = [
            _SAME.format(cell=self._text(node), value=reading.answer(node).value)
            for node in _inputs(call).values()
            if not np.ndim(reading.answer(node).value)
        ]
        return f"NOT(AND({','.join(same)}))"

    def _life(self, call: Call) -> tuple[str, str]:
        """Return when a life is endless, and the life otherwise."""
        refs = {name: self._text(node) for name, node in _inputs(call).items()}
        names = helper_names(call)
        if names:
            return cell_growth.life(refs, [self.at[name] for name in names])
        formula = call.formula
        return NEVER[formula].format(**refs), CELLS[formula].format(**refs)

    def _test(self, when: When) -> str:
        """Return the condition that a leaf has one of some values, or is at least another."""
        if when.least is not None:
            return f"{self._cell(when.leaf)}>={self._cell(when.least)}"
        cell, factor = self.at[when.leaf.key], _factor(when.leaf.key)
        return _any([f"{cell}={value / factor!r}" for value in when.equals])

    def _unknown(self, node: Node) -> list[str]:
        """Return the conditions, of which any is enough, under which a number is not known."""
        node = self.rows.plain(node)
        if self.rows.is_certain(node):
            return []
        if self.rows.owns(node):
            cell = self.at[quantity_of(node.key)]
            return [f'{cell}=""' if self.rows.is_blank(node) else f"ISTEXT({cell})"]
        return self._unknown_within(node)

    def _unknown_within(self, node: Node) -> list[str]:
        if self.rows.is_certain(node):
            return []
        if isinstance(node, FirstKnown):
            return [f"AND({','.join(_any(self._unknown(way)) for way in self.rows.ways(node))})"]
        own = [f"NOT({self._test(node)})"] if isinstance(node, When) and node.is_case else []
        parts = [part for child in self.rows.children(node) for part in self._unknown(child)]
        return list(dict.fromkeys([*own, *parts]))

    def _guarded(self, node: Node, body: str) -> str:
        """Say what is missing in the place of `body`, as long as something is."""
        unknown = self._unknown_within(node)
        return f"IF({_any(unknown)},{self._message(node)},{body})" if unknown else body

    def _message(self, node: Node) -> str:
        lacks = sorted(self._lacks(node).values(), key=lambda lack: lack.label)
        if not lacks:  # of another case than as exported
            return "NA()"
        if len(lacks) == 1:
            return f'"{MISSING}{lacks[0].label}"'
        names = "&".join(f'IF({lack.condition},", {lack.label}","")' for lack in lacks)
        return f'"{MISSING}"&MID({names},3,250)'

    def _lacks(self, node: Node) -> "dict[str, _Lack]":
        """Return the blank facts without which a number stays unknown, each with its cell."""
        node = self.rows.plain(node)
        if id(node) not in self._lacking:
            self._lacking[id(node)] = self._find_lacks(node)
        return self._lacking[id(node)]

    def _find_lacks(self, node: Node) -> "dict[str, _Lack]":
        if self.rows.is_certain(node):
            return {}
        if isinstance(node, Leaf):
            return {node.key: _Lack(QUANTITIES[node.key].label, f'{self.at[node.key]}=""')}
        if isinstance(node, FirstKnown):
            return self._lacks_of_choice(node)
        return _merged(self._lacks(child) for child in self.rows.children(node))

    def _lacks_of_choice(self, node: FirstKnown) -> "dict[str, _Lack]":
        """Return the fewest; none of them is needed where a way holds that lacks nothing."""
        ways = self.rows.ways(node)
        cases = [way for way in ways if isinstance(way, When) and way.is_case]
        cases = [way for way in cases if way.least is None or not self.rows.reading.holds(way)]
        general = [way for way in ways if way not in cases] or cases
        lacks = min((self._lacks(way) for way in general), key=len)
        for way in cases:
            if not self._lacks(way.then):
                in_force = self.rows.reading.holds(way)
                lacks = {key: lack.unless(self._test(way), in_force) for key, lack in lacks.items()}
        return lacks


@dataclass(frozen=True, slots=True)
class _Lack:
    """A blank fact: its label, when its lack is to be named, and whether that is so as exported."""

    label: str
    condition: str
    applies: bool = True

    def unless(self, test: str, in_force: bool) -> "_Lack":
        condition = f"AND({self.condition},NOT({test}))"
        return _Lack(self.label, condition, self.applies and not in_force)


def helper_names(call: Call) -> list[str]:
    """Name the cells that a number needs beside its own."""
    if call.formula not in CELLS:
        return [f"{quantity_of(call.key)}: {FACTOR}"]
    inputs = _inputs(call)
    if cell_growth.has_course(call.formula, inputs):
        return cell_growth.helper_names(quantity_of(call.key), inputs)
    return []


@cache
def _usual(formula: Callable[..., Any]) -> dict[str, str]:
    """Return what stands for the arguments that a formula may do without."""
    parameters = signature(formula).parameters.values()
    usual = {each.name: each.default for each in parameters if each.default is not each.empty}
    return {name: UNLIMITED if value == float("inf") else repr(value)
            for name, value in usual.items()}  # fmt: skip


def _inputs(call: Call) -> dict[str, Node]:
    """Return the arguments of a call by name; members of lists and of records by their own."""
    inputs: dict[str, Node] = {}
    for name, argument in call.inputs.items():
        if isinstance(argument, Fields):
            inputs |= argument.nodes
        elif isinstance(argument, tuple):
            inputs |= {quantity_of(node.key): node for node in argument}
        else:
            inputs[name] = argument
    return inputs


def _merged(parts: Iterable[Mapping[str, _Lack]]) -> dict[str, _Lack]:
    """Gather what several numbers lack; a fact that any of them needs is needed."""
    lacks: dict[str, _Lack] = {}
    for part in parts:
        for key, lack in part.items():
            before = lacks.setdefault(key, lack)
            if before.condition not in lack.condition:
                both = f"OR({before.condition},{lack.condition})"
                condition = lack.condition if lack.condition in before.condition else both
                lacks[key] = _Lack(lack.label, condition, before.applies or lack.applies)
    return lacks


def _any(conditions: list[str]) -> str:
    return conditions[0] if len(conditions) == 1 else f"OR({','.join(conditions)})"


def _factor(key: str) -> float:
    return FACTORS[QUANTITIES[key].shown_in]


def _in_unit(key: str, text: str) -> str:
    """Convert a formula from base units into the unit of its cell."""
    factor = _factor(key)
    return f"({text})" if factor == 1 else f"({text})/{factor!r}"

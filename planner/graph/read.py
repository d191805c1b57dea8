"""Read a graph as numbers, or as arrays over any axes.

`Values` maps the keys of leaves to numbers or to arrays that broadcast. NaN or no entry means
unknown. One scenario is read with numbers, a million scenarios with arrays.
"""

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from models.errors import DomainError
from planner.graph.nodes import (
    AXES,
    Argument,
    Call,
    Const,
    Fields,
    FirstKnown,
    Leaf,
    Named,
    Node,
    Part,
    When,
    children,
)  # fmt: skip

Values = Mapping[str, Any]
UNKNOWN = float("nan")


def read(nodes: Iterable[Node], values: Values) -> list[Any]:
    """Return a number or an array for each node; every node is computed once.

    An array element outside the domain of any formula is NaN in every result; a single number
    outside it raises the formula's `DomainError`.

    >>> read([Leaf("raw_bytes"), Leaf("pe_cycles")], {"raw_bytes": 2.0**40})
    [1099511627776.0, nan]
    """
    reader = Reader(values)
    return reader.without_refused([reader.value(node) for node in nodes])


class Reader:
    """One reading of a graph, with a memo of computed nodes.

    A strict reader raises if a formula refuses any element; another makes these elements NaN.
    """

    def __init__(self, values: Values, *, is_strict: bool = False) -> None:
        self.values, self.is_strict = values, is_strict
        self._memo: dict[int, Any] = {}
        self._kept: list[Node] = []  # so that no other node gets the identity of one in the memo
        self._lacking: dict[int, frozenset[str]] = {}
        self._refused: list[Any] = []  # where a formula refused elements of an array
        self._axis_depth = max(
            (np.ndim(values[axis]) for axis in AXES if axis in values), default=0
        )

    def keep(self, other: "Reader") -> None:
        """Copy the values that another reader has computed from the leaves shared with this one."""
        self._memo |= other._memo

    def hold(self, node: Node, value: Any) -> None:
        """Take the value of a node as known, such as one read along fewer axes before."""
        self._memo[id(node)] = value

    def value(self, node: Node) -> Any:
        """Return the value of a node, NaN where it is unknown."""
        memo, place = self._memo, id(node)
        if place not in memo:
            memo[place] = self._compute(node)
            self._kept.append(node)
        return memo[place]

    def is_known(self, node: Node) -> bool:
        """Whether a node is known in every element."""
        return _is_known_everywhere(self.value(node))

    def holds(self, node: When) -> bool:
        """Whether the condition of a node holds in any element."""
        return bool(np.any(self._holds(node)))

    def way_taken(self, node: Node) -> Node:
        """Return the node that gives a number: the first known way, else the first possible one."""
        while isinstance(node, FirstKnown | When):
            if isinstance(node, When):
                if not self.holds(node):
                    return node.then
                node = node.then
                continue
            known = (way for way in node.ways if self.is_known(way))
            node = next(known, None) or self._ways_to_complete(node)[0]
        return node

    def lacking(self, node: Node) -> frozenset[str]:
        """Return the smallest set of leaves that would make an unknown node known."""
        memo, place = self._lacking, id(node)
        if place not in memo:
            memo[place] = frozenset() if self.is_known(node) else self._fewest_lacking(node)
        return memo[place]

    def _fewest_lacking(self, node: Node) -> frozenset[str]:
        match node:
            case Leaf():
                return frozenset({node.key})
            case FirstKnown():
                ways = self._ways_to_complete(node)
                lacking = [(self.lacking(way), isinstance(way, Leaf)) for way in ways]
                possible = [way for way in lacking if way[0]] or lacking
                return min(possible, key=lambda way: (len(way[0]), way[1]))[0]
            case When():
                *condition, then = children(node)
                unknown = frozenset[str]().union(*map(self.lacking, condition))
                return self.lacking(then) if self.holds(node) else unknown
        return frozenset().union(*(self.lacking(child) for child in children(node)))

    def without_refused(self, results: list[Any]) -> list[Any]:
        """Return results with NaN in the elements that a formula refused."""
        for refused in self._refused:
            results = [np.where(refused, np.nan, result) for result in results]
        return results

    @property
    def refused(self) -> Any:
        """Mask of the elements that a formula refused in this reading so far."""
        return functools.reduce(np.logical_or, self._refused, np.zeros((), bool))

    def arguments(self, node: Call) -> dict[str, Any]:
        """Return the values with which a node calls its formula."""
        return {name: self._argument(part) for name, part in node.inputs.items()}

    def _compute(self, node: Node) -> Any:
        match node:
            case Leaf() | Const():
                return self.values.get(node.key, UNKNOWN) if isinstance(node, Leaf) else node.value
            case Call():
                return self._called(node)
            case FirstKnown():
                return self._first_known(node)
            case When():
                return self._when(node)
            case Part():
                whole = self.value(node.whole)  # of what is unknown or refused there is no record
                return whole if isinstance(whole, float | np.ndarray) else getattr(whole, node.name)
            case Named():
                return self.value(node.node)

    def _argument(self, argument: Argument) -> Any:
        if isinstance(argument, Fields):
            return argument.kind(**{k: self.value(node) for k, node in argument.nodes.items()})
        if isinstance(argument, tuple):
            return [self.value(node) for node in argument]
        return self.value(argument)

    def _first_known(self, node: FirstKnown) -> Any:
        result: Any = UNKNOWN
        for way in node.ways:
            if isinstance(result, float):
                result = self.value(way)
            else:
                result = np.where(np.isnan(result), self.value(way), result)
            if _is_known_everywhere(result):
                break
        return result

    def _ways_to_complete(self, node: FirstKnown) -> tuple[Node, ...]:
        """Return the ways that more facts would make known.

        Overrides, and cases whose condition does not hold, are left out.
        """

        def can_be_completed(way: Node) -> bool:
            if isinstance(way, When):
                return self.holds(way)
            return not (isinstance(way, Leaf) and way.overrides)

        return tuple(way for way in node.ways if can_be_completed(way)) or node.ways[-1:]

    def _holds(self, node: When) -> Any:
        leaf = self.value(node.leaf)
        if node.least is not None:
            return np.asarray(leaf) >= self.value(node.least)
        if isinstance(leaf, float):  # a hundredth of the time of arrays
            return leaf in node.equals if node.equals else not math.isnan(leaf)
        return np.isin(leaf, node.equals) if node.equals else ~np.isnan(leaf)

    def _when(self, node: When) -> Any:
        holds = self._holds(node)
        if holds is True:
            return self.value(node.then)
        if not np.any(holds):
            return UNKNOWN
        then = self.value(node.then)
        is_whole = np.all(holds) or (isinstance(then, float) and math.isnan(then))
        return then if is_whole else np.where(holds, then, UNKNOWN)

    def _called(self, node: Call) -> Any:
        if node.axis:
            formula = _by_column(node.formula) if node.each else node.formula
            return self._along(formula, self.arguments(node))
        formula = _by_element(node.formula) if node.each else node.formula
        return self._call(formula, self.arguments(node))

    def _along(self, formula: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        """Apply a formula along the first axis, to the columns that are known as a whole."""
        parts = [np.asarray(number) for part in arguments.values() for number in _numbers(part)]
        if any(not part.ndim and np.isnan(part) for part in parts):
            return UNKNOWN
        shape = np.broadcast_shapes(*(part.shape for part in parts))
        unknown = [np.isnan(np.broadcast_to(part, shape)) for part in parts]
        known = ~np.logical_or.reduce(unknown).any(axis=0)
        if known.all():
            if self.is_strict:
                return formula(**arguments)
            with suppress(DomainError):
                return formula(**arguments)
        if not known.any():
            return UNKNOWN
        columns = {name: _columns(value, shape, known) for name, value in arguments.items()}
        part = self._apply_to_columns(formula, columns, known)
        result = np.full((*np.shape(part)[:-1], *shape[1:]), np.nan)
        result[..., known] = part
        return result

    def _apply_to_columns(
        self, formula: Callable[..., Any], columns: dict[str, Any], places: Any
    ) -> Any:
        """Apply a formula to whole columns; those that it refuses become NaN and are recorded."""
        if self.is_strict:
            return formula(**columns)
        size = int(places.sum())
        result, refused = _apply_by_halves(formula, columns, size, _some_columns)
        self._record(refused, places)
        return result

    def _record(self, refused: Any, places: Any) -> None:
        """Record the elements that a formula refused; along an axis, their columns."""
        if not refused.any():
            return
        everywhere = np.zeros(places.shape, bool)
        everywhere[places] = refused
        if everywhere.ndim and everywhere.ndim == self._axis_depth:
            self._refused.append(everywhere.any(axis=0))
        else:
            self._refused.append(everywhere)

    def _call(self, formula: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        """Apply a formula to the elements whose arguments are all known."""
        flat = [number for part in arguments.values() for number in _numbers(part)]
        if any(isinstance(number, float) and math.isnan(number) for number in flat):
            return UNKNOWN
        arrays = [number for number in flat if isinstance(number, np.ndarray) and number.ndim]
        if not arrays:
            return formula(**arguments)
        unknown = [np.isnan(array) for array in arrays]
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
        if not any(places.any() for places in unknown):
            return self._apply(formula, arguments, shape, np.ones(shape, bool))
        known = ~np.logical_or.reduce([np.broadcast_to(places, shape) for places in unknown])
        if not known.any():
            return UNKNOWN
        inputs = {name: _elements(part, shape, known) for name, part in arguments.items()}
        part = self._apply(formula, inputs, (int(known.sum()),), known)
        return _mapped(lambda numbers: _placed(numbers, known), part)

    def _apply(
        self, formula: Callable[..., Any], arguments: dict[str, Any], shape: Any, places: Any
    ) -> Any:
        """Apply a formula to arrays; elements that it refuses become NaN and are recorded."""
        if self.is_strict:
            return formula(**arguments)
        with suppress(DomainError):
            return formula(**arguments)
        every = np.ones(shape, bool)
        flat = {name: _elements(part, shape, every) for name, part in arguments.items()}
        result, refused = _apply_by_halves(formula, flat, every.size, _some)
        self._record(refused, places)
        return _mapped(lambda numbers: numbers.reshape(shape), result)


def _apply_by_halves(
    formula: Callable[..., Any], arguments: dict[str, Any], size: int, some: Callable[..., Any]
) -> tuple[Any, Any]:
    """Apply a formula to a row of elements, halved until each refused element is alone.

    `some` returns the elements of an argument that lie within a slice of the row.
    """
    with suppress(DomainError):
        return formula(**arguments), np.zeros(size, bool)
    if size == 1:
        return np.array([np.nan]), np.ones(1, bool)
    middle = size // 2
    halves = [
        _apply_by_halves(
            formula,
            {name: some(part, size, places) for name, part in arguments.items()},
            len(range(size)[places]),
            some,
        )
        for places in (slice(None, middle), slice(middle, None))
    ]
    results, refused = zip(*halves, strict=True)
    return _joined(results), np.concatenate(refused)


def _joined(results: Sequence[Any]) -> Any:
    """Join the results of elements that follow each other, of a record field by field."""
    kind = next((type(result) for result in results if hasattr(result, "_fields")), None)
    if kind is not None:
        every = [result if isinstance(result, kind) else kind(*[result] * len(kind._fields))
                 for result in results]  # fmt: skip
        return kind(*map(_joined, zip(*every, strict=True)))
    depth = max((result.shape[:-1] for result in results), key=len)
    whole = [np.broadcast_to(result, (*depth, result.shape[-1])) for result in results]
    return np.concatenate(whole, axis=-1)


def _placed(numbers: Any, known: Any) -> Any:
    """Put numbers where they are known among others that are not."""
    result = np.full(known.shape, np.nan)
    result[known] = numbers
    return result


def _some(argument: Any, size: int, places: slice) -> Any:
    return _elements(argument, (size,), places)


def _some_columns(argument: Any, _: int, places: slice) -> Any:
    return _mapped(lambda part: part[..., places] if np.ndim(part) else part, argument)


def _by_element(formula: Callable[..., Any]) -> Callable[..., Any]:
    """Return a formula of single numbers as one of arrays."""

    @functools.wraps(formula)
    def over_elements(**arguments: Any) -> Any:
        shape = _shape_of(arguments)
        if not shape:
            return formula(**arguments)
        once = _once(formula)
        result = [
            once({name: _elements(part, shape, place) for name, part in arguments.items()})
            for place in np.ndindex(shape)
        ]
        kind = type(result[0]) if result else float
        if not hasattr(kind, "_fields"):
            return np.reshape(result, shape)
        return kind(*(np.reshape(part, shape) for part in zip(*result, strict=True)))

    return over_elements


def _by_column(formula: Callable[..., Any]) -> Callable[..., Any]:
    """Return a formula of one axis as one of that axis and others behind it."""

    @functools.wraps(formula)
    def over_columns(**arguments: Any) -> Any:
        shape = _shape_of(arguments)
        if len(shape) < 2:
            return formula(**arguments)
        once = _once(formula)
        columns = [
            once({name: _columns(part, shape, place) for name, part in arguments.items()})
            for place in np.ndindex(shape[1:])
        ]
        return np.stack(columns, axis=-1).reshape(-1, *shape[1:])

    return over_columns


def _shape_of(arguments: Mapping[str, Any]) -> tuple[int, ...]:
    flat = [number for part in arguments.values() for number in _numbers(part)]
    return np.broadcast_shapes(*(np.shape(number) for number in flat))


def _once(formula: Callable[..., Any]) -> Callable[[dict[str, Any]], Any]:
    """Return a formula that is computed once for arguments that are the same."""
    known: dict[tuple[bytes, ...], Any] = {}

    def of(arguments: dict[str, Any]) -> Any:
        flat = [number for part in arguments.values() for number in _numbers(part)]
        place = tuple(np.asarray(number, float).tobytes() for number in flat)
        if place not in known:
            known[place] = formula(**arguments)
        return known[place]

    return of


def _columns(argument: Any, shape: tuple[int, ...], places: Any) -> Any:
    """Return the columns at `places` of an argument of the formula of an axis."""

    def columns(number: Any) -> Any:
        array = np.asarray(number)
        if array.ndim < len(shape):
            return _elements(array if array.ndim else float(array), shape[1:], places)
        whole = np.broadcast_to(array, (array.shape[0], *shape[1:]))
        return whole[:, *places] if isinstance(places, tuple) else whole[:, places]

    return _mapped(columns, argument)


def _mapped(change: Callable[[Any], Any], argument: Any) -> Any:
    """Apply a change to each number of an argument: of a list, of a record, or to one number."""
    if isinstance(argument, list):
        return [_mapped(change, part) for part in argument]
    if hasattr(argument, "_fields"):
        return type(argument)(*(_mapped(change, part) for part in argument))
    return change(argument)


def _is_known_everywhere(value: Any) -> bool:
    return not (math.isnan(value) if isinstance(value, float) else np.isnan(value).any())


def _numbers(argument: Any) -> Iterable[Any]:
    return argument if isinstance(argument, list | tuple) else (argument,)


def _elements(argument: Any, shape: tuple[int, ...], places: Any) -> Any:
    """Return the elements of an argument at `places` of the common shape."""

    def elements(number: Any) -> Any:
        if not isinstance(number, np.ndarray) or not number.ndim:
            return number
        chosen = np.broadcast_to(number, shape)[places]
        return chosen if np.ndim(chosen) else float(chosen)

    return _mapped(elements, argument)

"""A plan as an expression: nodes without numbers.

A `Leaf` is an input or a fact, a `Const` is fixed by a definition, a `Call` is one formula on
other nodes. `FirstKnown` is the first known of several ways to compute a number, `When` is known
only where a condition on a leaf holds, `Part` is one field of a formula with several results,
`Named` is a number under another name, and `Fields` is an argument that is a record.
`planner.graph.read` computes them.

A key names a quantity of the nomenclature. "random_wa:greedy" is one way to compute the quantity
`random_wa`; each way has a key of its own, so that it can be shown and cited.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from models.nomenclature import QUANTITIES


@dataclass(frozen=True, slots=True)
class Leaf:
    """An input of the scenario or a fact of the drive.

    A leaf that `overrides` replaces a model where it is given; it is never listed as lacking. One
    with an `axis` is a single number, or has one for each place of that axis, along the first.
    """

    key: str
    overrides: bool = False
    axis: str = ""


@dataclass(frozen=True, slots=True)
class Const:
    """A number, or a tuple of numbers, fixed by a definition or by the scenario's `Structure`."""

    key: str
    value: float | tuple[float, ...]
    source: str = "definition"
    note: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """One formula on other nodes, given by the names of its arguments.

    With an `axis` the formula takes the whole first axis of its arrays, such as the years of a
    horizon; it `folds` the axis if its result no longer has it. A formula that takes single numbers
    alone is applied to `each` element, or with an axis to each row along it. Where the argument
    `error` is 1, the result is the first argument, and so is the answer.
    """

    key: str
    formula: Callable[..., Any]
    inputs: Mapping[str, "Argument"] = field(repr=False)
    note: str = ""
    axis: str = ""
    folds: bool = False
    each: bool = False
    error: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class FirstKnown:
    """Several ways to compute a number; the first whose inputs are known is used."""

    key: str
    ways: tuple["Node", ...] = field(repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class When:
    """Another node, known where `leaf` is one of `equals`, or at least `least`.

    With neither it is known where `leaf` is known. The condition may be on a computed number.
    """

    leaf: "Node"
    then: "Node"
    equals: tuple[float, ...] = ()
    least: "Node | None" = None

    @property
    def key(self) -> str:
        """The key of the node behind the condition."""
        return self.then.key

    @property
    def is_case(self) -> bool:
        """Whether it depends on the value of its leaf, not only on whether that is known."""
        return bool(self.equals) or self.least is not None


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """One field of the record that a formula returns."""

    key: str
    whole: Call
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Named:
    """A number under another name, such as one of two rates that differ in some scenarios."""

    key: str
    node: "Node"


@dataclass(frozen=True, eq=False, slots=True)
class Fields:
    """An argument that is a record of numbers."""

    kind: Callable[..., Any]
    nodes: Mapping[str, "Node"] = field(repr=False)


# Axes of which a formula may take the whole: years of a horizon, percentiles, the course of a test,
# queue depths, classes of data. A leaf of that name has its numbers, along the first axis.
AXES = ("year", "level", "time", "depth", "class")

Node = Leaf | Const | Call | FirstKnown | When | Part | Named
Argument = Node | Fields | tuple[Node, ...]  # a tuple stands for a list argument


def none(key: str) -> Const:
    """Build a number that does not exist, and that no fact would supply."""
    return Const(key, math.nan)


def quantity_of(key: str) -> str:
    """Return the quantity that a key names.

    >>> quantity_of("random_wa:greedy")
    'random_wa'
    """
    return key.partition(":")[0]


def children(node: Node) -> Iterator[Node]:
    """List the nodes that a node is computed from."""
    match node:
        case Call():
            for argument in node.inputs.values():
                yield from members(argument)
        case Part():
            yield node.whole
        case Named():
            yield node.node
        case FirstKnown():
            yield from node.ways
        case When():
            yield node.leaf
            if node.least is not None:
                yield node.least
            yield node.then


def members(argument: Argument) -> tuple[Node, ...]:
    """List the nodes of one argument."""
    if isinstance(argument, Fields):
        return tuple(argument.nodes.values())
    return argument if isinstance(argument, tuple) else (argument,)


class Graph:
    """Answers by name, and every node behind them by key, inputs before results.

    Two different nodes with one key are refused, a key that the nomenclature does not contain, and
    a node behind which there are two axes.

    >>> from models import endurance
    >>> raw, wa = Leaf("raw_bytes"), Leaf("workload_wa")
    >>> limit = Call("wear_limit_bytes", endurance.write_limit_bytes,
    ...              {"raw_bytes": raw, "pe_cycles": Leaf("pe_cycles"), "wa": wa})
    >>> list(Graph({"limit": limit}).nodes)
    ['raw_bytes', 'pe_cycles', 'workload_wa', 'wear_limit_bytes']
    """

    def __init__(self, answers: Mapping[str, Node]) -> None:
        self.answers = dict(answers)
        self.nodes: dict[str, Node] = {}
        self._axes: dict[int, frozenset[str]] = {}
        for node in self.answers.values():
            self._add(node)

    def __reduce__(self) -> tuple[Any, ...]:  # what is kept by identity is built anew
        return Graph, (self.answers,)

    def axis_of(self, node: Node) -> str:
        """Return the axis along which a node has several numbers, or nothing."""
        return next(iter(self._axes_of(node)), "")

    def _axes_of(self, node: Node) -> frozenset[str]:
        if id(node) not in self._axes:
            axes = frozenset(AXES) & ({node.key, node.axis} if isinstance(node, Leaf) else set())
            axes = axes.union(*map(self._axes_of, children(node)))
            if isinstance(node, Call) and node.folds:
                axes -= {node.axis}
            self._axes[id(node)] = axes
        return self._axes[id(node)]

    def _add(self, node: Node) -> None:
        if isinstance(node, When):
            for child in children(node):
                self._add(child)
            return
        present = self.nodes.get(node.key)
        if present is node:
            return
        if present is not None and not (isinstance(node, Leaf | Const) and present == node):
            way = f"{quantity_of(node.key)}:way"
            raise ValueError(f"two nodes have the key {node.key}: name one like {way}")
        if quantity_of(node.key) not in QUANTITIES:
            raise ValueError(f"{node.key} has no row in models/nomenclature.csv")
        for child in children(node):
            self._add(child)
        self._check_axes(node)
        self.nodes.setdefault(node.key, node)

    def _check_axes(self, node: Node) -> None:
        if len(axes := self._axes_of(node)) > 1:
            raise ValueError(f"{node.key} has two axes: {', '.join(sorted(axes))}")
        if isinstance(node, Call) and node.axis and node.axis not in AXES:
            raise ValueError(f"{node.key}: {node.axis} is none of the axes {', '.join(AXES)}")

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """Inputs and facts."""
        return tuple(node for node in self.nodes.values() if isinstance(node, Leaf))

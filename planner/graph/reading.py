"""One scenario read from a graph: every node as an answer with its formula or source."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planner.graph.answer import Answer, given, unknown
from planner.graph.explain import public_name
from planner.graph.nodes import (
    AXES,
    Call,
    Const,
    Fields,
    Graph,
    Leaf,
    Named,
    Node,
    Part,
    When,
    quantity_of,
)  # fmt: skip
from planner.graph.read import Reader

SIMULATED = "simulated"


class Reading:
    """A graph with the inputs of one scenario; each leaf has a source.

    Inputs may be arrays, such as draws; an element that a formula refuses raises `DomainError`.
    """

    def __init__(self, graph: Graph, leaves: Mapping[str, Answer]) -> None:
        self.graph, self.leaves = graph, leaves
        self._reader = Reader(self.values, is_strict=True)
        self._answers: dict[int, tuple[Node, Answer]] = {}  # the node is kept: its id stays its own

    def __reduce__(self) -> tuple[Any, ...]:  # what is kept by identity is computed anew
        return Reading, (self.graph, self.leaves)

    @property
    def values(self) -> dict[str, Any]:
        """The numbers of the leaves, in base units."""
        return {key: leaf.value for key, leaf in self.leaves.items() if leaf.is_known}

    def extended(self, graph: Graph, leaves: Mapping[str, Answer]) -> "Reading":
        """Return a reading of a graph that contains this one's nodes, with further leaves.

        What is computed already is kept: a leaf that this graph has cannot be changed.
        """
        known = {leaf.key for leaf in self.graph.leaves}
        changed = [key for key in leaves if key in known and self.leaves.get(key) != leaves[key]]
        if changed:
            raise ValueError(f"{', '.join(changed)}: leaves of the graph that is extended")
        further = Reading(graph, {**self.leaves, **leaves})
        further._reader.keep(self._reader)
        further._answers = dict(self._answers)
        return further

    def swept(self, *names: str, **changes: ArrayLike) -> list[Any]:
        """Return the values of answers after changing some leaves to other numbers or arrays."""
        reader = self.reader(**changes)
        return reader.without_refused([reader.value(self.graph.answers[name]) for name in names])

    def reader(self, **changes: ArrayLike) -> Reader:
        """Return a reader in which some leaves are changed to other numbers or arrays.

        The axes of the reading, such as its years, come before those of the arrays.
        """
        along = {leaf.key for leaf in self.graph.leaves if leaf.axis}
        depths = (np.ndim(change) - (name in along) for name, change in changes.items())
        values, depth = self.values, max(depths, default=0)
        axes = {
            axis: np.reshape(values[axis], (-1, *(1,) * depth)) for axis in AXES if axis in values
        }
        return Reader(values | axes | changes)

    def numbers(self, *names: str) -> list[Any]:
        """Return the values of answers, NaN where unknown."""
        nodes = [self.graph.answers[name] for name in names]
        return [self._reader.value(node) for node in nodes]

    def check(self) -> "Reading":
        """Compute every answer, so that inputs outside the domain of a formula raise now."""
        for node in self.graph.answers.values():
            self._reader.value(node)
        return self

    def __getitem__(self, name: str) -> Answer:
        """Return an answer by name, or any number behind the answers by its key."""
        answers = self.graph.answers
        return self.answer(answers[name] if name in answers else self.graph.nodes[name])

    def answer(self, node: Node) -> Answer:
        """Return a node as an answer; a choice between ways becomes the way taken."""
        if id(node) not in self._answers:
            self._answers[id(node)] = node, self._answer(node)
        return self._answers[id(node)][1]

    def holds(self, node: When) -> bool:
        """Whether the condition of a node holds."""
        return self._reader.holds(node)

    def way_taken(self, node: Node) -> Node:
        """Return the node that gives a number: the way taken of a choice."""
        return self._reader.way_taken(node)

    def _answer(self, node: Node) -> Answer:
        way = self._reader.way_taken(node)
        key = quantity_of(way.key)
        value = self._reader.value(node)
        if isinstance(value, float) and math.isnan(value):
            return unknown(key, sorted(self._reader.lacking(node)))
        if isinstance(way, Named):
            named = self.answer(way.node)
            inputs = {named.key: named} if named.is_given else named.inputs
            return replace(named, key=key, inputs=inputs)
        if isinstance(way, Leaf):
            return self.leaves[way.key]
        if isinstance(way, Const):
            return given(key, way.value, source=way.source, note=way.note)
        call, part = (way.whole, way.name) if isinstance(way, Part) else (way, "")
        assert isinstance(call, Call)  # noqa: S101 - `way_taken` leaves no choice
        if call.error and self._is_typical(call):
            first = next(iter(call.inputs.values()))
            assert not isinstance(first, Fields | tuple)  # noqa: S101 - one number
            return replace(self.answer(first), key=key)
        name = public_name(call.formula)
        source = SIMULATED if name.startswith("models.simulator.") else ""
        return Answer(
            key=key, value=value, source=source, formula=name, part=part, note=call.note,
            inputs=self._inputs(call), arguments=self._reader.arguments(call),
        )  # fmt: skip

    def _is_typical(self, call: Call) -> bool:
        """Whether the error of a model is left out."""
        error = call.inputs[call.error]
        return isinstance(error, Leaf) and bool(np.all(self._reader.value(error) == 1.0))

    def _inputs(self, call: Call) -> dict[str, Answer]:
        """Return the answers behind the arguments of a call, those of lists and records singly."""
        inputs: dict[str, Answer] = {}
        for name, argument in call.inputs.items():
            if isinstance(argument, Fields):
                inputs |= {field: self.answer(node) for field, node in argument.nodes.items()}
            elif isinstance(argument, tuple):
                inputs |= {quantity_of(node.key): self.answer(node) for node in argument}
            else:
                inputs[name] = self.answer(argument)
        return inputs

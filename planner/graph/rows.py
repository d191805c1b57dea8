"""The rows of a graph on a sheet: one per quantity, with the node that each row holds.

A fact that is known at export counts as known for good. The smallest set of facts that would
complete the answers become blank cells for the user to fill in. Ways to compute a number that
neither makes known get no row, nor do the ways that come after one that is always known.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, Self

from planner.graph.answer import Answer
from planner.graph.explain import public_name
from planner.graph.nodes import (
    Call,
    Const,
    FirstKnown,
    Leaf,
    Named,
    Node,
    Part,
    When,
    children,
    quantity_of,
)
from planner.graph.reading import Reading

# Which of several nodes of a quantity has the row.
_RANK = (Leaf, Named, FirstKnown, Call, Part, Const)


class Rows:
    """The answers of a reading as rows, one per quantity.

    `optional` are facts that answers do not need but use where they are filled in; `never_blank`
    are facts that get no blank cell, since a more usual fact serves as well; `blanks` are the facts
    with a blank cell. Numbers that have a row in `beyond` get none; with `shown` no result gets one
    but these quantities.
    """

    def __init__(
        self,
        reading: Reading,
        names: Sequence[str],
        *,
        optional: Collection[str] = (),
        never_blank: Collection[str] = (),
        beyond: "Rows | None" = None,
        shown: Collection[str] | None = None,
    ) -> None:
        self.reading, self._never_blank = reading, never_blank
        self._beyond: Mapping[str, Node] = beyond._owners if beyond else {}
        self._known = _Known(reading.values)
        if beyond:  # whose leaves are the same here
            self._known.keep(beyond._known)
        self._ways: dict[str, tuple[Node, ...]] = {}
        self._fewest: dict[int, frozenset[str] | None] = {}
        answers = [reading.graph.answers[name] for name in names]
        lacking = [self._lacking(answer) or frozenset() for answer in answers]
        open_beyond = beyond.blanks if beyond else ()
        filled = self._known.keys.union(optional, open_beyond, *lacking)
        self._filled = _Known(filled, with_cases=True)
        nodes: dict[str, Node] = {}
        for answer in answers:
            self._add(answer, nodes)
        self._owners: dict[str, Node] = {
            key: node
            for key, node in _owners(nodes).items()
            if key not in self._beyond and (shown is None or key in shown or isinstance(node, Leaf))
        }
        self.blanks: tuple[str, ...] = tuple(
            key for key, node in self._owners.items() if self.is_blank(node)
        )
        self._in_force: set[str] = set()
        for answer in answers:
            self._mark_in_force(answer)
        self.row_of = {
            name: quantity_of(self.simplified(answer).key)
            for name, answer in zip(names, answers, strict=True)
        }

    @property
    def keys(self) -> tuple[str, ...]:
        """The quantities that have a row, inputs before results."""
        return tuple(self._owners)

    def node(self, key: str) -> Node:
        """Return the node of a row."""
        return self._owners[key]

    def owns(self, node: Node) -> bool:
        """Whether a node has a row; other nodes are written inside the cells that use them."""
        return self._owners.get(quantity_of(node.key)) == node or self._is_beyond(node)

    def _is_beyond(self, node: Node) -> bool:
        return self._beyond.get(quantity_of(node.key)) == node

    def given(self, key: str) -> Answer | None:
        """Return the known input of a row; None for a blank cell or a result."""
        node = self._owners.get(key)
        if isinstance(node, Leaf | Const) and not self.is_blank(node):
            return self.reading.answer(node)
        return None

    def is_result(self, key: str) -> bool:
        """Whether a row is computed."""
        return not isinstance(self._owners.get(key, Leaf(key)), Leaf | Const)

    def is_blank(self, node: Node) -> bool:
        """Whether a node is a fact that is unknown at export."""
        return isinstance(node, Leaf) and node.key not in self._known.keys

    def is_always_known(self, node: Node) -> bool:
        """Whether a node stays known, whatever values the user enters."""
        return self._known.gives(node)

    def is_in_force(self, node: Node) -> bool:
        """Whether an answer is computed from this node at export."""
        return node.key in self._in_force

    def value(self, key: str) -> Any:
        """Return the value of a row in base units, None if it is unknown; of years an array."""
        answer = self.reading.answer(self._owners[key])
        return answer.value if answer.is_known else None

    def simplified(self, node: Node) -> Node:
        """Return the only possible way of a choice, or the choice itself if there are several."""
        while True:
            if isinstance(node, FirstKnown) and len(self.ways(node)) == 1:
                (node,) = self.ways(node)
            elif isinstance(node, When) and not node.is_case and self.is_always_known(node.leaf):
                node = node.then
            else:
                return node

    def ways(self, node: FirstKnown) -> tuple[Node, ...]:
        """Return the ways that may be known, up to the first that is always known."""
        if node.key not in self._ways:
            possible: list[Node] = []
            for way in node.ways:
                if self._filled.gives(way):
                    possible.append(way)
                if self.is_always_known(way):
                    break
            self._ways[node.key] = tuple(possible)
        return self._ways[node.key]

    def children(self, node: Node) -> Iterator[Node]:
        """List the nodes that the cell of a node refers to."""
        own = self.ways(node) if isinstance(node, FirstKnown) else children(node)
        return map(self.simplified, own)

    def calls(self, key: str) -> tuple[Call, ...]:
        """Return the calls that may compute a row, the one used at export first."""
        calls = [node for node in self._within(self._owners[key]) if isinstance(node, Call)]
        return tuple(sorted(calls, key=lambda call: not self.is_in_force(call)))

    def formulas(self, key: str) -> tuple[str, ...]:
        """Return the public names of these formulas."""
        return tuple(dict.fromkeys(public_name(call.formula) for call in self.calls(key)))

    def note(self, key: str) -> str:
        """Return the notes of a row: at export, and for other ways once their facts are known."""
        given = self.given(key)
        notes = [given.note] if given else [call.note for call in self.calls(key)]
        return " Otherwise: ".join(dict.fromkeys(note for note in notes if note))

    def sources(self, key: str) -> frozenset[str]:
        """Return the rows to which the cell of a row refers."""
        within = self._within(self._owners[key])
        behind = (child for node in within for child in self.children(node))
        return frozenset(quantity_of(node.key) for node in behind if self.owns(node))

    def at(self, reading: Reading) -> Self:
        """Return the same rows with the numbers of another reading of the same graph.

        Of the same leaves must be known.
        """
        other = copy(self)
        other.reading = reading
        return other

    def _within(self, node: Node) -> Iterator[Node]:
        """List the nodes that are written into one cell."""
        yield node
        for child in self.children(node):
            if not self.owns(child):
                yield from self._within(child)

    def _lacking(self, node: Node) -> frozenset[str] | None:
        """Return the fewest facts that make a node known; None if no blank cell can."""
        if id(node) not in self._fewest:
            is_known = self.is_always_known(node)
            self._fewest[id(node)] = frozenset() if is_known else self._lacking_of(node)
        return self._fewest[id(node)]

    def _lacking_of(self, node: Node) -> frozenset[str] | None:
        match node:
            case Leaf():
                is_open = not node.overrides and node.key not in self._never_blank
                return frozenset({node.key}) if is_open else None
            case FirstKnown():
                ways = [(self._lacking(way), isinstance(way, Leaf)) for way in node.ways]
                open_ways = [(facts, is_leaf) for facts, is_leaf in ways if facts is not None]
                fewest = sorted(open_ways, key=lambda way: (len(way[0]), way[1]))
                return fewest[0][0] if fewest else None
            case When() if node.is_case:
                is_usual = node.least is not None and self.reading.holds(node)
                return self._lacking(node.then) if is_usual else None
        parts = [self._lacking(child) for child in children(node)]
        known = [part for part in parts if part is not None]
        return frozenset().union(*known) if len(known) == len(parts) else None

    def _add(self, node: Node, nodes: dict[str, Node]) -> None:
        """Add a node and every node behind it, inputs first."""
        node = self.simplified(node)
        if node.key in nodes and not isinstance(node, When):
            return
        if self._is_beyond(node):
            return
        for child in self.children(node):
            self._add(child, nodes)
        if not isinstance(node, When):
            nodes.setdefault(node.key, node)

    def _mark_in_force(self, node: Node) -> None:
        """Record the nodes that a known number is computed from."""
        if self._is_beyond(node) or not self.reading.answer(node).is_known:
            return
        taken = self.reading.way_taken(node)
        if taken.key not in self._in_force:
            self._in_force.add(taken.key)
            for child in children(taken):
                self._mark_in_force(child)


class _Known:
    """Leaves that are known, and which nodes are by them alone, whatever their values.

    `with_cases` a node counts that is known for some of their values.
    """

    def __init__(self, keys: Iterable[str], *, with_cases: bool = False) -> None:
        self.keys, self._with_cases = frozenset(keys), with_cases
        self._given: dict[int, bool] = {}

    def keep(self, other: "_Known") -> None:
        """Copy the known nodes from another set of leaves that agrees with this one."""
        self._given |= other._given

    def gives(self, node: Node) -> bool:
        """Whether a node is known if these leaves are."""
        if id(node) not in self._given:
            self._given[id(node)] = self._gives(node)
        return self._given[id(node)]

    def _gives(self, node: Node) -> bool:
        match node:
            case Leaf():
                return node.key in self.keys
            case FirstKnown():
                return any(map(self.gives, node.ways))
            case When() if node.is_case:
                return self._with_cases and self.gives(node.then)
        return all(map(self.gives, children(node)))


def _owners(nodes: Mapping[str, Node]) -> dict[str, Node]:
    """Return the node for the row of each quantity: an input before a choice of ways."""
    owners: dict[str, Node] = {}
    for node in nodes.values():
        key = quantity_of(node.key)
        if key not in owners or _rank(node) < _rank(owners[key]):
            owners[key] = node
    return owners


def _rank(node: Node) -> int:
    return next(place for place, kind in enumerate(_RANK) if isinstance(node, kind))

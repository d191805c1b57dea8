"""Which rows a graph has on a sheet: facts that stand open, and the number that each row holds.

A sheet has one row per quantity. Facts that are known as exported stay known; the fewest facts
that would complete the answers stand open, to be filled in. Ways to a number that neither the one
nor the other makes known are left out, and so are those behind a way that is known already.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from planner.graph.answer import Answer
from planner.graph.explain import public_name
from planner.graph.nodes import (
    Call,
    Const,
    FirstKnown,
    Leaf,
    Node,
    Part,
    When,
    children,
    quantity_of,
)
from planner.graph.reading import Reading

__all__ = ["Rows"]

_RANK = (Leaf, FirstKnown, Call, Part, Const)  # which of several numbers a row of theirs holds


class Rows:
    """The answers of a reading as rows, one per quantity.

    `welcome` are facts that answers do without but follow where they are filled in; `unasked` are
    never asked for, since more usual ones supply the same; `blanks` are the facts that stand open.
    """

    def __init__(
        self,
        reading: Reading,
        names: Sequence[str],
        *,
        welcome: Collection[str] = (),
        unasked: Collection[str] = (),
    ) -> None:
        self.reading, self._unasked = reading, unasked
        self._known = frozenset(reading.values)
        self._ways: dict[str, tuple[Node, ...]] = {}
        self._certain: dict[int, bool] = {}
        self._fewest: dict[int, frozenset[str] | None] = {}
        answers = [reading.graph.answers[name] for name in names]
        lacking = [self._lacking(answer) or frozenset() for answer in answers]
        self._filled = self._known.union(welcome, *lacking)
        nodes: dict[str, Node] = {}
        for answer in answers:
            self._add(answer, nodes)
        self._owners = _owners(nodes)
        self.blanks = tuple(key for key, node in self._owners.items() if self.is_blank(node))
        self._in_force: set[str] = set()
        for answer in answers:
            self._take(answer)
        self.row_of = {
            name: quantity_of(self.plain(answer).key)
            for name, answer in zip(names, answers, strict=True)
        }

    @property
    def keys(self) -> tuple[str, ...]:
        """The quantities that have a row, inputs before what they feed."""
        return tuple(self._owners)

    def node(self, key: str) -> Node:
        """Return the number that a row holds."""
        return self._owners[key]

    def owns(self, node: Node) -> bool:
        """Whether a number has a row of its own; others stand within the cells that read them."""
        return self._owners.get(quantity_of(node.key)) == node

    def given(self, key: str) -> Answer | None:
        """Return the input that a row holds, None for blanks and for results."""
        node = self._owners.get(key)
        if isinstance(node, Leaf | Const) and not self.is_blank(node):
            return self.reading.answer(node)
        return None

    def is_result(self, key: str) -> bool:
        """Whether a row follows from others."""
        return not isinstance(self._owners.get(key, Leaf(key)), Leaf | Const)

    def is_blank(self, node: Node) -> bool:
        """Whether a number is a fact that is not known as exported."""
        return isinstance(node, Leaf) and node.key not in self._known

    def is_certain(self, node: Node) -> bool:
        """Whether a number is known, whatever numbers the inputs come to hold."""
        if id(node) not in self._certain:
            self._certain[id(node)] = _follows(node, self._known)
        return self._certain[id(node)]

    def is_in_force(self, node: Node) -> bool:
        """Whether an answer is computed by this number, as exported."""
        return node.key in self._in_force

    def value(self, key: str) -> float | None:
        """Return the number of a row in base units, None while it is unknown."""
        answer = self.reading.answer(self._owners[key])
        return answer.value if answer.is_known else None

    def plain(self, node: Node) -> Node:
        """Return the only way of a choice, or the choice itself where several stay open."""
        while True:
            if isinstance(node, FirstKnown) and len(self.ways(node)) == 1:
                (node,) = self.ways(node)
            elif isinstance(node, When) and not node.is_case and self.is_certain(node.leaf):
                node = node.then
            else:
                return node

    def ways(self, node: FirstKnown) -> tuple[Node, ...]:
        """Return the ways that may be known, up to the first that is known at any rate."""
        if node.key not in self._ways:
            possible: list[Node] = []
            for way in node.ways:
                if self._is_possible(way):
                    possible.append(way)
                if self.is_certain(way):
                    break
            self._ways[node.key] = tuple(possible)
        return self._ways[node.key]

    def children(self, node: Node) -> Iterator[Node]:
        """List what the cell of a number reads."""
        own = self.ways(node) if isinstance(node, FirstKnown) else children(node)
        return map(self.plain, own)

    def calls(self, key: str) -> tuple[Call, ...]:
        """Return the formulas that may give a row its number, the one in force first."""
        calls = [node for node in self._within(self._owners[key]) if isinstance(node, Call)]
        return tuple(sorted(calls, key=lambda call: not self.is_in_force(call)))

    def formulas(self, key: str) -> tuple[str, ...]:
        """Name these formulas."""
        return tuple(dict.fromkeys(public_name(call.formula) for call in self.calls(key)))

    def note(self, key: str) -> str:
        """Return what is remarked on a row, as exported and once other facts are known."""
        given = self.given(key)
        notes = [given.note] if given else [call.note for call in self.calls(key)]
        return " Otherwise: ".join(dict.fromkeys(note for note in notes if note))

    def _within(self, node: Node) -> Iterator[Node]:
        """List the numbers that stand in one cell."""
        yield node
        for child in self.children(node):
            if not self.owns(child):
                yield from self._within(child)

    def _lacking(self, node: Node) -> frozenset[str] | None:
        """Name the fewest facts that make a number known; None where no question would help."""
        if id(node) not in self._fewest:
            self._fewest[id(node)] = self._lacking_of(node)
        return self._fewest[id(node)]

    def _lacking_of(self, node: Node) -> frozenset[str] | None:
        match node:
            case Leaf() if node.key in self._known:
                return frozenset()
            case Leaf():
                is_asked = not node.overrides and node.key not in self._unasked
                return frozenset({node.key}) if is_asked else None
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

    def _is_possible(self, way: Node) -> bool:
        node = way.then if isinstance(way, When) and way.is_case else way
        return _follows(node, self._filled)

    def _add(self, node: Node, nodes: dict[str, Node]) -> None:
        """Add a number and every number behind it, inputs first."""
        node = self.plain(node)
        if node.key in nodes and not isinstance(node, When):
            return
        for child in self.children(node):
            self._add(child, nodes)
        if not isinstance(node, When):
            nodes.setdefault(node.key, node)

    def _take(self, node: Node) -> None:
        """Note what a number is computed by, if it is known."""
        if not self.reading.answer(node).is_known:
            return
        taken = self.reading.taken(node)
        if taken.key not in self._in_force:
            self._in_force.add(taken.key)
            for child in children(taken):
                self._take(child)


def _follows(node: Node, known: Collection[str]) -> bool:
    """Whether a number follows from these leaves, whatever their values."""
    match node:
        case Leaf():
            return node.key in known
        case FirstKnown():
            return any(_follows(way, known) for way in node.ways)
        case When() if node.is_case:
            return False
    return all(_follows(child, known) for child in children(node))


def _owners(nodes: Mapping[str, Node]) -> dict[str, Node]:
    """Return the number that each quantity's row holds: an input rather than a choice of ways."""
    owners: dict[str, Node] = {}
    for node in nodes.values():
        key = quantity_of(node.key)
        if key not in owners or _rank(node) < _rank(owners[key]):
            owners[key] = node
    return owners


def _rank(node: Node) -> int:
    return next(place for place, kind in enumerate(_RANK) if isinstance(node, kind))

"""What becomes of a plan as the facts that it lacks are filled in.

A plan that lacks facts has twins: the same plan with placeholders for some or all of
them. Placeholders give no numbers; they show which formula gives which number as soon
as a fact is known, so that a sheet can hold that formula before anybody knows the fact.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from models.units import DAY_S
from planner.catalogue.drive import with_user_facts
from planner.graph.answer import Answer, walk
from planner.scenario.workload import Workload
from planner.sections.plan import Plan, plan

__all__ = ["SAME", "Choice", "Fillings", "Shape", "Tree"]

SAME = ""  # stands for the formula of a number that is another number

# Facts that a plan does without, but follows where they are given.
_WELCOME = ("rating_period_s", "sequential_read_bytes_per_s", "sequential_write_bytes_per_s")
# Facts with a more usual one that supplies them as well.
_ASKED_AS = {
    "folded_write_bytes_per_s": "sequential_write_bytes_per_s",
    "rated_dwpd": "rated_bytes",
}


@dataclass(frozen=True, slots=True)
class Shape:
    """How a number follows from others: a formula, and the quantity behind each argument."""

    formula: str
    inputs: Mapping[str, str]
    note: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """Two ways to a number: with a fact, and while that fact is blank."""

    fact: str
    filled: "Tree"
    blank: "Tree"


Tree = Shape | Choice


class Fillings:
    """A plan, the facts that it lacks, and what each number follows from with and without."""

    def __init__(self, answer: Plan) -> None:
        self.plan = answer
        self._plans: dict[frozenset[str], Plan] = {}
        self._nodes: dict[frozenset[str], dict[str, Answer]] = {}
        self._valued: dict[frozenset[str], dict[str, Answer]] = {}
        self._general = _general(answer.workload)
        self._aliases_of: dict[frozenset[str], dict[str, str]] = {}
        self._own_nodes = answer.nodes
        self._trees: dict[str, Tree | None] = {}
        self.blanks = self._lacking()
        self.complete = self._without(frozenset())
        for name in self.blanks:
            self._without(frozenset({name}))
        self._instead = _stand_ins(self.complete, answer)
        every = (*self._nodes.values(), *self._explored())
        self.keys = tuple(dict.fromkeys(key for nodes in every for key in nodes))

    def given(self, key: str) -> Answer | None:
        """Return the input of this key, None for blanks and for results."""
        found = [nodes[key] for nodes in self._explored() if key in nodes]
        inputs = [node for node in found if node.is_given]
        known = inputs and len(inputs) == len(found) and key not in self.blanks
        return inputs[0] if known else None

    def tree(self, key: str) -> Tree | None:
        """Return how a result follows from other numbers; None for inputs."""
        if key not in self._trees:
            self._trees[key] = None if self.given(key) else self._choose(key, self._deciding(key))
        return self._trees[key]

    def value(self, key: str) -> float | None:
        """Return the value of a number in base units, None where blanks keep it unknown."""
        target = self._instead.get(key)
        if target is not None:
            return self.value(target)
        for nodes in (self._own_nodes, *self._valued.values()):
            node = nodes.get(key)
            if node is not None and not set(self.blanks) & walk([node]).keys():
                return node.value
        return None

    def lacking(self, key: str) -> tuple[str, ...]:
        """Name the facts, of those that are lacking, without which a number stays unknown."""
        if key in self.blanks:
            return (key,)
        if any(key in self._aliases(frozenset({name})) for name in self.blanks):
            return self._lacking_of(self._shape(key, frozenset()))
        return self._lacking_of(self.tree(key))

    def note(self, key: str) -> str:
        """Return what is remarked on a number, now and once facts are filled in."""
        node = self.given(key)
        if node is not None:
            return node.note
        notes = dict.fromkeys(shape.note for shape in _shapes(self.tree(key)) if shape.note)
        return " Once filled in: ".join(notes)

    def formulas(self, key: str) -> tuple[str, ...]:
        """Name the formulas that may give a number, the one in force first."""
        names = (shape.formula for shape in _shapes(self.tree(key)))
        return tuple(dict.fromkeys(name for name in names if name != SAME))

    def _lacking(self) -> tuple[str, ...]:
        """List the facts that would complete the plan, as the plan meets them."""
        names = {name for name in _WELCOME if name not in self.plan.drive.facts}
        while True:
            answer = self._with(names, self._general)
            wanted = {name for missing in answer.missing for name in missing.lacking}
            wanted = {_ASKED_AS.get(name, name) for name in wanted} - names
            if not wanted:
                return tuple(name for name in answer.nodes if name in names)
            names |= wanted

    def _with(self, names: AbstractSet[str], workload: Workload) -> Plan:
        """Plan with placeholders for some facts."""
        before, array = self.plan, self.plan.array
        facts = {name: self._placeholder(name) for name in names}
        stalled = facts.pop("member_stall_fraction", array.member_stall_fraction)
        return plan(
            with_user_facts(before.drive, **facts),
            workload,
            array=replace(array, member_stall_fraction=stalled),
            partition_fraction=before.partition_fraction,
            rating_wa=before.rating_wa,
            firmware=before.firmware,
        )

    def _placeholder(self, name: str) -> float:
        size = self.plan.drive.capacity_bytes
        known = {"user_bytes": size, "raw_bytes": 2 * size, "member_stall_fraction": 0.01}
        return known.get(name, DAY_S)

    def _without(self, blank: frozenset[str]) -> Plan:
        """Plan with every lacking fact but some."""
        if blank not in self._plans:
            names = set(self.blanks) - blank
            self._plans[blank] = self._with(names, self._general)
            self._nodes[blank] = self._plans[blank].nodes
            valued = self._with(names, self.plan.workload) if self._is_special else None
            self._valued[blank] = valued.nodes if valued else self._nodes[blank]
        return self._plans[blank]

    @property
    def _is_special(self) -> bool:
        return self._general != self.plan.workload

    def _explored(self) -> Iterator[Mapping[str, Answer]]:
        """Nodes of the plan, and of every twin so far."""
        yield self._own_nodes
        yield from self._valued.values()
        yield from self._nodes.values() if self._is_special else ()

    def _aliases(self, blank: frozenset[str]) -> dict[str, str]:
        if blank not in self._aliases_of:
            self._aliases_of[blank] = _stand_ins(self.complete, self._without(blank))
        return self._aliases_of[blank]

    def _shape(self, key: str, blank: frozenset[str]) -> Shape | None:
        aliases = self._aliases(blank)
        node, full = self._nodes[blank].get(key), self._nodes[frozenset()].get(key)
        if key in aliases:
            return Shape(SAME, {"": aliases[key]})
        if node is None or not node.is_computed:
            return None
        usual, inputs = _keys(full), _keys(node)
        for name, part in inputs.items():
            if aliases.get(usual.get(name, "")) == part:
                inputs[name] = usual[name]
        return Shape(node.formula, inputs, node.note)

    def _deciding(self, key: str) -> list[str]:
        """List the facts whose absence changes how a number is computed."""
        usual = self._shape(key, frozenset())
        return [
            name for name in self.blanks if self._shape(key, frozenset({name})) not in (None, usual)
        ]

    def _choose(
        self, key: str, deciding: list[str], blank: frozenset[str] = frozenset()
    ) -> Tree | None:
        if not deciding:
            self._without(blank)
            return self._shape(key, blank)
        name, *others = deciding
        filled = self._choose(key, others, blank)
        empty = self._choose(key, others, blank | {name})
        if filled is None or empty is None or filled == empty:
            return filled or empty
        return Choice(name, filled, empty)

    def _lacking_of(self, tree: Tree | None) -> tuple[str, ...]:
        if tree is None:
            return ()
        if isinstance(tree, Choice):
            filled, blank = self._lacking_of(tree.filled), self._lacking_of(tree.blank)
            return blank if set(blank) <= set(filled) else filled
        return tuple(sorted({name for key in tree.inputs.values() for name in self.lacking(key)}))


def _keys(node: Answer | None) -> dict[str, str]:
    """Map the arguments of a figure to the quantities behind them."""
    return {n: part.key for n, part in node.inputs.items()} if node else {}


def _general(workload: Workload) -> Workload:
    """Return a like workload of which no share is none or all, so that every side counts."""
    reads, sequential = workload.read_fraction, workload.sequential_fraction
    return replace(
        workload,
        read_fraction=0.5 if reads in (0, 1) else reads,
        sequential_fraction=0.5 if sequential in (0, 1) else sequential,
    )


def _stand_ins(full: Plan, part: Plan) -> dict[str, str]:
    """Map answers of the full plan to those that stand in for them in a plan with blanks."""
    pairs = zip(_answers(full), _answers(part), strict=True)
    return {
        usual.key: answer.key
        for usual, answer in pairs
        if usual.key != answer.key and answer.is_known
    }


def _answers(answer: Plan) -> list[Answer]:
    return [part for group in answer.sections.values() for part in group]


def _shapes(tree: Tree | None) -> Iterator[Shape]:
    """List the ways to a number, the one with blanks first."""
    if isinstance(tree, Choice):
        yield from _shapes(tree.blank)
        yield from _shapes(tree.filled)
    elif tree is not None:
        yield tree

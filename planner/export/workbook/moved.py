"""A plan with one uncertain input at an end at a time: which of its numbers move, and to what."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf, isclose, isfinite, nan
from typing import NamedTuple

import numpy as np

from models.errors import DomainError
from models.write_amplification.factors import LEAST_COPIES
from planner.catalogue.priors import Assumption
from planner.export.workbook.live import LivePlan
from planner.graph.interval import Scale, interval
from planner.graph.nodes import Node
from planner.graph.reading import Reading
from planner.sections.answers import HEADLINE, OF_PLAN, rows_of
from planner.sections.ranges import Range, scale_of

MOST_MOVED = 12  # inputs with cells of their own
ENDS = ("low", "high")
_SAME = 1e-9  # of the ends of a range
_OTHER, _STEP = 1e-4, 1e-8  # weights of an answer that is no headline, and of a step
_ENDLESS = 1e3  # swing of a life that has no end at one end of an input

Pair = tuple[float, float]
Links = Mapping[str, Collection[str]]  # of rows, by name


class Moved(NamedTuple):
    """Inputs of a number: those with cells of their own, and the ends by the folded ones."""

    scale: Scale
    inputs: tuple[Assumption, ...]
    folded: Pair | None
    are_models: bool = False  # the folded ones


class MovedPlan:
    """A plan with one uncertain input at an end at a time, as rows.

    `inputs` have cells of their own: the errors of models, then what moves the headline answers
    most. The others are `folded`: their joint swing is that at export.
    """

    def __init__(self, live: LivePlan) -> None:
        self.live, self._uncertain = live, live.plan.uncertain
        self._ranges: dict[str, Range] = {}
        ranked = sorted(self._effects.items(), key=lambda effect: -effect[1])
        items = {item.quantity: item for item in self._uncertain.items}
        without_cell = [item for item in items.values() if self._is_left_out(item)]
        every = [items[name] for name, _ in ranked if items[name] not in without_cell]
        self.inputs, self.folded = every[:MOST_MOVED], [*every[MOST_MOVED:], *without_cell]

    def _is_left_out(self, item: Assumption) -> bool:
        """Whether it is the error of a model that the formulas leave out, so that no cell moves."""
        plan = self.live.plan
        nodes = (plan.node_in_force(key) for key in item.acts_on)
        answers = [plan.reading.answer(node) for node in nodes if node is not None]
        return bool(item.acts_on) and not any(item.quantity in part.inputs for part in answers)

    @cached_property
    def _linked(self) -> dict[str, tuple[Assumption, ...]]:
        """The uncertain inputs that may move each result that is one number, once others change."""
        _, users = self._links
        linked: dict[str, list[Assumption]] = {key: [] for key in self.live.keys}
        for item in self._uncertain.items:
            if item.quantity in users:
                for key in _reached([item.quantity], users):
                    linked[key].append(item)
        return {
            key: tuple(items)
            for key, items in linked.items()
            if items and self.live.is_result(key) and self.is_one(key)
        }

    @cached_property
    def _effects(self) -> dict[str, float]:
        """The share of the variance of answers, headlines first, that each input makes."""
        weights = {
            self.live.row_of[row.key]: 1.0 if row.rank == HEADLINE else _OTHER
            for section in OF_PLAN
            for row in rows_of(section)
            if row.when is None
        }
        effects = {
            item.quantity: inf if item.is_model else 0.0
            for items in self._linked.values()
            for item in items
        }
        for key in self._linked:
            swings = {name: min(each, _ENDLESS) for name, each in self.range(key).facts.items()}
            whole = sum(swing**2 for swing in swings.values())
            for name in swings.keys() & effects.keys():
                effects[name] += weights.get(key, _STEP) * swings[name] ** 2 / whole
        return effects

    def range(self, key: str) -> Range:
        """Return the range of a row that is one number."""
        if key not in self._ranges:
            value, node = self.live.value(key), self._node(key)
            self._ranges[key] = self.live.plan.range_over(key, value, [node])
        return self._ranges[key]

    def _node(self, key: str) -> Node:
        """Return the node of a row, with the error of its model."""
        return self.live.plan.node_in_force(key) or self.live.node(key)

    def least(self, key: str) -> float:
        """Return below what no low end lies."""
        return self._uncertain.least(key)

    def is_one(self, key: str) -> bool:
        """Whether a row is one number."""
        value = self.live.value(key)
        return value is not None and not np.ndim(value)

    @cached_property
    def rows(self) -> dict[tuple[str, str], LivePlan]:
        """The rows of the plan with an input at an end, by input and end."""
        reading = self.live.plan.reading
        return {
            (item.quantity, end): self.live.at(
                Reading(reading.graph, {**reading.leaves, item.quantity: moved})
            )
            for item in self.inputs
            for end in ENDS
            for moved in [replace(reading.leaves[item.quantity], value=getattr(item, end))]
        }

    @cached_property
    def moved(self) -> dict[str, Moved]:
        """Inputs of the results whose every step has a formula, or a value at each end."""
        found = {key: self._moved(key) for key in self._linked}
        return {key: moved for key, moved in found.items() if moved is not None}

    def _moved(self, key: str) -> Moved | None:
        """Find the inputs of a number: all that are linked with it, else those that move it now.

        An input that picks another formula at one of its ends is linked, yet counts as no swing.
        """
        counted = self._uncertain.counted(self._node(key))
        behind = self._uncertain.behind(self.live.plan.reading.answer(self._node(key)))
        inside = frozenset[str]().union(*(item.inside for item in behind))
        linked = [item for item in self._linked[key] if item.quantity not in inside]
        each, others = self.range(key), [item for item in counted if item not in self.inputs]
        for items in (linked, counted):
            moved = self._joined(key, each, [item for item in items if item in self.inputs], others)
            if moved is not None:
                return moved
        return None

    def _joined(
        self, key: str, each: Range, inputs: Sequence[Assumption], others: Sequence[Assumption]
    ) -> Moved | None:
        """Return the inputs of a number if its range is that of its cells at their ends."""
        try:
            pairs = [self._pair(key, item) for item in inputs]
        except DomainError:
            return None
        ends = self._uncertain.at_ends(self._node(key), others).reshape(2, -1)
        scale, folded = scale_of(key, [*np.ravel(pairs), *ends.ravel(), each.typical]), None
        models, are_models = [item.is_model for item in inputs], bool(others)
        if others:
            of_models = [item.is_model for item in others]
            are_models = all(of_models)
            folded = interval(
                each.typical, at_low=ends[0], at_high=ends[1], is_model=of_models, scale=scale
            )[:2]
            pairs, models = [*pairs, folded], [*models, are_models]
            if not _have_places(scale, (*folded, each.typical)):
                return None
        if not pairs or not all(map(isfinite, np.ravel(pairs)[np.repeat(models, 2)])):
            return None
        low, high = np.array(pairs).T
        joint = interval(
            each.typical, at_low=low, at_high=high, is_model=models, scale=scale,
            least=self.least(key),
        )  # fmt: skip
        is_same = _is_near(joint.low, each.low) and _is_near(joint.high, each.high)
        return Moved(scale, tuple(inputs), folded, are_models) if is_same else None

    def _pair(self, key: str, item: Assumption) -> Pair:
        low, high = (self.rows[item.quantity, end].value(key) for end in ENDS)
        return (nan if low is None else low), (nan if high is None else high)

    @cached_property
    def steps(self) -> dict[str, frozenset[str]]:
        """The rows that have cells at the ends of each input: what moves, and the way to it."""
        moving: dict[str, list[str]] = {item.quantity: [] for item in self.inputs}
        for key, moved in self.moved.items():
            for item in moved.inputs:
                moving[item.quantity].append(key)
        return {name: frozenset(self._on_the_way(name, keys)) for name, keys in moving.items()}

    def _on_the_way(self, name: str, keys: Sequence[str]) -> Iterator[str]:
        """Yield rows and those behind them that an input moves."""
        sources, users = self._links
        behind = _reached(keys, sources)
        yield from (key for key in _reached([name], users) if key != name and key in behind)

    @cached_property
    def _links(self) -> tuple[Links, Links]:
        """The rows to which each row refers, and those that refer to it."""
        sources = {key: self.live.sources(key) for key in self.live.keys}
        users: dict[str, set[str]] = {key: set() for key in self.live.keys}
        for key, behind in sources.items():
            for each in behind:
                users[each].add(key)
        return sources, users


def _reached(names: Sequence[str], links: Links) -> set[str]:
    """Return some names and all that are linked with them, at once or by others."""
    waiting, seen = [*names], set[str]()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += links[name]
    return seen


def _have_places(scale: Scale, values: Sequence[float]) -> bool:
    """Whether every one of some numbers has a place on a scale."""
    if scale == "linear":
        return all(map(isfinite, values))
    least = 1 - LEAST_COPIES if scale == "copies" else 0.0
    return least < min(values) and max(values) < (1.0 if scale == "logit" else inf)


def _is_near(one: float, other: float) -> bool:
    return isclose(one, other, rel_tol=_SAME)

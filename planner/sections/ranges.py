"""90 % ranges of answers, and the inputs that contribute most to them."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np

from models.nomenclature import QUANTITIES
from planner.catalogue.priors import Assumption, one_at_a_time
from planner.graph.answer import Answer
from planner.graph.interval import LEVEL, JoinedSwings, Scale, interval
from planner.graph.nodes import Node
from planner.graph.number import ROUND_OFF
from planner.graph.read import Reader
from planner.graph.reading import Reading
from planner.quantity.show import ends_text

# What a rating promises of a life: the low end is no lower.
PROMISED = {"wear_life_s": "promised_life_s"}
# Flash bytes per host byte that may be less than 1 although nothing compresses: what read disturb
# adds, and wear that a write cache absorbs.
_MAY_BE_LESS = frozenset({"read_disturb_wa", "wear_wa"})


class Range(NamedTuple):
    """Range of an answer with a probability of `level`, in base units, and its causes.

    `basis` is "fact" for one that is given, "derived" for one that is computed from facts, "prior"
    for one behind which anything is assumed, and "measured" for one whose model was compared with
    the drive itself: `half_before` is the `model_half` that it had before. `model_half` is the
    half width that the error of the models makes, `facts` the swing that each uncertain fact alone
    makes: both natural logarithms, of a probability its logit. The error of the models is that
    found on drives of so many `families` to which nothing was fitted; 0 where no model has an error
    that was measured.
    """

    low: float
    typical: float
    high: float
    basis: str
    model_half: float = 0.0
    facts: Mapping[str, float] = {}
    families: int = 0
    level: float = LEVEL
    half_before: float = 0.0

    @property
    def is_wide(self) -> bool:
        """Whether its ends are more than rounding apart."""
        return not math.isclose(self.low, self.high, rel_tol=ROUND_OFF)

    @property
    def shares(self) -> dict[str, float]:
        """Shares of the variance by uncertain fact, "model" for the models, the largest first."""
        parts = {**self.facts, "model": self.model_half}
        total = sum(part**2 for part in parts.values())
        shares = {name: part**2 / total for name, part in parts.items() if part and total}
        return dict(sorted(shares.items(), key=lambda entry: -entry[1]))

    def ends(self, key: str, digits: int = 4) -> str:
        """Write the ends in brackets, nothing where they are one number or written alike.

        >>> Range(31536000.0, 63072000.0, 315360000.0, "prior").ends("wear_life_s")
        ' (1 to 10)'
        """
        ends = ends_text(key, self.low, self.high, digits=digits)
        return f" ({ends})" if self.is_wide and " to " in ends else ""


class Ranges(Mapping[str, Range]):
    """Ranges by key, each computed when it is first read: most readers want few.

    >>> ranges = Ranges({"age_s": lambda: Range(1.0, 2.0, 3.0, "fact"), "life_s": lambda: 1 / 0})
    >>> [*ranges], ranges["age_s"].typical
    (['age_s', 'life_s'], 2.0)
    """

    def __init__(self, ways: Mapping[str, Callable[[], Range]]) -> None:
        self._ways = ways
        self._known: dict[str, Range] = {}

    def __getitem__(self, key: str) -> Range:
        if key not in self._known:
            self._known[key] = self._ways[key]()
        return self._known[key]

    def __contains__(self, key: object) -> bool:
        return key in self._ways

    def __iter__(self) -> Iterator[str]:
        return iter(self._ways)

    def __len__(self) -> int:
        return len(self._ways)


class UncertainReading:
    """A reading with inputs that lie between two ends each: ranges of what follows from them."""

    def __init__(self, reading: Reading, items: Iterable[Assumption]) -> None:
        self.reading, self.every = reading, tuple(items)
        self.items = tuple(item for item in self.every if item.is_range)
        self._names = {item.quantity: item.quantity for item in self.every}
        self._errors = {key: item.quantity for item in self.every for key in item.acts_on}
        self._behind: dict[int, tuple[Answer, frozenset[str]]] = {}

    @cached_property
    def reader(self) -> Reader:
        """The reading with one input at an end at a time, along the last axis."""
        return self.reading.reader(**one_at_a_time(self.items))

    def behind(self, *answers: Answer) -> tuple[Assumption, ...]:
        """Return the uncertain inputs behind some answers, those with two ends first."""
        names = frozenset[str]().union(*map(self._names_behind, answers))
        items = (item for item in self.every if item.quantity in names)
        return tuple(sorted(items, key=lambda item: not item.is_range))

    def _names_behind(self, answer: Answer) -> frozenset[str]:
        """Return the uncertain quantities from which a known number is computed."""
        if id(answer) not in self._behind:
            found = (of.get(answer.key) for of in (self._names, self._errors))
            own = frozenset(name for name in found if name and answer.is_known)
            inputs = answer.inputs.values() if answer.is_known else ()
            # Kept with its answer, so that no other one gets the same id.
            self._behind[id(answer)] = answer, own.union(*map(self._names_behind, inputs))
        return self._behind[id(answer)][1]

    def basis(self, *answers: Answer) -> str:
        """Say on what answers rest: a fact, what is derived from facts, a prior, or the drive."""
        behind = self.behind(*answers)
        if any(item.is_measured and item.is_model for item in behind):
            return "measured"
        if not all(item.is_measured or item.is_model for item in behind):
            return "prior"
        return "fact" if all(answer.is_given for answer in answers) else "derived"

    def counted(self, *nodes: Node) -> tuple[Assumption, ...]:
        """Return the inputs that move some numbers, but those inside the error of a model."""
        behind = self.behind(*map(self.reading.answer, nodes))
        inside = frozenset[str]().union(*(item.inside for item in behind))
        names = {item.quantity for item in behind} - inside
        return tuple(item for item in self.items if item.quantity in names)

    def at_ends(self, node: Node, counted: Sequence[Assumption]) -> Any:
        """Return a number with each of some inputs at its low end, then each at its high end.

        The ends are the last axis.
        """
        places = [place for place, item in enumerate(self.items) if item in counted]
        every = [*places, *(len(self.items) + place for place in places)]
        # An end that a formula refuses is NaN where it is behind, whatever was read before.
        array = np.atleast_1d(np.asarray(self.reader.value(node), float))
        return np.broadcast_to(array, (*array.shape[:-1], 2 * len(self.items)))[..., every]

    def interval(self, key: str, typical: Any, nodes: Sequence[Node]) -> JoinedSwings:
        """Build the interval of the least of some numbers."""
        counted, shape = self.counted(*nodes), np.shape(typical)
        moved = np.empty((*shape, 0))
        if counted:
            least = reduce(np.fmin, (self.at_ends(node, counted) for node in nodes))
            moved = np.broadcast_to(least, (*shape, 2 * len(counted)))
        return interval(
            typical, at_low=moved[..., : len(counted)], at_high=moved[..., len(counted) :],
            is_model=np.array([item.is_model for item in counted], bool),
            scale=scale_of(key, np.append(np.ravel(moved), typical)), least=self.least(key),
        )  # fmt: skip

    def least(self, key: str) -> float:
        """Return below what no answer lies: a host byte is one of flash, unless data compress."""
        if not key.endswith("_wa") or key in _MAY_BE_LESS:
            return -math.inf
        stored = self.reading.leaves.get("stored_fraction")
        return 1.0 if stored is None or np.all(np.asarray(stored.value) >= 1) else -math.inf

    def range(self, key: str, typical: Any, nodes: Sequence[Node]) -> Range:
        """Build the range of the least of some numbers."""
        counted, found = self.counted(*nodes), self.interval(key, typical, nodes)
        basis = self.basis(*map(self.reading.answer, nodes))
        return self._above(key, range_over(found, typical, counted, basis))

    def _above(self, key: str, each: Range) -> Range:
        """Cut a range where a promise says that no drive lies lower."""
        weight = self.reading.leaves.get("flash_weight")
        if key not in PROMISED or weight is None or not np.all(weight.value):  # no flash, no cut
            return each
        answer = self.reading[PROMISED[key]]
        if not answer.is_known or answer.value > each.typical:  # the drive was used otherwise
            return each
        node = self.reading.graph.answers[PROMISED[key]]
        promised = self.range(answer.key, answer.value, [node])
        return each._replace(low=max(each.low, promised.low))

    def ranges(self, key: str, typical: Any, node: Node) -> list[Range]:
        """Build the range of each number along the axis of a node, such as percentiles."""
        counted, found = self.counted(node), self.interval(key, typical, [node])
        basis = self.basis(self.reading.answer(node))
        values = np.atleast_1d(typical)
        before = sum((np.broadcast_to(item.half_before, values.shape) for item in counted),
                     np.zeros(values.shape))  # fmt: skip
        return [
            range_over(JoinedSwings(*each), value, counted, basis)._replace(half_before=float(half))
            for *each, value, half in zip(*map(np.atleast_1d, found[:3]),
                                          np.atleast_2d(found.swings), values, before, strict=True)
        ]  # fmt: skip


def ranges_among(
    readings: Iterable[Reading], answers: Iterable[Answer], items: Sequence[Assumption]
) -> dict[str, Range]:
    """Return the range of each answer that is one number, from the first reading that has it."""
    uncertain = [UncertainReading(reading, items) for reading in readings]
    found: dict[str, Range] = {}
    for answer in answers:
        having = (one for one in uncertain if answer.key in one.reading.graph.answers)
        own = next(having, None)
        if own is not None and answer.is_known and not np.ndim(answer.value):
            node = own.reading.graph.answers[answer.key]
            found[answer.key] = own.range(answer.key, answer.value, [node])
    return found


def range_over(
    found: JoinedSwings, typical: float, moved: Sequence[Assumption], basis: str = "prior"
) -> Range:
    """Return an interval as a range, with the swing of each of the inputs that were moved."""
    swings = zip(moved, np.atleast_1d(found.swings), strict=True)
    return Range(
        float(found.low), float(typical), float(found.high), basis, float(found.model_half),
        {item.quantity: float(swing) for item, swing in swings
         if not item.is_model and swing > ROUND_OFF},
        min((item.families for item in moved if item.is_model), default=0),
    )  # fmt: skip


def scale_of(key: str, values: Any) -> Scale:
    """Name the scale on which errors of a quantity are close to normal.

    >>> [scale_of(key, [1.5]) for key in ("wear_life_s", "workload_wa", "stall_probability")]
    ['logarithm', 'copies', 'logit']
    """
    if key.endswith("_wa"):
        return "copies"
    if key.endswith("_probability"):
        return "logit"
    finite = np.asarray(values, float)
    is_signed = bool(np.any(finite[np.isfinite(finite)] <= 0))
    return "linear" if is_signed and QUANTITIES[key].unit != "s" else "logarithm"

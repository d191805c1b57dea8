"""The whole answer for one candidate: speed, life, array, cost."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from models import _check
from models.calibration import Spread
from models.nomenclature import QUANTITIES
from planner.catalogue.drive import Drive
from planner.catalogue.priors import Assumption, Level, with_assumptions, without_assumptions
from planner.graph.answer import Answer, walk
from planner.graph.nodes import Graph, Node, children, quantity_of
from planner.graph.reading import Reading
from planner.quantity.show import text
from planner.scenario.array import Array
from planner.scenario.firmware import Firmware
from planner.scenario.situation import Situation
from planner.scenario.workload import Workload
from planner.sections.answers import ARRAY, COST, LIFE, OF_PLAN, SPEED, listed
from planner.sections.array import (
    MEMBER_RATE,
    MEMBER_READS,
    array_limit,
    array_limit_bytes,
    array_nodes,
    array_notes,
)  # fmt: skip
from planner.sections.calibration import fit_notes, fit_spreads
from planner.sections.contradictions import contradictions
from planner.sections.cost import cost_nodes, per_usd_nodes
from planner.sections.datasheet_speed import speed_limit, speed_nodes, speed_notes
from planner.sections.life import DriveLives, life_at, life_nodes, life_notes, lives_of
from planner.sections.placement import PLACED, placement_nodes, worth_nodes
from planner.sections.pool import RECORD
from planner.sections.ranges import Range, Ranges, UncertainReading
from planner.sections.structure import Structure, leaves_of, structure_of
from planner.sections.uncertain import assumed_inputs, uncertain_inputs
from planner.sections.witnesses import with_life_error
from planner.sections.write_amplification import apart_wa, placements, run_wa, wa_band

UNREACHABLE = (
    "The writes cannot be as many: {asked} reach each drive, which takes at most {taken} of this "
    "size, order and queue depth. Dates and costs assume a rate that is never reached."
)


@dataclass(frozen=True, kw_only=True)
class PlanReading:
    """Answers to every question about one drive, workload and array, made when they are read."""

    drive: Drive
    workload: Workload
    array: Array
    partition_fraction: float
    rating_wa: float | None
    firmware: Firmware
    reading: Reading = field(repr=False, compare=False)
    situation: Situation = field(default_factory=Situation)

    def __getitem__(self, key: str) -> Answer:
        """Return an answer, or any number behind the answers, by its key."""
        return self.reading[key]

    def again(self, **changes: Any) -> "PlanReading":
        """Plan again with some inputs replaced.

        >>> from planner.catalogue import find, load
        >>> plan = plan_drive(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e7))
        >>> plan.again(partition_fraction=0.8).partition_fraction
        0.8
        """
        names = ("drive", "workload", "array", "partition_fraction", "rating_wa", "firmware",
                 "situation")  # fmt: skip
        inputs = {name: getattr(self, name) for name in names} | changes
        return plan_drive(inputs.pop("drive"), inputs.pop("workload"), **inputs)

    @cached_property
    def lives(self) -> DriveLives:
        """The lives that are known, and which comes first."""
        return lives_of(self.reading)

    @cached_property
    def sections(self) -> dict[str, tuple[Answer, ...]]:
        """Answers by question, in reading order."""
        answers = {section: listed(self.reading, section) for section in OF_PLAN}
        return answers | ({"Fitted to what was measured": self.fitted} if self.fitted else {})

    @property
    def fitted(self) -> tuple[Answer, ...]:
        """Facts fitted to points measured on the drive."""
        return tuple(self.reading.leaves[name] for name in self._fit_spreads)

    @cached_property
    def _fit_spreads(self) -> Mapping[str, Spread]:
        return fit_spreads(self.drive.fit)

    @property
    def binding(self) -> dict[str, str]:
        """Binding limits by section, where they are known."""
        binding = {
            LIFE: self.lives.limit,
            SPEED: speed_limit(self.reading),
            ARRAY: array_limit(self.reading),
            COST: self.lives.endurance_limit,
        }
        return {section: str(bound) for section, bound in binding.items() if bound is not None}

    @cached_property
    def nodes(self) -> Mapping[str, Answer]:
        """Every number by key: inputs first, then what they feed."""
        return walk(answer for answers in self.sections.values() for answer in answers)

    @property
    def wa_band(self) -> tuple[Answer, ...]:
        """Write amplification, low, typical and high: what it is where placement is unknown."""
        return tuple(self.reading.answer(node) for node in wa_band(self.structure).values())

    @property
    def placements(self) -> tuple[Answer, ...]:
        """WA with a single write frontier, and with one each for host and GC writes."""
        return tuple(self.reading.answer(node) for node in placements(self.structure).values())

    @property
    def run_wa(self) -> Answer:
        """Write amplification of the plan's simulator run, by the formulas."""
        return self.reading.answer(run_wa(self.structure))

    @property
    def apart_wa(self) -> Answer:
        """Write amplification that placement by temperature or age could reach."""
        return self.reading.answer(apart_wa(self.structure))

    @property
    def placement(self) -> tuple[Answer, ...]:
        """Gain of separating each kind of data into its own blocks; none for unknown patterns.

        >>> from planner.catalogue import find, load
        >>> mixed = Workload(host_bytes_per_s=4e7, sequential_fraction=0.5)
        >>> rows = plan_drive(find(load(), "845DC PRO 400"), mixed).placement
        >>> {row.key: f"{row.value:.2f}" for row in rows[:3]}
        {'workload_wa': '1.76', 'separated_wa': '1.49', 'separated_ratio': '0.85'}
        """
        alike = not np.any(self.workload.sequential_fraction) and not self.structure.is_skewed
        if self.structure.is_in_field and alike:  # nothing is said of the kinds of data
            return ()
        rewritten = ("rewritten_op_ratio",) if self.workload.working_set_fraction < 1 else ()
        return tuple(self.placed[name] for name in (*PLACED, "worth_op_ratio", *rewritten))

    @cached_property
    def placed(self) -> Reading:
        """The answers, and what it is worth to keep kinds of data apart: runs, where asked for."""
        return self.reading.extended(placed_graph(self.structure), {})

    @property
    def structure(self) -> Structure:
        """Properties of the scenario that pick formulas."""
        return structure_of(self.workload, self.firmware, self.drive)

    @cached_property
    def assumed(self) -> tuple[Assumption, ...]:
        """Assumptions about the drive and the write pattern."""
        return assumed_inputs(self.drive, self.workload, self.reading["cleaning_op_ratio"])

    @property
    def wide(self) -> tuple[str, ...]:
        """Causes of the answers' ranges, and the ways to narrow each."""
        answers = (answer for group in self.sections.values() for answer in group)
        return tuple(item.reason for item in self.behind(*answers) if item.is_range)

    @cached_property
    def ranges(self) -> Mapping[str, Range]:
        """Every answer that is known as a range, by key; not those of many values."""
        nodes: dict[str, Node] = {}
        for name, node in self.reading.graph.answers.items():  # its own name goes first
            key = self.reading[name].key
            nodes[key] = node if name == key else nodes.get(key, node)
        ways: dict[str, Callable[[], Range]] = {
            answer.key: partial(self._range, answer, nodes[answer.key])
            for answers in self.sections.values()
            for answer in answers
            if answer.key in nodes and answer.is_known and not np.ndim(answer.value)
        }
        fitted = {key: partial(Range, *ends, "derived") for key, ends in self._fit_spreads.items()}
        return Ranges(ways | fitted)

    def range_of(self, key: str) -> Range | None:
        """Return any number of the plan as a range, by key; None where it is not one number."""
        node = self._in_force.get(key) or placed_graph(self.structure).answers.get(key)
        if node is None:
            return self.ranges.get(key)
        answer = self.reading.answer(node)
        return None if not answer.is_known or np.ndim(answer.value) else self._range(answer, node)

    @cached_property
    def _at_levels(self) -> dict[Level, "PlanReading"]:
        return {}

    def node_in_force(self, key: str) -> Node | None:
        """Return the node that gives a number behind the answers, by key; None where none does."""
        return self._in_force.get(key)

    @cached_property
    def _in_force(self) -> dict[str, Node]:
        """The nodes of all numbers behind the answers, by quantity; the answers first."""
        nodes: dict[str, Node] = {}
        waiting, seen = list(self.reading.graph.answers.values()), set[int]()
        while waiting:
            node = waiting.pop(0)
            way = self.reading.way_taken(node)
            nodes.setdefault(quantity_of(way.key), node)
            if id(way) not in seen:
                seen.add(id(way))
                waiting += children(way)
        return nodes

    def _range(self, answer: Answer, node: Node) -> Range:
        return self.range_over(answer.key, answer.value, [node])

    def range_over(self, key: str, typical: float, nodes: Sequence[Node]) -> Range:
        """Return the range of the least of some numbers; `typical` is what that is."""
        return self.uncertain.range(key, typical, nodes)

    def behind(self, *answers: Answer) -> tuple[Assumption, ...]:
        """Return the assumptions behind some answers, ranges first: no facts and no models."""
        assumed = {item.quantity for item in self.assumed}
        behind = self.uncertain.behind(*answers)
        return tuple(item for item in behind if item.quantity in assumed)

    @cached_property
    def uncertain(self) -> UncertainReading:
        """The reading with what is uncertain moved to its ends, one at a time."""
        items = uncertain_inputs(self.drive, self.workload, self.structure, self.reading)
        return UncertainReading(self.reading, items)

    @property
    def missing(self) -> tuple[Answer, ...]:
        """Answers that cannot be had, each with the facts that would supply it."""
        answers = [answer for group in self.sections.values() for answer in group]
        return tuple(answer for answer in answers if not answer.is_known)

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions and limits of validity, most important first."""
        return (
            *self._unreachable,
            *fit_notes(self.drive),
            *self._estimates,
            *self.life_notes,
            *speed_notes(self.reading),
            *self.array_notes,
        )

    @property
    def life_notes(self) -> tuple[str, ...]:
        """Assumptions behind the life."""
        return life_notes(self.reading, self.drive, self.workload, self.firmware)

    @property
    def array_notes(self) -> tuple[str, ...]:
        """Assumptions behind the answers about the array."""
        return array_notes(self.reading)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Reasons that the plan cannot be as stated: contradicting facts, too many writes."""
        return (*self._unreachable, *contradictions(self.drive))

    @property
    def _unreachable(self) -> tuple[str, ...]:
        """Say so where the writes are more than a drive takes; of pools sizes of writes vary."""
        written, rate = self.reading["member_bytes_per_s"], self.ranges.get("write_iops")
        if not written.is_known or rate is None or RECORD.key in self.reading.leaves:
            return ()
        most = rate.high * self.workload.transfer_bytes
        if np.any(np.asarray(written.value) <= most):
            return ()
        asked, taken = (
            text("drive_throughput_bytes_per_s", each) for each in (written.value, most)
        )
        return (UNREACHABLE.format(asked=asked, taken=taken),)

    @property
    def _estimates(self) -> tuple[str, ...]:
        facts = [fact for name, fact in self.drive.facts.items() if name in self.nodes]
        return tuple(
            f"{QUANTITIES[fact.quantity].label} is not a specification but an {fact.kind}: "
            f"{fact.note or fact.condition}"
            for fact in facts
            if fact.kind == "estimate"
        )


def plan_drive(
    drive: Drive,
    workload: Workload,
    *,
    array: Array | None = None,
    partition_fraction: float = 1.0,
    rating_wa: float | None = None,
    firmware: Firmware | None = None,
    situation: Situation | None = None,
) -> PlanReading:
    """Plan one drive, or an array of it, for a workload.

    Host writes of the workload go to the whole array. `partition_fraction` of each drive's user
    capacity is put to use, the rest stays empty as spare area. `rating_wa` is the write
    amplification of the vendor's rating workload where it is known, `firmware` the drive's garbage
    collection and data placement, unknown unless given, `situation` the place of the data.

    >>> from planner.catalogue import find, load
    >>> drive = find(load(), "845DC PRO 400")
    >>> answer = plan_drive(drive, Workload(host_bytes_per_s=5e12 / 86400))
    >>> print(f"{answer.lives.limit}: {answer.lives.years:.2f} years")
    rated TBW: 4.00 years
    """
    _check.share(partition_fraction=partition_fraction)
    if rating_wa is not None:
        _check.positive(rating_wa=rating_wa)
    array, firmware = array or Array(), firmware or Firmware()
    leaves = leaves_of(
        drive, workload, array=array, partition_fraction=partition_fraction, rating_wa=rating_wa
    )
    reading = Reading(plan_graph(structure_of(workload, firmware, drive)), leaves).check()
    return PlanReading(
        drive=drive,
        workload=workload,
        array=array,
        partition_fraction=partition_fraction,
        rating_wa=rating_wa,
        firmware=firmware,
        reading=reading,
        situation=situation or Situation(),
    )


def known_only(plan: PlanReading) -> PlanReading:
    """Return the plan by known facts alone."""
    if not plan.assumed:
        return plan
    workload = replace(plan.workload, field_copy_ratio=None)
    return plan.again(drive=without_assumptions(plan.drive), workload=workload)


def at_level(plan: PlanReading, level: Level) -> PlanReading:
    """Return the plan with all that is assumed at one end of its range, or at typical figures."""
    if not plan.assumed:
        return plan
    if level not in plan._at_levels:  # asked for again by every number that is not in the graph
        workload = plan.workload.at_level(level)
        drive = with_assumptions(without_assumptions(plan.drive), level=level)
        drive = with_life_error(drive, workload, level)
        plan._at_levels[level] = plan.again(drive=drive, workload=workload)
    return plan._at_levels[level]


@cache
def plan_graph(structure: Structure) -> Graph:
    """Return every answer of a plan as nodes; no number is needed to build it."""
    life = life_nodes(MEMBER_RATE, structure)
    speed = speed_nodes(structure, MEMBER_READS)
    array = array_nodes(speed)
    limit = array_limit_bytes(life["new_limit_bytes"])
    costs = cost_nodes(array["usable_bytes"], limit)
    bought = per_usd_nodes(
        array["budget_iops"], speed["drive_throughput_bytes_per_s"], life["rated_limit_bytes"]
    )
    return Graph({**life, **speed, **array, **costs, **bought})


@cache
def placed_graph(structure: Structure) -> Graph:
    """Build every answer of a plan, and what it is worth to keep kinds of data apart."""
    of = plan_graph(structure).answers
    life = life_at(MEMBER_RATE, structure)
    placed = placement_nodes(of["wear_limit_bytes"], of["workload_wa"], life, structure)
    return Graph({**of, **placed, **worth_nodes({**of, **placed})})

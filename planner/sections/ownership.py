"""Cost of owning an array over a horizon: drives, energy, slots, labour, and carbon."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from planner.catalogue.priors_failures import AFR_GROUND, KNOWN_WEAR, NO_WEAR, SPREAD, SPREAD_GROUND
from planner.graph.answer import Answer, given, walk
from planner.graph.reading import Reading
from planner.quantity.inputs import TERMS, stated
from planner.scenario.growth import is_steady
from planner.scenario.risk import Risk
from planner.scenario.terms import LEVELS, NODE_PRICE, PRICES, Term, Terms
from planner.sections.owning import NO_ENERGY, RUNNING, owning_graph
from planner.sections.plan import PlanReading, at_level
from planner.sections.prices import price_terms_of
from planner.sections.ranges import Range, Ranges, UncertainReading

READ_AS_WRITE = (
    "The catalogue has no power of this drive while reading; it is assumed to be that while "
    "writing, which is the maximum."
)
BUSY = (
    "In some year the load exceeds what the drives can serve; their power in that year is that of "
    "fully busy drives."
)
WARRANTY = "Drives that fail within their warranty are counted as bought, not as replaced free."
ON_AVERAGE = (
    "Cold spares are used before further drives are bought; numbers of drives are averages."
)
GROWING = (
    "Writes change over the years: failures are assumed to be uniform over the bytes written, "
    "which is exact only for a constant rate."
)
SITE = "Enclosures, controllers, network and software are not counted."
REPLACED = (
    "Precautionary replacements are counted from mean and standard deviation of their time; one "
    "near the end of the horizon may be missed or counted early."
)
_SHOWN = (
    "npv_usd", "equivalent_usd_per_year",
    "cost_per_usable_byte", "cost_per_usable_byte_year", "cost_per_written_byte", "cost_per_iops",
    "capital_usd", "operating_present_usd", *RUNNING,
    "drives_present_usd", "residual_present_usd", "priced_usd_per_year",
    "horizon_replacements", "bought_drives",
    *(f"{level}_{what}" for what in (
        "carbon_kg", "carbon_kg_per_byte_year", "embodied_kg", "operational_kg",
    ) for level in LEVELS),
)  # fmt: skip
PARTS = {
    "drives": "capital_usd", "replacements": "drives_present_usd", "energy": "energy_present_usd",
    "slots": "slot_present_usd", "hosts": "node_present_usd", "labour": "labour_present_usd",
    "residual": "residual_present_usd",
}  # fmt: skip
_OPERATIONS = ("idle_power_w", "read_j", "write_j", "write_j_per_byte")
_COURSE = {
    "Energy": "yearly_energy_usd", "Slots": "yearly_slot_usd", "Nodes": "yearly_node_usd",
    "Labour": "yearly_labour_usd",
    "Drives": "yearly_drives_usd",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Ownership:
    """The reading of a plan and of owning it; any number is an item by its key.

    If energy is unknown, the net present cost excludes it, with a note.
    """

    plan: PlanReading
    terms: Terms
    risk: Risk
    reading: Reading

    def __getitem__(self, key: str) -> Answer:
        """Return an answer of the plan or of owning it, by key."""
        return self.reading[key]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The single numbers, in the order of printing."""
        return tuple(self[key] for key in _SHOWN)

    @property
    def operations(self) -> tuple[Answer, ...]:
        """Idle power of a drive, and what a read, a write and a written byte take above it."""
        return tuple(self[key] for key in _OPERATIONS)

    @property
    def parts(self) -> dict[str, Answer]:
        """Known parts of the net present cost by name; the residual value is taken off."""
        is_cluster = self.plan.array.nodes is not None
        named = {name: self[key] for name, key in PARTS.items() if is_cluster or name != "hosts"}
        return {name: part for name, part in named.items() if part.is_known}

    @property
    def course(self) -> dict[str, Answer]:
        """The undiscounted costs of each year, of the parts that are known."""
        yearly = {part: self[key] for part, key in _COURSE.items()}
        return {part: node for part, node in yearly.items() if node.is_known}

    @property
    def nodes(self) -> dict[str, Answer]:
        """Every number by key, inputs before results."""
        return walk((*self.course.values(), *self.answers))

    @property
    def lacking(self) -> tuple[str, ...]:
        """Facts that would make unknown answers known, energy included."""
        parts = (*self.answers, self["yearly_energy_j"])
        names = [name for part in parts if not part.is_known for name in part.lacking]
        return tuple(dict.fromkeys(names))

    @property
    def assumed(self) -> tuple[Term, ...]:
        """The labelled assumptions that count: a node costs only in a cluster."""
        is_cluster = self.plan.array.nodes is not None
        terms = self.terms.assumed
        return tuple(term for term in terms if is_cluster or term.quantity != NODE_PRICE)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Assumptions and limits of validity, most important first."""
        unlimited = not self["host_limit_bytes"].is_known
        notes = {
            NO_WEAR: unlimited,
            KNOWN_WEAR: not unlimited,
            SPREAD_GROUND: not unlimited and self.risk.life_cv == SPREAD,
            AFR_GROUND: self["afr_fraction"].note == AFR_GROUND,
            GROWING: not unlimited and not is_steady(self.plan.workload),
            REPLACED: not unlimited and self.risk.replaced_fraction is not None,
            ON_AVERAGE: self.terms.spare_drives > 0,
            WARRANTY: True,
            SITE: self.plan.array.nodes is None,
        }
        assumed = [f"Assumed: {term}" for term in self.assumed]
        return (*self._of_energy, *(note for note, applies in notes.items() if applies), *assumed)

    @property
    def _of_energy(self) -> tuple[str, ...]:
        asked, power = self["asked_power_w"], self["yearly_power_w"]
        if not power.is_known or not asked.is_known:
            return (NO_ENERGY,)
        notes = {
            READ_AS_WRITE: self["read_power_w"].key == "write_power_w",
            BUSY: np.any(np.asarray(asked.value) > np.asarray(power.value)),
        }
        return tuple(note for note, applies in notes.items() if applies)


def ownership(plan: PlanReading, terms: Terms | None = None, risk: Risk | None = None) -> Ownership:
    """Return the cost of owning the plan's array over the horizon of `terms`.

    Failures and the spread of life are those of `risk`; its horizon is ignored.

    >>> from planner.scenario.array import Array, RaidLevel
    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> drive, writes = find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e7)
    >>> owned = ownership(plan_drive(drive, writes, array=Array(members=12, level=RaidLevel.RAID5)))
    >>> owned["npv_usd"].value > owned["capital_usd"].value
    True
    """
    terms = terms or Terms()
    risk = replace(risk or Risk(), horizon_s=terms.horizon_s)
    axes = max(map(np.ndim, plan.reading.values.values()))
    leaves = owning_leaves(terms, risk, axes=axes)
    reading = plan.reading.extended(owning_graph(plan.structure), leaves).check()
    return Ownership(plan=plan, terms=terms, risk=risk, reading=reading)


def owning_leaves(terms: Terms, risk: Risk, *, axes: int) -> dict[str, Answer]:
    """Return the terms of owning and the assumptions on failures as leaves.

    The years come before the `axes` of the arrays that the plan's leaves are.
    """
    stated_by_user = {
        "horizon_s": terms.horizon_s, "spare_drives": terms.spare_drives,
        "residual_fraction": terms.residual_fraction, "qos_iops": terms.qos_iops,
        "afr_fraction": risk.afr_fraction, "replaced_fraction": risk.replaced_fraction,
    }  # fmt: skip
    leaves = [given(key, value, source="user") for key, value in stated_by_user.items()]
    leaves += [
        given("year", terms.years.reshape(-1, *(1,) * axes), source="definition"),
        given("life_cv", risk.life_cv, source="assumption", note=SPREAD_GROUND),
        *map(terms.known, ("discount_rate", "pue", *PRICES)),
        *terms.interval("embodied_kg_per_byte").values(),
        *terms.interval("grid_kg_per_j").values(),
    ]  # fmt: skip
    return {leaf.key: leaf for leaf in leaves}


def over_years(owned: Ownership, years: int) -> Reading:
    """Read owning over more years than its horizon has; those behind it cost nothing."""
    axes = (1,) * (np.ndim(owned["year"].value) - 1)
    year = np.arange(1.0, years + 1).reshape(-1, *axes)
    leaves = {**owned.reading.leaves, "year": given("year", year, source="definition")}
    return owned.plan.reading.extended(owned.reading.graph, leaves)


def owned_ranges(
    plan: PlanReading, owned: Ownership, *, typical: PlanReading | None = None
) -> Mapping[str, Range]:
    """Return the ranges of the single answers of owning.

    `typical` is the plan at typical values, if it was already computed.

    >>> from planner.sections.request import plan_of
    >>> plan = plan_of("990 PRO 1TB", writes="50 GB/day", price=120)
    >>> energy = owned_ranges(plan, ownership(plan, Terms()))["energy_present_usd"]
    >>> 0 < energy.low < energy.typical < energy.high, energy.basis
    (True, 'prior')
    """
    middle = ownership(typical or at_level(plan, "typical"), owned.terms, owned.risk)
    uncertain, graph = UncertainReading(middle.reading, plan.uncertain.every), middle.reading.graph
    parts = [middle[part.key] for part in (*owned.answers, *owned.operations) if _is_number(part)]
    return Ranges({
        part.key: partial(uncertain.range, part.key, part.value, [graph.answers[part.key]])
        for part in parts
        if _is_number(part)
    })  # fmt: skip


def _is_number(part: Answer) -> bool:
    return part.is_known and not np.ndim(part.value)


def terms_of(texts: Mapping[str, Any]) -> Terms:
    """Parse the inputs on the terms of ownership; what is assumed is in the question's currency.

    >>> terms_of({"years": "3 years"}).horizon_s / 31536000
    3.0
    """
    terms = Terms(**stated(texts, ("years", *TERMS)))
    return terms.converted(price_terms_of(texts).usd_each)


def risk_of(texts: Mapping[str, Any]) -> Risk:
    """Parse the inputs on failures; the horizon is that of the terms."""
    return Risk(**stated(texts, ("years", "afr", "life_spread", "replace_at")))

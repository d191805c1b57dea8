"""Probability that an array loses data, by cause, and measures that reduce it."""

from dataclasses import dataclass, field, replace
from functools import cached_property

from models.units import DAY_S
from planner.catalogue.priors_failures import (
    AFR_GROUND,
    KNOWN_WEAR,
    NO_WEAR,
    REBUILD_GROUND,
    SPREAD,
    SPREAD_GROUND,
    UBER_GROUND,
)
from planner.graph.answer import Answer, given, walk
from planner.graph.reading import Reading
from planner.scenario.array import Array
from planner.scenario.growth import is_steady
from planner.scenario.risk import Risk
from planner.sections.array_case import array_case
from planner.sections.at_rest import rest_case, rest_graph, rest_leaves
from planner.sections.loss import NO_ANSWER, LossCase, loss_graph
from planner.sections.plan import PlanReading
from planner.sections.precautions import precaution_graph, precaution_leaves
from planner.sections.redundancy import group_leaves

UNDER_GROWTH = (
    "Under growth later drives wear out sooner; the mean life is that of all drives that follow "
    "each other within the planning horizon."
)
USED_UP = (
    "Each drive wears out more than 100 times within the horizon: data loss and replacements are "
    "not computed."
)
SECTOR_BYTES = 4096.0
MOST_LIVES = 100  # lives of a drive within the horizon
REPLACED = ("mean_replacements", "replacements_sd", "replacements_quantile")
_SHOWN = (
    "array_loss_probability", "array_failed_loss_probability",
    "array_unreadable_loss_probability", "array_wear_out_loss_probability", "expected_lost_bytes",
    "afr_fraction", "rebuild_s", "unreadable_probability", "wear_out_life_s", *REPLACED,
)  # fmt: skip
_AT_REST = (
    "rated_wear_retention_s", "retention_s", "read_disturb_wa", "read_rewrite_s",
    "refresh_bytes_per_s",
)  # fmt: skip
_WORN = (
    "first_worn_cycles", "early_end_cycles", "end_of_life_sd_cycles", "spared_drive_fills",
    "levelling_wa", "moved_blocks_wa",
    *(f"{end}_{way}_pe_cycles" for way in ("nearest", "down", "up") for end in ("low", "high")),
    "horizon_worn_fraction",
)  # fmt: skip
_PRECAUTIONS = (
    "mttdl_s", "unworn_loss_probability", "surviving_fraction", "weibull_worn_fraction",
    "lognormal_worn_fraction", "fleet_failures", "fleet_failures_sd", "fleet_failures_quantile",
    "upper_afr_fraction", "scrubbed_latent_probability", "latent_probability",
    "safe_replacement_age_s", "safe_stagger_s", "half_old_loss_probability",
    "lead_replacements", "lead_replacements_sd", "stocked_spares",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class DataLoss:
    """The reading of a plan and of the loss of its data; any number is an item by its key."""

    plan: PlanReading = field(repr=False, compare=False)
    risk: Risk
    reading: Reading = field(repr=False, compare=False)

    def __getitem__(self, key: str) -> Answer:
        """Return an answer of the plan or of the loss of its data, by key."""
        return self.reading[key]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order of printing."""
        return tuple(self[key] for key in _SHOWN)

    @cached_property
    def by_question(self) -> dict[str, tuple[Answer, ...]]:
        """Further answers by the question that they answer."""
        rest, apart = self._at_rest, self._precautions
        return {
            "May it lie without power, and does reading wear it?": _listed(rest, _AT_REST),
            "When do its blocks wear out?": _listed(rest, _WORN),
            "What keeps drives from failing together?": _listed(apart, _PRECAUTIONS),
        }

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings whose answers have ranges; precautions have single numbers."""
        return self.reading, self._at_rest

    @cached_property
    def _at_rest(self) -> Reading:
        case = rest_case(self.plan)
        graph = rest_graph(self.plan.structure, case)
        return self.plan.reading.extended(graph, rest_leaves(self.plan, self.risk, case))

    @cached_property
    def _precautions(self) -> Reading:
        graph = precaution_graph(self.plan.structure, loss_case(self.plan.array, self.risk))
        life = self["wear_out_life_s"]
        return self.reading.extended(graph, precaution_leaves(self.plan, self.risk, life))

    @property
    def further(self) -> tuple[Answer, ...]:
        """The answers of `by_question`, one after the other."""
        return tuple(row for rows in self.by_question.values() for row in rows)

    @property
    def nodes(self) -> dict[str, Answer]:
        """Every number by key, inputs before results."""
        return walk(self.answers)

    @property
    def lacking(self) -> tuple[str, ...]:
        """Facts that would supply the missing answers."""
        names = [name for part in self.answers if not part.is_known
                 for name in part.lacking]  # fmt: skip
        return tuple(dict.fromkeys(names))

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions and limits of validity, most important first."""
        plan, risk, life = self.plan, self.risk, self["wear_out_life_s"]
        notes = {
            AFR_GROUND: risk.afr_fraction is None and plan.drive.value("mtbf_s") is None,
            UBER_GROUND: risk.uber is None and plan.drive.value("uber") is None,
            REBUILD_GROUND: risk.rebuild_s is None,
            SPREAD_GROUND: life.is_known and risk.life_cv == SPREAD,
            KNOWN_WEAR: life.is_known,
            NO_WEAR: not life.is_known,
            UNDER_GROWTH: life.is_known and not is_steady(plan.workload),
            USED_UP: life.is_known and risk.horizon_s > MOST_LIVES * life.value,
            NO_ANSWER: plan.array.tolerated_failures > 0,
        }
        return tuple(note for note, applies in notes.items() if applies)


def _listed(reading: Reading, keys: tuple[str, ...]) -> tuple[Answer, ...]:
    return tuple(reading[key] for key in keys if key in reading.graph.answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """One measure against data loss, and the data loss with it."""

    name: str
    data_loss: DataLoss


def data_loss(plan: PlanReading, risk: Risk | None = None) -> DataLoss:
    """Read the probability that the plan's array loses data within the horizon, by cause.

    >>> from planner.scenario.array import Array, RaidLevel
    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> drive, writes = find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e6)
    >>> raid = {level: plan_drive(drive, writes, array=Array(members=8, level=level))
    ...         for level in (RaidLevel.RAID5, RaidLevel.RAID6)}
    >>> five, six = (data_loss(raid[level])["array_loss_probability"].value for level in "56")
    >>> six < five
    True
    """
    risk = risk or Risk()
    graph = loss_graph(plan.structure, loss_case(plan.array, risk))
    held = plan.partition_fraction * plan.workload.fill_fraction
    leaves = loss_leaves(plan.array, risk, held)
    lost = DataLoss(plan=plan, risk=risk, reading=plan.reading.extended(graph, leaves))
    for key in _SHOWN[: -len(REPLACED)]:  # refused here; replacements are read when asked for
        lost[key]
    return lost


def loss_case(array: Array, risk: Risk) -> LossCase:
    """Choose the formulas of data loss of an array."""
    return LossCase(array_case(array), risk.replaced_fraction is not None, bool(risk.stagger_s))


def loss_leaves(array: Array, risk: Risk, held_fraction: float) -> dict[str, Answer]:
    """List the notes on data loss of an array whose drives are filled to a share."""
    least = risk.horizon_s / MOST_LIVES
    leaves = {
        "horizon_s": given("horizon_s", risk.horizon_s, source="user"),
        "life_cv": given("life_cv", risk.life_cv, source="assumption", note=SPREAD_GROUND),
        "replaced_fraction": given("replaced_fraction", risk.replaced_fraction, source="user"),
        "stagger_s": given("stagger_s", risk.stagger_s, source="user"),
        "wear_out_life_s:least": given("wear_out_life_s", least, source="definition"),
        "groups": given("groups", array.groups, source="array"),
        "unreadable_bytes": given(
            "unreadable_bytes", SECTOR_BYTES * array.groups, source="definition"
        ),
    }  # fmt: skip
    return leaves | group_leaves(array, risk, held_fraction)


def remedies(plan: PlanReading, risk: Risk | None = None) -> tuple[Remedy, ...]:
    """Read data loss as planned, with early replacement, and with staggered purchase."""
    risk = risk or Risk()
    months = 30 * DAY_S
    changes = {
        "As it is": risk,  # voice: the-same (a key of JSON)
        "Replaced at 90 % of the mean life": replace(risk, replaced_fraction=0.9),
        "Bought 30 days apart": replace(risk, stagger_s=months),
        "Bought 90 days apart": replace(risk, stagger_s=3 * months),
    }
    return tuple(
        Remedy(name=name, data_loss=data_loss(plan, changed)) for name, changed in changes.items()
    )

"""Probability that an array loses data, by cause, and measures that reduce it."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from models import failures, growth
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
from planner.graph.answer import Answer, Record, figure, figures, given, unknown, walk
from planner.reliability.at_rest import at_rest, blocks_worn
from planner.reliability.failure_assumptions import afr, redundancy_group
from planner.reliability.precautions import precautions
from planner.scenario.growth import grown_answer, is_steady
from planner.scenario.risk import Risk
from planner.sections.plan import Plan

UNDER_GROWTH = (
    "Under growth later drives wear out sooner; the mean life is that of all drives that follow "
    "each other within the planning horizon."
)
USED_UP = (
    "Each drive wears out more than 100 times within the horizon: data loss and replacements are "
    "not computed."
)
NO_ANSWER = (
    "The mean time to data loss is that of independent failures: firmware, power, fire and people "
    "lose data long before, so that probabilities are printed down to 0.000001 % and no further. "
    "Compare by the probability within the horizon."
)
SECTOR_BYTES = 4096.0
LATE = 0.95  # quantile of the number of replacements: one array in twenty needs more
MOST_LIVES = 100  # lives of a drive within the horizon


@dataclass(frozen=True, kw_only=True)
class DataLoss:
    """Probability of data loss within the horizon: by failures, unreadable sectors, wear-out, all.

    Replacements are computed on first access.
    """

    plan: Plan = field(repr=False, compare=False)
    risk: Risk
    afr: Answer
    rebuild_s: Answer
    unreadable_probability: Answer
    wear_life_s: Answer
    failed: Answer
    unreadable: Answer
    wear_out: Answer
    total: Answer
    lost_bytes: Answer
    failures_per_s: Answer
    notes: tuple[str, ...]

    @cached_property
    def replaced(self) -> tuple[Answer, Answer, Answer]:
        """Drives to replace within the horizon: mean, standard deviation, 95 % quantile."""
        return _replacements(self.plan, self.risk, self.wear_life_s, self.failures_per_s)

    @cached_property
    def by_question(self) -> dict[str, tuple[Answer, ...]]:
        """Further answers by the question that they answer."""
        group = redundancy_group(self.plan, self.risk)
        return {
            "May it lie without power, and does reading wear it?": at_rest(self.plan, self.risk),
            "When do its blocks wear out?": blocks_worn(self.plan, self.risk),
            "What keeps drives from failing together?": (
                self.mttdl, self._without_wear(group),
                *precautions(self.plan, self.risk, self.wear_life_s, group),
            ),
        }  # fmt: skip

    def _without_wear(self, group: dict[str, Answer]) -> Answer:
        """Return the loss of one group within the horizon if no drive wore out."""
        within = given("horizon_s", self.risk.horizon_s, source="user")
        return figure(
            "unworn_loss_probability", failures.loss_probability, horizon_s=within, **group
        )

    @property
    def further(self) -> tuple[Answer, ...]:
        """The answers of `by_question`, one after the other."""
        return tuple(row for rows in self.by_question.values() for row in rows)

    @property
    def mttdl(self) -> Answer:
        """Mean time to data loss of one group by failures and unreadable sectors."""
        return figure(
            "mttdl_s", failures.mttdl_s, NO_ANSWER, **redundancy_group(self.plan, self.risk)
        )

    @property
    def replacements(self) -> Answer:
        """Drives to replace within the horizon, on average."""
        return self.replaced[0]

    @property
    def replacements_sd(self) -> Answer:
        """Standard deviation of the drives to replace."""
        return self.replaced[1]

    @property
    def replacements_late(self) -> Answer:
        """Drives to replace within the horizon, 95 % quantile over arrays."""
        return self.replaced[2]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order of printing."""
        return (
            self.total,
            self.failed,
            self.unreadable,
            self.wear_out,
            self.lost_bytes,
            self.afr,
            self.rebuild_s,
            self.unreadable_probability,
            self.wear_life_s,
            *self.replaced,
        )

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """One measure against data loss, and the data loss with it."""

    name: str
    data_loss: DataLoss


def data_loss(answer: Plan, risk: Risk | None = None) -> DataLoss:
    """Return the probability that the plan's array loses data within the horizon, by cause.

    >>> from planner.scenario.array import Array, RaidLevel
    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan
    >>> from planner.scenario.workload import Workload
    >>> drive, writes = find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e6)
    >>> raid = {level: plan(drive, writes, array=Array(members=8, level=level))
    ...         for level in (RaidLevel.RAID5, RaidLevel.RAID6)}
    >>> data_loss(raid["6"]).total.value < data_loss(raid["5"]).total.value
    True
    """
    risk = risk or Risk()
    group = redundancy_group(answer, risk)
    within = {"horizon_s": given("horizon_s", risk.horizon_s, source="user"), **group}
    life = wear_life_s(answer, within["horizon_s"])
    failed, unreadable = figures(
        {"failed": "failed_loss_probability", "unreadable": "unreadable_loss_probability"},
        failures.loss_probability_parts, **within,
    )  # fmt: skip
    worn = _wear_out(life, risk, within["horizon_s"], group)
    parts = {"unreadable_loss_probability": unreadable, "wear_out_loss_probability": worn}
    one = figure(
        "group_loss_probability", failures.total_loss_probability,
        failed_loss_probability=failed, **parts,
    )  # fmt: skip
    groups = given("groups", answer.array.groups, source="array")

    def of_any(key: str, part: Answer) -> Answer:
        return figure(key, failures.any_loss_probability, loss_probability=part, groups=groups)

    return DataLoss(
        plan=answer,
        risk=risk,
        afr=afr(answer.drive, risk),
        rebuild_s=group["rebuild_s"],
        unreadable_probability=group["unreadable_probability"],
        wear_life_s=life,
        failed=of_any("array_failed_loss_probability", failed),
        unreadable=of_any("array_unreadable_loss_probability", unreadable),
        wear_out=of_any("array_wear_out_loss_probability", worn),
        total=of_any("array_loss_probability", one),
        lost_bytes=_lost_bytes(answer, failed, unreadable, worn),
        failures_per_s=group["failures_per_s"],
        notes=_notes(answer, risk, life),
    )  # fmt: skip


def _lost_bytes(answer: Plan, failed: Answer, unreadable: Answer, worn: Answer) -> Answer:
    """Return the expected bytes lost: whole groups, and sectors unreadable during rebuilds."""
    whole = figure(
        "whole_group_loss_probability",
        failures.total_loss_probability,
        failed_loss_probability=failed,
        unreadable_loss_probability=given("no_loss", 0.0, source="definition"),
        wear_out_loss_probability=worn,
    )
    return figure(
        "expected_lost_bytes",
        failures.expected_lost_bytes,
        failed_loss_probability=whole,
        unreadable_loss_probability=unreadable,
        usable_bytes=answer.array_answer.usable_bytes,
        unreadable_bytes=given(
            "unreadable_bytes", SECTOR_BYTES * answer.array.groups, source="definition"
        ),
    )


def remedies(answer: Plan, risk: Risk | None = None) -> tuple[Remedy, ...]:
    """Return data loss as planned, with early replacement, and with staggered purchase."""
    risk = risk or Risk()
    months = 30 * DAY_S
    changes = {
        "As it is": risk,
        "Replaced at 90 % of the mean life": replace(risk, replaced_fraction=0.9),
        "Bought 30 days apart": replace(risk, stagger_s=months),
        "Bought 90 days apart": replace(risk, stagger_s=3 * months),
    }
    return tuple(
        Remedy(name=name, data_loss=data_loss(answer, changed)) for name, changed in changes.items()
    )


def wear_life_s(answer: Plan, horizon_s: Answer) -> Answer:
    """Return the mean time to wear-out of the drives within the horizon."""
    spent = endurance_of(answer)
    written = grown_answer(
        "horizon_bytes", growth.written_bytes, answer.workload,
        time_s=horizon_s, host_bytes_per_s=spent["host_bytes_per_s"],
    )  # fmt: skip
    return figure(
        "wear_out_life_s", growth.mean_life_s, KNOWN_WEAR,
        horizon_s=horizon_s, limit_bytes=spent["limit_bytes"], written_bytes=written,
    )  # fmt: skip


def endurance_of(answer: Plan) -> dict[str, Answer]:
    """Return the write limit of one drive (without warranty) and its write rate today."""
    return {
        "limit_bytes": answer.reading["new_limit_bytes"],
        "host_bytes_per_s": answer.reading["member_bytes_per_s"],
    }


def _wear_out(life: Answer, risk: Risk, horizon_s: Answer, group: dict[str, Answer]) -> Answer:
    """Return the probability of data loss with wear-out involved; 0 if no endurance is known."""
    if not life.is_known:
        return given("wear_out_loss_probability", 0.0, source="assumption", note=NO_WEAR)
    if _is_used_up(life, risk):
        return unknown(key="wear_out_loss_probability", lacking=())
    stagger = {"stagger_s": given("stagger_s", risk.stagger_s, source="user")}
    return figure(
        "wear_out_loss_probability",
        failures.generations_loss_probability,
        horizon_s=horizon_s,
        mean_s=life,
        **_spread_and_age(risk),
        **(stagger if risk.stagger_s else {}),
        group=Record(failures.Group, group),
    )


def _spread_and_age(risk: Risk) -> dict[str, Answer]:
    """Return the spread of lives, and the age of precautionary replacement if there is one."""
    spread = {"life_cv": given("life_cv", risk.life_cv, source="assumption", note=SPREAD_GROUND)}
    if risk.replaced_fraction is None:
        return spread
    age = given("replaced_fraction", risk.replaced_fraction, source="user")
    return spread | {"replaced_fraction": age}


def _is_used_up(life: Answer, risk: Risk) -> bool:
    """Whether drives wear out too often within the horizon to compute data loss."""
    return life.is_known and risk.horizon_s > MOST_LIVES * life.value


def _replacements(
    answer: Plan, risk: Risk, life: Answer, failures_per_s: Answer
) -> tuple[Answer, Answer, Answer]:
    """Return drives to replace within the horizon: mean, standard deviation, 95 % quantile."""
    keys = {"mean": "mean_replacements", "sd": "replacements_sd",
            "quantile": "replacements_quantile"}  # fmt: skip
    if _is_used_up(life, risk):
        mean, spread, late = (unknown(key) for key in keys.values())
        return mean, spread, late
    endless = given("mean_s", np.inf, source="assumption", note=NO_WEAR)
    drive = {"failures_per_s": failures_per_s, "mean_s": life if life.is_known else endless}
    mean, spread, late = figures(
        keys, failures.replacements_over,
        horizon_s=given("horizon_s", risk.horizon_s, source="user"),
        members=answer.reading["working_members"],
        quantile=given("replacements_level", LATE, source="definition"),
        life=Record(failures.DriveLife, drive | _spread_and_age(risk)),
    )  # fmt: skip
    return mean, spread, late


def _notes(answer: Plan, risk: Risk, life: Answer) -> tuple[str, ...]:
    notes = {
        AFR_GROUND: risk.afr_fraction is None and answer.drive.value("mtbf_s") is None,
        UBER_GROUND: risk.uber is None and answer.drive.value("uber") is None,
        REBUILD_GROUND: risk.rebuild_s is None,
        SPREAD_GROUND: life.is_known and risk.life_cv == SPREAD,
        KNOWN_WEAR: life.is_known,
        NO_WEAR: not life.is_known,
        UNDER_GROWTH: life.is_known and not is_steady(answer.workload),
        USED_UP: _is_used_up(life, risk),
        NO_ANSWER: answer.array.tolerated_failures > 0,
    }
    return tuple(note for note, applies in notes.items() if applies)

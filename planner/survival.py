"""How likely does an array lose data, by what, and what would mend it?"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check, failures, rebuild, spare_area
from models.units import DAY_S, YEAR_S
from planner.array import Array
from planner.facts import stated
from planner.figures import Answer, Missing, Node, composed, figure, first_known, given, walk
from planner.plan import Plan

__all__ = ["Remedy", "Risk", "Survival", "remedies", "survival"]

Law = Callable[..., float]
Points = NDArray[np.float64]

AFR = 0.01
AFR_GROUND = "About 1 % of SSDs a year failed at Backblaze, 2021 and 2022; it prints no MTBF."
UBER = 1e-16
UBER_GROUND = "The least that JESD218 asks of an enterprise drive; client drives 1e-15."
SPREAD = 0.05
MOST_SPREAD = 0.15
SPREAD_GROUND = "Drives of one batch are taken to wear out within 5 % (one sigma) of each other."
REBUILD_SHARE = 0.5
REBUILD_GROUND = "Rebuilds are taken to get half of a drive's sequential write rate."
WRITE_RATE = 400e6
RATE_GROUND = "No write rate is known: 400 MB/s is taken for rebuilds."
KNOWN_WEAR = "Wear-out is at the end of the endurance that is met first, warranty aside."
NO_WEAR = "Wear-out is not counted: neither the flash's cycles nor a rating of endurance is known."
USED_UP = (
    "Each drive is worn out more than 100 times within the horizon: loss and replacements are not "
    "counted."
)
SECTOR_BYTES = 4096.0
MOST_LIVES = 100  # within the horizon
NOTHING_TO_REBUILD = "Without redundancy the first failure loses data; nothing is rebuilt."


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """What is assumed of failures; None: as the catalogue says, or as the label says.

    `afr_fraction` is the share of drives that fails in a year, `uber` unreadable sectors per bit
    read, `life_cv` the relative standard deviation of the drives' wear-out, `replaced_fraction`
    the share of the mean life at which drives are replaced anyway, `stagger_s` the time between
    the first days of one drive and the next.
    """

    horizon_s: float = 5 * YEAR_S
    afr_fraction: float | None = None
    uber: float | None = None
    rebuild_s: float | None = None
    life_cv: float = SPREAD
    replaced_fraction: float | None = None
    stagger_s: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a field outside its range, by name."""
        _check.finite(horizon_s=self.horizon_s)
        _check.require(0 < self.life_cv <= MOST_SPREAD, "life_cv", f"in (0, {MOST_SPREAD}]",
                       self.life_cv)  # fmt: skip
        _check.non_negative(stagger_s=self.stagger_s)
        if self.afr_fraction is not None:
            _check.require(0 <= self.afr_fraction < 1, "afr_fraction", "in [0, 1)",
                           self.afr_fraction)  # fmt: skip
        if self.uber is not None:
            _check.fraction(uber=self.uber)
        if self.rebuild_s is not None:
            _check.finite(rebuild_s=self.rebuild_s)
        if self.replaced_fraction is not None:
            _check.finite(replaced_fraction=self.replaced_fraction)


@dataclass(frozen=True, slots=True, kw_only=True)
class Survival:
    """Data loss within the horizon: independent failures, unreadable sectors, wear-out, all."""

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
    replacements: Answer
    replacements_sd: Answer
    replacements_late: Answer
    notes: tuple[str, ...]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order in which people read them."""
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
            self.replacements,
            self.replacements_sd,
            self.replacements_late,
        )

    @property
    def nodes(self) -> dict[str, Node]:
        """Every number by key: inputs first, then what they feed."""
        return walk(self.answers)

    @property
    def lacking(self) -> tuple[str, ...]:
        """Facts that would supply what is missing."""
        found = [name for part in self.answers if isinstance(part, Missing)
                 for name in part.lacking]  # fmt: skip
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """One change of plan and the loss that it leaves."""

    name: str
    survival: Survival


def survival(answer: Plan, risk: Risk | None = None) -> Survival:
    """Return how likely the plan's array loses data within the horizon, and by what.

    >>> from planner.array import Array, RaidLevel
    >>> from planner.catalogue import find, load
    >>> from planner.plan import plan
    >>> from planner.workload import Workload
    >>> drive, writes = find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e6)
    >>> raid = {level: plan(drive, writes, array=Array(members=8, level=level))
    ...         for level in (RaidLevel.RAID5, RaidLevel.RAID6)}
    >>> survival(raid["6"]).total.value < survival(raid["5"]).total.value
    True
    """
    risk = risk or Risk()
    group = _group(answer, risk)
    within = {"horizon_s": given("horizon_s", risk.horizon_s, source="user"), **group}
    life = _wear_life_s(answer)
    failed, unreadable = (
        composed(key, failures.loss_probability_parts, partial(_part, place), **within)
        for place, key in enumerate(("failed_loss_probability", "unreadable_loss_probability"))
    )
    worn = _wear_out(life, risk, within)
    parts = {"unreadable_loss_probability": unreadable, "wear_out_loss_probability": worn}
    one = figure(
        "group_loss_probability", failures.total_loss_probability,
        failed_loss_probability=failed, **parts,
    )  # fmt: skip
    groups = given("groups", answer.array.groups, source="array")

    def of_any(key: str, part: Answer) -> Answer:
        return figure(key, failures.any_loss_probability, loss_probability=part, groups=groups)

    return Survival(
        risk=risk,
        afr=group_afr(answer, risk),
        rebuild_s=group["rebuild_s"],
        unreadable_probability=group["unreadable_probability"],
        wear_life_s=life,
        failed=of_any("array_failed_loss_probability", failed),
        unreadable=of_any("array_unreadable_loss_probability", unreadable),
        wear_out=of_any("array_wear_out_loss_probability", worn),
        total=of_any("array_loss_probability", one),
        lost_bytes=_lost_bytes(answer, failed, unreadable, worn),
        **_replacements(answer, risk, life, group["failures_per_s"]),
        notes=_notes(answer, risk, life),
    )  # fmt: skip


def _lost_bytes(answer: Plan, failed: Answer, unreadable: Answer, worn: Answer) -> Answer:
    """Return the bytes lost on average: whole groups, and sectors of critical rebuilds."""
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
    """Return what replacing early or buying apart leaves of the loss, the plan as it is first."""
    risk = risk or Risk()
    months = 30 * DAY_S
    changes = {
        "As it is": risk,
        "Replaced at 90 % of the mean life": replace(risk, replaced_fraction=0.9),
        "Bought 30 days apart": replace(risk, stagger_s=months),
        "Bought 90 days apart": replace(risk, stagger_s=3 * months),
    }
    return tuple(
        Remedy(name=name, survival=survival(answer, changed)) for name, changed in changes.items()
    )


def group_afr(answer: Plan, risk: Risk) -> Answer:
    """Return the share of drives that fails in a year: told, from MTBF, or assumed."""
    return first_known(
        given("afr_fraction", risk.afr_fraction, source="user"),
        composed("afr_fraction", failures.afr_fraction, _afr_of, mtbf_s=_mtbf_s(answer)),
        given("afr_fraction", AFR, source="assumption", note=AFR_GROUND),
    )


def _mtbf_s(answer: Plan) -> Answer:
    return stated(answer.drive, "mtbf_s")


def _afr_of(*, mtbf_s: float) -> float:
    return failures.afr_fraction(1 / mtbf_s)


def _group(answer: Plan, risk: Risk) -> dict[str, Answer]:
    """Return what a redundancy group is, as `models.failures` counts it."""
    array = answer.array
    return {
        "members": given("group_members", array.group_members, source="array"),
        "parities": given("tolerated_failures", array.tolerated_failures, source="array"),
        "failures_per_s": figure(
            "failures_per_s", failures.failures_per_s, afr_fraction=group_afr(answer, risk)
        ),
        "rebuild_s": _rebuild_s(answer, risk),
        "unreadable_probability": _unreadable(answer, risk),
    }  # fmt: skip


def _held_bytes(answer: Plan) -> Answer:
    """Return what a rebuild writes: the data in use on one member."""
    share = answer.partition_fraction * answer.workload.fill_fraction
    return figure(
        "rebuilt_bytes",
        spare_area.partition_bytes,
        user_bytes=stated(answer.drive, "user_bytes"),
        partition_fraction=given("partition_fraction", share, source="workload"),
    )


def _rebuild_s(answer: Plan, risk: Risk) -> Answer:
    """Return the time until redundancy is back: told, or at half of the drives' speed."""
    array = answer.array
    if not array.tolerated_failures:
        return given("rebuild_s", 1.0, source="definition", note=NOTHING_TO_REBUILD)
    fast = given("fast_bytes_per_s", np.inf, source="definition")
    reads = stated(answer.drive, "sequential_read_bytes_per_s")
    drives = {
        "spare_write_bytes_per_s": _write_rate(answer),
        "member_read_bytes_per_s": first_known(reads, fast),
        "uplink_bytes_per_s": fast,
        "rebuild_fraction": given(
            "rebuild_fraction", REBUILD_SHARE, source="assumption", note=REBUILD_GROUND
        ),
    }
    data = given("data_members", _read_members(array), source="array")
    alone = figure(
        "rebuild_s", rebuild.rebuild_s, REBUILD_GROUND, rebuilt_bytes=_held_bytes(answer),
        data_members=data, **drives,
    )  # fmt: skip
    return first_known(given("rebuild_s", risk.rebuild_s, source="user"), alone)


def _read_members(array: Array) -> int:
    """Return the members that are read for each byte rebuilt."""
    return max(1, array.stripe_members - array.parities) if array.parities else 1


def _write_rate(answer: Plan) -> Answer:
    return first_known(
        stated(answer.drive, "folded_write_bytes_per_s"),
        stated(answer.drive, "sequential_write_bytes_per_s"),
        given("assumed_write_bytes_per_s", WRITE_RATE, source="assumption", note=RATE_GROUND),
    )


def _unreadable(answer: Plan, risk: Risk) -> Answer:
    """Return the chance that a rebuild without parity left meets an unreadable sector."""
    array = answer.array
    if not array.tolerated_failures:
        return given("unreadable_probability", 0.0, source="definition", note=NOTHING_TO_REBUILD)
    read = figure(
        "rebuild_read_bytes",
        rebuild.rebuild_read_bytes,
        rebuilt_bytes=_held_bytes(answer),
        data_members=given("data_members", _read_members(array), source="array"),
    )
    return figure(
        "unreadable_probability",
        failures.unreadable_probability,
        read_bytes=read,
        uber=first_known(
            given("uber", risk.uber, source="user"),
            stated(answer.drive, "uber"),
            given("uber", UBER, source="assumption", note=UBER_GROUND),
        ),
    )


def _wear_life_s(answer: Plan) -> Answer:
    """Return the mean time until a drive is worn out."""
    life = answer.lifetime
    limit = life.endurance_limit
    if limit is None:
        return Missing(key="wear_out_life_s", lacking=("pe_cycles", "rated_bytes"))
    return given("wear_out_life_s", life.known[limit].value, source="plan", note=KNOWN_WEAR)


def _wear_out(life: Answer, risk: Risk, within: dict[str, Answer]) -> Answer:
    """Return the loss that wear-out has a part in; none where no endurance is known."""
    if isinstance(life, Missing):
        return given("wear_out_loss_probability", 0.0, source="assumption", note=NO_WEAR)
    if _is_used_up(life, risk):
        return Missing(key="wear_out_loss_probability", lacking=())
    return composed(
        "wear_out_loss_probability",
        failures.bought_apart_loss_probability
        if risk.stagger_s
        else failures.wear_out_loss_probability,
        partial(_worn_together, _last_age_s(risk, life), risk.stagger_s),
        mean_s=life,
        life_cv=given("life_cv", risk.life_cv, source="assumption", note=SPREAD_GROUND),
        **within,
    )


def _is_used_up(life: Answer, risk: Risk) -> bool:
    """Whether drives wear out so often that lives are not worth counting."""
    return not isinstance(life, Missing) and risk.horizon_s > MOST_LIVES * life.value


def _last_age_s(risk: Risk, life: Answer) -> float:
    if risk.replaced_fraction is None or isinstance(life, Missing):
        return float("inf")
    return float(risk.replaced_fraction * life.value)


def _worn_together(
    replaced_s: float,
    stagger_s: float,
    *,
    mean_s: float,
    life_cv: float,
    horizon_s: float,
    **group: float,
) -> float:
    """Count whole generations of drives, and the one under way at the horizon up to it."""
    numbers = failures.Group(**group)
    worn = partial(failures.normal_failed_fraction, mean_s=mean_s, sd_s=life_cv * mean_s)
    whole, rest = divmod(horizon_s, min(mean_s, replaced_s))
    full = _together(worn, replaced_s, numbers)
    last = _together(worn, min(replaced_s, rest), numbers) if rest else 0.0
    if stagger_s and group["parities"] and full:
        apart = failures.bought_apart_loss_probability(
            _replaced(worn, replaced_s),
            group=numbers,
            begins_s=stagger_s * np.arange(group["members"]),
        )
        full, last = apart, apart * last / full
    return float(-np.expm1(whole * np.log1p(-min(full, _SURE)) + np.log1p(-min(last, _SURE))))


_SURE = 1 - 2.0**-53


def _together(worn: Law, last_s: float, group: failures.Group) -> float:
    """Return the loss as drives of one age wear out, up to the age `last_s`."""
    return failures.wear_out_loss_probability(_replaced(worn, last_s), group=group)


def _replaced(worn: Law, last_s: float) -> Law:
    return partial(failures.replaced_failed_fraction, failed_fraction=worn, replaced_s=last_s)


def _part(place: int, **within: float) -> float:
    return failures.loss_probability_parts(**within)[place]


def _replacements(
    answer: Plan, risk: Risk, life: Answer, failures_per_s: Answer
) -> dict[str, Answer]:
    """Return drives to replace within the horizon: mean, spread, and one in twenty has more."""
    if _is_used_up(life, risk):
        names = ("mean_replacements", "replacements_sd", "replacements_quantile")
        first, second, third = (Missing(key=name, lacking=()) for name in names)
        return {"replacements": first, "replacements_sd": second, "replacements_late": third}
    asked = {
        "failures_per_s": failures_per_s,
        "members": given("members", answer.array.members, source="array"),
        "horizon_s": given("horizon_s", risk.horizon_s, source="user"),
        "mean_s": given("mean_s", np.inf, source="assumption", note=NO_WEAR)
        if isinstance(life, Missing)
        else life,
    }

    def count(key: str, formula: Callable[..., float], counted: Callable[..., float]) -> Answer:
        fleet = partial(_counted, counted, risk.life_cv, _last_age_s(risk, life))
        return composed(key, formula, fleet, **asked)

    mean, spread = failures.mean_replacements, failures.replacements_sd
    return {
        "replacements": count("mean_replacements", mean, mean),
        "replacements_sd": count("replacements_sd", spread, spread),
        "replacements_late": count("replacements_quantile", failures.replacements_quantile, _late),
    }


def _late(**fleet: Any) -> float:
    return failures.replacements_quantile(0.95, **fleet)


@lru_cache(maxsize=256)  # changes of plan that leave the drives' lives alone share their counts
def _counted(
    count: Callable[..., float],
    life_cv: float,
    replaced_s: float,
    *,
    failures_per_s: float,
    members: float,
    horizon_s: float,
    mean_s: float,
) -> float:
    law = partial(
        _failed_or_worn, failures_per_s=failures_per_s, mean_s=mean_s, life_cv=life_cv,
        replaced_s=replaced_s,
    )  # fmt: skip
    if replaced_s < horizon_s or mean_s < np.inf or failures_per_s:
        return count(horizon_s=horizon_s, failed_fraction=law, ages_s=np.zeros(int(members)))
    return 0.0


def _failed_or_worn(
    age_s: ArrayLike, *, failures_per_s: float, mean_s: float, life_cv: float, replaced_s: float
) -> Points:
    age = np.asarray(age_s)
    steady = -np.expm1(-failures_per_s * age)
    if not np.isfinite(mean_s):
        return np.where(age >= replaced_s, 1.0, steady)
    worn = failures.normal_failed_fraction(_check.plain(age), mean_s=mean_s, sd_s=life_cv * mean_s)
    return np.where(age >= replaced_s, 1.0, steady + worn * (1 - steady))


def _notes(answer: Plan, risk: Risk, life: Answer) -> tuple[str, ...]:
    said = {
        AFR_GROUND: risk.afr_fraction is None and answer.drive.value("mtbf_s") is None,
        UBER_GROUND: risk.uber is None and answer.drive.value("uber") is None,
        REBUILD_GROUND: risk.rebuild_s is None,
        SPREAD_GROUND: not isinstance(life, Missing) and risk.life_cv == SPREAD,
        KNOWN_WEAR: not isinstance(life, Missing),
        NO_WEAR: isinstance(life, Missing),
        USED_UP: _is_used_up(life, risk),
    }
    return tuple(note for note, applies in said.items() if applies)

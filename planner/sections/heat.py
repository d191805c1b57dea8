"""Energy of a drive per byte, its states of sleep, and its temperature: how long, how hot, how far.

The facts of heat and sleep are assumed by form factor, place and kind, with wide ranges: almost no
data sheet prints them. Times that may be endless and shares that may be 0 or 1 have no logarithm,
so the ranges here are those of draws, not of swings.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from models import _check, heat
from models.errors import DomainError
from models.units import HOUR_S, ZERO_CELSIUS_K
from planner.catalogue.drive import Drive
from planner.catalogue.priors import Assumption, accepted_assumptions
from planner.catalogue.priors_heat import (
    ANY_FORM,
    FORMS,
    MODULE,
    STATABLE,
    DrivePlace,
    form_of,
    idle_assumptions,
    thermal_assumptions,
    usual_place,
)
from planner.catalogue.priors_kind import words_of
from planner.graph.answer import Answer, given
from planner.graph.reading import Reading
from planner.quantity.cooling import Cooling, parse_cooling
from planner.sections.heat_nodes import ASLEEP, ENERGY, HEAT, IDLE, heat_graph
from planner.sections.ranges import Range, UncertainReading

DRAWS = 2000
SEED = 20150801
ONE_SIDE = 1.6449  # standard deviations from the middle of a normal law to its 5 and 95 %
LEVELS = ("low", "typical", "high")
TITLES = {"Energy of sequential transfers": ENERGY, "Idle": IDLE, "Heat": HEAT}
_SHARES = frozenset(("controller_fraction", "throttled_rate_ratio"))
_POWERS = (
    "idle_power_w", "write_power_w", "sequential_write_bytes_per_s", "sequential_read_bytes_per_s",
)  # fmt: skip
_FACTS = (*_POWERS, "read_power_w")
ENDLESS = (
    "Sequential writes without end, at the power while writing; a full SLC cache, which slows a "
    "drive down and cools it, is not counted."
)
BODY = (
    "Temperatures are those of board, flash and case, which drives report and by which they "
    "throttle; the controller is hotter."
)
NO_SLEEP = "Drives of servers stay awake when idle: no state of sleep is counted."
GAPS = "Idle gaps are exponential; the host lets the drive sleep (DIPM or APST)."


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The room, cooling, pauses and battery of a drive.

    Attributes:
        room_k: Temperature of the room. [K]
        cooling: DrivePlace, airflow and heat sink, in words; empty for where its kind usually is.
        mean_gap_s: Mean length of an idle gap. [s]
        battery_j: Energy of the battery. [J]
    """

    room_k: float = 25.0 + ZERO_CELSIUS_K
    cooling: str = ""
    mean_gap_s: float = 1.0
    battery_j: float = 50 * HOUR_S

    def __post_init__(self) -> None:
        """Refuse a field outside its range, by name."""
        _check.finite(
            room_k=self.room_k, mean_gap_s=self.mean_gap_s, battery_j=self.battery_j
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Heat:
    """Energy, idle states and temperatures of a drive, with their ranges."""

    drive: Drive
    surroundings: Surroundings
    place: DrivePlace
    reading: Reading
    items: tuple[Assumption, ...]

    @property
    def parts(self) -> dict[str, tuple[Answer, ...]]:
        """The answers by title, in the order in which people read them."""
        return {
            title: tuple(self.reading[name] for name in names if self.sleeps or name not in ASLEEP)
            for title, names in TITLES.items()
        }

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the same order."""
        return tuple(answer for part in self.parts.values() for answer in part)

    @property
    def sleeps(self) -> bool:
        """Whether states of sleep are counted for drives of this class."""
        return math.isfinite(self.reading["light_transition_s"].value)

    def __getitem__(self, key: str) -> Answer:
        """Return an answer by key."""
        return self.reading[key]

    @cached_property
    def ranges(self) -> Mapping[str, Range]:
        """Ranges of the known answers by key, of draws of the assumed facts."""
        names = [answer.key for answer in self.answers if answer.is_known]
        drawn = self.reading.swept(*names, **draws(self.items))
        return {
            name: _range(self.reading[name], values)
            for name, values in zip(names, drawn, strict=True)
        }

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        """The assumed facts behind the answers."""
        behind = UncertainReading(self.reading, self.items).behind(*self.answers)
        return tuple(item for item in behind if item.is_range)

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions and limits of validity."""
        return (ENDLESS, BODY, GAPS if self.sleeps else NO_SLEEP)

    @property
    def sentence(self) -> str:
        """Describe the room and the place."""
        form = "of unknown form" if self.place.form == ANY_FORM else self.place.form
        sink = " with a heat sink" if self.place.has_heat_sink else ""
        speed = self.place.speed_m_per_s
        flow = "" if speed is None else f", air at {speed:.3g} m/s"
        room = self.surroundings.room_k - ZERO_CELSIUS_K
        where = f"{form}{sink}, {self.place.name}{flow}, room of {room:.4g} C"
        return f"{where}. Mean idle gap {self.surroundings.mean_gap_s:g} s"


def heat_of(drive: Drive, surroundings: Surroundings | None = None) -> Heat:
    """Return energy, idle states and temperatures of a drive in its surroundings.

    >>> from planner.catalogue import find, load
    >>> from planner.catalogue.priors import with_assumptions
    >>> hot = heat_of(with_assumptions(find(load(), "980 1TB")))
    >>> 0 < hot["throttling_s"].value < 600
    True
    >>> hot.place
    DrivePlace(form='M.2', name='desktop', has_heat_sink=False, speed_m_per_s=None)
    """
    surroundings = surroundings or Surroundings()
    place = place_of(drive, surroundings.cooling)
    leaves, items = _leaves(drive, surroundings, place)
    return Heat(
        drive=drive, surroundings=surroundings, place=place, items=items,
        reading=Reading(heat_graph(), leaves),
    )  # fmt: skip


def place_of(drive: Drive, text: str) -> DrivePlace:
    """Return the place of a drive from its cooling in words; only M.2 modules have heat sinks."""
    cooling = parse_cooling("cooling", text) if text else Cooling()
    form = form_of(drive)
    if cooling.has_heat_sink and form != MODULE:
        raise DomainError(
            f"cooling must have no heatsink for a drive that is no M.2 module, got {form}"
        )
    name = cooling.place or usual_place(drive)
    return DrivePlace(form, name, cooling.has_heat_sink, cooling.speed_m_per_s)


def course(
    phases: Sequence[heat.HeatPhase], *, room_k: float, kind: frozenset[str], place: DrivePlace
) -> dict[str, heat.HeatCourse]:
    """Return temperatures and throttled shares over phases of power, of three drives of a kind.

    The drive begins at the temperature of the air. Low and high are the drives that are cooler and
    hotter, against the limit at which they throttle, than 95 % of those that are drawn. `kind` has
    words such as client and NVMe, `place` a form factor: one of `FORMS`.

    >>> phases = [heat.HeatPhase(600.0, 6.0, 2.0), heat.HeatPhase(300.0, 0.5, 0.5)]
    >>> got = course(phases, room_k=298.15, kind=frozenset({"client", "NVMe"}),
    ...              place=DrivePlace("M.2", "desktop"))
    >>> [float(got[level].throttled_fraction[0].round(1)) for level in ("low", "typical", "high")]
    [0.0, 0.3, 0.8]
    """
    if place.form not in (*FORMS, ANY_FORM):
        raise DomainError(f"form must be one of {', '.join(FORMS)}, got {place.form!r}")
    items = thermal_assumptions(kind, place)
    drawn = draws(items)
    if place.speed_m_per_s is not None:
        drawn["airflow_m_per_s"] = np.full(DRAWS, place.speed_m_per_s)
    to_air = heat.air_k_per_w(
        drawn["still_k_per_w"], airflow_m_per_s=drawn["airflow_m_per_s"],
        airflow_gain=drawn["airflow_gain"],
    )  # fmt: skip
    most = max((phase.power_w for phase in phases), default=0.0)
    margin = drawn["air_rise_k"] + most * to_air - drawn["limit_k"]
    order = np.argsort(margin)
    picked = (order[round(0.05 * DRAWS)], None, order[round(0.95 * DRAWS)])
    return {
        level: _course_of_one(phases, room_k, _one(items, drawn, place, number))
        for level, number in zip(LEVELS, picked, strict=True)
    }


def _one(
    items: Sequence[Assumption], drawn: Mapping[str, Any], place: DrivePlace, number: int | None
) -> dict[str, float]:
    """Return the thermal facts of one draw, or the typical ones."""
    facts = {
        item.quantity: item.typical if number is None else float(drawn[item.quantity][number])
        for item in items
    }
    speed = place.speed_m_per_s
    return facts if speed is None else facts | {"airflow_m_per_s": speed}


def _course_of_one(
    phases: Sequence[heat.HeatPhase], room_k: float, of: Mapping[str, float]
) -> heat.HeatCourse:
    air_k = heat.warmer_k(room_k, rise_k=of["air_rise_k"])
    to_air = heat.air_k_per_w(
        of["still_k_per_w"], airflow_m_per_s=of["airflow_m_per_s"],
        airflow_gain=of["airflow_gain"],
    )  # fmt: skip
    thermal = heat.ThermalNodes(
        of["controller_j_per_k"], of["body_j_per_k"], of["link_k_per_w"], to_air,
        of["controller_fraction"],
    )  # fmt: skip
    return heat.heat_course(
        phases, air_k=air_k, limit_k=of["limit_k"], resume_k=of["limit_k"] - of["hysteresis_k"],
        start=heat.NodeTemperatures(air_k, air_k), thermal=thermal,
    )  # fmt: skip


def draws(items: Sequence[Assumption]) -> dict[str, Any]:
    """Draw each assumed fact: its ends are 5 and 95 %, its typical value the median.

    >>> got = draws([Assumption(quantity="limit_k", low=343, typical=350, high=358, ground="")])
    >>> np.quantile(got["limit_k"], [0.05, 0.5, 0.95]).round()
    array([343., 350., 358.])
    """
    random = np.random.default_rng(SEED)
    drawn = {}
    for item in items:
        z = random.standard_normal(DRAWS) / ONE_SIDE
        end = np.where(z > 0, item.high, item.low)
        if item.low > 0:
            value = item.typical * np.exp(np.abs(z) * np.log(end / item.typical))
        else:
            value = np.maximum(item.typical + np.abs(z) * (end - item.typical), 0.0)
        drawn[item.quantity] = np.minimum(value, 1.0) if item.quantity in _SHARES else value
    return drawn


def _range(answer: Answer, values: Any) -> Range:
    """Return the range of a number over draws; those that a formula refuses are left out."""
    known = np.ravel(values)[~np.isnan(np.ravel(values))]
    typical = float(answer.value)
    low, high = (
        np.quantile(known, [0.05, 0.95], method="inverted_cdf") if known.size else (typical,) * 2
    )
    return Range(min(float(low), typical), typical, max(float(high), typical), "prior")


def _leaves(
    drive: Drive, surroundings: Surroundings, place: DrivePlace
) -> tuple[dict[str, Answer], tuple[Assumption, ...]]:
    """Return facts, assumptions and what the user says, and the uncertain ones among them."""
    own = [item for item in accepted_assumptions(drive) if item.quantity in _POWERS]
    taken = {name: drive.value(name) for name in (*_FACTS, *STATABLE)}
    facts = {
        name: given(name, value, source="catalogue")
        for name, value in taken.items()
        if value is not None
    }
    asleep, awake = _states(drive, own)
    every = (*own, *thermal_assumptions(words_of(drive), place), *asleep)
    items = tuple(item for item in every if item in own or item.quantity not in drive.facts)
    of_user = {
        "room_k": surroundings.room_k, "mean_gap_s": surroundings.mean_gap_s,
        "battery_j": surroundings.battery_j,
    }  # fmt: skip
    if place.speed_m_per_s is not None:
        of_user["airflow_m_per_s"] = place.speed_m_per_s
    assumed = {
        item.quantity: given(item.quantity, item.typical, source="assumption", note=item.ground)
        for item in items
    }
    stated = {name: given(name, value, source="user") for name, value in of_user.items()}
    return assumed | awake | facts | stated, items


def _states(
    drive: Drive, own: Sequence[Assumption]
) -> tuple[tuple[Assumption, ...], dict[str, Answer]]:
    """Return the assumed states of sleep, and what the printed idle power is the power of.

    That of a drive of servers is that of one awake. A client drive that prints less than its kind
    takes awake prints the power of its lighter sleep.
    """
    items = {item.quantity: item for item in idle_assumptions(drive)}
    idle = drive.facts.get("idle_power_w")
    is_assumed = any(item.quantity == "idle_power_w" for item in own)
    printed: dict[str, Answer] = {}
    if usual_place(drive) == "server":
        for name in ("light_transition_s", "deep_transition_s"):
            del items[name]
            printed[name] = given(name, math.inf, source="assumption", note=NO_SLEEP)
        if is_assumed:  # of drives awake
            (of_idle,) = (item for item in own if item.quantity == "idle_power_w")
            items["awake_power_w"] = replace(of_idle, quantity="awake_power_w")
    if idle is not None and not is_assumed:
        is_awake = usual_place(drive) == "server" or idle.value >= items["awake_power_w"].low
        name = "awake_power_w" if is_awake else "light_power_w"
        del items[name]
        printed[name] = given(name, idle.value, source="catalogue")
    return tuple(items.values()), printed

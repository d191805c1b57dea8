"""Assumed facts of heat and idle states: by form factor, cooling and class of a drive."""

import re
from dataclasses import replace
from typing import NamedTuple

from planner.catalogue.drive import Drive
from planner.catalogue.forms import forms_of
from planner.catalogue.priors import Assumption, of_words
from planner.catalogue.priors_kind import words_of

ANY_FORM, MODULE, HEAT_SINK = "any form", "M.2", "heatsink"
FORMS = (MODULE, "2.5-inch", "U.2", "E1.S", "card")
BY_FORM = ("still_k_per_w", "body_j_per_k", "link_k_per_w")
BY_KIND = (
    "controller_j_per_k", "controller_fraction", "airflow_gain", "limit_k", "hysteresis_k",
    "throttled_rate_ratio",
)  # fmt: skip
IDLE = (
    "awake_power_w", "light_power_w", "deep_power_w", "light_transition_s", "deep_transition_s",
    "light_wake_s", "deep_wake_s",
)  # fmt: skip
STATABLE = frozenset((*BY_FORM, *BY_KIND, *IDLE))  # as facts of a drive, in place of a range
_WRITTEN = {
    "E1.S": r"E1\.S", MODULE: r"M\.2|mSATA", "card": r"AIC|HHHL|FHHL|card",
    "U.2": r"U\.[23]|15 ?mm", "2.5-inch": r"2\.5",
}  # fmt: skip


class DrivePlace(NamedTuple):
    """The place of a drive: its form, how its air moves, and whether it has a heat sink.

    Without a `speed_m_per_s` the air moves as is assumed of the place.
    """

    form: str
    name: str
    has_heat_sink: bool = False
    speed_m_per_s: float | None = None


def form_of(drive: Drive) -> str:
    """Return the first form factor of a drive for which there are thermal facts.

    >>> from planner.catalogue import find, load
    >>> [form_of(find(load(), name)) for name in ("860 PRO 4TB", "PM9A3 1.92", "980 1TB")]
    ['2.5-inch', 'U.2', 'M.2']
    """
    checked, of_model = forms_of(drive)
    is_fast = "NVMe" in words_of(drive)
    for text in (*checked, *of_model):
        for form, pattern in _WRITTEN.items():
            if re.search(pattern, text, re.IGNORECASE):
                return "U.2" if is_fast and form == "2.5-inch" else form
    return ANY_FORM


def usual_place(drive: Drive) -> str:
    """Return the usual place of drives of this class.

    >>> from planner.catalogue import find, load
    >>> usual_place(find(load(), "PM9A3 1.92")), usual_place(find(load(), "870 EVO 1TB"))
    ('server', 'desktop')
    """
    return "server" if "enterprise" in words_of(drive) else "desktop"


def thermal_assumptions(words: frozenset[str], place: DrivePlace) -> tuple[Assumption, ...]:
    """Return the ranges of the thermal facts of a drive of some kind at its place.

    >>> by_name = {item.quantity: item for item in thermal_assumptions(
    ...     frozenset({"client", "NVMe"}), DrivePlace("M.2", "desktop"))}
    >>> by_name["still_k_per_w"].typical, by_name["limit_k"].typical
    (16.0, 353.0)
    """
    form = frozenset({place.form, *([HEAT_SINK] if place.has_heat_sink else [])})
    flow = [] if place.speed_m_per_s is not None else ["airflow_m_per_s"]
    rows = (
        (BY_FORM, form, place.form),
        ((*flow, "air_rise_k"), frozenset({place.name}), place.name),
        (BY_KIND, words, _kind(words)),
    )
    return tuple(_range(name, kind, basis) for names, kind, basis in rows for name in names)


def idle_assumptions(drive: Drive) -> tuple[Assumption, ...]:
    """Return the ranges of its states of sleep, and of the power of reading over writing.

    >>> from planner.catalogue import find, load
    >>> [item.quantity for item in idle_assumptions(find(load(), "860 PRO 4TB"))][:2]
    ['awake_power_w', 'light_power_w']
    """
    words = words_of(drive)
    return tuple(_range(name, words, _kind(words)) for name in (*IDLE, "read_power_ratio"))


def _kind(words: frozenset[str]) -> str:
    return ", ".join(sorted(words & {"client", "enterprise", "SATA", "NVMe"}))


def _range(quantity: str, words: frozenset[str], basis: str) -> Assumption:
    """Return a range with its source; what it applies to is no kind of flash."""
    item = of_words(quantity, words, basis or "any drive")
    return replace(item, ground=item.ground.partition("; ")[2])

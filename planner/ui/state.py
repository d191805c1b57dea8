"""The scenario on screen: widgets made from the table of inputs, and the link that holds them."""

import math
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.errors import DomainError
from models.units import DAY_S, GB, GIB
from planner.catalogue import Catalogue, find, load
from planner.catalogue.drive import Drive, own_drive
from planner.catalogue.priors_kind import kind_text
from planner.quantity.input import Input, choice, flag
from planner.quantity.inputs import DRIVE, FLASH, GRID, INPUTS, LOAD, RATES
from planner.quantity.link import KEYS, from_query, slider_value
from planner.quantity.show import complaint, text
from planner.scenario.array import Array, RaidLevel
from planner.sections.plan import Plan, plan
from planner.sections.request import request
from planner.ui.plain import bullets, plain

__all__ = [
    "LEVELS",
    "MOST_DRIVES",
    "OWN",
    "WRITES_GIB_PER_DAY",
    "catalogue",
    "chosen",
    "controls",
    "current",
    "forget_drive",
    "plan_of",
    "put",
    "take",
    "texts",
    "wide",
]

OWN_CAPACITY = 1000 * GB
EXAMPLE = {"writes": "10,000 GiB/day", "drives": "12", "raid": "5"}
EXAMPLE_DRIVE = "Samsung 845DC PRO 400 GB"
OWN = "Your own drive (describe it in the sidebar)"
WRITES_GIB_PER_DAY = [
    mantissa * 10.0**power for power in range(6) for mantissa in (1, 1.5, 2, 3, 5, 7)
]  # fmt: skip
MOST_DRIVES = 60
LEVELS = INPUTS["raid"].choices
# What is not in the table: the drive, what pages look for, and how they draw it.
OTHER_KEYS = (
    "drive", "search", "with", "iops_scale", "spare_area", "needed", "how_sure", "like", "segments",
    "least", "against", "c_title", "writes_slider",
)  # fmt: skip
TOP = ("drives", "raid", "writes", "spare", "known_only")
WORKLOAD = tuple(name for name in LOAD if name != "writes")
IN_FIRMWARE = ("collection", "placement", "accuracy")
IN_ARRAY = ("sets", "hot_spares", "years")
KNOWN = ("capacity", *DRIVE)
_SCENARIO = (*TOP, *WORKLOAD, "sets", "hot_spares")
_OF_ONE_DRIVE = (*KNOWN, *RATES, *FLASH)
_READ = "inputs as last read"


@st.cache_resource
def catalogue() -> Catalogue:
    """Load the catalogue once."""
    return load()


def texts(
    *names: str,
    places: Sequence[DeltaGenerator] = (),
    known: Mapping[str, str] | None = None,
    defaults: Mapping[str, str] | None = None,
    disabled: Sequence[str] = (),
) -> dict[str, str]:
    """Draw the widgets of some inputs, by key, and return what they say.

    Widgets stand in `places`, in turn. An empty field shows what is `known` without it. What
    cannot be read is refused by name, and what the field said before holds.
    """
    where = cycle(places or [st.container()])
    known, defaults = known or {}, defaults or {}
    return {
        key: _accepted(key, _drawn(place, key, defaults.get(key), known, disabled), place)
        for key, place in zip(names, where, strict=False)
    }


def _drawn(
    place: DeltaGenerator,
    key: str,
    default: str | None,
    known: Mapping[str, str],
    disabled: Sequence[str],
) -> str:
    """Draw one widget bound to the link, and return what it says as text."""
    row = KEYS[key]
    default = row.default or "" if default is None else default
    label = plain(row.label)
    unit = "" if row.shown_in == "1" else f" {plain(f'[{row.shown_in}]')}"
    common: dict[str, Any] = {
        "key": key, "bind": "query-params", "help": plain(row.help), "disabled": key in disabled
    }  # fmt: skip
    if key.removeprefix("choose_") in GRID and key not in GRID:
        return str(place.text_input(label, default, **common))
    if row.slider is not None:
        at = place.slider(f"{label}{unit}", *row.slider, slider_value(row, default), **common)
        return f"{at}%" if unit else f"{at}"
    if row.read is flag:
        return str(place.toggle(label, default == "true", **common)).lower()
    if row.choices:
        at = place.selectbox(
            label, row.choices, row.choices.index(default),
            accept_new_options=row.read is not choice, **common,
        )  # fmt: skip
        return str(at)
    return str(place.text_input(label, default, placeholder=known.get(key, ""), **common))


def _accepted(key: str, written: str, place: DeltaGenerator) -> str:
    """Return a text that can be read: this one, or the last one before it."""
    row, before = KEYS[key], st.session_state.setdefault(_READ, {})
    try:
        if written or row.default is not None:
            _check(key, row, written)
    except DomainError as error:
        kept = before.get(key, row.default or "")
        place.error(plain(f"{complaint(error, {})}; the figures are those of '{kept}'"))
        return str(kept)
    before[key] = written
    return written


def _check(key: str, row: Input, written: str) -> None:
    if key not in INPUTS:
        row.values(written)
    elif row.is_repeatable:
        row.every(written)
    else:
        row.value(written)


def read_link() -> None:
    """Translate the link of a new visit to present names, and say what changed."""
    state = st.session_state
    if "link" not in state:
        query = {key: st.query_params.get_all(key) for key in st.query_params}
        if query.get("sure", [""])[-1] in ("true", "false"):
            query["how_sure"] = query.pop("sure")
        link = from_query(query, others=OTHER_KEYS)
        state["link"] = (link.renamed, link.refused + _unknown_drive(link.values))
        if link.values != {key: st.query_params[key] for key in st.query_params}:
            st.query_params.from_dict(link.values)
            st.rerun()
    renamed, refused = state["link"]
    if refused:
        st.warning(bullets(refused, head="In the link, but ignored:"))
    if renamed:
        st.caption(plain(f"The link uses former names: {'; '.join(renamed)}."))


def _unknown_drive(values: dict[str, str | list[str]]) -> list[str]:
    """Remove a drive that is not available from a link, and name it."""
    written = values.get("drive", [])
    name = written[-1] if written else EXAMPLE_DRIVE
    if name in _names():
        return []
    del values["drive"]
    return [f"drive={name} is not in the catalogue"]


def controls() -> None:
    """Draw the shared widgets; each keeps its value in the URL."""
    read_link()
    with st.container(border=True):
        what, writes, spare = st.columns([2, 2, 2])
        what.selectbox(
            "Drive", _names(), index=_names().index(EXAMPLE_DRIVE), key="drive",
            bind="query-params", on_change=forget_drive,
            help="Type to search by vendor, model or capacity.",
        )  # fmt: skip
        scenario = texts("drives", "raid", places=what.columns(2), defaults=EXAMPLE)
        with writes:
            slider = st.empty()
            scenario |= texts("writes", defaults=EXAMPLE)
            _writes_slider(slider, scenario["writes"])
        scenario |= texts("spare", "known_only", places=[spare])
    with st.sidebar:
        st.header("Array")
        scenario |= texts(*IN_ARRAY, places=st.columns(len(IN_ARRAY)))
        st.header("Workload")
        scenario |= texts(*(name for name in WORKLOAD if name not in IN_FIRMWARE))
        st.header("Firmware")
        st.caption("Seldom published; the write amplification screen shows the range.")
        scenario |= texts("collection", "placement")
        is_apart = scenario["placement"] == "streams"
        scenario |= texts("accuracy", disabled=[] if is_apart else ["accuracy"])
        scenario |= _drive_widgets()
    st.session_state["scenario"] = scenario


def _writes_slider(place: DeltaGenerator, writes: str) -> None:
    """Draw the slider that helps to set the writes, and follows them."""
    per_day = INPUTS["writes"].value(writes) * DAY_S / GIB
    if not math.isnan(per_day):
        st.session_state["writes_slider"] = min(
            WRITES_GIB_PER_DAY, key=lambda value: abs(value - per_day)
        )
    place.select_slider(
        "Host writes [GiB/day]", WRITES_GIB_PER_DAY, key="writes_slider",
        format_func=lambda value: f"{value:,.0f}" if value >= 10 else f"{value:g}",
        on_change=_take_slider,
    )  # fmt: skip


def _drive_widgets() -> dict[str, str]:
    st.header("What you know about the drive")
    st.caption("Empty: the value in the catalogue.")
    known = _known()
    said = texts(*KNOWN, known=known)
    with st.expander("Rates of the data sheet"):
        said |= texts(*RATES, known=known)
    with st.expander("Flash, for the Speed screen"):
        said |= texts(*FLASH, known=known)
    if st.session_state["drive"] == OWN and not said["capacity"]:
        st.warning("Your own drive has 1000 GB until you enter its user capacity above.")
    return said


def _known() -> dict[str, str]:
    """Write what the catalogue says of the drive on screen, by input."""
    drive = chosen()
    values = {name: drive.value(INPUTS[name].field) for name in (*KNOWN, *RATES, *FLASH)}
    stated = {
        name: "not in the catalogue" if value is None else text(INPUTS[name].field, value)
        for name, value in values.items()
    }
    return stated | {
        "kind": kind_text(drive), "wa": "by model",
        "measured_wa": "3.19@894GiB; ...", "measured_iops": "94204@894GiB; ...",
        "rating_wa": "assumed", "stalled": "unknown",
        "fact": "dies=32, ...",
    }  # fmt: skip


def chosen() -> Drive:
    """Return the drive on screen as the catalogue knows it."""
    name = st.session_state["drive"]
    return own_drive(OWN_CAPACITY) if name == OWN else find(catalogue(), name)


def put(**said: str) -> None:
    """Put texts of inputs on screen, as a callback does before the page is drawn."""
    for key, written in said.items():
        row = KEYS[key]
        is_slider = row.slider is not None and written
        st.session_state[key] = slider_value(row, written) if is_slider else written


def take(drive: Drive, array: Array, partition_fraction: float) -> None:
    """Put a drive in an array on screen, as a callback does before the page is drawn."""
    forget_drive()
    level = array.name.partition(",")[0] if array.level is RaidLevel.EC else str(array.level)
    st.session_state["drive"] = drive.name
    put(
        drives=f"{array.members}",
        raid=f"ec:{level}" if array.level is RaidLevel.EC else level,
        sets=f"{array.sets}",
        hot_spares=f"{array.hot_spares}",
        spare=f"{round(100 * (1 - partition_fraction))}%",
    )


def forget_drive() -> None:
    """Forget what was entered about the drive that was on screen before."""
    put(**dict.fromkeys(_OF_ONE_DRIVE, ""))


def current() -> Plan:
    """Return the plan of the scenario on screen; a bad input stops with its sentence."""
    return plan_of(chosen(), known=True)


def plan_of(drive: Drive, *, known: bool = False) -> Plan:
    """Return the plan of one drive; `known` adds what the user entered about it."""
    names = (*_SCENARIO, *_OF_ONE_DRIVE) if known else _SCENARIO
    said = st.session_state["scenario"]
    try:
        return plan(**request(drive, **{name: said[name] for name in names if said[name]}))
    except DomainError as error:
        st.error(plain(f"{drive.name}: {complaint(error, {})}"))
        st.stop()


def wide(reasons: Sequence[str]) -> None:
    """Say what makes the answers ranges, and what would narrow each."""
    if reasons:
        with st.expander("Assumed, because unknown"):
            st.markdown(bullets(reasons))


def _names() -> list[str]:
    return [*(drive.name for drive in catalogue().drives.values()), OWN]


def _take_slider() -> None:
    put(writes=f"{st.session_state['writes_slider']:,.10g} GiB/day")

"""The scenario as a sentence, what differs from the usual beside it, and the rest in one drawer."""

import re

import streamlit as st

from planner.catalogue.priors_kind import kind_text
from planner.quantity.inputs import FLASH, INPUTS, RATES
from planner.quantity.link import KEYS
from planner.quantity.show import text
from planner.ui import state as scenario
from planner.ui.plain import plain
from planner.ui.state import OWN, texts

__all__ = ["EXAMPLES", "controls", "further_controls", "read"]

# One click each: what people plan most, with a drive that they would take.
EXAMPLES = {
    "NAS drive": ("Samsung 870 EVO 1 TB", {"writes": "30 GB/day"}),
    "12-drive database": (
        "Samsung PM9A3 3.84 TB",
        {"writes": "10 TB/day", "drives": "12", "raid": "10", "skew": "80/20", "size": "16 KiB"},
    ),
    "PostgreSQL": (
        "Micron 7450 PRO 3.84 TB",
        {"writes": "2798.6588 GB/day", "writes_between": "2645.8915 GB/day..3120.9057 GB/day",
         "size": "12 KiB", "working_set": "3.56 GB"},
    ),
    "VM host": (
        "Micron 7450 PRO 3.84 TB",
        {"writes": "2 TB/day", "drives": "4", "raid": "10", "skew": "80/20"},
    ),
    "Recorder": (
        "Samsung 870 QVO 4 TB", {"writes": "700 GB/day", "sequential": "95%", "size": "256 KiB"},
    ),
}  # fmt: skip
DRAWER = {
    "Workload": ("growth", "step", "phase_in", "reads", "size", "sequential", "client", "skew",
                 "working_set", "trim", "depth", "fill"),
    "Array and spare area": ("spare", "hot_spares", "sets", "record", "collection", "placement",
                             "accuracy", "known_only"),
    "The drive": ("kind", "capacity", "raw", "pe_cycles", "tbw", "warranty", "price", "used",
                  "written", "age", "as_of", "fact"),
    "What was measured": ("writes_between", "wa", "measured_wa", "measured_iops", "rating_wa",
                          "worst_iops", "stalled"),
    "Its data sheet": (*RATES, "pages", "blocks", "reserve"),
    "Its flash": FLASH,
}  # fmt: skip
TOPICS = tuple(DRAWER)
A_DAY = re.compile(r"[\d.,]+\s*[kMGTP]i?B", re.IGNORECASE)
_REFUSED = "drive that was refused"


def read() -> None:
    """Keep what was typed into the sentence and its drawer, before either is drawn."""
    _read_drive()
    _per_day()
    scenario.read_typed((*scenario.SCENARIO, *scenario.OF_ONE_DRIVE))


def controls() -> None:
    """Draw the sentence, and examples of it."""
    with st.container(border=True, key="sentence"):
        _sentence()
        _examples()


def further_controls() -> None:
    """Draw all other inputs in their drawer, and what differs from the usual."""
    _drawer()
    _chips()


def _sentence() -> None:
    row = st.container(horizontal=True, vertical_alignment="top", key="fields")
    with row:
        texts("drives", places=[row], labels={"drives": "I have"}, width=72)
        st.selectbox(
            "drives of the model" if _is_array() else "drive", scenario.names(), index=None,
            key="drive", accept_new_options=True, on_change=scenario.forget_drive, width=240,
            placeholder="Type a model and a capacity",
            help=plain(f"Type what you know of its name; “{OWN}” is at the end of the list."),
        )  # fmt: skip
        if _is_array():
            texts("raid", places=[row], labels={"raid": "as RAID"}, width=110)
        texts("writes", places=[row], labels={"writes": "writing"}, width=170)
        texts("years", places=[row], labels={"years": "for"}, width=110)
        if scenario.drive_name() == OWN:
            known = {"capacity": "1 TB", "kind": "TLC client SATA"}
            texts("capacity", places=[row], labels={"capacity": "of"}, known=known, width=110)
            texts("kind", places=[row], labels={"kind": "kind"}, known=known, width=240)
    if refused := st.session_state.get(_REFUSED):
        st.error(plain(refused))
        st.button("Describe it", on_click=_describe, key="describe")
    st.caption(plain(f"{_as_read()}."))


def _is_array() -> bool:
    return scenario.text_of("drives") != "1"


def _read_drive() -> None:
    """Put the full name where a part of one was typed; keep the drive where there is none."""
    state, before = st.session_state, scenario.drive_name()
    typed = state.get("drive", before)
    try:
        name, state[_REFUSED] = (scenario.named(typed) if typed else before), ""
    except ValueError as error:
        name, state[_REFUSED] = before, f"{error}; the figures are those of {before}"
    state["drive"] = name
    scenario.put_drive(name)


def _describe() -> None:
    scenario.put_drive(OWN)


def _per_day() -> None:
    """Read an amount without a time as one a day: nobody means 30 GB in all."""
    typed = str(st.session_state.get("writes", ""))
    if A_DAY.fullmatch(typed.strip()):
        st.session_state["writes"] = f"{typed.strip()}/day"


def _as_read() -> str:
    """Say how the writes were read."""
    row, drive = INPUTS["writes"], scenario.chosen()
    try:
        rate = row.value(scenario.text_of("writes"), capacity_bytes=drive.capacity_bytes)
    except ValueError:
        return "Writes are a rate such as 30 GB/day or 0.3 DWPD"
    return f"Writes are read as {text(row.field, rate, digits=3)} to all drives"


def _examples() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="examples"):
        st.caption("Examples", width="content")
        for name, (drive, typed) in EXAMPLES.items():
            st.button(plain(name), type="tertiary", on_click=scenario.put_all, args=(drive, typed))
        if st.button("My SMART file", type="tertiary"):
            scenario.go("measure")


def _drawer() -> None:
    """Draw all other inputs, a dozen at a time, while their drawer is open."""
    drawer = st.expander("Advanced: workload, array, drive", key="advanced", on_change="rerun",
                         bind="query-params")  # fmt: skip
    if not drawer.open:
        return
    with drawer:
        topic = st.segmented_control(
            "Topic", TOPICS, default="Workload", required=True, key="topic",
            bind="query-params", label_visibility="collapsed",
        )  # fmt: skip
        is_apart = scenario.text_of("placement") == "streams"
        texts(
            *DRAWER[topic], places=st.columns(4), known=_known(),
            disabled=[] if is_apart else ["accuracy"],
        )  # fmt: skip
        if topic == "The drive" and scenario.drive_name() == OWN:
            st.caption("A drive that you describe has 1,000 GB until you say otherwise.")


def _known() -> dict[str, str]:
    """Write what the catalogue says of the drive on screen, by input."""
    drive = scenario.chosen()
    stated = {}
    for name in scenario.OF_ONE_DRIVE:
        value = drive.value(INPUTS[name].field)
        stated[name] = "not in the catalogue" if value is None else text(INPUTS[name].field, value)
    return stated | {
        **dict.fromkeys(("used", "written", "age", "as_of"), "new"),
        "kind": kind_text(drive), "wa": "by model", "rating_wa": "assumed", "stalled": "unknown",
        "fact": "dies=32, ...", "measured_wa": "3.19@894GiB; ...",
        "measured_iops": "94204@894GiB; ...",
    }  # fmt: skip


def _chips() -> None:
    """List what differs from the usual; a click takes it back."""
    kept = {*scenario.SCENARIO, *scenario.OF_ONE_DRIVE} - {"drives", "raid", "writes", "years"}
    typed = [(key, statement) for key, statement in scenario.inputs().items() if key in kept]
    place = st.container(horizontal=True, key="chips")  # always there: what is below must not move
    if not typed:
        return
    with place:
        st.caption(f"{len(typed):,} changed", width="content")
        for key, statement in typed:
            label = f"{KEYS[key].label}: {statement or 'none'}"
            st.button(
                plain(label), icon=":material/close:", key=f"chip {key}", help="Back to the usual",
                on_click=_take_back, args=(key,),
            )  # fmt: skip


def _take_back(key: str) -> None:
    scenario.put(**{key: scenario.default_of(key)})

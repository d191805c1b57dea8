"""The scenario as a sentence, what differs from the usual beside it, and the rest in one drawer."""

from collections.abc import Sequence

import streamlit as st

from models.units import DAY_S, GB, PB, TB, YEAR_S
from planner.catalogue.priors_kind import kind_text
from planner.quantity.inputs import FAILURES, FLASH, INPUTS, RATES
from planner.quantity.link import KEYS, per_day
from planner.quantity.show import text
from planner.sections.stated_writes import read_as
from planner.ui import application as load_of
from planner.ui import application_fields, box
from planner.ui import state as scenario
from planner.ui.plain import plain
from planner.ui.state import OWN, texts

# One click each: what people plan most, with a drive that they would take.
EXAMPLES = {
    "NAS drive": ("Samsung 870 EVO 1 TB", {"writes": "30 GB/day"}),
    "12-drive database": (
        "Samsung PM9A3 3.84 TB",
        {"writes": "10 TB/day", "drives": "12", "raid": "10", "skew": "80/20", "size": "16 KiB"},
    ),
    "My application": ("Micron 7450 PRO 3.84 TB", {"app": load_of.FIRST}),
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
    "Where the data lives": ("keep", "power", "sync", "commit_p99"),
    "The drive": ("kind", "capacity", "raw", "pe_cycles", "tbw", "warranty", "price", "used",
                  "written", "age", "as_of", "fact"),
    "What was measured": ("writes_between", "wa", "measured_wa", "measured_iops", "rating_wa",
                          "worst_iops", "stalled"),
    "Its data sheet": (*RATES, "pages", "blocks", "reserve"),
    "Its flash": FLASH,
}  # fmt: skip
OF_APPLICATION = "The application"

WITH_BOX = ("Plan", "Compare")
ALL_FIELDS = ("drives", "drive", "raid", "writes", "years", "capacity", "kind")
# What the others decide for themselves: no field stands where it has no effect.
FIELDS = {"Choose": ("writes", "years"), "Drives": ("drive", "capacity", "kind")}
TOPICS = {
    "Plan": tuple(DRAWER), "Compare": tuple(DRAWER), "Choose": ("Workload",),
    "Drives": ("The drive", "Its data sheet", "Its flash"),
    "Drives, application": ("The drive", "Its data sheet", "Its flash"),
    "Choose, application": (OF_APPLICATION, "Workload"),
    "Plan, application": (OF_APPLICATION, *DRAWER),
    "Compare, application": (OF_APPLICATION, *DRAWER),
}  # fmt: skip
# Of each field, its words in the sentence and its width.
SAID = {
    "drives": ("I have", 72), "raid": ("as RAID", 110), "writes": ("writing", 170),
    "years": ("for", 110), "capacity": ("of", 110), "kind": ("kind", 240),
}  # fmt: skip
OF_OWN = {"capacity": "1 TB", "kind": "TLC client SATA"}
_REFUSED = "drive that was refused"


def read() -> None:
    """Store the inputs of the sentence and its drawer, before either is drawn."""
    _read_drive()
    _per_day()
    scenario.read_typed((*scenario.SCENARIO, *scenario.OF_ONE_DRIVE, *FAILURES))
    scenario.settle()
    of_drive = [why] if (why := st.session_state[_REFUSED]) else []
    scenario.refuse([*of_drive, *application_fields.refusals()])


def controls(place: str) -> None:
    """Draw what a place takes of the sentence, and examples of it."""
    with st.container(border=True, key="sentence"):
        if place in WITH_BOX:
            box.draw()
        _sentence(FIELDS.get(place, ALL_FIELDS))
        _examples()


def further_controls(place: str) -> None:
    """Draw other inputs in their drawer, and what differs from the usual."""
    _drawer(place)
    _chips()


def _sentence(fields: Sequence[str]) -> None:
    row = st.container(horizontal=True, vertical_alignment="top", key="fields")
    with row:
        for key in fields:
            if key == "drive":
                _drive_field()
            elif key == "writes" and scenario.inputs().get("app"):
                application_fields.in_sentence(row)
            elif _is_said(key):
                label, width = SAID[key]
                texts(key, places=[row], labels={key: label}, known=OF_OWN, width=width)
    if refused := st.session_state.get(_REFUSED):
        st.error(plain(refused))
        st.button("Describe it", on_click=_describe, key="describe")
    if pair := scenario.refused_together():
        st.error(plain(pair))
    if "writes" in fields:
        _writes_as_read()


def _writes_as_read() -> None:
    """Draw the load of the application, and what of it is refused, or the writes as read."""
    load, refused = scenario.load_or_refusal()
    if refused:
        st.error(plain(refused))
    said = f"{load.sentence} {load.preset.note}" if load else f"{_as_read()}."
    st.caption(plain(said))


def _drive_field() -> None:
    st.selectbox(
        "drives of the model" if _is_array() else "drive", scenario.names(), index=None,
        key="drive", accept_new_options=True, on_change=scenario.forget_drive, width=240,
        placeholder="Type a model and a capacity",
        help=plain(f"Type what you know of its name; “{OWN}” is at the end of the list."),
    )  # fmt: skip


def _is_said(key: str) -> bool:
    """Whether a field has an effect: layouts are of several drives, descriptions of one's own."""
    if key in OF_OWN:
        return scenario.drive_name() == OWN
    return key != "raid" or (_is_array() and not scenario.typed_text("keep"))


def _is_array() -> bool:
    return scenario.typed_text("drives") != "1"


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
    if "writes" in st.session_state:
        st.session_state["writes"] = per_day(str(st.session_state["writes"]))


def _as_read() -> str:
    """Describe the writes as they were read: an amount a day and a year."""
    if scenario.goes_on_as_so_far():
        return "Writes as so far: type a rate to plan another one"
    row, drive, typed = INPUTS["writes"], scenario.chosen(), scenario.text_of("writes")
    try:
        rate = row.value(typed, capacity_bytes=drive.capacity_bytes)
    except ValueError:
        return "Writes are a rate such as 30 GB/day or 0.3 DWPD"
    if said := read_as(scenario.inputs() | {"writes": typed}, drive.capacity_bytes):
        return f"{said[0].upper()}{said[1:]}"
    a_day, a_year = (_amount(float(rate) * span_s) for span_s in (DAY_S, YEAR_S))
    return f"Read as {a_day} a day{' to all drives' if _is_array() else ''}: {a_year} a year"


def _amount(size: float) -> str:
    """Write bytes in the decimal unit of capacities.

    >>> _amount(30e9), _amount(1.2345e15)
    ('30 GB', '1.23 PB')
    """
    unit, name = next((one for one in ((PB, "PB"), (TB, "TB")) if size >= one[0]), (GB, "GB"))
    return f"{float(f'{size / unit:.3g}'):,.10g} {name}"


def _examples() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="examples"):
        st.caption("Examples", width="content")
        for name, (drive, typed) in EXAMPLES.items():
            st.button(plain(name), type="tertiary", on_click=scenario.put_all, args=(drive, typed))
        if st.button("My SMART file", type="tertiary"):
            scenario.go("measure")


def _drawer(place: str) -> None:
    """Draw all other inputs, a dozen at a time, while their drawer is open."""
    drawer = st.expander("Advanced: workload, array, drive", key="advanced", on_change="rerun",
                         bind="query-params")  # fmt: skip
    if not drawer.open:
        return
    with drawer:
        is_running = bool(scenario.inputs().get("app"))
        kind = f"{place}, application" if is_running else place
        topic = TOPICS[kind][0]
        if len(TOPICS[kind]) > 1:
            topic = st.segmented_control(
                "Topic", TOPICS[kind], default=topic, required=True, key="topic",
                bind="query-params", label_visibility="collapsed",
            )  # fmt: skip
        if topic == OF_APPLICATION:
            application_fields.in_drawer()
            return
        is_apart = scenario.text_of("placement") == "streams"
        elsewhere = [*(load_of.OF_LOAD if is_running else ()), *filter(_is_said, OF_OWN)]
        texts(
            *(key for key in DRAWER[topic] if key not in elsewhere),
            places=st.columns(4), known=_known(),
            disabled=[] if is_apart else ["accuracy"],
        )  # fmt: skip
        if topic == "The drive" and scenario.drive_name() == OWN:
            st.caption("A drive that you describe has 1,000 GB until you say otherwise.")


def _known() -> dict[str, str]:
    """Return the facts of the drive on screen as texts, by input."""
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
    """Show the inputs that differ from their defaults; a click resets one."""
    kept = {*scenario.SCENARIO, *scenario.OF_ONE_DRIVE} - {"drives", "raid", "writes", "years"}
    app, inputs = scenario.inputs().get("app"), scenario.inputs().items()
    typed = [("app", "Application", app)] if app else []
    typed += [(key, KEYS[key].label, statement) for key, statement in inputs if key in kept]
    place = st.container(horizontal=True, key="chips")  # always there: what is below must not move
    if not typed:
        return
    with place:
        st.caption(f"{len(typed):,} changed", width="content")
        for key, label, statement in typed:
            st.button(
                plain(f"{label}: {statement or 'none'}"), icon=":material/close:",
                key=f"chip {key}", help="Back to the usual", on_click=_take_back, args=(key,),
            )  # fmt: skip


def _take_back(key: str) -> None:
    taken = scenario.APPLICATION if key == "app" else (key,)
    scenario.put(**{each: scenario.default_of(each) for each in taken})

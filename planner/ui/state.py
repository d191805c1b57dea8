"""The scenario on screen: typed text by input, and the link with the inputs that are not defaults.

What people typed is kept here, whether its widget is drawn or not, and written into the link; a
link that was changed (Back, Forward, another one) is read again. Widgets are made from the table
of inputs.
"""

import gc
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import cycle
from typing import Any, Literal, NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import StopException

from models.errors import DomainError
from models.units import GB, KIB
from planner.application import Application
from planner.catalogue import Catalogue, find, load
from planner.catalogue.drive import UNLISTED, Drive, own_drive
from planner.catalogue.priors import supply
from planner.quantity.input import Input, choice, flag
from planner.quantity.inputs import DRIVE, FAILURES, FLASH, INPUTS, LOAD, RATES, SITUATION, stated
from planner.quantity.link import KEYS, LISTS, from_query
from planner.quantity.parse import shortened
from planner.quantity.show import complaint
from planner.scenario.array import Array
from planner.scenario.risk import Risk
from planner.scenario.sentence import Question
from planner.search.commits import flush_s_of
from planner.sections.data_loss import data_loss
from planner.sections.plan import PlanReading, plan_drive
from planner.sections.request import request
from planner.sections.stated_writes import HINTED
from planner.ui import application as load_of
from planner.ui.plain import bullets, plain

OWN_CAPACITY = 1000 * GB
KEPT_PLANS = 40  # of all sessions: two of each of twenty
MOST_LINKS = 50  # that are remembered
START_DRIVE = "Samsung 870 EVO 1 TB"
START = {"writes": "30 GB/day", "raid": ""}  # of several drives the layout is asked for
OWN = "A drive that you describe"
FORMER_OWN = ("Your own drive (describe it in the sidebar)",)
LEVELS = INPUTS["raid"].choices
# Keys of links that are no inputs: what pages search for, open and draw.
OTHER_KEYS = (
    "search", "with", "iops_scale", "spare_area", "needed", "how_sure", "like", "trade", "least",
    "against", "front_open", "c_title", "part", "advanced", "placements", "topic", "q",
    "beside", "heat", "courses", "what", "protocol", "protocol_axis", "protocol_beside", "tested",
)  # fmt: skip
_LAYOUT = "How are the {} drives used? Choose a RAID level, 1 for a mirror, or keep single drives"
KNOWN = ("capacity", *DRIVE)
OF_ONE_DRIVE = (*KNOWN, *RATES, *FLASH)
SCENARIO = (
    "drives",
    "raid",
    "spare",
    "known_only",
    *LOAD,
    "sets",
    "hot_spares",
    *SITUATION,
    "years",
)
APPLICATION = ("app", "in", "on")  # the load of applications, which no other input says
_OF_PLAN = tuple(name for name in SCENARIO if name != "years")

_TYPED = "inputs"  # what differs from the usual, by key, as it was typed
_READ = "inputs as last read"  # what held where a text cannot be read
_WHY = "refusals of inputs"  # by key, of those that cannot be read
_GOOD = "inputs of the last plan"
_HELD, _PAIR = "inputs of that plan that hold", "refusal of inputs together"
_DRIVE = "drive on screen"
_LINKS, _SEEN = "links", "link seen"  # those shown and sent, and the last that was seen
_LINKED = "scenario of the link"
_BARE = "scenario at an address without one"
_TAKEN = "taken over into the plan"
_ASKED, BOX = "questions of the sentence", "box"
_OTHERS = "refusals of a drive and of applications"
_LEFT, _PLACE = "as the last run left it", "place"


@st.cache_resource
def catalogue() -> Catalogue:
    """Load the catalogue once; as it stays, no search for garbage goes through it again."""
    loaded = load()
    gc.collect()
    gc.freeze()
    return loaded


# What was typed ---------------------------------------------------------------------------------


def inputs() -> dict[str, str]:
    """Return the typed inputs that differ from their defaults, by key of the link."""
    typed: dict[str, str] = st.session_state.setdefault(_TYPED, {})
    return typed


def default_of(key: str) -> str:
    """Return the default text of an input."""
    return START.get(key, "" if key in APPLICATION else KEYS[key].default or "")


def text_of(key: str) -> str:
    """Return the last valid text of an input."""
    return texts_of([key]).get(key, "")


def texts_of(keys: Iterable[str], drive: str | None = None) -> dict[str, str]:
    """Return the last valid texts of some inputs, without the empty ones; of one drive's plan."""
    keys = list(keys)
    is_of_load = any(key in load_of.OF_LOAD for key in keys)  # others hold if it is refused
    load = application(drive) if is_of_load else load_or_refusal(drive)[0]
    held = _read_inputs() | st.session_state.get(_HELD, {})
    if load is not None:
        held |= dict.fromkeys(load_of.OF_LOAD, "") | load.plan_inputs
        if "keep" in keys and held.keys().isdisjoint(("keep", "drives", "raid")):
            held |= load.cluster_inputs
    return {key: text for key in keys if (text := held.get(key, default_of(key)))}


def _read_inputs() -> dict[str, str]:
    """Return the last texts that can be read, by key of the link."""
    read: dict[str, str] = st.session_state.get(_READ, {})
    return inputs() | read


def typed_text(key: str) -> str:
    """Return the text of an input on screen, whether it can be read or not."""
    return inputs().get(key, default_of(key))


def application(drive: str | None = None) -> Application | None:
    """Return the load of the applications on screen, if there are any, on a drive by its name.

    In the place of one plan this is its drive; among several drives none is meant unless named.
    Where it is refused, the load is the nearest one that is not, but on another drive there is
    none.
    """
    load, refused = load_or_refusal(drive)
    if refused and drive not in (None, drive_name()):
        raise DomainError(refused)
    if refused and load is None:
        stop(refused)
    return load


def load_or_refusal(drive: str | None = None) -> tuple[Application | None, str]:
    """Return the load of the applications on screen on a drive, and what of it is refused."""
    apps, stated, on = (inputs().get(key, "") for key in APPLICATION)
    if not apps:
        return None, ""
    if drive is None and st.session_state.get(_PLACE) == "Plan":
        drive = drive_name()
    flush_s = _flush_s(drive) if drive and _is_of_catalogue(drive) else None
    return load_of.nearest(apps, stated, on, flush_s)


@lru_cache(maxsize=64)
def _flush_s(name: str) -> float | None:
    """Return the flush time of a drive by its full name, as the catalogue knows it."""
    return flush_s_of(_drive(name))


def put(**texts: str) -> None:
    """Put texts of inputs on screen, as a callback does before the page is drawn.

    Writes take the place of an application, and an application that of its load.
    """
    if {"writes", "app"} <= texts.keys():
        texts.pop("writes")
    if "writes" in texts or texts.get("app"):
        gone = APPLICATION if "writes" in texts else load_of.OF_LOAD
        texts = {key: default_of(key) for key in gone if key in inputs()} | texts
    for key, text in texts.items():
        if text == default_of(key):
            inputs().pop(key, None)
        else:
            inputs()[key] = text
        for kept in (_READ, _WHY):
            st.session_state.get(kept, {}).pop(key, None)
        if key in st.session_state:
            st.session_state[key] = _value(KEYS[key], text)


def drive_name() -> str:
    """Return the full name of the drive on screen."""
    return str(st.session_state.get(_DRIVE, START_DRIVE))


def put_drive(name: str) -> None:
    """Put a drive on screen, by its full name."""
    st.session_state[_DRIVE] = name
    if "drive" in st.session_state:
        st.session_state["drive"] = name


def put_all(drive: str, typed: Mapping[str, str]) -> None:
    """Put a whole scenario on screen; what it leaves out is as usual, and no sentence stays."""
    st.session_state.pop(_ASKED, None)
    st.session_state[BOX] = ""
    put_drive(drive)
    put(**{key: default_of(key) for key in [*inputs()] if key not in typed})
    put(**typed)


def take(drive: str, array: Array, partition_fraction: float) -> None:
    """Put a drive, by its full name, in an array on screen, as a callback before the page does."""
    forget_drive()
    put_drive(drive)
    put(
        drives=f"{array.members}",
        raid=array.written,
        sets=f"{array.sets}",
        hot_spares=f"{array.hot_spares}",
        record=f"{array.record_bytes / KIB:.15g} KiB",
        spare=f"{100 * (1 - partition_fraction):.4g}%",
    )


def forget_drive() -> None:
    """Forget what was entered about the drive that was on screen before."""
    put(**dict.fromkeys(OF_ONE_DRIVE, ""))


# The link ---------------------------------------------------------------------------------------


def read_link(place: str) -> None:
    """Read the link of a new visit, or the one that Back, Forward or an edit brought.

    Going to another place keeps the scenario: its address holds none, or an older one. So does
    going back to an address without one, which is left so: else Back would end there.
    """
    state = st.session_state
    query = {key: st.query_params.get_all(key) for key in st.query_params}
    held = {key: values for key, values in query.items() if key not in OTHER_KEYS}
    is_new = _LINKS not in state
    has_moved = is_new or (state[_PLACE] == place and _has_moved(held))
    if is_new or (has_moved and held):
        _take_link(query)
    if has_moved or state[_PLACE] != place:
        _see(held)
    if has_moved and not (is_new or held):
        state[_BARE] = params()
    state[_PLACE] = place
    renamed, refused = state["of link"]
    if refused:
        st.error(bullets(refused, head="In the link, but ignored:"))
    if renamed:
        st.caption(plain(f"The link uses former names: {'; '.join(renamed)}."))


def _has_moved(held: dict[str, list[str]]) -> bool:
    """Whether the browser shows another link than those that it was sent, or an earlier one.

    It may be one or more links behind, where a widget was used before they arrived. Where none was
    used, somebody went back.
    """
    links, seen = st.session_state[_LINKS], st.session_state[_SEEN]
    sent = [place for place in range(seen, len(links)) if links[place] == held]
    if not sent or (sent[-1] < len(links) - 1 and not _was_used()):
        return True
    st.session_state[_SEEN] = sent[-1]
    return False


def _was_used() -> bool:
    """Whether a widget holds another value than at the end of the last run; buttons go off."""
    before, now = st.session_state.get(_LEFT, {}), _held()
    return any(
        now[key] != value and not (value is True and now[key] is False)
        for key, value in before.items()
        if key in now
    )


def _held() -> dict[str, Any]:
    """Return the plain values of this session: those of widgets, and what was typed."""
    state: Mapping[Any, Any] = st.session_state
    plain_values = {
        key: value for key, value in state.items() if isinstance(value, str | int | float)
    }
    return plain_values | {_TYPED: dict(inputs())}


def _see(held: dict[str, list[str]]) -> None:
    """Remember the link that the browser shows."""
    links = [*st.session_state.get(_LINKS, []), held][-MOST_LINKS:]
    st.session_state[_LINKS], st.session_state[_SEEN] = links, len(links) - 1


def _take_link(query: Mapping[str, Sequence[str]]) -> None:
    written = {key: values for key, values in query.items() if key != "writes_slider"}
    if written.get("sure", [""])[-1] in ("true", "false"):  # a former key of what is open
        st.query_params.from_dict(written | {"sure": [], "how_sure": written["sure"]})
        st.rerun()
    if "rules" in written:  # as on other faces; the widget of the trade has a key of its own
        st.query_params.from_dict(written | {"rules": [], "trade": written["rules"]})
        st.rerun()
    link = from_query(written, others=(*OTHER_KEYS, *APPLICATION, "drive"))
    values, refused = typed_of(link.values)
    refused = [*link.refused, *refused]
    name, why = _linked_drive(link.values.get("drive"))
    if why:
        refused = [*refused, why]
    put_all(name, values)
    st.session_state.pop(_GOOD, None)
    st.session_state["of link"] = (link.renamed, refused)
    st.session_state[_LINKED] = params()


def typed_of(values: Mapping[str, str | list[str]]) -> tuple[dict[str, str], list[str]]:
    """Return the inputs in a link or a file as they are kept, and what of them is refused.

    What follows from an application is not kept beside it.
    """
    typed = {key: str(text) for key, text in values.items() if key in KEYS}
    written = {key: values.get(key, []) for key in APPLICATION}
    stated = {key: text if isinstance(text, str) else "; ".join(text)
              for key, text in written.items() if text}  # fmt: skip
    if "app" not in stated:
        return typed, [f"{key} applies to an application: app names it" for key in stated]
    load, refused = load_of.checked(*(stated.get(key, "") for key in APPLICATION))
    follows = [key for key in load_of.OF_LOAD if load and typed.pop(key, "")]
    return typed | load, [*refused, *(f"{key} follows from the application" for key in follows)]


def _linked_drive(written: str | list[str] | None) -> tuple[str, str]:
    """Return the drive that a link names, and why not if it names none that is known."""
    if not written:
        return START_DRIVE, ""
    name = written if isinstance(written, str) else written[-1]
    if name in FORMER_OWN:
        return OWN, ""
    try:
        return named(name), ""
    except ValueError as error:
        return START_DRIVE, f"drive={shortened(name)}: {error}"


def key() -> str:
    """Return the cache key of the scenario on screen."""
    drive = chosen()
    return repr((drive.drive_id, drive.name, texts_of(KEYS)))


def go(place: str) -> NoReturn:
    """Go to another place with the scenario."""
    st.switch_page(f"planner/ui/{place}.py", query_params=params())


def show_plan(statement: str) -> None:
    """Let the next run go to the plan and say what it is now, as a callback does."""
    st.session_state[_TAKEN] = statement


def follow(place: str) -> None:
    """Go to the plan where something was taken over into it; say so there."""
    if _TAKEN in st.session_state and place != "Plan":
        go("plan")
    if statement := st.session_state.pop(_TAKEN, ""):
        st.toast(plain(statement))


def params() -> dict[str, str]:
    """Return the parameters of a link to the scenario on screen."""
    return {"drive": drive_name(), **inputs()}


def is_bare() -> bool:
    """Whether somebody went back to an address without a scenario, and has changed none since."""
    return st.session_state.get(_BARE) == params()


def leave() -> None:
    """Remember the widgets as a run leaves them, the whole one or that of a part of the page."""
    st.session_state[_LEFT] = _held()


def write_link() -> None:
    """Write the scenario into the link, at the end of a run."""
    held = params()
    leave()
    if is_bare():
        return
    st.session_state.pop(_BARE, None)
    for key in [*st.query_params]:
        if key not in held and key not in OTHER_KEYS:
            del st.query_params[key]
    changed = {key: text for key, text in held.items() if st.query_params.get(key) != text}
    if changed:
        st.query_params.update(changed)  # at once: half a change would be another link
    links = st.session_state[_LINKS]
    if (link := {key: [text] for key, text in held.items()}) != links[-1]:
        links.append(link)
    if len(links) > MOST_LINKS:
        del links[0]
        st.session_state[_SEEN] = max(0, st.session_state[_SEEN] - 1)


# Widgets ----------------------------------------------------------------------------------------


def texts(
    *keys: str,
    places: Sequence[DeltaGenerator] = (),
    known: Mapping[str, str] | None = None,
    defaults: Mapping[str, str] | None = None,
    disabled: Sequence[str] = (),
    labels: Mapping[str, str] | None = None,
    width: int | Literal["stretch"] = "stretch",
) -> dict[str, str]:
    """Draw the widgets of some inputs, by key, and return what they say.

    Widgets are drawn in `places`, in turn. An empty field shows the `known` value. Text that cannot
    be read is refused by name, and the last valid text of the field holds.
    """
    where = cycle(places or [st.container()])
    known, labels = known or {}, labels or {}
    usual = {key: default_of(key) for key in keys} | {
        key: text for key, text in (defaults or {}).items() if key in keys
    }
    return {
        key: _accepted(
            key,
            _drawn(
                place,
                key,
                usual[key],
                known.get(key, ""),
                label=labels.get(key),
                width=width,
                disabled=key in disabled,
            ),
            place,
            usual[key],
        )
        for key, place in zip(keys, where, strict=False)
    }


def read_typed(keys: Iterable[str]) -> None:
    """Store the values of widgets before they are drawn again, so that the answer can be first."""
    for key in keys:
        if key in st.session_state:
            _kept(key, _written(st.session_state[key]), default_of(key))


def _drawn(
    place: DeltaGenerator, key: str, usual: str, known: str, *, label: str | None, **drawn: Any
) -> str:
    """Draw one widget, and return what it says as text."""
    row = KEYS[key]
    if key not in st.session_state:
        st.session_state[key] = _value(row, inputs().get(key, usual))
    # The value goes along as the default: a browser that missed the run that set it has it still.
    label = plain(row.label if label is None else label)
    held = st.session_state[key]
    common: dict[str, Any] = {"key": key, "help": plain(row.help), **drawn}
    if row.read is flag and key not in LISTS:
        return _written(place.toggle(label, bool(held), **common))
    if row.choices and key not in LISTS:
        return _written(place.selectbox(
            label, row.choices, row.choices.index(held) if held in row.choices else None,
            placeholder="choose", accept_new_options=row.read is not choice, **common,
        ))  # fmt: skip
    return _written(place.text_input(label, held or "", placeholder=known, **common))


def _written(value: str | bool | None) -> str:
    """Return the value of a widget as text; the inverse of `_value`."""
    return f"{value}".lower() if isinstance(value, bool) else value or ""


def _value(row: Input, text: str) -> Any:
    """Return the value of a widget from its text."""
    if row.read is flag:
        return text == "true"
    return (text or None) if row.choices else text


def _accepted(key: str, written: str, place: DeltaGenerator, usual: str) -> str:
    """Store a typed text; return the last valid one, and show the refusal beside the widget."""
    held, complained = _kept(key, written, usual)
    if complained:
        those = f"'{held}'" if held else "the usual value"
        place.error(plain(f"{complained}; the figures are those of {those}"))
    return held


def _kept(key: str, written: str, usual: str) -> tuple[str, str]:
    """Store a typed text; return it if it is valid, else the last valid one with the refusal."""
    row, before = KEYS[key], st.session_state.setdefault(_READ, {})
    why: dict[str, str] = st.session_state.setdefault(_WHY, {})
    kept = str(before.get(key, usual))
    if written == usual:
        inputs().pop(key, None)
    else:
        inputs()[key] = written
    try:
        if written or (usual and row.default is not None):
            _check(key, row, written)
    except DomainError as error:
        before[key], why[key] = kept, complaint(error, {})
        return kept, why[key]
    before[key] = written
    why.pop(key, None)
    return written, ""


def _check(key: str, row: Input, written: str) -> None:
    if key in LISTS:
        row.values(written)
    elif row.is_repeatable:
        row.every(written)
    else:
        row.value(written)


# What cannot be ---------------------------------------------------------------------------------


def settle() -> None:
    """Let inputs of the last plan hold where those on screen cannot be together.

    After a link there is no such plan: then an input is as usual, or several.
    """
    state = st.session_state
    state[_HELD], state[_PAIR] = {}, ""
    if state.get(_PLACE) not in ("Plan", "Compare"):  # others plan something else
        return
    refused = _refusal_of_plan()
    if not refused:
        state[_GOOD] = _read_inputs()
        return
    for held in _ways_back(state.get(_GOOD, {}), _read_inputs()):
        state[_HELD] = held
        if not _refusal_of_plan():
            those = ", ".join(
                f"{KEYS[key].label} '{text or 'not stated'}'" for key, text in held.items()
            )
            state[_PAIR] = f"{refused}; the figures are those of {those}"
            return
    state[_HELD] = {}  # no input is at fault: the plan says what is


def _refusal_of_plan() -> str:
    """Return the refusal of the scenario on screen; nothing if it can be planned."""
    load, why = load_or_refusal()
    if load is None and why:
        return ""  # the place says it
    held = texts_of(("drives", "raid", "keep"))
    if held.get("drives", "1") != "1" and not held.keys() & {"raid", "keep"}:
        return _LAYOUT.format(held["drives"])
    try:
        checked(changed(chosen(), {}, known=True))
    except DomainError as error:
        return complaint(error, {})
    return ""


def _ways_back(good: Mapping[str, str], now: Mapping[str, str]) -> Iterable[dict[str, str]]:
    """Yield inputs that may hold as before: each that was changed, all of these, and as usual."""
    keys = [key for key in {**now, **good} if key in (*_OF_PLAN, *OF_ONE_DRIVE)]
    usual = {key: default_of(key) or KEYS[key].default or "" for key in keys}
    before = usual | {key: good[key] for key in keys if key in good}
    changes = {key: text for key, text in before.items() if now.get(key, default_of(key)) != text}
    yield from ({key: text} for key, text in changes.items())
    yield changes
    yield from ({key: text} for key, text in usual.items())
    yield usual


def refused() -> dict[str, str]:
    """Return the refusals of inputs of the plan, by key."""
    why: dict[str, str] = st.session_state.get(_WHY, {})
    judged = (*SCENARIO, *OF_ONE_DRIVE, *FAILURES)
    return {key: text for key, text in why.items() if key in judged}


def refuse(others: Sequence[str]) -> None:
    """Keep the refusals of a drive and of applications, which the table of inputs does not have."""
    st.session_state[_OTHERS] = tuple(others)


def refused_together() -> str:
    """Return the refusal of inputs that cannot be together; nothing if they can."""
    return str(st.session_state.get(_PAIR, ""))


def is_stale() -> bool:
    """Whether the figures are not those of what is on screen, or in the link as it was opened."""
    _, ignored = st.session_state.get("of link", ([], []))
    is_as_linked = st.session_state.get(_LINKED) == params()
    outside = load_or_refusal()[1] or st.session_state.get(_OTHERS)
    is_refused = refused() or refused_together() or asked() or outside
    return bool(is_refused or (ignored and is_as_linked))


def ask(questions: Sequence[Question]) -> None:
    """Keep the questions of a sentence until they are answered."""
    st.session_state[_ASKED] = tuple(questions)


def asked() -> tuple[Question, ...]:
    """Return the open questions of a sentence."""
    questions: tuple[Question, ...] = st.session_state.get(_ASKED, ())
    return questions


# The plan ---------------------------------------------------------------------------------------


@st.cache_resource
def _drives() -> dict[str, Drive]:
    """Return all drives by name, the user's own last."""
    return {drive.name: drive for drive in catalogue().drives.values()} | {
        OWN: own_drive(OWN_CAPACITY)
    }


def _drive(name: str) -> Drive:
    """Return a drive by its full name, also of a size that the catalogue does not list."""
    return _drives()[name] if name in _drives() else find(catalogue(), name)


def _is_of_catalogue(name: str) -> bool:
    return name in _drives() or name.endswith(UNLISTED)


def names() -> list[str]:
    """Return the names of all drives, the user's own last."""
    return [*_drives()]


def named(words: str) -> str:
    """Return the full name of a drive from what people type; refuse what is none, or several."""
    return words if _is_of_catalogue(words) else find(catalogue(), words).name


def horizon_s() -> float:
    """Return the time that the drives must hold."""
    time_s: float = stated({"years": text_of("years")}, ["years"])["horizon_s"]
    return time_s


def risk() -> Risk:
    """Return the assumptions about failures on screen; their time is that of the sentence."""
    names = ("years", *FAILURES)
    return Risk(**stated(texts_of(names), names))


def chosen() -> Drive:
    """Return the drive on screen as the catalogue knows it."""
    return _drive(drive_name())


def stop(reason: str) -> NoReturn:
    """Show a refusal, and end the place; `st.stop` would also end what all places share.

    Raises:
        StopException: Always; the app and Streamlit take it for the end of a run.
    """
    st.error(plain(reason))
    raise StopException


def current() -> PlanReading:
    """Return the plan of the scenario on screen; a bad input stops with its sentence."""
    return plan_of(chosen(), known=True)


def plan_of(drive: Drive, *, known: bool = False) -> PlanReading:
    """Return the plan of one drive; `known` adds what the user entered about it."""
    try:
        return changed(drive, {}, known=known)
    except DomainError as error:
        stop(f"{drive.name}: {complaint(error, {})}")


def changed(drive: Drive, changes: Mapping[str, str], *, known: bool) -> PlanReading:
    """Return a plan with some inputs otherwise than on screen; refuse what cannot be."""
    texts = _texts_of_plan(drive, known=known) | dict(changes)
    return _planned(repr((drive.drive_id, drive.name, sorted(texts.items()))), drive, texts)


def restated(changes: Mapping[str, str]) -> PlanReading:
    """Return the plan on screen with further inputs stated; a slider tries many, and none is kept.

    Refuse what cannot be.
    """
    texts = _texts_of_plan(chosen(), known=True) | dict(changes)
    return plan_drive(**request(chosen(), **texts))


def _texts_of_plan(drive: Drive, *, known: bool) -> dict[str, str]:
    names = (*_OF_PLAN, *OF_ONE_DRIVE) if known else _OF_PLAN
    return _stated(texts_of(names, drive.name))


def checked(plan: PlanReading) -> PlanReading:
    """Return a plan whose data loss can be computed; refuse one of more copies than that counts."""
    data_loss(plan, risk())["array_loss_probability"]  # a reading refuses when it is read
    return plan


def _stated(texts: Mapping[str, str]) -> dict[str, str]:
    """Return texts without the defaults that other texts decide.

    The sentence of the writes may state their order and size; what was written so far states a
    mean rate.
    """
    if application() is not None:
        return dict(texts)
    decided = {*HINTED, *(["writes"] if goes_on_as_so_far() else [])}
    return {key: text for key, text in texts.items() if key not in decided or key in inputs()}


def goes_on_as_so_far() -> bool:
    """Whether a used drive is planned at its mean rate, since no other one is typed."""
    return "writes" not in inputs() and {"written", "age"} <= inputs().keys()


@st.cache_resource(max_entries=KEPT_PLANS, show_spinner=False)
def _planned(key: str, _drive: Drive, _texts: Mapping[str, str]) -> PlanReading:  # noqa: ARG001 - Streamlit caches by it
    """Return a plan, once for all sessions that ask for the same."""
    return plan_drive(**request(_drive, **_texts))


def wide(reasons: Sequence[str]) -> None:
    """Show the assumptions behind the ranges of the answers, and the facts that narrow them."""
    if reasons:
        with st.expander("Assumed, because unknown"):
            st.markdown(bullets(reasons))


def unknown(lacking: Iterable[str]) -> None:
    """List the unknown facts that answers need, and where to find them."""
    if lines := [supply(name) for name in lacking]:
        st.info(bullets(lines, head="**Unknown facts** and where to find them"))

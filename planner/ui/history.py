"""Undo, redo, reset and share: what was on screen before, and how it leaves the screen."""

from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode, urljoin

import streamlit as st

from planner.export.scenario_file import to_json
from planner.export.scenario_reader import read_scenario
from planner.quantity.door import UPLOADED
from planner.quantity.inputs import PLAN
from planner.quantity.link import from_query
from planner.ui import application as load_of
from planner.ui import state as scenario
from planner.ui.plain import bullets, plain
from planner.ui.state import OWN
from planner.ui.uploads import GivenFile, stored

MOST = 20  # changes that can be undone
_PAST, _FUTURE, _NOW = "scenarios before", "scenarios undone", "scenario as kept"


class Scenario(NamedTuple):
    """A scenario as it was typed."""

    drive: str
    typed: tuple[tuple[str, str], ...]


def _keep() -> None:
    """Remember the scenario on screen where it has changed."""
    state = st.session_state
    now = Scenario(scenario.drive_name(), tuple(sorted(scenario.inputs().items())))
    before = state.setdefault(_NOW, now)
    if now != before:
        state[_PAST] = [*state.get(_PAST, []), before][-MOST:]
        state[_FUTURE] = []
        state[_NOW] = now


def buttons() -> None:
    """Keep the scenario on screen, and draw what there is to do with it."""
    _keep()
    state = st.session_state
    with st.container(horizontal=True, horizontal_alignment="right", key="history"):
        share = st.popover("Share", on_change="rerun", key="share")
        if share.open:
            with share:
                _share()
        st.button("Reset", on_click=_reset)
        _button("Undo", _undo, bool(state.get(_PAST)))
        _button("Redo", _redo, bool(state.get(_FUTURE)))


def _button(label: str, act: Callable[[], None], is_possible: bool) -> None:
    st.button(plain(label), on_click=act, disabled=not is_possible, key=label.lower())


def _reset() -> None:
    scenario.put_all(scenario.START_DRIVE, {})


def _undo() -> None:
    _move(_PAST, _FUTURE)


def _redo() -> None:
    _move(_FUTURE, _PAST)


def _move(source: str, target: str) -> None:
    """Put the last scenario of one list on screen, and what is there on the other."""
    state = st.session_state
    *rest, wanted = state[source]
    state[source] = rest
    state[target] = [*state.get(target, []), state[_NOW]]
    state[_NOW] = wanted
    scenario.put_all(wanted.drive, dict(wanted.typed))


def _share() -> None:
    name = st.text_input("Name", "scenario", key="scenario_name")
    st.caption("A link that opens it:")
    link = f"{urljoin(st.context.url or '', '.')}?{urlencode(scenario.params())}"
    st.code(link, language=None, wrap_lines=True)
    st.caption("As a script:")
    st.code(_script(), language="python")
    st.download_button(
        "Download as a file", to_json(_options()), f"{name or 'scenario'}.json",
        "application/json", on_click="ignore", key="scenario_file",
    )  # fmt: skip
    given = st.file_uploader("Open a file", type="json", key="scenario_given")
    if given is not None:
        st.button("Open it", on_click=_open, args=(stored(given),), key="scenario_open")
    if refused := st.session_state.get("scenario_refused"):
        st.warning(bullets(refused, head="Of the file, but ignored:"))


def _options() -> dict[str, str | list[str]]:
    """Return the scenario as a file holds it: options of `plan`."""
    drive = scenario.drive_name()
    options: dict[str, str | list[str]] = {} if drive == OWN else {"drive": drive}
    if drive == OWN and not scenario.text_of("capacity"):
        options["capacity"] = "1 TB"
    if app := scenario.inputs().get("app"):
        apps = load_of.listed(app)
        options |= {"app": apps[0] if len(apps) == 1 else apps}
        if stated := load_of.split(scenario.inputs().get("in", "")):
            options |= {"in": [f"{name}={value}" for name, value in stated.items()]}
        if on := load_of.listed(scenario.inputs().get("on", "")):
            options |= {"on": on}
    keys = {"writes", *scenario.inputs()} - ({*load_of.OF_LOAD} if app else set())
    return {**options, **scenario.texts_of(sorted(keys & {*PLAN, "years"}))}


def _script() -> str:
    options: dict[str, Any] = {**_options()}
    drive, stated = options.pop("drive", None), options.pop("in", None)
    if stated:
        options["app_inputs"] = load_of.split(scenario.inputs().get("in", ""))
    arguments = [f"{name}={value!r}" for name, value in options.items()]
    named = [repr(drive)] if drive else []
    return f"import planner as ssd\n\nssd.plan({', '.join([*named, *arguments])})"


def _open(file: GivenFile) -> None:
    """Put the scenario of a file on screen."""
    try:
        options = read_scenario(file.path, UPLOADED)
    except ValueError as error:
        st.session_state["scenario_refused"] = [f"the file {error}"]
        return
    drive = str(options.pop("drive", OWN))
    query = {key: [text] if isinstance(text, str) else text for key, text in options.items()}
    link = from_query(query, others=scenario.APPLICATION)
    typed, refused = scenario.typed_of(link.values)
    refused = [*link.refused, *refused]
    try:
        drive = scenario.named(drive)
    except ValueError as error:
        refused.append(str(error))
        drive = scenario.START_DRIVE
    scenario.put_all(drive, typed)
    st.session_state["scenario_refused"] = refused

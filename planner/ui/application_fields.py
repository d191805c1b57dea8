"""Fields of the applications of a drive: the first in the sentence, all of them in its drawer."""

from collections.abc import Sequence
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from planner.application import PresetInput
from planner.application.layers import layers
from planner.ui import application as load_of
from planner.ui import state as scenario
from planner.ui.plain import plain

_ANOTHER = "another application"


def in_sentence(row: DeltaGenerator) -> None:
    """Draw the first application that writes, and what is asked of it first."""
    name, preset = next(iter(load_of.names(_apps()).items()))
    if st.session_state.get("application") != preset:
        st.session_state["application"] = preset
    st.selectbox(
        "running", list(load_of.presets()), format_func=load_of.use_of, key="application",
        width=250, on_change=_put_first, args=(name,),
        help="Its writes are those of the plan; x in the list of changes takes it away.",
    )  # fmt: skip
    rows = [*load_of.presets()[preset].inputs.values()][: load_of.ASKED_FIRST]
    _fields(name, rows, [row] * len(rows), width=190)


def in_drawer() -> None:
    """Draw the other inputs of each application, the layers below it, and a further one."""
    named = load_of.names(_apps())
    for place, (name, preset) in enumerate(named.items()):
        is_first, title = place == 0, name if name == preset else f"{name} ({preset})"
        if len(named) > 1:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"**{plain(title)}**", width="content")
                st.button("Take away", key=f"away {name}", on_click=_take_away, args=(name,),
                          type="tertiary")  # fmt: skip
        rows = load_of.asked_next(preset, is_first=is_first)
        _fields(name, rows, [*st.columns(4)] * len(rows))
        _layers(name)
        st.caption(plain(load_of.not_asked(preset, is_first=is_first)))
    st.selectbox(
        "Another application on the drive", list(load_of.presets()), index=None,
        format_func=load_of.use_of, key=_ANOTHER, on_change=_add, placeholder="None",
    )  # fmt: skip


def _apps() -> str:
    return scenario.inputs()["app"]


def _held() -> dict[str, str]:
    """Return the texts of applications on screen."""
    return {key: scenario.inputs().get(key, "") for key in scenario.APPLICATION}


def _put_first(name: str) -> None:
    """Put another preset in the place of the first application; those after it stay."""
    scenario.put(**load_of.with_first(_held(), name, st.session_state["application"]))


def _take_away(name: str) -> None:
    scenario.put(**load_of.without(_held(), name))


def _add() -> None:
    """Add an application to those on screen."""
    preset = st.session_state[_ANOTHER]
    st.session_state[_ANOTHER] = None
    if preset:
        scenario.put(**load_of.with_another(_held(), preset))


def _layers(name: str) -> None:
    """Draw the layers below an application, from above."""
    key, held = f"layers {name}", load_of.layers_of(_held(), name)
    if st.session_state.get(key) != held:
        st.session_state[key] = held
    st.multiselect(
        "Layers below, from above", list(layers()), key=key, on_change=_put_layers,
        args=(name, key), placeholder="None",
        help="Encryption, checksums, volumes, images and copies between it and its drive.",
    )  # fmt: skip


def _put_layers(name: str, key: str) -> None:
    scenario.put(on=load_of.with_layers(_held(), name, st.session_state[key]))


def _fields(
    name: str,
    rows: Sequence[PresetInput],
    places: Sequence[DeltaGenerator],
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """Draw fields of an application; of a text that cannot be read, the one before holds."""
    typed = load_of.split(scenario.inputs().get("in", ""))
    for row, place in zip(rows, places, strict=False):
        key, stated = _key(name, row.name), load_of.key_of(_apps(), name, row.name)
        held, shown = typed.get(stated, ""), st.session_state.get(key)
        if shown is None or (shown != held and not _refused(stated, shown)):
            st.session_state[key] = held  # as undo, a link or an example left it
        text = place.text_input(
            plain(load_of.label(row)), placeholder=load_of.default_of(row), key=key, width=width,
            help=plain(f"{row.range}; {row.source}"), on_change=_put_input, args=(stated, key),
        )  # fmt: skip
        if refused := _refused(stated, text):
            held = held or load_of.default_of(row)
            place.error(plain(f"{refused}; the figures are those of '{held}'"))


def refusals() -> list[str]:
    """Return the refusals of the texts in the fields of applications."""
    named = load_of.names(scenario.inputs().get("app", ""))
    typed = {
        load_of.key_of(_apps(), name, row): st.session_state.get(_key(name, row), "")
        for name, preset in named.items()
        for row in load_of.presets()[preset].inputs
    }
    return [why for key, text in typed.items() if text and (why := _refused(key, text))]


def _key(name: str, row: str) -> str:
    """Return the key of the field of an input."""
    return f"application {name} {row}"


def _refused(name: str, text: str) -> str:
    """Return the refusal of an input of an application, empty where it is valid."""
    refused = load_of.checked(_apps(), load_of.written({name: text}))[1]
    return refused[0] if refused else ""


def _put_input(name: str, key: str) -> None:
    """Take an input of an application, unless it cannot be read."""
    typed = load_of.split(scenario.inputs().get("in", ""))
    text = str(st.session_state[key])
    if not _refused(name, text):
        scenario.put(**{"in": load_of.written(typed | {name: text})})

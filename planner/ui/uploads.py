"""Files that were given: they stay for the session, also after another place was open."""

from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from planner.ui.plain import plain


def given(label: str, *, key: str, **box: Any) -> list[UploadedFile]:
    """Draw a box for files; return those in it and those kept, which a button takes away.

    A box forgets its files when another place is open.
    """
    state, kept, inside = st.session_state, f"{key} kept", f"{key} in the box"
    state[inside] = st.file_uploader(
        plain(label), accept_multiple_files=True, key=key, on_change=_keep, args=(key,), **box
    )
    files: list[UploadedFile] = state.setdefault(kept, [])
    in_box = {file.file_id for file in state[inside]}
    for file in files:
        if file.file_id not in in_box:
            st.button(
                plain(file.name), icon=":material/close:", key=f"{key} {file.file_id}",
                help="Given before; take it away", on_click=_take_away, args=(key, file.file_id),
            )  # fmt: skip
    return files


def _keep(key: str) -> None:
    """Store the files that are in the box now, without those removed from it."""
    state = st.session_state
    gone = {file.file_id for file in state.get(f"{key} in the box", [])}
    before = [file for file in state.get(f"{key} kept", []) if file.file_id not in gone]
    state[f"{key} kept"] = [*before, *state[key]]


def _take_away(key: str, file_id: str) -> None:
    kept = f"{key} kept"
    st.session_state[kept] = [file for file in st.session_state[kept] if file.file_id != file_id]

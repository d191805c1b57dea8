"""Files that were given: they stay for the session, also after another place was open."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from planner.ui.plain import plain
from planner.ui.upload_store import STORE


class GivenFile(NamedTuple):
    """A file that was given to the app, on the disk of the server."""

    file_id: str
    name: str
    path: Path
    size_bytes: int
    digest: str


def given(label: str, *, key: str, **box: Any) -> list[GivenFile]:
    """Draw a box for files; return those in it and those kept, which a button takes away.

    A box forgets its files when another place is open.
    """
    state, kept, inside = st.session_state, f"{key} kept", f"{key} in the box"
    in_box = st.file_uploader(
        plain(label), accept_multiple_files=True, key=key, on_change=_keep, args=(key,), **box
    )
    state[inside] = {file.file_id for file in in_box}
    files: list[GivenFile] = state.setdefault(kept, [])
    for file in files:
        if file.file_id not in state[inside]:
            st.button(
                plain(file.name), icon=":material/close:", key=f"{key} {file.file_id}",
                help="Given before; take it away", on_click=_take_away, args=(key, file.file_id),
            )  # fmt: skip
    return apart(files)


def apart(files: Iterable[GivenFile]) -> list[GivenFile]:
    """Return files with a number in each name that another file has.

    >>> a, b = GivenFile("1", "fio.json", Path(), 1, ""), GivenFile("2", "fio.json", Path(), 1, "")
    >>> [file.name for file in apart([a, b])]
    ['fio.json', 'fio (2).json']
    """
    counted: Counter[str] = Counter()
    named = []
    for file in files:
        counted[file.name] += 1
        path, number = PurePath(file.name), counted[file.name]
        named.append(file if number == 1 else
                     file._replace(name=f"{path.stem} ({number}){path.suffix}"))  # fmt: skip
    return named


def stored(file: UploadedFile) -> GivenFile:
    """Return a file of a box, as it is on the disk of the server."""
    context = get_script_run_ctx()
    key = (context.session_id if context else "", file.file_id)
    found = STORE.find(key) or STORE.add(key, file)  # a server without the store passes it on
    return GivenFile(file.file_id, file.name, *found)


def _keep(key: str) -> None:
    """Store the files that are in the box now, without those removed from it."""
    state = st.session_state
    gone = state.get(f"{key} in the box", set())
    before = [file for file in state.get(f"{key} kept", []) if file.file_id not in gone]
    state[f"{key} kept"] = [*before, *map(stored, state[key])]


def _take_away(key: str, file_id: str) -> None:
    kept = f"{key} kept"
    st.session_state[kept] = [file for file in st.session_state[kept] if file.file_id != file_id]

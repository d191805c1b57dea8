"""Box for a plan in one sentence, with its reading."""

import re

import streamlit as st

from models.errors import DomainError
from planner.quantity.link import KEYS
from planner.scenario.sentence import PlanSentence, Question, read_sentence
from planner.ui import state as scenario
from planner.ui.plain import plain
from planner.ui.state import BOX, OWN

QUESTIONS = "How long does it last, is it safe, what does it cost?"
EXAMPLE = "two Samsung 870 EVO 4 TB in a mirror, 40 GB a day, five years"
AS_TYPED = ("drive", "writes", "years", "keep", "capacity", "kind")
_SAID = "sentence that was read"


def read_link() -> None:
    """Read the sentence of a link, which from then on holds its inputs instead."""
    if "q" in st.query_params:
        text = st.query_params["q"]
        del st.query_params["q"]
        take(text)


def draw() -> None:
    """Draw the box, its questions and its reading."""
    with st.container(key="questions"):  # a phone has no room for them
        st.markdown(f"**SSD planner.** {QUESTIONS}")
    st.text_input(
        "Say what you have, or fill in the fields below", key=BOX, on_change=_read,
        placeholder=EXAMPLE,
    )  # fmt: skip
    said: PlanSentence | None = st.session_state.get(_SAID)
    if said and said.text == st.session_state[BOX].strip():
        _underline(said)
    for question in scenario.asked()[:1]:  # one at a time: its answer may answer others
        st.error(plain(question.why))
        with st.container(horizontal=True, gap="xsmall"):
            for number, reading in enumerate(question.readings):
                st.button(plain(reading), key=f"reading {number}", on_click=take, args=(reading,))
    if read := _as_read():
        st.markdown(
            " ".join(f":gray-badge[{plain(_chip(name, text))}]" for name, text in read.items())
        )  # each is a field below, or in its drawer


def take(text: str) -> None:
    """Put the plan of a sentence on screen; one with an open question changes none."""
    bare = text.strip()
    try:
        said = read_sentence(bare) if bare else None
        questions = said.questions if said else ()
    except DomainError as error:
        said, questions = None, (Question(0, 0, str(error)),)
    if said and not questions:
        inputs = dict(said.inputs)
        scenario.put_all(inputs.pop("drive", OWN), inputs)
    st.session_state[BOX], st.session_state[_SAID] = text, said
    scenario.ask(questions)


def _read() -> None:
    take(st.session_state[BOX])


def _underline(said: PlanSentence) -> None:
    """Draw a sentence and underline the words that are not used or are asked about."""
    open_words = [*said.unread, *((each.start, each.end) for each in said.questions)]
    if not open_words:
        return
    words = [
        (match[0], any(match.start() < end and start < match.end() for start, end in open_words))
        for match in re.finditer(r"\S+", said.text)
    ]
    with st.container(key="underlined"):  # where emphasis is a line, as the style of the app says
        st.caption(
            " ".join(f"*{plain(word)}*" if is_open else plain(word) for word, is_open in words)
        )


def _as_read() -> dict[str, str]:
    """Return the inputs of the sentence in the box, while those on screen are the same."""
    said: PlanSentence | None = st.session_state.get(_SAID)
    if said is None or said.questions or said.text != st.session_state[BOX].strip():
        return {}
    on_screen = {name: scenario.typed_text(name) for name in said.inputs if name != "drive"}
    on_screen["drive"] = scenario.drive_name()
    holds = all(on_screen[name] == text for name, text in said.inputs.items())
    return said.inputs if holds else {}


def _chip(name: str, text: str) -> str:
    """Write an input as people say it.

    >>> _chip("drives", "2"), _chip("raid", "1"), _chip("years", "5 years"), _chip("reads", "70%")
    ('2 x', 'RAID 1', '5 years', 'Read share: 70%')
    """
    if name in AS_TYPED:
        return text
    short = {"drives": f"{text} x", "raid": f"RAID {text.removeprefix('raid')}"}
    return short.get(name, f"{KEYS[name].label}: {text}")

"""Accuracy: the comparisons, their errors, and every formula with its source."""

import inspect
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import streamlit as st

from planner.graph.explain import formulas, maths, public_name
from planner.ui.plain import plain
from planner.ui.reports import REPORTS, ROOT

TOPICS = tuple(REPORTS)
TABS = ("How far off", "Formulas")
# What `validation` calls those that can be run here.
RUN = {
    "Write amplification": "amplification", "Speed": "speed", "Arrays and data loss": "arrays",
    "Remaining life": "forecast", "Suspended reads": "slices", "Indirection units": "units",
    "Placement of data": "placement",
}  # fmt: skip
STEP_S = 0.5
SUMMARY, OUTSIDE = "Summary", "Outside their bounds"
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")


class EvidencePart(NamedTuple):
    """A stretch of a report: Markdown of the program's own, or a picture."""

    own_markdown: str = ""
    picture: Path | None = None
    alt: str = ""


def render() -> None:
    """Draw the page."""
    left, right = st.tabs(TABS, key="how_right", on_change="rerun")
    if left.open:
        with left:
            _reports()
    if right.open:
        with right:
            _handbook()


def _reports() -> None:
    st.markdown(
        "Formulas answer; simulators that share no code with them, published figures and measured "
        "drives say how far off they are. These reports are generated."
    )
    topic = st.segmented_control(
        "Report", TOPICS, default="Write amplification", required=True, key="report"
    )
    path = ROOT / "docs" / "evidence" / f"{REPORTS[topic]}.md"
    if topic in RUN:
        _run(RUN[topic])
    if not path.exists():
        st.info("The reports are part of the source, and are not installed with the package.")
        return
    pages = subjects(path.read_text().replace("; do not edit", "", 1))
    page = SUMMARY
    if len(pages) > 1:
        page = st.selectbox("Subject", list(pages), key=f"subject of {topic}")
    _draw(pages[page], path.parent)


def subjects(report: str) -> dict[str, str]:
    r"""Return the parts of a report, each a page: the first has the summary and what is outside.

    >>> subjects("# A report\na\n## Reads\nb\n## Outside their bounds\nc\n")
    {'Summary': '## A report\na\n## Outside their bounds\nc\n', 'Reads': '## Reads\nb'}
    """
    head, *rest = re.split(r"\n(?=## )", f"#{report}")  # its title is no louder than its parts
    pages = {SUMMARY: head}
    for part in rest:
        name = part.partition("\n")[0].removeprefix("## ")
        if name == OUTSIDE:
            pages[SUMMARY] += f"\n{part}"
        else:
            pages[name] = part
    return pages


def parts(text: str, folder: Path) -> list[EvidencePart]:
    """Return a report as Markdown and pictures in turn.

    >>> [part.picture for part in parts("a ![b](c.svg) d", Path("docs"))]
    [None, PosixPath('docs/c.svg'), None]
    """
    found, begin = [], 0
    for match in _PICTURE.finditer(text):
        found += [
            EvidencePart(text[begin : match.start()]),
            EvidencePart(picture=folder / match[2], alt=match[1]),
        ]
        begin = match.end()
    return [*found, EvidencePart(text[begin:])]


def _draw(text: str, folder: Path) -> None:
    for part in parts(text, folder):
        if part.picture is None:
            st.markdown(part.own_markdown)
        elif part.picture.exists():
            st.image(str(part.picture), alt=part.alt)


def _run(what: str) -> None:
    """Offer a smaller run of the comparison, in a process of its own that can be stopped."""
    if not st.button("Run a part of it now", key=f"run {what}"):
        return
    spot = st.empty()
    with TemporaryDirectory() as folder, spot.container():
        report = Path(folder) / "report.md"
        command = [sys.executable, "-m", "validation", "--what", what, "--quick", "-o", str(report)]
        process = subprocess.Popen(  # noqa: S603 - this program
            command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            _await(process)
        finally:  # a click anywhere, "Stop" too, ends the page and the run with it
            process.kill()
            process.wait()
        text = report.read_text() if report.exists() else ""
    spot.empty()
    if text:
        with st.expander("The run of now", expanded=True):
            _draw(text, report.parent)
    else:
        st.error("The comparison did not run to its end.")


def _await(process: "subprocess.Popen[bytes]") -> None:
    statement, began = st.empty(), time.monotonic()
    st.button("Stop", key="stop_run")
    while process.poll() is None:
        statement.info(f"Comparing with the simulators: {time.monotonic() - began:.0f} s")
        time.sleep(STEP_S)


@st.cache_resource
def _all() -> dict[str, Callable[..., object]]:
    return {public_name(formula).removeprefix("models."): formula for formula in formulas()}


def _handbook() -> None:
    words = st.text_input("Search the formulas", key="formula_words", placeholder="write latency")
    wanted = words.casefold().split()
    named = [
        name for name, formula in _all().items()
        if all(word in f"{name} {formula.__doc__}".casefold() for word in wanted)
    ]  # fmt: skip
    st.caption(f"{len(named):,} of {len(_all()):,} formulas")
    if not named:
        return
    name = st.selectbox("Formula", named, key="formula")
    formula = _all()[name]
    page = maths(public_name(formula))
    st.markdown(f"**{plain(page.summary)}**")
    if page.equation:
        st.latex(page.equation)
    st.code(f"from models import {name.partition('.')[0]}\n\n{formula.__doc__}", language="rst")
    sources = inspect.getdoc(sys.modules[formula.__module__])
    if sources:
        st.markdown("**Where it comes from**")
        st.code(sources, language="rst", wrap_lines=True)


if __name__ == "__main__":
    render()

"""Reruns keep no memory, so that the server need not collect garbage after each of them."""

import gc
import subprocess
import sys
import tracemalloc

import pyarrow as pa
from streamlit.testing.v1 import AppTest

from planner.ui.state import KEPT_PLANS
from tests.app.conftest import APP

# 20 MB in 2,000 reruns: a rerun takes too long for so many, and what is allocated can be counted
# to the byte, so that a few reruns tell. The plans that are kept for all sessions are few:
# only once each of them is one of a counted rerun does a new one take the place of a counted one.
MOST_BYTES_PER_RERUN = 10_000
WARMING, SETTLING, RERUNS = 5, KEPT_PLANS + 2, 15
LEAKING = """
import streamlit as st
st.session_state.setdefault("kept", []).append(bytes(12_000))
st.text_input("Writes", "1 GiB/day", key="writes")
"""


def allocated_bytes():
    gc.collect()
    return tracemalloc.get_traced_memory()[0] + pa.total_allocated_bytes()


def kept_bytes_per_rerun(app):
    """Return how much a rerun keeps, each with an input that was not seen before."""
    number = iter(range(10_000, 20_000))

    def rerun(times):
        for _ in range(times):
            app.text_input(key="writes").set_value(f"{next(number)} GiB/day").run()
            assert not app.exception

    rerun(WARMING)
    tracemalloc.start()
    try:
        rerun(SETTLING)
        before = allocated_bytes()
        rerun(RERUNS)
        return (allocated_bytes() - before) / RERUNS
    finally:
        tracemalloc.stop()


def test_what_if_keeps_no_memory(app):
    assert kept_bytes_per_rerun(app) < MOST_BYTES_PER_RERUN


def test_a_page_that_keeps_memory_is_noticed():
    assert kept_bytes_per_rerun(AppTest.from_string(LEAKING).run()) > MOST_BYTES_PER_RERUN


def test_the_server_leaves_garbage_to_python():
    code = "from streamlit import config; print(config.get_option('runner.postScriptGC'))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=APP.parent, capture_output=True, text=True, check=True
    )
    assert run.stdout == "False\n"

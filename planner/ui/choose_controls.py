"""Widgets of requirements and candidates: each keeps its value in the link."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

import streamlit as st

from planner.quantity.input import flag
from planner.quantity.inputs import CLUSTER, GRID, INPUTS, LOAD, OWNING
from planner.quantity.link import KEYS
from planner.scenario.terms import assumed_texts
from planner.search.choose.request import GRID_OF, OBJECTIVES
from planner.search.choose.rules import DEFAULT, rules_in_force, trades
from planner.ui.plain import plain
from planner.ui.state import inputs, text_of, texts, texts_of
from planner.ui.uploads import GivenFile, given

TRADES = [name for name in trades() if name != DEFAULT]
LEAST = {each.value: name for name, each in OBJECTIVES.items()}
MOST_MB = 16
USUAL = {"usable": "4 TB"}
IN_SIGHT = ("usable", "life", "max_loss", "iops", "budget", "form_factor", "plp")
RATES = ("discount_rate", "electricity", "pue", "slot", "node_cost", "labour")
DRAWERS = {
    "More requirements": (
        "sure", "array_depth", "floor_iops", "read_p999", "max_power", "slots", "least_warranty",
        "beyond_warranty", "credit_spare_area", "allow_unrated",
    ),
    "Which drives and layouts": (
        "segment", "interface", "encrypted", "launched", "lanes",
        *(f"choose_{name}" for name in GRID), "parity_group", "no_redundancy", "assumed",
    ),
    "Servers": CLUSTER,
    "Prices and terms": ("today", "price_age", "price_kinds", "rate", "currency", *RATES),
}  # fmt: skip
DRAWN = (*IN_SIGHT, *(key for keys in DRAWERS.values() for key in keys))
OF_SCENARIO = (
    "known_only",
    "hot_spares",
    "record",
    *LOAD,
    *(key for key in OWNING if key not in DRAWN),
)


class Wanted(NamedTuple):
    """The request: texts of inputs by name, words of names, objective, and own tables."""

    texts: Mapping[str, str]
    words: str
    minimise: str
    tables: tuple[GivenFile, ...] = ()
    only_own: bool = False


def controls() -> Wanted:
    """Draw the widgets: those that people use most, and the others in drawers."""
    trade = st.selectbox(
        "Rules of", TRADES, index=None, key="trade", bind="query-params", placeholder="any trade",
        help="What a trade takes for granted where nothing is stated.",
    )  # fmt: skip
    _fields(IN_SIGHT, trade)
    words = st.text_input(
        "Drives whose name contains", key="like", bind="query-params", placeholder="any drive"
    )
    least = st.radio("Minimise", list(LEAST), key="least", bind="query-params")
    for name, keys in DRAWERS.items():
        drawer = st.expander(plain(name), key=f"drawer {name}", on_change="rerun")
        if drawer.open:
            with drawer:
                _fields(keys, trade)
    with st.expander("Quotes and drives of your own"):
        st.caption("A CSV or XLSX table; `ssd-planner catalogue template` names its columns.")
        files = given("Tables", key="quotes", type=["csv", "xlsx"], max_upload_size=MOST_MB)
        only_own = st.checkbox("Only these drives", key="only_own")
    typed = {key: text_of(key) for key in DRAWN if key in inputs()}
    usual = USUAL | {"life": text_of("years")}
    statement = texts_of(OF_SCENARIO) | usual | typed | ({"rules": trade} if trade else {})
    named = {key.removeprefix("choose_"): text for key, text in statement.items() if text}
    return Wanted(named, words, LEAST[least or next(iter(LEAST))], tuple(files), only_own)


def _fields(keys: Sequence[str], trade: str | None) -> None:
    """Draw fields; an empty one shows what holds without it: by a rule, or as assumed."""
    held = (
        {"today": f"{date.today()}", "life": f"{text_of('years')}, as above"} | GRID_OF
        | assumed_texts(RATES)
        | {rule.input: f"{rule.value}, {rule.rules}" for rule in rules_in_force(trade, {})}
    )  # fmt: skip
    known = {key: held.get(key.removeprefix("choose_"), "not required") for key in keys}
    texts(*keys, known=known, defaults={key: _usual(key, held) for key in keys})


def _usual(key: str, held: Mapping[str, str]) -> str:
    """Return the initial text of a field: empty where a rule or an assumption applies."""
    if key in USUAL or KEYS[key].read is flag:
        return USUAL.get(key, "false")
    is_own = key in INPUTS and key not in held
    return (INPUTS[key].default or "") if is_own else ""

"""Drives: the catalogue, and every fact of the drive on screen with its source."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import pandas as pd
import streamlit as st

from models.nomenclature import QUANTITIES
from planner.catalogue import search
from planner.catalogue.drive import Drive, Fact, Feature
from planner.catalogue.features import derived_features
from planner.catalogue.prices import PriceTerms, dated_text, priced
from planner.quantity.show import shown, text
from planner.ui import state as scenario
from planner.ui.plain import plain
from planner.ui.tables import table

# What is shown of each drive, under heads that leave room for all.
COLUMNS = {
    "user_bytes": "Capacity [GB]", "rated_bytes": "Rated [TB]", "rated_dwpd": "Rated [DWPD]",
    "random_read_iops": "Read IOPS",
    "steady_write_iops": "Steady write IOPS", "raw_bytes": "Raw flash [GiB]",
    "pe_cycles": "Cycles",
}  # fmt: skip
INTERFACE, NAND, PRICE_IS = "Interface", "NAND", "Price today"
# The columns of the catalogue, as many at a time as fit beside the longest names.
VIEWS = {
    "Endurance": (INTERFACE, "user_bytes", "rated_bytes", "rated_dwpd"),
    "Speed and price": ("random_read_iops", "steady_write_iops", PRICE_IS),
    "Flash": (NAND, "raw_bytes", "pe_cycles"),
}
VIEW_NAMES = tuple(VIEWS)
CHARACTER_PX, MARGIN_PX = 6.5, 20  # of the small font of the table
_FOUND = "drives that were listed"


def render() -> None:
    """Draw the page."""
    words = st.text_input(
        "Search", key="search", bind="query-params", persist_state="session",
        placeholder="Words of a name: micron 7450, 990 pro 2tb",
    )  # fmt: skip
    _catalogue(search(scenario.catalogue(), words))
    is_own = scenario.drive_name() == scenario.OWN
    drive = scenario.current().drive if is_own else scenario.chosen()
    st.subheader(f"Facts of {plain(drive.name)}")
    _facts(drive)
    for problem in scenario.catalogue().problems:
        st.warning(plain(problem))


def _catalogue(drives: Sequence[Drive]) -> None:
    """List drives; a click on a row puts that drive into the sentence."""
    st.session_state[_FOUND] = [drive.name for drive in drives]
    recalled = sum(drive.is_recalled for drive in drives)
    st.caption(
        f"{len(drives):,} of {len(scenario.catalogue().drives):,} drives; some facts of "
        f"{recalled:,} are recalled, not read. A click on a row takes its drive."
    )
    view = st.segmented_control(
        "Columns", VIEW_NAMES, default=VIEW_NAMES[0], required=True, key="catalogue_columns",
        persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    heads = ["Drive", *VIEWS[view]]
    prices = _prices(date.today())
    listed = pd.DataFrame(
        [
            {"Drive": drive.name, INTERFACE: drive.interface, NAND: drive.nand_type}
            | {name: _value(drive.value(name), name) for name in COLUMNS}
            | {PRICE_IS: prices[drive.drive_id]}
            for drive in drives
        ],
        columns=heads,
    )
    kinds = {
        name: st.column_config.NumberColumn(
            COLUMNS[name], format="localized", help=QUANTITIES[name].meaning
        )
        if name in COLUMNS
        else st.column_config.TextColumn(width=_width_px(listed[name]))
        for name in heads
    }
    st.dataframe(
        listed, hide_index=True, column_config=kinds, placeholder="-", key="catalogue",
        on_select=_taken, selection_mode="single-row",
    )  # fmt: skip


def _width_px(texts: "pd.Series[str]") -> int:
    """Return the width of a column that cuts none of its texts: the table measures a few alone."""
    longest = max(map(len, texts), default=0)
    return round(CHARACTER_PX * longest) + MARGIN_PX


@st.cache_data(max_entries=1)
def _prices(today: date) -> dict[str, str]:
    """Return the price of each drive of the catalogue, with range, kind and date."""
    terms = PriceTerms(today=today)
    return {
        name: dated_text(priced(drive, terms))
        for name, drive in scenario.catalogue().drives.items()
    }


def _taken() -> None:
    rows = st.session_state["catalogue"].selection.rows
    if rows:
        scenario.forget_drive()
        scenario.put_drive(st.session_state[_FOUND][rows[0]])


def _facts(drive: Drive) -> None:
    """List every fact of a drive, and what is known of it in words."""
    facts = [
        {
            "Quantity": QUANTITIES[fact.quantity].label,
            "Printed": _printed(fact),
            "Condition": fact.condition,
            "Kind": f"{fact.kind}{'' if fact is drive.facts[fact.quantity] else ', not used'}",
            "Source": _located(fact),
            "Note": fact.note,
        }
        for quantity in drive.facts
        for fact in (drive.facts[quantity], *drive.passed_over.get(quantity, ()))
    ]
    table(facts)
    features = [
        {
            "What": feature.feature.replace("_", " "),
            "Words": feature.value,
            "Kind": feature.kind,
            "Source": _located(feature),
            "Note": feature.note,
        }
        for feature in {**drive.features, **derived_features(drive)}.values()
    ]
    table(features)


def _printed(fact: Fact) -> str:
    """Write a fact as its source has it; one that was typed, in the unit shown."""
    if fact.kind == "user" and not np.ndim(fact.value):
        return text(fact.quantity, float(fact.value))
    return f"{fact.text} {fact.unit}"


def _located(fact: Fact | Feature) -> str:
    """Return the title of a source and the place in it; what was typed has no title."""
    source = scenario.catalogue().sources.get(fact.source_id)
    parts = (source.title if source else fact.source_id, fact.locator)
    return ": ".join(part for part in parts if part)


def _value(value: float | None, name: str) -> float | None:
    return None if value is None else shown(name, value)


if __name__ == "__main__":
    render()

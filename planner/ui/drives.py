"""Drives: the catalogue, and every fact of the drive on screen with its source."""

import numpy as np
import pandas as pd
import streamlit as st

from models.nomenclature import QUANTITIES
from planner.catalogue import search
from planner.catalogue.drive import Fact
from planner.catalogue.features import derived_features
from planner.quantity.show import shown, text
from planner.ui import state as scenario
from planner.ui.plain import plain

COLUMNS = (
    "user_bytes", "raw_bytes", "random_read_iops", "steady_write_iops", "rated_bytes",
    "rated_dwpd", "pe_cycles", "price_usd",
)  # fmt: skip


def render() -> None:
    """Draw the page."""
    catalogue = scenario.catalogue()
    words = st.text_input("Search", key="search", bind="query-params", persist_state="session")
    found = search(catalogue, words)
    table = pd.DataFrame(
        [
            {"Drive": drive.name, "Interface": drive.interface, "NAND": drive.nand_type}
            | {_head(name): _value(drive.value(name), name) for name in COLUMNS}
            for drive in found
        ]
    )
    recalled = sum(drive.is_recalled for drive in found)
    st.caption(
        f"{len(found):,} of {len(catalogue.drives):,} drives; some facts of {recalled:,} are "
        "recalled, not read"
    )
    st.dataframe(table, hide_index=True)
    is_own = scenario.drive_name() == scenario.OWN
    drive = scenario.current().drive if is_own else scenario.chosen()
    st.subheader(f"Facts of {plain(drive.name)}")
    facts = [
        {
            "Quantity": QUANTITIES[fact.quantity].label,
            "Printed": _printed(fact),
            "Condition": fact.condition,
            "Kind": fact.kind,
            "Used": "yes" if fact is drive.facts[fact.quantity] else "no",
            "Source": _title(fact.source_id),
            "Locator": fact.locator,
            "Note": fact.note,
        }
        for quantity in drive.facts
        for fact in (drive.facts[quantity], *drive.passed_over.get(quantity, ()))
    ]
    st.dataframe(pd.DataFrame(facts), hide_index=True)
    features = [
        {
            "What": feature.feature.replace("_", " "),
            "Words": feature.value,
            "Kind": feature.kind,
            "Source": catalogue.sources[feature.source_id].title,
            "Locator": feature.locator,
            "Note": feature.note,
        }
        for feature in {**drive.features, **derived_features(drive)}.values()
    ]
    st.dataframe(pd.DataFrame(features), hide_index=True)
    for problem in catalogue.problems:
        st.warning(plain(problem))


def _printed(fact: Fact) -> str:
    """Write a fact as its source has it; one that was typed, in the unit shown."""
    if fact.kind == "user" and not np.ndim(fact.value):
        return text(fact.quantity, float(fact.value))
    return f"{fact.text} {fact.unit}"


def _title(source_id: str) -> str:
    """Return the title of a source; what was typed has none in the catalogue."""
    source = scenario.catalogue().sources.get(source_id)
    return source.title if source else source_id


def _head(name: str) -> str:
    quantity = QUANTITIES[name]
    return quantity.label if quantity.shown_in == "1" else f"{quantity.label} [{quantity.shown_in}]"


def _value(value: float | None, name: str) -> float | None:
    return None if value is None else shown(name, value)


if __name__ == "__main__":
    render()

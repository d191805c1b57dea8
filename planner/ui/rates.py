"""Converter of IOPS, throughput, latency and queue depth, on the place of speed."""

from typing import Any

import streamlit as st

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.quantity.inputs import stated
from planner.quantity.show import complaint
from planner.sections.rates import CONVERTED, ConvertedRates, rates
from planner.ui.plain import plain, shown
from planner.ui.tables import pairs

LABELS = {
    "iops": "IOPS", "throughput": "Throughput", "latency": "Latency", "depth": "Queue depth",
    "size": "Size of one operation",
}  # fmt: skip


def render_rates() -> None:
    """Draw five fields, of which two or three give the others."""
    with st.expander("Convert IOPS, MB/s, latency and queue depth", key="rates"):
        columns = st.columns(len(CONVERTED))
        texts = {
            row.name: column.text_input(
                LABELS[row.name], key=f"rates_{row.name}", placeholder=row.example or "4 KiB",
                persist_state="session",
            )
            for row, column in zip(CONVERTED, columns, strict=True)
        }  # fmt: skip
        filled = {name: text for name, text in texts.items() if text.strip()}
        if not filled:
            st.caption("Fill in two or three: the others follow by Little's law.")
            return
        _draw(filled)


def _draw(texts: dict[str, Any]) -> None:
    try:
        found = rates(stated(texts, [row for row in CONVERTED if row.name in texts]))
    except DomainError as error:
        st.error(plain(complaint(error, {row.field: LABELS[row.name] for row in CONVERTED})))
        return
    _table(found)


def _table(found: ConvertedRates) -> None:
    rows = [(QUANTITIES[item.key].label, shown(item, digits=4)) for item in found.answers]
    pairs(rows, "Quantity", "Value")
    for note in found.notes:
        st.caption(plain(note))

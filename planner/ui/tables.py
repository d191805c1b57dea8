"""Tables of text whose cells wrap: no column is cut, whatever a screen is wide."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from planner.ui.plain import cell, plain

Rows = Sequence[Mapping[str, Any]]


def table(rows: Rows, *, columns: Sequence[str] = ()) -> None:
    """Draw rows with some of their columns, all of them without; no table without rows."""
    if not rows:
        return
    shown = [name for name in columns or rows[0] if name in rows[0]]
    st.table(pd.DataFrame(list(rows), columns=shown).rename(columns=plain).map(cell),
             hide_index=True)  # fmt: skip


def pairs(rows: Sequence[Sequence[object]], *names: str) -> None:
    """Draw rows whose values are in the order of the names of their columns."""
    table([dict(zip(names, row, strict=True)) for row in rows])

"""Charts in the colours of the page: written for a light one, turned for a dark one."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

# Of the page, as .streamlit/config.toml has them, and of text upon it.
GROUND = {"light": "#ffffff", "dark": "#171614"}
INK = {"light": "#31333f", "dark": "#f0f0f0"}
# What stands out on a light page, and what does so on a dark one. Colours that are not here lie on
# a ground of their own.
TURNED = {
    "white": GROUND["dark"],
    "#333333": "#e6e6e6",
    "#666666": "#a8a8a8",
    "#8a8a8a": "#7d7d7d",
    "#1f5fa8": "#6fb1f5",
    "#1f77b4": "#5aa9e6",
    "#4c78a8": "#7ba8d9",
    "#808495": "#9aa0b0",
    "#c2500a": "#f08a4b",
    "#c96a00": "#f59a3d",
    "#b07800": "#e0a030",
    "#7a6a00": "#cdb93a",
    "#1a7f37": "#58c177",
    "#4f7546": "#8fc183",
    "#54a24b": "#6cc063",
    "#d62728": "#ff6b6b",
}
_COLOUR = re.compile("|".join(f'"{colour}"' for colour in TURNED))


def chart(rows: pd.DataFrame, spec: Mapping[str, Any], *, key: str, alt: str) -> None:
    """Draw a chart that follows the theme of the page.

    `alt` names it for those who cannot see it, and its buttons; its finding is a caption beside
    it. Both `alt` and `spec` stay while a scenario changes: the browser then moves the marks, and
    does not build the chart anew.
    """
    kind = "dark" if st.context.theme.type == "dark" else "light"
    st.vega_lite_chart(rows, themed(with_rows(spec, rows), kind), key=key, alt=alt)


def with_rows(spec: Mapping[str, Any], rows: pd.DataFrame) -> dict[str, Any]:
    """Return a chart without the layers of kinds that no row has.

    A layer without marks is a picture without a name for those who cannot see it.

    >>> layers = [{"transform": [{"filter": {"field": "kind", "oneOf": [name]}}]} for name in "ab"]
    >>> with_rows({"layer": layers}, pd.DataFrame({"kind": ["b"]}))["layer"] == layers[1:]
    True
    """
    if "layer" not in spec:
        return {**spec}
    layers = [with_rows(layer, rows) for layer in spec["layer"] if _has_rows(layer, rows)]
    return {**spec, "layer": layers or spec["layer"]}


def _has_rows(layer: Mapping[str, Any], rows: pd.DataFrame) -> bool:
    for step in layer.get("transform", ()):
        wanted = step.get("filter")
        if isinstance(wanted, dict) and wanted["field"] in rows:
            values = wanted.get("oneOf", [wanted.get("equal")])
            rows = rows[rows[wanted["field"]].isin(values)]
    return len(rows) > 0


def themed(spec: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return a chart in the colours of a theme, text and rules without a colour in its ink.

    >>> themed({"mark": {"type": "line", "color": "#1f5fa8"}}, "dark")["mark"]
    {'type': 'line', 'color': '#6fb1f5'}
    """
    marks = {"text": {"color": INK[kind]}, "rule": {"color": INK[kind]}}
    if kind == "light":
        return {**spec, "config": marks}
    turned = _COLOUR.sub(lambda found: f'"{TURNED[found[0][1:-1]]}"', json.dumps(spec))
    return {**json.loads(turned), "config": marks}

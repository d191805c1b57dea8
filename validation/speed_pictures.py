"""Pictures of the comparison of speeds, as SVG: some curves, and all errors."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import altair as alt

from validation.pictures import COLOURS, frame, percent, scale, svg
from validation.speed import Curve, Finding, Row
from validation.speed_report import OVERVIEW, rows_by_group

Axes = tuple[str, Literal["linear", "log"], str, Literal["linear", "log"]]
AXES: Mapping[str, Axes] = {
    # title of x and its scale, title of y and its scale
    "Random reads": ("queue depth", "log", "IOPS", "log"),
    "Read latency beside writes": ("share of reads that take longer", "log", "latency [us]", "log"),
}


def speed_pictures(findings: Sequence[Finding]) -> dict[str, str]:
    """Return an SVG by title: curves, then the errors of every group."""
    by_picture: dict[str, list[Curve]] = {}
    for finding in findings:
        for curve in finding.curves:
            by_picture.setdefault(curve.picture, []).append(curve)
    drawn = {title: svg(_curves(title, curves)) for title, curves in by_picture.items()}
    return drawn | {OVERVIEW: svg(_errors(rows_by_group(findings)))}


def _curves(title: str, curves: Sequence[Curve]) -> Any:
    """Draw formulas as lines and the simulation as points; quantities of a course above another."""
    if title in AXES:
        return _panel(title, curves, AXES[title], points=45)
    panels = [
        _panel(title, [curve], ("time [s]", "linear", curve.name, "log"), points=8)
        for curve in curves
    ]
    return alt.vconcat(*panels, spacing=15)


def _panel(title: str, curves: Sequence[Curve], axes: Axes, *, points: float) -> Any:
    names = [curve.name for curve in curves]
    rows = [
        {"x": _digits(x), "formula": _digits(formula), "simulation": _digits(simulation),
         "what": curve.name}
        for curve in curves
        for x, formula, simulation in zip(curve.x, curve.modelled, curve.simulated, strict=True)
    ]  # fmt: skip
    reverse = axes[0].startswith("share")
    x = alt.X("x:Q", title=axes[0], scale=alt.Scale(type=axes[1], reverse=reverse, nice=False))
    legend = alt.Legend(labelLimit=400) if len(names) > 1 else None
    colour = alt.Color("what:N", sort=names, title=None, scale=scale(names, COLOURS), legend=legend)
    base = alt.Chart(frame(rows))
    line = base.mark_line(strokeWidth=1.5).encode(x=x, y=_y("formula", axes), color=colour)
    apart = colour if len(names) > 1 else alt.value(COLOURS[1])
    dots = base.mark_point(size=points, filled=True, opacity=0.8).encode(
        x=x, y=_y("simulation", axes), color=apart
    )
    subtitle = "lines: formula, points: simulation"
    return (line + dots).properties(
        width=460, height=260, title=alt.Title(title, subtitle=subtitle)
    )


def _y(field: str, axes: Axes) -> Any:
    return alt.Y(f"{field}:Q", title=axes[2], scale=alt.Scale(type=axes[3], zero=False))


def _errors(groups: Mapping[str, Sequence[Row]]) -> Any:
    """Draw every error over its bound; beyond three bounds at the edge."""
    names = list(groups)
    rows = [
        {
            "group": name,
            "share": _digits(max(-3.0, min(3.0, row.error / row.bound))),
            "error": percent(row.error),
        }
        for name, members in groups.items()
        for row in members
    ]
    y = alt.Y("group:N", sort=names, title=None, axis=alt.Axis(labelLimit=420))
    x = alt.X("share:Q", title="error over its bound", scale=alt.Scale(domain=[-3, 3]))
    band = (
        alt.Chart(frame([{"low": -1.0, "high": 1.0}]))
        .mark_rect(color="#0072B2", opacity=0.08)
        .encode(x="low:Q", x2="high:Q")
    )
    dots = (
        alt.Chart(frame(rows))
        .mark_point(size=18, filled=True, opacity=0.35, color="#D55E00")
        .encode(x=x, y=y)
    )
    return (band + dots).properties(
        width=460,
        height=18 * len(names),
        title=alt.Title(
            "Every error over its bound",
            subtitle="band: within the bound; beyond three of them at the edge",
        ),
    )


def _digits(value: float) -> float:
    return float(f"{value:.5g}")

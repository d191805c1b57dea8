"""Pictures of the comparison of formulas and simulator, as SVG."""

import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from validation import Case, Outcome
from validation.report import by_group

# Colours of Okabe and Ito, which people with any colour vision tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
SHAPES = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "triangle-right")
POLICIES = {
    ("random, uniform", "b = 64"): "random victim",
    ("d-choices, uniform", "d = 10, b = 64"): "best of 10, b = 64",
    ("fifo, uniform", "b = 64"): "oldest block",
    ("greedy, uniform", "b = 512"): "greedy, b = 512",
    ("greedy, uniform", "b = 64"): "greedy, b = 64",
    ("greedy, uniform", "b = 16"): "greedy, b = 16",
}
SKEWS = {
    ("Zipf, linear noise", "s = 1.2, b = 256"): "Zipf 1.2",
    ("Zipf, linear noise", "s = 0.99, b = 256"): "Zipf 0.99",
    ("skew, linear noise", "95/5, b = 256"): "95/5",
    ("skew, linear noise", "90/10, b = 256"): "90/10",
    ("skew, linear noise", "80/20, b = 256"): "80/20",
    ("greedy, uniform", "b = 256"): "uniform",
    ("streams with mistakes", "90/10, 5 % wrong, b = 128"): "90/10 in streams, 5 % wrong",
    ("streams with mistakes", "90/10, 0 % wrong, b = 128"): "90/10 in streams",
}
AMPLIFICATION = "write amplification"


def can_draw() -> bool:
    """Whether the program that turns charts into pictures is installed."""
    return importlib.util.find_spec("vl_convert") is not None


def pictures(outcomes: Sequence[Outcome]) -> dict[str, str]:
    """Return an SVG for every group, and an overview if its cases are included."""
    charts: dict[str, Any] = {}
    drawn = [
        _amplification(outcomes, POLICIES, "Uniform writes"),
        _amplification(outcomes, SKEWS, "Skewed writes, greedy"),
    ]
    panels = [panel for panel in drawn if panel is not None]
    if panels:
        charts["overview"] = alt.hconcat(*panels, spacing=40).resolve_scale(
            color="independent", shape="independent"
        )
    for group, members in by_group(outcomes).items():
        charts[group] = _errors(group, members)
    return {name: svg(chart) for name, chart in charts.items()}


def svg(chart: Any) -> str:
    """Convert a chart into SVG."""
    import vl_convert  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - optional

    styled = chart.configure(background="white", font="sans-serif", aria=False).configure_view(
        stroke="#ccc"
    )
    return str(vl_convert.vegalite_to_svg(styled.to_dict(), vl_version="6.1")) + "\n"


def _amplification(
    outcomes: Sequence[Outcome], chosen: Mapping[tuple[str, str], str], title: str
) -> Any:
    """Draw formulas as lines and the simulator as points."""
    points, lines = [], []
    for key, name in chosen.items():
        members = [one for one in outcomes if (one.case.group, one.case.series) == key]
        if not members:
            continue
        points += [{"p": _ratio(one.case), "wa": one.result.wa, "what": name} for one in members]
        lines += [row | {"what": name} for row in _curve([one.case for one in members])]
    if not points:
        return None
    names = [name for name in chosen.values() if any(row["what"] == name for row in points)]
    colour = alt.Color("what:N", sort=names, title=None, scale=scale(names, COLOURS))
    x = alt.X(
        "p:Q",
        title="spare area over user area",
        scale=alt.Scale(type="log", domain=[0.045, 1.1], nice=False),
        axis=alt.Axis(values=[0.05, 0.1, 0.2, 0.5, 1], format=".0%"),
    )
    y = alt.Y(
        "wa:Q",
        title=AMPLIFICATION,
        scale=alt.Scale(type="log", domain=[1, 25], nice=False),
        axis=alt.Axis(values=[1, 2, 3, 5, 10, 20]),
    )
    formula = alt.Chart(frame(lines)).mark_line(strokeWidth=1.5).encode(x=x, y=y, color=colour)
    shape = alt.Shape("what:N", sort=names, title=None, scale=scale(names, SHAPES))
    simulated = (
        alt.Chart(frame(points))
        .mark_point(size=45, filled=True, opacity=0.9)
        .encode(x=x, y=y, color=colour, shape=shape)
    )
    subtitle = "lines: formula, points: simulator"
    return (formula + simulated).properties(
        width=360, height=300, title=alt.Title(title, subtitle=subtitle)
    )


def _curve(cases: Sequence[Case]) -> Iterator[dict[str, float]]:
    ratios = [_ratio(case) for case in cases]
    for ratio in np.geomspace(min(ratios), max(ratios), 40):
        yield {"p": round(float(ratio), 5), "wa": round(float(cases[0].formula(ratio)), 5)}


def _errors(group: str, outcomes: Sequence[Outcome]) -> Any:
    """Draw the errors of a group in panels that share a bound, a band as high as the bound."""
    bounds = sorted({one.case.bound for one in outcomes})
    panels = [
        _panel([one for one in outcomes if one.case.bound == bound], bound) for bound in bounds
    ]
    title = alt.Title(
        f"{group}: error against the simulator",
        subtitle="bars: noise (95 %), band: bound, dotted: a fifth of it",
    )
    return alt.concat(*panels, columns=2, spacing=30).resolve_scale(
        color="independent", shape="independent"
    ).properties(title=title)  # fmt: skip


def _panel(outcomes: Sequence[Outcome], bound: float) -> Any:
    names = list(dict.fromkeys(one.case.series for one in outcomes))
    ratios = [f"{ratio:.3g}" for ratio in sorted({_ratio(one.case) for one in outcomes})]
    rows = [
        {
            "p": f"{_ratio(one.case):.3g}",
            "series": one.case.series,
            "error": percent(one.error),
            "low": percent(one.error - one.noise),
            "high": percent(one.error + one.noise),
        }
        for one in outcomes
    ]
    reach = max([100 * bound, *(abs(row[end]) for row in rows for end in ("low", "high"))])  # type: ignore[arg-type]  # numbers
    x = alt.X("p:N", sort=ratios, title="spare area, p", axis=alt.Axis(labelAngle=0))
    y = alt.Y(
        "error:Q",
        title="error [%]",
        scale=alt.Scale(domain=[-1.05 * reach, 1.05 * reach], nice=False),
    )
    offset = alt.XOffset("series:N", sort=names)
    colour = alt.Color(
        "series:N",
        sort=names,
        title=None,
        scale=scale(names, COLOURS),
        legend=alt.Legend(symbolLimit=60, labelLimit=300, columns=1),
    )
    shape = alt.Shape("series:N", sort=names, title=None, scale=scale(names, SHAPES))
    table = frame(rows)
    bars = (
        alt.Chart(table)
        .mark_rule(strokeWidth=1.5)
        .encode(x=x, y=alt.Y("low:Q"), y2="high:Q", xOffset=offset, color=colour)
    )
    points = (
        alt.Chart(table)
        .mark_point(size=28, filled=True)
        .encode(x=x, y=y, xOffset=offset, color=colour, shape=shape)
    )
    return (_band(bound) + bars + points).properties(
        width=max(220, 14 * len(names) * len(ratios)) if len(names) * len(ratios) < 40 else 560,
        height=220,
        title=f"allowed: {bound:.2%}",
    )


def _band(bound: float) -> Any:
    edge = percent(bound)
    band = (
        alt.Chart(frame([{"low": -edge, "high": edge}]))
        .mark_rect(color="#0072B2", opacity=0.08)
        .encode(y="low:Q", y2="high:Q")
    )
    fifth = (
        alt.Chart(frame([{"y": -edge / 5}, {"y": edge / 5}]))
        .mark_rule(color="#777", strokeDash=[2, 3])
        .encode(y="y:Q")
    )
    zero = alt.Chart(frame([{"y": 0.0}])).mark_rule(color="#777").encode(y="y:Q")
    return band + fifth + zero


def scale(names: Sequence[str], values: Sequence[str]) -> Any:
    """Assign a value to each name, in turn."""
    reached = [values[i % len(values)] for i in range(len(names))]
    return alt.Scale(domain=list(names), range=reached)


def _ratio(case: Case) -> float:
    return float(case.config.op_ratio or 0.0)


def percent(share: float) -> float:
    """Percent of a share, rounded for the file."""
    return round(100 * share, 5)


def frame(rows: Sequence[Mapping[str, object]]) -> Any:
    """Return rows as a data frame for charts."""
    return pd.DataFrame(list(rows))

"""Charts as plain Vega-Lite, so that a rerun builds nothing but data."""

from typing import Any

from planner.ui.marks import LABEL, Spec, dot, label, layer, number, rule, tip, word


def _log(title: str) -> Spec:
    return {"type": "quantitative", "scale": {"type": "log"}, "title": title}


def _layers(x: Spec, y: Spec, color: Spec | None = None) -> Spec:
    """Lines for rows of kind "curve", a labelled point for the row of kind "now"."""
    place: Spec = {"x": x, "y": y}
    tips = [tip(axis["field"], axis["title"]) for axis in (x, y)]
    colored: Spec = {}
    dashed: Spec = {}
    if color is not None:
        tips = [word(color["field"], color["title"]), *tips]
        colored = {"color": color}
        dashed = {"strokeDash": {"field": color["field"], "legend": None}}
    line = {"type": "line", "clip": True, "strokeWidth": 2.5}
    return {
        "height": 300,
        "layer": [
            layer("curve", line, **place, **colored, **dashed, tooltip=tips),
            layer("now", dot(120), **place, tooltip=tips, **colored),
            layer("now", label("left", 10, -8, fontWeight="bold"), **place, **LABEL),
        ],
    }


_SPARE = number("spare", "Spare area [% of raw flash]")
WA_CURVE = _layers(_SPARE, {"field": "wa"} | _log("Write amplification"))
LIFE_CURVE = _layers(
    {"field": "writes"} | _log("Host writes to the array [GB/day]"),
    {"field": "years"} | _log("Life [years]"),
    word("limit", "Limit", legend={"orient": "top", "title": None, "columns": 2}),
)


def _over_years(field: str, title: str, color: str) -> Spec:
    axis = {"titleColor": color, "labelColor": color}
    return layer(
        "course", {"type": "line", "color": color, "strokeWidth": 2.5},
        y=number(field, title, axis=axis),
        tooltip=[tip("years", "Years from now"), tip(field, title)],
    )  # fmt: skip


# What a growing workload writes, and when it has worn out one drive after another.
GROWTH: Spec = {
    "height": 160,
    "encoding": {"x": number("years", "Years from now")},
    "layer": [
        _over_years("rate", "Writes [GiB/day]", "#4c78a8"),
        _over_years("written", "Written [TB]", "#4f7546"),
        layer("worn", rule("#d62728", 2, 4, 3), tooltip=[tip("years", "Worn out after [years]")]),
    ],
    "resolve": {"scale": {"y": "independent"}},
}

_WA_TIPS = [
    tip("spare", "Spare area [% of raw flash]"), tip("low", "Write amplification, low"),
    tip("wa", "typical, or here"), tip("high", "high"),
]  # fmt: skip
_WA: Spec = {"y": {"field": "wa"} | _log("Write amplification")}
_WA_RANGE: Spec = {"y": {"field": "low"} | _log("Write amplification"), "y2": {"field": "high"}}
_WA_COLOR: Spec = {"domain": ["now", "simulated"], "range": ["#d62728", "#1a7f37"]}
WA_BAND: Spec = {
    "height": 380,
    "encoding": {"x": _SPARE},
    "layer": [
        layer("band", {"type": "area", "opacity": 0.25}, **_WA_RANGE),
        layer("band", {"type": "line", "strokeWidth": 2.5}, **_WA, tooltip=_WA_TIPS),
        layer("simulated", rule("#1a7f37", 3), **_WA_RANGE),
        {
            "transform": [{"filter": "datum.kind != 'band'"}],
            "mark": dot(120),
            "encoding": _WA | {
                "color": {"field": "kind", "type": "nominal", "legend": None, "scale": _WA_COLOR},
                "tooltip": _WA_TIPS,
            },
        },
        layer("simulated", label("left", 10, 14, color="#1a7f37"), **_WA, **LABEL),
        layer("now", label("left", 10, -8, fontWeight="bold"), **_WA, **LABEL),
    ],
}  # fmt: skip

_FORECAST: list[Spec] = [
    layer(
        "band", {"type": "rect", "opacity": 0.2, "color": "#1f77b4"},
        x=number("early"), x2={"field": "years"},
        tooltip=[tip("early", "Ends from [years]"), tip("years", "to [years]")],
    ),
    layer("end", {"type": "point", "opacity": 0}),
    layer("middle", rule("#d62728", 2), tooltip=[tip("years", "Middle [years]")]),
    layer(
        "middle", label("right", -6, fontWeight="bold", color="#d62728"),
        y={"value": 12}, **LABEL,
    ),
]  # fmt: skip
_ENDED = "Probability that life has ended [%]"
_CHANCE = layer(
    "chance", {"type": "line", "color": "#1f77b4"},
    y=number("chance", _ENDED, scale={"domain": [0, 100]}),
    tooltip=[tip("years", "Years from the last reading"), tip("chance", _ENDED)],
)  # fmt: skip
_YEARS: Spec = {
    "x": number("years", "Years from the last reading", scale={"domainMin": 0, "nice": False})
}
# The end of a drive's rated life: band and middle, and the chance where a series gives one.
FORECAST_BAND: Spec = {"height": 90, "encoding": _YEARS, "layer": _FORECAST}
FORECAST: Spec = {"height": 240, "encoding": _YEARS, "layer": [*_FORECAST, _CHANCE]}

COST_BY_YEAR: Spec = {
    "height": 260,
    "mark": {"type": "bar"},
    "encoding": {
        "x": {"field": "year", "type": "ordinal", "title": "Year", "axis": {"labelAngle": 0}},
        "y": number("usd", "Cost of the year [USD]"),
        "color": word("part", legend={"orient": "top"}),
        "tooltip": [word("part", "Part"), tip("usd", "Cost of the year [USD]", ",.0f")],
    },
}

# Drives whose life ends in each month, and between what chance leaves their number.
ORDERS: Spec = {
    "height": 260,
    "encoding": {
        "x": {"field": "month", "type": "ordinal", "title": "Month",
              "axis": {"labelOverlap": True}},
        "tooltip": [word("month", "Month"), tip("expected", "Drives expected"),
                    tip("low", "from"), tip("high", "to")],
    },
    "layer": [
        {
            "mark": {"type": "bar", "color": "#4c78a8"},
            "encoding": {"y": number("expected", "Drives")},
        },
        {
            "mark": rule("#808495", 2),
            "encoding": {"y": number("low", "Drives"), "y2": {"field": "high"}},
        },
    ],
}  # fmt: skip

_LIFE_X = number(
    "low", None, scale={"nice": False, "zero": True},
    axis={"labelExpr": "datum.label + ' y'", "tickCount": 8},
)  # fmt: skip
_LIFE_Y = word(
    "label", sort=None, axis={"labelLimit": 240, "labelOverlap": False, "labelFlush": False}
)
_LIMITS: Spec = {
    "domain": ["warranty", "rating", "flash wear-out"], "range": ["#808495", "#4c78a8", "#b07800"],
}  # fmt: skip
_LIFE_BAND: Spec = {
    "x": _LIFE_X, "y": _LIFE_Y,
    "color": {"field": "what", "type": "nominal", "legend": None, "scale": _LIMITS},
    "tooltip": [
        word("what", "Limit"), tip("from", "Ends from [years]"), tip("to", "To [years]"),
    ],
}  # fmt: skip
_HORIZON: Spec = {"x": _LIFE_X, "tooltip": [tip("low", "Must hold [years]")]}
# What ends a drive on one axis of years, pale where it may have ended, and the time that must
# hold. The axis goes to the row of kind "end"; a bar that goes on beyond it ends in an arrow.
LIFE_BAR: Spec = {
    "height": {"step": 18},
    "layer": [
        layer("band", {"type": "bar", "height": 11}, **_LIFE_BAND, x2={"datum": 0}),
        layer(
            "band", {"type": "bar", "height": 11, "opacity": 0.45},
            **_LIFE_BAND, x2={"field": "high"},
        ),
        layer("beyond", dot(150, shape="triangle-right", xOffset=5), **_LIFE_BAND),
        layer("horizon", rule("#d62728", 2, 4, 3), **_HORIZON),
        layer("horizon", dot(60, color="#d62728"), **_HORIZON, y=_LIFE_Y),
        layer("end", {"type": "point", "opacity": 0}, x=_LIFE_X),
    ],
}  # fmt: skip


def front_chart(x: str, y: str) -> Spec:
    """Return points `x`, `y` of plans that are best in something, each named on hovering."""
    axes: dict[str, Any] = {
        name: number(name, title, scale={"zero": False}) for name, title in (("x", x), ("y", y))
    }
    tips = [word("Drive", "Drive"), word("Plan", "Plan"), tip("x", x, ",.3~r"),
            tip("y", y, ",.3~r")]  # fmt: skip
    color = word("Drive", legend={"orient": "bottom", "columns": 1, "labelLimit": 260})
    return {
        "height": 320,
        "layer": [
            {
                "mark": {"type": "line", "interpolate": "step-after", "color": "#8a8a8a"},
                "encoding": axes,
            },
            {"mark": dot(80), "encoding": axes | {"tooltip": tips, "color": color}},
        ],
    }

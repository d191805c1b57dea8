"""Charts as plain Vega-Lite, so that a rerun builds nothing but data."""

from typing import Any

Spec = dict[str, Any]


def _log(title: str) -> Spec:
    return {"type": "quantitative", "scale": {"type": "log"}, "title": title}


def tip(field: str, title: str, format_: str = ".3~g") -> Spec:
    """Return a line of what is shown on hovering: a number, with the unit in its title."""
    return {"field": field, "type": "quantitative", "title": title, "format": format_}


def _layers(x: Spec, y: Spec, color: Spec | None = None, height: int = 300) -> Spec:
    """Lines for rows of kind "curve", a labelled point for the row of kind "now"."""
    line: Spec = {"x": x, "y": y}
    point: Spec = {"x": x, "y": y}
    if color is not None:
        line |= {"color": color, "strokeDash": {"field": color["field"], "legend": None}}
    tips = [tip(axis["field"], axis["title"]) for axis in (x, y)]
    if color is not None:
        tips = [{"field": color["field"], "type": "nominal", "title": color["title"]}, *tips]
    return {
        "height": height,
        "layer": [
            {
                "transform": [{"filter": "datum.kind == 'curve'"}],
                "mark": {"type": "line", "clip": True, "strokeWidth": 2.5},
                "encoding": line | {"tooltip": tips},
            },
            {
                "transform": [{"filter": "datum.kind == 'now'"}],
                "mark": {"type": "point", "filled": True, "size": 120, "opacity": 1},
                "encoding": point | {"tooltip": tips} | ({"color": color} if color else {}),
            },
            {
                "transform": [{"filter": "datum.kind == 'now'"}],
                "mark": {"type": "text", "align": "left", "dx": 10, "dy": -8, "fontWeight": "bold"},
                "encoding": point | {"text": {"field": "label"}},
            },
        ],
    }


WA_CURVE = _layers(
    {"field": "spare", "type": "quantitative", "title": "Spare area [% of raw flash]"},
    {"field": "wa"} | _log("Write amplification"),
)
LIFE_CURVE = _layers(
    {"field": "writes"} | _log("Host writes to the array [GB/day]"),
    {"field": "years"} | _log("Life [years]"),
    {
        "field": "limit",
        "type": "nominal",
        "title": "Limit",
        "legend": {"orient": "top", "title": None},
    },
)


def _over_years(field: str, title: str, color: str) -> Spec:
    axis = {"titleColor": color, "labelColor": color}
    return {
        "transform": [{"filter": "datum.kind == 'course'"}],
        "mark": {"type": "line", "color": color, "strokeWidth": 2.5},
        "encoding": {
            "y": {"field": field, "type": "quantitative", "title": title, "axis": axis},
            "tooltip": [tip("years", "Years from now"), tip(field, title)],
        },
    }


# What a growing workload writes, and when it has worn out one drive after another.
GROWTH: Spec = {
    "height": 160,
    "encoding": {"x": {"field": "years", "type": "quantitative", "title": "Years from now"}},
    "layer": [
        _over_years("rate", "Writes [GiB/day]", "#4c78a8"),
        _over_years("written", "Written [TB]", "#4f7546"),
        {
            "transform": [{"filter": "datum.kind == 'worn'"}],
            "mark": {"type": "rule", "color": "#d62728", "strokeDash": [4, 3], "strokeWidth": 2},
            "encoding": {"tooltip": [tip("years", "Worn out after [years]")]},
        },
    ],
    "resolve": {"scale": {"y": "independent"}},
}

_SPARE: Spec = {"field": "spare", "type": "quantitative", "title": "Spare area [% of raw flash]"}
_WA_TIPS = [
    tip("spare", "Spare area [% of raw flash]"), tip("low", "Write amplification, low"),
    tip("wa", "typical, or here"), tip("high", "high"),
]  # fmt: skip
WA_BAND: Spec = {
    "height": 380,
    "encoding": {"x": _SPARE},
    "layer": [
        {
            "transform": [{"filter": "datum.kind == 'band'"}],
            "mark": {"type": "area", "opacity": 0.25},
            "encoding": {"y": {"field": "low"} | _log("Write amplification"),
                         "y2": {"field": "high"}},
        },
        {
            "transform": [{"filter": "datum.kind == 'band'"}],
            "mark": {"type": "line", "strokeWidth": 2.5},
            "encoding": {"y": {"field": "wa"} | _log("Write amplification"), "tooltip": _WA_TIPS},
        },
        {
            "transform": [{"filter": "datum.kind == 'simulated'"}],
            "mark": {"type": "rule", "strokeWidth": 3, "color": "#1a7f37"},
            "encoding": {"y": {"field": "low"} | _log("Write amplification"),
                         "y2": {"field": "high"}},
        },
        {
            "transform": [{"filter": "datum.kind != 'band'"}],
            "mark": {"type": "point", "filled": True, "size": 120, "opacity": 1},
            "encoding": {
                "y": {"field": "wa"} | _log("Write amplification"),
                "color": {"field": "kind", "type": "nominal", "legend": None,
                          "scale": {"domain": ["now", "simulated"],
                                    "range": ["#d62728", "#1a7f37"]}},
                "tooltip": _WA_TIPS,
            },
        },
        {
            "transform": [{"filter": "datum.kind == 'simulated'"}],
            "mark": {"type": "text", "align": "left", "dx": 10, "dy": 14, "color": "#1a7f37"},
            "encoding": {"y": {"field": "wa"} | _log("Write amplification"),
                         "text": {"field": "label"}},
        },
        {
            "transform": [{"filter": "datum.kind == 'now'"}],
            "mark": {"type": "text", "align": "left", "dx": 10, "dy": -8, "fontWeight": "bold"},
            "encoding": {"y": {"field": "wa"} | _log("Write amplification"),
                         "text": {"field": "label"}},
        },
    ],
}  # fmt: skip

_MIDDLE = [{"filter": "datum.kind == 'middle'"}]
_FORECAST: list[dict[str, Any]] = [
    {
        "transform": [{"filter": "datum.kind == 'band'"}],
        "mark": {"type": "rect", "opacity": 0.2, "color": "#1f77b4"},
        "encoding": {
            "x": {"field": "early", "type": "quantitative"}, "x2": {"field": "years"},
            "tooltip": [tip("early", "Ends from [years]"), tip("years", "to [years]")],
        },
    },
    {
        "transform": [{"filter": "datum.kind == 'end'"}],
        "mark": {"type": "point", "opacity": 0},
    },
    {
        "transform": _MIDDLE,
        "mark": {"type": "rule", "color": "#d62728", "strokeWidth": 2},
        "encoding": {"tooltip": [tip("years", "Middle [years]")]},
    },
    {
        "transform": _MIDDLE,
        "mark": {"type": "text", "align": "right", "dx": -6, "fontWeight": "bold",
                 "color": "#d62728"},
        "encoding": {"y": {"value": 12}, "text": {"field": "label"}},
    },
]  # fmt: skip
_CHANCE: dict[str, Any] = {
    "transform": [{"filter": "datum.kind == 'chance'"}],
    "mark": {"type": "line", "color": "#1f77b4"},
    "encoding": {
        "y": {"field": "chance", "type": "quantitative", "scale": {"domain": [0, 100]},
              "title": "Probability that life has ended [%]"},
        "tooltip": [tip("years", "Years from the last reading"),
                    tip("chance", "Probability that life has ended [%]")],
    },
}  # fmt: skip
_YEARS: dict[str, Any] = {
    "x": {"field": "years", "type": "quantitative", "title": "Years from the last reading",
          "scale": {"domainMin": 0, "nice": False}},
}  # fmt: skip
# The end of a drive's rated life: band and middle, and the chance where a series gives one.
FORECAST_BAND: dict[str, Any] = {"height": 90, "encoding": _YEARS, "layer": _FORECAST}
FORECAST: dict[str, Any] = {"height": 240, "encoding": _YEARS, "layer": [*_FORECAST, _CHANCE]}


COST_BY_YEAR: Spec = {
    "height": 260,
    "mark": {"type": "bar"},
    "encoding": {
        "x": {"field": "year", "type": "ordinal", "title": "Year", "axis": {"labelAngle": 0}},
        "y": {"field": "usd", "type": "quantitative", "title": "Cost of the year [USD]"},
        "color": {"field": "part", "type": "nominal", "title": None, "legend": {"orient": "top"}},
        "tooltip": [
            {"field": "part", "type": "nominal", "title": "Part"},
            tip("usd", "Cost of the year [USD]", ",.0f"),
        ],
    },
}


_ORDER_TIPS: list[Spec] = [
    {"field": "month", "type": "nominal", "title": "Month"},
    tip("expected", "Drives expected"), tip("low", "from"), tip("high", "to"),
]  # fmt: skip
# Drives whose life ends in each month, and between what chance leaves their number.
ORDERS: Spec = {
    "height": 260,
    "encoding": {
        "x": {"field": "month", "type": "ordinal", "title": "Month",
              "axis": {"labelOverlap": True}},
        "tooltip": _ORDER_TIPS,
    },
    "layer": [
        {
            "mark": {"type": "bar", "color": "#4c78a8"},
            "encoding": {"y": {"field": "expected", "type": "quantitative", "title": "Drives"}},
        },
        {
            "mark": {"type": "rule", "color": "#808495", "strokeWidth": 2},
            "encoding": {"y": {"field": "low", "type": "quantitative", "title": "Drives"},
                         "y2": {"field": "high"}},
        },
    ],
}  # fmt: skip


_LIFE_X: Spec = {
    "field": "low", "type": "quantitative", "title": None,
    "scale": {"nice": False, "zero": True},
    "axis": {"labelExpr": "datum.label + ' y'", "tickCount": 8},
}  # fmt: skip
_LIFE_Y: Spec = {
    "field": "label",
    "type": "nominal",
    "sort": None,
    "title": None,
    "axis": {"labelLimit": 240, "labelOverlap": False},
}
_LIFE_BAND: Spec = {
    "x": _LIFE_X, "y": _LIFE_Y,
    "color": {
        "field": "what", "type": "nominal", "legend": None,
        "scale": {"domain": ["warranty", "rating", "flash wear"],
                  "range": ["#808495", "#4c78a8", "#b07800"]},
    },
    "tooltip": [
        {"field": "what", "type": "nominal", "title": "Limit"},
        tip("from", "Ends from [years]"),
        tip("to", "To [years]"),
    ],
}  # fmt: skip
_BANDS = [{"filter": "datum.kind == 'band'"}]
_HORIZON: Spec = {
    "transform": [{"filter": "datum.kind == 'horizon'"}],
    "encoding": {"x": _LIFE_X, "tooltip": [tip("low", "Must hold [years]")]},
}
# What ends a drive on one axis of years, pale where it may have ended, and the time that must
# hold. The axis goes to the row of kind "end".
LIFE_BAR: Spec = {
    "height": {"step": 18},
    "layer": [
        {
            "transform": _BANDS, "mark": {"type": "bar", "height": 11},
            "encoding": _LIFE_BAND | {"x2": {"datum": 0}},
        },
        {
            "transform": _BANDS, "mark": {"type": "bar", "height": 11, "opacity": 0.45},
            "encoding": _LIFE_BAND | {"x2": {"field": "high"}},
        },
        _HORIZON | {
            "mark": {"type": "rule", "color": "#d62728", "strokeWidth": 2, "strokeDash": [4, 3]},
        },
        {
            "transform": _HORIZON["transform"],
            "mark": {"type": "point", "filled": True, "size": 60, "color": "#d62728",
                     "opacity": 1},
            "encoding": _HORIZON["encoding"] | {"y": _LIFE_Y},
        },
        {
            "transform": [{"filter": "datum.kind == 'end'"}],
            "mark": {"type": "point", "opacity": 0},
            "encoding": {"x": _LIFE_X},
        },
    ],
}  # fmt: skip


def front_chart(x: str, y: str) -> Spec:
    """Return points `x`, `y` of plans that are best in something, each named on hovering."""
    axes = {
        name: {
            "field": name, "type": "quantitative", "title": title, "scale": {"zero": False}
        }
        for name, title in (("x", x), ("y", y))
    }  # fmt: skip
    tips: list[Spec] = [
        {"field": name, "type": "nominal", "title": name} for name in ("Drive", "Plan")
    ]
    tips += [tip("x", x, ",.3~r"), tip("y", y, ",.3~r")]
    return {
        "height": 320,
        "layer": [
            {
                "mark": {"type": "line", "interpolate": "step-after", "color": "#8a8a8a"},
                "encoding": axes,
            },
            {
                "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
                "encoding": axes | {
                    "tooltip": tips,
                    "color": {
                        "field": "Drive", "type": "nominal", "title": None,
                        "legend": {"orient": "bottom", "columns": 3, "labelLimit": 260},
                    },
                },
            },
        ],
    }  # fmt: skip

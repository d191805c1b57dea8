"""Charts of an uncertain plan as plain Vega-Lite: what each input does, and how long it lasts."""

from typing import Any

from planner.ui.charts import tip

Spec = dict[str, Any]

_YEARS: Spec = {
    "type": "quantitative",
    "scale": {"type": "log"},
    "title": "Life by endurance [years]",
}
_TIPS = [
    {"field": "input", "type": "nominal", "title": "Input"},
    {"field": "end", "type": "nominal", "title": "At"},
    tip("life", "Life [years]"),
]

# One bar per input from the middle to its 10 % and its 90 % point, the strongest on top.
TORNADO: Spec = {
    "height": {"step": 34},
    "encoding": {
        "y": {"field": "input", "type": "nominal", "sort": None, "title": None,
              "axis": {"labelLimit": 220}},
    },
    "layer": [
        {
            "mark": {"type": "bar"},
            "encoding": {
                "x": {"field": "middle"} | _YEARS,
                "x2": {"field": "life"},
                "color": {"field": "side", "type": "nominal", "title": "Input at its",
                          "scale": {"domain": ["10 % point", "90 % point"],
                                    "range": ["#4c78a8", "#c96a00"]},
                          "legend": {"orient": "bottom"}},
                "tooltip": _TIPS,
            },
        },
        {
            "transform": [{"filter": "datum.life < datum.middle"}],
            "mark": {"type": "text", "align": "right", "dx": -4},
            "encoding": {"x": {"field": "life"} | _YEARS, "text": {"field": "end"}},
        },
        {
            "transform": [{"filter": "datum.life > datum.middle"}],
            "mark": {"type": "text", "align": "left", "dx": 4},
            "encoding": {"x": {"field": "life"} | _YEARS, "text": {"field": "end"}},
        },
    ],
}  # fmt: skip

# How many of the samples last so long; those that reach the time asked for stand out.
LIVES: Spec = {
    "height": 220,
    "layer": [
        {
            "transform": [{"filter": "datum.kind == 'lives'"}],
            "mark": {"type": "bar", "binSpacing": 0},
            "encoding": {
                "x": {"field": "begin", "bin": {"binned": True}} | _YEARS,
                "x2": {"field": "end"},
                "y": {"field": "share", "type": "quantitative", "title": "Of the samples [%]"},
                "color": {"field": "side", "type": "nominal", "title": None,
                          "scale": {"domain": ["long enough", "too short"],
                                    "range": ["#54a24b", "#d62728"]},
                          "legend": {"orient": "bottom"}},
                "tooltip": [
                    tip("begin", "Life from [years]"),
                    tip("end", "to [years]"),
                    tip("share", "Of the samples [%]"),
                ],
            },
        },
        {
            "transform": [{"filter": "datum.kind == 'asked'"}],
            "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 2},
            "encoding": {"x": {"field": "begin"} | _YEARS},
        },
    ],
}  # fmt: skip

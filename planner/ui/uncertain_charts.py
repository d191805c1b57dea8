"""Charts of an uncertain plan as plain Vega-Lite: what each input does, and how long it lasts."""

from planner.ui.marks import Spec, label, layer, number, tip, word

_YEARS: Spec = {
    "type": "quantitative", "scale": {"type": "log"}, "title": "Life by endurance [years]",
}  # fmt: skip
_END: Spec = {"x": {"field": "life"} | _YEARS, "text": {"field": "end"}}
_POINTS: Spec = {"domain": ["10 % point", "90 % point"], "range": ["#4c78a8", "#c96a00"]}
_SIDES: Spec = {"domain": ["long enough", "too short"], "range": ["#54a24b", "#d62728"]}

# One bar per input from the middle to its 10 % and its 90 % point, the strongest on top.
TORNADO: Spec = {
    "height": {"step": 34},
    "encoding": {"y": word("input", sort=None, axis={"labelLimit": 220})},
    "layer": [
        {
            "mark": {"type": "bar"},
            "encoding": {
                "x": {"field": "middle"} | _YEARS,
                "x2": {"field": "life"},
                "color": word("side", "Input at its", scale=_POINTS, legend={"orient": "bottom"}),
                "tooltip": [word("input", "Input"), word("end", "At"), tip("life", "Life [years]")],
            },
        },
        {
            "transform": [{"filter": "datum.life < datum.middle"}],
            "mark": label("right", -4),
            "encoding": _END,
        },
        {
            "transform": [{"filter": "datum.life > datum.middle"}],
            "mark": label("left", 4),
            "encoding": _END,
        },
    ],
}

# How many of the samples last so long; those that reach the time asked for stand out.
LIVES: Spec = {
    "height": 220,
    "layer": [
        layer(
            "lives", {"type": "bar", "binSpacing": 0},
            x={"field": "begin", "bin": {"binned": True}} | _YEARS,
            x2={"field": "end"},
            y=number("share", "Of the samples [%]"),
            color=word("side", scale=_SIDES, legend={"orient": "bottom"}),
            tooltip=[tip("begin", "Life from [years]"), tip("end", "to [years]"),
                     tip("share", "Of the samples [%]")],
        ),
        layer(
            "asked", {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 2},
            x={"field": "begin"} | _YEARS,
        ),
    ],
}  # fmt: skip

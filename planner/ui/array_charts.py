"""Charts of the array as plain Vega-Lite: IOPS over depth, loss by cause, levels, replacements."""

from functools import cache
from typing import Any

from planner.quantity.show import RAREST
from planner.ui.charts import tip

Spec = dict[str, Any]

CAUSES = ("failures", "unreadable sectors", "wear-out", "any of these")
LEAST = RAREST  # probability at which charts end

BLUE, ORANGE, GREEN, DARK = "#1f5fa8", "#c2500a", "#1a7f37", "#333333"
GREY = "#666666"
AXIS: Spec = {"labelColor": GREY, "titleColor": GREY, "labelFontSize": 12, "titleFontSize": 13}
_HALO: Spec = {"stroke": "white", "strokeWidth": 4, "strokeOpacity": 0.85, "opacity": 0.85}


def _text(mark: Spec, encoding: Spec) -> list[Spec]:
    """Write a label on a pale ground, so that lines do not cross it."""
    label: Spec = {"type": "text", "fontSize": 13, "fontWeight": "bold"} | mark
    return [{"mark": label | _HALO, "encoding": encoding}, {"mark": label, "encoding": encoding}]


def _only(kind: str) -> list[Spec]:
    return [{"filter": {"field": "kind", "equal": kind}}]


_IOPS_TIPS: list[Spec] = [tip("queue_depth", "Queue depth", ",.0f"), tip("iops", "IOPS", ",.0f")]
IOPS: Spec = {
    "height": 300,
    "encoding": {
        "x": {
            "field": "queue_depth", "type": "quantitative",
            "title": "Operations outstanding at the array",
            "scale": {"type": "log", "base": 2, "nice": False, "padding": 14},
            "axis": AXIS | {"format": ",.0f", "values": [2**power for power in range(13)]},
        },
        "y": {
            "field": "iops", "type": "quantitative", "title": "Host operations per second",
            "axis": AXIS | {"format": ",.0f"},
        },
    },
    "layer": [
        {
            "transform": _only("budget"),
            "mark": {"type": "rule", "color": GREY, "strokeDash": [5, 3], "strokeWidth": 1.5},
            "encoding": {"x": None},
        },
        {
            "transform": _only("budget"),
            "layer": _text(
                {"align": "left", "dy": -9, "color": GREY, "fontWeight": "normal"},
                {"text": {"field": "label"}},
            ),
        },
        {
            "transform": _only("curve"),
            "mark": {"type": "line", "color": BLUE, "strokeWidth": 2.5,
                     "point": {"color": BLUE, "size": 40}},
            "encoding": {"tooltip": _IOPS_TIPS},
        },
        {
            "transform": _only("now"),
            "mark": {"type": "point", "color": ORANGE, "filled": True, "size": 150, "opacity": 1},
            "encoding": {"tooltip": _IOPS_TIPS},
        },
        {
            "transform": _only("now"),
            "layer": _text({"align": "right", "dx": 4, "dy": 26, "color": ORANGE},
                           {"text": {"field": "label"}}),
        },
    ],
}  # fmt: skip


@cache
def losses(floor: float) -> Spec:
    """Return bars of loss by cause for each change of plan, from the probability `floor` to 1."""
    place = {
        "field": "cause", "type": "nominal", "sort": list(CAUSES),
        "scale": {"paddingInner": 0.08},
    }  # fmt: skip
    color = {
        "field": "cause", "type": "nominal", "title": None,
        "scale": {"domain": list(CAUSES), "range": [BLUE, ORANGE, GREEN, DARK]},
        "legend": {"orient": "top", "labelFontSize": 13, "labelColor": GREY, "columns": 2},
    }  # fmt: skip
    return {
        "height": {"step": 15},
        "encoding": {
            "y": {
                "field": "change", "type": "nominal", "sort": None, "title": None,
                "scale": {"paddingInner": 0.18},
                "axis": {"labelLimit": 150, "labelFontSize": 12, "labelColor": DARK,
                         "labelExpr": "split(datum.label, '|')", "labelLineHeight": 14},
            },
            "yOffset": place,
            "x": {
                "field": "shown", "type": "quantitative", "title": "Probability of data loss",
                "scale": {"type": "log", "domain": [floor, 1], "nice": False},
                "axis": AXIS | {"format": ".0e", "tickCount": 6},
            },
        },
        "layer": [
            {
                "mark": {"type": "bar", "cornerRadiusEnd": 2},
                "encoding": {
                    "x2": {"datum": floor},
                    "color": color,
                    "tooltip": [
                        {"field": "change", "type": "nominal", "title": "Plan"},
                        {"field": "cause", "type": "nominal", "title": "Cause"},
                        {"field": "label", "type": "nominal", "title": "Probability"},
                    ],
                },
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 4, "dy": 6, "fontSize": 11},
                "transform": [{"filter": "datum.shown < 0.03"}],
                "encoding": {"text": {"field": "label"}},
            },
            {
                "mark": {"type": "text", "align": "right", "dx": -4, "dy": 6, "fontSize": 11,
                         "color": "white"},
                "transform": [{"filter": "datum.shown >= 0.03"}],
                "encoding": {"text": {"field": "label"}},
            },
        ],
    }  # fmt: skip


LEVELS: Spec = {
    "height": {"step": 21},
    "encoding": {
        "x": {
            "field": "level", "type": "nominal", "sort": None,
            "title": "RAID level, or data + parity of a code",
            "axis": AXIS | {"labelAngle": 0, "orient": "top"},
        },
        "y": {
            "field": "members", "type": "ordinal", "sort": "ascending",
            "title": "Drives", "axis": AXIS,
        },
    },
    "layer": [
        {
            "mark": {"type": "rect", "stroke": "white", "strokeWidth": 1},
            "encoding": {
                "color": {
                    "field": "loss_probability", "type": "quantitative", "title": "Data loss",
                    "scale": {"type": "log", "domain": [LEAST, 1], "clamp": True,
                              "scheme": "orangered"},
                    "legend": {"orient": "bottom", "format": ".0e", "gradientLength": 260,
                               "values": [1e-8, 1e-6, 1e-4, 1e-2, 1], "labelColor": GREY,
                               "titleColor": GREY},
                },
                "tooltip": [
                    {"field": "name", "type": "nominal", "title": "Level"},
                    tip("members", "Drives", "d"),
                    tip("usable_tb", "Usable TB", ".4~g"),
                    {"field": "chance", "type": "nominal", "title": "Data loss"},
                ],
            },
        },
        {
            "mark": {"type": "text", "fontSize": 11},
            "encoding": {
                "text": {"field": "label"},
                "color": {"condition": {"test": "datum.loss_probability > 3e-3",
                                        "value": "#ffffff"}, "value": "#000000"},
            },
        },
        {
            "transform": [{"filter": "datum.is_current"}],
            "mark": {"type": "rect", "fill": None, "stroke": BLUE, "strokeWidth": 3.5},
        },
    ],
}  # fmt: skip

REPLACED: Spec = {
    "height": 260,
    "mark": {"type": "bar", "color": BLUE, "stroke": "white", "strokeWidth": 0.5},
    "encoding": {
        "x": {"field": "from_years", "type": "quantitative", "title": "Years",
              "axis": AXIS | {"format": "~g"}, "scale": {"nice": False}},
        "x2": {"field": "until_years"},
        "y": {"field": "drives", "type": "quantitative", "title": "Drives replaced, expected",
              "scale": {"zero": True}, "axis": AXIS | {"format": ".3~g"}},
        "y2": {"datum": 0},
        "tooltip": [
            tip("from_years", "From [years]"),
            tip("until_years", "Until [years]"),
            tip("drives", "Drives replaced"),
            tip("so_far", "Drives replaced so far"),
        ],
    },
}  # fmt: skip

"""Charts of the array as plain Vega-Lite: IOPS over depth, loss by cause, levels, replacements."""

from functools import cache

from planner.quantity.show import RAREST
from planner.ui.marks import (
    AXIS,
    BLUE,
    DARK,
    GREEN,
    GREY,
    LABEL,
    ORANGE,
    Spec,
    dot,
    halo,
    label,
    layer,
    number,
    only,
    rule,
    tip,
    word,
)

CAUSES = ("failures", "unreadable sectors", "wear-out", "any of these")
LEAST = RAREST  # probability at which charts end

_ODDS = "datum.value == 1 ? '1' : '1 in ' + format(1 / datum.value, '~s')"
_IOPS_TIPS: list[Spec] = [tip("queue_depth", "Queue depth", ",.0f"), tip("iops", "IOPS", ",.0f")]
IOPS: Spec = {
    "height": 300,
    "encoding": {
        "x": number(
            "queue_depth", "Operations outstanding at the array",
            scale={"type": "log", "base": 2, "nice": False, "padding": 14},
            axis=AXIS | {"format": ",.0f", "values": [2**power for power in range(13)]},
        ),
        "y": number("iops", "Host operations per second", axis=AXIS | {"format": ",.0f"}),
    },
    "layer": [
        layer("budget", rule(GREY, 1.5, 5, 3), x=None),
        {
            "transform": only("budget"),
            "layer": halo(
                {"align": "left", "dy": -9, "color": GREY, "fontWeight": "normal"}, LABEL
            ),
        },
        layer(
            "curve", {"type": "line", "color": BLUE, "strokeWidth": 2.5,
                      "point": {"color": BLUE, "size": 40}},
            tooltip=_IOPS_TIPS,
        ),
        layer("now", dot(150, color=ORANGE), tooltip=_IOPS_TIPS),
        {
            "transform": only("now"),
            "layer": halo({"align": "right", "dx": 4, "dy": 26, "color": ORANGE}, LABEL),
        },
    ],
}  # fmt: skip


@cache
def losses(floor: float) -> Spec:
    """Return bars of loss by cause for each change of plan, from the probability `floor` to 1."""
    color = word(
        "cause", scale={"domain": list(CAUSES), "range": [BLUE, ORANGE, GREEN, DARK]},
        legend={"orient": "top", "labelFontSize": 13, "labelColor": GREY, "columns": 2},
    )  # fmt: skip
    tips = [word("change", "Plan"), word("cause", "Cause"), word("label", "Probability")]
    return {
        "height": {"step": 15},
        "encoding": {
            "y": word(
                "change", sort=None, scale={"paddingInner": 0.18},
                axis={"labelLimit": 150, "labelFontSize": 12, "labelColor": DARK,
                      "labelExpr": "split(datum.label, '|')", "labelLineHeight": 14},
            ),
            "yOffset": {"field": "cause", "type": "nominal", "sort": list(CAUSES),
                        "scale": {"paddingInner": 0.08}},
            "x": number(
                "shown", "Probability of data loss",
                scale={"type": "log", "domain": [floor, 1], "nice": False},
                axis=AXIS | {"labelExpr": _ODDS, "tickCount": 6},
            ),
        },
        "layer": [
            {
                "mark": {"type": "bar", "cornerRadiusEnd": 2},
                "encoding": {"x2": {"datum": floor}, "color": color, "tooltip": tips},
            },
            {
                "mark": label("left", 4, 6, fontSize=11),
                "transform": [{"filter": "datum.shown < 0.03"}],
                "encoding": LABEL,
            },
            {
                "mark": label("right", -4, 6, fontSize=11, color="white"),
                "transform": [{"filter": "datum.shown >= 0.03"}],
                "encoding": LABEL,
            },
        ],
    }  # fmt: skip


LEVELS: Spec = {
    "height": {"step": 21},
    "encoding": {
        "x": word("level", "RAID level, or data + parity of a code", sort=None,
                  axis=AXIS | {"labelAngle": 0, "orient": "top", "labelOverlap": False,
                               "labelFlush": False,
                               "labelExpr": "split(datum.label, ':')"}),
        "y": {"field": "members", "type": "ordinal", "sort": "ascending",
              "title": "Drives", "axis": AXIS | {"labelFlush": False}},
    },
    "layer": [
        {
            "mark": {"type": "rect", "stroke": "white", "strokeWidth": 1},
            "encoding": {
                "color": number(
                    "loss_probability", "Data loss",
                    scale={"type": "log", "domain": [LEAST, 1], "clamp": True,
                           "scheme": "orangered"},
                    legend={"orient": "bottom", "labelExpr": _ODDS, "gradientLength": 260,
                            "values": [1e-8, 1e-6, 1e-4, 1e-2, 1], "labelColor": GREY,
                            "titleColor": GREY},
                ),
                "tooltip": [word("name", "Level"), tip("members", "Drives", "d"),
                            tip("usable_tb", "Usable TB", ".4~g"), word("chance", "Data loss")],
            },
        },
        {
            "mark": {"type": "text", "fontSize": 11},
            "encoding": LABEL | {
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
        "x": number("from_years", "Years", axis=AXIS | {"format": "~g"}, scale={"nice": False}),
        "x2": {"field": "until_years"},
        "y": number("drives", "Drives replaced, expected", scale={"zero": True},
                    axis=AXIS | {"format": ".3~g"}),
        "y2": {"datum": 0},
        "tooltip": [tip("from_years", "From [years]"), tip("until_years", "Until [years]"),
                    tip("drives", "Drives replaced"), tip("so_far", "Drives replaced so far")],
    },
}  # fmt: skip

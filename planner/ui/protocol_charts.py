"""Chart of a protocol as plain Vega-Lite: data rates, ranges of phases, a measured run."""

from functools import cache

from planner.ui.marks import (
    AXIS,
    BLUE,
    DARK,
    GREEN,
    GREY,
    ORANGE,
    Spec,
    dot,
    layer,
    number,
    tip,
    word,
)

COLORS = (BLUE, ORANGE, GREEN, "#7a6a00", DARK)

# The axis of a course by its name: its column, and its title.
AXES = {
    "time": ("seconds", "Time of the measured phases [s]"),
    "bytes": ("gigabytes", "Moved in the measured phases [GB]"),
}


@cache
def courses(names: tuple[str, ...], axis: str = "time") -> Spec:
    """Return the data rate of each series over the time or the bytes of the protocol."""
    column, title = AXES[axis]
    color = word(
        "series", scale={"domain": list(names), "range": list(COLORS[: len(names)])},
        legend={"orient": "top", "labelLimit": 280, "labelFontSize": 13, "labelColor": GREY},
    )  # fmt: skip
    x = number(
        column, title, scale={"nice": False, "zero": True},
        axis=AXIS | {"format": ",.0f"},
    )  # fmt: skip
    y = number(
        "rate", "Data rate [MB/s]", scale={"type": "log", "nice": False, "padding": 12},
        axis=AXIS | {"format": "~s"},
    )  # fmt: skip
    tips = [word("series", "Drive"), word("phase", "Phase"), tip("rate", "MB/s")]
    ends = [*tips, tip("low", "Low"), tip("high", "High")]
    return {
        "height": 380,
        "encoding": {"x": x, "color": color},
        "layer": [
            layer(
                "range", {"type": "rect", "opacity": 0.14}, x2={"field": f"until_{column}"},
                y=y | {"field": "low"}, y2={"field": "high"}, tooltip=ends,
            ),
            layer(
                "course", {"type": "line", "strokeWidth": 2, "clip": True}, y=y,
                detail={"field": "line"}, tooltip=tips,
            ),
            layer("second", dot(12), y=y, tooltip=tips),
            layer(
                "mean", {"type": "rule", "strokeWidth": 3}, x2={"field": f"until_{column}"}, y=y,
                tooltip=tips,
            ),
        ],
    }  # fmt: skip

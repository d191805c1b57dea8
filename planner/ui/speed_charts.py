"""Charts of speed as plain Vega-Lite: the consistency test, and percentiles of reads."""

from functools import cache
from typing import Any

from planner.ui.charts import tip

Spec = dict[str, Any]

SERIES = ("As set", "25 % unpartitioned")
SIMULATED = ("simulated, average", "simulated, slowest second")

BLUE, ORANGE, GREEN, OLIVE = "#1f5fa8", "#c2500a", "#1a7f37", "#7a6a00"
COLORS = dict(zip((*SERIES, *SIMULATED), (BLUE, ORANGE, GREEN, OLIVE), strict=True))
READS = ("as they arrive", "at the queue depth", "as they arrive, simulated")
READ_COLORS = dict(zip(READS, (BLUE, ORANGE, GREEN), strict=True))
DASHES = dict(zip(SERIES, ([1, 0], [7, 3]), strict=True))
GREY = "#666666"
AXIS: Spec = {"labelColor": GREY, "titleColor": GREY, "labelFontSize": 12, "titleFontSize": 13}


def _only(*kinds: str) -> list[Spec]:
    return [{"filter": {"field": "kind", "oneOf": list(kinds)}}]


def _tips(**titles: str) -> list[Spec]:
    return [tip(name, title, ",.3~r") for name, title in titles.items()]


def _halo(mark: Spec, encoding: Spec) -> list[Spec]:
    """Write a label on a pale ground, so that lines do not cross it."""
    text = {"type": "text", "fontSize": 13, "fontWeight": "bold"} | mark
    ground = {"stroke": "white", "strokeWidth": 4, "strokeOpacity": 0.85, "opacity": 0.85}
    plain = {name: part for name, part in encoding.items() if name != "color"}
    return [{"mark": text | ground, "encoding": plain}, {"mark": text, "encoding": encoding}]


def _labels(kind: str, mark: Spec, places: tuple[int, int], encoding: Spec) -> list[Spec]:
    """Write the labels of either series at its own height, so that they never meet."""
    return [
        {
            "transform": [*_only(kind), {"filter": {"field": "series", "equal": name}}],
            "layer": _halo(mark | {"dy": place}, encoding),
        }
        for name, place in zip(SERIES, places, strict=True)
    ]


_LOG: Spec = {"type": "log", "nice": False, "padding": 10}
_LEGEND: Spec = {"orient": "top", "labelLimit": 240, "labelFontSize": 13, "labelColor": GREY}
_DECADES = [step * 10**power for power in range(8) for step in (1, 2, 5)]


@cache
def consistency(scale: str, names: tuple[str, ...]) -> Spec:
    """Return write IOPS over the time of the test, on a "log" or "linear" scale.

    `names` are the series on show: of `SERIES`, and `SIMULATED` if there was a run.
    """
    color = {
        "field": "series", "type": "nominal", "title": None,
        "scale": {"domain": list(names), "range": [COLORS[name] for name in names]},
        "legend": _LEGEND | {"symbolType": "stroke", "symbolSize": 400, "symbolStrokeWidth": 3},
    }  # fmt: skip
    dash = {
        "field": "series", "type": "nominal", "legend": None,
        "scale": {"domain": list(DASHES), "range": list(DASHES.values())},
    }  # fmt: skip
    x = {
        "field": "seconds", "type": "quantitative", "title": "Time of random writing [s]",
        "scale": {"nice": False, "zero": True}, "axis": AXIS | {"format": ",.0f"},
    }  # fmt: skip
    y = {
        "field": "iops", "type": "quantitative", "title": "Write IOPS, 4 KiB",
        "scale": _LOG if scale == "log" else {"zero": True},
        "axis": AXIS | {"format": ",.0f"} | ({"values": _DECADES} if scale == "log" else {}),
    }  # fmt: skip
    return {
        "height": 420,
        "encoding": {"x": x},
        "layer": [*_runs(y, color), *_courses(y, color, dash), *_marks(y, color)],
    }


def _runs(y: Spec, color: Spec) -> list[Spec]:
    """Draw spread, least and average of the simulation's stretches."""
    return [
        {
            "transform": _only("run"),
            "mark": {"type": "area", "opacity": 0.25, "color": GREEN, "interpolate": "step"},
            "encoding": {"y": y | {"field": "low"}, "y2": {"field": "high"}},
        },
        {
            "transform": _only("least"),
            "mark": {"type": "point", "shape": "triangle-down", "size": 22, "filled": True,
                     "opacity": 0.8},
            "encoding": {"y": y, "color": color},
        },
        {
            "transform": _only("run"),
            "mark": {"type": "point", "size": 26, "filled": True, "opacity": 1},
            "encoding": {
                "y": y, "color": color,
                "tooltip": _tips(seconds="Time [s]", iops="IOPS, average",
                                 least="IOPS, slowest second", spread="IOPS, standard deviation"),
            },
        },
    ]  # fmt: skip


def _courses(y: Spec, color: Spec, dash: Spec) -> list[Spec]:
    """Draw the courses by formula, and their steady rates."""
    tips = _tips(seconds="Time [s]", iops="Write IOPS", wa="Write amplification")
    return [
        {
            "transform": _only("curve"),
            "mark": {"type": "line", "strokeWidth": 2.5, "clip": True},
            "encoding": {"y": y, "color": color, "strokeDash": dash, "tooltip": tips},
        },
        {
            "transform": _only("steady"),
            "mark": {"type": "rule", "strokeWidth": 1.2, "strokeDash": [2, 3]},
            "encoding": {"x": {"field": "seconds", "type": "quantitative"},
                         "x2": {"field": "until"}, "y": y, "color": color},
        },
        *_labels("steady", {"align": "right"}, (16, -12), {
            "x": {"field": "at", "type": "quantitative"}, "y": y, "color": color,
            "text": {"field": "label"},
        }),
    ]  # fmt: skip


def _marks(y: Spec, color: Spec) -> list[Spec]:
    """Mark the cliffs, and where the reviews' test ends."""
    return [
        {
            "transform": _only("cliff"),
            "mark": {"type": "point", "shape": "diamond", "size": 130, "filled": True,
                     "opacity": 1},
            "encoding": {"y": y, "color": color},
        },
        *_labels("cliff", {"align": "left", "dx": 9}, (15, -14), {
            "y": y, "color": color, "text": {"field": "label"},
        }),
        {
            "transform": _only("end"),
            "mark": {"type": "rule", "color": GREY, "strokeWidth": 1.5},
        },
        {
            "transform": _only("end"),
            "mark": {"type": "text", "color": GREY, "align": "right", "dx": -5,
                     "fontSize": 12},
            "encoding": {"y": y, "text": {"field": "label"}},
        },
    ]  # fmt: skip


_PERCENT = "datum.value < 0.5 ? 'p50' : 'p' + format(100 - pow(10, 2 - datum.value), '.5~f')"
_TENTHS = [step * 10.0**power for power in range(-3, 5) for step in (1, 2, 5)]
_LATENCY: Spec = {
    "field": "milliseconds", "type": "quantitative", "title": "Read latency [ms]",
    "scale": {"type": "log", "nice": False, "padding": 18},
    "axis": AXIS | {"format": "~g", "values": _TENTHS},
}  # fmt: skip
_PERCENTILE_TIPS: list[Spec] = [
    {"field": "percentile", "type": "nominal", "title": "Percentile"},
    *_tips(milliseconds="Read latency [ms]"),
]

_PLACE: Spec = {
    "field": "nines", "type": "quantitative",
    "title": "Percentile of reads (each step is a tenth of the rest)",
    "scale": {"domain": [-0.4, 5.3], "nice": False},
    "axis": AXIS | {"values": [0.30103, 1, 2, 3, 4, 5], "labelExpr": _PERCENT,
                    "labelOverlap": False},
}  # fmt: skip


@cache
def percentiles(kinds: tuple[str, ...]) -> Spec:
    """Return read latency by percentile for rows of `kinds`, each of `READS`."""
    color = {
        "field": "kind", "type": "nominal", "title": None, "legend": _LEGEND,
        "scale": {"domain": list(kinds), "range": [READ_COLORS[kind] for kind in kinds]},
    }  # fmt: skip
    label = {"text": {"field": "label"}, "color": color}
    return {
        "height": 340,
        "encoding": {"x": _PLACE, "y": _LATENCY},
        "layer": [
            {
                "transform": _only(READS[2]),
                "mark": {"type": "line", "strokeWidth": 2, "strokeDash": [4, 2], "clip": True},
                "encoding": {"color": color, "tooltip": _PERCENTILE_TIPS},
            },
            {
                "transform": _only(*READS[:2]),
                "mark": {"type": "line", "strokeWidth": 1.2, "opacity": 0.6},
                "encoding": {"color": color},
            },
            {
                "transform": _only(*READS[:2]),
                "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
                "encoding": {"color": color, "tooltip": _PERCENTILE_TIPS},
            },
            {
                "transform": _only(READS[0]),
                "layer": _halo({"align": "right", "dx": -8, "dy": -9}, label),
            },
        ],
    }

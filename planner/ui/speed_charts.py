"""Charts of speed as plain Vega-Lite: the consistency test, and percentiles of reads."""

from functools import cache

from planner.ui.marks import (
    AXIS,
    BLUE,
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

SERIES = ("As set", "25 % unpartitioned")
SIMULATED = ("simulated, average", "simulated, slowest second")

COLORS = dict(zip((*SERIES, *SIMULATED), (BLUE, ORANGE, GREEN, "#7a6a00"), strict=True))
READS = ("as they arrive", "at the queue depth", "as they arrive, simulated")
READ_COLORS = dict(zip(READS, (BLUE, ORANGE, GREEN), strict=True))
DASHES = dict(zip(SERIES, ([1, 0], [7, 3]), strict=True))


def _tips(**titles: str) -> list[Spec]:
    return [tip(name, title, ",.3~r") for name, title in titles.items()]


def _labels(kind: str, mark: Spec, places: tuple[int, int], encoding: Spec) -> list[Spec]:
    """Write the labels of either series at its own height, so that they never meet."""
    return [
        {
            "transform": [*only(kind), {"filter": {"field": "series", "equal": name}}],
            "layer": halo(mark | {"dy": place}, encoding),
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
    is_log = scale == "log"
    color = word(
        "series", scale={"domain": list(names), "range": [COLORS[name] for name in names]},
        legend=_LEGEND | {"symbolType": "stroke", "symbolSize": 400, "symbolStrokeWidth": 3},
    )  # fmt: skip
    x = number(
        "seconds", "Time of random writing [s]", scale={"nice": False, "zero": True},
        axis=AXIS | {"format": ",.0f"},
    )  # fmt: skip
    y = number(
        "iops", "Write IOPS, 4 KiB", scale=_LOG if is_log else {"zero": True},
        axis=AXIS | {"format": ",.0f"} | ({"values": _DECADES} if is_log else {}),
    )  # fmt: skip
    return {
        "height": 420,
        "encoding": {"x": x},
        "layer": [*_runs(y, color), *_courses(y, color), *_marks(y, color)],
    }


def _runs(y: Spec, color: Spec) -> list[Spec]:
    """Draw spread, least and average of the simulation's stretches."""
    tips = _tips(seconds="Time [s]", iops="IOPS, average", least="IOPS, slowest second",
                 spread="IOPS, standard deviation")  # fmt: skip
    least = {"type": "point", "shape": "triangle-down", "size": 22, "filled": True, "opacity": 0.8}
    return [
        layer(
            "run", {"type": "area", "opacity": 0.25, "color": GREEN, "interpolate": "step"},
            y=y | {"field": "low"}, y2={"field": "high"},
        ),
        layer("least", least, y=y, color=color),
        layer("run", dot(26), y=y, color=color, tooltip=tips),
    ]  # fmt: skip


def _courses(y: Spec, color: Spec) -> list[Spec]:
    """Draw the courses by formula, and their steady rates."""
    tips = _tips(seconds="Time [s]", iops="Write IOPS", wa="Write amplification")
    dash = {"field": "series", "type": "nominal", "legend": None,
            "scale": {"domain": list(DASHES), "range": list(DASHES.values())}}  # fmt: skip
    return [
        layer(
            "curve", {"type": "line", "strokeWidth": 2.5, "clip": True},
            y=y, color=color, strokeDash=dash, tooltip=tips,
        ),
        layer(
            "steady", {"type": "rule", "strokeWidth": 1.2, "strokeDash": [2, 3]},
            x=number("seconds"), x2={"field": "until"}, y=y, color=color,
        ),
        *_labels("steady", {"align": "right"}, (16, -12),
                 {"x": number("at"), "y": y, "color": color} | LABEL),
    ]  # fmt: skip


def _marks(y: Spec, color: Spec) -> list[Spec]:
    """Mark the cliffs, and where the reviews' test ends."""
    return [
        layer("cliff", dot(130, shape="diamond"), y=y, color=color),
        *_labels("cliff", {"align": "left", "dx": 9}, (15, -14), {"y": y, "color": color} | LABEL),
        layer("end", rule(GREY, 1.5)),
        layer("end", label("right", -5, color=GREY, fontSize=12), y=y, **LABEL),
    ]


_PERCENT = "datum.value < 0.5 ? 'p50' : 'p' + format(100 - pow(10, 2 - datum.value), '.5~f')"
_TENTHS = [step * 10.0**power for power in range(-3, 5) for step in (1, 2, 5)]
_LATENCY = number(
    "milliseconds", "Read latency [ms]", scale={"type": "log", "nice": False, "padding": 18},
    axis=AXIS | {"format": "~g", "values": _TENTHS},
)  # fmt: skip
_PERCENTILE_TIPS = [word("percentile", "Percentile"), *_tips(milliseconds="Read latency [ms]")]
_PLACE = number(
    "nines", "Percentile of reads (each step is a tenth of the rest)",
    scale={"domain": [-0.4, 5.6], "nice": False},
    axis=AXIS | {"values": [0.30103, 1, 2, 3, 4, 5], "labelExpr": _PERCENT,
                 "labelOverlap": False},
)  # fmt: skip


@cache
def percentiles(kinds: tuple[str, ...]) -> Spec:
    """Return read latency by percentile for rows of `kinds`, each of `READS`."""
    color = word(
        "kind", legend=_LEGEND,
        scale={"domain": list(kinds), "range": [READ_COLORS[kind] for kind in kinds]},
    )  # fmt: skip
    simulated = {"type": "line", "strokeWidth": 2, "strokeDash": [4, 2], "clip": True}
    return {
        "height": 340,
        "encoding": {"x": _PLACE, "y": _LATENCY},
        "layer": [
            layer(READS[2], simulated, color=color, tooltip=_PERCENTILE_TIPS),
            layer(READS[:2], {"type": "line", "strokeWidth": 1.2, "opacity": 0.6}, color=color),
            layer(READS[:2], dot(90), color=color, tooltip=_PERCENTILE_TIPS),
            {
                "transform": only(READS[0]),
                "layer": halo({"align": "right", "dx": -8, "dy": -9}, LABEL | {"color": color}),
            },
        ],
    }

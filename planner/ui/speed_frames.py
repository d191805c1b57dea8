"""Rows for the charts of speed and for their download."""

import math

import numpy as np
import pandas as pd

from planner.quantity.show import text
from planner.sections.speed import SHORT_TEST_S, Speed
from planner.sections.speed_curve import SpeedCurve, speed_curve
from planner.simulation.speed import Simulated
from planner.ui.speed_charts import READS, SERIES, SIMULATED

POINTS = 600
ROOM = 1.15  # above the highest rate, for a label
FLOOR = 20.0  # a band on a log scale ends at this part of its middle: there is no zero


def courses(answers: dict[str, Speed]) -> dict[str, SpeedCurve]:
    """Return the courses that are known, to the end of the reviews' test or beyond settling."""
    settled = [answer.settling_s.value for answer in answers.values() if answer.settling_s.is_known]
    end_s = max([1.02 * SHORT_TEST_S, *(1.25 * seconds for seconds in settled)])
    found = {name: _course(answer, end_s) for name, answer in answers.items()}
    return {name: course for name, course in found.items() if course is not None}


def consistency_rows(
    answers: dict[str, Speed], known: dict[str, SpeedCurve], run: Simulated | None
) -> pd.DataFrame:
    """Return courses, their marks, the end of the reviews' test and what was simulated."""
    end_s = max(course.seconds[-1] for course in known.values())
    marks = [mark for name in known for mark in _marks(name, answers[name], end_s)]
    frames = [_curve(name, course) for name, course in known.items()]
    frames += [] if run is None else _simulated(run, end_s)
    rows = pd.concat([*frames, pd.DataFrame(marks)])
    label = f"reviews stop at {SHORT_TEST_S:,.0f} s"
    top = ROOM * rows.filter(["iops", "high"]).max().max()
    end = {"kind": "end", "seconds": SHORT_TEST_S, "iops": top, "label": label}
    return pd.concat([rows, pd.DataFrame([end])])


def reads(answer: Speed, run: Simulated | None) -> dict[str, dict[float, float]]:
    """Return read latency by percentile, by kind of reader, where it is finite."""
    simulated = {} if run is None else run.read_latency_s
    every = (answer.read_latency_s, answer.closed_read_latency_s, simulated)
    return {
        kind: latency_s
        for kind, latency_s in zip(READS, every, strict=True)
        if latency_s and all(math.isfinite(seconds) for seconds in latency_s.values())
    }


def percentile_rows(known: dict[str, dict[float, float]]) -> pd.DataFrame:
    """Return read latency by percentile for the chart."""
    return pd.DataFrame(
        [
            _percentile(kind, *point)
            for kind, latency_s in known.items()
            for point in latency_s.items()
        ]
    )


def nines(percent: float) -> float:
    """Return the place of a percentile on an axis where each step is a tenth of the rest.

    >>> round(nines(99.9), 9)
    3.0
    """
    return -math.log10(1 - percent / 100)


def table(
    answer: Speed, known: dict[str, SpeedCurve], run: Simulated | None
) -> list[dict[str, object]]:
    """Lay out everything on the charts in one table of base units."""
    frames = [_curve(name, course) for name, course in known.items()]
    if run is not None:
        frames.append(_stretches(run).assign(kind="simulated", series=SERIES[0]))
    latencies = {f"reads {kind}": points for kind, points in reads(answer, run).items()}
    frames += [
        pd.DataFrame(
            {"kind": kind, "series": SERIES[0], "percentile": list(points),
             "latency_s": list(points.values())}
        )
        for kind, points in latencies.items()
    ]  # fmt: skip
    rows = pd.concat(frames).rename(
        columns={"least": "minimum_iops", "spread": "standard_deviation_iops"}
    )
    records = rows.astype(object).where(rows.notna(), "").to_dict("records")
    return [{str(name): value for name, value in record.items()} for record in records]


def _course(answer: Speed, end_s: float) -> SpeedCurve | None:
    """Return the course until `end_s`, with both sides of the cliff."""
    if not answer.settling_s.is_known:
        return None
    fills_per_s = answer.steady_write_iops.value / answer.user_pages.value
    last = answer.settling_fills.value + (end_s - answer.settling_s.value) * fills_per_s
    sides = (answer.op_ratio.value * (1 - 1e-9), answer.op_ratio.value * (1 + 1e-9))
    course = speed_curve(answer, fills=np.sort([*np.linspace(0, last, POINTS), *sides]))
    if course is None:
        return None
    inside = course.seconds <= end_s
    return SpeedCurve(
        seconds=course.seconds[inside], iops=course.iops[inside], wa=course.wa[inside]
    )


def _curve(name: str, course: SpeedCurve) -> pd.DataFrame:
    return pd.DataFrame(
        {"kind": "curve", "series": name, "seconds": course.seconds, "iops": course.iops,
         "wa": course.wa}
    )  # fmt: skip


def _marks(name: str, answer: Speed, end_s: float) -> list[dict[str, object]]:
    """Mark the cliff and the steady rate of one course."""
    steady, cliff, fresh = answer.steady_write_iops, answer.cliff_s, answer.fresh_write_iops
    marks: list[dict[str, object]] = []
    if steady.is_known:
        marks.append(
            {"kind": "steady", "series": name, "seconds": 0.0, "until": end_s,
             "at": _clear_of_rule(end_s), "iops": steady.value,
             "label": f"steady {steady.value:,.0f}"}
        )  # fmt: skip
    if cliff.is_known and fresh.is_known:
        marks.append(
            {"kind": "cliff", "series": name, "seconds": cliff.value, "iops": fresh.value,
             "label": f"cliff {cliff.value:,.0f} s"}
        )  # fmt: skip
    return marks


def _clear_of_rule(end_s: float) -> float:
    """Return the position of labels at the right, clear of the rule that ends the short test."""
    return 0.985 * (end_s if end_s > 1.2 * SHORT_TEST_S else SHORT_TEST_S)


def _simulated(run: Simulated, end_s: float) -> list[pd.DataFrame]:
    """Return the stretches of the simulation that the chart has room for."""
    average, least = SIMULATED
    rows = _stretches(run)
    rows = rows[rows["seconds"] <= end_s]
    low = np.maximum(rows["iops"] - rows["spread"], rows["iops"] / FLOOR)
    stretches = rows.assign(kind="run", series=average, low=low, high=rows["iops"] + rows["spread"])
    slowest = rows[rows["least"] > 0]
    return [stretches, slowest.assign(kind="least", series=least, iops=slowest["least"])]


def _stretches(run: Simulated) -> pd.DataFrame:
    return pd.DataFrame(
        {"seconds": run.seconds, "iops": run.average_iops, "least": run.minimum_iops,
         "spread": run.spread_iops}
    )  # fmt: skip


def _percentile(kind: str, percent: float, seconds: float) -> dict[str, object]:
    return {
        "kind": kind,
        "nines": nines(percent),
        "percentile": f"p{percent:.7g}",
        "milliseconds": 1e3 * seconds,
        "label": text("read_s", seconds, digits=3) if kind == "formula" else "",
    }

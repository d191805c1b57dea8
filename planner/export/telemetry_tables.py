"""Readings and forecasts as rows that people read."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from models.units import DAY_S, GB, HOUR_S, MB, TB, YEAR_S
from planner.catalogue import find, load
from planner.forecast import COVERAGE, Forecast, Interval, RemainingWrites
from planner.quantity.show import text
from planner.telemetry.fio import Course, FioTest
from planner.telemetry.record import Activity, DriveReading, Observed

LONGEST_S = 30 * YEAR_S  # beyond, neither a date nor a number of years means anything
# Attribute, label, unit shown and what one of it is.
_SHOWN = (
    ("user_bytes", "User capacity", "GB", GB),
    ("power_on_s", "Power-on time", "hours", HOUR_S),
    ("host_bytes", "Host writes", "TB", TB),
    ("flash_bytes", "Flash writes", "TB", TB),
    ("wa", "Write amplification", "x", 1.0),
    ("used_fraction", "Rated life used", "%", 0.01),
    ("spare_fraction", "Spare blocks left", "%", 0.01),
    ("erase_cycles", "Mean erase count", "cycles", 1.0),
    ("pe_cycles", "Rated cycles by erase count", "cycles", 1.0),
    ("indicator_pe_cycles", "Rated cycles by what was written", "cycles", 1.0),
    ("field_pe_cycles", "Rated cycles by host writes in the field", "cycles", 1.0),
    ("wear_per_s", "Rated life used per power-on year", "%", 0.01 / YEAR_S),
    ("dwpd", "Drive writes per power-on day", "DWPD", 1.0),
    ("media_errors", "Uncorrected errors", "", 1.0),
)


def reading_rows(drive: DriveReading) -> list[dict[str, str]]:
    """Return the numbers read from a drive, each with its interval and field."""
    rows = [_row("Model", drive.model or "not said")]
    if drive.device:
        rows.append(_row("Device", drive.device))
    if drive.drive_id is not None:
        rows.append(_row("In the catalogue", find(load(), drive.drive_id).name))
    if drive.read_at_s is not None and drive.clock_set:
        rows.append(_row("Read", moment(drive.read_at_s)))
    for name, label, unit, size in _SHOWN:
        number: Observed | None = getattr(drive, name)
        if number is not None:
            rows.append(_observed(label, number, unit, size))
    if drive.activity is not None:
        rows += _activity_rows(drive.activity)
    return rows


def _activity_rows(activity: Activity) -> list[dict[str, str]]:
    """Return rates by the counters of the system, which are not those of the life."""
    basis = "since the system started" if activity.since_start else "in an interval"
    rows = []
    for label, number in (("Host writes", activity.host_bytes), ("Reads", activity.read_bytes)):
        if number is not None:
            rate = text("host_bytes_per_s", number.value / activity.span_s)
            rows.append(_row(f"{label}, {basis}", rate, field=number.field))
    if activity.writes is not None and activity.reads is not None:
        operations = activity.writes.value + activity.reads.value
        if operations > 0:
            share = f"{100 * activity.reads.value / operations:.3g} %"
            rows.append(_row("Share of reads", share, field=activity.reads.field))
    return rows


def cycles_line(read: DriveReading | Forecast) -> str:
    """Describe the rated cycles that the wear indicator implies: by erases, by what was written."""
    by_erases, written, in_field = read.pe_cycles, read.indicator_pe_cycles, read.field_pe_cycles
    parts = [
        f"{_cycles(each)} {way}"
        for each, way in (
            (written, "by host writes at WA 1" if in_field else "by flash writes"),
            (in_field, "at the WA of hosts in the field"),
            (by_erases, "by its erase count"),
        )
        if each is not None
    ]
    return f"Rated cycles: {', '.join(parts)}" if parts else ""


def _cycles(number: Observed) -> str:
    ends = f"{number.low:,.0f} to {'any' if math.isinf(number.high) else f'{number.high:,.0f}'}"
    return f"{number.value:,.0f} ({ends})"


def forecast_rows(answer: Forecast) -> list[dict[str, str]]:
    """Return the three dates; beside them, where both are known, those of a workload that stays."""
    rows = [
        {
            "End of the rated life": head,
            f"From the last reading ({answer.label})": _ahead(answer, time),
            "Date": _date(answer, time),
        }
        for head, time in zip(_heads(answer), _times(answer), strict=True)
    ]
    if answer.steady is not None:
        for row, time in zip(rows, _times(answer.steady), strict=True):
            row["If the workload does not change"] = _dated(answer, time)
    return rows


def _heads(answer: Forecast) -> tuple[str, str, str]:
    if answer.is_rough:
        return "Early (rough)", "Middle", "Late (rough)"
    early, late = (100 * share for share in ((1 - COVERAGE) / 2, (1 + COVERAGE) / 2))
    return f"Early ({early:.0f} % of drives)", "Middle", f"Late ({late:.0f} %)"


def _times(answer: Forecast | Interval | None) -> tuple[float | None, float | None, float | None]:
    if answer is None:
        return None, None, None
    return answer.early_s, answer.middle_s, answer.late_s


def _ahead(answer: Forecast, time: float | None) -> str:
    return "past its rated life" if answer.is_past else duration(time)


def _dated(answer: Forecast, time: float | None) -> str:
    date = _date(answer, time)
    return f"{_ahead(answer, time)}, {date}" if date else _ahead(answer, time)


def left_rows(answer: Forecast) -> list[dict[str, str]]:
    """Return the remaining writes by each kind of evidence, the one in use first."""
    return [
        {
            "Evidence": left.kind,
            "Leaves": _bytes(left.value_bytes),
            "Between": f"{_bytes(left.low_bytes)} and {_bytes(left.high_bytes)}",
            "At this rate": _at_rate(answer, left),
            "Field": left.field,
        }
        for left in answer.left
    ]


def forecast_record(answer: Forecast) -> dict[str, Any]:
    """Return a forecast in base units for machines; what has no end is null."""
    bare = {key: value for key, value in asdict(answer).items() if key != "curve"}
    found = _finite(
        bare
        | {
            "steady": _interval(answer, answer.steady),
            "open": _interval(answer, answer.open),
            "dates": _dates(answer, answer),
            "coverage": None if answer.is_rough else COVERAGE,
        }
    )
    assert isinstance(found, dict)  # noqa: S101 - a mapping stays one
    return found


def _interval(answer: Forecast, interval: Interval | None) -> dict[str, Any] | None:
    if interval is None:
        return None
    return {**asdict(interval), "dates": _dates(answer, interval)}


def _dates(answer: Forecast, interval: Forecast | Interval) -> dict[str, str | None]:
    names = ("early", "middle", "late")
    return {name: _iso(answer, time) for name, time in zip(names, _times(interval), strict=True)}


def duration(seconds: float | None) -> str:
    """Write a time as people do.

    >>> duration(400 * 86400.0), duration(1e10), duration(float("inf"))
    ('1.1 years', 'over 30 years', 'no end in sight')
    """
    if seconds is None or math.isnan(seconds):
        return "not known"
    if math.isinf(seconds):
        return "no end in sight"
    if seconds < 2 * DAY_S:
        return "now" if seconds < HOUR_S else f"{seconds / HOUR_S:.0f} hours"
    if seconds < YEAR_S:
        return f"{seconds / DAY_S:.0f} days"
    if seconds > LONGEST_S:
        return f"over {LONGEST_S / YEAR_S:.0f} years"
    return f"{seconds / YEAR_S:.1f} years"


def moment(seconds: float) -> str:
    """Write seconds since 1970 as a date."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def _date(answer: Forecast, time: float | None) -> str:
    date = _iso(answer, time)
    if date is None or answer.is_past:
        return ""
    return f"{date}, if never switched off" if answer.clock == "power-on" else date


def _iso(answer: Forecast, time: float | None) -> str | None:
    if time is None or answer.read_at_s is None or time > LONGEST_S:
        return None
    start = datetime.fromtimestamp(answer.read_at_s, UTC)
    return (start + timedelta(seconds=time)).date().isoformat()


def _observed(label: str, number: Observed, unit: str, size: float) -> dict[str, str]:
    value, low, high = (
        f"{part / size:.4g}" if part / size < 1e3 else f"{part / size:,.0f}"
        for part in (number.value, number.low, number.high)
    )
    between = "" if low == high else f"{low} to {'?' if math.isinf(number.high) else high}"
    return _row(label, f"{value} {unit}".strip(), between, number.field, number.note)


def _row(
    what: str, value: str, between: str = "", field: str = "", note: str = ""
) -> dict[str, str]:
    return {"What": what, "Value": value, "Between": between, "Field": field, "Note": note}


def _bytes(value: float | None) -> str:
    if value is None:
        return "not known"
    if math.isinf(value):
        return "no limit"
    if value >= 1000 * TB:
        return f"{value / TB:,.0f} TB"
    return f"{value / TB:.4g} TB" if value >= TB / 10 else f"{value / GB:.4g} GB"


def _at_rate(answer: Forecast, left: RemainingWrites) -> str:
    if left.value_bytes is None:
        return f"at least {duration(left.low_bytes / answer.host_bytes_per_s)}"
    return duration(left.value_bytes / answer.host_bytes_per_s)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def fio_rows(test: FioTest) -> list[dict[str, str]]:
    """Return a row for each job and direction of a file of fio, in the units that people see."""
    return [
        {
            "Job": job.name,
            "Direction": f"{job.pattern} {one.kind}".strip(),
            "Queue depth": "" if job.queue_depth is None else f"{job.queue_depth:g}",
            "By Little's law": "" if job.outstanding is None else f"{job.outstanding:.4g}",
            "Size": text("transfer_bytes", one.transfer_bytes),
            "Rate": f"{one.iops:,.0f} IOPS",
            "Throughput": course_text("bytes_per_s", one.bytes_per_s),
            "Mean": "" if one.mean_latency_s is None else text("read_s", one.mean_latency_s),
            **{
                f"p{percent:g}": text("read_s", one.quantiles_s[percent])
                if percent in one.quantiles_s
                else ""
                for percent in (50.0, 99.0, 99.9)
            },
        }
        for job in test.jobs
        for one in job.directions
    ]


def course_rows(file: str, courses: Sequence[Course]) -> list[dict[str, str]]:
    """Return a row for each course of a log of fio: its means, its cliff and its steady state."""
    return [
        {
            "Log": file,
            "Direction": one.kind,
            "Periods": f"{len(one.values):,} of {one.period_s:g} s",
            "Mean": course_text(one.quantity, sum(one.values) / len(one.values)),
            "Lowest": course_text(one.quantity, min(one.values)),
            "Highest": course_text(one.quantity, max(one.values)),
            **_steady(one),
        }
        for one in courses
    ]


def _steady(course: Course) -> dict[str, str]:
    known = course.consistency
    cliff, steady = "none", "not reached"
    if known is not None and known.cliff_s is not None:
        cliff = f"at {known.cliff_s:g} s"
    if known is not None and known.steady_mean is not None and known.steady_from_s is not None:
        mean = course_text(course.quantity, known.steady_mean)
        steady = f"{mean} from {known.steady_from_s:g} s"
    return {"Cliff": cliff, "Steady": steady}


def course_text(quantity: str, value: float) -> str:
    """Write a value of a log of fio in its unit.

    >>> course_text("iops", 45e3), course_text("bytes_per_s", 1.2e8), course_text("clat_s", 1e-3)
    ('45,000 IOPS', '120 MB/s', '1,000 us')
    """
    if quantity == "iops":
        return f"{value:,.0f} IOPS"
    if quantity == "bytes_per_s":
        return f"{value / MB:,.4g} MB/s"
    return text("read_s", value, digits=4)

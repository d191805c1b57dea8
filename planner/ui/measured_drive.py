"""Files of drives: what they say, when the rated life ends, and the plan with them."""

from collections.abc import Sequence
from datetime import UTC, date, datetime

import numpy as np
import pandas as pd
import streamlit as st

from models.units import YEAR_S
from planner.export.forecast_screen import sentences
from planner.export.measured_options import options_of
from planner.export.scenario_file import Options, to_json
from planner.export.telemetry_tables import duration, forecast_rows, left_rows, reading_rows
from planner.forecast import Forecast, NoForecast, chances, forecast
from planner.forecast.evidence import HOST
from planner.search.verdict import lasts
from planner.sections.plan import PlanReading
from planner.sections.request import plan_of
from planner.telemetry import DriveReading, FileReading
from planner.ui import charts
from planner.ui import state as scenario
from planner.ui.plain import bullets, plain
from planner.ui.tables import table
from planner.ui.theme import chart
from planner.ui.verdict import draw_sentence

POINTS = 121


def draw(held: Sequence[FileReading]) -> None:
    """Draw the verdict on the drive of some files, what was read of it, and its end of life."""
    first = st.container()
    for reading in held:
        _reading(reading)
    started_s = _in_service()
    _forecast([drive for reading in held for drive in reading.drives], started_s)
    with first:
        _plan_of_it(held, started_s)


def _reading(reading: FileReading) -> None:
    many = f", {len(reading.drives)} readings" if len(reading.drives) > 1 else ""
    with st.expander(plain(f"{reading.file}: {reading.kind}{many}"), expanded=not many):
        for drive in reading.drives[:1]:
            table(reading_rows(drive))
            for unused in drive.unused:
                statement = f"Not used: {unused.field} ({unused.text}), {unused.reason}"
                st.warning(plain(statement))
            for note in (*drive.notes, *reading.notes):
                st.caption(plain(note))


def _in_service() -> float | None:
    """Ask since when the drive is in use."""
    st.subheader("End of the rated life")
    since = st.date_input(
        "In use since", None, key="since", min_value=date(2005, 1, 1),
        help="Converts the power-on time of a single reading to calendar time.",
    )  # fmt: skip
    if since is None:
        return None
    return datetime(since.year, since.month, since.day, tzinfo=UTC).timestamp()


def _forecast(drives: Sequence[DriveReading], started_s: float | None) -> None:
    try:
        answer = forecast(drives, in_service_s=started_s)
    except NoForecast as reason:
        st.info(plain(f"No forecast: {reason}."))
        return
    told = sentences(answer)
    st.markdown("  \n".join(plain(told[name]) for name in ("left", "lasts")))
    _dates(answer)
    for statement in answer.disagreements:
        st.warning(plain(statement[0].upper() + statement[1:]))
    _picture(answer)
    if answer.left:
        table(left_rows(answer))
    if answer.better:
        st.markdown("**What would improve the forecast**")
        st.markdown(bullets(answer.better))
    for note in answer.notes:
        st.caption(plain(note))


def _dates(answer: Forecast) -> None:
    """Show the three dates, what they are worth, and those of a workload that stays."""
    if answer.is_past:
        st.error("This drive is past its rated life.")
        return
    kind = answer.left[0].kind if answer.left else "wear indicator"
    other = "" if kind == HOST else "; its rating may end before"
    st.caption(plain(f"By its {kind}, while its writes may change{other}:"))
    rows = forecast_rows(answer)
    for column, row in zip(st.columns(3), rows, strict=True):
        head, left, day = [*row.values()][:3]
        column.metric(
            plain(head), plain(left), delta=plain(day) if day else None, delta_color="off",
            delta_arrow="off",
        )  # fmt: skip
    if answer.steady is not None:
        early, middle, late = ([*row.values()][-1] for row in rows)
        st.markdown(plain(f"If the workload does not change: {early} to {late} (middle {middle})."))


def _picture(answer: Forecast) -> None:
    """Draw the interval, and the chance that the end has come where a series gives one."""
    frame, shown_s = picture(answer)
    if frame is None:
        if not answer.is_past:
            st.info("No end of life is forecast, so there is nothing to draw.")
        return
    chart(
        frame, charts.FORECAST_BAND if answer.curve is None else charts.FORECAST,
        key="forecast_chart",
        alt="When the rated life ends, from the last reading",
    )  # fmt: skip
    clock = "power-on time" if answer.clock == "power-on" else "the calendar"
    band = f"the band is {answer.label}"
    if answer.steady is not None:
        band += "; the dark part holds if the workload does not change"
    st.caption(plain(f"Years of {clock} from the last reading, to {duration(shown_s)}; {band}."))


def picture(answer: Forecast) -> tuple[pd.DataFrame | None, float]:
    """Return the data of the chart, in years, and the end of its axis."""
    ends = [answer.early_s, answer.middle_s, answer.late_s]
    known = [end for end in ends if end is not None and np.isfinite(end) and end > 0]
    if not known:
        return None, 0.0
    most = 1.15 * max(known)
    late = min(answer.late_s, most)
    rows: list[dict[str, object]] = [
        {"kind": "band", "early": answer.early_s / YEAR_S, "years": late / YEAR_S, "label": ""},
        {"kind": "end", "years": most / YEAR_S, "label": ""},
    ]
    if answer.steady is not None:
        early, late = answer.steady.early_s / YEAR_S, min(answer.steady.late_s, most) / YEAR_S
        rows.append({"kind": "band", "early": early, "years": late, "label": ""})
    if answer.middle_s is not None and answer.middle_s <= most:
        rows.append({
            "kind": "middle", "years": answer.middle_s / YEAR_S, "label": duration(answer.middle_s),
        })  # fmt: skip
    times = np.linspace(most / POINTS, most, POINTS)
    curve = chances(answer, times)
    if curve is not None:
        rows += [
            {"kind": "chance", "years": time / YEAR_S, "chance": 100 * chance, "label": ""}
            for time, chance in zip(times, curve, strict=True)
        ]
    return pd.DataFrame(rows), most


def _plan_of_it(readings: Sequence[FileReading], started_s: float | None) -> None:
    """Draw the verdict of the plan on what is left of a drive, and offer that plan."""
    try:
        options = options_of(readings, started_s)
    except ValueError as error:
        st.info(plain(f"No scenario: {error}."))
        return
    drive, typed = _inputs(options)
    if "writes" in typed:
        draw_sentence(lasts(_planned(drive, tuple(typed.items())), scenario.horizon_s()))
    left, right = st.columns(2)
    left.button(
        "Plan this drive", key="plan_drive", on_click=_plan, args=(options,), disabled=not options,
        help="Sets drive, writes, write amplification and the used share, and opens the plan of "
             "the remaining life; other inputs are as usual.",
    )  # fmt: skip
    right.download_button(
        "Scenario file", to_json(options), "scenario.json", "application/json", key="drive_scenario"
    )


def _inputs(options: Options) -> tuple[str, dict[str, str]]:
    """Return the drive and the inputs of the plan of a drive, for the years that are asked."""
    typed = {name: str(value) for name, value in options.items()}
    years = scenario.text_of("years")
    return typed.pop("drive", scenario.OWN), typed | {"years": years}


@st.cache_resource(max_entries=scenario.KEPT_PLANS, show_spinner=False)
def _planned(drive: str, typed: tuple[tuple[str, str], ...]) -> PlanReading:
    """Return the plan that `_plan` puts on screen."""
    texts = {name: text for name, text in typed if name != "years"}
    return plan_of(None if drive == scenario.OWN else drive, **texts)


def _plan(options: Options) -> None:
    """Put the drive of the files on screen, with what they say of it."""
    scenario.put_all(*_inputs(options))
    scenario.show_plan("The plan is now that of what is left of this drive")

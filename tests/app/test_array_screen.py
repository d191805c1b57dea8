"""The array screen shows what the planner says, and what its widgets change."""

import json

import numpy as np
import pandas as pd
import pytest

from models.units import DAY_S, GIB, HOUR_S, YEAR_S
from planner.catalogue import find, load
from planner.quantity.inputs import FAILURES
from planner.quantity.show import text
from planner.scenario.array import Array, RaidLevel
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.search.array_levels import changes, level_grid
from planner.search.verdict import verdict
from planner.sections.array_queue import CURVE_DEPTHS, array_queue
from planner.sections.data_loss import data_loss
from planner.sections.plan import plan_drive
from planner.sections.request import plan_of
from planner.ui import array_frames
from planner.ui.array_answers import MEMBERS
from planner.ui.array_frames import level_rows
from planner.ui.plain import plain
from planner.ui.state import LEVELS, OWN
from tests.app.conftest import EXAMPLE, linked

CHARTS = "vega_lite_chart"
BUSY = 30_000


def planned(writes=10_000, stall=None):
    return plan_drive(
        find(load(), "845DC PRO 400"),
        Workload(host_bytes_per_s=writes * GIB / DAY_S),
        array=Array(members=12, level=RaidLevel.RAID5, member_stall_fraction=stall),
    )


@pytest.fixture
def screen(open_app):
    def at(**query):
        return open_app(**EXAMPLE | query, part="Array")

    return at


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def statement(elements):
    return " ".join(element.value for element in elements)


def brief(answer, digits=3):
    return plain(text(answer.key, answer.value, digits=digits))


def test_the_planners_numbers_are_on_screen(screen):
    app, answer = screen(writes=BUSY, stall=0.8, known_only="true"), planned(BUSY, stall=0.008)
    queue, lost, told = array_queue(answer), data_loss(answer), answer
    assert not app.exception
    shown = metrics(app)
    assert {label: shown[label] for label in list(shown)[:11]} == {
        "Usable capacity": brief(told["usable_bytes"]),
        "IOPS at queue depth 384": brief(queue.iops),
        "Data loss in 5 years": brief(lost["array_loss_probability"]),
        "Drives to replace in 5 years": brief(lost["mean_replacements"]),
        "Loss by failures": brief(lost["array_failed_loss_probability"]),
        "Loss by unreadable sectors": brief(lost["array_unreadable_loss_probability"]),
        "Loss by wear-out": brief(lost["array_wear_out_loss_probability"]),
        "Expected loss": brief(lost["expected_lost_bytes"]),
        "Floor, all drives in their worst case": brief(told["worst_case_floor_iops"]),
        "Probability of the floor": brief(told["aligned_stall_probability"]),
        "Drive percentile behind the p99": brief(told["member_quantile"], digits=5),
    }
    assert len(shown) == 11 + len(queue.stalled)


def test_the_assumptions_of_failures_are_widgets_and_links(screen):
    query = {"horizon": 3, "afr": 2, "uber": 1e-15, "rebuild": 12, "spread": 8, "replaced": 95,
             "apart": 10}  # fmt: skip
    app = screen(writes=BUSY, **query)
    risk = Risk(
        horizon_s=3 * YEAR_S, afr_fraction=0.02, uber=1e-15, rebuild_s=12 * HOUR_S, life_cv=0.08,
        replaced_fraction=0.95, stagger_s=10 * DAY_S,
    )  # fmt: skip
    lost = data_loss(planned(BUSY), risk)
    assert not app.exception
    shown = metrics(app)
    assert shown["Data loss in 3 years"] == brief(lost["array_loss_probability"])
    assert shown["Loss by wear-out"] == brief(lost["array_wear_out_loss_probability"])
    assert shown["Drives to replace in 3 years"] == brief(lost["mean_replacements"])
    assert {"years", *FAILURES} <= {widget.key for widget in app.text_input}
    app.text_input(key="afr").set_value("2 %").run()
    assert linked(app, "afr") == "2 %"


def test_the_verdict_above_the_page_holds_its_assumptions(screen):
    query = {"writes": BUSY, "afr": "20 %", "uber": 1e-13}
    worse = verdict(planned(BUSY), risk=Risk(afr_fraction=0.2, uber=1e-13)).safe.text
    assert worse != verdict(planned(BUSY)).safe.text
    assert any(worse in element.value for element in screen(**query).markdown)


RAID_6 = {"drive": "Samsung PM9A3 3.84 TB", "drives": 8, "raid": "6", "writes": "1 TB/day"}


def test_failures_that_are_typed_on_the_array_enter_the_verdict_in_the_same_run(open_app):
    app = open_app(**RAID_6, part="Array")
    app.text_input(key="afr").set_value("50%").run()
    now = verdict_text(app)
    assert "Loss of the whole array within 5 years: about 1 in" in now
    assert now == verdict_text(open_app(**RAID_6, part="Array", afr="50%"))


def test_a_failure_rate_that_cannot_be_read_greys_the_verdict(open_app):
    app = open_app(**RAID_6, part="Array")
    app.text_input(key="afr").set_value("often").run()
    assert ":gray-badge[SAFE]" in verdict_text(app)
    assert "AFR must be a share such as 70% or 0.7, got 'often'" in app.error[0].value
    app.text_input(key="afr").set_value("1%").run()
    assert ":green-badge[SAFE]" in verdict_text(app)


def verdict_text(app):
    return next(each.value for each in app.markdown if "badge[SAFE]" in each.value)


def test_a_fact_that_is_entered_changes_the_figures_at_once(screen):
    app = screen(advanced="true", topic="Its data sheet")
    label = next(name for name in metrics(app) if name.startswith("IOPS at queue depth"))
    shown = [metrics(app)[label]]
    for rate in ("40000", "20000"):
        app.text_input(key="random_read_iops").set_value(rate).run()
        shown.append(metrics(app)[label])
    assert len(set(shown)) == 3


def test_every_chart_is_drawn_and_told(screen):
    assert len(screen().get(CHARTS)) == 3  # those that take longer wait until they are opened
    app = screen(courses="true")
    _life_bar, *charts = app.get(CHARTS)
    assert len(charts) == 4
    before = [(chart.proto.alt, chart.proto.spec) for chart in charts]
    app.text_input(key="writes").set_value("9000 GiB/day").run()
    _life_bar, *moved = app.get(CHARTS)
    assert [(chart.proto.alt, chart.proto.spec) for chart in moved] == before
    assert all(alt for alt, _spec in before)
    assert all(json.loads(chart.proto.spec)["height"] for chart in charts)


def test_an_unknown_stall_is_asked_for_and_nothing_is_guessed(screen):
    app = screen(known_only="true")
    assert metrics(app)["Probability of the floor"] == "missing"
    assert len(app.metric) == 11
    assert "unknown: enter it under Advanced" in statement(app.caption)
    assert not app.info


def test_missing_facts_are_named(screen):
    app = screen(drive=OWN, capacity=1000, raid=0, known_only="true")
    assert not app.exception
    assert metrics(app)["IOPS at queue depth 384"] == "missing"
    assert "Unknown facts" in statement(app.info)
    assert "Wear-out is not counted" in statement(app.markdown)


@pytest.mark.parametrize(
    "query",
    [
        {"drives": 1, "raid": "0"}, {"drives": 2, "raid": "1"}, {"raid": "ec:8+3"},
        {"drive": "Samsung 860 PRO 4.096 TB", "known_only": "true"},
        {"drive": "Samsung 840 EVO mSATA 1 TB"}, {"reads": 100}, {"growth": -50},
    ],
    ids=str,
)  # fmt: skip
def test_no_scenario_breaks_the_screen(screen, query):
    app = screen(**query)
    assert not app.exception
    assert not app.error


def test_drives_that_would_be_worn_out_at_once_are_a_sentence(screen):
    app = screen(drive="Samsung 840 EVO 250 GB", writes=1e6, raid="0", drives=2)
    assert not app.exception
    assert "times are counted" in statement(app.error)
    assert not app.metric


def test_the_curve_has_the_queue_and_its_bound():
    answer = planned()
    queue = array_queue(answer)
    rows = array_frames.iops_rows(answer, queue)
    curve = rows[rows["kind"] == "curve"]
    assert tuple(curve["queue_depth"]) == CURVE_DEPTHS
    assert curve["iops"].tolist() == queue.curve_iops.value.tolist()
    (bound,) = rows[rows["kind"] == "budget"]["iops"]
    assert bound == answer["budget_iops"].value


def test_bars_below_the_floor_are_said_in_words():
    mended = changes(planned(), Risk())
    least = array_frames.floor(mended)
    rows = array_frames.loss_rows(mended, least)
    assert len(rows) == 4 * len(mended)
    small = rows["probability"] < least
    assert small.any()
    assert (rows["shown"] >= least).all()
    assert set(rows[small]["label"]) == {"below 1 in 1,000,000"}
    assert rows[~small]["label"].str.contains(r"\d in \d").all()
    assert (rows[~small]["shown"] == rows[~small]["probability"]).all()


@pytest.mark.parametrize("years", [0.1, 1, 5, 6.1, 12, 100])
def test_periods_fill_the_horizon(years):
    ends = array_frames.ends_s(years * YEAR_S)
    assert len(ends) <= 24
    assert ends[-1] == years * YEAR_S
    assert (np.diff(ends, prepend=0) > 0).all()
    rows = array_frames.course_rows(ends, np.linspace(0.1, 2, len(ends) + 1)[1:])
    assert rows["drives"].sum() == pytest.approx(2)


def test_the_download_has_figures_and_charts():
    answer = planned()
    queue = array_queue(answer)
    drawn = {"iops": array_frames.iops_rows(answer, queue), "levels": pd.DataFrame()}
    rows = array_frames.table((*queue.answers, *data_loss(answer).answers), drawn)
    told = {row["quantity"]: row["value"] for row in rows if row["kind"] == "figure"}
    assert told["array_iops"] == queue.iops.value
    assert told["array_loss_probability"] == data_loss(answer)["array_loss_probability"].value
    curve = [row["iops"] for row in rows if row["kind"] == "iops"]
    assert set(queue.curve_iops.value) <= set(curve)


@pytest.mark.parametrize(
    ("layout", "level"),
    [({"drives": 2, "raid": 1}, "1"), ({"drives": 30, "raid": 6}, "6"),
     ({"drives": 24, "raid": "draid2:8d:24c:2s"}, "draid2:8d:2s")],
)  # fmt: skip
def test_the_heat_map_has_the_plan_and_no_column_for_each_number(layout, level):
    plan = plan_of("PM9A3 3.84", writes="1 TB/day", **layout)
    pools = [one for one in LEVELS if one.startswith(("raidz", "draid"))]
    levels = pools if plan.array.is_pool else ["0", "5", "6"]
    rows = level_rows(level_grid(plan, Risk(), levels=levels, members=MEMBERS), plan.array)
    (here,) = rows[rows["is_current"]].to_dict("records")
    assert (here["level"], here["members"]) == (level, layout["drives"])
    assert not rows.duplicated(["level", "members"]).any()
    assert rows["level"].nunique() <= 8

"""The speed screen shows what the planner says, draws it, and simulates beside it."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from models.errors import Cancelled
from models.nomenclature import QUANTITIES
from models.units import DAY_S, GIB
from planner.catalogue import find, load
from planner.quantity.show import text
from planner.scenario.workload import Workload
from planner.sections.heat import Surroundings, heat_of
from planner.sections.request import plan_of
from planner.sections.speed import speed, speed_of
from planner.sections.speed_curve import speed_curve
from planner.sections.speed_ranges import speed_ranges_of
from planner.simulation.speed import Simulated
from planner.ui.state import OWN
from tests.app.conftest import EXAMPLE, tables
from tests.families import one_per_family

CHARTS = "vega_lite_chart"
RAID5_OF_12 = 2 / 12  # of the array's writes reach one drive: data and parity
DEPTH = 4  # at 32, which is the default, read latencies take ten times as long to compute
LOAD = Workload(host_bytes_per_s=10_000 * GIB / DAY_S * RAID5_OF_12, queue_depth=DEPTH)


@pytest.fixture
def screen(open_app):
    def at(**query):
        return open_app(**EXAMPLE | {"depth": DEPTH} | query, part="Speed")

    return at


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def statement(elements):
    return " ".join(element.value for element in elements)


def specs(app):
    """Charts of the part, below the life bar."""
    return [json.loads(chart.proto.spec) for chart in app.get(CHARTS)[1:]]


def legend(spec):
    """Return the series that a chart names."""
    for layer in spec["layer"]:
        color = layer.get("encoding", {}).get("color", {})
        if "scale" in color:
            return color["scale"]["domain"]
    return []


def test_what_the_screen_keeps_while_writes_change_does_not_hang_on_them():
    light, heavy = (
        plan_of("SN700 2TB", skew="80/20", writes=rate) for rate in ("9 GB/day", "9TB/day")
    )
    one, other = (speed_ranges_of(plan, speed_of(plan), with_readers=False).answers
                  for plan in (light, heavy))  # fmt: skip
    assert one == other
    assert any(each.is_wide for each in one.values())


@pytest.mark.parametrize("name", ["845DC PRO 400", "845DC EVO 480", "840 EVO 1000"])
def test_the_planners_numbers_are_on_screen(screen, name):
    drive = find(load(), name)
    app, answer = screen(drive=drive.name, known_only="true"), speed(drive, LOAD)
    assert not app.exception
    labels = {
        "Write IOPS, fresh": answer.fresh_write_iops,
        "Write IOPS, steady": answer.steady_write_iops,
        "Write IOPS, lowest": answer.lowest_write_iops,
        "Random read IOPS": answer.random_read_iops,
        "Longest write latency": answer.max_latency_s,
        "Cliff after": answer.cliff_s,
        "Steady state after": answer.settling_s,
        "Model against data sheet": answer.steady_residual,
    }
    assert metrics(app) == {
        label: "missing" if not node.is_known else text(node.key, node.value, digits=3)
        for label, node in labels.items()
    }
    deltas = {metric.label: metric.delta for metric in app.metric}
    assert deltas["Write IOPS, steady"].endswith(f", by {answer.binding['steady_write_iops']}")
    worst = text("worst_case_iops", answer.worst_case_iops.value)
    assert f", worst case {worst}" in deltas["Longest write latency"]


def test_the_read_latency_is_that_of_one_drive_of_the_array(screen):
    app, answer = screen(known_only="true"), speed(find(load(), "845DC PRO 400"), LOAD)
    assert f"at most {text('read_s', answer.read_latency_s[50.0])}, all but" in statement(
        app.caption
    )
    assert f"at most {text('read_s', answer.read_latency_s[99.999])}." in statement(app.caption)


def test_both_spare_areas_are_drawn_and_told(screen):
    app = screen(known_only="true")
    consistency, percentiles = specs(app)
    assert legend(consistency) == ["As set", "25 % unpartitioned"]
    assert legend(percentiles) == ["as they arrive", "at the queue depth"]
    spared = speed(find(load(), "845DC PRO 400"), LOAD, partition_fraction=0.75)
    assert f"steady {text('steady_write_iops', spared.steady_write_iops.value)}" in statement(
        app.caption
    )
    for chart in app.get(CHARTS):
        assert chart.proto.alt


def test_the_scale_and_the_spare_areas_are_chosen_and_kept_in_the_url(screen):
    app = screen()
    scale, spare = app.segmented_control(key="iops_scale"), app.pills(key="spare_area")
    assert {scale.proto.query_param_key, spare.proto.query_param_key} == {
        "iops_scale", "spare_area",
    }  # fmt: skip
    assert '"type": "log"' in json.dumps(specs(app)[0])
    scale.set_value("Linear").run()
    assert '"type": "log"' not in json.dumps(specs(app)[0])
    app.pills(key="spare_area").set_value(["25 % unpartitioned"]).run()
    assert legend(specs(app)[0]) == ["25 % unpartitioned"]
    app.pills(key="spare_area").set_value([]).run()
    assert not app.exception
    assert "select a spare area" in statement(app.info)


def test_a_link_restores_the_scale(screen):
    app = screen(iops_scale="Linear", spare_area="As set")
    assert '"type": "log"' not in json.dumps(specs(app)[0])
    assert legend(specs(app)[0]) == ["As set"]


def test_a_test_that_is_too_short_is_told(screen):
    app = screen(drive="Samsung 840 EVO 1 TB")
    assert "A 2,000-second test ends before the steady state" in statement(app.warning)
    assert "ends before the steady state" not in statement(screen().warning)


def test_saturated_reads_are_told_in_words(screen):
    app = screen(drive="Samsung 845DC EVO 240 GB", drives=1, raid=0, writes=7000)
    assert not app.exception
    assert "saturated (90 % range of the drive's limit: " in statement(app.warning)
    assert len(specs(app)) == 2
    only = screen(reads=100)
    assert not only.exception
    assert "only reads" in statement(only.info)


def patterns():
    """Return one drive for every set of facts that is missing."""
    found = {}
    for drive in one_per_family(load().drives.values()):
        answer = speed(drive, LOAD)
        shape = (answer.lacking, tuple(not part.is_known for part in answer.answers))
        found.setdefault(shape, drive.name)
    return sorted(found.values())


def test_no_drive_without_facts_breaks_the_screen(screen):
    app = screen()
    names = [*patterns(), OWN]
    assert len(names) > 5
    for name in names:
        app.selectbox(key="drive").set_value(name).run()
        assert not app.exception, name
        assert not app.error, name
        assert len(app.metric) == 8


def test_missing_facts_are_named_or_assumed_with_their_ranges(screen):
    app = screen(drive="Samsung 860 PRO 4.096 TB", known_only="true")
    assert "Raw flash: the data sheet" in statement(app.info)
    assert app.button(key="simulate_speed").disabled
    app = screen(drive="Samsung 860 PRO 4.096 TB")
    assert not app.info
    assert "Raw flash 4,0" in statement(app.markdown)
    deltas = {metric.label: metric.delta for metric in app.metric}
    assert " to " in deltas["Write IOPS, steady"]


def test_the_simulation_stays_while_the_scenario_does(screen):
    app = screen()
    app.button(key="simulate_speed").click().run(timeout=300)
    assert not app.exception
    table = next(each for each in tables(app) if "Simulated" in each).set_index("Quantity")
    row = table.loc["Steady write IOPS"]
    planned, simulated = (float(row[name].replace(",", "").split()[0]) for name in row.index)
    assert simulated == pytest.approx(planned, rel=0.03)
    assert "Read latency p99.999" in table.index
    assert "times as many pages, so the time axis is stretched" in statement(app.caption)
    assert "simulated, slowest second" in legend(specs(app)[0])
    app.segmented_control(key="iops_scale").set_value("Linear").run()
    assert "simulated, average" in legend(specs(app)[0])
    app.text_input(key="years").set_value("6 years").run()
    assert "simulated, average" in legend(specs(app)[0])
    app.text_input(key="drives").set_value("14").run()
    assert "simulated, average" not in legend(specs(app)[0])


def test_a_cancelled_simulation_leaves_the_screen_as_it_was(screen, monkeypatch):
    def cancelled(replay, progress):
        progress(0.1)
        raise Cancelled("stopped after 10% of the run")

    monkeypatch.setattr("planner.ui.speed.simulate", cancelled)
    app = screen()
    app.button(key="simulate_speed").click().run()
    assert not app.exception
    assert "cancelled" in statement(app.info)
    assert "simulated, average" not in legend(specs(app)[0])


def test_the_download_has_what_is_drawn():
    from planner.ui import speed_frames

    answer = speed(find(load(), "845DC PRO 400"), LOAD)
    known = speed_frames.courses({"As set": answer})
    rows = speed_frames.table(answer, known, None)
    curve = [row for row in rows if row["kind"] == "curve"]
    expected = speed_curve(answer)
    seconds = np.array([row["seconds"] for row in curve])
    iops = np.array([row["iops"] for row in curve])
    assert seconds[-1] <= 2040
    settled = seconds > 1.05 * answer.cliff_s.value
    np.testing.assert_allclose(
        iops[settled], np.interp(seconds[settled], expected.seconds, expected.iops), rtol=0.002
    )
    for kind, latency_s in (
        ("reads as they arrive", answer.read_latency_s),
        ("reads at the queue depth", answer.closed_read_latency_s),
    ):
        told = {row["percentile"]: row["latency_s"] for row in rows if row["kind"] == kind}
        assert told == latency_s


def test_stretches_of_a_run_are_drawn_as_they_were_measured():
    from planner.ui import speed_frames

    answer = speed(find(load(), "845DC PRO 400"), LOAD)
    known = speed_frames.courses({"As set": answer})
    run = Simulated(
        seconds=np.array([10.0, 1000.0, 9e9]), average_iops=np.array([9e4, 4e4, 5e4]),
        minimum_iops=np.array([8e4, 0.0, 4e4]), spread_iops=np.array([1e3, 5e4, 1e3]),
        steady_iops=5e4, steady_spread_iops=1e3, steady_wa=2.0, max_latency_s=6e-3,
        read_latency_s={50.0: 6e-5}, host_writes=1, host_reads=1, run_s=1.0, warnings=(),
    )  # fmt: skip
    rows = speed_frames.consistency_rows({"As set": answer}, known, run)
    drawn = rows[rows["kind"] == "run"]
    assert drawn["seconds"].tolist() == [10, 1000]
    assert drawn["low"].tolist() == [89_000, 2_000]
    assert drawn["high"].tolist() == [91_000, 90_000]
    assert rows[rows["kind"] == "least"]["iops"].tolist() == [80_000]
    shown = speed_frames.percentile_rows(
        speed_frames.reads(answer, replace(run, read_latency_s={99.0: 1e-3}))
    )
    (simulated,) = shown[shown["kind"] == "as they arrive, simulated"].to_dict("records")
    assert (simulated["nines"], simulated["milliseconds"]) == pytest.approx((2, 1))


def test_energy_and_heat_are_what_the_section_says(screen):
    app = screen(heat="true", room="35 C", cooling="server 3 m/s", idle_gap="10 s")
    assert not app.exception
    plan = plan_of("845DC PRO 400", depth=DEPTH)
    found = heat_of(plan.drive, Surroundings(room_k=308.15, cooling="server 3 m/s", mean_gap_s=10))
    frames = tables(app)
    shown = dict(pd.concat(frames)[["Quantity", "Value"]].dropna().to_numpy().tolist())
    for key in ("writing_j_per_byte", "steady_body_k", "throttling_s"):
        label, value = QUANTITIES[key].label, found[key].value
        assert shown[label].startswith(text(key, value, digits=3)), label
    assert any("server, air at 3 m/s, room of 35 C" in each.value for each in app.caption)


def test_a_cooling_that_does_not_fit_the_drive_is_a_sentence(screen):
    app = screen(heat="true", cooling="heatsink")
    assert not app.exception
    assert any("must have no heatsink" in error.value for error in app.error)


def test_the_converter_gives_what_follows_and_refuses_contradictions(screen):
    app = screen(drive="Samsung 845DC PRO 400 GB")
    fields = {field.label: field for field in app.text_input}
    fields["Latency"].set_value("6.4 ms")
    app.run()
    fields = {field.label: field for field in app.text_input}
    depths = [field for field in app.text_input if field.key == "rates_depth"]
    depths[0].set_value("32").run()
    assert any("5,000 IOPS are the worst case" in caption.value for caption in app.caption)
    iops = next(field for field in app.text_input if field.key == "rates_iops")
    iops.set_value("100").run()
    assert any("must agree with the others within 2 %" in error.value for error in app.error)

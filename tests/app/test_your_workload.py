"""The screen of a trace: what was found, its write amplification, and the plan with it."""

import io

import numpy as np
import pytest

from planner.simulation.trace_wa import trace_wa
from planner.telemetry.traces import trace
from tests.app.conftest import linked, tables
from tests.planner.telemetry.traces.samples import SAMPLES, csv_of

PAGE = "planner/ui/measure.py"
TRACE = csv_of(np.random.default_rng(1).integers(0, 2000, 20_000))


@pytest.fixture
def page(app):
    return app.switch_page(PAGE).run()


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def upload(page, name, data):
    page.file_uploader(key="files").upload(name, data).run()
    assert not page.exception
    return page


def test_without_a_trace_the_page_says_what_it_takes(page):
    assert not page.exception
    assert "nothing of them is sent anywhere" in page.caption[0].value
    assert not page.metric


def test_figures_are_those_of_the_reader_and_of_the_model(page):
    upload(page, "trace.csv", TRACE)
    found = trace(io.BytesIO(TRACE))
    left = trace_wa(*found, op_ratio=512 * 2**30 / 400e9 - 1)
    shown = metrics(page)
    assert shown["Requests"] == "20,000"
    assert shown["Writes per page"] == "10"
    assert shown["The trace, repeated"] == f"{left.predicted.wa:.3g} x"
    assert shown["At random times"] == f"{left.lasting_wa:.3g} x"
    assert len(page.get("vega_lite_chart")) == 3


def test_a_replay_stands_beside_the_model(page):
    upload(page, "trace.csv", TRACE)
    page.button(key="replay trace.csv").click().run()
    assert not page.exception
    assert metrics(page)["Replayed"].endswith(" x")


def test_the_plan_takes_the_trace(page):
    upload(page, "trace.csv", TRACE)
    page.button(key="use trace.csv").click().run()
    assert not page.exception
    assert linked(page, "reads") == "0%"
    classes = trace(io.BytesIO(TRACE)).workload.plan_inputs()["skew"]
    assert linked(page, "skew") == classes != "uniform"  # its own, not those of a preset
    writes = 20_000 * 4096 / 19.999 * 86400 / 2**30
    assert page.text_input(key="writes").value == f"{writes:.10g} GiB/day"


def test_a_log_of_fio_is_read(page):
    upload(page, "fio.log", SAMPLES["fio iolog v3"])
    assert metrics(page)["Requests"] == "42"


def test_a_file_that_is_no_trace_is_refused_in_a_sentence(page):
    upload(page, "notes.txt", b"hello\n")
    assert page.error[0].value.startswith("Refused: notes.txt: byte 0: unknown format")


def test_a_drive_of_larger_units_is_not_shown_what_pages_of_4_kib_would_cost(open_app):
    page = open_app(drive="Solidigm D5-P5336 61.44 TB").switch_page(PAGE).run()
    upload(page, "trace.csv", TRACE)
    assert any("maps units of 16 KiB" in info.value for info in page.info)
    assert "The trace, repeated" not in metrics(page)
    assert page.button(key="use trace.csv")


SHORT = {
    "few requests": (SAMPLES["fio iolog v3"], "Too few requests"),
    "few writes to each page": (csv_of(np.arange(2_000)), "Too few writes to each page"),
    "short": (csv_of(np.random.default_rng(1).integers(0, 200, 9_000)), "Too short"),
}


@pytest.mark.parametrize("name", SHORT)
def test_a_trace_with_too_little_says_so_first_and_is_not_planned(page, name):
    data, head = SHORT[name]
    upload(page, "trace.csv", data)
    first = next(
        each for each in page.main
        if each.type in ("error", "metric", "caption", "arrow_vega_lite_chart", "markdown")
        and each.type != "caption"
    )  # fmt: skip
    assert first.type == "error"
    assert first.value.startswith(f"### {head}")
    use = page.button(key="use trace.csv")
    assert use.disabled
    assert head in use.help
    assert not any("takes the mean transfer size" in each.value for each in page.caption)


def test_the_classes_of_a_trace_are_shown(page):
    upload(page, "trace.csv", TRACE)
    found = trace(io.BytesIO(TRACE)).workload
    (kinds,) = (each for each in tables(page) if "Kind" in each)
    assert list(kinds["Kind"]) == ["Writes"]
    assert list(kinds["Requests"]) == ["20,000"]
    (classes,) = (each for each in tables(page) if "Class" in each)
    assert len(classes) == len(found.write_shares) > 1


def test_the_volumes_of_a_trace_are_shown_the_busiest_first(page):
    rows = [
        f"{second / 10},{volume},W,{4096 * (second % 20)},{4096 * (2 if volume == 'log' else 1)}"
        for second in range(600)
        for volume in ("data", "log")
    ]
    data = "\n".join(["time_s,volume,op,offset,size", *rows]).encode()
    upload(page, "trace.csv", data)
    (volumes,) = (each for each in tables(page) if "Volume" in each)
    assert list(volumes["Volume"]) == ["log", "data"]
    assert list(volumes["Writes"]) == ["600", "600"]
    assert list(volumes["Share of host writes"]) == ["67 %", "33 %"]


def test_files_of_one_name_are_told_apart(page):
    log = SAMPLES["fio iolog v3"]
    given = [("fio.log", data, "text/plain") for data in (log, log + log[-200:])]
    page.file_uploader(key="files").set_value(given).run()
    assert not page.exception
    assert {"use fio.log", "use fio (2).log"} <= {button.key for button in page.button}

"""The part Protocols: the numbers of the planner, an order of drives, a run of fio beside them."""

import json

import pytest

from planner.catalogue import find, load
from planner.catalogue.priors import with_assumptions
from planner.export.protocol_table import order_sentence, phase_rows, scatter_rows
from planner.simulation.protocol.answer import protocol_on
from planner.simulation.protocol.presets import protocol_named, protocols
from planner.ui.plain import plain
from tests.app.conftest import tables

DRIVE, OTHER = "Samsung 840 EVO 250 GB", "Samsung 845DC EVO 240 GB"


def answer(name, protocol="torture"):
    return protocol_on(with_assumptions(find(load(), name)), protocol_named(protocol))


@pytest.fixture
def place(open_app):
    def at(**query):
        return open_app(drive=DRIVE, part="Protocols", **query)

    return at


def test_phases_and_order_are_those_of_the_planner(place):
    app = place(protocol="torture", protocol_beside=OTHER)
    assert not app.exception
    answers = [answer(DRIVE), answer(OTHER)]
    found = [frame.to_dict("records") for frame in tables(app)]
    assert found == [phase_rows(each) for each in answers]
    written = [block.value for block in app.markdown]
    assert f"**Order in trimmed**: {plain(order_sentence(answers))}" in written


def test_the_scatter_of_random_writes_stands_below_their_phases(place):
    app = place(protocol="consistency")
    planned = answer(DRIVE, "consistency")
    found = [frame.to_dict("records") for frame in tables(app)]
    assert found == [phase_rows(planned), scatter_rows(planned)]
    assert "Worst-case IOPS" in found[1][-1]


@pytest.mark.parametrize("name", sorted(protocols()))
def test_every_protocol_is_drawn(place, name):
    app = place(protocol=name)
    assert not app.exception
    assert len(app.get("vega_lite_chart")) >= 1


def test_phases_of_ones_own_are_read_or_refused_in_words(place):
    app = place(protocol="own phases")
    app.text_area(key="protocol_phases").set_value("fill\nwrite backwards for 3 s").run()
    assert not app.exception
    assert "'backwards' is not understood" in app.error[0].value
    app.text_area(key="protocol_phases").set_value("fill\nread 4KiB for 3 s").run()
    assert not app.error
    assert [row["Phase"] for row in tables(app)[0].to_dict("records")] == ["read 4KiB for 3 s"]


@pytest.mark.parametrize(("axis", "column"), [("time", "seconds"), ("bytes", "gigabytes")])
def test_a_course_is_drawn_over_time_or_bytes(place, axis, column):
    app = place(protocol="cache-curve", protocol_axis=axis)
    assert not app.exception
    spec = json.loads(app.get("vega_lite_chart")[-1].proto.spec)
    assert spec["encoding"]["x"]["field"] == column


def run_of(bytes_per_s, **options):
    """A run of the first phase that is judged, by its name."""
    job = {"jobname": "dirty", "write": {"bw_bytes": bytes_per_s, "iops": bytes_per_s / 131072,
           "runtime": 60000, "io_bytes": 60 * bytes_per_s, "total_ios": 31723}}  # fmt: skip
    return json.dumps({"fio version": "fio-3.33", "global options": options, "jobs": [job]})


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (run_of(69_300_000), ""),
        (run_of(69_300_000, filename="/dev/disk/by-id/ata-CT1000MX500SSD1_2042E4"), "Crucial MX5"),
        (run_of(9_000_000_000), "carries at most"),
    ],
    ids=["unnamed", "another", "too fast"],
)
def test_a_run_of_another_drive_is_not_laid_over_this_one(place, run, reason):
    app = place(protocol="torture")
    app.file_uploader(key="protocol_run").set_value([("run.json", run.encode(), "text/plain")])
    app.run()
    assert not app.exception
    said = " ".join(each.value for each in app.error)
    assert (reason in said) if reason else not said
    measured = any("Measured" in name for frame in tables(app) for name in frame.columns)
    assert measured == (not reason)


def test_a_reviewer_ranks_two_drives_and_lays_a_run_over_them(browser, server):
    """In Chromium: a protocol, two drives, a result by fio; the courses and the order on a page."""
    job = {"jobname": "dirty", "write": {"bw_bytes": 69_300_000, "iops": 528.7, "runtime": 60000,
           "io_bytes": 4_158_000_000, "total_ios": 31723}}  # fmt: skip
    result = json.dumps({"fio version": "fio-3.33", "jobs": [job]}).encode()
    window = browser.new_page()
    link = f"{server}/?drive={DRIVE}&part=Protocols&protocol=torture&protocol_beside={OTHER}"
    window.goto(link)
    box = window.locator(".st-key-protocol_run input[type=file]")
    box.set_input_files({"name": "run.json", "mimeType": "application/json", "buffer": result})
    window.get_by_text("Order in trimmed").wait_for(timeout=60_000)
    chart = window.locator("[data-testid=stVegaLiteChart]").last
    chart.get_by_text("measured", exact=True).first.wait_for(timeout=60_000)
    assert chart.get_by_text(OTHER, exact=True).count() >= 1
    window.close()

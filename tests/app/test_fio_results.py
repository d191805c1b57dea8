"""Runs of fio on the screen: their drive, what contradicts it, and their logs over time."""

import pytest

from planner.telemetry import read
from tests import synthetic_drives as logs
from tests import synthetic_fio as made
from tests.app.conftest import linked, tables
from tests.telemetry_samples import files

PAGE = "planner/ui/measure.py"
PLANNED = "Samsung 870 EVO 1 TB"
BY_ID = "/dev/disk/by-id/nvme-Samsung_SSD_970_EVO_Plus_1TB_S59ANM0R123456"
READS = made.reads(32, 90_000)


def sequential(bytes_per_s, **options):
    size = 128 * 1024
    return made.job(
        "seq", rw="read", iodepth=8, bs="128k", **options,
        read=made.direction(bytes_per_s / size, mean_s=8 * size / bytes_per_s, bs=size),
    )  # fmt: skip


def give(open_app, files, drive=PLANNED):
    app = open_app(drive=drive).switch_page(PAGE).run()
    parts = [(name, data, "text/plain") for name, data in files.items()]
    app.file_uploader(key="files").set_value(parts).run()
    assert not app.exception
    return app


def compared(app):
    """Name the drives that results stand beside."""
    columns = {name for each in tables(app) for name in each.columns}
    return {name.removeprefix("Predicted of ") for name in columns if "Predicted of" in name}


def use(app, name="fio.json"):
    return app.button(key=f"fit {name}")


def box(app):
    (found,) = (each for each in app.selectbox if each.label == "Drive of this test")
    return found


def test_a_result_that_names_no_drive_asks_for_it(open_app):
    run = made.run(READS) | {"disk_util": [{"name": "sda"}]}
    app = give(open_app, {"fio.json": made.encoded(run)})
    assert "does not name its drive, only sda." in app.warning[0].value
    assert not compared(app)
    assert use(app).disabled
    assert box(app).value is None
    box(app).set_value("Crucial MX500 1 TB").run()
    assert compared(app) == {"Crucial MX500 1 TB"}
    assert not app.warning
    use(app).click().run()
    assert linked(app, "drive") == "Crucial MX500 1 TB"
    assert "random_read_iops" in linked(app, "fact")


def test_the_drive_of_the_plan_is_one_click(open_app):
    app = give(open_app, {"fio.json": made.encoded(made.run(READS))})
    app.button(key="plan's fio.json").click().run()
    assert compared(app) == {PLANNED}
    assert not use(app).disabled


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("fio.json", made.run(READS, filename=BY_ID)),
        ("970evoplus-1tb.json", made.run(READS)),
        ("fio.json", made.run(made.reads(32, 90_000, name="970 evo plus 1tb qd1"))),
        ("fio.json", made.run({**READS, "hostname": "bench-970-evo-plus-1tb"})),
    ],
    ids=["path", "file", "job", "host"],
)
def test_a_result_is_that_of_the_drive_that_it_names(open_app, name, run):
    app = give(open_app, {name: made.encoded(run)})
    assert compared(app) == {"Samsung 970 EVO Plus 1 TB"}
    use(app, name).click().run()
    assert linked(app, "drive") == "Samsung 970 EVO Plus 1 TB"


def test_a_model_without_a_size_is_asked_for_its_size(open_app):
    app = give(open_app, {"mx500.json": made.encoded(made.run(READS))})
    assert "It names Crucial MX500." in app.warning[0].value
    assert [option.split()[1] for option in box(app).options[:5]] == ["MX500"] * 5
    assert not compared(app)


def test_a_result_beside_a_smart_log_is_that_of_its_drive(open_app):
    smart = logs.encoded(logs.nvme_json("Samsung SSD 970 EVO Plus 1TB", 1_000_204_886_016))
    app = give(open_app, {"smart.json": smart, "fio.json": made.encoded(made.run(READS))})
    assert compared(app) == {"Samsung 970 EVO Plus 1 TB"}
    assert any("SMART log given with the test" in each.value for each in app.caption)


def test_more_than_the_link_carries_is_no_result_of_the_drive(open_app):
    named = f"{PLANNED.lower().replace(' ', '-')}.json"
    app = give(open_app, {named: made.encoded(made.run(sequential(1156e6, direct=0)))})
    (wrong,) = (each.value for each in app.error)
    assert f"This test is not of {PLANNED}" in wrong
    assert "1,156 MB/s of reads, but SATA 6Gb/s carries at most 600 MB/s" in wrong
    assert "(direct=1 is not set)" in wrong
    assert not compared(app)
    assert use(app, named).disabled
    box(app).set_value("Samsung 970 EVO Plus 1 TB").run()
    assert not app.error
    assert compared(app) == {"Samsung 970 EVO Plus 1 TB"}


def test_logs_are_drawn_by_unit_beside_the_result_that_wrote_them(open_app):
    kinds = ("bw", "iops", "lat", "clat", "slat")
    names = ["randwrite_qd32.json", *(f"rw_{kind}.1.log" for kind in kinds)]
    app = give(open_app, {name: files()[f"fio/{name}"] for name in names})
    assert [each.value for each in app.subheader] == ["randwrite_qd32.json"]
    alts = [each.proto.alt for each in app.get("vega_lite_chart")]
    assert alts == [f"{axis} over time" for axis in
                    ("Rate [MB/s]", "Rate [IOPS]", "Latency [ms]")]  # fmt: skip
    (rows,) = (each for each in tables(app) if "Log" in each)
    assert list(rows["Log"]) == names[1:]
    course = read(names[2], files()["fio/rw_iops.1.log"]).workload.courses[0]
    mean = sum(course.values) / len(course.values)
    assert rows.set_index("Log").loc["rw_iops.1.log", "Mean"] == f"{mean:,.0f} IOPS"


def test_a_log_alone_is_drawn(open_app):
    app = give(open_app, {"rw_lat.1.log": files()["fio/rw_lat.1.log"]})
    (chart,) = app.get("vega_lite_chart")
    assert chart.proto.alt == "Latency [ms] over time"
    assert use(app, "rw").disabled
